/*
 * Asks a question and prints the answer: request QUEUE TEXT [QUEUE_MANAGER]
 *
 * The answer comes to a queue that is made for it, and is known by the identifier of the question.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

int main(int count, char **arguments)
{
    MQMD question = {MQMD_DEFAULT}, answer = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    MQOD model = {MQOD_DEFAULT};
    MQHCONN connection;
    MQHOBJ questions, answers;
    char text[1024];

    if (count < 3) {
        fprintf(stderr, "request QUEUE TEXT [QUEUE_MANAGER]\n");
        return 2;
    }
    connection = connected(count > 3 ? arguments[3] : NULL);
    questions = opened(connection, arguments[1], MQOO_OUTPUT);
    strcpy(model.ObjectName, "SYSTEM.DEFAULT.MODEL.QUEUE");
    MUST(MQOPEN, connection, &model, MQOO_INPUT_EXCLUSIVE | MQOO_FAIL_IF_QUIESCING, &answers);

    question.MsgType = MQMT_REQUEST;
    memcpy(question.Format, MQFMT_STRING, sizeof question.Format);
    memcpy(question.ReplyToQ, model.ObjectName, sizeof question.ReplyToQ);
    how.Options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID | MQPMO_FAIL_IF_QUIESCING;
    MUST(MQPUT, connection, questions, &question, &how, (MQLONG)strlen(arguments[2]), arguments[2]);

    memcpy(answer.CorrelId, question.MsgId, sizeof answer.CorrelId);
    if (got(connection, answers, &answer, MQGMO_NO_SYNCPOINT, 10000, text, (MQLONG)sizeof text) < 0) {
        fprintf(stderr, "nobody answered within ten seconds\n");
        return 1;
    }
    puts(text);
    MUST(MQCLOSE, connection, &answers, MQCO_DELETE_PURGE);
    MUST(MQDISC, &connection);
    return 0;
}
