/* Lengths that are negative, and lengths of what is nowhere, wherever a call or a structure states one: each is refused with the reason that
   names it, and changes nothing. Those of MQCONNX are in connecting and tokens, those of bags in bags. */
#include "expect.h"

static MQHCONN c;
static MQHOBJ q;
static MQHMSG m;

/* A text that a field holds: of a negative length, and of some length but nowhere. */
#define REFUSES(field, why, call, ...)                                   \
    do {                                                                 \
        MQCHARV good_ = (field);                                         \
        (field).VSPtr = (PMQVOID) "text";                                \
        (field).VSLength = -7;                                           \
        FAILS(why, call, __VA_ARGS__);                                   \
        (field).VSPtr = NULL;                                            \
        (field).VSLength = 4;                                            \
        FAILS(why, call, __VA_ARGS__);                                   \
        (field) = good_;                                                 \
    } while (0)

static void of_messages(void)
{
    MQOD object = {MQOD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQLONG length = 77;
    char buffer[8];

    strcpy(object.ObjectName, "A");
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQPUT, c, q, &d, NULL, -1, "x");
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQPUT, c, q, &d, NULL, (MQLONG)0x80000000, "x");
    FAILS(MQRC_BUFFER_ERROR, MQPUT, c, q, &d, NULL, 1, NULL);
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQPUT1, c, &object, &d, NULL, -1, "x");
    FAILS(MQRC_BUFFER_ERROR, MQPUT1, c, &object, &d, NULL, 1, NULL);
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQGET, c, q, &d, &get, -1, buffer, &length);
    FAILS(MQRC_BUFFER_ERROR, MQGET, c, q, &d, &get, 1, NULL, &length);
    FAILS(MQRC_DATA_LENGTH_ERROR, MQGET, c, q, &d, &get, 8, buffer, NULL);
    HOLDS(length == 77);
    get_nothing(c, q, 0);
}

static void of_attributes(void)
{
    MQLONG selector = MQIA_INHIBIT_GET, value = MQQA_GET_INHIBITED;
    FAILS(MQRC_SELECTOR_COUNT_ERROR, MQSET, c, q, -1, &selector, 1, &value, 0, NULL);
    FAILS(MQRC_SELECTOR_ERROR, MQSET, c, q, 1, NULL, 1, &value, 0, NULL);
    FAILS(MQRC_INT_ATTR_COUNT_ERROR, MQSET, c, q, 1, &selector, -1, &value, 0, NULL);
    FAILS(MQRC_INT_ATTRS_ARRAY_ERROR, MQSET, c, q, 1, &selector, 1, NULL, 0, NULL);
    FAILS(MQRC_CHAR_ATTR_LENGTH_ERROR, MQSET, c, q, 1, &selector, 1, &value, -1, NULL);
    FAILS(MQRC_CHAR_ATTRS_ERROR, MQSET, c, q, 1, &selector, 1, &value, 1, NULL);
    SUCCEEDS(MQINQ, c, q, 1, &selector, 1, &value, 0, NULL);
    HOLDS(value == MQQA_GET_ALLOWED);
}

static void of_objects(void)
{
    MQOD object = {MQOD_DEFAULT};
    MQSD subscription = {MQSD_DEFAULT};
    MQHOBJ handle = MQHO_UNUSABLE_HOBJ, managed = MQHO_NONE;

    object.Version = MQOD_VERSION_4;
    object.ObjectType = MQOT_TOPIC;
    REFUSES(object.ObjectString, MQRC_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectType = MQOT_Q;
    strcpy(object.ObjectName, "A");
    REFUSES(object.SelectionString, MQRC_SELECTION_STRING_ERROR, MQOPEN, c, &object, MQOO_INPUT_SHARED, &handle);

    subscription.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
    subscription.ObjectString.VSPtr = (PMQVOID) "lengths";
    subscription.ObjectString.VSLength = MQVS_NULL_TERMINATED;
    REFUSES(subscription.ObjectString, MQRC_OBJECT_STRING_ERROR, MQSUB, c, &subscription, &managed, &handle);
    REFUSES(subscription.SubName, MQRC_SUB_NAME_ERROR, MQSUB, c, &subscription, &managed, &handle);
    REFUSES(subscription.SubUserData, MQRC_SUB_USER_DATA_ERROR, MQSUB, c, &subscription, &managed, &handle);
    REFUSES(subscription.SelectionString, MQRC_SELECTION_STRING_ERROR, MQSUB, c, &subscription, &managed, &handle);
    HOLDS(handle == MQHO_UNUSABLE_HOBJ && managed == MQHO_NONE);
}

static void of_consumers(void)
{
    MQCBD consumer = {MQCBD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    consumer.CallbackFunction = (MQPTR)of_objects;
    consumer.MaxMsgLength = -2;
    FAILS(MQRC_MAX_MSG_LENGTH_ERROR, MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
}

static void of_properties(void)
{
    MQSMPO set = {MQSMPO_DEFAULT};
    MQIMPO inquire = {MQIMPO_DEFAULT};
    MQDMPO forget = {MQDMPO_DEFAULT};
    MQBMHO from = {MQBMHO_DEFAULT};
    MQMHBO to = {MQMHBO_DEFAULT};
    MQPD description = {MQPD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQCHARV name = {MQCHARV_DEFAULT};
    MQLONG type, length = 77;
    char buffer[64] = "";

    name.VSPtr = (PMQVOID) "a";
    name.VSLength = 1;
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQSETMP, c, m, &set, &name, &description, MQTYPE_STRING, -2, "x");
    FAILS(MQRC_BUFFER_ERROR, MQSETMP, c, m, &set, &name, &description, MQTYPE_STRING, 1, NULL);
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQSETMP, c, m, &set, &name, &description, MQTYPE_INT32, 3, "abc");
    REFUSES(name, MQRC_PROPERTY_NAME_ERROR, MQSETMP, c, m, &set, &name, &description, MQTYPE_STRING, 1, "x");
    SUCCEEDS(MQSETMP, c, m, &set, &name, &description, MQTYPE_STRING, 1, "x");

    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQINQMP, c, m, &inquire, &name, &description, &type, -1, buffer, &length);
    FAILS(MQRC_BUFFER_ERROR, MQINQMP, c, m, &inquire, &name, &description, &type, 8, NULL, &length);
    REFUSES(name, MQRC_PROPERTY_NAME_ERROR, MQINQMP, c, m, &inquire, &name, &description, &type, 8, buffer, &length);
    REFUSES(name, MQRC_PROPERTY_NAME_ERROR, MQDLTMP, c, m, &forget, &name);

    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQBUFMH, c, m, &from, &d, -1, buffer, &length);
    FAILS(MQRC_BUFFER_ERROR, MQBUFMH, c, m, &from, &d, 8, NULL, &length);
    FAILS(MQRC_DATA_LENGTH_ERROR, MQBUFMH, c, m, &from, &d, 8, buffer, NULL);
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQMHBUF, c, m, &to, &name, &d, -1, buffer, &length);
    FAILS(MQRC_BUFFER_ERROR, MQMHBUF, c, m, &to, &name, &d, 8, NULL, &length);
    FAILS(MQRC_DATA_LENGTH_ERROR, MQMHBUF, c, m, &to, &name, &d, 8, buffer, NULL);
    REFUSES(name, MQRC_PROPERTY_NAME_ERROR, MQMHBUF, c, m, &to, &name, &d, 8, buffer, &length);
    HOLDS(length == 77);
    /* What was set is what is there. */
    SUCCEEDS(MQINQMP, c, m, &inquire, &name, &description, &type, 8, buffer, &length);
    HOLDS(length == 1 && buffer[0] == 'x');
}

int main(void)
{
    MQCMHO create = {MQCMHO_DEFAULT};
    c = connected();
    q = opened(c, "A", BOTH);
    SUCCEEDS(MQCRTMH, c, &create, &m);
    of_messages();
    of_attributes();
    of_objects();
    of_consumers();
    of_properties();
    SUCCEEDS(MQDISC, &c);
    return 0;
}
