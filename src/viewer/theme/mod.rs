//! What the viewer wears: a theme, in as many colours as the terminal has and the wire carries.

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
use crate::config::{Paint, Palette, Rgb, Theme};
use blend::{between, ground};
use fade::Veil;
use resolved::Look;
use sky::Sky;

/// The theme for bright ground.
const LIGHT: &str = "day";
/// From so much luma on, ground is bright.
const BRIGHT: f32 = 0.6;

/// Which colours are put on, and how many the terminal has.
#[derive(Clone, Debug)]
pub struct Colors {
    /// The theme.
    pub theme: Theme,
    /// Whether somebody chose it.
    pub chosen: bool,
    /// How many colours the terminal has.
    pub depth: ColorDepth,
    /// Whether that is a guess, which the terminal may correct.
    pub guessed: bool,
}

/// A theme that is worn, and those that hang beside it.
#[derive(Debug)]
pub struct Dress {
    themes: Vec<Theme>,
    /// The place of the one that is worn.
    worn: usize,
    chosen: bool,
    /// The place of the one that it is being changed from, and how far that has gone.
    change: Option<(usize, f32)>,
    /// How much of the flock is hidden.
    hidden: f32,
    /// The colour of the terminal's own background, once it is known.
    own: Option<Rgb>,
    depth: ColorDepth,
    guessed: bool,
    /// How many colours are used at most.
    most: ColorDepth,
    /// The theme at work.
    pub look: Look,
    /// Its sky.
    pub sky: Sky,
}

impl Dress {
    /// As the viewer begins, with these themes to choose from.
    #[must_use]
    pub fn new(colors: Colors, mut themes: Vec<Theme>) -> Self {
        let Colors { theme, chosen, depth, guessed } = colors;
        let (look, sky) = (Look::new(&theme, depth), Sky::new(&theme, depth));
        let worn = themes.iter().position(|known| *known == theme).unwrap_or_else(|| {
            themes.insert(0, theme);
            0
        });
        let (change, hidden, own, most) = (None, 0.0, None, ColorDepth::Truecolor);
        Self { themes, worn, chosen, change, hidden, own, depth, guessed, most, look, sky }
    }

    /// The name of the theme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.themes[self.worn].name
    }

    /// The theme that is worn, as it is worn here.
    #[must_use]
    pub fn theme(&self) -> Cow<'_, Theme> {
        self.as_worn(self.worn)
    }

    /// All themes.
    #[must_use]
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    /// Puts on the next theme, or the one before.
    pub fn change(&mut self, next: bool) {
        let by = if next { 1 } else { self.themes.len() - 1 };
        self.put_on((self.worn + by) % self.themes.len(), true);
    }

    /// The place of the theme that is worn, and whether somebody chose it.
    #[must_use]
    pub fn worn(&self) -> (usize, bool) {
        (self.worn, self.chosen)
    }

    /// Puts the theme at a place on, whole.
    pub fn put_on(&mut self, place: usize, chosen: bool) {
        (self.worn, self.chosen, self.change) = (place, chosen, None);
        self.wear();
    }

    /// Puts a theme on that may be new, or another than before under what it was asked for by.
    pub fn try_on(&mut self, theme: Theme, chosen: bool) {
        let place = self.themes.iter().position(|known| known.origin == theme.origin).unwrap_or(self.themes.len());
        self.themes.splice(place..self.themes.len().min(place + 1), [theme]);
        self.put_on(place, chosen);
        if let Some(own) = self.own {
            self.learn_background(own);
        }
    }

    /// Hangs other themes there, as their files are now, beside those that were asked for by a path. The one that is worn
    /// stays on, as it is now too.
    pub fn hang(&mut self, mut themes: Vec<Theme>) {
        let worn = self.themes[self.worn].clone();
        themes.extend(self.themes.drain(..).filter(Theme::is_from_path));
        let place = themes.iter().position(|known| known.origin == worn.origin).unwrap_or_else(|| {
            themes.push(worn);
            themes.len() - 1
        });
        self.themes = themes;
        self.put_on(place, self.chosen);
    }

    /// Puts the theme at a place on, of which a share (0 … 1) is seen and else that at another place. Says
    /// whether that changes anything.
    pub fn turn(&mut self, from: usize, to: usize, share: f32) -> bool {
        let change = (share < 1.0 && from != to).then_some((from, share));
        let changed = (self.worn, self.change) != (to, change);
        if changed {
            (self.worn, self.chosen, self.change) = (to, true, change);
            self.wear();
        }
        changed
    }

    /// Hides so much of the flock (0 … 1). Says whether that changes anything.
    pub fn hide(&mut self, share: f32) -> bool {
        let changed = self.hidden != share;
        self.hidden = share;
        changed
    }

    /// How much of the flock is hidden. Of 256 colours few lie between two themes: there the flock goes out
    /// and comes in again. With fewer nothing fades.
    #[must_use]
    pub fn hidden(&self) -> f32 {
        match (self.shown(), self.change) {
            (depth, _) if !depth.mixes() => 0.0,
            (ColorDepth::Indexed, Some((_, share))) => self.hidden.max(1.0 - (2.0 * share - 1.0).abs()),
            _ => self.hidden,
        }
    }

    /// What cells fade with.
    #[must_use]
    pub fn veil(&self) -> Veil {
        Veil::new(ground(&self.as_worn(self.worn).colors, self.own), self.shown())
    }

    /// The places of the themes with these names that can be put on where nobody asks for them: none
    /// that dazzles on dark ground or is lost on bright, unless it paints a sky of its own.
    #[must_use]
    pub fn suiting(&self, these: &[&str]) -> Vec<usize> {
        let depth = self.shown();
        if !depth.mixes() {
            return vec![self.worn];
        }
        let bright = self.own.is_some_and(is_bright);
        let suits =
            |theme: &Theme| is_bright(ground(&theme.colors, None)) == bright || !Sky::new(theme, depth).is_empty();
        let named = |theme: &Theme| these.contains(&theme.name.as_str());
        (0..self.themes.len()).filter(|&place| named(&self.themes[place]) && suits(&self.themes[place])).collect()
    }

    /// Uses so many colours at most from now on. Says whether that changes anything.
    pub fn limit(&mut self, most: ColorDepth) -> bool {
        let before = self.shown();
        self.most = most;
        self.wear_again(before)
    }

    /// The terminal has shown that it has all colours. Says whether that changes anything.
    pub fn learn_truecolor(&mut self) -> bool {
        let before = self.shown();
        if self.guessed {
            self.depth = ColorDepth::Truecolor;
        }
        self.wear_again(before)
    }

    /// The terminal has told the colour behind everything. Where it is bright and nobody chose a theme, one for bright
    /// ground is put on; one that is chosen is seen there too. Says whether that changes anything.
    pub fn learn_background(&mut self, color: Rgb) -> bool {
        let before = (self.look.text.bg, self.look.far);
        self.own = Some(color);
        let light = self.themes.iter().position(|theme| theme.name == LIGHT);
        match light {
            Some(light) if is_bright(color) && !self.chosen => {
                self.put_on(light, false);
                true
            }
            _ => {
                self.wear();
                (self.look.text.bg, self.look.far) != before
            }
        }
    }

    /// How many colours are used.
    #[must_use]
    pub fn shown(&self) -> ColorDepth {
        self.depth.max(self.most)
    }

    fn wear_again(&mut self, before: ColorDepth) -> bool {
        let changed = self.shown() != before;
        if changed {
            self.wear();
        }
        changed
    }

    /// Puts the theme on, with as many colours as are used.
    fn wear(&mut self) {
        let (worn, depth) = (self.as_worn(self.worn), self.shown());
        let mixed = match self.change {
            Some((from, share)) if depth == ColorDepth::Truecolor => {
                Some(between(&self.as_worn(from), &worn, share, self.own))
            }
            Some((from, share)) if share < 0.5 => Some(self.as_worn(from).into_owned()),
            _ => None,
        };
        let theme = mixed.as_ref().unwrap_or(&worn);
        (self.look, self.sky) = (Look::new(theme, depth), Sky::new(theme, depth));
    }

    /// The theme at a place as it is worn: one that leaves the terminal's own ground alone fades into that, or, where it
    /// would be lost on it, paints the one for which it was made.
    fn as_worn(&self, place: usize) -> Cow<'_, Theme> {
        let theme = &self.themes[place];
        let Palette { background, far, text, .. } = &theme.colors;
        match (background, far, text, self.own) {
            (Paint::Terminal, Paint::Rgb(ground), Paint::Rgb(_), Some(own)) => {
                let mut worn = theme.clone();
                if is_bright(*ground) == is_bright(own) {
                    worn.colors.far = Paint::Rgb(own);
                } else {
                    worn.colors.background = Paint::Rgb(*ground);
                }
                Cow::Owned(worn)
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

    fn dress(chosen: bool, depth: ColorDepth, guessed: bool) -> Dress {
        Dress::new(Colors { theme: Theme::load("dusk").unwrap(), chosen, depth, guessed }, Theme::builtin())
    }

    #[test]
    fn bright_ground_gets_a_light_theme_unless_somebody_chose() {
        let told = |chosen, level| {
            let mut dress = dress(chosen, ColorDepth::Truecolor, false);
            let changed = dress.learn_background(Rgb::new(level, level, level));
            (changed, dress.name().to_owned())
        };
        assert_eq!(told(false, 250), (true, LIGHT.to_owned()));
        assert_eq!(told(false, 30), (true, "dusk".to_owned()));
        assert_eq!(told(true, 250), (true, "dusk".to_owned()));
        assert_eq!(told(true, 30), (true, "dusk".to_owned()));
    }

    #[test]
    fn what_fades_fades_into_the_terminals_own_ground() {
        let grey = Rgb::new(40, 44, 52);
        let mut dress = dress(true, ColorDepth::Truecolor, false);
        assert_ne!(dress.look.far, grey);
        assert!(dress.learn_background(grey) && !dress.learn_background(grey));
        assert_eq!(dress.look.far, grey);
        // So it is on a picture of the screen.
        assert_eq!(dress.theme().colors.far, Paint::Rgb(grey));
        // Not where a theme has a ground of its own.
        dress.try_on(Theme::load("paper").unwrap(), true);
        assert_ne!(dress.look.far, grey);
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
            let mut dress = dress(true, ColorDepth::Truecolor, false);
            dress.learn_background(Rgb::new(level, level, level));
            dress.try_on(Theme::load(name).unwrap(), true);
            let ground = dress.look.text.bg.is_some_and(|ground| ground != Color::Reset);
            assert_eq!(ground, painted, "{name} on {level}");
        }
    }

    #[test]
    fn the_fewest_colours_win_and_only_a_guess_is_corrected() {
        let mut sure = dress(true, ColorDepth::Indexed, false);
        assert!(!sure.learn_truecolor());
        let mut unsure = dress(true, ColorDepth::Indexed, true);
        assert!(unsure.learn_truecolor() && unsure.shown() == ColorDepth::Truecolor);
        assert!(unsure.limit(ColorDepth::Ansi) && !unsure.limit(ColorDepth::Ansi));
        assert_eq!(unsure.shown(), ColorDepth::Ansi);
        assert!(unsure.limit(ColorDepth::Truecolor));
    }

    #[test]
    fn themes_go_round_both_ways() {
        let mut dress = dress(false, ColorDepth::Truecolor, false);
        dress.change(false);
        let last = dress.name().to_owned();
        dress.change(true);
        assert!(last != "dusk" && dress.name() == "dusk");
    }

    #[test]
    fn a_theme_changes_in_steps_where_colours_mix_and_through_the_dark_where_they_are_few() {
        let places = |dress: &Dress| {
            let place = |name: &str| dress.themes.iter().position(|theme| theme.name == name).unwrap();
            (place("ember"), place("neon"))
        };
        let mut full = dress(true, ColorDepth::Truecolor, false);
        let (ember, neon) = places(&full);
        let mut seen = Vec::new();
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert!(full.turn(ember, neon, share) && !full.turn(ember, neon, share));
            seen.push(full.look.text.bg);
            assert_eq!(full.hidden(), 0.0);
        }
        seen.dedup();
        assert_eq!((seen.len(), full.name()), (5, "neon"));
        let mut few = dress(true, ColorDepth::Indexed, false);
        few.turn(ember, neon, 0.5);
        assert_eq!(few.hidden(), 1.0);
        few.limit(ColorDepth::Ansi);
        assert_eq!(few.hidden(), 0.0);
    }

    #[test]
    fn only_what_suits_the_ground_is_put_on() {
        let names = ["ember", "paper", "afterglow", "nebula"];
        let suiting = |dress: &Dress| -> Vec<String> {
            dress.suiting(&names).into_iter().map(|place| dress.themes[place].name.clone()).collect()
        };
        let mut full = dress(true, ColorDepth::Truecolor, false);
        assert_eq!(suiting(&full), ["afterglow", "nebula", "ember"]);
        full.learn_background(Rgb::new(250, 250, 250));
        assert_eq!(suiting(&full), ["afterglow", "nebula", "paper"]);
        // Of 256 colours the sky of `afterglow` can be painted.
        assert_eq!(suiting(&dress(true, ColorDepth::Indexed, false)), ["afterglow", "nebula", "ember"]);
        assert_eq!(suiting(&dress(true, ColorDepth::Ansi, false)), ["dusk"]);
    }
}
