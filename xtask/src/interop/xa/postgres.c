/*
 * Rows of PostgreSQL behind a switch of our own: PREPARE TRANSACTION makes a branch of the transaction of a session.
 *
 * A branch is of one session until it is prepared, so that it cannot migrate; then any session decides it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <libpq-fe.h>
#include <stdlib.h>
#include "resource.h"

/* What the server says of an identifier that it does not have, and of one that another session is about to decide. */
#define UNDEFINED "42704"
#define IN_USE "55006"

static _Thread_local struct {
    PGconn *session;
    /* The branch that is begun and neither prepared nor over. */
    XID within;
    int is_within, has_failed;
    struct scan scan;
} own[RESOURCES + 1];

static int is_lost(int rmid)
{
    return !own[rmid].session || PQstatus(own[rmid].session) != CONNECTION_OK;
}

/* Runs a command: its number in the specification; what it found where the caller asks for that. */
static int run(int rmid, const char *command, PGresult **found)
{
    PGresult *result;
    const char *state;
    int code = XA_OK;
    if (is_lost(rmid))
        return XAER_RMFAIL;
    result = PQexec(own[rmid].session, command);
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK: break;
    default:
        state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        code = is_lost(rmid) ? XAER_RMFAIL : state && !strcmp(state, UNDEFINED) ? XAER_NOTA
               : state && !strcmp(state, IN_USE) ? XA_RETRY : XAER_RMERR;
    }
    /* A transaction that failed before ends with the word of what happened to it instead. */
    if (code == XA_OK && !strncmp(command, "PREPARE", 7) && strcmp(PQcmdStatus(result), "PREPARE TRANSACTION"))
        code = XA_RBROLLBACK;
    if (code == XA_OK && !strcmp(command, "COMMIT") && strcmp(PQcmdStatus(result), "COMMIT"))
        code = XA_RBROLLBACK;
    if (found && code == XA_OK)
        *found = result;
    else
        PQclear(result);
    return code;
}

static int is_same(const XID *one, const XID *other)
{
    return one->formatID == other->formatID && one->gtrid_length == other->gtrid_length
           && one->bqual_length == other->bqual_length
           && !memcmp(one->data, other->data, (size_t)(one->gtrid_length + one->bqual_length));
}

static int is_own(int rmid, const XID *xid)
{
    return own[rmid].is_within && is_same(&own[rmid].within, xid);
}

/* A command about a branch by its name. */
static int decide(int rmid, const char *command, const XID *xid)
{
    char whole[64 + XID_TEXT], name[XID_TEXT];
    print_xid(xid, name);
    snprintf(whole, sizeof whole, "%s '%s'", command, name);
    return run(rmid, whole, NULL);
}

/* A server that is killed says so to each of its sessions. */
static void say_nothing(void *unused, const char *notice)
{
    (void)unused, (void)notice;
}

static int xa_open(char *text, int rmid, long flags)
{
    (void)flags;
    if (!is_lost(rmid))
        return XA_OK;
    PQfinish(own[rmid].session);
    memset(&own[rmid], 0, sizeof own[rmid]);
    own[rmid].session = PQconnectdb(text);
    PQsetNoticeProcessor(own[rmid].session, say_nothing, NULL);
    return is_lost(rmid) || run(rmid, "SET lock_timeout = '3s'", NULL) ? XAER_RMERR : XA_OK;
}

static int xa_close(char *text, int rmid, long flags)
{
    (void)text, (void)flags;
    PQfinish(own[rmid].session);
    memset(&own[rmid], 0, sizeof own[rmid]);
    return XA_OK;
}

static int xa_start(XID *xid, int rmid, long flags)
{
    int code;
    if (flags != TMNOFLAGS)
        return XAER_INVAL;
    if (own[rmid].is_within)
        return XAER_PROTO;
    code = run(rmid, "BEGIN", NULL);
    if (code == XA_OK)
        own[rmid].within = *xid, own[rmid].is_within = 1, own[rmid].has_failed = 0;
    return code;
}

static int xa_end(XID *xid, int rmid, long flags)
{
    if (!is_own(rmid, xid))
        return is_lost(rmid) ? XAER_RMFAIL : XAER_PROTO;
    if (flags == TMFAIL)
        own[rmid].has_failed = 1;
    return is_lost(rmid) ? XAER_RMFAIL : own[rmid].has_failed ? XA_RBROLLBACK : XA_OK;
}

static int xa_rollback(XID *xid, int rmid, long flags)
{
    (void)flags;
    if (is_own(rmid, xid)) {
        own[rmid].is_within = 0;
        return run(rmid, "ROLLBACK", NULL);
    }
    return decide(rmid, "ROLLBACK PREPARED", xid);
}

static int xa_prepare(XID *xid, int rmid, long flags)
{
    (void)flags;
    if (!is_own(rmid, xid))
        return is_lost(rmid) ? XAER_RMFAIL : XAER_NOTA;
    own[rmid].is_within = 0;
    return decide(rmid, "PREPARE TRANSACTION", xid);
}

static int xa_commit(XID *xid, int rmid, long flags)
{
    if (flags & TMONEPHASE) {
        if (!is_own(rmid, xid))
            return is_lost(rmid) ? XAER_RMFAIL : XAER_NOTA;
        own[rmid].is_within = 0;
        return run(rmid, "COMMIT", NULL);
    }
    return decide(rmid, "COMMIT PREPARED", xid);
}

/* Bytes of hexadecimal digits up to a mark. */
static long parse_part(const char **from, char mark, char *to)
{
    long bytes = 0;
    unsigned value;
    for (; **from && **from != mark; *from += 2) {
        if (sscanf(*from, "%2x", &value) != 1)
            return -1;
        to[bytes++] = (char)value;
    }
    if (**from)
        ++*from;
    return bytes;
}

static int xa_recover(XID *to, long most, int rmid, long flags)
{
    struct scan *scan = &own[rmid].scan;
    PGresult *found = NULL;
    int row, code;
    if (flags & TMSTARTRSCAN) {
        scan->count = scan->next = 0;
        code = run(rmid, "SELECT gid FROM pg_prepared_xacts ORDER BY gid", &found);
        if (code != XA_OK)
            return code;
        for (row = 0; row < PQntuples(found) && scan->count < SCAN_MAX; row++) {
            const char *name = PQgetvalue(found, row, 0);
            XID *xid = &scan->found[scan->count];
            int read = 0;
            if (sscanf(name, "%lx_%n", &xid->formatID, &read) != 1)
                continue;
            name += read;
            xid->gtrid_length = parse_part(&name, '_', xid->data);
            xid->bqual_length = xid->gtrid_length < 0 ? -1 : parse_part(&name, '_', xid->data + xid->gtrid_length);
            if (xid->bqual_length >= 0)
                scan->count++;
        }
        PQclear(found);
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

static struct xa_switch_t by = {"PostgreSQL", TMNOMIGRATE, 0,         xa_open,    xa_close,  xa_start,   xa_end,
                                xa_rollback,  xa_prepare,  xa_commit, xa_recover, xa_forget, xa_complete};

static int tell_rows(int rmid, const char *command, FILE *to, const char *what)
{
    PGresult *found = NULL;
    int row, code = run(rmid, command, &found);
    for (row = 0; code == XA_OK && row < PQntuples(found); row++)
        fprintf(to, "%s %s\n", what, PQgetvalue(found, row, 0));
    PQclear(found);
    return code;
}

static int run_plain(int rmid, const char *command)
{
    return run(rmid, command, NULL);
}

#include "rows.h"
