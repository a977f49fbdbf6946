//! Breeding by eye: a flock and its children on tiles, of which the user chooses the next parent.

use ratatui::layout::{Position, Size};
use ratatui::style::{Modifier, Style};

use super::actions::Action;
use super::context::Context;
use super::text::elide_middle;
use crate::engine::{Breed, Controls, Request, ShownBrood};
use crate::picture::{CanvasFormat, PackedCell, PackedColor, TileGrid, UnicodeWidthStr};
use crate::sim::{Param, Params, Setup};

/// The factor of a step of the strength of mutations.
const STRENGTH_STEP: f32 = 1.5;

/// What the user has selected among the flocks of a brood.
#[derive(Clone, Copy, Debug, Default)]
pub struct Breeding {
    /// The selected tile; `None` is the middle.
    selected: Option<usize>,
    /// The other flock of a cross.
    marked: Option<usize>,
    /// Whether to leave when a frame shows the flock in the middle.
    leaves: bool,
}

impl Breeding {
    /// Performs an action while tiles are shown, or the one that shows them. Returns whether it is one of these.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        match action {
            Action::Breed => self.ask(Breed::Start, context),
            Action::SelectAbove => self.select(0, -1, context),
            Action::SelectBelow => self.select(0, 1, context),
            Action::SelectLeft => self.select(-1, 0, context),
            Action::SelectRight => self.select(1, 0, context),
            Action::ChooseParent => self.choose(context),
            Action::MarkMate => self.mark(context),
            Action::OtherChildren => self.ask(Breed::OtherChildren, context),
            Action::StrongerMutations => {
                self.ask(Breed::Strength(STRENGTH_STEP), context);
                context.show_message("stronger mutations");
            }
            Action::WeakerMutations => {
                self.ask(Breed::Strength(1.0 / STRENGTH_STEP), context);
                context.show_message("weaker mutations");
            }
            Action::PreviousGeneration => self.ask(Breed::Back, context),
            Action::LeaveBreeding => self.leave(context),
            _ => return false,
        }
        true
    }

    /// Asks for other children, with their parent selected. A world without zones takes the shape of a tile.
    fn ask(&mut self, step: Breed, context: &mut Context) {
        *self = Self::default();
        let (tile, dot_height) = (grid(context).tile(0), context.display.dot_height());
        let rows = tile.rows.saturating_sub(1);
        let picture = CanvasFormat { columns: tile.columns, rows, dot_height, ..CanvasFormat::default() };
        let Setup { params, zones, .. } = &context.client.controls().setup;
        let world = context.presets.world_in_shape(picture.aspect_ratio(), params).filter(|_| zones.is_empty());
        context.client.request(Request::Breed(step, world));
    }

    fn select(&mut self, right: isize, down: isize, context: &Context) {
        let (side, selected) = (grid(context).side, self.selected(&grid(context)));
        let moved = |at: usize, by: isize| at.saturating_add_signed(by).min(side - 1);
        self.selected = Some(moved(selected / side, down) * side + moved(selected % side, right));
    }

    /// Selects the tile at a cell of the canvas.
    pub fn select_at(&mut self, cell: Position, context: &Context) {
        self.selected = grid(context).at(cell.x.into(), cell.y.into()).or(self.selected);
    }

    /// Makes the selected flock the next parent.
    fn choose(&mut self, context: &mut Context) {
        let Some(shown) = &context.client.frame().brood else { return };
        let params = |tile| params(shown, tile, context);
        let selected = self.selected(&grid(context));
        let mate = self.marked.filter(|marked| *marked != selected).map(|marked| Box::new(params(marked)));
        if mate.is_none() && params(selected) == shown.brood.parent.params {
            let leave = context.key(Action::LeaveBreeding);
            return context.show_message(format!("this flock is yours already: {leave} leaves with it"));
        }
        self.ask(Breed::Parent(Box::new(params(selected)), mate), context);
    }

    fn mark(&mut self, context: &mut Context) {
        let selected = self.selected(&grid(context));
        self.marked = if self.marked == Some(selected) { None } else { Some(selected) };
        let choose = context.key(Action::ChooseParent);
        context.show_message(match self.marked {
            Some(_) => format!("marked: {choose} on another flock crosses the two"),
            None => "no longer marked".to_owned(),
        });
    }

    /// Shows the session's flock again, with the rules of the flock in the middle, once a frame shows the one that was asked for.
    fn leave(&mut self, context: &mut Context) {
        self.leaves = !context.client.is_settled();
        let Some(shown) = context.client.frame().brood.as_ref().filter(|_| !self.leaves) else { return };
        let (bred, generation) = (shown.brood.parent.params, shown.generation);
        let values = Param::table().iter().map(|param| (param, param.get(&bred))).collect();
        context.client.request(Request::Breed(Breed::Leave, None));
        let changes = context.client.set_params(values, bred.change.morph);
        let undo = context.key(Action::Undo);
        let presets = &mut context.presets;
        if let Some(preset) = presets.all.iter().rfind(|preset| preset.from_user && preset.params == bred)
            && changes
        {
            presets.base.clone_from(preset);
        }
        context.show_message(if changes {
            format!("the flock of generation {generation} flies; {undo} undoes")
        } else {
            "the flock flies on unchanged".to_owned()
        });
    }

    /// Follows the latest frame.
    pub fn on_frame(&mut self, context: &mut Context) {
        if self.leaves {
            self.leave(context);
        }
    }

    fn selected(&self, grid: &TileGrid) -> usize {
        self.selected.filter(|tile| *tile < grid.count()).unwrap_or(grid.middle())
    }

    /// The only tile to draw in each picture, if the link is slow.
    pub fn focus(&self, context: &Context) -> Option<usize> {
        context.theme.is_limited().then(|| self.selected(&grid(context)))
    }

    /// The controls with the rules of the selected flock.
    pub fn controls(&self, context: &Context) -> Controls {
        let mut controls = context.client.controls().clone();
        if let Some(shown) = &context.client.frame().brood {
            controls.setup.params = params(shown, self.selected(&grid(context)), context);
        }
        controls
    }

    /// Paints a row of the captions and of the borders around the selected and the marked tile.
    pub fn paint(&self, row: usize, context: &Context, cells: &mut [PackedCell]) {
        let Some(shown) = &context.client.frame().brood else { return };
        let (grid, theme) = (grid(context), context.theme.resolved());
        for number in 0..grid.count() {
            let tile = grid.tile(number);
            let Some(cells) = cells.get_mut(tile.column..tile.column + tile.columns) else { continue };
            if !(tile.row..tile.row + tile.rows).contains(&row) {
                continue;
            }
            let from_end = tile.row + tile.rows - 1 - row;
            let (is_selected, is_marked) = (number == self.selected(&grid), Some(number) == self.marked);
            if is_selected || is_marked {
                let style = if is_selected { theme.accent } else { theme.dim };
                paint_border(row - tile.row, from_end, is_marked, style, cells);
            }
            if from_end == 0 {
                let space = cells.len().saturating_sub(2);
                let text = match shown.child(&grid, number) {
                    Some(child) => elide_middle(&child.caption(space), space),
                    None if number == shown.parent(&grid) => "yours".to_owned(),
                    None if shown.children.is_empty() => "breeding…".to_owned(),
                    None => continue,
                };
                let start = (cells.len() - text.width().min(cells.len())) / 2;
                let style = if is_selected { theme.accent } else { theme.text };
                let cells = cells.iter_mut().skip(start.saturating_sub(1));
                format!(" {text} ").chars().zip(cells).for_each(|(char, cell)| set(char, style, cell));
            }
        }
    }
}

fn grid(context: &Context) -> TileGrid {
    let Size { width, height } = context.display.canvas();
    TileGrid::new(width.into(), height.into())
}

/// The rules of the flock in a tile.
fn params(shown: &ShownBrood, tile: usize, context: &Context) -> Params {
    shown.child(&grid(context), tile).map_or(shown.brood.parent.params, |child| child.params)
}

/// Paints a row of a border over the birds, dashed around a marked tile.
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
        if char != ' ' {
            set(char, style, cell);
        }
    }
}

fn set(char: char, style: Style, cell: &mut PackedCell) {
    cell.set_char(char, style.fg.map_or(PackedColor::DEFAULT, PackedColor::from), Modifier::empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breed::Brood;
    use crate::engine::FrameMaker;
    use crate::sim::Command;
    use crate::viewer::actions::Mode;
    use crate::viewer::app::App;
    use crate::viewer::app::screen_tests::screen;
    use crate::viewer::app::tests::{app, show};

    /// A viewer, and what makes its frames.
    struct Breeder {
        app: App,
        maker: FrameMaker,
    }

    impl Breeder {
        fn new(rows: u16) -> Self {
            let app = app(rows);
            Self { maker: FrameMaker::new(app.context.client.frame().clone(), app.format()), app }
        }

        /// Answers the requests as the engine does. Returns them.
        fn settle(&mut self) -> Vec<Request> {
            let (requests, maker) = (self.app.requests(), &mut self.maker);
            maker.frame.controls = self.app.context.client.controls().clone();
            maker.frame.request += requests.len() as u64;
            for request in &requests {
                maker.handle(request.clone()).unwrap();
            }
            maker.frame.brood = maker.tiles.as_ref().map(|tiles| tiles.shown.clone());
            show(&mut self.app, |frame| maker.copy_values(frame));
            requests
        }

        fn act(&mut self, actions: &[Action]) -> Vec<Request> {
            let requests = actions.iter().map(|action| {
                self.app.act(*action);
                self.settle()
            });
            requests.flatten().collect()
        }

        /// The shown brood.
        fn brood(&self) -> Brood {
            self.maker.tiles.as_ref().unwrap().shown.brood.clone()
        }
    }

    fn commands(requests: &[Request]) -> Vec<&Command> {
        requests
            .iter()
            .filter_map(|request| if let Request::Flock { command, .. } = request { Some(command) } else { None })
            .collect()
    }

    #[test]
    fn the_chosen_flock_flies_on_with_one_command() {
        let mut breeder = Breeder::new(30);
        breeder.act(&[Action::Breed]);
        let first = breeder.brood();
        assert_eq!((first.count, &first.parent), (8, &breeder.app.context.client.controls().setup));
        let shown = screen(&breeder.app, 80, 31);
        assert!(shown.contains(" yours ") && shown.contains("generation 1"), "{shown}");
        breeder.act(&[Action::SelectRight, Action::ChooseParent]);
        let chosen = first.first()[4].params;
        assert_eq!(breeder.brood().parent.params, chosen, "the flock right of the middle");
        let left = breeder.act(&[Action::LeaveBreeding]);
        let [Command::SetParams(values, ticks)] = commands(&left)[..] else { panic!("{left:?}") };
        assert_eq!((*ticks, breeder.app.context.client.controls().setup.params), (60, chosen));
        assert!(values.iter().all(|(param, value)| param.get(&chosen) == *value));
    }

    #[test]
    fn leaving_waits_for_the_flock_that_was_just_chosen() {
        let mut breeder = Breeder::new(30);
        breeder.act(&[Action::Breed, Action::SelectRight]);
        let chosen = breeder.brood().first()[4].params;
        breeder.app.act(Action::ChooseParent);
        breeder.app.act(Action::LeaveBreeding);
        assert_eq!(commands(&breeder.settle()), [&Command::Restart; 0]);
        assert!(matches!(commands(&breeder.settle())[..], [Command::SetParams(..)]));
        assert_eq!(breeder.app.context.client.controls().setup.params, chosen);
        assert_eq!(breeder.app.context.mode(), Mode::Flying);
    }

    #[test]
    fn a_flock_that_was_not_changed_flies_on_without_a_command() {
        let mut breeder = Breeder::new(30);
        let setup = breeder.app.context.client.controls().setup.clone();
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
        let requests = breeder.act(&actions);
        assert_eq!((commands(&requests).len(), &breeder.app.context.client.controls().setup), (0, &setup));
        assert!(breeder.maker.tiles.is_none());
    }

    #[test]
    fn two_flocks_are_crossed() {
        let mut breeder = Breeder::new(30);
        breeder.act(&[Action::Breed, Action::SelectLeft, Action::MarkMate]);
        let children = breeder.brood().first();
        breeder.act(&[Action::SelectRight, Action::SelectRight, Action::ChooseParent]);
        let crossed = breeder.brood();
        assert_eq!((crossed.parent.params, crossed.mate), (children[4].params, Some(children[3].params)));
    }

    #[test]
    fn a_small_screen_has_four_tiles() {
        let mut breeder = Breeder::new(12);
        breeder.act(&[Action::Breed]);
        assert_eq!(breeder.brood().count, 3);
        breeder.app.resize(ratatui::layout::Rect::new(0, 0, 80, 31), 1.0);
        breeder.settle();
        assert_eq!(breeder.brood().count, 8);
    }
}
