/*
 * How often a second something can be done: rates MODULE [THREADS [SECONDS [p] [t]]]
 *
 *   putget     puts a message and gets it again by its correlation identifier
 *   sender     puts messages          receiver   gets them
 *   requester  puts a request and gets the reply     responder  answers requests
 *
 * `p` makes messages persistent, `t` has everything done in units of work. The queues are RATES.QUEUE, RATES.REQUEST and
 * RATES.REPLY; the queue manager is whichever there is. A receiver or responder goes on for the seconds given and counts what
 * came.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define BODY_BYTES 2048
/* How long to wait for a message before looking at the clock again, in milliseconds. */
#define GLANCE 200

static int persists, in_units;
static atomic_int is_over;
static char body_put[BODY_BYTES];

/* What a thread works with; completion codes and reasons are each thread's own. */
struct worker {
    pthread_t thread;
    MQHCONN connection;
    MQHOBJ puts_to, gets_from;
    void (*turn)(struct worker *);
    long long done;
    unsigned number;
    MQLONG completion, reason;
};

static void fail(const char *call, MQLONG why)
{
    fprintf(stderr, "%s: %d %s\n", call, (int)why, MQRC_STR(why));
    exit(1);
}

static void put(struct worker *me, MQHOBJ queue, MQMD *descriptor, MQLONG options)
{
    MQPMO how = {MQPMO_DEFAULT};
    how.Options = options | (in_units ? MQPMO_SYNCPOINT : MQPMO_NO_SYNCPOINT);
    descriptor->Persistence = persists ? MQPER_PERSISTENT : MQPER_NOT_PERSISTENT;
    MQPUT(me->connection, queue, descriptor, &how, BODY_BYTES, body_put, &me->completion, &me->reason);
    if (me->completion == MQCC_FAILED)
        fail("MQPUT", me->reason);
}

/* Gets a message; false when none came for a while. */
static int get(struct worker *me, MQMD *descriptor, MQLONG match)
{
    MQGMO how = {MQGMO_DEFAULT};
    char body[BODY_BYTES];
    MQLONG length;
    how.Version = MQGMO_VERSION_2;
    how.MatchOptions = match;
    how.Options = MQGMO_WAIT | (in_units ? MQGMO_SYNCPOINT : MQGMO_NO_SYNCPOINT);
    how.WaitInterval = GLANCE;
    MQGET(me->connection, me->gets_from, descriptor, &how, BODY_BYTES, body, &length, &me->completion, &me->reason);
    if (me->completion == MQCC_FAILED && me->reason != MQRC_NO_MSG_AVAILABLE)
        fail("MQGET", me->reason);
    return me->completion != MQCC_FAILED;
}

static void end_unit(struct worker *me)
{
    if (!in_units)
        return;
    MQCMIT(me->connection, &me->completion, &me->reason);
    if (me->completion == MQCC_FAILED)
        fail("MQCMIT", me->reason);
}

/* Gets what is known to be on its way, unless the time is over before it comes. */
static int get_awaited(struct worker *me, const MQBYTE24 correlation)
{
    for (;;) {
        MQMD descriptor = {MQMD_DEFAULT};
        memcpy(descriptor.CorrelId, correlation, sizeof(MQBYTE24));
        if (get(me, &descriptor, MQMO_MATCH_CORREL_ID))
            return 1;
        if (is_over)
            return 0;
    }
}

static void put_and_get(struct worker *me)
{
    MQMD descriptor = {MQMD_DEFAULT};
    snprintf((char *)descriptor.CorrelId, sizeof(MQBYTE24), "rates %u", me->number);
    put(me, me->puts_to, &descriptor, MQPMO_NEW_MSG_ID);
    end_unit(me);
    if (get_awaited(me, descriptor.CorrelId)) {
        end_unit(me);
        me->done++;
    }
}

static void send(struct worker *me)
{
    MQMD descriptor = {MQMD_DEFAULT};
    put(me, me->puts_to, &descriptor, MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID);
    end_unit(me);
    me->done++;
}

static void receive(struct worker *me)
{
    MQMD descriptor = {MQMD_DEFAULT};
    if (get(me, &descriptor, MQMO_NONE)) {
        end_unit(me);
        me->done++;
    }
}

static void request(struct worker *me)
{
    MQMD descriptor = {MQMD_DEFAULT};
    descriptor.MsgType = MQMT_REQUEST;
    strncpy(descriptor.ReplyToQ, "RATES.REPLY", sizeof descriptor.ReplyToQ);
    put(me, me->puts_to, &descriptor, MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID);
    end_unit(me);
    if (get_awaited(me, descriptor.MsgId)) {
        end_unit(me);
        me->done++;
    }
}

static void respond(struct worker *me)
{
    MQMD descriptor = {MQMD_DEFAULT};
    if (get(me, &descriptor, MQMO_NONE)) {
        memcpy(descriptor.CorrelId, descriptor.MsgId, sizeof(MQBYTE24));
        descriptor.MsgType = MQMT_REPLY;
        put(me, me->puts_to, &descriptor, MQPMO_NEW_MSG_ID);
        end_unit(me);
        me->done++;
    }
}

static const struct {
    const char *name, *puts_to, *gets_from;
    void (*turn)(struct worker *);
} modules[] = {
    {"putget", "RATES.QUEUE", "RATES.QUEUE", put_and_get},
    {"sender", "RATES.QUEUE", NULL, send},
    {"receiver", NULL, "RATES.QUEUE", receive},
    {"requester", "RATES.REQUEST", "RATES.REPLY", request},
    {"responder", "RATES.REPLY", "RATES.REQUEST", respond},
};

static void *work(void *given)
{
    struct worker *me = given;
    while (!is_over)
        me->turn(me);
    return NULL;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments)
{
    size_t module = 0, modules_all = sizeof modules / sizeof *modules;
    int threads = count > 2 ? atoi(arguments[2]) : 1, number;
    double length = count > 3 ? atof(arguments[3]) : 5, begun;
    long long done = 0;
    struct worker *workers;

    while (count > 1 && module < modules_all && strcmp(modules[module].name, arguments[1]) != 0)
        module++;
    if (count < 2 || module == modules_all || threads < 1 || length <= 0) {
        fprintf(stderr, "rates putget|sender|receiver|requester|responder [THREADS [SECONDS [p] [t]]]\n");
        return 2;
    }
    for (number = 4; number < count; number++) {
        persists |= strcmp(arguments[number], "p") == 0;
        in_units |= strcmp(arguments[number], "t") == 0;
    }
    workers = calloc((size_t)threads, sizeof *workers);
    for (number = 0; number < threads; number++) {
        struct worker *worker = &workers[number];
        worker->connection = connected(NULL);
        worker->number = (unsigned)number;
        worker->turn = modules[module].turn;
        if (modules[module].puts_to)
            worker->puts_to = opened(worker->connection, modules[module].puts_to, MQOO_OUTPUT);
        if (modules[module].gets_from)
            worker->gets_from = opened(worker->connection, modules[module].gets_from, MQOO_INPUT_SHARED);
    }
    begun = seconds_now();
    for (number = 0; number < threads; number++)
        if (pthread_create(&workers[number].thread, NULL, work, &workers[number]) != 0) {
            fprintf(stderr, "no thread %d\n", number);
            return 1;
        }
    while (seconds_now() - begun < length) {
        struct timespec glance = {0, 10 * 1000 * 1000};
        nanosleep(&glance, NULL);
    }
    is_over = 1;
    for (number = 0; number < threads; number++) {
        pthread_join(workers[number].thread, NULL);
        done += workers[number].done;
        MUST(MQDISC, &workers[number].connection);
    }
    printf("done=%lld rate=%.1f\n", done, (double)done / (seconds_now() - begun));
    free(workers);
    return 0;
}
