/* Calls that all fail for one reason. */
#ifndef EVERY_CALL_H
#define EVERY_CALL_H

#include "expect.h"

/* What the calls are given that they might refuse for a reason of their own. */
struct given {
    MQOD object;
    MQSD subscription;
    MQCBD consumer;
};

/* Every call that is made with a connection, but for MQDISC, fails for this reason. Queue and message handle are of that connection,
   or were. */
static inline void every_call_fails(MQLONG reason, MQHCONN connection, MQHOBJ queue, MQHMSG properties, struct given *given)
{
    MQMD d = {MQMD_DEFAULT};
    MQSTS status = {MQSTS_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQCMHO create = {MQCMHO_DEFAULT};
    MQCHARV name = {MQCHARV_DEFAULT};
    MQPD description = {MQPD_DEFAULT};
    MQIMPO inquire = {MQIMPO_DEFAULT};
    MQHOBJ handle = queue;
    MQHMSG message = properties;
    MQLONG length, type, selector = MQIA_MAX_Q_DEPTH, value = 1;
    char buffer[8];

    name.VSPtr = (PMQVOID) "a";
    name.VSLength = 1;
    FAILS(reason, MQOPEN, connection, &given->object, MQOO_OUTPUT, &handle);
    handle = queue;
    FAILS(reason, MQCLOSE, connection, &handle, MQCO_NONE);
    FAILS(reason, MQPUT, connection, queue, &d, NULL, 1, "x");
    FAILS(reason, MQPUT1, connection, &given->object, &d, NULL, 1, "x");
    FAILS(reason, MQGET, connection, queue, &d, NULL, 8, buffer, &length);
    FAILS(reason, MQINQ, connection, queue, 1, &selector, 1, &value, 0, NULL);
    FAILS(reason, MQSET, connection, queue, 1, &selector, 1, &value, 0, NULL);
    FAILS(reason, MQBEGIN, connection, NULL);
    FAILS(reason, MQCMIT, connection);
    FAILS(reason, MQBACK, connection);
    FAILS(reason, MQSTAT, connection, MQSTAT_TYPE_ASYNC_ERROR, &status);
    FAILS(reason, MQSUB, connection, &given->subscription, &handle, &handle);
    FAILS(reason, MQSUBRQ, connection, queue, MQSR_ACTION_PUBLICATION, NULL);
    FAILS(reason, MQCB, connection, MQOP_REGISTER, &given->consumer, queue, &d, NULL);
    FAILS(reason, MQCTL, connection, MQOP_START, &control);
    FAILS(reason, MQCRTMH, connection, &create, &message);
    message = properties;
    FAILS(reason, MQDLTMH, connection, &message, NULL);
    FAILS(reason, MQSETMP, connection, properties, NULL, &name, &description, MQTYPE_STRING, 1, "x");
    FAILS(reason, MQINQMP, connection, properties, &inquire, &name, &description, &type, 8, buffer, &length);
    FAILS(reason, MQDLTMP, connection, properties, NULL, &name);
    FAILS(reason, MQBUFMH, connection, properties, NULL, &d, 8, buffer, &length);
    FAILS(reason, MQMHBUF, connection, properties, NULL, &name, &d, 8, buffer, &length);
}

#endif
