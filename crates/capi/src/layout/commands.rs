//! Structures of commands in binary form.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

use super::*;
use std::mem::offset_of;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFH {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Version: MQLONG,
    pub Command: MQLONG,
    pub MsgSeqNumber: MQLONG,
    pub Control: MQLONG,
    pub CompCode: MQLONG,
    pub Reason: MQLONG,
    pub ParameterCount: MQLONG,
}

impl MQCFH {
    /// `MQCFH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        Type: 1,
        StrucLength: 36,
        Version: 1,
        Command: 0,
        MsgSeqNumber: 1,
        Control: 1,
        CompCode: 0,
        Reason: 0,
        ParameterCount: 0,
    };
}

const _: () = assert!(size_of::<MQCFH>() == 36 && align_of::<MQCFH>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFBF {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Operator: MQLONG,
    pub FilterValueLength: MQLONG,
    pub FilterValue: [MQBYTE; 1],
}

impl MQCFBF {
    /// `MQCFBF_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        Type: 15,
        StrucLength: 20,
        Parameter: 0,
        Operator: 0,
        FilterValueLength: 0,
        FilterValue: [0; 1],
    };
}

const _: () = assert!(size_of::<MQCFBF>() == 24 && align_of::<MQCFBF>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFBS {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub StringLength: MQLONG,
    pub String: [MQBYTE; 1],
}

impl MQCFBS {
    /// `MQCFBS_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { Type: 9, StrucLength: 16, Parameter: 0, StringLength: 0, String: [0; 1] };
}

const _: () = assert!(size_of::<MQCFBS>() == 20 && align_of::<MQCFBS>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFGR {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub ParameterCount: MQLONG,
}

impl MQCFGR {
    /// `MQCFGR_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 20, StrucLength: 16, Parameter: 0, ParameterCount: 0 };
}

const _: () = assert!(size_of::<MQCFGR>() == 16 && align_of::<MQCFGR>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFIF {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Operator: MQLONG,
    pub FilterValue: MQLONG,
}

impl MQCFIF {
    /// `MQCFIF_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 13, StrucLength: 20, Parameter: 0, Operator: 0, FilterValue: 0 };
}

const _: () = assert!(size_of::<MQCFIF>() == 20 && align_of::<MQCFIF>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFIL {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Count: MQLONG,
    pub Values: [MQLONG; 1],
}

impl MQCFIL {
    /// `MQCFIL_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 5, StrucLength: 16, Parameter: 0, Count: 0, Values: [0] };
}

const _: () = assert!(size_of::<MQCFIL>() == 20 && align_of::<MQCFIL>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFIL64 {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Count: MQLONG,
    pub Values: [MQINT64; 1],
}

impl MQCFIL64 {
    /// `MQCFIL64_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 25, StrucLength: 16, Parameter: 0, Count: 0, Values: [0] };
}

const _: () = assert!(size_of::<MQCFIL64>() == 24 && align_of::<MQCFIL64>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFIN {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Value: MQLONG,
}

impl MQCFIN {
    /// `MQCFIN_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 3, StrucLength: 16, Parameter: 0, Value: 0 };
}

const _: () = assert!(size_of::<MQCFIN>() == 16 && align_of::<MQCFIN>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFIN64 {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Reserved: MQLONG,
    pub Value: MQINT64,
}

impl MQCFIN64 {
    /// `MQCFIN64_DEFAULT` in C.
    pub const DEFAULT: Self = Self { Type: 23, StrucLength: 24, Parameter: 0, Reserved: 0, Value: 0 };
}

const _: () = assert!(size_of::<MQCFIN64>() == 24 && align_of::<MQCFIN64>() == 8);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFSF {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub Operator: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub FilterValueLength: MQLONG,
    pub FilterValue: [MQCHAR; 1],
}

impl MQCFSF {
    /// `MQCFSF_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        Type: 14,
        StrucLength: 24,
        Parameter: 0,
        Operator: 0,
        CodedCharSetId: 0,
        FilterValueLength: 0,
        FilterValue: [0; 1],
    };
}

const _: () = assert!(size_of::<MQCFSF>() == 28 && align_of::<MQCFSF>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFSL {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Count: MQLONG,
    pub StringLength: MQLONG,
    pub Strings: [MQCHAR; 1],
}

impl MQCFSL {
    /// `MQCFSL_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        Type: 6,
        StrucLength: 24,
        Parameter: 0,
        CodedCharSetId: 0,
        Count: 0,
        StringLength: 0,
        Strings: [0; 1],
    };
}

const _: () = assert!(size_of::<MQCFSL>() == 28 && align_of::<MQCFSL>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQCFST {
    pub Type: MQLONG,
    pub StrucLength: MQLONG,
    pub Parameter: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub StringLength: MQLONG,
    pub String: [MQCHAR; 1],
}

impl MQCFST {
    /// `MQCFST_DEFAULT` in C.
    pub const DEFAULT: Self =
        Self { Type: 4, StrucLength: 20, Parameter: 0, CodedCharSetId: 0, StringLength: 0, String: [0; 1] };
}

const _: () = assert!(size_of::<MQCFST>() == 24 && align_of::<MQCFST>() == 4);

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MQEPH {
    pub StrucId: MQCHAR4,
    pub Version: MQLONG,
    pub StrucLength: MQLONG,
    pub Encoding: MQLONG,
    pub CodedCharSetId: MQLONG,
    pub Format: MQCHAR8,
    pub Flags: MQLONG,
    pub PCFHeader: MQCFH,
}

impl MQEPH {
    /// `MQEPH_DEFAULT` in C.
    pub const DEFAULT: Self = Self {
        StrucId: *b"EPH ",
        Version: 1,
        StrucLength: 68,
        Encoding: 0,
        CodedCharSetId: 0,
        Format: *b"        ",
        Flags: 0,
        PCFHeader: MQCFH {
            Type: 1,
            StrucLength: 36,
            Version: 3,
            Command: 0,
            MsgSeqNumber: 1,
            Control: 1,
            CompCode: 0,
            Reason: 0,
            ParameterCount: 0,
        },
    };
}

impl Versioned for MQEPH {
    const NAME: &'static str = "MQEPH";
    const IDENTIFIER: Option<[u8; 4]> = Some(*b"EPH ");
    const VERSION_OFFSET: usize = offset_of!(Self, Version);
    const VERSIONS: &'static [Version] = &[Version { number: 1, length: 68 }];
}

const _: () = assert!(size_of::<MQEPH>() == 68 && align_of::<MQEPH>() == 4);
