/* A transaction manager that is told of work when it begins: it answers with a branch, with none, or refuses. */
#include "expect.h"
#include "xa.h"

#define RM 2

static long answers_with, registered, unregistered;

int ax_reg(int rmid, XID *xid, long flags)
{
    HOLDS(rmid == RM && flags == 0);
    registered++;
    if (answers_with < 0)
        return -1;
    if (answers_with == 0)
        xid->formatID = -1;
    else
        *xid = branch(answers_with);
    return 0;
}

int ax_unreg(int rmid, long flags)
{
    HOLDS(rmid == RM && flags == 0);
    unregistered++;
    return 0;
}

int main(void)
{
    struct xa_switch_t *by = &MQRMIXASwitchDynamic;
    MQHCONN connection;
    MQHOBJ queue;
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    XID first = branch(1);
    HOLDS(by->open("QMNAME=QM1,AXLIB=libnosuch.so", RM, 0) == XAER_RMERR);
    HOLDS(by->open("QM1", RM, 0) == XA_OK);
    connection = connected();
    queue = opened(connection, "B", MQOO_OUTPUT | MQOO_INPUT_SHARED);
    put_text(connection, queue, "outside syncpoint", MQPMO_NO_SYNCPOINT);
    HOLDS(registered == 0);
    get_text(connection, queue, "outside syncpoint", MQGMO_NO_SYNCPOINT);

    /* In a branch: told once, and ended by the transaction manager. */
    answers_with = 1;
    put_text(connection, queue, "one", MQPMO_SYNCPOINT);
    put_text(connection, queue, "two", MQPMO_SYNCPOINT);
    HOLDS(registered == 1);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCMIT, connection);
    HOLDS(by->end(&first, RM, TMSUCCESS) == XA_OK && by->commit(&first, RM, TMONEPHASE) == XA_OK);
    get_text(connection, queue, "one", MQGMO_NO_SYNCPOINT);

    /* In none: the program ends it, and the transaction manager is told. */
    answers_with = 0;
    get_text(connection, queue, "two", MQGMO_SYNCPOINT);
    HOLDS(registered == 2 && unregistered == 0);
    SUCCEEDS(MQCMIT, connection);
    HOLDS(unregistered == 1);

    /* Refused: nothing is put. */
    answers_with = -1;
    how.Options = MQPMO_SYNCPOINT;
    REFUSED(MQRC_UOW_ENLISTMENT_ERROR, MQPUT, connection, queue, &descriptor, &how, 1, "x");
    get_nothing(connection, queue, MQGMO_NO_SYNCPOINT);
    HOLDS(by->close("QM1", RM, 0) == XA_OK);
    return 0;
}
