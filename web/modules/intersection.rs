//! A traffic light.

use ipse_tasks::Intersection;
use ipse_web::Set;

ipse_web::module!(
    Set::new("", Intersection::default())
        .unit("reward")
        .returns(144)
        .ipse()
        .survival()
);
