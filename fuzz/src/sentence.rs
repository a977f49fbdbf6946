//! What an error may say.

use flockscope::error::{InputError, escape_control};

/// The most signs of a sentence that is read, with the file's name before it.
const LONGEST: usize = 600;

/// Checks that an error is one sentence; and, where it is about a place in a file, that it and what it shows of the
/// file can be given to a terminal as they are.
pub fn check(error: &InputError) {
    let said = error.to_string();
    assert!(!said.trim().is_empty(), "{error:?}");
    let InputError::At { excerpt, .. } = error else { return };
    assert_eq!(escape_control(&said), said);
    assert!(said.chars().count() <= LONGEST, "{} signs: {said}", said.chars().count());
    for line in excerpt.split('\n') {
        assert_eq!(escape_control(line), line);
    }
}
