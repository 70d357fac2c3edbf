//! The requests that parts of the queue manager may make under any rules.

use mqi::Reason;
use security::{Asked, ObjectKind, Part, Use};

/// Judges a request of a part of the queue manager by the purpose of the part.
pub(super) fn judge(part: Part, asked: &Asked<'_>) -> Result<(), Reason> {
    let is_granted = match part {
        // Its users are judged by the commands that they send. The door judges where their answers go.
        Part::CommandServer => matches!(asked.used, Use::Connect | Use::Open(_) | Use::Put(_)),
        Part::ResourceMonitor => match asked.used {
            Use::Connect => true,
            Use::Put(_) => asked.object.kind == ObjectKind::Topic,
            _ => false,
        },
        Part::CommandExecution => matches!(asked.used, Use::Subscribe { .. }),
        Part::MessageChannel => match asked.used {
            Use::Connect => true,
            Use::Open(_) | Use::Put(_) => takes_messages(asked.object.kind),
            _ => false,
        },
        Part::MessageMaking => matches!(asked.used, Use::Put(_)) && takes_messages(asked.object.kind),
    };
    if is_granted { Ok(()) } else { Err(Reason::NOT_AUTHORIZED) }
}

fn takes_messages(kind: ObjectKind) -> bool {
    matches!(kind, ObjectKind::Queue | ObjectKind::RemoteQueueManager)
}

#[cfg(test)]
mod tests {
    use super::judge;
    use mqi::{ObjectName, OpenOptions, PutFlags, Reason, SubscribeOptions};
    use security::{Asked, Object, ObjectKind, Part, Use};

    #[test]
    fn each_part_is_granted_its_own_work_and_nothing_else() {
        let subscribe = Use::Subscribe { options: SubscribeOptions::CREATE, subscription: "" };
        let requests = [
            (ObjectKind::QueueManager, Use::Connect),
            (ObjectKind::Queue, Use::Open(OpenOptions::INPUT_SHARED)),
            (ObjectKind::Queue, Use::Put(PutFlags::NO_SYNCPOINT)),
            (ObjectKind::Topic, Use::Put(PutFlags::NO_SYNCPOINT)),
            (ObjectKind::Topic, subscribe),
            (ObjectKind::Queue, Use::Command(security::Command::Delete)),
        ];
        for (part, granted) in [
            (Part::CommandServer, [true, true, true, true, false, false]),
            (Part::ResourceMonitor, [true, false, false, true, false, false]),
            (Part::CommandExecution, [false, false, false, false, true, false]),
            (Part::MessageMaking, [false, false, true, false, false, false]),
            (Part::MessageChannel, [true, true, true, false, false, false]),
        ] {
            for ((kind, used), is_granted) in requests.into_iter().zip(granted) {
                let asked = Asked::new(Object::named(kind, ObjectName::BLANK), used);
                let expected = if is_granted { Ok(()) } else { Err(Reason::NOT_AUTHORIZED) };
                assert_eq!(judge(part, &asked), expected, "{part:?} {kind:?} {used}");
            }
        }
    }
}
