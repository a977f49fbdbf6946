//! Actions and mouse events, from the key to the request and back to the message.

use std::sync::Arc;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Rect, Size};

use super::*;
use crate::engine::{Clock, Frame};
use crate::picture::{Camera, ColorDepth, GlyphTable, Marker};
use crate::sim::{Command, Direction, Flock, Param, Pointer, SessionPosition, Undone, Value};
use crate::viewer::input::DragTarget;

/// A viewer of the `drones` preset on a canvas of 80 columns and `rows` rows.
pub(in crate::viewer) fn app(rows: u16) -> App {
    App::new(start(), Size::new(80, rows), 1.0)
}

fn start() -> InitialState {
    let preset = Preset::load("drones").unwrap();
    InitialState {
        setup: preset.setup(7, 1.6),
        rate: preset.rate,
        preset,
        recording: None,
        glyphs: GlyphTable::default(),
        world_is_auto: false,
        input: None,
        colors: Colors::fixed(ColorDepth::Truecolor),
        aim: Aim::default(),
        reduced_motion: false,
        options: LiveOptions::default(),
    }
}

#[test]
fn with_reduced_motion_the_flock_alone_moves() {
    for reduced_motion in [false, true] {
        let mut app = App::new(InitialState { reduced_motion, ..start() }, Size::new(80, 30), 1.0);
        assert_eq!(app.format().aim.yaw, reduced_motion.then_some(0.0), "the camera drifts");
        let sparrows = app.context.presets.all.iter().position(|preset| preset.name == "sparrows").unwrap();
        app.load_preset(sparrows);
        let morphs =
            app.requests().iter().any(|request| matches!(request, Request::Flock { command: Command::Morph(..), .. }));
        assert_eq!(morphs, !reduced_motion);
        let next = app.context.theme.active().0 + 1;
        app.context.theme.cross_fade(next, 0.2);
        assert_eq!(app.context.theme.cross_fade(next, 0.4), !reduced_motion, "themes fade");
        assert_eq!(app.context.theme.set_flock_fade(0.5), !reduced_motion);
    }
}

/// Shows a frame that differs from the last one.
pub(in crate::viewer) fn show(app: &mut App, change: impl FnOnce(&mut Frame)) {
    app.context.client.show_frame(change);
    app.on_frame();
}

/// Shows a frame that includes all requests and the values that they set.
fn confirm(app: &mut App, change: impl FnOnce(&mut Frame)) {
    let client = &app.context.client;
    let (request, controls) = (client.last_request(), client.controls().clone());
    show(app, |frame| {
        (frame.request, frame.controls) = (request, controls);
        change(frame);
    });
}

/// A viewer at a tick of a session of 300 ticks.
fn at(tick: u64) -> App {
    let mut app = app(20);
    move_to(&mut app, tick);
    app
}

fn move_to(app: &mut App, tick: u64) {
    confirm(app, |frame| frame.position = SessionPosition { tick, last: 300, ..SessionPosition::default() });
}

/// The requests by some actions, which only change the flow of time.
fn clocks(app: &mut App, actions: &[Action]) -> Vec<Clock> {
    for action in actions {
        app.act(*action);
    }
    let clock = |request| match request {
        Request::Clock(clock) => clock,
        other => panic!("{other:?}"),
    };
    app.requests().into_iter().map(clock).collect()
}

/// Shows a frame that a camera made.
fn show_camera(app: &mut App) {
    let Size { width, height } = app.context.display.canvas();
    let setup = app.context.presets.base.setup(7, app.format().aspect_ratio());
    let camera = Camera::new(&Flock::new(&setup).unwrap(), width.into(), height.into());
    show(app, |frame| frame.camera = camera);
}

fn load(app: &mut App, preset: &str) {
    let index = app.context.presets.all.iter().position(|known| known.name == preset).unwrap();
    app.load_preset(index);
    show_camera(app);
}

/// A mouse event over the flock.
fn mouse(app: &mut App, kind: MouseEventKind) {
    let event = MouseEvent { kind, column: 60, row: 15, modifiers: KeyModifiers::NONE };
    app.on_mouse(event, Rect::new(0, 0, 80, 20));
}

#[test]
fn every_action_is_performed() {
    for &action in Action::ALL {
        for place in [PlotsPlace::Hidden, PlotsPlace::BelowFlock, PlotsPlace::Alone] {
            let mut app = app(20);
            app.plots.set_place(place);
            assert!(app.perform(action), "{}", action.id());
        }
    }
}

#[test]
fn messages_report_changes_if_there_is_no_panel() {
    let mut app = app(20);
    app.resize(Rect::new(0, 0, 79, 21), 1.0);
    let key = app.gauges.selected(&app.context).key;
    app.act(Action::EditValue);
    assert_eq!(app.context.message(), None);
    app.paste("7.5");
    app.act(Action::EditValue);
    let notice = app.context.notice(80).unwrap_or_default();
    assert_eq!(notice, format!("{key} 0.001 → 7.5"));
    app.act(Action::MorePredators);
    assert_eq!(app.context.message(), Some("4 predators"));
}

#[test]
fn overlays_ignore_actions_that_they_do_not_accept() {
    for open in [
        Action::Help,
        Action::ShowCommand,
        Action::ChoosePreset,
        Action::ChooseTheme,
        Action::EditValue,
        Action::SavePreset,
        Action::Palette,
        Action::ChooseMeasures,
    ] {
        let mut app = app(20);
        app.act(open);
        let overlay = app.overlay.clone().unwrap();
        let ignored = Action::ALL.iter().copied().filter(|action| {
            let moves = Navigation::of_action(*action).is_some_and(|navigation| overlay.accepts_move(navigation));
            !moves && !overlay.accepts(*action) && !overlay.is_closed_by(*action)
        });
        let ignored: Vec<Action> = ignored.collect();
        for action in &ignored {
            app.act(*action);
        }
        assert!(ignored.contains(&Action::Increase) && app.requests().is_empty(), "{open:?}");
        assert_eq!(app.overlay, Some(overlay));
        assert_eq!(ignored.contains(&Action::Preset2), open != Action::ChoosePreset);
        app.act(Action::Close);
        assert_eq!(app.overlay, None);
    }
}

#[test]
fn help_scrolls_to_its_end_and_back() {
    let mut app = app(20);
    app.act(Action::Help);
    (0..200).for_each(|_| app.act(Action::NextParameter));
    let length = app.open_popup().unwrap().lines;
    let first = |app: &App| app.open_popup().unwrap().first;
    assert_eq!(first(&app), length - 18);
    app.act(Action::Maximum);
    assert_eq!(first(&app), length - 18);
    app.act(Action::PreviousParameter);
    assert_eq!(first(&app), length - 19);
    // A larger window shows more of the end.
    app.resize(Rect::new(0, 0, 80, 31), 1.0);
    app.act(Action::PreviousParameter);
    assert_eq!(first(&app), length - 29);
}

#[test]
fn gauges_scroll_as_little_as_needed() {
    let mut app = app(23);
    app.act(Action::AllParameters);
    app.resize(Rect::new(0, 0, 80, 24), 1.0);
    let first_after = |app: &mut App, times: usize, action| {
        (0..times).for_each(|_| app.act(action));
        app.gauges.first_line()
    };
    // Fifteen lines: four groups with their headings, and four, three, four and no rows.
    let (up, down) = (Action::PreviousParameter, Action::NextParameter);
    assert_eq!([first_after(&mut app, 10, down), first_after(&mut app, 1, down)], [0, 1]);
    assert_eq!([first_after(&mut app, 7, up), first_after(&mut app, 1, up)], [1, 0]);
    let end = first_after(&mut app, 100, down);
    assert_eq!(first_after(&mut app, 3, up), end);
    // The selected parameter is visible at every height.
    for height in [10, 24, 200, 60, 24] {
        let screen = Rect::new(0, 0, 80, height);
        app.resize(screen, 1.0);
        let area = app.gauges_area().unwrap();
        let seen = area.rows().filter_map(|line| app.gauges.param_at(area, line.y, &app.context));
        assert!(seen.into_iter().any(|row| row == app.gauges.selected(&app.context)), "{height}");
        assert!(height < 200 || app.gauges.first_line() == 0, "{}", app.gauges.first_line());
    }
}

#[test]
fn a_page_is_the_visible_lines_less_one() {
    let line = |app: &mut App| match &app.overlay {
        Some(Overlay::Presets(list)) => list.selected().unwrap(),
        _ => app.open_popup().map(|popup| popup.selected.unwrap_or(popup.first)).unwrap(),
    };
    let presets = Preset::builtin().len();
    for (open, height) in [(Action::Help, 18), (Action::ChoosePreset, 15), (Action::Palette, 13)] {
        let mut app = app(20);
        app.act(open);
        app.act(Action::Minimum);
        let lines =
            [Action::PageDown, Action::PageUp, Action::PageUp, Action::Maximum, Action::PageDown, Action::Minimum].map(
                |action| {
                    app.act(action);
                    line(&mut app)
                },
            );
        let last = if open == Action::ChoosePreset { presets - 1 } else { app.last_line() };
        assert_eq!(lines, [(height - 1).min(last), 0, 0, last, last, 0], "{open:?}");
        assert!(last >= height - 1, "{open:?}");
    }
    let mut app = app(20);
    app.act(Action::PageDown);
    let first = crate::viewer::gauges::params(&app.context).next().unwrap();
    assert_eq!((app.gauges.selected(&app.context), &app.overlay), (first, &None));
}

#[test]
fn the_page_of_plots_takes_the_keys_of_the_camera_and_leaves_the_others() {
    let mut app = app(20);
    app.act(Action::Plots);
    app.act(Action::View);
    assert_eq!((app.plots.is_phase, app.requests().len()), (false, 1), "they belong to the flock above the plots");
    app.act(Action::Plots);
    let (view, format) = (app.context.display.view, app.format());
    for action in [Action::ZoomIn, Action::ZoomIn, Action::PanLeft, Action::View] {
        app.act(action);
    }
    assert!(app.plots.is_phase && app.plots.window == 200);
    assert!(app.requests().is_empty() && (app.context.display.view, app.format()) == (view, format));
    app.act(Action::ResetView);
    assert_eq!(app.plots.window, 1000);
    app.act(Action::Increase);
    assert_eq!(app.requests().len(), 1, "rules change while the page is open");
    app.act(Action::Plots);
    app.act(Action::ZoomIn);
    assert_eq!((app.plots.place(), app.requests().len()), (PlotsPlace::Hidden, 1));
}

#[test]
fn close_ends_the_list_of_measures_before_the_page() {
    let mut app = app(20);
    app.act(Action::ChooseMeasures);
    app.act(Action::NextParameter);
    app.act(Action::EditValue);
    assert_eq!(app.overlay, Some(Overlay::Measures(1)));
    let names: Vec<&str> = app.plots.chosen.iter().map(|measure| measure.name).collect();
    assert_eq!(names, ["polarization", "nearest_neighbor"]);
    app.act(Action::Close);
    assert!(app.overlay.is_none() && app.plots.place() == PlotsPlace::BelowFlock);
    app.act(Action::Close);
    assert_eq!(app.plots.place(), PlotsPlace::Hidden);
}

#[test]
fn loading_a_preset_forgets_the_last_click() {
    let mut app = app(20);
    app.context.display.clean = true;
    load(&mut app, "drones");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left));
    mouse(&mut app, MouseEventKind::Up(MouseButton::Left));
    // Half as wide: the click would lie outside.
    load(&mut app, "herring");
    app.act(Action::PlaceObstacle);
    assert_eq!(app.context.message(), Some("obstacle placed"));
}

#[test]
fn loading_a_preset_ends_a_drag() {
    let mut app = app(20);
    app.context.display.clean = true;
    load(&mut app, "drones");
    let middle = MouseButton::Middle;
    mouse(&mut app, MouseEventKind::Down(middle));
    mouse(&mut app, MouseEventKind::Up(middle));
    assert_eq!(app.context.client.controls().setup.zones.len(), 1);
    mouse(&mut app, MouseEventKind::Down(middle));
    load(&mut app, "bats");
    let zones = app.context.client.controls().setup.zones.clone();
    mouse(&mut app, MouseEventKind::Up(middle));
    assert!(!zones.is_empty() && app.context.client.controls().setup.zones == zones);
}

#[test]
fn keys_move_through_the_session() {
    let mut app = at(200);
    let requested = clocks(&mut app, &[Action::SkipBack, Action::SkipBack, Action::SkipForward]);
    assert_eq!(requested, [Clock::Skip(-60), Clock::Skip(-60), Clock::Skip(60)]);
    assert_eq!(clocks(&mut app, &[Action::FirstTick, Action::LastTick]), [Clock::Seek(0), Clock::Seek(300)]);
    assert_eq!(clocks(&mut app, &[Action::PlayBackward; 2]), [Clock::Backward, Clock::Pause(false)]);
    let forward = [Clock::Backward, Clock::Pause(false), Clock::Seek(300)];
    assert_eq!(clocks(&mut app, &[Action::PlayBackward, Action::LastTick]), forward);
    move_to(&mut app, 0);
    assert_eq!(clocks(&mut app, &[Action::PlayBackward]), []);
}

#[test]
fn without_a_timeline_a_message_shows_the_time_of_a_move() {
    let mut app = at(200);
    app.act(Action::SkipBack);
    move_to(&mut app, 140);
    assert_eq!(app.context.message(), None);
    app.act(Action::Clean);
    app.act(Action::SkipBack);
    show(&mut app, |frame| frame.position.tick = 139);
    assert_eq!(app.context.message(), None, "the frame does not include the move");
    move_to(&mut app, 80);
    assert_eq!(app.context.message(), Some("0:01 / 0:05"));
}

#[test]
fn dragging_the_timeline_pauses_and_seeks() {
    let (mut app, screen) = (at(200), Rect::new(0, 0, 80, 21));
    app.resize(screen, 1.0);
    app.requests();
    let mouse = |app: &mut App, kind, column| {
        app.on_mouse(MouseEvent { kind, column, row: 19, modifiers: KeyModifiers::NONE }, screen);
    };
    let left = MouseButton::Left;
    mouse(&mut app, MouseEventKind::Down(left), 8);
    assert_eq!(clocks(&mut app, &[]), [Clock::Pause(true), Clock::Seek(0)]);
    // Positions are sent once per frame.
    (9..40).for_each(|column| mouse(&mut app, MouseEventKind::Drag(left), column));
    assert_eq!(clocks(&mut app, &[]), []);
    app.update_drag(screen);
    app.update_drag(screen);
    assert_eq!(clocks(&mut app, &[]), [Clock::Seek(300)]);
    mouse(&mut app, MouseEventKind::Up(left), 8);
    assert_eq!(clocks(&mut app, &[]), [Clock::Seek(0), Clock::Pause(false)]);
    mouse(&mut app, MouseEventKind::ScrollUp, 8);
    mouse(&mut app, MouseEventKind::ScrollDown, 8);
    assert_eq!(clocks(&mut app, &[]), [Clock::Skip(60), Clock::Skip(-60)]);
}

#[test]
fn a_move_through_the_session_ends_a_drag() {
    let (mut app, screen) = (at(300), Rect::new(0, 0, 80, 21));
    app.context.client.set_pointer(Some(Pointer { at: [9.0; 3], along: [0.0; 3], attracts: true }));
    app.mouse.target = Some(DragTarget::Pointer { attracts: true });
    app.act(Action::SkipBack);
    let requests = app.requests();
    let lifted = Request::Flock { command: Command::SetPointer(None), continues: false };
    assert_eq!(requests[1..], [lifted, Request::Clock(Clock::Skip(-60))]);
    app.update_drag(screen);
    assert_eq!(app.requests(), []);
}

#[test]
fn close_cancels_a_long_seek_before_it_closes_the_plots() {
    let mut app = at(200);
    app.act(Action::Plots);
    show(&mut app, |frame| frame.position.seeking = Some((9, 0.4)));
    assert_eq!(clocks(&mut app, &[Action::Close]), [Clock::CancelSeek]);
    show(&mut app, |frame| frame.position.seeking = None);
    assert!(app.plots.place() != PlotsPlace::Hidden && clocks(&mut app, &[Action::Close]).is_empty());
    assert_eq!(app.plots.place(), PlotsPlace::Hidden);
}

#[test]
fn a_change_in_the_past_is_reported_with_its_undo() {
    let mut app = at(150);
    let message_after = |app: &mut App, action, notice: Notice| {
        app.act(action);
        let request = app.requests().pop().unwrap();
        confirm(app, |frame| frame.notice = (frame.notice.0 + 1, Some(notice)));
        (request, app.context.message().unwrap_or_default().to_owned())
    };
    let (_, message) = message_after(&mut app, Action::MoreBoids, Notice::Branch(150));
    assert_eq!(message, "this change at 0:02 replaces what followed; u restores it");
    let undone = message_after(&mut app, Action::Undo, Notice::Undone(Direction::Undo, Undone::Branch));
    assert_eq!(undone, (Request::Undo(Direction::Undo), "undo: what followed is restored".to_owned()));
    let redone = message_after(&mut app, Action::Redo, Notice::Undone(Direction::Redo, Undone::Branch));
    assert_eq!(redone, (Request::Undo(Direction::Redo), "redo: the change replaces what followed".to_owned()));
}

#[test]
fn a_notice_is_shown_once() {
    let mut app = at(150);
    show(&mut app, |frame| frame.notice = (1, Some(Notice::Undone(Direction::Undo, Undone::Nothing))));
    assert_eq!(app.context.message(), Some("nothing to undo"));
    app.context.clear_message();
    show(&mut app, |frame| frame.tick += 1);
    assert_eq!(app.context.message(), None);
    show(&mut app, |frame| frame.notice = (2, Some(Notice::Undone(Direction::Redo, Undone::NotAtEnd))));
    let later = "nothing to redo here: changes are undone at the end of the session; ) goes there";
    assert_eq!(app.context.message(), Some(later));
}

#[test]
fn an_undone_value_is_selected_and_shown() {
    let mut app = at(300);
    let [speed, noise] = ["speed.max", "noise.angle"].map(|key| Param::find(key).unwrap());
    let show_values = |app: &mut App, number, values: &[(&'static Param, f32)]| {
        let values = values.iter().map(|(param, value)| (*param, Value::Number(*value))).collect();
        show(app, |frame| frame.notice = (number, Some(Notice::Undone(Direction::Undo, Undone::Values(values)))));
        (app.gauges.selected(&app.context).key, app.context.message().unwrap_or_default().to_owned())
    };
    assert_eq!(show_values(&mut app, 1, &[(speed, 9.0)]), ("speed.max", "undo: speed.max = 9".to_owned()));
    let several = show_values(&mut app, 2, &[(noise, 1.0), (speed, 8.0)]);
    assert_eq!(several, ("speed.max", "undo: 2 parameters".to_owned()));
}

#[test]
fn actions_that_do_not_change_the_flock_do_not_branch() {
    let mut app = at(150);
    let actions = [
        Action::ShowCommand,
        Action::Palette,
        Action::Plots,
        Action::NextTheme,
        Action::View,
        Action::Marker,
        Action::Clean,
        Action::Screensaver,
        Action::Pause,
        Action::SaveSession,
        Action::Follow,
        Action::ZoomIn,
        Action::Faster,
    ];
    for action in actions {
        app.act(action);
        app.note_activity(Instant::now());
        app.act(Action::Close);
        app.release_mouse();
        let options = start().options;
        app.apply_options(&options, Reloaded { options: options.clone(), later: Vec::new() }, Marker::default());
        app.resize(Rect::new(0, 0, 90, 30), 1.1);
        assert!(
            !app.requests().iter().any(|request| matches!(request, Request::Flock { .. } | Request::Undo(_))),
            "{}",
            action.id()
        );
        move_to(&mut app, 150);
    }
}

#[test]
fn the_base_of_the_gauges_follows_the_session() {
    let mut app = at(300);
    let sparrows = Arc::new(Preset::load("sparrows").unwrap().setup(7, 1.6));
    let drones = app.context.client.controls().setup.params;
    let mut names = Vec::new();
    for (tick, loaded, params) in
        [(250, Some(&sparrows), sparrows.params), (150, None, drones), (250, Some(&sparrows), sparrows.params)]
    {
        show(&mut app, |frame| {
            (frame.position.tick, frame.run.loaded) = (tick, loaded.cloned());
            (frame.controls.setup.params, frame.controls.current_params) = (params, params);
        });
        names.push(app.context.presets.base.name.clone());
    }
    assert_eq!(names, ["sparrows", "drones", "sparrows"]);
}

#[test]
fn a_late_frame_does_not_bring_a_preset_back() {
    let mut app = at(300);
    load(&mut app, "sparrows");
    load(&mut app, "parker");
    let sparrows = Arc::new(Preset::load("sparrows").unwrap().setup(7, 1.6));
    show(&mut app, |frame| frame.run.loaded = Some(sparrows));
    assert_eq!(app.context.presets.base.name, "parker");
}

/// The requested formats; panics on other requests.
fn requested(app: &mut App) -> Vec<CanvasFormat> {
    let formats = app.requests().into_iter().map(|request| match request {
        Request::Canvas(format, _) => format,
        other => panic!("{other:?}"),
    });
    formats.collect()
}

#[test]
fn views_request_formats_and_markers_do_not() {
    let mut app = app(20);
    let (mut messages, mut views) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        app.act(Action::View);
        messages.push(app.context.message().unwrap().to_owned());
        let [format] = requested(&mut app)[..] else { panic!("one request per view") };
        assert_eq!((format.columns, format.rows), (80, 20));
        views.push(format.view);
    }
    assert_eq!(messages[0], "view: heads");
    assert_eq!(messages[5], "view: auto (shapes with trails over a glow)");
    assert_eq!(views, [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes, View::Auto]);
    app.act(Action::Marker);
    assert_eq!((app.context.display.marker, app.requests().len()), (Marker::Octant, 0));
    // Only the last of several changes is requested.
    (0..8).for_each(|_| app.act(Action::View));
    assert_eq!(requested(&mut app).len(), 1);
    (0..6).for_each(|_| app.act(Action::View));
    assert_eq!(requested(&mut app), []);
    (0..4).for_each(|_| app.act(Action::View));
    app.context.theme.limit_depth(ColorDepth::Colors16);
    (0..3).for_each(|_| app.act(Action::View));
    assert_eq!(app.context.message(), Some("view: heads (glow needs more colors)"));
}

#[test]
fn the_canvas_skips_an_invisible_glow() {
    let mut app = app(20);
    let mut limited = |most| {
        app.context.theme.limit_depth(most);
        requested(&mut app).first().map(|format| format.no_glow)
    };
    assert_eq!(limited(ColorDepth::Colors256), Some(true));
    assert_eq!(limited(ColorDepth::Colors16), None);
    assert_eq!(limited(ColorDepth::Mono), None);
    assert_eq!(limited(ColorDepth::Truecolor), Some(false));
}
