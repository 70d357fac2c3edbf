/*
 * A client whose queue manager is gone, or answers no more, while it wants to connect again: its messages are consumed no longer, and it
 * disconnects, without waiting for that. It says when the queue manager may end, and is told how many seconds this may take in all.
 */
#include "expect.h"
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int broken, stops;

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body;
    pthread_mutex_lock(&lock);
    stops += context->CallType == MQCBCT_STOP_CALL;
    pthread_mutex_unlock(&lock);
}

static void MQENTRY handle(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body;
    pthread_mutex_lock(&lock);
    broken += context->Reason == MQRC_RECONNECTING;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* A connection whose messages are consumed, with a socket of its own. */
static MQHCONN consuming(void)
{
    MQCNO how = {MQCNO_DEFAULT};
    MQCBD consumer = {MQCBD_DEFAULT}, handler = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQHCONN c;

    how.Options = MQCNO_CLIENT_BINDING | MQCNO_RECONNECT_Q_MGR | MQCNO_HANDLE_SHARE_BLOCK | MQCNO_NO_CONV_SHARING;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &c);
    consumer.CallbackFunction = (MQPTR)consume;
    consumer.Options = MQCBDO_STOP_CALL;
    get.Options = MQGMO_NO_SYNCPOINT;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, opened(c, "A", MQOO_INPUT_SHARED), &d, &get);
    handler.CallbackType = MQCBT_EVENT_HANDLER;
    handler.CallbackFunction = (MQPTR)handle;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &handler, MQHO_NONE, NULL, NULL);
    SUCCEEDS(MQCTL, c, MQOP_START, &control);
    return c;
}

int main(int count, char **arguments)
{
    MQCTLO control = {MQCTLO_DEFAULT};
    MQHCONN stopped = consuming(), suspended = consuming(), disconnected = consuming();
    time_t begun;

    HOLDS(count == 2);
    printf("ready\n");
    fflush(stdout);
    pthread_mutex_lock(&lock);
    while (broken < 3)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    /* By now each of them is connecting again, for which there are thirty minutes. */
    usleep(300 * 1000);
    begun = time(NULL);
    SUCCEEDS(MQCTL, stopped, MQOP_STOP, &control);
    HOLDS(stops == 1);
    SUCCEEDS(MQCTL, suspended, MQOP_SUSPEND, &control);
    SUCCEEDS(MQDISC, &disconnected);
    SUCCEEDS(MQDISC, &stopped);
    SUCCEEDS(MQDISC, &suspended);
    HOLDS(time(NULL) - begun <= atoi(arguments[1]));
    return 0;
}
