//! What is between two themes: a theme again, mixed as `OKLab` has it.

use super::ramp::{at, toward};
use crate::config::{Rgb, SkyColor, Theme, ThemeColor, ThemeColors};

/// On how many stops ramps meet that have different numbers of them.
const STOPS: usize = 24;

/// The theme that lies a share of the way from one to another. `own` is the color of the terminal's own
/// background, as far as it is known.
#[must_use]
pub fn between(from: &Theme, to: &Theme, share: f32, own: Option<Rgb>) -> Theme {
    let (a, b) = (&from.colors, &to.colors);
    let mixed = |one: ThemeColor, other: ThemeColor| mix(one, other, share);
    let things = |one: ThemeColor, other: ThemeColor| Some(mixed(one, other));
    let ramps = |one: &[ThemeColor], other: &[ThemeColor], ring: bool| -> Vec<ThemeColor> {
        let place = |stop: usize| if ring { stop * 256 / STOPS } else { stop * 255 / (STOPS - 1) } as u8;
        (0..STOPS).map(|stop| mixed(at(one, ring, place(stop)), at(other, ring, place(stop)))).collect()
    };
    let (before, after) = (ground(a, own), ground(b, own));
    let background = match (a.background, b.background) {
        (ThemeColor::Rgb(_), _) | (_, ThemeColor::Rgb(_)) => mixed(ThemeColor::Rgb(before), ThemeColor::Rgb(after)),
        (one, other) => mixed(one, other),
    };
    Theme {
        name: to.name.clone(),
        origin: to.origin.clone(),
        from_user: to.from_user,
        colors: ThemeColors {
            summary: b.summary.clone(),
            background,
            sky: skies(a, b, (before, after), share),
            far: mixed(ThemeColor::Rgb(before), ThemeColor::Rgb(after)),
            heading: ramps(&a.heading, &b.heading, true),
            prey: ramps(&a.prey, &b.prey, false),
            predators: ramps(&a.predators, &b.predators, false),
            text: mixed(a.text, b.text),
            dim: mixed(a.dim, b.dim),
            accent: mixed(a.accent, b.accent),
            gauge: mixed(a.gauge, b.gauge),
            obstacle: things(a.obstacle.unwrap_or(a.dim), b.obstacle.unwrap_or(b.dim)),
            food: things(a.food.unwrap_or(a.gauge), b.food.unwrap_or(b.gauge)),
            roost: things(a.roost.unwrap_or(a.accent), b.roost.unwrap_or(b.accent)),
            pointer: things(a.pointer.unwrap_or(a.text), b.pointer.unwrap_or(b.text)),
        },
    }
}

/// The color behind everything: the theme's, or the terminal's own, or what stands for that.
#[must_use]
pub fn ground(colors: &ThemeColors, own: Option<Rgb>) -> Rgb {
    match (colors.background, own, colors.far) {
        (ThemeColor::Rgb(rgb), ..) | (_, Some(rgb), _) | (.., ThemeColor::Rgb(rgb)) => rgb,
        _ => Rgb::new(0, 0, 0),
    }
}

/// Colors of the terminal's own do not mix: the nearer one is taken.
fn mix(one: ThemeColor, other: ThemeColor, share: f32) -> ThemeColor {
    match (one, other) {
        (ThemeColor::Rgb(_), ThemeColor::Rgb(other)) => toward(one, other, share),
        _ if share < 0.5 => one,
        _ => other,
    }
}

/// A sky comes out of the ground, and goes there again.
fn skies(a: &ThemeColors, b: &ThemeColors, (before, after): (Rgb, Rgb), share: f32) -> Vec<SkyColor> {
    if a.sky.is_empty() && b.sky.is_empty() {
        return Vec::new();
    }
    let stop = |colors: &ThemeColors, ground: Rgb, place: usize| {
        let stops: Vec<ThemeColor> = colors.sky.iter().map(|stop| ThemeColor::Rgb(stop.0)).collect();
        let place = (place * 255 / (STOPS - 1)) as u8;
        if stops.is_empty() { ThemeColor::Rgb(ground) } else { at(&stops, false, place) }
    };
    let mixed = (0..STOPS).map(|place| mix(stop(a, before, place), stop(b, after, place), share));
    mixed.filter_map(|paint| if let ThemeColor::Rgb(rgb) = paint { Some(SkyColor(rgb)) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::oklab;
    use crate::viewer::ColorDepth;
    use crate::viewer::theme::sky::Sky;
    use palette::color_difference::EuclideanDistance;

    fn theme(name: &str) -> Theme {
        Theme::load(name).unwrap()
    }

    fn apart(one: ThemeColor, other: ThemeColor) -> f32 {
        let (ThemeColor::Rgb(one), ThemeColor::Rgb(other)) = (one, other) else { panic!("{one:?} {other:?}") };
        oklab(one).distance(oklab(other))
    }

    #[test]
    fn its_ends_are_the_themes_themselves() {
        for (from, to) in [("moon", "ember"), ("abyss", "afterglow"), ("storm", "nebula")] {
            let (from, to) = (theme(from), theme(to));
            for (share, end) in [(0.0, &from), (1.0, &to)] {
                let between = between(&from, &to, share, None).colors;
                assert!(apart(between.background, end.colors.background) < 0.01);
                for place in [0, 60, 128, 200, 255] {
                    let pair = |of: fn(&ThemeColors) -> &[ThemeColor], ring| {
                        apart(at(of(&between), ring, place), at(of(&end.colors), ring, place))
                    };
                    assert!(pair(|colors| &colors.heading, true) < 0.05, "{} {place}", end.name);
                    assert!(pair(|colors| &colors.predators, false) < 0.05, "{} {place}", end.name);
                }
            }
        }
    }

    #[test]
    fn no_step_jumps() {
        let (from, to) = (theme("abyss"), theme("ember"));
        let steps: Vec<Theme> = (0..=20_u8).map(|step| between(&from, &to, f32::from(step) / 20.0, None)).collect();
        let whole = apart(from.colors.background, to.colors.background);
        for pair in steps.windows(2) {
            assert!(apart(pair[0].colors.background, pair[1].colors.background) < 0.2 * whole);
            let far = apart(pair[0].colors.heading[3], pair[1].colors.heading[3]);
            assert!(far < 0.05, "{far}");
        }
    }

    #[test]
    fn a_sky_comes_out_of_the_ground() {
        let (plain, sky) = (theme("ember"), theme("abyss"));
        let colors = between(&plain, &sky, 0.5, None);
        assert!(!Sky::new(&colors, ColorDepth::Truecolor).is_empty());
        let first = between(&plain, &sky, 0.0, None).colors;
        assert!(first.sky.iter().all(|stop| apart(ThemeColor::Rgb(stop.0), plain.colors.background) < 0.01));
        assert!(between(&plain, &theme("neon"), 0.5, None).colors.sky.is_empty());
    }

    #[test]
    fn the_terminals_own_ground_is_mixed_as_it_is_known() {
        let (dusk, neon, own) = (theme("dusk"), theme("neon"), Rgb::new(40, 40, 80));
        let first = between(&dusk, &neon, 0.0, Some(own)).colors;
        assert!(apart(first.background, ThemeColor::Rgb(own)) < 0.01);
        let unknown = between(&dusk, &neon, 0.0, None).colors;
        assert!(apart(unknown.background, dusk.colors.far) < 0.01);
        assert_eq!(between(&dusk, &theme("cividis"), 0.7, None).colors.background, ThemeColor::Terminal);
    }
}
