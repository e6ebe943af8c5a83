package press_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/universe/press"
)

// beyond are texts that our Markdown engine takes for something else however they are escaped: links
// and labels of TeX, and what begins like a caption where a table stands beside it.
var beyond = regexp.MustCompile(`\\(href|label)|(?i)^(table)?:`)

// FuzzPrint prints arbitrary texts at every place in every format. Whatever is printed proves itself
// (Print does), comes out the same twice, and is read back as the gold by our own engines.
func FuzzPrint(f *testing.F) {
	for _, s := range odd {
		f.Add(s)
	}
	f.Add("The rent is {rent|$5}. It is due on {due|May 1}.")
	f.Add("{a|b} {c|{d}} \\{ {x}")
	f.Add(strings.Repeat("word ", 1300) + "{f|v} word")
	f.Add("Đặng Ţ Σ Ж ½ ™ \u0301 \u00ad \u200b \x00 \xff")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := press.Print(para(text), press.PDFTwoColumn); err != nil && !strings.HasPrefix(err.Error(), "document d: block 1 (paragraph): ") {
			t.Errorf("an error that does not say where: %v", err)
		}
		if len(text) > 2000 {
			return // one paragraph is enough
		}
		s := everywhere(text, true)
		for _, form := range press.Formats {
			p, err := press.Print(s, form)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "document d: ") {
					t.Errorf("an error that does not say where: %v", err)
				}
				continue
			}
			again, err := press.Print(s, form)
			if err != nil || !bytes.Equal(p.Content, again.Content) {
				t.Errorf("%s: another file the second time (%v)", form, err)
			}
			if engines[form] == nil || beyond.MatchString(strings.TrimSpace(text)) {
				continue
			}
			if got, want := tokens.Normalize(readBack(t, p, form).Text()), tokens.Normalize(seen(p.Gold, form).Text()); got != want {
				t.Errorf("%s:\n got %q\nwant %q\nfile %s", form, got, want, p.Content)
			}
		}
	})
}
