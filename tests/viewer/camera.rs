//! Contract: the keys that move the view work in a pseudo-terminal, and the
//! screen shows the result.

use crate::program;
use crate::terminal::Terminal;

/// A terminal of 120 × 40 that runs flockscope.
fn viewer(args: &[&str]) -> Terminal {
    Terminal::new(120, 40, args)
}

/// Whether the minimap is visible above the status line.
fn has_map(screen: &str) -> bool {
    screen.lines().nth(38).is_some_and(|line| line.starts_with("└──────"))
}

/// Dots in the flock's part of the screen.
fn dots(screen: &str) -> u32 {
    let lines = screen.lines().take(28);
    let signs = lines.flat_map(|line| line.chars().take(94)).map(u32::from);
    signs.filter(|sign| (0x2801..=0x28ff).contains(sign)).map(|sign| (sign - 0x2800).count_ones()).sum()
}

#[test]
fn zoom_follow_and_pan_work_in_a_flat_world() {
    let mut terminal = viewer(&["-p", "drones", "-s", "7"]);
    terminal.wait_for_text("pause");
    assert!(!has_map(&terminal.text()));
    terminal.press("]");
    terminal.wait_for_text("zoom 1.4×");
    terminal.press("]");
    terminal.wait_for_text("zoom 2×");
    terminal.wait_for("a map", |screen| has_map(screen).then_some(()));
    terminal.press("f");
    terminal.wait_for_text("following boid ");
    // Row 19 of 39, column 47 of 94: corner marks appear around the center, one row above and below.
    terminal.wait_for("corners around the middle", |screen| {
        let line: Vec<char> = screen.lines().nth(18)?.chars().collect();
        (line.get(44) == Some(&'┌') && line.get(50) == Some(&'┐')).then_some(())
    });
    terminal.press("f");
    terminal.wait_for_text("following the largest flock");
    terminal.press("f");
    terminal.wait_for_text("no longer following");
    terminal.press("\x1b[1;5D");
    terminal.wait_for_text("view center ");
    terminal.press("\\");
    terminal.wait_for_text("whole world");
    terminal.wait_for("no map", |screen| (!has_map(screen)).then_some(()));
}

#[test]
fn the_camera_moves_while_paused() {
    let mut terminal = viewer(&["-p", "drones", "-s", "7", "--view", "heads"]);
    terminal.wait_for_text("tick ");
    terminal.press(" ");
    terminal.wait_for_text("paused");
    let whole = terminal.wait_for("dots", |screen| Some(dots(screen)).filter(|dots| *dots > 0));
    (0..8).for_each(|_| terminal.press("]"));
    terminal.wait_for_text("zoom 16×");
    // Almost none of the ninety-seven boids is left in view.
    terminal.wait_for("an emptier view", |screen| (dots(screen) * 2 < whole).then_some(()));
    terminal.press("\x1b[1;5H");
    terminal.wait_for_text("whole world");
    terminal.wait_for("all of them again", |screen| (dots(screen) * 2 > whole).then_some(()));
}

#[test]
fn arrows_orbit_in_three_dimensions() {
    let mut terminal = viewer(&["-p", "sphere", "-s", "7", "--zoom", "2", "--follow", "largest"]);
    terminal.wait_for("a map", |screen| has_map(screen).then_some(()));
    terminal.press("\x1b[1;5A");
    // Before the first key the camera drifts.
    let yaw: u16 = terminal.wait_for("10° below", |screen| {
        let (before, _) = screen.split_once("°, 10° below")?;
        before.rsplit_once("camera at ")?.1.parse().ok()
    });
    terminal.press("\x1b[1;5A\x1b[1;5A");
    terminal.wait_for_text("10° above");
    terminal.press("\x1b[1;5C");
    terminal.wait_for_text(&format!("camera at {}°", yaw + 10));
}

#[test]
fn a_picture_uses_the_camera_options() {
    let picture = |args: &[&str]| {
        let drones = ["shot", "-p", "drones", "-s", "7", "--ticks", "40", "-o", "-", "--size", "60x20"];
        let output = program::flockscope(&drones).args(args).output().unwrap();
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (whole, near) = (picture(&[]), picture(&["--zoom", "3", "--follow", "largest"]));
    assert_eq!((whole.0, near.0), (Some(0), Some(0)));
    assert_ne!(whole.1, near.1);
    assert_eq!(near.1, picture(&["--zoom", "3", "--follow", "largest"]).1);
    assert_eq!(whole.1, picture(&["--zoom", "1"]).1);
    for (args, word) in [(["--zoom", "0.5"], "from 1 to 64"), (["--follow", "larges"], "expected an id, or `largest`")]
    {
        let (status, _, error) = picture(&args);
        assert!(status == Some(2) && error.contains(word), "{error}");
    }
}
