//! Themes: the list to choose from, the active one, and its colors resolved for this terminal.

pub(crate) mod preset_themes;

use std::borrow::Cow;
use std::sync::OnceLock;

use palette::{IntoColor, SrgbLuma};

use crate::config::{Preset, Theme};
use crate::picture::{
    ColorDepth, Fade, ResolvedTheme, Rgb, ThemeColor, ThemeColors, background_of, blend, readable_anywhere,
};
pub use preset_themes::default_theme;

/// The luma from which a background counts as bright.
const BRIGHT: f32 = 0.6;

/// What is known of the terminal's colors at the start.
#[derive(Clone, Copy, Debug)]
pub struct Colors {
    /// The terminal's color depth.
    pub depth: ColorDepth,
    /// Whether the depth is a guess that the terminal's reply may correct.
    pub guessed: bool,
    /// The terminal's background, as far as the environment tells.
    pub background: TerminalBackground,
}

impl Colors {
    /// A known depth, without a terminal to ask.
    pub fn fixed(depth: ColorDepth) -> Self {
        Self { depth, guessed: false, background: TerminalBackground::default() }
    }
}

/// What is known of the terminal's background color.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TerminalBackground {
    /// Nothing, as there is no terminal to ask: it counts as dark.
    #[default]
    Assumed,
    /// Nothing yet: no sky is painted, which could be a flash.
    Awaited,
    /// Nothing, and nothing more is to be expected: it may be dark or bright.
    Unknown,
    /// The color.
    Known(Rgb),
}

impl TerminalBackground {
    /// The color, if it is known.
    pub fn color(self) -> Option<Rgb> {
        if let Self::Known(color) = self { Some(color) } else { None }
    }

    fn is_bright(self) -> bool {
        self.color().is_some_and(is_bright)
    }
}

/// The themes, which one is active, and everything that changes how it looks: the terminal's background, the color
/// depth, and transitions.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct ThemeState {
    themes: Vec<Theme>,
    active: usize,
    chosen: bool,
    /// The theme that a list shows instead.
    previewed: Option<usize>,
    /// The preset whose own theme is active unless the user chose one; `None` for a recording.
    preset: Option<Preset>,
    /// The theme that the active one is fading in from, and how far, 0 … 1.
    transition: Option<(usize, f32)>,
    /// How much of the flock is faded out, 0 … 1.
    flock_fade: f32,
    colors: Colors,
    depth_limit: ColorDepth,
    no_sky: bool,
    /// Whether themes and flocks change at once instead of fading.
    pub skips_fades: bool,
    /// Resolved when it is drawn: a key that switches the theme may be followed by another.
    resolved: OnceLock<ResolvedTheme>,
}

impl ThemeState {
    /// Starts with the theme that the user chose, or the default one. `themes` has at least one, unless the user chose one.
    pub fn new(colors: Colors, theme: Option<Theme>, themes: Vec<Theme>) -> Self {
        let mut state = Self {
            themes,
            active: 0,
            chosen: false,
            previewed: None,
            preset: None,
            transition: None,
            flock_fade: 0.0,
            colors,
            depth_limit: ColorDepth::Truecolor,
            no_sky: false,
            skips_fades: false,
            resolved: OnceLock::new(),
        };
        match theme {
            Some(theme) => state.install(theme),
            None => state.adapt(),
        }
        state
    }

    /// The colors to draw with.
    pub fn resolved(&self) -> &ResolvedTheme {
        self.resolved.get_or_init(|| self.resolve())
    }

    /// The shown theme's name.
    pub fn name(&self) -> &str {
        &self.themes[self.shown()].name
    }

    /// The colors of the shown theme, adapted to the terminal's background.
    pub fn colors(&self) -> Cow<'_, ThemeColors> {
        self.adapted(self.shown())
    }

    /// All themes.
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    /// The active theme's index, and whether the user chose it.
    pub fn active(&self) -> (usize, bool) {
        (self.active, self.chosen)
    }

    /// Activates the next or the previous theme, wrapping around.
    pub fn cycle(&mut self, forward: bool) {
        let step = if forward { 1 } else { self.themes.len() - 1 };
        self.activate((self.active + step) % self.themes.len(), true);
    }

    /// Activates the theme at an index, without a transition.
    pub fn activate(&mut self, index: usize, chosen: bool) {
        (self.active, self.chosen, self.previewed, self.transition) = (index, chosen, None, None);
        self.resolved.take();
    }

    /// Shows a theme instead of the active one until another is activated, or ends that.
    pub fn preview(&mut self, index: Option<usize>) {
        if self.previewed != index {
            (self.previewed, self.transition) = (index, None);
            self.resolved.take();
        }
    }

    /// The index of the shown theme.
    pub fn shown(&self) -> usize {
        self.previewed.unwrap_or(self.active)
    }

    /// Adds a theme that the user chose, or replaces the one of the same origin, and activates it.
    pub fn install(&mut self, theme: Theme) {
        let index = self.themes.iter().position(|known| known.origin == theme.origin).unwrap_or(self.themes.len());
        self.themes.splice(index..self.themes.len().min(index + 1), [theme]);
        self.activate(index, true);
    }

    /// Replaces the list after a reload. Themes loaded by path and the active theme stay.
    pub fn set_themes(&mut self, mut themes: Vec<Theme>) {
        let active = self.themes[self.active].clone();
        themes.extend(self.themes.drain(..).filter(Theme::is_from_path));
        let index = themes.iter().position(|known| known.origin == active.origin).unwrap_or_else(|| {
            themes.push(active);
            themes.len() - 1
        });
        self.themes = themes;
        self.activate(index, self.chosen);
    }

    /// Fades from the active theme to another one: `share` 0 is all the old one, 1 all the new one, which is active from
    /// the first call on. Returns whether anything changed.
    pub fn cross_fade(&mut self, to: usize, share: f32) -> bool {
        let share = if self.skips_fades { 1.0 } else { share };
        let from = if self.active == to { self.transition.map(|(from, _)| from) } else { Some(self.active) };
        let transition = from.filter(|_| share < 1.0).map(|from| (from, share));
        let changed = (self.active, self.transition) != (to, transition);
        if changed {
            (self.active, self.chosen, self.transition) = (to, true, transition);
            self.resolved.take();
        }
        changed
    }

    /// Fades the flock out by `share`, 0 … 1. Returns whether anything changed.
    pub fn set_flock_fade(&mut self, share: f32) -> bool {
        let share = if self.skips_fades { 0.0 } else { share };
        let changed = self.flock_fade != share;
        self.flock_fade = share;
        changed
    }

    /// How much of the flock to fade out. 256 colors are too few to blend two themes, so there the flock fades out and
    /// in again; with fewer colors nothing fades.
    pub fn flock_fade(&self) -> f32 {
        match (self.depth(), self.transition) {
            (depth, _) if !depth.can_blend() => 0.0,
            (ColorDepth::Colors256, Some((_, share))) => self.flock_fade.max(1.0 - (2.0 * share - 1.0).abs()),
            _ => self.flock_fade,
        }
    }

    /// Fades cells in the active theme.
    pub fn fade(&self) -> Fade {
        Fade::new(background_of(&self.colors(), self.colors.background.color()), self.depth())
    }

    /// The indices of those named themes, in order, that suit the terminal's background: equally bright, or with a sky.
    pub fn suitable(&self, names: &[&str]) -> Vec<usize> {
        let depth = self.depth();
        if !depth.can_blend() {
            return vec![self.active];
        }
        let bright = self.colors.background.is_bright();
        let suits = |theme: &Theme| preset_themes::suits(theme, depth, self.no_sky, bright);
        let indices = names.iter().filter_map(|name| self.themes.iter().position(|theme| theme.name == *name));
        indices.filter(|index| suits(&self.themes[*index])).collect()
    }

    /// Limits the color depth. Returns whether anything changed.
    pub fn limit_depth(&mut self, limit: ColorDepth) -> bool {
        self.set_depths(self.colors.depth, limit)
    }

    /// Corrects a guessed depth: the terminal supports true color. Returns whether anything changed.
    pub fn confirm_truecolor(&mut self) -> bool {
        let depth = if self.colors.guessed { ColorDepth::Truecolor } else { self.colors.depth };
        self.set_depths(depth, self.depth_limit)
    }

    fn set_depths(&mut self, terminal: ColorDepth, limit: ColorDepth) -> bool {
        let before = self.depth();
        (self.colors.depth, self.depth_limit) = (terminal, limit);
        let changed = self.depth() != before;
        if changed {
            self.adapt();
        }
        changed
    }

    /// Notes that the terminal does not tell its background. Returns whether anything changed.
    pub fn give_up_terminal_background(&mut self) -> bool {
        let is_open = matches!(self.colors.background, TerminalBackground::Assumed | TerminalBackground::Awaited);
        is_open && self.set_background(TerminalBackground::Unknown)
    }

    /// Sets the terminal's background, which may change the default theme. Returns whether anything changed.
    pub fn set_background(&mut self, background: TerminalBackground) -> bool {
        let state = |theme: &Self| (theme.active, theme.resolved().background(), theme.depth());
        let before = state(self);
        self.colors.background = background;
        self.adapt();
        state(self) != before
    }

    /// Whether the terminal's own background replaces the sky of a theme.
    pub fn no_sky(&self) -> bool {
        self.no_sky
    }

    /// Shows the sky of themes, or the terminal's own background instead.
    pub fn set_no_sky(&mut self, no_sky: bool) {
        if std::mem::replace(&mut self.no_sky, no_sky) != no_sky {
            self.adapt();
        }
    }

    /// Follows a preset: its own theme is active, unless the user chose one.
    pub fn follow(&mut self, preset: Option<&Preset>) {
        self.preset = preset.cloned();
        self.adapt();
    }

    /// Gives up the theme that the user chose for the preset's own.
    pub fn return_to_preset(&mut self) {
        self.chosen = false;
        self.adapt();
    }

    /// Activates the default theme, unless the user chose one.
    fn adapt(&mut self) {
        // Not the limited depth: a slow link is no reason for another theme.
        let bright = self.colors.background.is_bright();
        let name = default_theme(self.preset.as_ref(), self.colors.depth, self.no_sky, bright);
        let default = self.themes.iter().position(|theme| theme.name == name);
        match default.filter(|default| !self.chosen && *default != self.active) {
            Some(default) => self.activate(default, false),
            None => drop(self.resolved.take()),
        }
    }

    /// The color depth in use.
    pub fn depth(&self) -> ColorDepth {
        if self.leaves_out_colors() { ColorDepth::Mono } else { self.colors.depth.max(self.depth_limit) }
    }

    /// Whether no color is shown, since each of the terminal's 16 may be invisible on an unknown background, and the user has asked
    /// for neither colors nor a theme.
    pub fn leaves_out_colors(&self) -> bool {
        let is_asked = self.chosen || self.colors.depth == ColorDepth::Colors16 && !self.colors.guessed;
        self.colors.depth.max(self.depth_limit) == ColorDepth::Colors16
            && self.colors.background == TerminalBackground::Unknown
            && !is_asked
    }

    /// Whether a slow link limits the colors.
    pub fn is_limited(&self) -> bool {
        self.depth_limit > self.colors.depth
    }

    /// The color depth without the limit of a slow link.
    pub fn terminal_depth(&self) -> ColorDepth {
        self.colors.depth
    }

    fn resolve(&self) -> ResolvedTheme {
        let (active, depth) = (self.colors(), self.depth());
        let mixed = match self.transition {
            Some((from, share)) if depth == ColorDepth::Truecolor => {
                Some(blend(&self.adapted(from), &active, share, self.colors.background.color()))
            }
            Some((from, share)) if share < 0.5 => Some(self.adapted(from).into_owned()),
            _ => None,
        };
        let mut resolved = ResolvedTheme::new(mixed.as_ref().unwrap_or(&active), depth);
        resolved.text_depth = self.colors.depth.max(self.depth_limit);
        resolved
    }

    /// A theme as this terminal shows it. One without a background of its own fades into the terminal's background, or
    /// paints the background it was designed for if it could be unreadable on the terminal's.
    fn adapted(&self, index: usize) -> Cow<'_, ThemeColors> {
        let colors = &self.themes[index].colors;
        if self.depth() == ColorDepth::Colors16 {
            // None of the 16 colors is painted behind text. An unknown background counts as that of the theme.
            let far = self.colors.background.color().unwrap_or_else(|| background_of(colors, None));
            let (background, far) = (ThemeColor::Terminal, ThemeColor::Rgb(far));
            return Cow::Owned(ThemeColors { background, far, ..colors.clone() });
        }
        if (self.no_sky || self.colors.background == TerminalBackground::Awaited) && !colors.sky.is_empty() {
            let (background, far) = (ThemeColor::Terminal, colors.background);
            let on_terminal = ThemeColors { sky: Vec::new(), background, far, ..colors.clone() };
            return Cow::Owned(self.on_background(&on_terminal).into_owned());
        }
        self.on_background(colors)
    }

    fn on_background<'a>(&self, colors: &'a ThemeColors) -> Cow<'a, ThemeColors> {
        let ThemeColors {
            background: ThemeColor::Terminal,
            far: ThemeColor::Rgb(designed),
            text: ThemeColor::Rgb(_),
            ..
        } = *colors
        else {
            return Cow::Borrowed(colors);
        };
        let mut colors = colors.clone();
        match self.colors.background {
            TerminalBackground::Assumed => {}
            TerminalBackground::Awaited => colors = readable_anywhere(colors),
            // The user wants the terminal's own background.
            TerminalBackground::Unknown if self.no_sky => colors = readable_anywhere(colors),
            TerminalBackground::Known(actual) if is_bright(designed) == is_bright(actual) => {
                colors.far = ThemeColor::Rgb(actual);
            }
            TerminalBackground::Unknown | TerminalBackground::Known(_) => {
                colors.background = ThemeColor::Rgb(designed);
            }
        }
        Cow::Owned(colors)
    }
}

fn is_bright(color: Rgb) -> bool {
    let luma: SrgbLuma<f32> = color.into_format::<f32>().into_color();
    luma.luma > BRIGHT
}

#[cfg(test)]
mod tests {
    use palette::Srgb;
    use palette::color_difference::Wcag21RelativeContrast;
    use ratatui::style::Color;

    use super::preset_themes::{DARK, LIGHT, NIGHT, SUNSET};
    use super::*;
    use crate::picture::{Cell, Coloring, Content, known_rgb, xterm};

    fn dusk(chosen: bool, depth: ColorDepth, guessed: bool) -> ThemeState {
        let theme = chosen.then(|| Theme::load("dusk").unwrap());
        ThemeState::new(Colors { guessed, ..Colors::fixed(depth) }, theme, Theme::builtin())
    }

    #[test]
    fn the_default_theme_suits_the_terminal_unless_one_was_chosen() {
        for (chosen, depth, level, expected) in [
            (false, ColorDepth::Truecolor, 250, SUNSET),
            (false, ColorDepth::Truecolor, 30, NIGHT),
            (false, ColorDepth::Colors256, 250, LIGHT),
            (false, ColorDepth::Colors256, 30, DARK),
            (true, ColorDepth::Truecolor, 250, DARK),
            (true, ColorDepth::Truecolor, 30, DARK),
        ] {
            let mut theme = dusk(chosen, depth, false);
            // The default theme on a dark background has a sky, which covers it.
            assert_eq!(
                theme.set_background(TerminalBackground::Known(Rgb::new(level, level, level))),
                expected != NIGHT
            );
            assert_eq!(theme.name(), expected);
        }
    }

    #[test]
    fn each_preset_has_its_own_theme_unless_the_user_chose_one() {
        let mut theme = dusk(false, ColorDepth::Truecolor, false);
        for (preset, expected) in
            [("herring", "aurora"), ("sheep", "washi"), ("murmuration", NIGHT), ("drones", "neon")]
        {
            theme.follow(Preset::load(preset).ok().as_ref());
            assert_eq!(theme.name(), expected, "{preset}");
        }
        theme.cycle(true);
        let chosen = theme.name().to_owned();
        theme.follow(Preset::load("herring").ok().as_ref());
        assert_eq!(theme.name(), chosen);
        theme.return_to_preset();
        assert_eq!(theme.name(), "aurora");
    }

    #[test]
    fn without_a_sky_the_terminal_keeps_its_own_background() {
        let gray = |level| Rgb::new(level, level, level);
        let mut theme = dusk(false, ColorDepth::Truecolor, false);
        theme.set_background(TerminalBackground::Known(gray(30)));
        assert!(theme.resolved().sky().is_some());
        theme.set_no_sky(true);
        assert!(theme.resolved().sky().is_none() && theme.name() == DARK);
        theme.set_no_sky(false);
        assert!(theme.resolved().sky().is_some() && theme.name() == NIGHT);
        // A chosen theme stays, on the background it is readable on.
        for (name, level, painted) in [("abyss", 30, false), ("abyss", 250, true), ("dawn", 250, false)] {
            let mut theme = dusk(true, ColorDepth::Truecolor, false);
            theme.install(Theme::load(name).unwrap());
            theme.set_background(TerminalBackground::Known(gray(level)));
            theme.set_no_sky(true);
            assert!(theme.resolved().sky().is_none() && theme.name() == name);
            assert_eq!(theme.resolved().text.bg != Some(Color::Reset), painted, "{name} on {level}");
        }
    }

    #[test]
    fn an_unknown_background_is_painted_or_every_color_shows_on_black_and_on_white() {
        for depth in [ColorDepth::Truecolor, ColorDepth::Colors256] {
            let mut theme = dusk(true, depth, false);
            assert!(theme.give_up_terminal_background());
            assert_ne!(theme.resolved().text.bg, Some(Color::Reset), "painted");
            assert!(!theme.give_up_terminal_background() && theme.resolved.get().is_some(), "resolved once");
            theme.set_no_sky(true);
            let ResolvedTheme { text, dim, accent, gauge, predator, .. } = theme.resolved();
            assert_eq!((text.fg, text.bg), (Some(Color::Reset), Some(Color::Reset)));
            let cell = |distance| Cell { content: Content::Prey, depth: distance, ..Cell::default() };
            let boids = [0, 255].map(|distance| theme.resolved().cell(&cell(distance), Coloring::Heading).fg);
            let colors = [dim, accent, gauge, predator].map(|style| style.fg.unwrap()).into_iter();
            for color in colors.chain(boids.map(Color::from)) {
                let rgb = if let Color::Indexed(index) = color { xterm(index) } else { known_rgb(color).unwrap() };
                let color: Srgb<f32> = rgb.into_format();
                for ground in [Srgb::new(0.0, 0.0, 0.0), Srgb::new(1.0, 1.0, 1.0)] {
                    assert!(color.relative_contrast(ground) >= 3.0, "{color:?} in {depth:?} on {ground:?}");
                }
            }
        }
        // Any of the 16 colors may be the background: they are shown to a user who asks for them or for a theme.
        for (chosen, guessed) in [(true, true), (false, false)] {
            let mut asked = dusk(chosen, ColorDepth::Colors16, guessed);
            asked.give_up_terminal_background();
            assert_eq!(asked.depth(), ColorDepth::Colors16);
        }
        let mut theme = dusk(false, ColorDepth::Colors16, true);
        assert!(theme.give_up_terminal_background() && theme.depth() == ColorDepth::Mono);
        let white = Rgb::new(255, 255, 255);
        assert!(
            theme.set_background(TerminalBackground::Known(white)) && theme.depth() == ColorDepth::Colors16,
            "a late reply"
        );
        let Some(Color::Indexed(accent)) = theme.resolved().accent.fg else { panic!("{:?}", theme.resolved().accent) };
        assert!(xterm(accent).into_format::<f32>().relative_contrast(white.into_format()) >= 3.0);
        assert_eq!(theme.resolved().dim.fg, Some(Color::Reset));
    }

    #[test]
    fn a_slow_link_keeps_the_default_theme() {
        let mut theme = dusk(false, ColorDepth::Truecolor, false);
        theme.set_no_sky(false);
        theme.limit_depth(ColorDepth::Colors256);
        assert_eq!(theme.name(), NIGHT);
    }

    #[test]
    fn distance_fades_into_the_terminal_background() {
        let gray = Rgb::new(40, 44, 52);
        let mut theme = dusk(true, ColorDepth::Truecolor, false);
        let far = |theme: &ThemeState| theme.resolved().background().1;
        assert_ne!(far(&theme), gray);
        assert!(
            theme.set_background(TerminalBackground::Known(gray))
                && !theme.set_background(TerminalBackground::Known(gray))
        );
        assert_eq!(far(&theme), gray);
        // Screenshots use this theme.
        assert_eq!(theme.colors().far, ThemeColor::Rgb(gray));
        // A theme with its own background keeps it.
        theme.install(Theme::load("paper").unwrap());
        assert_ne!(far(&theme), gray);
    }

    #[test]
    fn a_theme_paints_its_own_background_where_the_terminals_is_unsuitable() {
        for (name, level, painted) in [
            ("dusk", 250, true),
            ("dusk", 40, false),
            ("cividis", 250, true),
            ("terminal", 250, false),
            ("paper", 9, true),
        ] {
            let mut theme = dusk(true, ColorDepth::Truecolor, false);
            theme.set_background(TerminalBackground::Known(Rgb::new(level, level, level)));
            theme.install(Theme::load(name).unwrap());
            let paints = theme.resolved().text.bg.is_some_and(|background| background != Color::Reset);
            assert_eq!(paints, painted, "{name} on {level}");
        }
    }

    #[test]
    fn the_lowest_depth_wins_and_only_a_guess_is_corrected() {
        let mut known = dusk(true, ColorDepth::Colors256, false);
        assert!(!known.confirm_truecolor());
        let mut guessed = dusk(true, ColorDepth::Colors256, true);
        assert!(guessed.confirm_truecolor() && guessed.depth() == ColorDepth::Truecolor);
        assert!(guessed.limit_depth(ColorDepth::Colors16) && !guessed.limit_depth(ColorDepth::Colors16));
        assert_eq!(guessed.depth(), ColorDepth::Colors16);
        assert!(guessed.limit_depth(ColorDepth::Truecolor));
    }

    #[test]
    fn themes_cycle_both_ways() {
        let mut theme = dusk(true, ColorDepth::Truecolor, false);
        theme.cycle(false);
        let last = theme.name().to_owned();
        theme.cycle(true);
        assert!(last != "dusk" && theme.name() == "dusk");
    }

    #[test]
    fn themes_cross_fade_in_true_color_and_through_the_background_in_256_colors() {
        let index = |theme: &ThemeState, name: &str| theme.themes.iter().position(|theme| theme.name == name).unwrap();
        let mut full = dusk(true, ColorDepth::Truecolor, false);
        let (ember, neon) = (index(&full, "ember"), index(&full, "neon"));
        full.activate(ember, true);
        let mut backgrounds = Vec::new();
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert!(full.cross_fade(neon, share) && !full.cross_fade(neon, share));
            backgrounds.push(full.resolved().text.bg);
            assert_eq!(full.flock_fade(), 0.0);
        }
        backgrounds.dedup();
        assert_eq!((backgrounds.len(), full.name()), (5, "neon"));
        let mut few = dusk(true, ColorDepth::Colors256, false);
        few.activate(ember, true);
        few.cross_fade(neon, 0.5);
        assert_eq!(few.flock_fade(), 1.0);
        few.limit_depth(ColorDepth::Colors16);
        assert_eq!(few.flock_fade(), 0.0);
    }

    #[test]
    fn suitable_themes_match_the_background_or_have_a_sky() {
        let suitable = |theme: &ThemeState| -> Vec<String> {
            let indices = theme.suitable(&["ember", "paper", "afterglow", "nebula"]);
            indices.into_iter().map(|index| theme.themes[index].name.clone()).collect()
        };
        let mut full = dusk(true, ColorDepth::Truecolor, false);
        assert_eq!(suitable(&full), ["ember", "afterglow", "nebula"]);
        full.set_background(TerminalBackground::Known(Rgb::new(250, 250, 250)));
        assert_eq!(suitable(&full), ["paper", "afterglow", "nebula"]);
        // 256 colors show no sky.
        assert_eq!(suitable(&dusk(true, ColorDepth::Colors256, false)), ["ember", "nebula"]);
        assert_eq!(suitable(&dusk(true, ColorDepth::Colors16, false)), ["dusk"]);
    }
}
