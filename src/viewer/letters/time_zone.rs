//! The local time zone. Its file is read once and never by the event loop; the rules in it cover changes to and from daylight saving time.

#[cfg(unix)]
pub use unix::{read_time_zone, seconds_from_utc};
#[cfg(not(unix))]
pub use windows::{read_time_zone, seconds_from_utc};

#[cfg(unix)]
mod unix {
    use std::env;
    use std::path::Path;
    use std::sync::LazyLock;

    use tz::{TimeZone, TimeZoneSettings};

    use crate::config::read_regular;

    /// Maximum size of a file; those of the time zone database have less than 4 KB.
    const MAX_BYTES: u64 = 1 << 16;

    /// The zone that `TZ` or the system sets.
    static ZONE: LazyLock<TimeZone> =
        LazyLock::new(|| zone(&env::var("TZ").unwrap_or_else(|_| "localtime".to_owned())));

    /// The zone with a name, as in `TZ`; UTC if there is none.
    fn zone(name: &str) -> TimeZone {
        let settings = TimeZoneSettings::new(TimeZoneSettings::DEFAULT_DIRECTORIES, |path| {
            Ok(read_regular(Path::new(path), MAX_BYTES)?)
        });
        settings.parse_posix_tz(name).unwrap_or_else(|_| TimeZone::utc())
    }

    /// Reads the time zone of the process.
    pub fn read_time_zone() {
        LazyLock::force(&ZONE);
    }

    /// How much local time is ahead of UTC, at a moment in seconds since 1970.
    pub fn seconds_from_utc(utc: i64) -> i64 {
        offset(&ZONE, utc)
    }

    fn offset(zone: &TimeZone, utc: i64) -> i64 {
        zone.find_local_time_type(utc).map_or(0, |local| local.ut_offset().into())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const RULE: &str = "CET-1CEST,M3.5.0,M10.5.0/3";
        /// In January and in July of 2025.
        const MOMENTS: [i64; 2] = [1_736_900_000, 1_752_500_000];

        fn offsets(name: &str) -> [i64; 2] {
            MOMENTS.map(|utc| offset(&zone(name), utc))
        }

        #[test]
        fn a_zone_is_a_rule_or_a_regular_file() {
            // RFC 8536: a header and a type of local time, in both versions of the format, and the rule.
            let header = [&b"TZif2"[..], &[0; 15 + 16], &[0, 0, 0, 1, 0, 0, 0, 4]].concat();
            let local = [&[0, 0, 0x0e, 0x10, 0, 0], &b"CET\0"[..]].concat();
            let file = [&header, &local, &header, &local, format!("\n{RULE}\n").as_bytes()].concat();
            let folder = tempfile::TempDir::new().unwrap();
            let path = folder.path().join("zone").to_str().unwrap().to_owned();
            std::fs::write(&path, &file).unwrap();
            for name in [RULE, &path, &format!(":{path}")] {
                assert_eq!(offsets(name), [3600, 7200], "{name}");
            }
            std::fs::write(&path, [file, vec![0; MAX_BYTES as usize]].concat()).unwrap();
            for name in [&path, "/dev/zero", ":/dev/zero", "../../../dev/zero", "/proc/kmsg", "/dev", "", "no zone"] {
                assert_eq!(offsets(name), [0, 0], "{name}");
            }
        }
    }
}

#[cfg(not(unix))]
mod windows {
    use chrono::{DateTime, Local};

    /// The system knows it without a file.
    pub fn read_time_zone() {}

    /// How much local time is ahead of UTC, at a moment in seconds since 1970.
    pub fn seconds_from_utc(utc: i64) -> i64 {
        let time = DateTime::from_timestamp(utc, 0).unwrap_or_default();
        time.with_timezone(&Local).offset().local_minus_utc().into()
    }
}
