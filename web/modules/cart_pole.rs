//! A pole on a cart.

use ipse_tasks::CartPole;
use ipse_web::Set;

ipse_web::module!(
    Set::new("", CartPole)
        .unit("pushes")
        .ipse()
        .survival()
        .returns(144)
);
