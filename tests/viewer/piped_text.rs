//! Contract: text on standard input is shown as a terminal shows it, flies, and lands cell for cell; nothing but its cells reaches the
//! terminal; without text the viewer is the usual one.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::program;
use crate::terminal::{Terminal, clean_command, dots, size};
use ratatui::layout::Size;
use tempfile::TempDir;

/// Colors, attributes, wide and combined characters, a background, a tab and a moved cursor.
const TEXT: &str = "\x1b[1;31mred\x1b[0m plain \x1b[38;5;208morange\x1b[0m \x1b[38;2;250;130;10mrgb\x1b[0m \x1b[44mon blue\x1b[0m\n\
    \x1b[3mitalic\x1b[0m \x1b[4munderlined word\x1b[0m \x1b[7mreversed word\x1b[0m \x1b[2mdim\x1b[0m\n\
    \ttab\t鳥の群れ e\u{301}\n\n  \x1b[45m   \x1b[0m\x1b[12;60H\x1b[32mmoved\x1b[24;79H鳥";

/// A cell: its text, its colors, and whether it is bold, dim, italic, underlined and reversed.
type Cell = (String, vt100::Color, vt100::Color, [bool; 5]);

/// The cells of a screen, row by row.
fn cells(screen: &vt100::Screen) -> Vec<Cell> {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    places
        .map(|(row, column)| {
            let cell = screen.cell(row, column).unwrap();
            let modifiers = [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()];
            (cell.contents().trim_end().to_owned(), cell.fgcolor(), cell.bgcolor(), modifiers)
        })
        .map(|cell| if is_blank(&cell) { (cell.0, vt100::Color::Default, cell.2, cell.3) } else { cell })
        .collect()
}

/// Whether only the background and lines can be seen.
fn is_blank((text, _, _, modifiers): &Cell) -> bool {
    text.is_empty() && !modifiers[3] && !modifiers[4]
}

fn is_empty(cell: &Cell) -> bool {
    is_blank(cell) && cell.2 == vt100::Color::Default
}

/// What a terminal of this size shows of a text, with the colors of a depth.
fn expected(text: &str, columns: u16, rows: u16, depth: &str) -> Vec<Cell> {
    let mut parser = vt100::Parser::new(size(rows), size(columns), 0);
    parser.process(text.replace('\n', "\r\n").as_bytes());
    let color = |color| match (depth, color) {
        ("mono", _) => vt100::Color::Default,
        ("256" | "16", vt100::Color::Rgb(250, 130, 10)) | ("16", vt100::Color::Idx(208)) => {
            vt100::Color::Idx(if depth == "256" { 208 } else { 9 })
        }
        (_, color) => color,
    };
    cells(parser.screen())
        .into_iter()
        .map(|(text, fg, bg, modifiers)| (text, color(fg), color(bg), modifiers))
        .collect()
}

/// A shell line in which `$0` is flockscope, in a terminal whose standard input it may redirect.
fn shell(columns: u16, rows: u16, line: &str) -> Terminal {
    let mut command = clean_command("sh");
    command.args(["-c", line]);
    command.arg(program::path());
    command.env("COLORTERM", "truecolor");
    Terminal::with(columns, rows, command)
}

/// Files that tests redirect.
struct Inputs(TempDir);

impl Inputs {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, bytes: impl AsRef<[u8]>) -> PathBuf {
        let count = fs::read_dir(self.0.path()).unwrap().count();
        let path = self.0.path().join(format!("{count}.txt"));
        fs::write(&path, bytes).unwrap();
        path
    }

    /// flockscope with these arguments and this text on standard input.
    fn viewer(&self, size: impl Into<Size>, text: impl AsRef<[u8]>, args: &str) -> Terminal {
        let Size { width, height } = size.into();
        let path = self.file(text);
        shell(width, height, &format!("exec \"$0\" {args} < '{}'", path.display()))
    }
}

/// Checks the first frame: as soon as as many cells are drawn as the text has, all of them must be right.
fn shows_at_first(terminal: &mut Terminal, expected: &[Cell], what: &str) {
    let drawn = |cells: &[Cell]| cells.iter().filter(|cell| !is_empty(cell)).count();
    let shown = terminal
        .wait_to_see("the first frame", |screen| Some(cells(screen)).filter(|cells| drawn(cells) >= drawn(expected)));
    same(&shown, expected, what);
}

fn same(shown: &[Cell], expected: &[Cell], what: &str) {
    for (index, (shown, expected)) in shown.iter().zip(expected).enumerate() {
        assert_eq!(shown, expected, "{what}: cell {index}");
    }
    assert_eq!(shown.len(), expected.len());
}

/// Waits until the text has taken off.
fn takes_off(terminal: &mut Terminal, expected: &[Cell]) {
    let shown =
        |screen: &vt100::Screen| cells(screen).iter().zip(expected).filter(|(shown, cell)| shown == cell).count();
    let most = expected.len() - expected.iter().filter(|cell| !is_empty(cell)).count() / 2;
    terminal.wait_to_see("letters in flight", |screen| (shown(screen) < most).then_some(()));
}

fn lands(terminal: &mut Terminal, expected: &[Cell]) {
    terminal.wait_to_see("the text", |screen| (cells(screen) == expected).then_some(()));
}

fn quit(mut terminal: Terminal) -> String {
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, 0, "{text}");
    text
}

#[test]
fn the_first_and_the_last_frame_show_the_text_cell_for_cell() {
    let inputs = Inputs::new();
    let mut cases = Vec::new();
    for window in [(80, 24), (120, 40)] {
        for depth in ["truecolor", "256", "16", "mono"] {
            cases.push((window, depth, format!("--color {depth}")));
        }
    }
    // A slow link, another preset, and a plane in space.
    for options in ["--bandwidth 20K", "-p swifts", "-p murmuration"] {
        cases.push(((80, 24), "truecolor", options.to_owned()));
    }
    let running: Vec<_> = cases
        .iter()
        .map(|(window, depth, options)| {
            let expected = expected(TEXT, window.0, window.1, depth);
            (inputs.viewer(*window, TEXT, &format!("-s 1 {options}")), expected, format!("{window:?} {options}"))
        })
        .collect();
    for (mut terminal, expected, what) in running {
        shows_at_first(&mut terminal, &expected, &what);
        takes_off(&mut terminal, &expected);
        lands(&mut terminal, &expected);
    }
}

#[test]
fn letters_land_in_the_cells_of_a_resized_window() {
    let inputs = Inputs::new();
    let mut terminal = inputs.viewer((80, 24), TEXT, "-s 1");
    let whole = expected(TEXT, 80, 24, "truecolor");
    shows_at_first(&mut terminal, &whole, "80x24");
    takes_off(&mut terminal, &whole);
    terminal.resize(60, 20);
    let cut: Vec<Cell> = whole.chunks(80).take(20).flat_map(|row| row[..60].to_vec()).collect();
    lands(&mut terminal, &cut);
    quit(terminal);
}

#[test]
fn help_opens_over_a_landed_text_and_other_letters_take_off() {
    let inputs = Inputs::new();
    let mut terminal = inputs.viewer((80, 24), TEXT, "-s 1");
    let whole = expected(TEXT, 80, 24, "truecolor");
    shows_at_first(&mut terminal, &whole, "");
    takes_off(&mut terminal, &whole);
    terminal.wait_for_text("any other letter takes off");
    terminal.press("?");
    terminal.wait_for_text("select a rule");
    terminal.press("\x1bx");
    quit(terminal);
}

#[test]
fn a_text_that_does_not_fit_shows_its_first_screenful_and_says_so() {
    for line in [
        "exec yes flock | exec \"$0\" -s 1",
        "seq 3000000 | exec \"$0\" -s 1",
        "head -c 10000000 /dev/zero | tr '\\0' 'a' | exec \"$0\"",
    ] {
        let mut terminal = shell(80, 24, line);
        terminal.wait_for_text("the text is longer than the screen: showing the first 24 lines");
        quit(terminal);
    }
}

#[test]
fn keys_come_from_the_terminal_and_the_command_names_what_it_cannot_repeat() {
    let inputs = Inputs::new();
    let mut terminal = inputs.viewer((80, 24), TEXT, "-s 1");
    let whole = expected(TEXT, 80, 24, "truecolor");
    shows_at_first(&mut terminal, &whole, "");
    terminal.press("a");
    takes_off(&mut terminal, &whole);
    terminal.press("a");
    lands(&mut terminal, &whole);
    let text = quit(terminal);
    assert!(text.contains("flockscope -p starlings -s 1 -n "), "{text}");
    assert!(text.contains("# the text was read from standard input"), "{text}");
}

#[test]
fn without_text_the_viewer_is_the_usual_one() {
    for line in [
        ": | exec \"$0\" -p starlings",
        "printf ' \\n\\033[31m\\n' | exec \"$0\" -p starlings",
        "sleep 20 | exec \"$0\" -p starlings",
    ] {
        let mut terminal = shell(100, 30, line);
        terminal.wait_for_text("2 predators");
        terminal.wait_for_text("▶ running");
        quit(terminal);
    }
}

#[test]
fn text_is_ignored_if_the_command_line_says_what_to_show() {
    let inputs = Inputs::new();
    let mut terminal = inputs.viewer((80, 24), TEXT, "-p starlings --say hi");
    terminal.wait_for("letters of dots", |screen| (dots(screen) > 20).then_some(()));
    terminal.wait_for_text("▶ running");
    quit(terminal);
}

#[test]
fn no_sequence_of_the_text_reaches_the_terminal() {
    let text = "\x1b]0;evil title\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\\x1b]10;?\x1b\\\x1b[>c\x1b[5n\x1bZ\
        \x1b[?1004$p\x1bP+q544e\x1b\\\x1b_evil\x1b\\\x1b[?47h\x1b[?1049h\x1b[?9h\x1bc\x1b[8;5;5t\x1b[21t\x07\x07\u{9b}6n\u{9d}0;wicked\u{9c}\
        \x1b(0\x1b(B\x1b[4h\x1b[?6h\x1b[2;3r\x1b[!pletters";
    let inputs = Inputs::new();
    for args in ["-s 1", "-s 1 --once"] {
        let mut terminal = inputs.viewer((80, 24), text, args);
        terminal.listen();
        terminal.wait_for_text("letters");
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
        let heard = terminal.heard();
        for sequence in [
            "evil",
            "ZXZpbA",
            "]52",
            "]8;",
            "]10;",
            "\x1b[>c",
            "\x1b[5n",
            "\x1bZ",
            "1004$p",
            "+q544e",
            "\x1b_",
            "\x1b[?47h",
            "\x1b[?9h",
            "\x1bc",
            "\x1b[8;5",
            "\x1b[21t",
            "\x07\x07",
            "\u{9b}",
            "\u{9d}",
            "\x1b(0",
            "\x1b[4h",
            "\x1b[?6h",
            "\x1b[2;3r",
            "\x1b[!p",
        ] {
            assert!(!heard.contains(sequence), "{args}: {}", sequence.escape_debug());
        }
        assert_eq!(heard.matches("\x1b[?1049h").count(), 1, "{args}");
    }
}

#[test]
fn binary_data_is_an_error_before_the_terminal_is_touched() {
    let inputs = Inputs::new();
    for args in ["", "--once"] {
        let mut terminal = inputs.viewer((80, 24), b"\x7fELF\x02\x01\0\0", args);
        terminal.listen();
        let (status, text) = terminal.end();
        let message = "flockscope: cannot show standard input as text: byte 6 is zero";
        assert!(status == 1 && text.starts_with(message), "{status} {text}");
        assert!(!terminal.heard().contains('\x1b'), "{}", terminal.heard().escape_debug());
    }
}

#[test]
fn a_model_without_letters_and_once_without_a_text_are_errors() {
    let inputs = Inputs::new();
    for (args, message) in [
        ("-p vicsek", "boids of the model vicsek do not fly to letters"),
        (
            "-p swifts --world 100x100",
            "the screen extends beyond the world, whose edges wrap; --world auto would be valid",
        ),
    ] {
        let (_, text) = inputs.viewer((80, 24), TEXT, args).end();
        assert!(text.replace('\n', "").contains(message), "{text}");
    }
    let (status, text) = shell(80, 24, "exec \"$0\" --once").end();
    assert!(status == 2 && text.starts_with("flockscope: --once: there is no text on standard input"), "{text}");
}

#[test]
fn once_prints_the_text_below_the_prompt() {
    let inputs = Inputs::new();
    let text = TEXT.split("\x1b[24;79H").next().unwrap();
    for (depth, key) in [("truecolor", None), ("256", Some("q")), ("16", Some("\x03"))] {
        let whole = expected(text, 80, 24, depth);
        let mut terminal = inputs.viewer((80, 24), text, &format!("-s 1 --once --color {depth}"));
        shows_at_first(&mut terminal, &whole, depth);
        if let Some(key) = key {
            terminal.press(key);
        }
        assert_eq!(terminal.end().0, 0);
        same(&cells(terminal.parser.screen()), &whole, depth);
    }
}

#[test]
fn a_saved_session_has_the_text() {
    let inputs = Inputs::new();
    let file = inputs.0.path().join("text.flock");
    let mut terminal = inputs.viewer((80, 24), TEXT, &format!("-s 1 --save-session '{}'", file.display()));
    let whole = expected(TEXT, 80, 24, "truecolor");
    shows_at_first(&mut terminal, &whole, "viewer");
    takes_off(&mut terminal, &whole);
    lands(&mut terminal, &whole);
    assert!(quit(terminal).contains("flockscope replay "));
    let said = program::says(&["replay", "--verify", file.to_str().unwrap()]);
    assert!(said.contains("agree"), "{said}");
    let line = format!("exec \"$0\" replay '{}' --clean --no-sky", file.display());
    let mut replay = shell(80, 24, &line);
    lands(&mut replay, &whole);
    takes_off(&mut replay, &whole);
    lands(&mut replay, &whole);
    quit(replay);
}

#[test]
fn a_restart_shows_the_text_again() {
    let inputs = Inputs::new();
    let mut terminal = inputs.viewer((80, 24), TEXT, "-s 1");
    let whole = expected(TEXT, 80, 24, "truecolor");
    shows_at_first(&mut terminal, &whole, "");
    takes_off(&mut terminal, &whole);
    terminal.settle(Duration::from_millis(500));
    terminal.press("r");
    lands(&mut terminal, &whole);
    takes_off(&mut terminal, &whole);
    quit(terminal);
}
