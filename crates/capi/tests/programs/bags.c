/* Bags of parameters: what is in them, and what is refused. Says each reason that it was given. */
#include "expect.h"
#include <cmqcfc.h>
#include <cmqbc.h>

static MQHBAG made(MQLONG options)
{
    MQHBAG bag = MQHB_UNUSABLE_HBAG;
    SUCCEEDS(mqCreateBag, options, &bag);
    HOLDS(bag > 0);
    return bag;
}

static MQLONG count(MQHBAG bag, MQLONG selector)
{
    MQLONG items = -1;
    SUCCEEDS(mqCountItems, bag, selector, &items);
    return items;
}

static MQLONG integer(MQHBAG bag, MQLONG selector, MQLONG index)
{
    MQLONG value = -99;
    SUCCEEDS(mqInquireInteger, bag, selector, index, &value);
    return value;
}

static void is_text(MQHBAG bag, MQLONG selector, MQLONG index, const char *expected)
{
    char text[64];
    MQLONG length = -1;
    memset(text, 'x', sizeof text);
    SUCCEEDS(mqInquireString, bag, selector, index, (MQLONG)sizeof text, text, &length, NULL);
    HOLDS(length == (MQLONG)strlen(expected) && strcmp(text, expected) == 0 && text[sizeof text - 1] == 0);
}

static void items(void)
{
    MQHBAG bag = made(MQCBO_USER_BAG);
    MQLONG length, ccsid, operator, value, selector, type;
    MQINT64 long_value;
    MQBYTE bytes[8];
    char text[8];

    HOLDS(count(bag, MQSEL_ALL_SELECTORS) == 9 && count(bag, MQSEL_ALL_SYSTEM_SELECTORS) == 9);
    HOLDS(integer(bag, MQIASY_TYPE, MQIND_NONE) == MQCFT_USER && integer(bag, MQIASY_CONTROL, 0) == MQCFC_LAST);
    SUCCEEDS(mqAddInteger, bag, 5, 50);
    SUCCEEDS(mqAddInteger, bag, 5, 51);
    SUCCEEDS(mqAddInteger64, bag, 6, 6000000000);
    SUCCEEDS(mqAddString, bag, 7, MQBL_NULL_TERMINATED, "text");
    SUCCEEDS(mqAddString, bag, 7, 3, "longer");
    SUCCEEDS(mqAddByteString, bag, 8, 4, (PMQBYTE) "\0\1\2\3");
    SUCCEEDS(mqAddIntegerFilter, bag, 9, 90, MQCFOP_GREATER);
    SUCCEEDS(mqAddStringFilter, bag, 10, MQBL_NULL_TERMINATED, "A*", MQCFOP_LIKE);
    SUCCEEDS(mqAddByteStringFilter, bag, 11, 1, (PMQBYTE) "\7", MQCFOP_EQUAL);
    SUCCEEDS(mqAddString, bag, 12, 0, NULL);
    HOLDS(count(bag, MQSEL_ALL_USER_SELECTORS) == 10 && count(bag, 5) == 2 && count(bag, 99) == 0);
    HOLDS(count(bag, MQSEL_ALL_SELECTORS) == 19);

    HOLDS(integer(bag, 5, 0) == 50 && integer(bag, 5, 1) == 51);
    HOLDS(integer(bag, MQSEL_ANY_USER_SELECTOR, 1) == 51);
    HOLDS(integer(bag, MQSEL_ANY_SELECTOR, 9) == 50);
    SUCCEEDS(mqInquireInteger64, bag, 6, MQIND_NONE, &long_value);
    HOLDS(long_value == 6000000000);
    is_text(bag, 7, 0, "text");
    is_text(bag, 7, 1, "lon");
    is_text(bag, 12, MQIND_NONE, "");
    SUCCEEDS(mqInquireByteString, bag, 8, 0, 8, bytes, &length);
    HOLDS(length == 4 && memcmp(bytes, "\0\1\2\3\0\0\0\0", 8) == 0);
    SUCCEEDS(mqInquireIntegerFilter, bag, 9, 0, &value, &operator);
    HOLDS(value == 90 && operator == MQCFOP_GREATER);
    SUCCEEDS(mqInquireStringFilter, bag, 10, 0, 8, text, &length, &ccsid, &operator);
    HOLDS(length == 2 && memcmp(text, "A*", 2) == 0 && operator == MQCFOP_LIKE && ccsid == MQCCSI_APPL);
    SUCCEEDS(mqInquireByteStringFilter, bag, 11, 0, 8, bytes, &length, &operator);
    HOLDS(length == 1 && bytes[0] == 7 && operator == MQCFOP_EQUAL);
    SUCCEEDS(mqInquireItemInfo, bag, MQSEL_ANY_USER_SELECTOR, 2, &selector, &type);
    HOLDS(selector == 6 && type == MQITEM_INTEGER64);
    SUCCEEDS(mqInquireItemInfo, bag, MQSEL_ANY_SYSTEM_SELECTOR, 1, &selector, &type);
    HOLDS(selector == MQIASY_TYPE && type == MQITEM_INTEGER);

    SUCCEEDS(mqSetInteger, bag, 5, 1, 511);
    HOLDS(integer(bag, 5, 1) == 511 && integer(bag, 5, 0) == 50);
    SUCCEEDS(mqSetInteger, bag, 5, MQIND_ALL, 5);
    HOLDS(count(bag, 5) == 1 && integer(bag, MQSEL_ANY_USER_SELECTOR, 8) == 5);
    SUCCEEDS(mqSetInteger64, bag, 6, MQIND_NONE, -1);
    SUCCEEDS(mqSetString, bag, 7, 0, MQBL_NULL_TERMINATED, "changed");
    is_text(bag, 7, 0, "changed");
    SUCCEEDS(mqSetByteString, bag, 8, 0, 1, (PMQBYTE) "\11");
    SUCCEEDS(mqSetIntegerFilter, bag, 9, 0, 91, MQCFOP_LESS);
    SUCCEEDS(mqSetStringFilter, bag, 10, 0, 1, "B", MQCFOP_EQUAL);
    SUCCEEDS(mqSetByteStringFilter, bag, 11, 0, 0, NULL, MQCFOP_NOT_EQUAL);
    SUCCEEDS(mqSetInteger, bag, MQIASY_COMMAND, MQIND_NONE, MQCMD_PING_Q_MGR);
    HOLDS(integer(bag, MQIASY_COMMAND, MQIND_NONE) == MQCMD_PING_Q_MGR);

    SUCCEEDS(mqDeleteItem, bag, 7, 0);
    SUCCEEDS(mqDeleteItem, bag, 7, MQIND_NONE);
    SUCCEEDS(mqDeleteItem, bag, 7, MQIND_ALL);
    SUCCEEDS(mqDeleteItem, bag, MQSEL_ANY_USER_SELECTOR, 0);
    SUCCEEDS(mqDeleteItem, bag, MQSEL_ANY_SELECTOR, 9);
    HOLDS(count(bag, MQSEL_ALL_USER_SELECTORS) == 5 && count(bag, 6) == 0 && count(bag, 8) == 0);
    SUCCEEDS(mqTruncateBag, bag, 1);
    HOLDS(count(bag, MQSEL_ALL_USER_SELECTORS) == 1 && integer(bag, MQIASY_COMMAND, 0) == MQCMD_PING_Q_MGR);
    SUCCEEDS(mqClearBag, bag);
    HOLDS(count(bag, MQSEL_ALL_USER_SELECTORS) == 0 && integer(bag, MQIASY_COMMAND, 0) == MQCMD_NONE);
    SUCCEEDS(mqDeleteBag, &bag);
    HOLDS(bag == MQHB_UNUSABLE_HBAG);
}

static void refusals(void)
{
    MQHBAG bag = made(MQCBO_USER_BAG), checked = made(MQCBO_ADMIN_BAG), group = made(MQCBO_GROUP_BAG), none = 4711;
    MQHBAG strict = made(MQCBO_USER_BAG | MQCBO_CHECK_SELECTORS), inner = made(MQCBO_GROUP_BAG);
    MQLONG value, length, type;
    char text[4], expected[4] = {'l', 'o', 'n', 'g'};

    REFUSED(MQRC_OPTIONS_ERROR, mqCreateBag, MQCBO_ADMIN_BAG | MQCBO_COMMAND_BAG, &none);
    HOLDS(none == MQHB_UNUSABLE_HBAG);
    REFUSED(MQRC_OPTIONS_ERROR, mqCreateBag, MQCBO_SYSTEM_BAG, &none);
    REFUSED(MQRC_HBAG_ERROR, mqCreateBag, MQCBO_USER_BAG, NULL);
    none = 4711;
    REFUSED(MQRC_HBAG_ERROR, mqDeleteBag, &none);
    REFUSED(MQRC_HBAG_ERROR, mqAddInteger, none, 5, 5);
    REFUSED(MQRC_HBAG_ERROR, mqClearBag, MQHB_NONE);

    SUCCEEDS(mqAddInteger, bag, 5, 1);
    SUCCEEDS(mqAddInteger, bag, 5, 2);
    SUCCEEDS(mqAddString, bag, 7, 5, "longer");
    REFUSED(MQRC_SELECTOR_OUT_OF_RANGE, mqAddInteger, bag, -1, 5);
    REFUSED(MQRC_SELECTOR_OUT_OF_RANGE, mqAddInteger, checked, MQCA_Q_NAME, 5);
    REFUSED(MQRC_SELECTOR_OUT_OF_RANGE, mqAddString, checked, MQIA_Q_TYPE, 1, "x");
    REFUSED(MQRC_SELECTOR_OUT_OF_RANGE, mqDeleteItem, bag, MQIASY_TYPE, MQIND_NONE);
    REFUSED(MQRC_INCONSISTENT_ITEM_TYPE, mqAddString, bag, 5, 1, "x");
    REFUSED(MQRC_BUFFER_LENGTH_ERROR, mqAddString, bag, 7, -2, "x");
    REFUSED(MQRC_BUFFER_ERROR, mqAddString, bag, 7, 1, NULL);
    REFUSED(MQRC_FILTER_OPERATOR_ERROR, mqAddIntegerFilter, bag, 9, 1, MQCFOP_LIKE);
    REFUSED(MQRC_FILTER_OPERATOR_ERROR, mqAddStringFilter, bag, 9, 1, "x", 0);
    REFUSED(MQRC_SELECTOR_NOT_PRESENT, mqInquireInteger, bag, 6, 0, &value);
    REFUSED(MQRC_SELECTOR_NOT_PRESENT, mqSetInteger, bag, 6, 0, 1);
    REFUSED(MQRC_SELECTOR_NOT_UNIQUE, mqInquireInteger, bag, 5, MQIND_NONE, &value);
    REFUSED(MQRC_SELECTOR_NOT_SUPPORTED, mqInquireInteger, bag, -77, 0, &value);
    REFUSED(MQRC_SELECTOR_NOT_SUPPORTED, mqCountItems, bag, -77, &value);
    REFUSED(MQRC_SELECTOR_WRONG_TYPE, mqInquireString, bag, 5, 0, 4, text, &length, NULL);
    REFUSED(MQRC_SELECTOR_WRONG_TYPE, mqSetString, bag, 5, 0, 1, "x");
    REFUSED(MQRC_INDEX_ERROR, mqInquireInteger, bag, 5, -7, &value);
    REFUSED(MQRC_INDEX_ERROR, mqDeleteItem, bag, MQSEL_ANY_USER_SELECTOR, MQIND_ALL);
    REFUSED(MQRC_INDEX_NOT_PRESENT, mqInquireInteger, bag, 5, 2, &value);
    REFUSED(MQRC_INDEX_NOT_PRESENT, mqDeleteItem, bag, MQSEL_ANY_USER_SELECTOR, 3);
    REFUSED(MQRC_MULTIPLE_INSTANCE_ERROR, mqSetInteger, bag, MQIASY_TYPE, 1, 5);
    REFUSED(MQRC_SYSTEM_ITEM_NOT_ALTERABLE, mqSetInteger, bag, MQIASY_BAG_OPTIONS, 0, 5);
    REFUSED(MQRC_SYSTEM_ITEM_NOT_DELETABLE, mqDeleteItem, bag, MQSEL_ANY_SELECTOR, 0);
    REFUSED(MQRC_ITEM_COUNT_ERROR, mqTruncateBag, bag, 4);
    REFUSED(MQRC_ITEM_COUNT_ERROR, mqTruncateBag, bag, -1);
    REFUSED(MQRC_ITEM_COUNT_ERROR, mqCountItems, bag, 5, NULL);
    REFUSED(MQRC_ITEM_VALUE_ERROR, mqInquireInteger, bag, 5, 0, NULL);
    REFUSED(MQRC_ITEM_TYPE_ERROR, mqInquireItemInfo, bag, 5, 0, &value, NULL);
    REFUSED(MQRC_OUT_SELECTOR_ERROR, mqInquireItemInfo, bag, 5, 0, NULL, &type);
    REFUSED(MQRC_STRING_LENGTH_ERROR, mqInquireString, bag, 7, 0, 4, text, NULL, NULL);
    length = 0;
    REMARKED(MQRC_STRING_TRUNCATED, mqInquireString, bag, 7, 0, 4, text, &length, NULL);
    HOLDS(length == 5 && memcmp(text, expected, 4) == 0);
    SUCCEEDS(mqSetInteger, bag, MQIASY_CODED_CHAR_SET_ID, 0, MQCCSI_EMBEDDED);
    REFUSED(MQRC_CODED_CHAR_SET_ID_ERROR, mqAddString, bag, 7, 1, "x");
    REFUSED(MQRC_BAG_WRONG_TYPE, mqAddInquiry, bag, MQCA_Q_NAME);
    REFUSED(MQRC_SELECTOR_OUT_OF_RANGE, mqAddInquiry, checked, 9001);
    REFUSED(MQRC_BAG_WRONG_TYPE, mqAddBag, checked, 8001, group);
    REFUSED(MQRC_BAG_WRONG_TYPE, mqAddBag, bag, 8001, checked);
    REFUSED(MQRC_HBAG_ERROR, mqAddBag, bag, 8001, bag);
    SUCCEEDS(mqAddInteger, inner, MQCA_Q_NAME, 5);
    REFUSED(MQRC_NESTED_SELECTOR_ERROR, mqAddBag, strict, MQGA_FIRST, inner);
    HOLDS(count(strict, MQSEL_ALL_USER_SELECTORS) == 0);
    SUCCEEDS(mqDeleteBag, &inner);
    SUCCEEDS(mqDeleteBag, &strict);
    HOLDS(count(bag, MQSEL_ALL_USER_SELECTORS) == 3 && count(group, MQSEL_ALL_SELECTORS) == 2);
    SUCCEEDS(mqDeleteBag, &bag);
    SUCCEEDS(mqDeleteBag, &checked);
    SUCCEEDS(mqDeleteBag, &group);
}

static void messages(void)
{
    MQHBAG bag = made(MQCBO_USER_BAG | MQCBO_LIST_FORM_ALLOWED), copy = made(MQCBO_USER_BAG);
    MQHBAG group = made(MQCBO_GROUP_BAG), inner, checked = made(MQCBO_ADMIN_BAG);
    MQLONG length = 0, needed = 0;
    MQBYTE buffer[1000];
    MQCFH header;

    SUCCEEDS(mqAddInteger, bag, 5, 1);
    SUCCEEDS(mqAddInteger, bag, 5, 2);
    SUCCEEDS(mqAddString, bag, 7, MQBL_NULL_TERMINATED, "one");
    SUCCEEDS(mqAddString, bag, 7, MQBL_NULL_TERMINATED, "three");
    SUCCEEDS(mqAddInteger64, bag, 6, 77);
    SUCCEEDS(mqAddInteger64, bag, 6, 78);
    SUCCEEDS(mqAddByteString, bag, 8, 3, (PMQBYTE) "\1\2\3");
    SUCCEEDS(mqAddIntegerFilter, bag, 9, 90, MQCFOP_GREATER);
    SUCCEEDS(mqAddStringFilter, bag, 10, 2, "A*", MQCFOP_LIKE);
    SUCCEEDS(mqAddByteStringFilter, bag, 11, 1, (PMQBYTE) "\7", MQCFOP_EQUAL);
    SUCCEEDS(mqAddInteger, group, 1, 11);
    SUCCEEDS(mqAddBag, bag, 8001, group);
    REFUSED(MQRC_BUFFER_LENGTH_ERROR, mqBagToBuffer, MQHB_NONE, bag, 10, buffer, &needed);
    SUCCEEDS(mqBagToBuffer, MQHB_NONE, bag, (MQLONG)sizeof buffer, buffer, &length);
    memcpy(&header, buffer, sizeof header);
    HOLDS(length == needed && header.Type == MQCFT_USER && header.ParameterCount == 8 && header.Version == MQCFH_VERSION_3);
    SUCCEEDS(mqBufferToBag, MQHB_NONE, length, buffer, copy);
    HOLDS(count(copy, MQSEL_ALL_USER_SELECTORS) == 11 && integer(copy, 5, 1) == 2);
    is_text(copy, 7, 0, "one");
    is_text(copy, 7, 1, "three");
    SUCCEEDS(mqInquireBag, copy, 8001, MQIND_NONE, &inner);
    HOLDS(integer(inner, 1, 0) == 11);
    REFUSED(MQRC_SYSTEM_BAG_NOT_ALTERABLE, mqAddInteger, inner, 1, 12);
    REFUSED(MQRC_SYSTEM_BAG_NOT_DELETABLE, mqDeleteBag, &inner);
    REFUSED(MQRC_NESTED_BAG_NOT_SUPPORTED, mqBagToBuffer, MQHB_NONE, copy, (MQLONG)sizeof buffer, buffer, &length);
    SUCCEEDS(mqClearBag, copy);
    REFUSED(MQRC_HBAG_ERROR, mqClearBag, inner);

    /* A message that is none leaves the bag as it was. */
    SUCCEEDS(mqAddInteger, copy, 5, 5);
    REFUSED(MQRC_BAG_CONVERSION_ERROR, mqBufferToBag, MQHB_NONE, length - 1, buffer, copy);
    REFUSED(MQRC_DATA_LENGTH_ERROR, mqBagToBuffer, MQHB_NONE, bag, (MQLONG)sizeof buffer, buffer, NULL);
    REFUSED(MQRC_BAG_WRONG_TYPE, mqBagToBuffer, MQHB_NONE, group, (MQLONG)sizeof buffer, buffer, &length);
    REFUSED(MQRC_OPTIONS_ERROR, mqBufferToBag, bag, length, buffer, copy);
    HOLDS(integer(copy, 5, 0) == 5);
    SUCCEEDS(mqAddInquiry, checked, MQCA_Q_NAME);
    REFUSED(MQRC_INQUIRY_COMMAND_ERROR, mqBagToBuffer, MQHB_NONE, checked, (MQLONG)sizeof buffer, buffer, &length);
    SUCCEEDS(mqDeleteBag, &bag);
    SUCCEEDS(mqDeleteBag, &copy);
    SUCCEEDS(mqDeleteBag, &group);
    SUCCEEDS(mqDeleteBag, &checked);
}

/* Groups in groups, as deep as a message has them, and never in themselves. */
static void nesting(void)
{
    MQHBAG bag = made(MQCBO_USER_BAG), copy = made(MQCBO_USER_BAG), groups[9], found;
    MQLONG length, i;
    MQBYTE buffer[1000];

    for (i = 0; i < 9; i++)
    {
        groups[i] = made(MQCBO_GROUP_BAG);
        SUCCEEDS(mqAddInteger, groups[i], 1, i);
    }
    for (i = 0; i < 7; i++)
        SUCCEEDS(mqAddBag, groups[i], 8001, groups[i + 1]);
    REFUSED(MQRC_HBAG_ERROR, mqAddBag, groups[7], 8001, groups[0]);
    REFUSED(MQRC_HBAG_ERROR, mqAddBag, groups[3], 8001, groups[3]);
    SUCCEEDS(mqAddBag, bag, 8001, groups[0]);
    SUCCEEDS(mqBagToBuffer, MQHB_NONE, bag, (MQLONG)sizeof buffer, buffer, &length);
    SUCCEEDS(mqBufferToBag, MQHB_NONE, length, buffer, copy);
    found = copy;
    for (i = 0; i < 8; i++)
    {
        SUCCEEDS(mqInquireBag, found, 8001, MQIND_NONE, &found);
        HOLDS(integer(found, 1, 0) == i);
    }
    SUCCEEDS(mqAddBag, groups[7], 8001, groups[8]);
    REFUSED(MQRC_NESTED_BAG_NOT_SUPPORTED, mqBagToBuffer, MQHB_NONE, bag, (MQLONG)sizeof buffer, buffer, &length);
    for (i = 0; i < 9; i++)
        SUCCEEDS(mqDeleteBag, &groups[i]);
    REFUSED(MQRC_HBAG_ERROR, mqBagToBuffer, MQHB_NONE, bag, (MQLONG)sizeof buffer, buffer, &length);
    SUCCEEDS(mqDeleteBag, &bag);
    SUCCEEDS(mqDeleteBag, &copy);
}

static void padding(void)
{
    char text[9] = "abc", name[6];

    SUCCEEDS(mqPad, text, 8, text);
    HOLDS(memcmp(text, "abc     ", 8) == 0 && text[8] == 0);
    SUCCEEDS(mqTrim, 8, text, text);
    HOLDS(strcmp(text, "abc") == 0);
    SUCCEEDS(mqPad, NULL, 6, name);
    HOLDS(memcmp(name, "      ", 6) == 0);
    name[5] = 'x';
    SUCCEEDS(mqTrim, 4, name, name);
    HOLDS(name[0] == 0 && name[5] == 'x');
    REMARKED(MQRC_STRING_TRUNCATED, mqPad, "abc", 2, name);
    HOLDS(memcmp(name, "ab", 2) == 0);
    REFUSED(MQRC_BUFFER_LENGTH_ERROR, mqPad, "abc", -1, name);
    REFUSED(MQRC_BUFFER_ERROR, mqTrim, 3, NULL, name);
    REFUSED(MQRC_STRING_ERROR, mqTrim, 3, name, NULL);
}

/* Over queues: what is put is got, and what is no message of commands is refused. */
static void queues(void)
{
    MQHCONN c = connected();
    MQHOBJ q = opened(c, "A", BOTH);
    MQHBAG bag = made(MQCBO_USER_BAG), got = made(MQCBO_USER_BAG);
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};

    SUCCEEDS(mqAddInteger, bag, 5, 55);
    REFUSED(MQRC_FORMAT_NOT_SUPPORTED, mqPutBag, c, q, &d, NULL, bag);
    memcpy(d.Format, MQFMT_PCF, sizeof d.Format);
    d.Encoding = MQENC_NATIVE ^ MQENC_INTEGER_MASK;
    REFUSED(MQRC_ENCODING_NOT_SUPPORTED, mqPutBag, c, q, &d, NULL, bag);
    d.Encoding = MQENC_NATIVE;
    SUCCEEDS(mqPutBag, c, q, &d, NULL, bag);
    HOLDS(memcmp(d.MsgId, MQMI_NONE, sizeof d.MsgId) != 0);
    memcpy(d.MsgId, MQMI_NONE, sizeof d.MsgId);
    SUCCEEDS(mqAddInteger, got, 6, 66);
    SUCCEEDS(mqGetBag, c, q, &d, &get, got);
    HOLDS(count(got, MQSEL_ALL_USER_SELECTORS) == 1 && integer(got, 5, MQIND_NONE) == 55);
    HOLDS(memcmp(d.Format, MQFMT_PCF, sizeof d.Format) == 0);

    put_text(c, q, "no message of commands", 0);
    memcpy(d.MsgId, MQMI_NONE, sizeof d.MsgId);
    get.Options = MQGMO_SYNCPOINT;
    REFUSED(MQRC_FORMAT_NOT_SUPPORTED, mqGetBag, c, q, &d, &get, got);
    SUCCEEDS(MQBACK, c);
    get_text(c, q, "no message of commands", 0);
    memcpy(d.MsgId, MQMI_NONE, sizeof d.MsgId);
    FAILS(MQRC_NO_MSG_AVAILABLE, mqGetBag, c, q, &d, &get, got);
    FAILS(MQRC_HCONN_ERROR, mqGetBag, 4711, q, &d, &get, got);
    FAILS(MQRC_HBAG_ERROR, mqGetBag, c, q, &d, &get, 4711);
    SUCCEEDS(mqDeleteBag, &bag);
    SUCCEEDS(mqDeleteBag, &got);
    SUCCEEDS(MQDISC, &c);
}

int main(void)
{
    items();
    refusals();
    messages();
    nesting();
    padding();
    queues();
    return 0;
}
