/*
 * Answers questions, each with its length: reply QUEUE [QUEUE_MANAGER [QUESTIONS]]
 *
 * Question and answer are one unit of work: a program that ends in between leaves the question for the next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

int main(int count, char **arguments)
{
    MQHCONN connection;
    MQHOBJ questions;
    int left;
    char text[1024];

    if (count < 2) {
        fprintf(stderr, "reply QUEUE [QUEUE_MANAGER [QUESTIONS]]\n");
        return 2;
    }
    connection = connected(count > 2 ? arguments[2] : NULL);
    left = count > 3 ? atoi(arguments[3]) : -1;
    questions = opened(connection, arguments[1], MQOO_INPUT_SHARED);
    for (; left != 0; left--) {
        MQMD question = {MQMD_DEFAULT}, answer = {MQMD_DEFAULT};
        MQPMO how = {MQPMO_DEFAULT};
        MQOD where = {MQOD_DEFAULT};
        if (got(connection, questions, &question, MQGMO_SYNCPOINT, MQWI_UNLIMITED, text, (MQLONG)sizeof text) < 0)
            break;
        sprintf(text, "%d characters", (int)strlen(text));
        answer.MsgType = MQMT_REPLY;
        memcpy(answer.Format, MQFMT_STRING, sizeof answer.Format);
        memcpy(answer.CorrelId, question.MsgId, sizeof answer.CorrelId);
        memcpy(where.ObjectName, question.ReplyToQ, sizeof where.ObjectName);
        memcpy(where.ObjectQMgrName, question.ReplyToQMgr, sizeof where.ObjectQMgrName);
        how.Options = MQPMO_SYNCPOINT | MQPMO_FAIL_IF_QUIESCING;
        MUST(MQPUT1, connection, &where, &answer, &how, (MQLONG)strlen(text), text);
        MUST(MQCMIT, connection);
    }
    MUST(MQDISC, &connection);
    return 0;
}
