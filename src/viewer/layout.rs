//! The regions of the screen, and the frame of a popup over them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::{Block, Clear, Widget};

use super::text::{left, line, right, wrap};
use crate::picture::ResolvedTheme;

/// The width of the panel including its border.
const PANEL_WIDTH: u16 = 26;
/// The minimum screen size for a panel.
const PANEL_FROM: u16 = 80;
const PANEL_FROM_ROWS: u16 = 10;
/// The minimum screen height for a status line.
const STATUS_FROM_ROWS: u16 = 4;

/// The minimum height of a region that the flock and the plots share.
const SHARED_FROM_ROWS: u16 = 16;

/// Where the plots are in the flock's region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlotsPlace {
    /// They are hidden.
    #[default]
    Hidden,
    /// In its lower half.
    BelowFlock,
    /// In all of it.
    Alone,
}

impl PlotsPlace {
    /// The place in a region of a height: a low one has no space for the flock above the plots.
    #[must_use]
    pub fn fitted(self, height: u16) -> Self {
        if self == Self::BelowFlock && height < SHARED_FROM_ROWS { Self::Alone } else { self }
    }

    /// The next place in a region of a height.
    #[must_use]
    pub fn next(self, height: u16) -> Self {
        match self.fitted(height) {
            Self::Hidden => Self::BelowFlock.fitted(height),
            Self::BelowFlock => Self::Alone,
            Self::Alone => Self::Hidden,
        }
    }
}

/// The regions of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regions {
    /// The flock.
    pub flock: Rect,
    /// The plots: all of the flock's region, or below it.
    pub plots: Option<Rect>,
    /// The panel, unless hidden or without space.
    pub panel: Option<Rect>,
    /// The status line, unless hidden or without space.
    pub status: Option<Rect>,
}

impl Regions {
    /// Divides a screen; `clean` gives all of it to the flock.
    pub fn new(screen: Rect, clean: bool) -> Self {
        if clean || screen.height < STATUS_FROM_ROWS {
            return Self { flock: screen, plots: None, panel: None, status: None };
        }
        let status = Rect { y: screen.bottom() - 1, height: 1, ..screen };
        let above = Rect { height: screen.height - 1, ..screen };
        if screen.width < PANEL_FROM || screen.height < PANEL_FROM_ROWS {
            return Self { flock: above, plots: None, panel: None, status: Some(status) };
        }
        let panel = Rect { x: above.right() - PANEL_WIDTH, width: PANEL_WIDTH, ..above };
        let flock = Rect { width: above.width - PANEL_WIDTH, ..above };
        Self { flock, plots: None, panel: Some(panel), status: Some(status) }
    }

    /// The same regions without a panel.
    #[must_use]
    pub fn without_panel(self) -> Self {
        let width = self.flock.width + self.panel.map_or(0, |panel| panel.width);
        Self { flock: Rect { width, ..self.flock }, panel: None, ..self }
    }

    /// The same regions with plots.
    #[must_use]
    pub fn with_plots(self, place: PlotsPlace) -> Self {
        let all = self.flock;
        match place.fitted(all.height) {
            PlotsPlace::Hidden => self,
            PlotsPlace::BelowFlock => {
                let flock = Rect { height: all.height - all.height / 2, ..all };
                let plots = Rect { y: flock.bottom(), height: all.height / 2, ..all };
                Self { flock, plots: Some(plots), ..self }
            }
            PlotsPlace::Alone => Self { plots: Some(all), ..self },
        }
    }

    /// Whether plots cover the flock.
    pub fn is_flock_covered(&self) -> bool {
        self.plots == Some(self.flock)
    }

    /// The screen without its status line, where popups open.
    pub fn above_status(&self, screen: Rect) -> Rect {
        Rect { height: screen.height - self.status.map_or(0, |status| status.height), ..screen }
    }

    /// The width and height of the flock's region, in cells.
    pub fn canvas(&self) -> Size {
        self.flock.as_size()
    }
}

/// The height of a list's footer: a rule and two lines.
pub const FOOTER_HEIGHT: u16 = 3;
/// The minimum number of entries above a footer.
const ENTRIES: u16 = 4;

/// The layout of a popup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Popup {
    /// Its area including the border.
    pub area: Rect,
    /// The area for its lines.
    pub inner: Rect,
    /// The footer of a list.
    foot: Rect,
    /// The number of lines, visible or not.
    pub lines: usize,
    /// The first visible line.
    pub first: usize,
    /// The selected line of a list.
    pub selected: Option<usize>,
}

impl Popup {
    /// A popup of this size with `lines` of text, scrolled to the `first` one as far as the text goes.
    pub fn text(around: Rect, width: u16, height: usize, lines: usize, first: usize) -> Self {
        let (area, inner) = place(around, width, height as u16);
        let first = first.min(lines.saturating_sub(inner.height.into()));
        Self { area, inner, foot: Rect::ZERO, lines, first, selected: None }
    }

    /// A list in a part of a popup, scrolled so that the selected entry is visible. In lists without space for descriptions
    /// next to the names, a footer of the height `foot` describes the selected entry.
    pub fn list(area: Rect, inside: Rect, foot: u16, lines: usize, selected: usize) -> Self {
        let height = if inside.height >= ENTRIES + foot { foot } else { 0 };
        let inner = Rect { height: inside.height - height, ..inside };
        let foot = Rect { y: inner.bottom(), height, ..inside };
        let first = (selected + 1).saturating_sub(inner.height.into());
        Self { area, inner, foot, lines, first, selected: Some(selected) }
    }

    /// The last position: the last entry of a list, or the line that shows the end of a text.
    pub fn last_line(&self) -> usize {
        self.lines.saturating_sub(if self.selected.is_some() { 1 } else { self.inner.height.into() })
    }

    /// The visible ones of its lines, with their places on the screen and whether they are selected.
    pub fn visible<'a, T>(&self, lines: &'a [T]) -> impl Iterator<Item = (Rect, &'a T, bool)> + use<'a, T> {
        let selected = self.selected;
        let shown = lines.iter().enumerate().skip(self.first);
        self.inner.rows().zip(shown).map(move |(row, (index, line))| (row, line, selected == Some(index)))
    }

    /// Draws the empty popup, with the number of lines below the visible ones on its lower border.
    pub fn draw_frame(&self, buffer: &mut Buffer, title: &str, theme: &ResolvedTheme) {
        Clear.render(self.area, buffer);
        buffer.set_style(self.area, theme.text);
        let block = Block::bordered().border_style(theme.dim).title(format!(" {title} ")).title_style(theme.accent);
        block.render(self.area, buffer);
        let below = self.lines.saturating_sub(self.first + usize::from(self.inner.height));
        if below > 0 {
            let foot = line(self.area, self.area.height.saturating_sub(1));
            right(buffer, foot, &format!(" {below} more ↓ "), theme.dim);
        }
    }

    /// Describes the selected entry in a list's footer.
    pub fn draw_footer(&self, buffer: &mut Buffer, summary: Option<&str>, theme: &ResolvedTheme) {
        let Some(summary) = summary else { return };
        draw_rule(buffer, line(self.foot, 0), theme);
        let lines = wrap(summary, usize::from(self.foot.width.saturating_sub(1)));
        for (row, text) in self.foot.rows().skip(1).zip(lines) {
            left(buffer, row, &format!(" {text}"), theme.text);
        }
    }
}

/// Centers a popup with `(width, height)` inside its border, shrunk to fit. Returns its area and its inside.
pub fn place(around: Rect, width: u16, height: u16) -> (Rect, Rect) {
    let (width, height) = ((width + 2).min(around.width), (height + 2).min(around.height));
    let area =
        Rect { x: around.x + (around.width - width) / 2, y: around.y + (around.height - height) / 2, width, height };
    (area, Block::bordered().inner(area))
}

/// Draws a horizontal rule.
pub fn draw_rule(buffer: &mut Buffer, row: Rect, theme: &ResolvedTheme) {
    left(buffer, row, &"─".repeat(usize::from(row.width)), theme.dim);
}

#[cfg(test)]
mod tests {
    use super::PlotsPlace::{Alone, BelowFlock, Hidden};
    use super::*;

    #[test]
    fn small_and_clean_screens_belong_to_the_flock() {
        let regions = |width, height, clean| Regions::new(Rect::new(0, 0, width, height), clean);
        assert_eq!(regions(120, 40, false).canvas(), Size::new(94, 39));
        assert_eq!(regions(79, 40, false).canvas(), Size::new(79, 39));
        assert_eq!(regions(120, 40, true).canvas(), Size::new(120, 40));
        assert_eq!(regions(1, 1, false).canvas(), Size::new(1, 1));
        assert_eq!(regions(0, 0, false).canvas(), Size::new(0, 0));
    }

    #[test]
    fn plots_are_below_the_flock_then_alone_then_hidden() {
        let places = |height| {
            let first = PlotsPlace::Hidden.next(height);
            [first, first.next(height), first.next(height).next(height)]
        };
        assert_eq!(places(SHARED_FROM_ROWS), [BelowFlock, Alone, Hidden]);
        assert_eq!(places(SHARED_FROM_ROWS - 1), [Alone, Hidden, Alone]);
        let all = Regions::new(Rect::new(0, 0, 80, 24), false);
        let split = all.with_plots(BelowFlock);
        assert_eq!((split.flock.height, split.plots), (12, Some(Rect::new(0, 12, 54, 11))));
        assert!(all.with_plots(Alone).is_flock_covered() && !split.is_flock_covered());
    }
}
