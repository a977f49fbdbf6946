//! The key bindings.

use std::collections::{HashMap, HashSet};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::key_notation;
use crate::config::{KeyBinding, KeyBindings, SpannedText};
use crate::error::{InputError, did_you_mean};
use crate::terminal::events::Key;
use crate::viewer::{Action, Mode};

/// The mouse bindings: name, button and summary.
pub const MOUSE_BINDINGS: [(&str, &str, &str); 7] = [
    ("mouse attract", "hold left", "Attract the flock."),
    ("mouse repel", "hold right", "Repel the flock."),
    ("mouse obstacle", "middle", "Place, drag or remove an obstacle."),
    ("mouse zoom", "wheel", "Zoom at the mouse; over the panel, select a parameter."),
    ("mouse gauge", "click, drag", "Set a gauge."),
    ("mouse timeline", "click, drag", "Move through the session; the wheel moves by a second."),
    ("mouse plot", "click", "Open the plot of a sparkline in the panel."),
];

/// The binding that no key file can remove.
const EXIT: (KeyEvent, Action) = (KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), Action::Quit);

/// A move in an open popup or prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Navigation {
    /// To the line or entry above.
    Up,
    /// To the line or entry below.
    Down,
    /// Up by a page.
    PageUp,
    /// Down by a page.
    PageDown,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// To the next match of a search.
    Next,
    /// To the previous match of a search.
    Previous,
    /// Takes the selected entry or the typed text.
    Confirm,
    /// Closes it.
    Close,
}

/// The keys of navigation. No key file changes them, so that every popup can be used and closed. Keys of the action have the
/// same effect in a popup.
const NAVIGATION: [(KeyCode, Navigation, Action); 10] = [
    (KeyCode::Up, Navigation::Up, Action::PreviousParameter),
    (KeyCode::Down, Navigation::Down, Action::NextParameter),
    (KeyCode::PageUp, Navigation::PageUp, Action::PageUp),
    (KeyCode::PageDown, Navigation::PageDown, Action::PageDown),
    (KeyCode::Home, Navigation::First, Action::Minimum),
    (KeyCode::End, Navigation::Last, Action::Maximum),
    (KeyCode::Tab, Navigation::Next, Action::NextPreset),
    (KeyCode::BackTab, Navigation::Previous, Action::PreviousPreset),
    (KeyCode::Enter, Navigation::Confirm, Action::EditValue),
    (KeyCode::Esc, Navigation::Close, Action::Close),
];

impl Navigation {
    /// The move of a pressed key.
    pub fn of_key(pressed: KeyEvent) -> Option<Self> {
        let pressed = key_notation::normalize(pressed);
        NAVIGATION.iter().find(|(code, ..)| pressed == bare(*code)).map(|(_, navigation, _)| *navigation)
    }

    /// The move of an action in a popup.
    pub fn of_action(action: Action) -> Option<Self> {
        NAVIGATION.iter().find(|(.., known)| *known == action).map(|(_, navigation, _)| *navigation)
    }
}

/// What a pressed key counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The key.
    pub key: KeyEvent,
    /// Its action, if it is bound.
    pub action: Option<Action>,
}

/// The bindings of keys to actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: HashMap<Action, Vec<KeyEvent>>,
    /// Whether to show arrow keys by name, for terminals without arrow glyphs.
    pub(in crate::viewer) uses_key_names: bool,
}

/// An action and its keys from a file.
type KeyRow<'a> = (Action, Vec<(KeyEvent, &'a SpannedText)>);

impl Default for Keymap {
    /// The keys in the action table.
    fn default() -> Self {
        Self::from_base(BaseKeymap::Default)
    }
}

impl Keymap {
    /// The bindings of a key file on top of its base. A row sets all keys of an action and unbinds them from others.
    ///
    /// # Errors
    ///
    /// [`InputError::At`] for an unknown base, action or key, or a key that is bound twice.
    pub fn new(bindings: &KeyBindings) -> Result<Self, InputError> {
        let base = base(bindings)?;
        let rows: Vec<KeyRow<'_>> =
            bindings.rows.iter().map(|row| read_row(bindings, row)).collect::<Result<_, _>>()?;
        check_once(bindings, &rows)?;
        Ok(Self::of(base, &rows))
    }

    /// The bindings of a base keymap.
    pub fn from_base(base: BaseKeymap) -> Self {
        Self::of(base, &[])
    }

    fn of(base: BaseKeymap, rows: &[KeyRow<'_>]) -> Self {
        let mut keymap = Self { keys: HashMap::new(), uses_key_names: false };
        for &action in Action::ALL {
            let row = rows.iter().find(|(known, _)| *known == action);
            let mut keys: Vec<KeyEvent> = if let Some((_, keys)) = row {
                keys.iter().map(|(key, _)| *key).collect()
            } else {
                let others = rows.iter().filter(|(other, _)| action.shares_mode(*other));
                let taken: HashSet<KeyEvent> = others.flat_map(|(_, keys)| keys.iter().map(|(key, _)| *key)).collect();
                let keys = base.keys(action).iter().filter_map(|name| key_notation::parse(name).ok());
                keys.filter(|key| !taken.contains(key)).collect()
            };
            if action == EXIT.1 && !keys.contains(&EXIT.0) {
                keys.push(EXIT.0);
            }
            keymap.keys.insert(action, keys);
        }
        keymap
    }

    /// The action of a pressed key: one that works in the mode, or else one of another mode.
    pub fn action(&self, pressed: KeyEvent, mode: Mode) -> Option<Action> {
        let pressed = key_notation::normalize(pressed);
        let bound = || Action::ALL.iter().copied().filter(|action| self.keys[action].contains(&pressed));
        bound().find(|action| action.works_in(mode)).or_else(|| bound().next())
    }

    /// The key that a pressed key counts as, with its action: the key itself, the one in its place on a US keyboard, or another
    /// that some terminals report in this way. The first that is bound is used.
    pub fn bound(&self, pressed: Key, mode: Mode) -> Bound {
        let Key { typed, on_us_keyboard } = pressed;
        let alias = alias(on_us_keyboard.unwrap_or(typed));
        let mut forms = [Some(typed), on_us_keyboard, alias].into_iter().flatten();
        let bound = forms.find_map(|key| self.action(key, mode).map(|action| Bound { key, action: Some(action) }));
        bound.unwrap_or(Bound { key: alias.unwrap_or(typed), action: None })
    }

    /// The keys of an action for display: `←`, `Shift-←`, `H`.
    pub fn keys(&self, action: Action) -> Vec<String> {
        self.keys[&action].iter().map(|key| self.label(*key)).collect()
    }

    /// The keys of an action as in key files: `left`, `shift-left`, `shift-h`.
    pub fn written(&self, action: Action) -> Vec<String> {
        self.keys[&action].iter().copied().map(key_notation::to_config).collect()
    }

    /// The first key of an action for display.
    pub fn key(&self, action: Action) -> Option<String> {
        self.keys[&action].first().map(|key| self.label(*key))
    }

    /// The key of a move in a popup, for display.
    pub(in crate::viewer) fn navigation_key(&self, navigation: Navigation) -> Option<String> {
        NAVIGATION.iter().find(|(_, known, _)| *known == navigation).map(|(code, ..)| self.label(bare(*code)))
    }

    fn label(&self, key: KeyEvent) -> String {
        key_notation::to_label(key, self.uses_key_names)
    }
}

/// The key that some terminals report as another one, which a key file may bind too.
fn alias(key: KeyEvent) -> Option<KeyEvent> {
    let (code, modifiers) = match (key.code, key.modifiers) {
        // The arrow keys with Option on macOS, which move by words in a shell.
        (KeyCode::Char('b'), KeyModifiers::ALT) => (KeyCode::Left, KeyModifiers::ALT),
        (KeyCode::Char('f'), KeyModifiers::ALT) => (KeyCode::Right, KeyModifiers::ALT),
        // The other code of Backspace.
        (KeyCode::Char('h'), KeyModifiers::CONTROL) => (KeyCode::Backspace, KeyModifiers::NONE),
        (KeyCode::Char('j'), KeyModifiers::CONTROL) => (KeyCode::Enter, KeyModifiers::NONE),
        // Shift-Tab on the Linux console.
        (KeyCode::Tab, KeyModifiers::ALT) => (KeyCode::BackTab, KeyModifiers::SHIFT),
        _ => return None,
    };
    Some(KeyEvent::new(code, modifiers))
}

/// A key without modifiers.
fn bare(code: KeyCode) -> KeyEvent {
    key_notation::normalize(KeyEvent::new(code, KeyModifiers::NONE))
}

fn base(bindings: &KeyBindings) -> Result<BaseKeymap, InputError> {
    let Some(word) = &bindings.base else { return Ok(BaseKeymap::Default) };
    let names = BaseKeymap::ALL.map(BaseKeymap::name);
    BaseKeymap::ALL.into_iter().find(|base| base.name() == word.text).ok_or_else(|| {
        let hint = did_you_mean(&word.text, names);
        let known = names.join(", ");
        bindings.at(word, format!("unknown base `{}`: expected one of {known}{hint}", word.text.escape_debug()))
    })
}

fn read_row<'a>(bindings: &KeyBindings, row: &'a KeyBinding) -> Result<KeyRow<'a>, InputError> {
    let action = action(bindings, &row.action)?;
    let keys = row.keys.iter().map(|word| {
        let key = key_notation::parse(&word.text).map_err(|why| bindings.at(word, why))?;
        // Alt makes no difference to it.
        if (KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..key }) == EXIT.0 && action != EXIT.1 {
            let key = key_notation::to_config(key);
            return Err(bindings.at(word, format!("`{key}` always quits and cannot be bound to another action")));
        }
        Ok((key, word))
    });
    Ok((action, keys.collect::<Result<_, InputError>>()?))
}

fn action(bindings: &KeyBindings, word: &SpannedText) -> Result<Action, InputError> {
    Action::named(&word.text).ok_or_else(|| {
        let hint = did_you_mean(&word.text, Action::ALL.iter().map(|action| action.id()).chain([KeyBindings::BASE]));
        bindings.at(word, format!("unknown action `{}`{hint}", word.text.escape_debug()))
    })
}

/// Rejects keys that are bound twice in a mode.
fn check_once(bindings: &KeyBindings, rows: &[KeyRow<'_>]) -> Result<(), InputError> {
    let mut bound: Vec<(KeyEvent, Action, &SpannedText)> = Vec::new();
    for (action, keys) in rows {
        for (key, word) in keys {
            let twice = bound.iter().find(|(known, other, _)| known == key && action.shares_mode(*other)).copied();
            bound.push((*key, *action, word));
            if let Some((_, other, place)) = twice {
                let (key, place) = (key_notation::to_config(*key), bindings.place(place));
                return Err(bindings.at(
                    word,
                    format!("`{key}` is bound twice: to {} here and to {} at {place}", action.id(), other.id()),
                ));
            }
        }
    }
    Ok(())
}

/// A base keymap, which a key file builds on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum BaseKeymap {
    /// The keys in the action table: arrows and letters.
    #[default]
    Default,
    /// Parameters by arrows only, which leaves `h`, `j`, `k` and `l` free.
    Arrows,
    /// The keys of vim.
    Vim,
}

/// An action and its keys.
type BaseRow = (Action, &'static [&'static str]);

const ARROWS: &[BaseRow] = &[
    (Action::PreviousParameter, &["up"]),
    (Action::NextParameter, &["down"]),
    (Action::Decrease, &["left"]),
    (Action::Increase, &["right"]),
    (Action::DecreaseCoarse, &["shift-left"]),
    (Action::IncreaseCoarse, &["shift-right"]),
    (Action::DecreaseFine, &["alt-left"]),
    (Action::IncreaseFine, &["alt-right"]),
    (Action::SelectLeft, &["left"]),
    (Action::SelectRight, &["right"]),
    (Action::SelectAbove, &["up"]),
    (Action::SelectBelow, &["down"]),
];

/// Hints show the first key, so letters come first.
const VIM: &[BaseRow] = &[
    (Action::PreviousParameter, &["k", "up"]),
    (Action::NextParameter, &["j", "down"]),
    (Action::Decrease, &["h", "left"]),
    (Action::Increase, &["l", "right"]),
    (Action::DecreaseCoarse, &["shift-h", "shift-left"]),
    (Action::IncreaseCoarse, &["shift-l", "shift-right"]),
    (Action::DecreaseFine, &["alt-h", "alt-left"]),
    (Action::IncreaseFine, &["alt-l", "alt-right"]),
    (Action::Minimum, &["g", "home"]),
    (Action::Maximum, &["shift-g", "end"]),
    (Action::EditValue, &["i", "enter"]),
    (Action::ResetParameter, &["x", "backspace"]),
    (Action::ResetAll, &["shift-x", "delete"]),
    (Action::AllParameters, &["alt-i"]),
    (Action::Palette, &[":", "/"]),
    (Action::Plots, &["ctrl-g"]),
    (Action::SavePlots, &["alt-g"]),
    (Action::SelectLeft, &["h", "left"]),
    (Action::SelectRight, &["l", "right"]),
    (Action::SelectAbove, &["k", "up"]),
    (Action::SelectBelow, &["j", "down"]),
];

impl BaseKeymap {
    /// All base keymaps.
    pub const ALL: [Self; 3] = [Self::Default, Self::Arrows, Self::Vim];

    /// The name in key files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The actions whose keys differ from the action table.
    pub fn rows(self) -> &'static [(Action, &'static [&'static str])] {
        match self {
            Self::Default => &[],
            Self::Arrows => ARROWS,
            Self::Vim => VIM,
        }
    }

    /// The keys of an action.
    pub fn keys(self, action: Action) -> &'static [&'static str] {
        let row = self.rows().iter().find(|(known, _)| *known == action);
        row.map_or_else(|| action.default_keys(), |(_, keys)| *keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        Keymap::default().action(KeyEvent::new(code, modifiers), Mode::Flying)
    }

    fn map(text: &str) -> Keymap {
        Keymap::new(&KeyBindings::from_text("mine.toml", text).unwrap()).unwrap()
    }

    /// The error of rows in a file that starts with `[keys]`.
    fn error(rows: &str) -> String {
        Keymap::new(&KeyBindings::from_text("mine.toml", &format!("[keys]\n{rows}\n")).unwrap())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn base_keymaps_have_no_conflicts() {
        for base in BaseKeymap::ALL {
            let map = map(&format!("[keys]\nbase = \"{}\"\n", base.name()));
            for &action in Action::ALL {
                assert_eq!(map.keys(action).len(), base.keys(action).len(), "{}", action.id());
                for key in base.keys(action) {
                    let key = key_notation::parse(key).unwrap();
                    assert!(map.keys[&action].contains(&key), "{key:?} in {}", base.name());
                    let in_same_mode = Action::ALL
                        .iter()
                        .filter(|other| action.shares_mode(**other) && map.keys[*other].contains(&key));
                    assert_eq!(in_same_mode.count(), 1, "{key:?} in {}", base.name());
                }
            }
        }
    }

    #[test]
    fn all_reported_forms_of_a_key_match() {
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        assert_eq!(action(KeyCode::Char('R'), shift), Some(Action::Restart));
        assert_eq!(action(KeyCode::Char('R'), none), Some(Action::Restart));
        assert_eq!(action(KeyCode::Char('r'), none), Some(Action::NewSeed));
        assert_eq!(action(KeyCode::Char('?'), shift), Some(Action::Help));
        assert_eq!(action(KeyCode::Char('+'), none), Some(Action::MoreBoids));
        assert_eq!(action(KeyCode::BackTab, shift), Some(Action::PreviousPreset));
        assert_eq!(action(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Quit));
        assert_eq!(action(KeyCode::Left, KeyModifiers::ALT), Some(Action::DecreaseFine));
        assert_eq!(action(KeyCode::Char('x'), none), None);
    }

    #[test]
    fn keys_are_shown_as_glyphs() {
        let map = Keymap::default();
        assert_eq!(map.keys(Action::DecreaseCoarse), ["Shift-←", "H"]);
        assert_eq!(map.keys(Action::Pause), ["Space"]);
        assert_eq!(map.keys(Action::Quit), ["q", "Ctrl-c"]);
        assert_eq!(map.written(Action::DecreaseCoarse), ["shift-left", "shift-h"]);
    }

    #[test]
    fn a_row_rebinds_keys_in_order() {
        let map = map("[keys]\npause = [\"f5\", \"r\"]\nstep = \"space\"\nhelp = []\n");
        assert_eq!(map.keys(Action::Pause), ["F5", "r"]);
        assert_eq!(map.keys(Action::Step), ["Space"]);
        assert!(map.keys(Action::NewSeed).is_empty() && map.keys(Action::Help).is_empty());
        let bound = [' ', 'r', '.', '?']
            .map(|sign| map.action(KeyEvent::new(KeyCode::Char(sign), KeyModifiers::NONE), Mode::Flying));
        assert_eq!(bound, [Some(Action::Step), Some(Action::Pause), None, None]);
    }

    #[test]
    fn rows_override_the_base() {
        let map = map("[keys]\nbase = \"vim\"\nmaximum = \"$\"\n");
        assert_eq!(
            (map.keys(Action::Minimum), map.keys(Action::Maximum)),
            (vec!["g".into(), "Home".into()], vec!["$".into()])
        );
        let arrows = self::map("[keys]\nbase = \"arrows\"\nclean = \"h\"\n");
        assert_eq!(
            (arrows.keys(Action::Decrease), arrows.keys(Action::Clean)),
            (vec!["←".to_owned()], vec!["h".to_owned()])
        );
    }

    #[test]
    fn ctrl_c_always_quits() {
        assert_eq!(map("[keys]\nquit = []\n").keys(Action::Quit), ["Ctrl-c"]);
        assert_eq!(map("[keys]\nquit = \"x\"\n").keys(Action::Quit), ["x", "Ctrl-c"]);
        assert_eq!(map("[keys]\nquit = [\"ctrl-c\", \"x\"]\n").keys(Action::Quit), ["Ctrl-c", "x"]);
        assert_eq!(
            error("pause = [\"space\", \"Ctrl-C\"]"),
            "mine.toml:2:19: `ctrl-c` always quits and cannot be bound to another action"
        );
        assert!(error("pause = \"ctrl-alt-c\"").contains("always quits"));
    }

    #[test]
    fn navigation_keys_ignore_bindings() {
        let navigation = |code| Navigation::of_key(KeyEvent::new(code, KeyModifiers::NONE));
        assert_eq!(navigation(KeyCode::Enter), Some(Navigation::Confirm));
        assert_eq!(navigation(KeyCode::PageDown), Some(Navigation::PageDown));
        assert_eq!(navigation(KeyCode::Esc), Some(Navigation::Close));
        assert_eq!(navigation(KeyCode::BackTab), Some(Navigation::Previous));
        assert_eq!(navigation(KeyCode::Char('j')), None);
        assert_eq!(Keymap::default().navigation_key(Navigation::Down), Some("↓".into()));
        let named = Keymap { uses_key_names: true, ..Keymap::default() };
        assert_eq!(named.keys(Action::DecreaseCoarse), ["Shift-Left", "H"]);
        assert_eq!(named.navigation_key(Navigation::Down), Some("Down".into()));
    }

    #[test]
    fn errors_name_the_place_and_a_suggestion() {
        for (rows, says) in [
            (
                "base = \"vi\"",
                "mine.toml:2:8: unknown base `vi`: expected one of default, arrows, vim; did you mean `vim`?",
            ),
            ("puase = \"x\"", "mine.toml:2:1: unknown action `puase`; did you mean `pause`?"),
            ("bsae = \"vim\"", "mine.toml:2:1: unknown action `bsae`; did you mean `base`?"),
            ("pause = \"spcae\"", "mine.toml:2:9: `spcae` is not a key; did you mean `space`?"),
            (
                "step = \"x\"\npause = [\"f5\", \"X\", \"x\"]",
                "mine.toml:3:21: `x` is bound twice: to pause here and to step at mine.toml:2:8",
            ),
            (
                "step = [\"R\", \"shift-r\"]",
                "mine.toml:2:14: `shift-r` is bound twice: to step here and to step at mine.toml:2:9",
            ),
            ("step = \"ctrl-i\"", "mine.toml:2:8: `ctrl-i` is the same as `tab` in a terminal; use `tab`"),
            ("\"\\u001b[31m\" = \"x\"", "mine.toml:2:1: unknown action `\\u{1b}[31m`"),
        ] {
            assert_eq!(error(rows), says);
        }
    }
}
