/*
 * The side of the message queue interface, beside programs of JMS: pair put | pair get
 *
 * `put` puts a message of each kind and a request; `get` checks messages of each kind from JMS, answers a
 * request and checks the answer to its own. Says of each test what became of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calls.h"

#define REQUEST_ID "REQUEST OF A PROGRAM 01."

static void put_int(char *at, MQLONG value)
{
    memcpy(at, &value, sizeof value);
}

/* Puts a message behind a rules and formatting header with these folders, each padded to words. */
static void put(MQHCONN connection, const char *queue, MQMD *descriptor, const char *const *folders,
                const char *format, const void *body, size_t bytes)
{
    static char whole[8192];
    MQPMO how = {MQPMO_DEFAULT};
    MQOD object = {MQOD_DEFAULT};
    MQRFH2 header = {MQRFH2_DEFAULT};
    size_t length = MQRFH_STRUC_LENGTH_FIXED_2;
    for (; *folders; folders++) {
        size_t text = strlen(*folders), padded = (text + 3) / 4 * 4;
        put_int(whole + length, (MQLONG)padded);
        memset(whole + length + 4, ' ', padded);
        memcpy(whole + length + 4, *folders, text);
        length += 4 + padded;
    }
    header.StrucLength = (MQLONG)length;
    header.Encoding = MQENC_NATIVE;
    header.CodedCharSetId = 1208;
    memcpy(header.Format, format, sizeof header.Format);
    header.NameValueCCSID = 1208;
    memcpy(whole, &header, MQRFH_STRUC_LENGTH_FIXED_2);
    memcpy(whole + length, body, bytes);
    memcpy(descriptor->Format, MQFMT_RF_HEADER_2, sizeof descriptor->Format);
    strncpy(object.ObjectName, queue, sizeof object.ObjectName);
    how.Options = MQPMO_NO_SYNCPOINT;
    MUST(MQPUT1, connection, &object, descriptor, &how, (MQLONG)(length + bytes), whole);
}

static const char USR[] = "<usr><colour>red</colour><count dt='i4'>-7</count><large dt='i8'>1099511627776</large>"
                          "<small dt='i2'>3</small><real dt='r8'>1.5</real><isNew dt='boolean'>1</isNew></usr>";

static void put_all(MQHCONN connection)
{
    /* As Java writes the text "object". */
    static const char object[] = "\xAC\xED\x00\x05\x74\x00\x06object";
    struct {
        const char *kind, *format, *body;
        size_t bytes;
    } all[] = {
        {"<mcd><Msd>jms_text</Msd></mcd>", MQFMT_STRING, "forty-two \xC3\xA4", 12},
        {"<mcd><Msd>jms_bytes</Msd></mcd>", MQFMT_NONE, "\0\1\2\xFF", 4},
        {"<mcd><Msd>jms_map</Msd></mcd>", MQFMT_STRING,
         "<map><elt name=\"a\">text</elt><elt name=\"b\" dt='i4'>7</elt></map>", 0},
        {"<mcd><Msd>jms_stream</Msd></mcd>", MQFMT_STRING,
         "<stream><elt>text</elt><elt dt='i8'>7</elt><elt dt='boolean'>1</elt></stream>", 0},
        {"<mcd><Msd>jms_object</Msd></mcd>", MQFMT_NONE, object, sizeof object - 1},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const char *folders[] = {all[n].kind, USR, NULL};
        MQMD descriptor = {MQMD_DEFAULT};
        descriptor.Persistence = MQPER_PERSISTENT;
        descriptor.Priority = 6;
        put(connection, "PAIR.TO.JMS", &descriptor, folders, all[n].format, all[n].body,
            all[n].bytes ? all[n].bytes : strlen(all[n].body));
    }
    const char *folders[] = {"<mcd><Msd>jms_text</Msd></mcd>", NULL};
    MQMD request = {MQMD_DEFAULT};
    request.MsgType = MQMT_REQUEST;
    memcpy(request.MsgId, REQUEST_ID, MQ_MSG_ID_LENGTH);
    strncpy(request.ReplyToQ, "PAIR.REPLIES", sizeof request.ReplyToQ);
    put(connection, "PAIR.TO.JMS", &request, folders, MQFMT_STRING, "question of a program", 21);
}

/* Finds a part of the body, header and all. */
static int has(const char *body, MQLONG length, const char *part)
{
    size_t bytes = strlen(part);
    for (MQLONG at = 0; at + (MQLONG)bytes <= length; at++)
        if (memcmp(body + at, part, bytes) == 0)
            return 1;
    return 0;
}

static void tell(const char *test, const char *missing)
{
    if (missing)
        printf("FAILED\tJMS to MQI\t%s\t%s is not there\n", test, missing);
    else
        printf("ok\tJMS to MQI\t%s\n", test);
    fflush(stdout);
}

static MQLONG get(MQHCONN connection, const char *queue, MQMD *descriptor, MQLONG match, char *body, MQLONG room)
{
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG length;
    MQHOBJ handle = opened(connection, queue, MQOO_INPUT_SHARED);
    how.Version = MQGMO_VERSION_2;
    how.MatchOptions = match;
    how.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT | MQGMO_PROPERTIES_FORCE_MQRFH2;
    how.WaitInterval = 60000;
    MUST(MQGET, connection, handle, descriptor, &how, room, body, &length);
    MUST(MQCLOSE, connection, &handle, MQCO_NONE);
    return length;
}

static void get_all(MQHCONN connection)
{
    static char body[65536];
    static const char *const all[][6] = {
        {"text", "<Msd>jms_text</Msd>", "forty-two \xC3\xA4", NULL},
        {"bytes", "<Msd>jms_bytes</Msd>", "raw bytes", NULL},
        {"map", "<Msd>jms_map</Msd>", "<elt name=\"a\">text</elt>", "<elt name=\"b\" dt='i4'>7</elt>", NULL},
        {"stream", "<Msd>jms_stream</Msd>", "<elt>text</elt>", "<elt dt='i8'>7</elt>", NULL},
        {"object", "<Msd>jms_object</Msd>", "\xAC\xED", "object", NULL},
    };
    static const char *const properties[] = {"<colour>red</colour>", "<count dt='i4'>-7</count>",
                                             "<large dt='i8'>1099511627776</large>", "<small dt='i2'>3</small>",
                                             "<real dt='r8'>1.5</real>", "<isNew dt='boolean'>1</isNew>", NULL};
    MQLONG length;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        MQMD descriptor = {MQMD_DEFAULT};
        const char *missing = NULL;
        length = get(connection, "PAIR.TO.MQI", &descriptor, MQMO_NONE, body, sizeof body);
        for (const char *const *part = all[n] + 1; *part; part++)
            if (!has(body, length, *part))
                missing = *part;
        for (const char *const *part = properties; *part; part++)
            if (!has(body, length, *part))
                missing = *part;
        if (descriptor.Persistence != MQPER_PERSISTENT || descriptor.Priority != 6)
            missing = "persistence or priority";
        tell(all[n][0], missing);
    }
    /* Two requests of JMS, with identifiers of both kinds, are answered as the interface answers. */
    for (int n = 0; n < 2; n++) {
        MQMD request = {MQMD_DEFAULT}, answer = {MQMD_DEFAULT};
        MQOD object = {MQOD_DEFAULT};
        MQPMO how = {MQPMO_DEFAULT};
        get(connection, "PAIR.TO.MQI", &request, MQMO_NONE, body, sizeof body);
        memcpy(object.ObjectName, request.ReplyToQ, sizeof object.ObjectName);
        memcpy(answer.CorrelId, request.MsgId, sizeof answer.CorrelId);
        memcpy(answer.Format, MQFMT_STRING, sizeof answer.Format);
        answer.MsgType = MQMT_REPLY;
        how.Options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID;
        MUST(MQPUT1, connection, &object, &answer, &how, 19, "answer of a program");
    }
    MQMD answer = {MQMD_DEFAULT};
    memcpy(answer.CorrelId, REQUEST_ID, sizeof answer.CorrelId);
    length = get(connection, "PAIR.REPLIES", &answer, MQMO_MATCH_CORREL_ID, body, sizeof body);
    tell("answer to a request of a program", has(body, length, "answer of JMS") ? NULL : "the answer");
}

int main(int count, char **arguments)
{
    MQHCONN connection = connected(NULL);
    if (count == 2 && strcmp(arguments[1], "put") == 0)
        put_all(connection);
    else
        get_all(connection);
    MUST(MQDISC, &connection);
    return 0;
}
