//! The presets to choose from, and the one that gauges are relative to.

use std::sync::Arc;

use super::client::Client;
use super::theme::preset_themes::themes_of;
use crate::config::{FlockFile, Preset, PresetSettings, ReproduceCommand, WorldSize, auto_world};
use crate::engine::{Controls, Frame};
use crate::sim::{Command, Model, Param, Params, Setup, World};

/// The presets, and where the flock comes from.
#[derive(Debug)]
pub struct Presets {
    /// All presets.
    pub all: Vec<Preset>,
    /// The preset that gauges are relative to.
    pub base: Preset,
    /// The setup that the base belongs to; `None` is the start of the session.
    loaded: Option<Arc<Setup>>,
    /// The preset at the start, and the area of its world.
    start: (Preset, Option<f32>),
    /// The area in u² of a world that takes the shape of the canvas.
    auto_area: Option<f32>,
    /// The shape (width / height) that such a world takes at the end of the session.
    aspect_ratio: Option<f32>,
    /// The file that the first flock was loaded from.
    input: Option<FlockFile>,
    /// Whether boids form a text from standard input.
    pub has_piped_text: bool,
    /// The command that shows the recording again, if there is one.
    pub recording: Option<String>,
    /// Options from the config file, which the reproduce command must override.
    pub named: Vec<String>,
    /// The parameters of the config file for single presets.
    pub settings: PresetSettings,
}

impl Presets {
    /// A flock of the preset `base`, one of `all`, whose world may take the shape of the canvas.
    pub fn new(all: Vec<Preset>, base: Preset, boids: usize, world_is_auto: bool, input: Option<FlockFile>) -> Self {
        let auto_area = world_is_auto.then_some(base.area * boids as f32);
        let start = (base.clone(), auto_area);
        Self {
            all,
            base,
            loaded: None,
            start,
            auto_area,
            aspect_ratio: None,
            input,
            has_piped_text: false,
            recording: None,
            named: Vec::new(),
            settings: PresetSettings::default(),
        }
    }

    /// The index of the base.
    pub fn index(&self) -> Option<usize> {
        self.all.iter().position(|preset| preset.origin == self.base.origin && preset.name == self.base.name)
    }

    /// The index of the next preset of the tour, or of the previous one.
    pub fn neighbor(&self, next: bool) -> usize {
        let (count, step) = (self.all.len(), if next { 1 } else { self.all.len() - 1 });
        let Some(start) = self.index() else { return 0 };
        (1..count).map(|number| (start + number * step) % count).find(|index| self.is_on_tour(*index)).unwrap_or(start)
    }

    /// Whether the keys for the next and the previous preset stop at a preset: the show pieces, the first preset of each
    /// published model, and the user's own. The list has all. The benchmarks of `abm` are left out: they
    /// soon show a single spot.
    fn is_on_tour(&self, index: usize) -> bool {
        let preset = &self.all[index];
        let first = self.all.iter().position(|other| other.params.model.name == preset.params.model.name);
        let is_first = first == Some(index) && preset.params.model.name != Model::Abm;
        preset.from_user || preset.is_from_path() || is_first || themes_of(&preset.name).is_some()
    }

    /// Saves the current flock as a preset, which becomes the base, with the theme that the user chose. Returns a message.
    pub fn save(&mut self, name: &str, overwrite: bool, controls: &Controls, theme: Option<&str>) -> String {
        let preset = self.to_preset(name, controls, theme);
        match preset.save(overwrite) {
            Ok(path) => {
                match self.all.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.clone_from(&preset),
                    None => self.all.push(preset.clone()),
                }
                let note = if preset.shadows_builtin() { "; it replaces the built-in preset" } else { "" };
                self.base = preset;
                format!("saved as {name} in {}{note}", path.display())
            }
            Err(error) => error.to_string(),
        }
    }

    /// Loads the flock of a preset with a seed, in a world that does not follow the window. Returns its setup.
    pub fn start(&mut self, preset: Preset, seed: u64, shape: f32, client: &mut Client) -> Setup {
        let setup = preset.setup(seed, shape);
        client.load(setup.clone(), preset.rate);
        (self.auto_area, self.base) = (None, preset);
        setup
    }

    /// Switches the flock to another preset, whose world may take `aspect_ratio`.
    pub fn load(&mut self, preset: Preset, aspect_ratio: f32, client: &mut Client) {
        let Setup { seed, params, .. } = &client.controls().setup;
        let mut setup = preset.setup(*seed, aspect_ratio);
        // The user's morph time applies to all presets.
        if params.change != self.base.params.change {
            setup.params.change = params.change;
        }
        self.auto_area = (preset.world == WorldSize::Auto).then_some(preset.area * setup.boids as f32);
        client.load(setup, preset.rate);
        self.base = preset;
    }

    /// Follows the rules of the session: the base is the preset that was loaded last. Rules of no known preset keep the last
    /// base. Returns whether it changed.
    pub fn on_frame(&mut self, frame: &Frame) -> bool {
        let loaded = &frame.run.loaded;
        let is_same = match (&self.loaded, loaded) {
            (Some(known), Some(loaded)) => Arc::ptr_eq(known, loaded),
            (known, loaded) => known.is_none() && loaded.is_none(),
        };
        if is_same {
            return false;
        }
        self.loaded.clone_from(loaded);
        let (base, area) = match loaded {
            None => (self.start.0.clone(), self.start.1),
            // Several presets may have the same rules.
            Some(setup) => match preset_of(setup, [&self.base].into_iter().chain(&self.all)) {
                None => return false,
                Some(preset) => {
                    let is_auto = self.start.1.is_some() && preset.world == WorldSize::Auto;
                    (preset.clone(), is_auto.then_some(preset.area * frame.controls.setup.boids as f32))
                }
            },
        };
        let changes = base.origin != self.base.origin;
        if changes {
            (self.base, self.auto_area) = (base, area);
        }
        changes
    }

    /// Replaces the list, whose presets have the parameters that the config file now sets for them, also for the base. Returns the
    /// parameters of the base that this changes.
    pub fn replace(&mut self, all: Vec<Preset>) -> Vec<&'static Param> {
        self.all = all;
        let Some(new) = self.index().map(|index| &self.all[index]) else { return Vec::new() };
        let base = &mut self.base;
        let customized = Param::table()
            .iter()
            .filter(|param| [&*base, new].iter().any(|preset| preset.customized.contains(&param.key)));
        let params: Vec<&Param> =
            customized.filter(|param| param.get(&base.params) != param.get(&new.params)).collect();
        for param in &params {
            // A value of the list fits its preset.
            let _ = base.params.set(param.key, param.get(&new.params));
        }
        base.customized.clone_from(&new.customized);
        params
    }

    /// Fits a world of automatic size to a canvas of this aspect ratio (width / height), once the session is at its end.
    pub fn resize(&mut self, aspect_ratio: f32) {
        self.aspect_ratio = Some(aspect_ratio);
    }

    /// The world of automatic size in another shape; `None` if its size is fixed.
    pub fn world_in_shape(&self, aspect_ratio: f32, params: &Params) -> Option<World> {
        self.auto_area.map(|area| auto_world(area, aspect_ratio, params))
    }

    /// Fits the world, if the latest frame is at the end of the session and includes all requests.
    pub fn fit_world(&mut self, client: &mut Client) {
        if client.frame().position.is_past() || !client.is_settled() {
            return;
        }
        let Some((area, aspect_ratio)) = self.auto_area.zip(self.aspect_ratio.take()) else { return };
        let world = auto_world(area, aspect_ratio, &client.controls().setup.params);
        if world != client.controls().setup.world {
            client.command(Command::Resize(world));
        }
    }

    /// The command that reproduces the flock.
    pub fn reproduce_command<'a>(&'a self, client: &'a Client) -> ReproduceCommand<'a> {
        let (run, controls) = (&client.frame().run, client.controls());
        let (is_first, changed) = match client.pending_change() {
            Some(true) => (false, false),
            Some(false) => (run.number == 0, true),
            None => (run.number == 0, run.is_changed),
        };
        ReproduceCommand {
            preset: &self.base,
            setup: &controls.setup,
            rate: controls.rate,
            input: self.input.as_ref().filter(|_| is_first),
            has_piped_text: self.has_piped_text,
            recording: self.recording.as_deref(),
            named: &self.named,
            changed,
        }
    }

    /// The current flock as a user preset.
    fn to_preset(&self, name: &str, controls: &Controls, theme: Option<&str>) -> Preset {
        let (source, summary, phrase) = match &self.base {
            own if own.name == name => (own.source.clone(), own.summary.clone(), own.phrase.clone()),
            other => (format!("based on {}", other.name), format!("based on {}", other.name), String::new()),
        };
        let mut preset = Preset::of_setup(name, &controls.setup, controls.rate);
        if let Some(area) = self.auto_area {
            (preset.world, preset.area) = (WorldSize::Auto, area / preset.boids as f32);
        }
        let theme = theme.unwrap_or(&self.base.theme).to_owned();
        Preset { source, summary, phrase, theme, from_user: true, ..preset }
    }
}

/// The preset with the rules of a setup; if several have them, the one with as many boids comes first.
pub fn preset_of<'a>(
    setup: &Setup,
    presets: impl IntoIterator<Item = &'a Preset, IntoIter: Clone>,
) -> Option<&'a Preset> {
    // The user's morph time applies to all presets.
    let mut alike =
        presets.into_iter().filter(|preset| Params { change: setup.params.change, ..preset.params } == setup.params);
    let mut equal = alike.clone().filter(|preset| (preset.boids, preset.predators) == (setup.boids, setup.predators));
    equal.next().or_else(|| alike.next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Request;
    use crate::sim::{Command, SessionPosition, Value, World};

    fn client_of(preset: &str) -> (Presets, Client) {
        let preset = Preset::load(preset).unwrap();
        let (setup, rate) = (preset.setup(7, 1.6), preset.rate);
        let presets = Presets::new(Preset::builtin(), preset, setup.boids, false, None);
        (presets, Client::new(Controls::of_setup(setup, rate)))
    }

    fn set(client: &mut Client, key: &str, value: f32) {
        client.set_param(Param::find(key).unwrap(), Value::Number(value));
    }

    /// Shows a frame that includes all requests, at a tick of a session of 100 ticks. Returns the requests.
    fn settle(client: &mut Client, tick: u64) -> Vec<Request> {
        let (requests, controls) = (client.take_requests(), client.controls().clone());
        client.show_frame(|frame| {
            frame.request += requests.len() as u64;
            frame.position = SessionPosition { tick, last: 100, ..SessionPosition::default() };
            frame.controls = controls;
        });
        requests
    }

    #[test]
    fn presets_with_like_worlds_morph() {
        let (mut presets, mut client) = client_of("drones");
        let morph_to = |presets: &mut Presets, client: &mut Client, preset: &str| {
            presets.load(Preset::load(preset).unwrap(), 1.6, client);
            match client.take_requests().remove(0) {
                Request::Flock { command: Command::Morph(_, ticks), .. } => Some(ticks),
                Request::Flock { command: Command::Replace(_), .. } => None,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(morph_to(&mut presets, &mut client, "sparrows"), Some(30));
        assert_eq!(morph_to(&mut presets, &mut client, "sphere"), None);
        morph_to(&mut presets, &mut client, "drones");
        set(&mut client, "morph", 0.0);
        client.take_requests();
        // The morph time carries over.
        let ticks = morph_to(&mut presets, &mut client, "parker");
        assert_eq!((ticks, client.controls().setup.params.change.morph), (None, 0.0));
    }

    #[test]
    fn a_small_world_keeps_room_between_its_margins() {
        let (mut presets, mut client) = client_of("starlings");
        presets.auto_area = Some(1000.0);
        for aspect_ratio in [0.2, 1.0, 5.0] {
            presets.resize(aspect_ratio);
            presets.fit_world(&mut client);
            let Setup { params, world, .. } = &client.controls().setup;
            let [width, height, _] = world.size();
            assert!(width.min(height) > 3.9 * params.edge.margin, "{width} {height}");
            settle(&mut client, 100);
        }
        presets.auto_area = Some(1e6);
        presets.resize(1.0);
        presets.fit_world(&mut client);
        assert_eq!(client.controls().setup.world, World::of_area(1e6, 1.0));
    }

    #[test]
    fn the_world_is_resized_at_the_end_of_the_session() {
        let (mut presets, mut client) = client_of("drones");
        settle(&mut client, 40);
        presets.auto_area = Some(1e6);
        presets.resize(2.0);
        presets.fit_world(&mut client);
        assert_eq!(settle(&mut client, 100), []);
        set(&mut client, "speed.max", 9.0);
        presets.fit_world(&mut client);
        assert_eq!(settle(&mut client, 100).len(), 1, "not before the frame includes all requests");
        presets.fit_world(&mut client);
        assert!(matches!(settle(&mut client, 100)[..], [Request::Flock { command: Command::Resize(_), .. }]));
        presets.fit_world(&mut client);
        assert_eq!(client.take_requests(), []);
    }

    #[test]
    fn to_preset_keeps_the_current_flock() {
        let (presets, mut client) = client_of("drones");
        client.set_boids(40);
        client.set_rate(30.0);
        set(&mut client, "speed.max", 9.0);
        let controls = client.controls();
        let preset = presets.to_preset("mine", controls, None);
        let again = Preset::from_text("mine", &preset.text()).unwrap();
        assert_eq!((again.boids, again.rate, again.params), (40, 30.0, controls.setup.params));
        assert_eq!((again.source.as_str(), again.setup(1, 1.0).world), ("based on drones", controls.setup.world));
    }

    #[test]
    fn the_loaded_preset_is_found_by_its_rules() {
        let presets = Preset::builtin();
        let setup = |preset: &str| Preset::load(preset).unwrap().setup(3, 1.6);
        let mut slow = setup("parker");
        slow.params.change.morph = 7.0;
        let mut own = setup("parker");
        own.params.separation.weight = 0.123;
        let names = [setup("sparrows"), slow, own].map(|setup| Some(preset_of(&setup, &presets)?.name.clone()));
        assert_eq!(names, [Some("sparrows".to_owned()), Some("parker".to_owned()), None]);
    }

    #[test]
    fn the_reproduce_command_follows_the_run_and_requests_on_their_way() {
        let (presets, mut client) = client_of("drones");
        let is_changed = |client: &Client| presets.reproduce_command(client).changed;
        assert!(!is_changed(&client));
        client.set_boids(40);
        assert!(is_changed(&client));
        client.command(Command::Restart);
        assert!(!is_changed(&client));
        settle(&mut client, 100);
        client.show_frame(|frame| frame.run.is_changed = true);
        assert!(is_changed(&client));
    }
}
