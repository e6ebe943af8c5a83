package tokens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// WordPiece splits text into the pieces of an uncased BERT vocabulary: control characters taken
// away, accents dropped, lower case, punctuation and Han characters on their own, words cut into
// the longest known pieces from the left. A word that the vocabulary cannot spell, or one of more
// than 100 characters, is the unknown piece. It is safe for concurrent use.
// Source: Devlin et al. 2019, BERT; the fast tokenizer of Hugging Face, whose pieces it gives for all
// characters save some 570 that Unicode has taken in, or has put in another class, since its tables were made.
type WordPiece struct {
	ids     map[string]uint32
	unknown uint32
}

const (
	longestWord  = 100     // characters beyond which a word is unknown as a whole
	mostPieces   = 1 << 20 // of a vocabulary
	unknownPiece = "[UNK]"
)

// NewWordPiece makes a splitter whose piece i is pieces[i]. Pieces differ, are not empty, and one of
// them is [UNK].
func NewWordPiece(pieces []string) (*WordPiece, error) {
	if len(pieces) > mostPieces {
		return nil, fmt.Errorf("%d pieces: at most %d", len(pieces), mostPieces)
	}
	w := &WordPiece{ids: make(map[string]uint32, len(pieces))}
	for i, p := range pieces {
		if p == "" || !utf8.ValidString(p) {
			return nil, fmt.Errorf("piece %d is empty or not UTF-8", i)
		}
		if old, twice := w.ids[p]; twice {
			return nil, fmt.Errorf("pieces %d and %d are both %q", old, i, p)
		}
		w.ids[p] = uint32(i)
	}
	var ok bool
	if w.unknown, ok = w.ids[unknownPiece]; !ok {
		return nil, errors.New("there is no piece " + unknownPiece)
	}
	return w, nil
}

// ReadVocabulary reads a vocab.txt: one piece a line, numbered from 0. Errors name the line.
func ReadVocabulary(data []byte) (*WordPiece, error) {
	text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	seen := map[string]int{}
	lines := strings.Split(text, "\n")
	for i, p := range lines {
		switch old := seen[p]; {
		case p == "" || !utf8.ValidString(p):
			return nil, fmt.Errorf("line %d is empty or not UTF-8: one piece a line is wanted", i+1)
		case old > 0:
			return nil, fmt.Errorf("line %d repeats the piece %q of line %d", i+1, p, old)
		}
		seen[p] = i + 1
	}
	return NewWordPiece(lines)
}

// ReadTokenizer reads a tokenizer.json that holds an uncased WordPiece model.
func ReadTokenizer(data []byte) (*WordPiece, error) {
	var file struct {
		Normalizer struct {
			Type         string
			Lowercase    bool
			StripAccents *bool `json:"strip_accents"`
			Chinese      bool  `json:"handle_chinese_chars"`
			Clean        bool  `json:"clean_text"`
		}
		Model struct {
			Type    string
			Prefix  string `json:"continuing_subword_prefix"`
			Longest int    `json:"max_input_chars_per_word"`
			Vocab   map[string]int
		}
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&file); err != nil {
		return nil, err
	}
	m, n := file.Model, file.Normalizer
	switch {
	case m.Type != "" && m.Type != "WordPiece":
		return nil, fmt.Errorf("its model is %q: a WordPiece model is wanted", m.Type)
	case m.Prefix != "##" || m.Longest != longestWord:
		return nil, fmt.Errorf("its pieces go on with %q and words end at %d characters: ## and %d are wanted", m.Prefix, m.Longest, longestWord)
	case n.Type != "BertNormalizer" || !n.Lowercase || !n.Chinese || !n.Clean || n.StripAccents != nil && !*n.StripAccents:
		return nil, errors.New("its normalizer is not that of an uncased BERT")
	}
	pieces := make([]string, len(m.Vocab))
	for p, i := range m.Vocab {
		if i < 0 || i >= len(pieces) || pieces[i] != "" {
			return nil, fmt.Errorf("piece %q has number %d: numbers are wanted that go from 0 to %d, each once", p, i, len(pieces)-1)
		}
		pieces[i] = p
	}
	return NewWordPiece(pieces)
}

// ID is the number of a piece.
func (w *WordPiece) ID(piece string) (id uint32, ok bool) {
	id, ok = w.ids[piece]
	return id, ok
}

// Unknown is the number of the piece [UNK].
func (w *WordPiece) Unknown() uint32 { return w.unknown }

// Len is how many pieces there are.
func (w *WordPiece) Len() int { return len(w.ids) }

// AppendIDs appends the piece numbers of s.
func (w *WordPiece) AppendIDs(out []uint32, s string) []uint32 {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			s = norm.NFD.String(s)
			break
		}
	}
	word := make([]byte, 0, 32)
	flush := func() {
		if len(word) > 0 {
			out = w.pieces(out, word)
			word = word[:0]
		}
	}
	for _, r := range s {
		if r < utf8.RuneSelf {
			switch c := pieceClass[r]; c {
			case classDrop:
			case classSpace:
				flush()
			case classAlone:
				flush()
				word = append(word, byte(r))
				flush()
			default:
				word = append(word, c)
			}
			continue
		}
		switch {
		case r == utf8.RuneError || unicode.In(r, unicode.Mn, unicode.Cc, unicode.Cf, unicode.Co):
		case unicode.Is(unicode.White_Space, r):
			flush()
		case unicode.IsPunct(r) || han(r):
			flush()
			word = utf8.AppendRune(word, r)
			flush()
		default:
			word = utf8.AppendRune(word, unicode.ToLower(r))
		}
	}
	flush()
	return out
}

const (
	classDrop byte = iota
	classSpace
	classAlone // punctuation and every other ASCII character that is no letter or digit
)

// pieceClass is the class of an ASCII character, or its lower case where it belongs to words.
var pieceClass = func() (t [utf8.RuneSelf]byte) {
	for i := range t {
		switch c := byte(i); {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			t[i] = classSpace
		case c < ' ' || c == 0x7f:
			t[i] = classDrop
		case c >= 'A' && c <= 'Z':
			t[i] = c + 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			t[i] = c
		default:
			t[i] = classAlone
		}
	}
	return t
}()

// han is the ranges that the reference treats as characters of their own (it leaves 2B820 to 2B91F out).
func han(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf || r >= 0x20000 && r <= 0x2a6df || r >= 0x2a700 && r <= 0x2b73f ||
		r >= 0x2b740 && r <= 0x2b81f || r >= 0x2b920 && r <= 0x2ceaf || r >= 0xf900 && r <= 0xfaff || r >= 0x2f800 && r <= 0x2fa1f
}

// pieces appends the longest known pieces of one word.
func (w *WordPiece) pieces(out []uint32, word []byte) []uint32 {
	if id, ok := w.ids[string(word)]; ok {
		return append(out, id)
	}
	if len(word) > longestWord && utf8.RuneCount(word) > longestWord {
		return append(out, w.unknown)
	}
	begin := len(out)
	var buf [longestWord*utf8.UTFMax + 2]byte
	for from := 0; from < len(word); {
		to := len(word)
		for ; to > from; to-- {
			key := word[from:to]
			if from > 0 {
				key = append(append(buf[:0], "##"...), key...)
			}
			if id, ok := w.ids[string(key)]; ok {
				out = append(out, id)
				break
			}
		}
		if to == from {
			return append(out[:begin], w.unknown)
		}
		from = to
	}
	return out
}
