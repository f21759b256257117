package external

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"memobench/models"
)

// process is the process of a model. It handles one request at a time.
type process struct {
	command string
	timeout time.Duration
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan reply
	stderr  tail
	last    int   // id of the last request
	failure error // first error, which every later request returns
}

type reply struct {
	message *message
	err     error
}

// start runs the command in a shell in its own process group, so that Ctrl-C reaches only
// memobench, which can then request the state.
func start(command string, timeout time.Duration) (*process, error) {
	p := &process{command: command, timeout: timeout, replies: make(chan reply)}
	p.cmd = shell(command)
	p.cmd.Stderr = io.MultiWriter(os.Stderr, &p.stderr)
	p.cmd.WaitDelay = time.Second
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, p.wrap(err)
	}
	running.Store(p, nil)
	go p.receive(bufio.NewReaderSize(out, 1<<20))
	return p, nil
}

// receive forwards frames until the output ends or a frame is invalid.
func (p *process) receive(out io.Reader) {
	defer close(p.replies)
	for {
		m := new(message)
		if err := m.read(out); err != nil {
			p.replies <- reply{err: err}
			return
		}
		p.replies <- reply{message: m}
	}
}

// running has the processes that may be alive.
var running sync.Map

// KillAll kills the processes of all models, for a program that ends at once.
func KillAll() {
	running.Range(func(p, _ any) bool {
		kill(p.(*process).cmd)
		return true
	})
}

// request sends m and returns the answer, of the given type. The time that it takes is that
// of the model.
func (p *process) request(m *message, want string) (*message, error) {
	if p.failure != nil {
		return nil, p.failure
	}
	began := time.Now()
	defer func() { models.TimeElsewhere.Add(int64(time.Since(began))) }()
	p.last++
	m.ID = p.last
	sent := make(chan error, 1)
	go func() { sent <- m.write(p.in) }()
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case r := <-p.replies:
		if err := r.check(m.ID, want); err != nil {
			return nil, p.fail(m, err)
		}
		select { // an answer before the whole request was read is an error
		case err := <-sent:
			if err != nil {
				return nil, p.fail(m, err)
			}
		case <-timer.C:
			return nil, p.fail(m, fmt.Errorf("it answered without reading all of the request within %v", p.timeout))
		}
		return r.message, nil
	case <-timer.C:
		return nil, p.fail(m, fmt.Errorf("%w within %v (setting timeout)", models.ErrNoAnswer, p.timeout))
	}
}

// check returns an error unless r answers the request with the given id by the given type.
func (r *reply) check(id int, want string) error {
	switch m := r.message; {
	case r.err == io.EOF:
		return errEnded
	case r.err != nil:
		return r.err
	case m.Error != "":
		return fmt.Errorf("it reports %q", firstBytes(m.Error, 2000))
	case m.ID != id || m.Type != want:
		return fmt.Errorf("an answer with id %d and type %q, want id %d and type %q", m.ID, firstBytes(m.Type, 100), id, want)
	}
	return nil
}

// errEnded says that the process ended unexpectedly.
var errEnded = errors.New("it ended")

// fail kills the process after a failure and returns the error, with the exit status if the
// process ended by itself.
func (p *process) fail(request *message, cause error) error {
	kill(p.cmd)
	go func() { // unblocks receive
		for range p.replies {
		}
	}()
	state := p.cmd.Wait()
	running.Delete(p)
	if cause == errEnded {
		cause = fmt.Errorf("%w (%v)", cause, cmp.Or(state, errors.New("exit status 0")))
	}
	if said := p.stderr.lines(); said != "" {
		cause = fmt.Errorf("%w; the last it wrote to standard error: %s", cause, said)
	}
	p.failure = p.wrap(fmt.Errorf("%s: %w", request.Type, cause))
	return p.failure
}

func (p *process) wrap(err error) error {
	return fmt.Errorf("model process %q: %w", firstBytes(p.command, 200), err)
}

// close closes the input of the process and kills it after a timeout.
func (p *process) close() error {
	if p.failure != nil {
		return nil
	}
	p.failure = p.wrap(errors.New("closed"))
	p.in.Close()
	done := time.AfterFunc(5*time.Second, func() { kill(p.cmd) })
	defer done.Stop()
	for range p.replies {
	}
	err := p.cmd.Wait()
	running.Delete(p)
	if err != nil {
		return p.wrap(err)
	}
	return nil
}

// tail is a writer that keeps the last bytes.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const maxTail = 2000

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b...)
	if len(t.data) > maxTail {
		t.data = append(t.data[:0], t.data[len(t.data)-maxTail:]...)
	}
	return len(b), nil
}

// lines returns the last lines, quoted.
func (t *tail) lines() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := bytes.Split(bytes.TrimSpace(t.data), []byte("\n"))
	text := string(bytes.Join(all[max(0, len(all)-3):], []byte("\n")))
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%q", text)
}

func firstBytes(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}
