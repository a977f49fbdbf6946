//! Contract: any input, from any source, is accepted or rejected in one clear sentence with its position and the right
//! exit status: no panic, no long wait, no excessive memory, and no unescaped text on
//! the terminal.

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
use crate::terminal::{Terminal, exactly};
use assert_cmd::Command;
use tempfile::TempDir;

/// Memory limit in KiB; a thousand boids take a tenth.
const MEMORY: u64 = 2_000_000;
/// Maximum length of a message and its excerpt, in bytes.
const SENTENCE: usize = 4000;
/// A nesting depth beyond any valid file.
const DEEP: usize = 100_000;
/// A window title, colors, a one-byte control sequence, and a bidirectional override.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[35m\u{9b}35m\u{202e}";
const HEADER: &str = "tick,id,kind,x,y,z,vx,vy,vz\n";
const ROW: &str = "0,1,prey,10,10,0,1,1,0\n";

/// A working directory that is also the home.
struct Desk {
    home: TempDir,
}

/// The outcome of a command.
struct Outcome {
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

    /// A sparse file that ends in this many zeros.
    fn write_sparse(&self, name: &str, head: &str, length: u64) {
        let mut file = File::create(self.path(name)).unwrap();
        file.write_all(head.as_bytes()).unwrap();
        file.set_len(length).unwrap();
    }

    fn write_pipe(&self, name: &str) {
        assert!(Process::new("mkfifo").arg(self.path(name)).status().unwrap().success());
    }

    /// flockscope with limited memory and time, and colors as in a terminal.
    fn command(&self, args: &[&str]) -> Command {
        let mut shell = Command::from_std(program::clean_command("sh"));
        shell.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""));
        shell.arg(program::path()).args(args).current_dir(self.home.path());
        shell.env("HOME", self.home.path()).env("XDG_CONFIG_HOME", self.home.path()).env("CLICOLOR_FORCE", "1");
        // A loaded machine is slow.
        shell.timeout(Duration::from_secs(120));
        shell
    }

    fn run(&self, args: &[&str]) -> Outcome {
        outcome_of(self.command(args), args)
    }

    /// Runs, expects this status and one sentence, and returns it.
    fn refuses(&self, args: &[&str], status: i32) -> String {
        let outcome = self.run(args);
        assert_eq!(outcome.status, status, "{args:?}: {}", outcome.error);
        assert!(outcome.out.is_empty() && !outcome.error.is_empty(), "{args:?}");
        outcome.error
    }

    fn viewer(&self, args: &[&str]) -> Terminal {
        let mut command = exactly(args);
        command.env("XDG_CONFIG_HOME", self.home.path());
        command.cwd(self.home.path());
        Terminal::with(140, 40, command)
    }
}

/// The outcome: no panic, no signal, no control sequences, and a short message.
fn outcome_of(mut command: Command, what: &[&str]) -> Outcome {
    let output = command.output().unwrap();
    let what: String = format!("{what:?}").chars().take(200).collect();
    let (out, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let status = output.status.code().unwrap_or_else(|| panic!("{what}: {}", output.status));
    assert!(!error.contains("panicked") && status != 101, "{what}: {error}");
    assert!(error.len() < SENTENCE, "{what}: {} bytes", error.len());
    for text in [&out, &error] {
        assert!(is_harmless(text), "{what}: {text:?}");
    }
    Outcome { status, out, error: without_styles(&error) }
}

/// clap's styles do not occur in [`HOSTILE`].
fn without_styles(text: &str) -> String {
    ["0", "1", "4", "31", "32", "33"]
        .iter()
        .fold(text.to_owned(), |text, style| text.replace(&format!("\u{1b}[{style}m"), ""))
}

fn is_harmless(text: &str) -> bool {
    !without_styles(text).contains(|sign: char| {
        let is_hidden = matches!(sign, '\u{202e}' | '\u{61c}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        is_hidden || (sign.is_control() && !"\n\r\t".contains(sign))
    })
}

/// All cases by name, each with its status and message.
fn table(cases: impl IntoIterator<Item = (String, Outcome)>) -> String {
    let mut all = String::new();
    for (case, outcome) in cases {
        let case: String = case.escape_debug().to_string().chars().take(120).collect();
        writeln!(all, "{case}\n{} {}", outcome.status, outcome.error).unwrap();
    }
    all
}

// --- each source of input

#[test]
fn invalid_flags() {
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
        let outcome = desk.run(&args);
        assert!(outcome.status == 1 || outcome.status == 2, "{args:?}");
        (args.join(" "), outcome)
    });
    insta::assert_snapshot!(table(refused.filter(|(_, outcome)| !outcome.error.contains("not a terminal"))));
}

/// Presets, each with one mistake.
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
    "\"\u{61c}\u{feff}\u{e0041}\" = 1",
    "world = \"80x60\"\rboids = 0",
    "\u{feff}world = \"80x60\"\r\n\r\nboids = 0\r\n",
    "../../etc = 1",
];

#[test]
fn invalid_presets() {
    let desk = Desk::new();
    let refused = PRESETS.iter().map(|text| {
        desk.write("p.toml", text);
        let error = desk.refuses(&["run", "--ticks", "0", "-p", "./p.toml"], 1);
        assert!(error.starts_with("flockscope: ./p.toml:"), "{text:?}: {error}");
        ((*text).to_owned(), Outcome { status: 1, out: String::new(), error })
    });
    insta::assert_snapshot!(table(refused));
}

/// The rows of a theme without one ramp.
const THEME: &str =
    "summary = \"x\"\ndim = \"red\"\naccent = \"red\"\ngauge = \"red\"\nprey = [\"red\"]\npredators = [\"red\"]\n";

#[test]
fn invalid_themes() {
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
        (text, Outcome { status: 1, out: String::new(), error })
    });
    insta::assert_snapshot!(table(refused));
}

#[test]
fn invalid_rows() {
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
        // The same through the other sources.
        for door in ["-", "/dev/stdin"] {
            let mut command = desk.command(&[&line[..], &[door]].concat());
            command.write_stdin(text.clone());
            let piped = outcome_of(command, &[door]);
            assert_eq!((piped.status, piped.error.replacen(door, "./c.csv", 1)), (1, file.clone()), "{text:?}");
        }
        [(text, Outcome { status: 1, out: String::new(), error: file })]
    });
    insta::assert_snapshot!(table(refused));
    // Files from other programs are accepted: quotes, blanks, a byte order mark.
    desk.write(
        "c.csv",
        format!("\u{feff}{HEADER}\r\n 0 ,1, \"prey\" ,+1e1,.5,-0,1,1,-0\r\n").replace("tick", "\"tick\""),
    );
    assert_eq!(desk.run(&["run", "-p", "drones", "--ticks", "1", "--input", "c.csv"]).status, 0);
    // The maximum tick is a valid start.
    desk.write("c.csv", format!("{HEADER}9007199254740992,1,prey,1,1,0,1,1,0\n"));
    assert_eq!(desk.run(&["run", "-p", "drones", "--ticks", "3", "--input", "c.csv"]).status, 0);
}

// --- sizes

#[test]
fn large_files_are_rejected_at_once() {
    let desk = Desk::new();
    for name in ["big.toml", "flockscope/presets/big.toml", "flockscope/themes/big.toml"] {
        desk.write_sparse(name, "", 1 << 30);
    }
    desk.write_sparse("head.toml", "world = \"80x60\"\n", 1 << 30);
    for (args, status) in [
        (&["run", "-p", "./big.toml"][..], 1),
        (&["run", "-p", "./head.toml"], 1),
        (&["run", "-p", "big"], 1),
        (&["presets", "show", "big"], 1),
        (&["themes", "show", "big"], 1),
        (&["themes", "show", "./big.toml"], 1),
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
fn endless_rows_use_little_memory() {
    let desk = Desk::new();
    desk.write_sparse("zeros.csv", "", 1 << 30);
    desk.write_sparse("more.csv", &format!("{HEADER}{ROW}"), 1 << 30);
    desk.write("long.csv", format!("{HEADER}{ROW}0,2,prey,{}", "9".repeat(100_000_000)));
    desk.write("fields.csv", format!("{HEADER}{ROW}{}", ",".repeat(100_000_000)));
    desk.write("quotes.csv", format!("{HEADER}{ROW}0,2,\"{}", "prey\n".repeat(10_000_000)));
    for (file, place) in [
        ("zeros.csv", "zeros.csv:1: the line is longer than"),
        ("/dev/zero", "/dev/zero:1: the line is longer than"),
        ("more.csv", "more.csv:3: the line is longer than"),
        ("long.csv", "long.csv:3: the line is longer than"),
        ("fields.csv", "fields.csv:3: the line is longer than"),
        ("quotes.csv", "quotes.csv:3: this row has 3 fields, and the header has 9"),
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
        let outcome = fly(file);
        assert_eq!((outcome.status, outcome.error.as_str()), (1, sentence));
    }
}

/// Files that are nested too deep or too long in some way.
fn oversized_files() -> Vec<String> {
    let long = 240_000;
    vec![
        (format!("a = {}", "[".repeat(DEEP))),
        (format!("a = {}1{}", "[".repeat(DEEP), "]".repeat(DEEP))),
        (format!("a = {}", "{a=".repeat(DEEP / 2))),
        (format!("{} = 1", vec!["a"; DEEP].join("."))),
        (format!("[{}]\nb = 1", vec!["speed"; DEEP / 3].join("."))),
        (format!("[[{}]]\nb = 1", vec!["zone"; DEEP / 3].join("."))),
        (format!("{} = 1", "k".repeat(long))),
        (format!("boids = \"{}\"", "k".repeat(long))),
        (format!("boids = {}", "9".repeat(long))),
        (format!("rate = 961.{}", "9".repeat(long))),
        (format!("start = \"{}\"", "s".repeat(long))),
        (format!("dim = \"{}\"", "r".repeat(long))),
        (format!("[keys]\npause = \"{}\"", "r".repeat(long))),
        (format!("[keys]\n{} = \"x\"", "r".repeat(long))),
        (format!("[set]\n{} = 1", "r".repeat(long))),
        (format!("[set]\nspeed.max = \"{}\"", "r".repeat(long))),
        (format!("theme = \"{}\"", "r".repeat(long))),
        ((0..DEEP / 5).fold(String::new(), |text, number| text + &format!("k{number} = 1\n"))),
        ((0..DEEP / 8).fold("[keys]\n".into(), |text, number| text + &format!("k{number} = \"x\"\n"))),
        (format!("[keys]\npause = [{}]", "\"x\", ".repeat(long / 5))),
        ("[[zone]]\n".repeat(long / 9)),
        ("\n".repeat(long) + "x"),
    ]
}

#[test]
fn oversized_files_are_rejected() {
    let desk = Desk::new();
    let file = "./x.toml";
    for (number, text) in oversized_files().into_iter().enumerate() {
        desk.write(file, &text);
        for args in [
            &["run", "--ticks", "0", "-p", file][..],
            &["run", "--ticks", "0", "--config", file],
            &["themes", "show", file],
        ] {
            let begin: String = text.chars().take(30).collect();
            let error = desk.refuses(args, 1);
            assert!(error.starts_with("flockscope: ./x.") && error.lines().count() <= 4, "{number} {begin}: {error}");
        }
    }
}

// --- special files

#[test]
fn special_files_are_rejected_without_waiting() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder.toml")).unwrap();
    symlink("loop.toml", desk.path("loop.toml")).unwrap();
    symlink("nowhere.toml", desk.path("gone.toml")).unwrap();
    desk.write_pipe("pipe.toml");
    desk.write_pipe("flockscope/presets/pipe.toml");
    desk.write_pipe("flockscope/themes/pipe.toml");
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
        let sources = [&["run", "--ticks", "0", "-p", file][..], &["themes", "show", file], &["run", "--config", file]];
        for args in sources {
            // An empty config is valid.
            if open && file == "./closed.toml" && args[1] == "--config" {
                continue;
            }
            let error = desk.refuses(args, 1);
            assert!(error.contains(why), "{args:?}: {error}");
        }
    }
    // A pipe has no name, and the lists report it.
    desk.refuses(&["run", "-p", "pipe"], 2);
    desk.refuses(&["themes", "show", "pipe"], 2);
    for list in ["presets", "themes"] {
        assert!(desk.run(&[list]).out.contains("not a regular file"), "{list}");
    }
    for name in ["../presets/x", "..", "/", "a\nb", "con"] {
        desk.refuses(&["presets", "show", name], if name.contains('/') { 1 } else { 2 });
    }
    // Rows may come through a pipe.
    desk.write_pipe("rows.csv");
    let rows = desk.path("rows.csv");
    let writer = thread::spawn(move || fs::write(rows, format!("{HEADER}{ROW}x\n")).unwrap());
    let error = desk.refuses(&["run", "-p", "drones", "--input", "rows.csv"], 1);
    assert!(error.starts_with("flockscope: rows.csv:3: this row has 1 field,"), "{error}");
    writer.join().unwrap();
    let error = desk.refuses(&["run", "-p", "drones", "--input", "folder.toml"], 1);
    assert!(error.contains("directory"), "{error}");
}

#[test]
fn a_file_that_changes_while_reading_is_accepted_or_rejected() {
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
            let outcome = desk.run(&["presets", "show", "mine"]);
            assert!([0, 1, 2].contains(&outcome.status) && outcome.error.lines().count() <= 3, "{}", outcome.error);
            desk.run(&["presets"]);
        }
        done.store(true, Ordering::Relaxed);
    });
}

// --- the terminal

#[test]
fn flags_cannot_control_the_terminal() {
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
        &["sweep", "--over", HOSTILE],
        &["sweep", "--over", &format!("boids={HOSTILE}")],
        &["sweep", "--measure", HOSTILE],
        &["sweep", "--shard", HOSTILE],
        &["run", "--input", HOSTILE],
        &["run", "--ticks", "0", "--output", &format!("{HOSTILE}/x")],
        &["shot", "-o", HOSTILE],
        &["shot", "-o", &format!("{HOSTILE}/x.png")],
        &["shot", "-o", "x.png", "--size", HOSTILE],
        &["record", "-o", HOSTILE],
        &["record", "-o", "x.cast", "--duration", HOSTILE],
    ] {
        let outcome = desk.run(args);
        assert!(outcome.status == 1 || outcome.status == 2, "{args:?}: {}", outcome.error);
        assert!(outcome.out.is_empty() && !outcome.error.is_empty());
        // The requested name can still be printed.
        let tells = outcome.error.contains("\\u{1b}") || !outcome.error.contains("owned");
        assert!(tells, "{args:?}: {}", outcome.error);
    }
}

#[test]
fn files_and_the_environment_cannot_control_the_terminal() {
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
    desk.write(&format!("flockscope/themes/{HOSTILE}.toml"), format!("{THEME}heading = [\"red\"]\n"));
    for list in ["presets", "themes"] {
        let outcome = desk.run(&[list]);
        assert!(
            outcome.status == 0 && outcome.out.contains("sly") && outcome.out.contains(" name `"),
            "{}",
            outcome.out
        );
    }
    desk.write("flockscope/config.toml", format!("theme = \"{quoted}\"\n"));
    desk.refuses(&["run", "--ticks", "0"], 1);
    desk.write("flockscope/config.toml", format!("[keys]\npause = \"{quoted}\"\n"));
    desk.refuses(&["keys"], 1);
    desk.write("flockscope/config.toml", "");
    for name in ["FLOCKSCOPE_CONFIG", "FLOCKSCOPE_SIMD"] {
        let mut command = desk.command(&["run", "--ticks", "1", "-n", "3"]);
        command.env(name, HOSTILE);
        let outcome = outcome_of(command, &[name]);
        assert!(outcome.status == 1 || outcome.status == 2, "{name:?}: {} {}", outcome.status, outcome.error);
    }
}

#[test]
fn shown_files_are_verbatim_or_escaped() {
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
    // A name with control characters is not a preset.
    desk.write("flockscope/presets/sly.toml", text.replace('\u{202e}', "\u{9b}"));
    let error = desk.refuses(&["presets", "show", "sly"], 1);
    assert!(error.contains("sly.toml:1:19: control characters are not allowed"), "{error}");
}

/// A recording of two animals. The name of one is hostile, and in the first frame only.
fn write_recording(desk: &Desk, name: &str) {
    desk.write(name, format!("id,frame,x,y\n\"{HOSTILE}\",0,1,1\nc,0,2,2\nc,1,3,3\n"));
}

#[test]
fn output_cannot_control_the_terminal() {
    let desk = Desk::new();
    write_recording(&desk, "sly.csv");
    let (recording, gif) = (format!("{HOSTILE}.csv"), format!("{HOSTILE}.gif"));
    write_recording(&desk, &recording);
    let preset = format!("summary = \"\" # {}\nworld = \"80x60\"\nboids = 5\n", '\u{202e}');
    desk.write("flockscope/presets/sly.toml", &preset);
    let flock = ["-p", "sly", "-s", "1"];
    for args in [
        &["run", "--session", "sly.csv", "-o", "-"][..],
        &["run", "--session", "sly.csv", "-o", "-", "--columns", "tracks"],
        &["run", "--session", "sly.csv", "-o", "/dev/stdout"],
        &["run", "--session", "sly.csv", "-o", "/dev/stderr"],
        &["run", "--session", "sly.csv", "-o", "/dev/tty"],
        &["run", "--session", "sly.csv", "--measures", "-", "--unit", "px"],
        &["run", "--session", "sly.csv", "--summary", "--unit", "px"],
        &["run", "--session", &recording, "--hash"],
        &["presets", "show", "sly"],
        &["record", "-p", "drones", "-s", "1", "--size", "20x8", "--duration", "0.1s", "-o", &gif],
        &[&["record", "--size", "20x8", "--duration", "0.1s", "-o", "-"], &flock[..]].concat(),
    ] {
        let mut terminal = desk.viewer(args);
        terminal.listen();
        let (status, shown) = terminal.end();
        assert_eq!(status, 0, "{args:?}: {shown}");
        assert!(!shown.is_empty() && is_harmless(&terminal.heard()), "{args:?}: {:?}", terminal.heard());
    }
    // A picture has colors.
    let mut terminal = desk.viewer(&[&["shot", "--size", "20x8", "--panel", "-o", "-"], &flock[..]].concat());
    terminal.listen();
    assert_eq!(terminal.end().0, 0);
    assert!(terminal.heard().contains("\u{1b}[38;2;"), "{:?}", terminal.heard());
}

#[test]
fn pipes_and_files_have_text_as_it_is() {
    let desk = Desk::new();
    write_recording(&desk, "sly.csv");
    let piped = desk.command(&["run", "--session", "sly.csv", "-o", "-"]).output().unwrap().stdout;
    assert!(String::from_utf8(piped).unwrap().contains(HOSTILE));
    let unit = "px";
    assert_eq!(desk.run(&["run", "--session", "sly.csv", "-o", "out.csv", "--unit", unit]).status, 0);
    assert!(fs::read_to_string(desk.path("out.csv")).unwrap().contains(HOSTILE));
    let json = fs::read_to_string(desk.path("out.csv.json")).unwrap();
    assert!(is_harmless(&json), "{json}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["recording"]["names"][0], &json["units"]["length"]), (&HOSTILE.into(), &unit.into()));
}

#[test]
fn arguments_may_be_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    for words in [
        &[&b"\xff"[..]][..],
        &[b"--\xff"],
        &[b"run", b"\xff"],
        &[b"--noise", b"\xff"],
        &[b"run", b"--alignment=\xff"],
        &[b"run", b"--tikcs", b"\xff"],
        &[b"sweep", b"--resume", b"\xff"],
        &[b"--preset", b"\xff"],
        &[b"--set", b"\xff=1"],
        &[b"sweep", b"--over", b"\xff"],
        &[b"presets", b"show", b"\xff"],
        &[b"completions", b"\xff"],
    ] {
        let mut command = desk.command(&[]);
        command.args(words.iter().map(|word| OsStr::from_bytes(word)));
        let outcome = outcome_of(command, &[&format!("{words:?}")]);
        assert_eq!(outcome.status, 2, "{words:?}: {}", outcome.error);
        assert!(outcome.out.is_empty() && outcome.error.starts_with("error: "), "{words:?}: {}", outcome.error);
    }
    // The name of a file may have any bytes.
    let mut command = desk.command(&["run", "-s", "1", "-n", "3", "--ticks", "1", "-o"]);
    command.arg(OsStr::from_bytes(b"\xff.csv"));
    assert_eq!(outcome_of(command, &["-o"]).status, 0);
}

#[test]
fn a_stack_of_a_mebibyte_is_enough() {
    let desk = Desk::new();
    desk.write("deep.toml", format!("x = {}", "[".repeat(DEEP)));
    desk.write("deep.flock", "[".repeat(DEEP));
    let shell = "ulimit -s 1024; exec \"$0\" \"$@\"";
    for (args, status) in [
        (&["--help"][..], 0),
        (&["run", "-s", "1", "-n", "9", "--ticks", "3", "--hash"], 0),
        (&["presets"], 0),
        (&["presets", "show", "./deep.toml"], 1),
        (&["themes", "show", "./deep.toml"], 1),
        (&["run", "--config", "deep.toml"], 1),
        (&["replay", "--verify", "deep.flock"], 1),
    ] {
        let mut command = Command::from_std(program::clean_command("sh"));
        command.args(["-c", shell]).arg(program::path()).args(args).current_dir(desk.home.path());
        let outcome = outcome_of(command, args);
        assert_eq!(outcome.status, status, "{args:?}: {}", outcome.error);
    }
    let mut viewer = exactly(&[]);
    let words = ["sh", "-c", shell, program::path().to_str().unwrap(), "-s", "1", "--no-intro"];
    *viewer.get_argv_mut() = words.map(Into::into).to_vec();
    let mut terminal = Terminal::with(120, 40, viewer);
    terminal.wait_for_text("▶ running");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn names_and_summaries_cannot_control_the_viewer() {
    let desk = Desk::new();
    let quoted = "\\u001b]0;owned\\u0007\\u001b[35m\\u009b35m\u{202e}";
    let file = format!("./it's {HOSTILE}.toml");
    desk.write(&file, format!("summary = \"{quoted}\"\nworld = \"80x60\"\nboids = 9\n"));
    let theme = format!("{THEME}heading = [\"red\"]\n").replace("\"x\"", &format!("\"{quoted}\""));
    desk.write(&format!("./{HOSTILE}.toml"), theme);
    desk.write("flockscope/presets/wrong.toml", format!("\"{quoted}\" = 1\n"));
    let theme_file = format!("./{HOSTILE}.toml");
    let mut terminal = desk.viewer(&["-p", &file, "-t", &theme_file, "-s", "1", "--no-intro"]);
    // Messages disappear after a while.
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
    // The printed command finds the file.
    let command = left.lines().collect::<String>();
    let from = command.find("flockscope -p $'").unwrap_or_else(|| panic!("{left}"));
    let word = command[from..].split(" -s ").next().unwrap().replace("flockscope -p ", "");
    let mut shell = Process::new("bash");
    shell.args(["-c", &format!("cat {word}")]).env("LC_ALL", "C.UTF-8").current_dir(desk.home.path());
    let found = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    assert!(found.contains("boids = 9"), "{word}: {found}");
}

/// Only users other than root are denied access.
#[test]
fn an_unreadable_folder_is_reported() {
    let desk = Desk::new();
    let folder: &Path = &desk.path("flockscope/themes");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o000)).unwrap();
    let open = fs::read_dir(folder).is_ok();
    let outcome = desk.run(&["themes"]);
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(outcome.status == 0 && (open || outcome.out.contains("Permission denied")), "{}", outcome.out);
}
