//! From a pressed key to an action.

use std::collections::HashMap;

use crokey::{KeyCombination, KeyCombinationFormat, OneToThree};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Action;

/// Which key does what.
#[derive(Clone, Debug)]
pub struct Keymap {
    actions: HashMap<KeyCombination, Action>,
}

impl Default for Keymap {
    /// The keys of the table of actions.
    ///
    /// # Panics
    ///
    /// Never: a test reads the whole table.
    fn default() -> Self {
        let mut actions = HashMap::new();
        for &action in Action::ALL {
            for name in action.default_keys() {
                let key: KeyCombination = name.parse().expect("the table's keys are right");
                let double = actions.insert(normal(key), action);
                debug_assert!(double.is_none(), "{name} is bound twice");
            }
        }
        Self { actions }
    }
}

impl Keymap {
    /// What a pressed key does, if anything.
    #[must_use]
    pub fn action(&self, key: KeyEvent) -> Option<Action> {
        self.actions.get(&normal(KeyCombination::from(key))).copied()
    }

    /// The keys that do something, as people write them, the table's order kept: `←`, `Shift-←`, `H`.
    #[must_use]
    pub fn keys(&self, action: Action) -> Vec<String> {
        let keys = action.default_keys().iter().filter_map(|name| name.parse().ok()).map(normal);
        keys.filter(|key| self.actions.get(key) == Some(&action)).map(name).collect()
    }

    /// The first of the keys that do something, or nothing.
    #[must_use]
    pub fn key(&self, action: Action) -> String {
        self.keys(action).into_iter().next().unwrap_or_default()
    }
}

/// One form for what terminals report in several: a letter's case and Shift say the same, and
/// Shift says nothing of a sign.
fn normal(key: KeyCombination) -> KeyCombination {
    let mut key = key.normalized();
    match key.codes {
        OneToThree::One(KeyCode::Char(sign)) if !sign.is_alphabetic() => key.modifiers.remove(KeyModifiers::SHIFT),
        OneToThree::One(KeyCode::BackTab) => key.modifiers.insert(KeyModifiers::SHIFT),
        OneToThree::One(KeyCode::Tab) if key.modifiers.contains(KeyModifiers::SHIFT) => {
            key.codes = OneToThree::One(KeyCode::BackTab);
        }
        _ => {}
    }
    key
}

fn name(key: KeyCombination) -> String {
    match (key.codes, key.modifiers) {
        (OneToThree::One(KeyCode::Char(' ')), KeyModifiers::NONE) => return "Space".into(),
        (OneToThree::One(KeyCode::Char('-')), KeyModifiers::NONE) => return "-".into(),
        (OneToThree::One(KeyCode::BackTab), _) => return "Shift-Tab".into(),
        (OneToThree::One(KeyCode::Char(letter)), KeyModifiers::SHIFT) => return letter.to_string(),
        _ => {}
    }
    let text = KeyCombinationFormat::default().to_string(key);
    [("Left", "←"), ("Right", "→"), ("Up", "↑"), ("Down", "↓")]
        .iter()
        .fold(text, |text, (word, arrow)| text.replace(word, arrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        Keymap::default().action(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn every_key_of_the_table_does_what_it_says() {
        let map = Keymap::default();
        for &action in Action::ALL {
            assert_eq!(map.keys(action).len(), action.default_keys().len(), "{}", action.id());
        }
    }

    #[test]
    fn a_key_is_known_in_every_form_that_terminals_report() {
        let (none, shift) = (KeyModifiers::NONE, KeyModifiers::SHIFT);
        assert_eq!(action(KeyCode::Char('R'), shift), Some(Action::Restart));
        assert_eq!(action(KeyCode::Char('R'), none), Some(Action::Restart));
        assert_eq!(action(KeyCode::Char('r'), none), Some(Action::Reseed));
        assert_eq!(action(KeyCode::Char('?'), shift), Some(Action::Help));
        assert_eq!(action(KeyCode::Char('+'), none), Some(Action::MoreBoids));
        assert_eq!(action(KeyCode::BackTab, shift), Some(Action::PreviousPreset));
        assert_eq!(action(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Quit));
        assert_eq!(action(KeyCode::Left, KeyModifiers::ALT), Some(Action::LessFine));
        assert_eq!(action(KeyCode::Char('e'), none), None);
    }

    #[test]
    fn keys_are_written_as_people_write_them() {
        let map = Keymap::default();
        assert_eq!(map.keys(Action::LessCoarse), ["Shift-←", "H"]);
        assert_eq!(map.keys(Action::Pause), ["Space"]);
        assert_eq!(map.keys(Action::Quit), ["q", "Ctrl-c"]);
    }
}
