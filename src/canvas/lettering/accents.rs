//! Accents, and the letters that carry one.

use super::font::Stroke::{Arc, Dot, Line};
use super::font::{Accent, Letter, letter};

/// Each combining mark with the letters that carry it, as pairs of the composed character and its base.
const MARKS: [(char, &str); 14] = [
    ('\u{300}', "àaèeìiòoùuÀAÈEÌIÒOÙUǹnǸN"),
    ('\u{301}', "áaéeíióoúuýyćcńnśsźzĺlŕrÁAÉEÍIÓOÚUÝYĆCŃNŚSŹZĹLŔR"),
    ('\u{302}', "âaêeîiôoûuŵwŷyĉcĝgŝsÂAÊEÎIÔOÛUŴWŶYĈCĜGŜS"),
    ('\u{303}', "ãañnõoĩiũuÃAÑNÕOĨIŨU"),
    ('\u{304}', "āaēeīiōoūuĀAĒEĪIŌOŪU"),
    ('\u{306}', "ăaĕeğgĭiŏoŭuĂAĔEĞGĬIŎOŬU"),
    ('\u{307}', "ċcėeġgżzĊCĖEĠGİIŻZ"),
    ('\u{308}', "äaëeïiöoüuÿyÄAËEÏIÖOÜUŸY"),
    ('\u{30a}', "åaůuÅAŮU"),
    ('\u{30b}', "őoűuŐOŰU"),
    ('\u{30c}', "čcďděeňnřršsťtžzǎaǐiǒoǔuČCĎDĚEŇNŘRŠSŤTŽZǍAǏIǑOǓU"),
    ('\u{326}', "șsțtȘSȚT"),
    ('\u{327}', "çcşsţtķkļlņnŗrÇCŞSŢTĶKĻLŅNŖR"),
    ('\u{328}', "ąaęeįiųuĄAĘEĮIŲU"),
];

/// The base and the combining mark of a composed letter.
pub(super) fn decompose(composed: char) -> Option<(char, char)> {
    MARKS.iter().find_map(|&(mark, letters)| {
        let mut letters = letters.chars();
        while let (Some(letter), Some(base)) = (letters.next(), letters.next()) {
            if letter == composed {
                return Some((base, mark));
            }
        }
        None
    })
}

/// A letter with a combining mark.
pub(super) fn accented(base: char, mark: char) -> Option<Letter> {
    let accent = accent(mark)?;
    let base = match base {
        'i' if accent.above => 'ı',
        base if base.is_alphabetic() => base,
        _ => return None,
    };
    Some(Letter { accent: Some(accent), ..letter(base.encode_utf8(&mut [0; 4]))? })
}

fn accent(mark: char) -> Option<Accent> {
    let above = |strokes| Some(Accent { above: true, strokes });
    let below = |strokes| Some(Accent { above: false, strokes });
    match mark {
        '\u{300}' => above(&[Line(&[[-0.18, -0.35], [0.18, 0.0]])]),
        '\u{301}' => above(&[Line(&[[-0.18, 0.0], [0.18, -0.35]])]),
        '\u{302}' => above(&[Line(&[[-0.3, 0.0], [0.0, -0.35], [0.3, 0.0]])]),
        '\u{303}' => above(&[Arc([-0.2, -0.15], [0.2, 0.15], [0.5, 1.0]), Arc([0.2, -0.15], [0.2, 0.15], [0.5, 0.0])]),
        '\u{304}' => above(&[Line(&[[-0.3, -0.1], [0.3, -0.1]])]),
        '\u{306}' => above(&[Arc([0.0, -0.35], [0.3, 0.35], [0.5, 0.0])]),
        '\u{307}' => above(&[Dot([0.0, 0.0])]),
        '\u{308}' => above(&[Dot([-0.25, 0.0]), Dot([0.25, 0.0])]),
        '\u{30a}' => above(&[Arc([0.0, -0.22], [0.22, 0.22], [0.0, 1.0])]),
        '\u{30b}' => above(&[Line(&[[-0.35, 0.0], [-0.1, -0.35]]), Line(&[[0.1, 0.0], [0.35, -0.35]])]),
        '\u{30c}' => above(&[Line(&[[-0.3, -0.35], [0.0, 0.0], [0.3, -0.35]])]),
        '\u{326}' => below(&[Line(&[[0.05, 0.25], [-0.1, 0.55]])]),
        '\u{327}' => below(&[Line(&[[0.0, 0.0], [0.0, 0.2], [0.2, 0.3], [0.0, 0.5], [-0.2, 0.5]])]),
        '\u{328}' => below(&[Line(&[[0.2, 0.0], [0.0, 0.3], [0.05, 0.5], [0.3, 0.5]])]),
        _ => None,
    }
}
