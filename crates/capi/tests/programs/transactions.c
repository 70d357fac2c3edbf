/* A transaction manager at its smallest: `begin` leaves a branch in doubt, and `recover` ends it; `rules` breaks the rules. */
#include "expect.h"
#include "xa.h"

#define RM 1

static char *text;

static MQHCONN open_and_connect(void)
{
    MQHCONN connection = MQHC_UNUSABLE_HCONN, again = MQHC_UNUSABLE_HCONN;
    HOLDS(MQRMIXASwitch.open(text, RM, TMNOFLAGS) == XA_OK);
    connection = connected();
    SUCCEEDS(MQCONN, "", &again);
    HOLDS(again == connection);
    return connection;
}

/* Puts a text in syncpoint that outlives a restart. */
static void put_lasting(MQHCONN connection, MQHOBJ queue, const char *said)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    descriptor.Persistence = MQPER_PERSISTENT;
    how.Options = MQPMO_SYNCPOINT;
    SUCCEEDS(MQPUT, connection, queue, &descriptor, &how, (MQLONG)strlen(said), (PMQVOID)said);
}

static void begin(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    XID first = branch(1), second = branch(2), third = branch(3);
    put_text(connection, queue, "got in it", MQPMO_NO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    get_text(connection, queue, "got in it", MQGMO_SYNCPOINT);
    put_lasting(connection, queue, "put in it");
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&first, RM, TMNOFLAGS) == XA_OK);
    /* A second is rolled back, a third is committed in one phase. */
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "rolled back", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&second, RM, TMFAIL) == XA_RBROLLBACK);
    HOLDS(MQRMIXASwitch.rollback(&second, RM, TMNOFLAGS) == XA_RBROLLBACK);
    HOLDS(MQRMIXASwitch.start(&third, RM, TMNOFLAGS) == XA_OK);
    put_text(connection, queue, "in one phase", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&third, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.commit(&third, RM, TMONEPHASE) == XA_OK);
    get_text(connection, queue, "in one phase", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
}

static void recover(void)
{
    MQHCONN connection = open_and_connect();
    MQHOBJ queue = opened(connection, "A", MQOO_INPUT_SHARED);
    XID found[4], first = branch(1);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.recover(found, 4, RM, TMNOFLAGS) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.recover(found, 4, RM, TMSTARTRSCAN | TMENDRSCAN) == 1);
    HOLDS(found[0].formatID == 77 && memcmp(found[0].data, first.data, sizeof(long) + 1) == 0);
    HOLDS(MQRMIXASwitch.commit(found, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.commit(found, RM, TMNOFLAGS) == XAER_NOTA);
    HOLDS(MQRMIXASwitch.recover(found, 4, RM, TMSTARTRSCAN | TMENDRSCAN) == 0);
    get_text(connection, queue, "put in it", MQGMO_NO_SYNCPOINT);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQDISC, &connection);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK && MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
}

static void rules(void)
{
    MQHCONN connection = open_and_connect(), other = MQHC_UNUSABLE_HCONN;
    MQHOBJ queue = opened(connection, "A", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    MQBO how = {MQBO_DEFAULT};
    XID first = branch(1), second = branch(2), wrong = branch(3);
    FAILS(MQRC_ANOTHER_Q_MGR_CONNECTED, MQCONN, "OTHER", &other);
    put_text(connection, queue, "of its own", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XAER_OUTSIDE);
    SUCCEEDS(MQBACK, connection);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMJOIN) == XAER_NOTA && MQRMIXASwitch.start(NULL, RM, TMNOFLAGS) == XAER_INVAL);
    wrong.gtrid_length = 65;
    HOLDS(MQRMIXASwitch.start(&wrong, RM, TMNOFLAGS) == XAER_INVAL);
    wrong.gtrid_length = -1;
    HOLDS(MQRMIXASwitch.start(&wrong, RM, TMNOFLAGS) == XAER_INVAL);
    wrong = branch(3);
    wrong.formatID = -1;
    HOLDS(MQRMIXASwitch.start(&wrong, RM, TMNOFLAGS) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMJOIN | TMRESUME) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XAER_PROTO);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCMIT, connection);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQBACK, connection);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQBEGIN, connection, &how);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XAER_PROTO);
    put_text(connection, queue, "suspended", MQPMO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS | TMFAIL) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUSPEND) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&first, RM, TMNOFLAGS) == XAER_PROTO);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMRESUME) == XA_OK);
    HOLDS(MQRMIXASwitch.end(&first, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.start(&first, RM, TMNOFLAGS) == XAER_DUPID);
    HOLDS(MQRMIXASwitch.rollback(&first, RM, TMNOFLAGS) == XA_OK);
    HOLDS(MQRMIXASwitch.start(&second, RM, TMNOFLAGS) == XA_OK && MQRMIXASwitch.end(&second, RM, TMSUCCESS) == XA_OK);
    HOLDS(MQRMIXASwitch.prepare(&second, RM, TMNOFLAGS) == XA_RDONLY);
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    HOLDS(MQRMIXASwitch.close(text, RM, TMNOFLAGS) == XA_OK);
}

int main(int count, char **words)
{
    HOLDS(count == 3);
    text = words[2];
    if (strcmp(words[1], "begin") == 0)
        begin();
    else if (strcmp(words[1], "recover") == 0)
        recover();
    else
        rules();
    return 0;
}
