//! The table of keys.

use flockscope::config::{KeyBindings, toml_string};
use flockscope::viewer::{Action, Keymap};

use super::sentence;

pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match KeyBindings::from_text("mine.toml", text) {
        Ok(bindings) => bind(&bindings),
        Err(error) => sentence::check(&error),
    }
}

/// Binds what a file asks for; the keys that come of it, written down, bind the same.
pub fn bind(bindings: &KeyBindings) {
    match Keymap::new(bindings) {
        Ok(keymap) => {
            let again = KeyBindings::from_text("mine.toml", &written(&keymap)).expect("written text is valid");
            let again = Keymap::new(&again).unwrap_or_else(|error| panic!("{error} in {}", written(&keymap)));
            for &action in Action::ALL {
                assert_eq!(again.written(action), keymap.written(action));
                assert_eq!(again.keys(action), keymap.keys(action));
            }
            assert!(keymap.written(Action::Quit).contains(&"ctrl-c".to_owned()), "there is always a way out");
        }
        Err(error) => sentence::check(&error),
    }
}

fn written(keymap: &Keymap) -> String {
    let row = |action: &Action| {
        let keys: Vec<String> = keymap.written(*action).iter().map(|key| toml_string(key)).collect();
        format!("{} = [{}]\n", action.id(), keys.join(", "))
    };
    format!("[keys]\n{}", Action::ALL.iter().map(row).collect::<String>())
}
