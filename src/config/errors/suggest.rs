//! "Did you mean …?": the known word most similar to a misspelled one.

/// Longer words are not compared: the cost grows with the square of the length.
const MAX_WORD: usize = 100;
/// Words below this similarity are not suggested. In short words, a few letters in common say little.
const MIN_SIMILARITY: f64 = 0.75;
const MIN_SIMILARITY_OF_SHORT: f64 = 0.85;
/// The length of the longest short word.
const SHORT: usize = 4;

/// The word most similar to `wrong`, if any is similar enough.
#[must_use]
pub fn nearest<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > MAX_WORD {
        return None;
    }
    let scored = words.into_iter().map(|word| {
        let common_prefix = strsim::jaro_winkler(wrong, word);
        // Jaro-Winkler rates one typo in a short word (`zhs` for `zsh`) too low.
        let is_typo = word.len() > 2 && strsim::osa_distance(wrong, word) == 1;
        (if is_typo { common_prefix.max(0.95) } else { common_prefix }, common_prefix, word)
    });
    let least = if wrong.len() > SHORT { MIN_SIMILARITY } else { MIN_SIMILARITY_OF_SHORT };
    scored
        .filter(|(similarity, ..)| *similarity > least)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))
        .map(|(.., word)| word)
}

/// `; did you mean …?` with the nearest word, or nothing.
#[must_use]
pub fn did_you_mean<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean_or(wrong, words, "")
}

/// `; did you mean …?` with the nearest word, or `otherwise` if no word is similar.
#[must_use]
pub fn did_you_mean_or<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(wrong, words).map_or_else(|| otherwise.to_owned(), |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrects_typos_in_short_words() {
        for (wrong, right) in
            [("zhs", "zsh"), ("rnu", "run"), ("fihs", "fish"), ("papper", "paper"), ("uot", "out"), ("bsh", "bash")]
        {
            assert_eq!(nearest(wrong, ["bash", "zsh", "fish", "run", "paper", "out", "ab"]), Some(right), "{wrong}");
        }
        assert_eq!(nearest("ac", ["ab"]), None);
        assert_eq!(nearest("penguins", ["zsh", "fish"]), None);
        assert_eq!(nearest("foo", ["mood", "moon", "food.weight"]), None);
    }
}
