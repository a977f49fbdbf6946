//! Breeding by eye: a flock and its children on tiles, of which the user chooses the next parent.

use std::mem;

use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::actions::Action;
use super::context::Context;
use super::text::elide_middle;
use crate::breed::Brood;
use crate::canvas::{CanvasFormat, TileGrid};
use crate::engine::{Clock, Controls, Request, ShownBrood};
use crate::sim::{Param, Params};
use crate::terminal::{PackedCell, PackedColor};

/// The factor of a step of the strength of mutations, and the range of that.
const STRENGTH_STEP: f32 = 1.5;
const STRENGTHS: (f32, f32) = (0.2, 3.5);
/// On a slow link, the tiles that are not selected are drawn in one of so many pictures.
const SLOW_LINK: u64 = 4;

/// The line of broods that the user has bred, while tiles are shown.
#[derive(Clone, Debug, Default)]
pub struct Breeding {
    line: Option<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    /// The shown brood.
    brood: Brood,
    /// Those of the generations before.
    earlier: Vec<Brood>,
    grid: TileGrid,
    selected: usize,
    /// The other flock of a cross.
    marked: Option<usize>,
    was_paused: bool,
    /// The last request for a focus.
    focus: Option<(usize, u64)>,
}

impl Breeding {
    /// Whether tiles are shown.
    pub fn is_active(&self) -> bool {
        self.line.is_some()
    }

    /// The shown brood.
    pub fn brood(&self) -> Option<&Brood> {
        self.line.as_ref().map(|line| &line.brood)
    }

    /// What the status line says.
    pub fn facts(&self) -> Option<Vec<String>> {
        let line = self.line.as_ref()?;
        let strength = (10.0 * line.brood.strength).round() / 10.0;
        Some(vec![format!("generation {}", line.generation()), format!("strength {strength}")])
    }

    /// Begins to breed the flock on a canvas of this many columns and rows.
    pub fn start(&mut self, canvas: (usize, usize), context: &mut Context) {
        let Controls { setup, paused, .. } = context.client.controls();
        let (parent, was_paused, seed) = (setup.clone(), *paused, setup.seed);
        context.client.clock(Clock::Pause(false));
        let brood = Brood { parent, mate: None, strength: 1.0, seed, count: 0 };
        let grid = TileGrid::new(canvas);
        let mut line =
            Line { brood, earlier: Vec::new(), grid, selected: grid.middle(), marked: None, was_paused, focus: None };
        line.show(context);
        self.line = Some(line);
    }

    /// Performs an action while tiles are shown. Returns whether it did.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        let Some(line) = &mut self.line else { return false };
        match action {
            Action::SelectAbove => line.step(0, -1),
            Action::SelectBelow => line.step(0, 1),
            Action::SelectLeft => line.step(-1, 0),
            Action::SelectRight => line.step(1, 0),
            Action::ChooseParent => line.choose(context),
            Action::MarkMate => line.mark(context),
            Action::OtherChildren => line.draw_again(context),
            Action::StrongerMutations => line.change_strength(STRENGTH_STEP, context),
            Action::WeakerMutations => line.change_strength(1.0 / STRENGTH_STEP, context),
            Action::PreviousGeneration => line.go_back(context),
            Action::LeaveBreeding => self.leave(context),
            _ => return false,
        }
        true
    }

    /// Shows the session's flock again, with the rules of the flock in the middle.
    fn leave(&mut self, context: &mut Context) {
        let Some(line) = self.line.take() else { return };
        let bred = line.brood.parent.params;
        let values = Param::table().iter().map(|param| (param, param.get(&bred))).collect();
        context.client.request(Request::Breed(None));
        let changes = context.client.set_params(values, bred.change.morph);
        if line.was_paused {
            context.client.clock(Clock::Pause(true));
        }
        let undo = key(Action::Undo, context);
        context.show_message(if changes {
            format!("the flock of generation {} flies; {undo} undoes", line.generation())
        } else {
            "the flock flies on unchanged".to_owned()
        });
    }

    /// Follows the latest frame, on a canvas of this many columns and rows.
    pub fn on_frame(&mut self, canvas: (usize, usize), context: &mut Context) {
        let Some(line) = &mut self.line else { return };
        if context.client.is_settled() && context.client.frame().brood.is_none() {
            // The engine has reported why.
            self.line = None;
            return;
        }
        let grid = TileGrid::new(canvas);
        if grid.side() != line.grid.side() {
            line.grid = grid;
            line.show(context);
        }
        line.grid = grid;
        let focus = (line.selected, if context.theme.is_limited() { SLOW_LINK } else { 1 });
        if line.focus.replace(focus) != Some(focus) {
            context.client.request(Request::Focus(focus.0, focus.1));
        }
    }

    /// Selects the tile at a cell of the canvas.
    pub fn select_at(&mut self, cell: (usize, usize)) {
        if let Some(line) = &mut self.line {
            line.selected = line.grid.at(cell).unwrap_or(line.selected);
        }
    }

    /// The controls with the rules of the selected flock.
    pub fn controls(&self, context: &Context) -> Controls {
        let mut controls = context.client.controls().clone();
        if let Some(line) = &self.line {
            controls.setup.params = line.params(line.selected, context);
        }
        controls
    }

    /// Paints a row of the captions and of the borders around the selected and the marked tile.
    pub fn paint(&self, row: usize, context: &Context, cells: &mut [PackedCell]) {
        let (Some(line), Some(shown)) = (&self.line, &context.client.frame().brood) else { return };
        for number in 0..line.grid.count() {
            let tile = line.grid.tile(number);
            if (tile.row..tile.row + tile.rows).contains(&row)
                && let Some(cells) = cells.get_mut(tile.column..tile.column + tile.columns)
            {
                let from_end = tile.row + tile.rows - 1 - row;
                line.paint_tile(number, (row - tile.row, from_end), shown, context, cells);
            }
        }
    }
}

/// The key of an action, or its name.
pub fn key(action: Action, context: &Context) -> String {
    context.keymap.key(action).unwrap_or_else(|| action.id().to_owned())
}

impl Line {
    fn generation(&self) -> usize {
        self.earlier.len() + 1
    }

    /// The rules of the flock in a tile.
    fn params(&self, tile: usize, context: &Context) -> Params {
        let shown = context.client.frame().brood.as_ref();
        let child = shown.and_then(|shown| shown.child(&self.grid, tile));
        child.map_or(self.brood.parent.params, |child| child.params)
    }

    /// Shows the brood, with its parent selected.
    fn show(&mut self, context: &mut Context) {
        (self.selected, self.marked, self.focus) = (self.grid.middle(), None, None);
        self.brood.count = self.grid.count() - 1;
        let parent = &mut self.brood.parent;
        if parent.zones.is_empty() {
            let shape = tile_shape(&self.grid, context);
            parent.world = context.presets.world_in_shape(shape, &parent.params).unwrap_or(parent.world);
        }
        context.client.request(Request::Breed(Some(Box::new(self.brood.clone()))));
    }

    fn step(&mut self, right: isize, down: isize) {
        let side = self.grid.side();
        let moved = |at: usize, by: isize| at.saturating_add_signed(by).min(side - 1);
        self.selected = moved(self.selected / side, down) * side + moved(self.selected % side, right);
    }

    /// Makes the selected flock the next parent.
    fn choose(&mut self, context: &mut Context) {
        let params = self.params(self.selected, context);
        let mate = self.marked.filter(|marked| *marked != self.selected).map(|tile| self.params(tile, context));
        if mate.is_none() && params == self.brood.parent.params {
            let leave = key(Action::LeaveBreeding, context);
            return context.show_message(format!("this flock is yours already: {leave} leaves with it"));
        }
        let parent = self.brood.parent.clone().with_params(params);
        let next = Brood { parent, mate, seed: self.brood.seed.wrapping_add(1), ..self.brood };
        self.earlier.push(mem::replace(&mut self.brood, next));
        self.show(context);
    }

    fn mark(&mut self, context: &mut Context) {
        self.marked = if self.marked == Some(self.selected) { None } else { Some(self.selected) };
        let choose = key(Action::ChooseParent, context);
        context.show_message(match self.marked {
            Some(_) => format!("marked: {choose} on another flock crosses the two"),
            None => "no longer marked".to_owned(),
        });
    }

    fn draw_again(&mut self, context: &mut Context) {
        self.brood.seed = self.brood.seed.wrapping_add(1 << 32);
        self.show(context);
    }

    fn change_strength(&mut self, factor: f32, context: &mut Context) {
        self.brood.strength = (self.brood.strength * factor).clamp(STRENGTHS.0, STRENGTHS.1);
        self.show(context);
        context.show_message(if factor > 1.0 { "stronger mutations" } else { "weaker mutations" });
    }

    fn go_back(&mut self, context: &mut Context) {
        match self.earlier.pop() {
            Some(brood) => {
                self.brood = brood;
                self.show(context);
            }
            None => context.show_message("this is the first generation"),
        }
    }

    /// Paints a row of a tile, which is this far from its first and its last one.
    fn paint_tile(
        &self,
        number: usize,
        (from_start, from_end): (usize, usize),
        shown: &ShownBrood,
        context: &Context,
        cells: &mut [PackedCell],
    ) {
        let theme = context.theme.resolved();
        let (is_selected, is_marked) = (number == self.selected, Some(number) == self.marked);
        let style = if is_selected { theme.accent } else { theme.dim };
        if is_selected || is_marked {
            paint_border(from_start, from_end, is_marked, style, cells);
        }
        if from_end == 0 {
            let space = cells.len().saturating_sub(2);
            let text = match shown.child(&self.grid, number) {
                Some(child) => elide_middle(&child.caption(space), space),
                None if number == shown.parent(&self.grid) => "yours".to_owned(),
                None => String::new(),
            };
            let start = (cells.len() - text.width().min(cells.len())) / 2;
            let text = if text.is_empty() { text } else { format!(" {text} ") };
            let style = if is_selected { theme.accent } else { theme.text };
            cells.get_mut(start.saturating_sub(1)..).into_iter().for_each(|cells| write(&text, style, cells));
        }
    }
}

/// The aspect ratio of the picture in a tile.
fn tile_shape(grid: &TileGrid, context: &Context) -> f32 {
    let (tile, dot_height) = (grid.tile(0), context.display.dot_height());
    let rows = tile.rows.saturating_sub(1);
    CanvasFormat { columns: tile.columns, rows, dot_height, ..CanvasFormat::default() }.aspect_ratio()
}

/// Paints a row of a border behind the birds, dashed around a marked tile.
fn paint_border(from_start: usize, from_end: usize, is_dashed: bool, style: Style, cells: &mut [PackedCell]) {
    let [left, line, right] = match (from_start, from_end) {
        (0, _) => ["╭", if is_dashed { "╌" } else { "─" }, "╮"],
        (_, 0) => ["╰", if is_dashed { "╌" } else { "─" }, "╯"],
        _ if is_dashed => ["╎", " ", "╎"],
        _ => ["│", " ", "│"],
    };
    let inside = cells.len().saturating_sub(2);
    let text = format!("{left}{}{right}", line.repeat(inside));
    for (char, cell) in text.chars().zip(cells) {
        if char != ' ' && cell.char().is_none() {
            set(char, style, cell);
        }
    }
}

/// Writes characters of one cell each over the background.
fn write(text: &str, style: Style, cells: &mut [PackedCell]) {
    text.chars().zip(cells).for_each(|(char, cell)| set(char, style, cell));
}

fn set(char: char, style: Style, cell: &mut PackedCell) {
    cell.set_char(char, style.fg.map_or(PackedColor::DEFAULT, PackedColor::from), Modifier::empty());
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::Command;
    use crate::viewer::app::App;
    use crate::viewer::app::screen_tests::screen;
    use crate::viewer::app::tests::{app, show};

    /// Answers the requests of an app as the engine does. Returns them.
    fn settle(app: &mut App) -> Vec<Request> {
        let requests = app.requests();
        let controls = app.context.client.controls().clone();
        show(app, |frame| {
            (frame.request, frame.controls) = (frame.request + requests.len() as u64, controls);
            for request in &requests {
                if let Request::Breed(brood) = request {
                    frame.brood = brood.as_ref().map(|brood| ShownBrood { children: Arc::new(brood.first()), tick: 0 });
                }
            }
        });
        requests
    }

    fn act(app: &mut App, actions: &[Action]) -> Vec<Request> {
        let requests = actions.iter().map(|action| {
            app.act(*action);
            settle(app)
        });
        requests.flatten().collect()
    }

    fn brood(requests: &[Request]) -> Option<&Brood> {
        requests.iter().rev().find_map(|request| match request {
            Request::Breed(brood) => brood.as_deref(),
            _ => None,
        })
    }

    fn commands(requests: &[Request]) -> Vec<&Command> {
        requests
            .iter()
            .filter_map(|request| if let Request::Flock { command, .. } = request { Some(command) } else { None })
            .collect()
    }

    #[test]
    fn the_chosen_flock_flies_on_with_one_command() {
        let mut app = app(30);
        let first = act(&mut app, &[Action::Breed]);
        let first = brood(&first).unwrap().clone();
        assert_eq!((first.count, &first.parent), (8, &app.context.client.controls().setup));
        let shown = screen(&app, 80, 31);
        assert!(shown.contains(" yours ") && shown.contains("generation 1"), "{shown}");
        let second = act(&mut app, &[Action::SelectRight, Action::ChooseParent]);
        let chosen = first.first()[4].params;
        assert_eq!(brood(&second).unwrap().parent.params, chosen, "the flock right of the middle");
        let left = act(&mut app, &[Action::LeaveBreeding]);
        let [Command::SetParams(values, ticks)] = commands(&left)[..] else { panic!("{left:?}") };
        assert_eq!((*ticks, app.context.client.controls().setup.params), (60, chosen));
        assert!(values.iter().all(|(param, value)| param.get(&chosen) == *value));
    }

    #[test]
    fn a_flock_that_was_not_changed_flies_on_without_a_command() {
        let mut app = app(30);
        let setup = app.context.client.controls().setup.clone();
        let actions = [
            Action::Breed,
            Action::SelectBelow,
            Action::ChooseParent,
            Action::PreviousGeneration,
            Action::OtherChildren,
            Action::StrongerMutations,
            Action::Wind,
            Action::NextPreset,
            Action::MorePredators,
            Action::LeaveBreeding,
        ];
        let requests = act(&mut app, &actions);
        assert_eq!((commands(&requests).len(), &app.context.client.controls().setup), (0, &setup));
        assert!(matches!(
            requests.iter().rev().find(|request| matches!(request, Request::Breed(_))),
            Some(Request::Breed(None))
        ));
    }

    #[test]
    fn two_flocks_are_crossed() {
        let mut app = app(30);
        let first = act(&mut app, &[Action::Breed, Action::SelectLeft, Action::MarkMate]);
        let second = act(&mut app, &[Action::SelectRight, Action::SelectRight, Action::ChooseParent]);
        let children = brood(&first).unwrap().first();
        let crossed = brood(&second).unwrap();
        assert_eq!((crossed.parent.params, crossed.mate), (children[4].params, Some(children[3].params)));
    }

    #[test]
    fn a_small_screen_has_four_tiles() {
        let mut app = app(12);
        assert_eq!(brood(&act(&mut app, &[Action::Breed])).unwrap().count, 3);
        app.resize(ratatui::layout::Rect::new(0, 0, 80, 31), 1.0);
        settle(&mut app);
        app.on_frame();
        assert_eq!(brood(&settle(&mut app)).unwrap().count, 8);
    }
}
