/*
 * cmqec.h: the calls by pointer, as an exit is handed them.
 *
 * SPDX-License-Identifier: Apache-2.0
 * Part of FerryMQ. For machines with pointers of 64 bits.
 * Made by `cargo xtask generate` from the tables in `crates/mqi/facts`;
 * change those, then run it again.
 */

#if !defined(MQEC_INCLUDED)
#define MQEC_INCLUDED

#include "cmqxc.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Constants */

/* MQIEP_... */

#define MQIEP_STRUC_ID                   "IEP "
#define MQIEP_STRUC_ID_ARRAY             'I','E','P',' '
#define MQIEP_VERSION_1                  1
#define MQIEP_CURRENT_VERSION            1
#define MQIEP_LENGTH_1                   264
#define MQIEP_CURRENT_LENGTH             264

/* MQIEPF_... */

#define MQIEPF_NONE                      0
#define MQIEPF_NON_THREADED_LIBRARY      0
#define MQIEPF_THREADED_LIBRARY          1
#define MQIEPF_CLIENT_LIBRARY            0
#define MQIEPF_LOCAL_LIBRARY             2

/* Types of functions */

typedef void MQENTRY MQ_BACK_CALL (
   MQHCONN  Hconn,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_BACK_CALL MQPOINTER PMQ_BACK_CALL;

typedef void MQENTRY MQ_BEGIN_CALL (
   MQHCONN  Hconn,
   PMQBO    BeginOptions,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_BEGIN_CALL MQPOINTER PMQ_BEGIN_CALL;

typedef void MQENTRY MQ_BUFMH_CALL (
   MQHCONN  Hconn,
   MQHMSG   Hmsg,
   PMQBMHO  BufMsgHOpts,
   PMQVOID  MsgDesc,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   PMQLONG  DataLength,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_BUFMH_CALL MQPOINTER PMQ_BUFMH_CALL;

typedef void MQENTRY MQ_CB_CALL (
   MQHCONN  Hconn,
   MQLONG   Operation,
   PMQCBD   CallbackDesc,
   MQHOBJ   Hobj,
   PMQVOID  MsgDesc,
   PMQGMO   GetMsgOpts,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_CB_CALL MQPOINTER PMQ_CB_CALL;

typedef void MQENTRY MQ_CLOSE_CALL (
   MQHCONN  Hconn,
   PMQHOBJ  Hobj,
   MQLONG   Options,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_CLOSE_CALL MQPOINTER PMQ_CLOSE_CALL;

typedef void MQENTRY MQ_CMIT_CALL (
   MQHCONN  Hconn,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_CMIT_CALL MQPOINTER PMQ_CMIT_CALL;

typedef void MQENTRY MQ_CONN_CALL (
   PMQCHAR48  QMgrName,
   PMQHCONN   Hconn,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_CONN_CALL MQPOINTER PMQ_CONN_CALL;

typedef void MQENTRY MQ_CONNX_CALL (
   PMQCHAR48  QMgrName,
   PMQCNO     ConnectOpts,
   PMQHCONN   Hconn,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_CONNX_CALL MQPOINTER PMQ_CONNX_CALL;

typedef void MQENTRY MQ_CRTMH_CALL (
   MQHCONN  Hconn,
   PMQCMHO  CrtMsgHOpts,
   PMQHMSG  Hmsg,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_CRTMH_CALL MQPOINTER PMQ_CRTMH_CALL;

typedef void MQENTRY MQ_CTL_CALL (
   MQHCONN  Hconn,
   MQLONG   Operation,
   PMQCTLO  ControlOpts,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_CTL_CALL MQPOINTER PMQ_CTL_CALL;

typedef void MQENTRY MQ_DISC_CALL (
   PMQHCONN  Hconn,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_DISC_CALL MQPOINTER PMQ_DISC_CALL;

typedef void MQENTRY MQ_DLTMH_CALL (
   MQHCONN  Hconn,
   PMQHMSG  Hmsg,
   PMQDMHO  DltMsgHOpts,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_DLTMH_CALL MQPOINTER PMQ_DLTMH_CALL;

typedef void MQENTRY MQ_DLTMP_CALL (
   MQHCONN   Hconn,
   MQHMSG    Hmsg,
   PMQDMPO   DltPropOpts,
   PMQCHARV  Name,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_DLTMP_CALL MQPOINTER PMQ_DLTMP_CALL;

typedef void MQENTRY MQ_GET_CALL (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   PMQVOID  MsgDesc,
   PMQGMO   GetMsgOpts,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   PMQLONG  DataLength,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_GET_CALL MQPOINTER PMQ_GET_CALL;

typedef void MQENTRY MQ_INQ_CALL (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   MQLONG   SelectorCount,
   PMQLONG  Selectors,
   MQLONG   IntAttrCount,
   PMQLONG  IntAttrs,
   MQLONG   CharAttrLength,
   PMQCHAR  CharAttrs,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_INQ_CALL MQPOINTER PMQ_INQ_CALL;

typedef void MQENTRY MQ_INQMP_CALL (
   MQHCONN   Hconn,
   MQHMSG    Hmsg,
   PMQIMPO   InqPropOpts,
   PMQCHARV  Name,
   PMQPD     PropDesc,
   PMQLONG   Type,
   MQLONG    ValueLength,
   PMQVOID   Value,
   PMQLONG   DataLength,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_INQMP_CALL MQPOINTER PMQ_INQMP_CALL;

typedef void MQENTRY MQ_MHBUF_CALL (
   MQHCONN   Hconn,
   MQHMSG    Hmsg,
   PMQMHBO   MsgHBufOpts,
   PMQCHARV  Name,
   PMQVOID   MsgDesc,
   MQLONG    BufferLength,
   PMQVOID   Buffer,
   PMQLONG   DataLength,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_MHBUF_CALL MQPOINTER PMQ_MHBUF_CALL;

typedef void MQENTRY MQ_OPEN_CALL (
   MQHCONN  Hconn,
   PMQOD    ObjDesc,
   MQLONG   Options,
   PMQHOBJ  Hobj,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_OPEN_CALL MQPOINTER PMQ_OPEN_CALL;

typedef void MQENTRY MQ_PUT_CALL (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   PMQVOID  MsgDesc,
   PMQPMO   PutMsgOpts,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_PUT_CALL MQPOINTER PMQ_PUT_CALL;

typedef void MQENTRY MQ_PUT1_CALL (
   MQHCONN  Hconn,
   PMQOD    ObjDesc,
   PMQVOID  MsgDesc,
   PMQPMO   PutMsgOpts,
   MQLONG   BufferLength,
   PMQVOID  Buffer,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_PUT1_CALL MQPOINTER PMQ_PUT1_CALL;

typedef void MQENTRY MQ_SET_CALL (
   MQHCONN  Hconn,
   MQHOBJ   Hobj,
   MQLONG   SelectorCount,
   PMQLONG  Selectors,
   MQLONG   IntAttrCount,
   PMQLONG  IntAttrs,
   MQLONG   CharAttrLength,
   PMQCHAR  CharAttrs,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_SET_CALL MQPOINTER PMQ_SET_CALL;

typedef void MQENTRY MQ_SETMP_CALL (
   MQHCONN   Hconn,
   MQHMSG    Hmsg,
   PMQSMPO   SetPropOpts,
   PMQCHARV  Name,
   PMQPD     PropDesc,
   MQLONG    Type,
   MQLONG    ValueLength,
   PMQVOID   Value,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_SETMP_CALL MQPOINTER PMQ_SETMP_CALL;

typedef void MQENTRY MQ_STAT_CALL (
   MQHCONN  Hconn,
   MQLONG   Type,
   PMQSTS   Status,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_STAT_CALL MQPOINTER PMQ_STAT_CALL;

typedef void MQENTRY MQ_SUB_CALL (
   MQHCONN  Hconn,
   PMQSD    SubDesc,
   PMQHOBJ  Hobj,
   PMQHOBJ  Hsub,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_SUB_CALL MQPOINTER PMQ_SUB_CALL;

typedef void MQENTRY MQ_SUBRQ_CALL (
   MQHCONN  Hconn,
   MQHOBJ   Hsub,
   MQLONG   Action,
   PMQSRO   SubRqOpts,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_SUBRQ_CALL MQPOINTER PMQ_SUBRQ_CALL;

typedef void MQENTRY MQ_XEP_CALL (
   MQHCONFIG  Hconfig,
   MQLONG     ExitReason,
   MQLONG     Function,
   PMQFUNC    EntryPoint,
   PMQXEPO    ExitOpts,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_XEP_CALL MQPOINTER PMQ_XEP_CALL;

typedef void MQENTRY MQ_XCLWLN_CALL (
   PMQWXP   ExitParms,
   MQPTR    CurrentRecord,
   MQLONG   NextOffset,
   PMQPTR   NextRecord,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_XCLWLN_CALL MQPOINTER PMQ_XCLWLN_CALL;

typedef void MQENTRY MQ_XCNVC_CALL (
   MQHCONN  Hconn,
   MQLONG   Options,
   MQLONG   SourceCCSID,
   MQLONG   SourceLength,
   PMQCHAR  SourceBuffer,
   MQLONG   TargetCCSID,
   MQLONG   TargetLength,
   PMQCHAR  TargetBuffer,
   PMQLONG  DataLength,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_XCNVC_CALL MQPOINTER PMQ_XCNVC_CALL;

typedef void MQENTRY MQ_XDX_CALL (
   PMQDXP   DataConvExitParms,
   PMQMD    MsgDesc,
   MQLONG   InBufferLength,
   PMQVOID  InBuffer,
   MQLONG   OutBufferLength,
   PMQVOID  OutBuffer);
typedef MQ_XDX_CALL MQPOINTER PMQ_XDX_CALL;

typedef void MQENTRY MQ_ZEP_CALL (
   MQHCONFIG  Hconfig,
   MQLONG     Function,
   PMQFUNC    EntryPoint,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_ZEP_CALL MQPOINTER PMQ_ZEP_CALL;

/* Structures */

/* MQIEP: 264 bytes */

struct tagMQIEP {
   MQCHAR4          StrucId;        /* at 0 */
   MQLONG           Version;        /* at 4 */
   MQLONG           StrucLength;    /* at 8 */
   MQLONG           Flags;          /* at 12 */
   MQPTR            Reserved;       /* at 16 */
   PMQ_BACK_CALL    MQBACK_Call;    /* at 24 */
   PMQ_BEGIN_CALL   MQBEGIN_Call;   /* at 32 */
   PMQ_BUFMH_CALL   MQBUFMH_Call;   /* at 40 */
   PMQ_CB_CALL      MQCB_Call;      /* at 48 */
   PMQ_CLOSE_CALL   MQCLOSE_Call;   /* at 56 */
   PMQ_CMIT_CALL    MQCMIT_Call;    /* at 64 */
   PMQ_CONN_CALL    MQCONN_Call;    /* at 72 */
   PMQ_CONNX_CALL   MQCONNX_Call;   /* at 80 */
   PMQ_CRTMH_CALL   MQCRTMH_Call;   /* at 88 */
   PMQ_CTL_CALL     MQCTL_Call;     /* at 96 */
   PMQ_DISC_CALL    MQDISC_Call;    /* at 104 */
   PMQ_DLTMH_CALL   MQDLTMH_Call;   /* at 112 */
   PMQ_DLTMP_CALL   MQDLTMP_Call;   /* at 120 */
   PMQ_GET_CALL     MQGET_Call;     /* at 128 */
   PMQ_INQ_CALL     MQINQ_Call;     /* at 136 */
   PMQ_INQMP_CALL   MQINQMP_Call;   /* at 144 */
   PMQ_MHBUF_CALL   MQMHBUF_Call;   /* at 152 */
   PMQ_OPEN_CALL    MQOPEN_Call;    /* at 160 */
   PMQ_PUT_CALL     MQPUT_Call;     /* at 168 */
   PMQ_PUT1_CALL    MQPUT1_Call;    /* at 176 */
   PMQ_SET_CALL     MQSET_Call;     /* at 184 */
   PMQ_SETMP_CALL   MQSETMP_Call;   /* at 192 */
   PMQ_STAT_CALL    MQSTAT_Call;    /* at 200 */
   PMQ_SUB_CALL     MQSUB_Call;     /* at 208 */
   PMQ_SUBRQ_CALL   MQSUBRQ_Call;   /* at 216 */
   PMQ_XCLWLN_CALL  MQXCLWLN_Call;  /* at 224 */
   PMQ_XCNVC_CALL   MQXCNVC_Call;   /* at 232 */
   PMQ_XDX_CALL     MQXDX_Call;     /* at 240 */
   PMQ_XEP_CALL     MQXEP_Call;     /* at 248 */
   PMQ_ZEP_CALL     MQZEP_Call;     /* at 256 */
};

#define MQIEP_DEFAULT {MQIEP_STRUC_ID_ARRAY}, \
   MQIEP_VERSION_1, \
   264, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL

#if defined(__cplusplus)
}
#endif

#endif /* End of header file */
