//! Names of columns that may be meant where a header lacks the known ones. They are proposed only if they open the file.

use super::column_names::{HINTS, Name};
use crate::read::states::Column;

/// Words of x and of y at the same place of a name, beside names that differ in `x` and `y` alone.
const AXES: [(&str, &str); 5] =
    [("lon", "lat"), ("long", "lat"), ("longitude", "latitude"), ("east", "north"), ("easting", "northing")];
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
    let pairs: Vec<(&Name, &Name)> = partners(names).filter(|_| lacks(Column::X) || lacks(Column::Y)).collect();
    let position = match pairs[..] {
        [(x, y)] => Some((x.text.clone(), y.text.clone())),
        _ => template(&pairs),
    };
    let position = position.map(|(x, y)| {
        let z = third(&x, &y).filter(|z| names.iter().any(|name| name.text == *z || name.key(z).is_some()));
        format!("x={x},y={y}{}", z.map_or(String::new(), |z| format!(",z={z}")))
    });
    let or_none = |found: &[String]| found.iter().cloned().map(Some).chain([None]).collect::<Vec<_>>();
    let both = or_none(&ids).into_iter().flat_map(|id| or_none(&times).into_iter().map(move |time| [id.clone(), time]));
    let all = both.map(|[id, time]| [id, time, position.clone()].into_iter().flatten().collect::<Vec<_>>().join(","));
    all.filter(|names| !names.is_empty()).collect()
}

/// The partner of each name of an x: one that differs in `x` and `y` alone, or in words.
pub(super) fn partners(names: &[Name]) -> impl Iterator<Item = (&Name, &Name)> {
    names.iter().filter(|name| !name.has_word(NO_POSITION)).filter_map(move |x| {
        let mut of_words = AXES.iter().filter_map(|(of_x, of_y)| x.with_word(of_x, of_y));
        let by_letter = names.iter().find(|y| third(&x.text, &y.text).is_some());
        Some((x, by_letter.or_else(|| of_words.find_map(|y| names.iter().find(|name| name.is(&y))))?))
    })
}

/// The name of z beside those of x and y that differ in this letter alone.
fn third(x: &str, y: &str) -> Option<String> {
    let ((at, letter), other) = x.char_indices().zip(y.chars()).find(|((_, x), y)| x != y)?;
    let z = [('x', 'y', 'z'), ('X', 'Y', 'Z')].into_iter().find(|(x, y, _)| (letter, other) == (*x, *y))?.2;
    (x.get(at + 1..) == y.get(at + 1..)).then(|| format!("{}{z}{}", &x[..at], &x[at + 1..]))
}

/// The names of x and y of several animals with `*` in place of the animal, if there is one way to read all of them.
fn template(pairs: &[(&Name, &Name)]) -> Option<(String, String)> {
    let mut found: Vec<(usize, (String, String))> = Vec::new();
    for (x, y) in pairs {
        for (at, _) in x.text.char_indices().filter(|(_, character)| !character.is_alphanumeric()) {
            let ends = (x.text.get(at..), y.text.get(at..));
            let begins = (x.text.get(..=at), y.text.get(..=at));
            let wide = [
                (ends.0.map(|end| format!("*{end}")), ends.1.map(|end| format!("*{end}"))),
                (begins.0.map(|begin| format!("{begin}*")), begins.1.map(|begin| format!("{begin}*"))),
            ];
            for (x, y) in wide.into_iter().filter_map(|(x, y)| Some((x?, y?))).filter(|(x, y)| x != y) {
                let count = pairs.iter().filter(|(a, b)| a.key(&x).is_some() && a.key(&x) == b.key(&y)).count();
                if count > 1 {
                    found.push((count, (x, y)));
                }
            }
        }
    }
    // Body parts or cameras, for example, make several ways.
    let takes_all = found.iter().all(|(count, ..)| *count == pairs.len());
    found.into_iter().filter(|_| takes_all).map(|(_, names)| names).max_by_key(|(x, _)| x.len())
}
