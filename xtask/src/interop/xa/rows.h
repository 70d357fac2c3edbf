/*
 * The work of a transfer in rows, of the file that has run_plain, tell_rows and the switch `by`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ACCOUNTS 64

static int change(int rmid, long transfer, long amount)
{
    char command[128];
    sprintf(command, "UPDATE account SET amount = amount + %ld WHERE number = %ld", amount, labs(transfer) % ACCOUNTS);
    return run_plain(rmid, command) ? -1 : 0;
}

static long take(int rmid, long transfer, long amount)
{
    return change(rmid, transfer, -amount) ? -1 : amount;
}

static int give(int rmid, long transfer, long amount)
{
    return change(rmid, transfer, amount);
}

static int receipt(int rmid, long transfer, long amount)
{
    char command[128];
    sprintf(command, "INSERT INTO receipt VALUES (%ld, %ld)", transfer, amount);
    return run_plain(rmid, command) ? -1 : 0;
}

static int tell(int rmid, FILE *to)
{
    return tell_rows(rmid, "SELECT amount FROM account", to, "money") ? -1
           : tell_rows(rmid, "SELECT CONCAT(transfer, ' ', amount) FROM receipt", to, "receipt");
}

static void leave(int rmid)
{
    (void)rmid;
}

struct resource rows(char *text)
{
    struct resource resource = {"rows", &by, text, take, give, receipt, NULL, tell, leave};
    return resource;
}
