package layers

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "enterprisedocbench"

// mayImport is the architecture: package -> what of this module it may import. "edb" is the root.
// A package without a line fails; so does an import that is not listed.
var mayImport = map[string][]string{
	"edb":               {},
	"stats":             {},
	"internal/store":    {},
	"internal/proc":     {},
	"internal/model":    {},
	"internal/tokens":   {},
	"internal/vec":      {},
	"internal/layers":   {},
	"internal/encoder":  {"internal/tokens", "internal/vec"},
	"internal/testdata": {},
	"internal/align":    {"edb", "internal/tokens"},
	"internal/table":    {},
	"internal/assign":   {},
	"internal/caption":  {},
	"internal/xmltree":  {},
	"internal/strict":   {"internal/store"},
	"internal/elements": {"edb", "internal/store", "internal/strict"},
	"expect":            {},
	"datasets":          {"edb", "internal/elements", "internal/store", "internal/strict", "internal/tokens", "internal/xmltree"},
	"ingest":            {"edb", "datasets", "metrics", "stats", "internal/store", "internal/model", "internal/tokens"},
	"universe":          {"edb", "datasets", "metrics", "stats", "universe/keyed", "universe/press", "internal/store", "internal/tokens"},
	"universe/keyed":    {},
	"universe/press":    {"edb", "internal/tokens"},
	"universe/riker":    {"edb", "datasets", "metrics", "stats", "universe", "universe/keyed", "universe/press", "internal/store", "internal/tokens"},
	"parse":             {"edb", "internal/elements", "internal/store", "internal/assign", "internal/caption", "internal/tokens", "internal/model", "internal/proc", "internal/xmltree"},
	"index":             {"edb", "internal/encoder", "internal/tokens", "internal/model", "internal/vec", "internal/store"},
	"retrieve":          {"edb", "index", "internal/tokens", "internal/model", "internal/proc", "internal/vec", "internal/store"},
	"generate":          {"edb", "internal/tokens", "internal/model", "internal/proc"},
	"metrics":           {"edb", "internal/align", "internal/assign", "internal/caption", "internal/encoder", "internal/tokens", "internal/model", "internal/vec"},
	"internal/figure":   {"edb", "metrics", "stats"},
	"pipeline":          {"edb", "internal/figure", "datasets", "parse", "index", "retrieve", "generate", "metrics", "stats", "internal/store", "internal/align"},
	"agent":             {"edb", "universe", "metrics", "stats", "internal/store", "internal/model"},
	"study":             {"edb", "internal/figure", "pipeline", "agent", "universe", "datasets", "parse", "metrics", "stats", "expect", "internal/store", "internal/table", "internal/tokens", "internal/vec"},
	"reproduce":         {"edb", "datasets", "expect", "universe", "parse", "pipeline", "study", "metrics", "stats", "internal/store"},
	"report":            {"edb", "reproduce", "study", "metrics", "internal/store"},
}

// anything lists the roots that wire the rest together and the test helpers that stand beside a
// package under its own folder (retrieve/retrievetest may use what retrieve may use, and retrieve).
func allowed(pkg string) (list []string, free bool) {
	if strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "scripts") || pkg == "docs" {
		return nil, true
	}
	if l, ok := mayImport[pkg]; ok {
		return l, false
	}
	if i := strings.LastIndexByte(pkg, '/'); i >= 0 {
		if l, ok := mayImport[pkg[:i]]; ok && strings.HasSuffix(pkg, "test") {
			return append(slices.Clone(l), pkg[:i]), false
		}
	}
	return nil, false
}

func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}:{{join .Imports \",\"}}", module+"/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	short := func(p string) string {
		if p == module {
			return "edb"
		}
		return strings.TrimPrefix(p, module+"/")
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		path, imports, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || (path != module && !strings.HasPrefix(path, module+"/")) {
			continue
		}
		pkg := short(path)
		list, free := allowed(pkg)
		checked++
		if free {
			continue
		}
		if _, known := mayImport[pkg]; !known && list == nil {
			t.Errorf("package %s has no line in the table of imports: add one, with what it may import", pkg)
			continue
		}
		for imp := range strings.SplitSeq(imports, ",") {
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			if !slices.Contains(list, short(imp)) {
				t.Errorf("%s imports %s, which the layers do not allow", pkg, short(imp))
			}
		}
	}
	if checked == 0 {
		t.Fatal("no package was checked")
	}
}
