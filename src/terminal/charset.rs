//! Which characters the terminal can show, and substitutes for the others.

use std::env;

use unicode_width::UnicodeWidthChar;

/// A set of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// All of Unicode.
    #[default]
    Unicode,
    /// All of Unicode, but characters of ambiguous width take two cells, as in East Asian fonts: lines, arrows, marks and blocks.
    WideAmbiguous,
    /// The Linux console's font: lines, blocks and shades, but no braille.
    Console,
    /// Printable ASCII.
    Ascii,
}

/// What the environment says about the characters of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetGuess {
    /// It shows these.
    Known(Charset),
    /// It shows these if it decodes UTF-8, which no locale says. Containers and SSH servers often have no locale.
    IfUtf8(Charset),
}

impl CharsetGuess {
    /// Detects the Linux console by `TERM`, and the charset of the locale by `LC_ALL`, `LC_CTYPE` or `LANG`.
    pub(crate) fn detect() -> Self {
        let var = |name: &str| env::var(name).unwrap_or_default();
        Self::from_env(&var("TERM"), &["LC_ALL", "LC_CTYPE", "LANG"].map(var))
    }

    fn from_env(term: &str, locale: &[String; 3]) -> Self {
        let locale = locale.iter().find(|value| !value.is_empty()).map_or("C", String::as_str).to_ascii_lowercase();
        let charset = if term == "linux" { Charset::Console } else { Charset::Unicode };
        // Elsewhere the locale does not describe the terminal.
        let locale_counts = cfg!(all(unix, not(target_os = "macos")));
        if !locale_counts || locale.contains("utf-8") || locale.contains("utf8") {
            Self::Known(charset)
        } else if locale.contains('.') {
            Self::Known(Charset::Ascii)
        } else {
            Self::IfUtf8(charset)
        }
    }
}

impl Charset {
    /// The character, or a substitute if the set lacks it.
    pub fn substitute(self, char: char) -> char {
        let is_shown = match self {
            Self::Unicode => true,
            Self::WideAmbiguous => char.width_cjk() == char.width(),
            Self::Console => char.is_ascii() || ON_CONSOLE.contains(char),
            Self::Ascii => char.is_ascii(),
        };
        if is_shown {
            return char;
        }
        match char {
            // The console's font has few of the eighths of a block; these are about as high.
            '▁' | '▂' if self == Self::Console => '_',
            '▃' | '▅' if self == Self::Console => '▄',
            '▆' | '▇' if self == Self::Console => '█',
            '┿' if self == Self::Console => '╪',
            '╋' if self == Self::Console => '╬',
            '│' | '┃' | '▏' | '╎' => '|',
            '━' | '╸' | '╺' | '═' => '=',
            '─' | '–' | '—' | '‐' | '−' => '-',
            '²' => '2',
            '³' => '3',
            '┌' | '┐' | '└' | '┘' | '┬' | '┼' | '┿' | '├' | '┤' | '╭' | '╮' | '╰' | '╯' => {
                '+'
            }
            '▸' | '▶' | '›' | '→' => '>',
            '‹' | '←' | '◀' | '◂' => '<',
            '↑' | '▴' => '^',
            '↓' | '▾' => 'v',
            '↖' | '↘' => '\\',
            '↗' | '↙' => '/',
            '‖' | '“' | '”' => '"',
            '×' => 'x',
            '…' | '▁' | '▂' | '·' | '•' | '\u{2801}'..='\u{28ff}' => '.',
            '▃' | '▄' | '▅' | '°' | '●' | '○' | '◉' | '◎' => 'o',
            '▆' | '▇' | '█' | '▀' | '▓' | '╋' | '╫' => '#',
            '░' | '▒' => ':',
            '’' | '‘' => '\'',
            '\u{2800}' => ' ',
            _ => '?',
        }
    }
}

/// The characters of the console's font other than ASCII: it is based on code page 437.
const ON_CONSOLE: &str = "│─═┌┐└┘┬┼┤├╪╫╬▀▄█░▒▓·°²";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_and_the_locale_are_detected() {
        let of = |term: &str, locale: [&str; 3]| CharsetGuess::from_env(term, &locale.map(str::to_owned));
        assert_eq!(of("xterm-256color", ["", "", "de_DE.UTF-8"]), CharsetGuess::Known(Charset::Unicode));
        assert_eq!(of("linux", ["", "", "C.utf8"]), CharsetGuess::Known(Charset::Console));
        if cfg!(target_os = "linux") {
            assert_eq!(of("xterm", ["", "", ""]), CharsetGuess::IfUtf8(Charset::Unicode));
            assert_eq!(of("xterm", ["POSIX", "", ""]), CharsetGuess::IfUtf8(Charset::Unicode));
            assert_eq!(of("linux", ["C", "", "C.UTF-8"]), CharsetGuess::IfUtf8(Charset::Console));
            assert_eq!(of("xterm", ["", "C.UTF-8", "C"]), CharsetGuess::Known(Charset::Unicode));
            assert_eq!(of("xterm", ["en_US.ISO-8859-1", "", "C.UTF-8"]), CharsetGuess::Known(Charset::Ascii));
        }
    }

    #[test]
    fn missing_characters_are_substituted() {
        let text = "▸ weight ━━── 0.5 × │⠟";
        let shown = |charset: Charset| text.chars().map(|char| charset.substitute(char)).collect::<String>();
        assert_eq!(shown(Charset::Unicode), text);
        assert_eq!(shown(Charset::WideAmbiguous), "▸ weight ==-- 0.5 x |⠟");
        assert_eq!(shown(Charset::Console), "> weight ==── 0.5 x │.");
        assert_eq!(shown(Charset::Ascii), "> weight ==-- 0.5 x |.");
    }
}
