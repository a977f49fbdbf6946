//! What the documents that the program prints are asked for.

use clap::Args;

use super::choices::{NamedValue, one_of, plain};

/// What completions are asked for.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell that reads them
    #[arg(value_parser = NamedValue::new(read_shell, || plain(Shell::ALL.map(Shell::name))))]
    pub shell: Shell,
}

/// A shell that completes command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// GNU Bash.
    Bash,
    /// The Z shell.
    Zsh,
    /// The friendly interactive shell.
    Fish,
    /// PowerShell.
    PowerShell,
    /// Nushell.
    Nushell,
}

impl Shell {
    /// Every shell.
    pub const ALL: [Self; 5] = [Self::Bash, Self::Zsh, Self::Fish, Self::PowerShell, Self::Nushell];

    /// The word for it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::PowerShell => "powershell",
            Self::Nushell => "nushell",
        }
    }
}

fn read_shell(text: &str) -> Result<Shell, String> {
    one_of(Shell::ALL, Shell::name, text)
}

/// What the manual is asked for.
#[derive(Debug, Args)]
pub struct Man {
    /// Which page: flockscope(1), the program, or flockscope-config(5), the file of settings
    #[arg(default_value = "flockscope", value_parser = NamedValue::new(read_page, || plain(Page::ALL.map(Page::name))))]
    pub page: Page,
}

/// A page of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// `flockscope(1)`, the program.
    Flockscope,
    /// `flockscope-config(5)`, the file of settings.
    Config,
}

impl Page {
    /// Every page.
    pub const ALL: [Self; 2] = [Self::Flockscope, Self::Config];

    /// The word for it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flockscope => "flockscope",
            Self::Config => "config",
        }
    }
}

fn read_page(text: &str) -> Result<Page, String> {
    // As manuals call it, too.
    let short = text.strip_prefix("flockscope-").unwrap_or(text);
    one_of(Page::ALL, Page::name, short)
}
