//! The flocks of a brood side by side, in place of the session's flock.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use super::thread_pool;
use crate::breed::{Brood, Child, reduced};
use crate::canvas::{Aim, Canvas, CanvasFormat, Picture, TileGrid};
use crate::sim::{Error, Flock, Params, Scratch};

/// The number of boids in a tile: a ninth of the flock, so that nine cost as much as one, but within this range.
const BOIDS: (usize, usize) = (80, 600);

/// A brood in a frame.
#[derive(Clone, Debug)]
pub struct ShownBrood {
    /// The children in the tiles around the parent, row by row.
    pub children: Arc<Vec<Child>>,
    /// The ticks since they were shown.
    pub tick: u64,
}

impl ShownBrood {
    /// The tile of the parent.
    pub fn parent(&self, grid: &TileGrid) -> usize {
        grid.middle().min(self.children.len())
    }

    /// The child in a tile; `None` for the parent and for an empty tile.
    pub fn child(&self, grid: &TileGrid, tile: usize) -> Option<&Child> {
        let parent = self.parent(grid);
        (tile != parent).then(|| self.children.get(tile - usize::from(tile > parent)))?
    }
}

/// A parent and its children, each on its tile.
#[derive(Debug)]
pub struct TiledFlocks {
    brood: Brood,
    shown: ShownBrood,
    tiles: Vec<FlockTile>,
    format: CanvasFormat,
    /// The children that differ most, once they are known.
    selection: Option<Receiver<Vec<Child>>>,
    /// The tile that is drawn in each picture, and in how many pictures the others are drawn once.
    focus: (usize, u64),
    pictures: u64,
}

#[derive(Debug)]
struct FlockTile {
    flock: Flock,
    canvas: Canvas,
    picture: Picture,
}

impl TiledFlocks {
    /// Shows the first children of a brood, or these, on a canvas in a format.
    ///
    /// # Errors
    ///
    /// If a smaller flock with the rules of the parent is impossible.
    pub fn new(brood: Brood, children: Option<Arc<Vec<Child>>>, format: CanvasFormat) -> Result<Self, Error> {
        let children = children.unwrap_or_else(|| Arc::new(brood.first()));
        let shown = ShownBrood { children, tick: 0 };
        let mut tiled = Self { brood, shown, tiles: Vec::new(), format, selection: None, focus: (0, 1), pictures: 0 };
        tiled.start()?;
        Ok(tiled)
    }

    /// Starts to look for the children that differ most, which replace the first ones.
    pub fn select(&mut self, threads: NonZeroUsize) {
        let (sender, selection) = mpsc::channel();
        let brood = self.brood.clone();
        // Without threads, the first children stay. The tiles may show another brood when the children are known.
        self.selection = thread_pool(threads.get() - 1).ok().map(|pool| {
            pool.spawn(move || drop(sender.send(brood.selected())));
            selection
        });
    }

    /// Whether the children that differ most are still unknown.
    pub fn is_selecting(&self) -> bool {
        self.selection.is_some()
    }

    /// Shows the children that differ most, once they are known.
    pub fn poll(&mut self) {
        let Some(selection) = &self.selection else { return };
        match selection.try_recv() {
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => self.selection = None,
            Ok(children) => {
                self.selection = None;
                self.show(children);
            }
        }
    }

    /// Shows selected children instead of the first ones.
    fn show(&mut self, children: Vec<Child>) {
        self.shown = ShownBrood { children: Arc::new(children), tick: 0 };
        // The parent flies already.
        let _ = self.start();
    }

    /// The brood as frames have it.
    pub fn shown(&self) -> &ShownBrood {
        &self.shown
    }

    /// Changes the format of the whole canvas.
    pub fn set_format(&mut self, format: CanvasFormat) {
        (self.format, self.pictures) = (format, 0);
        for (number, tile) in self.tiles.iter_mut().enumerate() {
            tile.canvas.set_format(tile_format(format, &self.brood, number));
        }
    }

    /// Draws a tile in each picture, and the others once in so many.
    pub fn set_focus(&mut self, focus: (usize, u64)) {
        self.focus = focus;
    }

    /// Advances all flocks by one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        self.tiles.iter_mut().for_each(|tile| tile.flock.step(scratch));
        self.shown.tick += 1;
    }

    /// Draws all flocks, `seconds` after the last picture.
    pub fn draw(&mut self, seconds: f32, into: &mut Picture) {
        let (focused, every) = self.focus;
        for (number, tile) in self.tiles.iter_mut().enumerate() {
            tile.canvas.advance_camera(seconds);
            if number == focused || self.pictures.is_multiple_of(every) {
                tile.canvas.draw(&tile.flock, &mut tile.picture);
            }
        }
        self.pictures += 1;
        grid(self.format).compose(self.tiles.iter().map(|tile| &tile.picture), into);
    }

    /// The flock of a parent, without its children.
    ///
    /// # Errors
    ///
    /// If it is impossible.
    pub fn parent(brood: &Brood) -> Result<Flock, Error> {
        flock(brood, brood.parent.params)
    }

    /// Starts all flocks at tick 0.
    fn start(&mut self) -> Result<(), Error> {
        let place = self.shown.parent(&grid(self.format));
        let first = Self::parent(&self.brood)?;
        // A child that is possible in the world of the flock may be impossible in a smaller one.
        let child = |child: &Child| flock(&self.brood, child.params).unwrap_or_else(|_| first.clone());
        let mut flocks: Vec<Flock> = self.shown.children.iter().map(child).collect();
        flocks.insert(place, first);
        self.pictures = 0;
        let tile = |(number, flock)| {
            let canvas = Canvas::with_format(tile_format(self.format, &self.brood, number));
            FlockTile { flock, canvas, picture: Picture::default() }
        };
        self.tiles = flocks.into_iter().enumerate().map(tile).collect();
        Ok(())
    }
}

/// A flock with the density of the parent and other rules.
fn flock(brood: &Brood, params: Params) -> Result<Flock, Error> {
    let boids = (brood.parent.boids / 9).clamp(BOIDS.0, BOIDS.1);
    Flock::new(&reduced(&brood.parent.clone().with_params(params), boids))
}

fn grid(format: CanvasFormat) -> TileGrid {
    TileGrid::new((format.columns, format.rows))
}

/// The format of a tile: the whole world without a minimap, and trails only where the whole flock has them.
fn tile_format(format: CanvasFormat, brood: &Brood, number: usize) -> CanvasFormat {
    let tile = grid(format).tile(number);
    let aim = Aim { yaw: format.aim.yaw, pitch: format.aim.pitch, ..Aim::default() };
    let no_trails = !format.layers(brood.parent.boids, brood.parent.world.dim()).trails;
    CanvasFormat { columns: tile.columns, rows: tile.rows.saturating_sub(1), aim, map: false, no_trails, ..format }
}
