//! The palette: everything that can be done or set, found by a few letters of its name.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::assignment::Amount;
use super::prompt::{Edit, write};
use crate::config::did_you_mean;
use crate::sim::{Tunable, Value};
use crate::viewer::Action;

/// The longest line that can be typed.
const LONGEST: usize = 60;

/// What an entry does when it is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// An action.
    Act(Action),
    /// Chooses a parameter.
    Choose(&'static Tunable),
    /// Gives it a value.
    Set(&'static Tunable, Value),
    /// Makes something that is no rule as much.
    Make(Amount),
    /// Flies the preset of this place in the list.
    Fly(usize),
    /// Puts on the theme of this place in the list.
    Wear(usize),
    /// Says what the mouse does, which is done by the mouse.
    Tell,
}

/// A line of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it does.
    pub deed: Deed,
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
    pub found: Vec<Entry>,
    /// Which of them is marked.
    pub marked: usize,
    entries: Vec<Entry>,
    complaint: Option<String>,
    /// The theme that was worn when it was opened, and whether somebody chose it.
    pub worn: (usize, bool),
}

impl Palette {
    /// A palette of these entries, opened while a theme was worn.
    #[must_use]
    pub fn new(entries: Vec<Entry>, worn: (usize, bool)) -> Self {
        Self { text: String::new(), found: entries.clone(), marked: 0, entries, complaint: None, worn }
    }

    /// Changes what is typed, and looks again.
    pub fn write(&mut self, edit: Edit) {
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
    pub fn chosen(&self) -> Option<&Entry> {
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
    fn assignment(&self) -> Option<(&'static Tunable, &str)> {
        let (key, value) = self.text.trim().split_once([' ', '='])?;
        let value = value.trim_start_matches([' ', '=']);
        Tunable::find(key).filter(|_| !value.is_empty()).map(|row| (row, value))
    }

    fn find(&self) -> Vec<Entry> {
        let text = self.text.trim();
        if text.is_empty() {
            return self.entries.clone();
        }
        if let Some((row, value)) = self.assignment() {
            return row.parse(value).map(|value| vec![setting(row, value)]).unwrap_or_default();
        }
        let mut search = Search::new(text);
        let mut ranked: Vec<(Reverse<Rank>, usize, &Entry)> = self
            .entries
            .iter()
            .filter_map(|entry| Some((Reverse(search.rank(entry)?), entry.name.len(), entry)))
            .collect();
        ranked.sort_by_key(|(rank, length, _)| (*rank, *length));
        let found = ranked.into_iter().map(|(_, _, entry)| entry.clone());
        let amount = Amount::read(text).map(making);
        amount.into_iter().chain(self.settings(text)).chain(found).collect()
    }

    /// Values for what the words before the last one name, where the last one is a value.
    fn settings(&self, text: &str) -> Vec<Entry> {
        let Some((head, tail)) = text.rsplit_once([' ', '=']) else { return Vec::new() };
        let mut search = Search::new(head.trim_end_matches([' ', '=']));
        let mut ranked: Vec<(Reverse<Rank>, Entry)> = self
            .entries
            .iter()
            .filter_map(|entry| match entry.deed {
                Deed::Choose(row) => {
                    let rank = search.rank(entry).filter(|rank| matches!(rank.fit, Fit::Name | Fit::Letters))?;
                    Some((Reverse(rank), setting(row, row.parse(tail).ok()?)))
                }
                _ => None,
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, entry)| entry).collect()
    }
}

fn making(amount: Amount) -> Entry {
    Entry {
        deed: Deed::Make(amount),
        name: amount.to_string(),
        keys: String::new(),
        sentence: amount.sentence().to_owned(),
        words: "",
    }
}

fn setting(row: &'static Tunable, value: Value) -> Entry {
    Entry {
        deed: Deed::Set(row, value),
        name: format!("{} = {value}", row.key),
        keys: String::new(),
        sentence: row.sentence.to_owned(),
        words: "",
    }
}

/// Where an entry has what was typed; the last is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
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
struct Rank {
    fit: Fit,
    score: u32,
}

/// What is looked for: its letters in a name, or its words in a text.
struct Search {
    letters: Pattern,
    words: Pattern,
    typed: Vec<String>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Search {
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

    fn rank(&mut self, entry: &Entry) -> Option<Rank> {
        let Self { letters, words, matcher, buffer, .. } = self;
        let mut score = |pattern: &Pattern, text: &str| pattern.score(Utf32Str::new(text, buffer), matcher);
        if let Some(score) = score(words, &entry.name) {
            return Some(Rank { fit: Fit::Name, score });
        }
        let about = [&entry.name, entry.words, &entry.sentence].join(" ");
        if let Some(score) = score(words, &about) {
            let about = about.to_lowercase();
            let has = |fits: fn(&str, &str) -> bool| {
                let words = about.split(|sign: char| !sign.is_alphanumeric());
                self.typed.iter().all(|typed| words.clone().any(|word| fits(word, typed)))
            };
            let fit = if has(|word, typed| word == typed) {
                Fit::Words
            } else if has(|word, typed| word.starts_with(typed)) {
                Fit::Beginnings
            } else {
                Fit::Sentence
            };
            return Some(Rank { fit, score });
        }
        score(letters, &entry.name).map(|score| Rank { fit: Fit::Letters, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::input::mouse::BUTTONS;
    use crate::viewer::input::synonyms;

    fn palette() -> Palette {
        let entry = |deed, name: &str, sentence: &str| Entry {
            deed,
            name: name.to_owned(),
            keys: String::new(),
            sentence: sentence.to_owned(),
            words: "",
        };
        let actions = Action::ALL
            .iter()
            .map(|action| Entry { words: action.words(), ..entry(Deed::Act(*action), action.id(), action.sentence()) });
        let mouse =
            BUTTONS.map(|(name, button, sentence)| Entry { words: button, ..entry(Deed::Tell, name, sentence) });
        let rows = Tunable::table()
            .iter()
            .map(|row| Entry { words: synonyms::of(row.key), ..entry(Deed::Choose(row), row.key, row.sentence) });
        let presets = [entry(Deed::Fly(0), "preset drones", ""), entry(Deed::Fly(1), "preset sphere", "")];
        let themes = [entry(Deed::Wear(0), "theme dusk", ""), entry(Deed::Wear(1), "theme abyss", "")];
        Palette::new(actions.chain(rows).chain(mouse).chain(presets).chain(themes).collect(), (0, false))
    }

    fn typed(text: &str) -> Palette {
        let mut palette = palette();
        text.chars().for_each(|sign| palette.write(Edit::Sign(sign)));
        palette
    }

    fn first(text: &str) -> Option<Deed> {
        typed(text).chosen().map(|entry| entry.deed)
    }

    #[test]
    fn a_few_letters_find_it() {
        let row = |key| Some(Deed::Choose(Tunable::find(key).unwrap()));
        assert_eq!(first("separation.weight"), row("separation.weight"));
        assert_eq!(first("sepwei"), row("separation.weight"));
        assert_eq!(first("coh rad"), row("cohesion.radius"));
        assert_eq!(first("pause"), Some(Deed::Act(Action::Pause)));
        assert_eq!(first("next theme"), Some(Deed::Act(Action::NextTheme)));
        assert_eq!(first("theme ab"), Some(Deed::Wear(1)));
        assert_eq!(first("preset sphere"), Some(Deed::Fly(1)));
        // By its sentence.
        assert_eq!(first("tick rate"), Some(Deed::Act(Action::Slower)));
        assert_eq!(typed("").found.len(), palette().found.len());
    }

    #[test]
    fn everyday_words_find_it() {
        let act = |action| Some(Deed::Act(action));
        let row = |key| Some(Deed::Choose(Tunable::find(key).unwrap()));
        for (word, deed) in [
            ("exit", act(Action::Quit)),
            ("screensaver", act(Action::Wander)),
            ("demo", act(Action::Wander)),
            ("screenshot", act(Action::SavePicture)),
            ("freeze", act(Action::Pause)),
            ("birds", act(Action::MoreBoids)),
            ("hawk", act(Action::MorePredators)),
            ("fullscreen", act(Action::Clean)),
            ("pan", act(Action::LookUp)),
            ("shortcuts", act(Action::Help)),
            ("delete obstacle", act(Action::RemoveSpot)),
            ("attract", Some(Deed::Tell)),
            ("mouse", Some(Deed::Tell)),
            ("wheel", Some(Deed::Tell)),
            ("take screenshot", act(Action::SavePicture)),
            ("rotate", act(Action::LookLeft)),
            ("tired", row("hunt.rest")),
            ("fov", row("perception.angle")),
            ("vision", row("perception.angle")),
            ("panic", row("alarm.spread")),
            ("glide", row("morph")),
        ] {
            assert_eq!(first(word), deed, "{word}");
        }
    }

    #[test]
    fn a_value_behind_a_name_sets_it() {
        let set = |key, value| Some(Deed::Set(Tunable::find(key).unwrap(), value));
        assert_eq!(first("separation.weight 1.4"), set("separation.weight", Value::Number(1.4)));
        assert_eq!(first("seed 9"), Some(Deed::Make(Amount::Seed(9))));
        assert_eq!(first("zoom 4"), Some(Deed::Make(Amount::Zoom(4.0))));
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
