/*
 * Prints the local queues whose names begin with something, and how deep they are: administer BEGINNING [QUEUE_MANAGER]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"
#include <cmqbc.h>
#include <cmqcfc.h>

int main(int count, char **arguments)
{
    MQHCONN connection;
    MQHBAG command, answers;
    MQLONG queues, queue;
    char pattern[MQ_Q_NAME_LENGTH + 1];

    if (count < 2) {
        fprintf(stderr, "administer BEGINNING [QUEUE_MANAGER]\n");
        return 2;
    }
    connection = connected(count > 2 ? arguments[2] : NULL);
    MUST(mqCreateBag, MQCBO_ADMIN_BAG, &command);
    MUST(mqCreateBag, MQCBO_ADMIN_BAG, &answers);
    snprintf(pattern, sizeof pattern, "%s*", arguments[1]);
    MUST(mqAddString, command, MQCA_Q_NAME, MQBL_NULL_TERMINATED, pattern);
    MUST(mqAddInteger, command, MQIA_Q_TYPE, MQQT_LOCAL);
    MUST(mqAddInquiry, command, MQIA_CURRENT_Q_DEPTH);
    MUST(mqExecute, connection, MQCMD_INQUIRE_Q, MQHB_NONE, command, answers, MQHO_NONE, MQHO_NONE);

    /* Each answer is a bag in the bag. */
    MUST(mqCountItems, answers, MQHA_BAG_HANDLE, &queues);
    for (queue = 0; queue < queues; queue++) {
        MQHBAG answer;
        MQLONG depth, length;
        char name[MQ_Q_NAME_LENGTH + 1] = "";
        MUST(mqInquireBag, answers, MQHA_BAG_HANDLE, queue, &answer);
        MUST(mqInquireString, answer, MQCA_Q_NAME, 0, MQ_Q_NAME_LENGTH, name, &length, NULL);
        MUST(mqTrim, MQ_Q_NAME_LENGTH, name, name);
        MUST(mqInquireInteger, answer, MQIA_CURRENT_Q_DEPTH, MQIND_NONE, &depth);
        printf("%s %d\n", name, (int)depth);
    }
    MUST(mqDeleteBag, &command);
    MUST(mqDeleteBag, &answers);
    MUST(MQDISC, &connection);
    return 0;
}
