//! The nearest right word, for errors that help.

/// The word most like `wrong`, where any is like it at all.
#[must_use]
pub fn nearest<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    words
        .into_iter()
        .map(|word| (strsim::jaro_winkler(wrong, word), word))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

/// `; did you mean …?` with the nearest right word, or nothing.
#[must_use]
pub fn did_you_mean<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wrong, words).map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}
