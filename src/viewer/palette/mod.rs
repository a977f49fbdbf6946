//! The command palette: a fuzzy search over actions, parameters, presets, themes and views.

pub mod assignment;

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Block;

use super::actions::{Action, Mode};
use super::context::Context;
use super::gauges;
use super::input::keymap::MOUSE_BINDINGS;
use super::layout::{FOOTER_HEIGHT, Popup, draw_rule, place};
use super::text::{LineEdit, elide_start, format_number, left, line, skip, wrap};
use crate::config::with_users;
use crate::error::nearest;
use crate::picture::{ResolvedTheme, View};
use crate::sim::{ModelRow, Param, Params, Value, World, check_params};
use assignment::Assignment;

/// The longest query.
const MAX_QUERY_LENGTH: usize = 60;

/// What an entry does when it is confirmed.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryAction {
    /// Performs an action.
    Perform(Action),
    /// Selects a parameter.
    SelectParam(&'static Param),
    /// Sets a parameter.
    SetParam(&'static Param, Value),
    /// Writes a text with boids.
    Say(String),
    /// Sets a quantity that is not a parameter.
    Assign(Assignment),
    /// Switches to the preset at an index.
    LoadPreset(usize),
    /// Switches to the theme at an index.
    ApplyTheme(usize),
    /// Draws the flock in a view.
    ShowView(View),
    /// Shows what a mouse button does.
    Explain,
}

impl EntryAction {
    /// Whether it has no effect in a mode: what sets a flock, other than by an action. Some quantities can also be set in a recording.
    pub fn needs_other_mode(&self, mode: Mode) -> bool {
        let is_allowed = matches!(self, Self::Perform(_) | Self::ApplyTheme(_) | Self::ShowView(_) | Self::Explain);
        !is_allowed && (mode == Mode::Breeding || mode == Mode::Recording && !matches!(self, Self::Assign(_)))
    }

    /// The verb beside the key that confirms the entry.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Perform(_) | Self::Say(_) => "run",
            Self::SelectParam(_) | Self::LoadPreset(_) | Self::ApplyTheme(_) | Self::ShowView(_) => "select",
            Self::SetParam(..) | Self::Assign(_) => "set",
            Self::Explain => "explain",
        }
    }
}

/// A line of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry {
    /// What it does.
    pub action: EntryAction,
    /// Its name.
    pub name: String,
    /// Its keys, or its value.
    pub keys: String,
    /// One sentence about it.
    pub summary: String,
    /// Further terms to find it by.
    pub search_terms: String,
}

impl PaletteEntry {
    /// An entry without keys and search terms.
    pub fn new(action: EntryAction, name: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { action, name: name.into(), keys: String::new(), summary: summary.into(), search_terms: String::new() }
    }
}

/// The actions that the palette begins with.
const FIRST: [Action; 3] = [Action::ChoosePreset, Action::ChooseTheme, Action::View];

/// The entry of a parameter, which its label in the panel finds too.
fn param_entry(param: &'static Param) -> PaletteEntry {
    PaletteEntry {
        search_terms: format!("{} {} {}", param.group, param.name(), param.search),
        ..PaletteEntry::new(EntryAction::SelectParam(param), param.key, param.summary)
    }
}

/// The entries: presets, themes and views, then the other actions, parameters and mouse buttons.
fn entries(context: &Context) -> Vec<PaletteEntry> {
    let origin = |from_user: bool| if from_user { "yours".to_owned() } else { String::new() };
    let perform = |action: &Action| PaletteEntry {
        keys: context.keymap.keys(*action).join(" "),
        search_terms: action.search_terms().to_owned(),
        ..PaletteEntry::new(EntryAction::Perform(*action), action.id(), action.summary())
    };
    let is_recording = context.is_recording();
    let is_useful = |action: &&Action| !is_recording || action.works_in(context.mode());
    let simulated = if is_recording { 0 } else { usize::MAX };
    let presets = context.presets.all.iter().enumerate().take(simulated).map(|(index, preset)| PaletteEntry {
        keys: origin(preset.from_user),
        search_terms: format!("choose load {}", if preset.world.is_3d() { "3d" } else { "2d" }),
        ..PaletteEntry::new(EntryAction::LoadPreset(index), format!("preset {}", preset.name), &*preset.summary)
    });
    let themes = context.theme.themes().iter().enumerate().map(|(index, theme)| PaletteEntry {
        keys: origin(theme.from_user),
        search_terms: format!("choose colors {}", theme.colors.search),
        ..PaletteEntry::new(EntryAction::ApplyTheme(index), format!("theme {}", theme.name), &*theme.colors.summary)
    });
    let views = View::ALL.iter().map(|view| PaletteEntry {
        search_terms: "choose draw".to_owned(),
        ..PaletteEntry::new(EntryAction::ShowView(*view), format!("view {}", view.name()), view.summary())
    });
    let others = Action::ALL.iter().filter(|action| **action != Action::Palette && !FIRST.contains(action));
    let others = others.filter(is_useful);
    let params = gauges::params(context).take(simulated).map(|param| PaletteEntry {
        keys: match param.get(&context.client.controls().setup.params) {
            Value::Number(number) => format_number(number) + &param.unit_suffix(),
            value => value.to_string(),
        },
        ..param_entry(param)
    });
    let mouse = MOUSE_BINDINGS.iter().map(|(name, button, summary)| PaletteEntry {
        keys: (*button).to_owned(),
        search_terms: (*button).to_owned(),
        ..PaletteEntry::new(EntryAction::Explain, *name, *summary)
    });
    let first = FIRST.iter().filter(is_useful).map(perform).chain(presets).chain(themes).chain(views);
    first.chain(others.map(perform)).chain(params).chain(mouse).collect()
}

/// An open palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// The query.
    pub text: String,
    /// The matching entries, best first.
    pub found: Vec<PaletteEntry>,
    /// The index of the selected match.
    pub marked: usize,
    entries: Vec<PaletteEntry>,
    /// Why nothing matches.
    error: Option<String>,
    /// The parameters and the world that assignments must fit.
    params: Box<Params>,
    world: World,
}

impl Palette {
    /// A palette of everything that can be found.
    pub fn open(context: &Context) -> Self {
        let controls = context.client.controls();
        Self::new(entries(context), controls.setup.params, controls.setup.world)
    }

    /// The selected theme, which is shown.
    pub fn previewed(&self) -> Option<usize> {
        if let EntryAction::ApplyTheme(theme) = self.selected()?.action { Some(theme) } else { None }
    }

    /// A palette of these entries with an empty query, for a flock with these parameters in this world.
    fn new(entries: Vec<PaletteEntry>, params: Params, world: World) -> Self {
        let params = Box::new(params);
        Self { text: String::new(), found: entries.clone(), marked: 0, entries, error: None, params, world }
    }

    /// Edits the query and searches again.
    pub fn edit(&mut self, edit: LineEdit) {
        edit.apply(&mut self.text, MAX_QUERY_LENGTH);
        let found = self.search();
        self.error = found.as_ref().err().cloned();
        self.found = found.unwrap_or_default();
        self.marked = 0;
    }

    /// The selected match.
    pub fn selected(&self) -> Option<&PaletteEntry> {
        self.found.get(self.marked)
    }

    /// The matching entries, or why there are none.
    fn search(&self) -> Result<Vec<PaletteEntry>, String> {
        let text = self.text.trim();
        if text.is_empty() {
            return Ok(self.entries.clone());
        }
        let said = text.strip_prefix("say:").map(str::trim);
        if let Some(text) = said.filter(|text| !text.is_empty()) {
            let say = EntryAction::Say(text.to_owned());
            return Ok(vec![PaletteEntry::new(say, format!("say: {text}"), "Write this text with boids.")]);
        }
        if let Some((param, value)) = self.param_assignment() {
            return self.assignments(param, value);
        }
        let mut query = PaletteQuery::new(text);
        let mut ranked: Vec<(Reverse<MatchRank>, usize, &PaletteEntry)> = self
            .entries
            .iter()
            .filter_map(|entry| Some((Reverse(query.rank(entry)?), entry.name.len(), entry)))
            .collect();
        ranked.sort_by_key(|(rank, length, _)| (*rank, *length));
        let found = ranked.into_iter().map(|(_, _, entry)| entry.clone());
        let assignment = Assignment::parse(text)
            .map(|value| PaletteEntry::new(EntryAction::Assign(value), value.to_string(), value.summary()));
        let (exact, completed) = self.fuzzy_assignments(text);
        let all: Vec<PaletteEntry> = assignment.into_iter().chain(exact).chain(found).chain(completed).collect();
        if all.is_empty() { self.meant(text) } else { Ok(all) }
    }

    /// The entries for the text that was probably meant, or an error if nothing is similar.
    fn meant(&self, text: &str) -> Result<Vec<PaletteEntry>, String> {
        let word = text.split([' ', '=']).next().unwrap_or(text);
        let groups = Param::table().iter().filter_map(|param| Some(param.key.split_once('.')?.0));
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).chain(groups).collect();
        let mut similar = [word, text]
            .into_iter()
            .filter_map(|wrong| Some(text.replacen(wrong, nearest(wrong, names.iter().copied())?, 1)));
        let Some(meant) = similar.find(|meant| meant != text) else {
            return Err(format!("nothing matches `{text}`"));
        };
        let palette = Self { text: meant.clone(), ..self.clone() };
        let found = palette.search().unwrap_or_default();
        // A guess must not end the program.
        let found = found.into_iter().filter(|entry| entry.action != EntryAction::Perform(Action::Quit));
        let found: Vec<PaletteEntry> = found
            .map(|entry| PaletteEntry { summary: format!("Did you mean `{meant}`? {}", entry.summary), ..entry })
            .collect();
        if found.is_empty() { Err(format!("nothing matches `{text}`")) } else { Ok(found) }
    }

    /// A parameter's full key and the text after it. Without any, only a parameter that the model does not use counts, for the
    /// error about it.
    fn param_assignment(&self) -> Option<(&'static Param, &str)> {
        let text = self.text.trim_start();
        match text.split_once([' ', '=']) {
            Some((key, value)) => Some((Param::find(key)?, value.trim_matches([' ', '=']))),
            None => Some((Param::find(text).filter(|param| !ModelRow::of(&self.params).uses(param))?, "")),
        }
    }

    /// Assignments of a value to a parameter: the typed one, and the words that begin with it. Without a value, also the
    /// parameter itself.
    fn assignments(&self, param: &'static Param, typed: &str) -> Result<Vec<PaletteEntry>, String> {
        let check = |value: Value| {
            let (mut params, world) = (*self.params, self.world);
            params.set(param.key, value)?;
            check_params(&params, &world)
        };
        if !ModelRow::of(&self.params).uses(param) {
            return Err(with_users(ModelRow::of(&self.params).unused(param).into()).to_string());
        }
        let values = completions(param, typed);
        let valid = values.iter().filter(|value| check(**value).is_ok());
        let itself = self
            .entries
            .iter()
            .filter(|entry| typed.is_empty() && entry.action == EntryAction::SelectParam(param))
            .map(|entry| PaletteEntry { summary: format!("{} {}", entry.summary, with_unit(param)), ..entry.clone() });
        let found: Vec<PaletteEntry> = itself.chain(valid.map(|value| set_param(param, *value))).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let error = param.parse(typed).and_then(check).err();
        let error = error.or_else(|| values.first().and_then(|value| check(*value).err()));
        Err(error.map_or_else(|| format!("nothing matches `{typed}`"), |error| error.to_string()))
    }

    /// If the last word is a value, assignments to the parameters that match the words before it: of that value, and of the
    /// words that begin with it.
    fn fuzzy_assignments(&self, text: &str) -> (Vec<PaletteEntry>, Vec<PaletteEntry>) {
        let Some((name, typed)) = text.rsplit_once([' ', '=']) else { return Default::default() };
        let mut query = PaletteQuery::new(name.trim_end_matches([' ', '=']));
        let mut ranked: Vec<(Reverse<MatchRank>, &'static Param)> = self
            .entries
            .iter()
            .filter_map(|entry| match entry.action {
                EntryAction::SelectParam(param) => {
                    let rank = query.rank(entry)?;
                    matches!(rank.0, MatchKind::Name | MatchKind::Letters).then_some((Reverse(rank), param))
                }
                _ => None,
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let values = ranked
            .into_iter()
            .flat_map(|(_, param)| completions(param, typed).into_iter().map(move |value| (param, value)));
        let (exact, completed): (Vec<_>, Vec<_>) =
            values.partition(|(param, value)| param.parse(typed).is_ok_and(|parsed| parsed == *value));
        let entries = |values: Vec<(&'static Param, Value)>| {
            values.into_iter().map(|(param, value)| set_param(param, value)).collect()
        };
        (entries(exact), entries(completed))
    }
}

/// The values that a text may mean: the value that it is, then the words that begin with it.
fn completions(param: &Param, typed: &str) -> Vec<Value> {
    let words = param.words().iter().filter(|word| word.starts_with(typed));
    let mut values = Vec::new();
    for value in [typed].into_iter().chain(words.copied()).filter_map(|text| param.parse(text).ok()) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// The accepted values with their unit, in parentheses.
fn with_unit(param: &Param) -> String {
    format!("({}{})", param.range(), param.unit_suffix())
}

fn set_param(param: &'static Param, value: Value) -> PaletteEntry {
    PaletteEntry::new(EntryAction::SetParam(param, value), format!("{} = {value}", param.key), param.summary)
}

/// Where an entry matches the query, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchKind {
    /// Its name contains the letters in order.
    Letters,
    /// Its summary or search terms contain the words.
    Text,
    /// Words of its summary or search terms start with them.
    Prefixes,
    /// They are whole words there.
    Words,
    /// Its name contains the words.
    Name,
}

/// How well an entry matches, and the score of the match; the greatest is best.
type MatchRank = (MatchKind, u32);

/// A compiled query.
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
            return Some((MatchKind::Name, score));
        }
        let text = [&*entry.name, &entry.search_terms, &entry.summary].join(" ");
        if let Some(score) = score(words, &text) {
            let text = text.to_lowercase();
            let all_match = |matches: fn(&str, &str) -> bool| {
                let words = text.split(|symbol: char| !symbol.is_alphanumeric());
                self.typed.iter().all(|typed| words.clone().any(|word| matches(word, typed)))
            };
            let kind = if all_match(|word, typed| word == typed) {
                MatchKind::Words
            } else if all_match(|word, typed| word.starts_with(typed)) {
                MatchKind::Prefixes
            } else {
                MatchKind::Text
            };
            return Some((kind, score));
        }
        score(letters, &entry.name).map(|score| (MatchKind::Letters, score))
    }
}

/// The maximum width.
const WIDTH: u16 = 96;
/// The maximum number of visible entries.
const LINES: u16 = 14;
/// The minimum number of lines for entries, or for the error if nothing matches.
const LEAST: usize = 2;
/// The width of the name column.
const NAMES: u16 = 28;
/// The width of the key column.
const KEYS: u16 = 14;
/// The minimum width for a column of descriptions.
const WIDE: u16 = NAMES + KEYS + 24;

/// The list of entries, below the input line and a rule. A short list shrinks the popup from below, so that a theme
/// preview stays visible. A footer has the whole description of the selected entry.
pub fn popup(around: Rect, palette: &Palette) -> Popup {
    let (area, inner) = place(around, WIDTH, LINES + 2 + FOOTER_HEIGHT);
    let lines = palette.found.len().clamp(LEAST, LINES.into()) as u16;
    let spare = inner.height.saturating_sub(2 + lines + FOOTER_HEIGHT);
    let head = 2.min(inner.height);
    let area = Rect { height: area.height - spare, ..area };
    let list = Rect { y: inner.y + head, height: inner.height - head - spare, ..inner };
    Popup::list(area, list, FOOTER_HEIGHT, palette.found.len(), palette.marked)
}

/// Draws the palette. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, palette: &Palette, theme: &ResolvedTheme) -> Rect {
    let popup = popup(around, palette);
    popup.draw_frame(buffer, "actions, parameters, presets, themes, views", theme);
    let inner = Block::bordered().inner(popup.area);
    let rest = left(buffer, line(inner, 0), ":", theme.accent);
    // The end of a long line, where the cursor is.
    let typed = elide_start(&palette.text, usize::from(rest.width).saturating_sub(1));
    let rest = left(buffer, rest, &typed, theme.text);
    let rest = left(buffer, rest, "▏", theme.accent);
    if palette.text.is_empty() {
        left(buffer, skip(rest, 1), "type a few letters, or a value: separation.weight 1.4", theme.dim);
    }
    draw_rule(buffer, line(inner, 1), theme);
    if let Some(error) = &palette.error {
        let lines = wrap(error, usize::from(popup.inner.width.saturating_sub(1)));
        for (row, text) in popup.inner.rows().zip(lines) {
            left(buffer, row, &format!(" {text}"), theme.accent);
        }
    }
    for (row, entry, selected) in popup.visible(&palette.found) {
        draw_entry(buffer, row, entry, selected, theme);
    }
    popup.draw_footer(buffer, palette.found.get(palette.marked).map(|entry| entry.summary.as_str()), theme);
    popup.area
}

fn draw_entry(buffer: &mut Buffer, row: Rect, entry: &PaletteEntry, selected: bool, theme: &ResolvedTheme) {
    let (mark, name, summary) = if selected { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
    let names = NAMES.min(row.width.saturating_sub(KEYS));
    let keys = skip(row, names);
    let name_width = if entry.keys.is_empty() { names + KEYS } else { names };
    left(buffer, Rect { width: name_width.min(row.width), ..row }, &format!("{mark}{}", entry.name), name);
    left(buffer, Rect { width: keys.width.min(KEYS - 1), ..keys }, &entry.keys, theme.accent);
    if row.width >= WIDE {
        left(buffer, skip(keys, KEYS), &entry.summary, summary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Model;
    use crate::viewer::popups::Overlay;

    fn palette() -> Palette {
        let mut params = Params::default();
        params.set("edge.mode", Value::Choice("reflect")).unwrap();
        let actions = Action::ALL.iter().map(|action| PaletteEntry {
            search_terms: action.search_terms().to_owned(),
            ..PaletteEntry::new(EntryAction::Perform(*action), action.id(), action.summary())
        });
        let mouse = MOUSE_BINDINGS.map(|(name, button, summary)| PaletteEntry {
            search_terms: (*button).to_owned(),
            ..PaletteEntry::new(EntryAction::Explain, name, summary)
        });
        let boids = ModelRow::find(Model::Boids);
        let rows = Param::table().iter().filter(|row| boids.uses(row)).map(param_entry);
        let presets = [
            PaletteEntry::new(EntryAction::LoadPreset(0), "preset drones", ""),
            PaletteEntry::new(EntryAction::LoadPreset(1), "preset sphere", ""),
        ];
        let themes = [
            PaletteEntry::new(EntryAction::ApplyTheme(0), "theme dusk", ""),
            PaletteEntry::new(EntryAction::ApplyTheme(1), "theme abyss", ""),
        ];
        let entries = actions.chain(rows).chain(mouse).chain(presets).chain(themes);
        Palette::new(entries.collect(), params, World::Rect([900.0, 600.0]))
    }

    fn typed(text: &str) -> Palette {
        let mut palette = palette();
        text.chars().for_each(|sign| palette.edit(LineEdit::Insert(sign)));
        palette
    }

    fn first(text: &str) -> Option<EntryAction> {
        typed(text).selected().map(|entry| entry.action.clone())
    }

    #[test]
    fn letters_of_a_name_match() {
        let row = |key| Some(EntryAction::SelectParam(Param::find(key).unwrap()));
        assert_eq!(first("separation.weight"), row("separation.weight"));
        assert_eq!(first("sepwei"), row("separation.weight"));
        assert_eq!(first("coh rad"), row("cohesion.radius"));
        assert_eq!(first("pause"), Some(EntryAction::Perform(Action::Pause)));
        assert_eq!(first("next theme"), Some(EntryAction::Perform(Action::NextTheme)));
        assert_eq!(first("theme ab"), Some(EntryAction::ApplyTheme(1)));
        assert_eq!(first("preset sphere"), Some(EntryAction::LoadPreset(1)));
        assert_eq!(first("say: hello there"), Some(EntryAction::Say("hello there".to_owned())));
        assert_eq!(first("say"), Some(EntryAction::Perform(Action::Say)));
        // Words of the summary.
        assert_eq!(first("tick rate"), Some(EntryAction::Perform(Action::Slower)));
        assert_eq!(typed("").found.len(), palette().found.len());
    }

    #[test]
    fn labels_of_the_panel_find_their_parameters() {
        for row in Param::table() {
            let label = format!("{} {}", row.group, row.name());
            assert_eq!(Param::meant(&label), Some(row), "{label}");
            // The model is a group of its own.
            if !ModelRow::find(Model::Boids).uses(row) || row.group == row.name() {
                continue;
            }
            let found = typed(&label).found;
            assert!(found.iter().any(|entry| entry.action == EntryAction::SelectParam(row)), "{label}");
        }
    }

    #[test]
    fn search_terms_match() {
        let act = |action| Some(EntryAction::Perform(action));
        let row = |key| Some(EntryAction::SelectParam(Param::find(key).unwrap()));
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
            ("attract", Some(EntryAction::Explain)),
            ("mouse", Some(EntryAction::Explain)),
            ("wheel", Some(EntryAction::Explain)),
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
    fn a_name_and_a_value_set_a_parameter() {
        let set = |key, value| Some(EntryAction::SetParam(Param::find(key).unwrap(), value));
        assert_eq!(first("separation.weight 1.4"), set("separation.weight", Value::Number(1.4)));
        assert_eq!(first("seed 9"), Some(EntryAction::Assign(Assignment::Seed(9))));
        assert_eq!(first("zoom 4"), Some(EntryAction::Assign(Assignment::Zoom(4.0))));
        assert_eq!(first("separation.weight = 1.4"), set("separation.weight", Value::Number(1.4)));
        assert_eq!(first("sep weight 2"), set("separation.weight", Value::Number(2.0)));
        assert_eq!(first("edge.mode wrap"), set("edge.mode", Value::Choice("wrap")));
        assert_eq!(first("edge.random on"), set("edge.random", Value::Switch(true)));
        let wrong = typed("separation.weight 999");
        assert!(wrong.found.is_empty() && wrong.error.as_deref().unwrap().contains("expected 0 to 100"));
    }

    #[test]
    fn words_and_infinity_are_completed() {
        let names = |text: &str| -> Vec<String> { typed(text).found.into_iter().map(|entry| entry.name).collect() };
        assert_eq!(names("edge.mode w"), ["edge.mode = wrap"]);
        assert_eq!(names("edge.random = o"), ["edge.random = true", "edge.random = false"]);
        assert_eq!(names("cohesion.radius i"), ["cohesion.radius = inf"]);
        assert_eq!(names("cohesion.radius inf"), ["cohesion.radius = inf"]);
        assert_eq!(names("coh rad inf")[0], "cohesion.radius = inf");
        assert_eq!(names("edge mode wr"), ["edge.mode = wrap"]);
        // Without a value: the parameter, and its words that fit the world.
        let words = names("edge.mode = ");
        assert_eq!(words[0], "edge.mode");
        assert!(words.contains(&"edge.mode = wrap".to_owned()) && !words.contains(&"edge.mode = sphere".to_owned()));
        assert_eq!(names("separation.weight "), ["separation.weight"]);
        for (text, error) in [
            ("separation.weight inf", "separation.weight = inf is out of range: expected 0 to 100"),
            ("edge.mode = x", "edge.mode = x is invalid: expected "),
            ("edge.mode = sphere", "edge.mode = sphere needs a spherical world such as round:100, not 900x600"),
            ("speed.min 99", "speed.min = 99 is above speed.max"),
        ] {
            let wrong = typed(text);
            assert!(
                wrong.found.is_empty() && wrong.error.as_deref().unwrap().starts_with(error),
                "{:?}",
                wrong.error.as_deref()
            );
        }
    }

    #[test]
    fn a_parameter_of_another_model_names_its_presets() {
        for text in ["vicsek.vectorial", "vicsek.vectorial 1", "vicsek.vectorial="] {
            let wrong = typed(text);
            let error = "the model boids does not use vicsek.vectorial; the presets vicsek and bands do";
            assert_eq!((wrong.found.len(), wrong.error.as_deref()), (0, Some(error)), "{text}");
        }
    }

    #[test]
    fn a_typo_finds_the_intended_name() {
        let weight = Param::find("separation.weight").unwrap();
        for (text, action) in [
            ("separtaion.wieght", EntryAction::SelectParam(weight)),
            ("separtaion.wieght 2", EntryAction::SetParam(weight, Value::Number(2.0))),
            ("seperation 2", EntryAction::SetParam(weight, Value::Number(2.0))),
        ] {
            let palette = typed(text);
            let entry = palette.selected().unwrap();
            assert_eq!((&entry.action, palette.error.as_deref()), (&action, None), "{text}");
            assert!(entry.summary.contains("Did you mean `separation"), "{text}: {}", entry.summary);
        }
        for text in ["quit now", "variatoin"] {
            assert_eq!(typed(text).error.as_deref(), Some(&*format!("nothing matches `{text}`")));
        }
        assert_eq!(typed("polarization").selected().unwrap().action, EntryAction::Perform(Action::Plots));
        assert_eq!(typed("qqqqqq").error.as_deref(), Some("nothing matches `qqqqqq`"));
        // A group means its weight.
        let set = typed("alignment 0").selected().unwrap().action.clone();
        assert_eq!(set, EntryAction::SetParam(Param::find("alignment.weight").unwrap(), Value::Number(0.0)));
    }

    #[test]
    fn the_selection_wraps_around() {
        let marked_after = |palette: &Palette, moves: &[bool]| {
            let mut overlay = Overlay::Palette(palette.clone());
            for down in moves {
                overlay.scroll(1, *down, true, 0);
            }
            let Overlay::Palette(palette) = overlay else { unreachable!() };
            palette.marked
        };
        let palette = palette();
        assert_eq!(marked_after(&palette, &[false]), palette.found.len() - 1);
        assert_eq!(marked_after(&palette, &[false, true]), 0);
        assert_eq!(marked_after(&typed("xyzzy"), &[true]), 0);
    }

    #[test]
    fn search_words_of_parameters_are_new() {
        for param in Param::table() {
            for term in param.search.split_whitespace() {
                let known = format!("{} {}", param.key, param.summary).to_lowercase();
                let is_known = known.split(|symbol: char| !symbol.is_alphanumeric()).any(|one| one == term);
                assert!(!is_known, "{}: {term}", param.key);
            }
        }
    }
}
