/* What is wrong is refused with the reason that names it, and changes nothing. */
#include "expect.h"
#include <pthread.h>

static MQHCONN c;
static MQHOBJ q;

static void structures(void)
{
    MQOD object = {MQOD_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQSTS status = {MQSTS_DEFAULT};
    MQBO begin = {MQBO_DEFAULT};
    MQCNO connect = {MQCNO_DEFAULT};
    MQHOBJ handle = 77;
    MQHCONN other = 77;
    MQLONG length = 77;
    MQLONG versions[] = {0, -1, 99};
    char buffer[8];
    size_t i;

    FAILS(MQRC_OD_ERROR, MQOPEN, c, NULL, MQOO_OUTPUT, &handle);
    FAILS(MQRC_HOBJ_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, NULL);
    FAILS(MQRC_MD_ERROR, MQPUT, c, q, NULL, &put, 1, "x");
    FAILS(MQRC_MD_ERROR, MQGET, c, q, NULL, &get, 8, buffer, &length);
    REFUSED(MQRC_STS_ERROR, MQSTAT, c, MQSTAT_TYPE_ASYNC_ERROR, NULL);
    for (i = 0; i < 3; i++) {
        object.Version = d.Version = put.Version = get.Version = versions[i];
        status.Version = begin.Version = connect.Version = versions[i];
        FAILS(MQRC_OD_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
        HOLDS(handle == MQHO_UNUSABLE_HOBJ);
        FAILS(MQRC_MD_ERROR, MQPUT, c, q, &d, NULL, 1, "x");
        FAILS(MQRC_MD_ERROR, MQGET, c, q, &d, NULL, 8, buffer, &length);
        FAILS(MQRC_STS_ERROR, MQSTAT, c, MQSTAT_TYPE_ASYNC_ERROR, &status);
        REFUSED(MQRC_BO_ERROR, MQBEGIN, c, &begin);
        REFUSED(MQRC_CNO_ERROR, MQCONNX, (PMQCHAR) "QM1", &connect, &other);
        HOLDS(other == MQHC_UNUSABLE_HCONN);
        d.Version = 1;
        FAILS(MQRC_PMO_ERROR, MQPUT, c, q, &d, &put, 1, "x");
        FAILS(MQRC_GMO_ERROR, MQGET, c, q, &d, &get, 8, buffer, &length);
    }
    d.Version = put.Version = get.Version = object.Version = 1;
    memcpy(d.StrucId, "XX  ", 4);
    FAILS(MQRC_MD_ERROR, MQPUT, c, q, &d, NULL, 1, "x");
    memcpy(d.StrucId, MQMD_STRUC_ID, 4);
    memcpy(put.StrucId, "XX  ", 4);
    FAILS(MQRC_PMO_ERROR, MQPUT, c, q, &d, &put, 1, "x");
    memcpy(get.StrucId, "XX  ", 4);
    FAILS(MQRC_GMO_ERROR, MQGET, c, q, &d, &get, 8, buffer, &length);
    memcpy(object.StrucId, "XX  ", 4);
    FAILS(MQRC_OD_ERROR, MQPUT1, c, &object, &d, NULL, 1, "x");
    HOLDS(length == 77);
}

static void lengths_and_options(void)
{
    MQMD d = {MQMD_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQOD object = {MQOD_DEFAULT};
    MQHOBJ handle;
    MQLONG length = 77, selector = MQIA_MAX_Q_DEPTH, value;
    MQLONG converted, connection;
    char buffer[8], too_long[MQ_TOPIC_STR_LENGTH + 1];

    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQPUT, c, q, &d, NULL, -1, "x");
    FAILS(MQRC_BUFFER_ERROR, MQPUT, c, q, &d, NULL, 1, NULL);
    FAILS(MQRC_BUFFER_LENGTH_ERROR, MQGET, c, q, &d, &get, -1, buffer, &length);
    FAILS(MQRC_BUFFER_ERROR, MQGET, c, q, &d, &get, 1, NULL, &length);
    FAILS(MQRC_DATA_LENGTH_ERROR, MQGET, c, q, &d, &get, 8, buffer, NULL);
    SUCCEEDS(MQPUT, c, q, &d, NULL, 0, NULL);
    SUCCEEDS(MQGET, c, q, &d, NULL, 0, NULL, &length);
    HOLDS(length == 0);

    REFUSED(MQRC_SELECTOR_COUNT_ERROR, MQINQ, c, q, -1, &selector, 1, &value, 0, NULL);
    FAILS(MQRC_SELECTOR_COUNT_ERROR, MQINQ, c, q, 0x7fffffff, &selector, 1, &value, 0, NULL);
    FAILS(MQRC_SELECTOR_ERROR, MQINQ, c, q, 1, NULL, 1, &value, 0, NULL);
    REFUSED(MQRC_INT_ATTR_COUNT_ERROR, MQINQ, c, q, 1, &selector, -1, &value, 0, NULL);
    REFUSED(MQRC_INT_ATTRS_ARRAY_ERROR, MQINQ, c, q, 1, &selector, 1, NULL, 0, NULL);
    REFUSED(MQRC_CHAR_ATTR_LENGTH_ERROR, MQINQ, c, q, 1, &selector, 1, &value, -1, NULL);
    FAILS(MQRC_CHAR_ATTRS_ERROR, MQINQ, c, q, 1, &selector, 1, &value, 1, NULL);
    selector = 123456;
    FAILS(MQRC_SELECTOR_ERROR, MQINQ, c, q, 1, &selector, 1, &value, 0, NULL);
    FAILS(MQRC_STAT_TYPE_ERROR, MQSTAT, c, 99, &(MQSTS){MQSTS_DEFAULT});

    d.Persistence = 9;
    FAILS(MQRC_PERSISTENCE_ERROR, MQPUT, c, q, &d, NULL, 1, "x");
    d.Persistence = MQPER_PERSISTENCE_AS_Q_DEF;
    d.Expiry = 0;
    FAILS(MQRC_EXPIRY_ERROR, MQPUT, c, q, &d, NULL, 1, "x");
    d.Expiry = MQEI_UNLIMITED;
    put.Options = MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT;
    FAILS(MQRC_OPTIONS_ERROR, MQPUT, c, q, &d, &put, 1, "x");
    get.Options = MQGMO_WAIT;
    get.WaitInterval = -5;
    FAILS(MQRC_WAIT_INTERVAL_ERROR, MQGET, c, q, &d, &get, 8, buffer, &length);
    object.Version = MQOD_VERSION_2;
    object.RecsPresent = 2;
    REFUSED(MQRC_RECS_PRESENT_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.Version = MQOD_VERSION_4;
    object.RecsPresent = 0;
    object.ObjectString.VSLength = -7;
    object.ObjectString.VSPtr = (PMQVOID) "x";
    REFUSED(MQRC_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectString.VSPtr = NULL;
    object.ObjectString.VSLength = 7;
    FAILS(MQRC_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectString.VSPtr = (PMQVOID) "topic";
    object.ObjectString.VSOffset = 8;
    object.ObjectString.VSLength = 5;
    object.ObjectType = MQOT_TOPIC;
    FAILS(MQRC_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectString.VSOffset = 0;
    object.ObjectString.VSPtr = (PMQVOID) "     ";
    FAILS(MQRC_UNKNOWN_OBJECT_NAME, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectString.VSPtr = too_long;
    object.ObjectString.VSLength = sizeof too_long;
    memset(too_long, 't', sizeof too_long);
    FAILS(MQRC_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ObjectType = MQOT_Q;
    object.ObjectString.VSPtr = NULL;
    object.ObjectString.VSLength = 0;
    object.ResObjectString.VSPtr = buffer;
    REFUSED(MQRC_RES_OBJECT_STRING_ERROR, MQOPEN, c, &object, MQOO_OUTPUT, &handle);
    object.ResObjectString.VSBufSize = sizeof buffer;
    object.ResObjectString.VSOffset = 8;
    FAILS(MQRC_RES_OBJECT_STRING_ERROR, MQPUT1, c, &object, &d, NULL, 1, "x");

    SUCCEEDS(MQXCNVC, MQHC_DEF_HCONN, 0, 1208, 2, (PMQCHAR) "AB", 500, 8, buffer, &converted);
    HOLDS(converted == 2 && memcmp(buffer, "\xC1\xC2", 2) == 0);
    SUCCEEDS(MQXCNVC, c, MQDCC_FILL_TARGET_BUFFER, 1208, 2, (PMQCHAR) "AB", 819, 8, buffer, &converted);
    HOLDS(converted == 8 && memcmp(buffer, "AB      ", 8) == 0);
    for (connection = 0; connection < 2; connection++) {
        MQHCONN by = connection == 0 ? c : MQHC_DEF_HCONN;
        memset(buffer, '.', sizeof buffer);
        WARNS(MQRC_CONVERTED_MSG_TOO_BIG, MQXCNVC, by, 0, 819, 3, (PMQCHAR) "A\xE4\xF6", 1208, 4, buffer, &converted);
        HOLDS(converted == 3 && memcmp(buffer, "A\xC3\xA4.", 4) == 0);
        WARNS(MQRC_CONVERTED_MSG_TOO_BIG, MQXCNVC, by, MQDCC_FILL_TARGET_BUFFER, 819, 3, (PMQCHAR) "A\xE4\xF6", 1208, 4,
              buffer, &converted);
        HOLDS(converted == 4 && memcmp(buffer, "A\xC3\xA4 .", 5) == 0);
        WARNS(MQRC_CONVERTED_MSG_TOO_BIG, MQXCNVC, by, 0, 1208, 4, (PMQCHAR) "AB  ", 819, 2, buffer, &converted);
        SUCCEEDS(MQXCNVC, by, MQDCC_FILL_TARGET_BUFFER, 1208, 4, (PMQCHAR) "AB  ", 819, 2, buffer, &converted);
        HOLDS(converted == 2 && memcmp(buffer, "AB", 2) == 0);
        SUCCEEDS(MQXCNVC, by, MQDCC_FILL_TARGET_BUFFER, 1208, 4, (PMQCHAR) "A\0BC", 819, 2, buffer, &converted);
        HOLDS(converted == 2 && memcmp(buffer, "A", 2) == 0);
        WARNS(MQRC_CONVERTED_MSG_TOO_BIG, MQXCNVC, by, 0, 1208, 1, (PMQCHAR) "A", 819, 0, NULL, &converted);
        HOLDS(converted == 0);
        FAILS(MQRC_TARGET_LENGTH_ERROR, MQXCNVC, by, MQDCC_FILL_TARGET_BUFFER, 1208, 1, (PMQCHAR) "A", 1200, 3, buffer,
              &converted);
    }
    REFUSED(MQRC_SOURCE_BUFFER_ERROR, MQXCNVC, c, 0, 1208, 2, NULL, 819, 8, buffer, &converted);
    REFUSED(MQRC_TARGET_LENGTH_ERROR, MQXCNVC, c, 0, 1208, 2, (PMQCHAR) "AB", 819, -1, buffer, &converted);
    REFUSED(MQRC_SOURCE_LENGTH_ERROR, MQXCNVC, c, 0, 1208, -1, (PMQCHAR) "AB", 819, 8, buffer, &converted);
    REFUSED(MQRC_TARGET_BUFFER_ERROR, MQXCNVC, c, 0, 1208, 2, (PMQCHAR) "AB", 819, 8, NULL, &converted);
    FAILS(MQRC_HCONN_ERROR, MQXCNVC, 4711, 0, 1208, 2, (PMQCHAR) "AB", 819, 8, buffer, &converted);
}

static void subscriptions(void)
{
    MQSD subscription = {MQSD_DEFAULT};
    MQSRO request = {MQSRO_DEFAULT};
    MQHOBJ object = MQHO_NONE, handle;
    FAILS(MQRC_SD_ERROR, MQSUB, c, NULL, &object, &handle);
    FAILS(MQRC_HOBJ_ERROR, MQSUB, c, &subscription, NULL, &handle);
    FAILS(MQRC_OPTIONS_ERROR, MQSUB, c, &subscription, &object, &handle);
    FAILS(MQRC_HOBJ_ERROR, MQSUBRQ, c, 1, MQSR_ACTION_PUBLICATION, &request);
    FAILS(MQRC_ACTION_ERROR, MQSUBRQ, c, 1, 9, &request);
}

static void connecting(void)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQCSP security = {MQCSP_DEFAULT};
    MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};
    MQHCONN other;
    MQBNO balance = {MQBNO_DEFAULT};
    MQSCO secure = {MQSCO_DEFAULT};
    options.Version = MQCNO_VERSION_8;
    options.Options = MQCNO_CLIENT_BINDING;
    options.BalanceParmsPtr = &balance;
    balance.Version = 99;
    REFUSED(MQRC_BNO_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.BalanceParmsPtr = NULL;
    options.CCDTUrlPtr = (PMQCHAR) "file:///absent";
    options.CCDTUrlLength = -1;
    REFUSED(MQRC_CCDT_URL_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.CCDTUrlLength = 14;
    options.CCDTUrlOffset = 8;
    FAILS(MQRC_CCDT_URL_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.CCDTUrlPtr = NULL;
    options.CCDTUrlOffset = options.CCDTUrlLength = 0;
    options.SSLConfigPtr = &secure;
    options.SSLConfigOffset = 8;
    REFUSED(MQRC_SSL_CONFIG_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.SSLConfigOffset = 0;
    secure.Version = 99;
    REFUSED(MQRC_SCO_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.Version = MQSCO_CURRENT_VERSION;
    secure.AuthInfoRecCount = -1;
    REFUSED(MQRC_AUTH_INFO_REC_COUNT_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.AuthInfoRecCount = 0;
    secure.KeyResetCount = -1;
    REFUSED(MQRC_SSL_KEY_RESET_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.KeyResetCount = 0;
    secure.CertificateValPolicy = 99;
    REFUSED(MQRC_CERT_VAL_POLICY_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.CertificateValPolicy = MQ_CERT_VAL_POLICY_ANY;
    secure.FipsRequired = 2;
    FAILS(MQRC_SSL_CONFIG_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.FipsRequired = MQSSL_FIPS_NO;
    secure.KeyRepoPasswordLength = -1;
    FAILS(MQRC_KEY_REPOSITORY_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    secure.KeyRepoPasswordLength = 1;
    FAILS(MQRC_KEY_REPOSITORY_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.SSLConfigPtr = NULL;
    options.Version = MQCNO_VERSION_5;
    FAILS(MQRC_HCONN_ERROR, MQCONN, (PMQCHAR) "QM1", NULL);
    FAILS(MQRC_Q_MGR_NAME_ERROR, MQCONN, (PMQCHAR) "ABSENT", &other);
    options.Options = MQCNO_CLIENT_BINDING | MQCNO_FASTPATH_BINDING;
    FAILS(MQRC_OPTIONS_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.Options = MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK;
    FAILS(MQRC_OPTIONS_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.Options = MQCNO_HANDLE_SHARE_BLOCK;
    options.SecurityParmsPtr = &security;
    security.AuthenticationType = 99;
    REFUSED(MQRC_CSP_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.SecurityParmsPtr = NULL;
    options.Options |= MQCNO_CLIENT_BINDING;
    options.ClientConnPtr = &channel;
    options.ClientConnOffset = 8;
    REFUSED(MQRC_CLIENT_CONN_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    options.ClientConnOffset = 0;
    channel.Version = 99;
    REFUSED(MQRC_CD_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    channel.Version = MQCD_VERSION_11;
    channel.TransportType = MQXPT_LU62;
    FAILS(MQRC_CD_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    channel.TransportType = MQXPT_TCP;
    REFUSED(MQRC_CHANNEL_CONFIG_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    strcpy(channel.ConnectionName, "127.0.0.1(1)");
    FAILS(MQRC_HOST_NOT_AVAILABLE, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    strcpy(channel.SSLCipherSpec, "ANY_TLS12_OR_HIGHER");
    /* Nothing names keys; a name of the partner has a place and a length that such have. */
    REFUSED(MQRC_KEY_REPOSITORY_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    channel.SSLPeerNameLength = 4;
    REFUSED(MQRC_SSL_PEER_NAME_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    channel.SSLPeerNamePtr = &channel;
    channel.SSLPeerNameLength = -1;
    FAILS(MQRC_SSL_PEER_NAME_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
    channel.SSLPeerNameLength = MQ_DISTINGUISHED_NAME_LENGTH + 1;
    FAILS(MQRC_SSL_PEER_NAME_ERROR, MQCONNX, (PMQCHAR) "QM1", &options, &other);
}

static void *elsewhere(void *unused)
{
    MQMD d = {MQMD_DEFAULT};
    MQHCONN copy = c;
    (void)unused;
    FAILS(MQRC_HCONN_ERROR, MQPUT, c, q, &d, NULL, 1, "x");
    FAILS(MQRC_HCONN_ERROR, MQCMIT, c);
    FAILS(MQRC_HCONN_ERROR, MQDISC, &copy);
    return NULL;
}

int main(void)
{
    MQHCONN copy;
    MQMD d = {MQMD_DEFAULT};
    MQLONG length;
    pthread_t thread;
    char buffer[8];

    c = connected();
    q = opened(c, "A", BOTH);
    structures();
    lengths_and_options();
    subscriptions();
    connecting();
    HOLDS(pthread_create(&thread, NULL, elsewhere, NULL) == 0 && pthread_join(thread, NULL) == 0);

    /* Nobody asks how it ended. */
    MQCMIT(c, NULL, NULL);
    /* Handles that are none, and one that was. */
    FAILS(MQRC_HOBJ_ERROR, MQPUT, c, 4711, &d, NULL, 1, "x");
    FAILS(MQRC_HOBJ_ERROR, MQPUT, c, -1, &d, NULL, 1, "x");
    copy = c;
    SUCCEEDS(MQDISC, &c);
    FAILS(MQRC_HCONN_ERROR, MQPUT, copy, q, &d, NULL, 1, "x");
    FAILS(MQRC_HCONN_ERROR, MQGET, copy, q, &d, NULL, 8, buffer, &length);
    FAILS(MQRC_HCONN_ERROR, MQCMIT, copy);
    FAILS(MQRC_HCONN_ERROR, MQBACK, MQHC_UNUSABLE_HCONN);
    return 0;
}
