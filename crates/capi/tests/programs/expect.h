/* What every program of the tests begins with: calls and what they are to answer. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmqc.h>
#include <cmqxc.h>

/* Each thread has its own. */
static _Thread_local MQLONG CompCode, Reason;

/* Ends the program when something does not hold. */
#define HOLDS(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: does not hold: %s (%d %d)\n", __FILE__,       \
                    __LINE__, #condition, (int)CompCode, (int)Reason);            \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

/* Makes a call, whose last two parameters are given here, and says how it is to end. */
#define ENDS(completion, reason, call, ...)                                       \
    do {                                                                          \
        CompCode = Reason = -99;                                                  \
        call(__VA_ARGS__, &CompCode, &Reason);                                    \
        if (CompCode != (completion) || Reason != (reason)) {                     \
            fprintf(stderr, "%s:%d: %s answered %d %d instead of %d %d\n",        \
                    __FILE__, __LINE__, #call, (int)CompCode, (int)Reason,        \
                    (int)(completion), (int)(reason));                            \
            exit(1);                                                              \
        }                                                                         \
    } while (0)
#define SUCCEEDS(call, ...) ENDS(MQCC_OK, MQRC_NONE, call, __VA_ARGS__)
#define WARNS(reason, call, ...) ENDS(MQCC_WARNING, reason, call, __VA_ARGS__)
#define FAILS(reason, call, ...) ENDS(MQCC_FAILED, reason, call, __VA_ARGS__)

/* A call that fails, and is told of on standard output. */
#define REFUSED(reason, call, ...)                                                \
    do {                                                                          \
        FAILS(reason, call, __VA_ARGS__);                                         \
        printf("%s\n", #reason);                                                  \
    } while (0)

/* The same of a call that warns. */
#define REMARKED(reason, call, ...)                                               \
    do {                                                                          \
        WARNS(reason, call, __VA_ARGS__);                                         \
        printf("%s\n", #reason);                                                  \
    } while (0)

/* A connection with MQCONN, to the queue manager that the environment leads to. */
static inline MQHCONN connected(void)
{
    MQHCONN connection = MQHC_UNUSABLE_HCONN;
    MQCHAR48 name = "QM1";
    SUCCEEDS(MQCONN, name, &connection);
    HOLDS(connection > 0);
    return connection;
}

/* A queue by its name. */
static inline MQHOBJ opened(MQHCONN connection, const char *name, MQLONG options)
{
    MQOD object = {MQOD_DEFAULT};
    MQHOBJ handle = MQHO_UNUSABLE_HOBJ;
    strncpy(object.ObjectName, name, sizeof object.ObjectName);
    SUCCEEDS(MQOPEN, connection, &object, options, &handle);
    HOLDS(handle > 0);
    return handle;
}

/* Puts a text outside a unit of work, or as the options say. */
static inline void put_text(MQHCONN connection, MQHOBJ handle, const char *text, MQLONG options)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    memcpy(descriptor.Format, MQFMT_STRING, sizeof descriptor.Format);
    how.Options = options;
    SUCCEEDS(MQPUT, connection, handle, &descriptor, &how, (MQLONG)strlen(text), (PMQVOID)text);
}

/* The next message is this text. */
static inline void get_text(MQHCONN connection, MQHOBJ handle, const char *text, MQLONG options)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    char buffer[256];
    MQLONG length = -1;
    how.Options = options | MQGMO_WAIT;
    how.WaitInterval = 5000;
    SUCCEEDS(MQGET, connection, handle, &descriptor, &how, (MQLONG)sizeof buffer, buffer, &length);
    HOLDS(length == (MQLONG)strlen(text) && memcmp(buffer, text, strlen(text)) == 0);
}

/* There is no message. */
static inline void get_nothing(MQHCONN connection, MQHOBJ handle, MQLONG options)
{
    MQMD descriptor = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    char buffer[16];
    MQLONG length = -1;
    how.Options = options;
    FAILS(MQRC_NO_MSG_AVAILABLE, MQGET, connection, handle, &descriptor, &how, (MQLONG)sizeof buffer, buffer, &length);
}

#define BOTH (MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_BROWSE | MQOO_INQUIRE | MQOO_SET | MQOO_FAIL_IF_QUIESCING)

#endif
