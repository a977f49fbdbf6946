//! Contract: clips show the same pictures as `shot`, at the flock's own pace, and are reproducible.

use std::fs;
use std::path::Path;

use crate::program::{fails, flockscope, is_writing, process};
use gif::{ColorOutput, DecodeOptions, Repeat};
use serde_json::Value;
use tempfile::TempDir;

/// Writes a file of this name, and reads it.
fn record(folder: &Path, name: &str, args: &[&str]) -> Vec<u8> {
    let file = folder.join(name);
    let output = flockscope(args).arg("-o").arg(&file).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stderr).unwrap();
    let summary = format!("{}: ", file.display());
    let is_right =
        if args[0] == "record" { said.starts_with(&summary) && said.contains(" frame") } else { said.is_empty() };
    assert!(output.stdout.is_empty() && is_right, "{said}");
    fs::read(file).unwrap()
}

/// The header and the events of an asciicast.
fn lines(cast: &[u8]) -> (Value, Vec<(f64, String, String)>) {
    let text = std::str::from_utf8(cast).unwrap();
    let (header, events) = text.split_once('\n').unwrap();
    let events = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_str(header).unwrap(), events)
}

fn screen(bytes: &[u8], columns: u16, rows: u16) -> vt100::Parser {
    let mut terminal = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
    terminal.process(bytes);
    terminal
}

/// The characters on a screen, without trailing blanks.
fn text_of(terminal: &vt100::Parser) -> Vec<String> {
    terminal.screen().contents().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A flock small enough for a debug build, and its options.
const FLOCK: [&str; 10] = ["-p", "drones", "-s", "7", "-n", "60", "--size", "60x20", "--view", "heads"];

#[test]
fn a_cast_shows_the_pictures_at_the_right_times() {
    let folder = TempDir::new().unwrap();
    let flight = ["--ticks", "20", "--duration", "1s", "--fps", "10", "--rate", "60"];
    let cast = record(folder.path(), "flock.cast", &[&["record"][..], &FLOCK, &flight].concat());
    let (header, events) = lines(&cast);
    assert_eq!((&header["version"], &header["width"], &header["height"]), (&2.into(), &60.into(), &20.into()));
    assert_eq!(header["title"], "drones, 60 boids, seed 7, from tick 20");
    assert_eq!(header["theme"]["bg"].as_str().map(str::len), Some(7));
    assert_eq!(header["theme"]["palette"].as_str().map(|palette| palette.split(':').count()), Some(16));
    // Ten frames, and an end that keeps the last frame for its duration.
    let codes: String = events.iter().map(|(_, code, _)| code.as_str()).collect();
    assert_eq!(codes, "o".repeat(11));
    let times: Vec<f64> = (0..=10).map(|frame| f64::from(frame) / 10.0).collect();
    assert_eq!(events.iter().map(|(time, ..)| *time).collect::<Vec<_>>(), times);
    let mut shown = screen(b"", 60, 20);
    for (number, (_, _, told)) in events[..10].iter().enumerate() {
        shown.process(told.as_bytes());
        let ticks = (20 + 6 * number).to_string();
        let picture = record(folder.path(), "flock.ansi", &[&["shot"][..], &FLOCK, &["--ticks", &ticks]].concat());
        let rows: Vec<&[u8]> = picture.trim_ascii_end().split(|byte| *byte == b'\n').collect();
        let picture = screen(&rows.join(&b"\r\n"[..]), 60, 20);
        assert_eq!(text_of(&shown), text_of(&picture), "frame {number}");
    }
    assert!(shown.screen().hide_cursor());
    shown.process(events[10].2.as_bytes());
    assert!(!shown.screen().hide_cursor());
}

#[test]
fn a_gif_shows_the_pictures_at_the_right_times() {
    let folder = TempDir::new().unwrap();
    // A few colors are exact; many are approximated.
    for (look, most) in [
        (["--view", "heads", "--color", "mono"], 0.0),
        (["--view", "glow", "-t", "dusk"], 2.0),
        (["--view", "glow", "-t", "aurora"], 2.0),
        (["--view", "glow", "-t", "washi"], 2.0),
    ] {
        let look = [&FLOCK[..8], &look].concat();
        let flight = ["--ticks", "40", "--duration", "600ms", "--fps", "30", "--rate", "60"];
        let clip = record(folder.path(), "flock.gif", &[&["record"][..], &look, &flight].concat());
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut clip = options.read_info(&clip[..]).unwrap();
        assert_eq!(clip.repeat(), Repeat::Infinite);
        let (width, height) = (usize::from(clip.width()), usize::from(clip.height()));
        let (mut shown, mut delays) = (vec![0; width * height * 3], Vec::new());
        while let Some(frame) = clip.read_next_frame().unwrap() {
            delays.push(frame.delay);
            let row = usize::from(frame.width);
            for (at, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let (x, y) = (usize::from(frame.left) + at % row, usize::from(frame.top) + at / row);
                shown[(y * width + x) * 3..][..3].copy_from_slice(&pixel[..3]);
            }
        }
        assert_eq!((delays.len(), delays.iter().sum::<u16>()), (18, 60), "{delays:?}");
        assert!(delays.iter().all(|delay| (3..=4).contains(delay)), "{delays:?}");
        // Two ticks per frame. Temporal smoothing is the same in both.
        let picture = record(folder.path(), "flock.png", &[&["shot"][..], &look, &["--ticks", "74"]].concat());
        let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut picture = decoder.read_info().unwrap();
        let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
        let info = picture.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width as usize, info.height as usize, pixels.len()), (width, height, shown.len()));
        let off: u64 = shown.iter().zip(&pixels).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
        let mean = off as f64 / shown.len() as f64;
        assert!(mean <= most, "{look:?}: {mean}");
    }
}

#[test]
fn ten_seconds_of_the_default_flock_take_at_most_three_megabytes() {
    let folder = TempDir::new().unwrap();
    for look in [&["-t", "afterglow"][..], &["-t", "dusk"], &["-t", "afterglow", "--panel"]] {
        let args = ["record", "-s", "7", "--size", "80x24", "--duration", "10s", "--fps", "12"];
        let bytes = record(folder.path(), "flock.gif", &[&args[..], look].concat()).len();
        assert!(bytes <= 3_000_000, "{look:?}: {bytes} bytes");
    }
}

#[test]
fn the_end_of_a_recording_names_file_size_and_length() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flock.gif");
    let args = [&["record"][..], &FLOCK, &["--duration", "2s", "--fps", "6"]].concat();
    let output = flockscope(&args).arg("-o").arg(&file).output().unwrap();
    let size = fs::metadata(&file).unwrap().len() as f64 / 1e3;
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("{}: {size:.2} kB, 2.0 s, 12 frames\n", file.display()));
}

#[test]
fn the_panel_matches_pictures() {
    let folder = TempDir::new().unwrap();
    let look = ["-p", "drones", "-s", "7", "-n", "60", "--size", "100x30", "--panel"];
    // Up to a tick with a measurement.
    let flight = ["--ticks", "18", "--duration", "1s", "--fps", "10", "--rate", "60"];
    let (_, events) = lines(&record(folder.path(), "flock.cast", &[&["record"][..], &look, &flight].concat()));
    let mut shown = screen(b"", 100, 30);
    events.iter().filter(|(_, code, _)| code == "o").for_each(|(.., told)| shown.process(told.as_bytes()));
    let picture = record(folder.path(), "flock.ansi", &[&["shot"][..], &look, &["--ticks", "72"]].concat());
    let rows: Vec<&[u8]> = picture.trim_ascii_end().split(|byte| *byte == b'\n').collect();
    let picture = screen(&rows.join(&b"\r\n"[..]), 100, 30);
    assert_eq!(text_of(&shown), text_of(&picture));
    assert!(!text_of(&shown)[29].contains("fps"), "{}", text_of(&shown)[29]);
}

#[test]
fn version_3_of_a_cast_has_waits_and_the_exit_status() {
    let folder = TempDir::new().unwrap();
    let flight = ["--ticks", "20", "--duration", "300ms", "--fps", "10"];
    let [old, new] = ["2", "3"].map(|version| {
        let args = [&["record"][..], &FLOCK, &flight, &["--cast-version", version]].concat();
        lines(&record(folder.path(), "flock.cast", &args))
    });
    assert_eq!((&new.0["version"], &new.0["title"]), (&3.into(), &old.0["title"]));
    assert_eq!((&new.0["term"]["cols"], &new.0["term"]["rows"]), (&old.0["width"], &old.0["height"]));
    assert_eq!(new.0["term"]["theme"], old.0["theme"]);
    assert_eq!(new.1.iter().map(|(wait, ..)| *wait).collect::<Vec<_>>(), [0.0, 0.1, 0.1, 0.1, 0.0]);
    let texts = |events: &[(f64, String, String)]| events.iter().map(|(.., text)| text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&new.1[..4]), texts(&old.1));
    assert_eq!((new.1[4].1.as_str(), new.1[4].2.as_str()), ("x", "0"));
    let path = folder.path().join("flock.gif");
    let refused =
        flockscope(&["record", "-s", "7", "--cast-version", "3", "-o", path.to_str().unwrap()]).output().unwrap();
    assert!(!refused.status.success() && !path.exists());
}

#[test]
fn a_clip_is_the_same_for_the_same_seed() {
    let folder = TempDir::new().unwrap();
    for format in ["cast", "gif"] {
        for panel in [&[][..], &["--panel"], &["-t", "afterglow", "--color", "256"]] {
            let clip = |name: &str, threads: &str| {
                // Enough boids for several threads.
                let flock = ["record", "-s", "7", "-n", "4500", "-j", threads, "--size", "90x24"];
                let flight = ["--ticks", "5", "--duration", "300ms", "--fps", "20"];
                record(folder.path(), &format!("{name}.{format}"), &[&flock[..], &flight, panel].concat())
            };
            let first = clip("a", "1");
            assert!(first == clip("b", "2") && first.len() > 3000, "{format} {panel:?}");
        }
    }
}

#[test]
fn standard_output_gets_a_cast_and_a_random_seed_is_printed() {
    let flight = ["record", "-p", "drones", "--ticks", "0", "--duration", "120ms", "--size", "40x10", "-o", "-"];
    let output = flockscope(&flight).output().unwrap();
    assert!(output.status.success());
    let (header, events) = lines(&output.stdout);
    assert_eq!((&header["version"], events.len()), (&2.into(), 1 + 1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.trim().strip_prefix("seed ").is_some_and(|seed| seed.parse::<u64>().is_ok()), "{said}");
    assert!(header["title"].as_str().unwrap().contains(said.trim()));
}

#[test]
fn viewer_duration_and_frame_rate_do_not_apply_to_clips() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, "fps = 7\nduration = \"1h\"\ntheme = \"paper\"\nrate = 20\n").unwrap();
    let flight = ["record", "-s", "7", "-n", "9", "--ticks", "0", "--size", "80x10"];
    let with_config = [&flight[..], &["--config", config.to_str().unwrap()]].concat();
    let args = [&with_config[..], &["--duration", "200ms"]].concat();
    let (header, events) = lines(&record(folder.path(), "flock.cast", &args));
    assert_eq!(events.len(), 2 + 1, "12 frames a second");
    let plain =
        lines(&record(folder.path(), "plain.cast", &[&flight[..], &["--no-config", "--duration", "1ms"]].concat()));
    assert_ne!(header["theme"], plain.0["theme"]);
    // The requested frame rate and duration, and the config's tick rate.
    let args = [&with_config[..], &["--fps", "10", "--duration", "1s", "--panel"]].concat();
    let (_, events) = lines(&record(folder.path(), "slow.cast", &args));
    let mut shown = screen(b"", 80, 10);
    events.iter().filter(|(_, code, _)| code == "o").for_each(|(.., told)| shown.process(told.as_bytes()));
    assert_eq!(events.len(), 10 + 1);
    assert!(shown.screen().contents().contains("tick 18"), "{}", shown.screen().contents());
}

#[test]
fn a_failed_clip_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flock.gif");
    let path = file.to_str().unwrap();
    fs::write(&file, "what was there\n").unwrap();
    for (args, status, word) in [
        (&["-o", &path.replace("gif", "mp4")][..], 2, "end in .gif or .cast"),
        (&["-o", path, "--fps", "60"], 2, "at most 50 frames per second"),
        (&["-o", path, "--fps", "61"], 2, "from 1 to 60"),
        (&["-o", path, "--duration", "0s"], 2, "a duration of up to an hour"),
        (&["-o", path, "--duration", "2h"], 2, "a duration of up to an hour"),
        (&["-o", path, "-t", "no/such.toml"], 1, "no/such.toml"),
        (&["-o", path, "--set", "speed.min=3", "--set", "speed.max=2"], 2, "speed.m"),
        (&["-o", "no/such/folder/flock.gif"], 1, "no/such/folder"),
        (
            &["-o", path, "-p", "drones", "--ticks", "3", "--follow", "99999"],
            2,
            "no boid or predator has this id at tick 3",
        ),
        (&[], 2, "--output"),
    ] {
        let error = fails(&[&["record"][..], args].concat(), status);
        assert!(error.contains(word), "{args:?}: {error}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_file() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = TempDir::new().unwrap();
    // Before the clip, during it, and with many ticks per frame.
    let slow = &["--ticks", "0", "--rate", "0.1"][..];
    for (name, more) in
        [("flock.cast", &["--ticks", "1000000"][..]), ("flock.gif", &[]), ("flock.cast", slow), ("flock.gif", slow)]
    {
        let mut command = process(&["record", "-s", "7", "--duration", "1h"]);
        command.args(more).arg("-o").arg(folder.path().join(name));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while !is_writing(folder.path()) && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // After it has installed its handler.
        std::thread::sleep(Duration::from_millis(300));
        let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), Some(143), "{name}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}
