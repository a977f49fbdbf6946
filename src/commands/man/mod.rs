//! The manual: a page for the program, and one for its file of settings, made from the command line as
//! clap has it and from both tables.

pub(crate) mod config;
pub(crate) mod options;
pub(crate) mod page;
pub(crate) mod program;

use super::args::Page;

/// A page, in the form that `man` reads.
#[must_use]
pub fn page(page: Page) -> String {
    match page {
        Page::Flockscope => program::page(),
        Page::Config => config::page(),
    }
}
