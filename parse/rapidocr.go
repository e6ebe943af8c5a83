package parse

import (
	"context"
	_ "embed"
	"fmt"
	"image"
	"os"
	"os/exec"
	"strings"
	"sync"
	"unicode/utf8"

	"enterprisedocbench"
)

// rapidDPI is how many dots an inch pages are drawn with for RapidOCR, which makes larger pictures
// smaller itself.
const rapidDPI = 200

// minScore is what RapidOCR must say of a line, 0 to 1, for it to be taken: its own default.
const minScore = 0.5

// rapidInstall brings RapidOCR with the runtime of its models.
const rapidInstall = "python3 -m pip install rapidocr==3.10.0 onnxruntime"

//go:embed rapidocr_worker.py
var rapidScript string

// rapidEngine reads pictures of pages with PP-OCR, as RapidOCR runs it, in a Python process that
// lives as long as the worker. It finds lines; their words are cut at blanks, each with its share of
// the line's width, and go through the geometric layer.
type rapidEngine struct {
	pdf *pdfiumEngine
	py  *sidecar
}

// python is the interpreter that runs RapidOCR: EDB_PYTHON, else python3.
func python() string {
	if p := os.Getenv("EDB_PYTHON"); p != "" {
		return p
	}
	return "python3"
}

// haveRapidOCR says whether Python finds RapidOCR. The answer is that of the first call.
var haveRapidOCR = sync.OnceValue(func() error {
	path, err := exec.LookPath(python())
	if err != nil {
		return fmt.Errorf("%s is not on the PATH", python())
	}
	const look = "import importlib.util as u, os, sys; sys.path[:] = [p for p in sys.path if p not in ('', os.getcwd())]; sys.exit(0 if all(u.find_spec(m) for m in ('rapidocr', 'onnxruntime', 'numpy')) else 3)"
	if err := exec.Command(path, "-c", look).Run(); err != nil {
		return fmt.Errorf("%s has no rapidocr with onnxruntime (EDB_PYTHON names another Python)", python())
	}
	return nil
})

func newRapidOCR() (Parser, error) {
	p, err := newPdfium()
	if err != nil {
		return nil, err
	}
	e := &rapidEngine{pdf: p.(*pdfiumEngine), py: &sidecar{argv: []string{python(), "-c", rapidScript}}}
	if err := e.py.start(); err != nil {
		return nil, fmt.Errorf("rapidocr: %w", err)
	}
	return e, nil
}

// Parse implements Parser.
func (e *rapidEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	pages, warnings, err := ocr(ctx, src, e.pdf, rapidDPI, e.recognise)
	if err != nil {
		return edb.Parsed{}, err
	}
	out := layout(pages)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, Spec{Engine: "rapidocr"}.Label(), warnings
	return out, nil
}

// rapidLine is a line of text with its box in dots.
type rapidLine struct {
	Box   [4]float64 `json:"box"`
	Text  string     `json:"text"`
	Score float64    `json:"score"`
}

func (e *rapidEngine) recognise(ctx context.Context, img *image.Gray, pg *rawPage) error {
	size := img.Bounds().Size()
	var reply struct {
		Lines []rapidLine `json:"lines"`
		Error string      `json:"error"`
	}
	head := map[string]int{"width": size.X, "height": size.Y}
	if err := e.py.ask(ctx, head, img.Pix, &reply); err != nil {
		return err
	}
	if reply.Error != "" {
		return fmt.Errorf("rapidocr: %s", reply.Error)
	}
	for _, l := range reply.Lines {
		if l.Score >= minScore {
			pg.words = append(pg.words, l.words(pg.width/float64(size.X), pg.height/float64(size.Y))...)
		}
	}
	return nil
}

// words cuts a line at its blanks; fx and fy turn dots into points.
func (l rapidLine) words(fx, fy float64) (out []wordRun) {
	text := squeeze(clean(l.Text))
	n := utf8.RuneCountInString(text)
	box := edb.Box{finite(l.Box[0]) * fx, finite(l.Box[1]) * fy, finite(l.Box[2]) * fx, finite(l.Box[3]) * fy}
	if n == 0 || box[0] >= box[2] || box[1] >= box[3] {
		return nil
	}
	step, at := (box[2]-box[0])/float64(n), 0
	for word := range strings.SplitSeq(text, " ") {
		k := utf8.RuneCountInString(word)
		w := wordRun{text: word, box: edb.Box{box[0] + step*float64(at), box[1], box[0] + step*float64(at+k), box[3]}}
		w.font.size = round2((box[3] - box[1]) / loose)
		out = append(out, w)
		at += k + 1
	}
	return out
}
