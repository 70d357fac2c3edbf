/* Calls that a function may not make while it is called, whatever it is called for; those that it may; and those that nobody else may make
   with the same handle meanwhile. */
#include "every_call.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int messages, calls[16];
static MQHCONN used, other;
static MQHOBJ consumed, others;
static MQHMSG message_handle;

/* What no function may do with the connection that it is called by. */
static void tries_what_is_forbidden(void)
{
    MQHCONN copy = used;
    MQCTLO control = {MQCTLO_DEFAULT};
    FAILS(MQRC_CALL_IN_PROGRESS, MQDISC, &copy);
    HOLDS(copy == used);
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCTL, used, MQOP_START_WAIT, &control);
    /* It would wait there for another connection, which has something to call as well. */
    FAILS(MQRC_ENVIRONMENT_ERROR, MQCTL, other, MQOP_START_WAIT, &control);
    FAILS(MQRC_OPERATION_ERROR, MQCTL, used, MQOP_START | MQOP_STOP, &control);
    FAILS(MQRC_OPERATION_ERROR, MQCTL, used, 0, &control);
}

/* What MQCTL allows depends on what was asked of it before. */
static void controls(void)
{
    MQCTLO control = {MQCTLO_DEFAULT};
    SUCCEEDS(MQCTL, used, MQOP_SUSPEND, &control);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_START, &control);
    SUCCEEDS(MQCTL, used, MQOP_STOP, &control);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_SUSPEND, &control);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_RESUME, &control);
    /* A start takes a stop back. */
    SUCCEEDS(MQCTL, used, MQOP_START, &control);
}

static void MQENTRY never(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body, (void)context;
    HOLDS(0);
}

/* It may connect, and disconnect what it has connected. */
static void connects(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQHCONN own;
    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &own);
    HOLDS(own != used);
    put_text(own, opened(own, "B", MQOO_OUTPUT), "from a function", 0);
    SUCCEEDS(MQDISC, &own);
}

/* It registers and deregisters another, which is told nothing. */
static void registers(MQHCONN c)
{
    MQCBD description = {MQCBD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    FAILS(MQRC_CALLBACK_NOT_REGISTERED, MQCB, c, MQOP_SUSPEND, NULL, others, NULL, NULL);
    FAILS(MQRC_CALLBACK_ROUTINE_ERROR, MQCB, c, MQOP_REGISTER, &description, others, &d, &get);
    description.CallbackFunction = (MQPTR)never;
    FAILS(MQRC_OPERATION_ERROR, MQCB, c, MQOP_REGISTER | MQOP_DEREGISTER, &description, others, &d, &get);
    SUCCEEDS(MQCB, c, MQOP_REGISTER | MQOP_SUSPEND, &description, others, &d, &get);
    SUCCEEDS(MQCB, c, MQOP_DEREGISTER, NULL, others, NULL, NULL);
}

/* Every call of a thread that is not the one which calls functions. */
static void *elsewhere(void *unused)
{
    struct given given = {{MQOD_DEFAULT}, {MQSD_DEFAULT}, {MQCBD_DEFAULT}};
    MQCTLO control = {MQCTLO_DEFAULT};
    strcpy(given.object.ObjectName, "A");
    given.subscription.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
    given.subscription.ObjectString.VSPtr = (PMQVOID) "a";
    given.subscription.ObjectString.VSLength = 1;
    given.consumer.CallbackFunction = (MQPTR)never;
    every_call_fails(MQRC_HCONN_ASYNC_ACTIVE, used, consumed, message_handle, &given);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_START_WAIT, &control);
    return unused;
}

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)md, (void)gmo, (void)body;
    HOLDS(c == used);
    calls[context->CallType]++;
    tries_what_is_forbidden();
    if (context->CallType != MQCBCT_MSG_REMOVED)
        return;
    controls();
    connects();
    registers(c);
    {
        pthread_t thread;
        HOLDS(pthread_create(&thread, NULL, elsewhere, NULL) == 0 && pthread_join(thread, NULL) == 0);
    }
    pthread_mutex_lock(&lock);
    messages++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void MQENTRY handle_event(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c, (void)md, (void)gmo, (void)body;
    HOLDS(context->CallType == MQCBCT_REGISTER_CALL || context->CallType == MQCBCT_DEREGISTER_CALL);
    calls[0]++;
    tries_what_is_forbidden();
}

static MQHCONN shared(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQHCONN c;
    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &c);
    return c;
}

int main(void)
{
    MQCBD consumer = {MQCBD_DEFAULT}, handler = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQCMHO create = {MQCMHO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQHOBJ put_to;

    used = shared();
    other = shared();
    consumed = opened(used, "A", MQOO_INPUT_SHARED | MQOO_OUTPUT);
    others = opened(used, "B", MQOO_INPUT_SHARED);
    put_to = opened(other, "A", MQOO_INPUT_SHARED | MQOO_OUTPUT);
    SUCCEEDS(MQCRTMH, used, &create, &message_handle);
    consumer.CallbackFunction = (MQPTR)never;
    SUCCEEDS(MQCB, other, MQOP_REGISTER, &consumer, put_to, &d, &get);

    consumer.CallbackFunction = (MQPTR)consume;
    consumer.Options = MQCBDO_REGISTER_CALL | MQCBDO_START_CALL | MQCBDO_STOP_CALL | MQCBDO_DEREGISTER_CALL;
    SUCCEEDS(MQCB, used, MQOP_REGISTER, &consumer, consumed, &d, &get);
    handler.CallbackType = MQCBT_EVENT_HANDLER;
    handler.CallbackFunction = (MQPTR)handle_event;
    handler.Options = MQCBDO_REGISTER_CALL | MQCBDO_DEREGISTER_CALL;
    SUCCEEDS(MQCB, used, MQOP_REGISTER, &handler, MQHO_NONE, NULL, NULL);
    SUCCEEDS(MQCTL, used, MQOP_START, &control);
    put_text(other, put_to, "message", 0);
    pthread_mutex_lock(&lock);
    while (messages < 1)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    /* It is started still, and may be stopped from here. */
    elsewhere(NULL);
    SUCCEEDS(MQCTL, used, MQOP_STOP, &control);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_SUSPEND, &control);
    FAILS(MQRC_OPERATION_NOT_ALLOWED, MQCTL, used, MQOP_RESUME, &control);
    SUCCEEDS(MQCB, used, MQOP_DEREGISTER, NULL, consumed, NULL, NULL);
    SUCCEEDS(MQCB, used, MQOP_DEREGISTER, &handler, MQHO_NONE, NULL, NULL);
    HOLDS(calls[MQCBCT_REGISTER_CALL] == 1 && calls[MQCBCT_START_CALL] == 1 && calls[MQCBCT_STOP_CALL] == 1);
    HOLDS(calls[MQCBCT_DEREGISTER_CALL] == 1 && calls[0] == 2);
    get_text(used, others, "from a function", 0);
    get_nothing(used, consumed, 0);
    SUCCEEDS(MQDISC, &used);
    SUCCEEDS(MQDISC, &other);
    printf("MQRC_CALL_IN_PROGRESS\nMQRC_ENVIRONMENT_ERROR\nMQRC_OPERATION_NOT_ALLOWED\n");
    return 0;
}
