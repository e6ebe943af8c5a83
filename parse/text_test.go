package parse

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	cases := []struct {
		name, in string
		pages    []string
		paged    bool
		warning  bool
	}{
		{"paragraphs", "one\nline\n\n \t\n two", []string{"one\nline\ntwo"}, false, false},
		{"pages", "a\fb\n\f", []string{"a", "b"}, true, false},
		{"empty page", "a\f\fb", []string{"a", "", "b"}, true, false},
		{"Windows lines", "a\r\n\r\nb\r\nc", []string{"a\nb\nc"}, false, false},
		{"old Mac lines", "a\r\rb", []string{"a\nb"}, false, false},
		{"mark", "\xef\xbb\xbfa", []string{"a"}, false, false},
		{"UTF-16 little", "\xff\xfea\x00\xac\x20", []string{"a\u20ac"}, false, false},
		{"UTF-16 big", "\xfe\xff\x00a\x20\xac", []string{"a\u20ac"}, false, false},
		{"UTF-16 pair", "\xfe\xff\xd8\x3d\xdc\xa9", []string{"\U0001f4a9"}, false, false},
		{"Latin-1", "caf\xe9", []string{"caf\u00e9"}, false, true},
		{"stray zero", strings.Repeat("abcdefghij", 10) + "\x00", []string{strings.Repeat("abcdefghij", 10)}, false, false},
		{"blank", " \n ", []string{""}, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseText([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Pages) != len(c.pages) || p.Paged != c.paged || (len(p.Warnings) > 0) != c.warning {
				t.Fatalf("%d pages, paged %v, warnings %q", len(p.Pages), p.Paged, p.Warnings)
			}
			for i, want := range c.pages {
				if got := p.Pages[i].Text(); got != want || p.Pages[i].NoText != (want == "") {
					t.Errorf("page %d: %q, no text %v, want %q", i+1, got, p.Pages[i].NoText, want)
				}
			}
		})
	}
	for name, in := range map[string]string{"zeros": "\x00\x00\x00\x00ab", "control bytes": "\x01\x02\x03\xff\xfe"} {
		if _, err := parseText([]byte(in)); kindOf(err) != Damaged {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parseText([]byte(strings.Repeat("\f", maxPages+5) + "a")); kindOf(err) != TooLarge {
		t.Errorf("form feeds without end: %v", err)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a\n\nb\fc", "\xff\xfea\x00", "caf\xe9", "\xef\xbb\xbf", "\xfe\xff\xd8"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := engineReads(t, b, parseText)
		if err != nil {
			return
		}
		for i, pg := range p.Pages {
			if pg.Number != i+1 {
				t.Errorf("page %d has number %d", i+1, pg.Number)
			}
		}
	})
}
