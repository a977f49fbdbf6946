//! Which characters the terminal has, and what stands in for those it has not.

use std::env;

/// The characters of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// All.
    #[default]
    Unicode,
    /// Those of the Linux console's font: lines, blocks and shades, but no braille.
    Console,
    /// The ninety-five of ASCII.
    Ascii,
}

impl Charset {
    /// What the environment says: the console by `TERM`, else the locale by `LC_ALL`, `LC_CTYPE` or `LANG`.
    #[must_use]
    pub fn detect() -> Self {
        let var = |name: &str| env::var(name).unwrap_or_default();
        Self::of(&var("TERM"), &["LC_ALL", "LC_CTYPE", "LANG"].map(var))
    }

    fn of(term: &str, locale: &[String; 3]) -> Self {
        let locale = locale.iter().find(|said| !said.is_empty()).map_or("C", String::as_str).to_ascii_lowercase();
        // Elsewhere the locale says nothing of the terminal.
        let speaks = cfg!(all(unix, not(target_os = "macos")));
        if speaks && !locale.contains("utf-8") && !locale.contains("utf8") {
            Self::Ascii
        } else if term == "linux" {
            Self::Console
        } else {
            Self::Unicode
        }
    }

    /// A character, or what stands in for it.
    #[must_use]
    pub fn sign(self, sign: char) -> char {
        if self == Self::Unicode || sign.is_ascii() || (self == Self::Console && is_on_console(sign)) {
            return sign;
        }
        match sign {
            // Eighths of a block: what the console's font has of them looks its height.
            '▁' | '▂' if self == Self::Console => '_',
            '▃' | '▅' if self == Self::Console => '▄',
            '▆' | '▇' if self == Self::Console => '█',
            '│' | '┃' | '▏' | '╎' => '|',
            '━' | '╸' | '╺' | '═' => '=',
            '─' | '–' | '—' | '‐' | '−' => '-',
            '²' => '2',
            '³' => '3',
            '┌' | '┐' | '└' | '┘' | '┼' | '├' | '┤' | '╭' | '╮' | '╰' | '╯' => '+',
            '▸' | '▶' | '›' | '→' => '>',
            '‹' | '←' => '<',
            '↑' | '▴' => '^',
            '↓' | '▾' => 'v',
            '‖' | '“' | '”' => '"',
            '×' => 'x',
            '…' | '▁' | '▂' | '·' | '•' | '\u{2801}'..='\u{28ff}' => '.',
            '▃' | '▄' | '▅' | '°' => 'o',
            '▆' | '▇' | '█' | '▀' | '▓' => '#',
            '░' | '▒' => ':',
            '’' | '‘' => '\'',
            '\u{2800}' => ' ',
            _ => '?',
        }
    }
}

/// What the console's font has, as code page 437 has it.
fn is_on_console(sign: char) -> bool {
    matches!(
        sign,
        '│' | '─'
            | '═'
            | '┌'
            | '┐'
            | '└'
            | '┘'
            | '┼'
            | '├'
            | '┤'
            | '▀'
            | '▄'
            | '█'
            | '░'
            | '▒'
            | '▓'
            | '·'
            | '°'
            | '²'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_and_the_locale_are_heeded() {
        let of = |term: &str, locale: [&str; 3]| Charset::of(term, &locale.map(str::to_owned));
        assert_eq!(of("xterm-256color", ["", "", "de_DE.UTF-8"]), Charset::Unicode);
        assert_eq!(of("linux", ["", "", "C.utf8"]), Charset::Console);
        if cfg!(target_os = "linux") {
            assert_eq!(of("xterm", ["", "", ""]), Charset::Ascii);
            assert_eq!(of("linux", ["C", "", "C.UTF-8"]), Charset::Ascii);
            assert_eq!(of("xterm", ["", "C.UTF-8", "C"]), Charset::Unicode);
        }
    }

    #[test]
    fn what_is_missing_is_stood_in_for() {
        let text = "▸ weight ━━── 0.5 × │⠟";
        let told = |charset: Charset| text.chars().map(|sign| charset.sign(sign)).collect::<String>();
        assert_eq!(told(Charset::Unicode), text);
        assert_eq!(told(Charset::Console), "> weight ==── 0.5 x │.");
        assert_eq!(told(Charset::Ascii), "> weight ==-- 0.5 x |.");
    }
}
