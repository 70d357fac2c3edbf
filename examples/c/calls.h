/*
 * What the examples have in common: calls that must go well, and names as the interface has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALLS_H
#define CALLS_H

#include <cmqc.h>
#include <cmqstrc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MQLONG completion, reason;

/* Makes a call; one that fails ends the program, whose unit of work is backed out then. */
#define MUST(call, ...)                                                              \
    do {                                                                             \
        call(__VA_ARGS__, &completion, &reason);                                     \
        if (completion == MQCC_FAILED) {                                             \
            fprintf(stderr, #call ": %d %s\n", (int)reason, MQRC_STR(reason));       \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* A connection that every thread of the program may use; a name of NULL is whichever queue manager there is. */
static inline MQHCONN connected(const char *queue_manager)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQHCONN connection;
    MQCHAR48 name = "";
    if (queue_manager)
        strncpy(name, queue_manager, sizeof name);
    options.Options = MQCNO_HANDLE_SHARE_BLOCK;
    MUST(MQCONNX, name, &options, &connection);
    return connection;
}

/* A queue, opened for what the options say. */
static inline MQHOBJ opened(MQHCONN connection, const char *queue, MQLONG options)
{
    MQOD object = {MQOD_DEFAULT};
    MQHOBJ handle;
    strncpy(object.ObjectName, queue, sizeof object.ObjectName);
    MUST(MQOPEN, connection, &object, options | MQOO_FAIL_IF_QUIESCING, &handle);
    return handle;
}

/* The next message as a text; its length, or -1 when none comes within so many milliseconds. */
static inline MQLONG got(MQHCONN connection, MQHOBJ queue, MQMD *descriptor, MQLONG options, MQLONG wait, char *text,
                         MQLONG room)
{
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG length;
    how.Options = options | MQGMO_WAIT | MQGMO_CONVERT | MQGMO_FAIL_IF_QUIESCING;
    how.WaitInterval = wait;
    MQGET(connection, queue, descriptor, &how, room - 1, text, &length, &completion, &reason);
    if (completion == MQCC_FAILED && reason == MQRC_NO_MSG_AVAILABLE)
        return -1;
    if (completion != MQCC_OK) {
        fprintf(stderr, "MQGET: %d %s\n", (int)reason, MQRC_STR(reason));
        exit(1);
    }
    text[length] = 0;
    return length;
}

#endif
