//! How many colors the terminal has, and its background, according to the environment.

use std::collections::HashMap;
use std::env;
use std::sync::OnceLock;

use termini::{NumberCapability, TermInfo};
use termprofile::{DetectorSettings, IsTerminal, TermProfile, TermVars};

use crate::picture::{ColorDepth, Rgb, xterm};

/// The variables to look at. Others that termprofile knows are about build servers.
const VARIABLES: [&str; 10] = [
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "ConEmuANSI",
    "ANSICON",
];

/// Standard output, which is a terminal if this is asked.
struct Terminal;

impl IsTerminal for Terminal {
    fn is_terminal(&self) -> bool {
        true
    }
}

/// Detects the depth from the environment.
pub(crate) fn color_depth_from_env() -> ColorDepth {
    // terminfo is read in a thousand small pieces.
    static DETECTED: OnceLock<ColorDepth> = OnceLock::new();
    *DETECTED.get_or_init(|| {
        let variables = VARIABLES.iter().filter_map(|name| Some(((*name).to_owned(), env::var(name).ok()?)));
        depth(variables.collect())
    })
}

fn depth(mut environment: HashMap<String, String>) -> ColorDepth {
    if let Some(forced) = environment.get_mut("FORCE_COLOR") {
        match forced.as_str() {
            "0" | "false" | "no_color" => return ColorDepth::Mono,
            // Levels that many programs know. termprofile has names for them.
            "2" => "ansi256".clone_into(forced),
            "3" => "truecolor".clone_into(forced),
            _ => {}
        }
    }
    let var = |name: &str| environment.get(name).map_or("", String::as_str);
    // Other variables do not change what such a terminal can do.
    if var("TERM") == "dumb" {
        return ColorDepth::Mono;
    }
    // A slash would lead out of terminfo's folders.
    // `tmux info` would be another program, and what tmux supports it also tells by COLORTERM and DECRQSS.
    let term = Some(var("TERM")).filter(|term| !term.contains(['/', '\\']));
    let settings = DetectorSettings::new().enable_terminfo(term.is_some()).enable_tmux_info(false);
    let profile = TermProfile::detect_with_vars(TermVars::from_source(&environment, &Terminal, settings));
    // tmux converts colors for terminals that have fewer.
    let in_tmux = !var("TMUX").is_empty() && ["tmux", "screen"].iter().any(|name| var("TERM").starts_with(name));
    let has_truecolor = in_tmux && matches!(var("COLORTERM"), "truecolor" | "24bit");
    let depth = match profile {
        TermProfile::Ansi256 if has_truecolor => ColorDepth::Truecolor,
        TermProfile::NoTty | TermProfile::NoColor if var("NO_COLOR").is_empty() => ColorDepth::Colors16,
        TermProfile::NoTty | TermProfile::NoColor => ColorDepth::Mono,
        TermProfile::Ansi16 => ColorDepth::Colors16,
        TermProfile::Ansi256 => ColorDepth::Colors256,
        TermProfile::TrueColor => ColorDepth::Truecolor,
    };
    let says_more = ["COLORTERM", "FORCE_COLOR", "CLICOLOR_FORCE"].iter().any(|name| !var(name).is_empty());
    match depth {
        ColorDepth::Colors16 if !says_more && term.is_some_and(is_monochrome) => ColorDepth::Mono,
        ColorDepth::Colors256 | ColorDepth::Truecolor if var("TERM") == "linux" => ColorDepth::Colors16,
        depth => depth,
    }
}

/// The background according to the environment: black on the Linux console, and elsewhere the last number of `COLORFGBG`, which is one
/// of the 16 colors.
pub(crate) fn background_from_env() -> Option<Rgb> {
    let var = |name| env::var(name).unwrap_or_default();
    background(&var("TERM"), &var("COLORFGBG"))
}

fn background(term: &str, colorfgbg: &str) -> Option<Rgb> {
    let number = if term == "linux" { "0" } else { colorfgbg.rsplit_once(';')?.1 };
    number.parse().ok().filter(|index| *index < 16).map(xterm)
}

/// Whether a terminal has no colors, according to terminfo or, where that has no entry, to its name.
fn is_monochrome(term: &str) -> bool {
    match TermInfo::from_name(term) {
        Ok(info) => info.number_cap(NumberCapability::MaxColors).is_none_or(|colors| colors <= 0),
        Err(_) => {
            ["vt1", "vt2"].iter().any(|start| term.starts_with(start))
                || ["-m", "-mono"].iter().any(|end| term.ends_with(end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_sets_the_depth() {
        let of = |variables: &[(&str, &str)]| {
            depth(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        let full = ("COLORTERM", "truecolor");
        assert_eq!(of(&[("NO_COLOR", "1"), ("TERM", "xterm-256color"), full]), ColorDepth::Mono);
        assert_eq!(of(&[("TERM", "linux"), full]), ColorDepth::Colors16);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux"), full]), ColorDepth::Truecolor);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux")]), ColorDepth::Colors256);
        assert_eq!(of(&[("TERM", "dumb"), full]), ColorDepth::Mono);
        assert_eq!(of(&[("TERM", "xterm-256color"), full]), ColorDepth::Truecolor);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), ColorDepth::Truecolor);
        for (forced, depth) in [
            ("truecolor", ColorDepth::Truecolor),
            ("3", ColorDepth::Truecolor),
            ("0", ColorDepth::Mono),
            ("false", ColorDepth::Mono),
            ("no_color", ColorDepth::Mono),
            ("1", ColorDepth::Truecolor),
        ] {
            assert_eq!(of(&[("TERM", "xterm-256color"), full, ("FORCE_COLOR", forced)]), depth, "{forced}");
        }
        assert_eq!(of(&[("TERM", "xterm-kitty"), ("FORCE_COLOR", "2")]), ColorDepth::Colors256);
        assert_eq!(of(&[("TERM", "linux"), ("FORCE_COLOR", "3")]), ColorDepth::Colors16);
        if !cfg!(windows) {
            assert_eq!(of(&[("TERM", "xterm-256color")]), ColorDepth::Colors256);
            assert_eq!(of(&[("TERM", "screen-256color")]), ColorDepth::Colors256);
            assert_eq!(of(&[]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "no-such-terminal")]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "vt100"), ("FORCE_COLOR", "1")]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "vt100"), full]), ColorDepth::Truecolor);
            for term in ["vt100", "vt102", "vt220", "xterm-mono"] {
                assert_eq!(of(&[("TERM", term)]), ColorDepth::Mono, "{term}");
            }
        }
    }

    #[test]
    fn the_environment_tells_the_background() {
        let gray = |level| Some(Rgb::new(level, level, level));
        for (term, colorfgbg, expected) in [
            ("rxvt-unicode", "0;default;15", gray(255)),
            ("rxvt-unicode", "15;0", gray(0)),
            ("xterm", "0;7", gray(229)),
            ("xterm", "default;default", None),
            ("xterm", "15", None),
            ("xterm", "0;16", None),
            ("xterm", "", None),
            ("linux", "", gray(0)),
        ] {
            assert_eq!(background(term, colorfgbg), expected, "{term} {colorfgbg}");
        }
    }
}
