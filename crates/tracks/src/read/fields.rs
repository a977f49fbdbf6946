//! Numbers and missing values in the fields of a row.

use flockscope_sim::MAX_TICK;

/// Fields for a value that is not known, in lower case.
const MISSING: &str = "na nan null none nil inf +inf -inf infinity -infinity n/a #n/a <na>";
/// Extensions of images.
const IMAGES: &str = "png jpg jpeg tif tiff bmp";
/// Whether a field says that its value is not known.
pub(super) fn is_missing(field: &[u8]) -> bool {
    // Most fields are numbers, which need no comparison.
    field.iter().all(|byte| *byte == b'-')
        || !field[field.len() - 1].is_ascii_digit()
            && MISSING.split(' ').any(|missing| field.eq_ignore_ascii_case(missing.as_bytes()))
}

/// A finite number, whose decimals a comma may separate.
pub(super) fn number(field: &[u8], decimal_comma: bool) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?;
    let number = match text.parse() {
        Err(_) if decimal_comma && text.contains(',') => text.replacen(',', ".", 1).parse().ok()?,
        number => number.ok()?,
    };
    Some(number).filter(|number: &f64| number.is_finite())
}

/// The numbers in a field such as `(1.5, 2)` or `[1.5 2.]`; none if it has no brackets.
pub(super) fn numbers_of(field: &[u8]) -> impl Iterator<Item = f64> {
    let inner = match field {
        [b'(' | b'[', inner @ .., b')' | b']'] => inner,
        _ => &[],
    };
    let parts = inner.split(|byte| b", ;".contains(byte)).filter(|part| !part.is_empty());
    parts.filter_map(|part| number(part, false))
}

/// The value of a key of a JSON object without nested ones; empty without the key.
pub(super) fn value_of<'a>(field: &'a [u8], key: &str) -> &'a [u8] {
    let text = std::str::from_utf8(field).unwrap_or_default();
    let after = text.split_once(&format!("\"{key}\"")).and_then(|(_, after)| after.trim_start().strip_prefix(':'));
    let value = after.and_then(|after| after.split([',', '}']).next()).unwrap_or_default();
    value.trim().trim_matches('"').as_bytes()
}

/// A field and its name, for an error.
pub(super) fn found(name: &str, field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field);
    if text.is_empty() { format!("{name} is empty") } else { format!("{name} = {}", text.escape_debug()) }
}

/// A frame number. Programs that allow missing values write 12.0, and labels have the name of an image.
pub(super) fn frame(field: &[u8]) -> Result<f64, String> {
    let frame = number(field, false).or_else(|| {
        let (name, extension) = std::str::from_utf8(field).ok()?.rsplit_once('.')?;
        let digits = name.len() - name.trim_end_matches(|character: char| character.is_ascii_digit()).len();
        let is_image = IMAGES.split(' ').any(|known| extension.eq_ignore_ascii_case(known));
        is_image.then(|| name[name.len() - digits..].parse().ok())?
    });
    let frame = frame.filter(|frame| frame.fract() == 0.0 && (0.0..=MAX_TICK as f64).contains(frame));
    frame.ok_or_else(|| {
        let found = found("frame", field);
        format!("{found}; expected a whole number from 0 to {MAX_TICK}; a column of times is named by time=NAME")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_have_many_forms() {
        for text in ["", "NA", "NaN", "inf", "#N/A", "None", "<NA>", "-", "NULL"] {
            assert!(is_missing(text.as_bytes()), "{text}");
            assert_eq!(number(text.as_bytes(), true), None, "{text}");
        }
        assert_eq!((is_missing(b"0"), number(b"1,5", true), number(b"1,5", false)), (false, Some(1.5), None));
    }
}
