//! Actions on the appearance of the flock: theme, coloring, view, glyphs.

use super::actions::Action;
use super::context::Context;
use crate::canvas::View;

/// Performs an action, with the number of boids in view. Returns whether it is one of these.
pub fn act(action: Action, boids_in_view: Option<usize>, context: &mut Context) -> bool {
    match action {
        Action::NextTheme => cycle_theme(true, context),
        Action::PreviousTheme => cycle_theme(false, context),
        Action::Coloring => {
            let coloring = context.coloring().next(context.is_mixed());
            context.display.coloring = Some(coloring);
            context.show_message(format!("coloring: {}", coloring.name()));
        }
        Action::View => show_view(context.display.view.next(), boids_in_view, context),
        Action::PreviousView => show_view(context.display.view.previous(), boids_in_view, context),
        Action::Marker => {
            context.display.marker = context.display.marker.next();
            context.show_message(format!("glyphs: {}", context.display.marker.words()));
        }
        Action::Clean => context.display.clean = !context.display.clean,
        _ => return false,
    }
    true
}

fn cycle_theme(next: bool, context: &mut Context) {
    context.theme.cycle(next);
    context.show_message(format!("theme: {}", context.theme.name()));
}

fn show_view(view: View, boids_in_view: Option<usize>, context: &mut Context) {
    context.display.view = view;
    let (columns, rows) = context.display.canvas();
    let controls = context.client.controls();
    let layers = view.layers(boids_in_view.unwrap_or(controls.boids), controls.world.dim(), columns, rows);
    let shown = context.theme.resolved().visible_layers(layers);
    context.show_message(match view {
        View::Auto => format!("view: auto ({})", shown.name()),
        View::Glow if shown != layers => format!("view: {} (glow needs more colors)", shown.name()),
        _ => format!("view: {}", shown.name()),
    });
}
