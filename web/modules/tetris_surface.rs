//! Tetris with features of heights and of where holes are.

use ipse::tetris::surface::Surface10x10;
use ipse_web::Set;

ipse_web::module!(
    Set::new("surface", Surface10x10::default())
        .unit("rows")
        .survival()
        .ipse()
);
