/*
 * cmqxc.h: channel definitions, and exits of channels, of the interface and of clusters.
 *
 * SPDX-License-Identifier: Apache-2.0
 * Part of FerryMQ. For machines with pointers of 64 bits.
 * Made by `cargo xtask generate` from the tables in `crates/mqi/facts`;
 * change those, then run it again.
 */

#if !defined(MQXC_INCLUDED)
#define MQXC_INCLUDED

#include "cmqc.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Types */

typedef PMQCHAR MQPOINTER PPMQCHAR;
typedef PMQLONG MQPOINTER PPMQLONG;
typedef struct tagMQIEP MQIEP;
typedef MQIEP MQPOINTER PMQIEP;
typedef PMQIEP MQPOINTER PPMQIEP;
typedef PMQIEP MQHCONFIG;
typedef MQHCONFIG MQPOINTER PMQHCONFIG;
typedef PMQHCONN MQPOINTER PPMQHCONN;
typedef PMQHOBJ MQPOINTER PPMQHOBJ;
typedef PMQVOID MQPOINTER PPMQVOID;
typedef PMQBO MQPOINTER PPMQBO;
typedef PMQCBC MQPOINTER PPMQCBC;
typedef PMQCBD MQPOINTER PPMQCBD;
typedef PMQCTLO MQPOINTER PPMQCTLO;
typedef PMQCNO MQPOINTER PPMQCNO;
typedef PMQGMO MQPOINTER PPMQGMO;
typedef PMQMD MQPOINTER PPMQMD;
typedef PMQOD MQPOINTER PPMQOD;
typedef PMQPMO MQPOINTER PPMQPMO;
typedef PMQSD MQPOINTER PPMQSD;
typedef PMQSRO MQPOINTER PPMQSRO;
typedef PMQSTS MQPOINTER PPMQSTS;

/* Constants */

/* MQCD_... */

#define MQCD_VERSION_1                   1
#define MQCD_VERSION_2                   2
#define MQCD_VERSION_3                   3
#define MQCD_VERSION_4                   4
#define MQCD_VERSION_5                   5
#define MQCD_VERSION_6                   6
#define MQCD_VERSION_7                   7
#define MQCD_VERSION_8                   8
#define MQCD_VERSION_9                   9
#define MQCD_VERSION_10                  10
#define MQCD_VERSION_11                  11
#define MQCD_VERSION_12                  12
#define MQCD_VERSION_13                  13
#define MQCD_CURRENT_VERSION             13
#define MQCD_LENGTH_1                    984
#define MQCD_LENGTH_2                    1312
#define MQCD_LENGTH_3                    1480
#define MQCD_LENGTH_4                    1568
#define MQCD_LENGTH_5                    1584
#define MQCD_LENGTH_6                    1688
#define MQCD_LENGTH_7                    1792
#define MQCD_LENGTH_8                    1888
#define MQCD_LENGTH_9                    1912
#define MQCD_LENGTH_10                   1920
#define MQCD_LENGTH_11                   1984
#define MQCD_LENGTH_12                   1992
#define MQCD_LENGTH_13                   2000
#define MQCD_CURRENT_LENGTH              2000

/* MQCHT_... */

#define MQCHT_SENDER                     1
#define MQCHT_SERVER                     2
#define MQCHT_RECEIVER                   3
#define MQCHT_REQUESTER                  4
#define MQCHT_ALL                        5
#define MQCHT_CLNTCONN                   6
#define MQCHT_SVRCONN                    7
#define MQCHT_CLUSRCVR                   8
#define MQCHT_CLUSSDR                    9
#define MQCHT_MQTT                       10
#define MQCHT_AMQP                       11

/* MQCOMPRESS_... */

#define MQCOMPRESS_NOT_AVAILABLE         (-1)
#define MQCOMPRESS_NONE                  0
#define MQCOMPRESS_RLE                   1
#define MQCOMPRESS_ZLIBFAST              2
#define MQCOMPRESS_ZLIBHIGH              4
#define MQCOMPRESS_SYSTEM                8
#define MQCOMPRESS_LZ4FAST               16
#define MQCOMPRESS_LZ4HIGH               32
#define MQCOMPRESS_ANY                   268435455

/* MQXPT_... */

#define MQXPT_ALL                        (-1)
#define MQXPT_LOCAL                      0
#define MQXPT_LU62                       1
#define MQXPT_TCP                        2
#define MQXPT_NETBIOS                    3
#define MQXPT_SPX                        4
#define MQXPT_DECNET                     5
#define MQXPT_UDP                        6

/* MQCAFTY_... */

#define MQCAFTY_NONE                     0
#define MQCAFTY_PREFERRED                1

/* MQDCC_... */

#define MQDCC_DEFAULT_CONVERSION         1
#define MQDCC_FILL_TARGET_BUFFER         2
#define MQDCC_INT_DEFAULT_CONVERSION     4
#define MQDCC_SOURCE_ENC_NATIVE          32
#define MQDCC_SOURCE_ENC_NORMAL          16
#define MQDCC_SOURCE_ENC_REVERSED        32
#define MQDCC_SOURCE_ENC_UNDEFINED       0
#define MQDCC_TARGET_ENC_NATIVE          512
#define MQDCC_TARGET_ENC_NORMAL          256
#define MQDCC_TARGET_ENC_REVERSED        512
#define MQDCC_TARGET_ENC_UNDEFINED       0
#define MQDCC_NONE                       0
#define MQDCC_SOURCE_ENC_MASK            240
#define MQDCC_TARGET_ENC_MASK            3840
#define MQDCC_SOURCE_ENC_FACTOR          16
#define MQDCC_TARGET_ENC_FACTOR          256

/* MQPA_... */

#define MQPA_DEFAULT                     1
#define MQPA_CONTEXT                     2
#define MQPA_ONLY_MCA                    3
#define MQPA_ALTERNATE_OR_MCA            4

/* MQCDC_... */

#define MQCDC_SENDER_CONVERSION          1
#define MQCDC_NO_SENDER_CONVERSION       0

/* MQMCAT_... */

#define MQMCAT_PROCESS                   1
#define MQMCAT_THREAD                    2

/* MQNPMS_... */

#define MQNPMS_NORMAL                    1
#define MQNPMS_FAST                      2

/* MQSCA_... */

#define MQSCA_REQUIRED                   0
#define MQSCA_OPTIONAL                   1
#define MQSCA_NEVER_REQUIRED             2

/* MQKAI_... */

#define MQKAI_AUTO                       (-1)

/* MQRCN_... */

#define MQRCN_NO                         0
#define MQRCN_YES                        1
#define MQRCN_Q_MGR                      2
#define MQRCN_DISABLED                   3

/* MQPROTO_... */

#define MQPROTO_MQTTV3                   1
#define MQPROTO_HTTP                     2
#define MQPROTO_AMQP                     3
#define MQPROTO_MQTTV311                 4
#define MQPROTO_MQTTV5                   5
#define MQPROTO_MQTTV5_MASK              8

/* MQSECPROT_... */

#define MQSECPROT_NONE                   0
#define MQSECPROT_SSLV30                 1
#define MQSECPROT_TLSV10                 2
#define MQSECPROT_TLSV12                 4
#define MQSECPROT_TLSV13                 8

/* MQSPL_... */

#define MQSPL_PASSTHRU                   0
#define MQSPL_REMOVE                     1
#define MQSPL_AS_POLICY                  2

/* MQQS_... */

#define MQQS_UNKNOWN                     (-1)
#define MQQS_UNPROTECTED                 0
#define MQQS_HYBMLKEM                    1
#define MQQS_MLKEM                       2

/* MQQSR_... */

#define MQQSR_OPTIONAL                   0
#define MQQSR_REQUIRED                   1

/* MQACH_... */

#define MQACH_STRUC_ID                   "ACH "
#define MQACH_STRUC_ID_ARRAY             'A','C','H',' '
#define MQACH_VERSION_1                  1
#define MQACH_CURRENT_VERSION            1
#define MQACH_LENGTH_1                   72
#define MQACH_CURRENT_LENGTH             72

/* MQAXC_... */

#define MQAXC_STRUC_ID                   "AXC "
#define MQAXC_STRUC_ID_ARRAY             'A','X','C',' '
#define MQAXC_VERSION_1                  1
#define MQAXC_VERSION_2                  2
#define MQAXC_CURRENT_VERSION            2
#define MQAXC_LENGTH_1                   392
#define MQAXC_LENGTH_2                   424
#define MQAXC_CURRENT_LENGTH             424

/* MQXE_... */

#define MQXE_OTHER                       0
#define MQXE_MCA                         1
#define MQXE_MCA_SVRCONN                 2
#define MQXE_COMMAND_SERVER              3
#define MQXE_MQSC                        4
#define MQXE_MCA_CLNTCONN                5

/* MQAXP_... */

#define MQAXP_STRUC_ID                   "AXP "
#define MQAXP_STRUC_ID_ARRAY             'A','X','P',' '
#define MQAXP_VERSION_1                  1
#define MQAXP_VERSION_2                  2
#define MQAXP_CURRENT_VERSION            2
#define MQAXP_LENGTH_1                   256
#define MQAXP_CURRENT_LENGTH             256

/* MQXACT_... */

#define MQXACT_EXTERNAL                  1
#define MQXACT_INTERNAL                  2

/* MQXPDA_... */

#define MQXPDA_NONE                      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define MQXPDA_NONE_ARRAY                '\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0'

/* MQXF_... */

#define MQXF_INIT                        1
#define MQXF_TERM                        2
#define MQXF_CONN                        3
#define MQXF_CONNX                       4
#define MQXF_DISC                        5
#define MQXF_OPEN                        6
#define MQXF_CLOSE                       7
#define MQXF_PUT1                        8
#define MQXF_PUT                         9
#define MQXF_GET                         10
#define MQXF_DATA_CONV_ON_GET            11
#define MQXF_INQ                         12
#define MQXF_SET                         13
#define MQXF_BEGIN                       14
#define MQXF_CMIT                        15
#define MQXF_BACK                        16
#define MQXF_STAT                        18
#define MQXF_CB                          19
#define MQXF_CTL                         20
#define MQXF_CALLBACK                    21
#define MQXF_SUB                         22
#define MQXF_SUBRQ                       23
#define MQXF_XACLOSE                     24
#define MQXF_XACOMMIT                    25
#define MQXF_XACOMPLETE                  26
#define MQXF_XAEND                       27
#define MQXF_XAFORGET                    28
#define MQXF_XAOPEN                      29
#define MQXF_XAPREPARE                   30
#define MQXF_XARECOVER                   31
#define MQXF_XAROLLBACK                  32
#define MQXF_XASTART                     33
#define MQXF_AXREG                       34
#define MQXF_AXUNREG                     35

/* MQCXP_... */

#define MQCXP_STRUC_ID                   "CXP "
#define MQCXP_STRUC_ID_ARRAY             'C','X','P',' '
#define MQCXP_VERSION_1                  1
#define MQCXP_VERSION_2                  2
#define MQCXP_VERSION_3                  3
#define MQCXP_VERSION_4                  4
#define MQCXP_VERSION_5                  5
#define MQCXP_VERSION_6                  6
#define MQCXP_VERSION_7                  7
#define MQCXP_VERSION_8                  8
#define MQCXP_VERSION_9                  9
#define MQCXP_CURRENT_VERSION            9
#define MQCXP_LENGTH_3                   156
#define MQCXP_LENGTH_4                   156
#define MQCXP_LENGTH_5                   160
#define MQCXP_LENGTH_6                   200
#define MQCXP_LENGTH_7                   208
#define MQCXP_LENGTH_8                   224
#define MQCXP_LENGTH_9                   240
#define MQCXP_CURRENT_LENGTH             240

/* MQXR2_... */

#define MQXR2_PUT_WITH_DEF_ACTION        0
#define MQXR2_PUT_WITH_DEF_USERID        1
#define MQXR2_PUT_WITH_MSG_USERID        2
#define MQXR2_USE_AGENT_BUFFER           0
#define MQXR2_USE_EXIT_BUFFER            4
#define MQXR2_DEFAULT_CONTINUATION       0
#define MQXR2_CONTINUE_CHAIN             8
#define MQXR2_SUPPRESS_CHAIN             16
#define MQXR2_STATIC_CACHE               0
#define MQXR2_DYNAMIC_CACHE              32

/* MQCF_... */

#define MQCF_NONE                        0
#define MQCF_DIST_LISTS                  1

/* MQDXP_... */

#define MQDXP_STRUC_ID                   "DXP "
#define MQDXP_STRUC_ID_ARRAY             'D','X','P',' '
#define MQDXP_VERSION_1                  1
#define MQDXP_VERSION_2                  2
#define MQDXP_CURRENT_VERSION            2
#define MQDXP_LENGTH_1                   44
#define MQDXP_LENGTH_2                   56
#define MQDXP_CURRENT_LENGTH             56

/* MQXDR_... */

#define MQXDR_OK                         0
#define MQXDR_CONVERSION_FAILED          1

/* MQNXP_... */

#define MQNXP_STRUC_ID                   "NXP "
#define MQNXP_STRUC_ID_ARRAY             'N','X','P',' '
#define MQNXP_VERSION_1                  1
#define MQNXP_VERSION_2                  2
#define MQNXP_CURRENT_VERSION            2
#define MQNXP_LENGTH_1                   64
#define MQNXP_LENGTH_2                   72
#define MQNXP_CURRENT_LENGTH             72

/* MQPBC_... */

#define MQPBC_STRUC_ID                   "PBC "
#define MQPBC_STRUC_ID_ARRAY             'P','B','C',' '
#define MQPBC_VERSION_1                  1
#define MQPBC_VERSION_2                  2
#define MQPBC_CURRENT_VERSION            2
#define MQPBC_LENGTH_1                   32
#define MQPBC_LENGTH_2                   40
#define MQPBC_CURRENT_LENGTH             40

/* MQPSXP_... */

#define MQPSXP_STRUC_ID                  "PSXP"
#define MQPSXP_STRUC_ID_ARRAY            'P','S','X','P'
#define MQPSXP_VERSION_1                 1
#define MQPSXP_VERSION_2                 2
#define MQPSXP_CURRENT_VERSION           2
#define MQPSXP_LENGTH_1                  176
#define MQPSXP_LENGTH_2                  184
#define MQPSXP_CURRENT_LENGTH            184

/* MQSBC_... */

#define MQSBC_STRUC_ID                   "SBC "
#define MQSBC_STRUC_ID_ARRAY             'S','B','C',' '
#define MQSBC_VERSION_1                  1
#define MQSBC_CURRENT_VERSION            1
#define MQSBC_LENGTH_1                   288
#define MQSBC_CURRENT_LENGTH             288

/* MQWDR_... */

#define MQWDR_STRUC_ID                   "WDR "
#define MQWDR_STRUC_ID_ARRAY             'W','D','R',' '
#define MQWDR_VERSION_1                  1
#define MQWDR_VERSION_2                  2
#define MQWDR_CURRENT_VERSION            2
#define MQWDR_LENGTH_1                   124
#define MQWDR_LENGTH_2                   136
#define MQWDR_CURRENT_LENGTH             136

/* MQQMF_... */

#define MQQMF_REPOSITORY_Q_MGR           2
#define MQQMF_CLUSSDR_USER_DEFINED       8
#define MQQMF_CLUSSDR_AUTO_DEFINED       16
#define MQQMF_AVAILABLE                  32

/* MQWDR1_... */

#define MQWDR1_LENGTH_1                  124
#define MQWDR1_CURRENT_LENGTH            124

/* MQWDR2_... */

#define MQWDR2_LENGTH_1                  124
#define MQWDR2_LENGTH_2                  136
#define MQWDR2_CURRENT_LENGTH            136

/* MQWQR_... */

#define MQWQR_STRUC_ID                   "WQR "
#define MQWQR_STRUC_ID_ARRAY             'W','Q','R',' '
#define MQWQR_VERSION_1                  1
#define MQWQR_VERSION_2                  2
#define MQWQR_VERSION_3                  3
#define MQWQR_VERSION_4                  4
#define MQWQR_CURRENT_VERSION            4
#define MQWQR_LENGTH_1                   200
#define MQWQR_LENGTH_2                   208
#define MQWQR_LENGTH_3                   212
#define MQWQR_LENGTH_4                   216
#define MQWQR_CURRENT_LENGTH             216

/* MQQF_... */

#define MQQF_LOCAL_Q                     1
#define MQQF_CLWL_USEQ_ANY               64
#define MQQF_CLWL_USEQ_LOCAL             128

/* MQWQR1_... */

#define MQWQR1_LENGTH_1                  200
#define MQWQR1_CURRENT_LENGTH            200

/* MQWQR2_... */

#define MQWQR2_LENGTH_1                  200
#define MQWQR2_LENGTH_2                  208
#define MQWQR2_CURRENT_LENGTH            208

/* MQWQR3_... */

#define MQWQR3_LENGTH_1                  200
#define MQWQR3_LENGTH_2                  208
#define MQWQR3_LENGTH_3                  212
#define MQWQR3_CURRENT_LENGTH            212

/* MQWQR4_... */

#define MQWQR4_LENGTH_1                  200
#define MQWQR4_LENGTH_2                  208
#define MQWQR4_LENGTH_3                  212
#define MQWQR4_LENGTH_4                  216
#define MQWQR4_CURRENT_LENGTH            216

/* MQWXP_... */

#define MQWXP_STRUC_ID                   "WXP "
#define MQWXP_STRUC_ID_ARRAY             'W','X','P',' '
#define MQWXP_VERSION_1                  1
#define MQWXP_VERSION_2                  2
#define MQWXP_VERSION_3                  3
#define MQWXP_VERSION_4                  4
#define MQWXP_CURRENT_VERSION            4
#define MQWXP_LENGTH_1                   224
#define MQWXP_LENGTH_2                   240
#define MQWXP_LENGTH_3                   240
#define MQWXP_LENGTH_4                   248
#define MQWXP_CURRENT_LENGTH             248
#define MQWXP_PUT_BY_CLUSTER_CHL         2

/* MQWXP1_... */

#define MQWXP1_LENGTH_1                  224
#define MQWXP1_CURRENT_LENGTH            224

/* MQWXP2_... */

#define MQWXP2_LENGTH_1                  224
#define MQWXP2_LENGTH_2                  240
#define MQWXP2_CURRENT_LENGTH            240

/* MQWXP3_... */

#define MQWXP3_LENGTH_1                  224
#define MQWXP3_LENGTH_2                  240
#define MQWXP3_LENGTH_3                  240
#define MQWXP3_CURRENT_LENGTH            240

/* MQWXP4_... */

#define MQWXP4_LENGTH_1                  224
#define MQWXP4_LENGTH_2                  240
#define MQWXP4_LENGTH_3                  240
#define MQWXP4_LENGTH_4                  248
#define MQWXP4_CURRENT_LENGTH            248

/* MQXEPO_... */

#define MQXEPO_STRUC_ID                  "XEPO"
#define MQXEPO_STRUC_ID_ARRAY            'X','E','P','O'
#define MQXEPO_VERSION_1                 1
#define MQXEPO_CURRENT_VERSION           1
#define MQXEPO_LENGTH_1                  40
#define MQXEPO_CURRENT_LENGTH            40
#define MQXEPO_NONE                      0

/* MQXT_... */

#define MQXT_API_CROSSING_EXIT           1
#define MQXT_API_EXIT                    2
#define MQXT_CHANNEL_SEC_EXIT            11
#define MQXT_CHANNEL_MSG_EXIT            12
#define MQXT_CHANNEL_SEND_EXIT           13
#define MQXT_CHANNEL_RCV_EXIT            14
#define MQXT_CHANNEL_MSG_RETRY_EXIT      15
#define MQXT_CHANNEL_AUTO_DEF_EXIT       16
#define MQXT_CLUSTER_WORKLOAD_EXIT       20
#define MQXT_PUBSUB_ROUTING_EXIT         21
#define MQXT_PUBLISH_EXIT                22
#define MQXT_PRECONNECT_EXIT             23

/* MQXR_... */

#define MQXR_BEFORE                      1
#define MQXR_AFTER                       2
#define MQXR_CONNECTION                  3
#define MQXR_BEFORE_CONVERT              4
#define MQXR_INIT                        11
#define MQXR_TERM                        12
#define MQXR_MSG                         13
#define MQXR_XMIT                        14
#define MQXR_SEC_MSG                     15
#define MQXR_INIT_SEC                    16
#define MQXR_RETRY                       17
#define MQXR_AUTO_CLUSSDR                18
#define MQXR_AUTO_RECEIVER               19
#define MQXR_CLWL_OPEN                   20
#define MQXR_CLWL_PUT                    21
#define MQXR_CLWL_MOVE                   22
#define MQXR_CLWL_REPOS                  23
#define MQXR_CLWL_REPOS_MOVE             24
#define MQXR_END_BATCH                   25
#define MQXR_ACK_RECEIVED                26
#define MQXR_AUTO_SVRCONN                27
#define MQXR_AUTO_CLUSRCVR               28
#define MQXR_SEC_PARMS                   29
#define MQXR_PUBLICATION                 30
#define MQXR_PRECONNECT                  31

/* MQXCC_... */

#define MQXCC_OK                         0
#define MQXCC_SUPPRESS_FUNCTION          (-1)
#define MQXCC_SKIP_FUNCTION              (-2)
#define MQXCC_SEND_AND_REQUEST_SEC_MSG   (-3)
#define MQXCC_SEND_SEC_MSG               (-4)
#define MQXCC_SUPPRESS_EXIT              (-5)
#define MQXCC_CLOSE_CHANNEL              (-6)
#define MQXCC_REQUEST_ACK                (-7)
#define MQXCC_FAILED                     (-8)

/* MQXUA_... */

#define MQXUA_NONE                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define MQXUA_NONE_ARRAY                 '\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0','\0'

/* MQCLCT_... */

#define MQCLCT_STATIC                    0
#define MQCLCT_DYNAMIC                   1

/* MQMCEV_... */

#define MQMCEV_PACKET_LOSS               1
#define MQMCEV_HEARTBEAT_TIMEOUT         2
#define MQMCEV_VERSION_CONFLICT          3
#define MQMCEV_RELIABILITY               4
#define MQMCEV_CLOSED_TRANS              5
#define MQMCEV_STREAM_ERROR              6
#define MQMCEV_NEW_SOURCE                10
#define MQMCEV_RECEIVE_QUEUE_TRIMMED     11
#define MQMCEV_PACKET_LOSS_NACK_EXPIRE   12
#define MQMCEV_ACK_RETRIES_EXCEEDED      13
#define MQMCEV_STREAM_SUSPEND_NACK       14
#define MQMCEV_STREAM_RESUME_NACK        15
#define MQMCEV_STREAM_EXPELLED           16
#define MQMCEV_FIRST_MESSAGE             20
#define MQMCEV_LATE_JOIN_FAILURE         21
#define MQMCEV_MESSAGE_LOSS              22
#define MQMCEV_SEND_PACKET_FAILURE       23
#define MQMCEV_REPAIR_DELAY              24
#define MQMCEV_MEMORY_ALERT_ON           25
#define MQMCEV_MEMORY_ALERT_OFF          26
#define MQMCEV_NACK_ALERT_ON             27
#define MQMCEV_NACK_ALERT_OFF            28
#define MQMCEV_REPAIR_ALERT_ON           29
#define MQMCEV_REPAIR_ALERT_OFF          30
#define MQMCEV_RELIABILITY_CHANGED       31
#define MQMCEV_SHM_DEST_UNUSABLE         80
#define MQMCEV_SHM_PORT_UNUSABLE         81
#define MQMCEV_CCT_GETTIME_FAILED        110
#define MQMCEV_DEST_INTERFACE_FAILURE    120
#define MQMCEV_DEST_INTERFACE_FAILOVER   121
#define MQMCEV_PORT_INTERFACE_FAILURE    122
#define MQMCEV_PORT_INTERFACE_FAILOVER   123

/* MQCDC_... */

#define MQCDC_CURRENT_LENGTH             2000
#define MQCDC_CURRENT_VERSION            13
#define MQCDC_LENGTH_1                   984
#define MQCDC_LENGTH_10                  1920
#define MQCDC_LENGTH_11                  1984
#define MQCDC_LENGTH_12                  1992
#define MQCDC_LENGTH_13                  2000
#define MQCDC_LENGTH_2                   1312
#define MQCDC_LENGTH_3                   1480
#define MQCDC_LENGTH_4                   1568
#define MQCDC_LENGTH_5                   1584
#define MQCDC_LENGTH_6                   1688
#define MQCDC_LENGTH_7                   1792
#define MQCDC_LENGTH_8                   1888
#define MQCDC_LENGTH_9                   1912
#define MQCDC_VERSION_1                  1
#define MQCDC_VERSION_10                 10
#define MQCDC_VERSION_11                 11
#define MQCDC_VERSION_12                 12
#define MQCDC_VERSION_13                 13
#define MQCDC_VERSION_2                  2
#define MQCDC_VERSION_3                  3
#define MQCDC_VERSION_4                  4
#define MQCDC_VERSION_5                  5
#define MQCDC_VERSION_6                  6
#define MQCDC_VERSION_7                  7
#define MQCDC_VERSION_8                  8
#define MQCDC_VERSION_9                  9

/* MQFIELD_... */

#define MQFIELD_WQR_CLWLQueuePriority    8013
#define MQFIELD_WQR_CLWLQueueRank        8014
#define MQFIELD_WQR_CapExpiry            8016
#define MQFIELD_WQR_ClusterRecOffset     8006
#define MQFIELD_WQR_DefBind              8009
#define MQFIELD_WQR_DefPersistence       8010
#define MQFIELD_WQR_DefPriority          8011
#define MQFIELD_WQR_DefPutResponse       8015
#define MQFIELD_WQR_InhibitPut           8012
#define MQFIELD_WQR_QDesc                8008
#define MQFIELD_WQR_QFlags               8003
#define MQFIELD_WQR_QMgrIdentifier       8005
#define MQFIELD_WQR_QName                8004
#define MQFIELD_WQR_QType                8007
#define MQFIELD_WQR_StrucId              8000
#define MQFIELD_WQR_StrucLength          8002
#define MQFIELD_WQR_Version              8001

/* MQXC_... */

#define MQXC_CALLBACK                    48
#define MQXC_MQBACK                      9
#define MQXC_MQCB                        44
#define MQXC_MQCLOSE                     2
#define MQXC_MQCMIT                      10
#define MQXC_MQCTL                       45
#define MQXC_MQGET                       3
#define MQXC_MQINQ                       6
#define MQXC_MQOPEN                      1
#define MQXC_MQPUT                       4
#define MQXC_MQPUT1                      5
#define MQXC_MQSET                       8
#define MQXC_MQSTAT                      46
#define MQXC_MQSUB                       42
#define MQXC_MQSUBRQ                     43

/* MQXP_... */

#define MQXP_CURRENT_LENGTH              44
#define MQXP_LENGTH_1                    44
#define MQXP_VERSION_1                   1

/* MQXWD_... */

#define MQXWD_CURRENT_LENGTH             24
#define MQXWD_LENGTH_1                   24
#define MQXWD_VERSION_1                  1

/* MQXP_... */

#define MQXP_STRUC_ID                    "XP  "
#define MQXP_STRUC_ID_ARRAY              'X','P',' ',' '

/* MQXWD_... */

#define MQXWD_STRUC_ID                   "XWD "
#define MQXWD_STRUC_ID_ARRAY             'X','W','D',' '

/* Structures */

/* MQCD: 2000 bytes; 984 in version 1, 1312 in version 2, 1480 in version 3, 1568 in version 4, 1584 in version 5, 1688 in version 6, 1792 in version 7, 1888 in version 8, 1912 in version 9, 1920 in version 10, 1984 in version 11, 1992 in version 12, 2000 in version 13 */

struct tagMQCD {
   MQCHAR    ChannelName[20];           /* at 0 */
   MQLONG    Version;                   /* at 20 */
   MQLONG    ChannelType;               /* at 24 */
   MQLONG    TransportType;             /* at 28 */
   MQCHAR    Desc[64];                  /* at 32 */
   MQCHAR    QMgrName[48];              /* at 96 */
   MQCHAR    XmitQName[48];             /* at 144 */
   MQCHAR    ShortConnectionName[20];   /* at 192 */
   MQCHAR    MCAName[20];               /* at 212 */
   MQCHAR    ModeName[8];               /* at 232 */
   MQCHAR    TpName[64];                /* at 240 */
   MQLONG    BatchSize;                 /* at 304 */
   MQLONG    DiscInterval;              /* at 308 */
   MQLONG    ShortRetryCount;           /* at 312 */
   MQLONG    ShortRetryInterval;        /* at 316 */
   MQLONG    LongRetryCount;            /* at 320 */
   MQLONG    LongRetryInterval;         /* at 324 */
   MQCHAR    SecurityExit[128];         /* at 328 */
   MQCHAR    MsgExit[128];              /* at 456 */
   MQCHAR    SendExit[128];             /* at 584 */
   MQCHAR    ReceiveExit[128];          /* at 712 */
   MQLONG    SeqNumberWrap;             /* at 840 */
   MQLONG    MaxMsgLength;              /* at 844 */
   MQLONG    PutAuthority;              /* at 848 */
   MQLONG    DataConversion;            /* at 852 */
   MQCHAR    SecurityUserData[32];      /* at 856 */
   MQCHAR    MsgUserData[32];           /* at 888 */
   MQCHAR    SendUserData[32];          /* at 920 */
   MQCHAR    ReceiveUserData[32];       /* at 952 */
   MQCHAR    UserIdentifier[12];        /* at 984, from version 2 on */
   MQCHAR    Password[12];              /* at 996, from version 2 on */
   MQCHAR    MCAUserIdentifier[12];     /* at 1008, from version 2 on */
   MQLONG    MCAType;                   /* at 1020, from version 2 on */
   MQCHAR    ConnectionName[264];       /* at 1024, from version 2 on */
   MQCHAR    RemoteUserIdentifier[12];  /* at 1288, from version 2 on */
   MQCHAR    RemotePassword[12];        /* at 1300, from version 2 on */
   MQCHAR    MsgRetryExit[128];         /* at 1312, from version 3 on */
   MQCHAR    MsgRetryUserData[32];      /* at 1440, from version 3 on */
   MQLONG    MsgRetryCount;             /* at 1472, from version 3 on */
   MQLONG    MsgRetryInterval;          /* at 1476, from version 3 on */
   MQLONG    HeartbeatInterval;         /* at 1480, from version 4 on */
   MQLONG    BatchInterval;             /* at 1484, from version 4 on */
   MQLONG    NonPersistentMsgSpeed;     /* at 1488, from version 4 on */
   MQLONG    StrucLength;               /* at 1492, from version 4 on */
   MQLONG    ExitNameLength;            /* at 1496, from version 4 on */
   MQLONG    ExitDataLength;            /* at 1500, from version 4 on */
   MQLONG    MsgExitsDefined;           /* at 1504, from version 4 on */
   MQLONG    SendExitsDefined;          /* at 1508, from version 4 on */
   MQLONG    ReceiveExitsDefined;       /* at 1512, from version 4 on */
   MQPTR     MsgExitPtr;                /* at 1520, from version 4 on */
   MQPTR     MsgUserDataPtr;            /* at 1528, from version 4 on */
   MQPTR     SendExitPtr;               /* at 1536, from version 4 on */
   MQPTR     SendUserDataPtr;           /* at 1544, from version 4 on */
   MQPTR     ReceiveExitPtr;            /* at 1552, from version 4 on */
   MQPTR     ReceiveUserDataPtr;        /* at 1560, from version 4 on */
   MQPTR     ClusterPtr;                /* at 1568, from version 5 on */
   MQLONG    ClustersDefined;           /* at 1576, from version 5 on */
   MQLONG    NetworkPriority;           /* at 1580, from version 5 on */
   MQLONG    LongMCAUserIdLength;       /* at 1584, from version 6 on */
   MQLONG    LongRemoteUserIdLength;    /* at 1588, from version 6 on */
   MQPTR     LongMCAUserIdPtr;          /* at 1592, from version 6 on */
   MQPTR     LongRemoteUserIdPtr;       /* at 1600, from version 6 on */
   MQBYTE40  MCASecurityId;             /* at 1608, from version 6 on */
   MQBYTE40  RemoteSecurityId;          /* at 1648, from version 6 on */
   MQCHAR    SSLCipherSpec[32];         /* at 1688, from version 7 on */
   MQPTR     SSLPeerNamePtr;            /* at 1720, from version 7 on */
   MQLONG    SSLPeerNameLength;         /* at 1728, from version 7 on */
   MQLONG    SSLClientAuth;             /* at 1732, from version 7 on */
   MQLONG    KeepAliveInterval;         /* at 1736, from version 7 on */
   MQCHAR    LocalAddress[48];          /* at 1740, from version 7 on */
   MQLONG    BatchHeartbeat;            /* at 1788, from version 7 on */
   MQLONG    HdrCompList[2];            /* at 1792, from version 8 on */
   MQLONG    MsgCompList[16];           /* at 1800, from version 8 on */
   MQLONG    CLWLChannelRank;           /* at 1864, from version 8 on */
   MQLONG    CLWLChannelPriority;       /* at 1868, from version 8 on */
   MQLONG    CLWLChannelWeight;         /* at 1872, from version 8 on */
   MQLONG    ChannelMonitoring;         /* at 1876, from version 8 on */
   MQLONG    ChannelStatistics;         /* at 1880, from version 8 on */
   MQLONG    SharingConversations;      /* at 1884, from version 9 on */
   MQLONG    PropertyControl;           /* at 1888, from version 9 on */
   MQLONG    MaxInstances;              /* at 1892, from version 9 on */
   MQLONG    MaxInstancesPerClient;     /* at 1896, from version 9 on */
   MQLONG    ClientChannelWeight;       /* at 1900, from version 9 on */
   MQLONG    ConnectionAffinity;        /* at 1904, from version 9 on */
   MQLONG    BatchDataLimit;            /* at 1908, from version 10 on */
   MQLONG    UseDLQ;                    /* at 1912, from version 10 on */
   MQLONG    DefReconnect;              /* at 1916, from version 10 on */
   MQCHAR    CertificateLabel[64];      /* at 1920, from version 11 on */
   MQLONG    SPLProtection;             /* at 1984, from version 12 on */
   MQLONG    QuantumSafeAlgorithm;      /* at 1988, from version 13 on */
   MQLONG    QuantumSafeRequired;       /* at 1992, from version 13 on */
};

#define MQCD_DEFAULT {""}, \
   MQCD_VERSION_6, \
   1, \
   1, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   50, \
   6000, \
   10, \
   60, \
   999999999, \
   1200, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   999999999, \
   4194304, \
   1, \
   0, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   1, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   10, \
   1000, \
   300, \
   0, \
   2, \
   2000, \
   128, \
   32, \
   0, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   0, \
   0, \
   0, \
   0, \
   NULL, \
   NULL, \
   {0}, \
   {0}, \
   {""}, \
   NULL, \
   0, \
   0, \
   -1, \
   {""}, \
   0, \
   {0,-1}, \
   {0,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1}, \
   0, \
   0, \
   50, \
   0, \
   0, \
   10, \
   0, \
   999999999, \
   999999999, \
   0, \
   1, \
   5000, \
   2, \
   0, \
   {""}, \
   0, \
   0, \
   0

#define MQCD_CLIENT_CONN_DEFAULT {""}, \
   MQCD_VERSION_6, \
   6, \
   2, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   50, \
   6000, \
   10, \
   60, \
   999999999, \
   1200, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   999999999, \
   4194304, \
   1, \
   0, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   1, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   {""}, \
   10, \
   1000, \
   1, \
   0, \
   2, \
   2000, \
   128, \
   32, \
   0, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   NULL, \
   0, \
   0, \
   0, \
   0, \
   NULL, \
   NULL, \
   {0}, \
   {0}, \
   {""}, \
   NULL, \
   0, \
   0, \
   -1, \
   {""}, \
   0, \
   {-1,-1}, \
   {-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1}, \
   0, \
   0, \
   50, \
   0, \
   0, \
   10, \
   0, \
   999999999, \
   999999999, \
   0, \
   1, \
   5000, \
   2, \
   0, \
   {""}, \
   0, \
   0, \
   0

/* MQACH: 72 bytes */

typedef struct tagMQACH MQACH;
typedef MQACH MQPOINTER PMQACH;

struct tagMQACH {
   MQCHAR4   StrucId;           /* at 0 */
   MQLONG    Version;           /* at 4 */
   MQLONG    StrucLength;       /* at 8 */
   MQLONG    ChainAreaLength;   /* at 12 */
   MQCHAR48  ExitInfoName;      /* at 16 */
   PMQACH    NextChainAreaPtr;  /* at 64 */
};

#define MQACH_DEFAULT {MQACH_STRUC_ID_ARRAY}, \
   MQACH_VERSION_1, \
   72, \
   0, \
   {""}, \
   NULL

/* MQAXC: 424 bytes; 392 in version 1, 424 in version 2 */

typedef struct tagMQAXC MQAXC;
typedef MQAXC MQPOINTER PMQAXC;

struct tagMQAXC {
   MQCHAR4   StrucId;                 /* at 0 */
   MQLONG    Version;                 /* at 4 */
   MQLONG    Environment;             /* at 8 */
   MQCHAR12  UserId;                  /* at 12 */
   MQBYTE40  SecurityId;              /* at 24 */
   MQCHAR    ConnectionName[264];     /* at 64 */
   MQLONG    LongMCAUserIdLength;     /* at 328 */
   MQLONG    LongRemoteUserIdLength;  /* at 332 */
   MQPTR     LongMCAUserIdPtr;        /* at 336 */
   MQPTR     LongRemoteUserIdPtr;     /* at 344 */
   MQCHAR28  ApplName;                /* at 352 */
   MQLONG    ApplType;                /* at 380 */
   MQPID     ProcessId;               /* at 384 */
   MQTID     ThreadId;                /* at 388 */
   MQCHAR    ChannelName[20];         /* at 392, from version 2 on */
   MQBYTE4   Reserved1;               /* at 412, from version 2 on */
   PMQCD     pChannelDefinition;      /* at 416, from version 2 on */
};

#define MQAXC_DEFAULT {MQAXC_STRUC_ID_ARRAY}, \
   MQAXC_VERSION_1, \
   0, \
   {""}, \
   {0}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL, \
   {""}, \
   6, \
   0, \
   0, \
   {""}, \
   {0}, \
   NULL

/* MQAXP: 256 bytes */

typedef struct tagMQAXP MQAXP;
typedef MQAXP MQPOINTER PMQAXP;

struct tagMQAXP {
   MQCHAR4    StrucId;           /* at 0 */
   MQLONG     Version;           /* at 4 */
   MQLONG     ExitId;            /* at 8 */
   MQLONG     ExitReason;        /* at 12 */
   MQLONG     ExitResponse;      /* at 16 */
   MQLONG     ExitResponse2;     /* at 20 */
   MQLONG     Feedback;          /* at 24 */
   MQLONG     APICallerType;     /* at 28 */
   MQBYTE16   ExitUserArea;      /* at 32 */
   MQCHAR32   ExitData;          /* at 48 */
   MQCHAR48   ExitInfoName;      /* at 80 */
   MQBYTE48   ExitPDArea;        /* at 128 */
   MQCHAR48   QMgrName;          /* at 176 */
   PMQACH     ExitChainAreaPtr;  /* at 224 */
   MQHCONFIG  Hconfig;           /* at 232 */
   MQLONG     Function;          /* at 240 */
   MQHMSG     ExitMsgHandle;     /* at 248 */
};

#define MQAXP_DEFAULT {MQAXP_STRUC_ID_ARRAY}, \
   MQAXP_VERSION_1, \
   2, \
   0, \
   0, \
   0, \
   0, \
   1, \
   {0}, \
   {""}, \
   {""}, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0

/* MQCXP: 240 bytes; 156 in version 3, 156 in version 4, 160 in version 5, 200 in version 6, 208 in version 7, 224 in version 8, 240 in version 9 */

typedef struct tagMQCXP MQCXP;
typedef MQCXP MQPOINTER PMQCXP;

struct tagMQCXP {
   MQCHAR4   StrucId;                  /* at 0 */
   MQLONG    Version;                  /* at 4 */
   MQLONG    ExitId;                   /* at 8 */
   MQLONG    ExitReason;               /* at 12 */
   MQLONG    ExitResponse;             /* at 16 */
   MQLONG    ExitResponse2;            /* at 20 */
   MQLONG    Feedback;                 /* at 24 */
   MQLONG    MaxSegmentLength;         /* at 28 */
   MQBYTE16  ExitUserArea;             /* at 32 */
   MQCHAR32  ExitData;                 /* at 48 */
   MQLONG    MsgRetryCount;            /* at 80 */
   MQLONG    MsgRetryInterval;         /* at 84 */
   MQLONG    MsgRetryReason;           /* at 88 */
   MQLONG    HeaderLength;             /* at 92 */
   MQCHAR48  PartnerName;              /* at 96 */
   MQLONG    FAPLevel;                 /* at 144 */
   MQLONG    CapabilityFlags;          /* at 148 */
   MQLONG    ExitNumber;               /* at 152 */
   MQLONG    ExitSpace;                /* at 156, from version 5 on */
   MQCHAR12  SSLCertUserid;            /* at 160, from version 6 on */
   MQLONG    SSLRemCertIssNameLength;  /* at 172, from version 6 on */
   MQPTR     SSLRemCertIssNamePtr;     /* at 176, from version 6 on */
   PMQCSP    SecurityParms;            /* at 184, from version 6 on */
   MQLONG    CurHdrCompression;        /* at 192, from version 6 on */
   MQLONG    CurMsgCompression;        /* at 196, from version 6 on */
   MQHCONN   Hconn;                    /* at 200, from version 7 on */
   MQBOOL    SharingConversations;     /* at 204, from version 7 on */
   MQLONG    MCAUserSource;            /* at 208, from version 8 on */
   PMQIEP    pEntryPoints;             /* at 216, from version 8 on */
   MQCHAR4   RemoteProduct;            /* at 224, from version 9 on */
   MQCHAR8   RemoteVersion;            /* at 228, from version 9 on */
};

#define MQCXP_DEFAULT {MQCXP_STRUC_ID_ARRAY}, \
   MQCXP_VERSION_5, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   1, \
   0, \
   {""}, \
   0, \
   NULL, \
   NULL, \
   0, \
   0, \
   -1, \
   0, \
   0, \
   NULL, \
   {""}, \
   {""}

/* MQDXP: 56 bytes; 44 in version 1, 56 in version 2 */

typedef struct tagMQDXP MQDXP;
typedef MQDXP MQPOINTER PMQDXP;

struct tagMQDXP {
   MQCHAR4  StrucId;         /* at 0 */
   MQLONG   Version;         /* at 4 */
   MQLONG   ExitOptions;     /* at 8 */
   MQLONG   AppOptions;      /* at 12 */
   MQLONG   Encoding;        /* at 16 */
   MQLONG   CodedCharSetId;  /* at 20 */
   MQLONG   DataLength;      /* at 24 */
   MQLONG   CompCode;        /* at 28 */
   MQLONG   Reason;          /* at 32 */
   MQLONG   ExitResponse;    /* at 36 */
   MQHCONN  Hconn;           /* at 40 */
   PMQIEP   pEntryPoints;    /* at 48, from version 2 on */
};

#define MQDXP_DEFAULT {MQDXP_STRUC_ID_ARRAY}, \
   MQDXP_VERSION_1, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   1, \
   0, \
   NULL

/* MQNXP: 72 bytes; 64 in version 1, 72 in version 2 */

typedef struct tagMQNXP MQNXP;
typedef MQNXP MQPOINTER PMQNXP;

struct tagMQNXP {
   MQCHAR4  StrucId;           /* at 0 */
   MQLONG   Version;           /* at 4 */
   MQLONG   ExitId;            /* at 8 */
   MQLONG   ExitReason;        /* at 12 */
   MQLONG   ExitResponse;      /* at 16 */
   MQLONG   ExitResponse2;     /* at 20 */
   MQLONG   Feedback;          /* at 24 */
   MQLONG   ExitDataLength;    /* at 28 */
   PMQCHAR  pExitDataPtr;      /* at 32 */
   MQPTR    pExitUserAreaPtr;  /* at 40 */
   PPMQCD   ppMQCDArrayPtr;    /* at 48 */
   MQLONG   MQCDArrayCount;    /* at 56 */
   MQLONG   MaxMQCDVersion;    /* at 60 */
   PMQIEP   pEntryPoints;      /* at 64, from version 2 on */
};

#define MQNXP_DEFAULT {MQNXP_STRUC_ID_ARRAY}, \
   MQNXP_VERSION_1, \
   23, \
   0, \
   0, \
   0, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   0, \
   13, \
   NULL

/* MQPBC: 40 bytes; 32 in version 1, 40 in version 2 */

typedef struct tagMQPBC MQPBC;
typedef MQPBC MQPOINTER PMQPBC;

struct tagMQPBC {
   MQCHAR4  StrucId;         /* at 0 */
   MQLONG   Version;         /* at 4 */
   MQCHARV  PubTopicString;  /* at 8 */
   PMQMD    MsgDescPtr;      /* at 32, from version 2 on */
};

#define MQPBC_DEFAULT {MQPBC_STRUC_ID_ARRAY}, \
   MQPBC_VERSION_1, \
   {MQCHARV_DEFAULT}, \
   NULL

/* MQPSXP: 184 bytes; 176 in version 1, 184 in version 2 */

typedef struct tagMQPSXP MQPSXP;
typedef MQPSXP MQPOINTER PMQPSXP;

struct tagMQPSXP {
   MQCHAR4   StrucId;        /* at 0 */
   MQLONG    Version;        /* at 4 */
   MQLONG    ExitId;         /* at 8 */
   MQLONG    ExitReason;     /* at 12 */
   MQLONG    ExitResponse;   /* at 16 */
   MQLONG    ExitResponse2;  /* at 20 */
   MQLONG    Feedback;       /* at 24 */
   MQHCONN   Hconn;          /* at 28 */
   MQBYTE16  ExitUserArea;   /* at 32 */
   MQCHAR32  ExitData;       /* at 48 */
   MQCHAR48  QMgrName;       /* at 80 */
   MQHMSG    MsgHandle;      /* at 128 */
   PMQMD     MsgDescPtr;     /* at 136 */
   PMQVOID   MsgInPtr;       /* at 144 */
   MQLONG    MsgInLength;    /* at 152 */
   PMQVOID   MsgOutPtr;      /* at 160 */
   MQLONG    MsgOutLength;   /* at 168 */
   PMQIEP    pEntryPoints;   /* at 176, from version 2 on */
};

#define MQPSXP_DEFAULT {MQPSXP_STRUC_ID_ARRAY}, \
   MQPSXP_VERSION_1, \
   22, \
   0, \
   0, \
   0, \
   0, \
   -1, \
   {0}, \
   {""}, \
   {""}, \
   0, \
   NULL, \
   NULL, \
   0, \
   NULL, \
   0, \
   NULL

/* MQSBC: 288 bytes */

typedef struct tagMQSBC MQSBC;
typedef MQSBC MQPOINTER PMQSBC;

struct tagMQSBC {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQCHAR48  DestinationQMgrName;  /* at 8 */
   MQCHAR48  DestinationQName;     /* at 56 */
   MQLONG    SubType;              /* at 104 */
   MQLONG    SubOptions;           /* at 108 */
   MQCHAR48  ObjectName;           /* at 112 */
   MQCHARV   ObjectString;         /* at 160 */
   MQCHARV   SubTopicString;       /* at 184 */
   MQCHARV   SubName;              /* at 208 */
   MQBYTE24  SubId;                /* at 232 */
   MQCHARV   SelectionString;      /* at 256 */
   MQLONG    SubLevel;             /* at 280 */
   MQLONG    PSProperties;         /* at 284 */
};

#define MQSBC_DEFAULT {MQSBC_STRUC_ID_ARRAY}, \
   MQSBC_VERSION_1, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   {MQCHARV_DEFAULT}, \
   {MQCHARV_DEFAULT}, \
   {MQCHARV_DEFAULT}, \
   {0}, \
   {MQCHARV_DEFAULT}, \
   1, \
   0

/* MQWCR: 56 bytes */

typedef struct tagMQWCR MQWCR;
typedef MQWCR MQPOINTER PMQWCR;

struct tagMQWCR {
   MQCHAR48  ClusterName;       /* at 0 */
   MQLONG    ClusterRecOffset;  /* at 48 */
   MQLONG    ClusterFlags;      /* at 52 */
};

#define MQWCR_DEFAULT {""}, \
   0, \
   0

/* MQWDR: 136 bytes; 124 in version 1, 136 in version 2 */

typedef struct tagMQWDR MQWDR;
typedef MQWDR MQPOINTER PMQWDR;
typedef PMQWDR MQPOINTER PPMQWDR;

struct tagMQWDR {
   MQCHAR4   StrucId;           /* at 0 */
   MQLONG    Version;           /* at 4 */
   MQLONG    StrucLength;       /* at 8 */
   MQLONG    QMgrFlags;         /* at 12 */
   MQCHAR48  QMgrIdentifier;    /* at 16 */
   MQCHAR48  QMgrName;          /* at 64 */
   MQLONG    ClusterRecOffset;  /* at 112 */
   MQLONG    ChannelState;      /* at 116 */
   MQLONG    ChannelDefOffset;  /* at 120 */
   MQLONG    DestSeqNumber;     /* at 124, from version 2 on */
   MQINT64   DestSeqFactor;     /* at 128, from version 2 on */
};

#define MQWDR_DEFAULT {MQWDR_STRUC_ID_ARRAY}, \
   MQWDR_VERSION_1, \
   136, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0

/* MQWDR1: 124 bytes */

typedef struct tagMQWDR1 MQWDR1;
typedef MQWDR1 MQPOINTER PMQWDR1;

struct tagMQWDR1 {
   MQCHAR4   StrucId;           /* at 0 */
   MQLONG    Version;           /* at 4 */
   MQLONG    StrucLength;       /* at 8 */
   MQLONG    QMgrFlags;         /* at 12 */
   MQCHAR48  QMgrIdentifier;    /* at 16 */
   MQCHAR48  QMgrName;          /* at 64 */
   MQLONG    ClusterRecOffset;  /* at 112 */
   MQLONG    ChannelState;      /* at 116 */
   MQLONG    ChannelDefOffset;  /* at 120 */
};

#define MQWDR1_DEFAULT {'W','D','R',' '}, \
   1, \
   124, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   0

/* MQWDR2: 136 bytes; 124 in version 1, 136 in version 2 */

typedef struct tagMQWDR2 MQWDR2;
typedef MQWDR2 MQPOINTER PMQWDR2;

struct tagMQWDR2 {
   MQCHAR4   StrucId;           /* at 0 */
   MQLONG    Version;           /* at 4 */
   MQLONG    StrucLength;       /* at 8 */
   MQLONG    QMgrFlags;         /* at 12 */
   MQCHAR48  QMgrIdentifier;    /* at 16 */
   MQCHAR48  QMgrName;          /* at 64 */
   MQLONG    ClusterRecOffset;  /* at 112 */
   MQLONG    ChannelState;      /* at 116 */
   MQLONG    ChannelDefOffset;  /* at 120 */
   MQLONG    DestSeqNumber;     /* at 124, from version 2 on */
   MQINT64   DestSeqFactor;     /* at 128, from version 2 on */
};

#define MQWDR2_DEFAULT {'W','D','R',' '}, \
   2, \
   136, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0

/* MQWQR: 216 bytes; 200 in version 1, 208 in version 2, 212 in version 3, 216 in version 4 */

typedef struct tagMQWQR MQWQR;
typedef MQWQR MQPOINTER PMQWQR;
typedef PMQWQR MQPOINTER PPMQWQR;

struct tagMQWQR {
   MQCHAR4   StrucId;            /* at 0 */
   MQLONG    Version;            /* at 4 */
   MQLONG    StrucLength;        /* at 8 */
   MQLONG    QFlags;             /* at 12 */
   MQCHAR48  QName;              /* at 16 */
   MQCHAR48  QMgrIdentifier;     /* at 64 */
   MQLONG    ClusterRecOffset;   /* at 112 */
   MQLONG    QType;              /* at 116 */
   MQCHAR64  QDesc;              /* at 120 */
   MQLONG    DefBind;            /* at 184 */
   MQLONG    DefPersistence;     /* at 188 */
   MQLONG    DefPriority;        /* at 192 */
   MQLONG    InhibitPut;         /* at 196 */
   MQLONG    CLWLQueuePriority;  /* at 200, from version 2 on */
   MQLONG    CLWLQueueRank;      /* at 204, from version 2 on */
   MQLONG    DefPutResponse;     /* at 208, from version 3 on */
   MQLONG    CapExpiry;          /* at 212, from version 4 on */
};

#define MQWQR_DEFAULT {MQWQR_STRUC_ID_ARRAY}, \
   MQWQR_VERSION_1, \
   216, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   1, \
   -1

/* MQWQR1: 200 bytes */

typedef struct tagMQWQR1 MQWQR1;
typedef MQWQR1 MQPOINTER PMQWQR1;

struct tagMQWQR1 {
   MQCHAR4   StrucId;           /* at 0 */
   MQLONG    Version;           /* at 4 */
   MQLONG    StrucLength;       /* at 8 */
   MQLONG    QFlags;            /* at 12 */
   MQCHAR48  QName;             /* at 16 */
   MQCHAR48  QMgrIdentifier;    /* at 64 */
   MQLONG    ClusterRecOffset;  /* at 112 */
   MQLONG    QType;             /* at 116 */
   MQCHAR64  QDesc;             /* at 120 */
   MQLONG    DefBind;           /* at 184 */
   MQLONG    DefPersistence;    /* at 188 */
   MQLONG    DefPriority;       /* at 192 */
   MQLONG    InhibitPut;        /* at 196 */
};

#define MQWQR1_DEFAULT {'W','Q','R',' '}, \
   1, \
   200, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   0, \
   0

/* MQWQR2: 208 bytes; 200 in version 1, 208 in version 2 */

typedef struct tagMQWQR2 MQWQR2;
typedef MQWQR2 MQPOINTER PMQWQR2;

struct tagMQWQR2 {
   MQCHAR4   StrucId;            /* at 0 */
   MQLONG    Version;            /* at 4 */
   MQLONG    StrucLength;        /* at 8 */
   MQLONG    QFlags;             /* at 12 */
   MQCHAR48  QName;              /* at 16 */
   MQCHAR48  QMgrIdentifier;     /* at 64 */
   MQLONG    ClusterRecOffset;   /* at 112 */
   MQLONG    QType;              /* at 116 */
   MQCHAR64  QDesc;              /* at 120 */
   MQLONG    DefBind;            /* at 184 */
   MQLONG    DefPersistence;     /* at 188 */
   MQLONG    DefPriority;        /* at 192 */
   MQLONG    InhibitPut;         /* at 196 */
   MQLONG    CLWLQueuePriority;  /* at 200, from version 2 on */
   MQLONG    CLWLQueueRank;      /* at 204, from version 2 on */
};

#define MQWQR2_DEFAULT {'W','Q','R',' '}, \
   2, \
   208, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0

/* MQWQR3: 212 bytes; 200 in version 1, 208 in version 2, 212 in version 3 */

typedef struct tagMQWQR3 MQWQR3;
typedef MQWQR3 MQPOINTER PMQWQR3;

struct tagMQWQR3 {
   MQCHAR4   StrucId;            /* at 0 */
   MQLONG    Version;            /* at 4 */
   MQLONG    StrucLength;        /* at 8 */
   MQLONG    QFlags;             /* at 12 */
   MQCHAR48  QName;              /* at 16 */
   MQCHAR48  QMgrIdentifier;     /* at 64 */
   MQLONG    ClusterRecOffset;   /* at 112 */
   MQLONG    QType;              /* at 116 */
   MQCHAR64  QDesc;              /* at 120 */
   MQLONG    DefBind;            /* at 184 */
   MQLONG    DefPersistence;     /* at 188 */
   MQLONG    DefPriority;        /* at 192 */
   MQLONG    InhibitPut;         /* at 196 */
   MQLONG    CLWLQueuePriority;  /* at 200, from version 2 on */
   MQLONG    CLWLQueueRank;      /* at 204, from version 2 on */
   MQLONG    DefPutResponse;     /* at 208, from version 3 on */
};

#define MQWQR3_DEFAULT {'W','Q','R',' '}, \
   3, \
   212, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   1

/* MQWQR4: 216 bytes; 200 in version 1, 208 in version 2, 212 in version 3, 216 in version 4 */

typedef struct tagMQWQR4 MQWQR4;
typedef MQWQR4 MQPOINTER PMQWQR4;

struct tagMQWQR4 {
   MQCHAR4   StrucId;            /* at 0 */
   MQLONG    Version;            /* at 4 */
   MQLONG    StrucLength;        /* at 8 */
   MQLONG    QFlags;             /* at 12 */
   MQCHAR48  QName;              /* at 16 */
   MQCHAR48  QMgrIdentifier;     /* at 64 */
   MQLONG    ClusterRecOffset;   /* at 112 */
   MQLONG    QType;              /* at 116 */
   MQCHAR64  QDesc;              /* at 120 */
   MQLONG    DefBind;            /* at 184 */
   MQLONG    DefPersistence;     /* at 188 */
   MQLONG    DefPriority;        /* at 192 */
   MQLONG    InhibitPut;         /* at 196 */
   MQLONG    CLWLQueuePriority;  /* at 200, from version 2 on */
   MQLONG    CLWLQueueRank;      /* at 204, from version 2 on */
   MQLONG    DefPutResponse;     /* at 208, from version 3 on */
   MQLONG    CapExpiry;          /* at 212, from version 4 on */
};

#define MQWQR4_DEFAULT {'W','Q','R',' '}, \
   4, \
   216, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   {""}, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   1, \
   -1

/* MQWXP: 248 bytes; 224 in version 1, 240 in version 2, 240 in version 3, 248 in version 4 */

typedef struct tagMQWXP MQWXP;
typedef MQWXP MQPOINTER PMQWXP;

struct tagMQWXP {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQLONG    ExitId;               /* at 8 */
   MQLONG    ExitReason;           /* at 12 */
   MQLONG    ExitResponse;         /* at 16 */
   MQLONG    ExitResponse2;        /* at 20 */
   MQLONG    Feedback;             /* at 24 */
   MQLONG    Flags;                /* at 28 */
   MQBYTE16  ExitUserArea;         /* at 32 */
   MQCHAR32  ExitData;             /* at 48 */
   PMQMD     MsgDescPtr;           /* at 80 */
   PMQVOID   MsgBufferPtr;         /* at 88 */
   MQLONG    MsgBufferLength;      /* at 96 */
   MQLONG    MsgLength;            /* at 100 */
   MQCHAR48  QName;                /* at 104 */
   MQCHAR48  QMgrName;             /* at 152 */
   MQLONG    DestinationCount;     /* at 200 */
   MQLONG    DestinationChosen;    /* at 204 */
   PPMQWDR   DestinationArrayPtr;  /* at 208 */
   PPMQWQR   QArrayPtr;            /* at 216 */
   MQPTR     CacheContext;         /* at 224, from version 2 on */
   MQLONG    CacheType;            /* at 232, from version 2 on */
   MQLONG    CLWLMRUChannels;      /* at 236, from version 3 on */
   PMQIEP    pEntryPoints;         /* at 240, from version 4 on */
};

#define MQWXP_DEFAULT {MQWXP_STRUC_ID_ARRAY}, \
   MQWXP_VERSION_2, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   1, \
   0, \
   NULL

/* MQWXP1: 224 bytes */

typedef struct tagMQWXP1 MQWXP1;
typedef MQWXP1 MQPOINTER PMQWXP1;

struct tagMQWXP1 {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQLONG    ExitId;               /* at 8 */
   MQLONG    ExitReason;           /* at 12 */
   MQLONG    ExitResponse;         /* at 16 */
   MQLONG    ExitResponse2;        /* at 20 */
   MQLONG    Feedback;             /* at 24 */
   MQLONG    Flags;                /* at 28 */
   MQBYTE16  ExitUserArea;         /* at 32 */
   MQCHAR32  ExitData;             /* at 48 */
   PMQMD     MsgDescPtr;           /* at 80 */
   PMQVOID   MsgBufferPtr;         /* at 88 */
   MQLONG    MsgBufferLength;      /* at 96 */
   MQLONG    MsgLength;            /* at 100 */
   MQCHAR48  QName;                /* at 104 */
   MQCHAR48  QMgrName;             /* at 152 */
   MQLONG    DestinationCount;     /* at 200 */
   MQLONG    DestinationChosen;    /* at 204 */
   PPMQWDR   DestinationArrayPtr;  /* at 208 */
   PPMQWQR   QArrayPtr;            /* at 216 */
};

#define MQWXP1_DEFAULT {'W','X','P',' '}, \
   1, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL

/* MQWXP2: 240 bytes; 224 in version 1, 240 in version 2 */

typedef struct tagMQWXP2 MQWXP2;
typedef MQWXP2 MQPOINTER PMQWXP2;

struct tagMQWXP2 {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQLONG    ExitId;               /* at 8 */
   MQLONG    ExitReason;           /* at 12 */
   MQLONG    ExitResponse;         /* at 16 */
   MQLONG    ExitResponse2;        /* at 20 */
   MQLONG    Feedback;             /* at 24 */
   MQLONG    Flags;                /* at 28 */
   MQBYTE16  ExitUserArea;         /* at 32 */
   MQCHAR32  ExitData;             /* at 48 */
   PMQMD     MsgDescPtr;           /* at 80 */
   PMQVOID   MsgBufferPtr;         /* at 88 */
   MQLONG    MsgBufferLength;      /* at 96 */
   MQLONG    MsgLength;            /* at 100 */
   MQCHAR48  QName;                /* at 104 */
   MQCHAR48  QMgrName;             /* at 152 */
   MQLONG    DestinationCount;     /* at 200 */
   MQLONG    DestinationChosen;    /* at 204 */
   PPMQWDR   DestinationArrayPtr;  /* at 208 */
   PPMQWQR   QArrayPtr;            /* at 216 */
   MQPTR     CacheContext;         /* at 224, from version 2 on */
   MQLONG    CacheType;            /* at 232, from version 2 on */
};

#define MQWXP2_DEFAULT {'W','X','P',' '}, \
   2, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   1

/* MQWXP3: 240 bytes; 224 in version 1, 240 in version 2, 240 in version 3 */

typedef struct tagMQWXP3 MQWXP3;
typedef MQWXP3 MQPOINTER PMQWXP3;

struct tagMQWXP3 {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQLONG    ExitId;               /* at 8 */
   MQLONG    ExitReason;           /* at 12 */
   MQLONG    ExitResponse;         /* at 16 */
   MQLONG    ExitResponse2;        /* at 20 */
   MQLONG    Feedback;             /* at 24 */
   MQLONG    Flags;                /* at 28 */
   MQBYTE16  ExitUserArea;         /* at 32 */
   MQCHAR32  ExitData;             /* at 48 */
   PMQMD     MsgDescPtr;           /* at 80 */
   PMQVOID   MsgBufferPtr;         /* at 88 */
   MQLONG    MsgBufferLength;      /* at 96 */
   MQLONG    MsgLength;            /* at 100 */
   MQCHAR48  QName;                /* at 104 */
   MQCHAR48  QMgrName;             /* at 152 */
   MQLONG    DestinationCount;     /* at 200 */
   MQLONG    DestinationChosen;    /* at 204 */
   PPMQWDR   DestinationArrayPtr;  /* at 208 */
   PPMQWQR   QArrayPtr;            /* at 216 */
   MQPTR     CacheContext;         /* at 224, from version 2 on */
   MQLONG    CacheType;            /* at 232, from version 2 on */
   MQLONG    CLWLMRUChannels;      /* at 236, from version 3 on */
};

#define MQWXP3_DEFAULT {'W','X','P',' '}, \
   3, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   1, \
   0

/* MQWXP4: 248 bytes; 224 in version 1, 240 in version 2, 240 in version 3, 248 in version 4 */

typedef struct tagMQWXP4 MQWXP4;
typedef MQWXP4 MQPOINTER PMQWXP4;

struct tagMQWXP4 {
   MQCHAR4   StrucId;              /* at 0 */
   MQLONG    Version;              /* at 4 */
   MQLONG    ExitId;               /* at 8 */
   MQLONG    ExitReason;           /* at 12 */
   MQLONG    ExitResponse;         /* at 16 */
   MQLONG    ExitResponse2;        /* at 20 */
   MQLONG    Feedback;             /* at 24 */
   MQLONG    Flags;                /* at 28 */
   MQBYTE16  ExitUserArea;         /* at 32 */
   MQCHAR32  ExitData;             /* at 48 */
   PMQMD     MsgDescPtr;           /* at 80 */
   PMQVOID   MsgBufferPtr;         /* at 88 */
   MQLONG    MsgBufferLength;      /* at 96 */
   MQLONG    MsgLength;            /* at 100 */
   MQCHAR48  QName;                /* at 104 */
   MQCHAR48  QMgrName;             /* at 152 */
   MQLONG    DestinationCount;     /* at 200 */
   MQLONG    DestinationChosen;    /* at 204 */
   PPMQWDR   DestinationArrayPtr;  /* at 208 */
   PPMQWQR   QArrayPtr;            /* at 216 */
   MQPTR     CacheContext;         /* at 224, from version 2 on */
   MQLONG    CacheType;            /* at 232, from version 2 on */
   MQLONG    CLWLMRUChannels;      /* at 236, from version 3 on */
   PMQIEP    pEntryPoints;         /* at 240, from version 4 on */
};

#define MQWXP4_DEFAULT {'W','X','P',' '}, \
   4, \
   0, \
   0, \
   0, \
   0, \
   0, \
   0, \
   {0}, \
   {""}, \
   NULL, \
   NULL, \
   0, \
   0, \
   {""}, \
   {""}, \
   0, \
   0, \
   NULL, \
   NULL, \
   NULL, \
   1, \
   0, \
   NULL

/* MQXEPO: 40 bytes */

typedef struct tagMQXEPO MQXEPO;
typedef MQXEPO MQPOINTER PMQXEPO;

struct tagMQXEPO {
   MQCHAR4  StrucId;         /* at 0 */
   MQLONG   Version;         /* at 4 */
   MQLONG   Options;         /* at 8 */
   MQCHARV  ExitProperties;  /* at 16 */
};

#define MQXEPO_DEFAULT {MQXEPO_STRUC_ID_ARRAY}, \
   MQXEPO_VERSION_1, \
   0, \
   {MQCHARV_DEFAULT}

/* Types of functions */

typedef void MQENTRY MQ_BACK_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_BACK_EXIT MQPOINTER PMQ_BACK_EXIT;

typedef void MQENTRY MQ_BEGIN_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQBO    BeginOptions,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_BEGIN_EXIT MQPOINTER PMQ_BEGIN_EXIT;

typedef void MQENTRY MQ_CALLBACK_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQMD    MsgDesc,
   PPMQGMO   GetMsgOpts,
   PPMQVOID  Buffer,
   PPMQCBC   MQCBContext);
typedef MQ_CALLBACK_EXIT MQPOINTER PMQ_CALLBACK_EXIT;

typedef void MQENTRY MQ_CB_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQLONG   Operation,
   PPMQCBD   CallbackDesc,
   PMQHOBJ   Hobj,
   PPMQMD    MsgDesc,
   PPMQGMO   GetMsgOpts,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_CB_EXIT MQPOINTER PMQ_CB_EXIT;

typedef void MQENTRY MQ_CLOSE_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQHOBJ  Hobj,
   PMQLONG   Options,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_CLOSE_EXIT MQPOINTER PMQ_CLOSE_EXIT;

typedef void MQENTRY MQ_CMIT_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_CMIT_EXIT MQPOINTER PMQ_CMIT_EXIT;

typedef void MQENTRY MQ_CONNX_EXIT (
   PMQAXP     ExitParms,
   PMQAXC     ExitContext,
   PMQCHAR    QMgrName,
   PPMQCNO    ConnectOpts,
   PPMQHCONN  Hconn,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_CONNX_EXIT MQPOINTER PMQ_CONNX_EXIT;

typedef void MQENTRY MQ_CTL_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQLONG   Operation,
   PPMQCTLO  CtlOpts,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_CTL_EXIT MQPOINTER PMQ_CTL_EXIT;

typedef void MQENTRY MQ_DISC_EXIT (
   PMQAXP     ExitParms,
   PMQAXC     ExitContext,
   PPMQHCONN  Hconn,
   PMQLONG    CompCode,
   PMQLONG    Reason);
typedef MQ_DISC_EXIT MQPOINTER PMQ_DISC_EXIT;

typedef void MQENTRY MQ_GET_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQHOBJ   Hobj,
   PPMQMD    MsgDesc,
   PPMQGMO   GetMsgOpts,
   PMQLONG   BufferLength,
   PPMQVOID  Buffer,
   PPMQLONG  DataLength,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_GET_EXIT MQPOINTER PMQ_GET_EXIT;

typedef void MQENTRY MQ_INIT_EXIT (
   PMQAXP   ExitParms,
   PMQAXC   ExitContext,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_INIT_EXIT MQPOINTER PMQ_INIT_EXIT;

typedef void MQENTRY MQ_INQ_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQHOBJ   Hobj,
   PMQLONG   SelectorCount,
   PPMQLONG  Selectors,
   PMQLONG   IntAttrCount,
   PPMQLONG  IntAttrs,
   PMQLONG   CharAttrLength,
   PPMQCHAR  CharAttrs,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_INQ_EXIT MQPOINTER PMQ_INQ_EXIT;

typedef void MQENTRY MQ_OPEN_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQOD    ObjDesc,
   PMQLONG   Options,
   PPMQHOBJ  Hobj,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_OPEN_EXIT MQPOINTER PMQ_OPEN_EXIT;

typedef void MQENTRY MQ_PUT_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQHOBJ   Hobj,
   PPMQMD    MsgDesc,
   PPMQPMO   PutMsgOpts,
   PMQLONG   BufferLength,
   PPMQVOID  Buffer,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_PUT_EXIT MQPOINTER PMQ_PUT_EXIT;

typedef void MQENTRY MQ_PUT1_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQOD    ObjDesc,
   PPMQMD    MsgDesc,
   PPMQPMO   PutMsgOpts,
   PMQLONG   BufferLength,
   PPMQVOID  Buffer,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_PUT1_EXIT MQPOINTER PMQ_PUT1_EXIT;

typedef void MQENTRY MQ_SET_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQHOBJ   Hobj,
   PMQLONG   SelectorCount,
   PPMQLONG  Selectors,
   PMQLONG   IntAttrCount,
   PPMQLONG  IntAttrs,
   PMQLONG   CharAttrLength,
   PPMQCHAR  CharAttrs,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_SET_EXIT MQPOINTER PMQ_SET_EXIT;

typedef void MQENTRY MQ_STAT_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQLONG   Type,
   PPMQSTS   Status,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_STAT_EXIT MQPOINTER PMQ_STAT_EXIT;

typedef void MQENTRY MQ_SUBRQ_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PMQHOBJ   Hsub,
   PMQLONG   Action,
   PPMQSRO   SubRqOpts,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_SUBRQ_EXIT MQPOINTER PMQ_SUBRQ_EXIT;

typedef void MQENTRY MQ_SUB_EXIT (
   PMQAXP    ExitParms,
   PMQAXC    ExitContext,
   PMQHCONN  Hconn,
   PPMQSD    SubDesc,
   PPMQHOBJ  Hobj,
   PPMQHOBJ  Hsub,
   PMQLONG   CompCode,
   PMQLONG   Reason);
typedef MQ_SUB_EXIT MQPOINTER PMQ_SUB_EXIT;

typedef void MQENTRY MQ_TERM_EXIT (
   PMQAXP   ExitParms,
   PMQAXC   ExitContext,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_TERM_EXIT MQPOINTER PMQ_TERM_EXIT;

typedef void MQENTRY MQ_CHANNEL_EXIT (
   PMQVOID  ChannelExitParms,
   PMQVOID  ChannelDefinition,
   PMQLONG  DataLength,
   PMQLONG  AgentBufferLength,
   PMQVOID  AgentBuffer,
   PMQLONG  ExitBufferLength,
   PMQPTR   ExitBufferAddr);
typedef MQ_CHANNEL_EXIT MQPOINTER PMQ_CHANNEL_EXIT;

typedef void MQENTRY MQ_CHANNEL_AUTO_DEF_EXIT (
   PMQVOID  ChannelExitParms,
   PMQVOID  ChannelDefinition);
typedef MQ_CHANNEL_AUTO_DEF_EXIT MQPOINTER PMQ_CHANNEL_AUTO_DEF_EXIT;

typedef void MQENTRY MQ_CLUSTER_WORKLOAD_EXIT (
   PMQWXP  ExitParms);
typedef MQ_CLUSTER_WORKLOAD_EXIT MQPOINTER PMQ_CLUSTER_WORKLOAD_EXIT;

typedef void MQENTRY MQ_DATA_CONV_EXIT (
   PMQDXP   DataConvExitParms,
   PMQMD    MsgDesc,
   MQLONG   InBufferLength,
   PMQVOID  InBuffer,
   MQLONG   OutBufferLength,
   PMQVOID  OutBuffer);
typedef MQ_DATA_CONV_EXIT MQPOINTER PMQ_DATA_CONV_EXIT;

typedef void MQENTRY MQ_PUBLISH_EXIT (
   PMQPSXP  ExitParms,
   PMQPBC   PubContext,
   PMQSBC   SubContext);
typedef MQ_PUBLISH_EXIT MQPOINTER PMQ_PUBLISH_EXIT;

typedef void MQENTRY MQ_TRANSPORT_EXIT (
   PMQVOID  ExitParms,
   MQLONG   DestAddressLength,
   PMQCHAR  DestAddress);
typedef MQ_TRANSPORT_EXIT MQPOINTER PMQ_TRANSPORT_EXIT;

typedef void MQENTRY MQ_PRECONNECT_EXIT (
   PMQNXP   ExitParms,
   PMQCHAR  QMgrName,
   PPMQCNO  ConnectOpts,
   PMQLONG  CompCode,
   PMQLONG  Reason);
typedef MQ_PRECONNECT_EXIT MQPOINTER PMQ_PRECONNECT_EXIT;

/* Functions */

void MQENTRY MQXEP (
   MQHCONFIG  Hconfig,
   MQLONG     ExitReason,
   MQLONG     Function,
   PMQFUNC    EntryPoint,
   PMQXEPO    ExitOpts,
   PMQLONG    CompCode,
   PMQLONG    Reason);

void MQENTRY MQXCLWLN (
   PMQWXP   ExitParms,
   MQPTR    CurrentRecord,
   MQLONG   NextOffset,
   PMQPTR   NextRecord,
   PMQLONG  CompCode,
   PMQLONG  Reason);

void MQENTRY MQXDX (
   PMQDXP   DataConvExitParms,
   PMQMD    MsgDesc,
   MQLONG   InBufferLength,
   PMQVOID  InBuffer,
   MQLONG   OutBufferLength,
   PMQVOID  OutBuffer);

#if defined(__cplusplus)
}
#endif

#include "cmqec.h"

#endif /* End of header file */
