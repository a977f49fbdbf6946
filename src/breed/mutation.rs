//! Children of a flock: mutations of its rules, and crosses of two flocks.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use super::genes::{balance, follows, genes, rounded};
use super::test_flight::spacing;
use crate::sim::{Domain, ModelRow, Param, Params, Role, Setup, Value, check_params};

/// How often a draw that makes no valid flock is repeated.
const ATTEMPTS: usize = 40;
/// The standard deviations of the logarithms of factors: of weights, of speeds, which change the pace of a flock more than its shape, and of other
/// numbers.
const SPREADS: [f64; 3] = [1.6, 0.4, 0.9];
/// The logarithm of the largest factor, 10.
const LARGEST: f64 = std::f64::consts::LN_10;
/// The value of a parameter that a mutation turns on, in steps of the table.
const STEPS: f64 = 10.0;
/// The largest radius, in mean distances of boids in the world: more neighbors make ticks slow, not flocks different.
const WIDEST: f64 = 4.0;
/// How often a finite radius becomes infinite, or the other way round, if the rules allow it.
const UNBOUNDED: f64 = 0.4;
/// The finite radius that follows an infinite one, in radii of separation.
const BOUNDED: f32 = 3.0;

/// A parameter that differs from that of the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The parameter.
    pub param: &'static Param,
    /// Its value in the parent.
    pub from: Value,
    /// Its value in the child.
    pub to: Value,
}

impl Change {
    /// The factor of a number that stays finite and on.
    fn factor(&self) -> Option<f64> {
        let (Value::Number(from), Value::Number(to)) = (self.from, self.to) else { return None };
        let factor = f64::from(to) / f64::from(from);
        (factor > 0.0 && factor.is_finite()).then_some(factor)
    }

    /// The logarithm of a factor. Another form counts as much as a factor of about 7.
    fn size(&self) -> f64 {
        self.factor().map_or(2.0, |factor| libm::log(factor).abs())
    }

    /// With the words of the panel, without `weight`: `alignment ×0.3` or `separation falloff linear`.
    fn text(&self) -> String {
        let name = format!("{} {}", self.param.group, self.param.name());
        let name = name.trim_end_matches(" weight");
        match (self.factor(), self.to) {
            (_, Value::Choice(word)) => format!("{name} {word}"),
            (Some(factor), _) => {
                let digits = usize::from(factor >= 1.0);
                format!("{name} ×{}", format!("{factor:.digits$e}").parse::<f64>().unwrap_or(factor))
            }
            (None, Value::Number(f32::INFINITY)) => format!("{name} ∞"),
            (None, value) => format!("{name} {value}"),
        }
    }
}

/// The rules of a child, and what makes them different.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The parameters. Nothing else of the flock changes.
    pub params: Params,
    /// The changes, the largest first. Weights and speeds that only follow another change are not among them.
    pub changes: Vec<Change>,
}

impl Child {
    /// The largest change, and the next one if both fit into this many columns: `alignment ×0.3  cohesion ×2`.
    pub fn caption(&self, columns: usize) -> String {
        let texts: Vec<String> = self.changes.iter().take(2).map(Change::text).collect();
        let both = texts.join("  ");
        if both.chars().count() <= columns { both } else { texts.into_iter().next().unwrap_or_default() }
    }

    fn new(parent: &Params, params: Params) -> Self {
        let change = |param: &'static Param| Change { param, from: param.get(parent), to: param.get(&params) };
        let all: Vec<Change> = Param::table().iter().map(change).filter(|change| change.from != change.to).collect();
        let mut changes = all.clone();
        changes.retain(|change| !all.iter().any(|other| follows(change.param, other.param)));
        changes.sort_by(|one, other| other.size().total_cmp(&one.size()));
        Self { params, changes }
    }

    /// The first draw that makes a valid flock other than the parent, or else the parent.
    fn first(parent: &Setup, mut draw: impl FnMut() -> Self) -> Self {
        let mut changed = (0..ATTEMPTS).map(|_| draw()).filter(|child| !child.changes.is_empty());
        let child = changed.find(|child| check_params(&child.params, &parent.world).is_ok());
        child.unwrap_or_else(|| Self { params: parent.params, changes: Vec::new() })
    }
}

/// A child of a flock: two or three parameters of its rules are multiplied by log-normal factors, or take another form. `strength` multiplies the
/// logarithms of factors. The result depends on the arguments alone.
pub fn mutate(parent: &Setup, strength: f32, seed: u64, number: u64) -> Child {
    let mut random = numbers(seed, number);
    let genes = genes(parent);
    Child::first(parent, || {
        let mut params = parent.params;
        for _ in 0..random.random_range(2..=3) {
            let param = genes[random.random_range(0..genes.len())];
            // A number that the table excludes stays as it was.
            let _ = params.set(param.key, mutated(param, parent, f64::from(strength), &mut random));
        }
        if ModelRow::of(&params).has_steering {
            follow_speed(&parent.params, &mut params);
            balance(parent, &mut params);
        }
        Child::new(&parent.params, params)
    })
}

/// A child of two flocks, with the changes from the first: each rule, that is each group of parameters, comes from one of them. The
/// result depends on the arguments alone.
pub fn cross(one: &Setup, other: &Params, seed: u64, number: u64) -> Child {
    let mut random = numbers(seed, number);
    let model = ModelRow::of(&one.params);
    let used: Vec<&Param> = Param::table().iter().filter(|param| model.uses(param)).collect();
    Child::first(one, || {
        let mut params = one.params;
        for group in used.chunk_by(|one, other| one.group == other.group).filter(|_| random.random()) {
            for param in group {
                param.assign(&mut params, param.get(other));
            }
        }
        Child::new(&one.params, params)
    })
}

/// Random numbers for each pair of a seed and a number.
fn numbers(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let first = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(first ^ number)
}

fn mutated(param: &Param, parent: &Setup, strength: f64, random: &mut Xoshiro256PlusPlus) -> Value {
    match (param.domain, param.get(&parent.params)) {
        (Domain::Choice(words), Value::Choice(word)) => {
            let others: Vec<&str> = words.iter().copied().filter(|other| *other != word).collect();
            Value::Choice(others[random.random_range(0..others.len())])
        }
        (Domain::Number { infinite: true, .. }, value) if random.random_bool(UNBOUNDED) => {
            let is_infinite = value == Value::Number(f32::INFINITY);
            let finite = rounded(f64::from(BOUNDED * parent.params.separation.radius));
            Value::Number(if is_infinite { finite } else { f32::INFINITY })
        }
        (Domain::Number { min, max, step, integer, .. }, Value::Number(number)) if number.is_finite() => {
            let start = if number == 0.0 { STEPS * f64::from(step) } else { f64::from(number) };
            let [weights, speeds, others] = SPREADS;
            let spread = match param.role {
                Role::Weight => weights,
                Role::LowestSpeed | Role::HighestSpeed => speeds,
                _ => others,
            };
            let changed = start * libm::exp((strength * spread * deviate(random)).clamp(-LARGEST, LARGEST));
            // At the end of the range, only the other direction makes a difference.
            let changed = if changed > f64::from(max) { start * start / changed } else { changed };
            let most = if param.is_length() { start.max(WIDEST * spacing(parent)) } else { f64::MAX };
            let changed = if integer { changed.round() } else { f64::from(rounded(changed.min(most))) };
            Value::Number((changed as f32).clamp(min, max))
        }
        (_, value) => value,
    }
}

/// A normal number that is not near 0, where a mutation would not show.
fn deviate(random: &mut Xoshiro256PlusPlus) -> f64 {
    loop {
        // Box & Muller 1958.
        let radius = (-2.0 * libm::log(1.0 - random.random::<f64>())).sqrt();
        let normal = radius * libm::cos(std::f64::consts::TAU * random.random::<f64>());
        if normal.abs() > 0.5 {
            return normal;
        }
    }
}

/// The smallest speed changes with the largest one, and is never above it.
fn follow_speed(parent: &Params, params: &mut Params) {
    if params.speed.min == parent.speed.min && parent.speed.max > 0.0 {
        params.speed.min = rounded(f64::from(parent.speed.min * (params.speed.max / parent.speed.max)));
    }
    params.speed.min = params.speed.min.min(params.speed.max);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::Flock;

    fn setup(preset: &str) -> Setup {
        Preset::load(preset).unwrap().setup(7, 1.6)
    }

    #[test]
    fn children_of_all_presets_are_valid_and_differ() {
        for preset in Preset::builtin() {
            let parent = preset.setup(7, 1.6);
            let mut other = parent.params;
            for number in 0..40 {
                let child = mutate(&parent, 1.5, 3, number);
                assert!((1..=3).contains(&child.changes.len()), "{} {number}", preset.name);
                assert_ne!(child.params, parent.params);
                assert!(child.changes.iter().all(|change| ModelRow::of(&parent.params).uses(change.param)));
                let crossed = cross(&parent, &other, 3, number);
                for params in [child.params, crossed.params] {
                    Flock::new(&Setup { boids: 3, params, ..parent.clone() }).unwrap();
                }
                other = child.params;
            }
        }
    }

    #[test]
    fn a_child_depends_on_its_arguments_alone() {
        let parent = setup("starlings");
        assert_eq!(mutate(&parent, 1.0, 3, 5), mutate(&parent, 1.0, 3, 5));
        assert_ne!(mutate(&parent, 1.0, 3, 5), mutate(&parent, 1.0, 3, 6));
        assert_ne!(mutate(&parent, 1.0, 3, 5), mutate(&parent, 1.0, 4, 5));
    }

    #[test]
    fn each_rule_of_a_cross_is_that_of_a_parent() {
        let one = setup("starlings");
        let other = mutate(&one, 1.0, 3, 5).params;
        let other = mutate(&one.clone().with_params(other), 1.0, 3, 6).params;
        for number in 0..9 {
            let Params { separation, alignment, cohesion, .. } = cross(&one, &other, 3, number).params;
            assert!(separation == one.params.separation || separation == other.separation);
            assert!(alignment == one.params.alignment || alignment == other.alignment);
            assert!(cohesion == one.params.cohesion || cohesion == other.cohesion);
        }
    }

    #[test]
    fn a_caption_names_what_fits_of_the_two_largest_changes() {
        let parent = setup("starlings").params;
        let mut params = parent;
        params.alignment.weight *= 0.3;
        params.cohesion.weight *= 2.0;
        params.limits.max_force *= 1.2;
        let child = Child::new(&parent, params);
        assert_eq!(child.changes.len(), 3);
        assert_eq!(child.caption(80), "alignment ×0.3  cohesion ×2");
        assert_eq!([child.caption(20), child.caption(5)], ["alignment ×0.3"; 2]);
        params = parent;
        params.separation.falloff = crate::sim::Falloff::Linear;
        params.cohesion.radius = f32::INFINITY;
        params.cohesion.weight *= 3.0;
        assert_eq!(Child::new(&parent, params).caption(80), "separation falloff linear  cohesion radius ∞");
    }

    #[test]
    fn a_larger_radius_keeps_the_steering() {
        let parent = setup("drones");
        let mut params = parent.params;
        params.cohesion.radius *= 2.0;
        balance(&parent, &mut params);
        // The response is the mean offset, which doubles.
        assert_eq!(params.cohesion.weight, rounded(f64::from(parent.params.cohesion.weight) / 2.0));
        assert_eq!(params.alignment, parent.params.alignment);
    }
}
