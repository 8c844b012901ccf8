//! Line charts as SVG, one or several beside each other, for the tools that compare or follow something: `compare` (nodes
//! and time over depth), `train` (loss over epochs).

/// The width of a chart without its labels, and the room that these take on the left.
const PANEL: f64 = 400.0;
const LABELS: f64 = 80.0;
const LEGEND: f64 = 180.0;
const HEIGHT: f64 = 440.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 5] = ["#b3261e", "#e07b00", "#2e7d32", "#1565c0", "#6a1b9a"];

/// More marks than this are too many on either axis.
const MOST_MARKS: f64 = 10.0;
/// Points closer together than this many to a line get no dots.
const MOST_DOTS: usize = 60;

/// How values become heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Every power of ten equally high; values are counts.
    Counts,
    /// The same; values are times in microseconds.
    Microseconds,
    /// From the lowest value to the highest.
    Plain,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it shows.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// What the heights are.
    pub title: &'a str,
    /// What runs from left to right.
    pub x_name: &'a str,
    /// How values become heights.
    pub scale: Scale,
    /// The lines.
    pub series: Vec<Series>,
}

/// A range of one axis with its marks.
struct Axis {
    low: f64,
    high: f64,
    marks: Vec<(f64, String)>,
}

impl Axis {
    /// Marks at round numbers over everything there is, not closer than `least_step`.
    fn plain(values: impl Iterator<Item = f64>, least_step: f64) -> Axis {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) };
        let rough = ((high - low) / MOST_MARKS).max(least_step);
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * decade).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step).ceil() as i64;
        let marks =
            (first..).map(|number| number as f64 * step).take_while(|&mark| mark <= high * (1.0 + 1e-9));
        Axis { low, high, marks: marks.map(|mark| (mark, format!("{mark:.digits$}"))).collect() }
    }

    /// Marks at the powers of ten, from the one below the smallest value on, but none below 1. Everything is in
    /// logarithms.
    fn decades(values: impl Iterator<Item = f64>, name: fn(i32) -> String) -> Axis {
        let (low, high) = values
            .map(|value| value.max(1.0).log10())
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
        let low = if low.is_finite() { low.floor() } else { 0.0 };
        let high = high.ceil().max(low + 1.0);
        let mark = |decade: i32| (f64::from(decade), name(decade));
        Axis { low, high, marks: (low as i32..=high as i32).map(mark).collect() }
    }

    /// Where a value lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// The picture of charts that show the same lines in different ways, from left to right.
pub fn svg(plots: &[Plot<'_>]) -> String {
    let left = |index: usize| LABELS + index as f64 * (LABELS + PANEL);
    let legend_left = left(plots.len()) - LABELS + 22.0;
    let width = legend_left + LEGEND;
    let mut parts = vec![
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" font-size="13">"#
        ),
        format!(r#"<rect width="{width}" height="{HEIGHT}" fill="white"/>"#),
    ];
    plots.iter().enumerate().for_each(|(index, plot)| plot.draw(left(index), &mut parts));
    if let Some(plot) = plots.first() {
        plot.legend(legend_left, &mut parts);
    }
    parts.push("</svg>\n".to_string());
    parts.join("\n")
}

impl Plot<'_> {
    /// Draws the chart without the names of its lines.
    fn draw(&self, left: f64, parts: &mut Vec<String>) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        // Depths and epochs are whole numbers, if there are no parts of epochs.
        let whole = points().all(|point| point.0.fract() == 0.0);
        let across = Axis::plain(points().map(|point| point.0), if whole { 1.0 } else { 0.0 });
        let values = points().map(|point| point.1);
        let up = match self.scale {
            Scale::Counts => Axis::decades(values, count),
            Scale::Microseconds => Axis::decades(values, microseconds),
            Scale::Plain => Axis::plain(values, 0.0),
        };
        let height = |value: f64| if self.scale == Scale::Plain { value } else { value.max(1.0).log10() };
        let x = |value: f64| left + across.part(value) * PANEL;
        let y = |value: f64| HEIGHT - BOTTOM - up.part(value) * (HEIGHT - TOP - BOTTOM);
        parts.push(text(left, TOP - 20.0, "start", self.title));
        for (mark, name) in &up.marks {
            let (here, end) = (y(*mark), left + PANEL);
            parts.push(format!(
                r##"<line x1="{left}" y1="{here:.1}" x2="{end}" y2="{here:.1}" stroke="#ddd"/>"##
            ));
            parts.push(text(left - 8.0, here + 4.0, "end", name));
        }
        for (mark, name) in &across.marks {
            parts.push(text(x(*mark), HEIGHT - BOTTOM + 20.0, "middle", name));
        }
        parts.push(text(left + PANEL / 2.0, HEIGHT - 12.0, "middle", self.x_name));
        for (series, color) in self.series.iter().zip(COLORS.into_iter().cycle()) {
            let places: Vec<(f64, f64)> = series.points.iter().map(|&(a, b)| (x(a), y(height(b)))).collect();
            draw_line(&places, color, parts);
        }
    }

    /// The names of the lines beside their colors.
    fn legend(&self, left: f64, parts: &mut Vec<String>) {
        for (index, (series, color)) in self.series.iter().zip(COLORS.into_iter().cycle()).enumerate() {
            let here = TOP + 10.0 + 24.0 * index as f64;
            parts.push(format!(
                r#"<rect x="{left}" y="{:.1}" width="14" height="14" fill="{color}"/>"#,
                here - 11.0
            ));
            parts.push(text(left + 22.0, here, "start", &series.name));
        }
    }
}

/// A line, with dots if there are few points.
fn draw_line(places: &[(f64, f64)], color: &str, parts: &mut Vec<String>) {
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    parts.push(format!(
        r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2.5"/>"#,
        points.join(" ")
    ));
    if places.len() <= MOST_DOTS {
        let dot =
            |(x, y): &(f64, f64)| format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{color}"/>"#);
        parts.extend(places.iter().map(dot));
    }
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!(r##"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="#222">{words}</text>"##)
}

/// A power of ten as a number of things.
fn count(decade: i32) -> String {
    power_of_ten(decade, ["", " k", " M", " G"])
}

/// A power of ten as a time.
fn microseconds(decade: i32) -> String {
    match decade {
        ..6 => power_of_ten(decade, [" µs", " ms", "", ""]),
        _ => format!("{} s", 10u64.pow(decade as u32 - 6)),
    }
}

/// A power of ten with a word for its thousands.
fn power_of_ten(decade: i32, units: [&str; 4]) -> String {
    let group = (decade.max(0) / 3).min(3);
    format!("{}{}", 10u64.pow((decade.max(0) - 3 * group) as u32), units[group as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(scale: Scale, points: &[(f64, f64)]) -> String {
        let line = |name: &str| Series { name: name.to_string(), points: points.to_vec() };
        svg(&[Plot { title: "loss", x_name: "epoch", scale, series: vec![line("one"), line("two")] }])
    }

    #[test]
    fn every_line_has_its_points_and_its_name() {
        for scale in [Scale::Counts, Scale::Microseconds, Scale::Plain] {
            let picture = plot(scale, &[(1.0, 30.0), (2.0, 900.0), (3.0, 27_000.0)]);
            assert_eq!(picture.matches("<polyline").count(), 2);
            assert_eq!(picture.matches("<circle").count(), 6);
            assert!(["one", "two", "loss", "epoch"].iter().all(|word| picture.contains(word)));
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        }
    }

    #[test]
    fn nothing_is_drawn_outside_or_nowhere() {
        for points in [&[][..], &[(1.0, 0.05)], &[(1.0, 0.05), (2.0, 0.05)], &[(1.0, 0.031), (40.0, 0.0298)]]
        {
            for scale in [Scale::Counts, Scale::Microseconds, Scale::Plain] {
                let picture = plot(scale, points);
                assert!(!picture.contains("NaN") && !picture.contains("inf"), "{points:?}\n{picture}");
            }
        }
        let axis = Axis::plain([0.0298, 0.0312].into_iter(), 0.0);
        assert!((3..=11).contains(&axis.marks.len()), "{:?}", axis.marks);
        let names: Vec<String> =
            Axis::plain([1.0, 4.0].into_iter(), 1.0).marks.into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["1", "2", "3", "4"]);
    }
}
