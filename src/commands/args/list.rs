//! What a list is asked for.

use clap::{Args, Subcommand};

/// A list, or one of its entries.
#[derive(Debug, Args)]
pub struct List {
    /// What of it
    #[command(subcommand)]
    pub show: Option<ListCommand>,
}

impl List {
    /// The name of the entry, where one is wanted.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.show.as_ref().map(|ListCommand::Show { name }| name.as_str())
    }
}

/// One entry of a list.
#[derive(Debug, Subcommand)]
pub enum ListCommand {
    /// Print one as it would stand in a file
    Show {
        /// Which
        name: String,
    },
}
