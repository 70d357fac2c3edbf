/* Putting, getting, browsing, units of work, attributes: the calls as ordinary programs make them. */
#include "expect.h"

static void there_and_back(MQHCONN c, MQHOBJ q)
{
    MQMD put = {MQMD_DEFAULT}, got = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    char buffer[100];
    MQLONG length = 0;

    memcpy(put.Format, MQFMT_STRING, 8);
    strncpy(put.ReplyToQ, "B", 48);
    put.Persistence = MQPER_PERSISTENT;
    put.Version = MQMD_VERSION_2;
    how.Version = MQPMO_VERSION_3;
    how.Options = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | MQPMO_NO_SYNCPOINT;
    SUCCEEDS(MQPUT, c, q, &put, &how, 5, "hello");
    HOLDS(memcmp(put.MsgId, MQMI_NONE, 24) != 0 && memcmp(put.CorrelId, MQCI_NONE, 24) != 0);
    /* Names are returned at full width, with blanks behind them. */
    HOLDS(memcmp(how.ResolvedQName, "A                                               ", 48) == 0);
    HOLDS(memcmp(how.ResolvedQMgrName, "QM1                                             ", 48) == 0);
    HOLDS(memcmp(put.ReplyToQMgr, "QM1                                             ", 48) == 0);
    /* What the program wrote in other words stays as it was. */
    HOLDS(strcmp(put.ReplyToQ, "B") == 0);

    /* Too long for the buffer: it stays, and what it is, its length and its beginning are told. */
    get.Version = MQGMO_VERSION_4;
    memset(buffer, 'x', sizeof buffer);
    WARNS(MQRC_TRUNCATED_MSG_FAILED, MQGET, c, q, &got, &get, 3, buffer, &length);
    HOLDS(length == 5 && memcmp(buffer, "helx", 4) == 0 && get.ReturnedLength == 3);
    HOLDS(memcmp(got.MsgId, put.MsgId, 24) == 0 && memcmp(got.ReplyToQ, "B ", 2) == 0);
    WARNS(MQRC_TRUNCATED_MSG_FAILED, MQGET, c, q, &got, &get, 0, NULL, &length);
    HOLDS(length == 5);

    got.Version = MQMD_VERSION_2;
    SUCCEEDS(MQGET, c, q, &got, &get, sizeof buffer, buffer, &length);
    HOLDS(length == 5 && memcmp(buffer, "hellox", 6) == 0);
    HOLDS(get.ReturnedLength == 5 && memcmp(get.ResolvedQName, "A    ", 5) == 0);
    HOLDS(get.GroupStatus == MQGS_NOT_IN_GROUP && get.Segmentation == MQSEG_INHIBITED);
    HOLDS(memcmp(got.MsgId, put.MsgId, 24) == 0 && memcmp(got.CorrelId, put.CorrelId, 24) == 0);
    HOLDS(memcmp(got.ReplyToQ, "B                                               ", 48) == 0);
    HOLDS(got.Persistence == MQPER_PERSISTENT && got.MsgType == MQMT_DATAGRAM && got.Version == 2);
    HOLDS(memcmp(got.PutDate, "20", 2) == 0 && memcmp(got.Format, MQFMT_STRING, 8) == 0);

    /* By its correlation identifier alone; the rest of what a truncated message had is gone. */
    SUCCEEDS(MQPUT, c, q, &put, &how, 5, "first");
    SUCCEEDS(MQPUT, c, q, &put, &how, 6, "second");
    get.MatchOptions = MQMO_MATCH_CORREL_ID;
    memcpy(got.CorrelId, put.CorrelId, 24);
    get.Options = MQGMO_ACCEPT_TRUNCATED_MSG;
    WARNS(MQRC_TRUNCATED_MSG_ACCEPTED, MQGET, c, q, &got, &get, 3, buffer, &length);
    HOLDS(length == 6 && get.ReturnedLength == 3 && memcmp(buffer, "sec", 3) == 0);
    get_text(c, q, "first", 0);
    get_nothing(c, q, 0);
}

static void units(MQHCONN c, MQHOBJ q)
{
    MQBO begin = {MQBO_DEFAULT};
    WARNS(MQRC_NO_EXTERNAL_PARTICIPANTS, MQBEGIN, c, &begin);
    put_text(c, q, "one", MQPMO_SYNCPOINT);
    get_nothing(c, q, 0);
    SUCCEEDS(MQCMIT, c);
    get_text(c, q, "one", MQGMO_SYNCPOINT);
    SUCCEEDS(MQBACK, c);
    get_text(c, q, "one", MQGMO_SYNCPOINT);
    put_text(c, q, "two", MQPMO_SYNCPOINT);
    SUCCEEDS(MQCMIT, c);
    get_text(c, q, "two", 0);
    FAILS(MQRC_HCONN_ERROR, MQBEGIN, 0, NULL);
}

static void browsing(MQHCONN c, MQHOBJ q)
{
    put_text(c, q, "one", 0);
    put_text(c, q, "two", 0);
    get_text(c, q, "one", MQGMO_BROWSE_FIRST);
    get_text(c, q, "two", MQGMO_BROWSE_NEXT);
    get_text(c, q, "two", MQGMO_MSG_UNDER_CURSOR);
    get_text(c, q, "one", 0);
}

static void attributes(MQHCONN c, MQHOBJ q)
{
    MQLONG asked[] = {MQCA_Q_NAME, MQIA_CURRENT_Q_DEPTH, MQCA_Q_DESC, MQIA_MAX_Q_DEPTH};
    MQLONG integers[3] = {-1, -1, -1};
    char text[48 + 64 + 48];
    MQLONG off = MQQA_PUT_INHIBITED, on = MQQA_PUT_ALLOWED, inhibit = MQIA_INHIBIT_PUT;
    MQLONG data = MQCA_TRIGGER_DATA;
    char trigger[64];
    MQMD d = {MQMD_DEFAULT};
    MQHOBJ manager;
    MQOD object = {MQOD_DEFAULT};

    put_text(c, q, "one", 0);
    memset(text, '.', sizeof text);
    integers[2] = -7;
    SUCCEEDS(MQINQ, c, q, 4, asked, 3, integers, sizeof text, text);
    /* The room behind the attributes is the program's. */
    HOLDS(sizeof text > 112 && text[112] == '.' && text[sizeof text - 1] == '.' && integers[2] == -7);
    HOLDS(integers[0] == 1 && integers[1] == 5000);
    HOLDS(memcmp(text, "A ", 2) == 0 && memcmp(text + 48, "described ", 10) == 0 && text[111] == ' ');
    memset(text, '.', sizeof text);
    REMARKED(MQRC_CHAR_ATTRS_TOO_SHORT, MQINQ, c, q, 4, asked, 2, integers, 48 + 63, text);
    HOLDS(memcmp(text, "A ", 2) == 0 && text[47] == ' ' && text[48] == '.');
    REMARKED(MQRC_INT_ATTR_COUNT_TOO_SMALL, MQINQ, c, q, 4, asked, 1, integers, sizeof text, text);
    WARNS(MQRC_INT_ATTR_COUNT_TOO_SMALL, MQINQ, c, q, 4, asked, 1, integers, 48 + 63, text);
    /* What no local queue has is all asterisks, and told of before what there is no room for. */
    asked[0] = MQCA_BASE_Q_NAME;
    WARNS(MQRC_SELECTOR_NOT_FOR_TYPE, MQINQ, c, q, 4, asked, 1, integers, 48 + 63, text);
    HOLDS(memcmp(text, "************************************************", 48) == 0);
    SUCCEEDS(MQSET, c, q, 1, &inhibit, 1, &off, 0, NULL);
    FAILS(MQRC_PUT_INHIBITED, MQPUT, c, q, &d, NULL, 1, "x");
    SUCCEEDS(MQSET, c, q, 1, &inhibit, 1, &on, 0, NULL);
    memset(trigger, ' ', sizeof trigger);
    memcpy(trigger, "data", 4);
    SUCCEEDS(MQSET, c, q, 1, &data, 0, NULL, sizeof trigger, trigger);
    memset(trigger, 'x', sizeof trigger);
    SUCCEEDS(MQINQ, c, q, 1, &data, 0, NULL, sizeof trigger, trigger);
    HOLDS(memcmp(trigger, "data ", 5) == 0 && trigger[63] == ' ');
    get_text(c, q, "one", 0);

    object.ObjectType = MQOT_Q_MGR;
    SUCCEEDS(MQOPEN, c, &object, MQOO_INQUIRE, &manager);
    data = MQCA_Q_MGR_NAME;
    SUCCEEDS(MQINQ, c, manager, 1, &data, 0, NULL, 48, text);
    HOLDS(memcmp(text, "QM1 ", 4) == 0);
    SUCCEEDS(MQCLOSE, c, &manager, MQCO_NONE);

    object.ObjectType = MQOT_NAMELIST;
    strcpy(object.ObjectName, "LIST");
    SUCCEEDS(MQOPEN, c, &object, MQOO_INQUIRE, &manager);
    data = MQCA_NAMES;
    memset(text, '.', sizeof text);
    SUCCEEDS(MQINQ, c, manager, 1, &data, 0, NULL, sizeof text, text);
    HOLDS(memcmp(text, "ONE ", 4) == 0 && memcmp(text + 48, "TWO ", 4) == 0 && text[95] == ' ' && text[96] == '.');
    SUCCEEDS(MQCLOSE, c, &manager, MQCO_NONE);
    HOLDS(manager == MQHO_UNUSABLE_HOBJ);
    FAILS(MQRC_HOBJ_ERROR, MQCLOSE, c, &manager, MQCO_NONE);
}

/* Where answers go is no name of anything; it ends at its NUL, whatever is behind that. */
static void answered_anywhere(MQHCONN c, MQHOBJ q)
{
    MQMD d = {MQMD_DEFAULT};
    MQGMO how = {MQGMO_DEFAULT};
    char buffer[8];
    MQLONG length;

    d.MsgType = MQMT_REQUEST;
    memset(d.ReplyToQ, '?', sizeof d.ReplyToQ);
    memset(d.ReplyToQMgr, '?', sizeof d.ReplyToQMgr);
    strcpy(d.ReplyToQMgr, "over there! ");
    SUCCEEDS(MQPUT, c, q, &d, NULL, 1, "x");
    memset(&d.ReplyToQ, 0, sizeof d.ReplyToQ + sizeof d.ReplyToQMgr);
    SUCCEEDS(MQGET, c, q, &d, &how, (MQLONG)sizeof buffer, buffer, &length);
    HOLDS(memcmp(d.ReplyToQ, "????????????????????????????????????????????????", 48) == 0);
    HOLDS(memcmp(d.ReplyToQMgr, "over there!                                     ", 48) == 0);
    /* Nothing in front of the NUL is nothing at all. */
    memset(d.ReplyToQ, '?', sizeof d.ReplyToQ);
    d.ReplyToQ[0] = 0;
    FAILS(MQRC_MISSING_REPLY_TO_Q, MQPUT, c, q, &d, NULL, 1, "x");
    memcpy(d.ReplyToQ, "   ", 4);
    FAILS(MQRC_MISSING_REPLY_TO_Q, MQPUT, c, q, &d, NULL, 1, "x");
}

/* With nothing to tell, a status has its initial values, whatever was in it. */
static void told_nothing(MQHCONN c, MQLONG type)
{
    MQSTS initial = {MQSTS_DEFAULT}, status = {MQSTS_DEFAULT};

    initial.Version = status.Version = MQSTS_VERSION_2;
    status.CompCode = status.Reason = status.PutSuccessCount = status.PutWarningCount = 9;
    status.PutFailureCount = status.ObjectType = status.OpenOptions = status.SubOptions = 9;
    memset(status.ObjectName, 'x', sizeof status.ObjectName);
    memset(status.ObjectQMgrName, 'x', sizeof status.ObjectQMgrName);
    memset(status.ResolvedObjectName, ' ', sizeof status.ResolvedObjectName);
    memset(status.ResolvedQMgrName, ' ', sizeof status.ResolvedQMgrName);
    status.ObjectString.VSLength = status.ObjectString.VSCCSID = 9;
    status.SubName.VSLength = status.SubName.VSCCSID = 9;
    SUCCEEDS(MQSTAT, c, type, &status);
    HOLDS(memcmp(&status, &initial, sizeof status) == 0);
}

static void by_name(MQHCONN c, MQHOBJ q)
{
    MQOD object = {MQOD_DEFAULT}, model = {MQOD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQPMO how = {MQPMO_DEFAULT};
    MQSTS status = {MQSTS_DEFAULT};
    MQHOBJ handle;
    int i;

    object.Version = MQOD_VERSION_4;
    strcpy(object.ObjectName, "A");
    SUCCEEDS(MQPUT1, c, &object, &d, &how, 4, "once");
    HOLDS(memcmp(object.ResolvedQName, "A ", 2) == 0 && memcmp(object.ResolvedQMgrName, "QM1 ", 4) == 0);
    get_text(c, q, "once", 0);
    strcpy(object.ObjectName, "ABSENT");
    FAILS(MQRC_UNKNOWN_OBJECT_NAME, MQPUT1, c, &object, &d, &how, 4, "once");
    FAILS(MQRC_UNKNOWN_OBJECT_NAME, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    HOLDS(handle == MQHO_UNUSABLE_HOBJ);

    /* A model queue makes a dynamic one, whose name comes back. */
    strcpy(model.ObjectName, "SYSTEM.DEFAULT.MODEL.QUEUE");
    strcpy(model.DynamicQName, "APP.*");
    SUCCEEDS(MQOPEN, c, &model, MQOO_INPUT_EXCLUSIVE | MQOO_OUTPUT, &handle);
    HOLDS(memcmp(model.ObjectName, "APP.", 4) == 0 && model.ObjectName[47] == ' ');
    put_text(c, handle, "dynamic", 0);
    SUCCEEDS(MQCLOSE, c, &handle, MQCO_DELETE_PURGE);

    /* A selector, in a field of variable length. */
    object.Version = MQOD_VERSION_4;
    strcpy(object.ObjectName, "A");
    object.SelectionString.VSPtr = (PMQVOID)"Root.MQMD.Priority = 7";
    object.SelectionString.VSLength = MQVS_NULL_TERMINATED;
    SUCCEEDS(MQOPEN, c, &object, MQOO_INPUT_SHARED, &handle);
    put_text(c, q, "other", 0);
    d.Priority = 7;
    SUCCEEDS(MQPUT, c, q, &d, &how, 5, "seven");
    get_text(c, handle, "seven", 0);
    get_nothing(c, handle, 0);
    get_text(c, q, "other", 0);
    object.SelectionString.VSPtr = (PMQVOID)"Root.MQMD.Priority = ";
    FAILS(MQRC_SELECTOR_SYNTAX_ERROR, MQOPEN, c, &object, MQOO_INPUT_SHARED, &handle);

    /* Puts whose outcome nobody waits for are told of afterwards. */
    d.Priority = MQPRI_PRIORITY_AS_Q_DEF;
    how.Options = MQPMO_ASYNC_RESPONSE;
    for (i = 0; i < 3; i++)
        SUCCEEDS(MQPUT, c, q, &d, &how, 5, "async");
    SUCCEEDS(MQSTAT, c, MQSTAT_TYPE_ASYNC_ERROR, &status);
    HOLDS(status.PutSuccessCount == 3 && status.PutFailureCount == 0 && status.CompCode == MQCC_OK);
    for (i = 0; i < 3; i++)
        get_text(c, q, "async", 0);
    told_nothing(c, MQSTAT_TYPE_ASYNC_ERROR);
    told_nothing(c, MQSTAT_TYPE_RECONNECTION);
    told_nothing(c, MQSTAT_TYPE_RECONNECTION_ERROR);
}

int main(void)
{
    MQHCONN c = connected();
    MQHOBJ q = opened(c, "A", BOTH);
    there_and_back(c, q);
    units(c, q);
    browsing(c, q);
    attributes(c, q);
    answered_anywhere(c, q);
    by_name(c, q);
    SUCCEEDS(MQCLOSE, c, &q, MQCO_NONE);
    SUCCEEDS(MQDISC, &c);
    HOLDS(c == MQHC_UNUSABLE_HCONN);
    FAILS(MQRC_HCONN_ERROR, MQDISC, &c);
    return 0;
}
