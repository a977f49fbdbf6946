//! Draws the letters that boids form: a dot for each boid at rest on its perch, and the glyphs of boids that have one.

use crate::canvas::camera::Camera;
use crate::canvas::layers::bodies::{agents, is_on_perch};
use crate::canvas::picture::{Cell, Content, GlyphCell, Picture};
use crate::sim::{Flock, Kind, Perches};

/// The share of the ring of heading colors that a line of letters runs through, as in the title.
const ARC: f32 = 0.6 * 256.0;

/// How pale boids in flight are while letters are complete, as in [`Cell::depth`].
const BEHIND: u8 = 150;

/// Draws boids that form letters over all others.
pub(crate) fn draw(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    let Some(perches) = flock.perches() else { return };
    if perches.has_glyphs() {
        list_glyphs(flock, perches, camera, picture);
    }
    let has_dot = |index: usize| perches.formation().perches[index].glyph.is_none();
    let resting = agents(flock, Kind::Prey).filter(|agent| is_on_perch(flock, agent));
    let resting = resting.filter(|agent| perches.index_of(agent.id).is_some_and(has_dot));
    let mut dots: Vec<(usize, u8)> =
        resting.filter_map(|agent| picture.locate(camera.project(agent.position).at)).collect();
    dots.sort_unstable();
    let share = dots.len() as f32 / perches.formation().perches.len() as f32;
    let paleness = (f32::from(BEHIND) * share) as u8;
    picture.cells.for_each_drawn(|_, cell| {
        if cell.content == Content::Prey {
            cell.depth = cell.depth.max(paleness);
        }
    });
    for cell_dots in dots.chunk_by(|(cell, _), (next, _)| cell == next) {
        let index = cell_dots[0].0;
        let along = (index % picture.columns) as f32 / picture.columns as f32;
        let cell = picture.cells.draw(index);
        // A predator hides boids. Other boids would make letters illegible.
        if cell.content != Content::Predator {
            let dots = cell_dots.iter().fold(0, |dots, (_, dot)| dots | dot);
            let (heading, count) = ((ARC * along) as u8, cell_dots.len() as u16);
            *cell = Cell { content: Content::Prey, dots, heading, count, density: u8::MAX, ..Cell::default() };
        }
    }
}

/// Lists the glyphs in view, row by row, at most one in a cell.
fn list_glyphs(flock: &Flock, perches: &Perches, camera: &Camera, picture: &mut Picture) {
    let mut glyphs: Vec<GlyphCell> = Vec::new();
    for agent in agents(flock, Kind::Prey) {
        let Some(perch) = perches.index_of(agent.id) else { continue };
        if let Some((index, _)) = picture.locate(camera.project(agent.position).at) {
            let (column, row) = (index % picture.columns, index / picture.columns);
            glyphs.push(GlyphCell { row: row as u16, column: column as u16, perch: perch as u32 });
        }
    }
    glyphs.sort_unstable();
    picture.formation = Some(perches.formation().clone());
    let width = |cell: &GlyphCell| picture.glyph(cell).map_or(0, |glyph| u16::from(glyph.width));
    let mut free = (0, 0);
    glyphs.retain(|cell| {
        let fits = width(cell) > 0
            && (cell.row, cell.column) >= free
            && usize::from(cell.column + width(cell)) <= picture.columns;
        if fits {
            free = (cell.row, cell.column + width(cell));
        }
        fits
    });
    picture.glyphs = glyphs;
}
