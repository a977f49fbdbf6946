//! Whole screens, as text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::canvas::Canvas;
use crate::config::{Preset, Theme};
use crate::engine::Frame;
use crate::sim::{Flock, Observer};
use crate::tui::app::{App, Colors, Start};
use crate::tui::layout::{Regions, shape};
use crate::tui::meters::Meters;
use crate::tui::{Action, ColorDepth};

/// The viewer, and the frame it shows, of a preset just begun.
fn scene(preset: &str, width: u16, height: u16, clean: bool) -> (App, Frame) {
    let canvas = Regions::new(Rect::new(0, 0, width, height), clean).canvas();
    let preset = Preset::load(preset).unwrap();
    let setup = preset.setup(7, shape(canvas));
    let flock = Flock::new(&setup).unwrap();
    let mut frame = Frame {
        tick: 123,
        seed: 7,
        params: setup.params,
        world: setup.world,
        boids: setup.boids,
        predators: setup.predators,
        measures: Observer::new().measure(&flock, 100),
        measured: 1,
        rate: preset.rate,
        ticks_per_second: preset.rate,
        ..Frame::default()
    };
    Canvas::new(canvas.0, canvas.1).draw(&flock, &mut frame.picture);
    let start = Start {
        rate: preset.rate,
        preset,
        setup,
        auto_world: true,
        input: None,
        colors: Colors {
            theme: Theme::load("dusk").unwrap(),
            chosen: true,
            depth: ColorDepth::Truecolor,
            guessed: false,
        },
        clean,
    };
    let mut app = App::new(start, canvas);
    app.notice(&frame);
    (app, frame)
}

fn screen(app: &App, frame: &Frame, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    super::draw(&mut buffer, app, frame, Meters { frames_per_second: 60.0, bytes_per_second: 12_345.0 });
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_whole_screen() {
    let (app, frame) = scene("starlings", 120, 40, false);
    insta::assert_snapshot!(screen(&app, &frame, 120, 40));
}

#[test]
fn a_common_terminal() {
    let (app, frame) = scene("drones", 80, 24, false);
    insta::assert_snapshot!(screen(&app, &frame, 80, 24));
}

#[test]
fn a_ball_with_the_last_gauge_chosen() {
    let (mut app, frame) = scene("sphere", 100, 30, false);
    (0..100).for_each(|_| app.act(Action::NextParameter));
    insta::assert_snapshot!(screen(&app, &frame, 100, 30));
}

#[test]
fn a_narrow_terminal_shows_the_flock_alone() {
    let (app, frame) = scene("starlings", 50, 12, false);
    insta::assert_snapshot!(screen(&app, &frame, 50, 12));
}

#[test]
fn the_help() {
    let (mut app, frame) = scene("starlings", 90, 50, false);
    app.act(Action::Help);
    insta::assert_snapshot!(screen(&app, &frame, 90, 50));
}

#[test]
fn the_prompt() {
    let (mut app, frame) = scene("parker", 80, 24, false);
    app.act(Action::TypeValue);
    "2.5".chars().for_each(|sign| app.write(Some(sign)));
    let screen = screen(&app, &frame, 80, 24);
    assert_eq!(screen.lines().last(), Some(" separation.radius = 2.5▏ (0 to 100000)"));
}

#[test]
fn everything_is_drawn_at_every_size() {
    let open: [&[Action]; 6] = [
        &[],
        &[Action::Help],
        &[Action::ChoosePreset],
        &[Action::ShowCommand],
        &[Action::TypeValue],
        &[Action::Pause, Action::NextTheme],
    ];
    for (width, height) in
        [(0, 0), (1, 1), (2, 1), (1, 200), (3, 3), (12, 4), (40, 5), (80, 10), (81, 11), (80, 14), (300, 3)]
    {
        for clean in [false, true] {
            for actions in open {
                let (mut app, frame) = scene("sparrows", width, height, clean);
                for action in actions {
                    app.act(*action);
                }
                screen(&app, &frame, width, height);
                // A frame that was made for another size.
                screen(&app, &frame, height, width);
            }
        }
    }
}
