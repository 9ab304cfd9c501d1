//! The pictures of the open world, seen from above: roofs, trees, rocks, fields, water. Painted, so that nobody has to draw
//! or license them, and shipped as files, because what streams has to be read from a disk.
//!
//! Invariant: [`paint`] is a pure function. It adds, multiplies, divides and takes square roots and nothing else, all of
//! which every machine rounds alike; a test compares the shipped files with what it paints.

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motif {
    /// A hipped roof with a chimney.
    House,
    /// A long gabled roof with a cross wing.
    Hall,
    /// A round keep with battlements.
    Tower,
    /// A broad crown of leaves.
    Tree,
    /// A pointed crown of needles.
    Pine,
    /// A boulder with facets.
    Rock,
    /// Furrows.
    Field,
    /// Still water with a shore.
    Pond,
}

/// The pictures that ship, below the folder of the scenes: path, motif, seed, side in pixels.
pub const SHIPPED: [(&str, Motif, u32, usize); 16] = [
    ("assets/house-1.png", Motif::House, 1, 96),
    ("assets/house-2.png", Motif::House, 2, 96),
    ("assets/house-3.png", Motif::House, 3, 96),
    ("assets/hall-1.png", Motif::Hall, 1, 128),
    ("assets/hall-2.png", Motif::Hall, 2, 128),
    ("assets/tower-1.png", Motif::Tower, 1, 96),
    ("assets/tree-1.png", Motif::Tree, 1, 64),
    ("assets/tree-2.png", Motif::Tree, 2, 64),
    ("assets/tree-3.png", Motif::Tree, 3, 64),
    ("assets/pine-1.png", Motif::Pine, 1, 64),
    ("assets/pine-2.png", Motif::Pine, 2, 64),
    ("assets/rock-1.png", Motif::Rock, 1, 64),
    ("assets/rock-2.png", Motif::Rock, 2, 64),
    ("assets/field-1.png", Motif::Field, 1, 128),
    ("assets/field-2.png", Motif::Field, 2, 128),
    ("assets/pond-1.png", Motif::Pond, 1, 128),
];

/// A colour with its opacity, each part from 0 to 1.
type Paint = [f32; 4];

const NOTHING: Paint = [0.0; 4];

/// How many samples a pixel takes along each axis.
const SAMPLES: usize = 4;

/// Paints `motif` as `size` × `size` pixels of four bytes: red, green, blue, opacity; the top row first.
pub fn paint(motif: Motif, seed: u32, size: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size * size * 4);
    let step = 2.0 / (size * SAMPLES) as f32;
    for row in 0..size {
        for column in 0..size {
            let mut sum = [0.0; 4];
            for sample in 0..SAMPLES * SAMPLES {
                let (down, right) = (sample / SAMPLES, sample % SAMPLES);
                let x = ((column * SAMPLES + right) as f32 + 0.5) * step - 1.0;
                let y = ((row * SAMPLES + down) as f32 + 0.5) * step - 1.0;
                let [red, green, blue, opacity] = motif.at(seed, x, y);
                // Colours are averaged by their opacity, or edges would turn black.
                sum[0] += red * opacity;
                sum[1] += green * opacity;
                sum[2] += blue * opacity;
                sum[3] += opacity;
            }
            let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            for channel in &sum[..3] {
                bytes.push(if sum[3] > 0.0 {
                    byte(channel / sum[3])
                } else {
                    0
                });
            }
            bytes.push(byte(sum[3] / (SAMPLES * SAMPLES) as f32));
        }
    }
    bytes
}

impl Motif {
    /// The colour at a point of the square from -1 to 1; y grows downwards, and the light comes from the upper left.
    fn at(self, seed: u32, x: f32, y: f32) -> Paint {
        match self {
            Self::House => house(seed, x, y),
            Self::Hall => hall(seed, x, y),
            Self::Tower => tower(seed, x, y),
            Self::Tree => tree(seed, x, y),
            Self::Pine => pine(seed, x, y),
            Self::Rock => rock(seed, x, y),
            Self::Field => field(seed, x, y),
            Self::Pond => pond(seed, x, y),
        }
    }
}

fn house(seed: u32, x: f32, y: f32) -> Paint {
    const ROOFS: [u32; 3] = [0x8A_55_46, 0x6F_6A_72, 0x8C_73_4E];
    let base = rgb(ROOFS[seed as usize % ROOFS.len()]);
    let (half_width, half_height) = (0.88, 0.72);
    let (from_side, from_end) = (half_height - y.abs(), half_width - x.abs());
    let inside = from_side.min(from_end);
    if inside < 0.0 {
        return shadow(x, y, half_width, half_height);
    }
    if (x - 0.34).abs() < 0.08 && (y + 0.2).abs() < 0.08 {
        return shade(rgb(0x4A_3A_36), 1.0);
    }
    // The hips run at 45 degrees; each side has its own light.
    let light = if from_side < from_end {
        if y < 0.0 { 1.12 } else { 0.74 }
    } else if x < 0.0 {
        1.0
    } else {
        0.84
    };
    roof(base, seed, x, y, inside, light)
}

fn hall(seed: u32, x: f32, y: f32) -> Paint {
    const ROOFS: [u32; 2] = [0x7B_5A_4A, 0x58_66_76];
    let base = rgb(ROOFS[seed as usize % ROOFS.len()]);
    let (nave, wing) = (
        (0.94 - x.abs(), 0.5 - y.abs()),
        (0.3 - x.abs(), 0.9 - y.abs()),
    );
    let (in_nave, in_wing) = (nave.0.min(nave.1), wing.0.min(wing.1));
    let inside = in_nave.max(in_wing);
    if inside < 0.0 {
        let fallen = shadow(x, y, 0.94, 0.5);
        return if fallen[3] > 0.0 {
            fallen
        } else {
            shadow(x, y, 0.3, 0.9)
        };
    }
    // The higher of the two gables is the one that is seen.
    let light = if nave.1 / 0.5 > wing.0 / 0.3 || in_nave < 0.0 {
        if in_nave >= 0.0 {
            if y < 0.0 { 1.12 } else { 0.76 }
        } else if x < 0.0 {
            1.02
        } else {
            0.84
        }
    } else if in_wing >= 0.0 {
        if x < 0.0 { 1.02 } else { 0.84 }
    } else if y < 0.0 {
        1.12
    } else {
        0.76
    };
    roof(base, seed, x, y, inside, light)
}

/// Tiles in rows, a dark eave, a little weather.
fn roof(base: [f32; 3], seed: u32, x: f32, y: f32, inside: f32, light: f32) -> Paint {
    let row = (inside * 11.0).fract();
    let tiles = if row < 0.18 { 0.9 } else { 1.0 };
    let eave = if inside < 0.05 { 0.62 } else { 1.0 };
    let weather = 0.92 + 0.16 * noise(seed, x * 5.0, y * 5.0);
    shade(base, light * tiles * eave * weather)
}

fn tower(seed: u32, x: f32, y: f32) -> Paint {
    let radius = length(x, y);
    if radius > 0.86 {
        let fallen = length(x - 0.1, y - 0.12);
        return if fallen < 0.86 { DARK } else { NOTHING };
    }
    let stone = rgb(0x8A_87_7E);
    let weather = 0.9 + 0.2 * noise(seed, x * 7.0, y * 7.0);
    if radius > 0.62 {
        // Twelve merlons, each as wide as the gap beside it: 7.5 degrees to each side, whose cosine this is.
        const MERLON: f32 = 0.991_444_9;
        let merlon = spikes::<6>(x / radius, y / radius) > MERLON;
        return shade(stone, weather * if merlon { 1.12 } else { 0.72 });
    }
    if radius > 0.56 {
        return shade(stone, 0.5);
    }
    let boards = if (y * 9.0 + 20.0).fract() < 0.14 {
        0.82
    } else {
        1.0
    };
    shade(rgb(0x6B_5B_49), weather * boards * (1.0 - 0.12 * (x + y)))
}

fn tree(seed: u32, x: f32, y: f32) -> Paint {
    const CROWNS: [u32; 3] = [0x4F_7A_50, 0x66_7E_48, 0x3F_6E_5C];
    let base = rgb(CROWNS[seed as usize % CROWNS.len()]);
    let radius = length(x, y);
    let edge = 0.66 + 0.3 * noise_around(seed, x, y, radius, 2.6);
    if radius > edge {
        let fallen = length(x - 0.1, y - 0.12);
        return if fallen < 0.72 { DARK } else { NOTHING };
    }
    let leaves = noise(seed ^ 7, x * 6.0, y * 6.0) - noise(seed ^ 7, x * 6.0 + 0.5, y * 6.0 + 0.5);
    let rim = 1.0 - 0.3 * (radius / edge) * (radius / edge);
    shade(base, rim * (1.06 + 0.55 * leaves - 0.2 * (x + y)))
}

fn pine(seed: u32, x: f32, y: f32) -> Paint {
    let base = rgb(if seed.is_multiple_of(2) {
        0x36_61_54
    } else {
        0x44_6B_4E
    });
    let radius = length(x, y);
    let tip = if radius > 0.0 {
        spikes::<5>(x / radius, y / radius)
    } else {
        1.0
    };
    let tip = tip * tip * tip * tip;
    let edge = 0.6 + 0.36 * tip * tip;
    if radius > edge {
        // Its shadow would lie within its own branches.
        return NOTHING;
    }
    let whorl = (radius * 3.4).fract();
    let ridge = 0.8 + 0.4 * tip;
    let grain = 0.94 + 0.12 * noise(seed, x * 9.0, y * 9.0);
    shade(
        base,
        grain * ridge * (1.25 - 0.5 * radius - 0.18 * whorl - 0.12 * (x + y)),
    )
}

fn rock(seed: u32, x: f32, y: f32) -> Paint {
    // A convex polygon: the farthest of its sides decides whether a point is inside, and which facet it lies on.
    const SIDES: u32 = 8;
    let (mut farthest, mut facet) = (f32::NEG_INFINITY, (0.0, 0.0));
    for side in 0..SIDES {
        let (unit_x, unit_y) = direction(side * 2 + lattice(seed, side as i32, 1) % 2, 16);
        let reach = 0.62 + 0.24 * fraction(lattice(seed, side as i32, 2));
        let distance = (x * unit_x + y * unit_y) / reach;
        if distance > farthest {
            (farthest, facet) = (distance, (unit_x, unit_y));
        }
    }
    if farthest > 1.0 {
        let fallen = length(x - 0.1, y - 0.12);
        return if fallen < 0.7 { DARK } else { NOTHING };
    }
    let lean = if farthest < 0.5 { 0.12 } else { 0.36 };
    let light = 0.98 - lean * (facet.0 + facet.1) * 0.7;
    let grain = 0.9 + 0.2 * noise(seed, x * 8.0, y * 8.0);
    shade(rgb(0x7A_7F_86), light * grain)
}

fn field(seed: u32, x: f32, y: f32) -> Paint {
    let base = rgb(if seed.is_multiple_of(2) {
        0x5E_6B_3F
    } else {
        0x7A_69_42
    });
    let ragged = 0.03 * noise(seed, x * 8.0, y * 8.0);
    let inside = (0.97 - x.abs()).min(0.97 - y.abs()) - ragged;
    if inside < 0.0 {
        return NOTHING;
    }
    let along = if seed.is_multiple_of(2) { x } else { y };
    let furrow = ((along + 1.0) * 9.0 + 0.25 * noise(seed, x * 3.0, y * 3.0)).fract();
    let ridge = 1.0 - 2.0 * (furrow - 0.5).abs();
    let border = if inside < 0.05 { 0.78 } else { 1.0 };
    let soil = 0.86 + 0.2 * noise(seed ^ 3, x * 4.0, y * 4.0);
    shade(base, border * soil * (0.78 + 0.34 * ridge))
}

fn pond(seed: u32, x: f32, y: f32) -> Paint {
    let radius = length(x, y);
    let edge = 0.6 + 0.36 * noise_around(seed, x, y, radius, 1.7);
    let inside = edge - radius;
    if inside < 0.0 {
        return NOTHING;
    }
    if inside < 0.07 {
        return shade(rgb(0x75_70_58), 0.9 + 0.2 * noise(seed, x * 9.0, y * 9.0));
    }
    let ripple = noise(seed ^ 5, x * 3.0, y * 9.0);
    let depth = (inside * 1.6).min(1.0);
    shade(rgb(0x3E_6D_88), 1.14 - 0.34 * depth + 0.1 * ripple)
}

/// What lies in the shadow of a thing.
const DARK: Paint = [0.02, 0.025, 0.03, 0.45];

/// The shadow that a block of this half size throws.
fn shadow(x: f32, y: f32, half_width: f32, half_height: f32) -> Paint {
    if (x - 0.05).abs() < half_width && (y - 0.07).abs() < half_height {
        DARK
    } else {
        NOTHING
    }
}

fn rgb(hex: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| (hex >> shift & 0xFF) as f32 / 255.0)
}

/// The opaque colour `base` in this much light, on a map that is dark: units and outlines stay the brightest.
fn shade([red, green, blue]: [f32; 3], light: f32) -> Paint {
    const DUSK: f32 = 0.8;
    let light = light * DUSK;
    [red * light, green * light, blue * light, 1.0]
}

fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// How well a direction agrees with the nearest of 2·`AXES` evenly spread ones: 1 when it is one of them.
fn spikes<const AXES: u32>(x: f32, y: f32) -> f32 {
    (0..AXES)
        .map(|axis| {
            let (unit_x, unit_y) = direction(axis, 2 * AXES);
            (x * unit_x + y * unit_y).abs()
        })
        .fold(0.0, f32::max)
}

/// The direction at `step` of `steps` around. Without trigonometry, which not every machine rounds alike: within a quarter
/// the tangent of a quarter of the angle is taken to be linear, which is even enough for a picture.
fn direction(step: u32, steps: u32) -> (f32, f32) {
    /// The tangent of 22.5 degrees: a quarter of the way around, quartered.
    const TANGENT: f32 = 0.414_213_57;
    let turn = (step % steps) as f32 / steps as f32 * 4.0;
    let quarter = turn as u32;
    let tangent = (turn - quarter as f32) * TANGENT;
    let square = tangent * tangent;
    // From the tangent of half an angle to its cosine and sine, and from there to those of twice the angle.
    let (cosine, sine) = (
        (1.0 - square) / (1.0 + square),
        2.0 * tangent / (1.0 + square),
    );
    let (x, y) = (cosine * cosine - sine * sine, 2.0 * cosine * sine);
    match quarter {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

/// Noise that depends on the direction alone: the outline of something grown.
fn noise_around(seed: u32, x: f32, y: f32, radius: f32, detail: f32) -> f32 {
    if radius > 0.0 {
        noise(seed, x / radius * detail, y / radius * detail)
    } else {
        0.5
    }
}

/// Smooth noise from 0 to 1 with one feature a unit (value noise).
fn noise(seed: u32, x: f32, y: f32) -> f32 {
    let (cell_x, cell_y) = (x.floor(), y.floor());
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (right, down) = (ease(x - cell_x), ease(y - cell_y));
    let corner = |dx: i32, dy: i32| fraction(lattice(seed, cell_x as i32 + dx, cell_y as i32 + dy));
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(
        mix(corner(0, 0), corner(1, 0), right),
        mix(corner(0, 1), corner(1, 1), right),
        down,
    )
}

/// A number from 0 to 1 from the upper bits of a hash.
fn fraction(hash: u32) -> f32 {
    (hash >> 8) as f32 / 16_777_215.0
}

/// A hash of a lattice point (the finaliser of MurmurHash3 over a sum of multiples of large odd numbers).
fn lattice(seed: u32, x: i32, y: i32) -> u32 {
    let mut hash = seed
        .wrapping_mul(0x9E37_79B1)
        .wrapping_add((x as u32).wrapping_mul(0x85EB_CA77))
        .wrapping_add((y as u32).wrapping_mul(0xC2B2_AE3D));
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// With SKIRMISH_PAINT=1 in the environment the files are painted anew.
    #[test]
    fn the_shipped_pictures_are_the_painted_ones() {
        let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        for (path, motif, seed, size) in SHIPPED {
            let path = scenes.join(path);
            let painted = paint(motif, seed, size);
            if std::env::var_os("SKIRMISH_PAINT").is_some() {
                let side = size as u32;
                image::save_buffer(&path, &painted, side, side, image::ColorType::Rgba8).unwrap();
            }
            let shipped = image::open(&path).unwrap().into_rgba8();
            assert_eq!(shipped.dimensions(), (size as u32, size as u32));
            assert!(shipped.into_raw() == painted, "{} differs", path.display());
        }
    }

    #[test]
    fn directions_have_length_one_and_go_around() {
        for step in 0..32 {
            let (x, y) = direction(step, 32);
            assert!((length(x, y) - 1.0).abs() < 1.0e-5);
            let (next_x, next_y) = direction(step + 1, 32);
            assert!(x * next_y - y * next_x > 0.15, "step {step} turns left");
        }
    }
}
