//! Words that users of other brokers, or of another release, type, and the command that does it here.

use terminal::next_step::NextStep;

/// Words in the order typed, and the next step. A row of two words stands before the row of its first.
const PROPOSALS: &[(&[&str], NextStep)] = &[
    (&["help"], NextStep::of("ferry --help lists the commands, ferry COMMAND --help explains one")),
    (
        &["status"],
        NextStep::of(
            "ferry list shows the queue managers, ferry check their health, ferry queues the queues",
        ),
    ),
    (&["ps"], NextStep::of("ferry list shows the queue managers")),
    (&["start"], NextStep::of("ferry qmgr start QM1 starts a queue manager, ferry dev one for development")),
    (
        &["create"],
        NextStep::of(
            "ferry qmgr create QM1 makes a queue manager, ferry mqsc -e \"DEFINE QLOCAL(ORDERS)\" a queue",
        ),
    ),
    (
        &["delete"],
        NextStep::of(
            "ferry qmgr delete QM1 deletes a queue manager, ferry mqsc -e \"DELETE QLOCAL(ORDERS)\" a queue",
        ),
    ),
    (&["queue", "create"], NextStep::of("ferry mqsc -e \"DEFINE QLOCAL(ORDERS)\" makes a queue")),
    (&["queue", "add"], NextStep::of("ferry mqsc -e \"DEFINE QLOCAL(ORDERS)\" makes a queue")),
    (&["queue", "delete"], NextStep::of("ferry mqsc -e \"DELETE QLOCAL(ORDERS)\" deletes a queue")),
    (&["queue", "rm"], NextStep::of("ferry mqsc -e \"DELETE QLOCAL(ORDERS)\" deletes a queue")),
    (&["queue", "purge"], NextStep::of("ferry mqsc -e \"CLEAR QLOCAL(ORDERS)\" empties a queue")),
    (&["queue"], NextStep::of("ferry queues lists the queues, ferry browse ORDERS the messages of one")),
    (&["purge"], NextStep::of("ferry mqsc -e \"CLEAR QLOCAL(ORDERS)\" empties a queue")),
    (&["clear"], NextStep::of("ferry mqsc -e \"CLEAR QLOCAL(ORDERS)\" empties a queue")),
    (&["define"], NextStep::of("ferry mqsc -e \"DEFINE QLOCAL(ORDERS)\" makes a queue")),
    (&["topics"], NextStep::of("ferry topic tree shows the topics")),
    (&["channel"], NextStep::of("ferry mqsc -e \"DISPLAY CHSTATUS(*)\" shows channels at work")),
    (&["channels"], NextStep::of("ferry mqsc -e \"DISPLAY CHSTATUS(*)\" shows channels at work")),
    (&["connections"], NextStep::of("ferry mqsc -e \"DISPLAY CONN(*) ALL\" shows the connections")),
    (&["send"], NextStep::of("ferry put ORDERS \"text\" puts a message")),
    (&["receive"], NextStep::of("ferry get ORDERS gets a message")),
    (&["consume"], NextStep::of("ferry get ORDERS --all gets messages, ferry reply answers requests")),
    (&["peek"], NextStep::of("ferry browse ORDERS looks at messages and leaves them")),
    (&["publish"], NextStep::of("ferry pub price/tin 12 publishes")),
    (&["subscribe"], NextStep::of("ferry sub price/# subscribes")),
    (&["copy"], NextStep::of("ferry move FROM TO --copy copies messages")),
    (&["users"], NextStep::of("ferry user list QM1 lists the users")),
    (&["version"], NextStep::of("ferry --version shows the version")),
    (
        &["logs"],
        NextStep::of(
            "ferry log show prints the recovery log; the error log is in errors/ of the queue manager's folder",
        ),
    ),
];

/// The next step for words that are no command, if one is known; the word that the parser stopped at comes
/// first.
pub(crate) fn proposal(words: &[String]) -> Option<&'static NextStep> {
    let mut typed = words.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let (first, second) = (typed.next()?, typed.next());
    let fits = |row: &[&str]| match row {
        [only] => *only == first,
        [one, two] => *one == first && second == Some(*two),
        _ => false,
    };
    PROPOSALS.iter().find(|(row, _)| fits(row)).map(|(_, next)| next)
}

#[cfg(test)]
mod tests {
    use super::{PROPOSALS, proposal};
    use crate::arguments::Arguments;
    use clap::Parser as _;

    #[test]
    fn every_proposal_names_commands_that_exist() {
        for (words, next) in PROPOSALS {
            let typed: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(proposal(&typed), Some(next), "{words:?}");
            assert!(
                Arguments::try_parse_from([&["ferry"][..], words].concat()).is_err(),
                "{words:?} is a command"
            );
            for named in next.elsewhere().split("ferry ").skip(1) {
                let name: String = named.chars().take_while(char::is_ascii_lowercase).collect();
                if name.is_empty() {
                    continue;
                }
                let help = Arguments::try_parse_from(["ferry", &name, "--help"]).unwrap_err();
                assert_eq!(help.kind(), clap::error::ErrorKind::DisplayHelp, "{next:?}: ferry {name}");
            }
        }
    }

    #[test]
    fn words_that_nobody_knows_have_no_proposal() {
        for words in [&["frobnicate"][..], &[], &["--status"]] {
            let typed: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(proposal(&typed), None, "{words:?}");
        }
    }
}
