//! The comparison as a picture: nodes over depth on a logarithmic scale, one line a method.

use super::{Method, Row};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 5] = ["#b3261e", "#e07b00", "#2e7d32", "#1565c0", "#6a1b9a"];

/// The picture as SVG. `rows` hold the mean nodes of a method at a depth.
pub fn svg(rows: &[Row]) -> String {
    let depths = rows.iter().map(|row| row.depth).max().unwrap_or(1).max(2);
    let most = rows.iter().map(|row| row.nodes).fold(10.0, f64::max);
    let decades = most.log10().ceil().max(1.0);
    let x = |depth: u32| LEFT + f64::from(depth - 1) / f64::from(depths - 1) * (WIDTH - LEFT - RIGHT);
    let y = |nodes: f64| HEIGHT - BOTTOM - nodes.max(1.0).log10() / decades * (HEIGHT - TOP - BOTTOM);
    let mut parts = vec![
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">"#
        ),
        format!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>"#),
        text(LEFT, TOP - 16.0, "start", "positions looked at, mean of a search"),
    ];
    for decade in 0..=decades as i32 {
        let (here, end) = (y(10f64.powi(decade)), WIDTH - RIGHT);
        parts
            .push(format!(r##"<line x1="{LEFT}" y1="{here:.1}" x2="{end}" y2="{here:.1}" stroke="#ddd"/>"##));
        parts.push(text(LEFT - 8.0, here + 4.0, "end", &power_of_ten(decade)));
    }
    for depth in 1..=depths {
        parts.push(text(x(depth), HEIGHT - BOTTOM + 20.0, "middle", &depth.to_string()));
    }
    parts.push(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0, "middle", "depth"));
    for (method, color) in Method::ALL.into_iter().zip(COLORS) {
        let of_method: Vec<&Row> = rows.iter().filter(|row| row.method == method).collect();
        let points: Vec<String> =
            of_method.iter().map(|row| format!("{:.1},{:.1}", x(row.depth), y(row.nodes))).collect();
        parts.push(format!(
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2.5"/>"#,
            points.join(" ")
        ));
        for row in &of_method {
            parts.push(format!(
                r#"<circle cx="{:.1}" cy="{:.1}" r="3.5" fill="{color}"/>"#,
                x(row.depth),
                y(row.nodes)
            ));
        }
    }
    legend(rows, &mut parts);
    parts.push("</svg>\n".to_string());
    parts.join("\n")
}

/// The names of the methods, in the order in which their lines end, so that none covers another.
fn legend(rows: &[Row], parts: &mut Vec<String>) {
    for (index, (method, color)) in Method::ALL.into_iter().zip(COLORS).enumerate() {
        if rows.iter().any(|row| row.method == method) {
            let (left, here) = (WIDTH - RIGHT + 22.0, TOP + 10.0 + 24.0 * index as f64);
            parts.push(format!(
                r#"<rect x="{left}" y="{:.1}" width="14" height="14" fill="{color}"/>"#,
                here - 11.0
            ));
            parts.push(text(left + 22.0, here, "start", method.name()));
        }
    }
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!(r##"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="#222">{words}</text>"##)
}

fn power_of_ten(decade: i32) -> String {
    match decade {
        0..=2 => 10u32.pow(decade as u32).to_string(),
        3..=5 => format!("{} k", 10u32.pow(decade as u32 - 3)),
        _ => format!("{} M", 10u64.pow(decade as u32 - 6)),
    }
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
        assert_eq!(picture.matches("<polyline").count(), 5);
        assert_eq!(picture.matches("<circle").count(), 15);
        assert!(Method::ALL.iter().all(|method| picture.contains(method.name())));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    }
}
