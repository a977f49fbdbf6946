//! A screen as PNG.

use std::collections::HashMap;
use std::io::{self, Write};

use ::png::{BitDepth, ColorType, Compression, Encoder, SrgbRenderingIntent};

use super::{Raster, RgbBytes};

/// Maximum number of colors of an indexed image.
const MAX_PALETTE: usize = 256;

/// Writes an indexed image if the colors are few enough, or else RGB.
pub fn write(raster: &Raster, out: &mut impl Write) -> io::Result<()> {
    let mut encoder = Encoder::new(out, raster.width as u32, raster.height as u32);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let bytes: Vec<u8> = if let Some((palette, pixels)) = index_colors(raster) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette);
        pixels
    } else {
        encoder.set_color(ColorType::Rgb);
        raster.pixels.iter().flat_map(|pixel| RgbBytes::from(*pixel)).collect()
    };
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

/// The palette, in order of first use, and the index of each pixel; `None` for too many colors.
fn index_colors(raster: &Raster) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut indices, mut palette) = (HashMap::new(), Vec::new());
    let index = |pixel| {
        let color = RgbBytes::from(pixel);
        let next = indices.len();
        if next == MAX_PALETTE && !indices.contains_key(&color) {
            return None;
        }
        Some(*indices.entry(color).or_insert_with(|| {
            palette.extend(color);
            next as u8
        }))
    };
    let pixels = raster.pixels.iter().copied().map(index).collect::<Option<Vec<u8>>>()?;
    Some((palette, pixels))
}
