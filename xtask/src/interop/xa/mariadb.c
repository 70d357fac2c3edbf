/*
 * Rows of MariaDB behind a switch of our own, by its commands XA.
 *
 * A branch is of one session until that has ended, also when it is prepared: another session is told that there is none,
 * although it is listed. The text for xa_open is "SOCKET USER DATABASE".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mysql.h>
#include <stdlib.h>
#include "resource.h"

/* Numbers of errors: of the client, and of the server. */
#define LOST_FIRST 2000
#define LOST_LAST 2999
#define NOT_THERE 1397
#define WRONG_STATE 1399
#define ROLLED_BACK 1402
#define SHUTS_DOWN 1053

static _Thread_local struct {
    MYSQL *session;
    /* The branch that this session has begun, up to its end. */
    XID within;
    int is_within;
    struct scan scan;
} own[RESOURCES + 1];

/* Runs a command: its number in the specification; what it found is to be taken then. */
static int run(int rmid, const char *command)
{
    unsigned error;
    if (!own[rmid].session)
        return XAER_RMFAIL;
    if (!mysql_query(own[rmid].session, command))
        return XA_OK;
    error = mysql_errno(own[rmid].session);
    if (error == SHUTS_DOWN || (error >= LOST_FIRST && error <= LOST_LAST)) {
        mysql_close(own[rmid].session);
        own[rmid].session = NULL;
        return XAER_RMFAIL;
    }
    return error == NOT_THERE ? XAER_NOTA : error == WRONG_STATE ? XAER_PROTO : error == ROLLED_BACK ? XA_RBROLLBACK : XAER_RMERR;
}

static int run_plain(int rmid, const char *command)
{
    return run(rmid, command);
}

/* A command about a branch; its parts are given as hexadecimal digits. */
static int decide(int rmid, const char *command, const XID *xid, const char *behind)
{
    char whole[128 + XID_TEXT], name[XID_TEXT], *global, *qualifier;
    print_xid(xid, name);
    global = strchr(name, '_') + 1;
    qualifier = strchr(global, '_');
    *qualifier++ = 0;
    snprintf(whole, sizeof whole, "%s X'%s',X'%s',%ld%s", command, global, qualifier, xid->formatID, behind);
    return run(rmid, whole);
}

static int is_own(int rmid, const XID *xid)
{
    const XID *within = &own[rmid].within;
    return own[rmid].is_within && within->gtrid_length == xid->gtrid_length && within->bqual_length == xid->bqual_length
           && !memcmp(within->data, xid->data, (size_t)(xid->gtrid_length + xid->bqual_length));
}

static int xa_open(char *text, int rmid, long flags)
{
    char socket[256], user[64], database[64];
    (void)flags;
    if (own[rmid].session)
        return XA_OK;
    memset(&own[rmid], 0, sizeof own[rmid]);
    if (sscanf(text, "%255s %63s %63s", socket, user, database) != 3)
        return XAER_INVAL;
    own[rmid].session = mysql_init(NULL);
    if (!mysql_real_connect(own[rmid].session, NULL, user, NULL, database, 0, socket, 0)) {
        mysql_close(own[rmid].session);
        own[rmid].session = NULL;
        return XAER_RMERR;
    }
    return run(rmid, "SET innodb_lock_wait_timeout = 3");
}

static int xa_close(char *text, int rmid, long flags)
{
    (void)text, (void)flags;
    if (own[rmid].session)
        mysql_close(own[rmid].session);
    memset(&own[rmid], 0, sizeof own[rmid]);
    return XA_OK;
}

static int xa_start(XID *xid, int rmid, long flags)
{
    int code = flags == TMNOFLAGS ? decide(rmid, "XA START", xid, "") : XAER_INVAL;
    if (code == XA_OK)
        own[rmid].within = *xid, own[rmid].is_within = 1;
    return code;
}

static int xa_end(XID *xid, int rmid, long flags)
{
    int code;
    if (!is_own(rmid, xid))
        return own[rmid].session ? XAER_PROTO : XAER_RMFAIL;
    own[rmid].is_within = 0;
    code = decide(rmid, "XA END", xid, "");
    return code == XA_OK && flags == TMFAIL ? XA_RBROLLBACK : code;
}

static int xa_rollback(XID *xid, int rmid, long flags)
{
    (void)flags;
    return decide(rmid, "XA ROLLBACK", xid, "");
}

static int xa_prepare(XID *xid, int rmid, long flags)
{
    (void)flags;
    return decide(rmid, "XA PREPARE", xid, "");
}

static int xa_commit(XID *xid, int rmid, long flags)
{
    return decide(rmid, "XA COMMIT", xid, flags & TMONEPHASE ? " ONE PHASE" : "");
}

static int xa_recover(XID *to, long most, int rmid, long flags)
{
    struct scan *scan = &own[rmid].scan;
    if (flags & TMSTARTRSCAN) {
        MYSQL_RES *found;
        MYSQL_ROW row;
        int code = run(rmid, "XA RECOVER");
        if (code != XA_OK)
            return code;
        found = mysql_store_result(own[rmid].session);
        if (!found)
            return XAER_RMFAIL;
        scan->count = scan->next = 0;
        while ((row = mysql_fetch_row(found)) && scan->count < SCAN_MAX) {
            XID *xid = &scan->found[scan->count++];
            xid->formatID = atol(row[0]);
            xid->gtrid_length = atol(row[1]);
            xid->bqual_length = atol(row[2]);
            memcpy(xid->data, row[3], (size_t)(xid->gtrid_length + xid->bqual_length));
        }
        mysql_free_result(found);
    }
    return hand_out(scan, to, most);
}

static int xa_forget(XID *xid, int rmid, long flags)
{
    (void)xid, (void)rmid, (void)flags;
    return XAER_NOTA;
}

static int xa_complete(int *handle, int *value, int rmid, long flags)
{
    (void)handle, (void)value, (void)rmid, (void)flags;
    return XAER_PROTO;
}

static struct xa_switch_t by = {"MariaDB",   TMNOMIGRATE, 0,         xa_open,    xa_close,  xa_start,   xa_end,
                                xa_rollback, xa_prepare,  xa_commit, xa_recover, xa_forget, xa_complete};

static int tell_rows(int rmid, const char *command, FILE *to, const char *what)
{
    MYSQL_RES *found;
    MYSQL_ROW row;
    int code = run(rmid, command);
    if (code != XA_OK)
        return code;
    found = mysql_store_result(own[rmid].session);
    if (!found)
        return -1;
    while ((row = mysql_fetch_row(found)))
        fprintf(to, "%s %s\n", what, row[0]);
    mysql_free_result(found);
    return 0;
}

#include "rows.h"
