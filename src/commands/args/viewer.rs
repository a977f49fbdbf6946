//! Options of the viewer.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::axis::Shard;
use super::picture::{PICTURE, clip_length, color, said_text};
use super::values::{bandwidth, duration, history, negatable, number, one_of, rate, theme, threads};
use super::{BesideArgs, CameraArgs, ColorChoice, FlockArgs, RecordingArgs};
use crate::config::Theme;
use crate::picture::{Marker, View};
use crate::viewer::{ClipFormat, ClipSettings, ClockFormat, ExitOn, FrameRates, Keymap, LiveOptions};

/// Options of the viewer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Viewer")]
#[command(mut_args = negatable)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct WatchArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Cycle through presets and themes; any key exits
    ///
    /// The order depends on the seed. A theme or view given on the command line stays.
    #[arg(long)]
    pub screensaver: bool,
    /// Show nine flocks, and choose one as the parent of the next
    ///
    /// The flock in the middle is the one of the other options; `d` in the viewer does the same.
    #[arg(long, conflicts_with_all = ["say", "clock", "once", "screensaver"], hide_short_help = true)]
    pub breed: bool,
    /// Write a text with boids
    ///
    /// As large as fits. `a` in the viewer lets the boids go. With --screensaver, they write it between two scenes.
    #[arg(long, value_name = "TEXT", value_parser = said_text, conflicts_with = "clock", hide_short_help = true)]
    pub say: Option<String>,
    /// Show the local time with boids [possible values: 12, 24]
    ///
    /// On a 24-hour clock, or on a 12-hour clock with --clock=12. `a` in the viewer lets the boids go. With --screensaver,
    /// they show it all along.
    #[arg(long, value_name = "HOURS", num_args = 0..=1, require_equals = true, default_missing_value = "24")]
    #[arg(value_parser = one_of::<ClockFormat>(), hide_possible_values = true, hide_short_help = true)]
    pub clock: Option<ClockFormat>,
    /// Exit when the text from standard input has landed, and print it
    ///
    /// The text then appears below the prompt, as if printed by `cat`. `q` in the viewer prints it at once.
    #[arg(long, conflicts_with_all = ["input", "say", "clock", "screensaver"], hide_short_help = true)]
    pub once: bool,
    /// Skip the title animation
    ///
    /// It is always skipped over SSH, with few colors, in a small window, with a text on standard input, and with --clean,
    /// --input, --duration, --say or --clock.
    #[arg(long, hide_short_help = true)]
    pub no_intro: bool,
    /// The terminal and the picture.
    #[command(flatten)]
    pub viewer: ViewerArgs,
}

/// Options of the viewer that do not define the flock.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Viewer")]
#[command(mut_args = negatable)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct ViewerArgs {
    /// Those that apply while the viewer runs.
    #[command(flatten)]
    pub live: LiveArgs,
    /// Color depth: auto, truecolor, 256, 16 or mono
    ///
    /// auto reads NO_COLOR, FORCE_COLOR, COLORTERM, TERM and the replies of the terminal.
    #[arg(long, value_name = "DEPTH", default_value = "auto", value_parser = color(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE, hide_short_help = true)]
    pub color: ColorChoice,
    /// Move the flock alone: no intro, no drift of the camera, no morphs, no fades
    #[arg(long, help_heading = PICTURE, hide_short_help = true)]
    pub reduced_motion: bool,
    /// Disable mouse input
    ///
    /// Selecting text with the mouse then works as in other programs.
    #[arg(long, hide_short_help = true)]
    pub no_mouse: bool,
    /// Exit after this long, e.g. 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = duration, allow_negative_numbers = true, hide_short_help = true)]
    pub duration: Option<Duration>,
    /// Show the same screensaver on every screen, minute by minute
    ///
    /// Preset, theme, seed and tick follow from the clock (UTC) and the build alone, so that machines show one flock without a network. It applies to
    /// --screensaver.
    #[arg(long, hide_short_help = true)]
    pub together: bool,
    /// Which of several windows side by side this is, e.g. 2/3
    ///
    /// They show one picture, as wide as all of them. All have the same size. It applies to --screensaver --together.
    #[arg(long, value_name = "K/N", value_parser = window_part, hide_short_help = true)]
    pub part: Option<Shard>,
    /// What ends the screensaver: key, or motion of the pointer as well
    ///
    /// A button and the wheel count as keys. Motion counts from four cells on. It applies to --screensaver and to --idle, and needs the mouse.
    #[arg(long, value_name = "WHAT", default_value = "key", value_parser = one_of::<ExitOn>(), hide_possible_values = true, hide_short_help = true)]
    pub exit_on: ExitOn,
    /// Save the session to this .flock file on exit
    ///
    /// The file has the first state of the flock and everything that changed it. `flockscope replay FILE` shows it again,
    /// and `Ctrl-s` in the viewer saves it at any time.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub save_session: Option<PathBuf>,
    /// Memory for going back in the session
    ///
    /// Any tick can be reached from the first one on. With more memory, large flocks and long sessions get there faster.
    /// Examples: 64M (M = 1000000), 2G.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = history, allow_negative_numbers = true, hide_short_help = true)]
    pub history: usize,
    /// The camera.
    #[command(flatten)]
    pub camera: CameraArgs,
}

/// Options of the viewer that apply at once when the config file is read again.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Viewer")]
#[command(mut_args = negatable)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct LiveArgs {
    /// Theme [default: that of the preset]
    ///
    /// The default is the preset's own theme. Presets without one have nightfall, or afterglow on a light background; without true color dusk or paper.
    /// A built-in name, one of your own, or a .toml file.
    /// `flockscope themes` lists the themes; `t` in the viewer selects the next one.
    #[arg(short, long, value_name = "NAME|FILE", value_parser = theme(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE)]
    pub theme: Option<String>,
    /// Keep the terminal's own background
    ///
    /// Themes then paint no sky, and presets without a suitable theme have dusk, or paper on a light background. `B` in the viewer changes it.
    #[arg(long, help_heading = PICTURE, hide_short_help = true)]
    pub no_sky: bool,
    /// Glyph set: braille, octant, halfblock or ascii
    ///
    /// The default is braille if the terminal supports it, ascii otherwise. octant needs a font with Unicode 16. `m` in
    /// the viewer changes it.
    #[arg(short, long, value_name = "NAME", value_parser = one_of::<Marker>(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE, hide_short_help = true)]
    pub marker: Option<Marker>,
    /// View: auto, heads, trails, glow, heat or shapes
    ///
    /// auto, the default, picks one that suits the number of boids. `v` in the viewer changes it.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = one_of::<View>(), hide_possible_values = true, hide_default_value = true)]
    #[arg(help_heading = PICTURE)]
    pub view: View,
    /// Hide the panel and the status line
    #[arg(long, help_heading = PICTURE)]
    pub clean: bool,
    /// Show a gauge for every parameter, not only for the rules that the preset uses
    ///
    /// `i` in the viewer changes it.
    #[arg(long, help_heading = PICTURE, hide_short_help = true)]
    pub all_parameters: bool,
    /// Maximum frame rate [default: 60; 30 over SSH and in a slideshow; 20 there on battery]
    ///
    /// In frames per second, up to 240. Fewer frames are drawn if nothing changes or the terminal cannot keep up.
    #[arg(long, value_name = "N", value_parser = number(1.0, 240.0), allow_negative_numbers = true, hide_short_help = true)]
    pub fps: Option<f32>,
    /// Maximum frame rate while another window has the focus
    ///
    /// The flock keeps its speed. It does not apply with --clean, --screensaver or --fps, nor in a terminal that does not
    /// report the focus.
    #[arg(long, value_name = "N", default_value = "10", value_parser = number(1.0, 240.0), allow_negative_numbers = true, hide_short_help = true)]
    pub unfocused_fps: f32,
    /// Maximum bytes per second sent to the terminal [default: no limit beyond what the link carries]
    ///
    /// Examples: 64K (K = 1000), 2M.
    #[arg(long, value_name = "SIZE", value_parser = bandwidth, allow_negative_numbers = true, hide_short_help = true)]
    pub bandwidth: Option<u32>,
    /// Ticks per second, up to 960 [default: from the preset]
    #[arg(long, value_name = "N", value_parser = rate(), allow_negative_numbers = true, hide_short_help = true)]
    pub rate: Option<f32>,
    /// Cycle through themes and views after this many minutes without input
    ///
    /// The flock keeps flying, and any key restores the screen. 0 disables it.
    #[arg(long, value_name = "MINUTES", default_value = "0", value_parser = number(0.0, 1440.0), allow_negative_numbers = true, hide_short_help = true)]
    pub idle: f32,
    /// Length of a clip that `e` in the viewer saves, e.g. 10s or 1m
    ///
    /// The clip ends at the tick on the screen. If a part of the session is marked (`n`), that part is saved instead.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = clip_length, allow_negative_numbers = true, hide_short_help = true)]
    pub clip_length: Duration,
    /// Format of a clip that `e` in the viewer saves: gif or cast
    ///
    /// cast is asciicast, for asciinema.
    #[arg(long, value_name = "FORMAT", default_value = "gif", value_parser = one_of::<ClipFormat>(), hide_possible_values = true, hide_short_help = true)]
    pub clip_format: ClipFormat,
}

/// The default maximum of frames per second.
const FPS: f32 = 60.0;
const FPS_OVER_SSH: f32 = 30.0;
const FPS_OF_SLIDESHOW: f32 = 30.0;
const FPS_ON_BATTERY: f32 = 20.0;
/// The most windows that show one picture: each draws all of it.
const MAX_PARTS: usize = 16;
/// Where Linux describes power supplies, a folder each.
const POWER_SUPPLIES: &str = "/sys/class/power_supply";

impl WatchArgs {
    /// Whether the panel and the status line are hidden.
    pub(in crate::commands) fn is_clean(&self) -> bool {
        self.viewer.live.clean || self.screensaver
    }

    /// The options that apply while the viewer runs. `named` are the names of those that are set outside the command line.
    pub(in crate::commands) fn live_options(
        &self,
        theme: Option<Theme>,
        keymap: Keymap,
        named: Vec<String>,
    ) -> LiveOptions {
        let args = &self.viewer.live;
        let focused = args.fps.unwrap_or(if is_over_ssh() { FPS_OVER_SSH } else { FPS });
        // Some batteries take long to reply.
        let saves_power = (self.screensaver || args.idle > 0.0) && is_on_battery(POWER_SUPPLIES.as_ref());
        let slideshow = args.fps.unwrap_or(if saves_power { FPS_ON_BATTERY } else { FPS_OF_SLIDESHOW });
        let unfocused = if args.fps.is_some() { focused } else { focused.min(args.unfocused_fps) };
        LiveOptions {
            theme,
            no_sky: args.no_sky,
            marker: args.marker,
            view: args.view,
            clean: self.is_clean(),
            all_parameters: args.all_parameters,
            fps: FrameRates { focused, unfocused, slideshow },
            bandwidth: args.bandwidth,
            rate: args.rate,
            idle: (args.idle > 0.0).then(|| Duration::from_secs_f32(60.0 * args.idle)),
            clips: ClipSettings { length: args.clip_length, format: args.clip_format },
            keymap,
            params: self.flock.set.iter().map(|param| (param.key, param.value)).collect(),
            presets: self.flock.presets.clone(),
            named,
        }
    }
}

/// Whether the terminal is at the other end of an SSH connection.
pub(crate) fn is_over_ssh() -> bool {
    ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| std::env::var_os(name).is_some())
}

/// One of at most 16 windows side by side.
fn window_part(text: &str) -> Result<Shard, String> {
    let part = Shard::from_str(text).ok().filter(|part| part.parts <= MAX_PARTS);
    part.ok_or_else(|| format!("expected K/N with K from 1 to N, and N up to {MAX_PARTS}, e.g. 2/3"))
}

/// Whether a battery of the machine, and not one of a mouse, is discharging.
fn is_on_battery(supplies: &Path) -> bool {
    let says = |supply: &Path, file: &str, word: &str| {
        fs::read_to_string(supply.join(file)).is_ok_and(|text| text.trim() == word)
    };
    fs::read_dir(supplies).into_iter().flatten().flatten().any(|supply| {
        let supply = supply.path();
        says(&supply, "status", "Discharging") && !says(&supply, "scope", "Device")
    })
}

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Replay")]
pub struct ReplayArgs {
    /// Session (.flock; - is standard input) or recording (.csv, .xyz, .npz)
    ///
    /// Several files are one recording: each has other animals or another time.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Number of threads, up to 256 [default: CPU cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads(), allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// Compare every hash in the file instead of showing the session
    ///
    /// Needs no terminal. The exit status is 0 if all hashes agree; otherwise it prints the first tick that differs, with
    /// both hashes.
    #[arg(long)]
    pub verify: bool,
    /// How a recording is read.
    #[command(flatten)]
    pub recording: RecordingArgs,
    /// A flock beside the animals.
    #[command(flatten)]
    pub beside: BesideArgs,
    /// The terminal and the picture.
    #[command(flatten)]
    pub viewer: ViewerArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discharging_battery_of_the_machine_counts() {
        let folder = tempfile::tempdir().unwrap();
        let describe = |supply: &str, files: &[(&str, &str)]| {
            let supply = folder.path().join(supply);
            fs::create_dir_all(&supply).unwrap();
            for (name, text) in files {
                fs::write(supply.join(name), format!("{text}\n")).unwrap();
            }
        };
        assert!(!is_on_battery(folder.path()) && !is_on_battery(&folder.path().join("none")));
        describe("AC", &[("type", "Mains"), ("online", "0")]);
        describe("mouse", &[("status", "Discharging"), ("scope", "Device")]);
        describe("BAT0", &[("status", "Charging")]);
        assert!(!is_on_battery(folder.path()));
        describe("BAT0", &[("status", "Discharging")]);
        assert!(is_on_battery(folder.path()));
    }
}
