//! Contract: each file opens with the animals, frames and speeds that its program means, or the error says what to type.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockscope_sim::{Analyzer, Measure};
use flockscope_tracks::{Interval, Note, Player, ReadOption, ReadOptions, Recording, TimeUnit, read, read_text};

/// Options that name columns.
fn columns(names: &str) -> ReadOptions {
    ReadOptions { columns: names.parse().unwrap(), ..ReadOptions::default() }
}

fn cases(names: &[&str], options: &ReadOptions) -> Result<(Recording, Vec<Note>), flockscope_tracks::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    read(&names.iter().map(|name| folder.join(name)).collect::<Vec<PathBuf>>(), options, &|_| ())
}

fn text(text: &str, options: &ReadOptions) -> Result<(Recording, Vec<Note>), flockscope_tracks::Error> {
    read_text(text.as_bytes(), Path::new("a.csv"), options)
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
fn suggested(error: &flockscope_tracks::Error) -> String {
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
    let cases_of: [Case<'_>; 21] = [
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
        ("eight-columns.csv", "id=2,frame=1,x=3,y=4", 3, 20, 2.0),
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
    // One animal, and rows of all animals, which cannot be told from other columns.
    let (recording, _) = text("0,1,5\n1,2,5.5\n2,3,6\n3,4,7\n", &ReadOptions::default()).unwrap();
    assert_eq!((recording.animals(), recording.frames()), (1, 4));
    let wide = rows(&|f, i| {
        if i == 0 { format!("{f},{},{},{},{}\n", x(f, 0), y(f, 0), x(f, 1), y(f, 1)) } else { String::new() }
    });
    let error = text(&wide, &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("can be read as frame=1,x=2,y=3 or as frame=1,x=4,y=5"), "{error}");
    text(&wide, &columns(&suggested(&error))).unwrap();
    // Pixels and large coordinates are no meters.
    let unit = |table: String| text(&table, &ReadOptions::default()).unwrap().0.unit;
    let gan = |scale: f64, offset: f64| {
        rows(&|f, i| format!("{f}\t{i}\t{}\t{}\n", scale * x(f, i), scale * y(f, i) + offset))
    };
    assert_eq!([unit(gan(1.0, 0.0)), unit(gan(10.0, 0.0)), unit(gan(1.0, 1000.0))], ["m", "u", "u"]);
}

#[test]
fn velocities_are_compared_with_the_steps() {
    let table = |header: &str, velocity: &dyn Fn(f64, f64) -> [f64; 2]| {
        let mut table = format!("id,frame,time,x (m),y (m),{header}\n");
        for (frame, id) in (0..40).flat_map(|frame| (0..3).map(move |id| (f64::from(frame), f64::from(id)))) {
            let angle = 0.1 * frame + id;
            let [vx, vy] = velocity(angle, frame);
            let (x, y) = (5.0 * angle.cos(), 5.0 * angle.sin());
            writeln!(table, "{id},{frame},{},{x},{y},{vx},{vy}", frame / 20.0).unwrap();
        }
        text(&table, &ReadOptions::default()).unwrap()
    };
    let tangent = |scale: f64| move |angle: f64, _: f64| [-scale * angle.sin(), scale * angle.cos()];
    for (header, velocity, phrase, speed) in [
        ("vx,vy", &tangent(0.5) as &dyn Fn(f64, f64) -> [f64; 2], "velocities are per frame", 0.5),
        ("vx,vy", &tangent(10.0), "velocities are per second", 0.5),
        ("vx (m/s),vy (m/s)", &tangent(10.0), "velocities are per second", 0.5),
        // Another part of the body, another unit of length, and a unit that contradicts the steps.
        ("vx,vy", &|_, frame: f64| [(frame * 0.7).sin(), (frame * 1.3).cos()], "do not fit the steps", 0.499_3),
        ("vx (cm/s),vy (cm/s)", &tangent(1000.0), "do not fit the steps of the positions, as `vx` in cm/s", 0.499_3),
        ("vx (m/s),vy (m/s)", &tangent(0.5), "do not fit the steps", 0.499_3),
    ] {
        let (recording, notes) = table(header, velocity);
        assert!(has(&notes, phrase), "{header}: {notes:?}");
        let found = measures(recording).0;
        assert!((found - speed).abs() < 1e-3, "{header}, {phrase}: {found}");
    }
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
    let table = |times: &[&str]| -> String {
        let rows: Vec<String> = times.iter().enumerate().map(|(x, time)| format!("1,{time},{x},0\n")).collect();
        rows.concat()
    };
    let times = |times: &[&str]| "id,timestamp,x,y\n".to_owned() + &table(times);
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
