package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	edb "enterprisedocbench"
	"enterprisedocbench/internal/elements"
	"enterprisedocbench/internal/store"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Names of the files of a dataset directory.
const (
	InfoFile      = "dataset.yaml"
	DocumentsFile = "documents.jsonl"
	QuestionsFile = "queries.jsonl"
	QrelsFile     = "qrels.txt"
	FilesDir      = "files"
	GoldDir       = "gold"
)

// Info is dataset.yaml: what the dataset is, and what holds for all of its documents.
type Info struct {
	// Name is needed; Version is the dataset's own version.
	Name    string `yaml:"name"`
	Version string `yaml:"version,omitempty"`
	// Licence sums up in words what the documents' own licences say one by one.
	Licence string `yaml:"licence,omitempty"`
	// Annotations is the licence of what was added to the documents; nil where it is not stated.
	Annotations *Annotations `yaml:"annotations,omitempty"`
	Seed        uint64       `yaml:"seed,omitempty"`
	// Made says how the dataset was made, Citation whom to cite for it.
	Made     string `yaml:"made,omitempty"`
	Citation string `yaml:"citation,omitempty"`
	// Splits are the intended fractions of documents, summing to 1: {train: 0.1, val: 0.1, test: 0.8}.
	Splits  map[string]float64 `yaml:"splits,omitempty"`
	Privacy Privacy            `yaml:"privacy,omitempty"`
	// GoldParts lists the element kinds that the gold annotates. Empty means all: the gold is the
	// whole document. With [table], text and layout have nothing to be measured against.
	GoldParts []string `yaml:"gold_parts,omitempty"`
	// Documents is "external" for a dataset of judgements or answers whose documents are elsewhere:
	// qrels.txt and answers.jsonl may then name documents that documents.jsonl lacks, and questions
	// may lack their text. Empty: all documents are here.
	Documents string `yaml:"documents,omitempty"`
	// Files is "any" where files may be empty, damaged or other than their names say, to try readers
	// on. Empty: files must be what they are named.
	Files string `yaml:"files,omitempty"`
	// Expected are figures that the publishers give for the dataset as a whole, by their name there.
	Expected map[string]float64 `yaml:"expected,omitempty"`
	// Mask says what both sides leave out before text is compared, document by document.
	Mask []MaskRule `yaml:"mask,omitempty"`
}

// External reports whether documents that the dataset names may be elsewhere.
func (i Info) External() bool { return i.Documents == "external" }

// AnyFiles reports whether files may be other than their names say.
func (i Info) AnyFiles() bool { return i.Files == "any" }

// Privacy says whether document text may leave the machine. Send is "allow" (also when empty) or
// "never": then only local endpoints may see it.
type Privacy struct {
	Send string `yaml:"send,omitempty"`
}

// MaskRule adds LeaveOut to the mask of every document whose ID matches the pattern Documents: *
// stands for any run of characters without "/", ? for one, [a-z] for a class. An empty pattern
// matches all.
type MaskRule struct {
	Documents string   `yaml:"documents,omitempty"`
	LeaveOut  []string `yaml:"leave_out"`
}

// Masks lists what a mask may leave out.
var Masks = elements.Masks

// mask gives the sorted union of the rules that match the document.
func (i Info) mask(id string) []string {
	var out []string
	for _, r := range i.Mask {
		if ok, _ := path.Match(r.Documents, id); ok || r.Documents == "" || r.Documents == "*" {
			out = append(out, r.LeaveOut...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readInfo reads dataset.yaml and gives its faults; a fault without a line stands at line 1.
func readInfo(dir string) (Info, []Fault) {
	var info Info
	data, err := os.ReadFile(filepath.Join(dir, InfoFile))
	if err != nil {
		fix := "make it readable"
		if errors.Is(err, os.ErrNotExist) {
			fix = "write at least \"name: NAME\" into it, or name the folder that holds it"
		}
		return info, []Fault{{InfoFile, 0, "cannot be read: " + cause(err), fix}}
	}
	return parseInfo(data)
}

// maxInfoDepth is how deep dataset.yaml may nest.
const maxInfoDepth = 100

func parseInfo(data []byte) (Info, []Fault) {
	var info Info
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if line := store.DeepYAML(data, maxInfoDepth); line > 0 {
		return info, []Fault{{InfoFile, line, fmt.Sprintf("nests deeper than %d", maxInfoDepth), "write flatter values"}}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return info, []Fault{yamlFault(err, "correct the YAML")}
	}
	var share aliases
	for _, d := range file.Docs {
		if d.Body != nil {
			ast.Walk(&share, d.Body)
		}
	}
	if share.line > 0 {
		return info, []Fault{{InfoFile, share.line, "holds an anchor or alias", "write the value out"}}
	}
	if len(file.Docs) > 1 && file.Docs[1].Body != nil {
		return info, []Fault{{InfoFile, file.Docs[1].Body.GetToken().Position.Line, "holds a second YAML document", "keep one"}}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict(), yaml.DisallowUnknownField())
	if err := dec.Decode(&info); err != nil && len(bytes.TrimSpace(data)) > 0 {
		return info, []Fault{yamlFault(err, "see docs/formats.md for the keys of dataset.yaml")}
	}
	return info, info.faults(data)
}

// aliases remembers the first line with an anchor or alias: they can grow a small file without end.
type aliases struct{ line int }

func (a *aliases) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		if a.line == 0 {
			a.line = n.GetToken().Position.Line
		}
	}
	return a
}

func yamlFault(err error, fix string) Fault {
	var ye yaml.Error
	if errors.As(err, &ye) {
		line := 1
		if t := ye.GetToken(); t != nil && t.Position != nil {
			line = t.Position.Line
		}
		return Fault{InfoFile, line, plainYAML(ye.GetMessage()), fix}
	}
	return Fault{InfoFile, 1, plainYAML(err.Error()), fix}
}

var (
	yamlInto = regexp.MustCompile(`^cannot unmarshal (.+) into Go (?:struct field [\w.]+\.(\w+)|value) of type (.+)$`)
	yamlUsed = regexp.MustCompile(`^(\w+) was used where (\w+) is expected$`)
)

// plainYAML puts a message about a value of the wrong kind into words that need no knowledge of Go.
func plainYAML(msg string) string {
	if m := yamlInto.FindStringSubmatch(msg); m != nil {
		what := "this"
		if m[2] != "" {
			what = strings.ToLower(m[2])
		}
		return fmt.Sprintf("%s is %s, not %s", what, yamlWord(m[1]), yamlWord(m[3]))
	}
	if m := yamlUsed.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("%s stands where %s belongs", yamlWord(m[1]), yamlWord(m[2]))
	}
	return msg
}

func yamlWord(kind string) string {
	switch {
	case strings.HasPrefix(kind, "[]") || kind == "sequence":
		return "a list"
	case strings.HasPrefix(kind, "map[") || kind == "mapping":
		return "a mapping"
	case strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "bool" || kind == "boolean":
		return "true or false"
	case kind == "string":
		return "text"
	case kind == "null" || kind == "nil":
		return "nothing"
	}
	return "a value of another kind"
}

// faults checks the values of Info; data is the YAML they came from, to find lines in.
func (i Info) faults(data []byte) []Fault {
	var out []Fault
	add := func(key, problem, fix string) { out = append(out, Fault{InfoFile, keyLine(data, key), problem, fix}) }
	if i.Name == "" {
		add("name", "name is missing", "add \"name: NAME\"")
	}
	if !slices.Contains([]string{"", "allow", "never"}, i.Privacy.Send) {
		add("send", fmt.Sprintf("privacy.send is %q", i.Privacy.Send), "use allow or never")
	}
	if i.Documents != "" && !i.External() {
		add("documents", fmt.Sprintf("documents is %q", i.Documents), "write external, or leave it out")
	}
	if i.Files != "" && !i.AnyFiles() {
		add("files", fmt.Sprintf("files is %q", i.Files), "write any, or leave it out")
	}
	if a := i.Annotations; a != nil && a.SPDX == "" && a.Evidence == "" {
		add("annotations", "annotations states no licence", "give annotations.spdx and annotations.evidence, which says how it is known")
	}
	for _, k := range slices.Sorted(maps.Keys(i.Expected)) {
		if v := i.Expected[k]; math.IsNaN(v) || math.IsInf(v, 0) {
			add("expected", fmt.Sprintf("expected.%s is %v", k, v), "write a finite number")
		}
	}
	sum := 0.0
	for _, k := range slices.Sorted(maps.Keys(i.Splits)) {
		f := i.Splits[k]
		if !slices.Contains(splits, k) || !(f >= 0 && f <= 1) {
			add("splits", fmt.Sprintf("split %q has the fraction %v", k, f), "use train, val and test with fractions from 0 to 1")
		}
		sum += f
	}
	if len(i.Splits) > 0 && !(sum >= 1-1e-6 && sum <= 1+1e-6) {
		add("splits", fmt.Sprintf("split fractions sum to %v", sum), "make them sum to 1")
	}
	for _, k := range i.GoldParts {
		if !slices.Contains(edb.Kinds, k) {
			add("gold_parts", fmt.Sprintf("gold_parts holds %q, which is no element kind", k), "use "+oneOf(edb.Kinds))
		}
	}
	for _, r := range i.Mask {
		if _, err := path.Match(r.Documents, ""); err != nil {
			add("mask", fmt.Sprintf("mask pattern %q cannot be read", r.Documents), "close its brackets")
		}
		for _, m := range r.LeaveOut {
			if !slices.Contains(Masks, m) {
				add("mask", fmt.Sprintf("mask leaves out %q, which is not known", m), "use "+oneOf(Masks))
			}
		}
	}
	return out
}

// keyLine is the first line whose key is the given one; 1 where there is none.
func keyLine(data []byte, key string) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if bytes.HasPrefix(bytes.TrimLeft(line, " -{"), []byte(key+":")) {
			return n
		}
	}
	return 1
}

// encode gives dataset.yaml: the same bytes for the same Info.
func (i Info) encode() ([]byte, error) {
	return yaml.MarshalWithOptions(i, yaml.IndentSequence(true))
}
