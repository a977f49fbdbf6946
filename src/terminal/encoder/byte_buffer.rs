//! A byte buffer with spare room, so that short writes of unknown length need no branch.

/// Room at first.
const INITIAL_ROOM: usize = 1 << 14;
/// Bytes stored by [`ByteBuffer::write_word`], whatever their count.
const WORD: usize = size_of::<u64>();

/// Collects the bytes of a frame.
#[derive(Debug, Default)]
pub(super) struct ByteBuffer {
    /// Written bytes, then room.
    bytes: Vec<u8>,
    len: usize,
}

impl ByteBuffer {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Appends the lowest `count` bytes of a word, lowest first. It stores all eight, since the branch predictor cannot guess
    /// the count.
    #[inline]
    pub(super) fn write_word(&mut self, word: u64, count: usize) {
        match self.bytes.get_mut(self.len..self.len + WORD) {
            Some(room) => room.copy_from_slice(&word.to_le_bytes()),
            None => self.grow(&word.to_le_bytes()),
        }
        self.len += count;
    }

    /// Appends bytes.
    #[inline]
    pub(super) fn write(&mut self, bytes: &[u8]) {
        match self.bytes.get_mut(self.len..self.len + bytes.len()) {
            Some(room) => room.copy_from_slice(bytes),
            None => self.grow(bytes),
        }
        self.len += bytes.len();
    }

    /// Room for this many bytes, to be appended with [`advance`](Self::advance).
    #[inline]
    pub(super) fn room(&mut self, count: usize) -> &mut [u8] {
        if self.bytes.len() < self.len + count {
            self.bytes.resize((self.len + count).next_power_of_two().max(INITIAL_ROOM), 0);
        }
        &mut self.bytes[self.len..self.len + count]
    }

    /// Appends this many bytes of the room.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) {
        self.len += count;
    }

    #[cold]
    fn grow(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }

    /// Replaces the last byte.
    #[inline]
    pub(super) fn replace_last(&mut self, byte: u8) {
        if let Some(last) = self.len.checked_sub(1) {
            self.bytes[last] = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_beyond_the_room_are_kept() {
        let (mut buffer, mut expected) = (ByteBuffer::default(), Vec::new());
        for _ in 0..3 {
            buffer.clear();
            expected.clear();
            assert!(buffer.as_slice().is_empty());
            buffer.replace_last(b'y');
            for number in 0..INITIAL_ROOM {
                let word = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                buffer.write_word(word, number % 9);
                expected.extend_from_slice(&word.to_le_bytes()[..number % 9]);
                if number % 1000 == 7 {
                    buffer.write(&vec![b'x'; number]);
                    expected.extend(std::iter::repeat_n(b'x', number));
                    buffer.replace_last(b'y');
                    expected.pop();
                    expected.push(b'y');
                }
            }
            assert_eq!((buffer.len(), buffer.as_slice()), (expected.len(), &expected[..]));
        }
    }
}
