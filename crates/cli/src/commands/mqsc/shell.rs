//! The shell of `ferry mqsc`: one statement after another, with history and completion.

use std::borrow::Cow;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use objects::mqsc;
// That of the editor, which knows how the terminal was.
use ratatui::crossterm::terminal::disable_raw_mode;
use reedline::{
    ColumnarMenu, Emacs, FileBackedHistory, KeyCode, KeyModifiers, MenuBuilder as _, Prompt, PromptEditMode,
    PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, ValidationResult, Validator,
    default_emacs_keybindings,
};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;

use super::Commands;
use super::completion::Statements;
use super::history::Discreet;
use crate::commands::names::Finder;
use crate::commands::pages;
use terminal::failure::{Failure, Result};
use terminal::output::{self, Format};

/// Statements remembered from one session to the next.
const HISTORY_MAX: usize = 2000;

const HELP: &str = "\
One statement a line; + at the end continues it. Tab completes keywords and names, up and down repeat.
  DISPLAY QUEUE(*)                        queues there are
  DISPLAY QLOCAL(DEV.QUEUE.1) ALL         everything about one
  DISPLAY QSTATUS(*) WHERE(CURDEPTH GT 0) queues with messages
  DEFINE QLOCAL(ORDERS) MAXDEPTH(5000)    make a queue
  DISPLAY CONN(*)                         who is connected
END, EXIT, QUIT or Ctrl-D ends. `ferry explain KEYWORD` explains an attribute.
";

/// Reads and runs statements until the person ends. `names` finds the names to complete.
pub(crate) fn run(session: &mut dyn Commands, names: Finder) -> Result<()> {
    let prompt = QueueManagerPrompt(session.queue_manager().to_owned());
    let mut editor = editor(names)?;
    leave_terminal_as_it_was()?;
    output::print_line(format!("{} is listening. HELP shows examples, END ends.", session.queue_manager()))?;
    loop {
        let line = match editor.read_line(&prompt)? {
            Signal::Success(line) => line,
            Signal::CtrlC => continue,
            Signal::CtrlD => return Ok(()),
        };
        if mqsc::is_end(&line) {
            return Ok(());
        }
        match line.trim().trim_end_matches(';').to_ascii_uppercase().as_str() {
            "" => {}
            "HELP" | "?" => output::print_line(HELP.trim_end())?,
            _ => run_statements(&line, session)?,
        }
    }
}

/// Restores the terminal before a signal ends this: lines are edited with the terminal's own editing off.
fn leave_terminal_as_it_was() -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // A terminal that is gone has nothing to be left as it was.
            let _ = disable_raw_mode();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

fn run_statements(source: &str, session: &mut dyn Commands) -> Result<()> {
    for statement in mqsc::statements(source) {
        match statement.command {
            Err(error) if session.takes_only_ours() => output::print_line(objects::Message::from(error))?,
            _ => {
                let mut steps = Vec::new();
                let mut take = |page: &_, place| {
                    steps.extend(pages::next_steps(page));
                    Ok(pages::write(&mut io::stdout().lock(), Format::Table, page, place)?)
                };
                pages::ask(session, &statement.text, &mut take)?;
                // Commands of `ferry` are not typed here, so that they need no options.
                steps.iter().for_each(|step| output::say(format!("  next: {}", step.elsewhere())));
            }
        }
    }
    Ok(())
}

fn editor(names: Finder) -> Result<Reedline> {
    let mut keys = default_emacs_keybindings();
    keys.add_binding(
        KeyModifiers::NONE,
        KeyCode::Tab,
        ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.to_owned()), ReedlineEvent::MenuNext]),
    );
    let editor = Reedline::create()
        .with_completer(Box::new(Statements { names }))
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(ColumnarMenu::default().with_name(MENU))))
        .with_quick_completions(true)
        .with_partial_completions(true)
        .with_validator(Box::new(Continued))
        .with_edit_mode(Box::new(Emacs::new(keys)));
    let Some(path) = history_path() else { return Ok(editor) };
    let history = FileBackedHistory::with_file(HISTORY_MAX, path.clone()).map_err(|error| {
        Failure::from(anyhow::anyhow!("cannot use the history file {}: {error}", path.display()))
    })?;
    Ok(editor.with_history(Box::new(Discreet(history))))
}

const MENU: &str = "completions";

/// Where statements are remembered; nowhere without a home.
fn history_path() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    let directory = state.join("ferrymq");
    // Without the directory there is no history, which is no reason not to work.
    // Statements may have passwords.
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory).ok()?;
    Some(directory.join("mqsc-history"))
}

/// `QM1> `.
struct QueueManagerPrompt(String);

impl Prompt for QueueManagerPrompt {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("> ")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  + ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("search \"{}\": ", search.term))
    }
}

/// A statement that ends in `+` or `-` goes on.
struct Continued;

impl Validator for Continued {
    fn validate(&self, line: &str) -> ValidationResult {
        if mqsc::is_continued(line) { ValidationResult::Incomplete } else { ValidationResult::Complete }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_continued_statement_waits_for_its_rest() {
        assert!(matches!(Continued.validate("DEFINE QLOCAL(A) +"), ValidationResult::Incomplete));
        assert!(matches!(Continued.validate("DEFINE QLOCAL(A)"), ValidationResult::Complete));
    }
}
