//go:build unix

package external

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

var shape = datasets.Shape{Vocabulary: 5, MaxRows: 3, RowWidth: 2, QueryWidth: 1, Answers: 1}

func batch() *datasets.Batch {
	return &datasets.Batch{
		RowWidth: 2, Rows: []int32{0, 1, 2, 3, 4, datasets.NoWord}, Offsets: []int{0, 1, 3},
		QueryWidth: 1, Queries: []int32{0, 2}, Answers: 1, Targets: []int32{1, 3}, Kinds: []int32{0, 0},
	}
}

// With this variable set, the test binary is the model process. The value says what it does at
// which request.
const misbehave = "MEMOBENCH_TEST_PROCESS"

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(misbehave); ok {
		serve(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve is a model whose one weight counts its updates.
func serve(how string) {
	in, weight := bufio.NewReader(os.Stdin), float32(0)
	at, what, _ := strings.Cut(how, ":")
	for {
		m := new(message)
		if err := m.read(in, 1<<30); err != nil {
			if what != "stays" {
				return
			}
			time.Sleep(time.Hour)
		}
		answer := &message{header: header{ID: m.ID}}
		switch m.Type {
		case "hello":
			answer.Type, answer.Protocol, answer.Parameters = "hello", protocol, 1
		case "train":
			weight++
			answer.Type, answer.Loss = "trained", fmt.Append(nil, 1/float64(weight))
		case "predict":
			scores := make([]float32, 2*5)
			scores[0] = weight
			for _, a := range m.arrays {
				if a.Name == "targets" {
					answer.Error = "the right answers were sent"
				}
			}
			answer.Type, answer.arrays = "predicted", []array{{"scores", []int{2, 1, 5}, scores}}
		case "save":
			answer.Type = "saved"
			answer.arrays = []array{
				{"w", []int{1}, []float32{weight}}, {"optimizer/rng", []int{3}, []byte{1, 0, 255}}, {"optimizer/n", []int{2}, []int64{1 << 40, -7}},
			}
		case "restore":
			for _, a := range m.arrays {
				switch data := a.Data.(type) {
				case []float32:
					weight = data[0]
				case []byte:
					if !slices.Equal(data, []byte{1, 0, 255}) {
						answer.Error = fmt.Sprint("bytes ", data)
					}
				case []int64:
					if !slices.Equal(data, []int64{1 << 40, -7}) {
						answer.Error = fmt.Sprint("integers ", data)
					}
				}
			}
			answer.Type = "restored"
		}
		if m.Type != at {
			answer.write(os.Stdout)
			continue
		}
		switch what {
		case "crash":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(7)
		case "orphan-crash": // a worker that holds all pipes outlives it
			holder("")
			os.Exit(9)
		case "session-crash": // one that has left the group
			holder("-s")
			os.Exit(9)
		case "worker":
			holder("")
			answer.write(os.Stdout)
		case "worker-hang":
			holder("")
			time.Sleep(time.Hour)
		case "killed":
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Hour)
		case "closed":
			os.Stdout.Close()
			time.Sleep(time.Hour)
		case "big-state":
			answer.arrays = append(answer.arrays, array{"cache", []int{70 << 20}, make([]byte, 70<<20)})
			answer.write(os.Stdout)
		case "hang":
			time.Sleep(time.Hour)
		case "garbage":
			fmt.Println("Epoch 1: loss 0.3, which somebody printed to standard output")
		case "shape":
			answer.arrays[0].Shape = []int{5, 2, 1}
			answer.write(os.Stdout)
		case "nan":
			answer.arrays[0].Data = make([]float64, 10)
			answer.write(os.Stdout)
		case "weightless":
			answer.arrays = answer.arrays[1:]
			answer.write(os.Stdout)
		case "empty":
			answer.arrays = nil
			answer.write(os.Stdout)
		case "type":
			answer.Type = "thanks"
			answer.write(os.Stdout)
		case "twice":
			answer.write(os.Stdout)
			answer.write(os.Stdout)
		case "error":
			(&message{header: header{Type: "error", ID: m.ID, Error: "CUDA is not available"}}).write(os.Stdout)
		case "cut":
			var frame bytes.Buffer
			answer.write(&frame)
			os.Stdout.Write(frame.Bytes()[:frame.Len()-1])
			os.Exit(0)
		case "nan-score":
			answer.arrays[0].Data.([]float32)[7] = float32(math.NaN())
			answer.write(os.Stdout)
		case "negative":
			answer.Loss = []byte("-3")
			answer.write(os.Stdout)
		case "short":
			fmt.Print("hi\n")
			os.Exit(0)
		case "no-loss":
			answer.Loss = nil
			answer.write(os.Stdout)
		case "listed-loss":
			answer.Loss = []byte("[0.5]")
			answer.write(os.Stdout)
		case "nan-loss":
			head := `{"type":"predicted","loss":NaN}`
			binary.Write(os.Stdout, binary.LittleEndian, uint32(len(head)))
			fmt.Print(head)
		case "huge":
			head := `{"type":"predicted","arrays":[{"name":"s","dtype":"f64","shape":[1000000000,1000000000]}]}`
			binary.Write(os.Stdout, binary.LittleEndian, uint32(len(head)))
			fmt.Print(head)
		}
	}
}

// holder starts a process that holds the standard streams for half a minute; its id is written to
// the file that the environment names. With -s it has a session, and so a process group, of its own.
func holder(arg string) {
	c := exec.Command("sleep", "30")
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: arg == "-s"}
	if err := c.Start(); err != nil {
		panic(err)
	}
	os.WriteFile(os.Getenv(holderFile), fmt.Append(nil, c.Process.Pid), 0o600)
}

const holderFile = "MEMOBENCH_TEST_HOLDER"

// ended reports whether the process whose id is in a file ends soon.
func ended(t *testing.T, file string) bool {
	t.Helper()
	pid := must.Get(strconv.Atoi(string(must.Get(os.ReadFile(file))(t))))(t)
	for range 100 {
		// A zombie, which nobody has waited for, has ended.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// Processes that a model starts end with it, whether it is closed, crashes, or is killed.
func TestProcessesThatAModelStartsEndWithIt(t *testing.T) {
	for _, how := range []string{"hello:worker", "train:orphan-crash", "train:worker-hang"} {
		t.Run(how, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			t.Setenv(holderFile, file)
			m := must.Get(newModel(t, how, 2))(t)
			_, err := m.Train(batch())
			if how == "hello:worker" {
				must.Do(t, err)
				began := time.Now()
				must.Do(t, m.Close())
				if d := time.Since(began); d > 3*time.Second {
					t.Errorf("closing took %v", d)
				}
			} else if err == nil {
				t.Error("no error")
			}
			if !ended(t, file) {
				t.Error("the process that the model started lives on")
			}
		})
	}
}

func newModel(t *testing.T, how string, timeout int) (*model, error) {
	t.Helper()
	t.Setenv(misbehave, how)
	if os.Getenv(holderFile) == "" {
		t.Setenv(holderFile, filepath.Join(t.TempDir(), "pid"))
	}
	m, err := build(&config{Command: "exec " + os.Args[0], Timeout: timeout}, shape, models.Training{}, 1)
	if err == nil {
		t.Cleanup(func() { m.Close() })
	}
	return m, err
}

// use trains, predicts, saves and restores; it returns the first error.
func use(m *model) error {
	if _, err := m.Train(batch()); err != nil {
		return err
	}
	if _, err := m.Predict(batch()); err != nil {
		return err
	}
	st := m.State()
	if err := m.Err(); err != nil {
		return err
	}
	return m.Restore(st)
}

func TestProcessTrainsPredictsAndResumes(t *testing.T) {
	before := models.TimeElsewhere.Load()
	a := must.Get(newModel(t, "", 60))(t)
	for range 3 {
		must.Do(t, use(a))
	}
	if models.TimeElsewhere.Load() == before {
		t.Error("answers took no time")
	}
	if a.Parameters() != 1 {
		t.Errorf("%d parameters, want 1", a.Parameters())
	}
	b := must.Get(newModel(t, "", 60))(t)
	must.Do(t, b.Restore(a.State()))
	for _, m := range []*model{a, b} {
		s, err := m.Train(batch())
		if err != nil || s.Loss != 0.25 {
			t.Errorf("step 4: loss %v, error %v, want 0.25", s.Loss, err)
		}
		p, err := m.Predict(batch())
		if err != nil || p.Scores[0] != 4 {
			t.Errorf("after step 4: %v, error %v", p, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Train(batch()); err == nil {
		t.Error("a closed model trains")
	}
}

// Weights that are no longer finite are a divergence, which counts as 0, not a failure.
func TestScoresOfNaNHaveALossOfNaN(t *testing.T) {
	m := must.Get(newModel(t, "predict:nan-score", 60))(t)
	if p, err := m.Predict(batch()); err != nil || !math.IsNaN(p.Loss) {
		t.Errorf("%v, error %v", p, err)
	}
}

// For every misbehaviour of the process, the run soon gets an error that says what and when, and
// later requests return the same error.
func TestMisbehaviourEndsInAnErrorThatNamesIt(t *testing.T) {
	for how, want := range map[string]string{
		"hello:crash":           `hello: it ended (exit status 7)`,
		"train:crash":           `train: it ended (exit status 7)`,
		"predict:hang":          "predict: no answer within 1s",
		"hello:hang":            "hello: no answer within 1s",
		"train:garbage":         "is something else printed to standard output?",
		"predict:shape":         `array "scores" is [5 2 1] of f32, want [2 1 5] of f32`,
		"predict:nan":           `array "scores" is [2 1 5] of f64`,
		"predict:type":          `type "thanks", want id 3 and type "predicted"`,
		"train:twice":           `an answer with id 2 and type "trained", want id 3`,
		"train:no-loss":         `train: the answer has no "loss"`,
		"train:listed-loss":     `train: "loss" is [0.5], want a number`,
		"train:error":           `it reports: CUDA is not available`,
		"save:cut":              `array "optimizer/n", [2] of i64: unexpected EOF (exit status 0)`,
		"save:weightless":       os.Args[0] + `": save: no weights among the 2 arrays: want one or more whose name does not begin with "optimizer/"`,
		"save:empty":            "save: no weights among the 0 arrays",
		"train:orphan-crash":    "train: it ended (exit status 9)",
		"predict:session-crash": "predict: it ended (exit status 9)",
		"save:orphan-crash":     "save: it ended (exit status 9)",
		"train:killed":          "train: it ended (signal: killed)",
		"predict:closed":        "predict: it closed its standard output",
		"save:big-state":        `array "cache": shape [73400320] of u8: negative or too large; at most 67108928 bytes`,
		"predict:nan-loss":      "JSON has neither NaN nor Infinity",
		"train:negative":        `train: "loss" is -3, want a mean cross entropy`,
		"hello:short":           "fewer than 4 bytes, then the end; is something else printed to standard output?",
		"predict:huge":          `array "s": shape [1000000000 1000000000] of f64: negative or too large; at most 65616 bytes`,
	} {
		t.Run(how, func(t *testing.T) {
			began := time.Now()
			timeout := 60
			if strings.HasSuffix(how, ":hang") {
				timeout = 1
			}
			m, err := newModel(t, how, timeout)
			if err == nil {
				err = use(m)
				if err == nil || m.Err() == nil {
					t.Fatalf("error %v, then %v", err, m.Err())
				}
				if _, again := m.Train(batch()); again == nil {
					t.Error("a failed model trains on")
				}
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want it to say %q", err, want)
			}
			if late := strings.HasSuffix(how, ":hang"); errors.Is(err, models.ErrNoAnswer) != late {
				t.Errorf("error %v is that of a late answer: %v, want %v", err, !late, late)
			}
			if d := time.Since(began); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
	if _, err := build(defaults(), shape, models.Training{}, 1); err == nil || !strings.Contains(err.Error(), "command") {
		t.Errorf("no command: error %v", err)
	}
	if _, err := build(&config{Command: "/no/such/model", Timeout: 5}, shape, models.Training{}, 1); err == nil || !strings.Contains(err.Error(), "/no/such/model") {
		t.Errorf("no such command: error %v", err)
	}
}

// The Python client and the examples learn, resume to the same bits, and evaluate from the weights
// alone.
func TestPythonExamplesLearnAndResume(t *testing.T) {
	for script, module := range map[string]string{"bag_of_words.py": "numpy", "torch_transformer.py": "torch", "torch_memo.py --width 16": "torch"} {
		t.Run(script, func(t *testing.T) {
			python := pythonWith(t, module)
			build := func(seed uint64) *model {
				t.Helper()
				m := must.Get(build(&config{Command: "exec " + python + " ../../tools/python/" + script, Timeout: 120},
					shape, models.Training{LearningRate: 0.01, Power: 1, Steps: 400}, seed))(t)
				t.Cleanup(func() { m.Close() })
				return m
			}
			learnsAndResumes(t, build)
		})
	}
}

func learnsAndResumes(t *testing.T, build func(seed uint64) *model) {
	a, b := build(1), build(2)
	var losses []float64
	for range 200 {
		s := must.Get(a.Train(batch()))(t)
		losses = append(losses, s.Loss)
	}
	if first, last := losses[0], losses[len(losses)-1]; !(last < first/3) {
		t.Errorf("loss of the first step %g, of the last %g", first, last)
	}
	st := a.State()
	must.Do(t, b.Restore(st))
	for step := range 3 {
		x, errX := a.Train(batch())
		y, errY := b.Train(batch())
		if errX != nil || errY != nil || fmt.Sprint(x) != fmt.Sprint(y) {
			t.Errorf("step %d: resumed %+v, %v; not interrupted %+v, %v", step, y, errY, x, errX)
		}
	}
	weights := models.State{Counters: st.Counters}
	for _, w := range a.State().Tensors {
		if w.Role == models.Weight {
			weights.Tensors = append(weights.Tensors, w)
		}
	}
	c := build(3)
	must.Do(t, c.Restore(weights))
	x, errX := a.Predict(batch())
	y, errY := c.Predict(batch())
	if errX != nil || errY != nil || !slices.Equal(x.Scores, y.Scores) {
		t.Fatalf("predictions from weights alone: %v, %v; %v, %v", y, errY, x, errX)
	}
	for i, target := range batch().Targets {
		if line := x.Scores[i*5 : i*5+5]; slices.Max(line) != line[target] {
			t.Errorf("example %d: scores %v, want the highest at %d", i, line, target)
		}
	}
	if a.Parameters() == 0 {
		t.Error("no parameters")
	}
}

// pythonWith returns a Python that has the module; the test is skipped without one.
func pythonWith(t testing.TB, module string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	t.Skipf("left out: no python3 with %s here", module)
	return ""
}

func FuzzFrame(f *testing.F) {
	var frame bytes.Buffer
	m := &message{header: header{Type: "predicted", ID: 3}, arrays: []array{
		{"scores", []int{1, 2}, []float32{1, 2}}, {"b", []int{3}, []byte{1, 2, 3}}, {"i", nil, []int64{5}},
	}}
	must.Do(f, m.write(&frame))
	f.Add(frame.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(message)
		if m.read(bytes.NewReader(data), 1<<20) != nil {
			return
		}
		var again bytes.Buffer
		must.Do(t, m.write(&again))
		second := new(message)
		if err := second.read(&again, 1<<20); err != nil || len(second.arrays) != len(m.arrays) || again.Len() > 0 {
			t.Fatalf("read %+v, written and read again %+v, %v", m, second, err)
		}
	})
}

var _ io.Closer = (*model)(nil)
