//! Draws the screen, and maps its cells to what the mouse hits there.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use super::App;
use crate::config::Theme;
use crate::engine::Controls;
use crate::picture::Surface;
use crate::sim::Param;
use crate::viewer::client::Client;
use crate::viewer::context::Context;
use crate::viewer::flock::Overlays;
use crate::viewer::gauges::{self, GaugePart};
use crate::viewer::layout::{Popup, Regions};
use crate::viewer::plots::measure::PlotMeasure;
use crate::viewer::plots::{Plots, page, sparklines};
use crate::viewer::popups::Overlay;
use crate::viewer::presets::Presets;
use crate::viewer::status::{Status, Throughput};
use crate::viewer::text::line;
use crate::viewer::theme::{Colors, ThemeState};
use crate::viewer::timeline::row::TimelineRow;
use crate::viewer::{flock, panel, popups, status};

/// A target of the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hit {
    /// The flock.
    Flock,
    /// The page of plots.
    Page,
    /// The timeline.
    Timeline,
    /// A gauge.
    Gauge(&'static Param, GaugePart),
    /// A sparkline of this measure.
    Sparkline(&'static PlotMeasure),
    /// The rest of the panel.
    Panel,
    /// An entry of the open list.
    Entry(usize),
    /// The rest of the open popup.
    Inside,
    /// Outside the open popup.
    Outside,
    /// Anything else.
    Elsewhere,
}

impl App {
    pub(in crate::viewer) fn regions(&self, screen: Rect) -> Regions {
        self.context.regions(screen).with_plots(self.plots.place())
    }

    /// The area of the gauges, if there is a panel, including right after `clean` changed.
    pub(super) fn gauges_area(&self) -> Option<Rect> {
        let above = self.context.display.above_status();
        let panel = self.context.regions(Rect { height: above.height + 1, ..above }).panel;
        panel.and_then(|area| panel::gauges(area, &self.context))
    }

    /// The timeline, if it is shown and no popup covers it.
    pub(in crate::viewer) fn timeline_row(&self, screen: Rect) -> Option<TimelineRow> {
        self.timeline_below(self.popup(screen), screen)
    }

    /// The timeline, unless this popup covers it.
    fn timeline_below(&self, popup: Option<Popup>, screen: Rect) -> Option<TimelineRow> {
        TimelineRow::new(&self.timeline, &self.context, screen, popup.map(|popup| popup.area))
    }

    /// The layout of the open popup on a screen.
    fn popup(&self, screen: Rect) -> Option<Popup> {
        popups::layout(self.overlay.as_ref()?, self.regions(screen).above_status(screen), &self.context)
    }

    /// Draws the flock, unless the page of plots covers it.
    pub fn draw_flock(&self, surface: &mut impl Surface, screen: Rect) {
        let regions = self.regions(screen);
        if !regions.is_flock_covered() {
            let has_timeline = regions.plots.is_none() && self.timeline.is_shown(&self.context);
            let (intro, caption) = (self.screensaver.intro(), self.screensaver.caption());
            let scale = self.shows_scale && !self.context.client.is_breeding();
            let scale = scale && (self.context.shows_effect() || self.viewport.is_zooming());
            let over = Overlays { intro, caption, tiles: Some(&self.breeding), scale };
            flock::draw(surface, regions.flock, has_timeline, over, &self.context);
        }
    }

    /// Draws everything on top of the flock. Without `with_values` the panel and the page of plots, which show measures, stay as
    /// they are. Returns the areas.
    pub fn draw_chrome(&self, buffer: &mut Buffer, throughput: Throughput, with_values: bool) -> [Rect; 5] {
        let (screen, context) = (buffer.area, &self.context);
        let regions = self.regions(screen);
        let panel = regions.panel.filter(|_| with_values).unwrap_or_default();
        let popup = self.popup(screen);
        let timeline = self.timeline_below(popup, screen);
        let page = regions.plots.filter(|_| with_values).unwrap_or_default();
        if !page.is_empty() {
            let height = page.height - u16::from(timeline.is_some());
            let changes = Plots::changes(&self.timeline, context);
            page::draw(buffer, Rect { height, ..page }, &self.plots, &changes, context);
        }
        // Without a status line, a message or a prompt covers the flock's last line.
        let has_message = context.notice(0).is_some() || matches!(self.overlay, Some(Overlay::Prompt(_)));
        let last_line = line(screen, screen.height.saturating_sub(1));
        let status = regions.status.or(has_message.then_some(last_line)).unwrap_or_default();
        for area in [panel, status] {
            Clear.render(area, buffer);
            buffer.set_style(area, context.theme.resolved().text);
        }
        if !panel.is_empty() {
            panel::draw(buffer, panel, &self.gauges, &self.plots.history, context);
        }
        if !status.is_empty() {
            let hovered = self.mouse.hovers.then_some(self.mouse.cell);
            let facts = Status {
                quit_closes: self.plots.is_alone(&self.context),
                overlay: self.overlay.as_ref(),
                scrolls: popup.is_some_and(|popup| popup.last_line() > 0),
                selected: self.gauges.selected(context),
                command: timeline.and_then(|row| row.command(&self.timeline, hovered, context)),
                throughput,
            };
            status::draw(buffer, status, &facts, context);
        }
        let timeline = timeline.map_or(Rect::ZERO, |row| row.draw(buffer, &self.timeline, context));
        let around = regions.above_status(screen);
        let popup = self.overlay.as_ref();
        let popup = popup.map_or(Rect::ZERO, |overlay| popups::draw(buffer, around, overlay, &self.plots, context));
        [page, panel, status, timeline, popup]
    }

    /// Draws only the flock, over a whole buffer.
    pub fn draw_flock_alone(&self, buffer: &mut Buffer) {
        buffer.set_style(buffer.area, self.context.theme.resolved().text);
        let over = Overlays { tiles: Some(&self.breeding), ..Overlays::default() };
        flock::draw(buffer, buffer.area, self.timeline.is_shown(&self.context), over, &self.context);
    }

    /// A viewer that looks the same, without popups, messages and animations, for a screen without a terminal.
    pub(in crate::viewer) fn appearance(&self) -> Self {
        let Context { client, presets, theme, glyphs, display, keymap, .. } = &self.context;
        let Controls { setup, rate, .. } = client.controls();
        let mut shown = Client::new(Controls::of_setup(setup.clone(), *rate));
        shown.show_frame(|frame| {
            frame.recording.clone_from(&client.frame().recording);
            frame.brood.clone_from(&client.frame().brood);
        });
        let presets = Presets::new(presets.all.clone(), presets.base.clone(), setup.boids, false, None);
        let colors = Colors::fixed(theme.depth());
        let adapted = Theme { colors: theme.colors().into_owned(), ..theme.themes()[theme.shown()].clone() };
        let theme = ThemeState::new(colors, Some(adapted), Vec::new());
        Self {
            gauges: self.gauges.clone(),
            plots: self.plots.clone(),
            breeding: self.breeding,
            ..Self::of(
                Context::new(shown, presets, theme, glyphs.table.clone(), display.clone(), keymap.clone(), None),
                self.viewport.shown_aim(client.frame()),
            )
        }
    }

    /// Draws only the page of plots, over a whole buffer.
    pub fn draw_plots_alone(&self, buffer: &mut Buffer) {
        let changes = Plots::changes(&self.timeline, &self.context);
        page::draw_page(buffer, buffer.area, &self.plots, &changes, &self.context);
    }

    /// The target under a cell.
    pub(super) fn hit(&self, screen: Rect, cell: Position) -> Hit {
        let regions = self.regions(screen);
        let here = |area: Rect| area.contains(cell);
        if self.overlay.is_some() {
            let Some(popup) = self.popup(screen).filter(|popup| here(popup.area)) else { return Hit::Outside };
            let number = popup.first + usize::from(cell.y.saturating_sub(popup.inner.y));
            // Lines of text are not selectable.
            let is_entry = popup.selected.is_some() && here(popup.inner) && number < popup.lines;
            return if is_entry { Hit::Entry(number) } else { Hit::Inside };
        }
        if let Some(panel) = regions.panel.filter(|panel| here(*panel)) {
            let context = &self.context;
            let gauge = panel::gauges(panel, context)
                .and_then(|area| Some((area, self.gauges.param_at(area, cell.y, context)?)));
            if let Some((area, param)) = gauge {
                return Hit::Gauge(param, gauges::part_at(area, param, cell.x));
            }
            let (area, is_recording) = (panel::sparklines(panel, context), context.is_recording());
            return sparklines::measure_at(area, cell.y, is_recording).map_or(Hit::Panel, Hit::Sparkline);
        }
        if self.timeline_row(screen).is_some_and(|timeline| here(timeline.area)) {
            return Hit::Timeline;
        }
        match here(regions.flock) {
            _ if regions.plots.is_some_and(here) => Hit::Page,
            true => Hit::Flock,
            false => Hit::Elsewhere,
        }
    }

    /// Adapts to the size of the screen and to the shape of a dot (height / width).
    pub fn resize(&mut self, screen: Rect, dot_height: f32) {
        let regions = self.context.regions(screen);
        let region_changed = self.context.display.resize(screen, regions, self.plots.place(), dot_height);
        if let Some(area) = self.regions(screen).panel.and_then(|panel| panel::gauges(panel, &self.context)) {
            self.gauges.resize(area, &self.context);
        }
        // An idle slideshow and tiles hide the panel, but must not change the world.
        if region_changed && !self.screensaver.is_idle() && !self.context.client.is_breeding() {
            self.context.presets.resize(self.aspect_ratio());
            self.context.presets.fit_world(&mut self.context.client);
        }
    }
}
