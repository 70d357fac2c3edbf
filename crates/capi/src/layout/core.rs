//! Structures that the calls take, and headers that go before a body.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

use super::*;
use std::mem::offset_of;
use std::ptr::null_mut;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQAIR {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub AuthInfoType: MQLONG,
    pub AuthInfoConnName: [MQCHAR; 264],
    pub LDAPUserNamePtr: PMQCHAR,
    pub LDAPUserNameOffset: MQLONG,
    pub LDAPUserNameLength: MQLONG,
    pub LDAPPassword: MQCHAR32,
    // From version 2 on.
    pub OCSPResponderURL: MQCHAR256,
}

impl MQAIR {
    /// `MQAIR_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"AIR ",
        Version: 1,
        AuthInfoType: 1,
        AuthInfoConnName: [0; 264],
        LDAPUserNamePtr: null_mut(),
        LDAPUserNameOffset: 0,
        LDAPUserNameLength: 0,
        LDAPPassword: [0; 32],
        OCSPResponderURL: [0; 256],
    };
}

impl Versioned for MQAIR {
    const NAME: &'static str = "MQAIR";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"AIR ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 328 }, Version { number: 2, length: 584 }];
}

const _: () = assert!(size_of::<MQAIR>() == 584 && align_of::<MQAIR>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQBNO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ApplType: MQLONG,
    pub Timeout: MQLONG,
    pub Options: MQLONG,
}

impl MQBNO {
    /// `MQBNO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"BNO ", Version: 1, ApplType: 0, Timeout: -1, Options: 0 };
}

impl Versioned for MQBNO {
    const NAME: &'static str = "MQBNO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"BNO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 20 }];
}

const _: () = assert!(size_of::<MQBNO>() == 20 && align_of::<MQBNO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQBMHO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQBMHO {
    /// `MQBMHO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"BMHO", Version: 1, Options: 1 };
}

impl Versioned for MQBMHO {
    const NAME: &'static str = "MQBMHO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"BMHO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQBMHO>() == 12 && align_of::<MQBMHO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQBO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQBO {
    /// `MQBO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"BO  ", Version: 1, Options: 0 };
}

impl Versioned for MQBO {
    const NAME: &'static str = "MQBO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"BO  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQBO>() == 12 && align_of::<MQBO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCBC {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub CallType: MQLONG,
    pub Hobj: MQHOBJ,
    pub CallbackArea: MQPTR,
    pub ConnectionArea: MQPTR,
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
    pub State: MQLONG,
    pub DataLength: MQLONG,
    pub BufferLength: MQLONG,
    pub Flags: MQLONG,
    // From version 2 on.
    pub ReconnectDelay: MQLONG,
}

impl Versioned for MQCBC {
    const NAME: &'static str = "MQCBC";
    const IDENTIFIER: Option<[u8; 4]> = Some(identifier(mqi::constants::MQCBC_STRUC_ID));
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 56 }, Version { number: 2, length: 64 }];
}

const _: () = assert!(size_of::<MQCBC>() == 64 && align_of::<MQCBC>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCBD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub CallbackType: MQLONG,
    pub Options: MQLONG,
    pub CallbackArea: MQPTR,
    pub CallbackFunction: MQPTR,
    pub CallbackName: MQCHAR128,
    pub MaxMsgLength: MQLONG,
}

impl MQCBD {
    /// `MQCBD_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"CBD ",
        Version: 1,
        CallbackType: 1,
        Options: 0,
        CallbackArea: null_mut(),
        CallbackFunction: null_mut(),
        CallbackName: [0; 128],
        MaxMsgLength: -1,
    };
}

impl Versioned for MQCBD {
    const NAME: &'static str = "MQCBD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CBD ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 168 }];
}

const _: () = assert!(size_of::<MQCBD>() == 168 && align_of::<MQCBD>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCHARV {
    pub VSPtr: MQPTR,
    pub VSOffset: MQLONG,
    pub VSBufSize: MQLONG,
    pub VSLength: MQLONG,
    pub VSCCSID: MQLONG,
}

impl MQCHARV {
    /// `MQCHARV_DEFAULT` in C.
    pub const DEFAULT: Self = Self { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 };
}

const _: () = assert!(size_of::<MQCHARV>() == 24 && align_of::<MQCHARV>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCIH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub ReturnCode: MQLONG,
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
    pub UOWControl: MQLONG,
    pub GetWaitInterval: MQLONG,
    pub LinkType: MQLONG,
    pub OutputDataLength: MQLONG,
    pub FacilityKeepTime: MQLONG,
    pub ADSDescriptor: MQLONG,
    pub ConversationalTask: MQLONG,
    pub TaskEndStatus: MQLONG,
    pub Facility: MQBYTE8,
    pub Function: MQCHAR4,
    pub AbendCode: MQCHAR4,
    pub Authenticator: MQCHAR8,
    pub Reserved1: MQCHAR8,
    pub ReplyToFormat: MQCHAR8,
    pub RemoteSysId: MQCHAR4,
    pub RemoteTransId: MQCHAR4,
    pub TransactionId: MQCHAR4,
    pub FacilityLike: MQCHAR4,
    pub AttentionId: MQCHAR4,
    pub StartCode: MQCHAR4,
    pub CancelCode: MQCHAR4,
    pub NextTransactionId: MQCHAR4,
    pub Reserved2: MQCHAR8,
    pub Reserved3: MQCHAR8,
    // From version 2 on.
    pub CursorPosition: MQLONG,
    pub ErrorOffset: MQLONG,
    pub InputItem: MQLONG,
    pub Reserved4: MQLONG,
}

impl MQCIH {
    /// `MQCIH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"CIH ",
        Version: 2,
        StrucLength: 180,
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        ReturnCode: 0,
        CompCode: 0,
        Reason: 0,
        UOWControl: 273,
        GetWaitInterval: -2,
        LinkType: 1,
        OutputDataLength: -1,
        FacilityKeepTime: 0,
        ADSDescriptor: 0,
        ConversationalTask: 0,
        TaskEndStatus: 0,
        Facility: [0; 8],
        Function: *b"    ",
        AbendCode: *b"    ",
        Authenticator: *b"        ",
        Reserved1: *b"        ",
        ReplyToFormat: *b"        ",
        RemoteSysId: *b"    ",
        RemoteTransId: *b"    ",
        TransactionId: *b"    ",
        FacilityLike: *b"    ",
        AttentionId: *b"    ",
        StartCode: *b"    ",
        CancelCode: *b"    ",
        NextTransactionId: *b"    ",
        Reserved2: *b"        ",
        Reserved3: *b"        ",
        CursorPosition: 0,
        ErrorOffset: 0,
        InputItem: 0,
        Reserved4: 0,
    };
}

impl Versioned for MQCIH {
    const NAME: &'static str = "MQCIH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CIH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 164 }, Version { number: 2, length: 180 }];
}

const _: () = assert!(size_of::<MQCIH>() == 180 && align_of::<MQCIH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCMHO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQCMHO {
    /// `MQCMHO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"CMHO", Version: 1, Options: 0 };
}

impl Versioned for MQCMHO {
    const NAME: &'static str = "MQCMHO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CMHO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQCMHO>() == 12 && align_of::<MQCMHO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCTLO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub Reserved: MQLONG,
    pub ConnectionArea: MQPTR,
}

impl MQCTLO {
    /// `MQCTLO_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { StrucId: *b"CTLO", Version: 1, Options: 0, Reserved: -1, ConnectionArea: null_mut() };
}

impl Versioned for MQCTLO {
    const NAME: &'static str = "MQCTLO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CTLO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 24 }];
}

const _: () = assert!(size_of::<MQCTLO>() == 24 && align_of::<MQCTLO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSCO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub KeyRepository: MQCHAR256,
    pub CryptoHardware: MQCHAR256,
    pub AuthInfoRecCount: MQLONG,
    pub AuthInfoRecOffset: MQLONG,
    pub AuthInfoRecPtr: PMQAIR,
    // From version 2 on.
    pub KeyResetCount: MQLONG,
    pub FipsRequired: MQLONG,
    // From version 3 on.
    pub EncryptionPolicySuiteB: [MQLONG; 4],
    // From version 4 on.
    pub CertificateValPolicy: MQLONG,
    // From version 5 on.
    pub CertificateLabel: MQCHAR64,
    // From version 6 on.
    pub KeyRepoPasswordPtr: MQPTR,
    pub KeyRepoPasswordOffset: MQLONG,
    pub KeyRepoPasswordLength: MQLONG,
    // From version 7 on.
    pub HTTPSCertValidation: MQLONG,
    pub HTTPSCertRevocation: MQLONG,
    pub HTTPSKeyStorePtr: MQPTR,
    pub HTTPSKeyStoreOffset: MQLONG,
    pub HTTPSKeyStoreLength: MQLONG,
}

impl MQSCO {
    /// `MQSCO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"SCO ",
        Version: 1,
        KeyRepository: [0; 256],
        CryptoHardware: [0; 256],
        AuthInfoRecCount: 0,
        AuthInfoRecOffset: 0,
        AuthInfoRecPtr: null_mut(),
        KeyResetCount: 0,
        FipsRequired: 0,
        EncryptionPolicySuiteB: [1, 0, 0, 0],
        CertificateValPolicy: 0,
        CertificateLabel: [0; 64],
        KeyRepoPasswordPtr: null_mut(),
        KeyRepoPasswordOffset: 0,
        KeyRepoPasswordLength: 0,
        HTTPSCertValidation: 0,
        HTTPSCertRevocation: 0,
        HTTPSKeyStorePtr: null_mut(),
        HTTPSKeyStoreOffset: 0,
        HTTPSKeyStoreLength: 0,
    };
}

impl Versioned for MQSCO {
    const NAME: &'static str = "MQSCO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"SCO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 536 },
        Version { number: 2, length: 544 },
        Version { number: 3, length: 560 },
        Version { number: 4, length: 568 },
        Version { number: 5, length: 632 },
        Version { number: 6, length: 648 },
        Version { number: 7, length: 672 },
    ];
}

const _: () = assert!(size_of::<MQSCO>() == 672 && align_of::<MQSCO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCSP {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub AuthenticationType: MQLONG,
    pub Reserved1: MQBYTE4,
    pub CSPUserIdPtr: MQPTR,
    pub CSPUserIdOffset: MQLONG,
    pub CSPUserIdLength: MQLONG,
    pub Reserved2: MQBYTE8,
    pub CSPPasswordPtr: MQPTR,
    pub CSPPasswordOffset: MQLONG,
    pub CSPPasswordLength: MQLONG,
    // From version 2 on.
    pub Reserved3: MQBYTE8,
    pub InitialKeyPtr: MQPTR,
    pub InitialKeyOffset: MQLONG,
    pub InitialKeyLength: MQLONG,
    // From version 3 on.
    pub Reserved4: MQBYTE8,
    pub TokenPtr: MQPTR,
    pub TokenOffset: MQLONG,
    pub TokenLength: MQLONG,
}

impl MQCSP {
    /// `MQCSP_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"CSP ",
        Version: 1,
        AuthenticationType: 0,
        Reserved1: [0; 4],
        CSPUserIdPtr: null_mut(),
        CSPUserIdOffset: 0,
        CSPUserIdLength: 0,
        Reserved2: [0; 8],
        CSPPasswordPtr: null_mut(),
        CSPPasswordOffset: 0,
        CSPPasswordLength: 0,
        Reserved3: [0; 8],
        InitialKeyPtr: null_mut(),
        InitialKeyOffset: 0,
        InitialKeyLength: 0,
        Reserved4: [0; 8],
        TokenPtr: null_mut(),
        TokenOffset: 0,
        TokenLength: 0,
    };
}

impl Versioned for MQCSP {
    const NAME: &'static str = "MQCSP";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CSP ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 56 },
        Version { number: 2, length: 80 },
        Version { number: 3, length: 104 },
    ];
}

const _: () = assert!(size_of::<MQCSP>() == 104 && align_of::<MQCSP>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCNO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    // From version 2 on.
    pub ClientConnOffset: MQLONG,
    pub ClientConnPtr: MQPTR,
    // From version 3 on.
    pub ConnTag: MQBYTE128,
    // From version 4 on.
    pub SSLConfigPtr: PMQSCO,
    pub SSLConfigOffset: MQLONG,
    // From version 5 on.
    pub ConnectionId: MQBYTE24,
    pub SecurityParmsOffset: MQLONG,
    pub SecurityParmsPtr: PMQCSP,
    // From version 6 on.
    pub CCDTUrlPtr: PMQCHAR,
    pub CCDTUrlOffset: MQLONG,
    pub CCDTUrlLength: MQLONG,
    pub Reserved: MQBYTE8,
    // From version 7 on.
    pub ApplName: MQCHAR28,
    pub Reserved2: MQBYTE4,
    // From version 8 on.
    pub BalanceParmsPtr: PMQBNO,
    pub BalanceParmsOffset: MQLONG,
    pub Reserved3: MQBYTE4,
}

impl MQCNO {
    /// `MQCNO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"CNO ",
        Version: 1,
        Options: 0,
        ClientConnOffset: 0,
        ClientConnPtr: null_mut(),
        ConnTag: [0; 128],
        SSLConfigPtr: null_mut(),
        SSLConfigOffset: 0,
        ConnectionId: [0; 24],
        SecurityParmsOffset: 0,
        SecurityParmsPtr: null_mut(),
        CCDTUrlPtr: null_mut(),
        CCDTUrlOffset: 0,
        CCDTUrlLength: 0,
        Reserved: [0; 8],
        ApplName: *b"                            ",
        Reserved2: [0; 4],
        BalanceParmsPtr: null_mut(),
        BalanceParmsOffset: 0,
        Reserved3: [0; 4],
    };
}

impl Versioned for MQCNO {
    const NAME: &'static str = "MQCNO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"CNO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 12 },
        Version { number: 2, length: 24 },
        Version { number: 3, length: 152 },
        Version { number: 4, length: 168 },
        Version { number: 5, length: 200 },
        Version { number: 6, length: 224 },
        Version { number: 7, length: 256 },
        Version { number: 8, length: 272 },
    ];
}

const _: () = assert!(size_of::<MQCNO>() == 272 && align_of::<MQCNO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQDH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub PutMsgRecFields: MQLONG,
    pub RecsPresent: MQLONG,
    pub ObjectRecOffset: MQLONG,
    pub PutMsgRecOffset: MQLONG,
}

impl MQDH {
    /// `MQDH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"DH  ",
        Version: 1,
        StrucLength: 0,
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        PutMsgRecFields: 0,
        RecsPresent: 0,
        ObjectRecOffset: 0,
        PutMsgRecOffset: 0,
    };
}

impl Versioned for MQDH {
    const NAME: &'static str = "MQDH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"DH  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 48 }];
}

const _: () = assert!(size_of::<MQDH>() == 48 && align_of::<MQDH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQDLH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Reason: MQLONG,
    pub DestQName: MQCHAR48,
    pub DestQMgrName: MQCHAR48,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub PutApplType: MQLONG,
    pub PutApplName: MQCHAR28,
    pub PutDate: MQCHAR8,
    pub PutTime: MQCHAR8,
}

impl MQDLH {
    /// `MQDLH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"DLH ",
        Version: 1,
        Reason: 0,
        DestQName: [0; 48],
        DestQMgrName: [0; 48],
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        PutApplType: 0,
        PutApplName: [0; 28],
        PutDate: [0; 8],
        PutTime: [0; 8],
    };
}

impl Versioned for MQDLH {
    const NAME: &'static str = "MQDLH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"DLH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 172 }];
}

const _: () = assert!(size_of::<MQDLH>() == 172 && align_of::<MQDLH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQDMHO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQDMHO {
    /// `MQDMHO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"DMHO", Version: 1, Options: 0 };
}

impl Versioned for MQDMHO {
    const NAME: &'static str = "MQDMHO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"DMHO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQDMHO>() == 12 && align_of::<MQDMHO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQDMPO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQDMPO {
    /// `MQDMPO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"DMPO", Version: 1, Options: 0 };
}

impl Versioned for MQDMPO {
    const NAME: &'static str = "MQDMPO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"DMPO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQDMPO>() == 12 && align_of::<MQDMPO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQGMO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub WaitInterval: MQLONG,
    pub Signal1: MQLONG,
    pub Signal2: MQLONG,
    pub ResolvedQName: MQCHAR48,
    // From version 2 on.
    pub MatchOptions: MQLONG,
    pub GroupStatus: MQCHAR,
    pub SegmentStatus: MQCHAR,
    pub Segmentation: MQCHAR,
    pub Reserved1: MQCHAR,
    // From version 3 on.
    pub MsgToken: MQBYTE16,
    pub ReturnedLength: MQLONG,
    // From version 4 on.
    pub Reserved2: MQLONG,
    pub MsgHandle: MQHMSG,
}

impl MQGMO {
    /// `MQGMO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"GMO ",
        Version: 1,
        Options: 0,
        WaitInterval: 0,
        Signal1: 0,
        Signal2: 0,
        ResolvedQName: [0; 48],
        MatchOptions: 3,
        GroupStatus: b' ',
        SegmentStatus: b' ',
        Segmentation: b' ',
        Reserved1: b' ',
        MsgToken: [0; 16],
        ReturnedLength: -1,
        Reserved2: 0,
        MsgHandle: 0,
    };
}

impl Versioned for MQGMO {
    const NAME: &'static str = "MQGMO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"GMO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 72 },
        Version { number: 2, length: 80 },
        Version { number: 3, length: 100 },
        Version { number: 4, length: 112 },
    ];
}

const _: () = assert!(size_of::<MQGMO>() == 112 && align_of::<MQGMO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQIIH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub LTermOverride: MQCHAR8,
    pub MFSMapName: MQCHAR8,
    pub ReplyToFormat: MQCHAR8,
    pub Authenticator: MQCHAR8,
    pub TranInstanceId: MQBYTE16,
    pub TranState: MQCHAR,
    pub CommitMode: MQCHAR,
    pub SecurityScope: MQCHAR,
    pub Reserved: MQCHAR,
}

impl MQIIH {
    /// `MQIIH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"IIH ",
        Version: 1,
        StrucLength: 84,
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        LTermOverride: *b"        ",
        MFSMapName: *b"        ",
        ReplyToFormat: *b"        ",
        Authenticator: *b"        ",
        TranInstanceId: [0; 16],
        TranState: b' ',
        CommitMode: b'0',
        SecurityScope: b'C',
        Reserved: b' ',
    };
}

impl Versioned for MQIIH {
    const NAME: &'static str = "MQIIH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"IIH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 84 }];
}

const _: () = assert!(size_of::<MQIIH>() == 84 && align_of::<MQIIH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQIMPO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub RequestedEncoding: MQLONG,
    pub RequestedCCSID: MQLONG,
    pub ReturnedEncoding: MQLONG,
    pub ReturnedCCSID: MQLONG,
    pub Reserved1: MQLONG,
    pub ReturnedName: MQCHARV,
    pub TypeString: MQCHAR8,
}

impl MQIMPO {
    /// `MQIMPO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"IMPO",
        Version: 1,
        Options: 0,
        RequestedEncoding: 546,
        RequestedCCSID: -3,
        ReturnedEncoding: 546,
        ReturnedCCSID: 0,
        Reserved1: 0,
        ReturnedName: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        TypeString: [0; 8],
    };
}

impl Versioned for MQIMPO {
    const NAME: &'static str = "MQIMPO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"IMPO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 64 }];
}

const _: () = assert!(size_of::<MQIMPO>() == 64 && align_of::<MQIMPO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQMD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Report: MQLONG,
    pub MsgType: MQLONG,
    pub Expiry: MQLONG,
    pub Feedback: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Priority: MQLONG,
    pub Persistence: MQLONG,
    pub MsgId: MQBYTE24,
    pub CorrelId: MQBYTE24,
    pub BackoutCount: MQLONG,
    pub ReplyToQ: MQCHAR48,
    pub ReplyToQMgr: MQCHAR48,
    pub UserIdentifier: MQCHAR12,
    pub AccountingToken: MQBYTE32,
    pub ApplIdentityData: MQCHAR32,
    pub PutApplType: MQLONG,
    pub PutApplName: MQCHAR28,
    pub PutDate: MQCHAR8,
    pub PutTime: MQCHAR8,
    pub ApplOriginData: MQCHAR4,
    // From version 2 on.
    pub GroupId: MQBYTE24,
    pub MsgSeqNumber: MQLONG,
    pub Offset: MQLONG,
    pub MsgFlags: MQLONG,
    pub OriginalLength: MQLONG,
}

impl MQMD {
    /// `MQMD_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"MD  ",
        Version: 1,
        Report: 0,
        MsgType: 8,
        Expiry: -1,
        Feedback: 0,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Priority: -1,
        Persistence: 2,
        MsgId: [0; 24],
        CorrelId: [0; 24],
        BackoutCount: 0,
        ReplyToQ: [0; 48],
        ReplyToQMgr: [0; 48],
        UserIdentifier: [0; 12],
        AccountingToken: [0; 32],
        ApplIdentityData: [0; 32],
        PutApplType: 0,
        PutApplName: [0; 28],
        PutDate: [0; 8],
        PutTime: [0; 8],
        ApplOriginData: [0; 4],
        GroupId: [0; 24],
        MsgSeqNumber: 1,
        Offset: 0,
        MsgFlags: 0,
        OriginalLength: -1,
    };
}

impl Versioned for MQMD {
    const NAME: &'static str = "MQMD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"MD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 324 }, Version { number: 2, length: 364 }];
}

const _: () = assert!(size_of::<MQMD>() == 364 && align_of::<MQMD>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQMDE {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub GroupId: MQBYTE24,
    pub MsgSeqNumber: MQLONG,
    pub Offset: MQLONG,
    pub MsgFlags: MQLONG,
    pub OriginalLength: MQLONG,
}

impl MQMDE {
    /// `MQMDE_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"MDE ",
        Version: 2,
        StrucLength: 72,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        GroupId: [0; 24],
        MsgSeqNumber: 1,
        Offset: 0,
        MsgFlags: 0,
        OriginalLength: -1,
    };
}

impl Versioned for MQMDE {
    const NAME: &'static str = "MQMDE";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"MDE ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 2, length: 72 }];
}

const _: () = assert!(size_of::<MQMDE>() == 72 && align_of::<MQMDE>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQMD1 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Report: MQLONG,
    pub MsgType: MQLONG,
    pub Expiry: MQLONG,
    pub Feedback: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Priority: MQLONG,
    pub Persistence: MQLONG,
    pub MsgId: MQBYTE24,
    pub CorrelId: MQBYTE24,
    pub BackoutCount: MQLONG,
    pub ReplyToQ: MQCHAR48,
    pub ReplyToQMgr: MQCHAR48,
    pub UserIdentifier: MQCHAR12,
    pub AccountingToken: MQBYTE32,
    pub ApplIdentityData: MQCHAR32,
    pub PutApplType: MQLONG,
    pub PutApplName: MQCHAR28,
    pub PutDate: MQCHAR8,
    pub PutTime: MQCHAR8,
    pub ApplOriginData: MQCHAR4,
}

impl MQMD1 {
    /// `MQMD1_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"MD  ",
        Version: 1,
        Report: 0,
        MsgType: 8,
        Expiry: -1,
        Feedback: 0,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Priority: -1,
        Persistence: 2,
        MsgId: [0; 24],
        CorrelId: [0; 24],
        BackoutCount: 0,
        ReplyToQ: [0; 48],
        ReplyToQMgr: [0; 48],
        UserIdentifier: [0; 12],
        AccountingToken: [0; 32],
        ApplIdentityData: [0; 32],
        PutApplType: 0,
        PutApplName: [0; 28],
        PutDate: [0; 8],
        PutTime: [0; 8],
        ApplOriginData: [0; 4],
    };
}

impl Versioned for MQMD1 {
    const NAME: &'static str = "MQMD1";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"MD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 324 }];
}

const _: () = assert!(size_of::<MQMD1>() == 324 && align_of::<MQMD1>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQMD2 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Report: MQLONG,
    pub MsgType: MQLONG,
    pub Expiry: MQLONG,
    pub Feedback: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Priority: MQLONG,
    pub Persistence: MQLONG,
    pub MsgId: MQBYTE24,
    pub CorrelId: MQBYTE24,
    pub BackoutCount: MQLONG,
    pub ReplyToQ: MQCHAR48,
    pub ReplyToQMgr: MQCHAR48,
    pub UserIdentifier: MQCHAR12,
    pub AccountingToken: MQBYTE32,
    pub ApplIdentityData: MQCHAR32,
    pub PutApplType: MQLONG,
    pub PutApplName: MQCHAR28,
    pub PutDate: MQCHAR8,
    pub PutTime: MQCHAR8,
    pub ApplOriginData: MQCHAR4,
    // From version 2 on.
    pub GroupId: MQBYTE24,
    pub MsgSeqNumber: MQLONG,
    pub Offset: MQLONG,
    pub MsgFlags: MQLONG,
    pub OriginalLength: MQLONG,
}

impl MQMD2 {
    /// `MQMD2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"MD  ",
        Version: 2,
        Report: 0,
        MsgType: 8,
        Expiry: -1,
        Feedback: 0,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Priority: -1,
        Persistence: 2,
        MsgId: [0; 24],
        CorrelId: [0; 24],
        BackoutCount: 0,
        ReplyToQ: [0; 48],
        ReplyToQMgr: [0; 48],
        UserIdentifier: [0; 12],
        AccountingToken: [0; 32],
        ApplIdentityData: [0; 32],
        PutApplType: 0,
        PutApplName: [0; 28],
        PutDate: [0; 8],
        PutTime: [0; 8],
        ApplOriginData: [0; 4],
        GroupId: [0; 24],
        MsgSeqNumber: 1,
        Offset: 0,
        MsgFlags: 0,
        OriginalLength: -1,
    };
}

impl Versioned for MQMD2 {
    const NAME: &'static str = "MQMD2";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"MD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 324 }, Version { number: 2, length: 364 }];
}

const _: () = assert!(size_of::<MQMD2>() == 364 && align_of::<MQMD2>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQMHBO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
}

impl MQMHBO {
    /// `MQMHBO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"MHBO", Version: 1, Options: 1 };
}

impl Versioned for MQMHBO {
    const NAME: &'static str = "MQMHBO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"MHBO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 12 }];
}

const _: () = assert!(size_of::<MQMHBO>() == 12 && align_of::<MQMHBO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQOD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub ObjectType: MQLONG,
    pub ObjectName: MQCHAR48,
    pub ObjectQMgrName: MQCHAR48,
    pub DynamicQName: MQCHAR48,
    pub AlternateUserId: MQCHAR12,
    // From version 2 on.
    pub RecsPresent: MQLONG,
    pub KnownDestCount: MQLONG,
    pub UnknownDestCount: MQLONG,
    pub InvalidDestCount: MQLONG,
    pub ObjectRecOffset: MQLONG,
    pub ResponseRecOffset: MQLONG,
    pub ObjectRecPtr: MQPTR,
    pub ResponseRecPtr: MQPTR,
    // From version 3 on.
    pub AlternateSecurityId: MQBYTE40,
    pub ResolvedQName: MQCHAR48,
    pub ResolvedQMgrName: MQCHAR48,
    // From version 4 on.
    pub ObjectString: MQCHARV,
    pub SelectionString: MQCHARV,
    pub ResObjectString: MQCHARV,
    pub ResolvedType: MQLONG,
}

impl MQOD {
    /// `MQOD_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
StrucId: *b"OD  ",
Version: 1,
ObjectType: 1,
ObjectName: [0; 48],
ObjectQMgrName: [0; 48],
DynamicQName: *b"AMQ.*\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
AlternateUserId: [0; 12],
RecsPresent: 0,
KnownDestCount: 0,
UnknownDestCount: 0,
InvalidDestCount: 0,
ObjectRecOffset: 0,
ResponseRecOffset: 0,
ObjectRecPtr: null_mut(),
ResponseRecPtr: null_mut(),
AlternateSecurityId: [0; 40],
ResolvedQName: [0; 48],
ResolvedQMgrName: [0; 48],
ObjectString: MQCHARV {
VSPtr: null_mut(),
VSOffset: 0,
VSBufSize: 0,
VSLength: 0,
VSCCSID: -3,
},
SelectionString: MQCHARV {
VSPtr: null_mut(),
VSOffset: 0,
VSBufSize: 0,
VSLength: 0,
VSCCSID: -3,
},
ResObjectString: MQCHARV {
VSPtr: null_mut(),
VSOffset: 0,
VSBufSize: 0,
VSLength: 0,
VSCCSID: -3,
},
ResolvedType: 0,
    };
}

impl Versioned for MQOD {
    const NAME: &'static str = "MQOD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"OD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 168 },
        Version { number: 2, length: 208 },
        Version { number: 3, length: 344 },
        Version { number: 4, length: 424 },
    ];
}

const _: () = assert!(size_of::<MQOD>() == 424 && align_of::<MQOD>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQOR {
    pub ObjectName: MQCHAR48,
    pub ObjectQMgrName: MQCHAR48,
}

impl MQOR {
    /// `MQOR_DEFAULT` in C.
    pub const DEFAULT: Self = Self { ObjectName: [0; 48], ObjectQMgrName: [0; 48] };
}

const _: () = assert!(size_of::<MQOR>() == 96 && align_of::<MQOR>() == 1);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQPD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub Support: MQLONG,
    pub Context: MQLONG,
    pub CopyOptions: MQLONG,
}

impl MQPD {
    /// `MQPD_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { StrucId: *b"PD  ", Version: 1, Options: 0, Support: 1, Context: 0, CopyOptions: 22 };
}

impl Versioned for MQPD {
    const NAME: &'static str = "MQPD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"PD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 24 }];
}

const _: () = assert!(size_of::<MQPD>() == 24 && align_of::<MQPD>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQPMO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub Timeout: MQLONG,
    pub Context: MQHOBJ,
    pub KnownDestCount: MQLONG,
    pub UnknownDestCount: MQLONG,
    pub InvalidDestCount: MQLONG,
    pub ResolvedQName: MQCHAR48,
    pub ResolvedQMgrName: MQCHAR48,
    // From version 2 on.
    pub RecsPresent: MQLONG,
    pub PutMsgRecFields: MQLONG,
    pub PutMsgRecOffset: MQLONG,
    pub ResponseRecOffset: MQLONG,
    pub PutMsgRecPtr: MQPTR,
    pub ResponseRecPtr: MQPTR,
    // From version 3 on.
    pub OriginalMsgHandle: MQHMSG,
    pub NewMsgHandle: MQHMSG,
    pub Action: MQLONG,
    pub PubLevel: MQLONG,
}

impl MQPMO {
    /// `MQPMO_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"PMO ",
        Version: 1,
        Options: 0,
        Timeout: -1,
        Context: 0,
        KnownDestCount: 0,
        UnknownDestCount: 0,
        InvalidDestCount: 0,
        ResolvedQName: [0; 48],
        ResolvedQMgrName: [0; 48],
        RecsPresent: 0,
        PutMsgRecFields: 0,
        PutMsgRecOffset: 0,
        ResponseRecOffset: 0,
        PutMsgRecPtr: null_mut(),
        ResponseRecPtr: null_mut(),
        OriginalMsgHandle: 0,
        NewMsgHandle: 0,
        Action: 0,
        PubLevel: 9,
    };
}

impl Versioned for MQPMO {
    const NAME: &'static str = "MQPMO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"PMO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[
        Version { number: 1, length: 128 },
        Version { number: 2, length: 160 },
        Version { number: 3, length: 184 },
    ];
}

const _: () = assert!(size_of::<MQPMO>() == 184 && align_of::<MQPMO>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQRFH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
}

impl MQRFH {
    /// `MQRFH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"RFH ",
        Version: 1,
        StrucLength: 32,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
    };
}

impl Versioned for MQRFH {
    const NAME: &'static str = "MQRFH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"RFH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 32 }];
}

const _: () = assert!(size_of::<MQRFH>() == 32 && align_of::<MQRFH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQRFH2 {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub NameValueCCSID: MQLONG,
}

impl MQRFH2 {
    /// `MQRFH2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"RFH ",
        Version: 2,
        StrucLength: 36,
        Encoding: 546,
        CodedCharSetId: -2,
        Format: *b"        ",
        Flags: 0,
        NameValueCCSID: 1208,
    };
}

impl Versioned for MQRFH2 {
    const NAME: &'static str = "MQRFH2";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"RFH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 2, length: 36 }];
}

const _: () = assert!(size_of::<MQRFH2>() == 36 && align_of::<MQRFH2>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQRMH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub ObjectType: MQCHAR8,
    pub ObjectInstanceId: MQBYTE24,
    pub SrcEnvLength: MQLONG,
    pub SrcEnvOffset: MQLONG,
    pub SrcNameLength: MQLONG,
    pub SrcNameOffset: MQLONG,
    pub DestEnvLength: MQLONG,
    pub DestEnvOffset: MQLONG,
    pub DestNameLength: MQLONG,
    pub DestNameOffset: MQLONG,
    pub DataLogicalLength: MQLONG,
    pub DataLogicalOffset: MQLONG,
    pub DataLogicalOffset2: MQLONG,
}

impl MQRMH {
    /// `MQRMH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"RMH ",
        Version: 1,
        StrucLength: 0,
        Encoding: 546,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        ObjectType: *b"        ",
        ObjectInstanceId: [0; 24],
        SrcEnvLength: 0,
        SrcEnvOffset: 0,
        SrcNameLength: 0,
        SrcNameOffset: 0,
        DestEnvLength: 0,
        DestEnvOffset: 0,
        DestNameLength: 0,
        DestNameOffset: 0,
        DataLogicalLength: 0,
        DataLogicalOffset: 0,
        DataLogicalOffset2: 0,
    };
}

impl Versioned for MQRMH {
    const NAME: &'static str = "MQRMH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"RMH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 108 }];
}

const _: () = assert!(size_of::<MQRMH>() == 108 && align_of::<MQRMH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQRR {
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
}

impl MQRR {
    /// `MQRR_DEFAULT` in C.
    pub const DEFAULT: Self = Self { CompCode: 0, Reason: 0 };
}

const _: () = assert!(size_of::<MQRR>() == 8 && align_of::<MQRR>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSD {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub ObjectName: MQCHAR48,
    pub AlternateUserId: MQCHAR12,
    pub AlternateSecurityId: MQBYTE40,
    pub SubExpiry: MQLONG,
    pub ObjectString: MQCHARV,
    pub SubName: MQCHARV,
    pub SubUserData: MQCHARV,
    pub SubCorrelId: MQBYTE24,
    pub PubPriority: MQLONG,
    pub PubAccountingToken: MQBYTE32,
    pub PubApplIdentityData: MQCHAR32,
    pub SelectionString: MQCHARV,
    pub SubLevel: MQLONG,
    pub ResObjectString: MQCHARV,
}

impl MQSD {
    /// `MQSD_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"SD  ",
        Version: 1,
        Options: 0,
        ObjectName: [0; 48],
        AlternateUserId: [0; 12],
        AlternateSecurityId: [0; 40],
        SubExpiry: -1,
        ObjectString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubName: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubUserData: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubCorrelId: [0; 24],
        PubPriority: -3,
        PubAccountingToken: [0; 32],
        PubApplIdentityData: [0; 32],
        SelectionString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubLevel: 1,
        ResObjectString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
    };
}

impl Versioned for MQSD {
    const NAME: &'static str = "MQSD";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"SD  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 344 }];
}

const _: () = assert!(size_of::<MQSD>() == 344 && align_of::<MQSD>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSMPO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub ValueEncoding: MQLONG,
    pub ValueCCSID: MQLONG,
}

impl MQSMPO {
    /// `MQSMPO_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { StrucId: *b"SMPO", Version: 1, Options: 0, ValueEncoding: 546, ValueCCSID: -3 };
}

impl Versioned for MQSMPO {
    const NAME: &'static str = "MQSMPO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"SMPO");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 20 }];
}

const _: () = assert!(size_of::<MQSMPO>() == 20 && align_of::<MQSMPO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSRO {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub Options: MQLONG,
    pub NumPubs: MQLONG,
}

impl MQSRO {
    /// `MQSRO_DEFAULT` in C.
    pub const DEFAULT: Self = Self { StrucId: *b"SRO ", Version: 1, Options: 0, NumPubs: 0 };
}

impl Versioned for MQSRO {
    const NAME: &'static str = "MQSRO";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"SRO ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 16 }];
}

const _: () = assert!(size_of::<MQSRO>() == 16 && align_of::<MQSRO>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQSTS {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
    pub PutSuccessCount: MQLONG,
    pub PutWarningCount: MQLONG,
    pub PutFailureCount: MQLONG,
    pub ObjectType: MQLONG,
    pub ObjectName: MQCHAR48,
    pub ObjectQMgrName: MQCHAR48,
    pub ResolvedObjectName: MQCHAR48,
    pub ResolvedQMgrName: MQCHAR48,
    // From version 2 on.
    pub ObjectString: MQCHARV,
    pub SubName: MQCHARV,
    pub OpenOptions: MQLONG,
    pub SubOptions: MQLONG,
}

impl MQSTS {
    /// `MQSTS_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"STAT",
        Version: 1,
        CompCode: 0,
        Reason: 0,
        PutSuccessCount: 0,
        PutWarningCount: 0,
        PutFailureCount: 0,
        ObjectType: 1,
        ObjectName: [0; 48],
        ObjectQMgrName: [0; 48],
        ResolvedObjectName: [0; 48],
        ResolvedQMgrName: [0; 48],
        ObjectString: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        SubName: MQCHARV { VSPtr: null_mut(), VSOffset: 0, VSBufSize: 0, VSLength: 0, VSCCSID: -3 },
        OpenOptions: 0,
        SubOptions: 0,
    };
}

impl Versioned for MQSTS {
    const NAME: &'static str = "MQSTS";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"STAT");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] =
        &[Version { number: 1, length: 224 }, Version { number: 2, length: 280 }];
}

const _: () = assert!(size_of::<MQSTS>() == 280 && align_of::<MQSTS>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQTM {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub QName: MQCHAR48,
    pub ProcessName: MQCHAR48,
    pub TriggerData: MQCHAR64,
    pub ApplType: MQLONG,
    pub ApplId: MQCHAR256,
    pub EnvData: MQCHAR128,
    pub UserData: MQCHAR128,
}

impl MQTM {
    /// `MQTM_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"TM  ",
        Version: 1,
        QName: [0; 48],
        ProcessName: [0; 48],
        TriggerData: [0; 64],
        ApplType: 0,
        ApplId: [0; 256],
        EnvData: [0; 128],
        UserData: [0; 128],
    };
}

impl Versioned for MQTM {
    const NAME: &'static str = "MQTM";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"TM  ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 684 }];
}

const _: () = assert!(size_of::<MQTM>() == 684 && align_of::<MQTM>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQTMC2 {
    pub StrucId: MQCHAR4,
    pub Version: MQCHAR4,
    pub QName: MQCHAR48,
    pub ProcessName: MQCHAR48,
    pub TriggerData: MQCHAR64,
    pub ApplType: MQCHAR4,
    pub ApplId: MQCHAR256,
    pub EnvData: MQCHAR128,
    pub UserData: MQCHAR128,
    // From version 2 on.
    pub QMgrName: MQCHAR48,
}

impl MQTMC2 {
    /// `MQTMC2_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"TMC ",
        Version: *b"   2",
        QName: [0; 48],
        ProcessName: [0; 48],
        TriggerData: [0; 64],
        ApplType: [0; 4],
        ApplId: [0; 256],
        EnvData: [0; 128],
        UserData: [0; 128],
        QMgrName: [0; 48],
    };
}

const _: () = assert!(size_of::<MQTMC2>() == 732 && align_of::<MQTMC2>() == 1);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQWIH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub ServiceName: MQCHAR32,
    pub ServiceStep: MQCHAR8,
    pub MsgToken: MQBYTE16,
    pub Reserved: MQCHAR32,
}

impl MQWIH {
    /// `MQWIH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"WIH ",
        Version: 1,
        StrucLength: 120,
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        ServiceName: *b"                                ",
        ServiceStep: *b"        ",
        MsgToken: [0; 16],
        Reserved: *b"                                ",
    };
}

impl Versioned for MQWIH {
    const NAME: &'static str = "MQWIH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"WIH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 120 }];
}

const _: () = assert!(size_of::<MQWIH>() == 120 && align_of::<MQWIH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQXQH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub RemoteQName: MQCHAR48,
    pub RemoteQMgrName: MQCHAR48,
    pub MsgDesc: MQMD1,
}

impl MQXQH {
    /// `MQXQH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"XQH ",
        Version: 1,
        RemoteQName: [0; 48],
        RemoteQMgrName: [0; 48],
        MsgDesc: MQMD1 {
            StrucId: *b"MD  ",
            Version: 1,
            Report: 0,
            MsgType: 8,
            Expiry: -1,
            Feedback: 0,
            Encoding: 546,
            CodedCharSetId: 0,
            Format: *b"        ",
            Priority: -1,
            Persistence: 2,
            MsgId: [0; 24],
            CorrelId: [0; 24],
            BackoutCount: 0,
            ReplyToQ: [0; 48],
            ReplyToQMgr: [0; 48],
            UserIdentifier: [0; 12],
            AccountingToken: [0; 32],
            ApplIdentityData: [0; 32],
            PutApplType: 0,
            PutApplName: [0; 28],
            PutDate: [0; 8],
            PutTime: [0; 8],
            ApplOriginData: [0; 4],
        },
    };
}

impl Versioned for MQXQH {
    const NAME: &'static str = "MQXQH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"XQH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 428 }];
}

const _: () = assert!(size_of::<MQXQH>() == 428 && align_of::<MQXQH>() == 4);
