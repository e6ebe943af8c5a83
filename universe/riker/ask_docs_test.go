package riker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageOfQuestions holds the table of levels in docs/universe.md to the templates and to the golden
// questions.
func TestPageOfQuestions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "universe.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile(filepath.Join("testdata", "questions-8K.txt"))
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]int{}
	for _, p := range patterns {
		levels[p.level]++
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || !strings.HasPrefix(line, "| L") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows++
		if cells[2] != fmt.Sprint(levels[cells[0]]) {
			t.Errorf("%s has %d templates, the page says %s", cells[0], levels[cells[0]], cells[2])
		}
		answer := cells[4]
		switch {
		case strings.Contains(answer, "; "):
			answer = "[" + strings.ReplaceAll(answer, "; ", " ") + "]"
		case answer == "N/A":
			answer = "-"
		}
		_, after, ok := strings.Cut(string(golden), "  "+cells[3]+" Reply with")
		if !ok || !strings.HasPrefix(after[strings.IndexByte(after, '\n')+1:], "  = "+answer+"\n") {
			t.Errorf("%s: the 8K preset does not ask %q, or not with the answer %q", cells[0], cells[3], answer)
		}
	}
	if rows != 12 {
		t.Errorf("%d rows of levels", rows)
	}
	if !strings.Contains(string(page), fmt.Sprintf("asks %d templates", len(patterns))) {
		t.Errorf("the page says another number of templates than %d", len(patterns))
	}
}
