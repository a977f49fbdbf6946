//! The rows of a benchmark, as a text table or as JSON.

use std::io::Write;

use serde_json::Value;

use crate::config::ConfigError;

/// A column of the text table.
pub(super) struct TableColumn {
    pub title: &'static str,
    pub width: usize,
    /// The text of a cell, from the JSON object of its row.
    pub cell: fn(&Value) -> String,
}

/// Writes rows as they come.
pub(super) struct Table<'a, W> {
    out: &'a mut W,
    /// `None` for JSON.
    columns: Option<&'static [TableColumn]>,
}

impl<'a, W: Write> Table<'a, W> {
    /// Writes the header of a text table.
    pub(super) fn new(out: &'a mut W, json: bool, columns: &'static [TableColumn]) -> Result<Self, ConfigError> {
        let mut table = Self { out, columns: Some(columns).filter(|_| !json) };
        if !json {
            table.write_line(&aligned(columns, |column| column.title.to_owned()))?;
        }
        Ok(table)
    }

    pub(super) fn add(&mut self, row: &Value) -> Result<(), ConfigError> {
        let text = self.columns.map(|columns| aligned(columns, |column| (column.cell)(row)));
        self.write_line(&text.unwrap_or_else(|| row.to_string()))
    }

    /// Writes a line and flushes it: the next one may take a while.
    fn write_line(&mut self, line: &str) -> Result<(), ConfigError> {
        let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        written.map_err(ConfigError::io("-"))
    }
}

/// A line of cells that are aligned to the right.
fn aligned(columns: &[TableColumn], cell: impl Fn(&TableColumn) -> String) -> String {
    let cells = columns.iter().map(|column| format!("{:>width$}", cell(column), width = column.width));
    cells.collect::<Vec<_>>().join(" ")
}

/// A string without quotes; any other value as in JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A number with one digit after the decimal point.
pub(super) fn decimal(value: &Value) -> String {
    format!("{:.1}", value.as_f64().unwrap_or(f64::NAN))
}

/// A share in percent.
pub(super) fn percent(share: &Value) -> f64 {
    100.0 * share.as_f64().unwrap_or(f64::NAN)
}
