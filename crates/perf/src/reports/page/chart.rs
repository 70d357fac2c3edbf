//! A chart as SVG: axes with their titles, a grid, lines of ours, figures of theirs, and a legend.

use std::fmt::Write as _;

use super::html::escape;
use super::scale::{self, Scale};

/// Where a chart is drawn.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 22.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 54.0;

/// Distance from the frame of points at either end of the horizontal axis.
const INSET: f64 = 14.0;

/// Half of a marker.
const MARKER: f64 = 4.5;

/// Colours of our lines that people with any eyesight, and printers without colour, tell apart.
const COLOURS: &[&str] = &["#0b5cad", "#d55e00", "#00815f", "#a3458b", "#6b5a00", "#3a3a3a"];

/// Colours of published figures: lighter, as they stand behind.
const PUBLISHED: &[&str] = &["#7a7a7a", "#b08900", "#5f7fa6", "#a0607f"];

/// A chart.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    /// Its title stands above it.
    pub(super) is_titled: bool,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) lines: Vec<Line>,
}

/// An axis.
#[derive(Debug)]
pub(super) struct Axis {
    pub(super) title: String,
    pub(super) logarithmic: bool,
}

/// A series on a chart.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) whose: Whose,
    pub(super) course: Course,
    pub(super) points: Vec<Point>,
}

/// The connection between the figures of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// They are points of one curve.
    Joined,
    /// They are a few of many.
    Apart,
    /// There is one, which has no place along the horizontal axis.
    Level,
}

/// The side that measured the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    Published,
}

/// A figure, and the lowest and highest of its runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) runs: Option<(f64, f64)>,
}

/// The look of a line.
struct Look {
    colour: &'static str,
    shape: Shape,
    dashes: &'static str,
}

#[derive(Clone, Copy)]
enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
}

const SHAPES: [Shape; 4] = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond];

impl Chart {
    /// The figure with its legend.
    pub(super) fn html(&self) -> String {
        let mut html = String::from("<figure>\n");
        if self.is_titled {
            // Writing to a String does not fail.
            let _ = writeln!(html, "<p class=\"chart-title\">{}</p>", escape(&self.title));
        }
        html.push_str(&self.svg());
        html.push_str("<figcaption class=\"legend\">");
        for (line, look) in self.lines.iter().zip(self.looks()) {
            let _ = write!(
                html,
                "<span class=\"key\"><svg width=\"34\" height=\"14\" viewBox=\"0 0 34 14\" aria-hidden=\"true\">{}{}</svg>{}</span>",
                if line.course == Course::Apart { String::new() } else { look.stroke("M2 7H32") },
                if line.course == Course::Level { String::new() } else { look.marker(17.0, 7.0, line.whose) },
                escape(&line.label)
            );
        }
        html.push_str("</figcaption>\n</figure>\n");
        html
    }

    fn looks(&self) -> Vec<Look> {
        let (mut ours, mut published) = (0, 0);
        self.lines
            .iter()
            .map(|line| {
                let (colours, number) = match line.whose {
                    Whose::Ours => (COLOURS, &mut ours),
                    Whose::Published => (PUBLISHED, &mut published),
                };
                let look = Look {
                    colour: colours[*number % colours.len()],
                    shape: SHAPES[*number % SHAPES.len()],
                    dashes: if line.whose == Whose::Ours { "" } else { " stroke-dasharray=\"2 4\"" },
                };
                *number += 1;
                look
            })
            .collect()
    }

    fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let ends = |point: &Point| {
            let (low, high) = point.runs.unwrap_or((point.y, point.y));
            [point.y, low, high]
        };
        let placed = self.lines.iter().filter(|line| line.course != Course::Level);
        let x = self.x.scale(placed.flat_map(|line| &line.points).map(|point| point.x).collect());
        let y = self.y.scale(points().flat_map(ends).collect());
        let frame = Frame { x, y };
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escape(&self.title)
        );
        frame.draw(&mut svg, &self.x.title, &self.y.title);
        // What was published lies below, so that ours is seen where both are.
        let mut lines: Vec<_> = self.lines.iter().zip(self.looks()).collect();
        lines.sort_by_key(|(line, _)| line.whose == Whose::Ours);
        for (line, look) in lines {
            frame.line(&mut svg, line, &look);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl Axis {
    fn scale(&self, values: Vec<f64>) -> Scale {
        if self.logarithmic {
            Scale::logarithmic(values.into_iter())
        } else {
            Scale::linear(values.into_iter())
        }
    }
}

struct Frame {
    x: Scale,
    y: Scale,
}

impl Frame {
    fn across(&self, value: f64) -> f64 {
        LEFT + INSET + self.x.place(value) * (WIDTH - LEFT - RIGHT - 2.0 * INSET)
    }

    fn down(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, svg: &mut String, x_title: &str, y_title: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for mark in self.y.marks() {
            let y = self.down(mark.value);
            let class = if mark.labelled { "grid" } else { "grid fine" };
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            if mark.labelled {
                let (x, y) = (LEFT - 8.0, y + 4.0);
                let _ = writeln!(
                    svg,
                    "<text class=\"end\" x=\"{x}\" y=\"{y:.1}\">{}</text>",
                    scale::label(mark.value)
                );
            }
        }
        for mark in self.x.marks() {
            let x = self.across(mark.value);
            let class = if mark.labelled { "grid" } else { "grid fine" };
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{x:.1} {TOP}V{bottom}\"/>");
            if mark.labelled {
                let y = bottom + 18.0;
                let _ = writeln!(
                    svg,
                    "<text class=\"middle\" x=\"{x:.1}\" y=\"{y}\">{}</text>",
                    scale::label(mark.value)
                );
            }
        }
        let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>");
        let middle = (LEFT + right) / 2.0;
        let aside = if self.x.has_zero_aside() { " (logarithmic, zero aside)" } else { "" };
        let _ = writeln!(
            svg,
            "<text class=\"middle title\" x=\"{middle}\" y=\"{}\">{}{aside}</text>",
            HEIGHT - 12.0,
            escape(x_title)
        );
        let middle = (TOP + bottom) / 2.0;
        let _ = writeln!(
            svg,
            "<text class=\"middle title\" transform=\"translate(18 {middle}) rotate(-90)\">{}</text>",
            escape(y_title)
        );
    }

    fn line(&self, svg: &mut String, line: &Line, look: &Look) {
        if line.course == Course::Level {
            for point in &line.points {
                let _ = writeln!(
                    svg,
                    "<g>{}<title>{}: {}</title></g>",
                    look.stroke(&format!("M{LEFT} {:.1}H{}", self.down(point.y), WIDTH - RIGHT)),
                    escape(&line.label),
                    scale::label(point.y)
                );
            }
            return;
        }
        let places: Vec<(f64, f64)> =
            line.points.iter().map(|point| (self.across(point.x), self.down(point.y))).collect();
        if line.course == Course::Joined {
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            let _ = writeln!(svg, "{}", look.stroke(&format!("M{}", path.join("L"))));
        }
        for (point, (x, y)) in line.points.iter().zip(&places) {
            if let Some((low, high)) = point.runs.filter(|(low, high)| low < high) {
                let (low, high) = (self.down(low), self.down(high));
                let _ = writeln!(
                    svg,
                    "<path class=\"runs\" stroke=\"{}\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>",
                    look.colour
                );
            }
            let _ = writeln!(
                svg,
                "<g>{}<title>{}: {} at {}</title></g>",
                look.marker(*x, *y, line.whose),
                escape(&line.label),
                scale::label(point.y),
                scale::label(point.x)
            );
        }
    }
}

impl Look {
    fn stroke(&self, path: &str) -> String {
        format!("<path class=\"line\" stroke=\"{}\"{} d=\"{path}\"/>", self.colour, self.dashes)
    }

    /// Filled for ours, hollow for theirs.
    fn marker(&self, x: f64, y: f64, whose: Whose) -> String {
        let fill = if whose == Whose::Ours { self.colour } else { "#fff" };
        let style = format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.6\"", self.colour);
        let r = MARKER;
        match self.shape {
            Shape::Circle => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" {style}/>"),
            Shape::Square => {
                let (left, top, side) = (x - r, y - r, 2.0 * r);
                format!("<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side}\" height=\"{side}\" {style}/>")
            }
            Shape::Triangle => {
                let (left, right, top, base) = (x - r - 0.5, x + r + 0.5, y - r - 0.5, y + r);
                format!("<path d=\"M{left:.1} {base:.1}L{x:.1} {top:.1}L{right:.1} {base:.1}Z\" {style}/>")
            }
            Shape::Diamond => {
                let (left, right, top, base) = (x - r - 1.0, x + r + 1.0, y - r - 1.0, y + r + 1.0);
                format!(
                    "<path d=\"M{left:.1} {y:.1}L{x:.1} {top:.1}L{right:.1} {y:.1}L{x:.1} {base:.1}Z\" {style}/>"
                )
            }
        }
    }
}
