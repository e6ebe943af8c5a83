package parse

import (
	"os"
	"path/filepath"
	"testing"
)

// OfficeFiles writes a Word document and an Excel workbook and gives their paths.
func OfficeFiles(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var out []string
	for name, b := range map[string][]byte{"a.docx": word(t, `<w:p><w:r><w:t>One line</w:t></w:r></w:p>`), "b.xlsx": workbook(t)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	if filepath.Base(out[0]) != "a.docx" {
		out[0], out[1] = out[1], out[0]
	}
	return out
}
