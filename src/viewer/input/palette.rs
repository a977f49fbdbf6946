//! The palette: everything that can be done or set, found by a few letters of its name.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::assignment::Assignment;
use super::prompt::{LineEdit, write};
use crate::config::did_you_mean;
use crate::sim::{Param, Value};
use crate::viewer::Action;

/// The longest line that can be typed.
const LONGEST: usize = 60;

/// What an entry does when it is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EntryAction {
    /// An action.
    Act(Action),
    /// Chooses a parameter.
    Choose(&'static Param),
    /// Gives it a value.
    Set(&'static Param, Value),
    /// Makes something that is no rule as much.
    Make(Assignment),
    /// Flies the preset of this place in the list.
    Fly(usize),
    /// Puts on the theme of this place in the list.
    Wear(usize),
    /// Says what the mouse does, which is done by the mouse.
    Tell,
}

/// A line of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry {
    /// What it does.
    pub action: EntryAction,
    /// What it is called.
    pub name: String,
    /// Its keys, or its value.
    pub keys: String,
    /// What it is about, in a sentence.
    pub sentence: String,
    /// Other words for it.
    pub words: &'static str,
}

/// The palette while it is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// What has been typed.
    pub text: String,
    /// What fits it, the best first.
    pub found: Vec<PaletteEntry>,
    /// Which of them is marked.
    pub marked: usize,
    entries: Vec<PaletteEntry>,
    complaint: Option<String>,
    /// The theme that was active when it was opened, and whether somebody chose it.
    pub active: (usize, bool),
}

impl Palette {
    /// A palette of these entries, opened while a theme was active.
    #[must_use]
    pub fn new(entries: Vec<PaletteEntry>, active: (usize, bool)) -> Self {
        Self { text: String::new(), found: entries.clone(), marked: 0, entries, complaint: None, active }
    }

    /// Changes what is typed, and looks again.
    pub fn write(&mut self, edit: LineEdit) {
        write(&mut self.text, edit, LONGEST);
        self.found = self.find();
        self.complaint = self.complain();
        self.marked = 0;
    }

    /// Marks the next entry, or the one before, around.
    pub fn mark(&mut self, next: bool) {
        let count = self.found.len().max(1);
        self.marked = (self.marked + if next { 1 } else { count - 1 }) % count;
    }

    /// The entry that is marked.
    #[must_use]
    pub fn chosen(&self) -> Option<&PaletteEntry> {
        self.found.get(self.marked)
    }

    /// Why what was typed does nothing, where it does not.
    #[must_use]
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    fn complain(&self) -> Option<String> {
        if let Some((row, value)) = self.assignment()
            && let Err(error) = row.parse(value)
        {
            return Some(error.to_string());
        }
        self.found.is_empty().then(|| {
            let text = self.text.trim();
            let name = text.split([' ', '=']).next().unwrap_or(text);
            let whole = did_you_mean(text, self.entries.iter().map(|entry| entry.name.as_str()));
            let names = self.entries.iter().map(|entry| entry.name.as_str());
            let hint = if whole.is_empty() { did_you_mean(name, names) } else { whole };
            format!("nothing is called `{text}`{hint}")
        })
    }

    /// A parameter's full name, and what stands behind it.
    fn assignment(&self) -> Option<(&'static Param, &str)> {
        let (key, value) = self.text.trim().split_once([' ', '='])?;
        let value = value.trim_start_matches([' ', '=']);
        Param::find(key).filter(|_| !value.is_empty()).map(|row| (row, value))
    }

    fn find(&self) -> Vec<PaletteEntry> {
        let text = self.text.trim();
        if text.is_empty() {
            return self.entries.clone();
        }
        if let Some((row, value)) = self.assignment() {
            return row.parse(value).map(|value| vec![setting(row, value)]).unwrap_or_default();
        }
        let mut search = PaletteQuery::new(text);
        let mut ranked: Vec<(Reverse<MatchRank>, usize, &PaletteEntry)> = self
            .entries
            .iter()
            .filter_map(|entry| Some((Reverse(search.rank(entry)?), entry.name.len(), entry)))
            .collect();
        ranked.sort_by_key(|(rank, length, _)| (*rank, *length));
        let found = ranked.into_iter().map(|(_, _, entry)| entry.clone());
        let amount = Assignment::read(text).map(making);
        amount.into_iter().chain(self.settings(text)).chain(found).collect()
    }

    /// Values for what the words before the last one name, where the last one is a value.
    fn settings(&self, text: &str) -> Vec<PaletteEntry> {
        let Some((head, tail)) = text.rsplit_once([' ', '=']) else { return Vec::new() };
        let mut search = PaletteQuery::new(head.trim_end_matches([' ', '=']));
        let mut ranked: Vec<(Reverse<MatchRank>, PaletteEntry)> = self
            .entries
            .iter()
            .filter_map(|entry| match entry.action {
                EntryAction::Choose(row) => {
                    let rank =
                        search.rank(entry).filter(|rank| matches!(rank.fit, MatchKind::Name | MatchKind::Letters))?;
                    Some((Reverse(rank), setting(row, row.parse(tail).ok()?)))
                }
                _ => None,
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, entry)| entry).collect()
    }
}

fn making(amount: Assignment) -> PaletteEntry {
    PaletteEntry {
        action: EntryAction::Make(amount),
        name: amount.to_string(),
        keys: String::new(),
        sentence: amount.sentence().to_owned(),
        words: "",
    }
}

fn setting(row: &'static Param, value: Value) -> PaletteEntry {
    PaletteEntry {
        action: EntryAction::Set(row, value),
        name: format!("{} = {value}", row.key),
        keys: String::new(),
        sentence: row.summary.to_owned(),
        words: "",
    }
}

/// Where an entry has what was typed; the last is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchKind {
    /// Its letters, in this order, in the name.
    Letters,
    /// In the middle of words of its sentence.
    Sentence,
    /// Where words of its sentence, or of the other words for it, begin.
    Beginnings,
    /// As whole words of those.
    Words,
    /// In its name.
    Name,
}

/// How well an entry fits; the largest fits best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MatchRank {
    fit: MatchKind,
    score: u32,
}

/// What is looked for: its letters in a name, or its words in a text.
struct PaletteQuery {
    letters: Pattern,
    words: Pattern,
    typed: Vec<String>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl PaletteQuery {
    fn new(text: &str) -> Self {
        let pattern = |kind| Pattern::new(text, CaseMatching::Ignore, Normalization::Smart, kind);
        Self {
            letters: pattern(AtomKind::Fuzzy),
            words: pattern(AtomKind::Substring),
            typed: text.split_whitespace().map(str::to_lowercase).collect(),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    fn rank(&mut self, entry: &PaletteEntry) -> Option<MatchRank> {
        let Self { letters, words, matcher, buffer, .. } = self;
        let mut score = |pattern: &Pattern, text: &str| pattern.score(Utf32Str::new(text, buffer), matcher);
        if let Some(score) = score(words, &entry.name) {
            return Some(MatchRank { fit: MatchKind::Name, score });
        }
        let about = [&entry.name, entry.words, &entry.sentence].join(" ");
        if let Some(score) = score(words, &about) {
            let about = about.to_lowercase();
            let has = |fits: fn(&str, &str) -> bool| {
                let words = about.split(|sign: char| !sign.is_alphanumeric());
                self.typed.iter().all(|typed| words.clone().any(|word| fits(word, typed)))
            };
            let fit = if has(|word, typed| word == typed) {
                MatchKind::Words
            } else if has(|word, typed| word.starts_with(typed)) {
                MatchKind::Beginnings
            } else {
                MatchKind::Sentence
            };
            return Some(MatchRank { fit, score });
        }
        score(letters, &entry.name).map(|score| MatchRank { fit: MatchKind::Letters, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::input::mouse::MOUSE_BINDINGS;
    use crate::viewer::input::synonyms;

    fn palette() -> Palette {
        let entry = |action, name: &str, sentence: &str| PaletteEntry {
            action,
            name: name.to_owned(),
            keys: String::new(),
            sentence: sentence.to_owned(),
            words: "",
        };
        let actions = Action::ALL.iter().map(|action| PaletteEntry {
            words: action.words(),
            ..entry(EntryAction::Act(*action), action.id(), action.sentence())
        });
        let mouse = MOUSE_BINDINGS
            .map(|(name, button, sentence)| PaletteEntry { words: button, ..entry(EntryAction::Tell, name, sentence) });
        let rows = Param::table().iter().map(|row| PaletteEntry {
            words: synonyms::of(row.key),
            ..entry(EntryAction::Choose(row), row.key, row.summary)
        });
        let presets =
            [entry(EntryAction::Fly(0), "preset drones", ""), entry(EntryAction::Fly(1), "preset sphere", "")];
        let themes = [entry(EntryAction::Wear(0), "theme dusk", ""), entry(EntryAction::Wear(1), "theme abyss", "")];
        Palette::new(actions.chain(rows).chain(mouse).chain(presets).chain(themes).collect(), (0, false))
    }

    fn typed(text: &str) -> Palette {
        let mut palette = palette();
        text.chars().for_each(|sign| palette.write(LineEdit::Insert(sign)));
        palette
    }

    fn first(text: &str) -> Option<EntryAction> {
        typed(text).chosen().map(|entry| entry.action)
    }

    #[test]
    fn a_few_letters_find_it() {
        let row = |key| Some(EntryAction::Choose(Param::find(key).unwrap()));
        assert_eq!(first("separation.weight"), row("separation.weight"));
        assert_eq!(first("sepwei"), row("separation.weight"));
        assert_eq!(first("coh rad"), row("cohesion.radius"));
        assert_eq!(first("pause"), Some(EntryAction::Act(Action::Pause)));
        assert_eq!(first("next theme"), Some(EntryAction::Act(Action::NextTheme)));
        assert_eq!(first("theme ab"), Some(EntryAction::Wear(1)));
        assert_eq!(first("preset sphere"), Some(EntryAction::Fly(1)));
        // By its sentence.
        assert_eq!(first("tick rate"), Some(EntryAction::Act(Action::Slower)));
        assert_eq!(typed("").found.len(), palette().found.len());
    }

    #[test]
    fn everyday_words_find_it() {
        let act = |action| Some(EntryAction::Act(action));
        let row = |key| Some(EntryAction::Choose(Param::find(key).unwrap()));
        for (word, action) in [
            ("exit", act(Action::Quit)),
            ("screensaver", act(Action::Screensaver)),
            ("demo", act(Action::Screensaver)),
            ("screenshot", act(Action::Screenshot)),
            ("freeze", act(Action::Pause)),
            ("birds", act(Action::MoreBoids)),
            ("hawk", act(Action::MorePredators)),
            ("fullscreen", act(Action::Clean)),
            ("pan", act(Action::PanUp)),
            ("shortcuts", act(Action::Help)),
            ("delete obstacle", act(Action::RemoveZone)),
            ("attract", Some(EntryAction::Tell)),
            ("mouse", Some(EntryAction::Tell)),
            ("wheel", Some(EntryAction::Tell)),
            ("take screenshot", act(Action::Screenshot)),
            ("rotate", act(Action::PanLeft)),
            ("tired", row("hunt.rest")),
            ("fov", row("perception.angle")),
            ("vision", row("perception.angle")),
            ("panic", row("alarm.spread")),
            ("glide", row("morph")),
        ] {
            assert_eq!(first(word), action, "{word}");
        }
    }

    #[test]
    fn a_value_behind_a_name_sets_it() {
        let set = |key, value| Some(EntryAction::Set(Param::find(key).unwrap(), value));
        assert_eq!(first("separation.weight 1.4"), set("separation.weight", Value::Number(1.4)));
        assert_eq!(first("seed 9"), Some(EntryAction::Make(Assignment::Seed(9))));
        assert_eq!(first("zoom 4"), Some(EntryAction::Make(Assignment::Zoom(4.0))));
        assert_eq!(first("separation.weight = 1.4"), set("separation.weight", Value::Number(1.4)));
        assert_eq!(first("sep weight 2"), set("separation.weight", Value::Number(2.0)));
        assert_eq!(first("edge.mode wrap"), set("edge.mode", Value::Choice("wrap")));
        assert_eq!(first("edge.random on"), set("edge.random", Value::Switch(true)));
        let wrong = typed("separation.weight 999");
        assert!(wrong.found.is_empty() && wrong.complaint().unwrap().contains("it takes 0 to 100"));
    }

    #[test]
    fn what_is_not_there_gets_the_nearest_name() {
        let wrong = typed("separtaion.wieght");
        let complaint = wrong.complaint().unwrap();
        assert!(complaint.contains("did you mean `separation.weight`?"), "{complaint}");
        assert_eq!((wrong.chosen(), typed("pause").complaint()), (None, None));
    }

    #[test]
    fn marks_go_around() {
        let mut palette = palette();
        palette.mark(false);
        assert_eq!(palette.marked, palette.found.len() - 1);
        palette.mark(true);
        assert_eq!(palette.marked, 0);
        let mut none = typed("xyzzy");
        none.mark(true);
        assert_eq!(none.marked, 0);
    }
}
