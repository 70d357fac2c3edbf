/* The switches of a transaction manager are there, and every function of theirs answers that there is no such thing yet. */
#include "expect.h"

/* As the X/Open specification has it; its header comes with a transaction manager. */
struct xa_switch_t {
    char name[32];
    long flags;
    long version;
    int (*open)(char *, int, long);
    int (*close)(char *, int, long);
    int (*start)(void *, int, long);
    int (*end)(void *, int, long);
    int (*rollback)(void *, int, long);
    int (*prepare)(void *, int, long);
    int (*commit)(void *, int, long);
    int (*recover)(void *, long, int, long);
    int (*forget)(void *, int, long);
    int (*complete)(int *, int *, int, long);
};

extern struct xa_switch_t MQRMIXASwitch, MQRMIXASwitchDynamic;

#define XA_OK 0
#define XAER_RMERR (-3)
#define XAER_PROTO (-6)

static void answers(struct xa_switch_t *by, long flags)
{
    HOLDS(strcmp(by->name, "MQSeries_XA_RMI") == 0 && by->flags == flags && by->version == 0);
    HOLDS(by->open("QM1", 1, 0) == XAER_RMERR && by->close("QM1", 1, 0) == XA_OK);
    HOLDS(by->start(NULL, 1, 0) == XAER_PROTO && by->end(NULL, 1, 0) == XAER_PROTO);
    HOLDS(by->rollback(NULL, 1, 0) == XAER_PROTO && by->prepare(NULL, 1, 0) == XAER_PROTO);
    HOLDS(by->commit(NULL, 1, 0) == XAER_PROTO && by->forget(NULL, 1, 0) == XAER_PROTO);
    HOLDS(by->recover(NULL, 0, 1, 0) == XAER_PROTO && by->complete(NULL, NULL, 1, 0) == XAER_PROTO);
}

int main(void)
{
    answers(&MQRMIXASwitch, 0);
    answers(&MQRMIXASwitchDynamic, 1);
    return 0;
}
