/*
 * Messages of a queue manager, by the switches of the library: MONEY has messages with an amount, RECEIPTS one for each transfer.
 *
 * The library of the switches and that of the program are loaded apart, neither seen by the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <cmqc.h>
#include "resource.h"

static struct xa_switch_t *of_library;

/* The calls of the program's library. */
static void (*mqconn)(PMQCHAR, PMQHCONN, PMQLONG, PMQLONG);
static void (*mqopen)(MQHCONN, PMQVOID, MQLONG, PMQHOBJ, PMQLONG, PMQLONG);
static void (*mqput)(MQHCONN, MQHOBJ, PMQVOID, PMQVOID, MQLONG, PMQVOID, PMQLONG, PMQLONG);
static void (*mqget)(MQHCONN, MQHOBJ, PMQVOID, PMQVOID, MQLONG, PMQVOID, PMQLONG, PMQLONG, PMQLONG);
static void (*mqcmit)(MQHCONN, PMQLONG, PMQLONG);
static void (*mqdisc)(PMQHCONN, PMQLONG, PMQLONG);

static const char *name_of[RESOURCES + 1];

/* What this thread has open. */
static _Thread_local struct {
    MQHCONN connection;
    MQHOBJ money, receipts;
} own[RESOURCES + 1];

static int find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function ? 0 : -1;
}

int load_queues(const char *switches, const char *program, int is_dynamic)
{
    void *of_manager = dlopen(switches, RTLD_NOW | RTLD_LOCAL), *of_program = dlopen(program, RTLD_NOW | RTLD_LOCAL);
    if (!of_manager || !of_program) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    of_library = dlsym(of_manager, is_dynamic ? "MQRMIXASwitchDynamic" : "MQRMIXASwitch");
    return of_library && !find(of_program, "MQCONN", &mqconn) && !find(of_program, "MQOPEN", &mqopen)
                   && !find(of_program, "MQPUT", &mqput) && !find(of_program, "MQGET", &mqget)
                   && !find(of_program, "MQCMIT", &mqcmit) && !find(of_program, "MQDISC", &mqdisc)
               ? 0
               : -1;
}

static int opened(int rmid, char *queue, MQLONG options, MQHOBJ *handle)
{
    MQOD object = {MQOD_DEFAULT};
    MQLONG completion, reason;
    strncpy(object.ObjectName, queue, sizeof object.ObjectName);
    mqopen(own[rmid].connection, &object, options, handle, &completion, &reason);
    return completion == MQCC_OK ? 0 : -1;
}

/* Connects this thread, whose handle is that of the switch. */
static int connected(int rmid)
{
    MQLONG completion, reason;
    MQCHAR48 name = "";
    if (own[rmid].money)
        return 0;
    strncpy(name, name_of[rmid], sizeof name - 1);
    mqconn(name, &own[rmid].connection, &completion, &reason);
    if (completion != MQCC_OK || reason != MQRC_NONE)
        return -1;
    return opened(rmid, "RECEIPTS", MQOO_OUTPUT | MQOO_BROWSE, &own[rmid].receipts) ? -1
           : opened(rmid, "MONEY", MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE, &own[rmid].money);
}

static int put(int rmid, MQHOBJ queue, const char *text)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    MQLONG completion, reason;
    descriptor.Persistence = MQPER_PERSISTENT;
    how.Options = MQPMO_SYNCPOINT | MQPMO_NEW_MSG_ID;
    mqput(own[rmid].connection, queue, &descriptor, &how, (MQLONG)strlen(text), (PMQVOID)text, &completion, &reason);
    return completion == MQCC_OK ? 0 : -1;
}

/* The next text: 1, 0 where there is none, -1. */
static int get(int rmid, MQHOBJ queue, MQLONG options, char *text, MQLONG room)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG completion, reason, length = 0;
    how.Options = options | MQGMO_NO_WAIT;
    mqget(own[rmid].connection, queue, &descriptor, &how, room - 1, text, &length, &completion, &reason);
    if (completion != MQCC_OK)
        return reason == MQRC_NO_MSG_AVAILABLE ? 0 : -1;
    text[length] = 0;
    return 1;
}

static long take(int rmid, long transfer, long amount)
{
    char text[64];
    (void)transfer, (void)amount;
    if (connected(rmid))
        return -1;
    switch (get(rmid, own[rmid].money, MQGMO_SYNCPOINT, text, sizeof text)) {
    case 1: return atol(text);
    case 0: return 0;
    default: return -1;
    }
}

static int give(int rmid, long transfer, long amount)
{
    char text[64];
    (void)transfer;
    sprintf(text, "%ld", amount);
    return connected(rmid) ? -1 : put(rmid, own[rmid].money, text);
}

static int receipt(int rmid, long transfer, long amount)
{
    char text[64];
    sprintf(text, "%ld %ld", transfer, amount);
    return connected(rmid) ? -1 : put(rmid, own[rmid].receipts, text);
}

static int alone(int rmid, long transfer)
{
    MQLONG completion, reason;
    long amount = take(rmid, transfer, 0);
    if (amount <= 0 || give(rmid, transfer, amount))
        return -1;
    mqcmit(own[rmid].connection, &completion, &reason);
    return completion == MQCC_OK ? 0 : -1;
}

static int tell(int rmid, FILE *to)
{
    char text[64];
    MQLONG from = MQGMO_BROWSE_FIRST;
    int found;
    if (connected(rmid))
        return -1;
    for (; (found = get(rmid, own[rmid].money, from | MQGMO_NO_SYNCPOINT, text, sizeof text)) > 0; from = MQGMO_BROWSE_NEXT)
        fprintf(to, "money %s\n", text);
    if (found < 0)
        return -1;
    from = MQGMO_BROWSE_FIRST;
    for (; (found = get(rmid, own[rmid].receipts, from | MQGMO_NO_SYNCPOINT, text, sizeof text)) > 0; from = MQGMO_BROWSE_NEXT)
        fprintf(to, "receipt %s\n", text);
    return found;
}

/* MQDISC closes the objects; the connection is that of the switch. */
static void leave(int rmid)
{
    MQLONG completion, reason;
    if (own[rmid].connection)
        mqdisc(&own[rmid].connection, &completion, &reason);
    own[rmid].connection = own[rmid].money = own[rmid].receipts = 0;
}

struct resource queues(int rmid, char *text, const char *queue_manager)
{
    struct resource resource = {queue_manager, of_library, text, take, give, receipt, alone, tell, leave};
    name_of[rmid] = queue_manager;
    return resource;
}
