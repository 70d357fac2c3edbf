/*
 * A program bound to the queue manager of its machine: `moves` and `scribbles` are killed, `works` works on meanwhile.
 *
 *   SEED                   moves tokens between two queues in units of work, waits, and makes queues, until it is killed
 *   scribbles SEED         puts and gets, while a thread of its own writes over the memory it shares with the queue manager
 *   QUEUE PERSISTS LIMIT   puts and gets until its input ends; then says from when to when each call went that took longer than the
 *                          limit, how many calls there were, and how long the longest took, all in microseconds
 */
#include <cmqc.h>
#include <cmqstrc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TOKENS_MOST 8

static MQLONG completion, reason;
static MQHCONN connection;

/* A call that must go well, but for one reason. */
#define MUST_UNLESS(allowed, call, ...)                                          \
    do {                                                                         \
        call(__VA_ARGS__, &completion, &reason);                                 \
        if (completion == MQCC_FAILED && reason != (allowed)) {                  \
            printf("FAILED " #call ": %s\n", MQRC_STR(reason));                  \
            exit(1);                                                             \
        }                                                                        \
    } while (0)
#define MUST(call, ...) MUST_UNLESS(MQRC_NONE, call, __VA_ARGS__)

static MQHOBJ opened(const char *queue, MQLONG options)
{
    MQOD object = {MQOD_DEFAULT};
    MQHOBJ handle;
    strncpy(object.ObjectName, queue, sizeof object.ObjectName);
    strncpy(object.DynamicQName, "BOUND.TEMPORARY.*", sizeof object.DynamicQName);
    MUST(MQOPEN, connection, &object, options, &handle);
    return handle;
}

/* Up to so many tokens from one queue to another, in the unit of work. */
static void move(MQHOBJ from, MQHOBJ to, int most)
{
    while (most-- > 0) {
        MQMD token = {MQMD_DEFAULT};
        MQGMO get = {MQGMO_DEFAULT};
        MQPMO put = {MQPMO_DEFAULT};
        char body[64];
        MQLONG length;
        get.Options = MQGMO_SYNCPOINT | MQGMO_NO_WAIT;
        MUST_UNLESS(MQRC_NO_MSG_AVAILABLE, MQGET, connection, from, &token, &get, (MQLONG)sizeof body, body, &length);
        if (completion == MQCC_FAILED)
            return;
        put.Options = MQPMO_SYNCPOINT;
        MUST(MQPUT, connection, to, &token, &put, length, body);
    }
}

static int moves(void)
{
    MQLONG both = MQOO_INPUT_SHARED | MQOO_OUTPUT;
    MQHOBJ queues[2], empty;
    int turn;
    queues[0] = opened("BOUND.LEFT", both);
    queues[1] = opened("BOUND.RIGHT", both);
    empty = opened("BOUND.EMPTY", MQOO_INPUT_SHARED);
    opened("SYSTEM.DEFAULT.MODEL.QUEUE", both);
    for (turn = 0;; turn++) {
        int from = rand() % 2;
        move(queues[from], queues[!from], 1 + rand() % TOKENS_MOST);
        if (rand() % 4 == 0) {
            MQMD nothing = {MQMD_DEFAULT};
            MQGMO wait = {MQGMO_DEFAULT};
            MQLONG length;
            wait.Options = MQGMO_SYNCPOINT | MQGMO_WAIT;
            wait.WaitInterval = 1 + rand() % 5;
            MUST_UNLESS(MQRC_NO_MSG_AVAILABLE, MQGET, connection, empty, &nothing, &wait, 0, NULL, &length);
        }
        if (rand() % 5)
            MUST(MQCMIT, connection);
        else
            MUST(MQBACK, connection);
        if (turn == 0) {
            printf("begun\n");
            fflush(stdout);
        }
    }
}

/* Random words at random places; the positions are hit as often as all the rest. */
static void *scribble(void *unused)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long begin = 0, end = 0;
    volatile unsigned long long *words;
    char line[512];
    (void)unused;
    while (maps && !begin && fgets(line, sizeof line, maps))
        if (strstr(line, "ferry-rings"))
            sscanf(line, "%lx-%lx", &begin, &end);
    if (!begin) {
        printf("FAILED: no memory is shared\n");
        exit(1);
    }
    words = (volatile unsigned long long *)begin;
    for (;;) {
        size_t place = rand() % 2 ? (size_t)(rand() % 4) * 16 : (size_t)rand() % ((end - begin) / sizeof *words);
        words[place] = rand() % 2 ? (unsigned long long)rand() << 33 | (unsigned)rand() : (unsigned)rand() % 1000;
        usleep((unsigned)rand() % 100);
    }
}

static int scribbles(void)
{
    MQHOBJ queue = opened("BOUND.SCRIBBLED", MQOO_INPUT_SHARED | MQOO_OUTPUT);
    pthread_t thread;
    if (pthread_create(&thread, NULL, scribble, NULL) != 0)
        return 1;
    printf("begun\n");
    fflush(stdout);
    for (;;) {
        MQMD message = {MQMD_DEFAULT};
        MQPMO put = {MQPMO_DEFAULT};
        MQGMO get = {MQGMO_DEFAULT};
        char body[512] = "";
        MQLONG length;
        put.Options = MQPMO_SYNCPOINT;
        get.Options = MQGMO_NO_WAIT | MQGMO_SYNCPOINT;
        /* Whatever becomes of them: the queue manager has disconnected it, or what came makes no sense. */
        MQPUT(connection, queue, &message, &put, (MQLONG)sizeof body, body, &completion, &reason);
        MQGET(connection, queue, &message, &get, (MQLONG)sizeof body, body, &length, &completion, &reason);
        MQCMIT(connection, &completion, &reason);
    }
}

static long long longest, calls, limit;

static long long microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* What a call took. Nobody reads what is said of it before the end. */
static void note(long long begun)
{
    long long ended = microseconds();
    calls++;
    longest = ended - begun > longest ? ended - begun : longest;
    if (ended - begun > limit)
        printf("%lld-%lld ", begun, ended);
}

#define TIMED(call, ...)                                                         \
    do {                                                                         \
        long long begun = microseconds();                                        \
        MUST(call, __VA_ARGS__);                                                 \
        note(begun);                                                             \
    } while (0)

static int works(const char *name, int persists)
{
    MQHOBJ queue = opened(name, MQOO_INPUT_SHARED | MQOO_OUTPUT);
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    printf("begun\n");
    fflush(stdout);
    while (poll(&input, 1, 0) == 0) {
        MQMD message = {MQMD_DEFAULT};
        MQPMO put = {MQPMO_DEFAULT};
        MQGMO get = {MQGMO_DEFAULT};
        char body[512] = "";
        MQLONG length;
        message.Persistence = persists ? MQPER_PERSISTENT : MQPER_NOT_PERSISTENT;
        put.Options = persists ? MQPMO_SYNCPOINT : MQPMO_NO_SYNCPOINT;
        get.Options = MQGMO_NO_WAIT | (persists ? MQGMO_SYNCPOINT : MQGMO_NO_SYNCPOINT);
        TIMED(MQPUT, connection, queue, &message, &put, (MQLONG)sizeof body, body);
        if (persists)
            TIMED(MQCMIT, connection);
        TIMED(MQGET, connection, queue, &message, &get, (MQLONG)sizeof body, body, &length);
        if (persists)
            TIMED(MQCMIT, connection);
    }
    printf("%lld %lld\n", calls, longest);
    MUST(MQDISC, &connection);
    return 0;
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    MUST(MQCONN, (PMQCHAR) "TORTURED", &connection);
    if (count > 2 && strcmp(arguments[1], "scribbles") == 0) {
        srand((unsigned)atoi(arguments[2]));
        return scribbles();
    }
    if (count > 3) {
        limit = atoll(arguments[3]);
        return works(arguments[1], atoi(arguments[2]));
    }
    srand((unsigned)atoi(arguments[1]));
    return moves();
}
