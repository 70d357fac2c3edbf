//! Attaches: a terminus as an object or a subscription of the interface.
//!
//! Always: an attach is answered when its gate opens; a link has its handles from then on.

use amqp::engine::Role;
use amqp::outcome::DeliveryState;
use amqp::terminus::{Source, Target, TargetEnd};
use amqp::types::{Raw, Symbols};
use amqp::{Attach, Fault, Scope};
use formats::properties::amqp::branch_calls::BRANCHES_ADDRESS;
use mqi::{
    ObjectDescriptor, ObjectName, OpenOptions, Reason, SubscribeOptions, Subscribed, SubscriptionDescriptor,
    Text,
};
use queue_manager::{Begun, Connection, Gated, LinkSubscription, LinkTerms, Outcome, Rest};

use super::AmqpConnection;
use super::address::{Names, made_by, model_for, own_name, subscription_name, target as target_object};
use super::attachment::{At, Attachment};
use super::filters::Filters;
use super::link::{Kind, Link, ReceivingLink, SendingLink, Takes};
use super::owner::{LinkId, Owner};
use super::pending::Pending;
use super::subscription_life::SubscriptionLife;
use crate::agent::{Close, Ticket};

/// The beginning of topic strings that are made for links.
const TEMPORARY: &str = "$TEMP/";

/// The terms of a durable subscription that is found by its name and has kept none.
const FOUND: LinkTerms = LinkTerms { durability: 2, lapse: None };

/// A terminus that is understood.
enum Node {
    /// An object to open. A queue that is not there may be made from a model.
    Object { object: ObjectDescriptor, options: OpenOptions, model: Option<ObjectName>, whose: Whose },
    /// Topics to subscribe to.
    Subscription { wanted: SubscriptionDescriptor, of_link: LinkSubscription, lasting: SubscriptionLife },
    /// A topic string that is made for the link, to publish to or to subscribe to.
    TemporaryTopic { subscribes: bool },
    /// Messages say themselves where they go.
    Relay,
    /// Transactions.
    Coordinator,
    /// Branches of transactions that others coordinate.
    Branches,
}

/// Says whose temporary queues a node may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Anybody's, or one that is made for the node.
    Any,
    /// Nobody's: those of other connections are theirs to receive from.
    Nobodys,
}

/// A terminus that is understood, or the reason for which it is refused before anything is opened.
type Understood = Result<Node, Reason>;

/// The parts of a source that hold for its link.
#[derive(Default)]
struct SourceTerms {
    browses: bool,
    filters: Filters,
}

impl AmqpConnection {
    pub(super) fn attach(&mut self, channel: u16, attach: &Attach<'_>) -> Result<(), Close> {
        let id = LinkId(self.next_link.0);
        self.next_link = LinkId(id.0.wrapping_add(1));
        let owner = Owner { id, channel, handle: attach.handle };
        let role = if attach.is_receiver { Role::Sender } else { Role::Receiver };
        let names = Names::of(&self.queue_manager);
        let understood = match role {
            Role::Sender => self.source_of(attach, &names),
            Role::Receiver => self.target_of(attach, &names).map(|node| (node, SourceTerms::default())),
        };
        let looked_up = names.need();
        let (node, terms) = match understood {
            Ok(understood) => understood,
            Err(fault) => return self.end_by(Fault { scope: Scope::Session(channel), ..fault }),
        };
        let is_settled = role == Role::Sender && (attach.snd_settle_mode == 1 || terms.browses);
        let message_bytes_max = self.engine.limits().message_bytes_max;
        let attachment = Attachment::new(attach, role, is_settled, &terms.filters, message_bytes_max);
        self.attachments.insert(id, attachment);
        let takes = match &node {
            Ok(Node::Relay) => Takes::ByAddress,
            Ok(Node::Coordinator) => Takes::Requests,
            Ok(Node::Branches) => Takes::BranchCalls,
            _ => Takes::ForHandle,
        };
        let kind = match role {
            Role::Sender => Kind::Sending(SendingLink::new(owner, terms.browses, is_settled)),
            Role::Receiver => Kind::Receiving(ReceivingLink::of(takes)),
        };
        self.links.insert(id, Link::new(owner, kind));
        let answer = match self.connected(channel) {
            Ok(session) => {
                session.links.insert(attach.handle, id);
                let need = session.need.max(looked_up);
                match (node, &mut session.connection) {
                    (Ok(node), Some(verbs)) => match carry_out(verbs, id, node) {
                        Carried::Done(outcome) => outcome.and_needs(need),
                        Carried::Reads(rest, lasting) => {
                            // It is answered when a job has read what is retained.
                            let ticket = Ticket::of_link(id.0, need);
                            let inbox = std::sync::Arc::clone(&self.inbox);
                            self.queue_manager.leave(move |manager| {
                                let outcome = rest.finish(manager).and_needs(need);
                                let attached = outcome.beside(lasting).map(at_subscription);
                                inbox.answer(ticket, attached.map(Pending::Attached));
                            });
                            return Ok(());
                        }
                    },
                    (Err(reason), _) => Gated::new(need, Err(reason)),
                    (Ok(_), None) => Gated::new(need, Err(Reason::Q_MGR_NOT_AVAILABLE)),
                }
            }
            Err(reason) => reason.and_needs(looked_up).map(Err),
        };
        if let Some(link) = self.links.get_mut(&id) {
            link.replies.push(answer.map(Pending::Attached));
        }
        self.list(id);
        Ok(())
    }

    /// The queue or the topics that messages of a source come from.
    fn source_of(&self, attach: &Attach<'_>, names: &Names<'_>) -> Result<(Understood, SourceTerms), Fault> {
        let desires = |kind| attach.desired_capabilities.is_some_and(|said| said.contains(kind));
        let Some(source) = attach.source else {
            // A subscription that is known by its name.
            let is_global = desires("global");
            let is_shared = desires("shared") || attach.name.ends_with("|global");
            let name = self.subscription_name(own_name(attach.name, is_shared), is_global, true);
            let options = SubscribeOptions::RESUME | SubscribeOptions::FAIL_IF_QUIESCING;
            let wanted = SubscriptionDescriptor { options, name, ..SubscriptionDescriptor::default() };
            let of_link = LinkSubscription { is_shared: desires("shared"), ..LinkSubscription::default() };
            // How long it lasts is known once it is found.
            let lasting = SubscriptionLife::Kept(FOUND);
            return Ok((Ok(Node::Subscription { wanted, of_link, lasting }), SourceTerms::default()));
        };
        let source = Source::decode(source.0)?;
        let is = |kind| source.capabilities.is_some_and(|said| said.contains(kind));
        if !source.default_outcome.is_none_or(is_outcome) {
            return Ok((Err(Reason::OPTIONS_ERROR), SourceTerms::default()));
        }
        let filters = Filters::of(source.filter);
        let copies = source.distribution_mode.is_some_and(|mode| mode.0 == "copy");
        let selection_string = filters.selector.clone();
        let terms = SourceTerms { browses: false, filters };
        if source.dynamic {
            let options = OpenOptions::INPUT_AS_Q_DEF;
            return Ok((self.dynamic(source.capabilities, options, true), terms));
        }
        let Some(address) = source.address else { return Ok((Err(Reason::UNKNOWN_OBJECT_NAME), terms)) };
        let object = match names.object_of(address, source.capabilities) {
            Ok(object) => object,
            Err(reason) => return Ok((Err(reason), terms)),
        };
        if object.object_type == mqi::ObjectType::Topic {
            let lasting = match SubscriptionLife::of(&source) {
                Ok(lasting) => lasting,
                Err(reason) => return Ok((Err(reason), terms)),
            };
            let is_durable = lasting != SubscriptionLife::WithLink;
            let is_temporary = is("temporary-topic") || object.object_string.starts_with(TEMPORARY);
            if is_durable && is_temporary {
                return Ok((Err(Reason::DURABILITY_NOT_ALLOWED), terms));
            }
            if object.object_string.starts_with(TEMPORARY) && !self.has_made_topic(&object.object_string) {
                return Ok((Err(Reason::OPTION_NOT_VALID_FOR_TYPE), terms));
            }
            let is_shared = is("shared");
            let kept = if is_durable {
                SubscribeOptions::DURABLE | SubscribeOptions::RESUME
            } else {
                SubscribeOptions::EMPTY
            };
            let resumed = if is_shared { SubscribeOptions::RESUME } else { SubscribeOptions::EMPTY };
            let made =
                SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::FAIL_IF_QUIESCING;
            let name = match is_durable || is_shared {
                true => self.subscription_name(own_name(attach.name, is_shared), is("global"), is_durable),
                false => String::new(),
            };
            let wanted = SubscriptionDescriptor {
                options: made | kept | resumed,
                name,
                object_string: object.object_string,
                selection_string,
                ..SubscriptionDescriptor::default()
            };
            let of_link = LinkSubscription {
                is_shared,
                excludes_own: terms.filters.excludes_own,
                begins_anew: is_durable,
                terms: lasting.terms(),
            };
            return Ok((Ok(Node::Subscription { wanted, of_link, lasting }), terms));
        }
        // Of a topic each subscriber has copies by itself, and takes them.
        let terms = SourceTerms { browses: copies, ..terms };
        let model = model_for(self.terms.as_ref(), &object);
        let whose = if self.has_made_queue(&object.object_name) { Whose::Any } else { Whose::Nobodys };
        let input = if copies { OpenOptions::BROWSE } else { OpenOptions::INPUT_AS_Q_DEF };
        let options = input | OpenOptions::FAIL_IF_QUIESCING;
        Ok((
            Ok(Node::Object {
                object: ObjectDescriptor { selection_string, ..object },
                options,
                model,
                whose,
            }),
            terms,
        ))
    }

    /// The object that messages for a target go to.
    fn target_of(&self, attach: &Attach<'_>, names: &Names<'_>) -> Result<Understood, Fault> {
        let Some(target) = attach.target else { return Ok(Err(Reason::UNKNOWN_OBJECT_NAME)) };
        let target = match TargetEnd::decode(target.0)? {
            TargetEnd::Node(target) => target,
            TargetEnd::Coordinator(_) => return Ok(Ok(Node::Coordinator)),
        };
        let options = OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING;
        let Target { address, dynamic, capabilities, .. } = target;
        Ok(match (address, dynamic) {
            (_, true) => self.dynamic(capabilities, OpenOptions::OUTPUT, false),
            (None, false) => Ok(Node::Relay),
            (Some(BRANCHES_ADDRESS), false) => Ok(Node::Branches),
            (Some(address), false) => {
                names.object_of(address, capabilities).and_then(target_object).map(|object| {
                    let model = model_for(self.terms.as_ref(), &object);
                    Node::Object { object, options, model, whose: Whose::Any }
                })
            }
        })
    }

    /// Says whether a session of this connection made a temporary queue.
    fn has_made_queue(&self, queue: &ObjectName) -> bool {
        self.connections().any(|verbs| verbs.has_made(queue))
    }

    /// The same of a topic string.
    fn has_made_topic(&self, topic: &str) -> bool {
        self.connections().any(|verbs| topic.starts_with(&temporary_topics(verbs)))
    }

    fn connections(&self) -> impl Iterator<Item = &Connection> {
        self.sessions.values().filter_map(|session| session.connection.as_ref())
    }

    /// Makes a node for a link: a temporary queue, or a topic string of its own.
    fn dynamic(
        &self,
        capabilities: Option<Symbols<'_>>,
        options: OpenOptions,
        subscribes: bool,
    ) -> Understood {
        let options = options | OpenOptions::FAIL_IF_QUIESCING;
        let model = None;
        if capabilities.is_some_and(|said| said.contains("temporary-topic") || said.contains("topic")) {
            return Ok(Node::TemporaryTopic { subscribes });
        }
        let terms = self.terms.as_ref().ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
        let prefix = match terms.temporary_prefix.as_str() {
            "" => "AMQP.*",
            prefix => prefix,
        };
        let dynamic_queue_name = Text::truncated(prefix);
        let object =
            ObjectDescriptor { dynamic_queue_name, ..ObjectDescriptor::queue(terms.temporary_model) };
        Ok(Node::Object { object, options, model, whose: Whose::Any })
    }

    fn subscription_name(&self, link: &str, is_global: bool, is_durable: bool) -> String {
        let manager = self.queue_manager.name().to_string();
        let client = if is_global { "" } else { &self.container };
        subscription_name(&manager, client, link, is_durable)
    }
}

/// An attach that is carried out, or reads from the disk first.
enum Carried {
    Done(Outcome<At>),
    Reads(Rest<Subscribed>, SubscriptionLife),
}

/// Says whether the state of a delivery is an outcome, which ends it.
fn is_outcome(state: Raw<'_>) -> bool {
    use DeliveryState::{Accepted, Modified, Rejected, Released};
    matches!(DeliveryState::decode(state.0), Ok(Accepted | Rejected(_) | Released | Modified(_)))
}

/// Opens or subscribes for a link.
fn carry_out(verbs: &mut Connection, id: LinkId, node: Node) -> Carried {
    let temporary = |verbs: &Connection| format!("{}{}", temporary_topics(verbs), id.0);
    let fail = SubscribeOptions::FAIL_IF_QUIESCING;
    match node {
        Node::Relay | Node::Coordinator | Node::Branches => Carried::Done(Gated::free(Ok(At::Nothing))),
        Node::Subscription { wanted, of_link, lasting } => subscribed(verbs, &wanted, of_link, lasting),
        Node::TemporaryTopic { subscribes: true } => {
            let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | fail;
            let wanted = SubscriptionDescriptor::to(temporary(verbs), options);
            subscribed(verbs, &wanted, LinkSubscription::default(), SubscriptionLife::WithLink)
        }
        Node::TemporaryTopic { subscribes: false } => {
            let object = ObjectDescriptor::topic(temporary(verbs));
            let opened = verbs.open(&object, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING);
            Carried::Done(opened.map(|result| result.map(At::Object)))
        }
        Node::Object { object, options, model, whose } => {
            let opened = match whose {
                Whose::Any => verbs.open(&object, options),
                Whose::Nobodys => verbs.open_to_receive(&object, options),
            };
            let opened = made_where_absent(verbs, opened, &object, options, model);
            Carried::Done(opened.map(|result| result.map(At::Object)))
        }
    }
}

/// The beginning of topic strings that are made for links of a session.
fn temporary_topics(verbs: &Connection) -> String {
    format!("{TEMPORARY}{:X}/", verbs.identifier())
}

fn subscribed(
    verbs: &mut Connection,
    wanted: &SubscriptionDescriptor,
    of_link: LinkSubscription,
    lasting: SubscriptionLife,
) -> Carried {
    match verbs.begin_to_subscribe_for_link(wanted, None, of_link) {
        Begun::Done(outcome) => {
            let (need, kept) = LinkTerms::kept(verbs, &wanted.name);
            let lasting = kept.map_or(lasting, SubscriptionLife::Kept);
            Carried::Done(outcome.and_needs(need).beside(lasting).map(at_subscription))
        }
        Begun::Reads(rest) => Carried::Reads(rest, lasting),
    }
}

fn at_subscription(made: (Result<Subscribed, Reason>, SubscriptionLife)) -> Result<At, Reason> {
    let (made, lasting) = made;
    made.map(|made| At::Subscription(Box::new(made), lasting))
}

/// The queue as it was opened, or one that is made by a model where that failed.
fn made_where_absent(
    verbs: &mut Connection,
    opened: Outcome<mqi::Opened>,
    object: &ObjectDescriptor,
    options: OpenOptions,
    model: Option<ObjectName>,
) -> Outcome<mqi::Opened> {
    let need = opened.need();
    let refusal = match (opened.split(), model) {
        (Ok(opened), _) => return opened.map(Ok),
        (Err(refusal), None) => return refusal.map(Err),
        (Err(refusal), Some(_)) => refusal,
    };
    let by_model = made_by(model.unwrap_or(object.object_name), object);
    match verbs.open(&by_model, options).and_needs(need).split() {
        Ok(opened) => opened.map(Ok),
        // It was something else that failed.
        Err(_) => refusal.map(Err),
    }
}
