/* Programs with the first version of the descriptor: its fields of groups and segments come and go in a header before the body (MQMDE). */
#include "expect.h"
#include <pthread.h>
#include <unistd.h>

#define ROOM 400
#define HEAD ((MQLONG)sizeof(MQMDE))

static MQHCONN c;
static MQHOBJ q, reports;
static const MQBYTE24 group = "a group of twenty-four b";

/* A descriptor of the first version, with a guard behind it. */
struct first {
    union {
        MQMD whole;
        MQMD1 own;
    } d;
};

static struct first first(void)
{
    MQMD fresh = {MQMD_DEFAULT};
    struct first made;
    memset(&made, 0x5a, sizeof made);
    memcpy(&made.d.own, &fresh, sizeof made.d.own);
    made.d.own.Version = MQMD_VERSION_1;
    return made;
}

static int is_untouched(const struct first *d)
{
    const unsigned char *byte = (const unsigned char *)d + sizeof(MQMD1);
    while (byte < (const unsigned char *)(d + 1))
        if (*byte++ != 0x5a)
            return 0;
    return d->d.own.Version == MQMD_VERSION_1;
}

/* Puts by the second version. */
static void put_2(MQLONG flags, MQLONG number, MQLONG offset, MQLONG report, MQLONG persistence, const char *text)
{
    MQMD d = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    d.Version = MQMD_VERSION_2;
    memcpy(d.Format, MQFMT_STRING, sizeof d.Format);
    if (flags & (MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT))
        memcpy(d.GroupId, group, sizeof d.GroupId);
    d.MsgFlags = flags;
    d.MsgSeqNumber = number;
    d.Offset = offset;
    d.Report = report;
    d.Persistence = persistence;
    strncpy(d.ReplyToQ, "B", sizeof d.ReplyToQ);
    how.Options = MQPMO_NO_SYNCPOINT;
    SUCCEEDS(MQPUT, c, q, &d, &how, (MQLONG)strlen(text), (PMQVOID)text);
}

/* A body that the first version was given: its extension says this, and the text follows. */
static void extends(const MQMD1 *d, const char *body, MQLONG length, MQLONG flags, MQLONG number, MQLONG offset,
                    const char *text)
{
    MQMDE extension;
    HOLDS(memcmp(d->Format, MQFMT_MD_EXTENSION, 8) == 0);
    HOLDS(length == HEAD + (MQLONG)strlen(text));
    memcpy(&extension, body, sizeof extension);
    HOLDS(memcmp(extension.StrucId, MQMDE_STRUC_ID, 4) == 0 && extension.Version == MQMDE_VERSION_2);
    HOLDS(extension.StrucLength == HEAD && extension.Flags == MQMDEF_NONE);
    HOLDS(memcmp(extension.Format, MQFMT_STRING, 8) == 0 && extension.Encoding == MQENC_NATIVE);
    HOLDS(extension.MsgFlags == flags && extension.MsgSeqNumber == number && extension.Offset == offset);
    HOLDS(memcmp(body + HEAD, text, strlen(text)) == 0);
}

/* Gets by the first version. */
static MQLONG get_1(MQHOBJ handle, struct first *d, MQLONG options, MQLONG room, char *buffer)
{
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG length = -1;
    *d = first();
    memset(buffer, '#', ROOM);
    how.Options = options | MQGMO_WAIT;
    how.WaitInterval = 5000;
    MQGET(c, handle, &d->d.whole, &how, room, buffer, &length, &CompCode, &Reason);
    HOLDS(is_untouched(d));
    HOLDS(buffer[room] == '#');
    return length;
}

static void gives(MQHOBJ handle, MQLONG options, MQLONG flags, MQLONG number, MQLONG offset, const char *text)
{
    struct first d;
    char buffer[ROOM];
    MQLONG length = get_1(handle, &d, options, ROOM - 1, buffer);
    HOLDS(CompCode == MQCC_OK);
    extends(&d.d.own, buffer, length, flags, number, offset, text);
}

static void groups_and_flags(void)
{
    MQMD d = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    char buffer[ROOM];
    MQLONG length;
    MQMDE extension;

    put_2(MQMF_MSG_IN_GROUP, 1, 0, 0, MQPER_PERSISTENT, "one");
    put_2(MQMF_LAST_MSG_IN_GROUP, 2, 0, 0, MQPER_NOT_PERSISTENT, "two");
    gives(q, MQGMO_BROWSE_FIRST, MQMF_MSG_IN_GROUP, 1, 0, "one");
    gives(q, MQGMO_BROWSE_NEXT, MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP, 2, 0, "two");
    gives(q, MQGMO_NO_SYNCPOINT, MQMF_MSG_IN_GROUP, 1, 0, "one");
    gives(q, MQGMO_SYNCPOINT, MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP, 2, 0, "two");
    SUCCEEDS(MQBACK, c);
    /* The second version has the fields in the descriptor, and so no extension. */
    d.Version = MQMD_VERSION_2;
    SUCCEEDS(MQGET, c, q, &d, &how, ROOM, buffer, &length);
    HOLDS(length == 3 && memcmp(buffer, "two", 3) == 0 && memcmp(d.GroupId, group, 24) == 0 && d.MsgSeqNumber == 2);
    HOLDS(memcmp(d.Format, MQFMT_STRING, 8) == 0);
    /* Flags alone. */
    put_2(MQMF_SEGMENTATION_ALLOWED, 1, 0, 0, MQPER_NOT_PERSISTENT, "flags");
    gives(q, MQGMO_NO_SYNCPOINT, MQMF_SEGMENTATION_ALLOWED, 1, 0, "flags");
    /* Nothing but usual values: no extension. */
    put_2(MQMF_NONE, 1, 0, 0, MQPER_NOT_PERSISTENT, "plain");
    get_text(c, q, "plain", MQGMO_NO_SYNCPOINT);
    /* What a program of the first version puts in an extension, one of the same gets in it. */
    {
        struct first put = first();
        MQPMO options = {MQPMO_DEFAULT};
        MQMDE given = {MQMDE_DEFAULT};
        memcpy(put.d.own.Format, MQFMT_MD_EXTENSION, 8);
        memcpy(given.Format, MQFMT_STRING, 8);
        given.CodedCharSetId = 1208;
        given.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
        given.MsgSeqNumber = 7;
        memcpy(given.GroupId, group, 24);
        memcpy(buffer, &given, sizeof given);
        memcpy(buffer + sizeof given, "seventh", 7);
        SUCCEEDS(MQPUT, c, q, &put.d.whole, &options, HEAD + 7, buffer);
        HOLDS(is_untouched(&put) && memcmp(put.d.own.Format, MQFMT_MD_EXTENSION, 8) == 0);
        HOLDS(memcmp(buffer, &given, sizeof given) == 0);
        gives(q, MQGMO_BROWSE_FIRST, MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP, 7, 0, "seventh");
        length = get_1(q, &put, MQGMO_NO_SYNCPOINT, ROOM - 1, buffer);
        memcpy(&extension, buffer, sizeof extension);
        HOLDS(memcmp(extension.GroupId, group, 24) == 0 && extension.CodedCharSetId == 1208);
        HOLDS(extension.OriginalLength == MQOL_UNDEFINED && length == HEAD + 7);
        /* One that is none is refused. */
        given.StrucLength = 71;
        memcpy(buffer, &given, sizeof given);
        put = first();
        memcpy(put.d.own.Format, MQFMT_MD_EXTENSION, 8);
        FAILS(MQRC_MDE_ERROR, MQPUT, c, q, &put.d.whole, &options, HEAD + 7, buffer);
        FAILS(MQRC_MDE_ERROR, MQPUT, c, q, &put.d.whole, &options, HEAD - 1, buffer);
    }
    /* No option of a C program asks for it. */
    how.Options = 1 << 29;
    FAILS(MQRC_OPTIONS_ERROR, MQGET, c, q, &d, &how, ROOM, buffer, &length);
}

static void segments(void)
{
    struct first d;
    char buffer[ROOM];
    MQLONG length;
    int i;

    for (i = 0; i < 2; i++) {
        put_2(MQMF_SEGMENT, 1, 0, 0, MQPER_NOT_PERSISTENT, "first ");
        put_2(MQMF_LAST_SEGMENT, 1, 6, 0, MQPER_NOT_PERSISTENT, "second");
    }
    gives(q, MQGMO_NO_SYNCPOINT, MQMF_SEGMENT, 1, 0, "first ");
    gives(q, MQGMO_NO_SYNCPOINT, MQMF_SEGMENT | MQMF_LAST_SEGMENT, 1, 6, "second");
    /* Joined, and longer than the buffer by the extension. */
    length = get_1(q, &d, MQGMO_COMPLETE_MSG, HEAD + 11, buffer);
    HOLDS(Reason == MQRC_TRUNCATED_MSG_FAILED && length == HEAD + 12);
    gives(q, MQGMO_COMPLETE_MSG | MQGMO_NO_SYNCPOINT, MQMF_SEGMENT | MQMF_LAST_SEGMENT, 1, 0, "first second");
    get_nothing(c, q, MQGMO_NO_SYNCPOINT);
}

static void lengths(void)
{
    static const MQLONG persistences[] = {MQPER_PERSISTENT, MQPER_NOT_PERSISTENT};
    struct first d;
    char buffer[ROOM];
    MQLONG length;
    size_t i;

    for (i = 0; i < 2; i++) {
        put_2(MQMF_LAST_MSG_IN_GROUP, 1, 0, 0, persistences[i], "1234ab");
        /* Without the extension it would fit. */
        length = get_1(q, &d, MQGMO_NO_SYNCPOINT, HEAD + 5, buffer);
        HOLDS(Reason == MQRC_TRUNCATED_MSG_FAILED && length == HEAD + 6);
        HOLDS(memcmp(d.d.own.Format, MQFMT_MD_EXTENSION, 8) == 0 && memcmp(buffer + HEAD, "1234a", 5) == 0);
        length = get_1(q, &d, MQGMO_NO_SYNCPOINT, 6, buffer);
        HOLDS(Reason == MQRC_TRUNCATED_MSG_FAILED && length == HEAD + 6 && memcmp(buffer, "MDE ", 4) == 0);
        length = get_1(q, &d, MQGMO_NO_SYNCPOINT, 0, buffer);
        HOLDS(Reason == MQRC_TRUNCATED_MSG_FAILED && length == HEAD + 6);
        length = get_1(q, &d, MQGMO_BROWSE_FIRST | MQGMO_ACCEPT_TRUNCATED_MSG, HEAD, buffer);
        HOLDS(Reason == MQRC_TRUNCATED_MSG_ACCEPTED && length == HEAD + 6);
        length = get_1(q, &d, MQGMO_NO_SYNCPOINT, HEAD + 6, buffer);
        HOLDS(CompCode == MQCC_OK && length == HEAD + 6 && memcmp(buffer + HEAD, "1234ab", 6) == 0);
        put_2(MQMF_LAST_MSG_IN_GROUP, 1, 0, 0, persistences[i], "1234ab");
        length = get_1(q, &d, MQGMO_NO_SYNCPOINT | MQGMO_ACCEPT_TRUNCATED_MSG, HEAD + 2, buffer);
        HOLDS(Reason == MQRC_TRUNCATED_MSG_ACCEPTED && length == HEAD + 6 && memcmp(buffer + HEAD, "12", 2) == 0);
        get_nothing(c, q, MQGMO_NO_SYNCPOINT);
    }
}

static void conversion(void)
{
    MQMD d = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    struct first got;
    char buffer[ROOM];
    MQLONG length;
    MQMDE extension;
    int converts;

    d.Version = MQMD_VERSION_2;
    d.CodedCharSetId = 500;
    d.Encoding = 273;
    d.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
    memcpy(d.GroupId, group, 24);
    for (converts = 1; converts >= 0; converts--) {
        /* "Hi" in EBCDIC: text, then bytes of which only programs know. */
        memcpy(d.Format, converts ? MQFMT_STRING : MQFMT_NONE, 8);
        SUCCEEDS(MQPUT, c, q, &d, &put, 2, "\xc8\x89");
        got = first();
        got.d.own.CodedCharSetId = 1208;
        how.Options = MQGMO_CONVERT;
        how.Version = MQGMO_VERSION_2;
        how.MatchOptions = MQMO_NONE;
        MQGET(c, q, &got.d.whole, &how, ROOM, buffer, &length, &CompCode, &Reason);
        HOLDS(Reason == (converts ? MQRC_NONE : MQRC_FORMAT_ERROR) && length == HEAD + 2);
        memcpy(&extension, buffer, sizeof extension);
        HOLDS(memcmp(got.d.own.Format, MQFMT_MD_EXTENSION, 8) == 0 && memcmp(extension.StrucId, "MDE ", 4) == 0);
        HOLDS(extension.CodedCharSetId == (converts ? 1208 : 500) && extension.Encoding == (converts ? MQENC_NATIVE : 273));
        HOLDS(memcmp(buffer + HEAD, converts ? "Hi" : "\xc8\x89", 2) == 0 && got.d.own.Encoding == MQENC_NATIVE);
    }
    /* The extension is converted with the rest. */
    memcpy(d.Format, MQFMT_STRING, 8);
    d.CodedCharSetId = 1208;
    d.Encoding = MQENC_NATIVE;
    SUCCEEDS(MQPUT, c, q, &d, &put, 2, "Hi");
    got = first();
    got.d.own.CodedCharSetId = 500;
    got.d.own.Encoding = 273;
    SUCCEEDS(MQGET, c, q, &got.d.whole, &how, ROOM, buffer, &length);
    HOLDS(length == HEAD + 2 && memcmp(buffer, "\xd4\xc4\xc5\x40\x00\x00\x00\x02\x00\x00\x00\x48", 12) == 0);
    HOLDS(memcmp(buffer + HEAD, "\xc8\x89", 2) == 0 && got.d.own.CodedCharSetId == 500 && got.d.own.Encoding == 273);
}

static void properties(void)
{
    MQCMHO create = {MQCMHO_DEFAULT};
    MQSMPO set = {MQSMPO_DEFAULT};
    MQPD property = {MQPD_DEFAULT};
    MQCHARV name = {MQCHARV_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQHMSG m;
    struct first got;
    char buffer[ROOM];
    MQMDE extension;
    MQLONG length, i;

    SUCCEEDS(MQCRTMH, c, &create, &m);
    name.VSPtr = "colour";
    name.VSLength = MQVS_NULL_TERMINATED;
    SUCCEEDS(MQSETMP, c, m, &set, &name, &property, MQTYPE_STRING, 3, "red");
    put.Version = MQPMO_VERSION_3;
    put.OriginalMsgHandle = m;
    d.Version = MQMD_VERSION_2;
    d.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
    memcpy(d.GroupId, group, 24);
    memcpy(d.Format, MQFMT_STRING, 8);
    for (i = 0; i < 2; i++) {
        put.Options = MQPMO_NEW_MSG_ID;
        SUCCEEDS(MQPUT, c, q, &d, &put, 4, "body");
        length = get_1(q, &got, i ? MQGMO_NO_PROPERTIES : MQGMO_PROPERTIES_FORCE_MQRFH2, ROOM - 1, buffer);
        HOLDS(CompCode == MQCC_OK && memcmp(got.d.own.Format, MQFMT_MD_EXTENSION, 8) == 0);
        memcpy(&extension, buffer, sizeof extension);
        HOLDS(memcmp(extension.Format, i ? MQFMT_STRING : MQFMT_RF_HEADER_2, 8) == 0);
        HOLDS(memcmp(buffer + HEAD, i ? "body" : "RFH ", 4) == 0 && memcmp(buffer + length - 4, "body", 4) == 0);
    }
}

static void read_ahead(void)
{
    MQHOBJ ahead = opened(c, "A", MQOO_INPUT_SHARED | MQOO_READ_AHEAD);
    int i;
    for (i = 1; i <= 3; i++)
        put_2(MQMF_MSG_IN_GROUP, i, 0, 0, MQPER_NOT_PERSISTENT, "ahead");
    for (i = 1; i <= 3; i++)
        gives(ahead, MQGMO_NO_SYNCPOINT, MQMF_MSG_IN_GROUP, i, 0, "ahead");
    /* Too long for the buffer alone, then not. */
    put_2(MQMF_MSG_IN_GROUP, 4, 0, 0, MQPER_NOT_PERSISTENT, "ahead");
    {
        struct first d;
        char buffer[ROOM];
        HOLDS(get_1(ahead, &d, MQGMO_NO_SYNCPOINT, HEAD + 4, buffer) == HEAD + 5 && Reason == MQRC_TRUNCATED_MSG_FAILED);
    }
    gives(ahead, MQGMO_NO_SYNCPOINT, MQMF_MSG_IN_GROUP, 4, 0, "ahead");
    SUCCEEDS(MQCLOSE, c, &ahead, MQCO_NONE);
}

static void reports_of_segments(void)
{
    MQMDE extension;
    struct first d;
    char buffer[ROOM];
    put_2(MQMF_SEGMENT, 1, 16, MQRO_COA_WITH_FULL_DATA, MQPER_NOT_PERSISTENT, "reported");
    gives(q, MQGMO_NO_SYNCPOINT, MQMF_SEGMENT, 1, 16, "reported");
    HOLDS(get_1(reports, &d, MQGMO_NO_SYNCPOINT, ROOM - 1, buffer) == HEAD + 8 && CompCode == MQCC_OK);
    memcpy(&extension, buffer, sizeof extension);
    HOLDS(d.d.own.MsgType == MQMT_REPORT && d.d.own.Feedback == MQFB_COA);
    HOLDS(extension.Offset == 16 && extension.OriginalLength == 8 && memcmp(extension.GroupId, group, 24) == 0);
}

/* A getter that waits. */
static void *waits(void *buffer)
{
    MQHCONN own = connected();
    MQHOBJ handle = opened(own, "A", MQOO_INPUT_SHARED);
    struct first d = first();
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG length;
    how.Options = MQGMO_WAIT | MQGMO_NO_SYNCPOINT;
    how.WaitInterval = 10000;
    MQGET(own, handle, &d.d.whole, &how, HEAD + 5, buffer, &length, &CompCode, &Reason);
    if (Reason == MQRC_TRUNCATED_MSG_FAILED) {
        HOLDS(length == HEAD + 7);
        SUCCEEDS(MQGET, own, handle, &d.d.whole, &how, ROOM, buffer, &length);
    }
    extends(&d.d.own, buffer, length, MQMF_SEGMENTATION_ALLOWED, 1, 0, length == HEAD + 7 ? "is long" : "short");
    SUCCEEDS(MQDISC, &own);
    return NULL;
}

static void waiting(void)
{
    static const char *texts[] = {"short", "is long"};
    char buffer[ROOM];
    pthread_t thread;
    int i;
    for (i = 0; i < 4; i++) {
        HOLDS(pthread_create(&thread, NULL, waits, buffer) == 0);
        usleep(50000);
        put_2(MQMF_SEGMENTATION_ALLOWED, 1, 0, 0, i < 2 ? MQPER_PERSISTENT : MQPER_NOT_PERSISTENT, texts[i % 2]);
        HOLDS(pthread_join(thread, NULL) == 0);
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static MQMD called_with;
static char body_called_with[ROOM];
static MQLONG length_called_with;

static void MQENTRY consume(MQHCONN connection, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)connection;
    if (context->CallType != MQCBCT_MSG_REMOVED)
        return;
    pthread_mutex_lock(&lock);
    if (((PMQGMO)gmo)->Options & 1 << 29)
        exit(1);
    memcpy(&called_with, md, sizeof called_with);
    memcpy(body_called_with, body, (size_t)context->BufferLength);
    length_called_with = context->DataLength;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void callbacks(void)
{
    MQCBD consumer = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    MQLONG version;
    consumer.CallbackFunction = (MQPTR)consume;
    how.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT;
    how.WaitInterval = MQWI_UNLIMITED;
    for (version = MQMD_VERSION_1; version <= MQMD_VERSION_2; version++) {
        MQMD d = {MQMD_DEFAULT};
        d.Version = version;
        put_2(MQMF_LAST_MSG_IN_GROUP, 1, 0, 0, MQPER_NOT_PERSISTENT, "called");
        length_called_with = 0;
        SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, q, &d, &how);
        SUCCEEDS(MQCTL, c, MQOP_START, &control);
        pthread_mutex_lock(&lock);
        while (length_called_with == 0)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        SUCCEEDS(MQCTL, c, MQOP_STOP, &control);
        SUCCEEDS(MQCB, c, MQOP_DEREGISTER, &consumer, q, NULL, NULL);
        HOLDS(called_with.Version == version);
        if (version == MQMD_VERSION_1)
            extends((MQMD1 *)&called_with, body_called_with, length_called_with, MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP, 1,
                    0, "called");
        else
            HOLDS(length_called_with == 6 && memcmp(called_with.GroupId, group, 24) == 0);
    }
}

int main(void)
{
    c = connected();
    q = opened(c, "A", BOTH);
    reports = opened(c, "B", MQOO_INPUT_SHARED);
    groups_and_flags();
    segments();
    lengths();
    conversion();
    properties();
    read_ahead();
    reports_of_segments();
    waiting();
    callbacks();
    get_nothing(c, q, MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQDISC, &c);
    return 0;
}
