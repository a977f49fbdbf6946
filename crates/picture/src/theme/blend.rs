//! Blends of two themes, mixed in `OKLab`, and fades of drawn cells into their background.

use std::ops::RangeInclusive;

use palette::{LinSrgb, Mix};

use super::ramp::{color_at, contrast, nearer, rgb, toward};
use crate::cell::{PackedCell, PackedColor};
use crate::color::{ColorDepth, Rgb, ThemeColor, oklab};
use crate::theme::colors::{SkyColor, ThemeColors};

/// The number of stops that blended gradients have.
const STOPS: usize = 24;

/// A blend of two themes; `share` 0 is all `a`, 1 all `b`. `terminal` is the terminal's background, if known.
pub fn blend(a: &ThemeColors, b: &ThemeColors, share: f32, terminal: Option<Rgb>) -> ThemeColors {
    let mixed = |one: ThemeColor, other: ThemeColor| mix(one, other, share);
    let gradients = |one: &[ThemeColor], other: &[ThemeColor], ring: bool| -> Vec<ThemeColor> {
        let index = |stop: usize| if ring { stop * 256 / STOPS } else { stop * 255 / (STOPS - 1) } as u8;
        let stops = (0..STOPS).map(index);
        stops.map(|index| mixed(color_at((one, ring), index), color_at((other, ring), index))).collect()
    };
    let (before, after) = (background_of(a, terminal), background_of(b, terminal));
    let far = mixed(ThemeColor::Rgb(before), ThemeColor::Rgb(after));
    let background = match (a.background, b.background) {
        (ThemeColor::Rgb(_), _) | (_, ThemeColor::Rgb(_)) => far,
        (one, other) => mixed(one, other),
    };
    let rgb = |color| if let ThemeColor::Rgb(rgb) = color { Some(SkyColor(rgb)) } else { None };
    let sky = gradients(&sky_of(a, before), &sky_of(b, after), false).into_iter().filter_map(rgb);
    let has_sky = !a.sky.is_empty() || !b.sky.is_empty();
    ThemeColors {
        summary: b.summary.clone(),
        search: b.search.clone(),
        background,
        sky: if has_sky { sky.collect() } else { Vec::new() },
        ground: if share < 0.5 { a.ground } else { b.ground },
        far,
        heading: gradients(&a.heading, &b.heading, true),
        prey: gradients(&a.prey, &b.prey, false),
        predators: gradients(&a.predators, &b.predators, false),
        text: mixed(a.text, b.text),
        dim: mixed(a.dim, b.dim),
        accent: mixed(a.accent, b.accent),
        gauge: mixed(a.gauge, b.gauge),
        obstacle: Some(mixed(a.obstacle.unwrap_or(a.dim), b.obstacle.unwrap_or(b.dim))),
        food: Some(mixed(a.food.unwrap_or(a.gauge), b.food.unwrap_or(b.gauge))),
        roost: Some(mixed(a.roost.unwrap_or(a.accent), b.roost.unwrap_or(b.accent))),
        pointer: Some(mixed(a.pointer.unwrap_or(a.text), b.pointer.unwrap_or(b.text))),
    }
}

/// The luminance of colors with a contrast of at least 3:1 with black and with white, with a margin for the 256 colors.
/// <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>
const READABLE: RangeInclusive<f32> = 0.15..=0.22;

/// The colors as dark or as bright as needed to be seen on black and on white. Text has the terminal's own color.
pub fn readable_anywhere(mut colors: ThemeColors) -> ThemeColors {
    let ThemeColors { heading, prey, predators, dim, accent, gauge, obstacle, food, roost, pointer, .. } = &mut colors;
    let ramps = [heading, prey, predators].into_iter().flatten();
    let optional = [obstacle, food, roost, pointer].into_iter().flatten();
    for color in ramps.chain([dim, accent, gauge]).chain(optional) {
        if let ThemeColor::Rgb(rgb) = color {
            *rgb = with_luminance(*rgb, &READABLE);
        }
    }
    (colors.text, colors.far) = (ThemeColor::Terminal, ThemeColor::Rgb(Rgb::new(0x76, 0x76, 0x76)));
    colors
}

/// The color, darkened or mixed with white to a luminance in the range.
fn with_luminance(rgb: Rgb, range: &RangeInclusive<f32>) -> Rgb {
    let linear: LinSrgb = rgb.into_linear();
    let luminance = 0.2126 * linear.red + 0.7152 * linear.green + 0.0722 * linear.blue;
    let wanted = luminance.clamp(*range.start(), *range.end());
    let mixed = if wanted < luminance {
        linear * (wanted / luminance)
    } else {
        linear.mix(LinSrgb::new(1.0, 1.0, 1.0), (wanted - luminance) / (1.0 - luminance))
    };
    Rgb::from_linear(mixed)
}

/// The background that a theme shows on: its own, the terminal's, or the one it was designed for.
pub fn background_of(colors: &ThemeColors, terminal: Option<Rgb>) -> Rgb {
    match (colors.background, terminal, colors.far) {
        (ThemeColor::Rgb(rgb), ..) | (_, Some(rgb), _) | (.., ThemeColor::Rgb(rgb)) => rgb,
        _ => Rgb::new(0, 0, 0),
    }
}

fn mix(one: ThemeColor, other: ThemeColor, share: f32) -> ThemeColor {
    match (one, other) {
        (ThemeColor::Rgb(_), ThemeColor::Rgb(other)) => toward(one, other, share),
        _ => nearer(one, other, share),
    }
}

/// The stops of a theme's sky; a theme without one has its background there.
fn sky_of(colors: &ThemeColors, background: Rgb) -> Vec<ThemeColor> {
    let stops = if colors.sky.is_empty() { &[SkyColor(background)] } else { colors.sky.as_slice() };
    stops.iter().map(|stop| ThemeColor::Rgb(stop.0)).collect()
}

/// The share from which a faded cell is invisible.
const OPAQUE: f32 = 0.97;

/// Fades cells. It caches the last mix, because neighboring cells are often equal.
#[derive(Debug)]
pub struct Fade {
    /// The color of the terminal's default background.
    background: Rgb,
    depth: ColorDepth,
    last: Option<((PackedColor, PackedColor, f32), PackedColor)>,
}

impl Fade {
    /// Fades over the terminal's background.
    pub fn new(background: Rgb, depth: ColorDepth) -> Self {
        Self { background, depth, last: None }
    }

    /// Fades a cell into `behind` by a share of 0 … 1.
    pub fn apply(&mut self, cell: &mut PackedCell, behind: PackedColor, share: f32) {
        if share >= OPAQUE {
            *cell = PackedCell::blank(behind);
        } else if share > 0.0 {
            // The terminal's default foreground is unknown.
            if cell.char().is_some() && cell.fg() != PackedColor::DEFAULT {
                cell.set_fg(self.mix(cell.fg(), behind, share));
            }
            cell.set_bg(self.mix(cell.bg(), behind, share));
        }
    }

    /// Makes a cell's glyph brighter, or darker on a bright background.
    pub fn highlight(&mut self, cell: &mut PackedCell, share: f32) {
        let far = ColorDepth::Truecolor.color(ThemeColor::Rgb(contrast(self.background)));
        cell.set_fg(self.mix(cell.fg(), far.into(), share));
    }

    /// Mixes two colors; a color from the terminal's palette stays as it is.
    fn mix(&mut self, color: PackedColor, behind: PackedColor, share: f32) -> PackedColor {
        if color == behind {
            return color;
        }
        let key = (color, behind, share);
        if let Some((last, mixed)) = self.last
            && last == key
        {
            return mixed;
        }
        let mixed = match (self.rgb(color), self.rgb(behind)) {
            (Some(one), Some(other)) => {
                self.depth.color(ThemeColor::Rgb(rgb(oklab(one).mix(oklab(other), share)))).into()
            }
            _ => color,
        };
        self.last = Some((key, mixed));
        mixed
    }

    fn rgb(&self, color: PackedColor) -> Option<Rgb> {
        if color == PackedColor::DEFAULT { Some(self.background) } else { color.rgb() }
    }
}

#[cfg(test)]
mod tests {
    use palette::color_difference::EuclideanDistance;

    use super::*;
    use crate::theme::builtin::theme;
    use ratatui_core::style::{Color, Modifier};

    fn distance(one: ThemeColor, other: ThemeColor) -> f32 {
        let (ThemeColor::Rgb(one), ThemeColor::Rgb(other)) = (one, other) else { panic!("{one:?} {other:?}") };
        oklab(one).distance(oklab(other))
    }

    #[test]
    fn the_ends_of_a_blend_are_the_themes() {
        for (from, to) in [("moon", "ember"), ("abyss", "afterglow"), ("heather", "nebula")] {
            let (from, to) = (theme(from), theme(to));
            for (share, end) in [(0.0, &from), (1.0, &to)] {
                let colors = blend(&from, &to, share, None);
                assert!(distance(colors.background, end.background) < 0.01);
                for index in [0, 60, 128, 200, 255] {
                    let close = |of: fn(&ThemeColors) -> &[ThemeColor], ring| {
                        distance(color_at((of(&colors), ring), index), color_at((of(end), ring), index)) < 0.05
                    };
                    assert!(close(|colors| &colors.heading, true), "{share} {index}");
                    assert!(close(|colors| &colors.predators, false), "{share} {index}");
                }
            }
        }
    }

    #[test]
    fn a_blend_is_continuous() {
        let (from, to) = (theme("abyss"), theme("ember"));
        let steps: Vec<ThemeColors> = (0..=20_u8).map(|step| blend(&from, &to, f32::from(step) / 20.0, None)).collect();
        let whole = distance(from.background, to.background);
        for pair in steps.windows(2) {
            assert!(distance(pair[0].background, pair[1].background) < 0.2 * whole);
            assert!(distance(pair[0].heading[3], pair[1].heading[3]) < 0.05);
        }
    }

    #[test]
    fn a_sky_blends_out_of_the_background() {
        let (plain, sky) = (theme("ember"), theme("abyss"));
        assert!(!blend(&plain, &sky, 0.5, None).sky.is_empty());
        let first = blend(&plain, &sky, 0.0, None);
        assert!(first.sky.iter().all(|stop| distance(ThemeColor::Rgb(stop.0), plain.background) < 0.01));
        assert!(blend(&plain, &theme("neon"), 0.5, None).sky.is_empty());
    }

    #[test]
    fn the_terminal_background_blends_if_it_is_known() {
        let (dusk, neon, terminal) = (theme("dusk"), theme("neon"), Rgb::new(40, 40, 80));
        let first = blend(&dusk, &neon, 0.0, Some(terminal));
        assert!(distance(first.background, ThemeColor::Rgb(terminal)) < 0.01);
        let unknown = blend(&dusk, &neon, 0.0, None);
        assert!(distance(unknown.background, dusk.far) < 0.01);
        assert_eq!(blend(&dusk, &theme("cividis"), 0.7, None).background, ThemeColor::Terminal);
    }

    const SKY: Color = Color::Rgb(10, 20, 60);

    fn faded(share: f32, bg: Color, depth: ColorDepth) -> PackedCell {
        let mut cell = PackedCell::blank(bg.into());
        cell.set_char('⣿', Color::Rgb(250, 200, 120).into(), Modifier::empty());
        Fade::new(Rgb::new(0, 0, 0), depth).apply(&mut cell, SKY.into(), share);
        cell
    }

    #[test]
    fn a_cell_fades_into_the_sky() {
        let differences = [0.0, 0.3, 0.6, 0.9].map(|share| {
            let Color::Rgb(r, g, b) = faded(share, SKY, ColorDepth::Truecolor).fg().into() else { panic!() };
            u32::from(r.abs_diff(10)) + u32::from(g.abs_diff(20)) + u32::from(b.abs_diff(60))
        });
        assert!(differences.is_sorted_by(|a, b| a > b) && differences[3] > 0, "{differences:?}");
        let gone = faded(1.0, Color::Rgb(90, 90, 90), ColorDepth::Truecolor);
        assert_eq!((gone.char(), gone.bg().into()), (None, SKY));
    }

    #[test]
    fn a_glow_fades_and_the_sky_stays() {
        assert_eq!(Color::from(faded(0.5, SKY, ColorDepth::Truecolor).bg()), SKY);
        let glow = faded(0.5, Color::Rgb(100, 20, 60), ColorDepth::Truecolor);
        let Color::Rgb(r, ..) = glow.bg().into() else { panic!() };
        assert!((20..90).contains(&r), "{r}");
    }

    #[test]
    fn a_fade_in_256_colors_stays_in_the_palette() {
        let cell = faded(0.5, SKY, ColorDepth::Colors256);
        assert!(matches!(cell.fg().into(), Color::Indexed(16..)), "{cell:?}");
    }
}
