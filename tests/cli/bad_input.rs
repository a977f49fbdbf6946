//! Contract: whatever comes in, by whichever door, is taken or refused in one clear sentence, with its place and the
//! right exit status; never with a panic, never after long, never at the cost of much memory, and nothing of it
//! reaches the terminal as it is.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::program;
use crate::terminal::{Terminal, viewer};
use assert_cmd::Command;
use tempfile::TempDir;

/// The memory that any of it may take, in KiB; a flock of a thousand takes a tenth.
const MEMORY: u64 = 2_000_000;
/// A sentence and an excerpt are no longer, in bytes.
const SENTENCE: usize = 4000;
/// How deep nothing that is meant is nested.
const DEEP: usize = 100_000;
/// A window's title, colors, a control sequence in one byte, and text turned around.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[35m\u{9b}35m\u{202e}";
const HEADER: &str = "tick,id,kind,x,y,z,vx,vy,vz\n";
const ROW: &str = "0,1,prey,10,10,0,1,1,0\n";

/// A folder to be in, which is a home too.
struct Desk {
    home: TempDir,
}

/// What came of a command.
struct Said {
    status: i32,
    out: String,
    error: String,
}

impl Desk {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        fs::create_dir_all(home.path().join("flockscope/presets")).unwrap();
        fs::create_dir_all(home.path().join("flockscope/themes")).unwrap();
        Self { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A file that ends in so many zeros, and takes no room.
    fn write_sparse(&self, name: &str, head: &str, length: u64) {
        let mut file = File::create(self.path(name)).unwrap();
        file.write_all(head.as_bytes()).unwrap();
        file.set_len(length).unwrap();
    }

    fn write_pipe(&self, name: &str) {
        assert!(Process::new("mkfifo").arg(self.path(name)).status().unwrap().success());
    }

    /// flockscope with little memory and time, in colors as in a terminal.
    fn command(&self, args: &[&str]) -> Command {
        let mut shell = Command::from_std(program::clean_command("sh"));
        shell.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""));
        shell.arg(program::path()).args(args).current_dir(self.home.path());
        shell.env("HOME", self.home.path()).env("XDG_CONFIG_HOME", self.home.path()).env("CLICOLOR_FORCE", "1");
        // A loaded machine is slow.
        shell.timeout(Duration::from_secs(120));
        shell
    }

    fn run(&self, args: &[&str]) -> Said {
        said(self.command(args), args)
    }

    /// Runs, expects this status and a sentence, and returns it.
    fn refuses(&self, args: &[&str], status: i32) -> String {
        let said = self.run(args);
        assert_eq!(said.status, status, "{args:?}: {}", said.error);
        assert!(said.out.is_empty() && !said.error.is_empty(), "{args:?}");
        said.error
    }

    fn viewer(&self, args: &[&str]) -> Terminal {
        let mut command = viewer(args);
        command.env("XDG_CONFIG_HOME", self.home.path());
        command.cwd(self.home.path());
        Terminal::with(140, 40, command)
    }
}

/// What came of it: no panic, no signal, nothing that commands a terminal, and no book.
fn said(mut command: Command, what: &[&str]) -> Said {
    let output = command.output().unwrap();
    let what: String = format!("{what:?}").chars().take(200).collect();
    let (out, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let status = output.status.code().unwrap_or_else(|| panic!("{what}: {}", output.status));
    assert!(!error.contains("panicked") && status != 101, "{what}: {error}");
    assert!(error.len() < SENTENCE, "{what}: {} bytes", error.len());
    for text in [&out, &error] {
        assert!(is_harmless(text), "{what}: {text:?}");
    }
    Said { status, out, error: without_styles(&error) }
}

/// The colors and the like of clap's own messages are none that [`HOSTILE`] has.
fn without_styles(text: &str) -> String {
    ["0", "1", "4", "31", "32", "33"]
        .iter()
        .fold(text.to_owned(), |text, style| text.replace(&format!("\u{1b}[{style}m"), ""))
}

fn is_harmless(text: &str) -> bool {
    let is_active = |sign: char| (sign.is_control() && !"\n\r\t".contains(sign)) || sign == '\u{202e}';
    !without_styles(text).contains(is_active)
}

/// All cases under their names, each with the status and the sentence that it gets.
fn told(cases: impl IntoIterator<Item = (String, Said)>) -> String {
    let mut all = String::new();
    for (case, said) in cases {
        let case: String = case.escape_debug().to_string().chars().take(120).collect();
        writeln!(all, "{case}\n{} {}", said.status, said.error).unwrap();
    }
    all
}

// --- each door, and what it answers

#[test]
fn flags_say_what_they_take() {
    let desk = Desk::new();
    let numbers = ["nan", "-0", "1e999", "0x10", "1_000", "", "٣", "1,5", "99999999999999999999999"];
    let flags = ["--boids", "--predators", "--seed", "--threads", "--fps", "--rate", "--bandwidth", "--zoom", "--idle"];
    let mut lines: Vec<Vec<String>> = Vec::new();
    for flag in flags {
        lines.extend(numbers.map(|number| vec![format!("{flag}={number}")]));
    }
    for (flag, value) in [
        ("--world", "0x0"),
        ("--world", "infx1"),
        ("--world", "1e7x1"),
        ("--world", "round:nan"),
        ("--world", "1x1x1x1"),
        ("--zone", "food:1,2,3,4:5"),
        ("--zone", "food:nan,1:5"),
        ("--zone", "food:1,1:inf"),
        ("--zone", "lake:1,1:5"),
        ("--duration", "-1s"),
        ("--duration", "99999999999999999999y"),
        ("--follow", "4294967296"),
        ("--set", "speed.max=1e999"),
        ("--set", "speed.max="),
        ("--set", "=1"),
        ("--set", "species.count=1.5"),
        ("--preset", ""),
        ("--preset", ".."),
        ("--preset", "../../etc/shadow"),
        ("--preset", "/"),
        ("--theme", "a/../.."),
        ("--theme", "."),
        ("--config", "no/such.toml"),
        ("--log-file", "/"),
        ("--log-level", "loud"),
    ] {
        lines.push(vec![format!("{flag}={value}")]);
    }
    let refused = lines.into_iter().map(|line| {
        let args: Vec<&str> = line.iter().map(String::as_str).collect();
        let said = desk.run(&args);
        assert!(said.status == 1 || said.status == 2, "{args:?}");
        (args.join(" "), said)
    });
    insta::assert_snapshot!(told(refused.filter(|(_, said)| !said.error.contains("not a terminal"))));
}

/// Presets, each with a mistake.
const PRESETS: &[&str] = &[
    "",
    "world",
    "wrold = \"80x60\"",
    "boids = nan",
    "boids = inf",
    "boids = -0",
    "boids = 1.0",
    "boids = 0.5",
    "boids = -1",
    "boids = 1e3",
    "boids = 99999999999999999999999999999999999999999999",
    "boids = 1979-05-27",
    "boids = 07:32:00",
    "boids = true",
    "boids = \"\"",
    "boids = \"many\"",
    "boids = []",
    "boids = {}",
    "[boids]\nx = 1",
    "predators = 1_001",
    "rate = nan",
    "rate = -0.0",
    "rate = 1e999",
    "rate = 0x3C1",
    "area = 0",
    "area = inf",
    "world = {}",
    "world = \"0x0\"",
    "world = \"nanx1\"",
    "world = \"1e9x1\"",
    "start = \"sideways\"",
    "start = 1",
    "zone = 1",
    "zone = {}",
    "[zone]\nkind = \"food\"",
    "zone = [1, [2]]",
    "[[zone]]",
    "[[zone]]\nkind = \"food\"\nat = [nan, 0.5]\nradius = 1",
    "[[zone]]\nkind = \"food\"\nat = [0.5, 0.5]\nradius = -1",
    "[[zone]]\nkind = [\"food\"]",
    "world = \"80x60\"\nspeed = 3",
    "world = \"80x60\"\nspeed.max = nan",
    "world = \"80x60\"\nspeed.max = -0.0",
    "world = \"80x60\"\nspeed.max = 1e999",
    "world = \"80x60\"\nspeed.max = \"\"",
    "world = \"80x60\"\nspeed.max.most = 1",
    "world = \"80x60\"\n[speed.max]",
    "world = \"80x60\"\nspeed.mx = 1",
    "world = \"80x60\"\nedge.mode = nan",
    "world = \"80x60\"\nedge.mode = \"Wrap\"",
    "world = \"80x60\"\nmax_turn = \"NaN\"",
    "boids = 1\nboids = 2",
    "[speed]\nmax = 1\n[speed]\nmin = 1",
    "speed.max = 1\n[speed]\nmin = 1",
    "summary = [1]",
    "summary = \"a\0b\"",
    "summary = \"\u{1b}[31m\"",
    "# \u{9b}31m",
    "boids = \"\\u001b[31m\"",
    "\"\\u001b[31m\" = 1",
    "\"\u{202e}\" = 1",
    "world = \"80x60\"\rboids = 0",
    "\u{feff}world = \"80x60\"\r\n\r\nboids = 0\r\n",
    "../../etc = 1",
];

#[test]
fn presets_say_where_they_are_wrong() {
    let desk = Desk::new();
    let refused = PRESETS.iter().map(|text| {
        desk.write("p.toml", text);
        let error = desk.refuses(&["run", "--ticks", "0", "-p", "./p.toml"], 1);
        assert!(error.starts_with("flockscope: ./p.toml:"), "{text:?}: {error}");
        ((*text).to_owned(), Said { status: 1, out: String::new(), error })
    });
    insta::assert_snapshot!(told(refused));
}

/// The rows of a theme, but for one ramp.
const THEME: &str =
    "summary = \"x\"\ndim = \"red\"\naccent = \"red\"\ngauge = \"red\"\nprey = [\"red\"]\npredators = [\"red\"]\n";

#[test]
fn themes_say_where_they_are_wrong() {
    let desk = Desk::new();
    let stops = |count: usize| format!("{THEME}heading = [{}]", "\"#102030\", ".repeat(count));
    let refused = [
        String::new(),
        THEME.into(),
        stops(0),
        stops(65),
        stops(10_000),
        format!("{}\nsky = [{}]", stops(1), "\"#102030\", ".repeat(65)),
        format!("{}\nsky = [\"red\"]", stops(1)),
        format!("{THEME}heading = \"red\""),
        format!("{THEME}heading = [1979-05-27]"),
        format!("{THEME}heading = [nan]"),
        format!("{THEME}heading = [[\"red\"]]"),
        format!("{THEME}heading = [\"#12345\u{fc}\"]"),
        format!("{THEME}heading = [\"\\u001b[31m\"]"),
        format!("{THEME}heading = [\"rde\"]"),
        "sumary = \"x\"".into(),
        "summary = 1".into(),
        "summary = \"x\"\nsummary = \"y\"".into(),
        "# \u{9b}31m".into(),
        "\"\\u001b\" = 1".into(),
    ]
    .map(|text| {
        desk.write("t.toml", &text);
        let error = desk.refuses(&["themes", "show", "./t.toml"], 1);
        assert!(error.starts_with("flockscope: ./t.toml:"), "{text:?}: {error}");
        (text, Said { status: 1, out: String::new(), error })
    });
    insta::assert_snapshot!(told(refused));
}

fn scheme() -> String {
    let colors = (0..16).map(|number| format!("base{number:02X}: \"{number:02x}4080\"\n"));
    "scheme: \"Mine\"\nauthor: \"Me\"\n".to_owned() + &colors.collect::<String>()
}

#[test]
fn schemes_say_where_they_are_wrong() {
    let desk = Desk::new();
    let with = |from: &str, to: &str| scheme().replace(from, to);
    let refused = [
        String::new(),
        "---\n...\n".into(),
        "# nothing\n".into(),
        "- a\n- b\n".into(),
        "just words".into(),
        "a: b\n".into(),
        with("\"004080\"", ".nan"),
        with("\"004080\"", "\"\\e[31m\""),
        with("\"004080\"", "*red"),
        with("\"004080\"", "[\"004080\"]"),
        with("\"004080\"", "1979-05-27"),
        with("base07", "base7"),
        with("scheme: \"Mine\"", "system: base8"),
        with("Mine", "\u{1b}[31m"),
        with("Mine", "\u{9b}31m"),
        with("Mine\"", "Mine"),
        scheme() + "base00: \"000000\"\n",
        scheme() + "palette:\n  base00: \"000000\"\n",
        "a:\n\tb: 1\n".into(),
        "a: &a [*a, *b]\n".into(),
        "%YAML 9.9\n--- x".into(),
        "{a: b".into(),
        "? [a]\n: b\n".into(),
        "a: b: c\n".into(),
        "a: \"\0\"".into(),
    ]
    .map(|text| {
        desk.write("s.yaml", &text);
        let error = desk.refuses(&["themes", "show", "./s.yaml"], 1);
        assert!(error.starts_with("flockscope: ./s.yaml:"), "{text:?}: {error}");
        (text, Said { status: 1, out: String::new(), error })
    });
    insta::assert_snapshot!(told(refused));
}

#[test]
fn rows_say_on_which_line_they_are_wrong() {
    let desk = Desk::new();
    let row = |text: &str| format!("{HEADER}{ROW}{text}\n");
    let cases = [
        String::new(),
        "\n\n".into(),
        HEADER.into(),
        "a,b,c\n".into(),
        HEADER.replace(',', ";"),
        format!("{HOSTILE}{HEADER}"),
        (HEADER.to_owned() + ROW).replace('\n', "\r"),
        row("x"),
        row(&",".repeat(3000)),
        row(&"9".repeat(5000)),
        row(&format!("0,2,prey,{},1,0,1,1,0", "9".repeat(300))),
        row("0,2,\"prey"),
        row("0,2,\"pr\ney\",1,1,0,1,1,0"),
        row("0,2,pr\0ey,1,1,0,1,1,0"),
        row(&format!("0,2,{HOSTILE},1,1,0,1,1,0")),
        row("0,2,prey,1_0,1,0,1,1,0"),
        row("0,2,prey,0x10,1,0,1,1,0"),
        row("0,2,prey,1e999,1,0,1,1,0"),
        row("0,2,prey,,1,0,1,1,0"),
        row("0,2,prey,1979-05-27,1,0,1,1,0"),
        row("0,2,Prey,1,1,0,1,1,0"),
        row("0,1,prey,1,1,0,1,1,0"),
        row("0,4294967295,prey,1,1,0,1,1,0"),
        row("0,4294967296,prey,1,1,0,1,1,0"),
        row("-1,2,prey,1,1,0,1,1,0"),
        row("18446744073709551615,2,prey,1,1,0,1,1,0"),
        row("18446744073709551616,2,prey,1,1,0,1,1,0"),
        row("9007199254740993,2,prey,1,1,0,1,1,0"),
        row("1,2,predator,1,1,0,1,1,0"),
    ];
    let refused = cases.into_iter().flat_map(|text| {
        desk.write("c.csv", &text);
        let line = ["run", "-p", "drones", "--ticks", "2", "--input"];
        let file = desk.refuses(&[&line[..], &["./c.csv"]].concat(), 1);
        // The same by the other doors.
        for door in ["-", "/dev/stdin"] {
            let mut command = desk.command(&[&line[..], &[door]].concat());
            command.write_stdin(text.clone());
            let piped = said(command, &[door]);
            assert_eq!((piped.status, piped.error.replacen(door, "./c.csv", 1)), (1, file.clone()), "{text:?}");
        }
        [(text, Said { status: 1, out: String::new(), error: file })]
    });
    insta::assert_snapshot!(told(refused));
    // What other programs make of a right one is right: quotes, blanks, a mark at the beginning.
    desk.write(
        "c.csv",
        format!("\u{feff}{HEADER}\r\n 0 ,1, \"prey\" ,+1e1,.5,-0,1,1,-0\r\n").replace("tick", "\"tick\""),
    );
    assert_eq!(desk.run(&["run", "-p", "drones", "--ticks", "1", "--input", "c.csv"]).status, 0);
    // The latest tick that there is can be flown on from.
    desk.write("c.csv", format!("{HEADER}9007199254740992,1,prey,1,1,0,1,1,0\n"));
    assert_eq!(desk.run(&["run", "-p", "drones", "--ticks", "3", "--input", "c.csv"]).status, 0);
}

// --- too much

#[test]
fn a_file_of_any_size_is_refused_at_once() {
    let desk = Desk::new();
    for name in ["big.toml", "big.yaml", "flockscope/presets/big.toml", "flockscope/themes/big.yaml"] {
        desk.write_sparse(name, "", 1 << 30);
    }
    desk.write_sparse("head.toml", "world = \"80x60\"\n", 1 << 30);
    for (args, status) in [
        (&["run", "-p", "./big.toml"][..], 1),
        (&["run", "-p", "./head.toml"], 1),
        (&["run", "-p", "big"], 1),
        (&["presets", "show", "big"], 1),
        (&["themes", "show", "big"], 1),
        (&["themes", "show", "./big.yaml"], 1),
        (&["shot", "-o", "-", "-t", "./big.toml"], 1),
        (&["run", "--config", "big.toml"], 1),
        (&["keys", "--config", "head.toml"], 1),
        (&["run", "-p", "/dev/zero"], 1),
        (&["themes", "show", "/dev/zero"], 1),
        (&["run", "--config", "/dev/zero"], 1),
        (&["themes", "show", "/dev/urandom"], 1),
    ] {
        let error = desk.refuses(args, status);
        assert!(error.contains("larger than") && error.lines().count() == 1, "{args:?}: {error}");
    }
    for list in ["presets", "themes"] {
        assert!(desk.run(&[list]).out.contains("larger than"), "{list}");
    }
}

#[test]
fn rows_without_end_fill_no_memory() {
    let desk = Desk::new();
    desk.write_sparse("zeros.csv", "", 1 << 30);
    desk.write_sparse("more.csv", &format!("{HEADER}{ROW}"), 1 << 30);
    desk.write("long.csv", format!("{HEADER}{ROW}0,2,prey,{}", "9".repeat(100_000_000)));
    desk.write("fields.csv", format!("{HEADER}{ROW}{}", ",".repeat(100_000_000)));
    desk.write("quotes.csv", format!("{HEADER}{ROW}0,2,\"{}", "prey\n".repeat(10_000_000)));
    for (file, place) in [
        ("zeros.csv", "zeros.csv:1: this line is longer than"),
        ("/dev/zero", "/dev/zero:1: this line is longer than"),
        ("more.csv", "more.csv:3: this line is longer than"),
        ("long.csv", "long.csv:3: this line is longer than"),
        ("fields.csv", "fields.csv:3: this line is longer than"),
        ("quotes.csv", "quotes.csv:3: this row has 3 fields, and the header names 9"),
    ] {
        let error = desk.refuses(&["run", "-p", "drones", "--input", file], 1);
        assert!(error.starts_with(&format!("flockscope: {place}")) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn a_million_rows_are_read_to_the_last() {
    let desk = Desk::new();
    let mut rows = HEADER.to_owned();
    for id in 0..1_000_000 {
        writeln!(rows, "7,{id},prey,{},{},0,1,1,0", id % 800, id % 600).unwrap();
    }
    desk.write("right.csv", &rows);
    desk.write("wrong.csv", rows.clone() + "7,5,prey,1,nan,0,1,1,0\n");
    desk.write("twice.csv", rows + "7,5,prey,1,1,0,1,1,0\n");
    let fly = |file: &str| desk.run(&["run", "-p", "drones", "-s", "1", "--ticks", "0", "--input", file]);
    let right = fly("right.csv");
    assert!(right.status == 0 && right.error.contains("1000000 boids"), "{}", right.error);
    for (file, sentence) in [
        ("wrong.csv", "flockscope: wrong.csv:1000002: y = nan is not a finite number\n"),
        ("twice.csv", "flockscope: twice.csv:1000002: duplicate id 5\n"),
    ] {
        let said = fly(file);
        assert_eq!((said.status, said.error.as_str()), (1, sentence));
    }
}

/// Files that are nested too deep, or too long in one way or another, with how each ends.
fn excesses() -> Vec<(&'static str, String)> {
    let long = 240_000;
    vec![
        ("toml", format!("a = {}", "[".repeat(DEEP))),
        ("toml", format!("a = {}1{}", "[".repeat(DEEP), "]".repeat(DEEP))),
        ("toml", format!("a = {}", "{a=".repeat(DEEP / 2))),
        ("toml", format!("{} = 1", vec!["a"; DEEP].join("."))),
        ("toml", format!("[{}]\nb = 1", vec!["speed"; DEEP / 3].join("."))),
        ("toml", format!("[[{}]]\nb = 1", vec!["zone"; DEEP / 3].join("."))),
        ("toml", format!("{} = 1", "k".repeat(long))),
        ("toml", format!("boids = \"{}\"", "k".repeat(long))),
        ("toml", format!("boids = {}", "9".repeat(long))),
        ("toml", format!("rate = 961.{}", "9".repeat(long))),
        ("toml", format!("start = \"{}\"", "s".repeat(long))),
        ("toml", format!("dim = \"{}\"", "r".repeat(long))),
        ("toml", format!("[keys]\npause = \"{}\"", "r".repeat(long))),
        ("toml", format!("[keys]\n{} = \"x\"", "r".repeat(long))),
        ("toml", format!("[set]\n{} = 1", "r".repeat(long))),
        ("toml", format!("[set]\nspeed.max = \"{}\"", "r".repeat(long))),
        ("toml", format!("theme = \"{}\"", "r".repeat(long))),
        ("toml", (0..DEEP / 5).fold(String::new(), |text, number| text + &format!("k{number} = 1\n"))),
        ("toml", (0..DEEP / 8).fold("[keys]\n".into(), |text, number| text + &format!("k{number} = \"x\"\n"))),
        ("toml", format!("[keys]\npause = [{}]", "\"x\", ".repeat(long / 5))),
        ("toml", "[[zone]]\n".repeat(long / 9)),
        ("toml", "\n".repeat(long) + "x"),
        ("yaml", format!("a: {}", "[".repeat(2 * DEEP))),
        ("yaml", format!("a: {}", "{a: ".repeat(DEEP / 2))),
        ("yaml", "- ".repeat(DEEP)),
        ("yaml", "? ".repeat(DEEP)),
        ("yaml", (0..700).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n")),
        ("yaml", laughs()),
        ("yaml", format!("{}: 1", "k".repeat(long))),
        ("yaml", format!("base00: {}", "0".repeat(long))),
        ("yaml", format!("a: \"{}", "\\x".repeat(long / 2))),
        ("yaml", format!("a: {}", "*".repeat(long))),
        ("yaml", format!("a: {}", "!".repeat(long))),
        ("yaml", "&a ".repeat(long / 3)),
        ("yaml", "%".repeat(long)),
        ("yaml", ":".repeat(long)),
        ("yaml", "?\n".repeat(long / 2)),
        ("yaml", "[]".repeat(long / 2)),
        ("yaml", format!("a: |{}", "\n x".repeat(long / 3))),
    ]
}

/// A scheme of which each line says the one before nine times; nothing is to say it all.
fn laughs() -> String {
    let letters: Vec<char> = ('b'..='y').collect();
    let lines = letters.windows(2).map(|pair| {
        let [before, now] = [pair[0], pair[1]];
        format!("{now}: &{now} [{}]\n", vec![format!("*{before}"); 9].join(", "))
    });
    format!("b: &b [lol]\n{}", lines.collect::<String>())
}

#[test]
fn what_is_nested_deep_or_goes_on_and_on_ends_in_a_sentence() {
    let desk = Desk::new();
    for (number, (end, text)) in excesses().into_iter().enumerate() {
        let file = format!("./x.{end}");
        desk.write(&file, &text);
        let shown = ["themes", "show", &file];
        let doors = [&["run", "--ticks", "0", "-p", &file][..], &["run", "--ticks", "0", "--config", &file], &shown];
        for args in if end == "yaml" { &doors[2..] } else { &doors } {
            let begin: String = text.chars().take(30).collect();
            let error = desk.refuses(args, 1);
            assert!(error.starts_with("flockscope: ./x.") && error.lines().count() <= 4, "{number} {begin}: {error}");
        }
    }
}

// --- what is no file

#[test]
fn what_is_no_file_is_neither_read_nor_waited_for() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder.toml")).unwrap();
    symlink("loop.toml", desk.path("loop.toml")).unwrap();
    symlink("nowhere.toml", desk.path("gone.toml")).unwrap();
    desk.write_pipe("pipe.toml");
    desk.write_pipe("flockscope/presets/pipe.toml");
    desk.write_pipe("flockscope/themes/pipe.yaml");
    desk.write("latin.toml", b"world = \"80x60\"\nsummary = \"\xfc\"\n");
    desk.write("closed.toml", "");
    fs::set_permissions(desk.path("closed.toml"), fs::Permissions::from_mode(0o000)).unwrap();
    let around = format!("/dev/..{}", desk.path("pipe.toml").display());
    let open = File::open(desk.path("closed.toml")).is_ok();
    for (file, why) in [
        ("./folder.toml", "is a directory, not a file"),
        ("./loop.toml", "symbolic links"),
        ("./gone.toml", "No such file"),
        ("./pipe.toml", "not a regular file"),
        (around.as_str(), "not a regular file"),
        ("./latin.toml", "not valid UTF-8"),
        ("./latin.toml/../x.toml", "Not a directory"),
        ("./closed.toml", if open { "closed.toml:1:1" } else { "Permission denied" }),
        (&format!("./{}.toml", "x".repeat(5000)), "File name too long"),
    ] {
        let doors = [&["run", "--ticks", "0", "-p", file][..], &["themes", "show", file], &["run", "--config", file]];
        for args in doors {
            // An empty config says nothing, and is no mistake.
            if open && file == "./closed.toml" && args[1] == "--config" {
                continue;
            }
            let error = desk.refuses(args, 1);
            assert!(error.contains(why), "{args:?}: {error}");
        }
    }
    // By its name a pipe is nobody, and lists tell of it.
    desk.refuses(&["run", "-p", "pipe"], 2);
    desk.refuses(&["themes", "show", "pipe"], 2);
    for list in ["presets", "themes"] {
        assert!(desk.run(&[list]).out.contains("not a regular file"), "{list}");
    }
    for name in ["../presets/x", "..", "/", "a\nb", "con"] {
        desk.refuses(&["presets", "show", name], if name.contains('/') { 1 } else { 2 });
    }
    // Rows may come through a pipe, from whoever writes into it.
    desk.write_pipe("rows.csv");
    let rows = desk.path("rows.csv");
    let writer = thread::spawn(move || fs::write(rows, format!("{HEADER}{ROW}x\n")).unwrap());
    let error = desk.refuses(&["run", "-p", "drones", "--input", "rows.csv"], 1);
    assert!(error.starts_with("flockscope: rows.csv:3: this row has 1 fields"), "{error}");
    writer.join().unwrap();
    let error = desk.refuses(&["run", "-p", "drones", "--input", "folder.toml"], 1);
    assert!(error.contains("directory"), "{error}");
}

#[test]
fn a_file_that_changes_meanwhile_is_read_or_refused() {
    let desk = Desk::new();
    let file = desk.path("flockscope/presets/mine.toml");
    let whole = format!("world = \"80x60\"\n{}", "# and so on\n".repeat(20_000));
    fs::write(&file, &whole).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                match round % 4 {
                    0 => fs::write(&file, &whole[..whole.len() / 2]).unwrap(),
                    1 => fs::write(&file, whole.repeat(9)).unwrap(),
                    2 => fs::remove_file(&file).unwrap(),
                    _ => fs::write(&file, &whole).unwrap(),
                }
            }
        });
        for _ in 0..20 {
            let said = desk.run(&["presets", "show", "mine"]);
            assert!([0, 1, 2].contains(&said.status) && said.error.lines().count() <= 3, "{}", said.error);
            desk.run(&["presets"]);
        }
        done.store(true, Ordering::Relaxed);
    });
}

// --- nothing reaches the terminal

#[test]
fn no_flag_commands_the_terminal() {
    let desk = Desk::new();
    let file = format!("./{HOSTILE}.toml");
    desk.write(&file, "x = 1");
    for args in [
        &["--theme", HOSTILE][..],
        &["--preset", HOSTILE],
        &["run", "--preset", HOSTILE],
        &["run", "--preset", &file],
        &["themes", "show", &file],
        &["run", "--config", &file],
        &["--set", HOSTILE],
        &["--set", &format!("{HOSTILE}=1")],
        &["--set", &format!("speed.max={HOSTILE}")],
        &["--fps", HOSTILE],
        &["-n", HOSTILE],
        &["--world", HOSTILE],
        &["--zone", HOSTILE],
        &["--color", HOSTILE],
        &["--marker", HOSTILE],
        &["--view", HOSTILE],
        &["--duration", HOSTILE],
        &["--duration", &format!("1{HOSTILE}")],
        &["--bandwidth", HOSTILE],
        &["--follow", HOSTILE],
        &["--log-file", &format!("/no/{HOSTILE}")],
        &["--log-level", HOSTILE, "--log-file", "log"],
        &["--config", HOSTILE],
        &[HOSTILE],
        &[&format!("--{HOSTILE}")],
        &[&format!("-{HOSTILE}")],
        &[&format!("--clean={HOSTILE}")],
        &["presets", HOSTILE],
        &["presets", "show", HOSTILE],
        &["presets", "show", "drones", HOSTILE],
        &["presets", "show", &format!("--{HOSTILE}")],
        &["params", "show", HOSTILE],
        &["keys", "show", HOSTILE],
        &["completions", HOSTILE],
        &["completions", &format!("--{HOSTILE}")],
        &["man", HOSTILE],
        &["bench", "-n", HOSTILE],
        &["run", "--input", HOSTILE],
        &["run", "--ticks", "0", "--output", &format!("{HOSTILE}/x")],
        &["shot", "-o", HOSTILE],
        &["shot", "-o", &format!("{HOSTILE}/x.png")],
        &["shot", "-o", "x.png", "--size", HOSTILE],
        &["record", "-o", HOSTILE],
        &["record", "-o", "x.cast", "--duration", HOSTILE],
    ] {
        let said = desk.run(args);
        assert!(said.status == 1 || said.status == 2, "{args:?}: {}", said.error);
        assert!(said.out.is_empty() && !said.error.is_empty());
        // What was asked for can be told all the same.
        let tells = said.error.contains("\\u{1b}") || !said.error.contains("owned");
        assert!(tells, "{args:?}: {}", said.error);
    }
}

#[test]
fn no_file_and_no_environment_commands_the_terminal() {
    let desk = Desk::new();
    let quoted = "\\u001b]0;owned\\u0007\\u001b[35m\\u009b35m\u{202e}";
    desk.write(
        "flockscope/presets/sly.toml",
        format!("summary = \"{quoted}\"\nsource = \"{quoted}\"\nworld = \"80x60\"\n"),
    );
    desk.write(&format!("flockscope/presets/{HOSTILE}.toml"), "world = \"80x60\"\n");
    desk.write("flockscope/presets/wrong.toml", format!("\"{quoted}\" = 1\n"));
    desk.write(
        "flockscope/themes/sly.toml",
        format!("{THEME}heading = [\"red\"]\n").replace("\"x\"", &format!("\"{quoted}\"")),
    );
    desk.write("flockscope/themes/dark.yaml", scheme().replace("Mine", "\\e]0;owned\\a\\e[35m\\x9b\\u202e"));
    desk.write(&format!("flockscope/themes/{HOSTILE}.yaml"), scheme());
    for list in ["presets", "themes"] {
        let said = desk.run(&[list]);
        assert!(said.status == 0 && said.out.contains("sly") && said.out.contains(" name `"), "{}", said.out);
    }
    desk.write("flockscope/config.toml", format!("theme = \"{quoted}\"\n"));
    desk.refuses(&["run", "--ticks", "0"], 1);
    desk.write("flockscope/config.toml", format!("[keys]\npause = \"{quoted}\"\n"));
    desk.refuses(&["keys"], 1);
    desk.write("flockscope/config.toml", "");
    for (name, value) in [
        ("FLOCKSCOPE_THEME", HOSTILE),
        ("FLOCKSCOPE_FPS", HOSTILE),
        ("FLOCKSCOPE_SET", HOSTILE),
        ("FLOCKSCOPE_CONFIG", HOSTILE),
        ("FLOCKSCOPE_SIMD", HOSTILE),
    ] {
        let mut command = desk.command(&["run", "--ticks", "1", "-n", "3"]);
        command.env(name, value);
        let said = said(command, &[name]);
        assert!(said.status == 1 || said.status == 2, "{name:?}: {} {}", said.status, said.error);
    }
}

#[test]
fn what_is_shown_is_a_files_text_or_harmless() {
    let desk = Desk::new();
    let text = "world = \"80x60\" # \u{202e}turned\r\nboids = 3\t# gr\u{fc}n\n";
    desk.write("flockscope/presets/sly.toml", text);
    let mut pipe = program::flockscope(&["presets", "show", "sly"]);
    pipe.env("XDG_CONFIG_HOME", desk.home.path());
    assert_eq!(program::prints(pipe), text);
    let mut terminal = desk.viewer(&["presets", "show", "sly"]);
    let (status, shown) = terminal.end();
    assert_eq!(status, 0);
    assert!(shown.contains("\\u{202e}turned") && shown.contains("gr\u{fc}n"), "{shown}");
    // What would command a terminal is not even a preset.
    desk.write("flockscope/presets/sly.toml", text.replace('\u{202e}', "\u{9b}"));
    let error = desk.refuses(&["presets", "show", "sly"], 1);
    assert!(error.contains("sly.toml:1:19: control characters are not allowed"), "{error}");
}

#[test]
fn the_viewer_obeys_no_name_and_no_summary() {
    let desk = Desk::new();
    let quoted = "\\u001b]0;owned\\u0007\\u001b[35m\\u009b35m\u{202e}";
    let file = format!("./it's {HOSTILE}.toml");
    desk.write(&file, format!("summary = \"{quoted}\"\nworld = \"80x60\"\nboids = 9\n"));
    let theme = format!("{THEME}heading = [\"red\"]\n").replace("\"x\"", &format!("\"{quoted}\""));
    desk.write(&format!("./{HOSTILE}.toml"), theme);
    desk.write("flockscope/presets/wrong.toml", format!("\"{quoted}\" = 1\n"));
    let theme_file = format!("./{HOSTILE}.toml");
    let mut terminal = desk.viewer(&["-p", &file, "-t", &theme_file, "-s", "1", "--no-intro"]);
    // Messages go by themselves.
    terminal.wait_for_text("wrong.toml:1:1");
    terminal.wait_for_text("it's \\u{1b");
    for (keys, seen) in [("0", "drones"), (":theme owned", "theme \\u{1b}]0;owned"), ("y", "$'")] {
        terminal.press(keys);
        terminal.wait_for_text(seen);
        terminal.press("\x1b");
        terminal.settle(Duration::from_millis(200));
    }
    terminal.press("q");
    let (status, left) = terminal.end();
    assert_eq!(status, 0);
    assert!(!terminal.parser.callbacks().title.contains("owned"), "{}", terminal.parser.callbacks().title);
    // The command that is left behind finds the file again.
    let command = left.lines().collect::<String>();
    let from = command.find("flockscope -p $'").unwrap_or_else(|| panic!("{left}"));
    let word = command[from..].split(" -s ").next().unwrap().replace("flockscope -p ", "");
    let mut shell = Process::new("bash");
    shell.args(["-c", &format!("cat {word}")]).env("LC_ALL", "C.UTF-8").current_dir(desk.home.path());
    let found = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    assert!(found.contains("boids = 9"), "{word}: {found}");
}

/// Whoever is not root cannot read what is closed to him.
#[test]
fn a_folder_that_is_closed_is_told() {
    let desk = Desk::new();
    let folder: &Path = &desk.path("flockscope/themes");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o000)).unwrap();
    let open = fs::read_dir(folder).is_ok();
    let said = desk.run(&["themes"]);
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(said.status == 0 && (open || said.out.contains("Permission denied")), "{}", said.out);
}
