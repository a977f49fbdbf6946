//! Names of columns that may be meant where a header lacks the known ones. They are proposed only if they open the file.

use super::column_names::{HINTS, Name};
use crate::read::states::Column;

/// Words of x and of y at the same place of a name.
const AXES: [(&str, &str); 9] = [
    ("x", "y"),
    ("cx", "cy"),
    ("px", "py"),
    ("xc", "yc"),
    ("lon", "lat"),
    ("long", "lat"),
    ("longitude", "latitude"),
    ("east", "north"),
    ("easting", "northing"),
];
/// Words of numbers that have axes and are no positions.
const NO_POSITION: &str = "displacement velocity speed acceleration error std area size width height orientation step delta \
                           distance vel acc v direction trajectory";

/// Values of the option for columns that a header lacks, the likeliest first. All columns of coordinates are used.
pub(super) fn proposals(lacking: &[Column], names: &[Name]) -> Vec<String> {
    let hinted = |column: Column| {
        let words = HINTS.iter().filter(|(hinted, _)| *hinted == column).flat_map(|(_, words)| words.split(' '));
        let found = words.flat_map(|word| names.iter().filter(move |name| name.has_word(word)));
        found.map(|name| format!("{}={}", column.name(), name.text)).collect::<Vec<String>>()
    };
    let lacks = |column: Column| lacking.contains(&column);
    let ids = if lacks(Column::Id) { hinted(Column::Id) } else { Vec::new() };
    let times = if lacks(Column::Frame) { [hinted(Column::Frame), hinted(Column::Time)].concat() } else { Vec::new() };
    let position = if lacks(Column::X) || lacks(Column::Y) {
        let pairs: Vec<(&Name, &Name)> = partners(names).collect();
        match pairs[..] {
            [(x, y)] => Some(format!("x={},y={}", x.text, y.text)),
            _ => template(&pairs),
        }
    } else {
        None
    };
    let or_none = |found: &[String]| found.iter().cloned().map(Some).chain([None]).collect::<Vec<_>>();
    let both = or_none(&ids).into_iter().flat_map(|id| or_none(&times).into_iter().map(move |time| [id.clone(), time]));
    let all = both.map(|[id, time]| [id, time, position.clone()].into_iter().flatten().collect::<Vec<_>>().join(","));
    all.filter(|names| !names.is_empty()).collect()
}

/// The index of the partner of each name of an x.
fn partners(names: &[Name]) -> impl Iterator<Item = (&Name, &Name)> {
    names.iter().filter(|name| !name.has_word(NO_POSITION)).filter_map(move |x| {
        let partner = |(of_x, of_y): &(&str, &str)| {
            let y = x.with_word(of_x, of_y)?;
            names.iter().find(|name| name.is(&y))
        };
        Some((x, AXES.iter().find_map(partner)?))
    })
}

/// The names of x and y of several animals with `*` in place of the animal, if there is one way to read all of them.
fn template(pairs: &[(&Name, &Name)]) -> Option<String> {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    for (x, y) in pairs {
        for (at, _) in x.text.char_indices().filter(|(_, character)| !character.is_alphanumeric()) {
            let ends = (x.text.get(at..), y.text.get(at..));
            let begins = (x.text.get(..=at), y.text.get(..=at));
            let wide = [
                (ends.0.map(|end| format!("*{end}")), ends.1.map(|end| format!("*{end}"))),
                (begins.0.map(|begin| format!("{begin}*")), begins.1.map(|begin| format!("{begin}*"))),
            ];
            for (x, y) in wide.into_iter().filter_map(|(x, y)| Some((x?, y?))).filter(|(x, y)| x != y) {
                let has_animal = |(a, b): &&(&Name, &Name)| a.key(&x).is_some() && a.key(&x) == b.key(&y);
                let count = pairs.iter().filter(has_animal).count();
                if count > 1 {
                    found.push((count, x.len(), format!("x={x},y={y}")));
                }
            }
        }
    }
    // Body parts or cameras, for example, make several ways.
    let takes_all = found.iter().all(|(count, ..)| *count == pairs.len());
    found.into_iter().filter(|_| takes_all).max_by_key(|(_, length, _)| *length).map(|(.., names)| names)
}
