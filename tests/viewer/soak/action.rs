//! Random user actions on the viewer.

use std::fmt;
use std::time::Duration;

use flockscope::sim::{Domain, Param};
use flockscope::viewer::Action;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::keystroke::keystroke;

/// Signal numbers on Linux.
const USR1: u32 = 10;
pub const CONT: u32 = 18;
pub const TSTP: u32 = 20;
const WINCH: u32 = 28;

pub type Dice = Xoshiro256PlusPlus;

/// One user action.
#[derive(Debug)]
pub struct UserAction {
    pub name: &'static str,
    pub steps: Vec<Step>,
}

/// A step of an action.
#[derive(Clone)]
pub enum Step {
    Type(Vec<u8>),
    Wait(Duration),
    /// The window's columns and rows.
    Resize(u16, u16),
    /// A signal by name and number.
    Signal(&'static str, u32),
    /// Stop and resume.
    Halt(Halt),
    /// Whether the terminal reads its input.
    Read(bool),
    Answer(Manner),
    /// A config file with this text.
    Settings(&'static str),
}

/// Ways to stop the program.
#[derive(Clone, Copy, Debug)]
pub enum Halt {
    /// `Ctrl-z`.
    Key,
    /// SIGTSTP from outside.
    Asked,
    /// SIGSTOP, which cannot be handled.
    Forced,
}

/// How the terminal replies to queries.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    AtOnce,
    Late(Duration),
    Twice,
    Never,
    /// As some multiplexers do: always the same reply.
    Alike,
}

impl fmt::Debug for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(bytes) => write!(out, "type \"{}\"", bytes.escape_ascii()),
            Self::Wait(time) => write!(out, "wait {time:?}"),
            Self::Resize(columns, rows) => write!(out, "resize {columns}x{rows}"),
            Self::Signal(name, _) => write!(out, "{name}"),
            Self::Halt(halt) => write!(out, "halt {halt:?}"),
            Self::Read(reads) => write!(out, "read {reads}"),
            Self::Answer(manner) => write!(out, "answer {manner:?}"),
            Self::Settings(text) => write!(out, "settings {text:?}"),
        }
    }
}

type Draw = fn(&mut Dice) -> Vec<Step>;

/// The actions and their weights.
const DEEDS: &[(u32, &str, Draw)] = &[
    (600, "a key", key),
    (150, "an action by its name", action),
    (100, "a rule by its name", rule),
    (60, "words", words),
    (40, "a value", value),
    (10, "rules saved", save),
    (10, "a picture", picture),
    (100, "a torn sequence", torn),
    (40, "a paste", paste),
    (60, "signs of all the world", signs),
    (200, "a click", click),
    (150, "a drag", drag),
    (100, "the wheel", wheel),
    (30, "the focus", focus),
    (60, "a size", size),
    (15, "a burst of sizes", sizes),
    (20, "a halt", halt),
    (20, "signals", signals),
    (15, "a terminal that does not read", stall),
    (15, "a manner of answering", manner),
    (15, "other settings", settings),
    (2, "a rest", rest),
];

impl UserAction {
    pub fn draw(dice: &mut Dice) -> Self {
        let all = DEEDS.iter().map(|(weight, ..)| weight).sum();
        let mut at: u32 = dice.random_range(0..all);
        let (_, name, draw) = DEEDS
            .iter()
            .find(|(weight, ..)| {
                let found = at < *weight;
                at = at.saturating_sub(*weight);
                found
            })
            .expect("weights add up");
        Self { name, steps: draw(dice) }
    }
}

fn pick<'a, T>(dice: &mut Dice, from: &'a [T]) -> &'a T {
    &from[dice.random_range(0..from.len())]
}

fn wait(ms: u64) -> Step {
    Step::Wait(Duration::from_millis(ms))
}

fn typed(text: impl Into<Vec<u8>>) -> Step {
    Step::Type(text.into())
}

/// Closes open boxes; the pause separates the Escape from the start of a sequence.
pub fn escape() -> [Step; 2] {
    [typed("\x1b"), wait(120)]
}

/// Searches the palette and runs the first entry.
pub fn find(text: &str) -> Vec<Step> {
    escape().into_iter().chain([typed(format!(":{text}\r"))]).collect()
}

/// Actions that only run on request.
const APART: [Action; 8] = [
    Action::Quit,
    Action::Suspend,
    Action::Palette,
    Action::SavePreset,
    Action::Screenshot,
    Action::SaveClip,
    Action::SavePlots,
    Action::SaveSession,
];

fn actions() -> impl Iterator<Item = &'static Action> {
    Action::ALL.iter().filter(|action| !APART.contains(action))
}

/// Typed text must not quit if no line was opened.
fn harmless(text: &str) -> String {
    text.replace('q', "")
}

fn key(dice: &mut Dice) -> Vec<Step> {
    let keys: Vec<&str> = actions().flat_map(|action| action.default_keys()).copied().collect();
    let key = keystroke(keys[dice.random_range(0..keys.len())]);
    let times = if dice.random_bool(0.1) { dice.random_range(2..40) } else { 1 };
    // Enter comes alone: its effect depends on what is open.
    if key == b"\r" { vec![typed(key)] } else { vec![typed(key.repeat(times))] }
}

fn action(dice: &mut Dice) -> Vec<Step> {
    let actions: Vec<_> = actions().collect();
    find(&harmless(pick(dice, &actions).id()))
}

fn rule(dice: &mut Dice) -> Vec<Step> {
    let row = pick(dice, Param::table());
    let value = match row.domain {
        Domain::Number { min: least, max: most, infinite, integer: whole, .. } => {
            let share: f32 = dice.random_range(0.0..1.0);
            match dice.random_range(0..8) {
                0 => least.to_string(),
                1 => most.to_string(),
                2 if infinite => "inf".to_owned(),
                _ if whole => (least + (most.min(least + 50.0) - least) * share).round().to_string(),
                // Most are small, as users choose them.
                _ => (least + (most - least) * share.powi(6)).to_string(),
            }
        }
        Domain::Choice(words) => (*pick(dice, words)).to_owned(),
        Domain::Switch => dice.random_bool(0.5).to_string(),
    };
    find(&harmless(&format!("{} {value}", row.key)))
}

fn words(dice: &mut Dice) -> Vec<Step> {
    let letters: String = (0..dice.random_range(0..80)).map(|_| dice.random_range(' '..='~')).collect();
    let back = "\x7f".repeat(dice.random_range(0..20));
    let mark = ["", "\x1b[B", "\t\t", "\x1b[A"][dice.random_range(0..4)];
    let text = typed(harmless(&format!(":{letters}{back}{mark}")));
    escape().into_iter().chain([text]).chain(escape()).collect()
}

fn value(dice: &mut Dice) -> Vec<Step> {
    let number = ["1", "0.5", "12x", "-3", "inf", "NaN", "1e30", "", "wrap", "99999999999999999999"];
    let text = typed(format!("\r{}\r", pick(dice, &number)));
    escape().into_iter().chain([text]).chain(escape()).collect()
}

fn save(dice: &mut Dice) -> Vec<Step> {
    let name = pick(dice, &["one", "two", "three", "../four", "no name", ""]);
    let text = typed(format!("S{name}\r\r"));
    escape().into_iter().chain([text]).chain(escape()).collect()
}

fn picture(_: &mut Dice) -> Vec<Step> {
    escape().into_iter().chain([typed("s")]).collect()
}

/// A sequence that usually arrives in one piece.
const SEQUENCES: [&str; 14] = [
    "\x1b[A",
    "\x1b[1;5C",
    "\x1bOP",
    "\x1b[15~",
    "\x1b[3~",
    "\x1b[<0;12;9M\x1b[<0;12;9m",
    "\x1b[12;1R",
    "\x1b[?2026;2$y",
    "\x1b]11;rgb:1010/1010/1818\x1b\\",
    "\x1bP1$r48:2:1:2:3m\x1b\\",
    "\x1b[?62;22c",
    "\x1b[200~",
    "\x1b[I",
    "ü漢🐦",
];

fn torn(dice: &mut Dice) -> Vec<Step> {
    let sequence = pick(dice, &SEQUENCES).as_bytes();
    let (head, tail) = sequence.split_at(dice.random_range(1..sequence.len()));
    let pause = wait(*pick(dice, &[0, 5, 45, 60, 150]));
    let mut steps = vec![typed(head), pause];
    // Some never continue.
    if dice.random_bool(0.8) {
        steps.push(typed(tail));
    }
    steps
}

/// Any bytes except those that end or stop the program or write files: truncated, they may start any sequence.
fn paste(dice: &mut Dice) -> Vec<Step> {
    const APART: &[u8] = b"qQ:sSuG\r\n\x03\x04\x1a\x1c";
    let length = dice.random_range(1..3000);
    let bytes = (0..length).map(|_| dice.random::<u8>()).filter(|byte| !APART.contains(byte));
    let mut text: Vec<u8> = bytes.collect();
    if dice.random_bool(0.5) {
        text = [b"\x1b[200~", &text[..], b"\x1b[201~"].concat();
    }
    [typed(text)].into_iter().chain(escape()).collect()
}

fn signs(dice: &mut Dice) -> Vec<Step> {
    let signs: String = (0..dice.random_range(1..30))
        .map(|_| match dice.random_range(0..4) {
            0 => dice.random_range('\u{a0}'..'\u{800}'),
            1 => dice.random_range('\u{4e00}'..'\u{9fff}'),
            2 => dice.random_range('\u{1f300}'..'\u{1f6ff}'),
            _ => *pick(
                dice,
                &['\u{200d}', '\u{301}', '\u{202e}', '\u{feff}', '\u{ad}', '\u{85}', '\u{9b}', '\u{10ffff}'],
            ),
        })
        .collect();
    // Into a typed line, or over the flock.
    let open = pick(dice, &["", ":", "S"]);
    let (head, tail) = signs.as_bytes().split_at(dice.random_range(0..signs.len()));
    let text = [typed([open.as_bytes(), head].concat()), wait(dice.random_range(0..40)), typed(tail)];
    escape().into_iter().chain(text).chain(escape()).collect()
}

/// A mouse report in mode 1006.
fn report(button: u8, [column, row]: [u32; 2], end: char) -> Step {
    typed(format!("\x1b[<{button};{column};{row}{end}"))
}

fn place(dice: &mut Dice) -> [u32; 2] {
    match dice.random_range(0..20) {
        0 => [0, 0],
        1 => [65_535, 65_536],
        2 => [dice.random_range(1..600), dice.random_range(1..300)],
        _ => [dice.random_range(1..130), dice.random_range(1..42)],
    }
}

fn click(dice: &mut Dice) -> Vec<Step> {
    let (button, at) = (dice.random_range(0..3), place(dice));
    vec![report(button, at, 'M'), wait(dice.random_range(0..400)), report(button, at, 'm')]
}

fn drag(dice: &mut Dice) -> Vec<Step> {
    let button = dice.random_range(0..3);
    let mut steps = vec![report(button, place(dice), 'M')];
    for _ in 0..dice.random_range(1..30) {
        steps.extend([report(button + 32, place(dice), 'M'), wait(dice.random_range(0..30))]);
    }
    // Outside the window the release is not reported.
    if dice.random_bool(0.7) {
        steps.push(report(button, place(dice), 'm'));
    }
    steps
}

fn wheel(dice: &mut Dice) -> Vec<Step> {
    let (at, button) = (place(dice), dice.random_range(64..68));
    (0..dice.random_range(1..20)).map(|_| report(button, at, 'M')).collect()
}

fn focus(dice: &mut Dice) -> Vec<Step> {
    vec![typed(*pick(dice, &["\x1b[O", "\x1b[I", "\x1b[O\x1b[I"]))]
}

fn window(dice: &mut Dice) -> Step {
    let known = [(1, 1), (2, 1), (1, 200), (500, 200), (80, 24), (79, 24), (120, 40), (0, 0)];
    if dice.random_bool(0.4) {
        let (columns, rows) = *pick(dice, &known);
        return Step::Resize(columns, rows);
    }
    // Most have common sizes.
    Step::Resize(dice.random_range(60..200), dice.random_range(10..70))
}

fn size(dice: &mut Dice) -> Vec<Step> {
    vec![window(dice)]
}

fn sizes(dice: &mut Dice) -> Vec<Step> {
    let mut steps: Vec<Step> = (0..dice.random_range(10..200)).map(|_| window(dice)).collect();
    steps.push(Step::Resize(120, 40));
    steps
}

fn halt(dice: &mut Dice) -> Vec<Step> {
    let halt = *pick(dice, &[Halt::Key, Halt::Asked, Halt::Forced]);
    // The shell's prompt must be readable.
    [Step::Resize(120, 40)].into_iter().chain(escape()).chain([Step::Halt(halt)]).collect()
}

fn signals(dice: &mut Dice) -> Vec<Step> {
    let signal = *pick(dice, &[("WINCH", WINCH), ("CONT", CONT), ("USR1", USR1)]);
    (0..dice.random_range(1..5)).map(|_| Step::Signal(signal.0, signal.1)).collect()
}

fn stall(dice: &mut Dice) -> Vec<Step> {
    let mut steps = vec![Step::Read(false)];
    for _ in 0..dice.random_range(1..12) {
        let more = *pick(dice, &[key as Draw, drag, wheel, size, signs]);
        steps.extend(more(dice));
        steps.push(wait(dice.random_range(50..600)));
    }
    steps.push(Step::Read(true));
    steps
}

fn manner(dice: &mut Dice) -> Vec<Step> {
    let late = Duration::from_millis(dice.random_range(50..4000));
    let manners = [Manner::AtOnce, Manner::Late(late), Manner::Twice, Manner::Never, Manner::Alike];
    vec![Step::Answer(*pick(dice, &manners))]
}

/// Valid and invalid ones, loaded by a signal.
fn settings(dice: &mut Dice) -> Vec<Step> {
    let texts = [
        "",
        "fps = 30",
        "fps = 0",
        "fps = 60\n[set]\n\"separation.weight\" = 1.4",
        "[keys]\npause = [",
        "\x1b[31m = 1",
    ];
    vec![Step::Settings(texts[dice.random_range(0..texts.len())]), Step::Signal("USR1", USR1)]
}

/// Longer than the idle timeout: the slideshow starts.
fn rest(dice: &mut Dice) -> Vec<Step> {
    vec![wait(dice.random_range(25_000..40_000))]
}
