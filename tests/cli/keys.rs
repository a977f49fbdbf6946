//! Contract: custom keys work, are shown as bound, and never make quitting impossible.

use flockscope::commands::lists;
use flockscope::config::KeyBindings;
use flockscope::viewer::{Action, BaseKeymap, Keymap};

/// The keymap of a file with these rows.
fn keymap(rows: &str) -> Result<Keymap, String> {
    let bindings =
        KeyBindings::from_text("mine.toml", &format!("[keys]\n{rows}")).map_err(|error| error.to_string())?;
    Keymap::new(&bindings).map_err(|error| error.to_string())
}

fn shown(keymap: &Keymap) -> Vec<Vec<String>> {
    Action::ALL.iter().map(|action| keymap.keys(*action)).collect()
}

#[test]
fn the_example_of_the_documentation_works() {
    let page = include_str!("../../docs/configuration.md");
    let section = page.split("## Keys").nth(1).unwrap();
    let example = section.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let keymap = Keymap::new(&KeyBindings::from_text("configuration.md", example).unwrap()).unwrap();
    assert_eq!(keymap.keys(Action::Pause), ["Space", "F5"]);
    assert_eq!(keymap.keys(Action::ResetAll), ["Ctrl-x"]);
    assert!(keymap.keys(Action::Screenshot).is_empty());
    assert_eq!(keymap.keys(Action::Maximum), Keymap::from_base(BaseKeymap::Vim).keys(Action::Maximum));
}

#[test]
fn the_list_is_a_valid_key_table() {
    for base in BaseKeymap::ALL {
        let known = Keymap::from_base(base);
        let rows = Action::ALL.iter().map(|action| lists::keys(&known, Some(action.id())).unwrap());
        let read = keymap(&rows.collect::<String>()).unwrap();
        assert_eq!(shown(&read), shown(&known), "{}", base.name());
    }
}

#[test]
fn the_list_shows_keys_as_bound() {
    let keymap = keymap("pause = [\"f5\", \"r\"]\nhelp = []\n").unwrap();
    let list = lists::keys(&keymap, None).unwrap();
    let line = |id: &str| list.lines().find(|line| line.split(' ').next() == Some(id)).unwrap();
    assert!(line("pause").contains(" F5 r "), "{list}");
    assert!(!line("new-seed").contains(" r "), "{list}");
    assert_eq!(lists::keys(&keymap, Some("help")).unwrap(), "# Show or hide this help.\nhelp = []\n");
}

#[test]
fn mistakes_are_reported_with_position_and_suggestion() {
    let complaints: Vec<String> = [
        "pause = \"spcae\"\n",
        "pause = \"cntrl-x\"\n",
        "pause = \"cmd-x\"\n",
        "pause = \"\"\n",
        "pause = \"shift-1\"\n",
        "pause = \"ctrl-i\"\n",
        "pause = \"ctrl-shift-r\"\n",
        "pause = \"ctrl-+\"\n",
        "pause = \"alt-[\"\n",
        "pause = \"ctrl-c\"\n",
        "pause = 1\n",
        "pause = [\"x\", [\"y\"]]\n",
        "puase = \"x\"\n",
        "pause = \"x\"\nstep = [\"y\", \"X\", \"x\"]\n",
        "pause = \"x\"\npause = \"y\"\n",
        "base = \"emacs\"\n",
        "base = \"arows\"\n",
        "base = true\n",
    ]
    .iter()
    .map(|rows| format!("{rows}{}\n", keymap(rows).unwrap_err()))
    .collect();
    insta::assert_snapshot!(complaints.join("\n"));
}
