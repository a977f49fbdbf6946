//! How the program speaks of what went wrong: a sentence where somebody else must change something, a report
//! where it is the program's own fault.

use std::io::{self, Write};
use std::process::ExitCode;

use color_eyre::config::HookBuilder;
use color_eyre::eyre::Report;

use super::{log, version};
use crate::config;
use crate::terminal::tty;

/// From now on a panic, on any thread, is written to the log, gives the terminal back, is reported there, and ends the
/// viewer.
pub fn install_panic_hook() {
    // Not for errors: nobody is shown the way that led to them, and to find its names takes a while.
    let (panics, _) = HookBuilder::default().display_env_section(false).into_hooks();
    std::panic::set_hook(Box::new(move |panic| {
        log::tell(panic);
        // It may take a while.
        let report = format!("{}\n\n{}\n", panics.panic_report(panic), bug_report_request());
        tty::restore_for_good();
        // The report waits for the terminal too.
        tty::finish_restore(None);
        // Where nobody can be told, a second panic would be the end of good order.
        let _ = io::stderr().write_all(report.as_bytes());
        tty::mark_panic_reported();
    }));
}

/// What a report of a fault should have with it.
fn bug_report_request() -> String {
    let seed = config::current_seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let log = match log::file() {
        Some(path) => format!("the log, {}", path.display().to_string().escape_debug()),
        None => "a log (--log-file FILE, if it happens again)".to_owned(),
    };
    let program = version::long().replace('\n', "; ");
    format!(
        "This is a fault of flockscope's, and a report of it helps. Please add the text above, the command, \
         {log}, and this: flockscope {program}{seed}"
    )
}

/// One sentence on standard error, and the exit status; a reader who has gone is no error.
pub fn print_error(report: &Report) -> ExitCode {
    if config::is_closed_pipe(report.as_ref()) {
        return ExitCode::SUCCESS;
    }
    tracing::error!(error = report.to_string(), "failed");
    let error = report.downcast_ref::<config::Error>();
    let place = error.and_then(config::Error::excerpt).map(|place| format!("\n{place}")).unwrap_or_default();
    // Names and values come from files and the environment.
    let _ =
        writeln!(io::stderr(), "flockscope: {}{place}", config::shorten(&config::escape_control(&report.to_string())));
    let usage = error.is_some_and(config::Error::is_usage);
    ExitCode::from(if usage { 2 } else { 1 })
}
