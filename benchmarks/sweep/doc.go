// Package sweep runs many cells that differ in settings and seeds: a grid of
// hyper-parameters.
//
// What comes in: a grid, that is a YAML file with a preset, tasks, models, ranges
// of settings and seeds (grids/README.md documents its keys), or one of the
// ready ones. What goes out: its cells in a fixed order, estimates of the time
// they take, a directory of runs, scripts for clusters, and directories merged
// into one. What always holds: the cells of a grid are a set, each named by the
// hash of its whole configuration; which of them belong to a shard depends on
// the grid and the shard alone, so that no process has to know of another; a
// cell ends with the same record wherever, in whatever order and in how many
// sessions it is run.
package sweep
