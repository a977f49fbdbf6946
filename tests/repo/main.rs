//! The repository: layers of the code, examples, documents, fuzz corpora, minimum Rust version, packaging.

#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/terminal.rs"]
mod terminal;

#[cfg(unix)]
mod commands;
mod documents;
mod examples;
mod fuzz_corpus;
mod layers;
mod minimum_rust;
#[cfg(unix)]
mod packaging;
mod reference_pages;
