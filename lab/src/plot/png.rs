//! Pictures made of dots, the same on every machine: the font is part of the program.

use super::chart::escape;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Indent, Options, Tree, WriteOptions};
use std::sync::Arc;

/// So many dots a unit of the SVG.
const SCALE: f32 = 2.;

/// A picture for files: as SVG that needs no font, and as dots.
pub struct Picture {
    pub svg: String,
    pub png: Vec<u8>,
}

impl Picture {
    /// From an SVG with text, and what it shows: its title, and more about it.
    pub fn new(svg: &str, title: &str, description: &str) -> Self {
        let tree = tree(svg);
        let outlined = tree.to_string(&WriteOptions {
            coordinates_precision: 2,
            transforms_precision: 5,
            indent: Indent::None,
            ..WriteOptions::default()
        });
        let (opening, rest) = outlined.split_once('>').expect("it begins with an element");
        let (title, description) = (escape(title), escape(description));
        Picture {
            svg: format!(
                "{opening} role=\"img\">\n<title>{title}</title>\n<desc>{description}</desc>{rest}\n"
            ),
            png: png(&tree),
        }
    }
}

fn tree(svg: &str) -> Tree {
    let mut options = Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::ITALIC_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    Tree::from_str(svg, &options).expect("a chart is well-formed")
}

fn png(tree: &Tree) -> Vec<u8> {
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * SCALE as u32, size.height() * SCALE as u32);
    let mut dots = Pixmap::new(width, height).expect("a chart has a size");
    let scale = Transform::from_scale(SCALE, SCALE);
    resvg::render(tree, scale, &mut dots.as_mut());
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
        let dots = Pixmap::decode_png(&Picture::new(&svg, "", "").png).unwrap();
        assert_eq!((dots.width(), dots.height()), (400, 80));
        dots.pixels().iter().filter(|dot| dot.red() < 128).count()
    }

    #[test]
    fn text_is_drawn_without_any_font_of_the_machine() {
        assert_eq!(dark_dots(""), 0);
        assert!(dark_dots("λ = 5/k") > 100);
    }

    #[test]
    fn an_svg_has_a_title_and_outlines_instead_of_text() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"40\">\
                   <text x=\"5\" y=\"25\" font-family=\"sans-serif\">LFD</text></svg>";
        let found = Picture::new(svg, "Rows & games", "LFD").svg;
        assert!(found.contains("<title>Rows &amp; games</title>"), "{found}");
        assert!(found.contains("<desc>LFD</desc>"), "{found}");
        assert!(
            found.contains("<path") && !found.contains("<text") && !found.contains("font"),
            "{found}"
        );
    }
}
