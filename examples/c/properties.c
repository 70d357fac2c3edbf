/*
 * Puts a message with properties, gets it by one of them and prints them all: properties QUEUE [QUEUE_MANAGER]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

static MQCHARV text(const char *characters)
{
    MQCHARV name = {MQCHARV_DEFAULT};
    name.VSPtr = (MQPTR)characters;
    name.VSLength = MQVS_NULL_TERMINATED;
    return name;
}

static void set(MQHCONN connection, MQHMSG handle, const char *name, MQLONG type, MQLONG length, const void *value)
{
    MQSMPO options = {MQSMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV property = text(name);
    MUST(MQSETMP, connection, handle, &options, &property, &descriptor, type, length, (PMQVOID)value);
}

int main(int count, char **arguments)
{
    MQCMHO creating = {MQCMHO_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQOD object = {MQOD_DEFAULT};
    MQIMPO inquiring = {MQIMPO_DEFAULT};
    MQPD described = {MQPD_DEFAULT};
    MQCHARV every = {MQPROP_INQUIRE_ALL};
    MQHCONN connection;
    MQHOBJ queue;
    MQHMSG sent, received;
    MQLONG number = 42, type, length;
    char name[128], value[128], body[128];

    if (count < 2) {
        fprintf(stderr, "properties QUEUE [QUEUE_MANAGER]\n");
        return 2;
    }
    connection = connected(count > 2 ? arguments[2] : NULL);
    MUST(MQCRTMH, connection, &creating, &sent);
    MUST(MQCRTMH, connection, &creating, &received);
    set(connection, sent, "colour", MQTYPE_STRING, MQVL_NULL_TERMINATED, "green");
    set(connection, sent, "number", MQTYPE_INT32, (MQLONG)sizeof number, &number);
    strncpy(object.ObjectName, arguments[1], sizeof object.ObjectName);
    put.Version = MQPMO_VERSION_3;
    put.OriginalMsgHandle = sent;
    put.Options = MQPMO_NO_SYNCPOINT;
    memcpy(descriptor.Format, MQFMT_STRING, sizeof descriptor.Format);
    MUST(MQPUT1, connection, &object, &descriptor, &put, 4, "body");

    /* Only messages that fit are got through this handle. */
    object.Version = MQOD_VERSION_4;
    object.SelectionString = text("colour = 'green' AND number > 40");
    MUST(MQOPEN, connection, &object, MQOO_INPUT_SHARED, &queue);
    get.Version = MQGMO_VERSION_4;
    get.Options = MQGMO_NO_SYNCPOINT | MQGMO_PROPERTIES_IN_HANDLE;
    get.MsgHandle = received;
    memcpy(descriptor.MsgId, MQMI_NONE, sizeof descriptor.MsgId);
    MUST(MQGET, connection, queue, &descriptor, &get, (MQLONG)sizeof body, body, &length);
    printf("%.*s\n", (int)length, body);

    inquiring.Options = MQIMPO_INQ_NEXT | MQIMPO_CONVERT_TYPE;
    inquiring.ReturnedName.VSPtr = name;
    inquiring.ReturnedName.VSBufSize = (MQLONG)sizeof name;
    type = MQTYPE_STRING;
    for (;;) {
        MQINQMP(connection, received, &inquiring, &every, &described, &type, (MQLONG)sizeof value, value, &length,
                &completion, &reason);
        if (completion == MQCC_FAILED)
            break;
        printf("%.*s = %.*s\n", (int)inquiring.ReturnedName.VSLength, name, (int)length, value);
    }
    if (reason != MQRC_PROPERTY_NOT_AVAILABLE) {
        fprintf(stderr, "MQINQMP: %d %s\n", (int)reason, MQRC_STR(reason));
        return 1;
    }
    MUST(MQDISC, &connection);
    return 0;
}
