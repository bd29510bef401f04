//! Tetris with pattern diversity as well.

use ipse::tetris::diverse::Diverse10x10;
use ipse_web::Set;

ipse_web::module!(
    Set::new("diverse", Diverse10x10::default())
        .unit("rows")
        .ipse_paper()
        .ipse()
        .survival()
);
