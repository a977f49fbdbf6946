//! Popups and prompts over the flock, among them the command that reproduces it.

pub mod help;
pub mod list;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::context::Context;
use super::layout::Popup;
use super::palette;
use super::plots::{self, Plots};
use super::text::{left, wrap_anywhere};
use crate::viewer::actions::Action;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::palette::Palette;
use crate::viewer::text::LineEdit;
use help::{Help, HelpPage};
use list::{Filter, FilterList};

/// The maximum width of the command.
const COMMAND_WIDTH: u16 = 76;

/// The layout of an open popup over a screen without its status line; `None` for a prompt.
pub fn layout(overlay: &Overlay, around: Rect, context: &Context) -> Option<Popup> {
    Some(match overlay {
        Overlay::Help(help) => HelpPage::of(around.width, context, &help.filter).popup(around, help.first),
        Overlay::Presets(list) | Overlay::Themes(list) => list.popup(around),
        Overlay::Palette(palette) => palette::popup(around, palette),
        Overlay::Command(first) => command_popup(around, &command_lines(around.width, context), *first),
        Overlay::Measures(selected) => plots::page::list_popup(around, *selected),
        Overlay::Prompt(_) => return None,
    })
}

/// Draws an open popup. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, overlay: &Overlay, plots: &Plots, context: &Context) -> Rect {
    match overlay {
        Overlay::Help(help) => help::draw(buffer, around, context, help),
        Overlay::Presets(list) | Overlay::Themes(list) => list.draw(buffer, around, context.theme.resolved()),
        Overlay::Palette(palette) => palette::draw(buffer, around, palette, context.theme.resolved()),
        Overlay::Command(first) => draw_command(buffer, around, context, *first),
        Overlay::Measures(selected) => plots::page::draw_list(buffer, around, *selected, plots, context),
        Overlay::Prompt(_) => Rect::ZERO,
    }
}

/// The command and its comments, wrapped for a screen of `columns`.
fn command_lines(columns: u16, context: &Context) -> Vec<String> {
    let width = usize::from(command_width(columns));
    context
        .presets
        .reproduce_command(&context.client)
        .text()
        .lines()
        .flat_map(|line| wrap_anywhere(line, width))
        .collect()
}

/// The popup with these lines, scrolled to the `first` one.
fn command_popup(around: Rect, lines: &[String], first: usize) -> Popup {
    Popup::text(around, command_width(around.width), lines.len(), lines.len(), first)
}

/// Draws the command from its `first` line on. Returns its area.
fn draw_command(buffer: &mut Buffer, around: Rect, context: &Context, first: usize) -> Rect {
    let (theme, lines) = (context.theme.resolved(), command_lines(around.width, context));
    let popup = command_popup(around, &lines, first);
    popup.draw_frame(buffer, "command for this flock", theme);
    for (row, text, _) in popup.visible(&lines) {
        left(buffer, row, text, theme.text);
    }
    popup.area
}

fn command_width(columns: u16) -> u16 {
    COMMAND_WIDTH.min(columns.saturating_sub(2))
}

/// A popup or a prompt. Numbers are the first visible line of a text, or the selected entry of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The key bindings.
    Help(Help),
    /// The list of presets.
    Presets(FilterList),
    /// The list of themes, the selected one of which is shown.
    Themes(FilterList),
    /// A value or a name being typed.
    Prompt(Prompt),
    /// The command palette.
    Palette(Palette),
    /// The command that reproduces the flock.
    Command(usize),
    /// The list of measures to plot.
    Measures(usize),
}

impl Overlay {
    /// Whether a move applies while this is open.
    pub fn accepts_move(&self, navigation: Navigation) -> bool {
        match navigation {
            Navigation::Close => true,
            Navigation::Next | Navigation::Previous => {
                matches!(self, Self::Palette(_) | Self::Presets(_) | Self::Themes(_))
            }
            Navigation::Confirm => !matches!(self, Self::Help(_) | Self::Command(_)),
            _ => !matches!(self, Self::Prompt(_)),
        }
    }

    /// Whether an action applies while this is open. All others are ignored.
    pub fn accepts(&self, action: Action) -> bool {
        use Action::{
            ChooseMeasures, ChoosePreset, ChooseTheme, Help, Palette, Pause, Quit, Reload, ShowCommand, Suspend,
        };
        match action {
            Quit | Suspend | Reload => true,
            Pause | Help | ShowCommand | ChoosePreset | ChooseTheme | ChooseMeasures | Palette => {
                !matches!(self, Self::Prompt(_) | Self::Palette(_))
            }
            _ => action.preset().is_some() && matches!(self, Self::Presets(_)),
        }
    }

    /// Whether an action closes this: the one that opens it, and in a filtered popup also the one for help.
    pub fn is_closed_by(&self, action: Action) -> bool {
        match self {
            Self::Help(_) => action == Action::Help,
            Self::Presets(_) => matches!(action, Action::ChoosePreset | Action::Help),
            Self::Themes(_) => matches!(action, Action::ChooseTheme | Action::Help),
            Self::Command(_) => action == Action::ShowCommand,
            Self::Measures(_) => action == Action::ChooseMeasures,
            Self::Prompt(_) | Self::Palette(_) => false,
        }
    }

    /// Whether a key types its symbol instead of performing its action. While a filter is empty, its letters type, and all
    /// other keys perform what this accepts; so does the letter that closes it.
    pub fn types(&self, symbol: char, action: Option<Action>) -> bool {
        let is_typing = self.filter().is_none_or(|filter| !filter.is_empty());
        is_typing
            || !action
                .is_some_and(|action| self.is_closed_by(action) || !symbol.is_alphabetic() && self.accepts(action))
    }

    /// Whether it takes typed text.
    pub fn is_text_input(&self) -> bool {
        matches!(self, Self::Prompt(_) | Self::Palette(_)) || self.filter().is_some()
    }

    /// The filter of its lines.
    fn filter(&self) -> Option<&Filter> {
        match self {
            Self::Help(help) => Some(&help.filter),
            Self::Presets(list) | Self::Themes(list) => Some(list.filter()),
            Self::Prompt(_) | Self::Palette(_) | Self::Command(_) | Self::Measures(_) => None,
        }
    }

    /// Edits the typed text.
    pub fn edit(&mut self, edit: LineEdit) {
        match self {
            Self::Help(help) => {
                help.filter.edit(edit);
                help.first = 0;
            }
            Self::Presets(list) | Self::Themes(list) => list.edit(edit),
            Self::Prompt(prompt) => prompt.edit(edit),
            Self::Palette(palette) => palette.edit(edit),
            Self::Command(_) | Self::Measures(_) => {}
        }
    }

    /// Moves by a number of lines, at most to the last one, which is `end` in a text. A move by one entry may wrap around.
    pub fn scroll(&mut self, lines: usize, down: bool, wraps: bool, end: usize) {
        let (line, end) = match self {
            Self::Presets(list) | Self::Themes(list) => list.cursor(),
            Self::Palette(palette) => (&mut palette.marked, palette.found.len().saturating_sub(1)),
            Self::Help(help) => (&mut help.first, end),
            Self::Command(line) | Self::Measures(line) => (line, end),
            Self::Prompt(_) => return,
        };
        // After the window has grown, the line may lie past the end.
        let current = (*line).min(end);
        *line = match down {
            true if wraps && current == end => 0,
            true => current.saturating_add(lines).min(end),
            false if wraps && current == 0 => end,
            false => current.saturating_sub(lines),
        };
    }

    /// Selects the entry on a line of a list. Returns whether there is one.
    pub fn select_line(&mut self, number: usize) -> bool {
        match self {
            Self::Presets(list) | Self::Themes(list) => return list.select_line(number),
            Self::Measures(line) => *line = number,
            Self::Palette(palette) => palette.marked = number,
            Self::Help(_) | Self::Prompt(_) | Self::Command(_) => return false,
        }
        true
    }
}

/// The longest value.
const MAX_VALUE_LENGTH: usize = 16;
/// The longest text for boids to write.
pub const MAX_TEXT_LENGTH: usize = 200;
/// The longest preset name.
const MAX_NAME_LENGTH: usize = 32;

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A value for the selected parameter.
    Value,
    /// A text for boids to write.
    Text,
    /// A name for the preset.
    Name,
    /// Whether to overwrite the preset of this name.
    Overwrite,
}

/// An open prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it asks for.
    pub kind: PromptKind,
    /// The typed text.
    pub text: String,
}

impl Prompt {
    /// An empty prompt.
    pub fn new(kind: PromptKind) -> Self {
        Self { kind, text: String::new() }
    }

    /// Edits the text. In a name, a space becomes `-`; a changed name is no longer one to overwrite.
    pub fn edit(&mut self, edit: LineEdit) {
        match self.kind {
            PromptKind::Value => return edit.apply(&mut self.text, MAX_VALUE_LENGTH),
            PromptKind::Text => return edit.apply(&mut self.text, MAX_TEXT_LENGTH),
            PromptKind::Name | PromptKind::Overwrite => {}
        }
        let edit = if edit == LineEdit::Insert(' ') { LineEdit::Insert('-') } else { edit };
        edit.apply(&mut self.text, MAX_NAME_LENGTH);
        self.kind = PromptKind::Name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_a_name_cancels_overwriting() {
        let mut prompt = Prompt { kind: PromptKind::Overwrite, text: "geese".into() };
        prompt.edit(LineEdit::Insert('2'));
        assert_eq!(prompt, Prompt { kind: PromptKind::Name, text: "geese2".into() });
        (0..40).for_each(|_| prompt.edit(LineEdit::Insert('x')));
        prompt.edit(LineEdit::Insert('\n'));
        assert_eq!(prompt.text.len(), 32);
        (0..40).for_each(|_| prompt.edit(LineEdit::DeleteChar));
        assert_eq!(prompt.text, "");
    }

    #[test]
    fn words_and_lines_are_deleted_at_once() {
        let mut text = "coh radius  30 ".to_owned();
        for left in ["coh radius  ", "coh ", "", ""] {
            LineEdit::DeleteWord.apply(&mut text, 60);
            assert_eq!(text, left);
        }
        let mut prompt = Prompt::new(PromptKind::Name);
        "my geese".chars().for_each(|symbol| prompt.edit(LineEdit::Insert(symbol)));
        assert_eq!(prompt.text, "my-geese");
        prompt.edit(LineEdit::Clear);
        assert_eq!(prompt, Prompt::new(PromptKind::Name));
    }
}
