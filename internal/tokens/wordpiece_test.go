package tokens

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func pieceList() []string {
	return []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "!", "\u8868", "\u56f3", "a", "##a", "strasse"}
}

func TestWordPiece(t *testing.T) {
	w, err := NewWordPiece(pieceList())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text, want string
	}{
		{"longest pieces", "UNaffable", "un ##aff ##able"},
		{"accents", "Caf\u00e9 cafe\u0301", "cafe cafe"},
		{"no way to spell", "unaffx a", "[UNK] a"},
		{"punctuation", "a!a", "a ! a"},
		{"unknown punctuation", "a?a", "a [UNK] a"},
		{"Han", "a\u8868\u56f3a", "a \u8868 \u56f3 a"},
		{"control and format characters vanish", "a\u0000\u0007\u200b\u00ad\ufffda", "a ##a"},
		{"vertical tab is no space", "a\va", "a ##a"},
		{"all white space", "a\u00a0a\u3000a\ta", "a a a a"},
		{"100 characters", strings.Repeat("a", 100), strings.TrimSpace("a " + strings.Repeat("##a ", 99))},
		{"101 characters", strings.Repeat("a", 101), "[UNK]"},
		{"sharp s stays", "stra\u00dfe", "[UNK]"},
		{"not UTF-8", "a\xffa", "a ##a"},
		{"empty", "", ""},
	} {
		var got []string
		for _, id := range w.AppendIDs(nil, c.text) {
			got = append(got, pieceList()[id])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

func TestVocabulariesThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty file":  {"", "line 1 is empty or not UTF-8"},
		"empty line":  {"[UNK]\n\na\n", "line 2 is empty or not UTF-8"},
		"twice":       {"[UNK]\na\na\n", `line 3 repeats the piece "a" of line 2`},
		"no unknown":  {"a\nb\n", "there is no piece [UNK]"},
		"not UTF-8":   {"[UNK]\n\xff\n", "line 2 is empty or not UTF-8"},
		"carriage":    {"[UNK]\r\na\r\n", ""},
		"without end": {"[UNK]\na", ""},
	} {
		w, err := ReadVocabulary([]byte(c.text))
		switch {
		case c.want == "" && (err != nil || w.Len() != 2):
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

const tokenizerFile = `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"a":1,"##a":2}}}`

func TestReadTokenizer(t *testing.T) {
	w, err := ReadTokenizer([]byte(tokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := w.AppendIDs(nil, "aa a"); !slices.Equal(got, []uint32{1, 2, 1}) {
		t.Errorf("pieces %v", got)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"type":"WordPiece"`, `"type":"Unigram"`, `its model is "Unigram"`},
		{`"lowercase":true`, `"lowercase":false`, "not that of an uncased BERT"},
		{`"strip_accents":null`, `"strip_accents":false`, "not that of an uncased BERT"},
		{`"##"`, `"@@"`, `its pieces go on with "@@"`},
		{`"a":1`, `"a":7`, `piece "a" has number 7`},
		{`"a":1`, `"a":-1`, `piece "a" has number -1`},
		{`{"[UNK]":0,"a":1,"##a":2}`, `[1]`, "cannot unmarshal array"},
		{`{"normalizer"`, `{"normal`, "invalid character"},
	} {
		if _, err := ReadTokenizer([]byte(strings.Replace(tokenizerFile, c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %q", c.to, c.from, err, c.want)
		}
	}
}

func FuzzWordPiece(f *testing.F) {
	f.Add("[UNK]\na\n##b\n", tokenizerFile, "ab \u8868 a\u0301 \U0001f600")
	f.Add("[UNK]\r\nx", "{}", "")
	f.Fuzz(func(t *testing.T, vocabulary, tokenizer, text string) {
		for _, read := range []func() (*WordPiece, error){
			func() (*WordPiece, error) { return ReadVocabulary([]byte(vocabulary)) },
			func() (*WordPiece, error) { return ReadTokenizer([]byte(tokenizer)) },
		} {
			w, err := read()
			if err != nil {
				continue
			}
			ids := w.AppendIDs(nil, text)
			if len(ids) > 4*utf8.RuneCountInString(text)+1 { // a character decomposes into four at most
				t.Fatalf("%d pieces of %d characters", len(ids), utf8.RuneCountInString(text))
			}
			for _, id := range ids {
				if int(id) >= w.Len() {
					t.Fatalf("piece %d of %d", id, w.Len())
				}
			}
		}
	})
}
