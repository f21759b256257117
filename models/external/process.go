package external

import (
	"bufio"
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
	out     *bufio.Reader
	exited  chan struct{} // closed when the process and those that it started have ended
	last    int           // id of the last request
	failure error         // first error, which every later request returns
}

// pipeDelay is the time after the end of a process in which its pipes are read to their end. They
// do not end while a process holds them that has left the process group.
const pipeDelay = time.Second

// start runs the command in a shell in its own process group, so that Ctrl-C reaches only
// memobench, which can then request the state. The end of the process is its exit, not that of
// its pipes; the processes that it started and that are in its group end with it.
func start(command string, timeout time.Duration) (*process, error) {
	p := &process{command: command, timeout: timeout, cmd: shell(command), exited: make(chan struct{})}
	in, err1 := p.cmd.StdinPipe()
	out, err2 := p.cmd.StdoutPipe()
	stderr, err3 := p.cmd.StderrPipe()
	err := errors.Join(err1, err2, err3)
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, p.wrap(err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	running.Store(p, nil)
	var written sync.WaitGroup
	written.Go(func() { io.Copy(os.Stderr, stderr) })
	go func() {
		state, err := p.cmd.Process.Wait() // Cmd.Wait would close the pipes before they are read
		if err == nil {
			p.cmd.ProcessState = state
		}
		kill(p.cmd)
		running.Delete(p)
		in.Close()
		time.AfterFunc(pipeDelay, func() {
			out.Close()
			stderr.Close()
		})
		written.Wait()
		close(p.exited)
	}()
	return p, nil
}

// running has the processes that may be alive.
var running sync.Map

// KillAll kills the processes of all models, at the end of the program.
func KillAll() {
	running.Range(func(p, _ any) bool {
		kill(p.(*process).cmd)
		return true
	})
}

// request sends m and returns the answer, of the given type and with at most limit bytes of
// arrays. The time that it takes is that of the model.
func (p *process) request(m *message, want string, limit int) (*message, error) {
	if p.failure != nil {
		return nil, p.failure
	}
	began := time.Now()
	defer func() { models.TimeElsewhere.Add(int64(time.Since(began))) }()
	p.last++
	m.ID = p.last
	sent, read := make(chan error, 1), make(chan error, 1)
	answer := new(message)
	go func() { sent <- m.write(p.in) }()
	go func() { read <- answer.read(p.out, limit) }()
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case err := <-read:
		if err == nil {
			err = answer.check(m.ID, want)
		}
		if err != nil {
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
		return answer, nil
	case <-timer.C:
		return nil, p.fail(m, fmt.Errorf("%w within %v (setting timeout)", models.ErrNoAnswer, p.timeout))
	}
}

// check returns an error unless m answers the request with the given id by the given type.
func (m *message) check(id int, want string) error {
	switch {
	case m.Error != "":
		return fmt.Errorf("it reports: %s", firstBytes(m.Error, 2000))
	case m.ID != id || m.Type != want:
		return fmt.Errorf("an answer with id %d and type %q, want id %d and type %q", m.ID, firstBytes(m.Type, 100), id, want)
	}
	return nil
}

// fail ends the process after a failure and returns the error. A process that closed its output may
// end by itself: the error then has its exit status. What it wrote to standard error was passed on.
func (p *process) fail(request *message, cause error) error {
	closed := errors.Is(cause, io.EOF) || errors.Is(cause, os.ErrClosed)
	if closed || errors.Is(cause, io.ErrUnexpectedEOF) {
		select {
		case <-p.exited:
			if closed {
				cause = errors.New("it ended")
			}
			cause = fmt.Errorf("%w (%v)", cause, p.cmd.ProcessState)
		case <-time.After(2 * pipeDelay):
			cause = fmt.Errorf("it closed its standard output: %w", cause)
		}
	}
	kill(p.cmd)
	<-p.exited
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
	go io.Copy(io.Discard, p.out)
	late := time.AfterFunc(5*time.Second, func() { kill(p.cmd) })
	defer late.Stop()
	<-p.exited
	if state := p.cmd.ProcessState; state != nil && !state.Success() {
		return p.wrap(errors.New(state.String()))
	}
	return nil
}

func firstBytes(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}
