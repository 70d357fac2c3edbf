/* Connects to the queue manager that is named as the arguments say, and says how that ended and at which queue manager.
   connecting NAME [standard|client|fastpath|mqcno|ccdt|options] [TEXT [CHANNEL [PASSWORD]]]
   connecting NAME for_clients OPTIONS FIELD, where FIELD is one that counts for clients alone, with a fault */
#include "expect.h"

static MQCD unset = {MQCD_CLIENT_CONN_DEFAULT};
static MQSCO secure = {MQSCO_DEFAULT};
static MQBNO balance = {MQBNO_DEFAULT};

static void give_fault(MQCNO *options, const char *field)
{
    options->Version = MQCNO_VERSION_8;
    if (strcmp(field, "table") == 0) {
        options->CCDTUrlPtr = (PMQCHAR) "http://absent";
        options->CCDTUrlLength = -1;
    } else if (strcmp(field, "security") == 0) {
        options->SSLConfigPtr = &secure;
        secure.Version = MQSCO_CURRENT_VERSION;
        secure.KeyResetCount = -1;
    } else if (strcmp(field, "balance") == 0) {
        options->BalanceParmsPtr = &balance;
        balance.Version = 99;
    } else {
        options->ClientConnPtr = &unset;
        if (strcmp(field, "version") == 0)
            unset.Version = 99;
        if (strcmp(field, "transport") == 0)
            unset.TransportType = MQXPT_LU62;
        if (strcmp(field, "type") == 0)
            unset.ChannelType = MQCHT_SENDER;
        if (strcmp(field, "address") == 0)
            strcpy(unset.ConnectionName, "host(0)");
        if (strcmp(field, "places") == 0)
            options->ClientConnOffset = 8;
    }
}

int main(int count, char **arguments)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQCSP security = {MQCSP_DEFAULT};
    MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};
    MQHCONN c;
    MQHOBJ manager;
    MQOD object = {MQOD_DEFAULT};
    MQLONG selector = MQCA_Q_MGR_NAME;
    MQCHAR48 name;
    char text[49];
    const char *way = count > 2 ? arguments[2] : "standard";

    strncpy(name, count > 1 ? arguments[1] : "", sizeof name);
    if (strcmp(way, "client") == 0)
        options.Options = MQCNO_CLIENT_BINDING;
    if (strcmp(way, "fastpath") == 0)
        options.Options = MQCNO_FASTPATH_BINDING;
    if (strcmp(way, "mqcno") == 0) {
        options.Version = MQCNO_VERSION_7;
        options.Options = MQCNO_CLIENT_BINDING;
        options.ClientConnPtr = &channel;
        strncpy(channel.ConnectionName, arguments[3], sizeof channel.ConnectionName);
        strncpy(channel.ChannelName, count > 4 ? arguments[4] : "DEV.APP", sizeof channel.ChannelName);
        options.SecurityParmsPtr = &security;
        security.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD;
        security.CSPUserIdPtr = (MQPTR) "somebody";
        security.CSPUserIdLength = 8;
        if (count > 5) {
            security.CSPPasswordPtr = arguments[5];
            security.CSPPasswordLength = (MQLONG)strlen(arguments[5]);
        }
        memcpy(options.ApplName, "named by itself             ", 28);
    }
    if (strcmp(way, "ccdt") == 0) {
        options.Version = MQCNO_VERSION_6;
        options.Options = MQCNO_CLIENT_BINDING;
        options.CCDTUrlPtr = arguments[3];
        options.CCDTUrlLength = (MQLONG)strlen(arguments[3]);
    }
    if (strcmp(way, "for_clients") == 0)
        give_fault(&options, arguments[4]);
    if (strcmp(way, "options") == 0 || strcmp(way, "for_clients") == 0)
        options.Options = (MQLONG)strtol(arguments[3], NULL, 0);
    MQCONNX(name, &options, &c, &CompCode, &Reason);
    if (CompCode == MQCC_FAILED) {
        HOLDS(c == MQHC_UNUSABLE_HCONN);
        printf("%d\n", (int)Reason);
        return 0;
    }
    object.ObjectType = MQOT_Q_MGR;
    SUCCEEDS(MQOPEN, c, &object, MQOO_INQUIRE, &manager);
    memset(text, 0, sizeof text);
    SUCCEEDS(MQINQ, c, manager, 1, &selector, 0, NULL, 48, text);
    printf("%.*s\n", (int)strcspn(text, " "), text);
    if (strcmp(way, "fastpath") == 0) {
        MQHOBJ q = opened(c, "A", BOTH);
        put_text(c, q, "fast", 0);
        get_text(c, q, "fast", 0);
    }
    SUCCEEDS(MQDISC, &c);
    return 0;
}
