//! The bytes of a frame while it is written.

/// CellAttrs much room a page gets at first.
const ROOM: usize = 1 << 14;

/// Bytes in a row, with room behind them: a few more of them take a store, and no more.
#[derive(Debug, Default)]
pub(crate) struct ByteBuffer {
    bytes: Vec<u8>,
    /// CellAttrs many of those are written.
    len: usize,
}

/// CellAttrs many bytes go onto a page at once.
const WORD: usize = size_of::<u64>();

impl ByteBuffer {
    /// Becomes empty.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// CellAttrs many bytes are written.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What is written.
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Adds so many bytes of a word, the lowest first: how many those are nobody foresees, so all are stored.
    #[inline]
    pub(crate) fn add(&mut self, word: u64, many: usize) {
        match self.bytes.get_mut(self.len..self.len + WORD) {
            Some(room) => room.copy_from_slice(&word.to_le_bytes()),
            None => self.grow(&word.to_le_bytes()),
        }
        self.len += many;
    }

    /// Adds a text, as long as it may be.
    #[inline]
    pub(crate) fn write(&mut self, text: &[u8]) {
        match self.bytes.get_mut(self.len..self.len + text.len()) {
            Some(room) => room.copy_from_slice(text),
            None => self.grow(text),
        }
        self.len += text.len();
    }

    /// Room for so many bytes behind what is written.
    #[inline]
    pub(crate) fn open(&mut self, many: usize) -> &mut [u8] {
        if self.bytes.len() < self.len + many {
            self.bytes.resize((self.len + many).next_power_of_two().max(ROOM), 0);
        }
        &mut self.bytes[self.len..self.len + many]
    }

    /// So many of them are written.
    #[inline]
    pub(crate) fn close(&mut self, many: usize) {
        self.len += many;
    }

    /// Makes room for a text, and puts it there.
    #[cold]
    fn grow(&mut self, text: &[u8]) {
        self.bytes.resize((self.len + text.len()).next_power_of_two().max(ROOM), 0);
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
    }

    /// Makes the last byte another.
    #[inline]
    pub(crate) fn end(&mut self, byte: u8) {
        if let Some(last) = self.len.checked_sub(1) {
            self.bytes[last] = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_stands_there_also_beyond_the_room_of_before() {
        let (mut page, mut expected) = (ByteBuffer::default(), Vec::new());
        for turn in 0..3 {
            page.clear();
            expected.clear();
            assert!(page.text().is_empty(), "{turn}");
            for number in 0..ROOM {
                let word = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                page.add(word, number % 9);
                expected.extend_from_slice(&word.to_le_bytes()[..number % 9]);
                if number % 1000 == 7 {
                    page.write(&vec![b'x'; number]);
                    expected.extend(std::iter::repeat_n(b'x', number));
                    page.end(b'y');
                    expected.pop();
                    expected.push(b'y');
                }
            }
            assert_eq!((page.len(), page.text()), (expected.len(), &expected[..]));
        }
        page.clear();
        page.end(b'y');
        assert!(page.text().is_empty());
    }
}
