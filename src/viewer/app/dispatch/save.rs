//! Saving the rules as a preset of one's own.

use crate::config::{Catalog, ConfigFile, Error, NamedFile, Preset};
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::input::prompt::{Prompt, PromptKind};

impl App {
    /// Takes the name that was typed: asks again where one of that name is there already, or saves.
    pub(crate) fn named(&mut self, prompt: &Prompt) {
        let name = prompt.text.trim();
        if name.is_empty() {
            return;
        }
        let checked = Preset::check_name(name);
        if let Err(error) = checked {
            self.show_message(error.to_string());
            self.overlay = Some(Overlay::Prompt(prompt.clone()));
        } else if Preset::user_file(name).is_some() && prompt.kind == PromptKind::Name {
            self.overlay = Some(Overlay::Prompt(Prompt { kind: PromptKind::Overwrite, text: name.to_owned() }));
        } else {
            self.keep(name, prompt.kind == PromptKind::Overwrite);
        }
    }

    /// Saves the flock of now, and flies on under that name.
    fn keep(&mut self, name: &str, over: bool) {
        let preset = self.session.preset_named(name);
        match preset.save(over) {
            Ok(path) => {
                let shadows = if preset.shadows_builtin() { "; it stands in for the built-in one" } else { "" };
                self.show_message(format!("saved as {name}, in {}{shadows}", path.display()));
                match self.presets.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.clone_from(&preset),
                    None => self.presets.push(preset.clone()),
                }
                self.session.rename(preset);
            }
            Err(error) => self.show_message(error.to_string()),
        }
    }
}

/// Every preset to choose from, `these` among them, and what is wrong with others.
pub fn presets<'a>(these: impl IntoIterator<Item = &'a Preset>) -> Catalog<Preset> {
    let mut presets = Preset::all();
    for one in these {
        if presets.all.iter().all(|preset| preset.origin != one.origin) {
            presets.all.push(one.clone());
        }
    }
    presets
}

/// What is wrong with files of one's own, in a line: the first of them, named from flockscope's folder on, and how many
/// more there are.
pub fn complaint(broken: &[Error]) -> Option<String> {
    let first = broken.first()?.to_string();
    let home = ConfigFile::home().and_then(|path| Some(path.parent()?.join("").display().to_string()));
    let first = home.map_or(first.clone(), |home| first.replace(&home, ""));
    let more = broken.len() - 1;
    Some(if more == 0 { first } else { format!("{first} (and {more} more like it)") })
}
