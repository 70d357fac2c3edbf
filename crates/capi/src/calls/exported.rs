//! The functions that programs find by name.
//!
//! Always: a parameter becomes a value that knows how far it reaches, and nothing else is done here.
//!
//! # Safety
//! Of every function: each pointer is null or leads to what the interface says, of the length or version that
//! the program states, and stays so until the call ends.

#![allow(unsafe_code, reason = "parameters of C programs are taken")]
#![expect(non_snake_case, reason = "names are those of the interface")]
#![expect(clippy::missing_safety_doc, reason = "it is that of the module")]

use super::characters::{ToConvert, convert};
use super::consumers::{self, ToRegister};
use super::message_handles::{self, Message, ToInquire, ToSet};
use super::messages::{self, ToGet, ToPut};
use super::objects::{self, Attributes};
use super::parameters::{at, buffer, numbers, outcome};
use super::{connecting, subscriptions, units};
use crate::layout::{
    MQCNO, MQHCONN, MQHMSG, MQHOBJ, MQLONG, PMQCHAR, PMQCNO, PMQHCONN, PMQHMSG, PMQHOBJ, PMQLONG, PMQVOID,
};
use crate::memory::{characters, terminated};
use mqi::constants;

/// Connects to a queue manager.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCONN(pQMgrName: PMQCHAR, pHconn: PMQHCONN, pCompCode: PMQLONG, pReason: PMQLONG) {
    // SAFETY: as promised by the program (see the module).
    let name = unsafe { characters(pQMgrName) };
    let none = std::ptr::null_mut::<MQCNO>();
    outcome!(pCompCode, pReason).of(|| connecting::connect(name, at!(none), at!(pHconn)));
}

/// Connects to a queue manager as options say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCONNX(
    pQMgrName: PMQCHAR,
    pConnectOpts: PMQCNO,
    pHconn: PMQHCONN,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    // SAFETY: as promised by the program (see the module).
    let name = unsafe { characters(pQMgrName) };
    outcome!(pCompCode, pReason).of(|| connecting::connect(name, at!(pConnectOpts), at!(pHconn)));
}

/// Ends a connection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQDISC(pHconn: PMQHCONN, pCompCode: PMQLONG, pReason: PMQLONG) {
    outcome!(pCompCode, pReason).of(|| connecting::disconnect(at!(pHconn)));
}

/// Opens an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQOPEN(
    Hconn: MQHCONN,
    pObjDesc: PMQVOID,
    Options: MQLONG,
    pHobj: PMQHOBJ,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| objects::open(Hconn, at!(pObjDesc), Options, at!(pHobj)));
}

/// Closes an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCLOSE(
    Hconn: MQHCONN,
    pHobj: PMQHOBJ,
    Options: MQLONG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| objects::close(Hconn, at!(pHobj), Options));
}

/// Puts a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQPUT(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    pMsgDesc: PMQVOID,
    pPutMsgOpts: PMQVOID,
    BufferLength: MQLONG,
    pBuffer: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let body = buffer!(Source, pBuffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR);
    let message = ToPut { descriptor: at!(pMsgDesc), options: at!(pPutMsgOpts), body };
    outcome!(pCompCode, pReason).of(|| messages::put(Hconn, Hobj, message));
}

/// Opens, puts one message and closes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQPUT1(
    Hconn: MQHCONN,
    pObjDesc: PMQVOID,
    pMsgDesc: PMQVOID,
    pPutMsgOpts: PMQVOID,
    BufferLength: MQLONG,
    pBuffer: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let body = buffer!(Source, pBuffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR);
    let message = ToPut { descriptor: at!(pMsgDesc), options: at!(pPutMsgOpts), body };
    outcome!(pCompCode, pReason).of(|| messages::put1(Hconn, at!(pObjDesc), message));
}

/// Gets or browses a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQGET(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    pMsgDesc: PMQVOID,
    pGetMsgOpts: PMQVOID,
    BufferLength: MQLONG,
    pBuffer: PMQVOID,
    pDataLength: PMQLONG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let message = ToGet {
        descriptor: at!(pMsgDesc),
        options: at!(pGetMsgOpts),
        buffer: buffer!(Buffer, pBuffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
        data_length: at!(pDataLength),
    };
    outcome!(pCompCode, pReason).of(|| messages::get(Hconn, Hobj, message));
}

/// Begins a unit of work in which others take part.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQBEGIN(
    Hconn: MQHCONN,
    pBeginOptions: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| units::begin(Hconn, at!(pBeginOptions)));
}

/// Makes the unit of work permanent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCMIT(Hconn: MQHCONN, pCompCode: PMQLONG, pReason: PMQLONG) {
    outcome!(pCompCode, pReason).of(|| units::commit(Hconn));
}

/// Undoes the unit of work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQBACK(Hconn: MQHCONN, pCompCode: PMQLONG, pReason: PMQLONG) {
    outcome!(pCompCode, pReason).of(|| units::back(Hconn));
}

/// Asks for attributes of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQINQ(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    SelectorCount: MQLONG,
    pSelectors: PMQLONG,
    IntAttrCount: MQLONG,
    pIntAttrs: PMQLONG,
    CharAttrLength: MQLONG,
    pCharAttrs: PMQCHAR,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let attributes = Attributes {
        selectors: numbers!(Source, pSelectors, SelectorCount, SELECTOR_COUNT_ERROR, SELECTOR_ERROR),
        integers: numbers!(Buffer, pIntAttrs, IntAttrCount, INT_ATTR_COUNT_ERROR, INT_ATTRS_ARRAY_ERROR),
        characters: buffer!(Buffer, pCharAttrs, CharAttrLength, CHAR_ATTR_LENGTH_ERROR, CHAR_ATTRS_ERROR),
    };
    outcome!(pCompCode, pReason).of(|| objects::inquire(Hconn, Hobj, attributes));
}

/// Changes attributes of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQSET(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    SelectorCount: MQLONG,
    pSelectors: PMQLONG,
    IntAttrCount: MQLONG,
    pIntAttrs: PMQLONG,
    CharAttrLength: MQLONG,
    pCharAttrs: PMQCHAR,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let attributes = Attributes {
        selectors: numbers!(Source, pSelectors, SelectorCount, SELECTOR_COUNT_ERROR, SELECTOR_ERROR),
        integers: numbers!(Source, pIntAttrs, IntAttrCount, INT_ATTR_COUNT_ERROR, INT_ATTRS_ARRAY_ERROR),
        characters: buffer!(Source, pCharAttrs, CharAttrLength, CHAR_ATTR_LENGTH_ERROR, CHAR_ATTRS_ERROR),
    };
    outcome!(pCompCode, pReason).of(|| objects::set(Hconn, Hobj, attributes));
}

/// Asks what became of puts without an answer, or of a reconnection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQSTAT(
    Hconn: MQHCONN,
    Type: MQLONG,
    pStatus: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| objects::stat(Hconn, Type, at!(pStatus)));
}

/// Subscribes to a topic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQSUB(
    Hconn: MQHCONN,
    pSubDesc: PMQVOID,
    pHobj: PMQHOBJ,
    pHsub: PMQHOBJ,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason)
        .of(|| subscriptions::subscribe(Hconn, at!(pSubDesc), at!(pHobj), at!(pHsub)));
}

/// Asks for the publication that was retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQSUBRQ(
    Hconn: MQHCONN,
    Hsub: MQHOBJ,
    Action: MQLONG,
    pSubRqOpts: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| subscriptions::request(Hconn, Hsub, Action, at!(pSubRqOpts)));
}

/// Registers a function to be called with messages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCB(
    Hconn: MQHCONN,
    Operation: MQLONG,
    pCallbackDesc: PMQVOID,
    Hobj: MQHOBJ,
    pMsgDesc: PMQVOID,
    pGetMsgOpts: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let asked = ToRegister {
        operation: Operation,
        description: at!(pCallbackDesc),
        handle: Hobj,
        descriptor: at!(pMsgDesc),
        options: at!(pGetMsgOpts),
    };
    outcome!(pCompCode, pReason).of(|| consumers::callback(Hconn, asked));
}

/// Begins and ends the calling of functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCTL(
    Hconn: MQHCONN,
    Operation: MQLONG,
    pControlOpts: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| consumers::control(Hconn, Operation, at!(pControlOpts)));
}

/// Makes a message handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQCRTMH(
    Hconn: MQHCONN,
    pCrtMsgHOpts: PMQVOID,
    pHmsg: PMQHMSG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| message_handles::create(Hconn, at!(pCrtMsgHOpts), at!(pHmsg)));
}

/// Deletes a message handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQDLTMH(
    Hconn: MQHCONN,
    pHmsg: PMQHMSG,
    pDltMsgHOpts: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason).of(|| message_handles::delete(Hconn, at!(pHmsg), at!(pDltMsgHOpts)));
}

/// Sets a property.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQSETMP(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    pSetPropOpts: PMQVOID,
    pName: PMQVOID,
    pPropDesc: PMQVOID,
    Type: MQLONG,
    ValueLength: MQLONG,
    pValue: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let is_terminated = Type == constants::MQTYPE_STRING && ValueLength == constants::MQVL_NULL_TERMINATED;
    // SAFETY: as promised by the program (see the module).
    let text = if is_terminated { unsafe { terminated(pValue.cast()) } } else { None };
    let length = text.map_or(ValueLength, |text| messages::length(text.len()));
    let asked = ToSet {
        options: at!(pSetPropOpts),
        name: at!(pName),
        descriptor: at!(pPropDesc),
        kind: Type,
        length,
        value: buffer!(Buffer, pValue, length, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
    };
    outcome!(pCompCode, pReason).of(|| message_handles::set(Hconn, Hmsg, asked));
}

/// Asks for a property.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQINQMP(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    pInqPropOpts: PMQVOID,
    pName: PMQVOID,
    pPropDesc: PMQVOID,
    pType: PMQLONG,
    ValueLength: MQLONG,
    pValue: PMQVOID,
    pDataLength: PMQLONG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let asked = ToInquire {
        options: at!(pInqPropOpts),
        name: at!(pName),
        descriptor: at!(pPropDesc),
        kind: at!(pType),
        value: buffer!(Buffer, pValue, ValueLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
        data_length: at!(pDataLength),
    };
    outcome!(pCompCode, pReason).of(|| message_handles::inquire(Hconn, Hmsg, asked));
}

/// Deletes a property.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQDLTMP(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    pDltPropOpts: PMQVOID,
    pName: PMQVOID,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    outcome!(pCompCode, pReason)
        .of(|| message_handles::delete_property(Hconn, Hmsg, at!(pDltPropOpts), at!(pName)));
}

/// Takes the properties of a message into a message handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQBUFMH(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    pBufMsgHOpts: PMQVOID,
    pMsgDesc: PMQVOID,
    BufferLength: MQLONG,
    pBuffer: PMQVOID,
    pDataLength: PMQLONG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let message = Message {
        descriptor: at!(pMsgDesc),
        buffer: buffer!(Buffer, pBuffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
        data_length: at!(pDataLength),
    };
    outcome!(pCompCode, pReason).of(|| message_handles::from_buffer(Hconn, Hmsg, at!(pBufMsgHOpts), message));
}

/// Writes the properties of a message handle as a header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQMHBUF(
    Hconn: MQHCONN,
    Hmsg: MQHMSG,
    pMsgHBufOpts: PMQVOID,
    pName: PMQVOID,
    pMsgDesc: PMQVOID,
    BufferLength: MQLONG,
    pBuffer: PMQVOID,
    pDataLength: PMQLONG,
    pCompCode: PMQLONG,
    pReason: PMQLONG,
) {
    let message = Message {
        descriptor: at!(pMsgDesc),
        buffer: buffer!(Buffer, pBuffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
        data_length: at!(pDataLength),
    };
    outcome!(pCompCode, pReason)
        .of(|| message_handles::to_buffer(Hconn, Hmsg, at!(pMsgHBufOpts), at!(pName), message));
}

/// Converts characters from one set to another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MQXCNVC(
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
) {
    let asked = ToConvert {
        options: Options,
        source_set: SourceCCSID,
        source: buffer!(Source, SourceBuffer, SourceLength, SOURCE_LENGTH_ERROR, SOURCE_BUFFER_ERROR),
        target_set: TargetCCSID,
        target: buffer!(Buffer, TargetBuffer, TargetLength, TARGET_LENGTH_ERROR, TARGET_BUFFER_ERROR),
        data_length: at!(DataLength),
    };
    outcome!(CompCode, Reason).of(|| convert(Hconn, asked));
}
