// What the names of features mean, for those who have not read the paper. Other names are shown without it.

const MEANINGS = {
  "landing height": "How high up the piece comes to lie",
  "eroded piece cells": "Rows that go, times the cells of the piece that go with them",
  "row transitions": "Changes between full and empty cells along all rows",
  "column transitions": "Changes between full and empty cells along all columns",
  holes: "Empty cells with a full one somewhere above them",
  "board wells": "Gaps of one column between higher neighbours; deep ones count more",
  "hole depth": "Full cells on top of holes",
  "rows with holes": "Rows that have at least one hole",
  "pattern diversity": "Different steps in height between neighbouring columns",
  "weighted holes": "Holes, which count more near the walls",
  "top column": "The tallest of the columns with a hole in the highest row that has one",
  "open wells": "Columns below their neighbours; deep ones count more",
  fit: "How many kinds of pieces find a place without a new hole",
  seeds: "Seeds at the bush; each gives a unit of strength",
  distance: "How far the bush is; each step takes a unit of strength",
  owls: "Owls above the bush; each catches the mouse one time in ten",
};

export const meaning = (name) => MEANINGS[name] ?? "";

/** How much of a feature there is beside another move, in words. */
export const compared = (name, more) => `${more > 0 ? "more" : /[^s]s$|s with /.test(name) ? "fewer" : "less"} ${name}`;
