//! The verdict on the places of money after a round: the sum stays, and each transfer happened wholly or not
//! at all, as the log of the transaction manager decided.

use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};

/// Money in each place at the beginning: so many messages or rows, each of so much.
pub(super) const PIECES: usize = 64;
pub(super) const PIECE: usize = 1_000;

/// The content of both places, as the program tells it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Places {
    sum: i64,
    /// The receipts of each place, with their amounts.
    receipts: [BTreeMap<u64, i64>; 2],
}

impl Places {
    /// Reads lines "place N", "money AMOUNT", "receipt TRANSFER AMOUNT".
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut places = Self::default();
        let mut current = None;
        for line in text.lines() {
            match *line.split(' ').collect::<Vec<_>>() {
                ["place", number] => current = Some(number.parse::<usize>()? - 1),
                ["money", amount] => places.sum += amount.parse::<i64>()?,
                ["receipt", transfer, amount] => {
                    let receipts = current.and_then(|place| places.receipts.get_mut(place));
                    let receipts = receipts.context("a receipt of no place")?;
                    let before = receipts.insert(transfer.parse()?, amount.parse()?);
                    ensure!(before.is_none(), "transfer {transfer} happened twice");
                }
                _ => bail!("the program told {line:?}"),
            }
        }
        ensure!(current == Some(1), "the program told of one place");
        Ok(places)
    }
}

/// The answers about transfers.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) committed: BTreeSet<u64>,
    pub(super) back: BTreeSet<u64>,
}

/// The transfers that the log decided to commit. A line that was cut is none.
pub(super) fn decided(log: &str) -> Result<BTreeSet<u64>> {
    let whole = log.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = whole.lines().filter_map(|line| line.strip_prefix("C "));
    lines.map(|number| number.parse().with_context(|| format!("the log has {number:?}"))).collect()
}

/// Judges.
pub(super) fn judge(places: &Places, sum: i64, log: &BTreeSet<u64>, answers: &Answers) -> Result<()> {
    ensure!(places.sum == sum, "money is {} and was {sum}", places.sum);
    let [first, second] = &places.receipts;
    for (receipts, place) in [(first, "first"), (second, "second")] {
        if let Some(lost) = log.iter().find(|transfer| !receipts.contains_key(transfer)) {
            bail!("transfer {lost} was decided and did not happen in the {place} place");
        }
        if let Some(more) = receipts.keys().find(|transfer| !log.contains(transfer)) {
            bail!("transfer {more} was not decided and happened in the {place} place");
        }
    }
    for (transfer, amount) in first {
        ensure!(second.get(transfer) == Some(&-amount), "transfer {transfer} has two amounts");
    }
    if let Some(lost) = answers.committed.difference(log).next() {
        bail!("transfer {lost} was answered as committed and was not decided");
    }
    if let Some(more) = answers.back.intersection(log).next() {
        bail!("transfer {more} was answered as rolled back and was decided");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "place 1\nmoney 7\nreceipt 1 -3\nreceipt 2 5\nplace 2\nmoney 13\nreceipt 1 3\nreceipt 2 -5\n";

    fn answers(committed: &[u64], back: &[u64]) -> Answers {
        Answers { committed: committed.iter().copied().collect(), back: back.iter().copied().collect() }
    }

    fn judged(text: &str, log: &str, answers: &Answers) -> Result<()> {
        judge(&Places::parse(text)?, 20, &decided(log)?, answers)
    }

    #[test]
    fn what_the_log_decided_happened_in_both_places_and_nothing_else() {
        let log = "C 1\nE 1\nC 2\nC 3";
        judged(WHOLE, log, &answers(&[1, 2], &[3])).unwrap();
        let cases = [
            (WHOLE.replace("money 7", "money 8"), log, answers(&[], &[]), "money is 21 and was 20"),
            (
                WHOLE.replace("receipt 2 -5\n", ""),
                log,
                answers(&[], &[]),
                "transfer 2 was decided and did not",
            ),
            (WHOLE.to_owned(), "C 1\n", answers(&[], &[]), "transfer 2 was not decided and happened"),
            (WHOLE.to_owned(), "C 1\nC 2\nC 4\n", answers(&[], &[]), "transfer 4 was decided and did not"),
            (WHOLE.replace("2 -5", "2 -4"), log, answers(&[], &[]), "transfer 2 has two amounts"),
            (WHOLE.replace("2 -5", "1 -5"), log, answers(&[], &[]), "transfer 1 happened twice"),
            (WHOLE.to_owned(), log, answers(&[3], &[]), "transfer 3 was answered as committed"),
            (WHOLE.to_owned(), log, answers(&[], &[2]), "transfer 2 was answered as rolled back"),
            ("place 1\n".to_owned(), log, answers(&[], &[]), "told of one place"),
        ];
        for (text, log, answers, words) in cases {
            let why = judged(&text, log, &answers).unwrap_err().to_string();
            assert!(why.contains(words), "{why}");
        }
    }
}
