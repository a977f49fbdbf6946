//! Contract: files in the user's folders are found by name, listed and used, and invalid ones do no harm.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use crate::program;
use crate::terminal::{Terminal, viewer};
use crate::tools;
use flockscope::config::{Preset, THEMES, Theme};
use flockscope::sim::Param;
use tempfile::TempDir;

#[test]
fn a_home_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let home = TempDir::new().unwrap();
    let settings = home.path().join(OsStr::from_bytes(b"x\xff"));
    let presets = settings.join("flockscope/presets");
    if fs::create_dir_all(&presets).is_err() {
        return tools::skip("the file system rejects names that are not UTF-8");
    }
    fs::write(presets.join("mine.toml"), Preset::load("drones").unwrap().text()).unwrap();
    let mut show = program::process(&["run", "-p", "mine", "--ticks", "1", "--hash", "-s", "1"]);
    let shown = show.env("XDG_CONFIG_HOME", &settings).output().unwrap();
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
}

/// A home with a folder of themes.
struct Home {
    home: TempDir,
    themes: PathBuf,
}

impl Home {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let themes = home.path().join("flockscope/themes");
        fs::create_dir_all(&themes).unwrap();
        Self { home, themes }
    }

    fn with(files: &[(&str, &str)]) -> Self {
        let home = Self::new();
        for (name, text) in files {
            fs::write(home.themes.join(name), text).unwrap();
        }
        home
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut program = program::flockscope(args);
        program.env("XDG_CONFIG_HOME", self.home.path()).timeout(Duration::from_secs(60)).output().unwrap()
    }

    /// Standard output of a successful run.
    fn says(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn viewer(&self, args: &[&str]) -> Terminal {
        let mut command = viewer(args);
        command.env("XDG_CONFIG_HOME", self.home.path());
        Terminal::with(140, 40, command)
    }
}

/// The theme of the documentation.
fn example() -> String {
    let page = include_str!("../../docs/configuration.md");
    let section = page.split("## Custom presets and themes").nth(1).unwrap();
    section.split("```toml\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

#[test]
fn the_example_of_the_documentation_is_a_theme() {
    let home = Home::with(&[("gulls.toml", &example())]);
    let theme = Theme::load(home.themes.join("gulls.toml").to_str().unwrap()).unwrap();
    let colors = &theme.colors;
    assert!(colors.obstacle.is_some() && colors.food.is_some() && colors.roost.is_some() && colors.pointer.is_some());
    assert_eq!((colors.sky.len(), colors.heading.len()), (2, 4));
}

#[test]
fn user_themes_are_listed_and_used_by_name() {
    let home = Home::with(&[("gulls.toml", &example()), ("dusk.toml", &example())]);
    let listed = home.says(&["themes"]);
    let line = |name: &str| listed.lines().find(|line| line.split(' ').next() == Some(name)).unwrap().to_owned();
    assert!(line("gulls").contains("(yours) gulls over a gray sea"), "{listed}");
    assert!(line("dusk").contains("(yours, replaces the built-in one)"), "{listed}");
    assert!(!line("moon").contains("yours"));
    assert_eq!(listed.lines().count(), THEMES.len() + 1);
    // Built-in themes keep their order, so that `t` visits them as before.
    assert!(listed.starts_with("nightfall"));
    let picture = home.home.path().join("gulls.svg");
    let flock = ["-p", "starlings", "-s", "1", "-n", "50", "--ticks", "1", "--size", "40x10"];
    home.says(&[&["shot", "-o", picture.to_str().unwrap(), "-t", "gulls"][..], &flock].concat());
    assert!(fs::read_to_string(&picture).unwrap().contains("#ffd2a8"));
    let output = home.run(&["themes", "show", "guls"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean `gulls`?"));
}

#[test]
fn a_shown_theme_is_a_valid_theme_file() {
    let home = Home::with(&[("gulls.toml", &example())]);
    assert_eq!(home.says(&["themes", "show", "gulls"]), example());
    for name in THEMES.iter().map(|theme| theme.name) {
        let file = home.home.path().join(format!("{name}.toml"));
        fs::write(&file, home.says(&["themes", "show", name])).unwrap();
        assert_eq!(Theme::load(file.to_str().unwrap()).unwrap().colors, Theme::load(name).unwrap().colors, "{name}");
    }
    for row in Param::table() {
        let text = format!("world = \"800x600\"\n{}", home.says(&["params", "show", row.key]));
        let preset = Preset::from_text("mine", &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(row.get(&preset.params), row.default(), "{}", row.key);
    }
}

#[test]
fn invalid_themes_are_reported_without_waiting() {
    let home = Home::with(&[("broken.toml", "summary = 1\n"), ("my own.toml", "")]);
    symlink("loop.toml", home.themes.join("loop.toml")).unwrap();
    symlink("/nowhere/at/all", home.themes.join("gone.toml")).unwrap();
    symlink("/dev/zero", home.themes.join("zero.toml")).unwrap();
    fs::create_dir(home.themes.join("folder.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(home.themes.join("pipe.toml")).status().unwrap().success());
    fs::write(home.themes.join("esc\u{1b}[31m.toml"), example()).unwrap();
    fs::write(home.themes.join("sly.toml"), example().replace("gulls over", "\\u001b[31m")).unwrap();
    fs::write(home.themes.join("large.toml"), vec![b'#'; 1 << 20]).unwrap();
    let listed = home.says(&["themes"]);
    for told in [
        "broken.toml:1:",
        "loop.toml: ",
        "gone.toml: ",
        "zero.toml: not a regular file",
        "folder.toml: not a regular file",
        "pipe.toml: not a regular file",
        "invalid theme name `my own`",
        "invalid theme name `esc\\u{1b}[31m`",
        "large.toml: larger than",
    ] {
        assert!(listed.lines().any(|line| line.starts_with("# ") && line.contains(told)), "{told}\n{listed}");
    }
    assert!(!listed.contains('\u{1b}') && listed.contains("sly"), "{listed}");
    let output = home.run(&["shot", "-o", "-", "-t", "pipe"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn unusable_and_very_full_folders_do_no_harm() {
    let home = Home::new();
    fs::remove_dir(&home.themes).unwrap();
    fs::write(&home.themes, "").unwrap();
    assert!(home.says(&["themes"]).lines().last().unwrap().starts_with("# "));
    fs::remove_file(&home.themes).unwrap();
    fs::create_dir(&home.themes).unwrap();
    (0..10_000).for_each(|number| fs::write(home.themes.join(format!("n{number}.toml")), example()).unwrap());
    let listed = home.says(&["themes"]);
    assert_eq!(listed.lines().count(), THEMES.len() + 500 + 1);
    assert!(listed.contains("only 500 of 10000 files are listed"), "{listed}");
    assert_eq!(home.says(&["themes", "show", "n9999"]), example());
}

#[test]
fn the_viewer_previews_and_cycles_user_themes() {
    let home = Home::with(&[("gulls.toml", &example()), ("broken.toml", "summary = 1\n")]);
    let mut terminal = home.viewer(&["-p", "drones", "-s", "1", "--no-sky"]);
    terminal.wait_for_text("broken.toml:1:");
    terminal.press(":theme gulls\x1b[B");
    terminal.wait_for_text("yours");
    terminal.wait_for("the preview", |screen| screen.lines().next()?.trim_end().ends_with("gulls").then_some(()));
    terminal.press("\x1b");
    terminal.wait_for("the theme before", |screen| screen.lines().next()?.trim_end().ends_with("neon").then_some(()));
    terminal.press(":theme gulls\r");
    terminal.wait_for_text("theme: gulls");
    // It is the last; the first comes next, and then it again.
    terminal.press("t");
    terminal.wait_for_text("theme: nightfall");
    terminal.press(":previous-theme\r");
    terminal.wait_for_text("theme: gulls");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
