//! MQCONN, MQCONNX, MQDISC: what a program asks for when it connects.

use super::{security, tls_options};
use crate::boundary::{Done, warn_of};
use crate::connections::{self, Share};
use crate::layout::{MQBNO, MQCD, MQCNO, MQHCONN};
use crate::memory::{Pointer, Structure};
use crate::opening::{self, Asked};
use crate::places::ClientChannel;
use crate::places::choice::{OfProgram, Wanted};
use crate::places::definition::{self, DefinitionError};
use crate::translate::text;
use crate::xa;
use client::CompressionOffer;
use mqi::constants::{
    MQCNO_ALL_CONVS_SHARE, MQCNO_CLIENT_BINDING, MQCNO_FASTPATH_BINDING, MQCNO_ISOLATED_BINDING,
    MQCNO_LOCAL_BINDING, MQCNO_NO_CONV_SHARING, MQCNO_RECONNECT, MQCNO_RECONNECT_DISABLED,
    MQCNO_RECONNECT_Q_MGR, MQCNO_SHARED_BINDING, MQXPT_TCP,
};
use mqi::{AccountingChoice, Binding, Reason, Reconnect, Text, constants};

/// Options that say something of a queue manager on another system, or that ours has no use for; they change
/// nothing.
const WITHOUT_EFFECT: i32 = CHANNEL_USES | TRACES;

const CHANNEL_USES: i32 = constants::MQCNO_CD_FOR_OUTPUT_ONLY | constants::MQCNO_USE_CD_SELECTION;

const TRACES: i32 = constants::MQCNO_ACTIVITY_TRACE_ENABLED | constants::MQCNO_ACTIVITY_TRACE_DISABLED;

const BINDINGS: i32 = MQCNO_FASTPATH_BINDING
    | MQCNO_SHARED_BINDING
    | MQCNO_ISOLATED_BINDING
    | MQCNO_LOCAL_BINDING
    | MQCNO_CLIENT_BINDING;

const RECONNECTS: i32 = MQCNO_RECONNECT | MQCNO_RECONNECT_DISABLED | MQCNO_RECONNECT_Q_MGR;

const SOCKETS: i32 = MQCNO_NO_CONV_SHARING | MQCNO_ALL_CONVS_SHARE;

const ACCOUNTING: i32 = constants::MQCNO_ACCOUNTING_MQI_ENABLED
    | constants::MQCNO_ACCOUNTING_MQI_DISABLED
    | constants::MQCNO_ACCOUNTING_Q_ENABLED
    | constants::MQCNO_ACCOUNTING_Q_DISABLED;

const SHARES: i32 = constants::MQCNO_HANDLE_SHARE_NONE
    | constants::MQCNO_HANDLE_SHARE_BLOCK
    | constants::MQCNO_HANDLE_SHARE_NO_BLOCK;

/// MQCONN, and MQCONNX with its options. The handle is unusable when it is refused, and the one there is when
/// this thread is connected already.
pub(super) fn connect(
    name: Option<[u8; 48]>,
    options: Pointer<MQCNO>,
    connection: Pointer<MQHCONN>,
) -> Result<Done, Reason> {
    if connection.is_null() {
        return Err(Reason::HCONN_ERROR);
    }
    let connected = asked(name, options).and_then(|(asked, share)| {
        // A thread that works for a transaction manager has its connection already.
        if let Some(of_branches) = xa::connection_of(&asked.wanted.name) {
            return of_branches.map(|handle| (handle, None));
        }
        let place = asked.place();
        let present = (share == Share::None).then(|| connections::of_this_thread(&place)).flatten();
        match present {
            Some(present) => Ok((present, Some(Reason::ALREADY_CONNECTED))),
            None => Ok((connections::add(opening::open(&asked)?, share, place)?, None)),
        }
    });
    connection.write(connected.map_or(constants::MQHC_UNUSABLE_HCONN, |(handle, _)| handle));
    connected.map(|(_, warning)| warning)
}

/// MQDISC. The handle is unusable from then on; a unit of work that was backed out is a warning.
pub(super) fn disconnect(connection: Pointer<MQHCONN>) -> Result<Done, Reason> {
    let number = connection.read().ok_or(Reason::HCONN_ERROR)?;
    let outcome = xa::leave(number).unwrap_or_else(|| connections::disconnect(number));
    if !matches!(outcome, Err(Reason::HCONN_ERROR | Reason::CALL_IN_PROGRESS)) {
        connection.write(constants::MQHC_UNUSABLE_HCONN);
    }
    warn_of(&[Reason::BACKED_OUT, Reason::OUTCOME_PENDING], outcome, |()| None)
}

/// Reads the request of a program, and the threads that may use the handle.
fn asked(name: Option<[u8; 48]>, options: Pointer<MQCNO>) -> Result<(Asked, Share), Reason> {
    let program = Structure::read_or(options, MQCNO::DEFAULT, Reason::CNO_ERROR)?;
    let name = name.unwrap_or([b' '; 48]);
    let name = std::str::from_utf8(&name).map_err(|_| Reason::Q_MGR_NAME_ERROR)?;
    let flags = program.Options;
    let known = BINDINGS | RECONNECTS | SOCKETS | ACCOUNTING | SHARES | WITHOUT_EFFECT;
    let contradicts = [SOCKETS, CHANNEL_USES, TRACES].iter().any(|both| flags & both == *both);
    if flags & !known != 0 || contradicts {
        return Err(Reason::OPTIONS_ERROR);
    }
    let binding = match flags & BINDINGS {
        0 => Binding::Default,
        MQCNO_FASTPATH_BINDING => Binding::Fastpath,
        MQCNO_CLIENT_BINDING => Binding::Client,
        MQCNO_SHARED_BINDING | MQCNO_ISOLATED_BINDING | MQCNO_LOCAL_BINDING => Binding::Standard,
        _ => return Err(Reason::OPTIONS_ERROR),
    };
    let reconnect = match flags & RECONNECTS {
        0 => Reconnect::AsDefault,
        MQCNO_RECONNECT => Reconnect::AnyQueueManager,
        MQCNO_RECONNECT_DISABLED => Reconnect::Disabled,
        MQCNO_RECONNECT_Q_MGR => Reconnect::SameQueueManager,
        _ => return Err(Reason::OPTIONS_ERROR),
    };
    let asked = Asked {
        wanted: Wanted::read(name),
        binding,
        reconnect,
        application: Text::<28>::from_padded(&program.ApplName).as_str().to_owned(),
        identity: security::identity(&program)?,
        accounting: AccountingChoice::of_options(flags)?,
        shares_socket: flags & MQCNO_NO_CONV_SHARING == 0,
        of_program: match binding {
            Binding::Standard | Binding::Fastpath => Ok(OfProgram::default()),
            Binding::Client | Binding::Default => of_client(&program),
        },
    };
    Ok((asked, Share::of_options(flags)?))
}

/// The fields of MQCNO that count for clients alone.
fn of_client(program: &Structure<MQCNO>) -> Result<OfProgram, Reason> {
    let balance = program.other(program.BalanceParmsPtr, program.BalanceParmsOffset);
    if !balance.is_null() {
        // Connections are never moved to balance load, but a wrong structure is refused.
        Structure::read(balance, MQBNO::DEFAULT, Reason::BNO_ERROR)?;
    }
    Ok(OfProgram {
        channel: channel(program)?,
        table_url: table_url(program)?,
        security: tls_options::read(program)?,
    })
}

/// The channel of MQCD.
fn channel(program: &Structure<MQCNO>) -> Result<Option<Result<ClientChannel, DefinitionError>>, Reason> {
    if !program.ClientConnPtr.is_null() && program.ClientConnOffset != 0 {
        return Err(Reason::CLIENT_CONN_ERROR);
    }
    let pointer = program.other(program.ClientConnPtr.cast::<MQCD>(), program.ClientConnOffset);
    if pointer.is_null() {
        return Ok(None);
    }
    let channel = Structure::read(pointer, MQCD::CLIENT_CONN_DEFAULT, Reason::CD_ERROR)?;
    if channel.ChannelType != constants::MQCHT_CLNTCONN || channel.TransportType != MQXPT_TCP {
        return Err(Reason::CD_ERROR);
    }
    let list = text::padded(&channel.ConnectionName);
    let list = if list.is_empty() { text::padded(&channel.ShortConnectionName) } else { list };
    let name = text::padded(&channel.ChannelName);
    let addresses = match definition::addresses(&list) {
        Ok(addresses) => addresses,
        Err(error) => return Ok(Some(Err(DefinitionError::Address { channel: name, error }))),
    };
    let reconnect = match channel.DefReconnect {
        constants::MQRCN_YES => Reconnect::AnyQueueManager,
        constants::MQRCN_Q_MGR => Reconnect::SameQueueManager,
        constants::MQRCN_DISABLED => Reconnect::Disabled,
        _ => Reconnect::AsDefault,
    };
    Ok(Some(Ok(ClientChannel {
        compression: CompressionOffer::of_attributes(&channel.MsgCompList, &channel.HdrCompList, true),
        reconnect,
        message_bytes_max: u32::try_from(channel.MaxMsgLength).ok().filter(|most| *most > 0),
        heartbeat_seconds: u32::try_from(channel.HeartbeatInterval).ok(),
        cipher: text::padded(&channel.SSLCipherSpec),
        peer: tls_options::peer(&channel)?,
        label: text::padded(&channel.CertificateLabel),
        ..ClientChannel::to(name, addresses)
    })))
}

/// The address of the table that MQCNO names.
fn table_url(program: &Structure<MQCNO>) -> Result<Option<String>, Reason> {
    let error = Reason::CCDT_URL_ERROR;
    if !program.CCDTUrlPtr.is_null() && program.CCDTUrlOffset != 0 {
        return Err(error);
    }
    let url = program.bytes(program.CCDTUrlPtr, program.CCDTUrlOffset, program.CCDTUrlLength, error)?;
    let url = text::decode(&url, text::NATIVE_CCSID, error)?.trim().to_owned();
    Ok(Some(url).filter(|url| !url.is_empty()))
}
