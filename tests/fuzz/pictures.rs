//! Makes PNG files: shipped ones with other chunks, and new ones of every colour type. Checksums are mostly put right, for
//! with a wrong one nothing behind it is looked at.

use super::fuzz::choices::Dice;
use super::fuzz::mutate;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The kinds of chunks that the format knows, and one that it does not.
const KINDS: &[&[u8; 4]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"tEXt",
    b"zTXt", b"iTXt", b"bKGD", b"pHYs", b"sBIT", b"sPLT", b"hIST", b"tIME", b"acTL", b"fcTL",
    b"fdAT", b"eXIf", b"cICP", b"mDCV", b"cLLI", b"xXxX",
];

/// Sides at and beyond limits.
const SIDES: &[u32] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    16,
    31,
    64,
    255,
    256,
    1000,
    4095,
    4096,
    4097,
    65_535,
    65_536,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
];

type Chunk = ([u8; 4], Vec<u8>);

pub fn make(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let base = dice.pick(corpus);
    let mut chunks = match dice.below(8) {
        0 => return mutate::bytes(dice, base, &corpus[0]),
        1 | 2 => chunks_of(base),
        _ => new(dice),
    };
    for _ in 0..dice.below(4) {
        change(dice, &mut chunks, corpus);
    }
    let mut made = written(dice, &chunks);
    if dice.once_in(8) {
        made.truncate(dice.below(made.len() + 1));
    }
    if dice.once_in(8) {
        made = mutate::bytes(dice, &made, base);
    }
    made
}

/// The chunks of a file that is in order.
fn chunks_of(file: &[u8]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut rest = file.get(SIGNATURE.len()..).unwrap_or(&[]);
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(data) = after.get(..length) else {
            break;
        };
        chunks.push(([head[4], head[5], head[6], head[7]], data.to_vec()));
        rest = after.get(length + 4..).unwrap_or(&[]);
    }
    chunks
}

/// A small picture of any colour type and depth, with pixels of no meaning.
fn new(dice: &mut Dice) -> Vec<Chunk> {
    let colour = *dice.pick(&[0, 2, 3, 4, 6]);
    let depth = *dice.pick(&[1, 2, 4, 8, 16]);
    let interlaced = dice.once_in(3);
    let large = dice.once_in(200);
    let mut side = || {
        if large {
            *dice.pick(SIDES)
        } else {
            1 + dice.below(40) as u32
        }
    };
    let (width, height) = (side(), side());
    let samples = match colour {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([depth, colour, 0, 0, u8::from(interlaced)]);
    // Interlaced pictures take a byte more for some rows; what is missing is a picture that ends too early.
    let row = (u64::from(width) * samples * u64::from(depth)).div_ceil(8) + 1;
    let rows = u64::from(height) * if interlaced { 2 } else { 1 };
    let length = row.saturating_mul(rows);
    let mut pixels = dice.bytes(length.min(40_000) as usize);
    if dice.below(4) > 0 {
        // The filter of each row is one that there is.
        pixels
            .iter_mut()
            .step_by(row as usize)
            .for_each(|filter| *filter %= 5);
    }
    let mut chunks = vec![(*b"IHDR", header)];
    if colour == 3 || dice.once_in(8) {
        let count = if dice.once_in(4) {
            dice.below(300)
        } else {
            3 << depth.min(8)
        };
        chunks.push((*b"PLTE", dice.bytes(count)));
    }
    if dice.once_in(3) {
        let count = *dice.pick(&[0, 1, 2, 6, 256, 300]);
        chunks.push((*b"tRNS", dice.bytes(count)));
    }
    let stream = stored(dice, &pixels);
    // Often in several pieces.
    let piece = if dice.once_in(2) {
        stream.len()
    } else {
        1 + dice.below(200)
    };
    chunks.extend(
        stream
            .chunks(piece.max(1))
            .map(|piece| (*b"IDAT", piece.to_vec())),
    );
    chunks.push((*b"IEND", Vec::new()));
    chunks
}

/// A zlib stream that holds `data` as it is.
fn stored(dice: &mut Dice, data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let sum = (b << 16 | a) ^ u32::from(dice.once_in(20));
    stream.extend(sum.to_be_bytes());
    stream
}

fn change(dice: &mut Dice, chunks: &mut Vec<Chunk>, corpus: &[Vec<u8>]) {
    let at = dice.below(chunks.len());
    match dice.below(8) {
        0 => drop(chunks.remove(at)),
        1 => chunks.insert(at, chunks[at].clone()),
        2 => {
            let with = dice.below(chunks.len());
            chunks.swap(at, with);
        }
        3 => chunks[at].0 = **dice.pick(KINDS),
        4 => {
            let count = if dice.once_in(20) {
                100_000
            } else {
                dice.below(64)
            };
            let chunk = (**dice.pick(KINDS), dice.bytes(count));
            chunks.insert(at, chunk);
        }
        5 => {
            let other = chunks_of(dice.pick::<Vec<u8>>(corpus));
            chunks[at] = dice.pick(&other).clone();
        }
        6 if chunks[0].1.len() == 13 => {
            let header = &mut chunks[0].1;
            match dice.below(3) {
                0 => header[..4].copy_from_slice(&dice.pick(SIDES).to_be_bytes()),
                1 => header[4..8].copy_from_slice(&dice.pick(SIDES).to_be_bytes()),
                _ => header[8 + dice.below(5)] = dice.byte() % 18,
            }
        }
        _ => chunks[at].1 = mutate::bytes(dice, &chunks[at].1, &[]),
    }
    if chunks.is_empty() {
        chunks.push((*b"IEND", Vec::new()));
    }
}

fn written(dice: &mut Dice, chunks: &[Chunk]) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    for (kind, data) in chunks {
        let length = if dice.once_in(60) {
            *dice.pick(SIDES)
        } else {
            data.len() as u32
        };
        file.extend(length.to_be_bytes());
        let start = file.len();
        file.extend(kind);
        file.extend(data);
        let sum = checksum(&file[start..]) ^ u32::from(dice.once_in(60));
        file.extend(sum.to_be_bytes());
    }
    file
}

/// CRC-32 as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}
