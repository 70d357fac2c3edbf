//! Types of the functions that programs and exits supply or are handed.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

use super::*;

pub type MQCB_FUNCTION = unsafe extern "C" fn(
    Hconn: MQHCONN,
    pMsgDesc: PMQVOID,
    pGetMsgOpts: PMQVOID,
    pBuffer: PMQVOID,
    pContext: PMQCBC,
);
pub type MQ_BACK_CALL = unsafe extern "C" fn(Hconn: MQHCONN, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_BEGIN_CALL =
    unsafe extern "C" fn(Hconn: MQHCONN, BeginOptions: PMQBO, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_BUFMH_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    BufMsgHOpts: PMQBMHO,
    MsgDesc: PMQVOID,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CB_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Operation: MQLONG,
    CallbackDesc: PMQCBD,
    Hobj: MQHOBJ,
    MsgDesc: PMQVOID,
    GetMsgOpts: PMQGMO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CLOSE_CALL =
    unsafe extern "C" fn(Hconn: MQHCONN, Hobj: PMQHOBJ, Options: MQLONG, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_CMIT_CALL = unsafe extern "C" fn(Hconn: MQHCONN, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_CONN_CALL =
    unsafe extern "C" fn(QMgrName: PMQCHAR48, Hconn: PMQHCONN, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_CONNX_CALL = unsafe extern "C" fn(
    QMgrName: PMQCHAR48,
    ConnectOpts: PMQCNO,
    Hconn: PMQHCONN,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CRTMH_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    CrtMsgHOpts: PMQCMHO,
    Hmsg: PMQHMSG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CTL_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Operation: MQLONG,
    ControlOpts: PMQCTLO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_DISC_CALL = unsafe extern "C" fn(Hconn: PMQHCONN, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_DLTMH_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: PMQHMSG,
    DltMsgHOpts: PMQDMHO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_DLTMP_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    DltPropOpts: PMQDMPO,
    Name: PMQCHARV,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_GET_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    MsgDesc: PMQVOID,
    GetMsgOpts: PMQGMO,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_INQ_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    SelectorCount: MQLONG,
    Selectors: PMQLONG,
    IntAttrCount: MQLONG,
    IntAttrs: PMQLONG,
    CharAttrLength: MQLONG,
    CharAttrs: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_INQMP_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    InqPropOpts: PMQIMPO,
    Name: PMQCHARV,
    PropDesc: PMQPD,
    Type: PMQLONG,
    ValueLength: MQLONG,
    Value: PMQVOID,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_MHBUF_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    MsgHBufOpts: PMQMHBO,
    Name: PMQCHARV,
    MsgDesc: PMQVOID,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_OPEN_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    ObjDesc: PMQOD,
    Options: MQLONG,
    Hobj: PMQHOBJ,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_PUT_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    MsgDesc: PMQVOID,
    PutMsgOpts: PMQPMO,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_PUT1_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    ObjDesc: PMQOD,
    MsgDesc: PMQVOID,
    PutMsgOpts: PMQPMO,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SET_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    SelectorCount: MQLONG,
    Selectors: PMQLONG,
    IntAttrCount: MQLONG,
    IntAttrs: PMQLONG,
    CharAttrLength: MQLONG,
    CharAttrs: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SETMP_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    SetPropOpts: PMQSMPO,
    Name: PMQCHARV,
    PropDesc: PMQPD,
    Type: MQLONG,
    ValueLength: MQLONG,
    Value: PMQVOID,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_STAT_CALL =
    unsafe extern "C" fn(Hconn: MQHCONN, Type: MQLONG, Status: PMQSTS, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_SUB_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    SubDesc: PMQSD,
    Hobj: PMQHOBJ,
    Hsub: PMQHOBJ,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SUBRQ_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Hsub: MQHOBJ,
    Action: MQLONG,
    SubRqOpts: PMQSRO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_XEP_CALL = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    ExitReason: MQLONG,
    Function: MQLONG,
    EntryPoint: PMQFUNC,
    ExitOpts: PMQXEPO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_BACK_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_BEGIN_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    BeginOptions: PPMQBO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CALLBACK_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    MsgDesc: PPMQMD,
    GetMsgOpts: PPMQGMO,
    Buffer: PPMQVOID,
    MQCBContext: PPMQCBC,
);
pub type MQ_CB_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Operation: PMQLONG,
    CallbackDesc: PPMQCBD,
    Hobj: PMQHOBJ,
    MsgDesc: PPMQMD,
    GetMsgOpts: PPMQGMO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CLOSE_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hobj: PPMQHOBJ,
    Options: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CMIT_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CONNX_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    QMgrName: PMQCHAR,
    ConnectOpts: PPMQCNO,
    Hconn: PPMQHCONN,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_CTL_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Operation: PMQLONG,
    CtlOpts: PPMQCTLO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_DISC_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PPMQHCONN,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_GET_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hobj: PMQHOBJ,
    MsgDesc: PPMQMD,
    GetMsgOpts: PPMQGMO,
    BufferLength: PMQLONG,
    Buffer: PPMQVOID,
    DataLength: PPMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_INIT_EXIT =
    unsafe extern "C" fn(ExitParms: PMQAXP, ExitContext: PMQAXC, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_INQ_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hobj: PMQHOBJ,
    SelectorCount: PMQLONG,
    Selectors: PPMQLONG,
    IntAttrCount: PMQLONG,
    IntAttrs: PPMQLONG,
    CharAttrLength: PMQLONG,
    CharAttrs: PPMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_OPEN_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    ObjDesc: PPMQOD,
    Options: PMQLONG,
    Hobj: PPMQHOBJ,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_PUT_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hobj: PMQHOBJ,
    MsgDesc: PPMQMD,
    PutMsgOpts: PPMQPMO,
    BufferLength: PMQLONG,
    Buffer: PPMQVOID,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_PUT1_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    ObjDesc: PPMQOD,
    MsgDesc: PPMQMD,
    PutMsgOpts: PPMQPMO,
    BufferLength: PMQLONG,
    Buffer: PPMQVOID,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SET_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hobj: PMQHOBJ,
    SelectorCount: PMQLONG,
    Selectors: PPMQLONG,
    IntAttrCount: PMQLONG,
    IntAttrs: PPMQLONG,
    CharAttrLength: PMQLONG,
    CharAttrs: PPMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_STAT_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Type: PMQLONG,
    Status: PPMQSTS,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SUBRQ_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    Hsub: PMQHOBJ,
    Action: PMQLONG,
    SubRqOpts: PPMQSRO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_SUB_EXIT = unsafe extern "C" fn(
    ExitParms: PMQAXP,
    ExitContext: PMQAXC,
    Hconn: PMQHCONN,
    SubDesc: PPMQSD,
    Hobj: PPMQHOBJ,
    Hsub: PPMQHOBJ,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_TERM_EXIT =
    unsafe extern "C" fn(ExitParms: PMQAXP, ExitContext: PMQAXC, CompCode: PMQLONG, Reason: PMQLONG);
pub type MQ_CHANNEL_EXIT = unsafe extern "C" fn(
    ChannelExitParms: PMQVOID,
    ChannelDefinition: PMQVOID,
    DataLength: PMQLONG,
    AgentBufferLength: PMQLONG,
    AgentBuffer: PMQVOID,
    ExitBufferLength: PMQLONG,
    ExitBufferAddr: PMQPTR,
);
pub type MQ_CHANNEL_AUTO_DEF_EXIT =
    unsafe extern "C" fn(ChannelExitParms: PMQVOID, ChannelDefinition: PMQVOID);
pub type MQ_CLUSTER_WORKLOAD_EXIT = unsafe extern "C" fn(ExitParms: PMQWXP);
pub type MQ_DATA_CONV_EXIT = unsafe extern "C" fn(
    DataConvExitParms: PMQDXP,
    MsgDesc: PMQMD,
    InBufferLength: MQLONG,
    InBuffer: PMQVOID,
    OutBufferLength: MQLONG,
    OutBuffer: PMQVOID,
);
pub type MQ_PUBLISH_EXIT = unsafe extern "C" fn(ExitParms: PMQPSXP, PubContext: PMQPBC, SubContext: PMQSBC);
pub type MQ_TRANSPORT_EXIT =
    unsafe extern "C" fn(ExitParms: PMQVOID, DestAddressLength: MQLONG, DestAddress: PMQCHAR);
pub type MQ_PRECONNECT_EXIT = unsafe extern "C" fn(
    ExitParms: PMQNXP,
    QMgrName: PMQCHAR,
    ConnectOpts: PPMQCNO,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_XCLWLN_CALL = unsafe extern "C" fn(
    ExitParms: PMQWXP,
    CurrentRecord: MQPTR,
    NextOffset: MQLONG,
    NextRecord: PMQPTR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_XCNVC_CALL = unsafe extern "C" fn(
    Hconn: MQHCONN,
    Options: MQLONG,
    SourceCCSID: MQLONG,
    SourceLength: MQLONG,
    SourceBuffer: PMQCHAR,
    TargetCCSID: MQLONG,
    TargetLength: MQLONG,
    TargetBuffer: PMQCHAR,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQ_XDX_CALL = unsafe extern "C" fn(
    DataConvExitParms: PMQDXP,
    MsgDesc: PMQMD,
    InBufferLength: MQLONG,
    InBuffer: PMQVOID,
    OutBufferLength: MQLONG,
    OutBuffer: PMQVOID,
);
pub type MQ_ZEP_CALL = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Function: MQLONG,
    EntryPoint: PMQFUNC,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_INIT_AUTHORITY = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentDataLength: MQLONG,
    ComponentData: PMQBYTE,
    Version: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_TERM_AUTHORITY = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_DELETE_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_GET_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityName: PMQCHAR,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_GET_AUTHORITY_2 = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityData: PMQZED,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_GET_EXPLICIT_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityName: PMQCHAR,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_GET_EXPLICIT_AUTHORITY_2 = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityData: PMQZED,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_ENUMERATE_AUTHORITY_DATA = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    StartEnumeration: MQLONG,
    Filter: PMQZAD,
    AuthorityBufferLength: MQLONG,
    AuthorityBuffer: PMQZAD,
    AuthorityDataLength: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_SET_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityName: PMQCHAR,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_SET_AUTHORITY_2 = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityData: PMQZED,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_COPY_ALL_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    RefObjectName: PMQCHAR,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_CHECK_AUTHORITY = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityName: PMQCHAR,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_CHECK_AUTHORITY_2 = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityData: PMQZED,
    EntityType: MQLONG,
    ObjectName: PMQCHAR,
    ObjectType: MQLONG,
    Authority: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_AUTHENTICATE_USER = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    SecurityParms: PMQCSP,
    ApplicationContext: PMQZAC,
    IdentityContext: PMQZIC,
    CorrelationPtr: PMQPTR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_FREE_USER = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    FreeParms: PMQZFP,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_INQUIRE = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    SelectorCount: MQLONG,
    Selectors: PMQLONG,
    IntAttrCount: MQLONG,
    IntAttrs: PMQLONG,
    CharAttrLength: MQLONG,
    CharAttrs: PMQCHAR,
    SelectorReturned: PMQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_REFRESH_CACHE = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_CHECK_PRIVILEGED = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    EntityData: PMQZED,
    EntityType: MQLONG,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_INIT_NAME = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentDataLength: MQLONG,
    ComponentData: PMQBYTE,
    Version: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_TERM_NAME = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_LOOKUP_NAME = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    QName: PMQCHAR,
    ResolvedQMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_INSERT_NAME = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    QName: PMQCHAR,
    ResolvedQMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_DELETE_NAME = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    QName: PMQCHAR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_INIT_USERID = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentDataLength: MQLONG,
    ComponentData: PMQBYTE,
    Version: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_TERM_USERID = unsafe extern "C" fn(
    Hconfig: MQHCONFIG,
    Options: MQLONG,
    QMgrName: PMQCHAR,
    ComponentData: PMQBYTE,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
pub type MQZ_FIND_USERID = unsafe extern "C" fn(
    QMgrName: PMQCHAR,
    UserId: PMQCHAR,
    Password: PMQCHAR,
    ComponentData: PMQBYTE,
    Continuation: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
);
