/* Behind every structure, of every version, lies memory that nobody may touch; and input lies where nobody may write. */
#include "expect.h"
#include <sys/mman.h>
#include <unistd.h>

static size_t page;

/* So many bytes that end where a page begins that nobody may touch. */
static void *guarded(const void *bytes, size_t length)
{
    size_t pages = (length + page - 1) / page * page;
    char *start = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HOLDS(start != MAP_FAILED && mprotect(start + pages, page, PROT_NONE) == 0);
    memcpy(start + pages - length, bytes, length);
    return start + pages - length;
}

/* The same, where nobody may write either. */
static void *sealed(const void *bytes, size_t length)
{
    char *start = guarded(bytes, length);
    size_t pages = (length + page - 1) / page * page;
    HOLDS(mprotect(start + length - pages, pages, PROT_READ) == 0);
    return start;
}

static const MQLONG md_lengths[] = {MQMD_LENGTH_1, MQMD_LENGTH_2};
static const MQLONG od_lengths[] = {MQOD_LENGTH_1, MQOD_LENGTH_2, MQOD_LENGTH_3, MQOD_LENGTH_4};
static const MQLONG pmo_lengths[] = {MQPMO_LENGTH_1, MQPMO_LENGTH_2, MQPMO_LENGTH_3};
static const MQLONG gmo_lengths[] = {MQGMO_LENGTH_1, MQGMO_LENGTH_2, MQGMO_LENGTH_3, MQGMO_LENGTH_4};
static const MQLONG cno_lengths[] = {MQCNO_LENGTH_1, MQCNO_LENGTH_2, MQCNO_LENGTH_3, MQCNO_LENGTH_4,
                                     MQCNO_LENGTH_5, MQCNO_LENGTH_6, MQCNO_LENGTH_7, MQCNO_LENGTH_8};
static const MQLONG sts_lengths[] = {MQSTS_LENGTH_1, MQSTS_LENGTH_2};

#define COUNT(array) ((MQLONG)(sizeof(array) / sizeof *(array)))

int main(void)
{
    MQMD md = {MQMD_DEFAULT};
    MQOD od = {MQOD_DEFAULT};
    MQPMO pmo = {MQPMO_DEFAULT};
    MQGMO gmo = {MQGMO_DEFAULT};
    MQCNO cno = {MQCNO_DEFAULT};
    MQSTS sts = {MQSTS_DEFAULT};
    MQHCONN c;
    MQHOBJ q;
    MQLONG v, length, w;
    MQLONG *handle, *connection, *data_length;
    char *buffer;

    page = (size_t)sysconf(_SC_PAGESIZE);
    handle = guarded(&(MQLONG){0}, 4);
    connection = guarded(&(MQLONG){0}, 4);
    data_length = guarded(&(MQLONG){0}, 4);
    strcpy(od.ObjectName, "A");

    /* Names end with a NUL, wherever that is. */
    c = connected();
    SUCCEEDS(MQDISC, &c);
    SUCCEEDS(MQCONN, sealed("QM1", 4), connection);
    SUCCEEDS(MQDISC, connection);
    for (v = 1; v <= COUNT(cno_lengths); v++) {
        cno.Version = v;
        cno.Options = MQCNO_HANDLE_SHARE_BLOCK;
        SUCCEEDS(MQCONNX, sealed("QM1                                             ", 48),
                 sealed(&cno, (size_t)cno_lengths[v - 1]), connection);
        c = *connection;
        SUCCEEDS(MQDISC, connection);
    }
    c = connected();
    for (v = 1; v <= COUNT(od_lengths); v++) {
        od.Version = v;
        SUCCEEDS(MQOPEN, c, guarded(&od, (size_t)od_lengths[v - 1]), MQOO_OUTPUT, handle);
        SUCCEEDS(MQCLOSE, c, handle, MQCO_NONE);
        /* The first two versions return nothing of a queue that is no model. */
        if (v <= 2) {
            SUCCEEDS(MQOPEN, c, sealed(&od, (size_t)od_lengths[v - 1]), MQOO_OUTPUT, handle);
            SUCCEEDS(MQCLOSE, c, handle, MQCO_NONE);
        }
    }
    q = opened(c, "A", BOTH);
    buffer = guarded("12345678", 8);
    for (v = 1; v <= COUNT(md_lengths); v++) {
        md.Version = v;
        for (w = 1; w <= COUNT(pmo_lengths); w++) {
            pmo.Version = w;
            pmo.Options = MQPMO_NEW_MSG_ID;
            SUCCEEDS(MQPUT, c, q, guarded(&md, (size_t)md_lengths[v - 1]),
                     guarded(&pmo, (size_t)pmo_lengths[w - 1]), 8, sealed("12345678", 8));
            od.Version = 1;
            SUCCEEDS(MQPUT1, c, sealed(&od, MQOD_LENGTH_1), guarded(&md, (size_t)md_lengths[v - 1]),
                     guarded(&pmo, (size_t)pmo_lengths[w - 1]), 8, sealed("12345678", 8));
        }
        for (w = 1; w <= COUNT(gmo_lengths); w++) {
            gmo.Version = w;
            gmo.Options = MQGMO_BROWSE_FIRST;
            SUCCEEDS(MQGET, c, q, guarded(&md, (size_t)md_lengths[v - 1]),
                     guarded(&gmo, (size_t)gmo_lengths[w - 1]), 8, buffer, data_length);
            gmo.Options = MQGMO_ACCEPT_TRUNCATED_MSG;
            WARNS(MQRC_TRUNCATED_MSG_ACCEPTED, MQGET, c, q, guarded(&md, (size_t)md_lengths[v - 1]),
                  guarded(&gmo, (size_t)gmo_lengths[w - 1]), 7, guarded("1234567", 7), data_length);
        }
    }
    for (v = 1; v <= COUNT(sts_lengths); v++) {
        sts.Version = v;
        SUCCEEDS(MQSTAT, c, MQSTAT_TYPE_ASYNC_ERROR, guarded(&sts, (size_t)sts_lengths[v - 1]));
    }
    {
        MQLONG selectors[] = {MQCA_Q_NAME, MQIA_MAX_Q_DEPTH};
        char name[48];
        memset(name, 0, sizeof name);
        SUCCEEDS(MQINQ, c, q, 2, sealed(selectors, 8), 1, guarded(&(MQLONG){0}, 4), 48, guarded(name, 48));
    }
    (void)length;
    SUCCEEDS(MQDISC, &c);
    return 0;
}
