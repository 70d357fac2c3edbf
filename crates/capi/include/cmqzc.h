/*
 * cmqzc.h: installable services.
 *
 * SPDX-License-Identifier: Apache-2.0
 * Part of FerryMQ. For machines with pointers of 64 bits.
 * Made by `cargo xtask generate` from the tables in `crates/mqi/facts`;
 * change those, then run it again.
 */

#if !defined(MQZC_INCLUDED)
#define MQZC_INCLUDED

#include "cmqxc.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Constants */

/* MQZED_... */

#define MQZED_STRUC_ID                   "ZED "
#define MQZED_STRUC_ID_ARRAY             'Z','E','D',' '
#define MQZED_VERSION_1                  1
#define MQZED_VERSION_2                  2
#define MQZED_CURRENT_VERSION            2
#define MQZED_LENGTH_1                   64
#define MQZED_LENGTH_2                   72
#define MQZED_CURRENT_LENGTH             72

/* MQZAC_... */

#define MQZAC_STRUC_ID                   "ZAC "
#define MQZAC_STRUC_ID_ARRAY             'Z','A','C',' '
#define MQZAC_VERSION_1                  1
#define MQZAC_CURRENT_VERSION            1
#define MQZAC_LENGTH_1                   84
#define MQZAC_CURRENT_LENGTH             84

/* MQZAT_... */

#define MQZAT_INITIAL_CONTEXT            0
#define MQZAT_CHANGE_CONTEXT             1

/* MQZAD_... */

#define MQZAD_STRUC_ID                   "ZAD "
#define MQZAD_STRUC_ID_ARRAY             'Z','A','D',' '
#define MQZAD_VERSION_1                  1
#define MQZAD_VERSION_2                  2
#define MQZAD_CURRENT_VERSION            2
#define MQZAD_LENGTH_1                   80
#define MQZAD_LENGTH_2                   80
#define MQZAD_CURRENT_LENGTH             80

/* MQZFP_... */

#define MQZFP_STRUC_ID                   "ZFP "
#define MQZFP_STRUC_ID_ARRAY             'Z','F','P',' '
#define MQZFP_VERSION_1                  1
#define MQZFP_CURRENT_VERSION            1
#define MQZFP_LENGTH_1                   24
#define MQZFP_CURRENT_LENGTH             24

/* MQZIC_... */

#define MQZIC_STRUC_ID                   "ZIC "
#define MQZIC_STRUC_ID_ARRAY             'Z','I','C',' '
#define MQZIC_VERSION_1                  1
#define MQZIC_VERSION_2                  2
#define MQZIC_CURRENT_VERSION            2
#define MQZIC_LENGTH_1                   84
#define MQZIC_LENGTH_2                   1108
#define MQZIC_CURRENT_LENGTH             1108

/* MQZIO_... */

#define MQZIO_PRIMARY                    0
#define MQZIO_SECONDARY                  1

/* MQZTO_... */

#define MQZTO_PRIMARY                    0
#define MQZTO_SECONDARY                  1

/* MQZCI_... */

#define MQZCI_DEFAULT                    0
#define MQZCI_CONTINUE                   0
#define MQZCI_STOP                       1

/* MQZAS_... */

#define MQZAS_VERSION_1                  1
#define MQZAS_VERSION_2                  2
#define MQZAS_VERSION_3                  3
#define MQZAS_VERSION_4                  4
#define MQZAS_VERSION_5                  5
#define MQZAS_VERSION_6                  6

/* MQZAO_... */

#define MQZAO_CONNECT                    1
#define MQZAO_BROWSE                     2
#define MQZAO_INPUT                      4
#define MQZAO_OUTPUT                     8
#define MQZAO_INQUIRE                    16
#define MQZAO_SET                        32
#define MQZAO_PASS_IDENTITY_CONTEXT      64
#define MQZAO_PASS_ALL_CONTEXT           128
#define MQZAO_SET_IDENTITY_CONTEXT       256
#define MQZAO_SET_ALL_CONTEXT            512
#define MQZAO_ALTERNATE_USER_AUTHORITY   1024
#define MQZAO_PUBLISH                    2048
#define MQZAO_SUBSCRIBE                  4096
#define MQZAO_RESUME                     8192
#define MQZAO_ALL_MQI                    16383
#define MQZAO_CREATE                     65536
#define MQZAO_DELETE                     131072
#define MQZAO_DISPLAY                    262144
#define MQZAO_CHANGE                     524288
#define MQZAO_CLEAR                      1048576
#define MQZAO_CONTROL                    2097152
#define MQZAO_CONTROL_EXTENDED           4194304
#define MQZAO_AUTHORIZE                  8388608
#define MQZAO_ALL_ADMIN                  16646144
#define MQZAO_SYSTEM                     33554432
#define MQZAO_ALL                        50216959
#define MQZAO_REMOVE                     16777216
#define MQZAO_NONE                       0
#define MQZAO_CREATE_ONLY                67108864

/* MQZAET_... */

#define MQZAET_NONE                      0
#define MQZAET_PRINCIPAL                 1
#define MQZAET_GROUP                     2
#define MQZAET_UNKNOWN                   3

/* MQZSE_... */

#define MQZSE_START                      1
#define MQZSE_CONTINUE                   0

/* MQZSL_... */

#define MQZSL_NOT_RETURNED               0
#define MQZSL_RETURNED                   1

/* MQZNS_... */

#define MQZNS_VERSION_1                  1

/* MQZUS_... */

#define MQZUS_VERSION_1                  1

/* MQZID_... */

#define MQZID_INIT                       0
#define MQZID_TERM                       1
#define MQZID_INIT_AUTHORITY             0
#define MQZID_TERM_AUTHORITY             1
#define MQZID_CHECK_AUTHORITY            2
#define MQZID_COPY_ALL_AUTHORITY         3
#define MQZID_DELETE_AUTHORITY           4
#define MQZID_SET_AUTHORITY              5
#define MQZID_GET_AUTHORITY              6
#define MQZID_GET_EXPLICIT_AUTHORITY     7
#define MQZID_REFRESH_CACHE              8
#define MQZID_ENUMERATE_AUTHORITY_DATA   9
#define MQZID_AUTHENTICATE_USER          10
#define MQZID_FREE_USER                  11
#define MQZID_INQUIRE                    12
#define MQZID_CHECK_PRIVILEGED           13
#define MQZID_INIT_NAME                  0
#define MQZID_TERM_NAME                  1
#define MQZID_LOOKUP_NAME                2
#define MQZID_INSERT_NAME                3
#define MQZID_DELETE_NAME                4
#define MQZID_INIT_USERID                0
#define MQZID_TERM_USERID                1
#define MQZID_FIND_USERID                2

/* Structures */

/* MQZED: 72 bytes; 64 in version 1, 72 in version 2 */

typedef struct tagMQZED MQZED;
typedef MQZED MQPOINTER PMQZED;

struct tagMQZED {
   MQCHAR4   StrucId;          /* at 0 */
   MQLONG    Version;          /* at 4 */
   PMQCHAR   EntityNamePtr;    /* at 8 */
   PMQCHAR   EntityDomainPtr;  /* at 16 */
   MQBYTE40  SecurityId;       /* at 24 */
   MQPTR     CorrelationPtr;   /* at 64, from version 2 on */
};

#define MQZED_DEFAULT {MQZED_STRUC_ID_ARRAY}, \
   MQZED_VERSION_1, \
   NULL, \
   NULL, \
   {0}, \
   NULL

/* MQZAC: 84 bytes */

typedef struct tagMQZAC MQZAC;
typedef MQZAC MQPOINTER PMQZAC;

struct tagMQZAC {
   MQCHAR4   StrucId;             /* at 0 */
   MQLONG    Version;             /* at 4 */
   MQPID     ProcessId;           /* at 8 */
   MQTID     ThreadId;            /* at 12 */
   MQCHAR28  ApplName;            /* at 16 */
   MQCHAR12  UserID;              /* at 44 */
   MQCHAR12  EffectiveUserID;     /* at 56 */
   MQLONG    Environment;         /* at 68 */
   MQLONG    CallerType;          /* at 72 */
   MQLONG    AuthenticationType;  /* at 76 */
   MQLONG    BindType;            /* at 80 */
};

#define MQZAC_DEFAULT {MQZAC_STRUC_ID_ARRAY}, \
   MQZAC_VERSION_1, \
   0, \
   0, \
   {""}, \
   {""}, \
   {""}, \
   0, \
   0, \
   0, \
   0

/* MQZAD: 80 bytes; 80 in version 1, 80 in version 2 */

typedef struct tagMQZAD MQZAD;
typedef MQZAD MQPOINTER PMQZAD;

struct tagMQZAD {
   MQCHAR4   StrucId;        /* at 0 */
   MQLONG    Version;        /* at 4 */
   MQCHAR48  ProfileName;    /* at 8 */
   MQLONG    ObjectType;     /* at 56 */
   MQLONG    Authority;      /* at 60 */
   PMQZED    EntityDataPtr;  /* at 64 */
   MQLONG    EntityType;     /* at 72 */
   MQLONG    Options;        /* at 76, from version 2 on */
};

#define MQZAD_DEFAULT {MQZAD_STRUC_ID_ARRAY}, \
   MQZAD_VERSION_1, \
   {""}, \
   1001, \
   0, \
   NULL, \
   0, \
   33

/* MQZFP: 24 bytes */

typedef struct tagMQZFP MQZFP;
typedef MQZFP MQPOINTER PMQZFP;

struct tagMQZFP {
   MQCHAR4  StrucId;         /* at 0 */
   MQLONG   Version;         /* at 4 */
   MQBYTE8  Reserved;        /* at 8 */
   MQPTR    CorrelationPtr;  /* at 16 */
};

#define MQZFP_DEFAULT {MQZFP_STRUC_ID_ARRAY}, \
   MQZFP_VERSION_1, \
   {0}, \
   NULL

/* MQZIC: 1108 bytes; 84 in version 1, 1108 in version 2 */

typedef struct tagMQZIC MQZIC;
typedef MQZIC MQPOINTER PMQZIC;

struct tagMQZIC {
   MQCHAR4     StrucId;             /* at 0 */
   MQLONG      Version;             /* at 4 */
   MQCHAR12    UserIdentifier;      /* at 8 */
   MQBYTE32    AccountingToken;     /* at 20 */
   MQCHAR32    ApplIdentityData;    /* at 52 */
   MQCHAR1024  LongUserIdentifier;  /* at 84, from version 2 on */
};

#define MQZIC_DEFAULT {MQZIC_STRUC_ID_ARRAY}, \
   MQZIC_VERSION_1, \
   {""}, \
   {0}, \
   {""}, \
   {""}

/* Types of functions */

typedef void MQENTRY MQZ_INIT_AUTHORITY (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   MQLONG     ComponentDataLength,
   PMQBYTE    ComponentData,
   PMQLONG    Version,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_INIT_AUTHORITY MQPOINTER PMQZ_INIT_AUTHORITY;

typedef void MQENTRY MQZ_TERM_AUTHORITY (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   PMQBYTE    ComponentData,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_TERM_AUTHORITY MQPOINTER PMQZ_TERM_AUTHORITY;

typedef void MQENTRY MQZ_DELETE_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_DELETE_AUTHORITY MQPOINTER PMQZ_DELETE_AUTHORITY;

typedef void MQENTRY MQZ_GET_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  EntityName,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQLONG  Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_GET_AUTHORITY MQPOINTER PMQZ_GET_AUTHORITY;

typedef void MQENTRY MQZ_GET_AUTHORITY_2 (
   PMQCHAR  QMgrName,
   PMQZED   EntityData,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQLONG  Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_GET_AUTHORITY_2 MQPOINTER PMQZ_GET_AUTHORITY_2;

typedef void MQENTRY MQZ_GET_EXPLICIT_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  EntityName,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQLONG  Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_GET_EXPLICIT_AUTHORITY MQPOINTER PMQZ_GET_EXPLICIT_AUTHORITY;

typedef void MQENTRY MQZ_GET_EXPLICIT_AUTHORITY_2 (
   PMQCHAR  QMgrName,
   PMQZED   EntityData,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQLONG  Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_GET_EXPLICIT_AUTHORITY_2 MQPOINTER PMQZ_GET_EXPLICIT_AUTHORITY_2;

typedef void MQENTRY MQZ_ENUMERATE_AUTHORITY_DATA (
   PMQCHAR  QMgrName,
   MQLONG   StartEnumeration,
   PMQZAD   Filter,
   MQLONG   AuthorityBufferLength,
   PMQZAD   AuthorityBuffer,
   PMQLONG  AuthorityDataLength,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_ENUMERATE_AUTHORITY_DATA MQPOINTER PMQZ_ENUMERATE_AUTHORITY_DATA;

typedef void MQENTRY MQZ_SET_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  EntityName,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   MQLONG   Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_SET_AUTHORITY MQPOINTER PMQZ_SET_AUTHORITY;

typedef void MQENTRY MQZ_SET_AUTHORITY_2 (
   PMQCHAR  QMgrName,
   PMQZED   EntityData,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   MQLONG   Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_SET_AUTHORITY_2 MQPOINTER PMQZ_SET_AUTHORITY_2;

typedef void MQENTRY MQZ_COPY_ALL_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  RefObjectName,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_COPY_ALL_AUTHORITY MQPOINTER PMQZ_COPY_ALL_AUTHORITY;

typedef void MQENTRY MQZ_CHECK_AUTHORITY (
   PMQCHAR  QMgrName,
   PMQCHAR  EntityName,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   MQLONG   Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_CHECK_AUTHORITY MQPOINTER PMQZ_CHECK_AUTHORITY;

typedef void MQENTRY MQZ_CHECK_AUTHORITY_2 (
   PMQCHAR  QMgrName,
   PMQZED   EntityData,
   MQLONG   EntityType,
   PMQCHAR  ObjectName,
   MQLONG   ObjectType,
   MQLONG   Authority,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_CHECK_AUTHORITY_2 MQPOINTER PMQZ_CHECK_AUTHORITY_2;

typedef void MQENTRY MQZ_AUTHENTICATE_USER (
   PMQCHAR  QMgrName,
   PMQCSP   SecurityParms,
   PMQZAC   ApplicationContext,
   PMQZIC   IdentityContext,
   PMQPTR   CorrelationPtr,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_AUTHENTICATE_USER MQPOINTER PMQZ_AUTHENTICATE_USER;

typedef void MQENTRY MQZ_FREE_USER (
   PMQCHAR  QMgrName,
   PMQZFP   FreeParms,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_FREE_USER MQPOINTER PMQZ_FREE_USER;

typedef void MQENTRY MQZ_INQUIRE (
   PMQCHAR  QMgrName,
   MQLONG   SelectorCount,
   PMQLONG  Selectors,
   MQLONG   IntAttrCount,
   PMQLONG  IntAttrs,
   MQLONG   CharAttrLength,
   PMQCHAR  CharAttrs,
   PMQLONG  SelectorReturned,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_INQUIRE MQPOINTER PMQZ_INQUIRE;

typedef void MQENTRY MQZ_REFRESH_CACHE (
   PMQCHAR  QMgrName,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_REFRESH_CACHE MQPOINTER PMQZ_REFRESH_CACHE;

typedef void MQENTRY MQZ_CHECK_PRIVILEGED (
   PMQCHAR  QMgrName,
   PMQZED   EntityData,
   MQLONG   EntityType,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_CHECK_PRIVILEGED MQPOINTER PMQZ_CHECK_PRIVILEGED;

typedef void MQENTRY MQZ_INIT_NAME (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   MQLONG     ComponentDataLength,
   PMQBYTE    ComponentData,
   PMQLONG    Version,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_INIT_NAME MQPOINTER PMQZ_INIT_NAME;

typedef void MQENTRY MQZ_TERM_NAME (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   PMQBYTE    ComponentData,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_TERM_NAME MQPOINTER PMQZ_TERM_NAME;

typedef void MQENTRY MQZ_LOOKUP_NAME (
   PMQCHAR  QMgrName,
   PMQCHAR  QName,
   PMQCHAR  ResolvedQMgrName,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_LOOKUP_NAME MQPOINTER PMQZ_LOOKUP_NAME;

typedef void MQENTRY MQZ_INSERT_NAME (
   PMQCHAR  QMgrName,
   PMQCHAR  QName,
   PMQCHAR  ResolvedQMgrName,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_INSERT_NAME MQPOINTER PMQZ_INSERT_NAME;

typedef void MQENTRY MQZ_DELETE_NAME (
   PMQCHAR  QMgrName,
   PMQCHAR  QName,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_DELETE_NAME MQPOINTER PMQZ_DELETE_NAME;

typedef void MQENTRY MQZ_INIT_USERID (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   MQLONG     ComponentDataLength,
   PMQBYTE    ComponentData,
   PMQLONG    Version,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_INIT_USERID MQPOINTER PMQZ_INIT_USERID;

typedef void MQENTRY MQZ_TERM_USERID (
   MQHCONFIG  Hconfig,
   MQLONG     Options,
   PMQCHAR    QMgrName,
   PMQBYTE    ComponentData,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQZ_TERM_USERID MQPOINTER PMQZ_TERM_USERID;

typedef void MQENTRY MQZ_FIND_USERID (
   PMQCHAR  QMgrName,
   PMQCHAR  UserId,
   PMQCHAR  Password,
   PMQBYTE  ComponentData,
   PMQLONG  Continuation,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQZ_FIND_USERID MQPOINTER PMQZ_FIND_USERID;

/* Functions */

void MQENTRY MQZEP (
   MQHCONFIG  Hconfig,
   MQLONG     Function,
   PMQFUNC    EntryPoint,
   PMQLONG    CompCode,
   PMQLONG    Reason);

#if defined(__cplusplus)
}
#endif

#endif /* End of header file */
