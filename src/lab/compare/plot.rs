//! The comparison as a picture: nodes and time over depth on logarithmic scales, one line a method.

use super::{Method, Row};

const WIDTH: f64 = 1100.0;
const HEIGHT: f64 = 440.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 50.0;
/// The width of a panel without its labels, and where the two panels begin.
const PANEL: f64 = 380.0;
const LEFT: [f64; 2] = [70.0, 540.0];
const LEGEND: f64 = 950.0;
const COLORS: [&str; 5] = ["#b3261e", "#e07b00", "#2e7d32", "#1565c0", "#6a1b9a"];

/// One of the two diagrams: what it shows, of which row, and how a power of ten is written.
struct Panel {
    left: f64,
    title: &'static str,
    value: fn(&Row) -> f64,
    label: fn(i32) -> String,
}

/// The picture as SVG. `rows` hold what a method needed for a depth.
pub fn svg(rows: &[Row]) -> String {
    let mut parts = vec![
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">"#
        ),
        format!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>"#),
    ];
    let panels = [
        Panel { left: LEFT[0], title: "positions looked at", value: |row| row.nodes, label: count },
        Panel { left: LEFT[1], title: "time", value: |row| row.seconds * 1e6, label: microseconds },
    ];
    panels.iter().for_each(|panel| draw(panel, rows, &mut parts));
    legend(rows, &mut parts);
    parts.push("</svg>\n".to_string());
    parts.join("\n")
}

/// Draws one diagram. Its scale begins with the power of ten below the smallest value.
fn draw(panel: &Panel, rows: &[Row], parts: &mut Vec<String>) {
    let depths = rows.iter().map(|row| row.depth).max().unwrap_or(1).max(2);
    let logarithms: Vec<f64> = rows.iter().map(|row| (panel.value)(row).max(1.0).log10()).collect();
    let lowest = logarithms.iter().copied().fold(f64::MAX, f64::min).min(9.0).floor();
    let highest = logarithms.iter().copied().fold(lowest + 1.0, f64::max).ceil();
    let x = |depth: u32| panel.left + f64::from(depth - 1) / f64::from(depths - 1) * PANEL;
    let y = |value: f64| {
        let share = (value.max(1.0).log10() - lowest) / (highest - lowest);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    };
    parts.push(text(panel.left, TOP - 20.0, "start", &format!("{}, mean of a search", panel.title)));
    for decade in lowest as i32..=highest as i32 {
        let (here, left, end) = (y(10f64.powi(decade)), panel.left, panel.left + PANEL);
        parts
            .push(format!(r##"<line x1="{left}" y1="{here:.1}" x2="{end}" y2="{here:.1}" stroke="#ddd"/>"##));
        parts.push(text(left - 8.0, here + 4.0, "end", &(panel.label)(decade)));
    }
    for depth in 1..=depths {
        parts.push(text(x(depth), HEIGHT - BOTTOM + 20.0, "middle", &depth.to_string()));
    }
    parts.push(text(panel.left + PANEL / 2.0, HEIGHT - 10.0, "middle", "depth"));
    for (method, color) in Method::ALL.into_iter().zip(COLORS) {
        let of_method = || rows.iter().filter(|row| row.method == method);
        let point = |row: &Row| (x(row.depth), y((panel.value)(row)));
        let points: Vec<String> = of_method().map(point).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let line = points.join(" ");
        parts.push(format!(r#"<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2.5"/>"#));
        for (x, y) in of_method().map(point) {
            parts.push(format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{color}"/>"#));
        }
    }
}

/// The names of the methods beside their colors.
fn legend(rows: &[Row], parts: &mut Vec<String>) {
    for (index, (method, color)) in Method::ALL.into_iter().zip(COLORS).enumerate() {
        if rows.iter().any(|row| row.method == method) {
            let here = TOP + 10.0 + 24.0 * index as f64;
            parts.push(format!(
                r#"<rect x="{LEGEND}" y="{:.1}" width="14" height="14" fill="{color}"/>"#,
                here - 11.0
            ));
            parts.push(text(LEGEND + 22.0, here, "start", method.name()));
        }
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

fn power_of_ten(decade: i32, units: [&str; 4]) -> String {
    let decade = decade.max(0) as usize;
    format!("{}{}", 10u32.pow(decade as u32 % 3), units[(decade / 3).min(3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_line() {
        let rows: Vec<Row> = Method::ALL
            .into_iter()
            .flat_map(|method| {
                (1..=3).map(move |depth| Row { method, depth, nodes: 30f64.powi(depth as i32), seconds: 0.1 })
            })
            .collect();
        let picture = svg(&rows);
        assert_eq!(picture.matches("<polyline").count(), 10);
        assert_eq!(picture.matches("<circle").count(), 30);
        assert!(Method::ALL.iter().all(|method| picture.contains(method.name())));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    }

    #[test]
    fn powers_of_ten_have_units() {
        assert_eq!([0, 2, 3, 5, 6, 9].map(count), ["1", "100", "1 k", "100 k", "1 M", "1 G"]);
        assert_eq!([1, 3, 5, 6, 7].map(microseconds), ["10 µs", "1 ms", "100 ms", "1 s", "10 s"]);
    }
}
