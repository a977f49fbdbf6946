//! Contract: every terminal shows the viewer's frames as they were drawn, in each theme, color depth and glyph set.

use flockscope::config::{Preset, Theme};
use flockscope::picture::{Aim, Charset, ColorDepth, GlyphTable, Marker, View};
use flockscope::sim::{Flock, Scratch};
use flockscope::terminal::{FrameOptions, Tolerance};
use flockscope::viewer::{Colors, InitialState, LiveOptions, Offscreen};

use crate::emulators::{Emulator, Screen, Tmux, all};
use ratatui::layout::Size;

const SIZE: Size = Size::new(100, 30);
const DEPTHS: [ColorDepth; 4] = [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono];
/// Glyph sets, each with the characters of a terminal that needs it.
const MARKERS: [(Marker, Charset); 4] = [
    (Marker::Braille, Charset::Unicode),
    (Marker::Octant, Charset::Unicode),
    (Marker::HalfBlock, Charset::Console),
    (Marker::Ascii, Charset::Ascii),
];
const VIEWS: [View; 2] = [View::Auto, View::Heads];

/// A flock, and its screen as the viewer draws it.
struct Show {
    flock: Flock,
    scratch: Scratch,
    offscreen: Offscreen,
}

impl Show {
    fn new(theme: Theme, depth: ColorDepth, marker: Marker, view: View) -> Self {
        let preset = Preset::load("starlings").unwrap();
        let mut setup = preset.setup(7, Offscreen::shape(SIZE, false));
        setup.boids = 300;
        let flock = Flock::new(&setup).unwrap();
        let start = InitialState {
            rate: preset.rate,
            preset,
            recording: None,
            setup,
            world_is_auto: false,
            input: None,
            glyphs: GlyphTable::default(),
            colors: Colors::fixed(depth),
            aim: Aim::default(),
            reduced_motion: false,
            options: LiveOptions { marker: Some(marker), view, theme: Some(theme), ..LiveOptions::default() },
        };
        Self { flock, scratch: Scratch::new(), offscreen: Offscreen::new(start, SIZE) }
    }

    /// Sends two frames, a few ticks apart: the first one whole, the second one in parts. Checks each.
    fn play(&mut self, emulators: Vec<Box<dyn Emulator>>, charset: Charset) {
        let mut screen = Screen::on(emulators, SIZE, charset);
        for budget in [usize::MAX, 700] {
            for _ in 0..3 {
                self.flock.step(&mut self.scratch);
                self.offscreen.watch(&self.flock, 0);
            }
            let options = FrameOptions { budget, ack_row: Some(3), ..FrameOptions::WHOLE };
            let drawn = screen.show(options, |buffer| buffer.clone_from(self.offscreen.draw(&self.flock)));
            screen.check(&drawn, Tolerance::FINE);
        }
    }
}

#[test]
fn emulators_show_each_theme_in_each_depth() {
    for (number, theme) in Theme::builtin().into_iter().enumerate() {
        for (turn, depth) in DEPTHS.into_iter().enumerate() {
            // Each pair of a depth and a glyph set comes with several themes.
            let (marker, charset) = MARKERS[(number + turn) % MARKERS.len()];
            let view = VIEWS[number / MARKERS.len() % VIEWS.len()];
            println!("{} {depth:?} {marker:?} {view:?}", theme.name);
            Show::new(theme.clone(), depth, marker, view).play(all(SIZE.width, SIZE.height), charset);
        }
    }
}

#[test]
fn tmux_shows_each_depth_and_glyph_set() {
    let theme = Theme::load("afterglow").unwrap();
    for (turn, (marker, charset)) in MARKERS.into_iter().enumerate() {
        let Some(tmux) = Tmux::new(marker.name(), SIZE.width, SIZE.height) else { return };
        if marker == Marker::Octant && !tmux.knows("\u{1cd00}") {
            continue;
        }
        let depth = DEPTHS[turn];
        println!("{depth:?} {marker:?}");
        Show::new(theme.clone(), depth, marker, View::Auto).play(vec![Box::new(tmux)], charset);
    }
}
