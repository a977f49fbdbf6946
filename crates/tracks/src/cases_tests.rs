//! Contract: each file opens with the animals, frames and speeds that its program means, or the error says what to type.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{
    DateOrder, Error, Help, Interval, Missing, Note, Player, ReadOption, ReadOptions, Recording, TimeUnit, read,
    read_text,
};
use flockscope_sim::{Analyzer, Measure};

type Read = Result<(Recording, Vec<Note>), Error>;

/// Options that name columns.
fn columns(names: &str) -> ReadOptions {
    ReadOptions { columns: names.parse().unwrap(), ..ReadOptions::default() }
}

fn cases(names: &[&str], options: &ReadOptions) -> Read {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    with_proposals(options, |options| read(&files, options, &|_| ()))
}

fn text(text: &str, options: &ReadOptions) -> Read {
    with_proposals(options, |options| read_text(text.as_bytes(), Path::new("a.csv"), options))
}

/// Reads a file, and fails if it does not open with an option that an error or a note proposes.
fn with_proposals(options: &ReadOptions, read: impl Fn(&ReadOptions) -> Read) -> Read {
    let found = read(options);
    let of_notes = found.iter().flat_map(|(_, notes)| notes).filter_map(|note| note.help.as_ref());
    let of_error = found.as_ref().err().and_then(|error| error.help.as_deref());
    for help in of_notes.chain(of_error).filter(|help| !has_placeholder(help)) {
        let with = with_option(options, &help.option);
        read(&with).unwrap_or_else(|error| panic!("{help}: {error}"));
    }
    found
}

/// Whether the value of a proposed option is its general form.
fn has_placeholder(help: &Help) -> bool {
    ["NAME", "NUMBER"].iter().any(|placeholder| help.option.to_string().contains(placeholder))
}

fn with_option(options: &ReadOptions, option: &ReadOption) -> ReadOptions {
    let mut options = options.clone();
    match option.clone() {
        ReadOption::Columns(names) => options.columns = names.parse().unwrap(),
        ReadOption::Unit(unit) => options.unit = Some(unit.parse().unwrap()),
        ReadOption::FrameRate(rate) => options.frame_rate = Some(rate),
        ReadOption::SkipMissing => options.skips_missing = true,
        ReadOption::BodyPart(part) => options.body_part = Some(part),
        ReadOption::Likelihood(bound) => options.likelihood = Some(bound),
        ReadOption::TimeUnit(unit) => options.time_unit = Some(unit),
        ReadOption::Interval(interval) => options.interval = Some(interval.to_string().parse().unwrap()),
        ReadOption::Missing(missing) => options.missing.push(missing.to_string().parse().unwrap()),
        ReadOption::Dates(order) => options.dates = Some(order),
        ReadOption::Only(names) => options.only = names.split(',').map(str::to_owned).collect(),
    }
    options
}

/// The mean speed and the mean distance to the nearest neighbor over all frames with animals.
fn measures(recording: Recording) -> (f64, f64) {
    let recording = Arc::new(recording);
    let (mut player, mut analyzer) = (Player::new(&recording), Analyzer::new());
    let (mut speed, mut nearest) = ((0.0, 0.0), (0.0, 0.0));
    for frame in 0..recording.frames() {
        let count = recording.rows(frame).len();
        player.show(frame);
        let mut add = |(sum, frames): &mut (f64, f64), measure| {
            (*sum, *frames) = (*sum + analyzer.value(&player, usize::MAX, measure), *frames + 1.0);
        };
        if count > 0 {
            add(&mut speed, &Measure::MEAN_SPEED);
        }
        if count > 1 {
            add(&mut nearest, &Measure::NEAREST_NEIGHBOR);
        }
    }
    (speed.0 / speed.1, nearest.0 / nearest.1)
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{what}: {found}, not {expected}");
}

fn has(notes: &[Note], phrase: &str) -> bool {
    notes.iter().any(|note| note.to_string().contains(phrase))
}

/// The names of columns that an error suggests.
fn suggested(error: &crate::Error) -> String {
    match error.help.as_ref().map(|help| &help.option) {
        Some(ReadOption::Columns(names)) => names.clone(),
        _ => panic!("{error}"),
    }
}

/// Files, options, animals, frames, mean speed, nearest neighbor and unit.
type Case<'a> = (&'a [&'a str], &'a ReadOptions, usize, usize, f64, Option<f64>, &'a str);

#[test]
fn files_have_their_animals_frames_and_speeds() {
    let options = ReadOptions::default();
    let flags = columns("id=1,frame=6,x=2,y=3");
    let cases_of: [Case<'_>; 32] = [
        (&["CollectedData_ann.csv"], &options, 1, 4, 1.0, None, "px"),
        (&["abm-mesa.csv"], &options, 2, 2, 1.0, Some(6.0), "u"),
        (
            &["arena_fish0.npz", "arena_fish1.npz", "arena_fish2.npz"],
            &options,
            3,
            100,
            0.2,
            Some(f64::sqrt(101.0)),
            "u",
        ),
        (&["comment-quote-loses-rows.csv"], &options, 1, 6, f64::sqrt(2.0), None, "u"),
        (&["decimal-comma.csv"], &options, 1, 2, f64::hypot(0.1, 0.1), None, "u"),
        (&["dlc-multi.csv"], &options, 2, 3, 1.021_372_32, Some(100.001_598), "px"),
        (&["duplicate-fix.csv"], &options, 1, 3, 1.0, None, "u"),
        (&["fortran-order.npz"], &options, 3, 4, f64::sqrt(18.0), Some(f64::sqrt(2.0)), "u"),
        (&["id-every-row.csv"], &options, 2, 6, 1.0, Some(5.0), "u"),
        (&["id-is-detection.csv"], &options, 3, 12, f64::sqrt(5.0), Some(f64::sqrt(50_000.0)), "u"),
        (&["mot-header.csv"], &options, 2, 3, 3.0, Some(f64::hypot(30.0, 15.0)), "px"),
        (&["mtrackj.csv"], &options, 2, 2, 2.0, Some(40.0), "pixel"),
        (&["petrack.txt"], &options, 2, 2, f64::hypot(0.1, 0.1), Some(1.0), "m"),
        (&["property-colons.xyz"], &options, 2, 2, 1.0, Some(5.0), "u"),
        (&["text-column.dat"], &options, 3, 40, 1.0, Some(100.0), "px"),
        (&["text-column.dat"], &flags, 3, 40, 1.0, Some(100.0), "u"),
        (&["time-is-frame.csv"], &options, 2, 3, 1.0, Some(f64::sqrt(32.0)), "u"),
        (&["trackmate-spots.csv"], &options, 2, 4, 1.0, Some(5.0), "micron"),
        (&["unit-suffix.csv"], &options, 2, 2, 1.0, Some(6.0), "mm"),
        (&["velocity-per-second.csv"], &options, 3, 50, 0.1, Some(f64::sqrt(34.0)), "m"),
        (&["boxes.csv"], &options, 2, 6, f64::sqrt(29.0), Some(f64::hypot(100.0, 50.0)), "px"),
        (&["cr-lines.csv"], &options, 1, 5, 1.0, None, "u"),
        (&["date-slash.csv"], &options, 1, 5, 1.0, None, "u"),
        (&["names-above-xy.csv"], &options, 2, 8, 1.5, Some(53.5), "u"),
        (&["pbc-list.xyz"], &options, 2, 3, 0.05, Some((9.0 + f64::hypot(9.0, 0.1) + f64::hypot(9.0, 0.2)) / 3.0), "u"),
        (&["petrack-tabs.txt"], &options, 2, 6, 1.0, Some(f64::hypot(200.0, 1.0)), "cm"),
        (&["time-min.csv"], &options, 1, 8, f64::sqrt(5.0), None, "u"),
        (&["two-units.csv"], &options, 1, 5, 0.05, None, "m"),
        (&["utm.csv"], &options, 3, 3, 0.1, Some((30.0 + 10.0 + 10.0) / 3.0), "m"),
        (&["wide-frame-number.csv"], &options, 2, 6, 1.0, Some(f64::hypot(40.0, 40.0)), "px"),
        (&["write-table.txt"], &options, 2, 3, 1.0, Some(50.0), "u"),
        (&["wide-idtracker.txt"], &options, 2, 2, 1.0, Some(f64::sqrt(32.0)), "px"),
    ];
    for (files, options, animals, frames, speed, nearest, unit) in cases_of {
        let (recording, _) = cases(files, options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((recording.animals(), recording.frames(), &*recording.unit), (animals, frames, unit), "{files:?}");
        let found = measures(recording);
        assert_near(found.0, speed, &format!("{files:?}: speed"));
        assert_eq!(found.1.is_nan(), nearest.is_none(), "{files:?}");
        nearest.inspect(|nearest| assert_near(found.1, *nearest, &format!("{files:?}: nearest neighbor")));
    }
    let rate = |files: &[&str]| cases(files, &options).unwrap().0.frame_rate;
    assert_eq!(rate(&["arena_fish0.npz"]), Some(25.0));
    assert_eq!(rate(&["velocity-per-second.csv"]), Some(25.0));
    assert_eq!(rate(&["petrack-tabs.txt"]), Some(25.0));
    assert!((rate(&["time-min.csv"]).unwrap() - 1.0).abs() < 1e-3);
    assert!((rate(&["date-slash.csv"]).unwrap() * 60.0 - 1.0).abs() < 1e-9);
    let labels = cases(&["CollectedData_ann.csv"], &options).unwrap().0;
    assert_eq!([0, 1, 2, 3].map(|frame| labels.number(frame)), [10, 15, 20, 25]);
    for name in
        ["date-and-time.csv", "lon-lat.csv", "movebank.csv", "no-id.csv", "outlier.csv", "sleap.csv", "trex.csv"]
    {
        cases(&[name], &options).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn errors_say_what_opens_the_file() {
    let error = |name: &str| cases(&[name], &ReadOptions::default()).unwrap_err();
    let columns_of = |names: &str| columns(names);
    for (name, names, animals, frames, speed) in [
        ("dltdv-xypts.csv", "x=*_cam1_X,y=*_cam1_Y", 2, 60, 1.0),
        ("wide-units.csv", "time=time (s),x=* x (cm),y=* y (cm)", 2, 12, 1.0),
    ] {
        assert_eq!(suggested(&error(name)), names, "{}", error(name));
        let (recording, _) = cases(&[name], &columns_of(names)).unwrap();
        assert_eq!((recording.animals(), recording.frames()), (animals, frames));
        assert_near(measures(recording).0, speed, name);
    }
    let low = error("dlc-low.csv");
    assert!(low.message.starts_with("10 of 10 rows are left out, as their likelihood is below 0.6"), "{low}");
    assert_eq!(low.help.unwrap().option, ReadOption::Likelihood(0.3));
    let options = ReadOptions { likelihood: Some(0.3), ..ReadOptions::default() };
    assert_near(measures(cases(&["dlc-low.csv"], &options).unwrap().0).0, f64::sqrt(5.0), "dlc-low.csv");
    let irregular = error("irregular-times.csv");
    assert_eq!(irregular.help.unwrap().option, ReadOption::FrameRate(0.1));
    let options = ReadOptions { frame_rate: Some(0.1), ..ReadOptions::default() };
    cases(&["irregular-times.csv"], &options).unwrap();
    assert!(error("tilted-cell.xyz").message.contains("the cell is periodic, and tilted"));
    let partly = error("pbc-x-only.xyz");
    assert!(partly.message.contains("periodic along x only") && partly.message.contains("unwrapped"), "{partly}");
    // Each reading is that of one animal, or of other columns.
    let unclear = error("eight-columns.csv");
    assert!(
        unclear.message.contains("can be read as id=2,frame=1,x=3,y=4 or as")
            && has_placeholder(unclear.help.as_ref().unwrap()),
        "{unclear}"
    );
    let (recording, _) = cases(&["eight-columns.csv"], &columns_of("id=2,frame=1,x=3,y=4")).unwrap();
    assert_eq!((recording.animals(), recording.frames()), (3, 20));
    assert_near(measures(recording).0, 2.0, "eight-columns.csv");
}

#[test]
fn columns_without_a_header_follow_from_their_numbers() {
    let rows = |row: &dyn Fn(u32, u32) -> String| {
        let frames = (0..30).flat_map(|frame| (0..4).map(move |id| (frame, id)));
        frames.map(|(frame, id)| row(frame, id)).collect::<String>()
    };
    let x = |frame: u32, id: u32| f64::from(id) * 10.0 + f64::from(frame) * (0.5 + 0.1 * f64::from(id));
    let y = |frame: u32, id: u32| f64::from(id * id) + f64::from(frame * (id + 1)) * 0.1;
    let expected = text(
        &("id,frame,x,y\n".to_owned() + &rows(&|f, i| format!("{i},{f},{},{}\n", x(f, i), y(f, i)))),
        &columns("id=id"),
    );
    let expected = measures(expected.unwrap().0);
    // Each order of the columns, with and without velocities per second.
    let found: [(&str, String); 5] = [
        ("id=2, frame=1, x=3, y=4", rows(&|f, i| format!("{f},{i},{},{}\n", x(f, i), y(f, i)))),
        ("id=1, frame=2, x=3, y=4", rows(&|f, i| format!("{i},{},{},{}\n", 10 * f, x(f, i), y(f, i)))),
        ("id=1, frame=2, x=3, y=4", rows(&|f, i| format!("ant{i};{f};{};{}\n", x(f, i), y(f, i)))),
        ("id=1, time=2, x=3, y=4", rows(&|f, i| format!("{i},{},{},{}\n", f64::from(f) * 0.04, x(f, i), y(f, i)))),
        (
            "id=2, frame=1, x=3, y=4",
            rows(&|f, i| {
                format!("{f},{i},{},{},{},{}\n", x(f, i), y(f, i), 12.5 + 2.5 * f64::from(i), 2.5 * f64::from(i + 1))
            }),
        ),
    ];
    for (used, table) in found {
        let (recording, notes) =
            text(&table, &ReadOptions::default()).unwrap_or_else(|error| panic!("{used}: {error}"));
        assert!(has(&notes, &format!("no header, {used}")), "{used}: {notes:?}");
        assert_eq!((recording.animals(), recording.frames()), (4, 30), "{used}");
        let (speed, nearest) = measures(recording);
        let stride = if table.contains("290,") { 10.0 } else { 1.0 };
        assert_near(speed, expected.0 / stride, used);
        assert_near(nearest, expected.1, used);
    }
    // One animal, and rows of all animals, which have several readings.
    let (recording, _) = text("0,1,5\n1,2,5.5\n2,3,6\n3,4,7\n", &ReadOptions::default()).unwrap();
    assert_eq!((recording.animals(), recording.frames()), (1, 4));
    let wide = rows(&|f, i| {
        if i == 0 { format!("{f},{},{},{},{}\n", x(f, 0), y(f, 0), x(f, 1), y(f, 1)) } else { String::new() }
    });
    let error = text(&wide, &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("can be read as frame=1,x=2,y=3 or as frame=1,x=4,y=5"), "{error}");
    assert!(has_placeholder(error.help.as_ref().unwrap()), "{error}");
    // Pixels and large coordinates are no meters.
    let unit = |table: String| text(&table, &ReadOptions::default()).unwrap().0.unit;
    let gan = |scale: f64, offset: f64| {
        rows(&|f, i| format!("{f}\t{i}\t{}\t{}\n", scale * x(f, i), scale * y(f, i) + offset))
    };
    assert_eq!([unit(gan(1.0, 0.0)), unit(gan(10.0, 0.0)), unit(gan(1.0, 1000.0))], ["m", "u", "u"]);
}

#[test]
fn numbers_that_may_be_times_of_day_are_noted() {
    for (first, is_noted) in [(100_050, true), (100_000, false), (100_090, false)] {
        let rows = (0..30).map(|second| {
            let at = first + second + if first == 100_050 && second >= 10 { 40 } else { 0 };
            format!("1,{at},{second},5\n2,{at},{second},9\n")
        });
        let (recording, notes) = text(&rows.collect::<String>(), &ReadOptions::default()).unwrap();
        assert_eq!(recording.animals(), 2, "{first}");
        assert_eq!(has(&notes, "column 2 may have times of day"), is_noted, "{first}: {notes:?}");
    }
}

#[test]
fn velocities_of_other_programs_are_those_of_the_positions() {
    let table = |header: &str| {
        let rows = (0..5).map(|frame| format!("1,{frame},{},5,3,4\n", 2 * frame));
        format!("id,frame,x (m),y (m),{header}\n") + &rows.collect::<String>()
    };
    let speed = |header: &str, options: &ReadOptions| Some(measures(text(&table(header), options).ok()?.0).0);
    assert_eq!(speed("vx,vy", &ReadOptions::default()), Some(2.0));
    assert_eq!(speed("vx,vy", &columns("vx=vx,vy=vy")), Some(5.0));
    let error = text(&table("vx (m/s),vy (m/s)"), &columns("vx=vx (m/s),vy=vy (m/s)")).unwrap_err();
    assert!(error.message.contains("`vx (m/s)` is per second"), "{error}");
}

#[test]
fn fillers_are_no_coordinates() {
    let rows = "1,0,-1,-1,3,4\n1,1,-1,-1,4,4\n1,2,-1,-1,5,4\n";
    let (recording, _) = text(&format!("id,frame,x,y,x_pos,y_pos\n{rows}"), &ReadOptions::default()).unwrap();
    assert_near(measures(recording).0, 1.0, "the next pair");
    let error = text("id,frame,x,y\n1,0,-1,-1\n1,1,-1,-1\n1,2,-1,-1\n", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("`x` and `y` are the same in all rows"), "{error}");
    let line = text("id,frame,x,y\n1,0,0,5\n1,1,1,5\n1,2,2,5\n", &ReadOptions::default()).unwrap().0;
    assert_near(measures(line).0, 1.0, "animals on a line");
}

#[test]
fn cells_are_worlds_or_refused() {
    let xyz = |lattice: &str, pbc: &str| {
        let frame =
            |x: f64| format!("1\nLattice=\"{lattice}\" Properties=species:S:1:pos:R:3:id:I:1 {pbc}\nA {x} 1.0D0 0 7\n");
        read_text((frame(2.9) + &frame(0.1)).as_bytes(), Path::new("a.xyz"), &ReadOptions::default())
    };
    let lammps = |tilt: &str, periodic: &str| {
        let frame = |step: u32, x: f64| {
            format!(
                "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz {periodic}\n0 3 {tilt}\n0 2 0\n-0.5 0.5 0\n\
                 ITEM: ATOMS id x y\n7 {x} 1\n"
            )
        };
        read_text((frame(0, 2.9) + &frame(1, 0.1)).as_bytes(), Path::new("a.lammpstrj"), &ReadOptions::default())
    };
    for (read, speed) in [
        (xyz("3 0 0 0 2 0 0 0 1", "pbc=\"T T F\""), Some(0.2)),
        (xyz("3 0 0 1 2 0 0 0 1", "pbc=\"T T F\""), None),
        (xyz("nan 0 0 0 2 0 0 0 1", "pbc=\"T T F\""), None),
        (xyz("0 0 0 0 2 0 0 0 1", "pbc=\"T F F\""), None),
        (xyz("0 0 0 0 0 0 0 0 0", "pbc=\"F F F\""), Some(2.8)),
        (xyz("3 0 0 1 2 0 0 0 1", "pbc=\"F F F\""), Some(2.8)),
        (lammps("0", "pp pp ff"), Some(0.2)),
        (lammps("1", "pp pp ff"), None),
        (lammps("1", "ff ff ff"), Some(2.8)),
    ] {
        match speed {
            Some(speed) => assert_near(measures(read.unwrap().0).0, f64::from(speed as f32), "cell"),
            None => {
                assert!(read.unwrap_err().message.contains("the cell is periodic"), "a cell that cannot be the world");
            }
        }
    }
}

#[test]
fn times_have_units_and_intervals() {
    let times = |times: &[&str]| {
        let rows = times.iter().enumerate().map(|(x, time)| format!("1,{time},{x},0\n"));
        "id,timestamp,x,y\n".to_owned() + &rows.collect::<String>()
    };
    let micro = times(&["0", "40000", "80000", "120000"]);
    let (recording, notes) = text(&micro, &ReadOptions::default()).unwrap();
    assert_eq!(recording.frame_rate, Some(0.000_025));
    let help = notes.iter().find_map(|note| note.help.clone()).unwrap();
    assert_eq!(help.option, ReadOption::TimeUnit(TimeUnit::Microseconds));
    let options = ReadOptions { time_unit: Some(TimeUnit::Microseconds), ..ReadOptions::default() };
    let (recording, notes) = text(&micro, &options).unwrap();
    assert_eq!((recording.frame_rate, notes.len()), (Some(25.0), 0));
    // Two rows of a clock that is not set, one as a number.
    let wrong = times(&[
        "-31696654",
        "2020-05-01 06:00:00",
        "2020-05-01 06:01:00",
        "-31696654-12-05 00:00:00",
        "2020-05-01 06:02:00",
    ]);
    let (recording, notes) = text(&wrong, &ReadOptions::default()).unwrap();
    assert!(has(&notes, "left out 2 rows whose times are decades from the others"), "{notes:?}");
    assert_eq!(recording.frames(), 3);
    // Fixes of two animals about every minute, with seconds between them.
    let fix = |id: &str, minute: u32, second: u32| {
        format!("{id},2020-05-01 06:{minute:02}:{second:02},{}.5,{id}\n", 60 * minute + second)
    };
    let fixes: String = (0..20).flat_map(|m| [fix("1", m, (7 * m) % 11), fix("2", m, 13 + (5 * m) % 9)]).collect();
    let fixes = format!("id,time,x,y\n{fixes}{}", fix("1", 3, 31));
    let (_, notes) = text(&fixes, &ReadOptions { frame_rate: Some(1.0), ..ReadOptions::default() }).unwrap();
    let help = notes.iter().find_map(|note| note.help.clone()).unwrap_or_else(|| panic!("{notes:?}"));
    let ReadOption::Interval(Interval::Seconds(interval)) = help.option else { panic!("{help}") };
    assert!((interval - 60.0).abs() < 10.0, "{help}");
    let options = ReadOptions { interval: Some("60s".parse().unwrap()), ..ReadOptions::default() };
    let (recording, notes) = text(&fixes, &options).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!((recording.frames(), recording.animals()), (20, 2));
    assert_near(recording.frame_rate.unwrap(), 1.0 / 60.0, "a frame per minute");
    assert!((0..20).all(|frame| recording.rows(frame).len() == 2));
    assert_near(measures(recording).0, 60.0, "speeds per interval");
    // A number of frames, and what the interval of a file without times needs.
    let frames: Vec<String> = (0..21).map(|frame| format!("1,{frame},{frame},0\n")).collect();
    let frames = format!("id,frame,x,y\n{}", frames.concat());
    let options = |interval: &str| ReadOptions { interval: Some(interval.parse().unwrap()), ..ReadOptions::default() };
    let (recording, _) = text(&frames, &options("5")).unwrap();
    assert_eq!((recording.frames(), recording.coordinates(2, 1)), (5, Some([10.0, 0.0, 0.0])));
    assert_near(measures(recording).0, 5.0, "speeds per interval");
    assert!(text(&frames, &options("1s")).unwrap_err().message.contains("needs the frames per second"));
    let options = ReadOptions { frame_rate: Some(10.0), ..options("1s") };
    assert_eq!(text(&frames, &options).unwrap().0.frames(), 3);
}

#[test]
fn tables_of_models_and_boxes_open() {
    for table in [
        "Step,AgentID,x,y\n0,1,3,4\n0,2,9,4\n1,1,4,4\n1,2,10,4\n",
        "ticks,who,xcor,ycor\n0,1,3,4\n0,2,9,4\n1,1,4,4\n1,2,10,4\n",
        "time,id,pos\n0,1,\"(3, 4)\"\n0,2,\"(9, 4)\"\n1,1,\"(4, 4)\"\n1,2,\"(10, 4)\"\n",
        "step,id,pos\n0,1,\"[3. 4.]\"\n0,2,\"[9. 4.]\"\n1,1,\"[4. 4.]\"\n1,2,\"[10. 4.]\"\n",
        "step,id,pos_1,pos_2\n0,1,3,4\n0,2,9,4\n1,1,4,4\n1,2,10,4\n",
        "frame,id,xpos,ypos\n0,1,3,4\n0,2,9,4\n1,1,4,4\n1,2,10,4\n",
        // Boxes of VIA, with and without frames.
        "filename,file_attributes,region_shape_attributes,region_attributes\n\
         f_00.png,{},\"{\"\"x\"\":2,\"\"y\"\":3,\"\"width\"\":2,\"\"height\"\":2}\",\"{\"\"track\"\":\"\"1\"\"}\"\n\
         f_00.png,{},\"{\"\"x\"\":8,\"\"y\"\":3,\"\"width\"\":2,\"\"height\"\":2}\",\"{\"\"track\"\":\"\"2\"\"}\"\n\
         f_01.png,{},\"{\"\"x\"\":3,\"\"y\"\":3,\"\"width\"\":2,\"\"height\"\":2}\",\"{\"\"track\"\":\"\"1\"\"}\"\n\
         f_01.png,{},\"{\"\"x\"\":9,\"\"y\"\":3,\"\"width\"\":2,\"\"height\"\":2}\",\"{\"\"track\"\":\"\"2\"\"}\"\n",
        // A step that is a length does not number frames.
        "time,id,step,x,y\n0,1,0.5,3,4\n0,2,1.5,9,4\n1,1,1.5,4,4\n1,2,0.5,10,4\n",
    ] {
        let (recording, _) = text(table, &ReadOptions::default()).unwrap_or_else(|error| panic!("{table}: {error}"));
        assert_eq!((recording.animals(), recording.frames()), (2, 2), "{table}");
        assert_eq!(measures(recording), (1.0, 6.0), "{table}");
    }
}

#[test]
fn odd_animals_are_noted() {
    for (name, phrase) in [("ball", "`ball` is counted as an animal"), ("-1", "`-1` is counted as an animal")] {
        let rows = format!("track,frame,x,y\n{name},0,1,1\n{name},1,2,1\n7,0,5,5\n7,1,5,6\n");
        let (_, notes) = text(&rows, &ReadOptions::default()).unwrap();
        assert!(has(&notes, phrase), "{notes:?}");
    }
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    for (line, program) in [
        ("1838173:1,0,2,-1212,300,1.24;0,5,11,200,-30,0.5;:0,10,2,3.5,H,Alive;:", "Tracab"),
        ("1598184000000;100,1,0;:0,77,1,12,50.1,30.2;:50,30,0;:", "StatsPerform"),
        ("0:52.2,34.1,1.2;40.1,20.0,2.2:50.0,30.0,0.0", "EPTS"),
        ("filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes", "VIA"),
    ] {
        let error = text(&format!("{line}\n{line}\n"), &ReadOptions::default()).unwrap_err();
        assert!(error.message.contains(program) && error.message.contains("is not read; export"), "{error}");
    }
    let pickled = b"\x93NUMPY\x01\x00\x37\x00{'descr': '|O', 'fortran_order': False, 'shape': (), }\n";
    let error = read_text(&pickled[..], Path::new("trajectories.npy"), &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("pickled Python objects") && error.message.contains("numpy.savez"), "{error}");
}

#[test]
fn arrays_of_any_order_and_precision_are_read() {
    let numbers = [1.5, 2.0, -0.5, 0.25_f64];
    let array = |descr: &str, order: &str, bytes: Vec<u8>| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 1, 2), }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend(bytes);
        let (recording, _) = read_text(&file[..], Path::new("a.npy"), &ReadOptions::default()).unwrap();
        [0, 1].map(|frame| recording.coordinates(frame, 0).unwrap())
    };
    let expected = [[1.5, 2.0, 0.0], [-0.5, 0.25, 0.0]];
    let half = [0x3e00_u16, 0x4000, 0xb800, 0x3400];
    for (descr, bytes) in [
        ("<f8", numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()),
        (">f8", numbers.iter().flat_map(|number| number.to_be_bytes()).collect()),
        (">f4", numbers.iter().flat_map(|number| (*number as f32).to_be_bytes()).collect()),
        ("<f2", half.iter().flat_map(|bits| bits.to_le_bytes()).collect()),
    ] {
        assert_eq!(array(descr, "False", bytes), expected, "{descr}");
    }
    let columns = [1.5, -0.5, 2.0, 0.25_f64].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(array("<f8", "True", columns), expected, "Fortran order");
}

#[test]
fn lost_animals_are_noted_and_left_out() {
    let (_, notes) = cases(&["filler-zero.csv"], &ReadOptions::default()).unwrap();
    let help = notes.iter().find_map(|note| note.help.as_ref()).unwrap_or_else(|| panic!("{notes:?}"));
    assert!(has(&notes, "3 rows are exactly at 0,0, far from all others"), "{notes:?}");
    assert_eq!(help.option, ReadOption::Missing(Missing::Point(vec![0.0, 0.0])));
    let (recording, notes) = cases(&["filler-zero.csv"], &with_option(&ReadOptions::default(), &help.option)).unwrap();
    assert!(has(&notes, "3 positions are left out as missing: 0,0"), "{notes:?}");
    let speed = measures(recording).0;
    assert!((speed - 9.996).abs() < 0.02, "{speed}");
    // Before the region is checked.
    let error = cases(&["gps-no-fix.csv"], &ReadOptions::default()).unwrap_err();
    let options = with_option(&ReadOptions::default(), &error.help.unwrap().option);
    let (recording, _) = cases(&["gps-no-fix.csv"], &options).unwrap();
    assert!((measures(recording).0 - 111.27).abs() < 0.1);
    let missing = |codes: &[&str]| ReadOptions {
        missing: codes.iter().map(|code| code.parse().unwrap()).collect(),
        ..ReadOptions::default()
    };
    for code in ["-1", "9999", "?", "--", "."] {
        // In the axes of the file, and in a table of all animals that animal alone.
        let rows = format!("id,frame,x,y\n1,0,1,1\n1,1,{code},{code}\n2,1,7,7\n1,2,3,1\n");
        let read = text(&rows, &ReadOptions { columns: "y=-y".parse().unwrap(), ..missing(&[code]) }).unwrap().0;
        assert_eq!((read.rows(1).len(), read.rows(2).len()), (1, 1), "{code}");
        let wide = format!("frame,x1,y1,x2,y2\n0,1,1,5,5\n1,{code},{code}.0,6,5\n2,3,1,7,5\n");
        let read =
            text(&wide.replace("?.0", "?").replace("--.0", "--").replace("..0", "."), &missing(&[code])).unwrap().0;
        assert_eq!([0, 1, 2].map(|frame| read.rows(frame).len()), [2, 1, 2], "{code}");
    }
    let two = text("id,frame,x,y\n1,0,1,1\n1,1,0,0\n1,2,-1,-1\n1,3,4,1\n", &missing(&["0,0", "-1,-1"])).unwrap().0;
    assert_eq!([two.number(0), two.number(1)], [0, 3]);
    // Animals that rest, or that are near the point, are not lost.
    for rows in [
        "1,0,5,5\n1,1,5,5\n1,2,5,5\n1,3,6,5\n1,4,7,5\n1,5,8,5\n",
        "1,0,0,0\n1,1,1,0\n1,2,0,0\n1,3,1,0\n1,4,0,0\n2,0,9,9\n2,1,9,8\n2,2,9,7\n",
    ] {
        let (_, notes) = text(&format!("id,frame,x,y\n{rows}"), &ReadOptions::default()).unwrap();
        assert!(!has(&notes, "exactly at"), "{notes:?}");
    }
}

#[test]
fn names_say_units_and_directions() {
    let north = |header: &str, options: &ReadOptions| {
        let (recording, notes) = text(&format!("id,frame,{header}\n1,0,5,1\n1,1,5,3\n"), options).unwrap();
        (recording.coordinates(1, 1).unwrap()[1], recording.unit.clone(), has(&notes, "north is up"))
    };
    for header in
        ["easting,northing", "utm_easting,utm_northing", "x_utm,y_utm", "east,north", "Easting (m),Northing (m)"]
    {
        assert_eq!(north(header, &ReadOptions::default()), (-3.0, "m".to_owned(), true), "{header}");
    }
    assert_eq!(north("easting,northing", &columns("x=easting,y=northing")), (3.0, "m".to_owned(), false));
    assert_eq!(north("x,y", &ReadOptions::default()), (3.0, "u".to_owned(), false));
    let (_, notes) = cases(&["degrees-xy.csv"], &ReadOptions::default()).unwrap();
    let help = notes.iter().find_map(|note| note.help.as_ref()).unwrap_or_else(|| panic!("{notes:?}"));
    let (recording, _) = cases(&["degrees-xy.csv"], &with_option(&ReadOptions::default(), &help.option)).unwrap();
    assert!((measures(recording).0 - 176.0).abs() < 1.0);
    let (_, notes) = text("id,t,x,y\n1,0,8.2,47.3\n1,10,8.201,47.301\n", &ReadOptions::default()).unwrap();
    assert!(has(&notes, "may be longitude and latitude"), "{notes:?}");
    let (_, notes) = text("id,frame,x,y\n1,0,600000,5000000\n1,1,600001,5000000\n", &ReadOptions::default()).unwrap();
    assert!(has(&notes, "as large as UTM coordinates"), "{notes:?}");
    let error = text("id,frame,x (px),y (cm)\n1,0,1,1\n1,1,2,1\n", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("`y (cm)` is not in px"), "{error}");
    let rates = [
        ("time_h", 0.5 / 3600.0),
        ("minutes", 0.5 / 60.0),
        ("time (d)", 0.5 / 86400.0),
        ("Time (days)", 0.5 / 86400.0),
        ("t_us", 0.5e6),
    ];
    for (name, rate) in rates {
        let table = format!("id,{name},x,y\n1,0,1,1\n1,2,2,1\n1,4,3,1\n");
        assert_near(text(&table, &ReadOptions::default()).unwrap().0.frame_rate.unwrap(), rate, name);
    }
}

#[test]
fn coordinates_below_names_are_those_of_several_animals() {
    let vicon = "Trajectories\n100\n,,Ann:Head,,,Bob:Head,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n,,mm,mm,mm,mm,mm,mm\n\
                 1,0,1,0,5,1,9,5\n2,0,2,0,5,2,9,5\n3,0,3,0,5,3,9,5\n";
    let motive = "Format Version,1.23,Take Name,a\n\n,,Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid \
                  Body\n,,Name,A,A,A,A,B,B,B,B\n,,,Rotation,Position,Position,Position,Rotation,Position,Position,Position\nFrame,Time \
                  (Seconds),,X,X,Y,Z,X,X,Y,Z\n0,0,,7,1,0,5,7,1,9,5\n1,0.01,,7,2,0,5,7,2,9,5\n2,0.02,,7,3,0,5,7,3,9,5\n";
    for (table, unit) in [(vicon, "mm"), (motive, "u")] {
        let (recording, notes) = text(table, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((recording.animals(), recording.frames(), &*recording.unit), (2, 3, unit), "{notes:?}");
        assert!(has(&notes, "2 animals, named above their columns"), "{notes:?}");
        assert_eq!(measures(recording), (1.0, 9.0));
    }
    let error = text("frame,x,y,x,y\n0,1,1,5,5\n1,2,1,6,5\n", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("`x` and `y` occur several times"), "{error}");
}

#[test]
fn boxes_have_centers_and_ids() {
    for header in ["x1,y1,x2,y2,conf", "x_min,y_min,x_max,y_max,class_id", "xmin,ymin,xmax,ymax,label"] {
        let table = |id: &str| {
            format!("frame,{id}{header}\n0,{a}1,2,3,4,0\n1,{a}2,2,6,4,0\n", a = if id.is_empty() { "" } else { "7," })
        };
        let (recording, _) = text(&table("track_id,"), &ReadOptions::default()).unwrap();
        assert_eq!((recording.animals(), recording.coordinates(1, 7)), (1, Some([4.0, 3.0, 0.0])), "{header}");
        let error = text(&table(""), &ReadOptions::default()).unwrap_err();
        assert!(error.message.contains("no column for id"), "{header}: {error}");
    }
    let (wide, _) = text("frame,x1,y1,x2,y2\n0,1,2,30,40\n1,2,2,31,40\n", &ReadOptions::default()).unwrap();
    assert_eq!(wide.animals(), 2);
}

#[test]
fn body_parts_of_tidy_tables_are_chosen() {
    let rows = [0, 1, 2, 3].map(|frame| format!("a,{frame},tail,1,{frame}\na,{frame},nose,{},2\n", 3 * frame));
    let table = format!("individual,frame,keypoint,x,y\n{}", rows.concat());
    let (recording, notes) = text(&table, &ReadOptions::default()).unwrap();
    assert!(has(&notes, "body part nose of tail, nose"), "{notes:?}");
    assert_eq!((recording.animals(), measures(recording).0), (1, 3.0));
    let options = ReadOptions { body_part: Some("tail".to_owned()), ..ReadOptions::default() };
    assert_eq!(measures(text(&table, &options).unwrap().0).0, 1.0);
    let options = ReadOptions { body_part: Some("ear".to_owned()), ..ReadOptions::default() };
    assert!(text(&table, &options).unwrap_err().message.contains("no body part `ear`"));
}

#[test]
fn dates_have_one_order() {
    let table = |dates: &[&str]| {
        let rows: Vec<String> = dates.iter().enumerate().map(|(x, date)| format!("1,{date},{x},0\n")).collect();
        format!("id,date,x,y\n{}", rows.concat())
    };
    let days = |dates: &[&str], options: &ReadOptions| {
        let (recording, _) = text(&table(dates), options).unwrap();
        (recording.frames(), recording.start_date.clone().unwrap())
    };
    let march = |first: &str| (3, first.to_owned());
    let options = ReadOptions::default();
    // The last date decides.
    assert_eq!(days(&["03/11/2021", "03/12/2021", "03/13/2021"], &options), march("2021-03-11T00:00:00Z"));
    assert_eq!(days(&["11/3/2021", "12/3/2021", "13/3/2021"], &options), march("2021-03-11T00:00:00Z"));
    let unclear = table(&["03/10/2021", "03/11/2021"]);
    let error = text(&unclear, &options).unwrap_err();
    assert_eq!(error.help.unwrap().option, ReadOption::Dates(DateOrder::DayFirst));
    let month = ReadOptions { dates: Some(DateOrder::MonthFirst), ..options.clone() };
    assert_eq!(text(&unclear, &month).unwrap().0.frames(), 2);
    assert!(text(&table(&["13/3/2021", "3/13/2021"]), &options).unwrap_err().message.contains("same order"));
}

#[test]
fn some_animals_and_first_fixes_are_read() {
    let table = "id,t,lon,lat\na,0,5,52\na,1,5.001,52\na,2,5.002,52\nb,0,100,-20\nb,1,100,-20.001\n";
    let error = text(table, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.help.unwrap().option, ReadOption::Only(_)));
    let only = |name: &str| ReadOptions { only: vec![name.to_owned()], ..ReadOptions::default() };
    assert_eq!(text(table, &only("a")).unwrap().0.animals(), 1);
    let unknown = text(table, &only("c")).unwrap_err();
    assert!(unknown.message.contains("no animal has the name `c`") && unknown.unknown.is_some(), "{unknown}");
    let once: Vec<String> = (0..20).map(|time| format!("a,{time},{time},0\n")).collect();
    let twice = format!("id,t,x,y\n{}a,7,8.5,0\n", once.concat());
    let (recording, notes) = text(&twice, &ReadOptions::default()).unwrap();
    assert!(has(&notes, "left out 1 row of an animal with another position at the same time"), "{notes:?}");
    assert_eq!(recording.coordinates(7, 0), Some([7.0, 0.0, 0.0]));
    let lone = text("x,y,heading\n1,1,0\n2,1,0\n3,1,0\n", &ReadOptions::default()).unwrap();
    assert!(lone.0.frames() == 3 && has(&lone.1, "each row is a frame"), "{:?}", lone.1);
}

#[test]
fn header_and_rows_may_have_other_separators() {
    for table in [
        "id frame x y\n1\t0\t1\t1\n1\t1\t2\t1\n",
        "id,frame,x,y\n1;0;1;1\n1;1;2;1\n",
        "id,frame,x,y\n1 0 1 1\n1 1 2 1\n",
    ] {
        let (recording, _) = text(table, &ReadOptions::default()).unwrap_or_else(|error| panic!("{table}: {error}"));
        assert_eq!((recording.frames(), measures(recording).0), (2, 1.0), "{table}");
    }
}

#[test]
fn periods_have_many_forms() {
    let xyz = |pbc: &str, cell: &str| {
        let frame = |x: f64| format!("1\n{cell} Properties=species:S:1:pos:R:3 {pbc}\nA {x} 1 0\n");
        read_text((frame(2.9) + &frame(0.1)).as_bytes(), Path::new("a.xyz"), &ReadOptions::default())
    };
    let cell = "Lattice=\"3 0 0 0 2 0 0 0 1\"";
    for (pbc, speed) in
        [("pbc=T", 0.2), ("pbc=\"true true true\"", 0.2), ("pbc=[T, T, T]", 0.2), ("pbc={F F F}", 2.8), ("pbc=F", 2.8)]
    {
        let (recording, _) = xyz(pbc, cell).unwrap_or_else(|error| panic!("{pbc}: {error}"));
        assert!((measures(recording).0 - speed).abs() < 1e-6, "{pbc}");
    }
    assert!(xyz("pbc=\"maybe T T\"", cell).unwrap_err().message.contains("expected T or F"));
    let list = "Lattice=[[3, 0, 0], [0, 2, 0], [0, 0, 1]]";
    assert!((measures(xyz("pbc=T", list).unwrap().0).0 - 0.2).abs() < 1e-6);
    let late = "1\n\nA 0 0 0\n1\nLattice=\"3 0 0 0 2 0 0 0 1\" pbc=T\nA 1 0 0\n";
    let (_, notes) = read_text(late.as_bytes(), Path::new("a.xyz"), &ReadOptions::default()).unwrap();
    assert!(has(&notes, "only later frames have a cell"), "{notes:?}");
}

#[test]
fn several_animals_are_never_read_as_one() {
    let rows = "0,1,1,5,5\n1,2,1,6,5\n2,3,1,7,5\n";
    // R and pandas number names that occur several times.
    for header in ["frame,x,y,x.1,y.1", "frame,x (mm),y (mm),x (mm).1,y (mm).1"] {
        let error = text(&format!("{header}\n{rows}"), &ReadOptions::default()).unwrap_err();
        assert!(error.message.contains("occur several times"), "{header}: {error}");
    }
    let (_, notes) = text("frame,x,y,x2,y2\n0,1,1,5,5\n1,2,1,6,5\n", &ReadOptions::default()).unwrap();
    assert!(has(&notes, "other coordinates are not read: x2"), "{notes:?}");
    let (_, notes) = text("frame,x,y,x1,y1\n0,1,1,5,5\n1,2,1,6,5\n", &ReadOptions::default()).unwrap();
    assert!(has(&notes, "`x` and `y` are not read"), "{notes:?}");
    for (header, names) in [
        ("t,fish1/x,fish1/y,fish2/x,fish2/y", "time=t,x=*/x,y=*/y"),
        ("frame,Ann X,Ann Y,Ann Z,Bob X,Bob Y,Bob Z", "frame=frame,x=* X,y=* Y,z=* Z"),
        ("frame,AX,AY,BX,BY", "id=NAME,x=NAME,y=NAME"),
    ] {
        let rows = [0, 1, 2, 3].map(|frame| {
            let numbers = (1..header.split(',').count()).map(|column| format!(",{}", frame * column));
            format!("{frame}{}\n", numbers.collect::<String>())
        });
        let error = text(&format!("{header}\n{}", rows.concat()), &ReadOptions::default()).unwrap_err();
        assert_eq!(suggested(&error), names, "{error}");
    }
    let (recording, _) = text("frame,x(1),y(1),x(2),y(2)\n0,1,1,5,5\n1,2,1,6,5\n", &columns("x=x(*),y=y(*)")).unwrap();
    assert_eq!(recording.animals(), 2);
}

#[test]
fn rows_of_units_and_numbers_of_dates_are_read() {
    for (table, rate, unit) in [
        ("id,t,x,y\n,ms,mm,mm\n1,0,1,1\n1,40,2,1\n1,80,3,1\n", 25.0, "mm"),
        ("Trial time;X center;Y center\ns;cm;cm\n0;1;1\n0.5;2;1\n1;3;1\n", 2.0, "cm"),
        ("t,x1,y1,x2,y2\ns,cm,cm,cm,cm\n0,1,1,5,5\n1,2,1,6,5\n2,3,1,7,5\n", 1.0, "cm"),
        ("id,t,easting_km,northing_km\n1,0,1,1\n1,1,2,1\n1,2,3,1\n", 1.0, "km"),
        ("id,date,time,x,y\n1,20210320,235900,1,1\n1,20210321,0,2,1\n1,20210321,100,3,1\n", 1.0 / 60.0, "u"),
        ("id,timestamp,x,y\n1,20210320235900,1,1\n1,20210321000000,2,1\n1,20210321000100,3,1\n", 1.0 / 60.0, "u"),
        ("id,date,x,y\n1,20210320,1,1\n1,20210321,2,1\n1,20210322,3,1\n", 1.0 / 86400.0, "u"),
        ("id,date,UTC_datetime,x,y\n1,a,2021-03-20 00:00:00,1,1\n1,a,2021-03-20 00:00:02,2,1\n", 0.5, "u"),
    ] {
        let (recording, _) = text(table, &ReadOptions::default()).unwrap_or_else(|error| panic!("{table}: {error}"));
        assert!((recording.frame_rate.unwrap() / rate - 1.0).abs() < 1e-9, "{table}: {:?}", recording.frame_rate);
        assert_eq!(recording.unit, unit, "{table}");
        assert_near(measures(recording).0, 1.0, table);
    }
    let table = "id,date,hour,x,y\n1,2021-03-20,22,1,1\n1,2021-03-20,23,2,1\n1,2021-03-21,0,3,1\n";
    let (recording, _) = text(table, &columns("date=date,time=hour")).unwrap();
    assert_eq!(recording.frames(), 3);
    let (_, notes) = text("id,date,t,x,y\n1,2021-03-20,0,1,1\n1,2021-03-20,1,2,1\n", &ReadOptions::default()).unwrap();
    assert!(has(&notes, "`date` is not read"), "{notes:?}");
    // A number that is no time among dates does not stop the reader.
    let far =
        "id,time,x,y\n1,2021-03-20 00:00:00,1,1\n1,2021-03-20 00:00:01,2,1\n1,1e30,3,1\n1,1e30,4,1\n1,-1e30,4,1\n";
    assert!(text(far, &ReadOptions::default()).is_err());
    let far = "id,time,x,y\n1,03/20/2021 00:00:00,1,1\n1,03/02/2021 00:00:01,2,1\n1,1e30,3,1\n";
    assert_eq!(text(far, &ReadOptions::default()).unwrap().0.frames(), 2);
    // Dates are no animals.
    let rows =
        (0..24).flat_map(|frame| [1, 2].map(|id| format!("{id},2008-02-02 23:{frame:02}:00,{},{id}\n", id * frame)));
    let error = text(&rows.collect::<String>(), &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("not clear"), "{error}");
}
