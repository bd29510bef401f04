//! Tetris with the features of the paper.

use ipse::tetris::Tetris10x10;
use ipse_web::Set;

ipse_web::module!(
    Set::new("paper", Tetris10x10::default())
        .unit("rows")
        .ipse_paper()
        .ipse()
        .survival()
);
