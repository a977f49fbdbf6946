//! A theme resolved for a terminal: precomputed ramps for the flock, and styles for text.

use std::ops::RangeInclusive;

use palette::color_difference::Wcag21RelativeContrast;
use palette::{Mix, Oklab, Srgb};
use ratatui_core::style::{Color, Modifier, Style};

use super::blend::background_of;
use super::cell_style::{CellStyle, Coloring, species_colors, species_modifier};
use super::colors::ThemeColors;
use super::glow::Light;
use super::ramp::{Gradient, Ramp, color_at, contrast, dither, known_rgb, toward};
use super::sky::Sky;

use crate::canvas::{Cell, Content, Glow, Layers, SceneryKind, Trail};
use crate::cell::PackedColor;
use crate::color::{ColorDepth, Rgb, ThemeColor, nearest_named, oklab, xterm};

/// The share of background in the nearest and in the farthest boid.
const DISTANCE: RangeInclusive<f32> = 0.0..=0.78;
/// The share of background in the newest and in the oldest trail.
const AGE: RangeInclusive<f32> = 0.38..=0.86;
/// The share of white (black on a bright background) at each alarm level.
const ALARM: [f32; Cell::ALARMS as usize + 1] = [0.0, 0.35, 0.65, 0.9];
/// The share of the theme's dim color in trails.
const DIM: f32 = 0.2;
/// The contrast with the background that each of the 16 colors in use has at least.
const VISIBLE: f32 = 3.0;
/// The minimum strength of a half block.
const BLOCK: f32 = 0.4;
/// The share of background at the lowest density of the heat map.
const COOL: f32 = 0.75;
/// About how many densities share one of few colors.
const BAND: f32 = 50.0;
/// The depth from which monochrome terminals draw boids dim.
const FAR: u8 = 160;

/// The density from which 256 colors, which have no light, show boids in bold.
const DENSE: u8 = 150;

/// The chroma of boids among 16 colors, relative to that of their theme.
const VIVID: f32 = 1.6;

/// A ramp of headings, one of prey and one of species.
type Ramps = [Ramp; 3];

/// A theme's colors, resolved once for a color depth.
#[derive(Debug)]
pub struct ResolvedTheme {
    /// By alarm level.
    boids: [Ramps; ALARM.len()],
    predators: Ramp,
    /// From new to old; `None` if the colors cannot blend.
    trails: Option<Ramps>,
    light: Option<Light>,
    /// Dots in front of light.
    front: Ramp,
    heat: [PackedColor; 256],
    /// By [`SceneryKind`].
    scenery: [CellStyle; 4],
    sky: Option<Sky>,
    far: Rgb,
    depth: ColorDepth,
    /// The background, and plain text.
    pub text: Style,
    /// Secondary text and borders.
    pub dim: Style,
    /// Selected and important text.
    pub accent: Style,
    /// The filled part of a gauge.
    pub gauge: Style,
    /// Text about predators.
    pub predator: Style,
    /// The color depth of a text with its own colors.
    pub text_depth: ColorDepth,
}

impl ResolvedTheme {
    /// Resolves a theme for a color depth.
    pub fn new(colors: &ThemeColors, depth: ColorDepth) -> Self {
        let far = background_of(colors, None);
        let sky = Sky::new(colors, depth);
        // With a sky, distant boids fade into its middle.
        let horizon = colors.sky.get(colors.sky.len() / 2).filter(|_| sky.is_some());
        let horizon = horizon.map_or(far, |stop| stop.0);
        // The nearest of the 16 colors to the background could make the text unreadable.
        let background = if depth == ColorDepth::Colors16 { Color::Reset } else { depth.color(colors.background) };
        let ground: Srgb<f32> = far.into_format();
        let named: Vec<u8> =
            (1..=15).filter(|index| xterm(*index).into_format::<f32>().relative_contrast(ground) >= VISIBLE).collect();
        let front = |color: ThemeColor| match (depth, color) {
            (ColorDepth::Colors16, ThemeColor::Rgb(rgb)) => nearest_named(oklab(rgb), named.iter().copied()),
            _ => depth.color(color),
        };
        let style = |color: ThemeColor| Style::new().bg(background).fg(front(color));
        let in_mono =
            |style: Style, modifier| if depth == ColorDepth::Mono { style.add_modifier(modifier) } else { style };
        // None of the 16 colors is sure to be less visible than the foreground, and yet readable.
        let few = !depth.can_blend();
        let text = if few { ThemeColor::Terminal } else { colors.text };
        let dim = if few { ThemeColor::Terminal } else { colors.dim };
        let predators = Ramp::new((&colors.predators, false), horizon, &DISTANCE, front);
        let predator = Color::from(predators.color(128, 0));
        let boid = |color: ThemeColor| match (depth, color) {
            (ColorDepth::Colors16, ThemeColor::Rgb(rgb)) => {
                // Pale colors do not turn gray, and the color of predators is left to these.
                let Oklab { l, a, b } = oklab(rgb);
                let others = named
                    .iter()
                    .copied()
                    .filter(|index| !matches!(predator, Color::Indexed(other) if other % 8 == index % 8));
                nearest_named(Oklab::new(l, VIVID * a, VIVID * b), others)
            }
            _ => depth.color(color),
        };
        let species = species_colors(colors, depth);
        let gradients: [Gradient<'_>; 3] = [(&colors.heading, true), (&colors.prey, false), (&species, true)];
        let ramps = |toward_color: Rgb, share: f32, shares: &RangeInclusive<f32>| {
            gradients.map(|(stops, ring)| {
                let stops: Vec<ThemeColor> = stops.iter().map(|stop| toward(*stop, toward_color, share)).collect();
                Ramp::new((&stops, ring), horizon, shares, boid)
            })
        };
        let trails = match colors.dim {
            ThemeColor::Rgb(dim) if depth.can_blend() => Some(ramps(dim, DIM, &AGE)),
            _ => None,
        };
        let heat = std::array::from_fn(|level| {
            let share = 1.0 - level as f32 / 255.0;
            let color = color_at(gradients[1], level as u8);
            PackedColor::from(boid(toward(color, far, COOL * share * share)))
        });
        let light = Light::new(gradients, far, depth);
        let front_color = light.as_ref().map_or(text, |light| ThemeColor::Rgb(light.dots));
        Self {
            boids: ALARM.map(|share| ramps(contrast(far), share, &DISTANCE)),
            trails,
            front: Ramp::new((&[front_color], false), horizon, &DISTANCE, front),
            light,
            heat,
            scenery: [
                in_mono(style(colors.obstacle.unwrap_or(dim)), Modifier::DIM),
                style(colors.food.unwrap_or(colors.gauge)),
                style(colors.roost.unwrap_or(colors.accent)),
                in_mono(style(colors.pointer.unwrap_or(colors.text)), Modifier::BOLD),
            ]
            .map(CellStyle::from),
            sky,
            far,
            text: style(text),
            dim: style(dim),
            accent: if few { style(colors.accent).add_modifier(Modifier::BOLD) } else { style(colors.accent) },
            gauge: style(colors.gauge),
            predator: Style::new().bg(background).fg(predator).add_modifier(Modifier::BOLD),
            predators,
            text_depth: depth,
            depth,
        }
    }

    /// The style of a cell of the picture at a column and a row: few colors are dithered, so that densities show no rings.
    #[inline]
    pub fn cell_at(&self, [column, row]: [usize; 2], cell: &Cell, is_lit: bool, coloring: Coloring) -> CellStyle {
        if is_lit && cell.content == Content::Prey && !cell.leads {
            return CellStyle::of(self.front.color(0, cell.depth));
        }
        if self.depth == ColorDepth::Colors256 && cell.density > DENSE && coloring != Coloring::Species {
            return self.cell(cell, coloring).with(Modifier::BOLD);
        }
        if !self.has_few_colors() || coloring != Coloring::Density {
            return self.cell(cell, coloring);
        }
        let density = (f32::from(cell.density) + BAND * dither(column, row)) as u8;
        self.cell(&Cell { density, ..*cell }, coloring)
    }

    /// The same, without dithering.
    #[inline]
    pub fn cell(&self, cell: &Cell, coloring: Coloring) -> CellStyle {
        // Most cells are plain boids; the others are handled out of line.
        let is_special = cell.content != Content::Prey || cell.alarm > 0 || cell.leads;
        if is_special || self.is_mono() && (cell.depth > FAR || coloring == Coloring::Species) {
            self.special_cell(cell, coloring)
        } else {
            CellStyle::of(self.boid(cell, coloring))
        }
    }

    #[inline(never)]
    fn special_cell(&self, cell: &Cell, coloring: Coloring) -> CellStyle {
        match cell.content {
            Content::Empty => return self.text.into(),
            Content::Predator => {
                // A quarter of the depth: a distant predator is still visible.
                let style = CellStyle::of(self.predators.color(cell.speed, cell.depth / 4)).with(Modifier::BOLD);
                return if self.is_mono() { style.with(Modifier::REVERSED) } else { style };
            }
            Content::Prey => {}
        }
        if cell.leads {
            return CellStyle::from(self.accent).with(Modifier::BOLD);
        }
        let style = CellStyle::of(self.boid(cell, coloring));
        if self.has_few_colors() && cell.alarm > 1 {
            style.with(Modifier::BOLD)
        } else if self.is_mono() && coloring == Coloring::Species {
            style.with(species_modifier(cell.species))
        } else if self.is_mono() && cell.depth > FAR {
            style.with(Modifier::DIM)
        } else {
            style
        }
    }

    #[inline]
    fn boid(&self, cell: &Cell, coloring: Coloring) -> PackedColor {
        let (ramp, index) = coloring.position(cell.heading, cell.speed, cell.density, cell.species);
        self.boids[usize::from(cell.alarm.min(Cell::ALARMS))][ramp].color(index, cell.depth)
    }

    /// The style of an obstacle, food, a roost or the pointer.
    pub fn scenery(&self, kind: SceneryKind) -> CellStyle {
        self.scenery[kind as usize]
    }

    /// The style of a trail.
    pub fn trail(&self, trail: Trail, coloring: Coloring) -> CellStyle {
        let Some(ramps) = &self.trails else { return CellStyle::from(self.dim).with(Modifier::DIM) };
        // Trails carry no density.
        let (ramp, index) = coloring.position(trail.heading, trail.speed, 96, trail.species);
        CellStyle::of(ramps[ramp].color(index, trail.age))
    }

    /// The background color of a cell in the light of the flock; `None` if there is none.
    pub fn light(&self, glow: Glow, coloring: Coloring, behind: Color) -> Option<Color> {
        let light = self.light.as_ref().filter(|_| glow.level > 0)?;
        let Rgb { red, green, blue, .. } = light.over(known_rgb(behind).unwrap_or(self.far), glow, coloring);
        Some(Color::Rgb(red, green, blue))
    }

    /// The color of a block that covers a share of its cell, blended into `behind` in true color.
    pub fn partial_block(&self, color: Color, behind: Color, share: f32) -> Color {
        let Some(front) = known_rgb(color).filter(|_| share < 1.0) else { return color };
        let (behind, front): (Srgb<f32>, Srgb<f32>) =
            (known_rgb(behind).unwrap_or(self.far).into_format(), front.into_format());
        let mixed: Rgb = behind.mix(front, BLOCK + (1.0 - BLOCK) * share).into_format();
        Color::Rgb(mixed.red, mixed.green, mixed.blue)
    }

    /// The color of a heat map level, 0 … 255.
    pub fn heat(&self, level: u8) -> PackedColor {
        self.heat[usize::from(level)]
    }

    /// The sky, if the theme has one that these colors can show.
    pub fn sky(&self) -> Option<&Sky> {
        self.sky.as_ref()
    }

    /// The color behind everything, and the color that distance fades into.
    pub fn background(&self) -> (Option<Color>, Rgb) {
        (self.text.bg, self.far)
    }

    /// Whether there are too few colors to blend.
    pub fn has_few_colors(&self) -> bool {
        !self.depth.can_blend()
    }

    fn is_mono(&self) -> bool {
        self.depth == ColorDepth::Mono
    }

    /// Whether the colors suffice for a glow.
    pub fn has_glow(&self) -> bool {
        self.light.is_some()
    }

    /// The layers that these colors can show.
    pub fn visible_layers(&self, layers: Layers) -> Layers {
        Layers { glow: layers.glow && self.has_glow(), ..layers }
    }
}

#[cfg(test)]
mod tests {
    use palette::color_difference::EuclideanDistance;

    use super::super::builtin::{self, all};
    use super::super::ramp::oklch;
    use super::*;

    fn resolve(theme: &str, depth: ColorDepth) -> ResolvedTheme {
        ResolvedTheme::new(&builtin::theme(theme), depth)
    }

    fn rgb(color: impl Into<Color>) -> Rgb {
        known_rgb(color.into()).unwrap()
    }

    fn brightness(color: impl Into<Color>) -> u32 {
        let color = rgb(color);
        u32::from(color.red) + u32::from(color.green) + u32::from(color.blue)
    }

    fn difference(one: Rgb, other: Rgb) -> u32 {
        let channels = [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)];
        channels.iter().map(|(one, other)| u32::from(one.abs_diff(*other))).sum()
    }

    #[test]
    fn distant_boids_fade_into_the_background_or_the_sky() {
        let boid = |theme, depth| {
            let cell = Cell { content: Content::Prey, depth, ..Cell::default() };
            resolve(theme, ColorDepth::Truecolor).cell(&cell, Coloring::Heading).fg
        };
        assert!(brightness(boid("dusk", 255)) * 2 < brightness(boid("dusk", 0)));
        let sky = builtin::theme("abyss").sky;
        let middle = sky[sky.len() / 2].0;
        assert!(difference(rgb(boid("abyss", 255)), middle) * 3 < difference(rgb(boid("abyss", 0)), middle));
    }

    #[test]
    fn a_glow_is_continuous_over_similar_sky_colors() {
        for (name, theme) in all().into_iter().filter(|(_, theme)| !theme.sky.is_empty()) {
            let ThemeColor::Rgb(Rgb { red, green, blue, .. }) = theme.background else { continue };
            let resolved = ResolvedTheme::new(&theme, ColorDepth::Truecolor);
            let over = |red| {
                let glow = Glow { level: 2, heading: 40, speed: 64, species: 0 };
                oklab(rgb(resolved.light(glow, Coloring::Heading, Color::Rgb(red, green, blue)).unwrap()))
            };
            let difference = over(red).distance(over(red ^ 1));
            assert!(difference < 0.015, "{name}: {difference}");
        }
    }

    #[test]
    fn trails_fade_and_stay_darker_than_heads() {
        let theme = resolve("dusk", ColorDepth::Truecolor);
        let trail = |age| brightness(theme.trail(Trail { dots: 1, age, ..Trail::default() }, Coloring::Heading).fg);
        let head = Cell { content: Content::Prey, ..Cell::default() };
        let head = brightness(theme.cell(&head, Coloring::Heading).fg);
        assert!(head > trail(0) && trail(0) > trail(128) && trail(128) > trail(224));
        let few = resolve("dusk", ColorDepth::Colors16);
        assert_eq!(few.trail(Trail::default(), Coloring::Heading), CellStyle::from(few.dim).with(Modifier::DIM));
    }

    #[test]
    fn alarm_stands_out_in_every_coloring_on_every_background() {
        for (name, brighter) in [("dusk", true), ("paper", false)] {
            let theme = resolve(name, ColorDepth::Truecolor);
            for coloring in [Coloring::Heading, Coloring::Speed, Coloring::Density] {
                let levels = (0..=Cell::ALARMS).map(|alarm| {
                    let (heading, speed, density) = (40, 200, 200);
                    let cell = Cell { content: Content::Prey, heading, speed, density, alarm, ..Cell::default() };
                    oklch(rgb(theme.cell(&cell, coloring).fg)).l
                });
                let levels: Vec<f32> = levels.collect();
                assert!(
                    levels.windows(2).all(|pair| if brighter { pair[1] > pair[0] } else { pair[1] < pair[0] }),
                    "{name} {coloring:?} {levels:?}"
                );
            }
        }
        let mono = resolve("dusk", ColorDepth::Mono);
        let style = |alarm| mono.cell(&Cell { content: Content::Prey, alarm, ..Cell::default() }, Coloring::Heading);
        assert!(style(3).modifier.contains(Modifier::BOLD) && !style(0).modifier.contains(Modifier::BOLD));
    }

    #[test]
    fn predators_stand_out_from_boids_and_sky_in_every_theme() {
        let lab = |color: PackedColor| oklab(rgb(color));
        let distance = |one: Oklab, other: Oklab| {
            ((one.l - other.l).powi(2) + (one.a - other.a).powi(2) + (one.b - other.b).powi(2)).sqrt()
        };
        for (name, theme) in all() {
            let resolved = ResolvedTheme::new(&theme, ColorDepth::Truecolor);
            if known_rgb(resolved.predators.color(128, 0).into()).is_none() {
                continue;
            }
            let predator = lab(resolved.predators.color(128, 0));
            for (ramp, index) in (0..2).flat_map(|ramp| (0..=255).map(move |index| (ramp, index))) {
                let difference = distance(predator, lab(resolved.boids[0][ramp].color(index, 0)));
                assert!(difference > 0.1, "{name}: {difference} from boids, {ramp} {index}");
            }
            for stop in &theme.sky {
                let difference = distance(predator, oklab(stop.0));
                assert!(difference > 0.28, "{name}: {difference} from the sky");
            }
        }
    }

    #[test]
    fn boids_avoid_the_color_of_predators_among_16() {
        for (name, theme) in all() {
            let resolved = ResolvedTheme::new(&theme, ColorDepth::Colors16);
            let Color::Indexed(predator) = resolved.predators.color(128, 0).into() else { continue };
            for (ramp, index) in (0..2).flat_map(|ramp| (0..=255).map(move |index| (ramp, index))) {
                let Color::Indexed(boid) = resolved.boids[0][ramp].color(index, 0).into() else { continue };
                assert_ne!(boid, predator, "{name} {ramp} {index}");
            }
        }
    }

    #[test]
    fn only_few_colors_are_dithered() {
        let is_dithered = |depth| {
            let theme = resolve("dusk", depth);
            let color = |density, column| {
                let cell = Cell { content: Content::Prey, density, ..Cell::default() };
                theme.cell_at([column, 0], &cell, false, Coloring::Density).fg
            };
            (0..=255).any(|density| color(density, 0) != color(density, 1))
        };
        assert!(is_dithered(ColorDepth::Colors16));
        assert!(!is_dithered(ColorDepth::Truecolor) && !is_dithered(ColorDepth::Mono));
    }

    #[test]
    fn a_glow_is_visible_only_if_colors_blend() {
        let glow = Layers { glow: true, ..Layers::default() };
        let visible = |depth| resolve("dusk", depth).visible_layers(glow).name();
        assert_eq!([visible(ColorDepth::Truecolor), visible(ColorDepth::Colors16)], ["heads over a glow", "heads"]);
    }
}
