//! Contract: states return as they were, agents keep their places, and an error names one array.

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::{ArrayHeader, Family, Type, read_states, read_trajectories};
use crate::read::observations::Observations;
use crate::read::states::SavedState;

fn read(archive: Vec<u8>) -> Result<SavedState, String> {
    read_states(Cursor::new(archive), Path::new("f.npz")).map_err(|error| error.to_string())
}

/// An array: its name, type, shape and bytes.
type Parts = (&'static str, Type, Vec<u64>, Vec<u8>);

/// Two boids at the ticks 3 and 5.
fn two_boids() -> Vec<Parts> {
    let floats = || (0..8_i16).flat_map(|number| f32::from(number).to_le_bytes()).collect();
    vec![
        ("tick", Type::INT64, vec![2], [3_i64, 5].iter().flat_map(|tick| tick.to_le_bytes()).collect()),
        ("id", Type::UINT32, vec![2], [7_u32, 9].iter().flat_map(|id| id.to_le_bytes()).collect()),
        ("kind", Type::INT8, vec![2, 2], vec![0; 4]),
        ("position", Type::FLOAT32, vec![2, 2, 2], floats()),
        ("velocity", Type::FLOAT32, vec![2, 2, 2], floats()),
    ]
}

fn archive(arrays: &[Parts], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, element, shape, bytes) in arrays {
        let name = format!("{name}.npy");
        let (mut entry, config) = archive.new_file(&*name).compression_method(method).start().unwrap();
        let out: Box<dyn Write> = match method {
            CompressionMethod::DEFLATE => Box::new(DeflateEncoder::new(&mut entry, Compression::fast())),
            _ => Box::new(&mut entry),
        };
        let mut out = config.wrap(out);
        ArrayHeader { element: *element, shape: shape.clone() }.write(&mut out).unwrap();
        out.write_all(bytes).unwrap();
        let (out, descriptor) = out.finish().unwrap();
        drop(out);
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn the_last_state_is_read_with_and_without_compression() {
    for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
        let state = read(archive(&two_boids(), method)).unwrap();
        let rows: Vec<_> = state.rows.iter().map(|(_, row)| (row.id, row.position, row.velocity)).collect();
        assert_eq!(
            (state.tick, rows),
            (5, vec![(7, [4.0, 5.0, 0.0], [4.0, 5.0, 0.0]), (9, [6.0, 7.0, 0.0], [6.0, 7.0, 0.0])])
        );
    }
}

#[test]
fn wide_numbers_are_rounded() {
    let mut arrays = two_boids();
    arrays[1] = ("id", Type::INT64, vec![2], [7_i64, 9].iter().flat_map(|id| id.to_le_bytes()).collect());
    let wide = (0..8_i32).flat_map(|number| (f64::from(number) + 1e-12).to_le_bytes()).collect();
    arrays[3] = ("position", Type { family: Family::Float, size: 8 }, vec![2, 2, 2], wide);
    assert_eq!(read(archive(&arrays, CompressionMethod::STORE)).unwrap().rows[1].1.position, [6.0, 7.0, 0.0]);
}

#[test]
fn an_error_names_the_array_and_what_is_expected() {
    type Change = fn(&mut Vec<Parts>);
    let changes: [(Change, &str); 12] = [
        (
            |arrays| _ = arrays.remove(4),
            "the array `velocity` is missing; expected tick, id, kind, position and velocity",
        ),
        (|arrays| arrays.push(arrays[0].clone()), "the array `tick` occurs twice"),
        (|arrays| arrays[3].2 = vec![4, 2], "the array `position` has the shape (4, 2); expected (2, 2, 2 or 3)"),
        (|arrays| arrays[4].2 = vec![1, 2, 2], "the array `velocity` has the shape (1, 2, 2); expected (2, 2, 2)"),
        (|arrays| arrays[0].2 = vec![0], "the array `tick` is empty: its shape is (0,)"),
        (|arrays| arrays[1].2 = vec![1 << 40], "the array `id` has too many agents"),
        (|arrays| arrays[0].2 = vec![1 << 62], "the array `tick` is truncated"),
        (|arrays| _ = arrays[3].3.pop(), "the array `position` is truncated"),
        (|arrays| arrays[3].3.push(0), "the array `position` has more data than its shape"),
        (|arrays| arrays[2].3[2] = 8, "kind 8 of id 7: expected 0 (prey), 1 (predator), 2 (caught) or -1 (no agent)"),
        (|arrays| arrays[2].3.fill(255), "no boids at tick 5"),
        (|arrays| arrays[0].1 = Type { family: Family::Float, size: 8 }, "has the type float64; expected integers"),
    ];
    for (change, expected) in changes {
        for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
            let mut arrays = two_boids();
            change(&mut arrays);
            let error = read(archive(&arrays, method)).unwrap_err();
            assert!(error.starts_with("f.npz: ") && error.contains(expected), "{error}");
        }
    }
}

#[test]
fn damaged_archives_are_refused() {
    let whole = archive(&two_boids(), CompressionMethod::STORE);
    for length in 0..whole.len() {
        read(whole[..length].to_vec()).unwrap_err();
    }
    let mut damaged = whole;
    let at = damaged.windows(8).rposition(|window| window == [0, 0, 0xc0, 0x40, 0, 0, 0xe0, 0x40]).unwrap();
    damaged[at] = 1;
    let error = read(damaged).unwrap_err();
    assert!(error.starts_with("f.npz: the array `velocity` cannot be read: Invalid checksum"), "{error}");
}

#[test]
fn arrays_of_other_types_are_refused() {
    for (dictionary, expected) in [
        ("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "has pickled Python objects; expected numbers"),
        ("{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", "has the type <U4; expected integers or"),
        ("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", "has named fields; expected numbers"),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "is no NumPy array"),
        ("cos\nsystem", "is no NumPy array"),
    ] {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dictionary.len() as u16).to_le_bytes());
        bytes.extend(dictionary.bytes());
        let error = ArrayHeader::read(&mut &bytes[..]).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// Counts the bytes that are read.
struct Counted<'a>(Cursor<Vec<u8>>, &'a Cell<usize>);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn headers_are_checked_before_numbers_are_read() {
    type Change = fn(&mut Vec<Parts>);
    const STATES: u64 = 500_000;
    let changes: [(Change, &str); 7] = [
        (|arrays| arrays[0].2 = vec![STATES + 1], "the array `tick` has the shape (500001,); expected (500000,)"),
        (|arrays| arrays[1].2 = vec![2], "the array `id` has the shape (2,); expected (1,)"),
        (|arrays| arrays[2].1 = Type::FLOAT32, "the array `kind` has the type float32; expected integers"),
        (|arrays| arrays[4].2 = vec![STATES, 1, 3], "`velocity` has the shape (500000, 1, 3); expected (500000, 1, 2)"),
        (|arrays| _ = arrays[4].3.drain(..200), "the array `velocity` is truncated"),
        (
            |arrays| arrays[3].2 = vec![15_000_000, 1, 2],
            "the array `position` has 15000000 frames; expected at most 10000000",
        ),
        (|arrays| arrays[3].2 = vec![1 << 40, 1 << 40, 2], "the array `position` has the positions of"),
    ];
    for (change, expected) in changes {
        let numbers = |size: u64| vec![0; (STATES * size) as usize];
        let mut arrays: Vec<Parts> = vec![
            ("tick", Type::INT64, vec![STATES], numbers(8)),
            ("id", Type::UINT32, vec![1], vec![0; 4]),
            ("kind", Type::INT8, vec![STATES, 1], numbers(1)),
            ("position", Type::FLOAT32, vec![STATES, 1, 2], numbers(8)),
            ("velocity", Type::FLOAT32, vec![STATES, 1, 2], numbers(8)),
        ];
        change(&mut arrays);
        for reversed in [false, true] {
            if reversed {
                arrays.reverse();
            }
            let read = Cell::new(0);
            let input = Counted(Cursor::new(archive(&arrays, CompressionMethod::STORE)), &read);
            let mut found = Observations::default();
            let error = read_trajectories(input, Path::new("f.npz"), |array| array, std::iter::empty(), &mut found)
                .unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert!(read.get() < 1 << 20, "{expected}: {} bytes", read.get());
        }
    }
}
