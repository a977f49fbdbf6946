//! Session files: the first state of a flock and the commands that changed it, as JSON lines.
//!
//! The first line is the header; each further line is `[tick, event]`. Numbers with a fraction are text, in the forms of the
//! command line, since JSON has no infinity and readers of JSON round. Nothing in a file names another file.

mod lines;
mod reader;
mod values;

use std::io::{self, Write};

pub use reader::{read, read_from};

use crate::config::Preset;
use crate::picture::GlyphTable;
use crate::sim::SessionLog;
use lines::{EventText, SessionHeader};

/// The version of the format.
pub const FORMAT: u32 = 2;
/// The file extension.
pub const EXTENSION: &str = "flock";

/// What a session file contains.
#[derive(Clone, Debug)]
pub struct SessionFile {
    /// The preset that the session started with.
    pub preset: Preset,
    /// Ticks per second at the start.
    pub rate: f32,
    /// The version of the program that wrote the file.
    pub program: String,
    /// The session. Event `N`, counted from 0, is in line `N + 2`.
    pub log: SessionLog,
    /// The glyphs of perches by their numbers.
    pub glyphs: GlyphTable,
    /// Whether the end is missing.
    pub truncated: bool,
}

impl SessionFile {
    /// The first and the last tick.
    pub fn ticks(&self) -> (u64, u64) {
        (self.log.start().tick(), self.log.tick())
    }
}

/// Writes a session whose perches have these glyphs. `end` is the session hash of its last state, if known.
///
/// # Errors
///
/// I/O errors.
pub fn write(
    preset: &Preset,
    rate: f32,
    log: &SessionLog,
    glyphs: &GlyphTable,
    end: Option<u64>,
    mut out: impl Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut out, &SessionHeader::of(preset, rate, log.start()))?;
    let last = (log.tick(), EventText::end(end));
    // The end repeats the hash of the last event.
    let repeated = usize::from(end.is_some() && end == log.last_hash());
    let events = &log.events()[..log.events().len() - repeated];
    for line in events.iter().map(|(tick, event)| (*tick, EventText::of(event, glyphs))).chain([last]) {
        out.write_all(b"\n")?;
        serde_json::to_writer(&mut out, &line)?;
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::sim::{
        Command, Flock, Formation, Param, Perch, Plane, Pointer, SessionEvent, SessionStart, Shelter, Value, World,
        Zone, ZoneKind,
    };
    use ratatui::buffer::Cell;
    use ratatui::style::{Color, Modifier};

    /// The glyphs of the session.
    fn glyphs() -> [Cell; 2] {
        let glyph = |text: &str, fg, bg| {
            let mut cell = Cell::default();
            cell.set_symbol(text).set_fg(fg).set_bg(bg);
            cell.modifier = Modifier::BOLD | Modifier::REVERSED;
            cell
        };
        [glyph(" ", Color::Reset, Color::Indexed(200)), glyph("漢", Color::Rgb(1, 2, 255), Color::Reset)]
    }

    /// A session with every kind of event.
    fn log(preset: &Preset, from_setup: bool) -> SessionLog {
        let setup = preset.setup(7, 1.6);
        let flock = Flock::new(&setup).unwrap();
        let mut log = SessionLog::new(SessionStart::of(&flock, from_setup));
        let pointer = Pointer { at: [1.0 / 3.0, 1e-30, -0.0], along: [0.0; 3], attracts: true };
        let eaten = Zone { amount: 1.0 / 3.0, ..Zone::new(ZoneKind::Food, [99.0, 80.0, 0.0], 9.5) };
        let perches = vec![
            Perch { at: [0.1, 1.0 / 3.0, 0.0], number: None },
            Perch { at: [1.0, 2.0, 0.0], number: Some(0) },
            Perch { at: [3.0; 3], number: Some(1) },
        ];
        let plane = Plane { center: [0.1; 3], right: [1.0, 0.0, 1e-9], down: [0.0, 2.5, 0.0] };
        let shelter = Shelter { area: plane, eye: [0.0, 0.0, -9.0], calm: f32::INFINITY };
        let commands = [
            Command::set("cohesion.radius", Value::Number(f32::INFINITY)).unwrap(),
            Command::set("separation.falloff", Value::Choice("flat")).unwrap(),
            Command::SetBoids(90),
            Command::SetPredators(0),
            Command::Reseed(u64::MAX),
            Command::Restart,
            Command::Resize(World::Rect([400.1, 300.7])),
            Command::AddZone(eaten),
            Command::MoveZone(0, [0.1, 0.2, 0.0]),
            Command::RemoveZone(0),
            Command::Morph(Box::new(setup.clone()), 30),
            Command::SetPointer(Some(pointer)),
            Command::Replace(Box::new(setup.with_zones(vec![eaten]))),
            Command::SetPointer(None),
            Command::Call(Arc::new(Formation { perches: perches.clone(), plane: Some(plane), shelter: Some(shelter) })),
            Command::Place(Arc::new(Formation { perches, plane: None, shelter: None })),
            Command::Release,
            Command::SetParams(
                vec![
                    (Param::find("alignment.weight").unwrap(), Value::Number(0.1)),
                    (Param::find("cohesion.response").unwrap(), Value::Choice("unit")),
                ],
                60,
            ),
        ];
        for (tick, command) in commands.into_iter().enumerate() {
            log.push_at(3 * tick as u64, SessionEvent::Command(command));
        }
        log.push_at(60, SessionEvent::Hash(0xab));
        log
    }

    #[test]
    fn the_events_of_a_file_take_limited_memory() {
        let preset = Preset::load("drones").unwrap();
        let flock = Flock::new(&preset.setup(7, 1.6)).unwrap();
        let header = text(&preset, &SessionLog::new(SessionStart::of(&flock, true)));
        let file = header.lines().next().unwrap().to_owned() + &"\n[0,\"restart\"]".repeat(4_000_000);
        let error = read_from(file.as_bytes(), Path::new("many.flock")).unwrap_err().to_string();
        assert!(error.contains("many.flock") && error.contains("more than 128 MB"), "{error}");
    }

    fn text(preset: &Preset, log: &SessionLog) -> String {
        let mut bytes = Vec::new();
        let table = GlyphTable::default();
        assert_eq!(glyphs().map(|glyph| table.number(&glyph)), [0, 1]);
        write(preset, 30.0, log, &table, Some(0xcd), &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn read_text(text: &str) -> Result<SessionFile, String> {
        read_from(text.as_bytes(), Path::new("a.flock")).map_err(|error| error.to_string())
    }

    #[test]
    fn sessions_read_back_as_written() {
        for (preset, from_setup) in [("drones", true), ("sheep", false), ("sphere", false)] {
            let preset = Preset::load(preset).unwrap();
            let mut log = log(&preset, from_setup);
            let file = read_text(&text(&preset, &log)).unwrap();
            log.push_at(60, SessionEvent::Hash(0xcd));
            assert_eq!((file.rate, file.truncated, &file.preset), (30.0, false, &preset));
            assert_eq!((file.log.start(), file.log.events()), (log.start(), log.events()));
            assert_eq!(file.log.tick(), 60);
            assert_eq!([0, 1].map(|number| file.glyphs.glyph(number).unwrap()), glyphs());
        }
    }

    #[test]
    fn a_truncated_file_ends_at_its_last_whole_line() {
        let preset = Preset::load("drones").unwrap();
        let whole = text(&preset, &log(&preset, true));
        let header = whole.find('\n').unwrap();
        for end in (header + 1..whole.len() - 1).step_by(7).filter(|end| whole.is_char_boundary(*end)) {
            let file = read_text(&whole[..end]).unwrap();
            let lines = whole[..end].lines().count();
            assert!(file.truncated || end + 2 > whole.len(), "{end}");
            assert!((lines.saturating_sub(2)..lines).contains(&file.log.events().len()), "{end}");
        }
        assert!(read_text(&whole[..header - 9]).unwrap_err().starts_with("a.flock:1: "));
    }

    #[test]
    fn errors_name_the_line_and_the_reason() {
        let preset = Preset::load("drones").unwrap();
        let whole = text(&preset, &log(&preset, true));
        for (from, to, expected) in [
            ("flockscope-session\":2", "flockscope-session\":3", "1: session format 3, written by flockscope "),
            ("flockscope-session\":2", "flockscope-session\":1e9", "1: session format 1000000000, written by "),
            (
                "flockscope-session\":2",
                "flockscope-session\":0",
                "1: there is no session format 0: expected a whole number",
            ),
            ("flockscope-session\":2", "flockscope-session\":-1", "1: there is no session format -1: expected"),
            ("flockscope-session\":2", "flockscope-session\":1.5", "1: there is no session format 1.5: expected"),
            ("flockscope-session\":2", "flockscope-session\":\"2\"", "1: not a session file"),
            ("{\"flockscope-session\":2", "{\"format\":2", "1: not a session file"),
            ("\"world\":", "\"wrld\":", "1: invalid header: missing field `world`"),
            ("\"start\":\"", "\"start\":\"x", "1: invalid header: start = x"),
            ("\"cohesion.weight\":\"", "\"cohesion.weight\":\"x", "1: invalid header: cohesion.weight = x"),
            (
                "\"cohesion.weight\":\"",
                "\"cohesion.wieght\":\"",
                "1: invalid header: unknown parameter `cohesion.wieght`",
            ),
            ("cohesion.radius=inf", "cohesion.radius=-1", "2: cohesion.radius = -1 is out of range"),
            ("cohesion.radius=inf", "cohesion.radius", "2: invalid parameter `cohesion.radius`: expected KEY=VALUE"),
            ("[6,{\"boids\":90}]", "[2,{\"boids\":90}]", "4: tick 2 after tick 3"),
            ("[6,{\"boids\":90}]", "[6,{\"birds\":90}]", "4: unknown variant `birds`"),
            ("[6,{\"boids\":90}]", "[6,{\"boids\":-1}]", "4: invalid value"),
            ("[6,{\"boids\":90}]", "[6,{\"boids\":90}", "4: "),
            ("[6,{\"boids\":90}]", "", "4: expected [TICK, EVENT]"),
            ("[6,{\"boids\":90}]", "[9007199254740993,{\"boids\":90}]", "4: tick 9007199254740993 is above"),
            ("\"hash\":\"", "\"hash\":\"x", "20: invalid hash `x"),
            (
                "\"set-all\":[60,{\"alignment.weight\":\"",
                "\"set-all\":[60,{\"alignment.weight\":\"x",
                "19: alignment.weight = x",
            ),
            ("attract:", "push:", "13: invalid pointer `push:"),
            (" 2 漢", " 3 漢", "16: invalid perch `3,3,3 #0102ff - 17 3 漢`: expected X,Y,Z"),
            ("0,0,-9 inf", "0,0,-9 x", "16: invalid shelter `0.1,0.1,0.1:1,0,"),
            ("\"plane\":\"0.1,", "\"plane\":\"", "16: invalid plane `0.1,0.1:1,0,"),
        ] {
            assert!(whole.contains(from), "{from}");
            let error = read_text(&whole.replacen(from, to, 1)).unwrap_err();
            assert!(error.starts_with(&format!("a.flock:{expected}")), "{to}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
        let after = read_text(&format!("{whole}[99,\"restart\"]\n")).unwrap_err();
        assert_eq!(after, "a.flock:22: nothing may follow the end of the session in line 21");
        for foreign in ["", "\n", "tick,id,kind\n0,1,prey\n", "[1,2]\n", "{}\n", "\u{0}\u{1}"] {
            assert!(read_text(foreign).unwrap_err().starts_with("a.flock:1: not a session file"), "{foreign:?}");
        }
        let mut bytes = whole.into_bytes();
        let at = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 2;
        bytes[at] = 0xff;
        let error = read_from(&bytes[..], Path::new("a.flock")).unwrap_err().to_string();
        assert!(error.starts_with("a.flock:2: "), "{error}");
    }

    #[test]
    fn bytes_that_editors_add_are_ignored() {
        let preset = Preset::load("drones").unwrap();
        let whole = text(&preset, &log(&preset, true));
        let expected = read_text(&whole).unwrap();
        for edited in [
            format!("\u{feff}{whole}"),
            whole.replace('\n', "\r\n"),
            format!("{whole}\n \n"),
            format!("\u{feff}{}\r\n", whole.replace('\n', "\r\n")),
        ] {
            let file = read_text(&edited).unwrap();
            assert_eq!((file.log, file.truncated), (expected.log.clone(), false), "{edited:?}");
        }
        assert!(read_text(&format!("{whole}\n[99,\"restart\"]\n")).unwrap_err().contains("nothing may follow"));
        assert!(read_text("\u{feff}").unwrap_err().contains("not a session file"));
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let preset = Preset::load("drones").unwrap();
        let whole = text(&preset, &log(&preset, false));
        let more = whole.replacen("\"seed\":", "\"color\":[1,{\"x\":null}],\"seed\":", 2);
        assert_eq!(read_text(&more).unwrap().log, read_text(&whole).unwrap().log);
    }
}
