/* Every structure with an identifier or a version that is none of its own is refused by the call it is given to, for the reason that
   names it; and so is each with a handle that no longer is one, or is another thread's. */
#include "every_call.h"
#include <pthread.h>

static MQHCONN c;
static MQHOBJ q;
static MQHMSG m;

static const MQLONG versions[] = {0, -1, 1, 99, 0x7fffffff, (MQLONG)0x80000000};

/* Versions that there are not, of which one is the next that there might be; then the identifier of nothing. */
#define REFUSES(structure, current, why, call, ...)                                   \
    do {                                                                              \
        size_t i_;                                                                    \
        MQLONG good_ = (structure).Version;                                           \
        for (i_ = 0; i_ < sizeof versions / sizeof *versions; i_++) {                 \
            (structure).Version = versions[i_] == 1 ? (current) + 1 : versions[i_];   \
            FAILS(why, call, __VA_ARGS__);                                            \
        }                                                                             \
        (structure).Version = good_;                                                  \
        memcpy((structure).StrucId, "XX  ", 4);                                       \
        FAILS(why, call, __VA_ARGS__);                                                \
        memset((structure).StrucId, 0, 4);                                            \
        FAILS(why, call, __VA_ARGS__);                                                \
    } while (0)

static void of_messages(void)
{
    MQOD object = {MQOD_DEFAULT};
    MQMD put_md = {MQMD_DEFAULT}, get_md = {MQMD_DEFAULT}, good = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQBO begin = {MQBO_DEFAULT};
    MQSTS status = {MQSTS_DEFAULT};
    MQHOBJ handle;
    MQLONG length = 77;
    char buffer[8];

    strcpy(object.ObjectName, "A");
    REFUSES(object, MQOD_CURRENT_VERSION, MQRC_OD_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    REFUSES(object, MQOD_CURRENT_VERSION, MQRC_OD_ERROR, MQPUT1, c, &object, &good, NULL, 1, "x");
    REFUSES(put_md, MQMD_CURRENT_VERSION, MQRC_MD_ERROR, MQPUT, c, q, &put_md, NULL, 1, "x");
    REFUSES(get_md, MQMD_CURRENT_VERSION, MQRC_MD_ERROR, MQGET, c, q, &get_md, NULL, 8, buffer, &length);
    REFUSES(put, MQPMO_CURRENT_VERSION, MQRC_PMO_ERROR, MQPUT, c, q, &good, &put, 1, "x");
    REFUSES(get, MQGMO_CURRENT_VERSION, MQRC_GMO_ERROR, MQGET, c, q, &good, &get, 8, buffer, &length);
    REFUSES(begin, MQBO_CURRENT_VERSION, MQRC_BO_ERROR, MQBEGIN, c, &begin);
    REFUSES(status, MQSTS_CURRENT_VERSION, MQRC_STS_ERROR, MQSTAT, c, MQSTAT_TYPE_ASYNC_ERROR, &status);
    HOLDS(length == 77);
    get_nothing(c, q, 0);
}

static void of_subscriptions(void)
{
    MQSD subscription = {MQSD_DEFAULT};
    MQSRO request = {MQSRO_DEFAULT};
    MQHOBJ managed = MQHO_NONE, handle;

    subscription.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
    subscription.ObjectString.VSPtr = (PMQVOID) "structures";
    subscription.ObjectString.VSLength = MQVS_NULL_TERMINATED;
    REFUSES(subscription, MQSD_CURRENT_VERSION, MQRC_SD_ERROR, MQSUB, c, &subscription, &managed, &handle);
    HOLDS(handle == MQHO_UNUSABLE_HOBJ && managed == MQHO_NONE);
    REFUSES(request, MQSRO_CURRENT_VERSION, MQRC_SRO_ERROR, MQSUBRQ, c, q, MQSR_ACTION_PUBLICATION, &request);
}

static void of_consumers(void)
{
    MQCBD consumer = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};

    REFUSES(consumer, MQCBD_CURRENT_VERSION, MQRC_CBD_ERROR, MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    REFUSES(control, MQCTLO_CURRENT_VERSION, MQRC_CTLO_ERROR, MQCTL, c, MQOP_START, &control);
}

static void of_properties(void)
{
    MQCMHO create = {MQCMHO_DEFAULT};
    MQDMHO delete = {MQDMHO_DEFAULT};
    MQSMPO set = {MQSMPO_DEFAULT}, set_well = {MQSMPO_DEFAULT};
    MQIMPO inquire = {MQIMPO_DEFAULT}, inquire_well = {MQIMPO_DEFAULT};
    MQDMPO forget = {MQDMPO_DEFAULT};
    MQBMHO from = {MQBMHO_DEFAULT};
    MQMHBO to = {MQMHBO_DEFAULT};
    MQPD of_set = {MQPD_DEFAULT}, of_inquire = {MQPD_DEFAULT}, good = {MQPD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQCHARV name = {MQCHARV_DEFAULT};
    MQHMSG handle = m;
    MQLONG type, length;
    char buffer[64] = "";

    name.VSPtr = (PMQVOID) "a";
    name.VSLength = 1;
    REFUSES(create, MQCMHO_CURRENT_VERSION, MQRC_CMHO_ERROR, MQCRTMH, c, &create, &handle);
    handle = m;
    REFUSES(delete, MQDMHO_CURRENT_VERSION, MQRC_DMHO_ERROR, MQDLTMH, c, &handle, &delete);
    REFUSES(set, MQSMPO_CURRENT_VERSION, MQRC_SMPO_ERROR, MQSETMP, c, m, &set, &name, &good, MQTYPE_STRING, 1, "x");
    REFUSES(of_set, MQPD_CURRENT_VERSION, MQRC_PD_ERROR, MQSETMP, c, m, &set_well, &name, &of_set, MQTYPE_STRING, 1, "x");
    REFUSES(inquire, MQIMPO_CURRENT_VERSION, MQRC_IMPO_ERROR, MQINQMP, c, m, &inquire, &name, &good, &type,
            (MQLONG)sizeof buffer, buffer, &length);
    REFUSES(of_inquire, MQPD_CURRENT_VERSION, MQRC_PD_ERROR, MQINQMP, c, m, &inquire_well, &name, &of_inquire, &type,
            (MQLONG)sizeof buffer, buffer, &length);
    REFUSES(forget, MQDMPO_CURRENT_VERSION, MQRC_DMPO_ERROR, MQDLTMP, c, m, &forget, &name);
    REFUSES(from, MQBMHO_CURRENT_VERSION, MQRC_BMHO_ERROR, MQBUFMH, c, m, &from, &d, (MQLONG)sizeof buffer, buffer, &length);
    REFUSES(to, MQMHBO_CURRENT_VERSION, MQRC_MHBO_ERROR, MQMHBUF, c, m, &to, &name, &d, (MQLONG)sizeof buffer, buffer,
            &length);
    /* Nothing was set, and the handle is one. */
    WARNS(MQRC_PROPERTY_NOT_AVAILABLE, MQDLTMP, c, m, NULL, &name);
}

static void of_connections(void)
{
    MQCNO options = {MQCNO_DEFAULT}, with_others = {MQCNO_DEFAULT};
    MQCSP security = {MQCSP_DEFAULT};
    MQBNO balance = {MQBNO_DEFAULT};
    MQSCO secure = {MQSCO_DEFAULT};
    MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};
    MQHCONN other;
    size_t i;

    REFUSES(options, MQCNO_CURRENT_VERSION, MQRC_CNO_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    HOLDS(other == MQHC_UNUSABLE_HCONN);
    with_others.Version = MQCNO_CURRENT_VERSION;
    with_others.Options = MQCNO_HANDLE_SHARE_BLOCK;
    with_others.SecurityParmsPtr = &security;
    REFUSES(security, MQCSP_CURRENT_VERSION, MQRC_CSP_ERROR, MQCONNX, (PMQCHAR) "QM1", &with_others, &other);
    with_others.SecurityParmsPtr = NULL;
    with_others.Options |= MQCNO_CLIENT_BINDING;
    with_others.BalanceParmsPtr = &balance;
    REFUSES(balance, MQBNO_CURRENT_VERSION, MQRC_BNO_ERROR, MQCONNX, (PMQCHAR) "QM1", &with_others, &other);
    with_others.BalanceParmsPtr = NULL;
    with_others.SSLConfigPtr = &secure;
    REFUSES(secure, MQSCO_CURRENT_VERSION, MQRC_SCO_ERROR, MQCONNX, (PMQCHAR) "QM1", &with_others, &other);
    with_others.SSLConfigPtr = NULL;
    /* A channel has no identifier. */
    with_others.ClientConnPtr = &channel;
    strcpy(channel.ConnectionName, "127.0.0.1(1)");
    for (i = 0; i < sizeof versions / sizeof *versions; i++) {
        channel.Version = versions[i] == 1 ? MQCD_CURRENT_VERSION + 1 : versions[i];
        FAILS(MQRC_CD_ERROR, MQCONNX, (PMQCHAR) "QM1", &with_others, &other);
    }
}

/* Every call with a connection that is none of this thread: it was, it never was, it is another's. */
static void is_none(MQHCONN connection)
{
    struct given given = {{MQOD_DEFAULT}, {MQSD_DEFAULT}, {MQCBD_DEFAULT}};
    every_call_fails(MQRC_HCONN_ERROR, connection, q, m, &given);
    FAILS(MQRC_HCONN_ERROR, MQDISC, &connection);
}

static void *elsewhere(void *unused)
{
    is_none(c);
    return unused;
}

int main(void)
{
    MQCMHO create = {MQCMHO_DEFAULT};
    MQHCONN copy;
    pthread_t thread;

    c = connected();
    q = opened(c, "A", BOTH);
    SUCCEEDS(MQCRTMH, c, &create, &m);
    of_messages();
    of_subscriptions();
    of_consumers();
    of_properties();
    of_connections();
    /* It is not shared between threads, as nobody asked for that. */
    HOLDS(pthread_create(&thread, NULL, elsewhere, NULL) == 0 && pthread_join(thread, NULL) == 0);
    copy = c;
    SUCCEEDS(MQDISC, &c);
    HOLDS(c == MQHC_UNUSABLE_HCONN);
    is_none(copy);
    is_none(MQHC_UNUSABLE_HCONN);
    is_none(4711);
    return 0;
}
