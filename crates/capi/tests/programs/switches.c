/* The switches of a transaction manager: what they answer before anything is open, and what they refuse to open. */
#include "expect.h"
#include "xa.h"

static void answers(struct xa_switch_t *by, long flags)
{
    XID xid = branch(1);
    HOLDS(strcmp(by->name, "MQSeries_XA_RMI") == 0 && by->flags == flags && by->version == 0);
    HOLDS(by->close("QM1", 1, 0) == XA_OK);
    HOLDS(by->start(&xid, 1, 0) == XAER_PROTO && by->end(&xid, 1, TMSUCCESS) == XAER_PROTO);
    HOLDS(by->rollback(&xid, 1, 0) == XAER_PROTO && by->prepare(&xid, 1, 0) == XAER_PROTO);
    HOLDS(by->commit(&xid, 1, 0) == XAER_PROTO && by->forget(&xid, 1, 0) == XAER_PROTO);
    HOLDS(by->recover(NULL, 0, 1, TMSTARTRSCAN) == XAER_PROTO && by->complete(NULL, NULL, 1, 0) == XAER_PROTO);
    HOLDS(by->open("QM1", 1, TMASYNC) == XAER_ASYNC && by->start(&xid, 1, TMASYNC) == XAER_ASYNC);
    HOLDS(by->open("QM1", 1, TMJOIN) == XAER_INVAL && by->close("QM1", 1, TMJOIN) == XAER_INVAL);
}

int main(void)
{
    char longest[300], *refused[] = {"", "*ANY", "QMNAME=", "QMNAME=QM1,CHANNEL=C", "QMNAME=QM1,NOSUCH=1", NULL, longest};
    int number;
    answers(&MQRMIXASwitch, 0);
    answers(&MQRMIXASwitchDynamic, 1);
    memset(longest, 'Q', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (number = 0; number < (int)(sizeof refused / sizeof *refused); number++)
        HOLDS(MQRMIXASwitch.open(refused[number], 1, 0) == XAER_INVAL);
    HOLDS(MQRMIXASwitch.open("QMNAME=NONE", 1, 0) == XAER_RMERR);
    /* This program has no ax_reg. */
    HOLDS(MQRMIXASwitchDynamic.open("QM1", 1, 0) == XAER_RMERR);
    return 0;
}
