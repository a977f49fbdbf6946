//! Which characters a terminal can show, and substitutes for the others.

use unicode_width::UnicodeWidthChar;

/// A set of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// All of Unicode.
    #[default]
    Unicode,
    /// All of Unicode, but characters of ambiguous width take two cells, as in East Asian fonts: lines, arrows, marks and blocks.
    WideAmbiguous,
    /// The Linux console's font: lines, blocks and shades, but no braille.
    Console,
    /// Printable ASCII.
    Ascii,
}

impl Charset {
    /// The character, or a substitute if the set lacks it.
    pub fn substitute(self, char: char) -> char {
        let is_shown = match self {
            Self::Unicode => true,
            Self::WideAmbiguous => char.width_cjk() == char.width(),
            Self::Console => char.is_ascii() || ON_CONSOLE.contains(char),
            Self::Ascii => char.is_ascii(),
        };
        if is_shown {
            return char;
        }
        match char {
            // The console's font has few of the eighths of a block; these are about as high.
            '▁' | '▂' if self == Self::Console => '_',
            '▃' | '▅' if self == Self::Console => '▄',
            '▆' | '▇' if self == Self::Console => '█',
            '┿' if self == Self::Console => '╪',
            '╋' if self == Self::Console => '╬',
            '│' | '┃' | '▏' | '╎' => '|',
            '━' | '╸' | '╺' | '═' => '=',
            '─' | '–' | '—' | '‐' | '−' => '-',
            '²' => '2',
            '³' => '3',
            '┌' | '┐' | '└' | '┘' | '┬' | '┼' | '┿' | '├' | '┤' | '╭' | '╮' | '╰' | '╯' => {
                '+'
            }
            '▸' | '▶' | '›' | '→' => '>',
            '‹' | '←' | '◀' | '◂' => '<',
            '↑' | '▴' => '^',
            '↓' | '▾' => 'v',
            '↖' | '↘' => '\\',
            '↗' | '↙' => '/',
            '‖' | '“' | '”' => '"',
            '×' => 'x',
            '…' | '▁' | '▂' | '·' | '•' | '\u{2801}'..='\u{28ff}' => '.',
            '▃' | '▄' | '▅' | '°' | '●' | '○' | '◉' | '◎' => 'o',
            '▆' | '▇' | '█' | '▀' | '▓' | '╋' | '╫' => '#',
            '░' | '▒' => ':',
            '’' | '‘' => '\'',
            '\u{2800}' => ' ',
            _ => '?',
        }
    }
}

/// The characters of the console's font other than ASCII: it is based on code page 437.
const ON_CONSOLE: &str = "│─═┌┐└┘┬┼┤├╪╫╬▀▄█░▒▓·°²";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_characters_are_substituted() {
        let text = "▸ weight ━━── 0.5 × │⠟";
        let shown = |charset: Charset| text.chars().map(|char| charset.substitute(char)).collect::<String>();
        assert_eq!(shown(Charset::Unicode), text);
        assert_eq!(shown(Charset::WideAmbiguous), "▸ weight ==-- 0.5 x |⠟");
        assert_eq!(shown(Charset::Console), "> weight ==── 0.5 x │.");
        assert_eq!(shown(Charset::Ascii), "> weight ==-- 0.5 x |.");
    }
}
