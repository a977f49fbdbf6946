//! The local time: in the zone of `TZ` or of the system, as chrono finds it.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::SystemTime;

use chrono::{DateTime, Local, NaiveTime, Utc};

/// Where chrono looks for the files that `TZ` names.
const FOLDERS: [&str; 4] = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo", "/usr/share/lib/zoneinfo"];
/// Maximum size of a file; those of the time zone database have less than 4 KB.
const MAX_BYTES: u64 = 1 << 16;

/// Whether `TZ` names no file, or one that chrono can read: it would wait for a pipe, and read a device without end.
static IS_READABLE: LazyLock<bool> = LazyLock::new(|| env::var("TZ").ok().is_none_or(|name| is_readable(&name)));

fn is_readable(name: &str) -> bool {
    let name = name.strip_prefix(':').unwrap_or(name);
    let mut files = FOLDERS.iter().filter_map(|folder| fs::metadata(Path::new(folder).join(name)).ok());
    files.all(|file| file.is_file() && (1..=MAX_BYTES).contains(&file.len()))
}

/// The local time of day; in UTC if the zone cannot be read.
pub fn local_time(now: SystemTime) -> NaiveTime {
    if *IS_READABLE { DateTime::<Local>::from(now).time() } else { DateTime::<Utc>::from(now).time() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn the_zone_is_that_of_the_environment() {
        // 13:33:20 UTC in summer.
        let moment = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_752_500_000);
        if let Ok(expected) = env::var("EXPECTED_TIME") {
            return assert_eq!(local_time(moment).to_string(), expected);
        }
        // `TZ` is read once, so each zone has a separate process, which runs this test.
        for (zone, time) in [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "15:33:20"),
            ("XXX-5:30", "19:03:20"),
            ("America/New_York", "09:33:20"),
            (":America/New_York", "09:33:20"),
            ("", "13:33:20"),
            ("/dev/zero", "13:33:20"),
        ] {
            if zone.ends_with("York") && !Path::new(FOLDERS[0]).join("America/New_York").exists() {
                continue;
            }
            let mut test = std::process::Command::new(env::current_exe().unwrap());
            test.arg("the_zone_is_that_of_the_environment").env("TZ", zone).env("EXPECTED_TIME", time);
            let output = test.output().unwrap();
            assert!(output.status.success(), "{zone}: {}", String::from_utf8_lossy(&output.stdout));
        }
    }

    #[test]
    fn a_zone_is_a_rule_or_a_small_regular_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("zone").to_str().unwrap().to_owned();
        fs::write(&path, "TZif2").unwrap();
        for name in ["CET-1CEST,M3.5.0,M10.5.0/3", "no zone", &path, &format!(":{path}")] {
            assert!(is_readable(name), "{name}");
        }
        fs::write(&path, vec![0; MAX_BYTES as usize + 1]).unwrap();
        for name in [&path, "/dev/zero", ":/dev/zero", "../../../dev/zero", "/proc/kmsg", "/dev", "/usr/share"] {
            assert!(!is_readable(name), "{name}");
        }
    }
}
