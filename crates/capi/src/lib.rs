//! The message queue interface in C.
//!
//! Lives here: the structures as C programs lay them out ([`layout`]), the functions they call ([`calls`]),
//! their connections by handle (`connections`), bags of parameters (`bags`), switches of transaction managers
//! ([`xa`]), what they may say about where to connect ([`places`]) and how that is done (`opening`); the
//! headers those programs are compiled with are beside the sources, in `include`.
//!
//! Lives elsewhere: what the calls do (`client`, and `server` for a queue manager in the program's own
//! process), consumers (`callbacks`), the vocabulary (`mqi`), the tables that layouts and headers are made
//! from (`crates/mqi/facts`).
//!
//! Always: the program's memory is touched in `memory` alone, and never behind the version or length that the
//! program states; no panic crosses to the program.
//!
//! C programs include `cmqc.h` and link with `libmqm_r`; `examples/c` has some. The same calls from Rust:
//!
//! ```
//! use std::ptr::from_mut;
//!
//! use capi::calls::exported::{MQCONNX, MQDISC, MQPUT1};
//! use capi::layout::{MQCD, MQCNO, MQMD, MQOD, MQPMO};
//! use mqi::constants::{MQCC_OK, MQCNO_CLIENT_BINDING, MQCNO_VERSION_2, MQPMO_NO_SYNCPOINT, MQRC_NONE};
//!
//! /// A text as structures have it: filled up with zeros.
//! fn text<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
//!     let mut field = [0; LENGTH];
//!     field[..text.len()].copy_from_slice(text.as_bytes());
//!     field
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let data = server::DataDirectory::at(folder.path());
//! # let name = "QM1".parse()?;
//! # server::instances::create(&data, &name, Some("[log]\nextent_size = \"1 MiB\"\n"))?;
//! # let addresses = Some(vec!["127.0.0.1:0".parse()?]);
//! # let options = server::Options { addresses, ..server::Options::new(data, name) };
//! # let server = server::Server::start(&options)?;
//! # let address = server.address().expect("it listens");
//! # let mut administrator = client::Connection::connect(client::Options::to(address.to_string().parse()?))?;
//! # assert!(!administrator.command("DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(APP) CHLTYPE(SVRCONN)")?.failed);
//! // The same as "localhost(1414)", on the port of this example's queue manager.
//! let place = format!("127.0.0.1({})", address.port());
//! let mut channel = MQCD {
//!     ChannelName: text("APP"),
//!     ConnectionName: text(&place),
//!     TransportType: mqi::constants::MQXPT_TCP,
//!     ..MQCD::CLIENT_CONN_DEFAULT
//! };
//! let mut options = MQCNO {
//!     Version: MQCNO_VERSION_2,
//!     Options: MQCNO_CLIENT_BINDING,
//!     ClientConnPtr: from_mut(&mut channel).cast(),
//!     ..MQCNO::DEFAULT
//! };
//! let mut name = text::<48>("QM1");
//! let (mut connection, mut completion, mut reason) = (0, 0, 0);
//! // SAFETY: every pointer leads to a variable of its type that outlives the call.
//! unsafe {
//!     MQCONNX(name.as_mut_ptr(), &mut options, &mut connection, &mut completion, &mut reason);
//! }
//! assert_eq!((completion, reason), (MQCC_OK, MQRC_NONE));
//!
//! let mut queue = MQOD { ObjectName: text("ORDERS"), ..MQOD::DEFAULT };
//! let mut descriptor = MQMD::DEFAULT;
//! let mut how = MQPMO { Options: MQPMO_NO_SYNCPOINT, ..MQPMO::DEFAULT };
//! let mut body = *b"an order";
//! // SAFETY: as before; the length is that of the body.
//! unsafe {
//!     MQPUT1(
//!         connection,
//!         from_mut(&mut queue).cast(),
//!         from_mut(&mut descriptor).cast(),
//!         from_mut(&mut how).cast(),
//!         body.len() as i32,
//!         body.as_mut_ptr().cast(),
//!         &mut completion,
//!         &mut reason,
//!     );
//! }
//! assert_eq!((completion, reason), (MQCC_OK, MQRC_NONE));
//! assert_ne!(descriptor.MsgId, [0; 24]);
//! // SAFETY: as before.
//! unsafe { MQDISC(&mut connection, &mut completion, &mut reason) };
//! assert_eq!((completion, reason), (MQCC_OK, MQRC_NONE));
//! # Ok(())
//! # }
//! ```

mod bags;
mod boundary;
pub mod calls;
mod connections;
pub mod layout;
mod memory;
mod opening;
pub mod places;
mod process;
mod translate;
pub mod xa;
