//! Contract: a key that is bound has its effect in every form in which common terminals report it.
//!
//! The sequences are those of terminfo (`infocmp -x` with ncurses-term 6.4), in both modes of the arrow keys, and of the documentation that
//! the row names.

use flockscope::config::KeyBindings;
use flockscope::terminal::InputDecoder;
use flockscope::terminal::events::{Key, TerminalEvent};
use flockscope::viewer::{Action, Keymap, Mode};

/// Terminals, and their sequences with the actions of the keys.
type Family = (&'static str, &'static [(&'static str, Action)]);

const ALL: Family = (
    "all",
    &[
        ("\x1b[A", Action::PreviousParameter),
        ("\x1b[B", Action::NextParameter),
        ("\x1b[C", Action::Increase),
        ("\x1b[D", Action::Decrease),
        ("\x1bOA", Action::PreviousParameter),
        ("\x1bOB", Action::NextParameter),
        ("\x1bOC", Action::Increase),
        ("\x1bOD", Action::Decrease),
        ("\x1b[3~", Action::ResetAll),
        ("\x1b[5~", Action::PageUp),
        ("\x1b[6~", Action::PageDown),
        ("\x7f", Action::ResetParameter),
        ("\x08", Action::ResetParameter),
        ("\r", Action::EditValue),
        ("\n", Action::EditValue),
        ("\t", Action::NextPreset),
        ("\x1b[Z", Action::PreviousPreset),
        (" ", Action::Pause),
        ("q", Action::Quit),
        ("?", Action::Help),
        ("R", Action::Restart),
        ("\x1b", Action::Close),
        ("\x1bh", Action::DecreaseFine),
        ("\x03", Action::Quit),
        ("\x0c", Action::Reload),
        ("\x13", Action::SaveSession),
        ("\x1a", Action::Suspend),
    ],
);
const FAMILIES: [Family; 11] = [
    ALL,
    // <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>
    (
        "xterm, kitty, foot, Alacritty, WezTerm, Ghostty, Konsole, VTE, mintty, mlterm, Contour, tmux",
        &[
            ("\x1b[H", Action::Minimum),
            ("\x1b[F", Action::Maximum),
            ("\x1bOH", Action::Minimum),
            ("\x1bOF", Action::Maximum),
            ("\x1b[1;2C", Action::IncreaseCoarse),
            ("\x1b[1;2D", Action::DecreaseCoarse),
            ("\x1b[1;3C", Action::IncreaseFine),
            ("\x1b[1;3D", Action::DecreaseFine),
            ("\x1b[1;5A", Action::PanUp),
            ("\x1b[1;5D", Action::PanLeft),
            ("\x1b[1;5H", Action::ResetView),
            ("\x1bOP", Action::Help),
        ],
    ),
    // The first two with the profile's keys of xterm and iTerm2 3.4, the others with Option as Esc+ and in natural text editing.
    (
        "iTerm2, Terminal.app",
        &[
            ("\x1b[1;9C", Action::IncreaseFine),
            ("\x1b[1;9D", Action::DecreaseFine),
            ("\x1b\x1b[C", Action::IncreaseFine),
            ("\x1b\x1b[D", Action::DecreaseFine),
            ("\x1b\x1bOC", Action::IncreaseFine),
            ("\x1bf", Action::IncreaseFine),
            ("\x1bb", Action::DecreaseFine),
        ],
    ),
    // <http://cvs.schmorp.de/rxvt-unicode/doc/rxvt.7.pod>
    (
        "rxvt-unicode",
        &[
            ("\x1b[7~", Action::Minimum),
            ("\x1b[8~", Action::Maximum),
            ("\x1b[c", Action::IncreaseCoarse),
            ("\x1b[d", Action::DecreaseCoarse),
            ("\x1b\x1b[C", Action::IncreaseFine),
            ("\x1bOa", Action::PanUp),
            ("\x1bOd", Action::PanLeft),
            ("\x1b[7^", Action::ResetView),
            ("\x1b[11~", Action::Help),
        ],
    ),
    (
        "st, screen, PuTTY",
        &[
            ("\x1b[1~", Action::Minimum),
            ("\x1b[4~", Action::Maximum),
            ("\x1bOP", Action::Help),
            ("\x1b[11~", Action::Help),
            ("\x1b\x1bOD", Action::DecreaseFine),
        ],
    ),
    (
        "Linux console",
        &[
            ("\x1b[1~", Action::Minimum),
            ("\x1b[4~", Action::Maximum),
            ("\x1b[[A", Action::Help),
            ("\x1b\t", Action::PreviousPreset),
        ],
    ),
    // `kent` and the DEC manual, EK-VT100-UG.
    (
        "keypad in application mode",
        &[
            ("\x1bOM", Action::EditValue),
            ("\x1bOk", Action::MoreBoids),
            ("\x1bOm", Action::FewerBoids),
            ("\x1bOn", Action::Step),
            ("\x1bOp", Action::ChoosePreset),
            ("\x1bOy", Action::Preset9),
        ],
    ),
    // <https://invisible-island.net/xterm/modified-keys.html>
    (
        "xterm with modifyOtherKeys and formatOtherKeys=0",
        &[
            ("\x1b[27;5;99~", Action::Quit),
            ("\x1b[27;5;108~", Action::Reload),
            ("\x1b[27;2;82~", Action::Restart),
            ("\x1b[27;2;63~", Action::Help),
            ("\x1b[27;3;104~", Action::DecreaseFine),
            ("\x1b[27;2;9~", Action::PreviousPreset),
        ],
    ),
    (
        "xterm with modifyOtherKeys and formatOtherKeys=1",
        &[
            ("\x1b[99;5u", Action::Quit),
            ("\x1b[108;5u", Action::Reload),
            ("\x1b[82;2u", Action::Restart),
            ("\x1b[63;2u", Action::Help),
            ("\x1b[9;2u", Action::PreviousPreset),
        ],
    ),
    // <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>
    (
        "the protocol of kitty",
        &[
            ("\x1b[113u", Action::Quit),
            ("\x1b[113;;113u", Action::Quit),
            ("\x1b[114:82;2;82u", Action::Restart),
            ("\x1b[47:63;2;63u", Action::Help),
            ("\x1b[114;65;82u", Action::Restart),
            ("\x1b[32;;32u", Action::Pause),
            ("\x1b[9u", Action::NextPreset),
            ("\x1b[9;2u", Action::PreviousPreset),
            ("\x1b[13u", Action::EditValue),
            ("\x1b[27u", Action::Close),
            ("\x1b[127u", Action::ResetParameter),
            ("\x1b[99;5u", Action::Quit),
            ("\x1b[104;3u", Action::DecreaseFine),
            ("\x1b[1;3D", Action::DecreaseFine),
            ("\x1b[1;129D", Action::Decrease),
            // With Num Lock, and the keypad.
            ("\x1b[13;129u", Action::EditValue),
            ("\x1b[57417u", Action::Decrease),
            ("\x1b[57413u", Action::MoreBoids),
            ("\x1b[P", Action::Help),
            // The Russian and the Greek layout.
            ("\x1b[1081::113;;1081u", Action::Quit),
            ("\x1b[1082:1050:114;2;1050u", Action::Restart),
            ("\x1b[1089::99;5u", Action::Quit),
            ("\x1b[954::107;;954u", Action::PreviousParameter),
        ],
    ),
    (
        "a Cyrillic or Greek layout without a protocol",
        &[
            ("й", Action::Quit),
            ("К", Action::Restart),
            ("ъ", Action::ZoomIn),
            ("κ", Action::PreviousParameter),
            ("Ρ", Action::Restart),
        ],
    ),
];

fn keys(sequence: &str) -> Vec<Key> {
    let mut decoder = InputDecoder::default();
    let mut events = decoder.feed(sequence.as_bytes());
    events.extend(decoder.flush());
    let key = |event| if let TerminalEvent::Key(key) = event { key } else { panic!("{event:?}") };
    events.into_iter().map(key).collect()
}

#[test]
fn bound_keys_work_in_every_form() {
    let keymap = Keymap::default();
    for (family, rows) in FAMILIES {
        for (sequence, action) in rows {
            let actions: Vec<_> =
                keys(sequence).into_iter().map(|key| keymap.bound(key, Mode::Flying).action).collect();
            assert_eq!(actions, [Some(*action)], "{family}: {}", sequence.escape_debug());
        }
    }
}

#[test]
fn a_binding_wins_over_another_form_of_a_key() {
    let rows = "[keys]\nquit = [\"q\", \"alt-b\", \"й\"]\nhelp = [\"ctrl-h\"]\n";
    let keymap = Keymap::new(&KeyBindings::from_text("mine.toml", rows).unwrap()).unwrap();
    let action = |sequence| keymap.bound(keys(sequence)[0], Mode::Flying).action;
    assert_eq!(
        [action("\x1bb"), action("й"), action("\x1bf")],
        [Some(Action::Quit), Some(Action::Quit), Some(Action::IncreaseFine)]
    );
    assert_eq!([action("\x08"), action("\x7f")], [Some(Action::Help), Some(Action::ResetParameter)]);
}

#[test]
fn text_is_the_typed_character_and_replies_are_no_part_of_a_key() {
    let typed = |sequence: &str| keys(sequence).iter().map(|key| key.typed.code.to_string()).collect::<String>();
    assert_eq!(typed("\x1b[1081::113;;1081u\x1b[1082:1050:114;2;1050u"), "йК");
    // A dead key and a letter type one character.
    assert_eq!(typed("\x1b[101;;233u"), "é");
    // An input method has no key.
    assert_eq!(typed("\x1b[0;;40165u"), "鳥");
    let mut decoder = InputDecoder::default();
    let events = decoder.feed(b"\x1b\x1b[23;1R");
    assert!(matches!(events[..], [TerminalEvent::Key(_), TerminalEvent::Reply(_)]), "{events:?}");
}
