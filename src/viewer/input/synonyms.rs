//! Everyday words for parameters, which neither their names nor their sentences have.

/// Parameters, and the words that somebody may look for them by.
const WORDS: [(&str, &str); 24] = [
    ("separation.radius", "distance space crowding"),
    ("separation.weight", "avoid crowding"),
    ("alignment.weight", "direction heading"),
    ("cohesion.weight", "attract gather swarm clump"),
    ("flee.weight", "fear scare escape"),
    ("hunt.catch", "kill eat die"),
    ("hunt.stamina", "tire tired exhausted"),
    ("hunt.rest", "tire tired exhausted"),
    ("hunt.respawn", "respawn"),
    ("edge.mode", "wall bounce torus"),
    ("speed.max", "fast velocity"),
    ("speed.min", "slow velocity"),
    ("max_turn", "agility"),
    ("noise.angle", "random jitter wobble"),
    ("wind.gust", "storm turbulence"),
    ("pointer.weight", "click drag"),
    ("obstacle.weight", "rock wall"),
    ("perception.angle", "vision sight fov blind"),
    ("perception.nearest", "topological knn"),
    ("species.count", "kinds tribes flocks"),
    ("leaders.count", "boss"),
    ("alarm.spread", "panic scare wave"),
    ("alarm.weight", "panic scare"),
    ("morph", "glide transition smooth"),
];

/// Those for a parameter.
#[must_use]
pub fn of(key: &str) -> &'static str {
    WORDS.iter().find(|(row, _)| *row == key).map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Param;

    #[test]
    fn they_are_for_parameters_that_there_are_and_say_something_new() {
        for (key, words) in WORDS {
            let row = Param::find(key).unwrap_or_else(|| panic!("{key}"));
            for word in words.split(' ') {
                let known = format!("{} {}", row.key, row.summary).to_lowercase();
                assert!(!known.split(|sign: char| !sign.is_alphanumeric()).any(|one| one == word), "{key}: {word}");
            }
        }
    }
}
