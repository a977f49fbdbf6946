//! What the viewer wears: a theme, in as many colours as the terminal has and the wire carries.

use palette::{IntoColor, SrgbLuma};

use super::ColorDepth;
use super::look::Look;
use super::sky::Sky;
use crate::config::{Rgb, Theme};

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
    /// As the viewer begins.
    #[must_use]
    pub fn new(colors: Colors) -> Self {
        let Colors { theme, chosen, depth, guessed } = colors;
        let (look, sky) = (Look::new(&theme, depth), Sky::new(&theme, depth));
        let mut themes = Theme::builtin();
        let worn = themes.iter().position(|known| *known == theme).unwrap_or_else(|| {
            themes.insert(0, theme);
            0
        });
        Self { themes, worn, chosen, depth, guessed, most: ColorDepth::Truecolor, look, sky }
    }

    /// The name of the theme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.themes[self.worn].name
    }

    /// Puts on the next theme, or the one before.
    pub fn change(&mut self, next: bool) {
        let by = if next { 1 } else { self.themes.len() - 1 };
        (self.worn, self.chosen) = ((self.worn + by) % self.themes.len(), true);
        self.wear();
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

    /// The terminal has told the colour behind everything. Where it is bright and nobody chose a theme, one
    /// for bright ground is put on. Says whether that changes anything.
    pub fn learn_background(&mut self, color: Rgb) -> bool {
        let luma: SrgbLuma<f32> = color.into_format::<f32>().into_color();
        let light = self.themes.iter().position(|theme| theme.name == LIGHT);
        match light {
            Some(light) if luma.luma > BRIGHT && !self.chosen => {
                self.worn = light;
                self.wear();
                true
            }
            _ => false,
        }
    }

    /// How many colours are used.
    fn shown(&self) -> ColorDepth {
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
        let (theme, depth) = (&self.themes[self.worn], self.shown());
        self.look = Look::new(theme, depth);
        self.sky = Sky::new(theme, depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dress(chosen: bool, depth: ColorDepth, guessed: bool) -> Dress {
        Dress::new(Colors { theme: Theme::load("dusk").unwrap(), chosen, depth, guessed })
    }

    #[test]
    fn bright_ground_gets_a_light_theme_unless_somebody_chose() {
        let told = |chosen, level| {
            let mut dress = dress(chosen, ColorDepth::Truecolor, false);
            let changed = dress.learn_background(Rgb::new(level, level, level));
            (changed, dress.name().to_owned())
        };
        assert_eq!(told(false, 250), (true, LIGHT.to_owned()));
        assert_eq!(told(false, 30), (false, "dusk".to_owned()));
        assert_eq!(told(true, 250), (false, "dusk".to_owned()));
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
}
