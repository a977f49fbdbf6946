//! The one table of actions, which keymap, help and documents are read from.

/// Makes the actions and their table from one list: a row has a name, the keys, a sentence, and everyday
/// words that somebody may look for it by.
macro_rules! actions {
    ($($group:literal {
        $($Variant:ident = $id:literal, $keys:expr, $sentence:literal $(, $words:literal)?;)+
    })+) => {
        /// Something that a key can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $sentence] $Variant,)+)+ }

        impl Action {
            /// Every action, in the order of the help.
            pub const ALL: &'static [Self] = &[$($(Self::$Variant,)+)+];
            /// The same in groups, each under a heading.
            pub const GROUPS: &'static [(&'static str, &'static [Self])] = &[$(($group, &[$(Self::$Variant,)+]),)+];

            /// Its name, as in key files.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $($(Self::$Variant => $id,)+)+ }
            }

            /// The keys that do it, unless somebody says otherwise.
            #[must_use]
            pub fn default_keys(self) -> &'static [&'static str] {
                match self { $($(Self::$Variant => &$keys,)+)+ }
            }

            /// What it does, in one sentence.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self { $($(Self::$Variant => $sentence,)+)+ }
            }

            /// Other words for it, which neither its name nor its sentence has.
            #[must_use]
            pub fn words(self) -> &'static str {
                match self { $($(Self::$Variant => concat!("" $(, $words)?),)+)+ }
            }
        }
    };
}

actions! {
    "Rules" {
        PreviousParameter = "previous-parameter", ["up", "k"], "Choose the parameter above.";
        NextParameter = "next-parameter", ["down", "j"], "Choose the parameter below.";
        Decrease = "less", ["left", "h"], "Turn the chosen parameter down.";
        Increase = "more", ["right", "l"], "Turn the chosen parameter up.";
        DecreaseCoarse = "decrease-coarse", ["shift-left", "shift-h"], "Turn it down in large steps.";
        IncreaseCoarse = "increase-coarse", ["shift-right", "shift-l"], "Turn it up in large steps.";
        DecreaseFine = "decrease-fine", ["alt-left", "alt-h"], "Turn it down in small steps.";
        IncreaseFine = "increase-fine", ["alt-right", "alt-l"], "Turn it up in small steps.";
        Minimum = "least", ["home"], "Turn it down to the bar's end; again, as far as it goes.";
        Maximum = "most", ["end"], "Turn it up to the bar's end; again, as far as it goes.";
        EditValue = "edit-value", ["enter"], "Type a value for it.";
        ResetParameter = "reset-parameter", ["backspace"], "Set it back to the preset's value.", "default original";
        ResetAll = "reset-all", ["delete"], "Set all parameters back to the preset's values.", "default original";
        Undo = "undo", ["u"], "Take the last change of the rules back.", "revert";
        Redo = "redo", ["ctrl-r"], "Make the change that was taken back again.";
        SavePreset = "save-preset", ["shift-s"], "Save these rules as a preset of your own.", "store keep write";
    }
    "Time" {
        Pause = "pause", ["space"], "Pause, or fly on.", "stop freeze play resume continue";
        Step = "step", ["."], "Fly one tick; pauses first.", "frame advance";
        StepBack = "back", [","], "Go back by one tick; pauses first.", "frame rewind reverse previous past";
        Slower = "slower", ["<"], "Halve the tick rate.", "speed";
        Faster = "faster", [">"], "Double the tick rate.", "speed";
        NewSeed = "reseed", ["r"], "Begin anew from a new seed.", "random shuffle";
        Restart = "restart", ["shift-r"], "Begin anew from the same seed.", "again replay";
    }
    "Flock" {
        MoreBoids = "more-boids", ["+", "="], "Add 10 % more boids.", "birds number count";
        FewerBoids = "fewer-boids", ["-"], "Take as many boids away again.", "birds number count less";
        MorePredators = "more-predators", ["p"], "Add a predator.", "hawk falcon hunter shark enemy kill";
        FewerPredators = "fewer-predators", ["shift-p"], "Take a predator away.", "hawk falcon hunter shark enemy less";
    }
    "World" {
        PlaceObstacle = "place-obstacle", ["o"], "Put an obstacle where you last clicked, or take the one there away.", "rock tree wall disc";
        PlaceFood = "place-food", [], "Put food where you last clicked.", "feed eat";
        PlaceRoost = "place-roost", [], "Put a roost where you last clicked.", "sleep perch rest";
        RemoveZone = "remove-zone", [], "Take away what stands where you last clicked.", "delete obstacle food roost";
        ClearZones = "clear-zones", [], "Take away all that stands in the world.", "delete obstacles food roosts";
        Wind = "wind", ["w"], "Let a breeze blow, then gusts, then none.", "weather";
    }
    "Presets" {
        NextPreset = "next-preset", ["tab"], "Fly the next preset.";
        PreviousPreset = "previous-preset", ["backtab"], "Fly the previous preset.";
        ChoosePreset = "choose-preset", ["0"], "Choose a preset from a list.", "switch load open";
        Preset1 = "preset-1", ["1"], "Fly the first preset.";
        Preset2 = "preset-2", ["2"], "Fly the second preset.";
        Preset3 = "preset-3", ["3"], "Fly the third preset.";
        Preset4 = "preset-4", ["4"], "Fly the fourth preset.";
        Preset5 = "preset-5", ["5"], "Fly the fifth preset.";
        Preset6 = "preset-6", ["6"], "Fly the sixth preset.";
        Preset7 = "preset-7", ["7"], "Fly the seventh preset.";
        Preset8 = "preset-8", ["8"], "Fly the eighth preset.";
        Preset9 = "preset-9", ["9"], "Fly the ninth preset.";
    }
    "Look" {
        NextTheme = "next-theme", ["t"], "Put on the next theme.", "choose colors skin dark light";
        PreviousTheme = "previous-theme", ["shift-t"], "Put on the previous theme.", "choose colors skin dark light";
        Coloring = "coloring", ["c"], "Color by heading, speed, density or species.", "colors";
        View = "view", ["v"], "Show heads, trails, a glow, a heat map, shapes, or what suits.", "style draw";
        Marker = "marker", ["m"], "Draw with braille, octants, half blocks, or plain characters.", "dots ascii characters";
        Clean = "clean", ["z"], "Hide or show the panel and the status line.", "fullscreen ui gauges";
    }
    "Camera" {
        ZoomIn = "zoom-in", ["]"], "Zoom in; in 3-D come nearer, until inside the flock.", "camera closer";
        ZoomOut = "zoom-out", ["["], "Zoom out, as far as the whole world.", "camera farther";
        PanLeft = "pan-left", ["ctrl-left"], "Move the view to the left; in 3-D go around to the left.", "camera pan orbit rotate";
        PanRight = "pan-right", ["ctrl-right"], "Move the view to the right; in 3-D go around to the right.", "camera pan orbit rotate";
        PanUp = "pan-up", ["ctrl-up"], "Move the view up; in 3-D look from higher.", "camera pan orbit";
        PanDown = "pan-down", ["ctrl-down"], "Move the view down; in 3-D look from lower.", "camera pan orbit";
        Follow = "follow", ["f"], "Follow the boid in the middle, the largest flock, or nobody.", "camera track";
        ResetView = "whole", ["\\", "ctrl-home"], "Show the whole world again.", "camera reset fit";
    }
    "Program" {
        Palette = "palette", [":"], "Find any action, parameter, preset or theme by a few letters.";
        Help = "help", ["?", "f1"], "Show or hide this help.", "shortcuts keyboard";
        Close = "close", ["esc"], "Close what is open.";
        PageUp = "page-up", ["pageup"], "Go a page up in what is open.", "scroll";
        PageDown = "page-down", ["pagedown"], "Go a page down in what is open.", "scroll";
        Screenshot = "screenshot", ["s"], "Save a picture of the flock in the current folder.", "take screenshot snapshot photo image png";
        ShowCommand = "show-command", ["y"], "Show the command that brings this very flock back.", "share copy reproduce";
        Screensaver = "wander", ["shift-w"], "Let looks change by themselves until a key is pressed.", "screensaver demo attract idle";
        Reload = "reload", ["ctrl-l"], "Draw the screen anew, and read the config again.", "redraw refresh";
        Suspend = "suspend", ["ctrl-z"], "Leave the flock to the shell's job control; `fg` comes back.", "background job";
        Quit = "quit", ["q", "ctrl-c"], "Quit.", "exit leave end";
    }
}

impl Action {
    /// The one of this name.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.id() == id)
    }

    /// The preset that this action chooses, counted from 0.
    #[must_use]
    pub fn preset(self) -> Option<usize> {
        use Action::{Preset1, Preset2, Preset3, Preset4, Preset5, Preset6, Preset7, Preset8, Preset9};
        [Preset1, Preset2, Preset3, Preset4, Preset5, Preset6, Preset7, Preset8, Preset9]
            .iter()
            .position(|action| *action == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PRESETS;

    #[test]
    fn no_two_actions_have_one_name() {
        for (index, action) in Action::ALL.iter().enumerate() {
            assert!(Action::ALL[..index].iter().all(|other| other.id() != action.id()), "{}", action.id());
        }
    }

    #[test]
    fn every_numbered_preset_is_there() {
        let numbered = Action::ALL.iter().filter_map(|action| action.preset()).max().unwrap() + 1;
        assert_eq!(numbered, PRESETS.len().min(9));
    }
}
