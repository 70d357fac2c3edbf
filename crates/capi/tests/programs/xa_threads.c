/* Threads of a program, its children and its consumers, each with what it opened: `xa_threads CASE TEXT`. */
#include "expect.h"
#include "xa.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define RM 3

static char *text;

static MQHCONN open_and_connect(void)
{
    MQHCONN connection = MQHC_UNUSABLE_HCONN;
    HOLDS(MQRMIXASwitch.open(text, RM, TMNOFLAGS) == XA_OK);
    SUCCEEDS(MQCONN, "QM1", &connection);
    return connection;
}

static void close_it(void)
{
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
}

static void *in_a_thread(void *(*act)(void *), void *given)
{
    pthread_t thread;
    void *answer = NULL;
    HOLDS(pthread_create(&thread, NULL, act, given) == 0 && pthread_join(thread, &answer) == 0);
    return answer;
}

/* ---- Threads ---- */

/* A thread that opened nothing has none, and its connection is its own. */
static void *has_none(void *given)
{
    MQHCONN of_other = *(MQHCONN *)given, own = MQHC_UNUSABLE_HCONN;
    XID first = branch(1), found[2];
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMJOIN) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.recover(found, 2, RM, TMSTARTRSCAN) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
    FAILS(MQRC_HCONN_ERROR, MQCMIT, of_other);
    SUCCEEDS(MQCONN, "QM1", &own);
    HOLDS(own != of_other);
    put_text(own, opened(own, "A", MQOO_OUTPUT), "outside", MQPMO_SYNCPOINT);
    SUCCEEDS(MQCMIT, own);
    SUCCEEDS(MQDISC, &own);
    return NULL;
}

/* Works in the branch beside the thread that began it. */
static void *joins(void *given)
{
    MQHCONN connection = open_and_connect();
    XID first = branch(1);
    (void)given;
    HOLDS(MQRMIXASwitch.start(&first, RM, TMJOIN) == XA_OK);
    put_text(connection, opened(connection, "A", MQOO_OUTPUT), "by the second", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    close_it();
    return NULL;
}

/* Goes on in what another thread suspended for any, and prepares it. */
static void *resumes(void *given)
{
    MQHCONN connection = open_and_connect();
    XID first = branch(1), second = branch(2);
    (void)given;
    HOLDS(MQRMIXASwitch.start(&second, RM, TMRESUME) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMRESUME) == XA_OK);
    put_text(connection, opened(connection, "A", MQOO_OUTPUT), "by the third", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&first, RM, TMNOFLAGS) == XA_OK);
    close_it();
    return NULL;
}

static void *commits(void *given)
{
    XID first = branch(1);
    (void)given;
    open_and_connect();
    HOLDS(MQRMIXASwitch.commit(&first, RM, TMNOFLAGS) == XA_OK);
    close_it();
    return NULL;
}

static void threads(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID first = branch(1), second = branch(2);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "by the first", MQPMO_SYNCPOINT);
    in_a_thread(has_none, &connection);
    in_a_thread(joins, NULL);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUSPEND | TMMIGRATE) == XA_OK);
    /* Suspended for this thread alone. */
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.end(&second, RM, TMSUSPEND) == XA_OK);
    in_a_thread(resumes, NULL);
    in_a_thread(commits, NULL);
    HOLDS(MQRMIXASwitch.end(&second, RM, TMSUCCESS) == XA_OK && MQRMIXASwitch.rollback(&second, RM, TMNOFLAGS) == XA_OK);
    get_text(connection, queue, "by the first", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "outside", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "by the second", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "by the third", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    close_it();
}

/* ---- Children ---- */

static void children(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID first = branch(1), second = branch(2);
    int status = -1;
    pid_t child;
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "by the parent", MQPMO_SYNCPOINT);
    child = fork();
    if (child == 0) {
        HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XAER_PROTO);
        HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
        FAILS(MQRC_HCONN_ERROR, MQCMIT, connection);
        /* It opens for itself, and does not disturb its parent. */
        connection = open_and_connect();
        queue = opened(connection, "A", MQOO_OUTPUT);
        HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK);
        put_text(connection, queue, "by the child", MQPMO_SYNCPOINT);
        HOLDS(MQRMIXASwitch.end(&second, RM, TMSUCCESS) == XA_OK);
        HOLDS(MQRMIXASwitch.prepare(&second, RM, TMNOFLAGS) == XA_OK);
        exit(0);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    put_text(connection, queue, "by the parent too", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.commit(&first, RM, TMONEPHASE) == XA_OK);
    HOLDS(MQRMIXASwitch.commit(&second, RM, TMNOFLAGS) == XA_OK);
    get_text(connection, queue, "by the parent", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "by the child", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "by the parent too", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    close_it();
}

/* ---- Consumers ---- */

static int consumed;
static MQHOBJ replies;

static void MQENTRY consume(MQHCONN connection, PMQVOID descriptor, PMQVOID how, PMQVOID body, MQCBC *context)
{
    XID first = branch(1), second = branch(2);
    MQCTLO options = {MQCTLO_DEFAULT};
    (void)descriptor, (void)how, (void)body;
    if (context->CallType != MQCBCT_MSG_REMOVED)
        return;
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMJOIN) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUSPEND) == XAER_PROTO);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCMIT, connection);
    put_text(connection, replies, "reply", MQPMO_SYNCPOINT);
    if (++consumed == 2)
        SUCCEEDS(MQCTL, connection, MQOP_STOP, &options);
}

static void consumers(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED), got;
    MQCBD description = {MQCBD_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    MQCTLO options = {MQCTLO_DEFAULT};
    XID first = branch(1);
    int number;
    got = replies = opened(connection, "B", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    for (number = 0; number < 3; number++)
        put_text(connection, queue, "message", MQPMO_NO_SYNCPOINT);
    description.CallbackFunction = (MQPTR)consume;
    how.Options = MQGMO_SYNCPOINT;
    SUCCEEDS(MQCB, connection, MQOP_REGISTER, &description, queue, &descriptor, &how);
    REFUSED(MQRC_ASYNC_XA_CONFLICT, MQCTL, connection, MQOP_START, &options);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    FAILS(MQRC_ASYNC_XA_CONFLICT, MQCTL, connection, MQOP_START, &options);
    SUCCEEDS(MQCTL, connection, MQOP_START_WAIT, &options);
    HOLDS(consumed == 2);
    SUCCEEDS(MQCB, connection, MQOP_DEREGISTER, &description, queue, &descriptor, &how);
    /* What waited is cancelled: the third message is of no branch. */
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    get_nothing(connection, got, MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "message", MQGMO_NO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.rollback(&first, RM, TMNOFLAGS) == XA_OK);
    get_text(connection, queue, "message", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "message", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    get_nothing(connection, got, MQGMO_NO_SYNCPOINT);
    close_it();
}

/* ---- The end of a connection in a branch ---- */

static void leaves(void)
{
    MQHCONN connection = open_and_connect(), before = connection;
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT);
    MQBO begin = {MQBO_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    XID first = branch(1);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "before", MQPMO_SYNCPOINT);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQBEGIN, connection, &begin);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCMIT, connection);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQBACK, connection);
    SUCCEEDS(MQDISC, &connection);
    HOLDS(connection == MQHC_UNUSABLE_HCONN);
    /* The handle comes again, its objects do not. */
    SUCCEEDS(MQCONN, "", &connection);
    HOLDS(connection == before);
    FAILS(MQRC_HOBJ_ERROR, MQPUT, connection, queue, &descriptor, &how, 1, "x");
    queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    put_text(connection, queue, "behind", MQPMO_SYNCPOINT);
    SUCCEEDS(MQDISC, &connection);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&first, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.commit(&first, RM, TMNOFLAGS) == XA_OK);
    SUCCEEDS(MQCONN, "QM1", &connection);
    queue = opened(connection, "A", MQOO_INPUT_SHARED);
    get_text(connection, queue, "before", MQGMO_NO_SYNCPOINT);
    get_text(connection, queue, "behind", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    close_it();
}

int main(int count, char **words)
{
    HOLDS(count == 3);
    text = words[2];
    if (strcmp(words[1], "threads") == 0)
        threads();
    else if (strcmp(words[1], "children") == 0)
        children();
    else if (strcmp(words[1], "consumers") == 0)
        consumers();
    else
        leaves();
    return 0;
}
