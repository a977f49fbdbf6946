use std::collections::{HashMap, HashSet};

use super::*;

const ALL: usize = usize::MAX;

fn area(width: i32, height: i32) -> LetteringArea {
    LetteringArea { corner: [0, 0], size: [width, height] }
}

fn dot(point: &LetteringPoint) -> [i32; 2] {
    point.at.map(|axis| axis.floor() as i32)
}

/// The dots as rows of text.
fn picture(lettering: &Lettering) -> String {
    let ([left, top], [width, height]) = (lettering.area.corner, lettering.area.size);
    let mut rows = vec![vec![' '; width as usize]; height as usize];
    for [x, y] in lettering.points.iter().map(dot) {
        rows[(y - top) as usize][(x - left) as usize] = '#';
    }
    rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn printable_ascii_characters_have_distinct_strokes() {
    let mut pictures: HashMap<String, char> = HashMap::new();
    for character in '!'..='~' {
        let text = character.to_string();
        let lettering = lay_out(&text, area(60, 12), ALL).unwrap();
        assert!(lettering.points.iter().all(|point| point.grapheme.is_none()), "{character}");
        // On a common baseline, so that `'` and `,` differ also by their height.
        let beside = lay_out(&format!("Hg{text}"), area(60, 12), ALL).unwrap();
        let twin = pictures.insert(picture(&beside), character);
        assert_eq!(twin, None, "{character} looks the same");
    }
}

#[test]
fn letters_with_accents_have_strokes_composed_or_not() {
    for text in ["äöüß", "éèêàáíóú", "ñçåøæ", "ÄÖÜÉÈÀÑÇÅØÆ", "šžőłęșı"] {
        let points = lay_out(text, area(400, 60), ALL).unwrap().points;
        assert!(points.iter().all(|point| point.grapheme.is_none()), "{text}");
    }
    let shown = |text| picture(&lay_out(text, area(60, 20), ALL).unwrap());
    assert_eq!(shown("e\u{301}"), shown("é"));
    assert_ne!(shown("è"), shown("é"));
}

#[test]
fn small_letters_are_legible() {
    let rows = [
        "  ## #              #         ###    ####",
        " #   #              #        #   #  #    #",
        " #   #              #            #  #    #",
        "#### #  ####   #### #   #        #  #    #",
        " #   # #    # #   # # ##       ###   ####",
        " #   # #    # #     ##            # #    #",
        " #   # #    # #     # #           # #    #",
        " #   # #    # #   # #  #     #    # #    #",
        " #   #  ####   #### #   #     ####   ####",
    ];
    assert_eq!(picture(&lay_out("flock 38", area(60, 9), ALL).unwrap()), rows.join("\n"));
}

#[test]
fn points_are_distinct_and_inside() {
    let texts =
        ["A", "flock", "12:45", "jÅg,", "one boid, two boids\nfly away", "漢字", "ok 🐦 漢 é", "j", "...", "|_|"];
    for [width, height] in [[30, 20], [31, 23], [88, 44], [160, 96], [301, 77], [800, 400]] {
        for corner in [[0, 0], [7, 5]] {
            let area = LetteringArea { corner, size: [width, height] };
            for text in texts {
                for most in [ALL, 300, 40] {
                    let Ok(lettering) = lay_out(text, area, most) else {
                        assert!(width < 40, "{text} {area:?}");
                        continue;
                    };
                    let mut taken = HashSet::new();
                    assert!(lettering.points.len() <= most && !lettering.points.is_empty());
                    for point in &lettering.points {
                        let [x, y] = dot(point);
                        let inside =
                            (corner[0]..corner[0] + width).contains(&x) && (corner[1]..corner[1] + height).contains(&y);
                        assert!(inside && taken.insert([x, y]), "{text} {area:?} {point:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_larger_area_never_has_smaller_letters() {
    let height = |side| lay_out("one boid, two boids", area(2 * side, side), ALL).unwrap().points.len();
    let points: Vec<usize> = (10..40).map(|step| height(step * 10)).collect();
    assert!(points.is_sorted(), "{points:?}");
}

#[test]
fn lines_break_where_the_letters_become_largest() {
    let rows = |text: &str, width, height| {
        let lettering = lay_out(text, area(width, height), ALL).unwrap();
        lettering.area.size
    };
    // One line in a flat area, three in a square one.
    assert!(rows("boids fly away", 300, 30)[1] <= 30);
    let ([_, tall], [_, one]) = (rows("boids fly away", 200, 200), rows("away", 200, 200));
    assert!(tall > one, "{tall} {one}");
    // An explicit break is kept.
    assert!(rows("a\nb", 300, 30)[0] < rows("ab", 300, 30)[0]);
}

#[test]
fn the_first_points_cover_all_strokes() {
    let all = lay_out("flock 🐦", area(240, 60), ALL).unwrap().points;
    for share in [4, 8] {
        let first = &all[..all.len() / share];
        for point in &all {
            let near = |other: &&LetteringPoint| {
                other.letter == point.letter
                    && (other.at[0] - point.at[0]).hypot(other.at[1] - point.at[1]) <= 3.0 * share as f32
            };
            assert!(first.iter().any(|other| near(&other)), "{share}: {point:?}");
        }
    }
    assert_eq!(all[0].grapheme.as_deref(), Some("🐦"), "a grapheme comes first");
}

#[test]
fn few_points_have_even_gaps() {
    let all = lay_out("flock", area(200, 80), ALL).unwrap();
    let few = lay_out("flock", area(200, 80), 200).unwrap();
    assert!((150..=200).contains(&few.points.len()) && all.points.len() > 400);
    assert!(all.area.size[1] - few.area.size[1] <= 2, "as large as with all points, by a thinner pen");
    let nearest = |point: &LetteringPoint| {
        let others = few.points.iter().filter(|other| other.at != point.at);
        others.map(|other| (other.at[0] - point.at[0]).hypot(other.at[1] - point.at[1])).fold(f32::MAX, f32::min)
    };
    assert!(few.points.iter().map(nearest).all(|gap| (1.0..=4.5).contains(&gap)));
    // Very few points write small letters.
    let tiny = lay_out("flock", area(200, 80), 60).unwrap();
    assert!(tiny.area.size[1] < few.area.size[1] / 2 && tiny.points.len() > 40);
}

#[test]
fn a_clock_keeps_the_points_of_digits_that_do_not_change() {
    let of = |text: &str, letter, most| -> HashSet<[i32; 2]> {
        let lettering = lay_out(text, area(160, 96), most).unwrap();
        lettering.points.iter().filter(|point| point.letter == letter).map(dot).collect()
    };
    for most in [ALL, 300, 90] {
        for (first, second) in [("12:34", "12:35"), ("11:11", "18:08"), ("1:05 pm", "1:55 pm")] {
            for (letter, (one, other)) in first.chars().zip(second.chars()).enumerate() {
                let same = of(first, letter, most) == of(second, letter, most);
                assert_eq!(same, one == other, "{first} {second} {letter} {most}");
            }
        }
        let widths = ["11:11", "08:58"].map(|text| lay_out(text, area(160, 96), most).unwrap().area);
        assert_eq!(widths[0], widths[1]);
    }
}

#[test]
fn a_grapheme_without_strokes_is_one_point_at_the_center_of_a_cell() {
    let lettering = lay_out("a👩‍🚀漢", area(101, 33), ALL).unwrap();
    let own: Vec<_> = lettering.points.iter().filter(|point| point.grapheme.is_some()).collect();
    assert_eq!(own.iter().map(|point| point.letter).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(own[0].grapheme.as_deref(), Some("👩‍🚀"));
    assert!(own.iter().all(|point| point.at[0] % 2.0 == 1.0 && point.at[1] % 4.0 == 2.0), "{own:?}");
    assert!(own[1].at[0] >= own[0].at[0] + 4.0, "two cells wide");
    let escape = lay_out("a\u{1b}\u{7}b", area(100, 30), ALL).unwrap();
    assert!(escape.points.iter().all(|point| point.grapheme.is_none()), "control characters are not shown");
}

#[test]
fn errors_say_what_would_fit() {
    let Err(LetteringError::TooLong { characters: 26, fit }) = lay_out("abcdefghijklmnopqrstuvwxyz", area(30, 20), ALL)
    else {
        panic!("26 letters do not fit")
    };
    let alphabet = "abcdefghijklmnopqrstuvwxyz";
    assert!(lay_out(&alphabet[..fit], area(30, 20), ALL).is_ok());
    assert!(lay_out(&alphabet[..=fit], area(30, 20), ALL).is_err());
    let Err(LetteringError::TooSmall { expected: [width, height], .. }) = lay_out("A", area(4, 3), ALL) else {
        panic!("no letter fits")
    };
    assert!(lay_out("A", area(width, height), ALL).is_ok());
    assert!(lay_out("A", area(width - 1, height), ALL).is_err() && lay_out("A", area(width, height - 1), ALL).is_err());
}

#[test]
fn a_text_without_characters_has_no_points() {
    for text in ["", "  ", "\n"] {
        assert_eq!(lay_out(text, area(60, 40), ALL).unwrap().points, [], "{text:?}");
    }
}
