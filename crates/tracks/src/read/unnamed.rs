//! The plan of a file without a header, whose columns are numbers: by layouts, and by what the first rows hold.

use super::evidence::{Evidence, Known, Reading};
use super::header::Header;
use super::layouts::{LAYOUTS, Layout};
use super::plan::Plan;
use super::planning::{numbered_plan, plans};
use super::sample::{FILLERS, Sample};
use super::table::split;
use crate::error::{Fault, Note, ReadOption};
use crate::read::states::Column;

/// The most columns whose meaning is searched for: each pair of columns could be x and y.
const MAX_UNNAMED: usize = 64;
/// The factor by which steps are shorter if id and frame are not exchanged.
const EXCHANGED: f64 = 3.0;
/// By how much frames are less regular if they are animals.
const IRREGULAR: f64 = 0.05;
/// The general form of the option.
const FORM: &str = "id=NUMBER,frame=NUMBER,x=NUMBER,y=NUMBER";

/// A reading, its plan, and the median step of the animals.
struct Found {
    reading: Reading,
    plan: Plan,
    step: f64,
}

/// Finds the columns of a file without a header.
pub(super) fn plan(sample: &Sample<'_>, header: &Header<'_>) -> Result<Plan, Fault> {
    let count = header.names.len();
    let rows: Vec<Vec<String>> = sample.lines.iter().map(|(_, line)| split(sample.candidate.separator, line)).collect();
    let wanted = [Column::Id, Column::Frame, Column::Time, Column::X, Column::Y];
    let [id, frame, time, x, y] =
        wanted.map(|column| Some(header.given.find(column.name(), header.names).ok()??.index));
    let known = Known { id, at: frame.or(time), position: [x, y] };
    if count > MAX_UNNAMED && (x.is_none() || y.is_none()) {
        let message = format!("the file has no header and {count} columns; expected names for more than {MAX_UNNAMED}");
        return Err(Fault::with_help(message, ReadOption::Columns(FORM.to_owned()), "names them"));
    }
    let evidence = Evidence::of(&rows, sample.candidate.separator.allows_decimal_comma());
    let tried = |reading: Reading, plan: Plan| {
        let step = sample.trial(&plan, usize::MAX)?.step?;
        Some(Found { reading, plan, step })
    };
    let mut found: Vec<Found> = Vec::new();
    for layout in LAYOUTS.iter().filter(|layout| layout.columns == Some(count) && fits(layout, &evidence)) {
        let Some(plan) = numbered_plan(header, layout) else { continue };
        let (Some(id), Some(frame), [Some(x), Some(y), _]) = (plan.id, plan.frame, plan.animals[0].position) else {
            continue;
        };
        if let Some(regularity) = evidence.regularity(Some(id.index), frame.index) {
            found.extend(tried(Reading::of(id.index, frame.index, [x.index, y.index], regularity), plan));
        }
    }
    // A layout says which columns are coordinates. Its animals and frames may be exchanged.
    let by_layout = found.first().map(|found| (found.reading.id, found.reading.at));
    let mut readings = evidence.readings(&known);
    readings.retain(|reading| by_layout.is_none_or(|(id, at)| (reading.id, Some(reading.at)) == (Some(at), id)));
    for reading in readings {
        let names = header.given.with(&reading.names())?;
        if let Ok(mut plans) = plans(&Header { given: &names, ..*header }) {
            found.extend(tried(reading, plans.swap_remove(0)));
        }
    }
    let found = likeliest(found);
    let form = |message: String| Fault::with_help(message, ReadOption::Columns(FORM.to_owned()), "names its columns");
    match &found[..] {
        // Few rows say nothing.
        [] if count >= 4 && rows.len() < FILLERS => Err(form(format!("the file has no header and {count} columns"))),
        [] => Err(form(format!("the file has no header, and what its {count} columns are is not clear"))),
        [Found { plan, reading, .. }] => {
            let columns = plan.columns(header.names).join(", ");
            let mut plan = plan.clone();
            plan.notes.insert(0, Note::from(format!("no header, {columns}")));
            // Of successive seconds, one in sixty jumps from 59 to 100.
            if reading.regularity < 1.0 && evidence.is_time_of_day(reading.at) {
                let text =
                    format!("column {} may have times of day such as 235959, and is read as numbers", reading.at + 1);
                plan.notes.push(text.into());
            }
            Ok(plan)
        }
        // None of them takes the columns of all animals.
        _ => {
            let names: Vec<String> = found.iter().map(|found| found.reading.names()).collect();
            let names = names.join(" or as ");
            Err(form(format!("the file has no header, and its {count} columns can be read as {names}")))
        }
    }
}

/// Whether the columns hold what those of a layout do.
fn fits(layout: &Layout, evidence: &Evidence<'_>) -> bool {
    let of = |list: &str| list.split_whitespace().filter_map(|number| number.parse::<usize>().ok()).collect::<Vec<_>>();
    let corner: Vec<(usize, usize)> =
        of(&layout.corner).into_iter().zip([of(&layout.x), of(&layout.y)].concat()).collect();
    of(&layout.id).into_iter().all(|column| evidence.numbers(column - 1).is_some())
        && of(&layout.constant).into_iter().all(|column| evidence.is_constant(column - 1))
        && of(&layout.size).into_iter().all(|column| evidence.is_above(column - 1, None))
        && corner.into_iter().all(|(far, near)| evidence.is_above(far - 1, Some(near - 1)))
}

/// The readings of the best rank whose steps are not far longer than the shortest ones.
fn likeliest(mut found: Vec<Found>) -> Vec<Found> {
    let rank = found.iter().map(|found| found.reading.rank).min();
    found.retain(|found| Some(found.reading.rank) == rank);
    let shortest = found.iter().min_by(|a, b| a.step.total_cmp(&b.step));
    let Some((best, shortest)) = shortest.map(|found| (found.reading.clone(), found.step)) else { return found };
    found.retain(|Found { reading, step, .. }| {
        let is_same = (reading.id, reading.at) == (best.id, best.at);
        is_same || *step < EXCHANGED * shortest && reading.regularity > best.regularity - IRREGULAR
    });
    found
}
