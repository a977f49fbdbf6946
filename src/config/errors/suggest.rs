//! The nearest right word, for errors that help.

/// A word of more letters is like none that there is; to find that out letter by letter would take long.
const MAX_WORD: usize = 100;

/// The word most like `wrong`, where any is like it at all.
#[must_use]
pub fn nearest<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > MAX_WORD {
        return None;
    }
    words
        .into_iter()
        .map(|word| (likeness(wrong, word), word))
        .filter(|(likeness, _)| *likeness > 0.7)
        // Of two words that are one slip away the one that begins alike.
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| closeness(wrong, a.1).total_cmp(&closeness(wrong, b.1))))
        .map(|(_, word)| word)
}

/// How like two words are, from 0 to 1. One slip of the fingers is as good as none, which counts where
/// words are short: nothing of `zhs` stands where it stands in `zsh`.
fn likeness(wrong: &str, word: &str) -> f64 {
    let slip = word.len() > 2 && strsim::osa_distance(wrong, word) == 1;
    closeness(wrong, word).max(if slip { 0.95 } else { 0.0 })
}

fn closeness(wrong: &str, word: &str) -> f64 {
    strsim::jaro_winkler(wrong, word)
}

/// `; did you mean …?` with the nearest right word, or nothing.
#[must_use]
pub fn did_you_mean<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean_or(wrong, words, "")
}

/// The same, or what else helps where no word is like it.
#[must_use]
pub fn did_you_mean_or<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(wrong, words).map_or_else(|| otherwise.to_owned(), |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_is_known_in_short_words_too() {
        for (wrong, right) in
            [("zhs", "zsh"), ("rnu", "run"), ("fihs", "fish"), ("papper", "paper"), ("uot", "out"), ("bsh", "bash")]
        {
            assert_eq!(nearest(wrong, ["bash", "zsh", "fish", "run", "paper", "out", "ab"]), Some(right), "{wrong}");
        }
        assert_eq!(nearest("ac", ["ab"]), None);
        assert_eq!(nearest("penguins", ["zsh", "fish"]), None);
    }
}
