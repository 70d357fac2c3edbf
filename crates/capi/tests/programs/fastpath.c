/* Holds its queue manager itself, and ends in order: by the return of main or by exit, connected still or not. */
#include "expect.h"

int main(int argc, char **argv)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQHCONN c;
    MQHOBJ q;

    HOLDS(argc == 3);
    options.Options = MQCNO_FASTPATH_BINDING;
    SUCCEEDS(MQCONNX, "QM1", &options, &c);
    q = opened(c, "A", BOTH);
    if (strcmp(argv[1], "get") == 0)
        get_text(c, q, "kept", 0);
    else
        put_text(c, q, "kept", 0);
    if (strcmp(argv[2], "connected") != 0)
        SUCCEEDS(MQDISC, &c);
    if (strcmp(argv[2], "exits") == 0)
        exit(0);
    return 0;
}
