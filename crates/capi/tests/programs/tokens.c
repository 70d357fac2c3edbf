/* A token in MQCSP: one that is as tokens are is taken by a connection over the network, and by no other; one that is not, and one beside a
   user or a password, is refused. It is given the host of the queue manager. */
#include "expect.h"

#define TOKEN "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"

static MQCNO how = {MQCNO_DEFAULT};
static MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};

/* What MQCSP is followed by, where a token is named by its offset. */
static struct {
    MQCSP csp;
    char token[sizeof TOKEN];
} security = {{MQCSP_DEFAULT}, TOKEN};

static void starts_well(void)
{
    MQCSP initial = {MQCSP_DEFAULT};
    security.csp = initial;
    security.csp.Version = MQCSP_VERSION_3;
    security.csp.AuthenticationType = MQCSP_AUTH_ID_TOKEN;
    security.csp.TokenPtr = (MQPTR)TOKEN;
    security.csp.TokenLength = (MQLONG)strlen(TOKEN);
}

static void says_user(void)
{
    MQCSP initial = {MQCSP_DEFAULT};
    security.csp = initial;
    security.csp.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD;
    security.csp.CSPUserIdPtr = (MQPTR) "ada";
    security.csp.CSPUserIdLength = 3;
}

static void is_taken(void)
{
    MQHCONN c;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &c);
    SUCCEEDS(MQCMIT, c);
    SUCCEEDS(MQDISC, &c);
}

/* The login hears of the user: its messages carry the name. */
static void is_taken_as_ada(void)
{
    MQHCONN c;
    MQOD queue = {MQOD_DEFAULT};
    MQMD message = {MQMD_DEFAULT};
    MQPMO put = {MQPMO_DEFAULT};
    strncpy(queue.ObjectName, "SYSTEM.DEFAULT.LOCAL.QUEUE", sizeof queue.ObjectName);
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &c);
    SUCCEEDS(MQPUT1, c, &queue, &message, &put, 0, NULL);
    HOLDS(memcmp(message.UserIdentifier, "ada         ", MQ_USER_ID_LENGTH) == 0);
    SUCCEEDS(MQDISC, &c);
}

static void is_wrong(void)
{
    MQHCONN c;
    FAILS(MQRC_CSP_ERROR, MQCONNX, (PMQCHAR) "QM1", &how, &c);
    HOLDS(c == MQHC_UNUSABLE_HCONN);
    starts_well();
}

int main(int count, char **arguments)
{
    static char longest[MQ_CSP_TOKEN_LENGTH + 1], user[MQ_CLIENT_USER_ID_LENGTH + 1];
    MQHCONN c;

    HOLDS(count == 2);
    how.Version = MQCNO_VERSION_5;
    how.Options = MQCNO_CLIENT_BINDING;
    how.SecurityParmsPtr = &security.csp;
    how.ClientConnPtr = &channel;
    strncpy(channel.ConnectionName, arguments[1], sizeof channel.ConnectionName);
    memset(longest, 'a', sizeof longest);
    memset(user, 'u', sizeof user);

    /* By pointer, by offset, and of the most characters. */
    starts_well();
    is_taken();
    security.csp.TokenPtr = NULL;
    security.csp.TokenOffset = (MQLONG)((char *)security.token - (char *)&security);
    is_taken();
    starts_well();
    security.csp.TokenPtr = longest;
    security.csp.TokenLength = MQ_CSP_TOKEN_LENGTH;
    is_taken();

    /* Too long, of a negative length, none, nowhere, at two places. */
    security.csp.TokenLength = MQ_CSP_TOKEN_LENGTH + 1;
    is_wrong();
    security.csp.TokenLength = -1;
    is_wrong();
    security.csp.TokenLength = 0;
    is_wrong();
    security.csp.TokenPtr = NULL;
    is_wrong();
    security.csp.TokenOffset = (MQLONG)((char *)security.token - (char *)&security);
    is_wrong();
    /* A version that has no tokens, and kinds of identity that have none. */
    security.csp.Version = MQCSP_VERSION_2;
    is_wrong();
    security.csp.AuthenticationType = MQCSP_AUTH_NONE;
    is_wrong();
    security.csp.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD;
    is_wrong();
    security.csp.AuthenticationType = MQCSP_AUTH_ID_TOKEN + 1;
    is_wrong();
    /* Beside a user or a password. */
    security.csp.CSPUserIdPtr = (MQPTR) "ada";
    security.csp.CSPUserIdLength = 3;
    is_wrong();
    security.csp.CSPPasswordPtr = (MQPTR) "secret";
    security.csp.CSPPasswordLength = 6;
    is_wrong();

    /* A user and a password by themselves, as long as such are. */
    says_user();
    security.csp.CSPPasswordPtr = longest;
    security.csp.CSPPasswordLength = MQ_CSP_PASSWORD_LENGTH;
    is_taken();
    is_taken_as_ada();
    security.csp.CSPPasswordLength = 0;
    is_taken_as_ada();
    security.csp.CSPPasswordLength = MQ_CSP_PASSWORD_LENGTH;
    security.csp.CSPPasswordLength++;
    is_wrong();
    says_user();
    security.csp.CSPPasswordLength = -1;
    is_wrong();
    says_user();
    security.csp.CSPPasswordLength = 1;
    is_wrong();
    says_user();
    security.csp.CSPUserIdLength = -1;
    is_wrong();
    says_user();
    security.csp.CSPUserIdPtr = user;
    security.csp.CSPUserIdLength = (MQLONG)sizeof user;
    is_wrong();

    /* A connection that is made again would need another one. */
    how.Options = MQCNO_CLIENT_BINDING | MQCNO_RECONNECT;
    FAILS(MQRC_RECONNECT_INCOMPATIBLE, MQCONNX, (PMQCHAR) "QM1", &how, &c);
    how.Options = MQCNO_LOCAL_BINDING;
    is_wrong();
    how.Options = MQCNO_FASTPATH_BINDING;
    is_wrong();
    how.Options = MQCNO_STANDARD_BINDING;
    is_wrong();
    return 0;
}
