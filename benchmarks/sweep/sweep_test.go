package sweep

import (
	"testing"

	"memobench/benchmarks/config"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// tinyPreset has runs of some hundredths of a second.
const tinyPreset = `
experiments:
  - task: pai3
    settings: {classes: 20, sequences: 2}
    protocol: {batch_size: 4, steps: 40, evaluate_every: 20, validation_per_kind: 4, test_per_kind: 8}
    seeds: [0, 1]
    models:
      - {label: few, model: emn, config: {width: 8, hops: 1}, training: {optimizer: adam, learning_rate: 1e-3}}
      - {label: memo, model: memo, config: {embedding: 8, width: 8, answer_width: 8, hops: 2}, training: {optimizer: adam, learning_rate: 1e-3}}
`

// tinyGrid has 2 x 2 x 3 cells of EMN.
const tinyGrid = `
about: tiny
preset: tiny
parts:
  - tasks: [pai3]
    models: [emn]
    seeds: [3, 1, 2]
    ranges:
      hops: [1, 2]
      learning_rate: [1e-3, 0.01]
`

func preset(t testing.TB) *config.Preset {
	t.Helper()
	return must.Get(config.ParsePreset("tiny", []byte(tinyPreset)))(t)
}

// cellsOf returns the cells of a grid on the tiny preset.
func cellsOf(t testing.TB, grid string, c Change) []Cell {
	t.Helper()
	g := must.Get(Parse("tiny", []byte(grid)))(t)
	return must.Get(g.Cells(preset(t), c))(t)
}
