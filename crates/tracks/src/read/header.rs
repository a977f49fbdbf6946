//! From the header of a text file and the table of layouts to the columns of its values.

use std::collections::HashMap;

use super::column_names::{ColumnNames, ColumnPlace, Name};
use super::fields::{number, numbers_of, value_of};
use super::layouts::{Layout, Shape};
use super::plan::Coordinates;
use crate::error::Fault;
use crate::read::states::Column;

/// Columns of whole positions.
const TUPLES: &str = "pos position coordinates coords location loc";
/// The likelihood below which `DeepLabCut` plots no position.
pub(crate) const LIKELIHOOD: f64 = 0.6;

/// A header, with the columns that the user named.
pub(super) struct Header<'a> {
    pub(super) names: &'a [Name],
    pub(super) given: &'a ColumnNames,
    pub(super) body_part: Option<&'a str>,
    /// The lowest likelihood of a position.
    pub(super) likelihood: f64,
    /// The first row.
    pub(super) first: &'a [String],
    /// The different values of a column in the first rows.
    pub(super) values: &'a dyn Fn(usize) -> Vec<String>,
}

impl Header<'_> {
    pub(super) fn fits(&self, layout: &Layout) -> bool {
        // A row of all animals has no id.
        let mut ids = Layout::common().id.split_whitespace();
        let is_row_of_all = layout.shape != Shape::Animals || ids.all(|name| self.index(name).is_none());
        let has = |mark: &str| self.names.iter().any(|name| name.is(mark));
        let (mut marks, mut beside) = (layout.marks.split_whitespace(), layout.beside.split_whitespace());
        layout.columns.is_none() && is_row_of_all && marks.all(has) && (layout.beside.is_empty() || beside.any(has))
    }

    pub(super) fn index(&self, known: &str) -> Option<usize> {
        self.names.iter().position(|name| !known.is_empty() && name.is(known) && !self.given.names(name))
    }

    /// The column that the user named, or the first of the known names that the header has.
    pub(super) fn find(&self, column: Column, known: &'static str) -> Result<Option<ColumnPlace>, Fault> {
        let given = self.given.find(column.name(), self.names)?;
        Ok(given.or_else(|| known.split_whitespace().find_map(|name| self.place(name))))
    }

    /// The column with a known name, which may be followed by the key of a JSON object that the first row has.
    fn place(&self, known: &'static str) -> Option<ColumnPlace> {
        let Some((name, key)) = known.split_once('.') else { return self.index(known).map(ColumnPlace::new) };
        let index = self.index(name)?;
        let has_key = !value_of(self.first.get(index)?.as_bytes(), key).is_empty();
        has_key.then_some(ColumnPlace { key: Some(key), ..ColumnPlace::new(index) })
    }

    /// The first of the known columns of frames whose numbers are whole, or any without a time: a `step` may also be a length.
    pub(super) fn whole(&self, known: &'static str, has_time: bool) -> Option<ColumnPlace> {
        let places = || known.split_whitespace().filter_map(|name| self.place(name));
        let whole = places().find(|place| {
            let field = self.first.get(place.index);
            field.and_then(|field| number(field.as_bytes(), true)).is_none_or(|number| number.fract() == 0.0)
        });
        whole.or_else(|| places().next().filter(|_| !has_time))
    }

    /// The coordinates of the animal of a row: those that the user named, otherwise all pairs that belong together.
    pub(super) fn animal(&self, layout: &'static Layout) -> Result<Vec<Coordinates>, Fault> {
        let [x, y, z] = [&layout.x, &layout.y, &layout.z].map(String::as_str);
        let of_z = z.split_whitespace().map(Some).chain(std::iter::repeat(None));
        let together = x.split_whitespace().zip(y.split_whitespace()).zip(of_z);
        let places = together.map(|((x, y), z)| [Some(x), Some(y), z].map(|name| self.place(name?)));
        let mut positions: Vec<_> = places.filter(|[x, y, _]| x.is_some() && y.is_some()).collect();
        positions.dedup();
        if positions.is_empty() && layout.program.is_empty() {
            positions.extend(self.tuple());
        }
        if positions.is_empty() {
            positions.push([self.find(Column::X, x)?, self.find(Column::Y, y)?, None]);
        }
        for (axis, column) in [Column::X, Column::Y, Column::Z].into_iter().enumerate() {
            if let Some(given) = self.given.find(column.name(), self.names)? {
                for position in &mut positions {
                    position[axis] = Some(given);
                }
            }
        }
        positions.dedup();
        positions.retain(|position| position[0].is_some() && position[1].is_some());
        let two = |names: &'static str| {
            names.split_once(' ').and_then(|(one, other)| Some([self.place(one)?, self.place(other)?]))
        };
        let (size, corner) = (two(&layout.size), two(&layout.corner));
        Ok(positions
            .into_iter()
            .map(|position| Coordinates { animal: None, position, likelihood: None, size, corner })
            .collect())
    }

    /// The coordinates in one column, as in `(1.5, 2)`.
    fn tuple(&self) -> Option<[Option<ColumnPlace>; 3]> {
        let index = TUPLES.split(' ').find_map(|name| self.index(name))?;
        let count = numbers_of(self.first.get(index)?.as_bytes()).count();
        let place = |part| ColumnPlace { part, ..ColumnPlace::new(index) };
        (2..=3).contains(&count).then(|| [Some(place(1)), Some(place(2)), (count == 3).then(|| place(3))])
    }

    /// The coordinates of each animal or body part of a row, whose names are like those of the axes, which have signs, and of the likelihood.
    pub(super) fn animals(&self, axes: [(&str, f64); 3], likelihood: &str) -> Vec<Coordinates> {
        let columns = |template: &str| -> HashMap<String, usize> {
            // In reverse, so that of several columns with the same key the first one stays in the map.
            let keys = self.names.iter().enumerate().rev();
            keys.filter_map(|(index, name)| Some((name.key(template)?.to_ascii_lowercase(), index))).collect()
        };
        let (positions, likelihoods) = (axes.map(|(template, sign)| (columns(template), sign)), columns(likelihood));
        let coordinates = self.names.iter().filter_map(|name| {
            let animal = name.key(axes[0].0)?;
            let key = animal.to_ascii_lowercase();
            let position = positions.each_ref().map(|(columns, sign)| {
                columns.get(&key).map(|index| ColumnPlace { factor: *sign, ..ColumnPlace::new(*index) })
            });
            let likelihood = likelihoods.get(&key).copied();
            position[1].map(|_| Coordinates { animal: Some(animal), position, likelihood, size: None, corner: None })
        });
        coordinates.collect()
    }

    /// The column of a mark such as `visible=false`.
    pub(super) fn hidden(&self, mark: &'static str) -> Option<(ColumnPlace, &'static str)> {
        let (name, value) = mark.split_once('=')?;
        Some((self.place(name)?, value))
    }
}
