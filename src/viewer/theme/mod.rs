//! What the viewer wears: a theme, in as many colors as the terminal has and the wire carries.

pub(crate) mod blend;
pub(crate) mod cell_style;
pub(crate) mod fade;
pub(crate) mod glow;
pub(crate) mod marker;
pub(crate) mod ramp;
pub(crate) mod resolved;
pub(crate) mod sky;
pub(crate) mod species;

use std::borrow::Cow;

use palette::{IntoColor, SrgbLuma};

use super::ColorDepth;
use crate::config::{Rgb, Theme, ThemeColor, ThemeColors};
use blend::{between, ground};
use fade::Fade;
use resolved::ResolvedTheme;
use sky::Sky;

/// The theme for bright ground.
const LIGHT: &str = "day";
/// From so much luma on, ground is bright.
const BRIGHT: f32 = 0.6;

/// Which colors are put on, and how many the terminal has.
#[derive(Clone, Debug)]
pub struct Colors {
    /// The theme.
    pub theme: Theme,
    /// Whether somebody chose it.
    pub chosen: bool,
    /// How many colors the terminal has.
    pub depth: ColorDepth,
    /// Whether that is a guess, which the terminal may correct.
    pub guessed: bool,
}

/// A theme that is active, and those that set_themes beside it.
#[derive(Debug)]
pub struct ThemeState {
    themes: Vec<Theme>,
    /// The place of the one that is active.
    active: usize,
    chosen: bool,
    /// The place of the one that it is being changed from, and how far that has gone.
    change: Option<(usize, f32)>,
    /// How much of the flock is hidden.
    hidden: f32,
    /// The color of the terminal's terminal_background background, once it is known.
    terminal_background: Option<Rgb>,
    depth: ColorDepth,
    guessed: bool,
    /// How many colors are used at most.
    most: ColorDepth,
    /// The theme at work.
    pub look: ResolvedTheme,
    /// Its sky.
    pub sky: Sky,
}

impl ThemeState {
    /// As the viewer begins, with these themes to choose from.
    #[must_use]
    pub fn new(colors: Colors, mut themes: Vec<Theme>) -> Self {
        let Colors { theme, chosen, depth, guessed } = colors;
        let (look, sky) = (ResolvedTheme::new(&theme, depth), Sky::new(&theme, depth));
        let active = themes.iter().position(|known| *known == theme).unwrap_or_else(|| {
            themes.insert(0, theme);
            0
        });
        let (change, hidden, terminal_background, most) = (None, 0.0, None, ColorDepth::Truecolor);
        Self { themes, active, chosen, change, hidden, terminal_background, depth, guessed, most, look, sky }
    }

    /// The name of the theme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.themes[self.active].name
    }

    /// The theme that is active, as it is active here.
    #[must_use]
    pub fn theme(&self) -> Cow<'_, Theme> {
        self.adapted(self.active)
    }

    /// All themes.
    #[must_use]
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    /// Puts on the next theme, or the one before.
    pub fn change(&mut self, next: bool) {
        let by = if next { 1 } else { self.themes.len() - 1 };
        self.activate((self.active + by) % self.themes.len(), true);
    }

    /// The place of the theme that is active, and whether somebody chose it.
    #[must_use]
    pub fn active(&self) -> (usize, bool) {
        (self.active, self.chosen)
    }

    /// Puts the theme at a place on, whole.
    pub fn activate(&mut self, place: usize, chosen: bool) {
        (self.active, self.chosen, self.change) = (place, chosen, None);
        self.resolve();
    }

    /// Puts a theme on that may be new, or another than before under what it was asked for by.
    pub fn install(&mut self, theme: Theme, chosen: bool) {
        let place = self.themes.iter().position(|known| known.origin == theme.origin).unwrap_or(self.themes.len());
        self.themes.splice(place..self.themes.len().min(place + 1), [theme]);
        self.activate(place, chosen);
        if let Some(terminal_background) = self.terminal_background {
            self.set_terminal_background(terminal_background);
        }
    }

    /// Hangs other themes there, as their files are now, beside those that were asked for by a path. The one that is active
    /// stays on, as it is now too.
    pub fn set_themes(&mut self, mut themes: Vec<Theme>) {
        let active = self.themes[self.active].clone();
        themes.extend(self.themes.drain(..).filter(Theme::is_from_path));
        let place = themes.iter().position(|known| known.origin == active.origin).unwrap_or_else(|| {
            themes.push(active);
            themes.len() - 1
        });
        self.themes = themes;
        self.activate(place, self.chosen);
    }

    /// Puts the theme at a place on, of which a share (0 … 1) is seen and else that at another place. Says
    /// whether that changes anything.
    pub fn cross_fade(&mut self, from: usize, to: usize, share: f32) -> bool {
        let change = (share < 1.0 && from != to).then_some((from, share));
        let changed = (self.active, self.change) != (to, change);
        if changed {
            (self.active, self.chosen, self.change) = (to, true, change);
            self.resolve();
        }
        changed
    }

    /// Hides so much of the flock (0 … 1). Says whether that changes anything.
    pub fn hide(&mut self, share: f32) -> bool {
        let changed = self.hidden != share;
        self.hidden = share;
        changed
    }

    /// How much of the flock is hidden. Of 256 colors few lie between two themes: there the flock goes out
    /// and comes in again. With fewer nothing fades.
    #[must_use]
    pub fn hidden(&self) -> f32 {
        match (self.shown(), self.change) {
            (depth, _) if !depth.can_blend() => 0.0,
            (ColorDepth::Indexed, Some((_, share))) => self.hidden.max(1.0 - (2.0 * share - 1.0).abs()),
            _ => self.hidden,
        }
    }

    /// What cells fade with.
    #[must_use]
    pub fn veil(&self) -> Fade {
        Fade::new(ground(&self.adapted(self.active).colors, self.terminal_background), self.shown())
    }

    /// The places of the themes with these names that can be put on where nobody asks for them: none
    /// that dazzles on dark ground or is lost on bright, unless it paints a sky of its terminal_background.
    #[must_use]
    pub fn suitable(&self, these: &[&str]) -> Vec<usize> {
        let depth = self.shown();
        if !depth.can_blend() {
            return vec![self.active];
        }
        let bright = self.terminal_background.is_some_and(is_bright);
        let suits =
            |theme: &Theme| is_bright(ground(&theme.colors, None)) == bright || !Sky::new(theme, depth).is_empty();
        let named = |theme: &Theme| these.contains(&theme.name.as_str());
        (0..self.themes.len()).filter(|&place| named(&self.themes[place]) && suits(&self.themes[place])).collect()
    }

    /// Uses so many colors at most from now on. Says whether that changes anything.
    pub fn limit(&mut self, most: ColorDepth) -> bool {
        let before = self.shown();
        self.most = most;
        self.resolve_if_changed(before)
    }

    /// The terminal has shown that it has all colors. Says whether that changes anything.
    pub fn confirm_truecolor(&mut self) -> bool {
        let before = self.shown();
        if self.guessed {
            self.depth = ColorDepth::Truecolor;
        }
        self.resolve_if_changed(before)
    }

    /// The terminal has told the color behind everything. Where it is bright and nobody chose a theme, one for bright
    /// ground is put on; one that is chosen is seen there too. Says whether that changes anything.
    pub fn set_terminal_background(&mut self, color: Rgb) -> bool {
        let before = (self.look.text.bg, self.look.far);
        self.terminal_background = Some(color);
        let light = self.themes.iter().position(|theme| theme.name == LIGHT);
        match light {
            Some(light) if is_bright(color) && !self.chosen => {
                self.activate(light, false);
                true
            }
            _ => {
                self.resolve();
                (self.look.text.bg, self.look.far) != before
            }
        }
    }

    /// How many colors are used.
    #[must_use]
    pub fn shown(&self) -> ColorDepth {
        self.depth.max(self.most)
    }

    fn resolve_if_changed(&mut self, before: ColorDepth) -> bool {
        let changed = self.shown() != before;
        if changed {
            self.resolve();
        }
        changed
    }

    /// Puts the theme on, with as many colors as are used.
    fn resolve(&mut self) {
        let (active, depth) = (self.adapted(self.active), self.shown());
        let mixed = match self.change {
            Some((from, share)) if depth == ColorDepth::Truecolor => {
                Some(between(&self.adapted(from), &active, share, self.terminal_background))
            }
            Some((from, share)) if share < 0.5 => Some(self.adapted(from).into_owned()),
            _ => None,
        };
        let theme = mixed.as_ref().unwrap_or(&active);
        (self.look, self.sky) = (ResolvedTheme::new(theme, depth), Sky::new(theme, depth));
    }

    /// The theme at a place as it is active: one that leaves the terminal's terminal_background ground alone fades into that, or, where it
    /// would be lost on it, paints the one for which it was made.
    fn adapted(&self, place: usize) -> Cow<'_, Theme> {
        let theme = &self.themes[place];
        let ThemeColors { background, far, text, .. } = &theme.colors;
        match (background, far, text, self.terminal_background) {
            (ThemeColor::Terminal, ThemeColor::Rgb(ground), ThemeColor::Rgb(_), Some(terminal_background)) => {
                let mut active = theme.clone();
                if is_bright(*ground) == is_bright(terminal_background) {
                    active.colors.far = ThemeColor::Rgb(terminal_background);
                } else {
                    active.colors.background = ThemeColor::Rgb(*ground);
                }
                Cow::Owned(active)
            }
            _ => Cow::Borrowed(theme),
        }
    }
}

fn is_bright(color: Rgb) -> bool {
    let luma: SrgbLuma<f32> = color.into_format::<f32>().into_color();
    luma.luma > BRIGHT
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    fn theme_state(chosen: bool, depth: ColorDepth, guessed: bool) -> ThemeState {
        ThemeState::new(Colors { theme: Theme::load("dusk").unwrap(), chosen, depth, guessed }, Theme::builtin())
    }

    #[test]
    fn bright_ground_gets_a_light_theme_unless_somebody_chose() {
        let told = |chosen, level| {
            let mut theme_state = theme_state(chosen, ColorDepth::Truecolor, false);
            let changed = theme_state.set_terminal_background(Rgb::new(level, level, level));
            (changed, theme_state.name().to_owned())
        };
        assert_eq!(told(false, 250), (true, LIGHT.to_owned()));
        assert_eq!(told(false, 30), (true, "dusk".to_owned()));
        assert_eq!(told(true, 250), (true, "dusk".to_owned()));
        assert_eq!(told(true, 30), (true, "dusk".to_owned()));
    }

    #[test]
    fn what_fades_fades_into_the_terminals_own_ground() {
        let grey = Rgb::new(40, 44, 52);
        let mut theme_state = theme_state(true, ColorDepth::Truecolor, false);
        assert_ne!(theme_state.look.far, grey);
        assert!(theme_state.set_terminal_background(grey) && !theme_state.set_terminal_background(grey));
        assert_eq!(theme_state.look.far, grey);
        // So it is on a picture of the screen.
        assert_eq!(theme_state.theme().colors.far, ThemeColor::Rgb(grey));
        // Not where a theme has a ground of its terminal_background.
        theme_state.install(Theme::load("paper").unwrap(), true);
        assert_ne!(theme_state.look.far, grey);
    }

    #[test]
    fn a_theme_for_the_terminals_ground_paints_its_own_where_it_would_be_lost_there() {
        for (name, level, painted) in [
            ("dusk", 250, true),
            ("dusk", 40, false),
            ("cividis", 250, true),
            ("terminal", 250, false),
            ("day", 9, true),
        ] {
            let mut theme_state = theme_state(true, ColorDepth::Truecolor, false);
            theme_state.set_terminal_background(Rgb::new(level, level, level));
            theme_state.install(Theme::load(name).unwrap(), true);
            let ground = theme_state.look.text.bg.is_some_and(|ground| ground != Color::Reset);
            assert_eq!(ground, painted, "{name} on {level}");
        }
    }

    #[test]
    fn the_fewest_colors_win_and_only_a_guess_is_corrected() {
        let mut sure = theme_state(true, ColorDepth::Indexed, false);
        assert!(!sure.confirm_truecolor());
        let mut unsure = theme_state(true, ColorDepth::Indexed, true);
        assert!(unsure.confirm_truecolor() && unsure.shown() == ColorDepth::Truecolor);
        assert!(unsure.limit(ColorDepth::Ansi) && !unsure.limit(ColorDepth::Ansi));
        assert_eq!(unsure.shown(), ColorDepth::Ansi);
        assert!(unsure.limit(ColorDepth::Truecolor));
    }

    #[test]
    fn themes_go_round_both_ways() {
        let mut theme_state = theme_state(false, ColorDepth::Truecolor, false);
        theme_state.change(false);
        let last = theme_state.name().to_owned();
        theme_state.change(true);
        assert!(last != "dusk" && theme_state.name() == "dusk");
    }

    #[test]
    fn a_theme_changes_in_steps_where_colors_mix_and_through_the_dark_where_they_are_few() {
        let places = |theme_state: &ThemeState| {
            let place = |name: &str| theme_state.themes.iter().position(|theme| theme.name == name).unwrap();
            (place("ember"), place("neon"))
        };
        let mut full = theme_state(true, ColorDepth::Truecolor, false);
        let (ember, neon) = places(&full);
        let mut seen = Vec::new();
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert!(full.cross_fade(ember, neon, share) && !full.cross_fade(ember, neon, share));
            seen.push(full.look.text.bg);
            assert_eq!(full.hidden(), 0.0);
        }
        seen.dedup();
        assert_eq!((seen.len(), full.name()), (5, "neon"));
        let mut few = theme_state(true, ColorDepth::Indexed, false);
        few.cross_fade(ember, neon, 0.5);
        assert_eq!(few.hidden(), 1.0);
        few.limit(ColorDepth::Ansi);
        assert_eq!(few.hidden(), 0.0);
    }

    #[test]
    fn only_what_suits_the_ground_is_put_on() {
        let names = ["ember", "paper", "afterglow", "nebula"];
        let suitable = |theme_state: &ThemeState| -> Vec<String> {
            theme_state.suitable(&names).into_iter().map(|place| theme_state.themes[place].name.clone()).collect()
        };
        let mut full = theme_state(true, ColorDepth::Truecolor, false);
        assert_eq!(suitable(&full), ["afterglow", "nebula", "ember"]);
        full.set_terminal_background(Rgb::new(250, 250, 250));
        assert_eq!(suitable(&full), ["afterglow", "nebula", "paper"]);
        // Of 256 colors the sky of `afterglow` can be painted.
        assert_eq!(suitable(&theme_state(true, ColorDepth::Indexed, false)), ["afterglow", "nebula", "ember"]);
        assert_eq!(suitable(&theme_state(true, ColorDepth::Ansi, false)), ["dusk"]);
    }
}
