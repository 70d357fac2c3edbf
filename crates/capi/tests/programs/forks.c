/* A child that is made while another thread of its parent waits in a call, and holds what it needs for that. */
#include "expect.h"
#include <cmqbc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static MQHCONN shared;

static void *waits(void *unused)
{
    MQHOBJ q = opened(shared, "B", MQOO_INPUT_SHARED);
    (void)unused;
    get_text(shared, q, "from the child", 0);
    return NULL;
}

int main(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQHBAG bag;
    pthread_t thread;
    pid_t child;
    int status = -1;

    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &shared);
    SUCCEEDS(mqCreateBag, MQCBO_USER_BAG, &bag);
    HOLDS(pthread_create(&thread, NULL, waits, NULL) == 0);
    usleep(200 * 1000);
    child = fork();
    if (child == 0) {
        MQHCONN copy = shared, own;
        MQHBAG mine;
        /* What was the parent's is nothing here, and nobody is waited for to learn that. */
        FAILS(MQRC_HCONN_ERROR, MQCMIT, shared);
        FAILS(MQRC_HCONN_ERROR, MQDISC, &copy);
        FAILS(MQRC_HBAG_ERROR, mqClearBag, bag);
        SUCCEEDS(mqCreateBag, MQCBO_USER_BAG, &mine);
        own = connected();
        put_text(own, opened(own, "B", MQOO_OUTPUT), "from the child", 0);
        SUCCEEDS(MQDISC, &own);
        exit(0);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    HOLDS(pthread_join(thread, NULL) == 0);
    SUCCEEDS(mqClearBag, bag);
    SUCCEEDS(MQDISC, &shared);
    return 0;
}
