//! The action table. Key bindings, help and reference pages are generated from it.

use strum::VariantArray;

/// What the viewer shows, which decides what keys do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Mode {
    /// A flock.
    Flying,
    /// A flock and its children on tiles.
    Breeding,
    /// A recording.
    Recording,
}

/// Generates [`Action`] from the table. A row has an id, default keys, a summary, optional search terms, the modes in which the action
/// works (`in` and one or more; all without it), and `=>` the word of its hint while breeding, which neighbors may share. A group says
/// what a recording lacks for its actions, if it does.
macro_rules! actions {
    ($($group:literal $(lacks $lacks:literal)? {
        $($Variant:ident = $id:literal, $keys:expr, $summary:literal $(, $search_terms:literal)? $(in $($mode:ident)+)? $(=> $hint:literal)?;)+
    })+) => {
        /// What a key can be bound to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $summary] $Variant,)+)+ }

        impl Action {
            /// All actions, in the order of the help.
            pub const ALL: &'static [Self] = &[$($(Self::$Variant,)+)+];
            /// All actions in groups, each with a heading.
            pub const GROUPS: &'static [(&'static str, &'static [Self])] = &[$(($group, &[$(Self::$Variant,)+]),)+];
            /// What a recording lacks for the actions of each group, if it lacks something.
            const LACKING: &'static [&'static str] = &[$(concat!("" $(, $lacks)?),)+];

            /// The name in key files.
            pub fn id(self) -> &'static str {
                match self { $($(Self::$Variant => $id,)+)+ }
            }

            /// The default keys.
            pub fn default_keys(self) -> &'static [&'static str] {
                match self { $($(Self::$Variant => &$keys,)+)+ }
            }

            /// One sentence for the help.
            pub fn summary(self) -> &'static str {
                match self { $($(Self::$Variant => $summary,)+)+ }
            }

            /// The modes in which it works; all if there are none.
            fn modes(self) -> &'static [Mode] {
                match self { $($(Self::$Variant => &[$($(Mode::$mode),+)?],)+)+ }
            }

            /// The word of the hint in the status line while breeding, or an empty string.
            pub fn breeding_hint(self) -> &'static str {
                match self { $($(Self::$Variant => concat!("" $(, $hint)?),)+)+ }
            }

            /// Further terms to find it by in the palette.
            pub fn search_terms(self) -> &'static str {
                match self { $($(Self::$Variant => concat!("" $(, $search_terms)?),)+)+ }
            }
        }
    };
}

actions! {
    "Parameters" lacks "rules to change or undo" {
        PreviousParameter = "previous-parameter", ["up", "k"], "Select the parameter above.", "choose" in Flying;
        NextParameter = "next-parameter", ["down", "j"], "Select the parameter below.", "choose" in Flying;
        Decrease = "decrease", ["left", "h"], "Decrease the selected parameter.", "less lower" in Flying;
        Increase = "increase", ["right", "l"], "Increase the selected parameter.", "more raise" in Flying;
        DecreaseCoarse = "decrease-coarse", ["shift-left", "shift-h"], "Decrease the selected parameter in large steps.", "less lower" in Flying;
        IncreaseCoarse = "increase-coarse", ["shift-right", "shift-l"], "Increase the selected parameter in large steps.", "more raise" in Flying;
        DecreaseFine = "decrease-fine", ["alt-left", "alt-h"], "Decrease the selected parameter in small steps.", "less lower" in Flying;
        IncreaseFine = "increase-fine", ["alt-right", "alt-l"], "Increase the selected parameter in small steps.", "more raise" in Flying;
        Minimum = "minimum", ["home"], "Set the selected parameter to the low end of its gauge; press again for its minimum.", "least lowest" in Flying;
        Maximum = "maximum", ["end"], "Set the selected parameter to the high end of its gauge; press again for its maximum.", "most highest" in Flying;
        EditValue = "edit-value", ["enter"], "Type a value for the selected parameter." in Flying;
        ResetParameter = "reset-parameter", ["backspace"], "Reset the selected parameter to the preset's value.", "default original" in Flying;
        ResetAll = "reset-all", ["delete"], "Reset all parameters to the preset's values.", "default original" in Flying;
        AllParameters = "all-parameters", ["i"], "Show a gauge for every parameter, or only for the rules that the preset uses.", "expand details more rules falloff response" in Flying;
        Undo = "undo", ["u"], "Undo the last change of a parameter, or a change in the past, which restores what followed.", "revert branch" in Flying;
        Redo = "redo", ["ctrl-r"], "Repeat the change that was undone last." in Flying;
        SavePreset = "save-preset", ["shift-s"], "Save the flock as a preset of your own.", "store keep write" in Flying Breeding;
    }
    "Time" {
        Pause = "pause", ["space"], "Pause or resume.", "stop freeze play continue";
        Step = "step", ["."], "Pause and advance one tick.", "frame forward";
        StepBack = "step-back", [","], "Pause and go back one tick.", "frame rewind reverse previous past" in Flying Recording;
        SkipBack = "skip-back", ["{"], "Go back one second.", "rewind past seek" in Flying Recording;
        SkipForward = "skip-forward", ["}"], "Go forward one second, at most to the last tick.", "seek" in Flying Recording;
        FirstTick = "first-tick", ["("], "Go to the first tick.", "start beginning rewind past seek" in Flying Recording;
        LastTick = "last-tick", [")"], "Go to the last tick of the session.", "now live end latest seek" in Flying Recording;
        MarkPart = "mark-part", ["n"], "Mark the beginning of a part of the session, then its end; press again to remove the marks.", "clip range select loop timeline" in Flying Recording;
        PlayBackward = "play-backward", ["b"], "Play backward, or forward again.", "reverse rewind direction" in Flying Recording;
        Slower = "slower", ["<"], "Halve the tick rate.", "speed";
        Faster = "faster", [">"], "Double the tick rate.", "speed";
    }
    "Flock" lacks "boids or predators to change, and no seed" {
        NewSeed = "new-seed", ["r"], "Restart with a new seed.", "reseed random shuffle" in Flying;
        Restart = "restart", ["shift-r"], "Restart with the same seed.", "again replay" in Flying;
        MoreBoids = "more-boids", ["+", "="], "Add 10 % more boids.", "birds number count" in Flying;
        FewerBoids = "fewer-boids", ["-"], "Remove 9 % of the boids, which undoes adding 10 %.", "birds number count less" in Flying;
        MorePredators = "more-predators", ["p"], "Add a predator.", "hawk falcon hunter shark enemy kill" in Flying;
        FewerPredators = "fewer-predators", ["shift-p"], "Remove a predator.", "hawk falcon hunter shark enemy less" in Flying;
    }
    "Letters" lacks "boids to call" {
        Say = "say", ["a"], "Write a text with boids, or let them go.", "letters words form spell message perch" in Flying;
        Clock = "clock", [], "Show the local time with boids, or let them go.", "letters digits form watch perch" in Flying;
    }
    "World" lacks "zones and no wind" {
        PlaceObstacle = "place-obstacle", ["o"], "Place an obstacle at the last click, or remove the zone there.", "rock tree wall disc" in Flying;
        PlaceFood = "place-food", [], "Place food at the last click.", "feed eat" in Flying;
        PlaceRoost = "place-roost", [], "Place a roost at the last click.", "sleep perch rest" in Flying;
        RemoveZone = "remove-zone", [], "Remove the zone at the last click.", "delete obstacle food roost" in Flying;
        ClearZones = "clear-zones", [], "Remove all zones.", "delete obstacles food roosts" in Flying;
        Wind = "wind", ["w"], "Switch between no wind, a breeze and gusts.", "weather" in Flying;
    }
    "Presets" lacks "rules" {
        NextPreset = "next-preset", ["tab"], "Switch to the next preset." in Flying;
        PreviousPreset = "previous-preset", ["backtab"], "Switch to the previous preset." in Flying;
        ChoosePreset = "choose-preset", ["0"], "Choose a preset from a list.", "switch load open" in Flying;
        Breed = "breed", ["d"], "Breed the flock: choose among eight with other rules, again and again.", "evolve mutate cross tiles nine select" in Flying;
        Preset1 = "preset-1", ["1"], "Switch to the first preset." in Flying;
        Preset2 = "preset-2", ["2"], "Switch to the second preset." in Flying;
        Preset3 = "preset-3", ["3"], "Switch to the third preset." in Flying;
        Preset4 = "preset-4", ["4"], "Switch to the fourth preset." in Flying;
        Preset5 = "preset-5", ["5"], "Switch to the fifth preset." in Flying;
        Preset6 = "preset-6", ["6"], "Switch to the sixth preset." in Flying;
        Preset7 = "preset-7", ["7"], "Switch to the seventh preset." in Flying;
        Preset8 = "preset-8", ["8"], "Switch to the eighth preset." in Flying;
        Preset9 = "preset-9", ["9"], "Switch to the ninth preset." in Flying;
    }
    "Breeding" lacks "flocks to breed" {
        SelectLeft = "select-left", ["left", "h"], "Select the flock to the left." in Breeding => "select";
        SelectAbove = "select-above", ["up", "k"], "Select the flock above." in Breeding => "select";
        SelectBelow = "select-below", ["down", "j"], "Select the flock below." in Breeding => "select";
        SelectRight = "select-right", ["right", "l"], "Select the flock to the right." in Breeding => "select";
        ChooseParent = "choose-parent", ["enter"], "Make the selected flock the parent of the next children, crossed with the marked one if there is one." in Breeding => "breed";
        LeaveBreeding = "leave-breeding", ["esc", "d"], "Leave with the flock in the middle." in Breeding => "keep middle";
        OtherChildren = "other-children", ["r"], "Draw other children of the same parent." in Breeding => "others";
        PreviousGeneration = "previous-generation", ["u"], "Go back to the generation before." in Breeding => "back";
        MarkMate = "mark-mate", ["n"], "Mark the selected flock, to cross it with another one, or remove the mark." in Breeding => "cross";
        StrongerMutations = "stronger-mutations", ["+", "="], "Draw children that differ more." in Breeding => "stronger";
        WeakerMutations = "weaker-mutations", ["-"], "Draw children that differ less." in Breeding => "weaker";
    }
    "Appearance" {
        OwnTheme = "own-theme", [], "Use the preset's own theme again, as before you chose one.", "colors default auto";
        NextTheme = "next-theme", ["t"], "Switch to the next theme.", "choose colors skin dark light";
        PreviousTheme = "previous-theme", [], "Switch to the previous theme.", "choose colors skin dark light";
        ChooseTheme = "choose-theme", ["shift-c"], "Choose a theme from a list, which shows each at once.", "colors skin dark light preview";
        Coloring = "coloring", ["c"], "Color by heading, speed, density or species.", "colors";
        View = "view", ["v"], "Show heads, trails, a glow, a heat map, shapes, or the best fit.", "style draw";
        PreviousView = "previous-view", [], "Switch to the previous view.", "style draw back";
        Sky = "sky", ["shift-b"], "Show the sky of a theme, or the terminal's own background.", "gradient backdrop plain";
        Marker = "marker", ["m"], "Draw with braille, octants, half blocks, or plain characters.", "dots ascii glyphs";
        Plots = "plots", ["g"], "Show plots of the measures below the flock, then alone, then hide them.", "graph chart phase series statistics polarization rotation neighbors" in Flying Recording;
        ChooseMeasures = "choose-measures", ["shift-m"], "Choose the measures that are plotted.", "graph chart select" in Flying Recording;
        Clean = "clean", ["z"], "Hide or show the panel and the status line.", "fullscreen ui gauges";
    }
    "Camera" {
        ZoomIn = "zoom-in", ["]"], "Zoom in; in 3-D, move closer, even into the flock.", "camera nearer" in Flying Recording;
        ZoomOut = "zoom-out", ["["], "Zoom out, as far as the whole world, or flock in 3-D.", "camera farther" in Flying Recording;
        PanLeft = "pan-left", ["ctrl-left"], "Pan left; in 3-D, orbit left.", "camera look move rotate" in Flying Recording;
        PanRight = "pan-right", ["ctrl-right"], "Pan right; in 3-D, orbit right.", "camera look move rotate" in Flying Recording;
        PanUp = "pan-up", ["ctrl-up"], "Pan up; in 3-D, orbit up.", "camera look move" in Flying Recording;
        PanDown = "pan-down", ["ctrl-down"], "Pan down; in 3-D, orbit down.", "camera look move" in Flying Recording;
        Follow = "follow", ["f"], "Follow the boid in the middle, the largest flock, or nothing.", "camera track" in Flying Recording;
        ResetView = "reset-view", ["\\", "ctrl-home"], "Show the whole world; in 3-D, drift around the flock.", "camera fit" in Flying Recording;
    }
    "Program" lacks "session to save" {
        Palette = "palette", [":"], "Search actions, parameters, presets, themes and views.", "command find";
        Help = "help", ["?", "f1"], "Show or hide this help.", "shortcuts keyboard";
        Close = "close", ["esc"], "Close the open popup or prompt." in Flying Recording;
        PageUp = "page-up", ["pageup"], "Scroll the open popup up by a page.";
        PageDown = "page-down", ["pagedown"], "Scroll the open popup down by a page.";
        Screenshot = "screenshot", ["s"], "Save a picture of the flock in the current folder.", "take snapshot photo image png";
        SaveClip = "save-clip", ["e"], "Save the last seconds, or the marked part of the session, as a clip in the current folder.", "gif cast animation video record export";
        SavePlots = "save-plots", ["shift-g"], "Save the measures as CSV and their plots as a picture in the current folder.", "graph chart export data png" in Flying Recording;
        SaveSession = "save-session", ["ctrl-s"], "Save the session in the current folder, to replay it.", "record log time machine flock" in Flying Breeding;
        ShowCommand = "show-command", ["y"], "Show the command that reproduces this flock.", "share copy" in Flying Recording;
        Screensaver = "screensaver", [], "Change themes and views until a key is pressed.", "demo attract idle wander" in Flying Recording;
        Reload = "reload", ["ctrl-l"], "Redraw the screen and reload the config file.", "refresh";
        Suspend = "suspend", ["ctrl-z"], "Suspend to the shell; `fg` resumes.", "background job";
        Quit = "quit", ["q", "ctrl-c"], "Quit.", "exit leave end";
    }
}

impl Action {
    /// The actions to know first, with what their keys do: the help begins with them, and so does the README.
    pub const ESSENTIAL: &[(&[Self], &str)] = &[
        (&[Self::PreviousParameter, Self::NextParameter], "select a rule"),
        (&[Self::Decrease, Self::Increase], "change its value"),
        (
            &[Self::DecreaseFine, Self::IncreaseFine, Self::DecreaseCoarse, Self::IncreaseCoarse],
            "change it in small steps, in large steps",
        ),
        (&[Self::Minimum, Self::Maximum], "the low and the high end of its gauge"),
        (&[Self::EditValue, Self::ResetParameter, Self::ResetAll], "type a value, reset it, reset all rules"),
        (&[Self::Undo, Self::AllParameters], "undo a change, show all gauges"),
        (&[Self::Pause, Self::Step, Self::StepBack], "pause and resume, step forward, step back"),
        (&[Self::NextPreset, Self::NextTheme, Self::View], "next flock, next theme, next view"),
        (
            &[Self::ChoosePreset, Self::ChooseTheme, Self::Sky, Self::Clean],
            "list of presets, list of themes, hide the sky, hide the panel",
        ),
        (&[Self::NewSeed, Self::Restart], "new flock, same flock again"),
        (
            &[Self::MoreBoids, Self::FewerBoids, Self::MorePredators, Self::FewerPredators],
            "more and fewer boids, more and fewer predators",
        ),
        (&[Self::Palette], "find any action, parameter, preset, theme or view"),
        (&[Self::Help, Self::Quit], "help, quit"),
    ];

    /// Finds an action by its id.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.id() == id)
    }

    /// Whether it works in a mode.
    pub fn works_in(self, mode: Mode) -> bool {
        self.modes().is_empty() || self.modes().contains(&mode)
    }

    /// Whether it and another one work in the same mode, so that they need different keys.
    pub(in crate::viewer) fn shares_mode(self, other: Self) -> bool {
        Mode::VARIANTS.iter().any(|mode| self.works_in(*mode) && other.works_in(*mode))
    }

    /// What a recording lacks for it.
    pub fn lacking_in_recording(self) -> &'static str {
        let group = Self::GROUPS.iter().position(|(_, actions)| actions.contains(&self));
        group.map_or("", |group| Self::LACKING[group])
    }

    /// The index of the preset that the action selects.
    pub fn preset(self) -> Option<usize> {
        let number: usize = self.id().strip_prefix("preset-")?.parse().ok()?;
        number.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PRESETS;

    #[test]
    fn ids_are_unique() {
        for (index, action) in Action::ALL.iter().enumerate() {
            assert!(Action::ALL[..index].iter().all(|other| other.id() != action.id()), "{}", action.id());
        }
    }

    #[test]
    fn numbered_actions_match_the_presets() {
        let numbered = Action::ALL.iter().filter_map(|action| action.preset()).max().unwrap() + 1;
        assert_eq!(numbered, PRESETS.len().min(9));
    }
}
