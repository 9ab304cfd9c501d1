//! The pictures of resident objects, in a few large textures. A texture each would cost a draw call each.

use egui_macroquad::macroquad::prelude::{Color, FilterMode, Image, Rect, Texture2D};
use skirmish::streaming::{self, MOST_PICTURES, TextureJob};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Pixels to each side of a place in a page. Larger pictures are made smaller.
const PLACE: u32 = 128;
/// Places to each side of a page.
const PLACES: u32 = 8;
/// The most pages: 256 MiB of pixels. No world shows more pictures than they have room for.
const PAGES: usize = MOST_PICTURES.div_ceil((PLACES * PLACES) as usize);
/// What uploads may take of a frame.
const BUDGET: Duration = Duration::from_millis(2);

/// Where a picture is.
#[derive(Clone, Copy, Debug)]
struct Place {
    page: usize,
    index: u32,
    width: u32,
    height: u32,
    /// How many resident objects show it.
    users: u32,
}

/// Pages of pictures, by asset.
#[derive(Default)]
pub struct Atlas {
    pages: Vec<Texture2D>,
    free: Vec<(usize, u32)>,
    places: HashMap<u32, Place>,
    /// What has yet to be done.
    jobs: VecDeque<TextureJob>,
}

impl Atlas {
    /// Forgets every picture and keeps the pages.
    fn clear(&mut self) {
        if !self.places.is_empty() {
            self.places.clear();
            self.free = (0..self.pages.len())
                .flat_map(|page| (0..PLACES * PLACES).map(move |index| (page, index)))
                .collect();
        }
    }

    /// Does what has to be done to the pictures, within the budget of a frame. Gives the objects whose pictures could not be
    /// taken, each with a sentence. Where two runs are to give the same picture (`fixed`) no clock counts.
    pub fn serve(&mut self, jobs: &mut Vec<TextureJob>, fixed: bool) -> Vec<(u32, String)> {
        self.jobs.extend(jobs.drain(..));
        let begun = Instant::now();
        let mut refused = Vec::new();
        while fixed || begun.elapsed() < BUDGET {
            match self.jobs.pop_front() {
                Some(TextureJob::Clear) => self.clear(),
                Some(TextureJob::Release { asset, .. }) => self.release(asset),
                Some(TextureJob::Show {
                    object,
                    asset,
                    image,
                }) => {
                    if let Err(sentence) = self.put(asset, &image) {
                        refused.push((object, sentence));
                    }
                }
                None => break,
            }
        }
        refused
    }

    fn put(&mut self, asset: u32, picture: &streaming::Image) -> Result<(), String> {
        if let Some(place) = self.places.get_mut(&asset) {
            place.users += 1;
            return Ok(());
        }
        let (page, index) = match self.free.pop() {
            Some(place) => place,
            None => self.add_page()?,
        };
        let picture = fitting(picture)?;
        let (width, height) = (u32::from(picture.width), u32::from(picture.height));
        let (x, y) = ((index % PLACES) * PLACE, (index / PLACES) * PLACE);
        self.pages[page].update_part(&picture, x as i32, y as i32, width as i32, height as i32);
        self.places.insert(
            asset,
            Place {
                page,
                index,
                width,
                height,
                users: 1,
            },
        );
        Ok(())
    }

    fn add_page(&mut self) -> Result<(usize, u32), String> {
        if self.pages.len() == PAGES {
            return Err(format!(
                "the atlas is full: it has room for {} pictures",
                PAGES as u32 * PLACES * PLACES
            ));
        }
        let side = (PLACE * PLACES) as u16;
        let texture = Texture2D::from_image(&Image::gen_image_color(
            side,
            side,
            Color::from_rgba(0, 0, 0, 0),
        ));
        texture.set_filter(FilterMode::Linear);
        let page = self.pages.len();
        self.pages.push(texture);
        self.free
            .extend((1..PLACES * PLACES).rev().map(|index| (page, index)));
        Ok((page, 0))
    }

    fn release(&mut self, asset: u32) {
        if let Some(place) = self.places.get_mut(&asset) {
            place.users -= 1;
            if place.users == 0 {
                self.free.push((place.page, place.index));
                self.places.remove(&asset);
            }
        }
    }

    /// The texture in which an asset's picture is, and where.
    pub fn find(&self, asset: u32) -> Option<(&Texture2D, Rect)> {
        let place = self.places.get(&asset)?;
        let (x, y) = (
            (place.index % PLACES) * PLACE,
            (place.index / PLACES) * PLACE,
        );
        // Half a pixel inside, so that filtering does not fetch the neighbour's border.
        let source = Rect::new(
            x as f32 + 0.5,
            y as f32 + 0.5,
            place.width as f32 - 1.0,
            place.height as f32 - 1.0,
        );
        self.pages.get(place.page).map(|page| (page, source))
    }
}

/// The picture in a size that fits a place.
fn fitting(picture: &streaming::Image) -> Result<Image, String> {
    let longest = picture.width.max(picture.height).max(1);
    if longest <= PLACE {
        return Ok(Image {
            width: picture.width as u16,
            height: picture.height as u16,
            bytes: picture.rgba.clone(),
        });
    }
    // Looked at where it is: a copy would take as much again.
    let pixels = picture.rgba.as_slice();
    let whole =
        image::ImageBuffer::<image::Rgba<u8>, _>::from_raw(picture.width, picture.height, pixels)
            .ok_or_else(|| "the picture has fewer pixels than it says".to_owned())?;
    let side = |length: u32| (length * PLACE / longest).max(1);
    let small = image::imageops::thumbnail(&whole, side(picture.width), side(picture.height));
    Ok(Image {
        width: small.width() as u16,
        height: small.height() as u16,
        bytes: small.into_raw(),
    })
}
