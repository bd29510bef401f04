//! Pictures made of dots, the same on every machine: the font is part of the program.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// So many dots a unit of the SVG.
const SCALE: f32 = 2.;

/// The picture in an SVG that [`super::Chart`] has drawn.
pub fn png(svg: &str) -> Vec<u8> {
    let mut options = Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::ITALIC_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    let tree = Tree::from_str(svg, &options).expect("a chart is well-formed");
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * SCALE as u32, size.height() * SCALE as u32);
    let mut dots = Pixmap::new(width, height).expect("a chart has a size");
    let scale = Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut dots.as_mut());
    dots.encode_png().expect("dots can be encoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dark_dots(text: &str) -> usize {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"40\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\
             <text x=\"5\" y=\"25\" font-family=\"sans-serif\" font-size=\"16\">{text}</text></svg>"
        );
        let dots = Pixmap::decode_png(&png(&svg)).unwrap();
        assert_eq!((dots.width(), dots.height()), (400, 80));
        dots.pixels().iter().filter(|dot| dot.red() < 128).count()
    }

    #[test]
    fn text_is_drawn_without_any_font_of_the_machine() {
        assert_eq!(dark_dots(""), 0);
        assert!(dark_dots("λ = 5/k") > 100);
    }
}
