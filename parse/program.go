package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s is not on the PATH: see edb doctor", name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // a worker is one processor's; more make tesseract slower
	var out capped
	said := &firstWords{}
	cmd.Stdout, cmd.Stderr = &out, said
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	if err = proc.StartWithin(cmd); err == nil {
		err = cmd.Wait()
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.over:
		return nil, fail(TooLarge, "%s: its answer is larger than %d MB", name, maxReply>>20)
	case err != nil:
		words := said.fault()
		low := strings.ToLower(said.all())
		var exit *exec.ExitError
		switch {
		case strings.Contains(low, "password") || strings.Contains(low, "encrypt"):
			return nil, fail(Encrypted, "password required")
		case errors.As(err, &exit) && exit.ExitCode() > 0:
			return out.b.Bytes(), fail(Damaged, "%s cannot read the file: %s", name, words)
		}
		return nil, fail(Crash, "%s: %w: %s", name, err, words)
	}
	return out.b.Bytes(), nil
}
