/* The interface of a resource manager, as the X/Open specification has it; its header comes with a transaction manager. */
#ifndef XA_H
#define XA_H

#include <string.h>

typedef struct {
    long formatID;
    long gtrid_length;
    long bqual_length;
    char data[128];
} XID;

struct xa_switch_t {
    char name[32];
    long flags;
    long version;
    int (*open)(char *, int, long);
    int (*close)(char *, int, long);
    int (*start)(XID *, int, long);
    int (*end)(XID *, int, long);
    int (*rollback)(XID *, int, long);
    int (*prepare)(XID *, int, long);
    int (*commit)(XID *, int, long);
    int (*recover)(XID *, long, int, long);
    int (*forget)(XID *, int, long);
    int (*complete)(int *, int *, int, long);
};

extern struct xa_switch_t MQRMIXASwitch, MQRMIXASwitchDynamic;

#define XA_OK 0
#define XA_RDONLY 3
#define XA_RETRY 4
#define XA_HEURMIX 5
#define XA_HEURRB 6
#define XA_HEURCOM 7
#define XA_HEURHAZ 8
#define XA_RBROLLBACK 100
#define XA_RBCOMMFAIL 101
#define XA_RBDEADLOCK 102
#define XA_RBOTHER 104
#define XA_RBTIMEOUT 106
#define XA_RBTRANSIENT 107
#define XAER_ASYNC (-2)
#define XAER_RMERR (-3)
#define XAER_NOTA (-4)
#define XAER_INVAL (-5)
#define XAER_PROTO (-6)
#define XAER_RMFAIL (-7)
#define XAER_DUPID (-8)
#define XAER_OUTSIDE (-9)

#define TM_OK 0
#define TM_RESUME 1
#define TM_JOIN 2

#define TMNOFLAGS 0L
#define TMREGISTER 0x00000001L
#define TMNOMIGRATE 0x00000002L
#define TMMIGRATE 0x00100000L
#define TMJOIN 0x00200000L
#define TMENDRSCAN 0x00800000L
#define TMSTARTRSCAN 0x01000000L
#define TMSUSPEND 0x02000000L
#define TMSUCCESS 0x04000000L
#define TMRESUME 0x08000000L
#define TMNOWAIT 0x10000000L
#define TMFAIL 0x20000000L
#define TMONEPHASE 0x40000000L
#define TMASYNC 0x80000000L

/* A branch of the transaction of this number. */
static inline XID branch(long transaction)
{
    XID xid = {77, sizeof transaction, 1, {0}};
    memcpy(xid.data, &transaction, sizeof transaction);
    xid.data[sizeof transaction] = 'b';
    return xid;
}

#endif
