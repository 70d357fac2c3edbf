/*
 * A transaction manager with a decision log of its own, over two resource managers that speak XA.
 *
 *   manager LOG STOP-TRANSFER STOP-STEP FIRST COUNT THREADS        recovers, then makes transfers
 *   manager fill PIECES PIECE                                      puts so much money into each place that is a queue
 *   manager tell                                                   writes what both places hold
 *
 * The environment says where the resource managers are (see `main`). It answers on standard output: "recovered COMMITTED
 * ROLLED-BACK", for each transfer "committed N" or "back N", last "done". At a step of one transfer it says "at STEP", and goes
 * on once it reads a line.
 *
 * Always: a decision to commit is on the disk before the first commit, and the log alone says what was decided: no decision in
 * it means rolled back. A branch that is listed and of no transaction at work is settled by the log, again and again while the
 * program runs, since a lost connection may prepare one late.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "resource.h"

/* The format of the identifiers, and the number of transfers that there may be. */
#define FORMAT 0x46585441L
#define TRANSFERS (1 << 20)
/* Branches that one call of a recovery asks for: few, so that it takes several. */
#define PAGE 3
#define PATIENCE_SECONDS 120

enum step {
    START_FIRST = 1, START_SECOND, WORK_FIRST, WORK_SECOND, END_FIRST, END_SECOND, PREPARE_FIRST, PREPARE_SECOND,
    DECIDE, FORCE, COMMIT_FIRST, COMMIT_SECOND, FORGET, TELL,
};

/* How a transfer spreads over threads. */
enum spread { ONE_THREAD, MIGRATES, JOINS, SPREADS };

static struct resource at[RESOURCES + 1];
static long stop_transfer, stop_step;
static int is_dynamic;

static void fail(const char *what, long number)
{
    fprintf(stderr, "manager: %s %ld\n", what, number);
    _exit(1);
}

/* ---- The decision log: a line for each decision to commit, forced, and one for each end, which need not be. ---- */

static int log_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Of each transfer: decided, and at work in this process. */
static char is_decided[TRANSFERS], is_at_work[TRANSFERS];

static void write_log(char what, long transfer)
{
    char line[32];
    int length = sprintf(line, "%c %ld\n", what, transfer);
    if (write(log_file, line, (size_t)length) != length)
        fail("cannot write the log", errno);
}

static void force_log(void)
{
    if (fdatasync(log_file))
        fail("cannot force the log", errno);
}

/* Reads the log up to a line that was cut. */
static void read_log(const char *path)
{
    char what;
    long transfer, whole = 0;
    FILE *lines;
    log_file = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    lines = fopen(path, "r");
    if (log_file < 0 || !lines)
        fail("cannot open the log", errno);
    while (fscanf(lines, "%c %ld", &what, &transfer) == 2 && fgetc(lines) == '\n') {
        if (transfer < 0 || transfer >= TRANSFERS)
            fail("not of the log", transfer);
        if (what == 'C')
            is_decided[transfer] = 1;
        whole = ftell(lines);
    }
    fclose(lines);
    if (ftruncate(log_file, whole))
        fail("cannot cut the log", errno);
    force_log();
}

static void set_at_work(long transfer, int is)
{
    pthread_mutex_lock(&lock);
    is_at_work[transfer] = (char)is;
    pthread_mutex_unlock(&lock);
}

static void say(const char *what, long number)
{
    pthread_mutex_lock(&lock);
    printf("%s %ld\n", what, number);
    fflush(stdout);
    pthread_mutex_unlock(&lock);
}

/* A step of a transfer is about to be made: at the one of the command line others act first. */
static void reach(long transfer, enum step step)
{
    char line[16];
    if (transfer != stop_transfer || (long)step != stop_step)
        return;
    say("at", step);
    if (!fgets(line, sizeof line, stdin))
        _exit(2);
}

/* ---- Branches ---- */

static XID branch_of(long transfer, int rmid)
{
    XID xid = {FORMAT, sizeof transfer, 1, {0}};
    memcpy(xid.data, &transfer, sizeof transfer);
    xid.data[sizeof transfer] = (char)rmid;
    return xid;
}

/* The transfer of a branch; -1 for one of others. */
static long transfer_of(const XID *xid, int rmid)
{
    long transfer;
    if (xid->formatID != FORMAT || xid->gtrid_length != sizeof transfer || xid->bqual_length != 1)
        return -1;
    memcpy(&transfer, xid->data, sizeof transfer);
    return xid->data[sizeof transfer] == (char)rmid ? transfer : -1;
}

static int is_rolled_back(int code)
{
    return code >= XA_RBROLLBACK && code <= XA_RBTRANSIENT;
}

/* Opens a resource manager for this thread, and waits until it is there. */
static void open_resource(int rmid)
{
    int tries, code = XAER_RMERR;
    for (tries = 0; tries < PATIENCE_SECONDS * 20; tries++) {
        code = at[rmid].by->open(at[rmid].text, rmid, TMNOFLAGS);
        if (code == XA_OK)
            return;
        usleep(50 * 1000);
    }
    fail("a resource manager does not open", code);
}

static void close_resource(int rmid)
{
    int code;
    at[rmid].leave(rmid);
    code = at[rmid].by->close(at[rmid].text, rmid, TMNOFLAGS);
    if (code != XA_OK)
        fail("a resource manager does not close", code);
}

static void reopen_resource(int rmid)
{
    close_resource(rmid);
    open_resource(rmid);
}

/* All branches of this manager that a resource manager lists; -1 where it is lost. */
static long list(int rmid, long *transfers, long most)
{
    XID found[PAGE];
    long count = 0, flags = TMSTARTRSCAN;
    int place, code;
    do {
        code = at[rmid].by->recover(found, PAGE, rmid, flags);
        if (code == XAER_RMFAIL)
            return -1;
        if (code < 0)
            fail("recover answers", code);
        for (place = 0; place < code && count < most; place++)
            if ((transfers[count] = transfer_of(&found[place], rmid)) >= 0)
                count++;
        flags = TMNOFLAGS;
    } while (code == PAGE);
    code = at[rmid].by->recover(NULL, 0, rmid, TMENDRSCAN);
    if (code < 0 && code != XAER_RMFAIL)
        fail("the end of a recovery answers", code);
    return code < 0 ? -1 : count;
}

static int is_listed(int rmid, long transfer)
{
    static _Thread_local long found[SCAN_MAX];
    long count, place;
    while ((count = list(rmid, found, SCAN_MAX)) < 0)
        reopen_resource(rmid);
    for (place = 0; place < count; place++)
        if (found[place] == transfer)
            return 1;
    return 0;
}

/* Settles a branch until its resource manager has it no more, however often that is lost meanwhile. */
static void settle(int rmid, long transfer, int commits)
{
    XID xid = branch_of(transfer, rmid);
    int tries;
    for (tries = 0; tries < PATIENCE_SECONDS * 100; tries++) {
        int code = commits ? at[rmid].by->commit(&xid, rmid, TMNOFLAGS) : at[rmid].by->rollback(&xid, rmid, TMNOFLAGS);
        if (code == XA_OK || (!commits && is_rolled_back(code)))
            return;
        if (code == XAER_RMFAIL)
            reopen_resource(rmid);
        else if (code == XAER_NOTA) {
            /* Another session may have it still, or the answer to an earlier try was lost. */
            if (!is_listed(rmid, transfer))
                return;
        } else if (code != XA_RETRY)
            fail(commits ? "commit answers" : "rollback answers", code);
        usleep(10 * 1000);
    }
    fail("a branch is not settled", transfer);
}

/* Settles what is listed and of no transfer at work: how many were committed and rolled back. */
static void recover_resource(int rmid, long settled[2])
{
    static long found[SCAN_MAX];
    long count = list(rmid, found, SCAN_MAX), place;
    if (count < 0) {
        reopen_resource(rmid);
        return;
    }
    for (place = 0; place < count; place++) {
        int is_decision, is_busy;
        pthread_mutex_lock(&lock);
        is_decision = is_decided[found[place]];
        is_busy = is_at_work[found[place]];
        pthread_mutex_unlock(&lock);
        if (is_busy)
            continue;
        settle(rmid, found[place], is_decision);
        settled[is_decision ? 0 : 1]++;
    }
}

/* ---- Threads: each worker has a mate, a second thread that goes on where it suspended, or joins it. ---- */

/* What this thread is at, for a resource manager that asks when work begins. */
static _Thread_local struct {
    long transfer;
    int how;
    char is_started[RESOURCES + 1];
} current;

int ax_reg(int rmid, XID *xid, long flags)
{
    (void)flags;
    if (!current.transfer) {
        xid->formatID = -1;
        return TM_OK;
    }
    *xid = branch_of(current.transfer, rmid);
    current.is_started[rmid] = 1;
    return current.how;
}

int ax_unreg(int rmid, long flags)
{
    (void)rmid, (void)flags;
    return TM_OK;
}

struct mate {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int (*job)(struct mate *);
    int rmid, how, answer;
    long transfer, amount;
};

static void *serve(void *given)
{
    struct mate *mate = given;
    int rmid;
    for (rmid = 1; rmid <= RESOURCES; rmid++)
        if (!(at[rmid].by->flags & TMNOMIGRATE))
            open_resource(rmid);
    pthread_mutex_lock(&mate->lock);
    for (;;) {
        while (!mate->job)
            pthread_cond_wait(&mate->changed, &mate->lock);
        mate->answer = mate->job(mate);
        mate->job = NULL;
        pthread_cond_broadcast(&mate->changed);
    }
    return NULL;
}

/* Has the mate do something, and waits for that. */
static int have(struct mate *mate, int (*job)(struct mate *), int rmid, long transfer)
{
    int answer;
    pthread_mutex_lock(&mate->lock);
    mate->job = job;
    mate->rmid = rmid;
    mate->transfer = transfer;
    pthread_cond_broadcast(&mate->changed);
    while (mate->job)
        pthread_cond_wait(&mate->changed, &mate->lock);
    answer = mate->answer;
    pthread_mutex_unlock(&mate->lock);
    return answer;
}

/* Comes to a branch in this thread: by a call, or by being asked. */
static int come_to(int rmid, long transfer, int how)
{
    XID xid = branch_of(transfer, rmid);
    long flags = how == TM_RESUME ? TMRESUME : how == TM_JOIN ? TMJOIN : TMNOFLAGS;
    int code;
    if (at[rmid].by->flags & TMREGISTER) {
        current.transfer = transfer;
        current.how = how;
        current.is_started[rmid] = 0;
        return XA_OK;
    }
    code = at[rmid].by->start(&xid, rmid, flags);
    current.is_started[rmid] = code == XA_OK;
    return code;
}

static int leave_branch(int rmid, long transfer, long flags)
{
    XID xid = branch_of(transfer, rmid);
    if (!current.is_started[rmid])
        return XA_OK;
    current.is_started[rmid] = 0;
    return at[rmid].by->end(&xid, rmid, flags);
}

static int mate_comes(struct mate *mate)
{
    int code = come_to(mate->rmid, mate->transfer, mate->how);
    return code == XA_OK && at[mate->rmid].receipt(mate->rmid, mate->transfer, mate->amount) ? XAER_RMERR : code;
}

static int mate_leaves(struct mate *mate)
{
    int code = leave_branch(mate->rmid, mate->transfer, TMSUCCESS);
    current.transfer = 0;
    return code;
}

static int mate_fails(struct mate *mate)
{
    leave_branch(mate->rmid, mate->transfer, TMFAIL);
    current.transfer = 0;
    return XA_OK;
}

static int mate_prepares(struct mate *mate)
{
    XID xid = branch_of(mate->transfer, mate->rmid);
    return at[mate->rmid].by->prepare(&xid, mate->rmid, TMNOFLAGS);
}

static int mate_settles(struct mate *mate)
{
    settle(mate->rmid, mate->transfer, 1);
    return XA_OK;
}

static int mate_reopens(struct mate *mate)
{
    reopen_resource(mate->rmid);
    return XA_OK;
}

/* ---- Transfers ---- */

static enum spread spread_of(long transfer, int rmid)
{
    return at[rmid].by->flags & TMNOMIGRATE ? ONE_THREAD : (enum spread)(transfer / 4 % 4);
}

/* Money out of or into a place, with a receipt; the mate gives the receipt where the branch is of both. */
static int work(struct mate *mate, int rmid, long transfer, int takes, long *amount)
{
    enum spread spread = spread_of(transfer, rmid);
    if (takes) {
        *amount = at[rmid].take(rmid, transfer, transfer % 7 + 1);
        if (*amount <= 0)
            return -1;
    } else if (at[rmid].give(rmid, transfer, *amount))
        return -1;
    if (spread == ONE_THREAD || spread == SPREADS)
        return at[rmid].receipt(rmid, transfer, takes ? -*amount : *amount);
    if (leave_branch(rmid, transfer, spread == MIGRATES ? TMSUSPEND | TMMIGRATE : TMSUCCESS) != XA_OK)
        return -1;
    mate->how = spread == MIGRATES ? TM_RESUME : TM_JOIN;
    mate->amount = takes ? -*amount : *amount;
    return have(mate, mate_comes, rmid, transfer);
}

static int leave(struct mate *mate, int rmid, long transfer)
{
    enum spread spread = spread_of(transfer, rmid);
    return spread == MIGRATES || spread == JOINS ? have(mate, mate_leaves, rmid, transfer)
                                                 : leave_branch(rmid, transfer, TMSUCCESS);
}

static int prepare(struct mate *mate, int rmid, long transfer)
{
    XID xid = branch_of(transfer, rmid);
    return spread_of(transfer, rmid) == SPREADS ? have(mate, mate_prepares, rmid, transfer)
                                                : at[rmid].by->prepare(&xid, rmid, TMNOFLAGS);
}

/* Rolls a transfer back everywhere. A branch that was never begun is none. */
static void roll_back(struct mate *mate, long transfer)
{
    int rmid;
    for (rmid = 1; rmid <= RESOURCES; rmid++) {
        if (spread_of(transfer, rmid) != ONE_THREAD)
            have(mate, mate_fails, rmid, transfer);
        leave_branch(rmid, transfer, TMFAIL);
        settle(rmid, transfer, 0);
        /* The connection of the mate may be lost as well, and would be noticed in the midst of the next. */
        if (!(at[rmid].by->flags & TMNOMIGRATE))
            have(mate, mate_reopens, rmid, transfer);
    }
    current.transfer = 0;
}

/* Makes one transfer; 1 if it stands. */
static int transfer_money(struct mate *mate, long transfer)
{
    /* The direction, and the resource manager that comes first in each phase. */
    int first = transfer / 2 % 2 ? 2 : 1, second = 3 - first, from = transfer % 2 ? 2 : 1, place, code;
    int order[2], needs_commit[2];
    long amount = 0;
    order[0] = first, order[1] = second;
    for (place = 0; place < 2; place++) {
        reach(transfer, place ? START_SECOND : START_FIRST);
        if (come_to(order[place], transfer, TM_OK) != XA_OK)
            return 0;
    }
    /* Money is taken before it is given, whichever comes first in the phases. */
    for (place = 0; place < 2; place++) {
        reach(transfer, place ? WORK_SECOND : WORK_FIRST);
        if (work(mate, place ? 3 - from : from, transfer, place == 0, &amount))
            return 0;
    }
    for (place = 0; place < 2; place++) {
        reach(transfer, place ? END_SECOND : END_FIRST);
        if (leave(mate, order[place], transfer) != XA_OK)
            return 0;
    }
    current.transfer = 0;
    for (place = 0; place < 2; place++) {
        reach(transfer, place ? PREPARE_SECOND : PREPARE_FIRST);
        code = prepare(mate, order[place], transfer);
        if (code != XA_OK && code != XA_RDONLY)
            return 0;
        needs_commit[place] = code == XA_OK;
    }
    reach(transfer, DECIDE);
    pthread_mutex_lock(&lock);
    write_log('C', transfer);
    is_decided[transfer] = 1;
    pthread_mutex_unlock(&lock);
    reach(transfer, FORCE);
    force_log();
    for (place = 0; place < 2; place++) {
        reach(transfer, place ? COMMIT_SECOND : COMMIT_FIRST);
        if (!needs_commit[place])
            continue;
        if (spread_of(transfer, order[place]) == SPREADS)
            have(mate, mate_settles, order[place], transfer);
        else
            settle(order[place], transfer, 1);
    }
    return 1;
}

/* Money moves within the first place: in one phase, or in a unit of work of the program's own. The outcome is not known where
 * the connection is lost, and both are right: it stays there. */
static void move_within(struct mate *mate, long transfer)
{
    XID xid = branch_of(transfer, 1);
    long amount;
    if (transfer % 2) {
        if (at[1].alone(1, transfer))
            reopen_resource(1);
        return;
    }
    if (come_to(1, transfer, TM_OK) == XA_OK && (amount = at[1].take(1, transfer, 1)) > 0
        && !at[1].give(1, transfer, amount) && leave_branch(1, transfer, TMSUCCESS) == XA_OK
        && at[1].by->commit(&xid, 1, TMONEPHASE) == XA_OK)
        current.transfer = 0;
    else
        roll_back(mate, transfer);
}

static long next_transfer, last_transfer;

static void *work_through(void *unused)
{
    struct mate mate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    int rmid;
    (void)unused;
    for (rmid = 1; rmid <= RESOURCES; rmid++)
        open_resource(rmid);
    if (pthread_create(&mate.thread, NULL, serve, &mate))
        fail("no thread", errno);
    for (;;) {
        long transfer = __atomic_fetch_add(&next_transfer, 1, __ATOMIC_SEQ_CST);
        int stands;
        if (transfer > last_transfer)
            break;
        set_at_work(transfer, 1);
        if (transfer % 10 >= 8 && transfer != stop_transfer) {
            move_within(&mate, transfer);
            set_at_work(transfer, 0);
            continue;
        }
        stands = transfer_money(&mate, transfer);
        if (stands) {
            reach(transfer, FORGET);
            pthread_mutex_lock(&lock);
            write_log('E', transfer);
            pthread_mutex_unlock(&lock);
        } else
            roll_back(&mate, transfer);
        set_at_work(transfer, 0);
        if (stands)
            reach(transfer, TELL);
        say(stands ? "committed" : "back", transfer);
    }
    return NULL;
}

/* Settles what comes late, until the program ends. */
static void *watch(void *unused)
{
    long settled[2] = {0, 0};
    int rmid;
    (void)unused;
    for (rmid = 1; rmid <= RESOURCES; rmid++)
        open_resource(rmid);
    for (;;) {
        usleep(200 * 1000);
        for (rmid = 1; rmid <= RESOURCES; rmid++)
            recover_resource(rmid, settled);
    }
    return NULL;
}

/* Puts money into the places that are queues, in one phase. */
static void fill(long pieces, long piece)
{
    int rmid, code;
    for (rmid = 1; rmid <= RESOURCES; rmid++) {
        XID xid = branch_of(0, rmid);
        long number;
        if (!at[rmid].alone)
            continue;
        if ((code = come_to(rmid, 0, TM_OK)) != XA_OK)
            fail("start answers", code);
        for (number = 0; number < pieces; number++)
            if (at[rmid].give(rmid, 0, piece))
                fail("money cannot be put", number);
        if ((code = leave_branch(rmid, 0, TMSUCCESS)) != XA_OK || (code = at[rmid].by->commit(&xid, rmid, TMONEPHASE)) != XA_OK)
            fail("the money does not stand", code);
    }
}

static char *variable(const char *name)
{
    char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set\n", name);
        _exit(1);
    }
    return value;
}

int main(int count, char **words)
{
    long settled[2] = {0, 0};
    pthread_t watcher, workers[64];
    int rmid, number, threads;
    is_dynamic = !strcmp(variable("XA_REGISTRATION"), "dynamic");
    if (load_queues(variable("XA_SWITCHES"), variable("XA_LIBRARY"), is_dynamic))
        fail("no library", 0);
    at[1] = queues(1, variable("XA_FIRST"), "QM1");
    at[2] = rows(variable("XA_SECOND"));
    if (!at[2].by)
        at[2] = queues(2, variable("XA_SECOND"), "QM2");
    for (rmid = 1; rmid <= RESOURCES; rmid++)
        open_resource(rmid);
    if (count == 4) {
        fill(atol(words[2]), atol(words[3]));
        return 0;
    }
    if (count == 2) {
        for (rmid = 1; rmid <= RESOURCES; rmid++) {
            printf("place %d\n", rmid);
            if (at[rmid].tell(rmid, stdout))
                fail("cannot read what is in place", rmid);
            close_resource(rmid);
        }
        return 0;
    }
    if (count != 7)
        fail("it takes seven words, not", count);
    read_log(words[1]);
    stop_transfer = atol(words[2]);
    stop_step = atol(words[3]);
    next_transfer = atol(words[4]);
    last_transfer = next_transfer + atol(words[5]) - 1;
    threads = atoi(words[6]);
    if (last_transfer >= TRANSFERS || threads < 1 || threads > 64)
        fail("too many", last_transfer);
    for (rmid = 1; rmid <= RESOURCES; rmid++) {
        recover_resource(rmid, settled);
        close_resource(rmid);
    }
    printf("recovered %ld %ld\n", settled[0], settled[1]);
    fflush(stdout);
    if (pthread_create(&watcher, NULL, watch, NULL))
        fail("no thread", errno);
    for (number = 0; number < threads; number++)
        if (pthread_create(&workers[number], NULL, work_through, NULL))
            fail("no thread", errno);
    for (number = 0; number < threads; number++)
        pthread_join(workers[number], NULL);
    printf("done\n");
    fflush(stdout);
    _exit(0);
}
