//! How large a picture is, in pixels and in memory.

/// The longest side of a picture that is shown, in pixels; larger ones are made smaller when they are uploaded. The pictures of
/// all that is there are kept, for views that begin anew and for keyframes: this bounds each to 64 KiB.
pub const SHOWN_SIDE: u32 = 128;

/// The width and the height of a picture, in pixels; both are 0 where they are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureSize {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl PictureSize {
    /// The bytes that it takes in memory: four a pixel.
    pub fn bytes(self) -> u64 {
        u64::from(self.width)
            .saturating_mul(u64::from(self.height))
            .saturating_mul(4)
    }

    /// The same picture with no side longer than [`SHOWN_SIDE`].
    pub fn shown(self) -> Self {
        let longest = self.width.max(self.height);
        if longest <= SHOWN_SIDE {
            return self;
        }
        let side = |length: u32| {
            let part = u64::from(length) * u64::from(SHOWN_SIDE) / u64::from(longest);
            (part as u32).max(1)
        };
        Self {
            width: side(self.width),
            height: side(self.height),
        }
    }

    /// Reads it from the first bytes of a PNG file; `None` when they are no such.
    pub(super) fn of_png(head: &[u8; Self::PNG_HEAD]) -> Option<Self> {
        let (before, sides) = head.split_at(16);
        if before != b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" {
            return None;
        }
        let side = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
        Some(Self {
            width: side(&sides[..4])?,
            height: side(&sides[4..])?,
        })
    }

    /// How many bytes of a PNG file it takes to know.
    pub(super) const PNG_HEAD: usize = 24;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_four_bytes_a_pixel() {
        let size = |width, height| PictureSize { width, height };
        assert_eq!(size(4_096, 4_096).bytes(), 67_108_864);
        assert_eq!(size(4_096, 4_096).shown(), size(128, 128));
        assert_eq!(size(1_000, 10).shown(), size(128, 1));
        assert_eq!(size(3, 128).shown(), size(3, 128));
        assert_eq!(size(u32::MAX, u32::MAX).bytes(), u64::MAX);
        assert_eq!(size(u32::MAX, 1).shown(), size(128, 1));
        assert_eq!(PictureSize::default().shown().bytes(), 0);
    }

    #[test]
    fn the_head_of_a_file_says_it() {
        let mut head = *b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x10\0\0\0\x02\x01";
        let size = PictureSize {
            width: 4_096,
            height: 513,
        };
        assert_eq!(PictureSize::of_png(&head), Some(size));
        head[3] = b'g';
        assert_eq!(PictureSize::of_png(&head), None);
    }
}
