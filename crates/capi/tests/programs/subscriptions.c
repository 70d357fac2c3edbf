/* Subscribes: with a managed queue and with one of its own, durable and not, and closes what it has. */
#include "expect.h"

static MQHCONN c;

static void named(MQCHARV *field, const char *text)
{
    field->VSPtr = (PMQVOID)text;
    field->VSLength = MQVS_NULL_TERMINATED;
}

static void publish(const char *topic, const char *text)
{
    MQOD object = {MQOD_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    MQPMO options = {MQPMO_DEFAULT};
    object.Version = MQOD_VERSION_4;
    object.ObjectType = MQOT_TOPIC;
    named(&object.ObjectString, topic);
    descriptor.Persistence = MQPER_PERSISTENT;
    options.Options = MQPMO_NO_SYNCPOINT;
    SUCCEEDS(MQPUT1, c, &object, &descriptor, &options, (MQLONG)strlen(text), (PMQVOID)text);
}

static void managed(void)
{
    MQSD subscription = {MQSD_DEFAULT};
    MQSRO request = {MQSRO_DEFAULT};
    MQBYTE24 none = {0};
    MQHOBJ queue = MQHO_NONE, handle = MQHO_NONE;
    char whole[64] = "";

    subscription.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE | MQSO_FAIL_IF_QUIESCING;
    named(&subscription.ObjectString, "price/#");
    subscription.ResObjectString.VSPtr = whole;
    subscription.ResObjectString.VSBufSize = sizeof whole;
    SUCCEEDS(MQSUB, c, &subscription, &queue, &handle);
    HOLDS(queue > 0 && handle > 0 && queue != handle);
    HOLDS(subscription.ResObjectString.VSLength == 7 && memcmp(whole, "price/#", 7) == 0);
    HOLDS(memcmp(subscription.SubCorrelId, none, sizeof none) != 0);
    publish("price/tin", "first");
    publish("weather", "other");
    get_text(c, queue, "first", MQGMO_NO_SYNCPOINT);
    get_nothing(c, queue, MQGMO_NO_SYNCPOINT);
    FAILS(MQRC_NO_RETAINED_MSG, MQSUBRQ, c, handle, MQSR_ACTION_PUBLICATION, &request);
    FAILS(MQRC_HOBJ_ERROR, MQSUBRQ, c, queue, MQSR_ACTION_PUBLICATION, NULL);
    request.Version = 9;
    REFUSED(MQRC_SRO_ERROR, MQSUBRQ, c, handle, MQSR_ACTION_PUBLICATION, &request);
    FAILS(MQRC_OPTION_NOT_VALID_FOR_TYPE, MQCLOSE, c, &handle, MQCO_KEEP_SUB);
    SUCCEEDS(MQCLOSE, c, &handle, MQCO_REMOVE_SUB);
    HOLDS(handle == MQHO_UNUSABLE_HOBJ);
    SUCCEEDS(MQCLOSE, c, &queue, MQCO_NONE);
}

/* What MQSO_RESUME leaves in the structure says how the subscription is, and may be passed to alter it. */
static void resumed_and_altered(MQHOBJ *handle)
{
    MQSD found = {MQSD_DEFAULT};
    MQHOBJ queue = MQHO_NONE;
    char selection[40];
    SUCCEEDS(MQCLOSE, c, handle, MQCO_KEEP_SUB);
    found.Options = MQSO_RESUME | MQSO_FAIL_IF_QUIESCING;
    named(&found.SubName, "mine");
    found.SelectionString.VSPtr = selection;
    found.SelectionString.VSBufSize = sizeof selection;
    SUCCEEDS(MQSUB, c, &found, &queue, handle);
    HOLDS(found.Options == (MQSO_RESUME | MQSO_FAIL_IF_QUIESCING | MQSO_DURABLE | MQSO_MANAGED | MQSO_FIXED_USERID | MQSO_WILDCARD_TOPIC));
    SUCCEEDS(MQCLOSE, c, &queue, MQCO_NONE);
    SUCCEEDS(MQCLOSE, c, handle, MQCO_KEEP_SUB);
    found.Options += MQSO_ALTER - MQSO_RESUME;
    named(&found.SubUserData, "other data");
    queue = MQHO_NONE;
    SUCCEEDS(MQSUB, c, &found, &queue, handle);
    SUCCEEDS(MQCLOSE, c, &queue, MQCO_NONE);
}

static void durable(void)
{
    MQSD subscription = {MQSD_DEFAULT}, again = {MQSD_DEFAULT};
    MQHOBJ queue = MQHO_NONE, handle = MQHO_NONE;
    char data[8] = "", selection[32] = "";

    subscription.Options = MQSO_CREATE | MQSO_DURABLE | MQSO_MANAGED;
    named(&subscription.ObjectString, "news");
    FAILS(MQRC_SUB_NAME_ERROR, MQSUB, c, &subscription, &queue, &handle);
    HOLDS(handle == MQHO_UNUSABLE_HOBJ);
    named(&subscription.SubName, "mine");
    named(&subscription.SubUserData, "user data");
    named(&subscription.SelectionString, "weight IS NULL");
    subscription.PubPriority = 6;
    SUCCEEDS(MQSUB, c, &subscription, &queue, &handle);
    HOLDS(subscription.SubUserData.VSLength == MQVS_NULL_TERMINATED);
    HOLDS(subscription.SelectionString.VSLength == MQVS_NULL_TERMINATED);
    SUCCEEDS(MQCLOSE, c, &handle, MQCO_KEEP_SUB);
    SUCCEEDS(MQCLOSE, c, &queue, MQCO_NONE);
    publish("news", "kept");
    FAILS(MQRC_SUB_ALREADY_EXISTS, MQSUB, c, &subscription, &queue, &handle);
    again.Options = MQSO_RESUME | MQSO_DURABLE | MQSO_MANAGED;
    named(&again.SubName, "mine");
    again.SubUserData.VSPtr = data;
    again.SubUserData.VSBufSize = sizeof data;
    again.SelectionString.VSPtr = selection;
    again.SelectionString.VSBufSize = sizeof selection;
    queue = MQHO_NONE;
    SUCCEEDS(MQSUB, c, &again, &queue, &handle);
    HOLDS(again.SubUserData.VSLength == 9 && memcmp(data, "user dat", 8) == 0);
    HOLDS(again.SelectionString.VSLength == 14 && memcmp(selection, "weight IS NULL", 14) == 0);
    HOLDS(again.PubPriority == 6);
    HOLDS(memcmp(again.SubCorrelId, subscription.SubCorrelId, sizeof again.SubCorrelId) == 0);
    get_text(c, queue, "kept", MQGMO_NO_SYNCPOINT);
    resumed_and_altered(&handle);
    SUCCEEDS(MQCLOSE, c, &handle, MQCO_REMOVE_SUB);
    again.SubUserData.VSLength = again.SelectionString.VSLength = 0;
    FAILS(MQRC_NO_SUBSCRIPTION, MQSUB, c, &again, &queue, &handle);
}

static void of_its_own(void)
{
    MQSD subscription = {MQSD_DEFAULT};
    MQHOBJ queue = opened(c, "A", MQOO_INPUT_SHARED), handle = MQHO_NONE, none = MQHO_NONE;

    subscription.Options = MQSO_CREATE;
    named(&subscription.ObjectString, "own");
    FAILS(MQRC_HOBJ_ERROR, MQSUB, c, &subscription, &none, &handle);
    SUCCEEDS(MQSUB, c, &subscription, &queue, &handle);
    publish("own", "mine");
    get_text(c, queue, "mine", MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQCLOSE, c, &handle, MQCO_NONE);
    publish("own", "nobody's");
    get_nothing(c, queue, MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQCLOSE, c, &queue, MQCO_NONE);
}

/* What names and strings come to together is told of a topic, and of a queue that stands for one. */
static void resolved(void)
{
    struct { MQLONG type; const char *name, *string, *whole; } objects[] = {
        {MQOT_TOPIC, "PRICES", "tin", "price/tin"},
        {MQOT_TOPIC, "PRICES", NULL, "price"},
        {MQOT_TOPIC, "", "weather", "weather"},
        {MQOT_Q, "PRICES.QUEUE", NULL, "price"},
    };
    for (size_t number = 0; number < sizeof objects / sizeof *objects; number++) {
        MQOD object = {MQOD_DEFAULT};
        MQHOBJ handle = MQHO_NONE;
        char whole[64] = "";

        object.Version = MQOD_VERSION_4;
        object.ObjectType = objects[number].type;
        strncpy(object.ObjectName, objects[number].name, sizeof object.ObjectName);
        if (objects[number].string)
            named(&object.ObjectString, objects[number].string);
        object.ResObjectString.VSPtr = whole;
        object.ResObjectString.VSBufSize = sizeof whole;
        for (int once = 0; once <= 1; once++) {
            memset(whole, 0, sizeof whole);
            object.ResolvedType = object.ResObjectString.VSLength = 0;
            if (once) {
                MQMD descriptor = {MQMD_DEFAULT};
                SUCCEEDS(MQPUT1, c, &object, &descriptor, NULL, 1, "x");
            } else {
                SUCCEEDS(MQOPEN, c, &object, MQOO_OUTPUT, &handle);
                SUCCEEDS(MQCLOSE, c, &handle, MQCO_NONE);
            }
            HOLDS(object.ResolvedType == MQOT_TOPIC);
            HOLDS(object.ResObjectString.VSLength == (MQLONG)strlen(objects[number].whole));
            HOLDS(memcmp(whole, objects[number].whole, strlen(objects[number].whole)) == 0);
        }
    }
}

int main(void)
{
    c = connected();
    resolved();
    managed();
    durable();
    of_its_own();
    SUCCEEDS(MQDISC, &c);
    return 0;
}
