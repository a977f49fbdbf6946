//! PNG: pixels.

use std::collections::HashMap;
use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, SrgbRenderingIntent};

use crate::config::Rgb;
use crate::export::picture::Raster;

/// The most colors that a pixel of one byte can tell apart.
const PALETTE: usize = 256;

/// Writes pixels: by number where the colors are few enough, else each with its color.
pub fn write(raster: &Raster, out: &mut impl Write) -> io::Result<()> {
    let colors = palette(raster);
    let mut encoder = Encoder::new(out, raster.width as u32, raster.height as u32);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let (bytes, kind): (Vec<u8>, _) = match &colors {
        Some(numbers) => {
            let mut palette = vec![0; numbers.len() * 3];
            for (color, number) in numbers {
                palette[usize::from(*number) * 3..][..3].copy_from_slice(color);
            }
            encoder.set_palette(palette);
            (raster.pixels.iter().map(|pixel| numbers[&key(*pixel)]).collect(), ColorType::Indexed)
        }
        None => (raster.pixels.iter().flat_map(|pixel| key(*pixel)).collect(), ColorType::Rgb),
    };
    encoder.set_color(kind);
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}

/// The colors in the order in which they come up; none where they are too many.
fn palette(raster: &Raster) -> Option<HashMap<[u8; 3], u8>> {
    let mut numbers = HashMap::new();
    for pixel in &raster.pixels {
        let next = numbers.len();
        if next == PALETTE && !numbers.contains_key(&key(*pixel)) {
            return None;
        }
        numbers.entry(key(*pixel)).or_insert(next as u8);
    }
    Some(numbers)
}

fn key(color: Rgb) -> [u8; 3] {
    color.into()
}
