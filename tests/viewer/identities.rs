//! Contract: in each common terminal the viewer picks the colors and glyphs that it shows, takes no reply for a key, and leaves the
//! terminal as it was, with no reply for the shell.

use std::thread;

use flockscope::picture::{ColorDepth, Marker};
use vt100::{Color, MouseProtocolMode, Screen};

use crate::replying::{ASK, ReplyMode, Terminal};
use crate::terminal::viewer;

/// The requests: primary device attributes (DA1), synchronized output (DECRQM), the background color (OSC 11), the colors that
/// are set (DECRQSS), and the column of the cursor behind a braille character.
const ATTRIBUTES: &str = "\x1b[c";
const SYNCHRONIZED: &str = "\x1b[?2026$p";
const BACKGROUND: &str = "\x1b]11;?\x1b\\";
const RENDITION: &str = "\x1bP$qm\x1b\\";
const CHARSET: &str = "\x1b[2H\u{283f}\x1b[6n";
/// The reply of a terminal that decodes UTF-8.
const UTF8: Option<&str> = Some("\x1b[2;2R");

/// A terminal: what it sets, what it replies, and what the viewer makes of that.
struct Identity {
    name: &'static str,
    env: &'static [(&'static str, &'static str)],
    attributes: Option<&'static str>,
    synchronized: Option<&'static str>,
    background: Option<&'static str>,
    rendition: Option<&'static str>,
    charset: Option<&'static str>,
    depth: ColorDepth,
    marker: Marker,
}

/// A terminal that replies to nothing.
const SILENT: Identity = Identity {
    name: "silent",
    env: &[("TERM", "xterm-256color")],
    attributes: None,
    synchronized: None,
    background: None,
    rendition: None,
    charset: None,
    depth: ColorDepth::Colors256,
    marker: Marker::Braille,
};

/// The background color is a setting; here it is the default of each.
const IDENTITIES: [Identity; 12] = [
    // <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>; `do_dec_rqm` and `xtermFormatSGR` in
    // <https://github.com/ThomasDickey/xterm-snapshots/blob/master/charproc.c>.
    Identity {
        name: "xterm",
        env: &[("TERM", "xterm"), ("XTERM_VERSION", "XTerm(379)")],
        attributes: Some("\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"),
        synchronized: Some("\x1b[?2026;0$y"),
        background: Some("\x1b]11;rgb:ffff/ffff/ffff\x1b\\"),
        rendition: Some("\x1bP1$r0;48:2::1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // `report_device_attributes`, `report_mode_status` and `screen_request_capabilities` in
    // <https://github.com/kovidgoyal/kitty/blob/master/kitty/screen.c>, `color_as_sgr` in `kitty/line.c`.
    Identity {
        name: "kitty",
        env: &[("TERM", "xterm-kitty"), ("COLORTERM", "truecolor"), ("KITTY_WINDOW_ID", "1")],
        attributes: Some("\x1b[?62;c"),
        synchronized: Some("\x1b[?2026;2$y"),
        background: Some("\x1b]11;rgb:0000/0000/0000\x1b\\"),
        rendition: Some("\x1bP1$r48:2:1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // `csi_dispatch` and `decrqm` in <https://codeberg.org/dnkl/foot/src/branch/master/csi.c>, `osc.c`, and
    // `decrqss_unhook` in `dcs.c`.
    Identity {
        name: "foot",
        env: &[("TERM", "foot"), ("COLORTERM", "truecolor")],
        attributes: Some("\x1b[?62;4;22c"),
        synchronized: Some("\x1b[?2026;2$y"),
        background: Some("\x1b]11;rgb:2424/2424/2424\x1b\\"),
        rendition: Some("\x1bP1$r0;48:2::1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // <https://github.com/wezterm/wezterm/blob/main/term/src/terminalstate/mod.rs>; `device_control` in `performer.rs`
    // does not know the colors: <https://github.com/wezterm/wezterm/pull/6856>.
    Identity {
        name: "WezTerm",
        env: &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("TERM_PROGRAM", "WezTerm")],
        attributes: Some("\x1b[?65;4;6;18;22;52c"),
        synchronized: Some("\x1b[?2026;2$y"),
        background: Some("\x1b]11;rgb:0000/0000/0000\x1b\\"),
        rendition: Some("\x1bP0$r\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // `reportDeviceAttribute` and `reportColor` in <https://github.com/gnachman/iTerm2/blob/master/sources/VT100Output.m>,
    // `executeDECRequestMode` and `decrqssSGR` in `VT100Terminal.m`.
    Identity {
        name: "iTerm2",
        env: &[
            ("TERM", "xterm-256color"),
            ("COLORTERM", "truecolor"),
            ("TERM_PROGRAM", "iTerm.app"),
            ("TERM_PROGRAM_VERSION", "3.5.0"),
        ],
        attributes: Some("\x1b[?64;1;2;4;6;17;18;21;22c"),
        synchronized: Some("\x1b[?2026;2$y"),
        background: Some("\x1b]11;rgb:0000/0000/0000\x1b\\"),
        rendition: Some("\x1bP1$r0;48:2:1:1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // With WSL. `DeviceAttributes`, `RequestMode` and `_ReportSGRSetting` in
    // <https://github.com/microsoft/terminal/blob/main/src/terminal/adapter/adaptDispatch.cpp>.
    Identity {
        name: "Windows Terminal",
        env: &[("TERM", "xterm-256color"), ("WT_SESSION", "f2a6a8e0-6b5c-4a77-8a0e-0c2f4c1e9d53")],
        attributes: Some("\x1b[?61;4;6;7;14;21;22;23;24;28;32;42c"),
        synchronized: Some("\x1b[?2026;0$y"),
        background: Some("\x1b]11;rgb:0c0c/0c0c/0c0c\x1b\\"),
        rendition: Some("\x1bP1$r0;48:2::1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // GNOME Terminal. `DA1`, `DECRQM_DEC` and `append_attr_sgr_params` in
    // <https://gitlab.gnome.org/GNOME/vte/-/blob/master/src/vteseq.cc>.
    Identity {
        name: "VTE",
        env: &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("VTE_VERSION", "7006")],
        attributes: Some("\x1b[?65;1;9c"),
        synchronized: Some("\x1b[?2026;0$y"),
        background: Some("\x1b]11;rgb:1717/1414/2121\x1b\\"),
        rendition: Some("\x1bP1$r0;48:2::1:2:3m\x1b\\"),
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // `identify_terminal`, `report_private_mode` and `dynamic_color_sequence` in
    // <https://docs.rs/alacritty_terminal/0.25.1/src/alacritty_terminal/term/mod.rs.html>. It does not know DECRQSS:
    // <https://github.com/alacritty/alacritty/issues/7184>.
    Identity {
        name: "Alacritty",
        env: &[("TERM", "alacritty"), ("COLORTERM", "truecolor")],
        attributes: Some("\x1b[?6c"),
        synchronized: Some("\x1b[?2026;2$y"),
        background: Some("\x1b]11;rgb:1818/1818/1818\x1b\\"),
        rendition: None,
        charset: UTF8,
        depth: ColorDepth::Truecolor,
        marker: Marker::Braille,
    },
    // Recorded with tmux 3.3a; `input_csi_dispatch` in <https://github.com/tmux/tmux/blob/3.3a/input.c>.
    Identity {
        name: "tmux",
        env: &[("TERM", "tmux-256color"), ("TERM_PROGRAM", "tmux"), ("TMUX", "/nowhere/default,1,0")],
        attributes: Some("\x1b[?1;2c"),
        charset: UTF8,
        ..SILENT
    },
    // Recorded with screen 4.9.0; `DoCSI` in <https://git.savannah.gnu.org/cgit/screen.git/tree/src/ansi.c>. Its terminfo entry
    // has 8 colors, but it maps 256 to those of the terminal around it.
    Identity { name: "screen", env: &[("TERM", "screen")], attributes: Some("\x1b[?1;2c"), charset: UTF8, ..SILENT },
    // `respond_ID` and `cursor_report` in <https://github.com/torvalds/linux/blob/master/drivers/tty/vt/vt.c>.
    Identity {
        name: "Linux console",
        env: &[("TERM", "linux")],
        attributes: Some("\x1b[?6c"),
        charset: UTF8,
        depth: ColorDepth::Colors16,
        marker: Marker::HalfBlock,
        ..SILENT
    },
    SILENT,
];

/// Shows the modes of the terminal, and then what there is to read up to an Enter key.
const AFTERWARDS: &str = "\"$@\"; stty -a; stty -echo; echo over; IFS= read -r rest; echo \"rest:$rest:\"";

impl Identity {
    /// Starts the viewer from a shell. Without a locale it asks for the charset.
    fn start(&self, has_locale: bool) -> Terminal {
        // The pacing lowers the depth below half of the wanted frames, which a busy machine must reach too.
        let mut shell = viewer(&["-p", "drones", "-s", "5", "-n", "50", "--fps", "5", "--no-intro"]);
        let call = ["sh", "-c", AFTERWARDS, "sh"].map(Into::into).into_iter().chain(shell.get_argv().clone());
        *shell.get_argv_mut() = call.collect();
        shell.env_remove("COLORTERM");
        self.env.iter().for_each(|(name, value)| shell.env(name, value));
        if !has_locale {
            shell.env_remove("LANG");
        }
        let replies = [
            (ATTRIBUTES, self.attributes),
            (SYNCHRONIZED, self.synchronized),
            (BACKGROUND, self.background),
            (RENDITION, self.rendition),
            (CHARSET, self.charset.or(Some(""))),
        ];
        let replies: Vec<_> = replies.iter().filter_map(|(request, reply)| Some((*request, (*reply)?))).collect();
        Terminal::with(if self.replies() { ReplyMode::AtOnce } else { ReplyMode::Never }, &replies, shell)
    }

    /// Whether it reports the position of the cursor.
    fn replies(&self) -> bool {
        self.charset.is_some()
    }

    /// Whether it is asked for more than that.
    fn is_asked(&self) -> bool {
        !self.env.contains(&("TERM", "linux"))
    }

    fn play(&self, has_locale: bool) {
        let what = format!("{}, locale: {has_locale}", self.name);
        let marker = if self.replies() || has_locale { self.marker } else { Marker::Ascii };
        let mut terminal = self.start(has_locale);
        let wanted = (Some(self.depth), marker);
        let read = |screen: &Screen| (depth(screen), glyphs(screen));
        terminal.wait_to_read(&what, &wanted, read);
        // More frames than are sent before the first of them is acknowledged, so that all replies have been handled.
        wait_for_frames(&mut terminal, 17, &what);
        let begins = terminal.session().counts().1;
        wait_for_frames(&mut terminal, 3, &what);
        // On a busy machine the pacing lowers the depth for some seconds.
        terminal.wait_to_read(&what, &wanted, read);
        // Without a reply the sequences of synchronized output are sent, since they do no harm.
        let uses = self.synchronized != Some("\x1b[?2026;0$y");
        let now = terminal.session().counts().1;
        assert_eq!(now > begins, uses, "{what}: synchronized output");
        let output = terminal.session().text();
        self.check_requests(&output, has_locale, &what);
        let screen = terminal.screen();
        let status = screen.lines().last().unwrap();
        let running = if marker == Marker::Braille { " ▶ running  tick " } else { " > running  tick " };
        assert!(status.starts_with(running) && status.contains("? help"), "{what}: no reply is a key\n{screen}");
        assert!(screen.contains("drones  ") && screen.contains("50 boids"), "{what}\n{screen}");
        terminal.press("q");
        terminal.wait_for(&what, |_, session| session.text().contains("\nover\r").then_some(()));
        terminal.press_last("\r");
        assert_eq!(terminal.end().0, 0, "{what}");
        let text = terminal.session().text();
        let (_, left) = text.rsplit_once("rest:").unwrap();
        assert_eq!(left, ":\r\n", "{what}: a reply is left for the shell");
        let (_, modes) = text.rsplit_once("\x1b[?1049l").expect("the shell's screen");
        let modes: Vec<&str> = modes.split_whitespace().collect();
        assert!(["icanon", "echo", "isig"].iter().all(|mode| modes.contains(mode)), "{what}: {modes:?}");
        assert!(text.contains("\x1b[?1004l"), "{what}: the focus is no longer reported");
        let screen = terminal.cells();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste(), "{what}");
        assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None, "{what}");
    }

    /// Each request is sent once, or not at all to a terminal that would show it.
    fn check_requests(&self, output: &str, has_locale: bool, what: &str) {
        for request in [ATTRIBUTES, SYNCHRONIZED, BACKGROUND, RENDITION] {
            assert_eq!(output.matches(request).count(), usize::from(self.is_asked()), "{what}: {request:?}");
        }
        assert_eq!(output.matches(CHARSET).count(), usize::from(!has_locale), "{what}: charset");
        assert!(output.contains(&format!("\x1b[H{ASK}")), "{what}: the position of the cursor");
    }
}

fn wait_for_frames(terminal: &mut Terminal, count: usize, what: &str) {
    let frames = terminal.session().counts().0;
    terminal.wait_for(what, |_, session| (session.counts().0 >= frames + count).then_some(()));
}

/// The richest colors on the screen. In true color, a color that is near one of the 256 is sent as that one, which is shorter.
fn depth(screen: &Screen) -> Option<ColorDepth> {
    let cells = (0..30).flat_map(|row| (0..100).filter_map(move |column| screen.cell(row, column)));
    let colors = cells.flat_map(|cell| {
        // The foreground of a blank is invisible, and not rewritten.
        let foreground = (!cell.contents().trim().is_empty()).then(|| cell.fgcolor());
        [foreground, Some(cell.bgcolor())]
    });
    let depths = colors.flatten().filter_map(|color| match color {
        Color::Rgb(..) => Some(ColorDepth::Truecolor),
        Color::Idx(16..) => Some(ColorDepth::Colors256),
        Color::Idx(_) => Some(ColorDepth::Colors16),
        Color::Default => None,
    });
    depths.min()
}

/// The glyph set that the screen needs.
fn glyphs(screen: &Screen) -> Marker {
    let text = screen.contents();
    if text.contains(|char| ('\u{2801}'..='\u{28ff}').contains(&char)) {
        Marker::Braille
    } else if text.is_ascii() {
        Marker::Ascii
    } else {
        Marker::HalfBlock
    }
}

#[test]
fn terminals_are_recognized_and_left_as_they_were() {
    // Few at once: each runs a viewer.
    const THREADS: usize = 4;
    thread::scope(|scope| {
        for first in 0..THREADS {
            let identities = IDENTITIES.iter().skip(first).step_by(THREADS);
            scope
                .spawn(|| identities.for_each(|identity| [true, false].into_iter().for_each(|has| identity.play(has))));
        }
    });
}

#[test]
fn modes_that_a_terminal_has_are_enabled_and_undone() {
    let replies = [
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[?2031$p", "\x1b[?2031;2$y"),
        ("\x1b[?1007$p", "\x1b[?1007;1$y"),
        (BACKGROUND, "\x1b]11;rgb:0000/0000/0000\x1b\\"),
        (ATTRIBUTES, "\x1b[?62;c"),
    ];
    let command = viewer(&["-p", "drones", "-s", "5", "-n", "50", "--no-intro", "--no-mouse"]);
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &replies, command);
    terminal.wait_for("the modes", |_, session| {
        let text = session.text();
        ["\x1b[>29u", "\x1b[?2031h", "\x1b[?1007l"].iter().all(|mode| text.contains(mode)).then_some(())
    });
    // A bright theme; the background is asked for again.
    terminal.press("\x1b[?997;2n");
    terminal.wait_for("a request", |_, session| (session.text().matches(BACKGROUND).count() == 2).then_some(()));
    terminal.press("\x1b[32;;32u");
    terminal.wait_for_text("paused");
    let text = terminal.quit();
    assert!(text.contains("\x1b[?2031l") && text.contains("\x1b[?1007h"));
    assert_eq!(text.matches("\x1b[<u").count(), 1, "a second one would undo that of the shell");
}
