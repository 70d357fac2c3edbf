/*
 * A shop in one file: it puts orders on a queue, reads them back inside units of work, and lets the queue manager call
 * it with those that come later. It is compiled with the headers, as C and as C++, and so uses every part of them that a
 * program of this kind meets.
 */

#include <stdio.h>
#include <string.h>

#include <cmqc.h>
#include <cmqxc.h>
#include <cmqcfc.h>
#include <cmqstrc.h>

/* Programs ask the preprocessor what their headers know. */
#if MQCNO_CURRENT_VERSION < 7
#error "connections can be named"
#endif
#if !defined(MQCD_VERSION_12) || MQMD_VERSION_2 <= MQMD_VERSION_1
#error "channels have certificates, and descriptors two versions"
#endif
#ifdef MQCNO_VERSION_5
#define HAS_USERS 1
#else
#define HAS_USERS 0
#endif
#if (MQENC_RESERVED_MASK & MQENC_INTEGER_MASK) != 0 || MQWI_UNLIMITED >= 0
#error "masks do not overlap, and without limit is less than any"
#endif

/* Text for a field, the rest of it blank. */
static void blank_padded(MQCHAR *field, size_t length, const char *text)
{
   size_t used = strlen(text);
   memset(field, ' ', length);
   memcpy(field, text, used < length ? used : length);
}

static MQLONG told(const char *call, MQLONG code, MQLONG reason)
{
   if (code != MQCC_OK)
   {
      printf("%s: %s, %s\n", call, MQCC_STR(code), MQRC_STR(reason));
   }
   return code;
}

/* Called with each order that comes later; its type must be that of the header. */
static MQCB_FUNCTION arrived;
static void MQENTRY arrived(MQHCONN connection, PMQVOID descriptor, PMQVOID options, PMQVOID body, PMQCBC context)
{
   PMQMD about = (PMQMD)descriptor;
   PMQGMO how = (PMQGMO)options;
   if (context->CallType == MQCBCT_MSG_REMOVED && body != NULL)
   {
      printf("%d %.8s %d bytes, waited at most %d\n", (int)connection, about->Format, (int)context->DataLength,
             (int)how->WaitInterval);
   }
}

/* Data of an exit is reached through pointers to pointers. */
static MQ_GET_EXIT looked_at;
static void MQENTRY looked_at(PMQAXP parms, PMQAXC context, PMQHCONN connection, PMQHOBJ object, PPMQMD descriptor,
                              PPMQGMO options, PMQLONG length, PPMQVOID body, PPMQLONG data_length, PMQLONG code,
                              PMQLONG reason)
{
   (void)context; (void)object; (void)options; (void)body; (void)data_length;
   if (parms->Hconfig != NULL && parms->Hconfig->MQBACK_Call != NULL && (*descriptor)->BackoutCount > *length)
   {
      parms->Hconfig->MQBACK_Call(*connection, code, reason);
   }
}

static MQHCONN connect(const char *queue_manager)
{
   MQCNO options = {MQCNO_DEFAULT};
   MQCD channel = {MQCD_CLIENT_CONN_DEFAULT};
   MQCSP user = {MQCSP_DEFAULT};
   MQSCO security = {MQSCO_DEFAULT};
   MQBNO balance = {MQBNO_DEFAULT};
   MQCHAR name[MQ_Q_MGR_NAME_LENGTH];
   MQHCONN connection = MQHC_UNUSABLE_HCONN;
   MQLONG code, reason;
   char password[] = "a word";

   blank_padded(name, sizeof name, queue_manager);
   blank_padded(channel.ChannelName, sizeof channel.ChannelName, "ORDERS.CLIENTS");
   blank_padded(channel.ConnectionName, sizeof channel.ConnectionName, "localhost(1414)");
   channel.Version = MQCD_VERSION_11;
   user.AuthenticationType = HAS_USERS ? MQCSP_AUTH_USER_ID_AND_PWD : MQCSP_AUTH_NONE;
   user.CSPPasswordPtr = password;
   user.CSPPasswordLength = (MQLONG)strlen(password);
   options.Version = MQCNO_CURRENT_VERSION;
   options.Options = MQCNO_CLIENT_BINDING | MQCNO_HANDLE_SHARE_BLOCK | MQCNO_RECONNECT;
   options.ClientConnPtr = &channel;
   options.SecurityParmsPtr = &user;
   options.SSLConfigPtr = &security;
   options.BalanceParmsPtr = &balance;
   blank_padded(options.ApplName, sizeof options.ApplName, "orders");
   MQCONNX(name, &options, &connection, &code, &reason);
   if (code == MQCC_WARNING && reason == MQRC_ALREADY_CONNECTED)
   {
      code = MQCC_OK;
   }
   return told("MQCONNX", code, reason) == MQCC_FAILED ? MQHC_UNUSABLE_HCONN : connection;
}

static MQHOBJ open_queue(MQHCONN connection, const char *queue)
{
   MQOD description = {MQOD_DEFAULT};
   MQHOBJ object = MQHO_UNUSABLE_HOBJ;
   MQLONG code, reason;
   char selector[] = "colour = 'green'";

   blank_padded(description.ObjectName, sizeof description.ObjectName, queue);
   description.Version = MQOD_VERSION_4;
   description.SelectionString.VSPtr = selector;
   description.SelectionString.VSLength = MQVS_NULL_TERMINATED;
   MQOPEN(connection, &description, MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_INQUIRE | MQOO_FAIL_IF_QUIESCING, &object,
          &code, &reason);
   told("MQOPEN", code, reason);
   return object;
}

static void put_order(MQHCONN connection, MQHOBJ queue)
{
   MQMD descriptor = {MQMD_DEFAULT};
   MQPMO options = {MQPMO_DEFAULT};
   MQCMHO create = {MQCMHO_DEFAULT};
   MQDMHO discard = {MQDMHO_DEFAULT};
   MQSMPO set = {MQSMPO_DEFAULT};
   MQPD property = {MQPD_DEFAULT};
   MQCHARV name = {MQCHARV_DEFAULT};
   MQHMSG properties = MQHM_UNUSABLE_HMSG;
   MQLONG code, reason;
   char colour[] = "colour", green[] = "green", body[] = "one chair";

   MQCRTMH(connection, &create, &properties, &code, &reason);
   name.VSPtr = colour;
   name.VSLength = (MQLONG)strlen(colour);
   MQSETMP(connection, properties, &set, &name, &property, MQTYPE_STRING, MQVL_NULL_TERMINATED, green, &code, &reason);
   told("MQSETMP", code, reason);

   memcpy(descriptor.Format, MQFMT_STRING, (size_t)MQ_FORMAT_LENGTH);
   memcpy(descriptor.MsgId, MQMI_NONE, sizeof descriptor.MsgId);
   descriptor.Persistence = MQPER_PERSISTENT;
   options.Version = MQPMO_VERSION_3;
   options.Options = MQPMO_SYNCPOINT | MQPMO_NEW_MSG_ID | MQPMO_FAIL_IF_QUIESCING;
   options.OriginalMsgHandle = properties;
   MQPUT(connection, queue, &descriptor, &options, (MQLONG)strlen(body), body, &code, &reason);
   told("MQPUT", code, reason);
   MQDLTMH(connection, &properties, &discard, &code, &reason);
   MQCMIT(connection, &code, &reason);
   told("MQCMIT", code, reason);
}

static void get_order(MQHCONN connection, MQHOBJ queue)
{
   static const MQCHAR text[] = {MQFMT_STRING_ARRAY};
   MQMD2 descriptor = {MQMD2_DEFAULT};
   MQGMO options = {MQGMO_DEFAULT};
   MQIMPO inquire = {MQIMPO_DEFAULT};
   MQPD property = {MQPD_DEFAULT};
   MQCHARV every = {MQPROP_INQUIRE_ALL};
   MQLONG code, reason, length, type = MQTYPE_AS_SET;
   MQBYTE body[4096];

   options.Version = MQGMO_VERSION_4;
   options.Options = MQGMO_WAIT | MQGMO_CONVERT | MQGMO_SYNCPOINT | MQGMO_PROPERTIES_IN_HANDLE;
   options.WaitInterval = 5 * 1000;
   options.MsgHandle = MQHM_NONE;
   MQGET(connection, queue, &descriptor, &options, (MQLONG)sizeof body, body, &length, &code, &reason);
   if (code == MQCC_FAILED && reason == MQRC_NO_MSG_AVAILABLE)
   {
      return;
   }
   if (options.GroupStatus == MQGS_NOT_IN_GROUP && memcmp(descriptor.Format, text, sizeof text) == 0)
   {
      printf("%.*s\n", (int)length, (const char *)body);
   }
   inquire.Options = MQIMPO_INQ_FIRST | MQIMPO_CONVERT_VALUE;
   MQINQMP(connection, options.MsgHandle, &inquire, &every, &property, &type, (MQLONG)sizeof body, body, &length, &code,
           &reason);
   told("MQINQMP", code, reason);
   MQBACK(connection, &code, &reason);
}

static void inquire(MQHCONN connection, MQHOBJ queue)
{
   MQLONG selectors[] = {MQIA_CURRENT_Q_DEPTH, MQIA_MAX_Q_DEPTH, MQCA_Q_NAME};
   MQLONG numbers[2], code, reason;
   MQCHAR name[MQ_Q_NAME_LENGTH];

   MQINQ(connection, queue, 3, selectors, 2, numbers, (MQLONG)sizeof name, name, &code, &reason);
   if (told("MQINQ", code, reason) == MQCC_OK)
   {
      printf("%.48s: %d of %d\n", name, (int)numbers[0], (int)numbers[1]);
   }
}

static void listen(MQHCONN connection, MQHOBJ queue)
{
   MQCBD consumer = {MQCBD_DEFAULT};
   MQCTLO control = {MQCTLO_DEFAULT};
   MQMD descriptor = {MQMD_DEFAULT};
   MQGMO options = {MQGMO_DEFAULT};
   MQCB_FUNCTION *function = arrived;
   MQ_GET_EXIT *exit = looked_at;
   MQLONG code, reason;

   /* The standard has no cast from a function to a pointer to anything. */
   memcpy(&consumer.CallbackFunction, &function, sizeof function);
   consumer.CallbackArea = (MQPTR)&exit;
   MQCB(connection, MQOP_REGISTER, &consumer, queue, &descriptor, &options, &code, &reason);
   told("MQCB", code, reason);
   MQCTL(connection, MQOP_START, &control, &code, &reason);
   MQCTL(connection, MQOP_STOP, &control, &code, &reason);
   told("MQCTL", code, reason);
}

static void subscribe(MQHCONN connection)
{
   MQSD subscription = {MQSD_DEFAULT};
   MQSRO request = {MQSRO_DEFAULT};
   MQSTS status = {MQSTS_DEFAULT};
   MQHOBJ queue = MQHO_NONE, handle = MQHO_NONE;
   MQLONG code, reason;
   char topic[] = "price/tin";

   subscription.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
   subscription.ObjectString.VSPtr = topic;
   subscription.ObjectString.VSLength = MQVS_NULL_TERMINATED;
   MQSUB(connection, &subscription, &queue, &handle, &code, &reason);
   MQSUBRQ(connection, handle, MQSR_ACTION_PUBLICATION, &request, &code, &reason);
   MQSTAT(connection, MQSTAT_TYPE_ASYNC_ERROR, &status, &code, &reason);
   told("MQSTAT", code, reason);
}

static void count_depth(MQBYTE *command)
{
   MQCFH header = {MQCFH_DEFAULT};
   MQCFIN depth = {MQCFIN_DEFAULT};
   MQEPH embedded = {MQEPH_DEFAULT};
   MQXQH transmitted = {MQXQH_DEFAULT};

   header.Command = MQCMD_INQUIRE_Q;
   header.ParameterCount = 1;
   depth.Parameter = MQIA_CURRENT_Q_DEPTH;
   memcpy(command, &header, (size_t)MQCFH_STRUC_LENGTH);
   memcpy(command + MQCFH_STRUC_LENGTH, &depth, (size_t)MQCFIN_STRUC_LENGTH);
   printf("%d %.4s %d\n", (int)embedded.PCFHeader.Type, transmitted.MsgDesc.StrucId, (int)transmitted.MsgDesc.Expiry);
}

int main(int argc, char **argv)
{
   MQBYTE command[MQCFH_STRUC_LENGTH + MQCFIN_STRUC_LENGTH];
   MQHCONN connection = connect(argc > 1 ? argv[1] : "");
   MQHOBJ queue;
   MQLONG code, reason;

   if (connection == MQHC_UNUSABLE_HCONN)
   {
      return 1;
   }
   queue = open_queue(connection, "ORDERS");
   put_order(connection, queue);
   get_order(connection, queue);
   inquire(connection, queue);
   listen(connection, queue);
   subscribe(connection);
   count_depth(command);
   MQCLOSE(connection, &queue, MQCO_NONE, &code, &reason);
   MQDISC(&connection, &code, &reason);
   return told("MQDISC", code, reason);
}
