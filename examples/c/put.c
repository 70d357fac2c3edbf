/*
 * Puts each line of standard input on a queue: put QUEUE [QUEUE_MANAGER]
 *
 * The lines are one unit of work: all of them are on the queue at the end, or none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

int main(int count, char **arguments)
{
    MQHCONN connection;
    MQHOBJ queue;
    char line[1024];
    int lines = 0;

    if (count < 2) {
        fprintf(stderr, "put QUEUE [QUEUE_MANAGER]\n");
        return 2;
    }
    connection = connected(count > 2 ? arguments[2] : NULL);
    queue = opened(connection, arguments[1], MQOO_OUTPUT);
    while (fgets(line, sizeof line, stdin)) {
        MQMD descriptor = {MQMD_DEFAULT};
        MQPMO how = {MQPMO_DEFAULT};
        line[strcspn(line, "\n")] = 0;
        memcpy(descriptor.Format, MQFMT_STRING, sizeof descriptor.Format);
        descriptor.Persistence = MQPER_PERSISTENT;
        how.Options = MQPMO_SYNCPOINT | MQPMO_FAIL_IF_QUIESCING;
        MUST(MQPUT, connection, queue, &descriptor, &how, (MQLONG)strlen(line), line);
        lines++;
    }
    MUST(MQCMIT, connection);
    printf("%d put\n", lines);
    MUST(MQCLOSE, connection, &queue, MQCO_NONE);
    MUST(MQDISC, &connection);
    return 0;
}
