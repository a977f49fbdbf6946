//! Whole screens, as text.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

use super::drawing::Hit;
use super::tests::show;
use super::{App, InitialState};
use crate::config::{Preset, Theme};
use crate::engine::{Frame, Measured, Request};
use crate::picture::{Aim, Canvas, CanvasFormat, Charset, ColorDepth, Content, Follow, GlyphTable, Marker, Rgb, View};
use crate::sim::{
    Analyzer, Command, FirstAgents, Flock, Measure, Param, Scratch, SessionEvent, SessionLog, SessionPosition,
    SessionStart, Setup, SharedLog, Value, Zone, ZoneKind,
};
use crate::terminal::{FrameOptions, ScreenEncoder};
use crate::viewer::flock::{self as flock_view, Overlays};
use crate::viewer::gauges::{self, GaugePart};
use crate::viewer::layout::Regions;
use crate::viewer::plots::history::MeasureHistory;
use crate::viewer::plots::measure::{PLOT_MEASURES, PlotMeasure};
use crate::viewer::popups::Overlay;
use crate::viewer::status::Throughput;
use crate::viewer::text::LineEdit;
use crate::viewer::theme::{Colors, TerminalBackground};
use crate::viewer::{Action, LiveOptions, panel};

/// The viewer with a frame of a preset.
fn scene(preset: &str, width: u16, height: u16, clean: bool) -> App {
    scene_in_depth(preset, width, height, clean, ColorDepth::Truecolor)
}

/// The same in a color depth, with the default theme.
pub(in crate::viewer) fn scene_in_depth(preset: &str, width: u16, height: u16, clean: bool, depth: ColorDepth) -> App {
    let canvas = Regions::new(Rect::new(0, 0, width, height), clean).canvas();
    let (preset, columns, rows) = (Preset::load(preset).unwrap(), canvas.width.into(), canvas.height.into());
    let setup = preset.setup(7, CanvasFormat { columns, rows, ..CanvasFormat::default() }.aspect_ratio());
    let flock = Flock::new(&setup).unwrap();
    let start = InitialState {
        rate: preset.rate,
        preset,
        recording: None,
        glyphs: GlyphTable::default(),
        setup,
        world_is_auto: true,
        input: None,
        colors: Colors::fixed(depth),
        aim: Aim::default(),
        reduced_motion: false,
        options: LiveOptions { clean, ..LiveOptions::default() },
    };
    let mut app = App::new(start, canvas, 1.0);
    show(&mut app, |frame| {
        Canvas::new(columns, rows).draw(&flock, &mut frame.picture);
        (frame.tick, frame.ticks_per_second) = (123, frame.controls.rate);
        let measures: Vec<&Measure> = Measure::quick().collect();
        frame.measured = Measured { count: 1, tick: 0, values: Analyzer::new().values(&flock, 100, &measures) };
    });
    app
}

/// Draws a flock on a canvas as the viewer's next frame.
fn show_drawn(app: &mut App, canvas: &mut Canvas, flock: &Flock) {
    show(app, |frame| canvas.draw(flock, &mut frame.picture));
}

/// Draws the whole screen.
fn draw(buffer: &mut Buffer, app: &App, throughput: Throughput) {
    let screen = buffer.area;
    buffer.set_style(screen, app.context.theme.resolved().text);
    app.draw_flock(buffer, screen);
    app.draw_chrome(buffer, throughput, true);
}

pub(in crate::viewer) fn screen(app: &App, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw(&mut buffer, app, Throughput { frames_per_second: 60.0, bytes_per_second: 12_345.0 });
    let rows = (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>());
    rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A screen of 80 × 24 in a character set: for each row its text, then runs of equal styles as `3×fg,bg,modifiers`.
/// A color is an index or RGB, `-` the default; trailing defaults are left out.
pub(in crate::viewer) fn painted_screen(app: &App, charset: Charset) -> String {
    let (width, height) = (80, 24);
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw(&mut buffer, app, Throughput { frames_per_second: 60.0, bytes_per_second: 12_345.0 });
    let mut lines = Vec::new();
    for row in buffer.content.chunks(width.into()) {
        let text: String = row.iter().map(|cell| charset.substitute(cell.symbol().chars().next().unwrap())).collect();
        let styles: Vec<String> = row.iter().map(style).collect();
        let runs = styles.chunk_by(|a, b| a == b).map(|run| format!("{}×{}", run.len(), run[0]));
        lines.push(text.trim_end().to_owned());
        lines.push(format!("    {}", runs.collect::<Vec<_>>().join(" ")));
    }
    lines.join("\n")
}

/// The visible style of a cell.
fn style(cell: &Cell) -> String {
    let color = |color: Color| match color {
        Color::Reset => "-".to_owned(),
        Color::Indexed(index) => index.to_string(),
        Color::Rgb(red, green, blue) => format!("{red:02x}{green:02x}{blue:02x}"),
        named => named.to_string(),
    };
    let blank = cell.symbol() == " " && !cell.modifier.intersects(Modifier::REVERSED | Modifier::UNDERLINED);
    let (fg, modifier) = if blank { (Color::Reset, Modifier::empty()) } else { (cell.fg, cell.modifier) };
    let modifiers: Vec<String> = modifier.iter_names().map(|(name, _)| name.to_lowercase()).collect();
    let parts = [color(fg), color(cell.bg), modifiers.join("+")];
    let said = parts.iter().rposition(|part| part != "-" && !part.is_empty()).unwrap_or(0);
    parts[..=said].join(",")
}

/// The colors before the encoder; `tests/viewer/encoder.rs` checks the bytes.
#[test]
fn sixteen_colors() {
    let app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Colors16);
    insta::assert_snapshot!(painted_screen(&app, Charset::Unicode));
}

#[test]
fn no_colors() {
    let app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Mono);
    insta::assert_snapshot!(painted_screen(&app, Charset::Unicode));
}

#[test]
fn plain_characters() {
    let mut app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Colors256);
    app.context.display.marker = Marker::of(Charset::Ascii);
    let screen = painted_screen(&app, Charset::Ascii);
    assert!(screen.lines().step_by(2).all(str::is_ascii));
    insta::assert_snapshot!(screen);
}

#[test]
fn the_linux_console() {
    let mut app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Colors16);
    app.context.display.marker = Marker::of(Charset::Console);
    insta::assert_snapshot!(painted_screen(&app, Charset::Console));
}

#[test]
fn a_bright_ground() {
    let mut app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Truecolor);
    app.context.theme.set_no_sky(true);
    assert!(app.context.theme.set_background(TerminalBackground::Known(Rgb::new(255, 255, 255))));
    insta::assert_snapshot!(painted_screen(&app, Charset::Unicode));
}

#[test]
fn the_whole_screen() {
    let app = scene("starlings", 120, 40, false);
    insta::assert_snapshot!(screen(&app, 120, 40));
}

#[test]
fn a_common_terminal() {
    let app = scene("drones", 80, 24, false);
    insta::assert_snapshot!(screen(&app, 80, 24));
}

#[test]
fn a_common_terminal_shows_ten_gauges_wherever_they_are_scrolled_to() {
    let area = Rect::new(0, 0, 80, 24);
    for preset in ["starlings", "murmuration", "sphere", "vicsek", "couzin-torus", "netlogo", "abm-small"] {
        let mut app = scene(preset, 80, 24, false);
        app.act(Action::AllParameters);
        let all = gauges::params(&app.context).count();
        for number in 0..all {
            let shown = (0..24).filter(|row| matches!(app.hit(area, Position::new(70, *row)), Hit::Gauge(..))).count();
            assert!(shown >= all.min(10), "{preset} {number}: {shown} of {all}\n{}", screen(&app, 80, 24));
            app.act(Action::NextParameter);
        }
    }
}

#[test]
fn gauges_show_the_presets_value_changes_and_values_beyond_their_bars() {
    let mut app = scene("drones", 80, 24, false);
    let accent = app.context.theme.resolved().accent.fg;
    // The first gauge is not selected.
    app.act(Action::NextParameter);
    let gauge = |app: &App| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        draw(&mut buffer, app, Throughput::default());
        let row: String = (56..79).map(|x| buffer[(x, 4)].symbol()).collect();
        (row, buffer[(78, 4)].style().fg == accent)
    };
    let set = |app: &mut App, value| {
        let weight = Param::find("separation.weight").unwrap();
        show(app, |frame| {
            frame.controls.setup.params.set(weight.key, Value::Number(value)).unwrap();
            frame.controls.current_params = frame.controls.setup.params;
        });
    };
    let mut seen = vec![gauge(&app)];
    for value in [0.0, 0.008, 0.009] {
        set(&mut app, value);
        seen.push(gauge(&app));
    }
    let expected = [
        ("weight  ━━━━┼──── 0.001", false),
        ("weight  ────┼────     0", true),
        ("weight  ━━━━┿━━━━ 0.008", true),
        ("weight  ━━━━┿━━━▸ 0.009", true),
    ];
    assert_eq!(seen, expected.map(|(row, changed)| (row.to_owned(), changed)));
}

#[test]
fn a_ball_with_the_last_gauge_chosen() {
    let mut app = scene("sphere", 100, 30, false);
    (0..100).for_each(|_| app.act(Action::NextParameter));
    insta::assert_snapshot!(screen(&app, 100, 30));
}

#[test]
fn a_narrow_terminal_shows_the_flock_alone() {
    let app = scene("starlings", 50, 12, false);
    insta::assert_snapshot!(screen(&app, 50, 12));
}

#[test]
fn the_help() {
    let mut app = scene("starlings", 90, 50, false);
    app.act(Action::Help);
    insta::assert_snapshot!(screen(&app, 90, 50));
}

#[test]
fn the_help_in_a_narrow_terminal() {
    let mut app = scene("starlings", 40, 20, false);
    app.act(Action::Help);
    app.act(Action::Maximum);
    insta::assert_snapshot!(screen(&app, 40, 20));
}

#[test]
fn narrow_lists_describe_the_selected_entry_below() {
    let mut app = scene("starlings", 40, 20, false);
    app.act(Action::ChoosePreset);
    app.act(Action::NextParameter);
    let presets = screen(&app, 40, 20);
    app.act(Action::Close);
    app.act(Action::Palette);
    (0..3).for_each(|_| app.act(Action::NextParameter));
    insta::assert_snapshot!(presets + "\n" + &screen(&app, 40, 20));
}

#[test]
fn the_palette_hints_at_what_enter_does() {
    for (typed, hints) in [
        ("pause", "Tab down  Enter run  Esc close"),
        ("theme dusk", "Tab down  Enter select  Esc close"),
        ("separation.weight 2", "Tab down  Enter set  Esc close"),
        ("xyzzy", " ▶ running  tick 123  60/60 t/s  60 fps  12 KB/s  Esc close"),
    ] {
        let mut app = scene("drones", 100, 24, false);
        app.act(Action::Palette);
        typed.chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
        let screen = screen(&app, 100, 24);
        assert!(screen.lines().last().unwrap().ends_with(hints), "{screen}");
    }
}

#[test]
fn the_command_scrolls_in_a_small_terminal() {
    let mut app = scene("pigeons", 40, 10, false);
    app.context.client.add_zone(Zone::new(ZoneKind::Obstacle, [50.5, 40.25, 0.0], 7.5));
    app.act(Action::ShowCommand);
    let inside = |screen: &str| -> Vec<String> {
        let lines = screen.lines().filter_map(|line| line.strip_prefix('│'));
        lines.map(|line| line.trim_end_matches('│').trim().to_owned()).collect()
    };
    let first = screen(&app, 40, 10);
    let mut read = inside(&first);
    assert!(first.contains("more ↓") && first.lines().last().unwrap().contains("↓ scroll"), "{first}");
    for _ in 0..app.last_line() {
        app.act(Action::NextParameter);
        read.extend(inside(&screen(&app, 40, 10)).pop());
    }
    let whole = app.context.presets.reproduce_command(&app.context.client).text();
    assert_eq!(read.concat().replace(' ', ""), whole.replace([' ', '\n'], ""));
    let last = screen(&app, 40, 10);
    assert!(!last.contains("more ↓") && !last.contains('…'), "{last}");
}

#[test]
fn the_prompt() {
    let mut app = scene("parker", 80, 24, false);
    app.act(Action::EditValue);
    "2.5".chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
    let screen = screen(&app, 80, 24);
    assert_eq!(screen.lines().last(), Some(" separation.weight = 2.5▏ (0 to 100)"));
}

#[test]
fn the_prompt_keeps_the_typed_text_visible_and_its_errors_short() {
    let mut app = scene("parker", 80, 24, false);
    app.act(Action::EditValue);
    "-5".chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
    let last = |app: &App, width| screen(app, width, 24).lines().last().unwrap().to_owned();
    assert_eq!(last(&app, 20), "…ration.weight = -5▏");
    app.act(Action::EditValue);
    assert_eq!(last(&app, 80), " separation.weight = -5▏ out of range: expected 0 to 100");
}

#[test]
fn without_a_panel_a_message_shows_the_change() {
    let mut app = scene("parker", 80, 24, false);
    let said = |app: &mut App, width, action| {
        app.resize(Rect::new(0, 0, width, 24), 1.0);
        app.act(action);
        screen(app, width, 24).lines().last().unwrap().trim().to_owned()
    };
    let narrow =
        [Action::NextParameter, Action::Increase, Action::ResetParameter, Action::MorePredators, Action::MoreBoids]
            .map(|action| said(&mut app, 60, action));
    let expected = [
        "separation.radius = 20 u",
        "separation.radius 20 → 25.2 u",
        "separation.radius = 20 u",
        "1 predator",
        "165 boids",
    ];
    assert_eq!(narrow, expected);
    app.context.clear_message();
    assert_eq!(said(&mut app, 80, Action::Increase).split("  ").next(), Some("separation.radius 20 → 25.2 u"));
}

#[test]
fn without_a_panel_a_message_shows_the_palettes_choice() {
    let mut app = scene("parker", 60, 16, false);
    for (width, end) in [(60, " leaders.radius = 120 u"), (80, "▸radius")] {
        app.resize(Rect::new(0, 0, width, 24), 1.0);
        app.act(Action::Palette);
        "leaders.radius".chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
        app.act(Action::EditValue);
        let screen = screen(&app, width, 24);
        assert!(screen.contains(end), "{screen}");
        assert_eq!(screen.contains("leaders.radius"), width == 60, "{screen}");
    }
}

#[test]
fn the_palette_shows_the_end_of_a_long_line() {
    let mut app = scene("parker", 24, 12, false);
    app.act(Action::Palette);
    "separation.weight 1.25".chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
    for (width, typed) in [(24, "│:…aration.weight 1.25▏│"), (26, "│:separation.weight 1.25▏│"), (5, "│:…▏│")]
    {
        let screen = screen(&app, width, 12);
        assert_eq!(screen.lines().nth(1), Some(typed), "{screen}");
    }
}

/// The bytes of 30 frames in a view.
fn bytes(view: View) -> usize {
    let (columns, rows) = (108, 44);
    let area = Rect::new(0, 0, columns, rows);
    let preset = Preset::load("starlings").unwrap();
    let mut app = scene("starlings", columns, rows, true);
    let (mut flock, mut scratch) = (Flock::new(&preset.setup(7, 1.2)).unwrap(), Scratch::new());
    (0..200).for_each(|_| flock.step(&mut scratch));
    let mut canvas = Canvas::with_format(CanvasFormat {
        columns: columns.into(),
        rows: rows.into(),
        view,
        densities: true,
        ..CanvasFormat::default()
    });
    let mut encoder = ScreenEncoder::new(area.as_size(), Charset::Unicode);
    let mut wire = Vec::new();
    for _ in 0..30 {
        (0..2).for_each(|_| flock.step(&mut scratch));
        show_drawn(&mut app, &mut canvas, &flock);
        flock_view::draw(&mut encoder, area, false, Overlays::default(), &app.context);
        assert!(encoder.encode(FrameOptions::WHOLE, &mut wire));
    }
    wire.len()
}

#[test]
fn a_glow_takes_at_most_two_and_a_half_times_the_bytes() {
    let (heads, glow) = (bytes(View::Heads), bytes(View::Glow));
    assert!(2 * glow <= 5 * heads, "heads {heads}, with a glow {glow}");
}

#[test]
fn every_view_draws_with_every_marker_and_depth() {
    for view in View::ALL {
        for marker in Marker::ALL {
            for depth in [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
                let mut app = scene("starlings", 60, 20, true);
                app.context.display.marker = marker;
                app.context.theme.limit_depth(depth);
                let setup = Preset::load("starlings").unwrap().setup(7, 1.5);
                let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
                let mut canvas = Canvas::with_format(CanvasFormat {
                    columns: 60,
                    rows: 20,
                    view,
                    densities: true,
                    ..CanvasFormat::default()
                });
                for _ in 0..3 {
                    flock.step(&mut scratch);
                    show_drawn(&mut app, &mut canvas, &flock);
                }
                let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 20));
                draw(&mut buffer, &app, Throughput::default());
                let count =
                    buffer.content.iter().filter(|cell| cell.symbol() != " " || cell.bg != Color::Reset).count();
                assert!(count > 100, "{view:?} {marker:?} {depth:?}: {count}");
                let plain = buffer.content.iter().all(|cell| cell.symbol().is_ascii());
                assert_eq!(plain, marker == Marker::Ascii, "{view:?} {marker:?} {depth:?}");
                if depth == ColorDepth::Mono {
                    assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
                }
            }
        }
    }
}

#[test]
fn the_panel_counts_hunting_resting_and_caught() {
    let mut app = scene("sparrows", 100, 30, false);
    show(&mut app, |frame| {
        frame.measured.set("hunting", 2.0);
        frame.measured.set("resting", 1.0);
        (frame.boids, frame.caught) = (65, 5);
    });
    let screen = screen(&app, 100, 30);
    assert!(screen.contains("65 + 5 caught") && screen.contains("3 predators      1 rests"), "{screen}");
}

#[test]
fn the_sky_shows_behind_the_flock() {
    let mut app = scene("starlings", 60, 20, true);
    app.context.theme.install(Theme::load("abyss").unwrap());
    let flock = Flock::new(&Preset::load("starlings").unwrap().setup(7, 1.5)).unwrap();
    let format = CanvasFormat { columns: 60, rows: 20, view: View::Glow, densities: true, ..CanvasFormat::default() };
    show_drawn(&mut app, &mut Canvas::with_format(format), &flock);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 20));
    flock_view::draw(&mut buffer, Rect::new(0, 0, 60, 20), false, Overlays::default(), &app.context);
    let picture = &app.context.client.frame().picture;
    let mut glowing = 0;
    for (index, (cell, glow)) in (0..).zip(buffer.content.iter().zip(&picture.glow)) {
        let sky = app.context.theme.resolved().sky().unwrap().color(index / 60, 20);
        assert!(glow.level > 0 || cell.bg == sky, "{:?} {glow:?}", cell.bg);
        glowing += usize::from(cell.bg != sky);
    }
    assert!(glowing > 20, "{glowing}");
}

#[test]
fn predators_stand_out_from_the_heat_map() {
    let mut app = scene("starlings", 60, 20, true);
    let preset = Preset::load("starlings").unwrap();
    let setup = Setup { boids: 6000, predators: 8, world: preset.world_for(6000, 1.5), ..preset.setup(7, 1.5) };
    let flock = Flock::new(&setup).unwrap();
    let format = CanvasFormat { columns: 60, rows: 20, view: View::Heat, densities: true, ..CanvasFormat::default() };
    show_drawn(&mut app, &mut Canvas::with_format(format), &flock);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 20));
    flock_view::draw(&mut buffer, Rect::new(0, 0, 60, 20), false, Overlays::default(), &app.context);
    let picture = &app.context.client.frame().picture;
    let cells = buffer.content.iter().zip(picture.cells.all()).zip(&picture.heat);
    let plain = app.context.theme.resolved().text.bg.unwrap_or_default();
    let over = cells.filter(|((_, seen), heat)| seen.content == Content::Predator && **heat != [0; 2]);
    let grounds: Vec<Color> = over.map(|((cell, _), _)| cell.bg).collect();
    let predator = app.context.theme.resolved().predator.fg.unwrap();
    assert!(grounds.len() > 5 && grounds.iter().all(|ground| *ground != plain && *ground != predator), "{grounds:?}");
}

/// Records a run of 1200 ticks in which two rules change.
fn record_run(app: &mut App) {
    let changes = [("separation.radius", 25.0, 45), ("noise.angle", 5.0, 70)];
    let setup = app.context.presets.base.setup(7, 1.0);
    let mut log = SessionLog::new(SessionStart { setup, agents: FirstAgents::FromSetup });
    for (key, value, from) in changes {
        log.push_at(12 * from, SessionEvent::Command(Command::set(key, Value::Number(value)).unwrap()));
    }
    app.timeline.attach(SharedLog::new(log), None);
    let Frame { tick: shown_tick, measured, .. } = app.context.client.frame().clone();
    for number in 0..101_u16 {
        let tick = 12 * u64::from(number);
        show(app, |frame| {
            let share = f32::from(number) / 100.0;
            let nearest = 11.0 + f32::from(number % 7) * 0.2;
            frame.measured.set("polarization", (0.95 - 3.0 * (share - 0.5).powi(2)).into());
            frame.measured.set("rotation", (share * share).into());
            frame.measured.set("nearest_neighbor", nearest.into());
            (frame.measured.tick, frame.measured.count) = (tick, tick + 2);
            frame.tick = tick;
            for (key, value, _) in changes.iter().filter(|(.., from)| u64::from(number) >= *from) {
                frame.controls.setup.params.set(key, Value::Number(*value)).unwrap();
            }
            frame.controls.current_params = frame.controls.setup.params;
        });
    }
    // The panel shows the measures of before.
    app.context.client.show_frame(|frame| (frame.tick, frame.measured) = (shown_tick, measured));
}

#[test]
fn plots_over_time() {
    let mut app = scene("starlings", 120, 40, false);
    record_run(&mut app);
    (0..2).for_each(|_| app.act(Action::Plots));
    insta::assert_snapshot!(screen(&app, 120, 40));
}

#[test]
fn plots_below_the_flock() {
    let mut app = scene("starlings", 80, 24, false);
    app.resize(Rect::new(0, 0, 80, 24), 1.0);
    record_run(&mut app);
    app.requests();
    app.act(Action::Plots);
    app.resize(Rect::new(0, 0, 80, 24), 1.0);
    // The world keeps its shape.
    let requests = app.requests();
    assert!(matches!(requests[..], [Request::Canvas(CanvasFormat { columns: 54, rows: 12, .. }, _)]), "{requests:?}");
    insta::assert_snapshot!(screen(&app, 80, 24));
}

#[test]
fn plots_mark_the_current_tick_of_the_past() {
    let mut app = scene("starlings", 80, 24, false);
    let controls = app.context.client.controls().clone();
    record_run(&mut app);
    (0..2).for_each(|_| app.act(Action::Plots));
    let position = SessionPosition { tick: 700, last: 1200, ..SessionPosition::default() };
    show(&mut app, |frame| {
        (frame.tick, frame.position, frame.controls) = (700, position, controls);
        frame.measured.count = 1202;
    });
    insta::assert_snapshot!(screen(&app, 80, 24));
}

#[test]
fn plots_in_plain_characters_and_sixteen_colors() {
    let mut app = scene_in_depth("starlings", 80, 24, false, ColorDepth::Colors16);
    record_run(&mut app);
    app.context.display.marker = Marker::of(Charset::Ascii);
    (0..2).for_each(|_| app.act(Action::Plots));
    let screen = painted_screen(&app, Charset::Ascii);
    // Only the key of the help is a question mark.
    assert!(screen.lines().step_by(2).all(str::is_ascii) && screen.matches('?').count() == 1, "{screen}");
    insta::assert_snapshot!(screen);
}

#[test]
fn two_measures_against_each_other() {
    let mut app = scene("starlings", 80, 24, false);
    record_run(&mut app);
    (0..2).for_each(|_| app.act(Action::Plots));
    app.act(Action::View);
    insta::assert_snapshot!(screen(&app, 80, 24));
}

#[test]
fn plots_in_a_narrow_terminal_and_the_list_of_measures() {
    let mut app = scene("starlings", 40, 14, false);
    record_run(&mut app);
    app.act(Action::Plots);
    let plots = screen(&app, 40, 14);
    app.act(Action::ChooseMeasures);
    insta::assert_snapshot!(plots + "\n" + &screen(&app, 40, 14));
}

#[test]
fn plots_without_measures_say_so() {
    let mut app = scene("starlings", 80, 24, false);
    (0..2).for_each(|_| app.act(Action::Plots));
    let toggle = |app: &mut App, name: &str| {
        app.plots.toggle(PLOT_MEASURES.iter().position(|measure| measure.name == name).unwrap());
    };
    for name in ["polarization", "rotation"] {
        toggle(&mut app, name);
    }
    app.act(Action::View);
    assert!(screen(&app, 80, 24).contains("choose two measures with M"));
    app.act(Action::View);
    toggle(&mut app, "nearest_neighbor");
    assert!(screen(&app, 80, 24).contains("choose measures with M"));
    app.plots.history = MeasureHistory::default();
    assert!(screen(&app, 80, 24).contains("no measures yet"));
}

#[test]
fn the_page_stays_while_nothing_new_is_measured() {
    let mut app = scene("starlings", 80, 24, false);
    record_run(&mut app);
    (0..2).for_each(|_| app.act(Action::Plots));
    let area = Rect::new(0, 0, 80, 24);
    let (mut encoder, mut sheet) = (ScreenEncoder::new(area.as_size(), Charset::Unicode), Buffer::empty(area));
    let mut bytes = |app: &App, with_values: bool| {
        let mut wire = Vec::new();
        app.draw_flock(&mut encoder, sheet.area);
        for part in app.draw_chrome(&mut sheet, Throughput::default(), with_values) {
            encoder.draw_buffer(&sheet, part);
        }
        assert!(encoder.encode(FrameOptions::WHOLE, &mut wire));
        wire.len()
    };
    let first = bytes(&app, true);
    show(&mut app, |frame| frame.tick = 124);
    // Only the tick in the status line changes.
    assert!(bytes(&app, false) < 60 && first > 1000, "{first}");
}

#[test]
fn every_size_draws() {
    let open: [&[Action]; 10] = [
        &[],
        &[Action::Plots],
        &[Action::Plots, Action::Plots],
        &[Action::Plots, Action::View],
        &[Action::ChooseMeasures],
        &[Action::Help],
        &[Action::ChoosePreset],
        &[Action::ShowCommand],
        &[Action::EditValue],
        &[Action::Pause, Action::NextTheme],
    ];
    for (width, height) in
        [(0, 0), (1, 1), (2, 1), (1, 200), (3, 3), (12, 4), (40, 5), (80, 10), (81, 11), (80, 14), (300, 3)]
    {
        for clean in [false, true] {
            for actions in open {
                let mut app = scene("sparrows", width, height, clean);
                record_run(&mut app);
                for action in actions {
                    app.act(*action);
                }
                screen(&app, width, height);
                // A frame of another size.
                screen(&app, height, width);
            }
        }
    }
}

/// A screen of 100 × 30 with a camera, after 20 ticks.
fn aimed(preset: &str, aim: Aim, actions: &[Action], marker: Marker) -> String {
    let mut app = scene(preset, 100, 30, false);
    app.context.display.marker = marker;
    for action in actions {
        app.act(*action);
    }
    let mut flock = Flock::new(&Preset::load(preset).unwrap().setup(7, 1.4)).unwrap();
    let mut canvas = Canvas::with_format(CanvasFormat { aim, ..app.format() });
    for _ in 0..20 {
        flock.step(&mut Scratch::new());
        canvas.advance_camera(0.1);
        show_drawn(&mut app, &mut canvas, &flock);
    }
    app.context.client.show_frame(|frame| {
        (frame.camera, frame.view_info) = (canvas.camera(), canvas.view_info());
        frame.describe(&flock);
    });
    screen(&app, 100, 30)
}

#[test]
fn a_minimap_shows_while_zoomed_in() {
    let near = Aim { zoom: 4.0, ..Aim::default() };
    let has_map = |screen: &str| screen.lines().nth(28).unwrap().starts_with("└─────");
    for preset in ["drones", "sphere"] {
        assert!(!has_map(&aimed(preset, Aim::default(), &[], Marker::Braille)));
        let seen = aimed(preset, near, &[], Marker::Braille);
        assert!(has_map(&seen), "{seen}");
        assert!(!aimed(preset, near, &[Action::Clean], Marker::Braille).contains("└──"));
        let plain = aimed(preset, near, &[], Marker::Ascii);
        assert!(plain.lines().nth(28).unwrap().starts_with("+-----") && plain.contains('#'), "{plain}");
    }
}

#[test]
fn arrows_point_to_predators_out_of_view_unless_all_is_hidden() {
    // A corner of the world; the predators of the preset are elsewhere.
    let corner = Aim { zoom: 16.0, center: Some([20.0, 590.0, 0.0]), ..Aim::default() };
    let count = |actions: &[Action], marker, arrows: &str| {
        aimed("drones", corner, actions, marker).chars().filter(|char| arrows.contains(*char)).count()
    };
    // The panel and the status line have others.
    let hint = 4;
    assert!(count(&[], Marker::Braille, "→↘↓↙←↖↑↗") > hint);
    assert_eq!(count(&[Action::Clean], Marker::Braille, "→↘↓↙←↖↑↗"), 0);
}

#[test]
fn brackets_mark_the_followed_boid_in_the_middle() {
    let aim = Aim { zoom: 3.0, follow: Follow::Agent(5), ..Aim::default() };
    for preset in ["drones", "sphere"] {
        let seen = aimed(preset, aim, &[], Marker::Braille);
        // The flock takes 74 by 29 cells.
        let corners: Vec<Vec<char>> = [13, 15].map(|row| seen.lines().nth(row).unwrap().chars().collect()).into();
        let signs = [corners[0][34], corners[0][40], corners[1][34], corners[1][40]];
        assert_eq!(signs, ['┌', '┐', '└', '┘'], "{seen}");
    }
}

#[test]
fn the_mouse_hits_drawn_widgets() {
    let mut app = scene("drones", 120, 40, false);
    app.act(Action::AllParameters);
    let area = Rect::new(0, 0, 120, 40);
    let place = |app: &App, text: &str| {
        let screen = screen(app, 120, 40);
        let found =
            screen.lines().enumerate().find_map(|(row, line)| Some((row, line[..line.find(text)?].chars().count())));
        let (row, column) = found.unwrap_or_else(|| panic!("{text} in\n{screen}"));
        Position::new(column as u16, row as u16)
    };
    let weight = Param::find("separation.weight").unwrap();
    let Position { x: column, y: row } = place(&app, "weight  ");
    assert_eq!(app.hit(area, Position::new(column + 2, row)), Hit::Gauge(weight, GaugePart::Row));
    let bar = place(&app, "━━━━┼──── 0.001").x;
    assert_eq!(app.hit(area, Position::new(bar, row)), Hit::Gauge(weight, GaugePart::Bar(0.0)));
    assert_eq!(app.hit(area, Position::new(bar + 8, row)), Hit::Gauge(weight, GaugePart::Bar(1.0)));
    assert_eq!(app.hit(area, Position::new(bar + 9, row)), Hit::Gauge(weight, GaugePart::Row));
    gauges::set_share(
        weight,
        gauges::share(panel::gauges(app.regions(area).panel.unwrap(), &app.context).unwrap(), weight, bar + 4),
        &mut app.context,
    );
    assert_eq!(
        weight.get(&app.context.client.controls().setup.params),
        Value::Number(0.001),
        "the mark is the preset's value"
    );
    let falloff = Param::find("separation.falloff").unwrap();
    assert_eq!(app.hit(area, place(&app, "‹linear›")), Hit::Gauge(falloff, GaugePart::Word));
    assert_eq!(app.hit(area, place(&app, "alignment")), Hit::Panel);
    assert_eq!(app.hit(area, Position::new(10, 10)), Hit::Flock);
    assert_eq!(app.hit(area, Position::new(10, 39)), Hit::Elsewhere);
    let Position { x: column, y: row } = place(&app, "nearest neighbor");
    let measure = PlotMeasure::find("nearest_neighbor").unwrap();
    assert_eq!(app.hit(area, Position::new(column, row)), Hit::Sparkline(measure));
    assert_eq!(app.hit(area, Position::new(column + 20, row + 1)), Hit::Sparkline(measure));
    app.act(Action::Plots);
    assert_eq!([10, 30].map(|row| app.hit(area, Position::new(10, row))), [Hit::Flock, Hit::Page]);
    app.act(Action::Plots);
    assert_eq!([10, 30].map(|row| app.hit(area, Position::new(10, row))), [Hit::Page; 2]);
    app.act(Action::Plots);
    app.act(Action::Palette);
    "theme".chars().for_each(|sign| app.edit_text(LineEdit::Insert(sign)));
    let Some(Overlay::Palette(palette)) = &app.overlay else { panic!() };
    let third = palette.found[2].name.clone();
    assert_eq!(app.hit(area, place(&app, &third)), Hit::Entry(2));
    assert_eq!(app.hit(area, place(&app, ":theme")), Hit::Inside);
    assert_eq!(app.hit(area, Position::new(1, 1)), Hit::Outside);
}
