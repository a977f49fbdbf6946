//! The header of an array.
//!
//! Source: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::fmt;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Maximum length of the dictionary; that of version 1, which `NumPy` writes for all arrays of numbers.
const MAX_LENGTH: usize = u16::MAX as usize;
/// The data start at a multiple of this.
const ALIGNMENT: usize = 64;

/// The type of the numbers, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// What the numbers are.
    pub family: Family,
    /// In bytes.
    pub size: usize,
}

/// What the numbers of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Family {
    /// Integers with a sign.
    Int,
    /// Integers without a sign.
    UInt,
    /// Floating-point numbers.
    Float,
}

impl Type {
    /// Integers from -128 to 127.
    pub const INT8: Self = Self { family: Family::Int, size: 1 };
    /// Integers of 64 bits.
    pub const INT64: Self = Self { family: Family::Int, size: 8 };
    /// Integers of 32 bits without a sign.
    pub const UINT32: Self = Self { family: Family::UInt, size: 4 };
    /// `f32`.
    pub const FLOAT32: Self = Self { family: Family::Float, size: 4 };
    /// `f64`.
    pub const FLOAT64: Self = Self { family: Family::Float, size: 8 };

    fn descr(self) -> String {
        let order = if self.size == 1 { '|' } else { '<' };
        format!("{order}{}{}", &self.to_string()[..1], self.size)
    }

    fn parse(descr: &str) -> Result<Self, String> {
        let other = || format!("has the type {}; expected integers or floating-point numbers", descr.escape_debug());
        if descr.starts_with("|O") {
            return Err("has pickled Python objects; expected numbers".to_owned());
        }
        let (family, size) = descr.get(1..2).zip(descr.get(2..)).ok_or_else(other)?;
        let (family, sizes) = match family {
            "i" => (Family::Int, &[1, 2, 4, 8][..]),
            "u" => (Family::UInt, &[1, 2, 4, 8][..]),
            "f" => (Family::Float, &[2, 4, 8][..]),
            _ => return Err(other()),
        };
        let size = size.parse().ok().filter(|size| sizes.contains(size)).ok_or_else(other)?;
        Ok(Self { family, size })
    }
}

impl fmt::Display for Type {
    /// The name in `NumPy`, such as float32.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.family, 8 * self.size)
    }
}

/// The order of the bytes of a number, and of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Whether the first byte of a number is the highest one.
    pub is_big_endian: bool,
    /// Whether the first axis changes from number to number, as in Fortran.
    pub is_fortran: bool,
}

/// The type and the shape of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayHeader {
    /// The type of the numbers.
    pub element: Type,
    /// The lengths of the axes.
    pub shape: Vec<u64>,
}

impl ArrayHeader {
    /// The number of bytes after the header, unless it is too large.
    pub fn bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.element.size as u64, |bytes, length| bytes.checked_mul(*length))
    }

    /// Writes the header.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let lengths: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        // A tuple of one number needs the comma.
        let shape = lengths.join(", ") + if lengths.is_empty() { "" } else { "," };
        let descr = self.element.descr();
        let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
        let before = MAGIC.len() + 4;
        let padded = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
        text.extend(std::iter::repeat_n(' ', padded - before - text.len() - 1));
        text.push('\n');
        out.write_all(MAGIC)?;
        out.write_all(&[1, 0])?;
        out.write_all(&(text.len() as u16).to_le_bytes())?;
        out.write_all(text.as_bytes())
    }

    /// Reads a header, and what follows it remains in `input`.
    ///
    /// # Errors
    ///
    /// The problem of the array.
    pub fn read(input: &mut impl Read) -> Result<(Self, Order), String> {
        let no_array = "is no NumPy array";
        let mut bytes = |length: usize| {
            let mut bytes = Vec::new();
            let read = input.take(length as u64).read_to_end(&mut bytes);
            read.map_err(|error| format!("cannot be read: {error}"))?;
            if bytes.len() == length { Ok(bytes) } else { Err("is truncated".to_owned()) }
        };
        if bytes(MAGIC.len())? != MAGIC {
            return Err(no_array.to_owned());
        }
        let major = bytes(2)?[0];
        let length = bytes(if major == 1 { 2 } else { 4 })?;
        let length = length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
        if !(1..=3).contains(&major) || length > MAX_LENGTH {
            return Err(no_array.to_owned());
        }
        let text = String::from_utf8(bytes(length)?).map_err(|_| no_array)?;
        Self::parse(&text)?.ok_or_else(|| no_array.to_owned())
    }

    /// Parses the dictionary; `None` if it is none.
    fn parse(text: &str) -> Result<Option<(Self, Order)>, String> {
        let fields = [field(text, "descr"), field(text, "fortran_order"), field(text, "shape")];
        let [Some(descr), Some(fortran_order), Some(shape)] = fields else { return Ok(None) };
        let Some(descr) = descr.strip_prefix('\'').and_then(|descr| descr.split('\'').next()) else {
            return Err("has named fields; expected numbers".to_owned());
        };
        let element = Type::parse(descr)?;
        let order = Order { is_big_endian: descr.starts_with('>'), is_fortran: !fortran_order.starts_with("False") };
        let lengths = shape.strip_prefix('(').and_then(|shape| shape.split(')').next());
        let lengths = lengths.into_iter().flat_map(|lengths| lengths.split(',')).map(str::trim);
        let lengths: Result<_, _> = lengths.filter(|length| !length.is_empty()).map(str::parse).collect();
        Ok(lengths.ok().map(|shape| (Self { element, shape }, order)))
    }
}

/// The text from the value of a key on.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    Some(text.split_once(&format!("'{key}':"))?.1.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_return_as_they_were() {
        for shape in [&[][..], &[7], &[1000, 0, 3]] {
            for element in [Type::INT8, Type::INT64, Type::UINT32, Type::FLOAT32] {
                let header = ArrayHeader { element, shape: shape.to_vec() };
                let mut bytes = Vec::new();
                header.write(&mut bytes).unwrap();
                assert!(bytes.len().is_multiple_of(ALIGNMENT) && bytes.ends_with(b"\n"));
                assert_eq!(ArrayHeader::read(&mut &bytes[..]), Ok((header, Order::default())));
            }
        }
    }
}
