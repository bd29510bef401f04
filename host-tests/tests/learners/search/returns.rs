//! Searching for weights that collect the highest reward.
