//! Contract: everything a built-in theme shows is visible, and each theme is distinct.

use flockscope::config::Theme;
use flockscope::export::picture::DefaultColors;
use flockscope::picture::{Rgb, ThemeColor};
use palette::color_difference::Wcag21RelativeContrast;

/// Themes with their own colors, not those of the terminal.
fn painted() -> impl Iterator<Item = Theme> {
    Theme::builtin().into_iter().filter(|theme| theme.name != "terminal")
}

fn rgb(paint: ThemeColor) -> Rgb {
    let ThemeColor::Rgb(rgb) = paint else { panic!("{paint:?}") };
    rgb
}

fn contrast(a: Rgb, b: Rgb) -> f32 {
    a.into_format::<f32>().relative_contrast(b.into_format())
}

#[test]
fn text_has_enough_contrast() {
    for theme in painted() {
        let (name, colors, ground) = (&theme.name, &theme.colors, DefaultColors::of(&theme.colors).background);
        // WCAG 2.1: 4.5 for text, 3 for large or redundant text.
        for (what, paint, least) in [
            ("text", colors.text, 4.5),
            ("dim", colors.dim, 3.0),
            ("accent", colors.accent, 4.5),
            ("gauge", colors.gauge, 3.0),
        ] {
            let contrast = contrast(rgb(paint), ground);
            assert!(contrast >= least, "{name}: {what} stands at {contrast:.2} : 1 before the ground");
        }
    }
}

#[test]
fn boids_are_visible_at_every_height_of_the_sky() {
    for theme in painted() {
        let colors = &theme.colors;
        let mut behind: Vec<Rgb> = colors.sky.iter().map(|stop| stop.0).collect();
        if behind.is_empty() {
            behind.push(DefaultColors::of(&theme.colors).background);
        }
        for (what, ramp, least) in
            [("heading", &colors.heading, 3.0), ("predators", &colors.predators, 3.0), ("prey", &colors.prey, 2.0)]
        {
            for (paint, behind) in ramp.iter().flat_map(|paint| behind.iter().map(move |behind| (*paint, *behind))) {
                let contrast = contrast(rgb(paint), behind);
                assert!(
                    contrast >= least,
                    "{}: {what} #{:x} stands at {contrast:.2} : 1 before #{behind:x}",
                    theme.name,
                    rgb(paint)
                );
            }
        }
    }
}

#[test]
fn themes_are_distinct() {
    let themes: Vec<Theme> = painted().collect();
    assert!(themes.len() >= 14);
    assert!(themes.iter().filter(|theme| !theme.colors.sky.is_empty()).count() >= 5);
    assert!(
        themes.iter().filter(|theme| DefaultColors::of(&theme.colors).background.red > 0xe0).count() >= 3,
        "light ones"
    );
    for (place, theme) in themes.iter().enumerate() {
        for other in &themes[..place] {
            assert_ne!(theme.colors.heading, other.colors.heading, "{} and {}", theme.name, other.name);
            assert_ne!(theme.colors.summary, other.colors.summary, "{} and {}", theme.name, other.name);
        }
    }
    let dusk = &Theme::load("dusk").unwrap().colors;
    assert!(
        dusk.background == ThemeColor::Terminal && dusk.sky.is_empty(),
        "the default without a sky leaves the terminal's own alone"
    );
}

#[test]
fn the_contrast_theme_has_high_contrast() {
    let theme = Theme::load("contrast").unwrap();
    let colors = &theme.colors;
    let ramps = colors.heading.iter().chain(&colors.prey).chain(&colors.predators);
    for paint in ramps.chain([&colors.text, &colors.dim, &colors.accent, &colors.gauge]) {
        assert!(contrast(rgb(*paint), rgb(colors.background)) >= 7.0, "{paint:?}");
    }
}
