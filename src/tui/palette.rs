//! The palette: everything that can be done or set, found by a few letters of its name.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Action;
use super::prompt::write;
use crate::config::did_you_mean;
use crate::sim::{Tunable, Value};

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
    /// Flies the preset of this place in the list.
    Fly(usize),
    /// Puts on the theme of this place in the list.
    Wear(usize),
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
    /// The theme that was worn when it was opened, and whether somebody chose it.
    pub worn: (usize, bool),
}

impl Palette {
    /// A palette of these entries, opened while a theme was worn.
    #[must_use]
    pub fn new(entries: Vec<Entry>, worn: (usize, bool)) -> Self {
        Self { text: String::new(), found: entries.clone(), marked: 0, entries, worn }
    }

    /// Takes a sign, or the last one back, and looks again.
    pub fn write(&mut self, sign: Option<char>) {
        write(&mut self.text, sign, LONGEST);
        self.found = self.find();
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
    pub fn complaint(&self) -> Option<String> {
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
        self.settings(text).into_iter().chain(found).collect()
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
                    let rank = search.rank(entry).filter(|rank| rank.by_name)?;
                    Some((Reverse(rank), setting(row, row.parse(tail).ok()?)))
                }
                _ => None,
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, entry)| entry).collect()
    }
}

fn setting(row: &'static Tunable, value: Value) -> Entry {
    Entry {
        deed: Deed::Set(row, value),
        name: format!("{} = {value}", row.key),
        keys: String::new(),
        sentence: row.sentence.to_owned(),
    }
}

/// How well an entry fits; the largest fits best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// By its name rather than by its sentence.
    by_name: bool,
    score: u32,
}

/// What is looked for: its letters in this order in a name, or its words in a sentence.
struct Search {
    letters: Pattern,
    words: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Search {
    fn new(text: &str) -> Self {
        let pattern = |kind| Pattern::new(text, CaseMatching::Ignore, Normalization::Smart, kind);
        Self {
            letters: pattern(AtomKind::Fuzzy),
            words: pattern(AtomKind::Substring),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    fn rank(&mut self, entry: &Entry) -> Option<Rank> {
        let name = Utf32Str::new(&entry.name, &mut self.buffer);
        if let Some(score) = self.letters.score(name, &mut self.matcher) {
            return Some(Rank { by_name: true, score });
        }
        let sentence = Utf32Str::new(&entry.sentence, &mut self.buffer);
        self.words.score(sentence, &mut self.matcher).map(|score| Rank { by_name: false, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette() -> Palette {
        let entry = |deed, name: &str, sentence: &str| Entry {
            deed,
            name: name.to_owned(),
            keys: String::new(),
            sentence: sentence.to_owned(),
        };
        let actions = Action::ALL.iter().map(|action| entry(Deed::Act(*action), action.id(), action.sentence()));
        let rows = Tunable::table().iter().map(|row| entry(Deed::Choose(row), row.key, row.sentence));
        let presets = [entry(Deed::Fly(0), "preset drones", ""), entry(Deed::Fly(1), "preset sphere", "")];
        let themes = [entry(Deed::Wear(0), "theme dusk", ""), entry(Deed::Wear(1), "theme abyss", "")];
        Palette::new(actions.chain(rows).chain(presets).chain(themes).collect(), (0, false))
    }

    fn typed(text: &str) -> Palette {
        let mut palette = palette();
        text.chars().for_each(|sign| palette.write(Some(sign)));
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
    fn a_value_behind_a_name_sets_it() {
        let set = |key, value| Some(Deed::Set(Tunable::find(key).unwrap(), value));
        assert_eq!(first("separation.weight 1.4"), set("separation.weight", Value::Number(1.4)));
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
