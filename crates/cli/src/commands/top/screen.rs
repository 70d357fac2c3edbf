//! The screen of `ferry top`: drawn anew with each look, until q or Ctrl-C.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use ratatui::{DefaultTerminal, Frame};

use super::sample::{LOOK_FOR_END, QueueRow, Sample, Sampler};
use crate::columns;
use crate::interrupt::{Interrupt, LOOK_AGAIN};
use terminal::failure::Result;

/// In which order queues stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Name,
    Depth,
    Change,
    Puts,
}

/// Draws until the person ends.
pub(super) fn run(sampler: &mut Sampler, interval: Duration, interrupt: &Interrupt) -> Result<()> {
    let mut terminal = ratatui::try_init()?;
    let outcome = watch(&mut terminal, sampler, interval, interrupt);
    ratatui::try_restore()?;
    outcome
}

fn watch(
    terminal: &mut DefaultTerminal,
    sampler: &mut Sampler,
    interval: Duration,
    interrupt: &Interrupt,
) -> Result<()> {
    let mut order = Order::Name;
    let mut top = 0;
    loop {
        sampler.fail_if_quiescing()?;
        let next = Instant::now() + interval;
        let mut sample = sampler.sample()?;
        loop {
            sort(&mut sample.queues, order);
            top = top.min(sample.queues.len().saturating_sub(1));
            terminal.draw(|frame| draw(frame, &sample, order, top))?;
            match key(next.min(Instant::now() + LOOK_FOR_END), interrupt)? {
                None if Instant::now() < next => sampler.fail_if_quiescing()?,
                None => break,
                Some(KeyCode::Char('q') | KeyCode::Esc) => return Ok(()),
                Some(KeyCode::Char('n')) => order = Order::Name,
                Some(KeyCode::Char('d')) => order = Order::Depth,
                Some(KeyCode::Char('c')) => order = Order::Change,
                Some(KeyCode::Char('p')) => order = Order::Puts,
                Some(KeyCode::Down) => top += 1,
                Some(KeyCode::Up) => top = top.saturating_sub(1),
                Some(_) => {}
            }
        }
    }
}

/// A key pressed by then; Ctrl-C counts as q, and so does a wish to end from elsewhere.
fn key(until: Instant, interrupt: &Interrupt) -> io::Result<Option<KeyCode>> {
    loop {
        if interrupt.is_wanted() {
            return Ok(Some(KeyCode::Char('q')));
        }
        let left = until.saturating_duration_since(Instant::now());
        if event::poll(left.min(LOOK_AGAIN))? {
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => {
                    let ends =
                        key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
                    return Ok(Some(if ends { KeyCode::Char('q') } else { key.code }));
                }
                Event::Resize(..) => return Ok(Some(KeyCode::Null)),
                _ => {}
            }
        } else if left.is_zero() {
            return Ok(None);
        }
    }
}

fn sort(queues: &mut [QueueRow], order: Order) {
    match order {
        Order::Name => queues.sort_by(|left, right| left.name.cmp(&right.name)),
        Order::Depth => queues.sort_by_key(|queue| std::cmp::Reverse(queue.depth)),
        Order::Puts => queues.sort_by(|left, right| right.puts_per_second.total_cmp(&left.puts_per_second)),
        Order::Change => queues
            .sort_by(|left, right| right.change_per_second.abs().total_cmp(&left.change_per_second.abs())),
    }
}

fn draw(frame: &mut Frame<'_>, sample: &Sample, order: Order, top: usize) {
    let area = frame.area();
    let mut rows: Vec<Vec<String>> = sample.queues.iter().map(super::cells).collect();
    rows.push(super::cells(&sample.total()));
    let lines = columns::fit(&super::COLUMNS, &rows, area.width.into()).lines;
    let summary = columns::wrapped(&super::summary(sample), "   ", area.width.into());
    // A blank line follows where there is room.
    let head_lines = u16::try_from(summary.len()).unwrap_or(u16::MAX).max(2);
    let [head, heading, body, sum, foot] = Layout::vertical([
        Constraint::Length(head_lines),
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let strong = Style::new().add_modifier(Modifier::BOLD);
    let dim = Style::new().add_modifier(Modifier::DIM);
    let summary: Vec<Line<'_>> = summary.into_iter().map(|line| Line::styled(line, strong)).collect();
    frame.render_widget(Paragraph::new(summary), head);
    frame.render_widget(Paragraph::new(Line::styled(lines[0].clone(), strong)), heading);
    let shown = sample.queues.iter().zip(&lines[1..]).skip(top).map(|(queue, line)| {
        let is_idle = queue.change_per_second == 0.0 && queue.depth == 0;
        Line::styled(line.clone(), if is_idle { dim } else { Style::new() })
    });
    frame.render_widget(Paragraph::new(shown.collect::<Vec<_>>()), body);
    // The sum stays, whatever is scrolled.
    let total = lines.last().cloned().unwrap_or_default();
    frame.render_widget(Paragraph::new(Line::styled(total, strong)), sum);
    let by = match order {
        Order::Name => "name",
        Order::Depth => "depth",
        Order::Change => "change",
        Order::Puts => "puts",
    };
    let keys = format!("by {by}  n name  d depth  c change  p puts  arrows  q ends");
    frame.render_widget(Paragraph::new(Line::styled(keys, dim)), foot);
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    const HARMFUL: &str = "\x1b[2JA\nB\u{9b}1m\u{202e}";

    fn sample() -> Sample {
        let queue = QueueRow {
            name: HARMFUL.to_owned(),
            depth: 1,
            change_per_second: 0.0,
            puts_per_second: 0.0,
            gets_per_second: 0.0,
            uncommitted: 0,
            getters: 0,
            putters: 0,
            oldest_seconds: None,
        };
        Sample {
            queue_manager: HARMFUL.to_owned(),
            uptime_seconds: 1,
            connections: 1,
            resident_bytes: 1,
            log_bytes_free: 1,
            log_bytes_per_second: 0.0,
            forces_per_second: 0.0,
            force_microseconds: None,
            queues: vec![queue],
        }
    }

    #[test]
    fn the_screen_shows_the_line_ends_and_escapes_of_a_name_as_text() {
        let mut terminal = Terminal::new(TestBackend::new(200, 8)).unwrap();
        terminal.draw(|frame| draw(frame, &sample(), Order::Name, 0)).unwrap();
        let cells = terminal.backend().buffer().content();
        let shown: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(shown.matches("\\u{1b}[2JA\\nB\\u{9b}1m\\u{202e}").count(), 2, "{shown}");
        assert!(!shown.contains(objects::harmless::is_harmful), "{shown}");
    }
    #[test]
    fn the_screen_fits_60_columns() {
        let queue = QueueRow { name: "DEV.QUEUE.1".to_owned(), depth: 9_999_999, ..QueueRow::default() };
        let sample = Sample { queue_manager: "QM1".to_owned(), queues: vec![queue], ..sample() };
        let mut terminal = Terminal::new(TestBackend::new(60, 8)).unwrap();
        terminal.draw(|frame| draw(frame, &sample, Order::Depth, 0)).unwrap();
        let cells = terminal.backend().buffer().content();
        let lines: Vec<String> =
            cells.chunks(60).map(|line| line.iter().map(ratatui::buffer::Cell::symbol).collect()).collect();
        let shown = lines.join("\n");
        for expected in ["memory 1 B", "DEPTH", "PUTS/s", "OLDEST", "9,999,999", "all 1 queue", "q ends"] {
            assert!(shown.contains(expected), "{expected} is not in\n{shown}");
        }
    }
}
