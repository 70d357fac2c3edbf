/* A connection over TLS, as the arguments KEY=VALUE say: by a channel of MQCD where there is an address (at), else by what the environment
   and its files say. It puts a message and gets it back, and prints the user that the message bears; or the reason for which MQCONNX fails. */
#include "expect.h"

static MQCNO how = {MQCNO_DEFAULT};
static MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};
static MQSCO secure = {MQSCO_DEFAULT};
static MQCSP security = {MQCSP_DEFAULT};

static void is_told(const char *key, char *value)
{
    if (strcmp(key, "at") == 0) {
        how.ClientConnPtr = &channel;
        strncpy(channel.ConnectionName, value, sizeof channel.ConnectionName);
    } else if (strcmp(key, "channel") == 0) {
        strncpy(channel.ChannelName, value, sizeof channel.ChannelName);
    } else if (strcmp(key, "cipher") == 0) {
        strncpy(channel.SSLCipherSpec, value, sizeof channel.SSLCipherSpec);
    } else if (strcmp(key, "peer") == 0) {
        channel.SSLPeerNamePtr = value;
        channel.SSLPeerNameLength = (MQLONG)strlen(value);
    } else if (strcmp(key, "certlabl") == 0) {
        strncpy(channel.CertificateLabel, value, sizeof channel.CertificateLabel);
    } else if (strcmp(key, "store") == 0) {
        how.SSLConfigPtr = &secure;
        strncpy(secure.KeyRepository, value, sizeof secure.KeyRepository);
    } else if (strcmp(key, "label") == 0) {
        strncpy(secure.CertificateLabel, value, sizeof secure.CertificateLabel);
    } else if (strcmp(key, "hardware") == 0) {
        strncpy(secure.CryptoHardware, value, sizeof secure.CryptoHardware);
    } else if (strcmp(key, "fips") == 0) {
        secure.FipsRequired = atoi(value);
    } else if (strcmp(key, "suiteb") == 0) {
        secure.EncryptionPolicySuiteB[0] = atoi(value);
    } else if (strcmp(key, "password") == 0) {
        secure.KeyRepoPasswordPtr = value;
        secure.KeyRepoPasswordLength = (MQLONG)strlen(value);
    } else if (strcmp(key, "records") == 0) {
        secure.AuthInfoRecCount = atoi(value);
    } else if (strcmp(key, "reset") == 0) {
        secure.KeyResetCount = atoi(value);
    } else if (strcmp(key, "policy") == 0) {
        secure.CertificateValPolicy = atoi(value);
    } else if (strcmp(key, "user") == 0) {
        how.SecurityParmsPtr = &security;
        security.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD;
        security.CSPUserIdPtr = value;
        security.CSPUserIdLength = (MQLONG)strlen(value);
        security.CSPPasswordPtr = "secret";
        security.CSPPasswordLength = 6;
    } else {
        HOLDS(!"a key that is known");
    }
}

int main(int count, char **arguments)
{
    MQHCONN c = MQHC_UNUSABLE_HCONN;
    MQOD queue = {MQOD_DEFAULT};
    MQMD message = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    MQHOBJ q;
    int i;

    how.Version = MQCNO_CURRENT_VERSION;
    how.Options = MQCNO_CLIENT_BINDING;
    secure.Version = MQSCO_CURRENT_VERSION;
    channel.Version = MQCD_CURRENT_VERSION;
    for (i = 1; i < count; i++) {
        char *value = strchr(arguments[i], '=');
        HOLDS(value != NULL);
        *value++ = '\0';
        is_told(arguments[i], value);
    }
    MQCONNX((PMQCHAR) "QM1", &how, &c, &CompCode, &Reason);
    if (CompCode != MQCC_OK) {
        printf("%d\n", (int)Reason);
        return 0;
    }
    strncpy(queue.ObjectName, "A", sizeof queue.ObjectName);
    SUCCEEDS(MQPUT1, c, &queue, &message, &put, 6, "tested");
    q = opened(c, "A", BOTH);
    get_text(c, q, "tested", MQGMO_NO_SYNCPOINT);
    SUCCEEDS(MQCLOSE, c, &q, MQCO_NONE);
    SUCCEEDS(MQDISC, &c);
    printf("put and got as %.12s\n", message.UserIdentifier);
    return 0;
}
