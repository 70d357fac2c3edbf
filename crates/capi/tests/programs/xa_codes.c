/* Answers of the switch, each where the specification has it: `xa_codes CASE TEXT`. Some cases say READY and wait for a line, while
 * others act. */
#include "expect.h"
#include "xa.h"
#include <unistd.h>

#define RM 7

static struct xa_switch_t *by = &MQRMIXASwitch;
static char *text;

/* The answer is this; says which it was instead. */
#define ANSWERS(code, call)                                                                       \
    do {                                                                                          \
        int told = (call);                                                                        \
        if (told != (code)) {                                                                     \
            fprintf(stderr, "%s:%d: %s answered %d instead of %s\n", __FILE__, __LINE__, #call,   \
                    told, #code);                                                                 \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

static void wait_for_others(void)
{
    char line[16];
    printf("READY\n");
    fflush(stdout);
    HOLDS(fgets(line, sizeof line, stdin) != NULL);
}

/* Puts a text that outlives the queue manager. */
static void put_lasting(MQHCONN connection, MQHOBJ queue, const char *said, MQLONG options)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    descriptor.Persistence = MQPER_PERSISTENT;
    how.Options = options;
    SUCCEEDS(MQPUT, connection, queue, &descriptor, &how, (MQLONG)strlen(said), (PMQVOID)said);
}

static MQHCONN open_and_connect(void)
{
    ANSWERS(XA_OK, by->open(text, RM, TMNOFLAGS));
    return connected();
}

/* Leaves a branch idle in which a text was put. */
static XID leave_idle(MQHCONN connection, MQHOBJ queue, long number)
{
    XID xid = branch(number);
    ANSWERS(XA_OK, by->start(&xid, RM, TMNOFLAGS));
    put_lasting(connection, queue, "in it", MQPMO_SYNCPOINT);
    ANSWERS(XA_OK, by->end(&xid, RM, TMSUCCESS));
    return xid;
}

/* Every call with identifiers that are none, flags that it does not have, and branches that are not there. */
static void arguments(void)
{
    XID none = branch(1), long_global = branch(1), long_qualifier = branch(1), negative_global = branch(1), found[4];
    XID negative_qualifier = branch(1), huge = branch(1), no_global = branch(1), no_format = branch(1), wide_format = branch(1);
    XID *wrong[] = {&long_global, &long_qualifier, &negative_global, &negative_qualifier, &huge, &no_global, &no_format, &wide_format, NULL};
    long other_flags[] = {TMMIGRATE, TMREGISTER, 1L << 40, -1L & ~TMASYNC};
    int number;
    long_global.gtrid_length = long_qualifier.bqual_length = 65;
    negative_global.gtrid_length = negative_qualifier.bqual_length = -1;
    huge.gtrid_length = huge.bqual_length = 0x7FFFFFFFFFFFFFFFL;
    no_global.gtrid_length = 0;
    no_format.formatID = -1;
    wide_format.formatID = 1L << 32;
    open_and_connect();
    for (number = 0; number < (int)(sizeof wrong / sizeof *wrong); number++) {
        XID *xid = wrong[number];
        ANSWERS(XAER_INVAL, by->start(xid, RM, TMNOFLAGS));
        ANSWERS(XAER_INVAL, by->start(xid, RM, TMJOIN));
        ANSWERS(XAER_INVAL, by->start(xid, RM, TMRESUME));
        ANSWERS(XAER_INVAL, by->end(xid, RM, TMSUCCESS));
        ANSWERS(XAER_INVAL, by->prepare(xid, RM, TMNOFLAGS));
        ANSWERS(XAER_INVAL, by->commit(xid, RM, TMNOFLAGS));
        ANSWERS(XAER_INVAL, by->commit(xid, RM, TMONEPHASE));
        ANSWERS(XAER_INVAL, by->rollback(xid, RM, TMNOFLAGS));
        ANSWERS(XAER_INVAL, by->forget(xid, RM, TMNOFLAGS));
    }
    for (number = 0; number < (int)(sizeof other_flags / sizeof *other_flags); number++) {
        long flags = other_flags[number];
        ANSWERS(XAER_INVAL, by->open(text, RM, flags));
        ANSWERS(XAER_INVAL, by->close(text, RM, flags));
        ANSWERS(XAER_INVAL, by->start(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->end(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->prepare(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->commit(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->rollback(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->forget(&none, RM, flags));
        ANSWERS(XAER_INVAL, by->recover(found, 4, RM, flags));
    }
    /* Exactly one of three. */
    ANSWERS(XAER_INVAL, by->end(&none, RM, TMNOFLAGS));
    ANSWERS(XAER_INVAL, by->end(&none, RM, TMSUSPEND | TMSUCCESS));
    ANSWERS(XAER_INVAL, by->end(&none, RM, TMSUCCESS | TMMIGRATE));
    ANSWERS(XAER_ASYNC, by->open(text, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->close(text, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->start(&none, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->end(&none, RM, TMSUCCESS | TMASYNC));
    ANSWERS(XAER_ASYNC, by->prepare(&none, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->commit(&none, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->rollback(&none, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->forget(&none, RM, TMASYNC));
    ANSWERS(XAER_ASYNC, by->recover(found, 4, RM, TMSTARTRSCAN | TMASYNC));
    ANSWERS(XAER_PROTO, by->complete(&number, &number, RM, TMNOFLAGS));
    /* Well formed, and there is no such branch. */
    ANSWERS(XAER_NOTA, by->start(&none, RM, TMJOIN));
    ANSWERS(XAER_NOTA, by->start(&none, RM, TMRESUME));
    ANSWERS(XAER_NOTA, by->end(&none, RM, TMSUCCESS));
    ANSWERS(XAER_NOTA, by->end(&none, RM, TMFAIL));
    ANSWERS(XAER_NOTA, by->end(&none, RM, TMSUSPEND));
    ANSWERS(XAER_NOTA, by->prepare(&none, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->commit(&none, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->commit(&none, RM, TMONEPHASE));
    ANSWERS(XAER_NOTA, by->rollback(&none, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->forget(&none, RM, TMNOFLAGS));
    /* A thread that did not open this one. */
    ANSWERS(XAER_PROTO, by->start(&none, RM + 1, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->recover(found, 4, RM + 1, TMSTARTRSCAN));
    /* 64 bytes each are the most, and no qualifier is allowed. */
    none.gtrid_length = none.bqual_length = 64;
    ANSWERS(XA_OK, by->start(&none, RM, TMNOWAIT));
    ANSWERS(XA_OK, by->end(&none, RM, TMSUCCESS));
    ANSWERS(XA_OK, by->commit(&none, RM, TMONEPHASE | TMNOWAIT));
    none.bqual_length = 0;
    ANSWERS(XA_OK, by->start(&none, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->end(&none, RM, TMSUCCESS));
    ANSWERS(XA_OK, by->rollback(&none, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* The states of a branch, as far as one thread brings it there. */
static void states(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID first = branch(1), idle, prepared;
    ANSWERS(XA_OK, by->start(&first, RM, TMNOFLAGS));
    /* Active. */
    ANSWERS(XAER_PROTO, by->start(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->prepare(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->commit(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->commit(&first, RM, TMONEPHASE));
    ANSWERS(XAER_PROTO, by->rollback(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->forget(&first, RM, TMNOFLAGS));
    put_text(connection, queue, "in it", MQPMO_SYNCPOINT);
    ANSWERS(XA_OK, by->end(&first, RM, TMSUSPEND));
    /* Suspended. */
    ANSWERS(XAER_PROTO, by->prepare(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->commit(&first, RM, TMONEPHASE));
    ANSWERS(XAER_PROTO, by->end(&first, RM, TMSUSPEND));
    ANSWERS(XAER_PROTO, by->start(&first, RM, TMJOIN));
    ANSWERS(XA_OK, by->end(&first, RM, TMSUCCESS));
    /* Idle. */
    ANSWERS(XAER_DUPID, by->start(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->start(&first, RM, TMRESUME));
    ANSWERS(XAER_PROTO, by->end(&first, RM, TMSUCCESS));
    ANSWERS(XAER_PROTO, by->commit(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->forget(&first, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->start(&first, RM, TMJOIN));
    ANSWERS(XA_RBROLLBACK, by->end(&first, RM, TMFAIL));
    /* It must be rolled back. */
    ANSWERS(XAER_DUPID, by->start(&first, RM, TMNOFLAGS));
    ANSWERS(XA_RBROLLBACK, by->start(&first, RM, TMJOIN));
    ANSWERS(XA_RBROLLBACK, by->start(&first, RM, TMRESUME));
    ANSWERS(XAER_PROTO, by->commit(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->forget(&first, RM, TMNOFLAGS));
    ANSWERS(XA_RBROLLBACK, by->prepare(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->rollback(&first, RM, TMNOFLAGS));
    /* Prepared. */
    prepared = leave_idle(connection, queue, 2);
    ANSWERS(XA_OK, by->prepare(&prepared, RM, TMNOFLAGS));
    ANSWERS(XAER_DUPID, by->start(&prepared, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->start(&prepared, RM, TMJOIN));
    ANSWERS(XAER_PROTO, by->start(&prepared, RM, TMRESUME));
    ANSWERS(XAER_PROTO, by->end(&prepared, RM, TMSUCCESS));
    ANSWERS(XAER_PROTO, by->prepare(&prepared, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->commit(&prepared, RM, TMONEPHASE));
    ANSWERS(XAER_PROTO, by->forget(&prepared, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->rollback(&prepared, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->commit(&prepared, RM, TMNOFLAGS));
    /* Work of its own keeps a branch out. */
    idle = leave_idle(connection, queue, 3);
    put_text(connection, queue, "of its own", MQPMO_SYNCPOINT);
    ANSWERS(XAER_OUTSIDE, by->start(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_OUTSIDE, by->start(&idle, RM, TMJOIN));
    ANSWERS(XA_OK, by->commit(&idle, RM, TMONEPHASE));
    SUCCEEDS(MQBACK, connection);
    get_text(connection, queue, "in it", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    /* What a program left open on a handle of the switch is rolled back by the end. */
    put_text(connection, queue, "of its own", MQPMO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
    FAILS(MQRC_HCONN_ERROR, MQCMIT, connection);
    connection = connected();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
}

/* Branches are listed in pages; the scan is open until it is ended. */
static void scans(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT);
    XID found[8];
    long number;
    int place;
    for (number = 1; number <= 6; number++) {
        XID xid = leave_idle(connection, queue, number);
        ANSWERS(XA_OK, by->prepare(&xid, RM, TMNOFLAGS));
    }
    ANSWERS(XAER_INVAL, by->recover(found, 8, RM, TMNOFLAGS));
    ANSWERS(XAER_INVAL, by->recover(found, 8, RM, TMENDRSCAN));
    ANSWERS(XAER_INVAL, by->recover(found, -1, RM, TMSTARTRSCAN));
    ANSWERS(XAER_INVAL, by->recover(NULL, 1, RM, TMSTARTRSCAN));
    ANSWERS(0, by->recover(NULL, 0, RM, TMSTARTRSCAN));
    ANSWERS(3, by->recover(found, 3, RM, TMNOFLAGS));
    /* As many as were asked for: the next call says that these were all. */
    ANSWERS(3, by->recover(found + 3, 3, RM, TMNOFLAGS));
    ANSWERS(0, by->recover(found + 6, 2, RM, TMNOFLAGS));
    ANSWERS(0, by->recover(found + 6, 2, RM, TMENDRSCAN));
    ANSWERS(XAER_INVAL, by->recover(found, 8, RM, TMNOFLAGS));
    for (place = 0; place < 6; place++) {
        XID xid = branch(place + 1);
        HOLDS(memcmp(&found[place].data, &xid.data, sizeof(long) + 1) == 0 && found[place].formatID == 77);
        HOLDS(found[place].gtrid_length == sizeof(long) && found[place].bqual_length == 1);
    }
    /* A start begins anew. */
    ANSWERS(4, by->recover(found, 4, RM, TMSTARTRSCAN));
    ANSWERS(4, by->recover(found, 4, RM, TMSTARTRSCAN));
    ANSWERS(6, by->recover(found, 8, RM, TMSTARTRSCAN | TMENDRSCAN));
    for (place = 0; place < 6; place++)
        ANSWERS(XA_OK, by->rollback(&found[place], RM, TMNOFLAGS));
    ANSWERS(0, by->recover(found, 8, RM, TMSTARTRSCAN | TMENDRSCAN));
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* Two branches that a person decides meanwhile: the first is committed, the second rolled back. */
static void by_hand(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID first = leave_idle(connection, queue, 1), second = leave_idle(connection, queue, 2), found[4];
    ANSWERS(XA_OK, by->prepare(&first, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->prepare(&second, RM, TMNOFLAGS));
    wait_for_others();
    ANSWERS(2, by->recover(found, 4, RM, TMSTARTRSCAN | TMENDRSCAN));
    ANSWERS(XAER_DUPID, by->start(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_PROTO, by->start(&first, RM, TMJOIN));
    ANSWERS(XAER_PROTO, by->prepare(&first, RM, TMNOFLAGS));
    ANSWERS(XA_HEURCOM, by->commit(&first, RM, TMNOFLAGS));
    ANSWERS(XA_HEURCOM, by->commit(&first, RM, TMONEPHASE));
    ANSWERS(XA_HEURCOM, by->rollback(&first, RM, TMNOFLAGS));
    ANSWERS(XA_HEURRB, by->commit(&second, RM, TMNOFLAGS));
    ANSWERS(XA_HEURRB, by->rollback(&second, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->forget(&first, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->forget(&first, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->forget(&second, RM, TMNOFLAGS));
    ANSWERS(0, by->recover(found, 4, RM, TMSTARTRSCAN | TMENDRSCAN));
    get_text(connection, queue, "in it", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* The queue manager takes two prepared branches of a user, and four that are not prepared. */
static void bounds(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID more;
    long number;
    for (number = 1; number <= 2; number++) {
        XID xid = leave_idle(connection, queue, number);
        ANSWERS(XA_OK, by->prepare(&xid, RM, TMNOFLAGS));
    }
    more = leave_idle(connection, queue, 3);
    ANSWERS(XA_RBTRANSIENT, by->prepare(&more, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->rollback(&more, RM, TMNOFLAGS));
    for (number = 4; number <= 7; number++)
        leave_idle(connection, queue, number);
    more = branch(8);
    for (number = 0; number < 2000; number++)
        ANSWERS(XAER_RMERR, by->start(&more, RM, TMNOFLAGS));
    /* The program works on beside them. */
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    put_text(connection, queue, "beside", MQPMO_NO_SYNCPOINT);
    get_text(connection, queue, "beside", MQGMO_NO_SYNCPOINT);
    for (number = 1; number <= 7; number++) {
        more = branch(number);
        ANSWERS(number == 3 ? XAER_NOTA : XA_OK, by->rollback(&more, RM, TMNOFLAGS));
    }
    ANSWERS(XA_OK, by->start(&more, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->end(&more, RM, TMSUCCESS));
    ANSWERS(XA_RDONLY, by->prepare(&more, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* Branches whose connections end: one that is idle has three seconds (the setting), one that is active has none. */
static void left_alone(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID idle = leave_idle(connection, queue, 1), active = branch(2);
    put_text(connection, queue, "got in it", MQPMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
    wait_for_others();
    /* Another program has begun the second, got the message in it, and ended. */
    connection = open_and_connect();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "got in it", MQGMO_NO_SYNCPOINT);
    ANSWERS(XA_RBCOMMFAIL, by->start(&active, RM, TMJOIN));
    ANSWERS(XA_RBCOMMFAIL, by->rollback(&active, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->rollback(&active, RM, TMNOFLAGS));
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    usleep(4500 * 1000);
    ANSWERS(XA_RBTIMEOUT, by->start(&idle, RM, TMJOIN));
    ANSWERS(XA_RBTIMEOUT, by->prepare(&idle, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->rollback(&idle, RM, TMNOFLAGS));
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* The program of `left_alone` that ends in the midst of a branch. */
static void ends_within(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_INPUT_SHARED);
    XID active = branch(2);
    ANSWERS(XA_OK, by->start(&active, RM, TMNOFLAGS));
    get_text(connection, queue, "got in it", MQGMO_SYNCPOINT);
    _exit(0);
}

/* The queue manager ends meanwhile, and comes again. */
static void lost(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT);
    XID prepared = leave_idle(connection, queue, 1), active = branch(2), found[4];
    ANSWERS(XA_OK, by->prepare(&prepared, RM, TMNOFLAGS));
    ANSWERS(XA_OK, by->start(&active, RM, TMNOFLAGS));
    put_text(connection, queue, "in it", MQPMO_SYNCPOINT);
    wait_for_others();
    ANSWERS(XAER_RMFAIL, by->end(&active, RM, TMSUCCESS));
    ANSWERS(XAER_RMFAIL, by->start(&active, RM, TMNOFLAGS));
    ANSWERS(XAER_RMFAIL, by->prepare(&active, RM, TMNOFLAGS));
    ANSWERS(XAER_RMFAIL, by->commit(&prepared, RM, TMNOFLAGS));
    ANSWERS(XAER_RMFAIL, by->commit(&active, RM, TMONEPHASE));
    ANSWERS(XAER_RMFAIL, by->rollback(&active, RM, TMNOFLAGS));
    ANSWERS(XAER_RMFAIL, by->forget(&active, RM, TMNOFLAGS));
    ANSWERS(XAER_RMFAIL, by->recover(found, 4, RM, TMSTARTRSCAN));
    /* One that ends in order says so on its way. */
    MQCMIT(connection, &CompCode, &Reason);
    HOLDS(CompCode == MQCC_FAILED && (Reason == MQRC_CONNECTION_BROKEN || Reason == MQRC_Q_MGR_STOPPING));
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
    ANSWERS(XAER_RMERR, by->open(text, RM, TMNOFLAGS));
    wait_for_others();
    connection = open_and_connect();
    ANSWERS(1, by->recover(found, 4, RM, TMSTARTRSCAN | TMENDRSCAN));
    ANSWERS(XA_OK, by->commit(found, RM, TMNOFLAGS));
    ANSWERS(XAER_NOTA, by->rollback(&active, RM, TMNOFLAGS));
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "in it", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

/* Over the network: puts without a reply that fail, and messages that come ahead. */
static void ahead(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_READ_AHEAD);
    MQHOBJ full = opened(connection, "FULL", MQOO_OUTPUT);
    XID first = branch(1), second = branch(2);
    int number;
    ANSWERS(XA_OK, by->start(&first, RM, TMNOFLAGS));
    put_lasting(connection, full, "fits", MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE);
    put_lasting(connection, full, "does not", MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE);
    ANSWERS(XA_RBOTHER, by->end(&first, RM, TMSUCCESS));
    ANSWERS(XA_RBOTHER, by->start(&first, RM, TMJOIN));
    ANSWERS(XA_RBOTHER, by->prepare(&first, RM, TMNOFLAGS));
    put_text(connection, full, "fits now", MQPMO_NO_SYNCPOINT);
    for (number = 0; number < 20; number++)
        put_text(connection, queue, "of many", MQPMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->start(&second, RM, TMNOFLAGS));
    get_text(connection, queue, "of many", MQGMO_SYNCPOINT);
    get_text(connection, queue, "of many", MQGMO_SYNCPOINT);
    ANSWERS(XA_OK, by->end(&second, RM, TMSUCCESS));
    ANSWERS(XA_OK, by->commit(&second, RM, TMONEPHASE));
    /* Another program finds all but those two. */
    wait_for_others();
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
}

static void opens(int code)
{
    ANSWERS(code, by->open(text, RM, TMNOFLAGS));
    if (code == XA_OK) {
        MQHCONN connection = connected();
        put_text(connection, opened(connection, "A", MQOO_OUTPUT), "put", MQPMO_NO_SYNCPOINT);
        ANSWERS(XA_OK, by->close(text, RM, TMNOFLAGS));
    }
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"arguments", arguments}, {"states", states}, {"scans", scans}, {"by hand", by_hand}, {"bounds", bounds},
                 {"left alone", left_alone}, {"ends within", ends_within}, {"lost", lost}, {"ahead", ahead}};
    unsigned number;
    HOLDS(count == 3);
    text = words[2];
    if (strcmp(words[1], "opens dynamically") == 0) {
        by = &MQRMIXASwitchDynamic;
        opens(XAER_RMERR);
        return 0;
    }
    if (strncmp(words[1], "opens ", 6) == 0) {
        opens(atoi(words[1] + 6));
        return 0;
    }
    for (number = 0; number < sizeof cases / sizeof *cases; number++)
        if (strcmp(words[1], cases[number].name) == 0) {
            cases[number].run();
            return 0;
        }
    HOLDS(!"there is such a case");
    return 1;
}
