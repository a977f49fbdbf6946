//! The table of layouts: what the text files of tracking programs look like.
//!
//! A name is written in lower case with its words joined by `_`: `track_id` is also `Track ID`, `TRACK_ID`, `track.id` and `trackId`. Names
//! in order of preference are separated by spaces.

/// What the text files of a program look like.
#[derive(Debug)]
pub struct Layout {
    /// The program or the data set; empty for the names that many programs use.
    pub program: &'static str,
    /// Where the layout is documented.
    pub source: &'static str,
    pub(super) shape: Shape,
    /// Names that a header with this layout has.
    pub(super) marks: &'static str,
    pub(super) names: Names,
    /// The unit of length; empty if it is not known.
    pub unit: &'static str,
    /// Whether the program marks positions that it does not know, so that these rows are left out.
    pub(super) marks_missing: bool,
}

impl Layout {
    /// The columns that are read, for people: `id=track_id, frame=frame, …`. Without the layout of all other programs.
    pub fn columns(&self) -> String {
        let Names { id, frame, time, x, y, z, likelihood, size } = self.names;
        let columns = [
            ("id", id),
            ("frame", frame),
            ("time", time),
            ("x", x),
            ("y", y),
            ("z", z),
            ("likelihood", likelihood),
            ("size", size),
        ];
        let known = columns.into_iter().filter(|(_, names)| !names.is_empty());
        known.map(|(column, names)| format!("{column}={}", names.replace(' ', "|"))).collect::<Vec<_>>().join(", ")
    }
}

/// What a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An animal.
    Animal,
    /// All animals: the names of their coordinates begin with their own.
    Animals,
    /// An animal: the names of its coordinates begin with those of its body parts.
    BodyParts,
    /// A file without a header, with this number of columns, whose names are their numbers.
    Numbered(usize),
}

/// The names of columns. Those of coordinates belong together by their order. In a row with several animals or body parts, `*` stands
/// in place of theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) id: &'static str,
    pub(super) frame: &'static str,
    pub(super) time: &'static str,
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    pub(super) z: &'static str,
    /// How certain a position is.
    pub(super) likelihood: &'static str,
    /// The width and the height of a box whose corner x and y are.
    pub(super) size: &'static str,
}

const NONE: Names = Names { id: "", frame: "", time: "", x: "", y: "", z: "", likelihood: "", size: "" };

/// The names that many programs use. The strongest names of animals come first: a detection also has an `id`.
const COMMON: Names = Names {
    id: "track_fixed track_id trackid track trajectory_id traj_id trajectory particle particle_id animal_id animal \
         individual_local_identifier individual_id individual tag_local_identifier tag_id collar_id fish_id bird_id object_id \
         agent_id person_id pers_id ped_id pedestrian_id vehicle_id cell_id platform_id_no user_id uid identity subject_id id ids",
    frame: "tick frame image_number frame_idx frame_index frame_id frame_number frame_no frame_num frames fnum",
    time: "time t timestamp datetime date_time time_stamp time_s time_sec time_seconds seconds secs sec time_ms timestamp_ms trial_time loc_date",
    x: "x pos_x x_pos position_x x_position center_x x_center centroid_x x_centroid coord_x x_coord coords_x x_coordinate loc_x \
        location_long location_lon longitude lon long lng easting utm_easting",
    y: "y pos_y y_pos position_y y_position center_y y_center centroid_y y_centroid coord_y y_coord coords_y y_coordinate loc_y \
        location_lat location_lat latitude lat lat lat northing utm_northing",
    z: "z pos_z z_pos position_z z_position center_z z_center centroid_z z_centroid coord_z z_coord coords_z z_coordinate loc_z",
    likelihood: "",
    size: "",
};

const fn table(program: &'static str, source: &'static str, marks: &'static str, names: Names) -> Layout {
    Layout { program, source, shape: Shape::Animal, marks, names, unit: "", marks_missing: true }
}

const fn with_shape(shape: Shape, unit: &'static str, layout: Layout) -> Layout {
    Layout { shape, unit, ..layout }
}

/// All layouts. The first one that fits a header counts.
pub static LAYOUTS: [Layout; 25] = [
    with_shape(
        Shape::BodyParts,
        "px",
        table(
            "DeepLabCut",
            "https://github.com/DeepLabCut/DeepLabCut/blob/main/docs/standardDeepLabCut_UserGuide.md",
            "coords",
            Names { frame: "coords", x: "*.x", y: "*.y", z: "*.z", likelihood: "*.likelihood", ..NONE },
        ),
    ),
    with_shape(
        Shape::BodyParts,
        "px",
        table(
            "SLEAP",
            "https://docs.sleap.ai/latest/learnings/export-analysis/",
            "frame_idx instance_score",
            Names { id: "track", frame: "frame_idx", x: "*.x", y: "*.y", ..NONE },
        ),
    ),
    with_shape(
        Shape::BodyParts,
        "",
        table(
            "Anipose",
            "https://anipose.readthedocs.io/en/latest/tutorial.html",
            "fnum m_00 center_0",
            Names { frame: "fnum", x: "*_x", y: "*_y", z: "*_z", ..NONE },
        ),
    ),
    table(
        "TrackMate",
        "https://imagej.net/plugins/trackmate/scripting/trackmate-detectors-trackers-keys",
        "track_id position_x position_t",
        Names {
            id: "track_id",
            frame: "frame",
            time: "position_t",
            x: "position_x",
            y: "position_y",
            z: "position_z",
            ..NONE
        },
    ),
    table(
        "Movebank",
        "https://www.movebank.org/cms/movebank-content/import-data-csv-format",
        "timestamp location_long location_lat",
        Names {
            id: "individual_local_identifier individual_id tag_local_identifier tag_id deployment_id",
            time: "timestamp",
            x: "location_long",
            y: "location_lat",
            ..NONE
        },
    ),
    table(
        "TRex",
        "https://trex.run/docs/formats.html",
        "frame missing",
        Names {
            frame: "frame",
            time: "time",
            x: "x_wcentroid x_pcentroid x",
            y: "y_wcentroid y_pcentroid y",
            id: "id fish",
            ..NONE
        },
    ),
    with_shape(
        Shape::Animal,
        "px",
        table(
            "trackpy",
            "https://soft-matter.github.io/trackpy/dev/tutorial/walkthrough.html",
            "particle frame x y",
            Names { id: "particle", frame: "frame", x: "x", y: "y", z: "z", ..NONE },
        ),
    ),
    with_shape(
        Shape::Animals,
        "px",
        table(
            "idtracker.ai",
            "https://idtracker.ai/latest/user_guide/usage.html",
            "x1 y1",
            Names { time: "time seconds", frame: "frame", x: "x#", y: "y#", z: "z#", ..NONE },
        ),
    ),
    with_shape(
        Shape::Animals,
        "",
        table(
            "AnimalTA",
            "https://vchiara.eu/index.php/animalta",
            "frame time",
            Names { frame: "frame", time: "time", x: "x_*", y: "y_*", ..NONE },
        ),
    ),
    with_shape(
        Shape::Animals,
        "",
        table(
            "Metrica Sports",
            "https://github.com/metrica-sports/sample-data",
            "period frame time",
            Names { frame: "frame", time: "time", x: "*.x", y: "*.y", ..NONE },
        ),
    ),
    table(
        "EthoVision",
        "https://www.noldus.com/ethovision-xt",
        "trial_time recording_time x_center",
        Names { time: "trial_time", x: "x_center", y: "y_center", ..NONE },
    ),
    table(
        "Imaris",
        "https://imaris.oxinst.com/",
        "track_id position_x unit category",
        Names { id: "track_id", frame: "time", x: "position_x", y: "position_y", z: "position_z", ..NONE },
    ),
    table(
        "CellProfiler",
        "https://cellprofiler-manual.s3.amazonaws.com/CellProfiler-4.2.6/modules/objectprocessing.html#trackobjects",
        "image_number location_center_x track_objects_label*",
        Names {
            id: "track_objects_label*",
            frame: "image_number",
            x: "location_center_x",
            y: "location_center_y",
            z: "location_center_z",
            ..NONE
        },
    ),
    with_shape(
        Shape::Animal,
        "px",
        table(
            "ImageJ Manual Tracking",
            "https://imagej.net/ij/plugins/track/track.html",
            "track_n slice_n x y",
            Names { id: "track_n", frame: "slice_n", x: "x", y: "y", ..NONE },
        ),
    ),
    with_shape(
        Shape::Animal,
        "m",
        table(
            "levelXdata",
            "https://levelxdata.com/ind-dataset/",
            "recording_id track_id frame x_center y_center",
            Names { id: "track_id", frame: "frame", x: "x_center", y: "y_center", ..NONE },
        ),
    ),
    with_shape(
        Shape::Animal,
        "ft",
        table(
            "NGSIM",
            "https://data.transportation.gov/Automobiles/Next-Generation-Simulation-NGSIM-Vehicle-Trajector/8ect-6jqj",
            "vehicle_id frame_id local_x local_y",
            Names { id: "vehicle_id", frame: "frame_id", x: "local_x", y: "local_y", ..NONE },
        ),
    ),
    table(
        "AIS",
        "https://hub.marinecadastre.gov/pages/vesseltraffic",
        "mmsi base_date_time lat lon",
        Names { id: "mmsi", time: "base_date_time", x: "lon", y: "lat", ..NONE },
    ),
    table(
        "OpenSky",
        "https://openskynetwork.github.io/opensky-api/rest.html",
        "time icao24 lat lon",
        Names { id: "icao24", time: "time", x: "lon", y: "lat", ..NONE },
    ),
    with_shape(
        Shape::Animal,
        "m",
        table(
            "PeTrack",
            "https://ped.fz-juelich.de/petrack",
            "id frame x/m y/m z/m",
            Names { id: "id", frame: "frame", x: "x", y: "y", ..NONE },
        ),
    ),
    table(
        "FastTrack",
        "https://www.fasttrack.sh/docs/trackingResult/",
        "x_head x_body image_number id",
        Names { id: "id", frame: "image_number", x: "x_body", y: "y_body", ..NONE },
    ),
    with_shape(
        Shape::Animal,
        "m",
        table(
            "highD",
            "https://levelxdata.com/highd-dataset/",
            "frame id x y width height x_velocity",
            Names { id: "id", frame: "frame", x: "x", y: "y", size: "width height", ..NONE },
        ),
    ),
    with_shape(
        Shape::Numbered(10),
        "px",
        table(
            "MOT Challenge",
            "https://motchallenge.net/instructions/",
            "",
            Names { id: "2", frame: "1", x: "3", y: "4", size: "5 6", ..NONE },
        ),
    ),
    with_shape(
        Shape::Numbered(8),
        "m",
        table(
            "ETH pedestrians",
            "https://icu.ee.ethz.ch/research/datsets.html",
            "",
            Names { id: "2", frame: "1", x: "3", y: "5", ..NONE },
        ),
    ),
    with_shape(
        Shape::Numbered(4),
        "m",
        table(
            "Social GAN",
            "https://github.com/agrimgupta92/sgan",
            "",
            Names { id: "2", frame: "1", x: "3", y: "4", ..NONE },
        ),
    ),
    Layout { program: "", source: "", shape: Shape::Animal, marks: "", names: COMMON, unit: "", marks_missing: false },
];
