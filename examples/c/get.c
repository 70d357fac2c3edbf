/*
 * Prints the messages of a queue, until none comes for a while: get QUEUE [QUEUE_MANAGER [MILLISECONDS]]
 *
 * A message is gone only when its line is printed: each is got in a unit of work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

int main(int count, char **arguments)
{
    MQHCONN connection;
    MQHOBJ queue;
    MQLONG wait;
    char text[1024 * 1024];

    if (count < 2) {
        fprintf(stderr, "get QUEUE [QUEUE_MANAGER [MILLISECONDS]]\n");
        return 2;
    }
    connection = connected(count > 2 ? arguments[2] : NULL);
    wait = count > 3 ? (MQLONG)atoi(arguments[3]) : 1000;
    queue = opened(connection, arguments[1], MQOO_INPUT_AS_Q_DEF);
    for (;;) {
        MQMD descriptor = {MQMD_DEFAULT};
        if (got(connection, queue, &descriptor, MQGMO_SYNCPOINT, wait, text, (MQLONG)sizeof text) < 0)
            break;
        if (puts(text) < 0 || fflush(stdout) != 0) {
            MUST(MQBACK, connection);
            return 1;
        }
        MUST(MQCMIT, connection);
    }
    MUST(MQCLOSE, connection, &queue, MQCO_NONE);
    MUST(MQDISC, &connection);
    return 0;
}
