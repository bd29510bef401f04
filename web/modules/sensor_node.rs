//! A sensor that lives on light.

use ipse_tasks::SensorNode;
use ipse_web::Set;

ipse_web::module!(
    Set::new("", SensorNode::default())
        .unit("points")
        .returns(6 * 24)
        .ipse()
        .survival()
);
