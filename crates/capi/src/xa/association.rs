//! The resource managers that a thread has open.
//!
//! Always: what a thread opened is of that thread and of this process: a fork's child has none of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_int;
use std::mem::ManuallyDrop;

use mqi::branch::{BRANCHES_LISTED_MAX, BranchId, BranchList, BranchRefusal, Branches};
use mqi::{AccountingChoice, Binding, CloseOptions, ObjectHandle, Reason, Reconnect, Verbs};

use super::dynamic::{Dynamic, Registered};
use super::string::Opening;
use crate::connections::{self, Share};
use crate::layout::{MQHCONN, MQHOBJ};
use crate::opening::{self, Asked};
use crate::places::choice::{OfProgram, Wanted};
use crate::places::log;
use crate::process;

/// A resource manager that is open.
struct Resource {
    generation: usize,
    queue_manager: String,
    connection: MQHCONN,
    /// Objects that the program opened through the handle and has not closed.
    objects: Vec<MQHOBJ>,
    /// True while a branch is associated.
    is_within: bool,
    /// True once a call was answered that the connection is lost.
    is_lost: bool,
    /// The functions of a transaction manager that is told of work.
    dynamic: Option<Dynamic>,
    /// True while a unit of work is open that the transaction manager said is of no branch.
    is_outside: bool,
    /// The list that a recovery reads, while it does.
    scan: Option<Scan>,
}

/// A list of branches in the course of a recovery.
#[derive(Default)]
struct Scan {
    found: VecDeque<BranchId>,
    after: Option<BranchId>,
    is_whole: bool,
}

thread_local! {
    /// Never dropped: a cleaner of the program's (`pthread_key_create`) closes them behind the end of the
    /// thread.
    static OPEN: RefCell<ManuallyDrop<BTreeMap<c_int, Resource>>> =
        const { RefCell::new(ManuallyDrop::new(BTreeMap::new())) };
}

/// Acts on the resource managers of this thread in this process. Most threads have none, and every put and
/// get in syncpoint asks.
fn with_open<T>(act: impl FnOnce(&mut BTreeMap<c_int, Resource>) -> T) -> T {
    OPEN.with_borrow_mut(|open| {
        if !open.is_empty() {
            let generation = process::generation();
            open.retain(|_, resource| resource.generation == generation);
        }
        act(open)
    })
}

/// Changes one, if it is open.
fn change(number: c_int, act: impl FnOnce(&mut Resource)) {
    with_open(|open| {
        if let Some(resource) = open.get_mut(&number) {
            act(resource);
        }
    });
}

/// Acts on the one that a handle is of; none for a handle of no resource manager.
fn with_handle<T>(connection: MQHCONN, act: impl FnOnce(c_int, &mut Resource) -> Option<T>) -> Option<T> {
    with_open(|open| {
        let (number, resource) = open.iter_mut().find(|(_, resource)| resource.connection == connection)?;
        act(*number, resource)
    })
}

/// Acts on one that is open.
fn with_resource<T>(
    number: c_int,
    act: impl FnOnce(&mut Resource) -> Result<T, BranchRefusal>,
) -> Result<T, BranchRefusal> {
    with_open(|open| open.get_mut(&number).map_or(Err(BranchRefusal::Protocol), act))
}

/// Opens a resource manager for this thread. One that is open stays as it is, unless it is known to be lost.
pub(super) fn open(number: c_int, opening: &Opening, dynamic: Option<Dynamic>) -> Result<(), BranchRefusal> {
    match with_open(|open| open.get(&number).map(|resource| resource.is_lost)) {
        Some(false) => return Ok(()),
        Some(true) => close(number)?,
        None => {}
    }
    let failed = |words: &dyn std::fmt::Display| {
        log::note(&words.to_string());
        BranchRefusal::Failed
    };
    let channel = opening.client_channel().map_err(|error| failed(&error))?;
    let identity = opening.identity().map_err(|error| failed(&error))?;
    let asked = Asked {
        wanted: Wanted::read(&opening.queue_manager),
        binding: if channel.is_some() { Binding::Client } else { Binding::Default },
        reconnect: Reconnect::Disabled,
        application: String::new(),
        identity,
        accounting: AccountingChoice::default(),
        shares_socket: false,
        of_program: Ok(OfProgram { channel: channel.map(Ok), ..OfProgram::default() }),
    };
    let refused = |reason: Reason| {
        log::note(&format!("xa_open of queue manager {}: {reason}", opening.queue_manager));
        BranchRefusal::Failed
    };
    let mut reach = opening::open(&asked).map_err(refused)?;
    // A queue manager of an earlier release takes no part.
    reach.on_branches(&mut |_| {}).map_err(refused)?;
    // The place is its own, so that no MQCONN is given its handle as one of another.
    let place = format!("xa {number}");
    let connection = connections::add(reach, Share::None, place).map_err(refused)?;
    let resource = Resource {
        generation: process::generation(),
        queue_manager: opening.queue_manager.clone(),
        connection,
        objects: Vec::new(),
        is_within: false,
        is_lost: false,
        dynamic,
        is_outside: false,
        scan: None,
    };
    with_open(|open| open.insert(number, resource));
    Ok(())
}

/// Closes a resource manager of this thread.
pub(super) fn close(number: c_int) -> Result<(), BranchRefusal> {
    let closed = with_open(|open| match open.get(&number) {
        Some(resource) if resource.is_within => Err(BranchRefusal::Protocol),
        _ => Ok(open.remove(&number)),
    })?;
    if let Some(resource) = closed {
        // What it had was of branches, or was not committed: nothing is by now.
        let _ = connections::with(resource.connection, |verbs| verbs.back());
        let _ = connections::disconnect(resource.connection);
    }
    Ok(())
}

/// Makes a call on branches of a resource manager that is open.
pub(super) fn call<T>(
    number: c_int,
    mut call: impl FnMut(&mut dyn Branches) -> Result<T, BranchRefusal>,
) -> Result<T, BranchRefusal> {
    let connection = with_resource(number, |resource| Ok(resource.connection))?;
    let mut answer = Err(BranchRefusal::Lost);
    let called =
        connections::with(connection, |verbs| verbs.on_branches(&mut |branches| answer = call(branches)));
    let answer = match called {
        Ok(()) => answer,
        // A consumer has the connection, or it has gone.
        Err(Reason::CALL_IN_PROGRESS) => Err(BranchRefusal::Protocol),
        Err(_) => Err(BranchRefusal::Lost),
    };
    if matches!(answer, Err(BranchRefusal::Lost)) {
        note_lost(number);
    }
    answer
}

/// Notes that a connection is lost, and its association with it: nothing is left to end.
fn note_lost(number: c_int) {
    change(number, |resource| (resource.is_within, resource.is_lost) = (false, true));
}

/// Refuses to come to a branch, or to leave one, in a consumer of the connection: the messages that follow
/// would be of another unit of work than it began with.
pub(super) fn check_no_consumer(number: c_int) -> Result<(), BranchRefusal> {
    let connection = with_resource(number, |resource| Ok(resource.connection))?;
    if connections::is_called_by(connection) { Err(BranchRefusal::Protocol) } else { Ok(()) }
}

/// Notes if a branch is associated from now on.
pub(super) fn note_within(number: c_int, is_within: bool) {
    change(number, |resource| resource.is_within = is_within);
}

/// The next branches of a recovery, at most so many. The list stays open behind its end: a manager that was
/// given as many as it has room for must ask once more.
pub(super) fn recover(number: c_int, most: usize, begins: bool) -> Result<Vec<BranchId>, BranchRefusal> {
    let mut scan = with_resource(number, |resource| {
        if begins {
            resource.scan = None;
            return Ok(Scan::default());
        }
        resource.scan.take().ok_or(BranchRefusal::Invalid)
    })?;
    while scan.found.len() < most && !scan.is_whole {
        let list = BranchList { after: scan.after, most: BRANCHES_LISTED_MAX, ..BranchList::default() };
        let page = call(number, |branches| branches.list_branches(&list))?;
        scan.is_whole = page.len() < BRANCHES_LISTED_MAX as usize;
        scan.after = page.last().copied().or(scan.after);
        scan.found.extend(page);
    }
    let found = scan.found.drain(..most.min(scan.found.len())).collect();
    change(number, |resource| resource.scan = Some(scan));
    Ok(found)
}

/// Closes the list of a recovery.
pub(super) fn end_scan(number: c_int) {
    change(number, |resource| resource.scan = None);
}

/// The handle that MQCONN returns on a thread with an open resource manager: that of the queue manager it
/// names, or of the only one, without a name; none where no resource manager is open.
///
/// # Errors
/// `ANOTHER_Q_MGR_CONNECTED` for another name.
pub(crate) fn connection_of(name: &str) -> Option<Result<MQHCONN, Reason>> {
    with_open(|open| {
        let mut named = open.values().filter(|resource| name.is_empty() || resource.queue_manager == name);
        match named.next() {
            Some(resource) => Some(Ok(resource.connection)),
            None if open.is_empty() => None,
            None => Some(Err(Reason::ANOTHER_Q_MGR_CONNECTED)),
        }
    })
}

/// A put or get in syncpoint is about to be made: a transaction manager that is told of work is told, and
/// says in which branch it is.
///
/// # Errors
/// `UOW_ENLISTMENT_ERROR` where it refuses, or the branch cannot be begun.
pub(crate) fn enlist(connection: MQHCONN, verbs: &mut dyn Verbs) -> Result<(), Reason> {
    let waiting = with_handle(connection, |number, resource| {
        let is_known = resource.is_within || resource.is_outside;
        resource.dynamic.filter(|_| !is_known).map(|dynamic| (number, dynamic))
    });
    let Some((number, dynamic)) = waiting else { return Ok(()) };
    let registered = dynamic.register(number);
    match registered {
        Registered::Refused => return Err(Reason::UOW_ENLISTMENT_ERROR),
        Registered::Outside => {}
        Registered::In(branch, how) => {
            let mut started = Err(BranchRefusal::Lost);
            verbs.on_branches(&mut |branches| started = branches.start_branch(&branch, how))?;
            started.map_err(|refusal| {
                if refusal == BranchRefusal::Lost {
                    note_lost(number);
                }
                log::note(&format!("branch {branch} cannot be begun: {refusal}"));
                Reason::UOW_ENLISTMENT_ERROR
            })?;
        }
    }
    change(number, |resource| {
        resource.is_within = registered != Registered::Outside;
        resource.is_outside = !resource.is_within;
    });
    Ok(())
}

/// The unit of work of a connection has ended: a transaction manager that said it was of no branch is told.
pub(crate) fn has_ended(connection: MQHCONN) {
    let ended = with_handle(connection, |number, resource| {
        let was_outside = std::mem::take(&mut resource.is_outside);
        resource.dynamic.filter(|_| was_outside).map(|dynamic| (number, dynamic))
    });
    if let Some((number, dynamic)) = ended {
        dynamic.unregister(number);
    }
}

/// An object was opened through a handle.
pub(crate) fn opened(connection: MQHCONN, object: MQHOBJ) {
    with_handle(connection, |_, resource| {
        resource.objects.push(object);
        Some(())
    });
}

/// An object was closed.
pub(crate) fn closed(connection: MQHCONN, object: MQHOBJ) {
    with_handle(connection, |_, resource| {
        resource.objects.retain(|one| *one != object);
        Some(())
    });
}

/// True for the handle of a resource manager.
pub(crate) fn is_resource(connection: MQHCONN) -> bool {
    with_handle(connection, |_, _| Some(())).is_some()
}

/// MQDISC on the handle of a resource manager: the connection lives until `xa_close`, but what is the
/// program's own ends as elsewhere. Its unit of work outside branches is committed, and its objects are
/// closed. None for a handle of no resource manager.
pub(crate) fn leave(connection: MQHCONN) -> Option<Result<(), Reason>> {
    let (objects, is_within) = with_handle(connection, |_, resource| {
        Some((std::mem::take(&mut resource.objects), resource.is_within))
    })?;
    let committed = if is_within { Ok(()) } else { connections::with(connection, |verbs| verbs.commit()) };
    if !is_within && matches!(committed, Ok(()) | Err(Reason::BACKED_OUT)) {
        has_ended(connection);
    }
    for object in objects {
        let _ = connections::with(connection, |verbs| verbs.close(ObjectHandle(object), CloseOptions::EMPTY));
    }
    Some(committed)
}
