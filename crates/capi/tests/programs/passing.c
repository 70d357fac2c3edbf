/* A function that passes each message to another thread and then suspends; that thread resumes when it is done, which may be before.
   The argument is the number of connections that are made and ended so, one after the other. */
#include "expect.h"
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define MESSAGES 12
#define SECONDS_MAX 30

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Calls that the function has passed on, messages among them, and the call which said that there is no other message. */
static int passed, messages, last;

static void MQENTRY pass(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    MQCTLO control = {MQCTLO_DEFAULT};
    MQLONG completion, reason;
    int is_slow;
    (void)md, (void)gmo, (void)body;
    if (context->CallType != MQCBCT_MSG_NOT_REMOVED && context->CallType != MQCBCT_EVENT_CALL)
        return;
    pthread_mutex_lock(&lock);
    passed++;
    if (context->CallType == MQCBCT_MSG_NOT_REMOVED)
        messages++;
    else if (context->Reason == MQRC_NO_MSG_AVAILABLE && messages == MESSAGES)
        last = passed;
    is_slow = passed % 4 == 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (is_slow)
        usleep(2000);
    MQCTL(c, MQOP_SUSPEND, &control, &completion, &reason);
}

/* Waits for the next call that was passed on. */
static int is_last(int call)
{
    struct timespec until;
    int answer;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS_MAX;
    pthread_mutex_lock(&lock);
    while (passed < call) {
        if (pthread_cond_timedwait(&changed, &lock, &until) != 0) {
            fprintf(stderr, "after %d calls no function was called for %d seconds\n", passed, SECONDS_MAX);
            exit(1);
        }
    }
    answer = last == call;
    pthread_mutex_unlock(&lock);
    return answer;
}

static void browses(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQCBD consumer = {MQCBD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQHCONN c;
    MQHOBJ q;
    int call = 0;

    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &c);
    q = opened(c, "A", MQOO_BROWSE);
    consumer.CallbackFunction = (MQPTR)pass;
    get.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT | MQGMO_BROWSE_NEXT;
    get.WaitInterval = 20;
    passed = messages = last = 0;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    SUCCEEDS(MQCTL, c, MQOP_START, &control);
    while (!is_last(++call))
        SUCCEEDS(MQCTL, c, MQOP_RESUME, &control);
    HOLDS(messages == MESSAGES);
    SUCCEEDS(MQCTL, c, MQOP_SUSPEND, &control);
    SUCCEEDS(MQCB, c, MQOP_DEREGISTER, NULL, q, NULL, NULL);
    SUCCEEDS(MQCTL, c, MQOP_RESUME, &control);
    SUCCEEDS(MQDISC, &c);
}

int main(int count, char **arguments)
{
    MQHCONN c = connected();
    MQHOBJ q = opened(c, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    int i;
    for (i = 0; i < MESSAGES; i++)
        put_text(c, q, "message", 0);
    for (i = count > 1 ? atoi(arguments[1]) : 10; i > 0; i--)
        browses();
    for (i = 0; i < MESSAGES; i++)
        get_text(c, q, "message", 0);
    SUCCEEDS(MQDISC, &c);
    return 0;
}
