package edb

import "testing"

// An item of a list has one sign, whatever it was printed with.
func TestMarkdownListItems(t *testing.T) {
	for text, want := range map[string]string{"• first item": "- first item\n", "- dash": "- dash\n", "1. one": "- 1. one\n", "-5 degrees": "- -5 degrees\n", "plain": "- plain\n"} {
		if got := (Parsed{Pages: []Page{{Elements: []Element{{Kind: KindListItem, Text: text}}}}}).Markdown(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
