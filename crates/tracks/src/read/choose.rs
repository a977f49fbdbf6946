//! Which line of a file is its header, and which columns are which. What is not clear is tried on the first rows.

use std::path::Path;

use super::ReadOptions;
use super::column_names::missing;
use super::header::{Header, LIKELIHOOD};
use super::layouts::Unread;
use super::plan::Plan;
use super::planning::{Unfit, plans};
use super::proposals::proposals;
use super::sample::{Sample, TRIED};
use super::table::{Candidate, Table, split};
use super::text::{Lines, lossy};
use super::unnamed;
use crate::error::{Error, Fault, ReadOption};
use crate::read::states::Column;

/// The lines in which a header begins.
const PREAMBLE: usize = 60;
/// The most lines that are looked at, and about how many bytes.
const SAMPLE: (usize, usize) = (10_000, 4 << 20);
/// The share of the rows of the most frequent body part that another one needs to be the position of the animals.
const FREQUENT: f64 = 0.95;

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
                let Self { file, options, .. } = *self;
                let sample = Sample { candidate: &candidate, lines: &ahead[begin..], file, options };
                let error = match self.plan(&sample) {
                    Ok(plan) if unread.is_none() || !plan.layout.program.is_empty() => {
                        let table = Table::new(&candidate, plan, &ahead[begin..], self.options.skips_missing);
                        for _ in 0..begin {
                            lines.next()?;
                        }
                        return Ok(table);
                    }
                    Err(problem) if unread.is_none() => Error::line(self.file, *number, problem),
                    // The file begins like one that is not read, and no layout of a program fits it.
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
        let empty = Error::file(self.file, "the file is empty; expected a table with a header such as id,frame,x,y");
        Err(likely.map_or(empty, |(_, error)| error))
    }

    /// Finds the columns.
    fn plan(&self, sample: &Sample<'_>) -> Result<Plan, Fault> {
        let first = sample.lines.first().map(|(_, line)| split(sample.candidate.separator, line)).unwrap_or_default();
        let header = Header {
            names: &sample.candidate.names,
            given: &self.options.columns,
            body_part: self.body_part,
            likelihood: self.options.likelihood.unwrap_or(LIKELIHOOD),
            first: &first,
            values: &|column| sample.values(column),
        };
        let plans = match plans(&header) {
            Ok(plans) => plans,
            Err(Unfit::Fault(fault)) => return Err(fault),
            Err(Unfit::Lacking(_)) if sample.candidate.is_numbered => return unnamed::plan(sample, &header),
            Err(Unfit::Lacking(lacking)) => return Err(proposal(sample, &header, &lacking)),
        };
        let is_only = plans.len() == 1;
        let at =
            plans.iter().position(|plan| is_only || sample.trial(plan, TRIED).is_none_or(|trial| !trial.is_filler));
        let mut plan = plans.into_iter().nth(at.unwrap_or(0)).ok_or("the header has no columns")?;
        if header.body_part.is_some() {
            plan.parts.clear();
        } else if plan.parts.len() > 1 {
            plan = liveliest(sample, &header, plan);
        }
        if !header.given.is_empty() && !plan.layout.program.is_empty() {
            let columns = plan.columns(header.names).join(", ");
            plan.notes.insert(0, columns.into());
        }
        Ok(plan)
    }
}

/// The plan with the body part that moves most among those with most positions.
fn liveliest(sample: &Sample<'_>, header: &Header<'_>, plan: Plan) -> Plan {
    let found = plan.parts.iter().filter_map(|part| {
        let plans = plans(&Header { body_part: Some(part), ..*header }).ok()?;
        let plan = plans.into_iter().find(|other| std::ptr::eq(other.layout, plan.layout))?;
        let trial = sample.trial(&plan, TRIED)?;
        Some((trial.positions as f64, trial.step.unwrap_or_default(), plan))
    });
    let found: Vec<(f64, f64, Plan)> = found.collect();
    let most = found.iter().map(|(positions, ..)| *positions).fold(0.0, f64::max);
    let frequent = found.into_iter().filter(|(positions, ..)| *positions >= FREQUENT * most);
    // The first one of several that move as far.
    let best = frequent.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map_or(plan, |(.., plan)| plan)
}

/// The error for columns that a header lacks. It proposes names only if the first rows open with them, and else has the general form.
fn proposal(sample: &Sample<'_>, header: &Header<'_>, lacking: &[Column]) -> Fault {
    let with = |names: &str| {
        let given = header.given.with(names).ok()?;
        let plan = plans(&Header { given: &given, ..*header }).ok()?.swap_remove(0);
        let trial = sample.trial(&plan, TRIED)?;
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
