/* Children of a program that is connected, signals, and ends without a goodbye. */
#include "expect.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static pthread_t first;
static volatile sig_atomic_t was_elsewhere;

static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
    if (!pthread_equal(pthread_self(), first))
        was_elsewhere = 1;
}

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body, (void)context;
}

static int ended(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    MQHCONN c = connected(), other;
    MQHOBJ q = opened(c, "A", BOTH);
    MQCBD consumer = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQCNO share = {MQCNO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    struct sigaction action;
    MQLONG length;
    MQHOBJ consumed;
    char buffer[8];
    pid_t child;

    /* A child has none of its parent's connections and may have its own; the parent's unit of work is untouched. */
    put_text(c, q, "parent", MQPMO_SYNCPOINT);
    child = fork();
    if (child == 0) {
        MQHCONN copy = c;
        MQHOBJ handle;
        FAILS(MQRC_HCONN_ERROR, MQCMIT, c);
        FAILS(MQRC_HCONN_ERROR, MQDISC, &copy);
        copy = connected();
        handle = opened(copy, "A", BOTH);
        put_text(copy, handle, "child", 0);
        SUCCEEDS(MQDISC, &copy);
        exit(0);
    }
    HOLDS(ended(child) == 0);
    SUCCEEDS(MQCMIT, c);
    /* What was put in the unit of work first is where it was put. */
    get_text(c, q, "parent", 0);
    get_text(c, q, "child", 0);

    /* One that ends without a goodbye has its unit of work backed out. */
    child = fork();
    if (child == 0) {
        MQHCONN own = connected();
        put_text(own, opened(own, "A", BOTH), "undone", MQPMO_SYNCPOINT);
        exit(0);
    }
    HOLDS(ended(child) == 0);
    get.Options = MQGMO_WAIT;
    get.WaitInterval = 300;
    FAILS(MQRC_NO_MSG_AVAILABLE, MQGET, c, q, &d, &get, 8, buffer, &length);

    /* Signals are taken by the program's threads, a wait goes on behind them. */
    first = pthread_self();
    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &other);
    consumed = opened(other, "B", MQOO_INPUT_SHARED);
    consumer.CallbackFunction = (MQPTR)consume;
    SUCCEEDS(MQCB, other, MQOP_REGISTER, &consumer, consumed, &d, &get);
    SUCCEEDS(MQCTL, other, MQOP_START, &control);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    HOLDS(sigaction(SIGUSR1, &action, NULL) == 0);
    child = fork();
    if (child == 0) {
        int i;
        for (i = 0; i < 20; i++) {
            usleep(10 * 1000);
            kill(getppid(), SIGUSR1);
        }
        _exit(0);
    }
    get.WaitInterval = 500;
    FAILS(MQRC_NO_MSG_AVAILABLE, MQGET, c, q, &d, &get, 8, buffer, &length);
    HOLDS(ended(child) == 0 && alarms > 0 && !was_elsewhere);
    SUCCEEDS(MQDISC, &other);
    SUCCEEDS(MQDISC, &c);
    return 0;
}
