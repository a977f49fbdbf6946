//! A theme at work: ramps of 256 colours, and the panel's styles.

use palette::{IntoColor, Mix, Oklab, Oklch, Srgb};
use ratatui::style::{Color, Modifier, Style};

use super::ColorDepth;
use crate::canvas::{Cell, Content};
use crate::config::{Paint, Rgb, Theme};

/// Into how many steps distance fades.
const FADES: usize = 8;
/// How much of the background the farthest boid takes on.
const FADE: f32 = 0.78;

/// What the colour of a boid tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coloring {
    /// Which way it flies.
    #[default]
    Heading,
    /// How fast.
    Speed,
    /// How crowded it is there.
    Density,
}

impl Coloring {
    /// The next one, around.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Heading => Self::Speed,
            Self::Speed => Self::Density,
            Self::Density => Self::Heading,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Density => "density",
        }
    }
}

/// 256 colours, each in several distances.
#[derive(Debug)]
struct Ramp {
    fades: Vec<[Color; 256]>,
}

impl Ramp {
    /// From stops; `ring` joins the last one to the first.
    fn new(stops: &[Paint], ring: bool, far: Rgb, depth: ColorDepth) -> Self {
        let blend = |place: usize| {
            let count = stops.len();
            let span = if ring { count as f32 / 256.0 } else { (count - 1) as f32 / 255.0 };
            let at = place as f32 * span;
            let stop = (at as usize).min(count - 1);
            (stops[stop], stops[if ring { (stop + 1) % count } else { (stop + 1).min(count - 1) }], at.fract())
        };
        let fades = (0..FADES)
            .map(|fade| {
                let share = FADE * fade as f32 / (FADES - 1) as f32;
                std::array::from_fn(|place| {
                    let (from, to, share_of_next) = blend(place);
                    depth.color(toward(mix(from, to, share_of_next), far, share))
                })
            })
            .collect();
        Self { fades }
    }

    fn color(&self, place: u8, depth: u8) -> Color {
        self.fades[usize::from(depth) * FADES / 256][usize::from(place)]
    }
}

/// Between two stops, along OKLCH's hue; colours of the terminal's own do not mix.
fn mix(from: Paint, to: Paint, share: f32) -> Paint {
    match (from, to) {
        (Paint::Rgb(a), Paint::Rgb(b)) => {
            let (a, b): (Oklch, Oklch) = (linear(a).into_color(), linear(b).into_color());
            Paint::Rgb(rgb(a.mix(b, share)))
        }
        _ if share < 0.5 => from,
        _ => to,
    }
}

/// Faded toward the background.
fn toward(paint: Paint, far: Rgb, share: f32) -> Paint {
    match paint {
        Paint::Rgb(near) => {
            let (near, far): (Oklab, Oklab) = (linear(near).into_color(), linear(far).into_color());
            Paint::Rgb(rgb(near.mix(far, share)))
        }
        Paint::Terminal | Paint::Ansi(_) => paint,
    }
}

fn linear(rgb: Rgb) -> palette::LinSrgb {
    let srgb: Srgb<f32> = rgb.into_format();
    srgb.into_linear()
}

fn rgb(color: impl IntoColor<palette::LinSrgb>) -> Rgb {
    let linear: palette::LinSrgb = color.into_color();
    Rgb::from_linear(linear)
}

/// A theme's colours, ready for cells.
#[derive(Debug)]
pub struct Look {
    heading: Ramp,
    prey: Ramp,
    predators: Ramp,
    mono: bool,
    /// So few colours that predators need more than theirs to stand out.
    few: bool,
    /// Behind everything, and plain text.
    pub text: Style,
    /// What matters less.
    pub dim: Style,
    /// What matters now.
    pub accent: Style,
    /// The full part of a bar.
    pub gauge: Style,
    /// What is said of predators.
    pub predator: Style,
}

impl Look {
    /// A theme with so many colours.
    #[must_use]
    pub fn new(theme: &Theme, depth: ColorDepth) -> Self {
        let colors = &theme.colors;
        let far = match (colors.background, colors.far) {
            (Paint::Rgb(rgb), _) | (_, Paint::Rgb(rgb)) => rgb,
            _ => Rgb::new(0, 0, 0),
        };
        let ramp = |stops: &[Paint], ring| Ramp::new(stops, ring, far, depth);
        // With a background of its own, a theme's sixteen colours would be unreadable on the nearest named one.
        let ground = if depth == ColorDepth::Ansi { Color::Reset } else { depth.color(colors.background) };
        let on_ground = |paint: Paint| Style::new().bg(ground).fg(depth.color(paint));
        let mono = depth == ColorDepth::Mono;
        let weight = |style: Style, modifier: Modifier| if mono { style.add_modifier(modifier) } else { style };
        let predators = ramp(&colors.predators, false);
        Self {
            text: on_ground(if depth == ColorDepth::Ansi { Paint::Terminal } else { colors.text }),
            dim: weight(on_ground(colors.dim), Modifier::DIM),
            accent: weight(on_ground(colors.accent), Modifier::BOLD),
            gauge: on_ground(colors.gauge),
            predator: Style::new().bg(ground).fg(predators.color(128, 0)).add_modifier(Modifier::BOLD),
            heading: ramp(&colors.heading, true),
            prey: ramp(&colors.prey, false),
            predators,
            mono,
            few: matches!(depth, ColorDepth::Ansi | ColorDepth::Mono),
        }
    }

    /// How a cell of the picture is painted.
    #[must_use]
    pub fn cell(&self, cell: Cell, coloring: Coloring) -> Style {
        let color = match (cell.content, coloring) {
            (Content::Empty, _) => return self.text,
            (Content::Predator, _) => {
                let style = self.text.fg(self.predators.color(cell.speed, cell.depth / 2));
                let style = style.add_modifier(Modifier::BOLD);
                return if self.few { style.add_modifier(Modifier::REVERSED) } else { style };
            }
            (Content::Prey, Coloring::Heading) => self.heading.color(cell.heading, cell.depth),
            (Content::Prey, Coloring::Speed) => self.prey.color(cell.speed, cell.depth),
            (Content::Prey, Coloring::Density) => self.prey.color(cell.density, cell.depth),
        };
        let style = self.text.fg(color);
        if self.mono && cell.depth > 160 { style.add_modifier(Modifier::DIM) } else { style }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_closes_and_a_ramp_ends_on_its_stops() {
        let stops: Vec<Paint> = ["#ff0000", "#00ff00", "#0000ff"].iter().map(|text| text.parse().unwrap()).collect();
        let far = Rgb::new(0, 0, 0);
        let ramp = Ramp::new(&stops, false, far, ColorDepth::Truecolor);
        assert_eq!((ramp.color(0, 0), ramp.color(255, 0)), (Color::Rgb(255, 0, 0), Color::Rgb(0, 0, 255)));
        let ring = Ramp::new(&stops, true, far, ColorDepth::Truecolor);
        let (Color::Rgb(last, ..), Color::Rgb(first, ..)) = (ring.color(255, 0), ring.color(0, 0)) else { panic!() };
        assert!(first == 255 && last > 230, "{first} {last}");
    }

    #[test]
    fn what_is_far_is_darker_before_a_dark_ground() {
        let look = Look::new(&Theme::load("dusk").unwrap(), ColorDepth::Truecolor);
        let bright = |depth| {
            let cell = Cell { content: Content::Prey, depth, ..Cell::default() };
            let Some(Color::Rgb(r, g, b)) = look.cell(cell, Coloring::Heading).fg else { panic!() };
            u32::from(r) + u32::from(g) + u32::from(b)
        };
        assert!(bright(255) * 2 < bright(0), "{} {}", bright(255), bright(0));
    }
}
