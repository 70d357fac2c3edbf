/* Two libraries of different names in one process: one goes to this machine, the other over the network. */
#include "expect.h"
#include <dlfcn.h>

/* What the program calls of each. */
struct library {
    void *handle;
    void (*connect)(PMQCHAR, PMQHCONN, PMQLONG, PMQLONG);
    void (*disconnect)(PMQHCONN, PMQLONG, PMQLONG);
    void (*put1)(MQHCONN, PMQVOID, PMQVOID, PMQVOID, MQLONG, PMQVOID, PMQLONG, PMQLONG);
    void (*commit)(MQHCONN, PMQLONG, PMQLONG);
};

static struct library loaded(const char *name)
{
    struct library library;
    library.handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library.handle)
        fprintf(stderr, "%s\n", dlerror());
    HOLDS(library.handle);
    *(void **)&library.connect = dlsym(library.handle, "MQCONN");
    *(void **)&library.disconnect = dlsym(library.handle, "MQDISC");
    *(void **)&library.put1 = dlsym(library.handle, "MQPUT1");
    *(void **)&library.commit = dlsym(library.handle, "MQCMIT");
    HOLDS(library.connect && library.disconnect && library.put1 && library.commit);
    return library;
}

static void puts_one(struct library *library, MQHCONN connection)
{
    MQOD object = {MQOD_DEFAULT};
    MQMD descriptor = {MQMD_DEFAULT};
    strcpy(object.ObjectName, "A");
    SUCCEEDS(library->put1, connection, &object, &descriptor, NULL, 1, "x");
}

int main(void)
{
    struct library local = loaded("libmqm_r.so"), remote = loaded("libmqic_r.so");
    MQHCONN of_local, of_remote;

    HOLDS(local.connect != remote.connect);
    SUCCEEDS(local.connect, (PMQCHAR) "QM1", &of_local);
    /* A handle of one is none of the other's. */
    FAILS(MQRC_HCONN_ERROR, remote.commit, of_local);
    SUCCEEDS(remote.connect, (PMQCHAR) "QM1", &of_remote);
    puts_one(&local, of_local);
    puts_one(&remote, of_remote);
    SUCCEEDS(local.disconnect, &of_local);
    puts_one(&remote, of_remote);
    SUCCEEDS(remote.disconnect, &of_remote);
    return 0;
}
