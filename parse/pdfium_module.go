package parse

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfiumModule is one running PDFium. go-pdfium starts it; its functions are then called directly,
// because a page asks for some thousand small things and the wrapper allocates memory on both
// sides for each.
type pdfiumModule struct {
	pool    pdfium.Pool
	lib     pdfium.Pdfium // the wrapper, for what is asked rarely
	mod     api.Module
	fn      map[string]api.Function
	stack   [8]uint64
	scratch uint32 // 256 bytes of the module's memory for results
}

const scratchSize = 256

// memoryPages bounds PDFium's memory: 64 KiB each, 1.5 GiB in all.
const memoryPages = 24 << 10

// wasmCache is where compiled WebAssembly is kept: EDB_WASM_CACHE, else a folder in the user's
// cache. Without either it is compiled anew in each process, a few seconds.
func wasmCache() wazero.CompilationCache {
	dir := os.Getenv("EDB_WASM_CACHE")
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(base, "edb", "wasm")
	}
	c, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil
	}
	return c
}

// catcher notes the module that PDFium runs in, when its library is initialised.
type catcher struct{ mod api.Module }

// NewFunctionListener listens to the one function that every start calls once.
func (c *catcher) NewFunctionListener(def api.FunctionDefinition) experimental.FunctionListener {
	if slices.Contains(def.ExportNames(), "FPDF_InitLibrary") {
		return c
	}
	return nil
}

// Before keeps the module.
func (c *catcher) Before(_ context.Context, mod api.Module, _ api.FunctionDefinition, _ []uint64, _ experimental.StackIterator) {
	c.mod = mod
}

// After does nothing.
func (c *catcher) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

// Abort does nothing.
func (c *catcher) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// startPdfium starts PDFium with no file system and bounded memory.
func startPdfium() (*pdfiumModule, error) {
	rc := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(memoryPages)
	if c := wasmCache(); c != nil {
		rc = rc.WithCompilationCache(c)
	}
	var c catcher
	pool, err := webassembly.Init(webassembly.Config{
		Context: experimental.WithFunctionListenerFactory(context.Background(), &c),
		MinIdle: 1, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: rc, FSConfig: wazero.NewFSConfig(),
		Stdout: io.Discard, Stderr: io.Discard, ReuseWorkers: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start pdfium: %w", err)
	}
	lib, err := pool.GetInstance(30 * time.Second)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("start pdfium: %w", err)
	}
	if c.mod == nil {
		pool.Close()
		return nil, fmt.Errorf("start pdfium: its module cannot be reached")
	}
	m := &pdfiumModule{pool: pool, lib: lib, mod: c.mod, fn: map[string]api.Function{}}
	m.scratch = uint32(m.call("malloc", scratchSize))
	if m.scratch == 0 {
		pool.Close()
		return nil, fmt.Errorf("start pdfium: no memory")
	}
	return m, nil
}

// close ends the module and gives its memory back.
func (m *pdfiumModule) close() { m.pool.Close() }

// trap is the panic of a call that PDFium did not survive; the module is spent.
type trap struct{ err error }

// call calls an exported function. A trap panics with trap.
func (m *pdfiumModule) call(name string, args ...uint64) uint64 {
	f := m.fn[name]
	if f == nil {
		if f = m.mod.ExportedFunction(name); f == nil {
			panic(trap{fmt.Errorf("pdfium has no function %s", name)})
		}
		m.fn[name] = f
	}
	copy(m.stack[:], args)
	if err := f.CallWithStack(context.Background(), m.stack[:]); err != nil {
		panic(trap{err})
	}
	return m.stack[0]
}

// int32 calls a function that gives an int.
func (m *pdfiumModule) int32(name string, args ...uint64) int {
	return int(int32(m.call(name, args...)))
}

// float32 calls a function that gives a float; what is no number is 0.
func (m *pdfiumModule) float32(name string, args ...uint64) float64 {
	return finite(float64(math.Float32frombits(uint32(m.call(name, args...)))))
}

// floats reads n floats from the scratch memory; what is no number is 0.
func (m *pdfiumModule) floats(n uint32) (out [4]float64) {
	b, ok := m.mod.Memory().Read(m.scratch, 4*n)
	if !ok {
		return out
	}
	for i := range n {
		out[i] = finite(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))))
	}
	return out
}

// finite bounds coordinates: what is no number is 0, what is beyond a million points is cut.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(-1e6, min(1e6, x))
}

// load puts bytes into the module's memory and gives their address, 0 if there is no room.
func (m *pdfiumModule) load(b []byte) uint64 {
	p := m.call("malloc", uint64(max(len(b), 1)))
	if p != 0 && !m.mod.Memory().Write(uint32(p), b) {
		m.call("free", p)
		return 0
	}
	return p
}

// cstring reads the string of a call that writes at most size bytes to the address it is given.
func (m *pdfiumModule) cstring(size uint32) string {
	b, ok := m.mod.Memory().Read(m.scratch, min(size, scratchSize))
	if !ok {
		return ""
	}
	if i := slices.Index(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
