//! Which line of a file is its header, and which columns are which. What is not clear is tried on the first rows.

use std::path::Path;

use super::ReadOptions;
use super::column_names::missing;
use super::evidence::{Evidence, Known, Reading};
use super::header::{Header, LIKELIHOOD, Plan, Unfit};
use super::layouts::{LAYOUTS, Unread};
use super::rows::TableReader;
use super::suggestions::suggestions;
use super::table::{Candidate, Table, split};
use super::text::{Lines, lossy};
use crate::error::{Error, Fault, Note, ReadOption};
use crate::read::observations::{Observations, quantile};
use crate::read::states::Column;

/// The lines in which a header begins.
const PREAMBLE: usize = 60;
/// The most lines that are looked at, and about how many bytes.
const SAMPLE: (usize, usize) = (10_000, 4 << 20);
/// The most columns of a file without a header whose meaning is searched for: each pair of columns could be x and y.
const MAX_UNNAMED: usize = 64;
/// The most rows that a plan with a header is tried on.
const TRIED: usize = 1000;
/// By how much the steps are shorter if id and frame are not exchanged.
const EXCHANGED: f64 = 3.0;
/// By how much frames are less regular if they are animals.
const IRREGULAR: f64 = 0.05;
/// The fewest rows from which a constant position is no coordinate.
pub(super) const FILLERS: usize = 3;

/// The first lines of a file, and how it is read.
pub(super) struct Opening<'a> {
    pub(super) file: &'a Path,
    pub(super) options: &'a ReadOptions,
    pub(super) body_part: Option<&'a str>,
}

impl Opening<'_> {
    /// Reads the header.
    pub(super) fn table(&self, lines: &mut Lines<'_>) -> Result<Table, Error> {
        let ahead = lines.peek(SAMPLE.0, SAMPLE.1)?.to_vec();
        let unread = ahead.first().and_then(|(_, line)| Unread::of(&lossy(line)));
        // The header is the first line with most columns, if none fits.
        let mut likely: Option<(usize, Error)> = None;
        for (skipped, (number, _)) in ahead.iter().enumerate().take(PREAMBLE) {
            let rest = ahead[skipped..].iter().map(|(_, line)| &**line);
            let candidates = Candidate::all(rest, if skipped == 0 { &lines.comments } else { &[] });
            // Numbers after a header are no columns.
            for candidate in candidates.into_iter().filter(|candidate| skipped == 0 || candidate.rows > 0) {
                let begin = skipped + candidate.rows;
                let sample = Sample { candidate: &candidate, lines: &ahead[begin..], opening: self };
                let error = match sample.plan() {
                    Ok(plan) if unread.is_none() || !plan.layout.program.is_empty() => {
                        let table = Table::new(&candidate, plan, &ahead[begin..], self.options.skips_missing);
                        for _ in 0..begin {
                            lines.next()?;
                        }
                        return Ok(table);
                    }
                    Err(problem) if unread.is_none() => Error::line(self.file, *number, problem),
                    _ => break,
                };
                // The axes in a header of several rows are not a separate header.
                if candidate.rows > 1 {
                    return Err(error);
                }
                if likely.as_ref().is_none_or(|(most, _)| *most < candidate.names.len()) {
                    likely = Some((candidate.names.len(), error));
                }
            }
        }
        if let Some(Unread { program, instead, .. }) = unread {
            let message = format!("this looks like a file of {program}, which is not read; {instead}");
            return Err(Error::file(self.file, message));
        }
        let empty = || Error::file(self.file, "the file is empty; expected a table with a header such as id,frame,x,y");
        Err(likely.map_or_else(empty, |(_, error)| error))
    }
}

/// The first rows after what may be a header.
struct Sample<'a> {
    candidate: &'a Candidate,
    lines: &'a [(u64, Vec<u8>)],
    opening: &'a Opening<'a>,
}

/// What the first rows are with a plan.
struct Trial {
    /// The median step of the animals; `None` if none moves.
    step: Option<f64>,
    /// Whether an animal does not move.
    has_resting: bool,
    /// Whether all positions are the same.
    is_filler: bool,
}

impl Sample<'_> {
    /// Finds the columns.
    fn plan(&self) -> Result<Plan, Fault> {
        let first = self.lines.first().map(|(_, line)| split(self.candidate.separator, line)).unwrap_or_default();
        let header = Header {
            names: &self.candidate.names,
            given: &self.opening.options.columns,
            body_part: self.opening.body_part,
            likelihood: self.opening.options.likelihood.unwrap_or(LIKELIHOOD),
            first: &first,
        };
        match header.plans() {
            Ok(mut plans) => {
                let is_filler = |plan: &Plan| self.trial(plan, TRIED).is_some_and(|trial| trial.is_filler);
                let at = if plans.len() > 1 { plans.iter().position(|plan| !is_filler(plan)) } else { None };
                let mut plan = plans.swap_remove(at.unwrap_or(0));
                if !header.given.is_empty() && !plan.layout.program.is_empty() {
                    let used = plan.used(header.names);
                    plan.notes.insert(0, used.into());
                }
                Ok(plan)
            }
            Err(Unfit::Fault(fault)) => Err(fault),
            Err(Unfit::Lacking(_)) if self.candidate.is_numbered => self.plan_by_numbers(&header),
            Err(Unfit::Lacking(lacking)) => Err(self.suggestion(&header, &lacking)),
        }
    }

    fn trial(&self, plan: &Plan, rows: usize) -> Option<Trial> {
        self.trial_with(plan, rows, self.opening.options.skips_missing)
    }

    /// Tries a plan on the first rows; `None` if they cannot be read with it.
    fn trial_with(&self, plan: &Plan, rows: usize, skips_missing: bool) -> Option<Trial> {
        let lines = &self.lines[..self.lines.len().min(rows)];
        let text: Vec<u8> = lines.iter().flat_map(|(_, line)| line).copied().collect();
        let options = ReadOptions { skips_missing, ..self.opening.options.clone() };
        let table = Table::new(self.candidate, plan.clone(), lines, skips_missing);
        let mut observations = Observations::default();
        let mut lines = Lines::new(&text[..], self.opening.file).ok()?;
        TableReader::new(&options).read(&mut lines, table, "", &mut observations).ok()?;
        observations.sort().ok()?;
        let rows = &observations.rows;
        let distance = |[from, to]: [usize; 2]| {
            let squares = [0, 1, 2].map(|axis| (rows[to].position[axis] - rows[from].position[axis]).powi(2));
            squares.iter().sum::<f64>().sqrt()
        };
        let steps: Vec<f64> = observations.steps().map(distance).collect();
        let moves = steps.iter().any(|step| *step > 0.0);
        let mut rest = vec![true; observations.animals.count()];
        for (step, [_, to]) in steps.iter().zip(observations.steps()) {
            rest[rows[to].animal as usize] &= *step == 0.0;
        }
        let is_filler = rows.len() >= FILLERS && rows.iter().all(|row| row.position[..2] == rows[0].position[..2]);
        let has_resting = rest.contains(&true);
        Some(Trial { step: quantile(steps, 0.5).filter(|_| moves), has_resting, is_filler })
    }

    /// Finds the columns of a file without a header.
    fn plan_by_numbers(&self, header: &Header<'_>) -> Result<Plan, Fault> {
        let rows: Vec<Vec<String>> = self.lines.iter().map(|(_, line)| split(self.candidate.separator, line)).collect();
        let place = |column: Column| header.given.find(column.name(), header.names).ok().flatten();
        let [id, frame, time, x, y] =
            [Column::Id, Column::Frame, Column::Time, Column::X, Column::Y].map(|column| Some(place(column)?.index));
        let known = Known { id, at: frame.or(time), position: [x, y] };
        let count = header.names.len();
        if count > MAX_UNNAMED && (x.is_none() || y.is_none()) {
            let message =
                format!("the file has no header and {count} columns; expected names for more than {MAX_UNNAMED}");
            let option = ReadOption::Columns("id=1,frame=2,x=3,y=4".to_owned());
            return Err(Fault::with_help(message, option, "is an example"));
        }
        let evidence = Evidence::of(&rows, self.candidate.separator.allows_decimal_comma());

        let mut found: Vec<(Reading, Plan, f64)> = Vec::new();
        let tried = |reading: Reading, plan: Plan| {
            let step = self.trial(&plan, usize::MAX)?.step?;
            Some((reading, plan, step))
        };
        for layout in LAYOUTS.iter().filter(|layout| layout.columns == Some(header.names.len())) {
            let numbers =
                |list: &'static str| list.split_whitespace().filter_map(|number| number.parse::<usize>().ok());
            let corner = numbers(&layout.corner).zip([&layout.x, &layout.y].into_iter().flat_map(|axis| numbers(axis)));
            if !numbers(&layout.constant).all(|column| evidence.is_constant(column - 1))
                || !numbers(&layout.size).all(|column| evidence.is_above(column - 1, None))
                || !corner.into_iter().all(|(far, near)| evidence.is_above(far - 1, Some(near - 1)))
            {
                continue;
            }
            let Some(plan) = header.numbered_plan(layout) else { continue };
            let (Some(id), Some(frame), [Some(x), Some(y), _]) = (plan.id, plan.frame, plan.animals[0].position) else {
                continue;
            };
            if let Some(regularity) = evidence.regularity(Some(id.index), frame.index) {
                found.extend(tried(Reading::of(id.index, frame.index, [x.index, y.index], regularity), plan));
            }
        }
        // A layout says which columns are coordinates. Its animals and frames may be exchanged.
        let by_layout = found.first().map(|(reading, ..)| (reading.id, reading.at));
        let competes =
            |reading: &Reading| by_layout.is_none_or(|(id, at)| (reading.id, Some(reading.at)) == (Some(at), id));
        for reading in evidence.readings(&known).into_iter().filter(competes) {
            let names = header.given.with(&reading.names())?;
            let header = Header { given: &names, ..*header };
            if let Ok(plan) = header.plans().map(|mut plans| plans.swap_remove(0)) {
                found.extend(tried(reading, plan));
            }
        }
        let rank = found.iter().map(|(reading, ..)| reading.rank).min();
        found.retain(|(reading, ..)| Some(reading.rank) == rank);
        let shortest = found.iter().min_by(|a, b| a.2.total_cmp(&b.2));
        let shortest = shortest.map(|(reading, _, step)| (reading.clone(), *step));
        found.retain(|(reading, _, step)| {
            shortest.as_ref().is_some_and(|(best, shortest)| {
                let is_same = (reading.id, reading.at) == (best.id, best.at);
                is_same || *step < EXCHANGED * shortest && reading.regularity > best.regularity - IRREGULAR
            })
        });
        match &mut found[..] {
            [] => {
                let message = format!("the file has no header; name its {count} columns by their numbers");
                let option = ReadOption::Columns("id=1,frame=2,x=3,y=4".to_owned());
                // Few rows say nothing.
                let is_short = count >= 4 && rows.len() < FILLERS;
                Err(if is_short { Fault::with_help(message, option, "is an example") } else { message.into() })
            }
            [(_, plan, _)] => {
                let used = plan.used(header.names);
                plan.notes.insert(0, Note::from(format!("no header, {used}")));
                Ok(plan.clone())
            }
            [first, ..] => {
                let first = first.0.names();
                let names: Vec<String> = found.iter().map(|(reading, ..)| reading.names()).collect();
                let message =
                    format!("the file has no header, and its {count} columns can be read as {}", names.join(" or as "));
                Err(Fault::with_help(message, ReadOption::Columns(first), "chooses the first of them"))
            }
        }
    }

    /// The error for columns that a header lacks, with names that open the file.
    fn suggestion(&self, header: &Header<'_>, lacking: &[Column]) -> Fault {
        let (message, guess) = missing(lacking, header.names);
        let effect = if lacking.len() == 1 { "names it" } else { "names them" };
        let opens = |names: &String, skips_missing: bool| {
            let Ok(given) = header.given.with(names) else { return false };
            let header = Header { given: &given, ..*header };
            let plan = header.plans().ok().map(|mut plans| plans.swap_remove(0));
            let trial = plan.and_then(|plan| self.trial_with(&plan, TRIED, skips_missing));
            // The columns of an animal that never moves may be others.
            trial.is_some_and(|trial| trial.step.is_some() && !(names.contains('*') && trial.has_resting))
        };
        let suggestions = suggestions(lacking, header.names);
        let best = |skips_missing: bool| suggestions.iter().find(|names| opens(names, skips_missing));
        let is_position = |column: &Column| matches!(column, Column::X | Column::Y);
        let names = match best(self.opening.options.skips_missing).or_else(|| best(true)) {
            Some(names) => names.clone(),
            // Few rows say nothing, and the user may know the rest.
            None if self.lines.len() < FILLERS || !lacking.iter().any(is_position) => guess,
            None => "COLUMN=NAME,…".to_owned(),
        };
        let given = header.given.to_string();
        let is_given = |name: &str| given.split(',').any(|given| given.split('=').next() == name.split('=').next());
        let others = names.split(',').filter(|name| !is_given(name));
        let names = given.split(',').filter(|name| !name.is_empty()).chain(others).collect::<Vec<_>>().join(",");
        Fault::with_help(message, ReadOption::Columns(names), effect)
    }
}
