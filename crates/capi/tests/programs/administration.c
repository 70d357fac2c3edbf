/* Administers a queue manager: defines a queue, alters it, asks for it and for all there are, and deletes it.
   Says each reason that it was given for what is no command. */
#include "expect.h"
#include <cmqcfc.h>
#include <cmqbc.h>
#include <pthread.h>

static MQHCONN c;

static MQHBAG made(MQLONG options)
{
    MQHBAG bag = MQHB_UNUSABLE_HBAG;
    SUCCEEDS(mqCreateBag, options, &bag);
    return bag;
}

/* How many answers there are; each is a bag in the bag. */
static MQLONG answers(MQHBAG replies)
{
    MQLONG count;
    SUCCEEDS(mqCountItems, replies, MQHA_BAG_HANDLE, &count);
    return count;
}

static MQHBAG answer(MQHBAG replies, MQLONG index)
{
    MQHBAG bag;
    SUCCEEDS(mqInquireBag, replies, MQHA_BAG_HANDLE, index, &bag);
    return bag;
}

static MQLONG integer(MQHBAG bag, MQLONG selector)
{
    MQLONG value;
    SUCCEEDS(mqInquireInteger, bag, selector, MQIND_NONE, &value);
    return value;
}

/* A command about queue MADE, which succeeds. */
static void does(MQLONG command, MQHBAG parameters)
{
    MQHBAG replies = made(MQCBO_ADMIN_BAG);
    SUCCEEDS(mqExecute, c, command, MQHB_NONE, parameters, replies, MQHO_NONE, MQHO_NONE);
    HOLDS(answers(replies) == 1 && integer(answer(replies, 0), MQIASY_COMP_CODE) == MQCC_OK);
    SUCCEEDS(mqDeleteBag, &replies);
}

static MQHBAG of_queue(const char *name)
{
    MQHBAG bag = made(MQCBO_ADMIN_BAG);
    SUCCEEDS(mqAddString, bag, MQCA_Q_NAME, MQBL_NULL_TERMINATED, (PMQCHAR)name);
    return bag;
}

/* Answers one command, and says that another answer follows. */
static void *answers_in_part(void *unused)
{
    MQHCONN own = connected();
    MQHOBJ q = opened(own, "B", MQOO_INPUT_SHARED);
    MQHBAG command = made(MQCBO_USER_BAG), reply = made(MQCBO_USER_BAG);
    MQMD d = {MQMD_DEFAULT}, r = {MQMD_DEFAULT};
    MQOD where = {MQOD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQHOBJ replies;
    (void)unused;
    get.Options = MQGMO_WAIT;
    get.WaitInterval = 5000;
    SUCCEEDS(mqGetBag, own, q, &d, &get, command);
    HOLDS(integer(command, MQIASY_COMMAND) == MQCMD_PING_Q_MGR && d.Expiry > 0 && d.MsgType == MQMT_REQUEST);
    SUCCEEDS(mqSetInteger, reply, MQIASY_TYPE, 0, MQCFT_RESPONSE);
    SUCCEEDS(mqSetInteger, reply, MQIASY_CONTROL, 0, MQCFC_NOT_LAST);
    memcpy(r.Format, MQFMT_ADMIN, sizeof r.Format);
    memcpy(r.CorrelId, d.MsgId, sizeof r.CorrelId);
    memcpy(where.ObjectName, d.ReplyToQ, sizeof where.ObjectName);
    SUCCEEDS(MQOPEN, own, &where, MQOO_OUTPUT, &replies);
    SUCCEEDS(mqPutBag, own, replies, &r, NULL, reply);
    SUCCEEDS(mqDeleteBag, &command);
    SUCCEEDS(mqDeleteBag, &reply);
    SUCCEEDS(MQDISC, &own);
    return NULL;
}

int main(void)
{
    pthread_t server;
    MQHBAG parameters, replies = made(MQCBO_ADMIN_BAG), options = made(MQCBO_USER_BAG), one;
    MQOD object = {MQOD_DEFAULT};
    MQHOBJ commands, own;
    MQLONG length, i, found = 0;
    char name[MQ_Q_NAME_LENGTH + 1];

    c = connected();
    parameters = of_queue("MADE");
    SUCCEEDS(mqAddInteger, parameters, MQIA_Q_TYPE, MQQT_LOCAL);
    SUCCEEDS(mqAddInteger, parameters, MQIA_MAX_Q_DEPTH, 77);
    SUCCEEDS(mqAddString, parameters, MQCA_Q_DESC, MQBL_NULL_TERMINATED, "made by a program");
    does(MQCMD_CREATE_Q, parameters);
    SUCCEEDS(mqSetInteger, parameters, MQIA_MAX_Q_DEPTH, MQIND_NONE, 78);
    does(MQCMD_CHANGE_Q, parameters);
    SUCCEEDS(mqDeleteBag, &parameters);

    /* Its attributes, some of which are asked for. */
    parameters = of_queue("MADE");
    SUCCEEDS(mqAddInquiry, parameters, MQIA_MAX_Q_DEPTH);
    SUCCEEDS(mqAddInquiry, parameters, MQCA_Q_DESC);
    SUCCEEDS(mqExecute, c, MQCMD_INQUIRE_Q, MQHB_NONE, parameters, replies, MQHO_NONE, MQHO_NONE);
    HOLDS(answers(replies) == 1);
    one = answer(replies, 0);
    HOLDS(integer(one, MQIA_MAX_Q_DEPTH) == 78 && integer(one, MQIASY_COMMAND) == MQCMD_INQUIRE_Q);
    SUCCEEDS(mqInquireString, one, MQCA_Q_DESC, 0, MQ_Q_NAME_LENGTH, name, &length, NULL);
    HOLDS(length == 17 && strcmp(name, "made by a program") == 0);
    FAILS(MQRC_SELECTOR_NOT_PRESENT, mqInquireInteger, one, MQIA_CURRENT_Q_DEPTH, MQIND_NONE, &length);
    SUCCEEDS(mqDeleteBag, &parameters);

    /* All queues, through queues that the program opened. */
    parameters = of_queue("*");
    commands = opened(c, "SYSTEM.ADMIN.COMMAND.QUEUE", MQOO_OUTPUT);
    strcpy(object.ObjectName, "SYSTEM.DEFAULT.MODEL.QUEUE");
    SUCCEEDS(MQOPEN, c, &object, MQOO_INPUT_EXCLUSIVE | MQOO_INQUIRE, &own);
    SUCCEEDS(mqAddInteger, options, MQIACF_WAIT_INTERVAL, 5000);
    SUCCEEDS(mqExecute, c, MQCMD_INQUIRE_Q, options, parameters, replies, commands, own);
    HOLDS(answers(replies) > 10);
    for (i = 0; i < answers(replies); i++) {
        SUCCEEDS(mqInquireString, answer(replies, i), MQCA_Q_NAME, 0, MQ_Q_NAME_LENGTH, name, &length, NULL);
        SUCCEEDS(mqTrim, MQ_Q_NAME_LENGTH, name, name);
        found += strcmp(name, "MADE") == 0 || strcmp(name, "A") == 0;
    }
    HOLDS(found == 2);
    SUCCEEDS(mqDeleteBag, &parameters);

    /* A failure is told by the call, and which it is by the answer. */
    parameters = of_queue("NOWHERE");
    FAILS(MQRCCF_COMMAND_FAILED, mqExecute, c, MQCMD_DELETE_Q, MQHB_NONE, parameters, replies, MQHO_NONE, MQHO_NONE);
    one = answer(replies, 0);
    HOLDS(integer(one, MQIASY_COMP_CODE) == MQCC_FAILED && integer(one, MQIASY_REASON) == MQRC_UNKNOWN_OBJECT_NAME);
    SUCCEEDS(mqDeleteBag, &parameters);
    parameters = of_queue("MADE");
    does(MQCMD_DELETE_Q, parameters);
    /* Nobody has to be told. */
    SUCCEEDS(mqExecute, c, MQCMD_PING_Q_MGR, MQHB_NONE, MQHB_NONE, MQHB_NONE, MQHO_NONE, MQHO_NONE);

    /* What is not a command, options that are none, and an answer that does not come in time. */
    SUCCEEDS(mqAddInquiry, parameters, MQCA_Q_DESC);
    FAILS(MQRC_INQUIRY_COMMAND_ERROR, mqExecute, c, MQCMD_PING_Q_MGR, MQHB_NONE, parameters, replies, MQHO_NONE, MQHO_NONE);
    REFUSED(MQRC_COMMAND_TYPE_ERROR, mqExecute, c, MQCMD_PING_Q_MGR, MQHB_NONE, made(MQCBO_USER_BAG), replies, MQHO_NONE, MQHO_NONE);
    SUCCEEDS(mqSetInteger, options, MQIACF_WAIT_INTERVAL, 0, -7);
    FAILS(MQRC_WAIT_INTERVAL_ERROR, mqExecute, c, MQCMD_PING_Q_MGR, options, MQHB_NONE, replies, MQHO_NONE, MQHO_NONE);
    SUCCEEDS(mqAddInteger, options, 5, 5);
    FAILS(MQRC_OPTIONS_ERROR, mqExecute, c, MQCMD_PING_Q_MGR, options, MQHB_NONE, replies, MQHO_NONE, MQHO_NONE);
    SUCCEEDS(mqDeleteItem, options, 5, 0);
    SUCCEEDS(mqSetInteger, options, MQIACF_WAIT_INTERVAL, 0, 100);
    commands = opened(c, "B", MQOO_OUTPUT);
    FAILS(MQRC_NO_MSG_AVAILABLE, mqExecute, c, MQCMD_PING_Q_MGR, options, MQHB_NONE, replies, commands, MQHO_NONE);
    HOLDS(answers(replies) == 0);
    /* Nor one of which only a part comes; the command before has expired. */
    SUCCEEDS(mqSetInteger, options, MQIACF_WAIT_INTERVAL, 0, 2000);
    HOLDS(pthread_create(&server, NULL, answers_in_part, NULL) == 0);
    WARNS(MQRC_NO_MSG_AVAILABLE, mqExecute, c, MQCMD_PING_Q_MGR, options, MQHB_NONE, replies, commands, MQHO_NONE);
    HOLDS(pthread_join(server, NULL) == 0 && answers(replies) == 1);
    FAILS(MQRC_HCONN_ERROR, mqExecute, 4711, MQCMD_PING_Q_MGR, MQHB_NONE, MQHB_NONE, replies, MQHO_NONE, MQHO_NONE);
    SUCCEEDS(mqDeleteBag, &parameters);
    SUCCEEDS(mqDeleteBag, &replies);
    SUCCEEDS(MQDISC, &c);
    return 0;
}
