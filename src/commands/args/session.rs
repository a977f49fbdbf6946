//! Options that select a session or a recording, and its ticks.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Arg, Args, ValueHint};

use super::values::{preset, whole};
use crate::config::shell_path;
use crate::error::{InputError, flag_of, shell_word};
use crate::tracks::{ColumnNames, DateOrder, Interval, LengthUnit, Missing, ReadOption, ReadOptions, TimeUnit};

/// Set on each option: `next_help_heading` would also apply to the options of the struct that includes this one.
const SESSION: &str = "Session";

/// A session or a recording to replay instead of a new flock.
#[derive(Debug, Args)]
#[command(mut_args = of_session)]
pub struct SessionArgs {
    /// Replay this session (.flock) or recording (.csv, .xyz, .npz)
    ///
    /// The viewer writes sessions: see `flockscope replay`. A recording has the trajectories of animals; the option may be repeated for
    /// one in several files. Options that define a flock cannot be used with it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["preset", "boids", "predators", "seed", "world", "start", "set", "zone", "input"])]
    #[arg(help_heading = SESSION)]
    pub session: Vec<PathBuf>,
    /// How a recording is read.
    #[command(flatten)]
    pub recording: RecordingArgs,
}

/// Makes the options of a recording require one instead of a flock.
fn of_session(arg: Arg) -> Arg {
    let is_of_recording = arg.get_help_heading() == Some(RECORDING);
    if is_of_recording { arg.requires("session").hide_short_help(true) } else { arg }
}

/// As for [`SESSION`].
const RECORDING: &str = "Recording";

/// How a recording of another program is read.
#[derive(Clone, Debug, Default, Args)]
pub struct RecordingArgs {
    /// Names of the columns of a recording, e.g. id=track,x=cx,y=cy
    ///
    /// For id, frame or time, date, x, y, z, vx, vy, vz and kind of a table, and for position, velocity, id, tick and kind of NPZ. These
    /// and other common names, and the layouts of many programs, need no option. A minus mirrors an axis: y=-cy. If each animal has
    /// its own columns, * is in place of their names: x=*_x,y=*_y. Without a header, the names are numbers of columns.
    #[arg(long, value_name = "COLUMN=NAME,…", value_parser = column_names, help_heading = RECORDING)]
    pub columns_of: Option<ColumnNames>,
    /// Unit of the coordinates, e.g. px [default: that of the file, or u]
    ///
    /// A number before it is the length of one unit of the file: --unit 0.42mm for pixels of 0.42 mm. Measures and states are then in mm.
    /// With --unit deg, x and y are longitude and latitude, and become meters.
    #[arg(long, value_name = "UNIT", value_parser = LengthUnit::from_str, help_heading = RECORDING)]
    pub unit: Option<LengthUnit>,
    /// Frames per second of a recording [default: from its times]
    ///
    /// It determines times and the speed of the clip or the replay, which --rate changes. Without it and without times in the file, and
    /// below 2, 10 frames are shown per second.
    #[arg(long, value_name = "N", value_parser = frame_rate, allow_negative_numbers = true, help_heading = RECORDING)]
    pub frame_rate: Option<f64>,
    /// Leave out the rows of a recording that have no position
    ///
    /// Such rows have coordinates, an id or a time that is empty, NA, NaN or inf, as tracking programs write for animals that they have
    /// lost. The layouts of programs that do so need no option.
    #[arg(long, help_heading = RECORDING)]
    pub skip_missing: bool,
    /// What a recording has in place of a lost animal, e.g. 0,0 or -1
    ///
    /// The text of a cell of a coordinate, or all coordinates of a position as in the file. Such positions are left out, in a table with
    /// columns for each animal only that one. A note names the points at which animals seem to be lost. The option may be repeated.
    #[arg(long, value_name = "CODE", value_parser = Missing::from_str, allow_hyphen_values = true, help_heading = RECORDING)]
    pub missing: Vec<Missing>,
    /// Read only these animals of a recording
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = RECORDING, hide_short_help = true)]
    pub only: Vec<String>,
    /// Body part that is the position [default: the one that moves most]
    ///
    /// For recordings of poses, such as those of DeepLabCut and SLEAP. Without the option, it is one of those with most positions.
    #[arg(long, value_name = "NAME", help_heading = RECORDING)]
    pub body_part: Option<String>,
    /// Lowest likelihood of a position of a recording [default: 0.6]
    ///
    /// For recordings of poses, such as those of DeepLabCut.
    #[arg(long, value_name = "N", value_parser = likelihood, allow_negative_numbers = true, help_heading = RECORDING, hide_short_help = true)]
    pub likelihood: Option<f64>,
    /// Unit of the times of a recording: s, ms, us, min, h or d [default: that of the header, or s]
    ///
    /// For times that are numbers. A note says if they are hardly in seconds.
    #[arg(long, value_name = "UNIT", value_parser = |text: &str| text.parse::<TimeUnit>().map_err(|_| "expected s, ms, us, min, h or d"), help_heading = RECORDING, hide_short_help = true)]
    pub time_unit: Option<TimeUnit>,
    /// Order of dates such as 3/4/2021: day-first or month-first
    ///
    /// Needed if no date has a number above 12.
    #[arg(long, value_name = "ORDER", value_parser = |text: &str| text.parse::<DateOrder>().map_err(|_| "expected day-first or month-first"), help_heading = RECORDING, hide_short_help = true)]
    pub dates: Option<DateOrder>,
    /// Time between the frames, e.g. 60s, 5min, or a number of frames
    ///
    /// Each frame has the row of an animal that is nearest to its time, within half an interval; the other rows are left out. Speeds
    /// are per interval, and velocities follow from the positions.
    #[arg(long, value_name = "TIME|N", value_parser = Interval::from_str, help_heading = RECORDING)]
    pub interval: Option<Interval>,
}

impl RecordingArgs {
    /// The options as a reader takes them.
    pub(in crate::commands) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns_of.clone().unwrap_or_default(),
            unit: self.unit.clone(),
            frame_rate: self.frame_rate,
            skips_missing: self.skip_missing,
            body_part: self.body_part.clone(),
            likelihood: self.likelihood,
            time_unit: self.time_unit,
            interval: self.interval,
            missing: self.missing.clone(),
            dates: self.dates,
            only: self.only.clone(),
        }
    }

    /// The command that shows the recording in files.
    pub(in crate::commands) fn command(&self, files: &[PathBuf]) -> String {
        let files = files.iter().map(|file| format!(" {}", shell_path(file)));
        let options = self.flags().map(|flag| match flag.split_once(' ') {
            Some((flag, value)) => format!(" {flag} {}", shell_word(value)),
            None => format!(" {flag}"),
        });
        let words: String = files.chain(options).collect();
        format!("flockscope replay{words}")
    }

    /// The first option that is given, if any.
    pub(in crate::commands) fn first_option(&self) -> Option<String> {
        self.flags().next().map(|flag| flag.split(' ').take(1).collect())
    }

    /// The options that are given, each with its value after a space.
    fn flags(&self) -> impl Iterator<Item = String> {
        let given = [
            self.columns_of.as_ref().map(|names| ReadOption::Columns(names.to_string())),
            self.unit.as_ref().map(|unit| ReadOption::Unit(unit.to_string())),
            self.frame_rate.map(ReadOption::FrameRate),
            self.skip_missing.then_some(ReadOption::SkipMissing),
            self.body_part.clone().map(ReadOption::BodyPart),
            self.likelihood.map(ReadOption::Likelihood),
            self.time_unit.map(ReadOption::TimeUnit),
            self.interval.map(ReadOption::Interval),
            self.dates.map(ReadOption::Dates),
            (!self.only.is_empty()).then(|| ReadOption::Only(self.only.join(","))),
        ];
        let missing = self.missing.iter().cloned().map(ReadOption::Missing);
        given.into_iter().flatten().chain(missing).map(|option| flag_of(&option))
    }
}

/// A flock beside the animals of a recording.
#[derive(Clone, Debug, Default, Args)]
pub struct BesideArgs {
    /// Preset whose flock flies beside the animals of a recording, in a second color
    ///
    /// As many boids as animals, from their positions and velocities in the first frame that has most of them, a tick per frame, without
    /// predators and zones. A preset that `fit` wrote has its place in the recording in the JSON file beside it; the world of another one
    /// begins at the corner of the recording.
    #[arg(long, value_name = "NAME|FILE", value_parser = preset(), help_heading = RECORDING)]
    pub beside: Option<String>,
}

impl BesideArgs {
    /// The option, as the end of a command.
    pub(in crate::commands) fn command(&self) -> String {
        self.beside.as_ref().map_or(String::new(), |name| format!(" --beside {}", shell_word(name)))
    }
}

/// A tick of a session.
#[derive(Debug, Args)]
pub struct AtArgs {
    /// Tick of the session [default: the last one]
    ///
    /// Ticks count from the first state of the session, and keep counting when the flock restarts. Those of a recording are the numbers
    /// of its frames, and `run` takes all of them by default.
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub at: Option<u64>,
}

/// A range of ticks of a session.
#[derive(Debug, Args)]
pub struct RangeArgs {
    /// First tick of the session [default: its first one]
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub from: Option<u64>,
    /// Last tick of the session [default: its last one]
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub to: Option<u64>,
}

fn column_names(text: &str) -> Result<ColumnNames, String> {
    text.parse().map_err(|error| InputError::from(error).to_string())
}

fn likelihood(text: &str) -> Result<f64, String> {
    let bound = text.parse().ok().filter(|bound| (0.0..=1.0).contains(bound));
    bound.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn frame_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (1e-6..=1e6).contains(rate));
    rate.ok_or_else(|| "expected a number from 0.000001 to 1000000".to_owned())
}
