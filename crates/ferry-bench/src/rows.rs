//! `ferry report rows`: the requirements of published reports, each with its state and the commands that show
//! it.

use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValue;
use perf::requirements::{self, Row, State};

use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};

/// Column at which the text of a row begins.
const TEXT_COLUMN: usize = 17;

/// A state as a word of the command line.
#[derive(Clone, Copy, Debug)]
struct StateWord(State);

impl clap::ValueEnum for StateWord {
    fn value_variants<'a>() -> &'a [Self] {
        const WORDS: [StateWord; State::ALL.len()] = {
            let mut words = [StateWord(State::Works); State::ALL.len()];
            let mut at = 0;
            while at < words.len() {
                words[at] = StateWord(State::ALL[at]);
                at += 1;
            }
            words
        };
        &WORDS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.word()))
    }
}

/// Options of `report rows`.
#[derive(Debug, Args)]
pub(crate) struct RowsArguments {
    /// Rows to show, such as S1-01 [default: all]
    #[arg(value_name = "ROW")]
    rows: Vec<String>,
    /// Rows in this state only; several may be given
    #[arg(long, value_enum, value_name = "STATE")]
    state: Vec<StateWord>,
}

/// Prints the rows.
pub(crate) fn run(common: &Common, arguments: &RowsArguments) -> Result<()> {
    let rows = chosen(arguments, requirements::rows()?)?;
    let mut output = output::standard();
    for row in &rows {
        match common.output {
            Format::Json => output::json_line(&mut output, row)?,
            Format::Table => output.write_all(lines(row).as_bytes())?,
        }
    }
    if common.output == Format::Table {
        writeln!(output, "{}", totals(&rows))?;
    }
    output.flush()?;
    Ok(())
}

fn chosen(arguments: &RowsArguments, mut rows: Vec<Row>) -> Result<Vec<Row>> {
    let is_row = |id: &&String| !rows.iter().any(|row| row.id.eq_ignore_ascii_case(id));
    if let Some(unknown) = arguments.rows.iter().find(is_row) {
        return Err(Failure::new(Exit::NotFound, format!("there is no row {unknown}")).next(
            "rows are S1-01 to S1-68, S2-01 to S2-84, S3-01 to S3-97, S4-01 to S4-58, S5-01 to S5-47",
        ));
    }
    rows.retain(|row| {
        let is_named =
            arguments.rows.is_empty() || arguments.rows.iter().any(|id| row.id.eq_ignore_ascii_case(id));
        is_named && (arguments.state.is_empty() || arguments.state.iter().any(|word| word.0 == row.state))
    });
    Ok(rows)
}

fn lines(row: &Row) -> String {
    let mut lines = format!("{}  {:<9}{}\n", row.id, row.state, row.asks);
    let mut add = |text: &str| lines.push_str(&format!("{:TEXT_COLUMN$}{text}\n", ""));
    row.shown.iter().for_each(|command| add(command));
    if let Some(figure) = &row.figure {
        add(&format!("figure: {figure}"));
    }
    if let Some(lacks) = &row.lacks {
        add(&format!("lacks: {lacks}"));
    }
    lines
}

fn totals(rows: &[Row]) -> String {
    let counts = requirements::counts(rows);
    let states: Vec<String> = State::ALL.iter().map(|state| format!("{} {state}", counts[state])).collect();
    let hold = rows.iter().filter(|row| row.state.holds()).count();
    format!("{} rows: {}; {hold} hold", rows.len(), states.join(", "))
}
