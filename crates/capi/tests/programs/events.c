/*
 * A client that consumes messages while its queue manager ends, and begins again or does not: events FINAL_REASON [puts]
 *
 * It says when the queue manager may end, and which reasons its event handler is called with; it goes on until that is
 * FINAL_REASON. With "puts" it has no consumer and is in calls of its own.
 */
#include "expect.h"
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static MQLONG final_reason, last_event;
static int messages, failures;

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body;
    pthread_mutex_lock(&lock);
    messages += context->CallType == MQCBCT_MSG_REMOVED;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void MQENTRY handle(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    MQLONG expected = context->Reason == MQRC_RECONNECTING ? MQCC_WARNING
        : context->Reason == MQRC_RECONNECTED              ? MQCC_OK
                                                           : MQCC_FAILED;
    sigset_t blocked;
    (void)c;
    pthread_mutex_lock(&lock);
    /* The program's signals are for threads of the program. */
    if (pthread_sigmask(SIG_SETMASK, NULL, &blocked) != 0 || !sigismember(&blocked, SIGUSR1))
        failures++;
    if (context->CallType != MQCBCT_EVENT_CALL || context->CompCode != expected || context->Hobj != MQHO_NONE || md || gmo
        || body)
        failures++;
    printf("%d\n", (int)context->Reason);
    fflush(stdout);
    last_event = context->Reason;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for_message(void)
{
    pthread_mutex_lock(&lock);
    while (messages == 0)
        pthread_cond_wait(&changed, &lock);
    messages--;
    pthread_mutex_unlock(&lock);
}

int main(int count, char **arguments)
{
    MQCNO how = {MQCNO_DEFAULT};
    MQCBD consumer = {MQCBD_DEFAULT}, handler = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQHCONN c, other;
    MQHOBJ q, put_to;

    HOLDS(count == 2 || count == 3);
    final_reason = atoi(arguments[1]);
    how.Options = MQCNO_CLIENT_BINDING | MQCNO_RECONNECT_Q_MGR | MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &c);
    handler.CallbackType = MQCBT_EVENT_HANDLER;
    handler.CallbackFunction = (MQPTR)handle;
    if (count == 3) {
        int is_over = 0;
        SUCCEEDS(MQCB, c, MQOP_REGISTER, &handler, MQHO_NONE, NULL, NULL);
        put_to = opened(c, "A", MQOO_OUTPUT);
        printf("ready\n");
        fflush(stdout);
        while (!is_over) {
            MQPMO put = {MQPMO_DEFAULT};
            put.Options = MQPMO_NO_SYNCPOINT;
            MQPUT(c, put_to, &d, &put, 1, "x", &CompCode, &Reason);
            pthread_mutex_lock(&lock);
            is_over = last_event == final_reason;
            pthread_mutex_unlock(&lock);
        }
        MQDISC(&c, &CompCode, &Reason);
        HOLDS(failures == 0);
        return 0;
    }
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &other);
    q = opened(c, "A", MQOO_INPUT_SHARED);
    put_to = opened(other, "A", MQOO_OUTPUT);
    consumer.CallbackFunction = (MQPTR)consume;
    get.Options = MQGMO_NO_SYNCPOINT;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &handler, MQHO_NONE, NULL, NULL);
    SUCCEEDS(MQCTL, c, MQOP_START, &control);
    put_text(other, put_to, "before", 0);
    wait_for_message();
    printf("ready\n");
    fflush(stdout);

    pthread_mutex_lock(&lock);
    while (last_event != final_reason)
        pthread_cond_wait(&changed, &lock);
    HOLDS(failures == 0);
    pthread_mutex_unlock(&lock);
    if (final_reason == MQRC_RECONNECTED) {
        /* The handle that the consumer listens to is open again. */
        put_text(other, put_to, "after", 0);
        wait_for_message();
        SUCCEEDS(MQCTL, c, MQOP_STOP, &control);
        SUCCEEDS(MQDISC, &c);
    } else {
        MQSTS status = {MQSTS_DEFAULT};
        MQCTL(c, MQOP_STOP, &control, &CompCode, &Reason);
        SUCCEEDS(MQSTAT, c, MQSTAT_TYPE_RECONNECTION, &status);
        HOLDS(status.Reason != MQRC_NONE);
    }
    return 0;
}
