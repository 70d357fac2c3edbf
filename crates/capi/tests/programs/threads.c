/* One connection in several threads, as its options allow. */
#include "expect.h"
#include <pthread.h>
#include <unistd.h>

#define THREADS 4
#define EACH 200

static MQHCONN c;
static MQHOBJ q;

static MQHCONN shared(MQLONG share)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQHCONN connection;
    options.Options = share;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &options, &connection);
    return connection;
}

/* Handles of a shared connection are every thread's; calls come one after the other. Completion code and reason are this
   thread's own. */
static void *puts_and_gets(void *unused)
{
    int i;
    for (i = 0; i < EACH; i++) {
        MQMD d = {MQMD_DEFAULT};
        MQGMO get = {MQGMO_DEFAULT};
        MQLONG completion, reason, length;
        char body[8];
        MQPUT(c, q, &d, NULL, 4, "body", &completion, &reason);
        if (completion != MQCC_OK)
            return "a put was refused";
        memcpy(d.CorrelId, d.MsgId, 24);
        memset(d.CorrelId, 0, 24);
        MQGET(c, q, &d, &get, sizeof body, body, &length, &completion, &reason);
        if (completion != MQCC_OK || length != 4)
            return "a get by message identifier was refused";
    }
    return unused;
}

static void *waits(void *reason_given)
{
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQLONG completion, length;
    char body[8];
    get.Options = MQGMO_WAIT;
    get.WaitInterval = 1000;
    MQGET(c, q, &d, &get, sizeof body, body, &length, &completion, reason_given);
    return NULL;
}

/* While another thread is in a call, a call waits for it or is refused. */
static void meets(MQLONG share)
{
    MQLONG reason = 0;
    pthread_t thread;
    MQMD d = {MQMD_DEFAULT};
    c = shared(share);
    q = opened(c, "B", BOTH);
    HOLDS(pthread_create(&thread, NULL, waits, &reason) == 0);
    usleep(300 * 1000);
    if (share == MQCNO_HANDLE_SHARE_NO_BLOCK) {
        FAILS(MQRC_CALL_IN_PROGRESS, MQPUT, c, q, &d, NULL, 1, "x");
        FAILS(MQRC_CALL_IN_PROGRESS, MQCMIT, c);
    } else {
        SUCCEEDS(MQCMIT, c);
    }
    HOLDS(pthread_join(thread, NULL) == 0 && reason == MQRC_NO_MSG_AVAILABLE);
    SUCCEEDS(MQCMIT, c);
    SUCCEEDS(MQDISC, &c);
}

static void *is_connected_already(void *first)
{
    /* Of this thread and not of another. */
    MQHCONN mine = connected(), again;
    HOLDS(mine != *(MQHCONN *)first);
    WARNS(MQRC_ALREADY_CONNECTED, MQCONN, (PMQCHAR) "QM1", &again);
    HOLDS(again == mine);
    SUCCEEDS(MQDISC, &again);
    FAILS(MQRC_HCONN_ERROR, MQCMIT, mine);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    MQHCONN first;
    int i;

    c = shared(MQCNO_HANDLE_SHARE_BLOCK);
    q = opened(c, "A", BOTH);
    for (i = 0; i < THREADS; i++)
        HOLDS(pthread_create(&threads[i], NULL, puts_and_gets, NULL) == 0);
    for (i = 0; i < THREADS; i++) {
        void *said = NULL;
        HOLDS(pthread_join(threads[i], &said) == 0);
        if (said)
            fprintf(stderr, "%s\n", (char *)said);
        HOLDS(said == NULL);
    }
    get_nothing(c, q, 0);
    SUCCEEDS(MQDISC, &c);
    meets(MQCNO_HANDLE_SHARE_BLOCK);
    meets(MQCNO_HANDLE_SHARE_NO_BLOCK);

    first = connected();
    REMARKED(MQRC_ALREADY_CONNECTED, MQCONN, (PMQCHAR) "QM1", &c);
    HOLDS(c == first);
    /* One that is shared is another. */
    c = shared(MQCNO_HANDLE_SHARE_BLOCK);
    HOLDS(c != first);
    HOLDS(pthread_create(&threads[0], NULL, is_connected_already, &first) == 0);
    HOLDS(pthread_join(threads[0], NULL) == 0);
    SUCCEEDS(MQDISC, &c);
    SUCCEEDS(MQDISC, &first);
    return 0;
}
