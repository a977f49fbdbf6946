//! Which characters the terminal can show, according to the environment.

use std::env;

use crate::picture::Charset;

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
}
