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

/* Puts that nobody waits for, faster than each is sent by itself. */
static void put_burst(MQHCONN connection, MQHOBJ q)
{
    put_text(connection, q, "one", MQPMO_ASYNC_RESPONSE);
    put_text(connection, q, "two", MQPMO_ASYNC_RESPONSE);
    put_text(connection, q, "three", MQPMO_ASYNC_RESPONSE);
}

static void get_burst(MQHCONN connection, MQHOBJ q)
{
    get_text(connection, q, "one", 0);
    get_text(connection, q, "two", 0);
    get_text(connection, q, "three", 0);
}

int main(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQHBAG bag;
    MQHCONN sender;
    MQHOBJ burst;
    pthread_t thread;
    pid_t child;
    int status = -1;
    int gate[2];

    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &shared);
    SUCCEEDS(mqCreateBag, MQCBO_USER_BAG, &bag);
    HOLDS(pthread_create(&thread, NULL, waits, NULL) == 0);
    sender = connected();
    burst = opened(sender, "A", BOTH);
    put_burst(sender, burst);
    get_burst(sender, burst);
    HOLDS(pipe(gate) == 0);
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
        /* What it puts arrives while it makes no other call. */
        put_burst(own, opened(own, "A", MQOO_OUTPUT));
        HOLDS(close(gate[1]) == 0 && read(gate[0], &status, 1) == 1);
        SUCCEEDS(MQDISC, &own);
        exit(0);
    }
    get_burst(sender, burst);
    HOLDS(write(gate[1], "", 1) == 1);
    while (waitpid(child, &status, 0) < 0)
        ;
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    HOLDS(pthread_join(thread, NULL) == 0);
    SUCCEEDS(mqClearBag, bag);
    SUCCEEDS(MQDISC, &sender);
    SUCCEEDS(MQDISC, &shared);
    return 0;
}
