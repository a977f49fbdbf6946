//! Which line of a file is its header, and which columns are which. What is not clear is tried on the first rows.

use std::path::Path;

use super::ReadOptions;
use super::column_names::missing;
use super::header::{Header, LIKELIHOOD, Unfit};
use super::layouts::Unread;
use super::plan::Plan;
use super::proposals::proposals;
use super::rows::TableReader;
use super::table::{Candidate, Table, split};
use super::text::{Lines, lossy};
use super::unnamed;
use crate::error::{Error, Fault, ReadOption};
use crate::read::observations::Observations;
use crate::read::states::Column;
use crate::statistics::quantile;

/// The lines in which a header begins.
const PREAMBLE: usize = 60;
/// The most lines that are looked at, and about how many bytes.
const SAMPLE: (usize, usize) = (10_000, 4 << 20);
/// The most rows that a plan with a header is tried on.
const TRIED: usize = 1000;
/// The share of the rows of the most frequent body part that another one needs to be the position of the animals.
const FREQUENT: f64 = 0.95;
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
        let texts: Vec<&[u8]> = ahead.iter().map(|(_, line)| &**line).collect();
        let unread = texts.first().and_then(|line| Unread::of(&lossy(line)));
        // The header is the first line with most columns, if none fits.
        let mut likely: Option<(usize, Error)> = None;
        for (skipped, (number, _)) in ahead.iter().enumerate().take(PREAMBLE) {
            let comments = if skipped == 0 { &lines.comments[..] } else { &[] };
            let candidates = Candidate::all(&texts[skipped..], &texts[..skipped], comments);
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
                if candidate.names.iter().any(|name| name.text == "coords") {
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
pub(super) struct Sample<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) lines: &'a [(u64, Vec<u8>)],
    pub(super) opening: &'a Opening<'a>,
}

/// What the first rows are with a plan.
pub(super) struct Trial {
    /// The number of positions.
    positions: usize,
    /// The median step of the animals; `None` if none moves.
    pub(super) step: Option<f64>,
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
            values: &|column| self.values(column),
        };
        let plans = match header.plans() {
            Ok(plans) => plans,
            Err(Unfit::Fault(fault)) => return Err(fault),
            Err(Unfit::Lacking(_)) if self.candidate.is_numbered => return unnamed::plan(self, &header),
            Err(Unfit::Lacking(lacking)) => return Err(self.proposal(&header, &lacking)),
        };
        let is_filler = |plan: &Plan| self.trial(plan, TRIED).is_some_and(|trial| trial.is_filler);
        let at = if plans.len() > 1 { plans.iter().position(|plan| !is_filler(plan)) } else { None };
        let mut plan = plans.into_iter().nth(at.unwrap_or(0)).ok_or("the header has no columns")?;
        if header.body_part.is_some() {
            plan.parts.clear();
        } else if plan.parts.len() > 1 {
            plan = self.liveliest(&header, plan);
        }
        if !header.given.is_empty() && !plan.layout.program.is_empty() {
            let columns = plan.columns(header.names).join(", ");
            plan.notes.insert(0, columns.into());
        }
        Ok(plan)
    }

    /// The different values of a column.
    fn values(&self, column: usize) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for (_, line) in self.lines.iter().take(TRIED) {
            let value = split(self.candidate.separator, line).into_iter().nth(column).unwrap_or_default();
            if !value.is_empty() && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// The plan with the body part that moves most among those with most positions.
    fn liveliest(&self, header: &Header<'_>, plan: Plan) -> Plan {
        let with_part = |part: &String| {
            let plans = Header { body_part: Some(part), ..*header }.plans().ok()?;
            let plan = plans.into_iter().find(|other| std::ptr::eq(other.layout, plan.layout))?;
            let trial = self.trial(&plan, TRIED)?;
            Some((trial.positions as f64, trial.step.unwrap_or_default(), plan))
        };
        let found: Vec<(f64, f64, Plan)> = plan.parts.iter().filter_map(with_part).collect();
        let most = found.iter().map(|(positions, ..)| *positions).fold(0.0, f64::max);
        let frequent = found.into_iter().filter(|(positions, ..)| *positions >= FREQUENT * most);
        // The first one of several that move as far.
        let best = frequent.reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map_or(plan, |(.., plan)| plan)
    }

    /// Tries a plan on the first rows; `None` if they cannot be read with it.
    pub(super) fn trial(&self, plan: &Plan, rows: usize) -> Option<Trial> {
        let lines = &self.lines[..self.lines.len().min(rows)];
        let text: Vec<u8> = lines.iter().flat_map(|(_, line)| line).copied().collect();
        let table = Table::new(self.candidate, plan.clone(), lines, self.opening.options.skips_missing);
        let mut observations = Observations::default();
        let mut lines = Lines::new(&text[..], self.opening.file).ok()?;
        TableReader::new(self.opening.options).read(&mut lines, table, "", &mut observations).ok()?;
        observations.sort().ok()?;
        let rows = &observations.rows;
        let distance = |[from, to]: [usize; 2]| rows[from].distance(&rows[to]);
        let steps: Vec<f64> = observations.steps().map(distance).collect();
        let moves = steps.iter().any(|step| *step > 0.0);
        let mut rest = vec![true; observations.animals.count()];
        for (step, [_, to]) in steps.iter().zip(observations.steps()) {
            rest[rows[to].animal as usize] &= *step == 0.0;
        }
        let is_filler = rows.len() >= FILLERS && rows.iter().all(|row| row.position[..2] == rows[0].position[..2]);
        let (positions, has_resting) = (rows.len(), rest.contains(&true));
        Some(Trial { positions, step: quantile(steps, 0.5).filter(|_| moves), has_resting, is_filler })
    }

    /// The error for columns that a header lacks. It proposes names only if the first rows open with them, and else has the general form.
    fn proposal(&self, header: &Header<'_>, lacking: &[Column]) -> Fault {
        let with = |names: &str| {
            let given = header.given.with(names).ok()?;
            let plan = Header { given: &given, ..*header }.plans().ok()?.swap_remove(0);
            let trial = self.trial(&plan, TRIED)?;
            // The columns of an animal that never moves may be others.
            let is_likely = trial.step.is_some() && !(plan.templates.is_some() && trial.has_resting);
            is_likely.then(|| plan.columns(header.names).join(","))
        };
        let opening = proposals(lacking, header.names).iter().find_map(|names| with(&with(names)?));
        let (message, form) = missing(lacking, header.names);
        let effect = if lacking.len() == 1 { "names it" } else { "names them" };
        let names = opening.unwrap_or_else(|| match header.given.to_string() {
            given if given.is_empty() => form,
            given => format!("{given},{form}"),
        });
        Fault::with_help(message, ReadOption::Columns(names), effect)
    }
}
