/*
 * cmqbc.h: bags, which hold the parameters of commands.
 *
 * SPDX-License-Identifier: Apache-2.0
 * Part of FerryMQ. For machines with pointers of 64 bits.
 * Made by `cargo xtask generate` from the tables in `crates/mqi/facts`;
 * change those, then run it again.
 */

#if !defined(MQBC_INCLUDED)
#define MQBC_INCLUDED

#include "cmqc.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Types */

typedef MQLONG MQHBAG;
typedef MQHBAG MQPOINTER PMQHBAG;

/* Constants */

/* MQCBO_... */

#define MQCBO_NONE                       0
#define MQCBO_USER_BAG                   0
#define MQCBO_ADMIN_BAG                  1
#define MQCBO_COMMAND_BAG                16
#define MQCBO_SYSTEM_BAG                 32
#define MQCBO_GROUP_BAG                  64
#define MQCBO_LIST_FORM_ALLOWED          2
#define MQCBO_LIST_FORM_INHIBITED        0
#define MQCBO_REORDER_AS_REQUIRED        4
#define MQCBO_DO_NOT_REORDER             0
#define MQCBO_CHECK_SELECTORS            8
#define MQCBO_DO_NOT_CHECK_SELECTORS     0

/* MQBL_... */

#define MQBL_NULL_TERMINATED             (-1)

/* MQITEM_... */

#define MQITEM_INTEGER                   1
#define MQITEM_STRING                    2
#define MQITEM_BAG                       3
#define MQITEM_BYTE_STRING               4
#define MQITEM_INTEGER_FILTER            5
#define MQITEM_STRING_FILTER             6
#define MQITEM_INTEGER64                 7
#define MQITEM_BYTE_STRING_FILTER        8

/* MQIT_... */

#define MQIT_INTEGER                     1
#define MQIT_STRING                      2
#define MQIT_BAG                         3

/* MQHA_... */

#define MQHA_FIRST                       4001
#define MQHA_BAG_HANDLE                  4001
#define MQHA_LAST_USED                   4001
#define MQHA_LAST                        6000

/* MQOA_... */

#define MQOA_FIRST                       1
#define MQOA_LAST                        9000

/* MQIASY_... */

#define MQIASY_FIRST                     (-1)
#define MQIASY_CODED_CHAR_SET_ID         (-1)
#define MQIASY_TYPE                      (-2)
#define MQIASY_COMMAND                   (-3)
#define MQIASY_MSG_SEQ_NUMBER            (-4)
#define MQIASY_CONTROL                   (-5)
#define MQIASY_COMP_CODE                 (-6)
#define MQIASY_REASON                    (-7)
#define MQIASY_BAG_OPTIONS               (-8)
#define MQIASY_VERSION                   (-9)
#define MQIASY_LAST_USED                 (-9)
#define MQIASY_LAST                      (-2000)

/* MQSEL_... */

#define MQSEL_ANY_SELECTOR               (-30001)
#define MQSEL_ANY_USER_SELECTOR          (-30002)
#define MQSEL_ANY_SYSTEM_SELECTOR        (-30003)
#define MQSEL_ALL_SELECTORS              (-30001)
#define MQSEL_ALL_USER_SELECTORS         (-30002)
#define MQSEL_ALL_SYSTEM_SELECTORS       (-30003)

/* MQIND_... */

#define MQIND_NONE                       (-1)
#define MQIND_ALL                        (-2)

/* MQHB_... */

#define MQHB_UNUSABLE_HBAG               (-1)
#define MQHB_NONE                        (-2)

/* Functions */

void MQENTRY mqAddBag (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQHBAG   ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddByteString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddByteStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddInquiry (
   MQHBAG   Bag,
   MQLONG   Selector,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddInteger (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddInteger64 (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQINT64  ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddIntegerFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemValue,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqAddStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqBagToBuffer (
   MQHBAG   OptionsBag,
   MQHBAG   DataBag,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   PMQLONG  DataLength,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqBufferToBag (
   MQHBAG   OptionsBag,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   MQHBAG   DataBag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqClearBag (
   MQHBAG   Bag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqCountItems (
   MQHBAG   Bag,
   MQLONG   Selector,
   PMQLONG  ItemCount,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqCreateBag (
   MQLONG   Options,
   PMQHBAG  Bag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqDeleteBag (
   PMQHBAG  Bag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqDeleteItem (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqExecute (
   MQHCONN  Hconn,
   MQLONG   Command,
   MQHBAG   OptionsBag,
   MQHBAG   AdminBag,
   MQHBAG   ResponseBag,
   MQHOBJ   AdminQ,
   MQHOBJ   ResponseQ,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqGetBag (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   PMQVOID  MsgDesc,
   PMQVOID  GetMsgOpts,
   MQHBAG   Bag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireBag (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   PMQHBAG  ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireByteString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   PMQLONG  ByteStringLength,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireByteStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   PMQLONG  ByteStringLength,
   PMQLONG  Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireInteger (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   PMQLONG  ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireInteger64 (
   MQHBAG    Bag,
   MQLONG    Selector,
   MQLONG    ItemIndex,
   PMQINT64  ItemValue,
   PMQLONG   CompCode,
   PMQLONG   Reason);

void MQENTRY mqInquireIntegerFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   PMQLONG  ItemValue,
   PMQLONG  Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireItemInfo (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   PMQLONG  OutSelector,
   PMQLONG  ItemType,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQLONG  StringLength,
   PMQLONG  CodedCharSetId,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqInquireStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQLONG  StringLength,
   PMQLONG  CodedCharSetId,
   PMQLONG  Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqPad (
   PMQCHAR  String,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqPutBag (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   PMQVOID  MsgDesc,
   PMQVOID  PutMsgOpts,
   MQHBAG   Bag,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetByteString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetByteStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQBYTE  Buffer,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetInteger (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetInteger64 (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQINT64  ItemValue,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetIntegerFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   ItemValue,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetString (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqSetStringFilter (
   MQHBAG   Bag,
   MQLONG   Selector,
   MQLONG   ItemIndex,
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   MQLONG   Operator,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqTrim (
   MQLONG   BufferLength,
   PMQCHAR  Buffer,
   PMQCHAR  String,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY mqTruncateBag (
   MQHBAG   Bag,
   MQLONG   ItemCount,
   PMQLONG  CompCode,
   PMQLONG  Reason);

#if defined(__cplusplus)
}
#endif

#endif /* End of header file */
