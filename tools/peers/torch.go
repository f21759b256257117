package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// torchProgram is train_step.py with an interpreter that has PyTorch.
type torchProgram struct {
	options         *options
	python, version string
	device          string // name of the hardware, unless it is the CPU
}

// pythons are tried in order; Debian's package serves the second.
var pythons = []string{"python3", "/usr/bin/python3"}

// missingTorch says that no interpreter has PyTorch.
type missingTorch struct{ tried []string }

func (e *missingTorch) Error() string {
	return fmt.Sprintf(`PyTorch is needed, and is not in %s.
Debian and Ubuntu have it as a package: apt-get install python3-torch
An interpreter elsewhere is named with --python, or make bench-peers PYTHON=...`, strings.Join(e.tried, " or "))
}

func findTorch(o *options) (*torchProgram, error) {
	tried := pythons
	if o.python != "" {
		tried = []string{o.python}
	}
	for _, python := range tried {
		out, err := exec.Command(python, "-c", "import torch; print(torch.__version__)").Output()
		if err != nil {
			continue
		}
		p := &torchProgram{options: o, python: python, version: strings.TrimSpace(string(out))}
		return p, p.findDevice()
	}
	return nil, &missingTorch{tried}
}

// deviceName is a Python program that prints the name of the device of its argument, or
// fails where PyTorch cannot compute there.
const deviceName = `import sys, torch
device = torch.device(sys.argv[1])
torch.set_default_device(device) # from PyTorch 2.0 on
torch.zeros(1)
module = getattr(torch, device.type)
print(module.get_device_name(device) if hasattr(module, "get_device_name") else device)`

// findDevice asks PyTorch for the name of the chosen device.
func (p *torchProgram) findDevice() error {
	if p.options.device == "" {
		return nil
	}
	out, err := exec.Command(p.python, "-c", deviceName, p.options.device).Output()
	if err != nil {
		what := err.Error()
		for line := range strings.Lines(string(stderrOf(err))) {
			if strings.Contains(line, "Error: ") { // the exception; lines with advice may follow
				what = strings.TrimSpace(line)
			}
		}
		return fmt.Errorf("--device %s: PyTorch %s of %s: %s", p.options.device, p.version, p.python, what)
	}
	p.device = strings.TrimSpace(string(out))
	return nil
}

// keepMemory has glibc's malloc hold on to memory. As installed, PyTorch gives
// large arrays back to the system and gets them anew, zeroed page by page, at
// every step.
var keepMemory = []string{"MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=1000000000000", "MALLOC_TOP_PAD_=67108864"}

// step times one of the PyTorch programs.
func (p *torchProgram) step(j *job) (sample, error) {
	in, err := json.Marshal(j)
	if err != nil {
		return sample{}, err
	}
	cmd := exec.Command(p.python, p.options.script)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = append(environment(p.options.threads), "PYTHONDONTWRITEBYTECODE=1")
	if p.options.keep {
		cmd.Env = append(cmd.Env, keepMemory...)
	}
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("PyTorch, %s %s: %w\n%s", j.Model, j.Form, err, stderrOf(err))
	}
	var got struct {
		Wall float64 `json:"wall_ns"`
		CPU  float64 `json:"cpu_ns"`
		BLAS string  `json:"blas"`
	}
	if err := json.Unmarshal(out, &got); err != nil || !(got.Wall > 0 && got.CPU > 0) {
		return sample{}, fmt.Errorf("PyTorch, %s %s: no times in %q (%v)", j.Model, j.Form, out, err)
	}
	return sample{got.Wall / 1e9, got.CPU / 1e9, got.BLAS}, nil
}
