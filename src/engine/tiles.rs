//! The flocks of a brood side by side, in place of the session's flock.

use std::mem;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use super::request::{Breed, RequestError};
use super::thread_pool;
use crate::breed::{Brood, Child, reduced};
use crate::picture::{Aim, Canvas, CanvasFormat, Picture, TileGrid};
use crate::sim::{Error, Flock, Params, Scratch, Setup, World};

/// The number of boids in a tile: a ninth of the flock, so that nine cost as much as one, but within this range.
const BOIDS: (usize, usize) = (80, 600);
/// On a slow link, all tiles but one are drawn in one of so many pictures.
const SLOW_LINK: u64 = 4;
/// The range of the strength of mutations.
const STRENGTHS: (f32, f32) = (0.2, 3.5);

/// A brood in a frame.
#[derive(Clone, Debug)]
pub struct ShownBrood {
    /// The parent, and how its children are drawn.
    pub brood: Brood,
    /// The children in the tiles around the parent, row by row; none until they are chosen.
    pub children: Arc<Vec<Child>>,
    /// The number of the generation, from 1.
    pub generation: usize,
    /// The ticks since they were shown.
    pub tick: u64,
}

impl ShownBrood {
    /// The first generation of a flock, without children.
    pub fn of(parent: Setup) -> Self {
        let brood = Brood { seed: parent.seed, parent, mate: None, strength: 1.0, count: 0 };
        Self { brood, children: Arc::default(), generation: 1, tick: 0 }
    }

    /// The tile of the parent.
    pub fn parent(&self, grid: &TileGrid) -> usize {
        // After a resize there may be fewer children than tiles.
        if self.children.is_empty() { grid.middle() } else { grid.middle().min(self.children.len()) }
    }

    /// The child in a tile; `None` for the parent and for an empty tile.
    pub fn child(&self, grid: &TileGrid, tile: usize) -> Option<&Child> {
        let parent = self.parent(grid);
        (tile != parent).then(|| self.children.get(tile - usize::from(tile > parent)))?
    }

    /// The flock of the parent in its tile.
    ///
    /// # Errors
    ///
    /// If it is impossible.
    pub fn parent_flock(&self) -> Result<Flock, Error> {
        flock(&self.brood, self.brood.parent.params)
    }
}

/// A parent and its children, each on its tile.
#[derive(Debug)]
pub struct TiledFlocks {
    /// The brood as frames have it.
    pub shown: ShownBrood,
    /// The broods of the generations before.
    earlier: Vec<Brood>,
    /// Whether the session was paused before.
    pub(super) was_paused: bool,
    tiles: Vec<FlockTile>,
    format: CanvasFormat,
    selection: Selection,
    pictures: u64,
}

#[derive(Debug)]
struct FlockTile {
    number: usize,
    flock: Flock,
    canvas: Canvas,
    picture: Picture,
}

/// The search for the children that differ most.
#[derive(Debug)]
enum Selection {
    Due,
    Running(Receiver<Vec<Child>>),
    Done,
}

impl TiledFlocks {
    /// Shows these children of a brood on a canvas in a format. The number of tiles may differ from that of the flocks.
    ///
    /// # Errors
    ///
    /// If a smaller flock with the rules of the parent is impossible.
    pub fn new(shown: ShownBrood, was_paused: bool, format: CanvasFormat) -> Result<Self, Error> {
        let selection = Selection::Done;
        let mut tiled =
            Self { shown, earlier: Vec::new(), was_paused, tiles: Vec::new(), format, selection, pictures: 0 };
        tiled.start()?;
        Ok(tiled)
    }

    /// Shows other children, perhaps of another parent, in a world of another shape. They are the first ones, unless
    /// [`poll`](Self::poll) selects others.
    pub(super) fn breed(&mut self, step: Breed, world: Option<World>) -> Result<(), RequestError> {
        let ShownBrood { brood, generation, .. } = &mut self.shown;
        match step {
            Breed::Parent(params, mate) => {
                let (parent, mate) = (brood.parent.clone().with_params(*params), mate.map(|mate| *mate));
                let next = Brood { parent, mate, seed: brood.seed.wrapping_add(1), ..*brood };
                self.earlier.push(mem::replace(brood, next));
            }
            Breed::OtherChildren => brood.seed = brood.seed.wrapping_add(1 << 32),
            Breed::Strength(factor) => brood.strength = (brood.strength * factor).clamp(STRENGTHS.0, STRENGTHS.1),
            Breed::Back => *brood = self.earlier.pop().ok_or(RequestError::FirstGeneration)?,
            Breed::Start | Breed::Leave => {}
        }
        *generation = self.earlier.len() + 1;
        brood.parent.world = world.unwrap_or(brood.parent.world);
        Ok(self.draw_children()?)
    }

    /// Shows the first children of the brood, one for each tile.
    fn draw_children(&mut self) -> Result<(), Error> {
        let brood = &mut self.shown.brood;
        brood.count = grid(self.format).count() - 1;
        self.shown.children = Arc::new(brood.first());
        self.selection = Selection::Due;
        self.start()
    }

    /// Whether the children that differ most are still unknown.
    pub(super) fn is_selecting(&self) -> bool {
        !matches!(self.selection, Selection::Done)
    }

    /// Starts to look for the children that differ most, and shows the parent alone until they are known.
    pub(super) fn poll(&mut self, threads: NonZeroUsize) {
        self.selection = match mem::replace(&mut self.selection, Selection::Done) {
            Selection::Due => {
                let (sender, selection) = mpsc::channel();
                let brood = self.shown.brood.clone();
                // Without threads, the first children stay. The tiles may show another brood when the children are known.
                let pool = thread_pool(threads.get() - 1);
                pool.map_or(Selection::Done, |pool| {
                    pool.spawn(move || drop(sender.send(brood.selected())));
                    self.show(Vec::new());
                    Selection::Running(selection)
                })
            }
            Selection::Running(selection) => match selection.try_recv() {
                Err(TryRecvError::Empty) => Selection::Running(selection),
                Err(TryRecvError::Disconnected) => Selection::Done,
                Ok(children) => return self.show(children),
            },
            Selection::Done => Selection::Done,
        };
    }

    /// Shows the children that differ most, however long it takes.
    pub fn select(&mut self) {
        self.show(self.shown.brood.selected());
    }

    fn show(&mut self, children: Vec<Child>) {
        (self.shown.children, self.selection) = (Arc::new(children), Selection::Done);
        // The parent flies already.
        let _ = self.start();
    }

    /// Changes the format of the whole canvas. Another number of tiles shows other children.
    pub(super) fn set_format(&mut self, format: CanvasFormat) {
        let is_same_grid = grid(format).side == grid(self.format).side;
        (self.format, self.pictures) = (format, 0);
        if !is_same_grid {
            // The parent flies already.
            let _ = self.draw_children();
        }
        for tile in &mut self.tiles {
            tile.canvas.set_format(tile_format(format, &self.shown.brood, tile.number));
        }
    }

    /// Advances all flocks by one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        self.tiles.iter_mut().for_each(|tile| tile.flock.step(scratch));
        self.shown.tick += 1;
    }

    /// Draws all flocks, `seconds` after the last picture. On a slow link those that are not in focus mostly stay as they were.
    pub fn draw(&mut self, seconds: f32, focus: Option<usize>, into: &mut Picture) {
        let draws_all = focus.is_none() || self.pictures.is_multiple_of(SLOW_LINK);
        for tile in &mut self.tiles {
            tile.canvas.advance_camera(seconds);
            if draws_all || focus == Some(tile.number) {
                tile.canvas.draw(&tile.flock, &mut tile.picture);
            }
        }
        self.pictures += 1;
        grid(self.format).compose(self.tiles.iter().map(|tile| (tile.number, &tile.picture)), into);
    }

    /// Starts all flocks at tick 0.
    fn start(&mut self) -> Result<(), Error> {
        let place = self.shown.parent(&grid(self.format));
        let first = self.shown.parent_flock()?;
        // A child that is possible in the world of the flock may be impossible in a smaller one.
        let child = |child: &Child| flock(&self.shown.brood, child.params).unwrap_or_else(|_| first.clone());
        let around = (0..).filter(|number| *number != place).zip(self.shown.children.iter().map(child));
        let flocks: Vec<(usize, Flock)> = around.chain([(place, first.clone())]).collect();
        (self.shown.tick, self.pictures) = (0, 0);
        let tiles = flocks.into_iter().map(|(number, flock)| {
            let canvas = Canvas::with_format(tile_format(self.format, &self.shown.brood, number));
            FlockTile { number, flock, canvas, picture: Picture::default() }
        });
        self.tiles = tiles.collect();
        Ok(())
    }
}

/// A flock with the density of the parent and other rules.
fn flock(brood: &Brood, params: Params) -> Result<Flock, Error> {
    let boids = (brood.parent.boids / 9).clamp(BOIDS.0, BOIDS.1);
    Flock::new(&reduced(&brood.parent.clone().with_params(params), boids))
}

fn grid(format: CanvasFormat) -> TileGrid {
    TileGrid::new(format.columns, format.rows)
}

/// The format of a tile: the whole world without a minimap, and trails only where the whole flock has them.
fn tile_format(format: CanvasFormat, brood: &Brood, number: usize) -> CanvasFormat {
    let tile = grid(format).tile(number);
    let aim = Aim { yaw: format.aim.yaw, pitch: format.aim.pitch, ..Aim::default() };
    let no_trails = !format.layers(brood.parent.boids, brood.parent.world.dim()).trails;
    CanvasFormat { columns: tile.columns, rows: tile.rows.saturating_sub(1), aim, map: false, no_trails, ..format }
}
