//! Tetris with surface features and rows with holes.

use ipse::tetris::surface::SurfaceNine10x10;
use ipse_web::Set;

ipse_web::module!(
    Set::new("surface-nine", SurfaceNine10x10::default())
        .unit("rows")
        .survival()
        .ipse()
);
