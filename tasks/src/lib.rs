//! Tasks for [`ipse`], one file each, written to be copied.
//!
//! Each is one type that implements [`ipse::Environment`], with documentation that explains the choice of features
//! as arguments for and against an action.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod cart_pole;
pub mod foraging;
pub mod intersection;
pub mod sensor_node;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use cart_pole::CartPole;
pub use foraging::Foraging;
pub use intersection::Intersection;
pub use sensor_node::SensorNode;
