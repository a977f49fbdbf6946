//! Further terms to find parameters by in the palette.

/// Parameters and their search terms.
const SEARCH_TERMS: [(&str, &str); 23] = [
    ("separation.radius", "space crowding"),
    ("separation.weight", "avoid crowding"),
    ("alignment.weight", "direction heading"),
    ("cohesion.weight", "attract gather swarm clump"),
    ("flee.weight", "fear scare escape"),
    ("hunt.catch", "kill eat die"),
    ("hunt.stamina", "tire tired exhausted"),
    ("hunt.rest", "tire tired"),
    ("edge.mode", "wall bounce torus"),
    ("speed.max", "fast velocity"),
    ("speed.min", "slow velocity"),
    ("max_turn", "agility"),
    ("noise.angle", "jitter wobble"),
    ("wind.gust", "storm turbulence"),
    ("pointer.weight", "click drag"),
    ("obstacle.weight", "rock wall"),
    ("perception.angle", "vision sight fov blind"),
    ("perception.nearest", "topological knn"),
    ("species.count", "kinds tribes flocks"),
    ("leaders.count", "boss"),
    ("alarm.spread", "panic scare wave"),
    ("alarm.weight", "panic scare"),
    ("morph", "glide smooth"),
];

/// The search terms of a parameter.
pub fn of(key: &str) -> &'static str {
    SEARCH_TERMS.iter().find(|(known, _)| *known == key).map_or("", |(_, terms)| terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Param;

    #[test]
    fn terms_belong_to_parameters_and_are_new() {
        for (key, terms) in SEARCH_TERMS {
            let param = Param::find(key).unwrap_or_else(|| panic!("{key}"));
            for term in terms.split(' ') {
                let known = format!("{} {}", param.key, param.summary).to_lowercase();
                assert!(!known.split(|symbol: char| !symbol.is_alphanumeric()).any(|one| one == term), "{key}: {term}");
            }
        }
    }
}
