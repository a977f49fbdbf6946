//! A theme at work: ramps of 256 colors, and the panel's styles.

use std::ops::RangeInclusive;

use palette::{Mix, Srgb};
use ratatui::style::{Color, Modifier, Style};

use super::blend::ground;
use super::cell_style::CellStyle;
use super::glow::GlowRamps;
use super::ramp::{Ramp, at, oklch, toward};
use super::sky::Sky;
use super::species;
use crate::canvas::{Cell, Content, Glow, Layers, SceneryKind, Trail};
use crate::config::{Rgb, Theme, ThemeColor};
use crate::terminal::PackedColor;
use crate::viewer::ColorDepth;

/// How much of the background the nearest and the farthest boid take on.
const DISTANCE: RangeInclusive<f32> = 0.0..=0.78;
/// How much of it the newest and the oldest trail do.
const AGE: RangeInclusive<f32> = 0.38..=0.86;
/// How much of white, or before a bright ground of black, is in the colors of each step of alarm.
const ALARM: [f32; Cell::ALARMS as usize + 1] = [0.0, 0.35, 0.65, 0.9];
/// How much of the theme's dim color is in trails.
const DIM: f32 = 0.2;
/// How strong a half block is at least.
const BLOCK: f32 = 0.4;
/// How much of the background is in the least heat.
const COOL: f32 = 0.75;

/// From here on what is far away is dim, where nothing else tells.
const FAR: u8 = 160;

/// What the color of a boid tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coloring {
    /// Which way it flies.
    #[default]
    Heading,
    /// How fast.
    Speed,
    /// How crowded it is there.
    Density,
    /// Of which species it is.
    Species,
}

impl Coloring {
    /// The next one, around; species only where there are several.
    #[must_use]
    pub fn next(self, mixed: bool) -> Self {
        match self {
            Self::Heading => Self::Speed,
            Self::Speed => Self::Density,
            Self::Density if mixed => Self::Species,
            Self::Density | Self::Species => Self::Heading,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Species => "species",
        }
    }
}

/// A ramp for each step of alarm.
type AlarmRamps = [Ramp; Cell::ALARMS as usize + 1];

/// A theme's colors, ready for cells.
#[derive(Debug)]
pub struct ResolvedTheme {
    heading: AlarmRamps,
    prey: AlarmRamps,
    species: AlarmRamps,
    predators: Ramp,
    trails: Option<TrailRamps>,
    lights: Option<GlowRamps>,
    heat: [PackedColor; 256],
    /// What stands in the world: obstacles, food, roosts, and the pointer.
    things: [CellStyle; 4],
    /// Whether there is a sky behind everything.
    sky: bool,
    pub(crate) far: Rgb,
    mono: bool,
    /// So few colors that predators need more than theirs to stand out.
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

impl ResolvedTheme {
    /// A theme with so many colors.
    #[must_use]
    pub fn new(theme: &Theme, depth: ColorDepth) -> Self {
        let colors = &theme.colors;
        let far = ground(colors, None);
        // Before a sky, what is far away fades into its middle.
        let sky = !Sky::new(theme, depth).is_empty();
        let horizon = colors.sky.get(colors.sky.len() / 2).filter(|_| sky);
        let horizon = horizon.map_or(far, |stop| stop.0);
        let ramp = |stops: &[ThemeColor], ring| Ramp::new(stops, ring, horizon, &DISTANCE, depth);
        // With a background of its own, a theme's sixteen colors would be unreadable on the nearest named one.
        let ground = if depth == ColorDepth::Ansi { Color::Reset } else { depth.color(colors.background) };
        let on_ground = |paint: ThemeColor| Style::new().bg(ground).fg(depth.color(paint));
        let mono = depth == ColorDepth::Mono;
        let weight = |style: Style, modifier: Modifier| if mono { style.add_modifier(modifier) } else { style };
        let predators = ramp(&colors.predators, false);
        let species_colors = species::species_colors(theme, depth);
        let few = !depth.can_blend();
        let alarm = if oklch(far).l < 0.5 { Rgb::new(255, 255, 255) } else { Rgb::new(0, 0, 0) };
        let alarmed = |stops: &[ThemeColor], ring| {
            ALARM.map(|share| ramp(&stops.iter().map(|stop| toward(*stop, alarm, share)).collect::<Vec<_>>(), ring))
        };
        let heat = |place: usize| {
            let share = 1.0 - place as f32 / 255.0;
            PackedColor::from(depth.color(toward(at(&colors.prey, false, place as u8), far, COOL * share * share)))
        };
        Self {
            trails: TrailRamps::new(theme, &species_colors, horizon, depth),
            lights: GlowRamps::new(&colors.heading, &colors.prey, &species_colors, far, depth),
            species: alarmed(&species_colors, true),
            heat: std::array::from_fn(heat),
            things: [
                weight(on_ground(colors.obstacle.unwrap_or(colors.dim)), Modifier::DIM),
                on_ground(colors.food.unwrap_or(colors.gauge)),
                on_ground(colors.roost.unwrap_or(colors.accent)),
                weight(on_ground(colors.pointer.unwrap_or(colors.text)), Modifier::BOLD),
            ]
            .map(CellStyle::from),
            sky,
            far,
            text: on_ground(if depth == ColorDepth::Ansi { ThemeColor::Terminal } else { colors.text }),
            dim: weight(on_ground(colors.dim), Modifier::DIM),
            accent: weight(on_ground(colors.accent), Modifier::BOLD),
            gauge: on_ground(colors.gauge),
            predator: Style::new().bg(ground).fg(predators.color(128, 0).into()).add_modifier(Modifier::BOLD),
            heading: alarmed(&colors.heading, true),
            prey: alarmed(&colors.prey, false),
            predators,
            mono,
            few,
        }
    }

    /// How a cell of the picture is painted.
    #[must_use]
    #[inline]
    pub fn cell(&self, cell: &Cell, coloring: Coloring) -> CellStyle {
        // Most are boids of whom nothing else is to be told.
        let is_marked = cell.content != Content::Prey || cell.alarm > 0 || cell.leads;
        if is_marked || self.mono && (cell.depth > FAR || coloring == Coloring::Species) {
            self.marked(cell, coloring)
        } else {
            CellStyle::of(self.prey(cell, coloring))
        }
    }

    /// How a cell is painted of which more is to be told than its color does.
    #[inline(never)]
    fn marked(&self, cell: &Cell, coloring: Coloring) -> CellStyle {
        match cell.content {
            Content::Empty => return self.text.into(),
            Content::Predator => {
                let coat = CellStyle::of(self.predators.color(cell.speed, cell.depth / 2)).with(Modifier::BOLD);
                // Only its head, or nothing would be left of its shape.
                return if self.few && cell.count > 0 { coat.with(Modifier::REVERSED) } else { coat };
            }
            Content::Prey => {}
        }
        if cell.leads {
            return CellStyle::from(self.accent).with(Modifier::BOLD);
        }
        let coat = CellStyle::of(self.prey(cell, coloring));
        // Where colors do not mix, what is alarmed is bold.
        if self.few && cell.alarm > 1 {
            return coat.with(Modifier::BOLD);
        }
        if self.mono && coloring == Coloring::Species {
            return coat.with(species::weight(cell.species));
        }
        if self.mono && cell.depth > FAR { coat.with(Modifier::DIM) } else { coat }
    }

    /// The color of a boid.
    #[inline]
    fn prey(&self, cell: &Cell, coloring: Coloring) -> PackedColor {
        let alarm = usize::from(cell.alarm.min(Cell::ALARMS));
        match coloring {
            Coloring::Heading => self.heading[alarm].color(cell.heading, cell.depth),
            Coloring::Speed => self.prey[alarm].color(cell.speed, cell.depth),
            Coloring::Density => self.prey[alarm].color(cell.density, cell.depth),
            Coloring::Species => self.species[alarm].color(species::place(cell.species), cell.depth),
        }
    }

    /// How something in the world is painted.
    #[must_use]
    pub fn thing(&self, thing: SceneryKind) -> CellStyle {
        self.things[match thing {
            SceneryKind::Obstacle => 0,
            SceneryKind::Food => 1,
            SceneryKind::Roost => 2,
            SceneryKind::Pointer => 3,
        }]
    }

    /// How the trail of a cell is painted.
    #[must_use]
    pub fn trail(&self, trail: Trail, coloring: Coloring) -> CellStyle {
        let Some(TrailRamps { heading, prey, species }) = &self.trails else { return self.dim.into() };
        CellStyle::of(match coloring {
            Coloring::Heading => heading.color(trail.heading, trail.age),
            Coloring::Speed => prey.color(trail.speed, trail.age),
            // Where somebody was tells nothing of the crowd that is there now.
            Coloring::Density => prey.color(96, trail.age),
            Coloring::Species => species.color(species::place(trail.species), trail.age),
        })
    }

    /// What glows behind a cell in which `behind` has been painted; none where nothing is to be seen of it.
    #[must_use]
    pub fn glow(&self, glow: Glow, coloring: Coloring, behind: Color) -> Option<Color> {
        let lights = self.lights.as_ref().filter(|_| glow.level > 0)?;
        Some(match behind {
            Color::Rgb(red, green, blue) if self.sky => lights.over(Rgb::new(red, green, blue), glow, coloring),
            _ => lights.color(glow, coloring),
        })
    }

    /// A color that covers a share of what is behind it, where colors mix; else the color itself.
    #[must_use]
    pub fn part(&self, color: Color, behind: Color, share: f32) -> Color {
        let ground = |behind| match behind {
            Color::Rgb(red, green, blue) => Rgb::new(red, green, blue),
            _ => self.far,
        };
        match color {
            Color::Rgb(red, green, blue) if share < 1.0 => {
                let share = BLOCK + (1.0 - BLOCK) * share;
                let near: Srgb<f32> = Rgb::new(red, green, blue).into_format();
                let mixed: Rgb = ground(behind).into_format().mix(near, share).into_format();
                Color::Rgb(mixed.red, mixed.green, mixed.blue)
            }
            _ => color,
        }
    }

    /// The color of a place on the heat map, 0 … 255.
    #[must_use]
    pub fn heat(&self, place: u8) -> PackedColor {
        self.heat[usize::from(place)]
    }

    /// Whether there are so few colors that shades tell more than they do.
    #[must_use]
    pub fn has_few_colors(&self) -> bool {
        self.few
    }

    /// Whether there are colors for a glow.
    #[must_use]
    pub fn has_glow(&self) -> bool {
        self.lights.is_some()
    }

    /// What is seen of a picture's layers in these colors.
    #[must_use]
    pub fn shown(&self, layers: Layers) -> Layers {
        Layers { glow: layers.glow && self.lights.is_some(), ..layers }
    }
}

/// The ramps of trails.
#[derive(Debug)]
struct TrailRamps {
    heading: Ramp,
    prey: Ramp,
    species: Ramp,
}

impl TrailRamps {
    /// None where colors do not mix.
    fn new(theme: &Theme, species: &[ThemeColor], horizon: Rgb, depth: ColorDepth) -> Option<Self> {
        let colors = &theme.colors;
        let ThemeColor::Rgb(dim) = colors.dim else { return None };
        if !depth.can_blend() {
            return None;
        }
        let dimmed = |stops: &[ThemeColor], ring| {
            let stops: Vec<ThemeColor> = stops.iter().map(|stop| toward(*stop, dim, DIM)).collect();
            Ramp::new(&stops, ring, horizon, &AGE, depth)
        };
        Some(Self {
            heading: dimmed(&colors.heading, true),
            prey: dimmed(&colors.prey, false),
            species: dimmed(species, true),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_is_darker_before_a_dark_ground() {
        let look = ResolvedTheme::new(&Theme::load("dusk").unwrap(), ColorDepth::Truecolor);
        let bright = |depth| {
            let cell = Cell { content: Content::Prey, depth, ..Cell::default() };
            let Color::Rgb(r, g, b) = look.cell(&cell, Coloring::Heading).fg.into() else { panic!() };
            u32::from(r) + u32::from(g) + u32::from(b)
        };
        assert!(bright(255) * 2 < bright(0), "{} {}", bright(255), bright(0));
    }

    #[test]
    fn what_is_far_fades_into_the_sky_where_there_is_one() {
        let theme = Theme::load("abyss").unwrap();
        let sky = theme.colors.sky[theme.colors.sky.len() / 2].0;
        let off = |depth: u8, colors: ColorDepth| {
            let cell = Cell { content: Content::Prey, depth, ..Cell::default() };
            let Color::Rgb(r, g, b) = ResolvedTheme::new(&theme, colors).cell(&cell, Coloring::Heading).fg.into()
            else {
                panic!()
            };
            u32::from(r.abs_diff(sky.red)) + u32::from(g.abs_diff(sky.green)) + u32::from(b.abs_diff(sky.blue))
        };
        assert!(off(255, ColorDepth::Truecolor) * 3 < off(0, ColorDepth::Truecolor));
    }

    #[test]
    fn a_glow_is_alike_over_colors_of_the_sky_that_are_alike_the_ground_among_them() {
        for theme in Theme::builtin().into_iter().filter(|theme| !theme.colors.sky.is_empty()) {
            let ThemeColor::Rgb(Rgb { red, green, blue, .. }) = theme.colors.background else { continue };
            let look = ResolvedTheme::new(&theme, ColorDepth::Truecolor);
            let over = |red| {
                let glow = Glow { level: 2, heading: 40, speed: 64, species: 0 };
                match look.glow(glow, Coloring::Heading, Color::Rgb(red, green, blue)) {
                    Some(Color::Rgb(red, green, blue)) => [red, green, blue],
                    other => panic!("{}: {other:?}", theme.name),
                }
            };
            let (there, beside) = (over(red), over(red ^ 1));
            let off = there.iter().zip(beside).map(|(one, other)| one.abs_diff(other)).max();
            assert!(off <= Some(1), "{}: {there:?} {beside:?}", theme.name);
        }
    }

    #[test]
    fn a_trail_fades_and_is_never_as_bright_as_a_head() {
        let look = ResolvedTheme::new(&Theme::load("dusk").unwrap(), ColorDepth::Truecolor);
        let sum = |color: PackedColor| {
            let Color::Rgb(r, g, b) = color.into() else { panic!() };
            u32::from(r) + u32::from(g) + u32::from(b)
        };
        let trail = |age| sum(look.trail(Trail { dots: 1, age, ..Trail::default() }, Coloring::Heading).fg);
        let head = Cell { content: Content::Prey, ..Cell::default() };
        let head = sum(look.cell(&head, Coloring::Heading).fg);
        assert!(head > trail(0) && trail(0) > trail(128) && trail(128) > trail(224));
        let few = ResolvedTheme::new(&Theme::load("dusk").unwrap(), ColorDepth::Ansi);
        assert_eq!(few.trail(Trail::default(), Coloring::Heading), few.dim.into());
    }

    #[test]
    fn what_is_alarmed_stands_out_in_every_coloring_and_before_every_ground() {
        for (theme, brighter) in [("dusk", true), ("paper", false)] {
            let look = ResolvedTheme::new(&Theme::load(theme).unwrap(), ColorDepth::Truecolor);
            let light = |alarm, coloring| {
                let cell =
                    Cell { content: Content::Prey, heading: 40, speed: 200, density: 200, alarm, ..Cell::default() };
                let Color::Rgb(r, g, b) = look.cell(&cell, coloring).fg.into() else { panic!() };
                oklch(Rgb::new(r, g, b)).l
            };
            for coloring in [Coloring::Heading, Coloring::Speed, Coloring::Density] {
                let lights: Vec<f32> = (0..=Cell::ALARMS).map(|alarm| light(alarm, coloring)).collect();
                let stands_out = |pair: &[f32]| if brighter { pair[1] > pair[0] } else { pair[1] < pair[0] };
                assert!(lights.windows(2).all(stands_out), "{theme} {coloring:?} {lights:?}");
            }
        }
        let few = ResolvedTheme::new(&Theme::load("dusk").unwrap(), ColorDepth::Mono);
        let style = |alarm| few.cell(&Cell { content: Content::Prey, alarm, ..Cell::default() }, Coloring::Heading);
        assert!(style(3).modifier.contains(Modifier::BOLD) && !style(0).modifier.contains(Modifier::BOLD));
    }

    #[test]
    fn a_view_says_only_what_is_seen() {
        let glow = Layers { glow: true, ..Layers::default() };
        let shown = |depth| ResolvedTheme::new(&Theme::load("dusk").unwrap(), depth).shown(glow).name();
        assert_eq!([shown(ColorDepth::Truecolor), shown(ColorDepth::Ansi)], ["heads over a glow", "heads"]);
    }
}
