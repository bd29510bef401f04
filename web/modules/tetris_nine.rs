//! Tetris with pattern diversity as well.

use ipse::tetris::Tetris10x10;
use ipse::tetris::diverse::Diverse;
use ipse_web::Set;

ipse_web::module!(
    Set::new("nine", Diverse::from(Tetris10x10::default()))
        .unit("rows")
        .ipse_paper()
        .ipse()
        .survival()
);
