//! Structures of exits and installable services.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

use super::*;
use std::mem::offset_of;
use std::ptr::null_mut;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQACH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub ChainAreaLength: MQLONG,
    pub ExitInfoName: MQCHAR48,
    pub NextChainAreaPtr: PMQACH,
}

impl MQACH {
    /// `MQACH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"ACH ",
        Version: 1,
        StrucLength: 72,
        ChainAreaLength: 0,
        ExitInfoName: [0; 48],
        NextChainAreaPtr: null_mut(),
    };
}

impl Versioned for MQACH {
    const NAME: &'static str = "MQACH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ACH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 72 }];
}

const _: () = assert!(size_of::<MQACH>() == 72 && align_of::<MQACH>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQAXC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Environment: MQLONG,
    pub UserId: MQCHAR12,
    pub SecurityId: MQBYTE40,
    pub ConnectionName: [MQCHAR; 264],
    pub LongMCAUserIdLength: MQLONG,
    pub LongRemoteUserIdLength: MQLONG,
    pub LongMCAUserIdPtr: MQPTR,
    pub LongRemoteUserIdPtr: MQPTR,
    pub ApplName: MQCHAR28,
    pub ApplType: MQLONG,
    pub ProcessId: MQPID,
    pub ThreadId: MQTID,
    // From version 2 on.
    pub ChannelName: [MQCHAR; 20],
    pub Reserved1: MQBYTE4,
    pub pChannelDefinition: PMQCD,
}

impl MQAXC {
    /// `MQAXC_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"AXC ",
        Version: 1,
        Environment: 0,
        UserId: [0; 12],
        SecurityId: [0; 40],
        ConnectionName: [0; 264],
        LongMCAUserIdLength: 0,
        LongRemoteUserIdLength: 0,
        LongMCAUserIdPtr: null_mut(),
        LongRemoteUserIdPtr: null_mut(),
        ApplName: [0; 28],
        ApplType: 6,
        ProcessId: 0,
        ThreadId: 0,
        ChannelName: [0; 20],
        Reserved1: [0; 4],
        pChannelDefinition: null_mut(),
    };
}

impl Versioned for MQAXC {
    const NAME: &'static str = "MQAXC";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"AXC ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 392 }, Version { number: 2, length: 424 }];
}

const _: () = assert!(size_of::<MQAXC>() == 424 && align_of::<MQAXC>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQAXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub APICallerType: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub ExitInfoName: MQCHAR48,
    pub ExitPDArea: MQBYTE48,
    pub QMgrName: MQCHAR48,
    pub ExitChainAreaPtr: PMQACH,
    pub Hconfig: MQHCONFIG,
    pub Function: MQLONG,
    pub ExitMsgHandle: MQHMSG,
}

impl MQAXP {
    /// `MQAXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"AXP ",
        Version: 1,
        ExitId: 2,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        APICallerType: 1,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        ExitInfoName: [0; 48],
        ExitPDArea: [0; 48],
        QMgrName: [0; 48],
        ExitChainAreaPtr: null_mut(),
        Hconfig: null_mut(),
        Function: 0,
        ExitMsgHandle: 0,
    };
}

impl Versioned for MQAXP {
    const NAME: &'static str = "MQAXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"AXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 256 }];
}

const _: () = assert!(size_of::<MQAXP>() == 256 && align_of::<MQAXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub MaxSegmentLength: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgRetryCount: MQLONG,
    pub MsgRetryInterval: MQLONG,
    pub MsgRetryReason: MQLONG,
    pub HeaderLength: MQLONG,
    pub PartnerName: MQCHAR48,
    pub FAPLevel: MQLONG,
    pub CapabilityFlags: MQLONG,
    pub ExitNumber: MQLONG,
    // From version 5 on.
    pub ExitSpace: MQLONG,
    // From version 6 on.
    pub SSLCertUserid: MQCHAR12,
    pub SSLRemCertIssNameLength: MQLONG,
    pub SSLRemCertIssNamePtr: MQPTR,
    pub SecurityParms: PMQCSP,
    pub CurHdrCompression: MQLONG,
    pub CurMsgCompression: MQLONG,
    // From version 7 on.
    pub Hconn: MQHCONN,
    pub SharingConversations: MQBOOL,
    // From version 8 on.
    pub MCAUserSource: MQLONG,
    pub pEntryPoints: PMQIEP,
    // From version 9 on.
    pub RemoteProduct: MQCHAR4,
    pub RemoteVersion: MQCHAR8,
}

impl MQCXP {
    /// `MQCXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"CXP ",
        Version: 5,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        MaxSegmentLength: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgRetryCount: 0,
        MsgRetryInterval: 0,
        MsgRetryReason: 0,
        HeaderLength: 0,
        PartnerName: [0; 48],
        FAPLevel: 0,
        CapabilityFlags: 0,
        ExitNumber: 1,
        ExitSpace: 0,
        SSLCertUserid: [0; 12],
        SSLRemCertIssNameLength: 0,
        SSLRemCertIssNamePtr: null_mut(),
        SecurityParms: null_mut(),
        CurHdrCompression: 0,
        CurMsgCompression: 0,
        Hconn: -1,
        SharingConversations: 0,
        MCAUserSource: 0,
        pEntryPoints: null_mut(),
        RemoteProduct: [0; 4],
        RemoteVersion: [0; 8],
    };
}

impl Versioned for MQCXP {
    const NAME: &'static str = "MQCXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 3, length: 156 },
        Version { number: 4, length: 156 },
        Version { number: 5, length: 160 },
        Version { number: 6, length: 200 },
        Version { number: 7, length: 208 },
        Version { number: 8, length: 224 },
        Version { number: 9, length: 240 },
    ];
}

const _: () = assert!(size_of::<MQCXP>() == 240 && align_of::<MQCXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQDXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitOptions: MQLONG,
    pub AppOptions: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub DataLength: MQLONG,
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
    pub ExitResponse: MQLONG,
    pub Hconn: MQHCONN,
    // From version 2 on.
    pub pEntryPoints: PMQIEP,
}

impl MQDXP {
    /// `MQDXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"DXP ",
        Version: 1,
        ExitOptions: 0,
        AppOptions: 0,
        Encoding: 0,
        CodedCharSetId: 0,
        DataLength: 0,
        CompCode: 0,
        Reason: 0,
        ExitResponse: 1,
        Hconn: 0,
        pEntryPoints: null_mut(),
    };
}

impl Versioned for MQDXP {
    const NAME: &'static str = "MQDXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"DXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 44 }, Version { number: 2, length: 56 }];
}

const _: () = assert!(size_of::<MQDXP>() == 56 && align_of::<MQDXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQNXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub ExitDataLength: MQLONG,
    pub pExitDataPtr: PMQCHAR,
    pub pExitUserAreaPtr: MQPTR,
    pub ppMQCDArrayPtr: PPMQCD,
    pub MQCDArrayCount: MQLONG,
    pub MaxMQCDVersion: MQLONG,
    // From version 2 on.
    pub pEntryPoints: PMQIEP,
}

impl MQNXP {
    /// `MQNXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"NXP ",
        Version: 1,
        ExitId: 23,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        ExitDataLength: 0,
        pExitDataPtr: null_mut(),
        pExitUserAreaPtr: null_mut(),
        ppMQCDArrayPtr: null_mut(),
        MQCDArrayCount: 0,
        MaxMQCDVersion: 13,
        pEntryPoints: null_mut(),
    };
}

impl Versioned for MQNXP {
    const NAME: &'static str = "MQNXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"NXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 64 }, Version { number: 2, length: 72 }];
}

const _: () = assert!(size_of::<MQNXP>() == 72 && align_of::<MQNXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQPBC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub PubTopicString: MQCHARV,
    // From version 2 on.
    pub MsgDescPtr: PMQMD,
}

impl MQPBC {
    /// `MQPBC_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"PBC ",
        Version: 1,
        PubTopicString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        MsgDescPtr: null_mut(),
    };
}

impl Versioned for MQPBC {
    const NAME: &'static str = "MQPBC";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"PBC ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 32 }, Version { number: 2, length: 40 }];
}

const _: () = assert!(size_of::<MQPBC>() == 40 && align_of::<MQPBC>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQPSXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Hconn: MQHCONN,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub QMgrName: MQCHAR48,
    pub MsgHandle: MQHMSG,
    pub MsgDescPtr: PMQMD,
    pub MsgInPtr: PMQVOID,
    pub MsgInLength: MQLONG,
    pub MsgOutPtr: PMQVOID,
    pub MsgOutLength: MQLONG,
    // From version 2 on.
    pub pEntryPoints: PMQIEP,
}

impl MQPSXP {
    /// `MQPSXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"PSXP",
        Version: 1,
        ExitId: 22,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Hconn: -1,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        QMgrName: [0; 48],
        MsgHandle: 0,
        MsgDescPtr: null_mut(),
        MsgInPtr: null_mut(),
        MsgInLength: 0,
        MsgOutPtr: null_mut(),
        MsgOutLength: 0,
        pEntryPoints: null_mut(),
    };
}

impl Versioned for MQPSXP {
    const NAME: &'static str = "MQPSXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"PSXP");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 176 }, Version { number: 2, length: 184 }];
}

const _: () = assert!(size_of::<MQPSXP>() == 184 && align_of::<MQPSXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSBC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub DestinationQMgrName: MQCHAR48,
    pub DestinationQName: MQCHAR48,
    pub SubType: MQLONG,
    pub SubOptions: MQLONG,
    pub ObjectName: MQCHAR48,
    pub ObjectString: MQCHARV,
    pub SubTopicString: MQCHARV,
    pub SubName: MQCHARV,
    pub SubId: MQBYTE24,
    pub SelectionString: MQCHARV,
    pub SubLevel: MQLONG,
    pub PSProperties: MQLONG,
}

impl MQSBC {
    /// `MQSBC_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"SBC ",
        Version: 1,
        DestinationQMgrName: [0; 48],
        DestinationQName: [0; 48],
        SubType: 0,
        SubOptions: 0,
        ObjectName: [0; 48],
        ObjectString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubTopicString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubName: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubId: [0; 24],
        SelectionString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubLevel: 1,
        PSProperties: 0,
    };
}

impl Versioned for MQSBC {
    const NAME: &'static str = "MQSBC";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"SBC ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 288 }];
}

const _: () = assert!(size_of::<MQSBC>() == 288 && align_of::<MQSBC>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWCR {
    pub ClusterName: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub ClusterFlags: MQLONG,
}

impl MQWCR {
    /// `MQWCR_DEFAULT` in C.
    pub const DEFAULT: Self = Self { ClusterName: [0; 48], ClusterRecOffset: 0, ClusterFlags: 0 };
}

const _: () = assert!(size_of::<MQWCR>() == 56 && align_of::<MQWCR>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWDR {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QMgrFlags: MQLONG,
    pub QMgrIdentifier: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub ChannelState: MQLONG,
    pub ChannelDefOffset: MQLONG,
    // From version 2 on.
    pub DestSeqNumber: MQLONG,
    pub DestSeqFactor: MQINT64,
}

impl MQWDR {
    /// `MQWDR_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WDR ",
        Version: 1,
        StrucLength: 136,
        QMgrFlags: 0,
        QMgrIdentifier: [0; 48],
        QMgrName: [0; 48],
        ClusterRecOffset: 0,
        ChannelState: 0,
        ChannelDefOffset: 0,
        DestSeqNumber: 0,
        DestSeqFactor: 0,
    };
}

impl Versioned for MQWDR {
    const NAME: &'static str = "MQWDR";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WDR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 124 }, Version { number: 2, length: 136 }];
}

const _: () = assert!(size_of::<MQWDR>() == 136 && align_of::<MQWDR>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWDR1 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QMgrFlags: MQLONG,
    pub QMgrIdentifier: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub ChannelState: MQLONG,
    pub ChannelDefOffset: MQLONG,
}

impl MQWDR1 {
    /// `MQWDR1_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WDR ",
        Version: 1,
        StrucLength: 124,
        QMgrFlags: 0,
        QMgrIdentifier: [0; 48],
        QMgrName: [0; 48],
        ClusterRecOffset: 0,
        ChannelState: 0,
        ChannelDefOffset: 0,
    };
}

impl Versioned for MQWDR1 {
    const NAME: &'static str = "MQWDR1";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WDR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 124 }];
}

const _: () = assert!(size_of::<MQWDR1>() == 124 && align_of::<MQWDR1>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWDR2 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QMgrFlags: MQLONG,
    pub QMgrIdentifier: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub ChannelState: MQLONG,
    pub ChannelDefOffset: MQLONG,
    // From version 2 on.
    pub DestSeqNumber: MQLONG,
    pub DestSeqFactor: MQINT64,
}

impl MQWDR2 {
    /// `MQWDR2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WDR ",
        Version: 2,
        StrucLength: 136,
        QMgrFlags: 0,
        QMgrIdentifier: [0; 48],
        QMgrName: [0; 48],
        ClusterRecOffset: 0,
        ChannelState: 0,
        ChannelDefOffset: 0,
        DestSeqNumber: 0,
        DestSeqFactor: 0,
    };
}

impl Versioned for MQWDR2 {
    const NAME: &'static str = "MQWDR2";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WDR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 124 }, Version { number: 2, length: 136 }];
}

const _: () = assert!(size_of::<MQWDR2>() == 136 && align_of::<MQWDR2>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWQR {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QFlags: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrIdentifier: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub QType: MQLONG,
    pub QDesc: MQCHAR64,
    pub DefBind: MQLONG,
    pub DefPersistence: MQLONG,
    pub DefPriority: MQLONG,
    pub InhibitPut: MQLONG,
    // From version 2 on.
    pub CLWLQueuePriority: MQLONG,
    pub CLWLQueueRank: MQLONG,
    // From version 3 on.
    pub DefPutResponse: MQLONG,
    // From version 4 on.
    pub CapExpiry: MQLONG,
}

impl MQWQR {
    /// `MQWQR_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WQR ",
        Version: 1,
        StrucLength: 216,
        QFlags: 0,
        QName: [0; 48],
        QMgrIdentifier: [0; 48],
        ClusterRecOffset: 0,
        QType: 0,
        QDesc: [0; 64],
        DefBind: 0,
        DefPersistence: 0,
        DefPriority: 0,
        InhibitPut: 0,
        CLWLQueuePriority: 0,
        CLWLQueueRank: 0,
        DefPutResponse: 1,
        CapExpiry: -1,
    };
}

impl Versioned for MQWQR {
    const NAME: &'static str = "MQWQR";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WQR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 200 },
        Version { number: 2, length: 208 },
        Version { number: 3, length: 212 },
        Version { number: 4, length: 216 },
    ];
}

const _: () = assert!(size_of::<MQWQR>() == 216 && align_of::<MQWQR>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWQR1 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QFlags: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrIdentifier: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub QType: MQLONG,
    pub QDesc: MQCHAR64,
    pub DefBind: MQLONG,
    pub DefPersistence: MQLONG,
    pub DefPriority: MQLONG,
    pub InhibitPut: MQLONG,
}

impl MQWQR1 {
    /// `MQWQR1_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WQR ",
        Version: 1,
        StrucLength: 200,
        QFlags: 0,
        QName: [0; 48],
        QMgrIdentifier: [0; 48],
        ClusterRecOffset: 0,
        QType: 0,
        QDesc: [0; 64],
        DefBind: 0,
        DefPersistence: 0,
        DefPriority: 0,
        InhibitPut: 0,
    };
}

impl Versioned for MQWQR1 {
    const NAME: &'static str = "MQWQR1";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WQR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 200 }];
}

const _: () = assert!(size_of::<MQWQR1>() == 200 && align_of::<MQWQR1>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWQR2 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QFlags: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrIdentifier: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub QType: MQLONG,
    pub QDesc: MQCHAR64,
    pub DefBind: MQLONG,
    pub DefPersistence: MQLONG,
    pub DefPriority: MQLONG,
    pub InhibitPut: MQLONG,
    // From version 2 on.
    pub CLWLQueuePriority: MQLONG,
    pub CLWLQueueRank: MQLONG,
}

impl MQWQR2 {
    /// `MQWQR2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WQR ",
        Version: 2,
        StrucLength: 208,
        QFlags: 0,
        QName: [0; 48],
        QMgrIdentifier: [0; 48],
        ClusterRecOffset: 0,
        QType: 0,
        QDesc: [0; 64],
        DefBind: 0,
        DefPersistence: 0,
        DefPriority: 0,
        InhibitPut: 0,
        CLWLQueuePriority: 0,
        CLWLQueueRank: 0,
    };
}

impl Versioned for MQWQR2 {
    const NAME: &'static str = "MQWQR2";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WQR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 200 }, Version { number: 2, length: 208 }];
}

const _: () = assert!(size_of::<MQWQR2>() == 208 && align_of::<MQWQR2>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWQR3 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QFlags: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrIdentifier: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub QType: MQLONG,
    pub QDesc: MQCHAR64,
    pub DefBind: MQLONG,
    pub DefPersistence: MQLONG,
    pub DefPriority: MQLONG,
    pub InhibitPut: MQLONG,
    // From version 2 on.
    pub CLWLQueuePriority: MQLONG,
    pub CLWLQueueRank: MQLONG,
    // From version 3 on.
    pub DefPutResponse: MQLONG,
}

impl MQWQR3 {
    /// `MQWQR3_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WQR ",
        Version: 3,
        StrucLength: 212,
        QFlags: 0,
        QName: [0; 48],
        QMgrIdentifier: [0; 48],
        ClusterRecOffset: 0,
        QType: 0,
        QDesc: [0; 64],
        DefBind: 0,
        DefPersistence: 0,
        DefPriority: 0,
        InhibitPut: 0,
        CLWLQueuePriority: 0,
        CLWLQueueRank: 0,
        DefPutResponse: 1,
    };
}

impl Versioned for MQWQR3 {
    const NAME: &'static str = "MQWQR3";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WQR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 200 },
        Version { number: 2, length: 208 },
        Version { number: 3, length: 212 },
    ];
}

const _: () = assert!(size_of::<MQWQR3>() == 212 && align_of::<MQWQR3>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWQR4 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub QFlags: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrIdentifier: MQCHAR48,
    pub ClusterRecOffset: MQLONG,
    pub QType: MQLONG,
    pub QDesc: MQCHAR64,
    pub DefBind: MQLONG,
    pub DefPersistence: MQLONG,
    pub DefPriority: MQLONG,
    pub InhibitPut: MQLONG,
    // From version 2 on.
    pub CLWLQueuePriority: MQLONG,
    pub CLWLQueueRank: MQLONG,
    // From version 3 on.
    pub DefPutResponse: MQLONG,
    // From version 4 on.
    pub CapExpiry: MQLONG,
}

impl MQWQR4 {
    /// `MQWQR4_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WQR ",
        Version: 4,
        StrucLength: 216,
        QFlags: 0,
        QName: [0; 48],
        QMgrIdentifier: [0; 48],
        ClusterRecOffset: 0,
        QType: 0,
        QDesc: [0; 64],
        DefBind: 0,
        DefPersistence: 0,
        DefPriority: 0,
        InhibitPut: 0,
        CLWLQueuePriority: 0,
        CLWLQueueRank: 0,
        DefPutResponse: 1,
        CapExpiry: -1,
    };
}

impl Versioned for MQWQR4 {
    const NAME: &'static str = "MQWQR4";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WQR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 200 },
        Version { number: 2, length: 208 },
        Version { number: 3, length: 212 },
        Version { number: 4, length: 216 },
    ];
}

const _: () = assert!(size_of::<MQWQR4>() == 216 && align_of::<MQWQR4>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWXP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Flags: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgDescPtr: PMQMD,
    pub MsgBufferPtr: PMQVOID,
    pub MsgBufferLength: MQLONG,
    pub MsgLength: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub DestinationCount: MQLONG,
    pub DestinationChosen: MQLONG,
    pub DestinationArrayPtr: PPMQWDR,
    pub QArrayPtr: PPMQWQR,
    // From version 2 on.
    pub CacheContext: MQPTR,
    pub CacheType: MQLONG,
    // From version 3 on.
    pub CLWLMRUChannels: MQLONG,
    // From version 4 on.
    pub pEntryPoints: PMQIEP,
}

impl MQWXP {
    /// `MQWXP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WXP ",
        Version: 2,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Flags: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgDescPtr: null_mut(),
        MsgBufferPtr: null_mut(),
        MsgBufferLength: 0,
        MsgLength: 0,
        QName: [0; 48],
        QMgrName: [0; 48],
        DestinationCount: 0,
        DestinationChosen: 0,
        DestinationArrayPtr: null_mut(),
        QArrayPtr: null_mut(),
        CacheContext: null_mut(),
        CacheType: 1,
        CLWLMRUChannels: 0,
        pEntryPoints: null_mut(),
    };
}

impl Versioned for MQWXP {
    const NAME: &'static str = "MQWXP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 224 },
        Version { number: 2, length: 240 },
        Version { number: 3, length: 240 },
        Version { number: 4, length: 248 },
    ];
}

const _: () = assert!(size_of::<MQWXP>() == 248 && align_of::<MQWXP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWXP1 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Flags: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgDescPtr: PMQMD,
    pub MsgBufferPtr: PMQVOID,
    pub MsgBufferLength: MQLONG,
    pub MsgLength: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub DestinationCount: MQLONG,
    pub DestinationChosen: MQLONG,
    pub DestinationArrayPtr: PPMQWDR,
    pub QArrayPtr: PPMQWQR,
}

impl MQWXP1 {
    /// `MQWXP1_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WXP ",
        Version: 1,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Flags: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgDescPtr: null_mut(),
        MsgBufferPtr: null_mut(),
        MsgBufferLength: 0,
        MsgLength: 0,
        QName: [0; 48],
        QMgrName: [0; 48],
        DestinationCount: 0,
        DestinationChosen: 0,
        DestinationArrayPtr: null_mut(),
        QArrayPtr: null_mut(),
    };
}

impl Versioned for MQWXP1 {
    const NAME: &'static str = "MQWXP1";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 224 }];
}

const _: () = assert!(size_of::<MQWXP1>() == 224 && align_of::<MQWXP1>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWXP2 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Flags: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgDescPtr: PMQMD,
    pub MsgBufferPtr: PMQVOID,
    pub MsgBufferLength: MQLONG,
    pub MsgLength: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub DestinationCount: MQLONG,
    pub DestinationChosen: MQLONG,
    pub DestinationArrayPtr: PPMQWDR,
    pub QArrayPtr: PPMQWQR,
    // From version 2 on.
    pub CacheContext: MQPTR,
    pub CacheType: MQLONG,
}

impl MQWXP2 {
    /// `MQWXP2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WXP ",
        Version: 2,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Flags: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgDescPtr: null_mut(),
        MsgBufferPtr: null_mut(),
        MsgBufferLength: 0,
        MsgLength: 0,
        QName: [0; 48],
        QMgrName: [0; 48],
        DestinationCount: 0,
        DestinationChosen: 0,
        DestinationArrayPtr: null_mut(),
        QArrayPtr: null_mut(),
        CacheContext: null_mut(),
        CacheType: 1,
    };
}

impl Versioned for MQWXP2 {
    const NAME: &'static str = "MQWXP2";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 224 }, Version { number: 2, length: 240 }];
}

const _: () = assert!(size_of::<MQWXP2>() == 240 && align_of::<MQWXP2>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWXP3 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Flags: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgDescPtr: PMQMD,
    pub MsgBufferPtr: PMQVOID,
    pub MsgBufferLength: MQLONG,
    pub MsgLength: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub DestinationCount: MQLONG,
    pub DestinationChosen: MQLONG,
    pub DestinationArrayPtr: PPMQWDR,
    pub QArrayPtr: PPMQWQR,
    // From version 2 on.
    pub CacheContext: MQPTR,
    pub CacheType: MQLONG,
    // From version 3 on.
    pub CLWLMRUChannels: MQLONG,
}

impl MQWXP3 {
    /// `MQWXP3_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WXP ",
        Version: 3,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Flags: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgDescPtr: null_mut(),
        MsgBufferPtr: null_mut(),
        MsgBufferLength: 0,
        MsgLength: 0,
        QName: [0; 48],
        QMgrName: [0; 48],
        DestinationCount: 0,
        DestinationChosen: 0,
        DestinationArrayPtr: null_mut(),
        QArrayPtr: null_mut(),
        CacheContext: null_mut(),
        CacheType: 1,
        CLWLMRUChannels: 0,
    };
}

impl Versioned for MQWXP3 {
    const NAME: &'static str = "MQWXP3";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 224 },
        Version { number: 2, length: 240 },
        Version { number: 3, length: 240 },
    ];
}

const _: () = assert!(size_of::<MQWXP3>() == 240 && align_of::<MQWXP3>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWXP4 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ExitId: MQLONG,
    pub ExitReason: MQLONG,
    pub ExitResponse: MQLONG,
    pub ExitResponse2: MQLONG,
    pub Feedback: MQLONG,
    pub Flags: MQLONG,
    pub ExitUserArea: MQBYTE16,
    pub ExitData: MQCHAR32,
    pub MsgDescPtr: PMQMD,
    pub MsgBufferPtr: PMQVOID,
    pub MsgBufferLength: MQLONG,
    pub MsgLength: MQLONG,
    pub QName: MQCHAR48,
    pub QMgrName: MQCHAR48,
    pub DestinationCount: MQLONG,
    pub DestinationChosen: MQLONG,
    pub DestinationArrayPtr: PPMQWDR,
    pub QArrayPtr: PPMQWQR,
    // From version 2 on.
    pub CacheContext: MQPTR,
    pub CacheType: MQLONG,
    // From version 3 on.
    pub CLWLMRUChannels: MQLONG,
    // From version 4 on.
    pub pEntryPoints: PMQIEP,
}

impl MQWXP4 {
    /// `MQWXP4_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WXP ",
        Version: 4,
        ExitId: 0,
        ExitReason: 0,
        ExitResponse: 0,
        ExitResponse2: 0,
        Feedback: 0,
        Flags: 0,
        ExitUserArea: [0; 16],
        ExitData: [0; 32],
        MsgDescPtr: null_mut(),
        MsgBufferPtr: null_mut(),
        MsgBufferLength: 0,
        MsgLength: 0,
        QName: [0; 48],
        QMgrName: [0; 48],
        DestinationCount: 0,
        DestinationChosen: 0,
        DestinationArrayPtr: null_mut(),
        QArrayPtr: null_mut(),
        CacheContext: null_mut(),
        CacheType: 1,
        CLWLMRUChannels: 0,
        pEntryPoints: null_mut(),
    };
}

impl Versioned for MQWXP4 {
    const NAME: &'static str = "MQWXP4";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WXP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 224 },
        Version { number: 2, length: 240 },
        Version { number: 3, length: 240 },
        Version { number: 4, length: 248 },
    ];
}

const _: () = assert!(size_of::<MQWXP4>() == 248 && align_of::<MQWXP4>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQXEPO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub ExitProperties: MQCHARV,
}

impl MQXEPO {
    /// `MQXEPO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"XEPO",
        Version: 1,
        Options: 0,
        ExitProperties: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
    };
}

impl Versioned for MQXEPO {
    const NAME: &'static str = "MQXEPO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"XEPO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 40 }];
}

const _: () = assert!(size_of::<MQXEPO>() == 40 && align_of::<MQXEPO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQZED {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub EntityNamePtr: PMQCHAR,
    pub EntityDomainPtr: PMQCHAR,
    pub SecurityId: MQBYTE40,
    // From version 2 on.
    pub CorrelationPtr: MQPTR,
}

impl MQZED {
    /// `MQZED_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"ZED ",
        Version: 1,
        EntityNamePtr: null_mut(),
        EntityDomainPtr: null_mut(),
        SecurityId: [0; 40],
        CorrelationPtr: null_mut(),
    };
}

impl Versioned for MQZED {
    const NAME: &'static str = "MQZED";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ZED ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 64 }, Version { number: 2, length: 72 }];
}

const _: () = assert!(size_of::<MQZED>() == 72 && align_of::<MQZED>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQZAC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ProcessId: MQPID,
    pub ThreadId: MQTID,
    pub ApplName: MQCHAR28,
    pub UserID: MQCHAR12,
    pub EffectiveUserID: MQCHAR12,
    pub Environment: MQLONG,
    pub CallerType: MQLONG,
    pub AuthenticationType: MQLONG,
    pub BindType: MQLONG,
}

impl MQZAC {
    /// `MQZAC_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"ZAC ",
        Version: 1,
        ProcessId: 0,
        ThreadId: 0,
        ApplName: [0; 28],
        UserID: [0; 12],
        EffectiveUserID: [0; 12],
        Environment: 0,
        CallerType: 0,
        AuthenticationType: 0,
        BindType: 0,
    };
}

impl Versioned for MQZAC {
    const NAME: &'static str = "MQZAC";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ZAC ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 84 }];
}

const _: () = assert!(size_of::<MQZAC>() == 84 && align_of::<MQZAC>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQZAD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ProfileName: MQCHAR48,
    pub ObjectType: MQLONG,
    pub Authority: MQLONG,
    pub EntityDataPtr: PMQZED,
    pub EntityType: MQLONG,
    // From version 2 on.
    pub Options: MQLONG,
}

impl MQZAD {
    /// `MQZAD_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"ZAD ",
        Version: 1,
        ProfileName: [0; 48],
        ObjectType: 1001,
        Authority: 0,
        EntityDataPtr: null_mut(),
        EntityType: 0,
        Options: 33,
    };
}

impl Versioned for MQZAD {
    const NAME: &'static str = "MQZAD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ZAD ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 80 }, Version { number: 2, length: 80 }];
}

const _: () = assert!(size_of::<MQZAD>() == 80 && align_of::<MQZAD>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQZFP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Reserved: MQBYTE8,
    pub CorrelationPtr: MQPTR,
}

impl MQZFP {
    /// `MQZFP_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { StrucId: *b"ZFP ", Version: 1, Reserved: [0; 8], CorrelationPtr: null_mut() };
}

impl Versioned for MQZFP {
    const NAME: &'static str = "MQZFP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ZFP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 24 }];
}

const _: () = assert!(size_of::<MQZFP>() == 24 && align_of::<MQZFP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQZIC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub UserIdentifier: MQCHAR12,
    pub AccountingToken: MQBYTE32,
    pub ApplIdentityData: MQCHAR32,
    // From version 2 on.
    pub LongUserIdentifier: MQCHAR1024,
}

impl MQZIC {
    /// `MQZIC_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"ZIC ",
        Version: 1,
        UserIdentifier: [0; 12],
        AccountingToken: [0; 32],
        ApplIdentityData: [0; 32],
        LongUserIdentifier: [0; 1024],
    };
}

impl Versioned for MQZIC {
    const NAME: &'static str = "MQZIC";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"ZIC ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 84 }, Version { number: 2, length: 1108 }];
}

const _: () = assert!(size_of::<MQZIC>() == 1108 && align_of::<MQZIC>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQIEP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Flags: MQLONG,
    pub Reserved: MQPTR,
    pub MQBACK_Call: PMQ_BACK_CALL,
    pub MQBEGIN_Call: PMQ_BEGIN_CALL,
    pub MQBUFMH_Call: PMQ_BUFMH_CALL,
    pub MQCB_Call: PMQ_CB_CALL,
    pub MQCLOSE_Call: PMQ_CLOSE_CALL,
    pub MQCMIT_Call: PMQ_CMIT_CALL,
    pub MQCONN_Call: PMQ_CONN_CALL,
    pub MQCONNX_Call: PMQ_CONNX_CALL,
    pub MQCRTMH_Call: PMQ_CRTMH_CALL,
    pub MQCTL_Call: PMQ_CTL_CALL,
    pub MQDISC_Call: PMQ_DISC_CALL,
    pub MQDLTMH_Call: PMQ_DLTMH_CALL,
    pub MQDLTMP_Call: PMQ_DLTMP_CALL,
    pub MQGET_Call: PMQ_GET_CALL,
    pub MQINQ_Call: PMQ_INQ_CALL,
    pub MQINQMP_Call: PMQ_INQMP_CALL,
    pub MQMHBUF_Call: PMQ_MHBUF_CALL,
    pub MQOPEN_Call: PMQ_OPEN_CALL,
    pub MQPUT_Call: PMQ_PUT_CALL,
    pub MQPUT1_Call: PMQ_PUT1_CALL,
    pub MQSET_Call: PMQ_SET_CALL,
    pub MQSETMP_Call: PMQ_SETMP_CALL,
    pub MQSTAT_Call: PMQ_STAT_CALL,
    pub MQSUB_Call: PMQ_SUB_CALL,
    pub MQSUBRQ_Call: PMQ_SUBRQ_CALL,
    pub MQXCLWLN_Call: PMQ_XCLWLN_CALL,
    pub MQXCNVC_Call: PMQ_XCNVC_CALL,
    pub MQXDX_Call: PMQ_XDX_CALL,
    pub MQXEP_Call: PMQ_XEP_CALL,
    pub MQZEP_Call: PMQ_ZEP_CALL,
}

impl MQIEP {
    /// `MQIEP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"IEP ",
        Version: 1,
        StrucLength: 264,
        Flags: 0,
        Reserved: null_mut(),
        MQBACK_Call: None,
        MQBEGIN_Call: None,
        MQBUFMH_Call: None,
        MQCB_Call: None,
        MQCLOSE_Call: None,
        MQCMIT_Call: None,
        MQCONN_Call: None,
        MQCONNX_Call: None,
        MQCRTMH_Call: None,
        MQCTL_Call: None,
        MQDISC_Call: None,
        MQDLTMH_Call: None,
        MQDLTMP_Call: None,
        MQGET_Call: None,
        MQINQ_Call: None,
        MQINQMP_Call: None,
        MQMHBUF_Call: None,
        MQOPEN_Call: None,
        MQPUT_Call: None,
        MQPUT1_Call: None,
        MQSET_Call: None,
        MQSETMP_Call: None,
        MQSTAT_Call: None,
        MQSUB_Call: None,
        MQSUBRQ_Call: None,
        MQXCLWLN_Call: None,
        MQXCNVC_Call: None,
        MQXDX_Call: None,
        MQXEP_Call: None,
        MQZEP_Call: None,
    };
}

impl Versioned for MQIEP {
    const NAME: &'static str = "MQIEP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"IEP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 264 }];
}

const _: () = assert!(size_of::<MQIEP>() == 264 && align_of::<MQIEP>() == 8);
