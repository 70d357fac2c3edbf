/*
 * A resource manager of the tests: the switch that the transaction manager drives, and the work that a transfer does there.
 *
 * Money is in rows or in messages. A transfer takes an amount from one place and gives it to another, and leaves a receipt in
 * both. Every call is of the thread that makes it, which has opened the resource manager by the switch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RESOURCE_H
#define RESOURCE_H

#include <stdio.h>
#include "xa.h"

/* Numbers of resource managers: 1 and 2. */
#define RESOURCES 2

struct resource {
    const char *name;
    struct xa_switch_t *by;
    /* The text for xa_open. */
    char *text;
    /* Takes an amount: the one that is asked for, or another where money comes in pieces. 0: there is none; below: it failed. */
    long (*take)(int rmid, long transfer, long amount);
    /* These succeed with 0. */
    int (*give)(int rmid, long transfer, long amount);
    int (*receipt)(int rmid, long transfer, long amount);
    /* A unit of work of the program's own, in no transaction: it moves money within the place. Null where there is none. */
    int (*alone)(int rmid, long transfer);
    /* Writes "money AMOUNT" for each piece and "receipt TRANSFER AMOUNT" for each receipt. */
    int (*tell)(int rmid, FILE *to);
    /* Objects of this thread are void: it is about to close the resource manager. */
    void (*leave)(int rmid);
};

/* Messages of a queue manager. The first loads the library of the switches and that of the program. */
int load_queues(const char *switches, const char *program, int is_dynamic);
struct resource queues(int rmid, char *text, const char *queue_manager);

/* Rows of a database: PostgreSQL or MariaDB, whichever the program is built with. */
struct resource rows(char *text);

/* The identifier as hexadecimal digits: format, both parts. */
static inline void print_xid(const XID *xid, char *to)
{
    long place, whole = xid->gtrid_length + xid->bqual_length;
    to += sprintf(to, "%lx_", xid->formatID);
    for (place = 0; place < whole; place++) {
        if (place == xid->gtrid_length)
            *to++ = '_';
        to += sprintf(to, "%02x", (unsigned char)xid->data[place]);
    }
    *to = 0;
}

/* Long enough for it. */
#define XID_TEXT (16 + 1 + 128 + 1 + 128 + 1)

/* Identifiers that a scan has found and not handed out. */
#define SCAN_MAX 1024
struct scan {
    XID found[SCAN_MAX];
    long count, next;
};

static inline int hand_out(struct scan *scan, XID *to, long most)
{
    long given = 0;
    while (given < most && scan->next < scan->count)
        to[given++] = scan->found[scan->next++];
    return (int)given;
}

#endif
