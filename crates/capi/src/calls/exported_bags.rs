//! The functions that programs find by name, of the interface for administration (mq…).
//!
//! Always: as in `exported`: a parameter becomes a value that knows how far it reaches, and nothing else is
//! done here.
//!
//! # Safety
//! Of every function: each pointer is null or leads to what the interface says, of the length or version that
//! the program states, and stays so until the call ends.

#![allow(unsafe_code, reason = "parameters of C programs are taken")]
#![expect(non_snake_case, reason = "names are those of the interface")]
#![expect(clippy::missing_safety_doc, reason = "it is that of the module")]

use super::administration::{self, Descriptions, ToExecute};
use super::bags::{self, New, Room, Which};
use super::parameters::{at, buffer, bytes, outcome, text};
use crate::layout::{
    MQHBAG, MQHCONN, MQHOBJ, MQINT64, MQLONG, PMQBYTE, PMQCHAR, PMQHBAG, PMQINT64, PMQLONG, PMQVOID,
};
use crate::memory::terminated;

/// Makes a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqCreateBag(Options: MQLONG, Bag: PMQHBAG, CompCode: PMQLONG, Reason: PMQLONG) {
    outcome!(CompCode, Reason).of(|| bags::create(Options, at!(Bag)));
}

/// Deletes a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqDeleteBag(Bag: PMQHBAG, CompCode: PMQLONG, Reason: PMQLONG) {
    outcome!(CompCode, Reason).of(|| bags::delete(at!(Bag)));
}

/// Empties a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqClearBag(Bag: MQHBAG, CompCode: PMQLONG, Reason: PMQLONG) {
    outcome!(CompCode, Reason).of(|| bags::clear(Bag));
}

/// Takes out what stands behind so many items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqTruncateBag(Bag: MQHBAG, ItemCount: MQLONG, CompCode: PMQLONG, Reason: PMQLONG) {
    outcome!(CompCode, Reason).of(|| bags::truncate(Bag, ItemCount));
}

/// Takes out items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqDeleteItem(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::delete_item(Bag, Selector, ItemIndex));
}

/// Counts items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqCountItems(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemCount: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::count(Bag, Selector, at!(ItemCount)));
}

/// Puts a group into a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddBag(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemValue: MQHBAG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::nest(Bag, Selector, ItemValue));
}

/// Asks for an attribute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddInquiry(Bag: MQHBAG, Selector: MQLONG, CompCode: PMQLONG, Reason: PMQLONG) {
    outcome!(CompCode, Reason).of(|| bags::add_inquiry(Bag, Selector));
}

/// Adds a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddInteger(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemValue: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::add(Bag, Selector, New::Integer(ItemValue)));
}

/// Adds a number of 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddInteger64(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemValue: MQINT64,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::add(Bag, Selector, New::Integer64(ItemValue)));
}

/// Adds a condition on a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddIntegerFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemValue: MQLONG,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::add(Bag, Selector, New::IntegerFilter(Operator, ItemValue)));
}

/// Adds a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddString(
    Bag: MQHBAG,
    Selector: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::add(Bag, Selector, New::Text(text!(Buffer, BufferLength))));
}

/// Adds a condition on a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::add(Bag, Selector, New::TextFilter(Operator, text!(Buffer, BufferLength))));
}

/// Adds bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddByteString(
    Bag: MQHBAG,
    Selector: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::add(Bag, Selector, New::Bytes(bytes!(Buffer, BufferLength))));
}

/// Adds a condition on bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqAddByteStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::add(Bag, Selector, New::BytesFilter(Operator, bytes!(Buffer, BufferLength))));
}

/// Changes a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetInteger(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::set(Bag, Selector, ItemIndex, New::Integer(ItemValue)));
}

/// Changes a number of 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetInteger64(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: MQINT64,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| bags::set(Bag, Selector, ItemIndex, New::Integer64(ItemValue)));
}

/// Changes a condition on a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetIntegerFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: MQLONG,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::set(Bag, Selector, ItemIndex, New::IntegerFilter(Operator, ItemValue)));
}

/// Changes a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetString(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::set(Bag, Selector, ItemIndex, New::Text(text!(Buffer, BufferLength))));
}

/// Changes a condition on a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::set(Bag, Selector, ItemIndex, New::TextFilter(Operator, text!(Buffer, BufferLength))));
}

/// Changes bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetByteString(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::set(Bag, Selector, ItemIndex, New::Bytes(bytes!(Buffer, BufferLength))));
}

/// Changes a condition on bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqSetByteStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    Operator: MQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::set(Bag, Selector, ItemIndex, New::BytesFilter(Operator, bytes!(Buffer, BufferLength))));
}

/// Asks for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireInteger(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_integer(Which { bag: Bag, selector: Selector, index: ItemIndex }, at!(ItemValue))
    });
}

/// Asks for a number of 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireInteger64(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: PMQINT64,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_integer64(Which { bag: Bag, selector: Selector, index: ItemIndex }, at!(ItemValue))
    });
}

/// Asks for a condition on a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireIntegerFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: PMQLONG,
    Operator: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_integer_filter(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            at!(ItemValue),
            at!(Operator),
        )
    });
}

/// Asks for a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireString(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    StringLength: PMQLONG,
    CodedCharSetId: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_text(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            Room {
                buffer: buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
                length: at!(StringLength),
            },
            at!(CodedCharSetId),
        )
    });
}

/// Asks for a condition on a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    StringLength: PMQLONG,
    CodedCharSetId: PMQLONG,
    Operator: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_text_filter(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            Room {
                buffer: buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
                length: at!(StringLength),
            },
            at!(CodedCharSetId),
            at!(Operator),
        )
    });
}

/// Asks for bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireByteString(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    ByteStringLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_bytes(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            Room {
                buffer: buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
                length: at!(ByteStringLength),
            },
        )
    });
}

/// Asks for a condition on bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireByteStringFilter(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    BufferLength: MQLONG,
    Buffer: PMQBYTE,
    ByteStringLength: PMQLONG,
    Operator: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_bytes_filter(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            Room {
                buffer: buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
                length: at!(ByteStringLength),
            },
            at!(Operator),
        )
    });
}

/// Asks for a bag in a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireBag(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    ItemValue: PMQHBAG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason)
        .of(|| bags::inquire_bag(Which { bag: Bag, selector: Selector, index: ItemIndex }, at!(ItemValue)));
}

/// Asks what an item is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqInquireItemInfo(
    Bag: MQHBAG,
    Selector: MQLONG,
    ItemIndex: MQLONG,
    OutSelector: PMQLONG,
    ItemType: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::inquire_item(
            Which { bag: Bag, selector: Selector, index: ItemIndex },
            at!(OutSelector),
            at!(ItemType),
        )
    });
}

/// Makes a message of a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqBagToBuffer(
    OptionsBag: MQHBAG,
    DataBag: MQHBAG,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    DataLength: PMQLONG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::to_buffer(
            OptionsBag,
            DataBag,
            buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
            at!(DataLength),
        )
    });
}

/// Makes a bag of a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqBufferToBag(
    OptionsBag: MQHBAG,
    BufferLength: MQLONG,
    Buffer: PMQVOID,
    DataBag: MQHBAG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        bags::from_buffer(
            OptionsBag,
            buffer!(Source, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR),
            DataBag,
        )
    });
}

/// Puts a bag as a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqPutBag(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    MsgDesc: PMQVOID,
    PutMsgOpts: PMQVOID,
    Bag: MQHBAG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        administration::put(
            Hconn,
            Hobj,
            Descriptions { descriptor: at!(MsgDesc), options: at!(PutMsgOpts) },
            Bag,
        )
    });
}

/// Gets a message as a bag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqGetBag(
    Hconn: MQHCONN,
    Hobj: MQHOBJ,
    MsgDesc: PMQVOID,
    GetMsgOpts: PMQVOID,
    Bag: MQHBAG,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        administration::get(
            Hconn,
            Hobj,
            Descriptions { descriptor: at!(MsgDesc), options: at!(GetMsgOpts) },
            Bag,
        )
    });
}

/// Executes a command and gathers the answers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqExecute(
    Hconn: MQHCONN,
    Command: MQLONG,
    OptionsBag: MQHBAG,
    AdminBag: MQHBAG,
    ResponseBag: MQHBAG,
    AdminQ: MQHOBJ,
    ResponseQ: MQHOBJ,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    outcome!(CompCode, Reason).of(|| {
        administration::execute(
            Hconn,
            ToExecute {
                command: Command,
                options: OptionsBag,
                parameters: AdminBag,
                replies: ResponseBag,
                commands_queue: AdminQ,
                reply_queue: ResponseQ,
            },
        )
    });
}

/// Copies a text that ends with a NUL, and blanks behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqPad(
    String: PMQCHAR,
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    // SAFETY: as promised by the program (see the module).
    let text = unsafe { terminated(String.cast()) };
    let room = buffer!(Buffer, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR);
    outcome!(CompCode, Reason).of(|| bags::pad(text, room));
}

/// Copies a text without the blanks behind it, and a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mqTrim(
    BufferLength: MQLONG,
    Buffer: PMQCHAR,
    String: PMQCHAR,
    CompCode: PMQLONG,
    Reason: PMQLONG,
) {
    let padded = buffer!(Source, Buffer, BufferLength, BUFFER_LENGTH_ERROR, BUFFER_ERROR);
    // The program has room for a NUL behind as many characters.
    let room = buffer!(Buffer, String, BufferLength.saturating_add(1), BUFFER_LENGTH_ERROR, STRING_ERROR);
    outcome!(CompCode, Reason).of(|| bags::trim(padded, room));
}
