package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"enterprisedocbench/internal/proc"
)

// onPath says whether a program is there; the error says that it is not.
func onPath(name string) func() error {
	return func() error {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%s is not on the PATH", name)
		}
		return nil
	}
}

// program runs a local program over one document and gives what it wrote on standard output, at
// most maxReply bytes. It belongs to the worker's process group, so that the worker's limits hold
// for both and neither outlives the other. What the program says of a bad file is the reason of the
// failure; with kind damaged comes what it had written until then.
func program(ctx context.Context, stdin []byte, name string, args ...string) ([]byte, error) {
	var out capped
	err := programTo(ctx, stdin, &out, name, args...)
	var pe *Error
	switch {
	case err == nil || errors.As(err, &pe) && pe.Kind == Damaged:
		if out.over {
			return nil, fail(TooLarge, "%s: its answer is larger than %d MB", name, maxReply>>20)
		}
		return out.b.Bytes(), err
	}
	return nil, err
}

// programTo is program with the answer written to out, whose failure ends the program.
func programTo(ctx context.Context, stdin []byte, out io.Writer, name string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not on the PATH: see edb doctor", name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // a worker is one processor's; more make tesseract slower
	said := &firstWords{}
	cmd.Stdout, cmd.Stderr = out, said
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	if err = proc.StartWithin(cmd); err == nil {
		err = cmd.Wait()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		words := said.fault()
		low := strings.ToLower(said.all())
		var exit *exec.ExitError
		switch {
		case strings.Contains(low, "password") || strings.Contains(low, "encrypt"):
			return fail(Encrypted, "password required")
		case errors.As(err, &exit) && exit.ExitCode() > 0:
			return fail(Damaged, "%s cannot read the file: %s", name, words)
		}
		return fail(Crash, "%s: %w: %s", name, err, words)
	}
	return nil
}
