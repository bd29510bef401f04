//! A mouse that gathers seeds.

use ipse_tasks::Foraging;
use ipse_web::Set;

ipse_web::module!(
    Set::new("", Foraging)
        .unit("seeds")
        .ipse()
        .survival()
        .returns(144)
);
