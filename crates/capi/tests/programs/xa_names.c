/* The library of a transaction manager and that of the program, loaded apart and in either order: they are one. */
#include "expect.h"
#include "xa.h"
#include <dlfcn.h>

int main(int count, char **words)
{
    void *of_manager = NULL, *of_program = NULL;
    struct xa_switch_t *by;
    void (*connect)(PMQCHAR, PMQHCONN, PMQLONG, PMQLONG);
    void (*commit)(MQHCONN, PMQLONG, PMQLONG);
    MQHCONN connection = MQHC_UNUSABLE_HCONN;
    XID first = branch(1);
    HOLDS(count == 4);
    if (strcmp(words[3], "manager first") == 0)
        of_manager = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    of_program = dlopen(words[2], RTLD_NOW | RTLD_LOCAL);
    if (!of_manager)
        of_manager = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    HOLDS(of_manager && of_program);
    by = dlsym(of_manager, "MQRMIXASwitch");
    *(void **)&connect = dlsym(of_program, "MQCONN");
    *(void **)&commit = dlsym(of_program, "MQCMIT");
    HOLDS(by && connect && commit);
    HOLDS(by->open("QM1", 1, TMNOFLAGS) == XA_OK && by->start(&first, 1, TMNOFLAGS) == XA_OK);
    SUCCEEDS(connect, "QM1", &connection);
    FAILS(MQRC_ENVIRONMENT_ERROR, commit, connection);
    HOLDS(by->end(&first, 1, TMSUCCESS) == XA_OK && by->rollback(&first, 1, TMNOFLAGS) == XA_OK);
    SUCCEEDS(commit, connection);
    HOLDS(by->close("QM1", 1, TMNOFLAGS) == XA_OK);
    return 0;
}
