/* Functions that are called with messages. */
#include "expect.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int messages, empty, events, registered, started, ended, failures;
static MQHOBJ replies;
static char area[] = "area", connection_area[] = "connection area";
static char other_area[] = "other area", other_connection_area[] = "other connection area";
/* What a function leaves in its context it finds there again. */
static char *left = area, *left_for_all = connection_area;

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    int is_right = memcmp(context->StrucId, MQCBC_STRUC_ID, 4) == 0 && context->CallbackArea == left;
    MQLONG completion, reason;
    pthread_mutex_lock(&lock);
    switch (context->CallType) {
    case MQCBCT_REGISTER_CALL:
        registered++;
        break;
    case MQCBCT_DEREGISTER_CALL:
        ended++;
        break;
    case MQCBCT_START_CALL:
        is_right = is_right && context->ConnectionArea == left_for_all;
        started++;
        break;
    case MQCBCT_STOP_CALL:
        started--;
        break;
    case MQCBCT_MSG_REMOVED: {
        MQMD d = {MQMD_DEFAULT};
        MQPMO put = {MQPMO_DEFAULT};
        MQHCONN copy = c;
        PMQMD got = md;
        PMQGMO how = gmo;
        is_right = is_right && context->ConnectionArea == left_for_all;
        context->CallbackArea = left = other_area;
        context->ConnectionArea = left_for_all = other_connection_area;
        if (context->DataLength == 0) {
            is_right = is_right && body == NULL && context->BufferLength == 0;
            MQCMIT(c, &completion, &reason);
            empty++;
            break;
        }
        is_right = is_right && got->Version == MQMD_VERSION_1 && how->Version == MQGMO_CURRENT_VERSION;
        is_right = is_right && context->DataLength == 7 && context->BufferLength == 7 && memcmp(body, "message", 7) == 0;
        is_right = is_right && memcmp(got->Format, MQFMT_STRING, 8) == 0;
        /* It answers through the connection it is called by, and may not end it. */
        put.Options = MQPMO_SYNCPOINT;
        MQPUT(c, replies, &d, &put, 5, "reply", &completion, &reason);
        is_right = is_right && completion == MQCC_OK;
        MQCMIT(c, &completion, &reason);
        is_right = is_right && completion == MQCC_OK;
        MQDISC(&copy, &completion, &reason);
        is_right = is_right && reason == MQRC_CALL_IN_PROGRESS && copy == c;
        messages++;
        break;
    }
    default:
        is_right = 0;
    }
    if (!is_right)
        failures++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void MQENTRY handle(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)c;
    pthread_mutex_lock(&lock);
    if (context->CallType == MQCBCT_DEREGISTER_CALL && context->ConnectionArea != other_connection_area)
        failures++;
    if (md || gmo || body || context->Hobj != MQHO_NONE)
        failures++;
    events++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for(const int *count, int wanted)
{
    pthread_mutex_lock(&lock);
    while (*count < wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    HOLDS(failures == 0);
}

int main(void)
{
    MQCNO share = {MQCNO_DEFAULT};
    MQCBD consumer = {MQCBD_DEFAULT}, handler = {MQCBD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQHCONN c, other;
    MQHOBJ q, put_to;
    int i;

    share.Options = MQCNO_HANDLE_SHARE_BLOCK;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &share, &c);
    other = connected();
    q = opened(c, "A", MQOO_INPUT_SHARED);
    replies = opened(c, "B", MQOO_OUTPUT);
    put_to = opened(other, "A", MQOO_OUTPUT);

    FAILS(MQRC_CBD_ERROR, MQCB, c, MQOP_REGISTER, NULL, q, &d, &get);
    FAILS(MQRC_CALLBACK_ROUTINE_ERROR, MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    strcpy(consumer.CallbackName, "library(function)");
    REFUSED(MQRC_MODULE_NOT_FOUND, MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    FAILS(MQRC_CALLBACK_NOT_REGISTERED, MQCB, c, MQOP_DEREGISTER, NULL, q, NULL, NULL);
    FAILS(MQRC_OPERATION_ERROR, MQCTL, c, 77, &control);
    control.Version = 99;
    REFUSED(MQRC_CTLO_ERROR, MQCTL, c, MQOP_START, &control);
    control.Version = MQCTLO_VERSION_1;

    consumer.CallbackFunction = (MQPTR)consume;
    FAILS(MQRC_CALLBACK_ROUTINE_ERROR, MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    memset(consumer.CallbackName, 0, sizeof consumer.CallbackName);
    consumer.CallbackArea = area;
    consumer.Options = MQCBDO_REGISTER_CALL | MQCBDO_DEREGISTER_CALL | MQCBDO_START_CALL | MQCBDO_STOP_CALL;
    get.Options = MQGMO_SYNCPOINT;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    handler.CallbackType = MQCBT_EVENT_HANDLER;
    handler.CallbackFunction = (MQPTR)handle;
    handler.Options = MQCBDO_REGISTER_CALL | MQCBDO_DEREGISTER_CALL;
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &handler, MQHO_NONE, NULL, NULL);
    HOLDS(registered == 1 && events == 1);

    control.ConnectionArea = connection_area;
    SUCCEEDS(MQCTL, c, MQOP_START, &control);
    HOLDS(started == 1);
    FAILS(MQRC_HCONN_ASYNC_ACTIVE, MQCMIT, c);
    control.ConnectionArea = area;
    FAILS(MQRC_HCONN_ASYNC_ACTIVE, MQCTL, c, MQOP_START, &control);
    for (i = 0; i < 10; i++)
        put_text(other, put_to, "message", 0);
    wait_for(&messages, 10);
    put_text(other, put_to, "", 0);
    wait_for(&empty, 1);

    /* As programs do around every call of theirs: suspend, call, resume. */
    SUCCEEDS(MQCTL, c, MQOP_SUSPEND, &control);
    put_text(other, put_to, "message", 0);
    SUCCEEDS(MQCMIT, c);
    HOLDS(messages == 10);
    SUCCEEDS(MQCTL, c, MQOP_RESUME, &control);
    wait_for(&messages, 11);
    SUCCEEDS(MQCTL, c, MQOP_STOP, &control);
    HOLDS(started == 0);
    SUCCEEDS(MQCB, c, MQOP_DEREGISTER, NULL, q, NULL, NULL);
    HOLDS(ended == 1 && failures == 0);
    {
        MQHOBJ answers = opened(other, "B", MQOO_INPUT_SHARED);
        for (i = 0; i < 11; i++)
            get_text(other, answers, "reply", 0);
        get_nothing(other, answers, 0);
    }
    SUCCEEDS(MQDISC, &c);
    HOLDS(events == 2 && failures == 0);
    SUCCEEDS(MQDISC, &other);
    return 0;
}
