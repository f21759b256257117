package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// The commands next to the recorded runs reproduce them: with the protocols and the
// settings of the models in the records.
func TestCommandsOfRecordedRunsGiveTheirProtocols(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "README.md")))(t)
	checked := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)/` \\| `memobench train ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
		dirs, err := filepath.Glob(filepath.Join(recorded, strings.NewReplacer("-N", "-[0-9]", "TASK", "*", "MODEL", "*").Replace(m[1])))
		if err != nil || dirs == nil {
			t.Errorf("%s: no such folder (%v)", m[1], err)
		}
		for _, dir := range dirs {
			rec, err := record.ReadFile(filepath.Join(dir, record.FileName))
			if err != nil {
				t.Fatal(err)
			}
			command := strings.NewReplacer("TASK", rec.Identity.Task, "MODEL", rec.Identity.Label).Replace(m[2])
			cell := cellOf(t, command)
			if cell.ProtocolHash() != rec.Protocol.Hash {
				t.Errorf("%s: protocol %s, but %s gives %s", dir, rec.Protocol.Hash, command, cell.ProtocolHash())
			}
			var now struct{ Config, Training map[string]any }
			data, err := json.Marshal(cell)
			if err == nil {
				err = json.Unmarshal(data, &now)
			}
			if err != nil {
				t.Fatal(err)
			}
			sameWhereRecorded(t, dir, rec.Model.Config, now.Config, config.Legacy(cell.Config))
			sameWhereRecorded(t, dir, rec.Model.Training, now.Training, nil)
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("%d recorded runs checked", checked)
	}
}

// sameWhereRecorded compares the settings of a record with those of its command. Settings
// that came after the run have their legacy value in the record and their default now.
func sameWhereRecorded(t *testing.T, dir string, recorded, now, legacy map[string]any) {
	t.Helper()
	if len(recorded) == 0 {
		t.Errorf("%s: no settings", dir)
	}
	for key, v := range recorded {
		if l, later := legacy[key]; later && fmt.Sprint(l) == fmt.Sprint(v) {
			continue
		}
		if !reflect.DeepEqual(now[key], v) {
			t.Errorf("%s: %s is %v, but its command gives %v", dir, key, v, now[key])
		}
	}
}

// cellOf returns the run that arguments of train mean.
func cellOf(t *testing.T, args string) config.Cell {
	t.Helper()
	f := pflag.NewFlagSet("train", pflag.ContinueOnError)
	model, task, preset := f.String("model", "", ""), f.String("task", "", ""), f.String("preset", "standard", "")
	set := f.StringArray("set", nil, "")
	f.String("seed", "", "")
	f.String("data", "", "")
	f.String("out", "", "")
	if err := f.Parse(strings.Fields(args)); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	c := common{preset: *preset, set: *set}
	cell, _, err := c.cell(*task, *model, 0)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return cell
}
