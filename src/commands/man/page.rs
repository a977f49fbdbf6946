//! A page as it is written: headings, paragraphs, and terms that are explained.

use roff::{Inline, Roff, bold, roman};

use crate::commands::version;

/// A page that grows.
pub(crate) struct ManPage {
    roff: Roff,
    /// Whether a heading is the last thing that was written: a paragraph begins by itself there.
    headed: bool,
}

impl ManPage {
    /// A page of this name in a section of the manual: `1` has programs, `5` files.
    pub(crate) fn new(name: &str, section: &str, manual: &str, sentence: &str) -> Self {
        let mut roff = Roff::new();
        // Where the day is not known, an empty argument is one too.
        let day = format!("\"{}\"", version::DAY);
        let source = format!("flockscope {}", version::SHORT);
        roff.control("TH", [&*name.to_uppercase(), section, &day, &source, manual]);
        // Words are not broken: options would be no longer what one types.
        roff.control("nh", []).control("ad", ["l"]);
        let mut sheet = Self { roff, headed: false };
        sheet.section("Name");
        sheet.roff.text([roman(format!("{name} - {sentence}"))]);
        sheet
    }

    pub(crate) fn section(&mut self, heading: &str) {
        self.roff.control("SH", [&*heading.to_uppercase()]);
        self.headed = true;
    }

    pub(crate) fn subsection(&mut self, heading: &str) {
        self.roff.control("SS", [heading]);
        self.headed = true;
    }

    /// Paragraphs, with an empty line from one to the next; what stands between backticks is bold.
    pub(crate) fn text(&mut self, text: &str) {
        for paragraph in text.split("\n\n") {
            self.paragraph();
            self.roff.text(inlines(paragraph));
        }
    }

    /// A line of its own.
    pub(crate) fn line(&mut self, text: &str) {
        self.roff.control("br", []);
        self.roff.text(inlines(text));
    }

    /// A term, and what is to be said of it.
    pub(crate) fn term(&mut self, term: impl Into<Vec<Inline>>, text: &str) {
        self.headed = false;
        self.roff.control("TP", []);
        self.roff.text(term);
        for (index, paragraph) in text.split("\n\n").enumerate() {
            if index > 0 {
                self.roff.control("IP", []);
            }
            self.roff.text(inlines(paragraph));
        }
    }

    /// Lines as they are.
    pub(crate) fn verbatim(&mut self, text: &str) {
        self.paragraph();
        self.roff.control("nf", []).control("RS", ["4"]);
        for line in text.lines() {
            self.roff.text([roman(if line.is_empty() { " " } else { line })]);
        }
        self.roff.control("RE", []).control("fi", []);
    }

    fn paragraph(&mut self) {
        if !std::mem::take(&mut self.headed) {
            self.roff.control("PP", []);
        }
    }

    pub(crate) fn finish(self) -> String {
        self.roff.render()
    }
}

fn inlines(text: &str) -> Vec<Inline> {
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { bold(part) } else { roman(part) }).collect()
}
