//! The regions of the screen.

use ratatui::layout::Rect;

/// The width of the panel including its border.
const PANEL_WIDTH: u16 = 32;
/// The minimum screen size for a panel.
const PANEL_FROM: u16 = 80;
const PANEL_FROM_ROWS: u16 = 10;
/// The minimum screen height for a status line.
const STATUS_FROM_ROWS: u16 = 4;

/// The regions of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regions {
    /// The flock.
    pub flock: Rect,
    /// The panel, unless hidden or without space.
    pub panel: Option<Rect>,
    /// The status line, unless hidden or without space.
    pub status: Option<Rect>,
}

impl Regions {
    /// Divides a screen; `clean` gives all of it to the flock.
    #[must_use]
    pub fn new(screen: Rect, clean: bool) -> Self {
        if clean || screen.height < STATUS_FROM_ROWS {
            return Self { flock: screen, panel: None, status: None };
        }
        let status = Rect { y: screen.bottom() - 1, height: 1, ..screen };
        let above = Rect { height: screen.height - 1, ..screen };
        if screen.width < PANEL_FROM || screen.height < PANEL_FROM_ROWS {
            return Self { flock: above, panel: None, status: Some(status) };
        }
        let panel = Rect { x: above.right() - PANEL_WIDTH, width: PANEL_WIDTH, ..above };
        let flock = Rect { width: above.width - PANEL_WIDTH, ..above };
        Self { flock, panel: Some(panel), status: Some(status) }
    }

    /// The screen without its status line, where popups open.
    #[must_use]
    pub fn above_status(&self, screen: Rect) -> Rect {
        Rect { height: screen.height - self.status.map_or(0, |status| status.height), ..screen }
    }

    /// The width and height of the flock's region, in cells.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        (usize::from(self.flock.width), usize::from(self.flock.height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_clean_screens_belong_to_the_flock() {
        let regions = |width, height, clean| Regions::new(Rect::new(0, 0, width, height), clean);
        assert_eq!(regions(120, 40, false).canvas(), (88, 39));
        assert_eq!(regions(79, 40, false).canvas(), (79, 39));
        assert_eq!(regions(120, 40, true).canvas(), (120, 40));
        assert_eq!(regions(1, 1, false).canvas(), (1, 1));
        assert_eq!(regions(0, 0, false).canvas(), (0, 0));
    }
}
