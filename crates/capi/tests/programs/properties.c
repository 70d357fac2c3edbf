/* Message handles and properties. */
#include "expect.h"

static MQCHARV named(const char *name)
{
    MQCHARV text = {MQCHARV_DEFAULT};
    text.VSPtr = (PMQVOID)name;
    text.VSLength = MQVS_NULL_TERMINATED;
    return text;
}

static void set(MQHCONN c, MQHMSG h, const char *name, MQLONG type, MQLONG length, const void *value)
{
    MQSMPO options = {MQSMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV text = named(name);
    SUCCEEDS(MQSETMP, c, h, &options, &text, &descriptor, type, length, (PMQVOID)value);
}

/* Every type goes in and comes out as it was. */
static void every_type(MQHCONN c, MQHMSG h)
{
    MQBOOL truth = 1;
    MQINT8 i8 = -8;
    MQINT16 i16 = -16;
    MQLONG i32 = -32;
    MQINT64 i64 = -64;
    MQFLOAT32 f32 = 1.5f;
    MQFLOAT64 f64 = -2.25;
    struct {
        const char *name;
        MQLONG type, length;
        const void *value;
    } all[] = {
        {"t.bool", MQTYPE_BOOLEAN, 4, &truth}, {"t.i8", MQTYPE_INT8, 1, &i8},    {"t.i16", MQTYPE_INT16, 2, &i16},
        {"t.i32", MQTYPE_INT32, 4, &i32},      {"t.i64", MQTYPE_INT64, 8, &i64}, {"t.f32", MQTYPE_FLOAT32, 4, &f32},
        {"t.f64", MQTYPE_FLOAT64, 8, &f64},    {"t.bytes", MQTYPE_BYTE_STRING, 3, "\0\1\2"},
        {"t.text", MQTYPE_STRING, 4, "text"},  {"t.null", MQTYPE_NULL, 0, NULL},
    };
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        MQIMPO options = {MQIMPO_DEFAULT};
        MQPD descriptor = {MQPD_DEFAULT};
        MQCHARV name = named(all[i].name);
        MQLONG type = MQTYPE_AS_SET, length = -1;
        char value[16], returned[32];
        memset(returned, '?', sizeof returned);
        set(c, h, all[i].name, all[i].type, all[i].length, all[i].value);
        options.ReturnedName.VSPtr = returned;
        options.ReturnedName.VSBufSize = sizeof returned;
        SUCCEEDS(MQINQMP, c, h, &options, &name, &descriptor, &type, (MQLONG)sizeof value, value, &length);
        HOLDS(type == all[i].type && length == all[i].length);
        HOLDS(all[i].length == 0 || memcmp(value, all[i].value, (size_t)length) == 0);
        HOLDS(options.ReturnedName.VSLength == (MQLONG)strlen(all[i].name));
        HOLDS(memcmp(returned, all[i].name, strlen(all[i].name)) == 0 && returned[strlen(all[i].name)] == '?');
        HOLDS(descriptor.Support == MQPD_SUPPORT_OPTIONAL && descriptor.CopyOptions == MQCOPY_DEFAULT);
    }
}

static void by_offset(MQHCONN c, MQHMSG h)
{
    struct {
        MQIMPO options;
        char room[8];
    } with_room = {{MQIMPO_DEFAULT}, "......."};
    struct {
        MQCHARV name;
        char text[8];
    } with_text = {{MQCHARV_DEFAULT}, "t.t%zzz"};
    MQPD descriptor = {MQPD_DEFAULT};
    MQLONG type, length;
    char value[2], whole[4];
    with_text.name.VSOffset = (MQLONG)((char *)with_text.text - (char *)&with_text.name);
    with_text.name.VSLength = 4;
    with_room.options.ReturnedName.VSOffset = (MQLONG)(with_room.room - (char *)&with_room.options);
    with_room.options.ReturnedName.VSBufSize = 6;
    FAILS(MQRC_PROPERTY_VALUE_TOO_BIG, MQINQMP, c, h, &with_room.options, &with_text.name, &descriptor, &type, 2, value, &length);
    HOLDS(length == 4 && memcmp(with_room.room, "t.text.", 7) == 0);
    HOLDS(memcmp(value, "te", 2) == 0 && type == MQTYPE_STRING);
    with_room.options.Options = MQIMPO_INQ_PROP_UNDER_CURSOR;
    SUCCEEDS(MQINQMP, c, h, &with_room.options, &with_text.name, &descriptor, &type, 4, whole, &length);
    HOLDS(length == 4 && memcmp(whole, "text", 4) == 0);
}

/* A name has no reason that refuses an offset beside the pointer, and programs leave the offset as it comes. */
static void by_pointer_beside_an_offset(MQHCONN c, MQHMSG h)
{
    MQSMPO setting = {MQSMPO_DEFAULT};
    MQIMPO inquiring = {MQIMPO_DEFAULT};
    MQDMPO deleting = {MQDMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV name = named("offset");
    MQLONG type, length;
    char value[2];
    name.VSOffset = 0x7FFFFFF1;
    name.VSBufSize = -1;
    SUCCEEDS(MQSETMP, c, h, &setting, &name, &descriptor, MQTYPE_STRING, 2, "by");
    name.VSLength = (MQLONG)strlen("offset");
    SUCCEEDS(MQINQMP, c, h, &inquiring, &name, &descriptor, &type, 2, value, &length);
    HOLDS(length == 2 && memcmp(value, "by", 2) == 0);
    SUCCEEDS(MQDLTMP, c, h, &deleting, &name);
    FAILS(MQRC_PROPERTY_NOT_AVAILABLE, MQINQMP, c, h, &inquiring, &name, &descriptor, &type, 2, value, &length);
}

/* A value that would not fit once it is converted comes as it is, and the cursor stays. */
static void grown_by_conversion(MQHCONN c)
{
    MQIMPO options = {MQIMPO_DEFAULT};
    MQCMHO creating = {MQCMHO_DEFAULT};
    MQDMHO deleting = {MQDMHO_DEFAULT};
    MQSMPO setting = {MQSMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV name = named("grows");
    MQLONG type = 0, length = -1;
    MQHMSG h;
    char value[5] = "?????", whole[6];
    setting.ValueCCSID = 819;
    SUCCEEDS(MQCRTMH, c, &creating, &h);
    SUCCEEDS(MQSETMP, c, h, &setting, &name, &descriptor, MQTYPE_STRING, 5, "first");
    name = named("grown");
    SUCCEEDS(MQSETMP, c, h, &setting, &name, &descriptor, MQTYPE_STRING, 3, "a\xE4\xF6");
    name = named("%");
    options.Options = MQIMPO_INQ_FIRST;
    SUCCEEDS(MQINQMP, c, h, &options, &name, &descriptor, &type, (MQLONG)sizeof value, value, &length);
    options.Options = MQIMPO_INQ_NEXT | MQIMPO_CONVERT_VALUE;
    options.RequestedCCSID = 1200;
    options.ReturnedCCSID = 0;
    memset(value, '?', sizeof value);
    type = 0;
    FAILS(MQRC_PROPERTY_VALUE_TOO_BIG, MQINQMP, c, h, &options, &name, &descriptor, &type, (MQLONG)sizeof value, value, &length);
    HOLDS(length == 6 && type == MQTYPE_STRING && options.ReturnedCCSID == 1208);
    HOLDS(memcmp(value, "a\xC3\xA4\xC3\xB6", 5) == 0);
    SUCCEEDS(MQINQMP, c, h, &options, &name, &descriptor, &type, (MQLONG)sizeof whole, whole, &length);
    HOLDS(length == 6 && options.ReturnedCCSID == 1200);
    SUCCEEDS(MQDLTMH, c, &h, &deleting);
}

static void a_number_as_text(MQHCONN c, MQHMSG h)
{
    MQIMPO options = {MQIMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV name = named("t.i32");
    MQLONG type = MQTYPE_STRING, length;
    char value[8];
    options.Options = MQIMPO_CONVERT_TYPE;
    SUCCEEDS(MQINQMP, c, h, &options, &name, &descriptor, &type, 8, value, &length);
    HOLDS(type == MQTYPE_STRING && length == 3 && memcmp(value, "-32", 3) == 0);
}

/* With a value that is converted comes its name. */
static void a_name_in_another_character_set(MQHCONN c, MQHMSG h)
{
    struct {
        const char *name;
        MQLONG ccsid, name_ccsid;
        const char *returned;
    } all[] = {
        {"n.ab", 37, 37, "\x95\x4B\x81\x82"},
        {"n.\xD0\xB6", 37, 1208, "n.\xD0\xB6"},
        {"n.ab", 1208, 1208, "n.ab"},
    };
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        MQIMPO options = {MQIMPO_DEFAULT};
        MQPD descriptor = {MQPD_DEFAULT};
        MQCHARV name = named(all[i].name);
        MQLONG type = MQTYPE_AS_SET, length, value = 7;
        char returned[8];
        set(c, h, all[i].name, MQTYPE_INT32, 4, &value);
        options.Options = MQIMPO_CONVERT_VALUE;
        options.RequestedCCSID = all[i].ccsid;
        options.ReturnedName.VSPtr = returned;
        options.ReturnedName.VSBufSize = sizeof returned;
        if (all[i].ccsid == all[i].name_ccsid)
            SUCCEEDS(MQINQMP, c, h, &options, &name, &descriptor, &type, 4, &value, &length);
        else
            REMARKED(MQRC_PROP_NAME_NOT_CONVERTED, MQINQMP, c, h, &options, &name, &descriptor, &type, 4, &value, &length);
        HOLDS(value == 7);
        HOLDS(options.ReturnedName.VSCCSID == all[i].name_ccsid);
        HOLDS(options.ReturnedName.VSLength == (MQLONG)strlen(all[i].returned));
        HOLDS(memcmp(returned, all[i].returned, strlen(all[i].returned)) == 0);
    }
}

/* With the message, to another handle; forth and back as a header. */
static void with_a_message(MQHCONN c, MQHMSG h)
{
    MQHOBJ q = opened(c, "A", BOTH);
    MQMD d = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQCMHO create = {MQCMHO_DEFAULT};
    MQDMHO delete = {MQDMHO_DEFAULT};
    MQDMPO remove = {MQDMPO_DEFAULT};
    MQMHBO to_buffer = {MQMHBO_DEFAULT};
    MQBMHO from_buffer = {MQBMHO_DEFAULT};
    MQIMPO options = {MQIMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV name = named("t.i64"), all = named("%");
    MQHMSG other = MQHM_NONE;
    MQLONG type, length;
    MQINT64 value = 0;
    char buffer[4096], header[4096];

    SUCCEEDS(MQCRTMH, c, &create, &other);
    put.Version = MQPMO_VERSION_3;
    put.OriginalMsgHandle = h;
    SUCCEEDS(MQPUT, c, q, &d, &put, 4, "body");
    get.Version = MQGMO_VERSION_4;
    get.Options = MQGMO_PROPERTIES_IN_HANDLE;
    get.MsgHandle = other;
    SUCCEEDS(MQGET, c, q, &d, &get, sizeof buffer, buffer, &length);
    HOLDS(length == 4 && memcmp(buffer, "body", 4) == 0);
    SUCCEEDS(MQINQMP, c, other, &options, &name, &descriptor, &type, 8, &value, &length);
    HOLDS(type == MQTYPE_INT64 && value == -64 && length == 8);
    SUCCEEDS(MQMHBUF, c, other, &to_buffer, &all, &d, sizeof header, header, &length);
    HOLDS(length > 36 && memcmp(header, MQRFH_STRUC_ID, 4) == 0 && memcmp(d.Format, MQFMT_RF_HEADER_2, 8) == 0);
    FAILS(MQRC_PROPERTY_VALUE_TOO_BIG, MQMHBUF, c, other, &to_buffer, &all, &d, 8, header + 100, &type);
    HOLDS(type == length);
    SUCCEEDS(MQDLTMP, c, other, &remove, &name);
    WARNS(MQRC_PROPERTY_NOT_AVAILABLE, MQDLTMP, c, other, &remove, &name);
    FAILS(MQRC_PROPERTY_NOT_AVAILABLE, MQINQMP, c, other, &options, &name, &descriptor, &type, 8, &value, &length);
    SUCCEEDS(MQDLTMH, c, &other, &delete);
    HOLDS(other == MQHM_UNUSABLE_HMSG);
    FAILS(MQRC_HMSG_ERROR, MQDLTMH, c, &other, &delete);
    SUCCEEDS(MQCRTMH, c, &create, &other);
    {
        MQMD rfh2 = {MQMD_DEFAULT};
        MQMHBO again = {MQMHBO_DEFAULT};
        MQCHARV only = named("t.text");
        SUCCEEDS(MQMHBUF, c, h, &again, &only, &rfh2, sizeof header, header, &length);
        SUCCEEDS(MQBUFMH, c, other, &from_buffer, &rfh2, length, header, &length);
        HOLDS(length == 0);
        SUCCEEDS(MQINQMP, c, other, &options, &only, &descriptor, &type, sizeof buffer, buffer, &length);
        HOLDS(type == MQTYPE_STRING && length == 4 && memcmp(buffer, "text", 4) == 0);
    }
    SUCCEEDS(MQDLTMH, c, &other, &delete);
    SUCCEEDS(MQCLOSE, c, &q, MQCO_NONE);
}

/* The descriptor of a handle takes the place of one that is not passed. */
static void without_a_descriptor(MQHCONN c)
{
    MQHOBJ q = opened(c, "A", BOTH);
    MQOD object = {MQOD_DEFAULT};
    MQMD only_output;
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQCMHO create = {MQCMHO_DEFAULT};
    MQDMHO delete = {MQDMHO_DEFAULT};
    MQIMPO options = {MQIMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQCHARV correlation = named("Root.MQMD.CorrelId");
    MQHMSG h = MQHM_NONE;
    MQLONG type, length;
    MQBYTE24 found;
    char buffer[16];

    SUCCEEDS(MQCRTMH, c, &create, &h);
    strcpy(object.ObjectName, "A");
    put.Version = MQPMO_VERSION_3;
    FAILS(MQRC_MD_ERROR, MQPUT, c, q, NULL, &put, 3, "one");
    put.OriginalMsgHandle = h;
    set(c, h, "Root.MQMD.CorrelId", MQTYPE_BYTE_STRING, 24, "correlation of the first");
    SUCCEEDS(MQPUT, c, q, NULL, &put, 3, "one");
    set(c, h, "Root.MQMD.CorrelId", MQTYPE_BYTE_STRING, 24, "correlation of the other");
    SUCCEEDS(MQPUT1, c, &object, NULL, &put, 3, "two");
    memset(&only_output, 0xEE, sizeof only_output);
    memcpy(only_output.StrucId, MQMD_STRUC_ID, 4);
    only_output.Version = MQMD_VERSION_2;
    put.Options = MQPMO_MD_FOR_OUTPUT_ONLY;
    SUCCEEDS(MQPUT, c, q, &only_output, &put, 5, "three");
    HOLDS(memcmp(only_output.CorrelId, "correlation of the other", 24) == 0 && only_output.Expiry == MQEI_UNLIMITED);
    get.Version = MQGMO_VERSION_4;
    FAILS(MQRC_MD_ERROR, MQGET, c, q, NULL, &get, sizeof buffer, buffer, &length);
    get.MsgHandle = h;
    get.Options = MQGMO_PROPERTIES_FORCE_MQRFH2;
    FAILS(MQRC_MD_ERROR, MQGET, c, q, NULL, &get, sizeof buffer, buffer, &length);
    get.Options = MQGMO_PROPERTIES_IN_HANDLE;
    get.MatchOptions = MQMO_MATCH_CORREL_ID;
    SUCCEEDS(MQGET, c, q, NULL, &get, sizeof buffer, buffer, &length);
    HOLDS(length == 3 && memcmp(buffer, "two", 3) == 0);
    SUCCEEDS(MQINQMP, c, h, &options, &correlation, &descriptor, &type, 24, found, &length);
    HOLDS(length == 24 && memcmp(found, "correlation of the other", 24) == 0);
    get.MatchOptions = MQMO_NONE;
    SUCCEEDS(MQGET, c, q, NULL, &get, sizeof buffer, buffer, &length);
    HOLDS(length == 3 && memcmp(buffer, "one", 3) == 0);
    SUCCEEDS(MQINQMP, c, h, &options, &correlation, &descriptor, &type, 24, found, &length);
    HOLDS(memcmp(found, "correlation of the first", 24) == 0);
    SUCCEEDS(MQGET, c, q, NULL, &get, sizeof buffer, buffer, &length);
    HOLDS(length == 5 && memcmp(buffer, "three", 5) == 0);
    SUCCEEDS(MQDLTMH, c, &h, &delete);
    SUCCEEDS(MQCLOSE, c, &q, MQCO_NONE);
}

int main(void)
{
    MQHCONN c = connected();
    MQCMHO create = {MQCMHO_DEFAULT};
    MQSMPO options = {MQSMPO_DEFAULT};
    MQPD descriptor = {MQPD_DEFAULT};
    MQDMHO delete = {MQDMHO_DEFAULT};
    MQCHARV name = named("a.name"), empty = named("");
    MQHMSG h = MQHM_NONE, of_nobody = MQHM_NONE;

    SUCCEEDS(MQCRTMH, c, &create, &h);
    every_type(c, h);
    by_offset(c, h);
    by_pointer_beside_an_offset(c, h);
    grown_by_conversion(c);
    a_number_as_text(c, h);
    a_name_in_another_character_set(c, h);
    with_a_message(c, h);
    without_a_descriptor(c);
    SUCCEEDS(MQSETMP, c, h, &options, &name, &descriptor, MQTYPE_STRING, MQVL_NULL_TERMINATED, (PMQVOID) "ends with a nul");

    FAILS(MQRC_PROPERTY_NAME_ERROR, MQSETMP, c, h, &options, NULL, &descriptor, MQTYPE_NULL, 0, NULL);
    FAILS(MQRC_PROPERTY_NAME_LENGTH_ERR, MQSETMP, c, h, &options, &empty, &descriptor, MQTYPE_NULL, 0, NULL);
    FAILS(MQRC_PROPERTY_TYPE_ERROR, MQSETMP, c, h, &options, &name, &descriptor, 3, 0, NULL);
    FAILS(MQRC_BUFFER_ERROR, MQSETMP, c, h, &options, &name, &descriptor, MQTYPE_INT32, 4, NULL);
    FAILS(MQRC_HMSG_ERROR, MQSETMP, c, 4711, &options, &name, &descriptor, MQTYPE_NULL, 0, NULL);
    create.Version = 2;
    FAILS(MQRC_CMHO_ERROR, MQCRTMH, c, &create, &of_nobody);
    create.Version = 1;
    SUCCEEDS(MQCRTMH, MQHC_UNASSOCIATED_HCONN, &create, &of_nobody);
    set(MQHC_UNASSOCIATED_HCONN, of_nobody, "a.name", MQTYPE_STRING, 1, "x");
    SUCCEEDS(MQDLTMH, MQHC_UNASSOCIATED_HCONN, &of_nobody, &delete);
    SUCCEEDS(MQDISC, &c);
    return 0;
}
