//! A drawn screen as pixels, shapes or text, in the picture formats; clips share the pixels. Text is plain, or has ANSI escape
//! sequences for `cat`.

mod glyph;
mod raster;
mod resolved_screen;
mod svg;

use std::io::{self, Write};
use std::path::Path;

use crossterm::queue;
use crossterm::style::{SetBackgroundColor, SetForegroundColor};
use ratatui::backend::IntoCrossterm;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::error::InputError;
use crate::export::OutputFile;
pub(crate) use raster::Raster;
pub use resolved_screen::DefaultColors;
pub(crate) use resolved_screen::ResolvedScreen;
use resolved_screen::visible_cells;

/// Red, green and blue of a color.
pub(super) type RgbBytes = [u8; 3];

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Vector graphics with text.
    Svg,
    /// Text with ANSI escape sequences.
    Ansi,
    /// Plain text.
    Text,
}

impl PictureFormat {
    /// The format for a file extension; ANSI for standard output.
    ///
    /// # Errors
    ///
    /// [`InputError::Flag`] for other extensions.
    pub fn of(path: &Path) -> Result<Self, InputError> {
        match OutputFile::extension(path).as_str() {
            "png" => Ok(Self::Png),
            "svg" => Ok(Self::Svg),
            "ansi" | "-" => Ok(Self::Ansi),
            "txt" => Ok(Self::Text),
            _ => {
                let message = "the file name must end in .png, .svg, .ansi or .txt, or be - for ANSI";
                Err(InputError::flag(format!("--output {}", path.display()), message))
            }
        }
    }

    /// Writes a screen in this format.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write(self, screen: &Buffer, colors: DefaultColors, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Png => raster::write_png(&Raster::new(&ResolvedScreen::new(screen, colors)), out),
            Self::Svg => svg::write(&ResolvedScreen::new(screen, colors), out),
            Self::Ansi => write_ansi(screen, out),
            // One line per row, without trailing blanks.
            Self::Text => rows(screen).try_for_each(|row| {
                let line: String = visible_cells(row).map(Cell::symbol).collect();
                writeln!(out, "{}", line.trim_end_matches([' ', '\u{2800}']))
            }),
        }
    }
}

/// Foreground, background and modifiers of a cell.
type AnsiStyle = (Color, Color, Modifier);

/// The style at the start and end of a line.
const PLAIN: AnsiStyle = (Color::Reset, Color::Reset, Modifier::empty());

/// Writes one line per row, each of which starts and ends in the default style.
fn write_ansi(screen: &Buffer, out: &mut impl Write) -> io::Result<()> {
    // The cells have the right color depth already; ignore NO_COLOR.
    crossterm::style::force_color_output(true);
    for row in rows(screen) {
        let mut style = PLAIN;
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        for cell in visible_cells(&row[..end]) {
            style = change_style(style, (cell.fg, cell.bg, cell.modifier), out)?;
            write!(out, "{}", cell.symbol())?;
        }
        change_style(style, PLAIN, out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn rows(screen: &Buffer) -> impl Iterator<Item = &[Cell]> {
    screen.content.chunks_exact(usize::from(screen.area.width).max(1))
}

/// Whether a cell can be omitted at the end of a line.
fn is_blank(cell: &Cell) -> bool {
    matches!(cell.symbol(), " " | "\u{2800}") && cell.bg == Color::Reset && !cell.modifier.contains(Modifier::REVERSED)
}

/// Writes the difference between two styles.
fn change_style(from: AnsiStyle, to: AnsiStyle, out: &mut impl Write) -> io::Result<AnsiStyle> {
    let (mut fg, mut bg, modifier) = from;
    if (fg, bg, modifier) != to && (modifier != to.2 || to == PLAIN) {
        // A reset turns off all attributes and colors.
        if modifier != Modifier::empty() || to == PLAIN {
            write!(out, "\x1b[0m")?;
            (fg, bg) = (Color::Reset, Color::Reset);
        }
        // SGR numbers the modifiers in the order of their bits.
        for modifier in to.2 {
            write!(out, "\x1b[{}m", modifier.bits().trailing_zeros() + 1)?;
        }
    }
    if fg != to.0 {
        queue!(out, SetForegroundColor(to.0.into_crossterm()))?;
    }
    if bg != to.1 {
        queue!(out, SetBackgroundColor(to.1.into_crossterm()))?;
    }
    Ok(to)
}

/// Every format shows the same screen.
#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ratatui::layout::Rect;
    use ratatui::style::{Color, Modifier, Style};

    use super::*;
    use crate::config::Theme;
    use crate::picture::Rgb;

    const COLORS: DefaultColors = DefaultColors { background: Rgb::new(10, 20, 30), text: Rgb::new(200, 210, 220) };

    /// A screen with all kinds of cells.
    fn screen() -> Buffer {
        let mut screen = Buffer::empty(Rect::new(0, 0, 12, 3));
        screen.set_string(0, 0, "⣿⠁", Style::new().fg(Color::Rgb(255, 0, 0)));
        screen.set_string(3, 0, "a<&\">b", Style::new().fg(Color::Indexed(10)).bg(Color::Rgb(0, 0, 99)));
        screen.set_string(0, 1, "━╸─╭╮▒▄𜴀", Style::new().fg(Color::Green).add_modifier(Modifier::DIM));
        screen.set_string(0, 2, "漢字 up", Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED));
        screen.set_string(8, 2, " x ", Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::REVERSED));
        screen
    }

    fn written(format: PictureFormat, screen: &Buffer) -> Vec<u8> {
        let mut bytes = Vec::new();
        format.write(screen, COLORS, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn text_has_the_symbols() {
        let text = String::from_utf8(written(PictureFormat::Text, &screen())).unwrap();
        assert_eq!(text, "⣿⠁ a<&\">b\n━╸─╭╮▒▄𜴀\n漢字 up x\n".replace("up x", "up  x"));
    }

    #[test]
    fn terminals_display_ansi_like_the_screen() {
        let screen = screen();
        let text = String::from_utf8(written(PictureFormat::Ansi, &screen)).unwrap();
        let mut terminal = vt100::Parser::new(4.try_into().unwrap(), 12.try_into().unwrap(), 0);
        terminal.process(text.replace('\n', "\r\n").as_bytes());
        let shown = terminal.screen();
        for (x, y) in (0..12).flat_map(|x| (0..3).map(move |y| (x, y))) {
            let (drawn, cell) = (&screen[(x, y)], shown.cell(y, x).unwrap());
            assert!(cell.contents() == drawn.symbol() || drawn.symbol() == " ", "{x} {y}: {}", cell.contents());
            let color = |color| match color {
                Color::Rgb(r, g, b) => vt100::Color::Rgb(r, g, b),
                Color::Indexed(index) => vt100::Color::Idx(index),
                Color::Green => vt100::Color::Idx(2),
                _ => vt100::Color::Default,
            };
            if drawn.symbol() != " " {
                assert_eq!(
                    (cell.fgcolor(), cell.bold()),
                    (color(drawn.fg), drawn.modifier.contains(Modifier::BOLD)),
                    "{x} {y}"
                );
            }
            assert_eq!(
                (cell.bgcolor(), cell.inverse()),
                (color(drawn.bg), drawn.modifier.contains(Modifier::REVERSED)),
                "{x} {y}"
            );
        }
        assert!(text.lines().all(|line| line.ends_with("\u{1b}[0m")), "{text:?}");
    }

    #[test]
    fn svg_is_valid_and_positions_text() {
        let text = String::from_utf8(written(PictureFormat::Svg, &screen())).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("viewBox"), Some("0 0 120 60"));
        let texts: Vec<_> = root.descendants().filter(|node| node.has_tag_name("text")).collect();
        let run = texts.iter().find(|node| node.text() == Some("a<&\">b")).expect("the run of text");
        assert_eq!((run.attribute("x"), run.attribute("y")), (Some("30"), Some("16")));
        assert_eq!((run.attribute("textLength"), run.attribute("fill")), (Some("60"), Some("#00ff00")));
        assert!(texts.iter().any(|node| node.attribute("font-weight") == Some("bold")));
        let dots = root.descendants().find(|node| node.attribute("stroke") == Some("#ff0000")).expect("dots");
        assert_eq!(dots.attribute("d").unwrap().matches("h0").count(), 9);
    }

    #[test]
    fn pixels_have_the_colors_of_their_cells() {
        let raster = Raster::new(&ResolvedScreen::new(&screen(), COLORS));
        assert_eq!((raster.width, raster.height), (120, 60));
        let at = |x: usize, y: usize| raster.pixels[y * raster.width + x];
        assert_eq!(at(2, 2), Rgb::new(255, 0, 0));
        assert_eq!(at(25, 10), COLORS.background);
        assert_eq!(at(31, 1), Rgb::new(0, 0, 99));
        assert_eq!(at(0, 30), at(9, 30), "a line reaches from side to side");
        assert_ne!(at(0, 30), COLORS.background);
        assert_eq!(at(81, 41), Rgb::new(1, 2, 3), "reversed");
        assert_eq!(at(61, 58), COLORS.text, "underlined");
    }

    #[test]
    fn png_has_the_pixels_and_is_deterministic() {
        let bytes = written(PictureFormat::Png, &screen());
        assert_eq!(bytes, written(PictureFormat::Png, &screen()));
        let mut decoder = ::png::Decoder::new(Cursor::new(&bytes));
        decoder.set_transformations(::png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (120, 60, ::png::ColorType::Rgb));
        let raster = Raster::new(&ResolvedScreen::new(&screen(), COLORS));
        let drawn: Vec<u8> = raster.pixels.iter().flat_map(|pixel| RgbBytes::from(*pixel)).collect();
        assert!(pixels == drawn);
    }

    #[test]
    fn png_keeps_many_colors() {
        let mut screen = Buffer::empty(Rect::new(0, 0, 30, 20));
        for (place, cell) in (0u32..).zip(&mut screen.content) {
            cell.bg = Color::Rgb((place % 250) as u8, (place / 250) as u8, 7);
        }
        let bytes = written(PictureFormat::Png, &screen);
        let mut reader = ::png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        assert_eq!(reader.next_frame(&mut pixels).unwrap().color_type, ::png::ColorType::Rgb);
        assert_eq!(pixels[295 * 3..][..3], [29, 0, 7]);
    }

    #[test]
    fn light_themes_make_light_pictures() {
        let colors = |name: &str| DefaultColors::of(&Theme::load(name).unwrap().colors);
        let sum = |color: Rgb| u32::from(color.red) + u32::from(color.green) + u32::from(color.blue);
        assert!(sum(colors("paper").background) > 600 && sum(colors("paper").text) < 300);
        assert!(sum(colors("terminal").background) < 100 && sum(colors("terminal").text) > 500);
    }

    #[test]
    fn empty_screens_are_valid() {
        let screen = Buffer::empty(Rect::new(0, 0, 1, 1));
        for format in [PictureFormat::Png, PictureFormat::Svg, PictureFormat::Ansi, PictureFormat::Text] {
            assert!(!written(format, &screen).is_empty());
        }
    }
}
