/* No database: both places are queue managers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "resource.h"

struct resource rows(char *text)
{
    struct resource resource = {0};
    resource.text = text;
    return resource;
}
