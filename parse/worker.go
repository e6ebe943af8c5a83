package parse

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"enterprisedocbench"
)

// Limits bound the work on one document; 0 is no limit. CPU and RSS are watched on Linux, elsewhere
// only Wall holds.
type Limits struct {
	CPU  time.Duration // of the worker's process
	Wall time.Duration
	RSS  int64 // bytes of resident memory of the worker's process
}

// DefaultLimits suit documents of some hundred pages.
var DefaultLimits = Limits{CPU: 60 * time.Second, Wall: 120 * time.Second, RSS: 2 << 30}

// Usage is what one document consumed in its worker. CPU and PeakRSS are 0 where they are unknown
// (services, systems other than Linux).
type Usage struct {
	Wall, CPU time.Duration
	PeakRSS   int64 // bytes, of the whole worker while it had the document
}

// The parent and a worker exchange frames: a 4-byte big-endian length and that many bytes of JSON.
// maxFrame bounds what either accepts.
const maxFrame = 256 << 20

type request struct {
	Spec Spec         `json:"spec"`
	Doc  edb.Document `json:"doc"`
	Path string       `json:"path"`
}

// reply answers a request. Where an engine must be opened first (its code compiled, its fonts
// loaded), a reply that is only Ready comes before: the clock of the document starts there.
type reply struct {
	Ready  bool          `json:"ready,omitempty"`
	Parsed edb.Parsed    `json:"parsed"`
	Kind   string        `json:"kind,omitempty"`
	Error  string        `json:"error,omitempty"`
	CPU    time.Duration `json:"cpu,omitempty"`
	Peak   int64         `json:"peak,omitempty"`
}

// errFrame says that a frame is larger than maxFrame.
var errFrame = errors.New("the parsed document is larger than can be handed on")

func writeFrame(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(b) > maxFrame {
		return fmt.Errorf("%w: %d bytes, limit %d", errFrame, len(b), maxFrame)
	}
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(b)))
	_, err = w.Write(append(n[:], b...))
	return err
}

func readFrame(r io.Reader, v any) error {
	var n [4]byte
	if _, err := io.ReadFull(r, n[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(n[:])
	if size > maxFrame {
		return fmt.Errorf("%w: %d bytes, limit %d", errFrame, size, maxFrame)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// ServeWorker is the body of `edb __worker`: it parses the documents that come on in, one at a
// time, and answers on out until in ends. Parsers live as long as the worker, so fonts and compiled
// code are loaded once.
func ServeWorker(ctx context.Context, in io.Reader, out io.Writer) error {
	return serve(ctx, in, out, func(name string) (Parser, error) {
		e, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		return e.New()
	})
}

func serve(ctx context.Context, in io.Reader, out io.Writer, open func(string) (Parser, error)) error {
	parsers := map[string]Parser{}
	r := bufio.NewReaderSize(in, 1<<16)
	for served := 0; ctx.Err() == nil; served++ {
		if served%64 == 63 {
			debug.FreeOSMemory() // what engines let go returns to the system, so limits see the document alone
		}
		var q request
		if err := readFrame(r, &q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		p, err := parsers[q.Spec.Engine], error(nil)
		if p == nil {
			if p, err = open(q.Spec.Engine); err == nil {
				parsers[q.Spec.Engine] = p
				if err := writeFrame(out, reply{Ready: true}); err != nil {
					return err
				}
			}
		}
		resetPeak()
		cpu := selfCPU()
		a := work(ctx, p, err, q)
		a.CPU, a.Peak = selfCPU()-cpu, selfPeak()
		err = writeFrame(out, a)
		var bad *json.UnsupportedValueError
		switch {
		case errors.Is(err, errFrame):
			err = writeFrame(out, reply{Kind: TooLarge, Error: err.Error(), CPU: a.CPU, Peak: a.Peak})
		case errors.As(err, &bad):
			err = writeFrame(out, reply{Kind: Damaged, Error: "the engine gave a number that is none: " + bad.Str, CPU: a.CPU, Peak: a.Peak})
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// work parses one document; err is why its engine cannot be opened.
func work(ctx context.Context, p Parser, err error, q request) reply {
	var a reply
	if err == nil {
		a.Parsed, err = safely(ctx, p, Source{q.Doc, q.Path})
	}
	if err != nil {
		a = reply{Kind: Crash, Error: err.Error()}
		var pe *Error
		if errors.As(err, &pe) {
			a.Kind = pe.Kind
		}
	}
	return a
}

// safely turns a panic of an engine into a failure of the document.
func safely(ctx context.Context, p Parser, src Source) (out edb.Parsed, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = edb.Parsed{}, fail(Damaged, "the engine gave up on the file: %v", r)
		}
	}()
	return p.Parse(ctx, src)
}
