package cli

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// cluster is a Slurm of one node on this machine, with a controller and a daemon
// of its own, which end with the test.
type cluster struct {
	t   *testing.T
	dir string
	env []string
}

// startSlurm starts a cluster, or skips the test where Slurm is not installed.
func startSlurm(t *testing.T) *cluster {
	t.Helper()
	for _, name := range []string{"slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("Slurm is not installed (%v); Debian's package is slurm-wlm", err)
		}
	}
	c := &cluster{t: t, dir: t.TempDir()}
	conf := filepath.Join(c.dir, "slurm.conf")
	c.env = append(os.Environ(), "SLURM_CONF="+conf)
	me := must.Get(user.Current())(t)
	host := must.Get(os.Hostname())(t)
	host, _, _ = strings.Cut(host, ".")
	// Without cgroups, accounts and authentication, none of which a machine that
	// runs tests need have.
	text := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
SlurmUser=%[4]s
SlurmdUser=%[4]s
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/slurmctld.pid
SlurmdPidFile=%[5]s/slurmd.pid
SlurmctldLogFile=%[5]s/slurmctld.log
SlurmdLogFile=%[5]s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=10000
KillWait=5
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`, host, freePort(t), freePort(t), me.Username, c.dir)
	must.Do(t, os.WriteFile(conf, []byte(text), 0o644))
	for _, sub := range []string{"state", "spool"} {
		must.Do(t, os.Mkdir(filepath.Join(c.dir, sub), 0o755))
	}
	c.daemon("slurmctld", "-D", "-f", conf)
	c.daemon("slurmd", "-D", "-f", conf)
	// Before the daemons end, which is what their cleanups do: later ones run first.
	t.Cleanup(func() {
		_, _ = c.try("scancel", "--user="+me.Username)
		c.until("the queue is empty", func() bool { return c.queue() == "" })
	})
	c.until("the node is idle", func() bool {
		out, err := c.try("sinfo", "--noheader", "--format=%t")
		return err == nil && strings.TrimSpace(out) == "idle"
	})
	return c
}

func freePort(t *testing.T) int {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon starts a process that ends with the test.
func (c *cluster) daemon(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = c.env
	must.Do(c.t, cmd.Start())
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
}

// try runs a command of Slurm's.
func (c *cluster) try(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must is try for what cannot fail.
func (c *cluster) must(name string, args ...string) string {
	c.t.Helper()
	out, err := c.try(name, args...)
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(out)
}

func (c *cluster) queue() string {
	out, _ := c.try("squeue", "--noheader", "--array")
	return strings.TrimSpace(out)
}

// until waits for at most two minutes.
func (c *cluster) until(what string, met func() bool) {
	c.t.Helper()
	for start := time.Now(); !met(); time.Sleep(50 * time.Millisecond) {
		if time.Since(start) < 2*time.Minute {
			continue
		}
		var logs bytes.Buffer
		for _, file := range glob(filepath.Join(c.dir, "*.log")) {
			data, _ := os.ReadFile(file)
			fmt.Fprintf(&logs, "%s:\n%s\n", filepath.Base(file), data[max(0, len(data)-3000):])
		}
		c.t.Fatalf("waited two minutes until %s; the queue:\n%s\n%s", what, c.queue(), &logs)
	}
}

// An array job over all cells gives the records of a local run, also if a task was killed
// or requeued.
func TestSlurmArrayGivesTheRecordsOfALocalRun(t *testing.T) {
	c := startSlurm(t)
	grid, base := gridFile(t, strings.Replace(tinySweep, "steps=400", "steps=3000", 1)), t.TempDir()
	whole, dir := filepath.Join(base, "whole"), filepath.Join(base, "cluster")
	// With as many processors as a task has: records name their number.
	processWith(t, []string{"GOMAXPROCS=1"}, "sweep", "run", grid, "--out", whole, "--quiet").want(t, exitGood)

	printed := process(t, "sweep", "script", "slurm", grid, "--out", dir, "--checkpoint-every", "20", "--memory", "1").want(t, exitGood)
	script := filepath.Join(base, "job")
	must.Do(t, os.WriteFile(script, []byte(printed.stdout), 0o644))
	id := c.must("sbatch", "--parsable", script)
	// Tasks 0 and 1 hold the two processors. One is killed like a crash; it has to
	// be submitted again. The other goes back into the queue by itself.
	c.until("both cells that run have a checkpoint", func() bool {
		saved := map[string]bool{}
		for _, file := range glob(filepath.Join(dir, "*", "checkpoint", "*.json")) {
			saved[filepath.Dir(file)] = true
		}
		return len(saved) >= 2
	})
	c.must("scancel", "--full", "--signal=KILL", id+"_0")
	c.must("scontrol", "requeue", id+"_1")
	if n := len(glob(filepath.Join(dir, "*", record.FileName))); n > 0 {
		t.Fatalf("%d cells had ended when the tasks were stopped: make them longer", n)
	}
	c.until("the queue is empty", func() bool { return c.queue() == "" })
	if n := len(glob(filepath.Join(dir, "*", record.FileName))); n != 3 {
		t.Errorf("%d records, want those of all but the task that was killed", n)
	}
	c.must("sbatch", "--parsable", "--array=0", script)
	c.until("the queue is empty", func() bool { return c.queue() == "" })

	cells, resumed := glob(filepath.Join(whole, "*")), 0
	for _, cell := range cells {
		there := filepath.Join(dir, filepath.Base(cell))
		sameResult(t, cell, there)
		if r, err := record.ReadFile(filepath.Join(there, record.FileName)); err == nil && r.Times.Sessions > 1 {
			resumed++
		}
	}
	if len(cells) != 4 || resumed != 2 {
		t.Errorf("%d of %d cells went on from a checkpoint, want 2 of 4", resumed, len(cells))
	}
}
