//! The models of collective motion, and the parameters that each of them uses.

use super::table::{Param, choices};
use super::{Couzin, Edge, Params, Speed};

choices! {
    /// The model of collective motion that moves the boids.
    pub enum Model {
        /// Steering rules, with predators, zones and wind (Reynolds 1987).
        Boids = "boids",
        /// Headings align to the mean heading nearby, with noise (Vicsek et al. 1995).
        Vicsek = "vicsek",
        /// Zones of repulsion, orientation and attraction (Couzin et al. 2002).
        Couzin = "couzin",
        /// Limited turns, with separation from the nearest bird (Wilensky 1998).
        NetLogo = "netlogo",
        /// The flocking benchmark of the comparison of agent-based modeling frameworks.
        Abm = "abm",
        /// Starlings in aerial display, which bank in turns (Hildenbrandt et al. 2010).
        StarDisplay = "stardisplay",
    }

    /// Which velocity moves a boid of the Vicsek model.
    pub enum MoveBy {
        /// The velocity before the update (Vicsek et al. 1995).
        Old = "old",
        /// The velocity after the update (Grégoire & Chaté 2004).
        New = "new",
    }
}

/// The parameters that all models use.
const COMMON: [&str; 4] = ["speed.max", "edge.mode", "model", "morph"];

impl Model {
    /// The parameters of a published model, besides the common ones.
    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::Boids => &[],
            Self::Vicsek => &["alignment.radius", "noise.angle", "vicsek.vectorial", "vicsek.move"],
            Self::Couzin => &[
                "couzin.repulsion",
                "couzin.orientation",
                "couzin.attraction",
                "couzin.error",
                "perception.angle",
                "max_turn",
            ],
            Self::NetLogo => {
                &["vision.radius", "separation.radius", "netlogo.align", "netlogo.cohere", "netlogo.separate"]
            }
            Self::Abm => {
                &["vision.radius", "separation.radius", "separation.weight", "alignment.weight", "cohesion.weight"]
            }
            Self::StarDisplay => &[
                "vision.radius",
                "perception.angle",
                "separation.radius",
                "separation.weight",
                "alignment.weight",
                "cohesion.weight",
                "stardisplay.roost",
                "stardisplay.pull",
                "stardisplay.height",
                "stardisplay.noise",
                "stardisplay.copy",
                "stardisplay.reaction",
                "stardisplay.escape",
                "stardisplay.roll",
                "flee.radius",
                "flee.weight",
                "hunt.radius",
                "hunt.weight",
                "hunt.target",
                "hunt.speed",
                "hunt.separation",
                "hunt.stamina",
                "hunt.rest",
                "hunt.catch",
                "hunt.respawn",
                "pointer.weight",
                "pointer.radius",
            ],
        }
    }

    /// Whether a parameter has an effect in this model.
    #[must_use]
    pub fn uses(self, param: &Param) -> bool {
        match self {
            Self::Boids => !matches!(param.group, "vicsek" | "couzin" | "netlogo" | "vision" | "stardisplay"),
            _ => COMMON.contains(&param.key) || self.own_keys().contains(&param.key),
        }
    }

    /// Whether the model is defined in two dimensions only.
    const fn is_flat(self) -> bool {
        matches!(self, Self::NetLogo | Self::Abm)
    }

    /// Whether predators hunt the boids of this model, and the pointer attracts or repels them.
    #[must_use]
    pub const fn has_predators(self) -> bool {
        matches!(self, Self::Boids | Self::StarDisplay)
    }
}

impl Params {
    /// Whether the steering rules of boids apply, and so zones and wind.
    #[must_use]
    #[inline]
    pub fn has_steering(&self) -> bool {
        self.model.name == Model::Boids
    }

    /// The largest distance of neighbors in a published model, in u; `None` for boids.
    pub(super) fn model_radius(&self) -> Option<f32> {
        match self.model.name {
            Model::Boids => None,
            Model::Vicsek => Some(self.alignment.radius),
            Model::Couzin => Some(self.couzin.radii()[2]),
            Model::NetLogo | Model::Abm => Some(self.vision.radius),
            Model::StarDisplay => Some(self.separation.radius),
        }
    }

    /// The lowest and the highest speed of a new boid, in u/tick.
    pub(crate) fn start_speeds(&self) -> [f32; 2] {
        let Speed { min, max } = self.speed;
        [if self.has_steering() { min } else { max }, max]
    }

    /// The distance within which boids belong to one group, in u; may be infinite.
    #[must_use]
    pub fn group_radius(&self) -> f32 {
        self.model_radius().unwrap_or(self.cohesion.radius)
    }

    /// Describes the first parameter, or the property of the world, that does not fit the model.
    pub(super) fn model_conflict(&self, dim: usize) -> Option<String> {
        let name = self.model.name.name();
        let mut unused = Param::table().iter().filter(|param| !self.model.name.uses(param));
        if let Some(param) = unused.find(|param| param.get(self) != param.default()) {
            let used: Vec<&str> = self.model.name.own_keys().iter().chain(&COMMON).copied().collect();
            let hint = if self.has_steering() { String::new() } else { format!("; it uses {}", used.join(", ")) };
            return Some(format!("the model {name} does not use {}{hint}", param.key));
        }
        if self.has_steering() {
            return None;
        }
        let mode = self.edge.mode.name();
        if self.model.name == Model::StarDisplay {
            if self.edge.mode != Edge::Open {
                return Some(format!("edge.mode = {mode} is not part of the model {name}; use edge.mode = open"));
            }
            return (dim < 3).then(|| format!("the model {name} needs a 3-D world such as 300x60x300"));
        }
        if !matches!(self.edge.mode, Edge::Wrap | Edge::Open) {
            return Some(format!("edge.mode = {mode} is not part of the model {name}; use edge.mode = wrap or open"));
        }
        if self.alignment.radius.is_infinite() {
            return Some(format!("alignment.radius = inf is not possible in the model {name}; use a finite radius"));
        }
        if self.model.name.is_flat() && dim > 2 {
            return Some(format!("the model {name} needs a 2-D world such as 100x100"));
        }
        None
    }
}

impl Couzin {
    /// The outer radii of the zones of repulsion, orientation and attraction, in u.
    pub(crate) fn radii(&self) -> [f32; 3] {
        let orientation = self.repulsion + self.orientation;
        [self.repulsion, orientation, orientation + self.attraction]
    }
}
