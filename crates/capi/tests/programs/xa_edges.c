/* What a program of a transaction manager may do besides: `scans`, `leaves`, `starts` consumers, `fails` with its queue manager,
   and cleans up when its thread `ends`. */
#include <pthread.h>
#include "expect.h"
#include "xa.h"

#define RM 3

static char text[] = "QM1";

static void open_resource(void)
{
    HOLDS(MQRMIXASwitch.open(text, RM, TMNOFLAGS) == XA_OK);
}

static void close_resource(void)
{
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
}

/* A branch with a message, which is prepared. */
static void leave_prepared(MQHCONN connection, MQHOBJ queue, long number)
{
    XID xid = branch(number);
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    descriptor.Persistence = MQPER_PERSISTENT;
    how.Options = MQPMO_SYNCPOINT;
    HOLDS(MQRMIXASwitch.start(&xid, RM, TMNOFLAGS) == XA_OK);
    SUCCEEDS(MQPUT, connection, queue, &descriptor, &how, 5, "in it");
    HOLDS(MQRMIXASwitch.end(&xid, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&xid, RM, TMNOFLAGS) == XA_OK);
}

/* A list that is as long as the room for it may go on: the manager asks until it is given less. */
static void scans(void)
{
    MQHCONN connection;
    MQHOBJ queue;
    XID found[2];
    long number;
    open_resource();
    connection = connected();
    queue = opened(connection, "A", MQOO_OUTPUT);
    leave_prepared(connection, queue, 1);
    leave_prepared(connection, queue, 2);
    HOLDS(MQRMIXASwitch.recover(found, 2, RM, TMSTARTRSCAN) == 2);
    HOLDS(MQRMIXASwitch.recover(found, 2, RM, TMNOFLAGS) == 0);
    HOLDS(MQRMIXASwitch.recover(found, 2, RM, TMENDRSCAN) == 0);
    HOLDS(MQRMIXASwitch.recover(found, 2, RM, TMENDRSCAN) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.recover(found, 1, RM, TMSTARTRSCAN) == 1);
    HOLDS(MQRMIXASwitch.recover(found, 1, RM, TMNOFLAGS) == 1);
    HOLDS(MQRMIXASwitch.recover(found, 1, RM, TMNOFLAGS | TMENDRSCAN) == 0);
    HOLDS(MQRMIXASwitch.recover(found, 1, RM, TMNOFLAGS) == XAER_INVAL);
    for (number = 1; number <= 2; number++) {
        XID xid = branch(number);
        HOLDS(MQRMIXASwitch.rollback(&xid, RM, TMNOFLAGS) == XA_OK);
    }
    close_resource();
}

/* MQDISC ends what is the program's own, as it does elsewhere, though the connection stays. */
static void leaves(void)
{
    MQHCONN connection, same;
    MQHOBJ queue, managed = MQHO_NONE, subscription = MQHO_NONE;
    MQSD wanted = {MQSD_DEFAULT};
    XID xid = branch(1);
    open_resource();
    connection = same = connected();
    queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    put_text(connection, queue, "of its own", MQPMO_SYNCPOINT);
    wanted.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
    wanted.ObjectString.VSPtr = "left";
    wanted.ObjectString.VSLength = MQVS_NULL_TERMINATED;
    SUCCEEDS(MQSUB, connection, &wanted, &managed, &subscription);
    SUCCEEDS(MQDISC, &connection);
    HOLDS(connection == MQHC_UNUSABLE_HCONN);
    FAILS(MQRC_HOBJ_ERROR, MQCLOSE, same, &subscription, MQCO_NONE);
    FAILS(MQRC_HOBJ_ERROR, MQCLOSE, same, &managed, MQCO_NONE);
    HOLDS(MQRMIXASwitch.start(&xid, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.end(&xid, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.rollback(&xid, RM, TMNOFLAGS) == XA_OK);
    connection = connected();
    queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    get_text(connection, queue, "of its own", MQGMO_NO_SYNCPOINT);
    /* In a branch it ends nothing: that is the transaction manager's. */
    HOLDS(MQRMIXASwitch.start(&xid, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "in a branch", MQPMO_SYNCPOINT);
    SUCCEEDS(MQDISC, &connection);
    HOLDS(MQRMIXASwitch.end(&xid, RM, TMSUCCESS) == XA_OK && MQRMIXASwitch.commit(&xid, RM, TMONEPHASE) == XA_OK);
    connection = connected();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "in a branch", MQGMO_NO_SYNCPOINT);
    close_resource();
}

static void consume(MQHCONN connection, PMQMD descriptor, PMQGMO options, PMQVOID buffer, PMQCBC context)
{
    (void)connection, (void)descriptor, (void)options, (void)buffer, (void)context;
}

/* What is consumed on a thread of its own would be of whichever branch there is. */
static void starts(void)
{
    MQHCONN connection;
    MQHOBJ queue;
    MQCBD called = {MQCBD_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO options = {MQGMO_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    open_resource();
    connection = connected();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    called.CallbackFunction = (MQPTR)consume;
    SUCCEEDS(MQCB, connection, MQOP_REGISTER, &called, queue, &descriptor, &options);
    FAILS(MQRC_ASYNC_XA_CONFLICT, MQCTL, connection, MQOP_START, &control);
    close_resource();
}

/* The program that runs this stops the queue manager, or starts it, between two lines. */
static void wait_for_manager(void)
{
    char line[8];
    puts("ready");
    fflush(stdout);
    HOLDS(fgets(line, sizeof line, stdin) != NULL);
}

static void fails(void)
{
    MQHCONN connection;
    MQHOBJ queue;
    XID first = branch(1), second = branch(2);
    open_resource();
    connection = connected();
    queue = opened(connection, "A", MQOO_OUTPUT);
    leave_prepared(connection, queue, 1);
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK);
    wait_for_manager();
    /* Told once that it is lost, a manager opens it anew, with or without closing it, and without ending what is lost. */
    HOLDS(MQRMIXASwitch.commit(&first, RM, TMNOFLAGS) == XAER_RMFAIL);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
    open_resource();
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.end(&second, RM, TMSUCCESS) == XA_OK);
    wait_for_manager();
    HOLDS(MQRMIXASwitch.rollback(&second, RM, TMNOFLAGS) == XAER_RMFAIL);
    open_resource();
    HOLDS(MQRMIXASwitch.commit(&first, RM, TMNOFLAGS) == XA_OK);
    connection = connected();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "in it", MQGMO_NO_SYNCPOINT);
    close_resource();
}

static pthread_key_t at_end;
static int ended;

/* Called when the thread has ended, as cleaners of threads are. */
static void clean_up(void *connection)
{
    XID xid = branch(1);
    MQHCONN of_thread = *(MQHCONN *)connection;
    HOLDS(MQRMIXASwitch.commit(&xid, RM, TMONEPHASE) == XA_OK);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
    SUCCEEDS(MQDISC, &of_thread);
    ended++;
}

static void *work(void *connection)
{
    MQHCONN of_branch, *own = connection;
    XID xid = branch(1);
    *own = connected();
    put_text(*own, opened(*own, "A", MQOO_OUTPUT), "of its own", MQPMO_SYNCPOINT);
    HOLDS(pthread_setspecific(at_end, connection) == 0);
    open_resource();
    of_branch = connected();
    HOLDS(of_branch != *own && MQRMIXASwitch.start(&xid, RM, TMNOFLAGS) == XA_OK);
    put_text(of_branch, opened(of_branch, "A", MQOO_OUTPUT), "in a branch", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&xid, RM, TMSUCCESS) == XA_OK);
    return NULL;
}

static void ends(void)
{
    pthread_t thread;
    MQHCONN connection = MQHC_UNUSABLE_HCONN;
    MQHOBJ queue;
    HOLDS(pthread_key_create(&at_end, clean_up) == 0);
    HOLDS(pthread_create(&thread, NULL, work, &connection) == 0 && pthread_join(thread, NULL) == 0);
    HOLDS(ended == 1);
    connection = connected();
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "of its own", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "in a branch", MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQDISC, &connection);
}

int main(int count, char **words)
{
    HOLDS(count == 2);
    if (strcmp(words[1], "scans") == 0)
        scans();
    else if (strcmp(words[1], "leaves") == 0)
        leaves();
    else if (strcmp(words[1], "starts") == 0)
        starts();
    else if (strcmp(words[1], "ends") == 0)
        ends();
    else
        fails();
    return 0;
}
