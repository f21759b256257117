package main

import (
	"encoding/json"
	"os"

	"memobench/benchmarks/record"
)

// report is what --json writes.
type report struct {
	Host    record.Environment `json:"host"`
	Load    [2]string          `json:"load"` // 1-minute means before and after
	Preset  string             `json:"preset"`
	Threads int                `json:"threads"`           // of each side
	PyTorch string             `json:"pytorch,omitempty"` // version
	Device  string             `json:"device,omitempty"`  // of PyTorch, unless it is the CPU
	Keep    bool               `json:"keep_memory"`       // whether PyTorch's process keeps what it frees
	Compile bool               `json:"compile,omitempty"` // whether PyTorch's models are compiled
	Results []result           `json:"results"`
}

// result is what was measured of a model on a task. Times are seconds a step,
// one for each round; CPU is the CPU time of all threads.
type result struct {
	Model  string   `json:"model"`
	Task   string   `json:"task"`
	Batch  int      `json:"batch"`
	Labels []string `json:"labels,omitempty"` // of the data
	timed
	One   *timed      `json:"one_thread,omitempty"` // with --speedup
	Peers []peerTimed `json:"peers,omitempty"`
}

// timed is one side's measurements.
type timed struct {
	BLAS string    `json:"blas"`
	Wall []float64 `json:"wall"`
	CPU  []float64 `json:"cpu"`
}

// peerTimed is a PyTorch program's; ratios are those of ours to it, of medians.
type peerTimed struct {
	Form    string `json:"form,omitempty"`
	Rows    string `json:"rows"`
	Fastest bool   `json:"fastest"` // of the forms with these rows
	timed
	WallRatio float64 `json:"wall_ratio"`
	CPURatio  float64 `json:"cpu_ratio"`
	Target    float64 `json:"target,omitempty"` // for the ratio
}

func timesOf(list []sample) timed {
	t := timed{Wall: walls(list), CPU: cpus(list)}
	for _, s := range list {
		t.BLAS = s.blas
	}
	return t
}

func (t *table) report() *report {
	r := &report{Host: t.host, Load: [2]string{t.before, t.after}, Preset: preset, Threads: t.options.threads, PyTorch: t.torch.version, Device: t.torch.device, Keep: t.options.keep, Compile: t.options.compile}
	for i := range t.contests {
		c := &t.contests[i]
		one := result{Model: c.model, Task: c.task, Batch: c.batch, Labels: c.labels, timed: timesOf(c.ours)}
		if c.single != nil {
			single := timesOf(c.single)
			one.One = &single
		}
		for j := range c.peers {
			p := &c.peers[j]
			target := 0.0 // on the same processor
			if t.options.device == "" {
				target, _ = c.target(p.job.Rows)
			}
			one.Peers = append(one.Peers, peerTimed{
				Form: p.job.Form, Rows: p.job.Rows, Fastest: p == c.fastest(p.job.Rows), timed: timesOf(p.samples),
				WallRatio: p.ratio(c, walls), CPURatio: p.ratio(c, cpus), Target: target,
			})
		}
		r.Results = append(r.Results, one)
	}
	return r
}

// save writes the report to the file of --json, if there is one.
func (t *table) save() error {
	if t.options.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(t.report(), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(t.options.json, append(text, '\n'), 0o644)
}
