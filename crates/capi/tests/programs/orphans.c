/* Children that outlive the program whose connection they were made beside, and that return from a function they were called by. */
#include "expect.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t program, child;
static int ready[2], gate[2];

static void MQENTRY consume(MQHCONN c, PMQVOID md, PMQVOID gmo, PMQVOID body, MQCBC *context)
{
    (void)md, (void)gmo, (void)body;
    if (context->CallType != MQCBCT_MSG_REMOVED || child != 0 || getpid() != program)
        return;
    child = fork();
    HOLDS(child >= 0);
    if (child == 0) {
        alarm(20);
        return;
    }
    put_text(c, opened(c, "B", MQOO_OUTPUT), "untouched", MQPMO_SYNCPOINT);
    HOLDS(write(ready[1], "m", 1) == 1);
}

/* Takes a message within a unit of work, and is killed while a child of it lives on. */
static void is_killed(void)
{
    MQHCONN c = connected();
    MQHOBJ q = opened(c, "A", BOTH);
    char byte;
    put_text(c, q, "back", 0);
    get_text(c, q, "back", MQGMO_SYNCPOINT);
    if (fork() == 0) {
        HOLDS(close(gate[1]) == 0);
        alarm(20);
        FAILS(MQRC_HCONN_ERROR, MQCMIT, c);
        HOLDS(write(ready[1], "r", 1) == 1);
        _exit(read(gate[0], &byte, 1) < 0);
    }
    HOLDS(read(ready[0], &byte, 1) == 1);
    kill(getpid(), SIGKILL);
}

/* Has a function called, in which a child is made that returns from it as the program does. */
static void is_copied(void)
{
    MQCNO options = {MQCNO_DEFAULT};
    MQCBD consumer = {MQCBD_DEFAULT};
    MQCTLO control = {MQCTLO_DEFAULT};
    MQGMO get = {MQGMO_DEFAULT};
    MQMD d = {MQMD_DEFAULT};
    MQCHAR48 name = "QM1";
    MQHCONN c;
    MQHOBJ q, b;
    char byte;
    program = getpid();
    options.Options = MQCNO_HANDLE_SHARE_BLOCK | MQCNO_RECONNECT;
    SUCCEEDS(MQCONNX, name, &options, &c);
    q = opened(c, "A", BOTH);
    b = opened(c, "B", BOTH);
    consumer.CallbackFunction = (MQPTR)consume;
    get.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT;
    get.WaitInterval = MQWI_UNLIMITED;
    put_text(c, q, "copied", 0);
    SUCCEEDS(MQCB, c, MQOP_REGISTER, &consumer, q, &d, &get);
    SUCCEEDS(MQCTL, c, MQOP_START, &control);
    HOLDS(read(ready[0], &byte, 1) == 1);
    /* The child has had time to go on where it was made. */
    usleep(300 * 1000);
    SUCCEEDS(MQCTL, c, MQOP_STOP, &control);
    SUCCEEDS(MQCMIT, c);
    get_text(c, b, "untouched", 0);
    SUCCEEDS(MQDISC, &c);
    kill(child, SIGKILL);
    _exit(0);
}

static int ended(pid_t process)
{
    int status = -1;
    while (waitpid(process, &status, 0) < 0)
        ;
    return status;
}

int main(void)
{
    MQHCONN c;
    pid_t killed, copied;
    int status;
    HOLDS(pipe(ready) == 0 && pipe(gate) == 0);
    killed = fork();
    if (killed == 0)
        is_killed();
    status = ended(killed);
    HOLDS(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    c = connected();
    get_text(c, opened(c, "A", BOTH), "back", 0);
    SUCCEEDS(MQDISC, &c);
    HOLDS(close(gate[1]) == 0);
    copied = fork();
    if (copied == 0)
        is_copied();
    HOLDS(ended(copied) == 0);
    return 0;
}
