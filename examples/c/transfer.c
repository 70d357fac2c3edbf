/*
 * Moves every message of one queue to another: transfer FROM TO [QUEUE_MANAGER]
 *
 * Messages keep their descriptors and are moved a hundred at a time, each hundred wholly or not at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

#define BATCH 100

int main(int count, char **arguments)
{
    MQHCONN connection;
    MQHOBJ from, to;
    int moved = 0;
    char body[1024 * 1024];

    if (count < 3) {
        fprintf(stderr, "transfer FROM TO [QUEUE_MANAGER]\n");
        return 2;
    }
    connection = connected(count > 3 ? arguments[3] : NULL);
    from = opened(connection, arguments[1], MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT);
    to = opened(connection, arguments[2], MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT);
    for (;;) {
        MQMD descriptor = {MQMD_DEFAULT};
        MQGMO get = {MQGMO_DEFAULT};
        MQPMO put = {MQPMO_DEFAULT};
        MQLONG length;
        get.Options = MQGMO_SYNCPOINT | MQGMO_NO_WAIT | MQGMO_FAIL_IF_QUIESCING;
        MQGET(connection, from, &descriptor, &get, (MQLONG)sizeof body, body, &length, &completion, &reason);
        if (completion != MQCC_OK)
            break;
        put.Options = MQPMO_SYNCPOINT | MQPMO_PASS_ALL_CONTEXT | MQPMO_FAIL_IF_QUIESCING;
        put.Context = from;
        MUST(MQPUT, connection, to, &descriptor, &put, length, body);
        if (++moved % BATCH == 0)
            MUST(MQCMIT, connection);
    }
    if (reason != MQRC_NO_MSG_AVAILABLE) {
        fprintf(stderr, "MQGET: %d %s\n", (int)reason, MQRC_STR(reason));
        return 1;
    }
    MUST(MQCMIT, connection);
    printf("%d moved\n", moved);
    MUST(MQDISC, &connection);
    return 0;
}
