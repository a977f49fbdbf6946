//! The program as a process: what it reads, prints and writes.

#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/terminal.rs"]
mod terminal;
#[path = "../common/tools.rs"]
mod tools;

#[cfg(unix)]
mod bad_input;
mod bench;
mod breed;
mod commands;
mod completions;
mod config;
mod csv;
mod fit;
mod formats;
mod help;
mod keys;
mod layouts;
mod lesson;
mod log;
mod looks;
mod manual;
mod measures;
mod metadata;
mod npz;
mod record;
mod recordings;
mod sessions;
mod sweep;
mod themes;
#[cfg(unix)]
mod user_files;
mod zone_flag;
