/*
 * Has a function called with messages as they come: consumer QUEUE MESSAGES [QUEUE_MANAGER]
 *
 * The function is called on a thread of the library; the program does something else meanwhile, here it waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"
#include <pthread.h>

/* What the function is given each time. */
struct work {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int left;
    MQLONG ended;
};

static void MQENTRY consume(MQHCONN connection, PMQVOID descriptor, PMQVOID options, PMQVOID body, MQCBC *context)
{
    struct work *work = context->CallbackArea;
    (void)connection, (void)descriptor, (void)options;
    pthread_mutex_lock(&work->lock);
    if (context->CallType == MQCBCT_MSG_REMOVED) {
        if (work->left > 0) {
            printf("%.*s\n", (int)context->DataLength, (const char *)body);
            work->left--;
        }
    } else {
        work->ended = context->Reason;
    }
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

int main(int count, char **arguments)
{
    struct work work = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, MQRC_NONE};
    MQCBD description = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    MQHCONN connection;
    MQHOBJ queue;

    if (count < 3) {
        fprintf(stderr, "consumer QUEUE MESSAGES [QUEUE_MANAGER]\n");
        return 2;
    }
    work.left = atoi(arguments[2]);
    connection = connected(count > 3 ? arguments[3] : NULL);
    queue = opened(connection, arguments[1], MQOO_INPUT_SHARED);
    how.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT | MQGMO_CONVERT | MQGMO_FAIL_IF_QUIESCING;
    how.WaitInterval = 10000;
    description.CallbackFunction = (MQPTR)consume;
    description.CallbackArea = &work;
    MUST(MQCB, connection, MQOP_REGISTER, &description, queue, &descriptor, &how);
    MUST(MQCTL, connection, MQOP_START, &control);
    pthread_mutex_lock(&work.lock);
    while (work.left > 0 && work.ended == MQRC_NONE)
        pthread_cond_wait(&work.changed, &work.lock);
    pthread_mutex_unlock(&work.lock);
    MUST(MQCTL, connection, MQOP_STOP, &control);
    MUST(MQDISC, &connection);
    if (work.left > 0)
        fprintf(stderr, "%d did not come: %s\n", work.left, MQRC_STR(work.ended));
    return work.left > 0;
}
