//! Errors in presets, themes, config files, flags and CSV input, and how they are displayed.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use thiserror::Error;

use crate::sim;
pub(crate) use crate::tracks::text::is_unprintable;
use crate::tracks::{self, Note, ReadOption, UnknownName};

/// Why a preset, a theme, a flag value or a file cannot be used, in one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// Invalid content at one place of a text file.
    #[error("{file}:{line}:{column}: {message}")]
    At {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
        /// The problem, and what would be valid.
        message: String,
        /// The line itself with the place marked, and further hints, each on a separate line.
        excerpt: String,
    },

    /// An invalid row of a CSV file.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: u64,
        /// The problem, and what would be valid.
        message: String,
    },

    /// An unknown preset, theme, parameter or action.
    #[error("unknown {what} `{name}`{hint}")]
    Unknown {
        /// `preset`, `theme`, `parameter` …
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The nearest known name, or how to list the known names.
        hint: String,
    },

    /// A name that cannot be used for a preset or a theme.
    #[error("invalid {what} name `{name}`: {why}", name = name.escape_debug())]
    Name {
        /// `preset` or `theme`.
        what: &'static str,
        /// The name.
        name: String,
        /// The problem.
        why: String,
    },

    /// A flag with an invalid value.
    #[error("{flag}: {message}")]
    Flag {
        /// The flag, as typed.
        flag: String,
        /// The problem, and what would be valid.
        message: String,
    },

    /// An environment variable with an invalid value.
    #[error("{variable}: {message}")]
    Environment {
        /// Its name and value.
        variable: String,
        /// The problem, and what would be valid.
        message: String,
    },

    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },

    /// A setup that the simulation rejects.
    #[error(transparent)]
    Sim(#[from] sim::Error),

    /// A setup that the simulation rejects, because of settings that are not on the command line.
    #[error("{error}; {}", sources.join("; "))]
    Setup {
        /// Why.
        error: sim::Error,
        /// Where the settings in question were set; at least one.
        sources: Vec<String>,
    },
}

impl InputError {
    /// A [`File`](Self::File) error with a custom message.
    pub(crate) fn file(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::File { path: path.into(), source: io::Error::other(message.into()) }
    }

    /// An [`Unknown`](Self::Unknown) error with the nearest name, or a hint if no name is similar.
    pub(crate) fn unknown<'a>(
        what: &'static str,
        name: &str,
        names: impl IntoIterator<Item = &'a str>,
        otherwise: &str,
    ) -> Self {
        Self::Unknown { what, name: name.to_owned(), hint: did_you_mean_or(name, names, otherwise) }
    }

    /// A [`Flag`](Self::Flag) error.
    pub(crate) fn flag(flag: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Flag { flag: flag.into(), message: message.into() }
    }

    /// A [`Line`](Self::Line) error.
    pub(crate) fn line(file: &Path, line: u64, message: impl Into<String>) -> Self {
        Self::Line { file: file.display().to_string(), line, message: message.into() }
    }

    /// Makes a [`File`](Self::File) error of an I/O error.
    pub fn io(path: &(impl AsRef<Path> + ?Sized)) -> impl Fn(io::Error) -> Self {
        |source| Self::File { path: path.as_ref().to_owned(), source }
    }

    /// Whether the command line is wrong (exit status 2), as opposed to its environment (status 1).
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::Flag { .. } | Self::Sim(_) | Self::Setup { .. })
    }

    /// The excerpt of the file, to display below the sentence.
    pub fn excerpt(&self) -> Option<&str> {
        if let Self::At { excerpt, .. } = self { Some(excerpt) } else { None }
    }
}

impl From<tracks::Error> for InputError {
    fn from(error: tracks::Error) -> Self {
        let tracks::Error { file, line, option, mut message, help, unknown, source } = error;
        if let Some(unknown) = unknown {
            let UnknownName { name, known } = *unknown;
            let known = || known.iter().map(String::as_str);
            let all: Vec<&str> = known().take(MAX_NAMES).collect();
            let more = if known().count() > MAX_NAMES { ", …" } else { "" };
            message += &did_you_mean_or(&name, known(), &format!("; expected one of {}{more}", all.join(", ")));
        }
        let note = note_text(&Note { help: help.map(|help| *help), ..message.into() });
        match (file, line, option, source) {
            (.., Some(option), _) => Self::flag(flag_of(&option), note),
            (Some(file), Some(line), ..) => Self::line(&file, line, note),
            (Some(path), _, _, Some(source)) => Self::File { path, source },
            (Some(path), ..) => Self::file(path, note),
            (None, ..) => Self::file("-", note),
        }
    }
}

/// The most names in a message about one that is missing.
const MAX_NAMES: usize = 20;

/// A note on a recording, with the flag that would help.
pub(crate) fn note_text(note: &Note) -> String {
    let help = note.help.as_ref().map(|help| {
        let option = flag_of(&help.option);
        // A list such as `id=NAME,x=NAME` stays as the manual shows it.
        let option = match option.split_once(' ') {
            Some((flag, value)) if value.contains(|c: char| " *?()[]{}$&;'\"<>|\\`!".contains(c)) => {
                format!("{flag} {}", shell_word(value))
            }
            _ => option,
        };
        format!("; {option} {}", help.effect)
    });
    note.text.clone() + &help.unwrap_or_default()
}

/// The flag of an option of the readers, and after a space its value, if it takes one.
pub(crate) fn flag_of(option: &ReadOption) -> String {
    match option {
        ReadOption::Columns(names) => format!("--columns-of {names}"),
        ReadOption::Unit(unit) => format!("--unit {unit}"),
        ReadOption::FrameRate(rate) => format!("--frame-rate {rate}"),
        ReadOption::SkipMissing => "--skip-missing".to_owned(),
        ReadOption::BodyPart(part) => format!("--body-part {part}"),
        ReadOption::Likelihood(bound) => format!("--likelihood {bound}"),
        ReadOption::TimeUnit(unit) => format!("--time-unit {unit}"),
        ReadOption::Interval(interval) => format!("--interval {interval}"),
        ReadOption::Missing(missing) if missing.to_string().starts_with('-') => format!("--missing={missing}"),
        ReadOption::Missing(missing) => format!("--missing {missing}"),
        ReadOption::Dates(order) => format!("--dates {order}"),
        ReadOption::Only(names) => format!("--only {names}"),
    }
}

/// Quotes a word for a shell. Control characters are escaped, so that printing the command is harmless.
pub(crate) fn shell_word(word: &str) -> String {
    if word.chars().any(is_unprintable) {
        return format!("$'{}'", word.chars().map(escape).collect::<String>());
    }
    if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A character inside `$'…'`.
fn escape(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        _ if is_unprintable(c) && c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        _ if is_unprintable(c) => format!("\\U{:08x}", u32::from(c)),
        _ => c.into(),
    }
}

/// Whether an error is caused by a closed pipe, as in `flockscope … | head`.
pub fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Maximum width of an excerpt, in columns.
const MAX_COLUMNS: usize = 100;
/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 500;

/// Escapes characters that control a terminal, change the direction of text or have no width.
pub fn escape_control(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// Cuts a long message in the middle, so that it fits on a screen.
pub fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_MESSAGE {
        return text.to_owned();
    }
    let end = text.chars().skip(length - MAX_MESSAGE / 2);
    text.chars().take(MAX_MESSAGE / 2).chain(['…']).chain(end).collect()
}

/// Line and column, in characters, of a byte offset; both counted from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The line in which a span begins, with its number, and below it a mark under the span.
pub(crate) fn excerpt(text: &str, span: Range<usize>) -> String {
    let line_start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].split('\n').next().unwrap_or_default().trim_end();
    let column = |at: usize| printable(&line[..(at - line_start).min(line.len())]).len();
    let snippet = Snippet::source(printable(line))
        .line_start(line_and_column(text, line_start).0)
        .annotation(AnnotationKind::Primary.span(column(span.start)..column(span.end.max(span.start))));
    let rendered =
        Renderer::plain().term_width(MAX_COLUMNS).render(&[Group::with_level(Level::ERROR).element(snippet)]);
    // The first line is an empty gutter.
    rendered.split_once('\n').map_or("", |(_, lines)| lines).to_owned()
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c != '\t' && is_unprintable(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Longer words are not compared: the cost grows with the square of the length.
const MAX_WORD: usize = 100;
/// Words below this similarity are not suggested. In short words, a few letters in common say little.
const MIN_SIMILARITY: f64 = 0.75;
const MIN_SIMILARITY_SHORT: f64 = 0.85;
/// The length of the longest short word.
const SHORT: usize = 4;

/// The word most similar to `wrong`, if any is similar enough.
pub fn nearest<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > MAX_WORD {
        return None;
    }
    let scored = words.into_iter().map(|word| {
        let common_prefix = strsim::jaro_winkler(wrong, word);
        // Jaro-Winkler rates one typo in a short word (`zhs` for `zsh`) too low.
        let is_typo = word.len() > 2 && strsim::osa_distance(wrong, word) == 1;
        (if is_typo { common_prefix.max(0.95) } else { common_prefix }, common_prefix, word)
    });
    let least = if wrong.len() > SHORT { MIN_SIMILARITY } else { MIN_SIMILARITY_SHORT };
    scored
        .filter(|(similarity, ..)| *similarity > least)
        // The first one of equals.
        .min_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)))
        .map(|(.., word)| word)
}

/// `; did you mean …?` with the nearest word, or nothing.
pub fn did_you_mean<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean_or(wrong, words, "")
}

/// `; did you mean …?` with the nearest word, or `otherwise` if no word is similar.
pub fn did_you_mean_or<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(wrong, words).map_or_else(|| otherwise.to_owned(), |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, word: &str) -> String {
        let at = text.find(word).unwrap();
        excerpt(text, at..at + word.len())
    }

    #[test]
    fn excerpt_marks_the_span() {
        assert_eq!(marked("a = 1\nfps = 500\r\n", "500"), "2 | fps = 500\n  |       ^^^");
        assert_eq!(marked("\tfps = 500", "500"), "1 |     fps = 500\n  |           ^^^");
        assert_eq!(marked("k = \"鳥\" # x", "x"), "1 | k = \"鳥\" # x\n  |            ^");
        assert_eq!(excerpt("fps =", 5..5), "1 | fps =\n  |      ^");
        assert_eq!(excerpt("", 0..0), "1 |\n  | ^");
        assert_eq!(marked("x = \"\"\"a\nb\"\"\"", "\"\"\"a\nb\"\"\""), "1 | x = \"\"\"a\n  |     ^^^^");
        let long = marked(&format!("{}HERE{}", "a".repeat(500), "b".repeat(500)), "HERE");
        assert!(long.lines().all(|line| line.len() < 110) && long.contains("aHEREb"), "{long}");
    }

    #[test]
    fn excerpt_replaces_control_characters() {
        let lines = marked("k = \"\u{1b}[2J\u{9b}\u{202e}\" # here", "here");
        assert_eq!(lines, "1 | k = \"�[2J��\" # here\n  |                ^^^^");
    }

    #[test]
    fn long_messages_keep_both_ends() {
        let short = "ü".repeat(MAX_MESSAGE);
        assert_eq!(shorten(&short), short);
        let long = shorten(&format!("boids = {} is not a number", "9".repeat(100_000)));
        assert!(long.starts_with("boids = 999") && long.ends_with("999 is not a number") && long.contains("9…9"));
        assert_eq!(long.chars().count(), MAX_MESSAGE + 1);
    }

    #[test]
    fn corrects_typos_in_short_words() {
        for (wrong, right) in
            [("zhs", "zsh"), ("rnu", "run"), ("fihs", "fish"), ("papper", "paper"), ("uot", "out"), ("bsh", "bash")]
        {
            assert_eq!(nearest(wrong, ["bash", "zsh", "fish", "run", "paper", "out", "ab"]), Some(right), "{wrong}");
        }
        assert_eq!(nearest("ac", ["ab"]), None);
        assert_eq!(nearest("penguins", ["zsh", "fish"]), None);
        assert_eq!(nearest("foo", ["mood", "moon", "food.weight"]), None);
    }
}
