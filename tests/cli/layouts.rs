//! Contract: text files of tracking programs open without options, with the animals, the positions and the unit that their programs
//! document; a note of each kind names the rows that are left out and doubtful numbers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use flate2::write::GzEncoder;
use tempfile::TempDir;

use crate::program::flockscope;
use crate::tools;

const MEASURES: &str = "polarization,mean_speed,nearest_neighbor";

/// The standard output and the standard error of `run` with these files.
fn run_with(files: &[(&str, &[u8])], args: &[&str]) -> (String, String) {
    let folder = TempDir::new().unwrap();
    let mut command = flockscope(&["run"]);
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
        command.args(["--session", name]);
    }
    let output = command.current_dir(&folder).args(args).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    for proposal in stderr.lines().filter_map(proposal) {
        let mut command = flockscope(&["run"]);
        command.args(files.iter().flat_map(|(name, _)| ["--session", name]));
        let place = args.iter().position(|arg| *arg == proposal[0]).unwrap_or(args.len());
        let others = args.iter().take(place).chain(args.iter().skip(place + proposal.len()));
        let output = command.current_dir(&folder).args(others).args(&proposal).output().unwrap();
        assert!(output.status.success(), "{proposal:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    (stdout, stderr)
}

/// The option that a message proposes with its value, unless that is a placeholder.
pub fn proposal(message: &str) -> Option<Vec<String>> {
    let option = message.rsplit_once("; --")?.1;
    let (flag, rest) = option.split_once(' ')?;
    let value = match rest.strip_prefix('\'') {
        Some(quoted) => quoted.split_once('\'')?.0,
        None => rest.split(' ').next()?,
    };
    let takes_value = !["skip-missing"].contains(&flag) && !flag.contains('=');
    let words: Vec<String> = [format!("--{flag}")].into_iter().chain(takes_value.then(|| value.to_owned())).collect();
    (!value.contains("NAME") && !value.contains("NUMBER")).then_some(words)
}

/// The columns `id`, `tick`, `x` and `y` of files as a recording.
fn tracks(files: &[(&str, &[u8])], args: &[&str]) -> String {
    let (rows, error) = run_with(files, &[args, &["-o", "-", "--columns", "id,tick,x,y"]].concat());
    assert!(!rows.is_empty(), "{error}");
    rows.split_once('\n').unwrap().1.replace('\n', " ").trim().to_owned()
}

fn notes(text: &str, args: &[&str]) -> String {
    run_with(&[("a.csv", text.as_bytes())], &[args, &["--hash"]].concat()).1
}

#[test]
fn files_of_programs_measure_as_with_numpy() {
    if !tools::has_numpy() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/layouts");
    for (layout, files, unit) in [
        ("dlc", &["dlc.csv"][..], "px"),
        ("lammps", &["dump.lammpstrj"], "u"),
        ("gps", &["gps1.csv", "gps2.csv"], "m"),
        ("gps", &["gps1.csv"], "m"),
        ("idtracker", &["idtracker.csv"], "px"),
        ("movebank", &["movebank.csv"], "m"),
        ("obsmat", &["obsmat.txt"], "m"),
        ("sleap", &["sleap.csv"], "px"),
        ("trackmate", &["trackmate.csv"], "micron"),
        ("video", &["video.csv"], "u"),
    ] {
        let sessions = files.iter().flat_map(|file| ["--session", file]);
        let run = |output: &[&str]| {
            let mut command = flockscope(&["run"]);
            let command =
                command.current_dir(&folder).args(sessions.clone()).args(["--measure", MEASURES]).args(output);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{layout}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        let script =
            Command::new("python3").arg("measure.py").arg(layout).args(files).current_dir(&folder).output().unwrap();
        assert!(script.status.success(), "{layout}: {}", String::from_utf8_lossy(&script.stderr));
        let rows = |text: &str| -> Vec<Vec<f64>> {
            let rows = text.lines().skip(1).map(|row| row.split(',').skip(1));
            rows.map(|numbers| numbers.map(|number| number.parse().unwrap()).collect()).collect()
        };
        let (found, expected) = (rows(&run(&["--measures", "-"])), rows(&String::from_utf8(script.stdout).unwrap()));
        assert_eq!(found.len(), expected.len(), "{layout}");
        for (frame, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (found, expected) in found.iter().zip(expected) {
                let is_near = (found - expected).abs() <= 1e-6 * expected.abs() || found.is_nan() && expected.is_nan();
                assert!(is_near, "{layout}, frame {frame}: {found}, not {expected}");
            }
        }
        assert!(run(&["--summary"]).contains(&format!(" {unit}/frame")), "{layout}");
    }
}

#[test]
fn the_same_rows_in_any_form_are_the_same_recording() {
    const EXPECTED: &str = "1,0,1.5,2.5 2,0,5,6 1,1,1.75,2.5 2,1,5.5,6";
    let plain = "id,frame,x,y\n1,0,1.5,2.5\n2,0,5,6\n1,1,1.75,2.5\n2,1,5.5,6\n";
    let utf16 = |of: fn(u16) -> [u8; 2]| "\u{feff}".encode_utf16().chain(plain.encode_utf16()).flat_map(of).collect();
    let mut compressed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(plain.as_bytes()).unwrap();
    let forms: [(&str, Vec<u8>); 21] = [
        ("a.csv", plain.into()),
        ("a.csv", format!("\u{feff}{}", plain.replace('\n', "\r\n")).into()),
        ("a.csv", utf16(u16::to_le_bytes)),
        ("a.csv", utf16(u16::to_be_bytes)),
        ("a.csv.gz", compressed.finish().unwrap()),
        ("a.csv", plain.replace(',', ";").replace('.', ",").into()),
        ("a.tsv", plain.replace(',', "\t").into()),
        ("a.dat", plain.replace(',', "   ").into()),
        ("a.csv", "\"id\",\"frame\",\"x\",\"y\"\n\"1\",0,1.5,2.5\n\"2\",0,5,6\n\"1\",1,1.75,2.5\n\"2\",1,5.5,6\n".into()),
        ("a.csv", "\"id\",\"frame\",\"x\",\"y\"\n\"1\",1,0,1.5,2.5\n\"2\",2,0,5,6\n\"3\",1,1,1.75,2.5\n\"4\",2,1,5.5,6\n".into()),
        ("a.csv", "id,frame,x,y\n2,0,5,6\n2,1,5.5,6\n1,1,1.75,2.5\n1,0,1.5,2.5\n".into()),
        ("a.csv", "# calibration,\"5 px\nid,frame,x,y\n1,0,1.5,2.5\n# a \"comment\n2,0,5,6\n1,1,1.75,2.5\n2,1,5.5,6\n".into()),
        ("a.csv", "A title\n\nTRACK_ID,Frame,Pos. X (mm),Pos. Y (mm)\n,,mm,mm\n1,0,1.5,2.5\n2,0,5,6\n1,1,1.75,2.5\n2,1,5.5,6\n".into()),
        ("a.csv", plain.replace('\n', ",,\n").replace("y,,", "y").into()),
        ("a.csv", b"id,frame,x,y,\xb0C\n1,0,1.5,2.5,0\n2,0,5,6,0\n1,1,1.75,2.5,0\n2,1,5.5,6,0\n".to_vec()),
        ("a.csv", plain.replace('\n', ",\n").into()),
        ("a.csv", ",id,frame,x_pos,y_pos\n0,1,0,1.5,2.5\n1,2,0,5,6\n2,1,1,1.75,2.5\n3,2,1,5.5,6\n".into()),
        ("a.csv", "id,frame,time,x_center,y_center\n1,0,0,1.5,2.5\n2,0,0,5,6\n1,1,1,1.75,2.5\n2,1,1,5.5,6\n".into()),
        ("a.csv", "frame,x1,y1,x2,y2\n0,1.5,2.5,5,6\n1,1.75,2.5,5.5,6\n".into()),
        ("a.txt", "X1\tY1\tProbId1\tX2\tY2\tProbId2\t\n1.5\t2.5\tNaN\t5\t6\tNaN\n1.75\t2.5\tNaN\t5.5\t6\tNaN\n".into()),
        ("a.txt", "# framerate: 25 fps\n# id frame x y\n1 0 1.5 2.5\n2 0 5 6\n1 1 1.75 2.5\n2 1 5.5 6\n".into()),
    ];
    for (name, text) in forms {
        assert_eq!(tracks(&[(name, &text)], &[]), EXPECTED, "{}", String::from_utf8_lossy(&text));
    }
    let names = b"frame,Anna_x,Anna_y,Bert_x,Bert_y\n0,1.5,2.5,5,6\n1,1.75,2.5,5.5,6\n";
    let expected = "Anna,0,1.5,2.5 Bert,0,5,6 Anna,1,1.75,2.5 Bert,1,5.5,6";
    assert_eq!(tracks(&[("a.csv", names)], &["--columns-of", "x=*_x,y=*_y"]), expected);
    let mirrored = "Anna,0,1.5,-2.5 Bert,0,5,-6 Anna,1,1.75,-2.5 Bert,1,5.5,-6";
    assert_eq!(tracks(&[("a.csv", names)], &["--columns-of", "x=*_x,y=-*_y"]), mirrored);
    let numbered = b"0,9,1,1.5,2.5\n0,9,2,5,6\n1,9,1,1.75,2.5\n1,9,2,5.5,6\n";
    assert_eq!(tracks(&[("a.csv", numbered)], &["--columns-of", "id=3,frame=1,x=4,y=5"]), EXPECTED);
    let boxes =
        b"0,1,0.5,2,2,1,1,-1,-1,-1\n0,2,4,5,2,2,1,-1,-1,-1\n1,1,0.75,2,2,1,1,-1,-1,-1\n1,2,4.5,5,2,2,1,-1,-1,-1\n";
    assert_eq!(tracks(&[("a.txt", boxes)], &[]), EXPECTED);
}

#[test]
fn several_files_are_one_recording() {
    let (one, other) = (b"frame,x,y\n0,1,1\n1,2,1\n", b"frame,x,y\n1,5,5\n2,6,5\n");
    assert_eq!(tracks(&[("ann.csv", one), ("bob.csv", other)], &[]), "ann,0,1,1 ann,1,2,1 bob,1,5,5 bob,2,6,5");
    let later = b"id,t,x,y\n7,2020-05-01 06:00:02,3,1\n";
    let files: [(&str, &[u8]); 2] =
        [("a.csv", b"id,t,x,y\n7,2020-05-01 06:00:00,1,1\n7,2020-05-01 06:00:01,2,1\n"), ("b.csv", later)];
    assert_eq!(tracks(&files, &[]), "7,0,1,1 7,1,2,1 7,2,3,1");
    let (_, error) =
        run_with(&[("a.csv", b"id,frame,x,y\n1,0,1,1\n"), ("b.csv", b"id,frame,x,y\n1,0,2,1\n")], &["--hash"]);
    assert_eq!(error, "flockscope: b.csv:2: animal 1 has frame 0 already, in line 2 of a.csv, at another position\n");
    let (cm, mm) = (b"frame,x (cm),y (cm)\n0,1,1\n", b"frame,x (mm),y (mm)\n0,1,1\n");
    let (_, error) = run_with(&[("a.csv", cm), ("b.csv", mm)], &["--hash"]);
    assert!(error.contains("b.csv:1: lengths are in mm after lengths in cm"), "{error}");
    let (_, error) = run_with(&[("a.csv", one), ("b.csv", later)], &["--hash"]);
    let expected =
        "flockscope: b.csv:1: times and 2 axes after frames and 2 axes; expected the same columns in all files\n";
    assert_eq!(error, expected);
}

#[test]
fn missing_values_of_layouts_are_left_out() {
    let spots = "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,POSITION_T,FRAME\nLabel,Spot,Track,X,Y,T,Frame\n,,,(micron),(micron),(sec),\n\
                 a,1,1,1,1,0,0\nb,2,1,2,1,1,1\nc,3,None,9,9,0,0\nd,4,,8,8,0,0\n";
    assert_eq!(tracks(&[("a.csv", spots.as_bytes())], &[]), "1,0,1,1 1,1,2,1");
    let given = ["--columns-of", "id=TRACK_ID,x=POSITION_X,y=POSITION_Y"];
    assert_eq!(tracks(&[("a.csv", spots.as_bytes())], &given), "1,0,1,1 1,1,2,1");
    assert_eq!(
        notes(spots, &[]).lines().collect::<Vec<_>>(),
        ["flockscope: a.csv: TrackMate", "flockscope: a.csv: left out 2 rows without a valid id, time or position",]
    );
    let untracked = "track,frame_idx,instance.score,head.x,head.y,head.score\n,0,1,1,1,1\n,1,1,2,1,1\n";
    assert_eq!(tracks(&[("a.csv", untracked.as_bytes())], &[]), "a,0,1,1 a,1,2,1");
    let fixes = "timestamp,location-long,location-lat,visible,individual-local-identifier\n2020-05-01 06:00:00.000,8,47,true,a\n\
                 2020-05-01 07:00:00.000,0,0,false,a\n2020-05-01 08:00:00.000,8,47,true,a\n";
    assert_eq!(tracks(&[("a.csv", fixes.as_bytes())], &[]), "a,0,0,0 a,1,0,0");
    assert!(notes(fixes, &[]).contains("left out 1 row"));
    for missing in ["", "NA", "inf", "#N/A", "None", "<NA>", "-"] {
        let text = format!("id,frame,x,y\n1,0,1,1\n1,1,{missing},1\n{missing},2,7,7\n1,{missing},7,7\n1,3,2,1\n");
        assert!(notes(&text, &[]).contains("--skip-missing leaves out rows without a position"), "{missing}");
        assert_eq!(tracks(&[("a.csv", text.as_bytes())], &["--skip-missing"]), "1,0,1,1 1,3,2,1", "{missing}");
    }
    let poses = "scorer,n,n,n,n,n,n\nbodyparts,nose,nose,nose,tail,tail,tail\ncoords,x,y,likelihood,x,y,likelihood\n\
                 0,1,1,0.9,5,5,0.9\n1,2,1,0.5,6,5,0.9\n2,3,1,0.9,7,5,0.9\n";
    // The nose has fewer positions.
    assert_eq!(tracks(&[("a.csv", poses.as_bytes())], &[]), "a,0,5,5 a,1,6,5 a,2,7,5");
    assert_eq!(tracks(&[("a.csv", poses.as_bytes())], &["--body-part", "nose"]), "a,0,1,1 a,2,3,1");
    assert_eq!(tracks(&[("a.csv", poses.as_bytes())], &["--body-part", "tail"]), "a,0,5,5 a,1,6,5 a,2,7,5");
    let found = "flockscope: a.csv: DeepLabCut: likelihood from 0.6, body part tail of nose, tail; --body-part NAME chooses another\n";
    assert_eq!(notes(poses, &[]), found);
    let other = poses.replace("nose", "snout").replace("\n0,", "\n5,").replace("\n1,", "\n6,").replace("\n2,", "\n7,");
    let both = [("a.csv", poses.as_bytes()), ("b.csv", other.as_bytes())];
    let (_, error) = run_with(&both, &["--body-part", "nose", "--hash"]);
    assert!(error.contains("b.csv:1: the file has no body part `nose`; expected one of snout, tail"), "{error}");
    assert!(notes("frame,x,y\n0,1,1\n", &["--body-part", "tail"]).contains("the columns have no body parts"));
    assert!(notes(poses, &["--body-part", "ear"]).contains("no body part `ear`; expected one of nose, tail"));
}

#[test]
fn doubtful_numbers_are_noted() {
    let table = |rows: &str| format!("id,frame,x,y\n{rows}");
    // A phrase, a file that deserves it, and one that does not.
    for (phrase, doubtful, good) in [
        ("left out 1 row that occurs twice", table("1,0,1,1\n1,0,1,1\n1,1,2,1\n"), table("1,0,1,1\n1,1,1,1\n")),
        (
            "each animal has one row only, so `id` is not the animal",
            table("1,0,1,1\n2,1,2,1\n"),
            table("1,0,1,1\n1,1,2,1\n"),
        ),
        (
            "the animal is `track`, not `id`; --columns-of id=NAME chooses another",
            "id,track,frame,x,y\n1,7,0,1,1\n2,7,1,2,1\n".to_owned(),
            "track,frame,x,y\n7,0,1,1\n7,1,2,1\n".to_owned(),
        ),
        (
            "animal 1 moves 997.0 u per frame from frame 2 to 3, over 100 times the median (2 such steps)",
            table("1,0,1,1\n1,1,2,1\n1,2,3,1\n1,3,1000,1\n1,4,5,1\n1,5,6,1\n1,6,7,1\n1,7,8,1\n"),
            table("1,0,1,1\n1,1,2,1\n1,2,3,1\n1,3,90,1\n1,4,5,1\n1,5,6,1\n1,6,7,1\n1,7,8,1\n"),
        ),
        (
            "the column `x` occurs twice, and the first one counts",
            "id,frame,x,y,x\n1,0,1,1,5\n1,1,2,1,5\n".to_owned(),
            "id,frame,x,y,X\n1,0,1,1,5\n1,1,2,1,5\n".to_owned(),
        ),
        ("5001 frames have 3 rows", table("1,0,1,1\n1,1,1,2\n1,5000,2,1\n"), table("1,0,1,1\n1,1,2,1\n1,500,2,1\n")),
    ] {
        assert!(notes(&doubtful, &[]).contains(phrase), "{phrase}: {}", notes(&doubtful, &[]));
        assert!(!notes(&good, &[]).contains(&phrase[..20]), "{phrase}: {}", notes(&good, &[]));
        assert_eq!(notes(&doubtful, &[]).matches(&phrase[8..20]).count(), 1, "{phrase}");
    }
    let inches = "id,frame,x (cm),y (cm)\n1,0,1,1\n1,1,2,1\n";
    let phrase = "lengths are in cm; --unit mm renames them";
    assert!(notes(inches, &["--unit", "mm"]).contains(phrase) && !notes(inches, &["--unit", "10mm"]).contains(phrase));
    let degrees = "id,t,lon,lat\n1,0,10,60\n1,1,10.001,60.001\n";
    let phrase = "x and y are degrees, and are taken as lengths in km";
    assert!(notes(degrees, &["--unit", "km"]).contains(phrase));
    assert!(!notes(degrees, &["--unit", "deg"]).contains(phrase) && !notes(degrees, &[]).contains(phrase));
}

#[test]
fn longitude_and_latitude_become_meters() {
    let text = "id,time,lon,lat\na,0,10.000,60.000\na,1,10.001,60.001\nb,0,10.000,60.002\nb,1,10.001,60.002\n";
    let polarization = |args: &[&str]| {
        let (rows, error) =
            run_with(&[("a.csv", text.as_bytes())], &[args, &["--measure", MEASURES, "--measures", "-"]].concat());
        let row = rows.lines().nth(1).unwrap_or_else(|| panic!("{error}"));
        row.split(',').nth(1).unwrap().parse::<f64>().unwrap()
    };
    // At 60° N, a degree of longitude is half as long as one of latitude.
    for args in [&[][..], &["--columns-of", "x=lon,y=lat"], &["--unit", "deg"]] {
        assert!((polarization(args) - 0.8508).abs() < 1e-3, "{args:?}");
    }
    assert!((polarization(&["--unit", "u"]) - 0.924).abs() < 1e-3, "a flag wins");
    let rows = tracks(&[("a.csv", b"id,frame,lon,lat\n1,0,8,47\n1,1,8,47.001\n")], &[]);
    let y: Vec<f64> = rows.split(' ').map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert!(y[1] < y[0], "north is up");
    let far = notes("id,frame,lon,lat\n1,0,0,0\n1,1,30,0\n", &[]);
    assert!(far.contains("more than 1,000 km from the middle of all positions"), "{far}");
    let out = notes("id,frame,x,y\n1,0,0,0\n1,1,30,95\n", &["--unit", "deg"]);
    assert!(out.contains("a.csv:3: longitude 30, latitude 95: expected"), "{out}");
}

#[test]
fn irregular_times_have_their_true_speeds() {
    // A constant speed of 1, with fixes at irregular times.
    let times = [0.0, 5.0, 9.0, 15.0, 19.5, 25.0, 31.0, 35.0];
    let rows = times.map(|at| format!("a,{at},{at},0\n")).concat();
    let (measures, _) =
        run_with(&[("a.csv", format!("id,t,x,y\n{rows}").as_bytes())], &["--measure", "mean_speed", "--measures", "-"]);
    let speeds: Vec<f64> =
        measures.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert!(speeds.len() == 8 && speeds.iter().all(|speed| (speed / speeds[0] - 1.0).abs() < 1e-6), "{speeds:?}");
    // An option that differs a little from a regular clock.
    let (regular, at_30) = (
        "id,t,x,y\na,0,0,0\na,0.04,1,0\na,0.08,2,0\n",
        &["--frame-rate", "30", "--measure", "mean_speed", "--measures", "-"],
    );
    let (measures, error) = run_with(&[("a.csv", regular.as_bytes())], at_30);
    assert_eq!(measures.lines().nth(1), Some("0,0.8333333"), "{error}");
    let dates = "id,time,x,y\na,2020-05-01 06:00:00,1,1\na,2020-05-01 06:05:00,2,1\na,2020-05-01 06:05:10,2.1,1\na,2020-05-01 06:10:00,3,1\n";
    assert!(notes(dates, &[]).contains("; --frame-rate 0.1 separates all rows\n"), "{}", notes(dates, &[]));
    assert_eq!(tracks(&[("a.csv", dates.as_bytes())], &["--frame-rate", "0.1"]).split(' ').count(), 4);
}

#[test]
fn a_lone_animal_has_no_nearest_neighbor() {
    let text = b"id,frame,x,y\n1,0,0,0\n2,0,4,0\n1,1,1,0\n";
    let (summary, _) = run_with(&[("a.csv", text)], &["--measure", "nearest_neighbor", "--summary"]);
    assert_eq!(summary.lines().nth(1).unwrap().split_whitespace().nth(1), Some("4"), "{summary}");
}

#[test]
fn frames_of_molecular_dynamics_are_their_steps() {
    let xyz = "1\nTimestep=0\nA 0 0 0\n1\nTimestep=10\nA 5 0 0\n";
    let (rows, error) = run_with(&[("a.xyz", xyz.as_bytes())], &["--measure", "mean_speed", "--measures", "-"]);
    assert_eq!(rows.lines().last(), Some("10,0.5"), "{error}");
    let dump = |columns: &str, atoms: &str| {
        format!(
            "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 20\n-0.5 0.5\nITEM: ATOMS {columns}\n{atoms}\n"
        )
    };
    for (columns, atoms) in
        [("id type x y z", "1 1 5 5 0"), ("xs ys zs id", "0.5 0.25 0.5 1"), ("id xu yu zu", "1 5 5 0")]
    {
        let text = dump(columns, atoms);
        assert_eq!(tracks(&[("a.lammpstrj", text.as_bytes())], &[]), "1,100,5,5", "{columns}");
    }
    let (_, error) = run_with(&[("a.dump", dump("type x y", "1 2 3").as_bytes())], &["--hash"]);
    assert!(error.contains("a.dump:9: the atoms have no id"), "{error}");
}

#[test]
fn rates_follow_from_times_and_comments() {
    for text in [
        "id,frame,time_ms,x,y\n1,0,0,1,1\n1,1,40,2,1\n",
        "# recorded 2024-05-01 at 25 fps\nid,frame,x,y\n1,0,1,1\n1,1,2,1\n",
        "# framerate: 25.00\nid,frame,x,y\n1,0,1,1\n1,1,2,1\n",
        "id,date,time,x,y\n1,2020-05-01,2020-05-01 06:00:00,1,1\n1,2020-05-01,2020-05-01 06:00:00.04,2,1\n",
    ] {
        let (rows, error) = run_with(&[("a.csv", text.as_bytes())], &["-o", "-", "--columns", "tick,time"]);
        assert_eq!(rows.lines().last(), Some("1,0.04"), "{text}{error}");
    }
}

#[test]
fn what_a_table_lacks_is_no_guess() {
    for (text, error) in [
        // Decimal commas, which make one more field.
        ("frame,x,y\n0,1,5,2\n1,2,5,2\n2,3,5,2\n", "a.csv:2: expected 3 columns, found 4"),
        ("id,frame,x,y\n1,0,1,5,1\n1,1,2,5,1\n", "a.csv:2: expected 4 columns, found 5"),
        ("frame,x,y\n1,10,5,20\n2,11,5,20\n", "a.csv:2: expected 3 columns, found 4"),
        (
            "id,frame,x,y\n1,0,\"1,5\",2\n1,1,\"1,6\",2\n",
            "a.csv:2: x = 1,5; expected a finite number; write decimals with a point",
        ),
        (
            "Bird,Frm,x,y\na,0,0,0\na,1,1,0\nb,0,5,5\n",
            "a.csv:1: the header has no column for id, frame (or tick, time) (the columns are \
             Bird, Frm, x, y); --columns-of id=NAME,frame=NAME names them",
        ),
        (
            "A title, with a comma\nwho,frame,cx,cy\n1,0,1,1\n",
            "a.csv:2: the header has no column for id, x, y (the columns are who, frame, cx, cy); --columns-of id=NAME,x=NAME,y=NAME names them",
        ),
        (
            "0,1,2,3,4\n1,1,2,3,4\n",
            "a.csv:1: the file has no header and 5 columns; --columns-of id=NUMBER,frame=NUMBER,x=NUMBER,y=NUMBER names its columns",
        ),
        ("id,frame,x,y\n1,0,\"1,1\n1,1,2,2\n", "a.csv:2: a quotation mark in this line has no end"),
    ] {
        assert_eq!(notes(text, &[]), format!("flockscope: {error}\n"), "{text}");
    }
}
