/* A client whose queue manager ends and begins again; it says when that may happen, and waits until it has. */
#include "expect.h"

static MQHCONN over_the_network(MQLONG options)
{
    MQCNO how = {MQCNO_DEFAULT};
    MQHCONN connection;
    how.Options = MQCNO_CLIENT_BINDING | options;
    SUCCEEDS(MQCONNX, (PMQCHAR) "QM1", &how, &connection);
    return connection;
}

int main(void)
{
    MQHCONN again = over_the_network(MQCNO_RECONNECT_Q_MGR | MQCNO_HANDLE_SHARE_BLOCK);
    MQHCONN once = over_the_network(MQCNO_RECONNECT_DISABLED | MQCNO_HANDLE_SHARE_BLOCK);
    MQHOBJ q = opened(again, "A", BOTH), other = opened(once, "A", BOTH);
    MQMD d = {MQMD_DEFAULT};
    MQPMO in_unit = {MQPMO_DEFAULT};
    MQSTS status = {MQSTS_DEFAULT};

    d.Persistence = MQPER_PERSISTENT;
    SUCCEEDS(MQPUT, again, q, &d, NULL, 6, "before");
    in_unit.Options = MQPMO_SYNCPOINT;
    SUCCEEDS(MQPUT, again, q, &d, &in_unit, 6, "undone");
    printf("ready\n");
    fflush(stdout);
    HOLDS(getchar() != EOF);

    /* The unit of work did not outlive the connection; the handles did. */
    FAILS(MQRC_BACKED_OUT, MQPUT, again, q, &d, &in_unit, 6, "undone");
    SUCCEEDS(MQBACK, again);
    SUCCEEDS(MQPUT, again, q, &d, NULL, 5, "after");
    get_text(again, q, "before", 0);
    get_text(again, q, "after", 0);
    get_nothing(again, q, 0);
    SUCCEEDS(MQSTAT, again, MQSTAT_TYPE_RECONNECTION, &status);
    HOLDS(status.CompCode == MQCC_OK);

    /* The other is told why it ended, or only that it has. */
    MQPUT(once, other, &d, NULL, 6, "broken", &CompCode, &Reason);
    HOLDS(CompCode == MQCC_FAILED && (Reason == MQRC_CONNECTION_BROKEN || Reason == MQRC_Q_MGR_STOPPING));
    MQCMIT(once, &CompCode, &Reason);
    HOLDS(CompCode == MQCC_FAILED);
    MQDISC(&once, &CompCode, &Reason);
    HOLDS(once == MQHC_UNUSABLE_HCONN);
    SUCCEEDS(MQDISC, &again);
    return 0;
}
