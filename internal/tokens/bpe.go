package tokens

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// BPE counts and splits text into the tokens of a named tokenizer. It is safe for concurrent use.
type BPE struct {
	name  string
	codec tokenizer.Codec // nil for "words" and "characters"
}

var (
	bpeMu sync.Mutex
	bpes  = map[string]*BPE{}
)

// NewBPE gives a tokenizer by name: "o200k" and "cl100k" (byte pair encodings, tables in the
// binary), "words" (white-space separated) or "characters" (code points).
func NewBPE(name string) (*BPE, error) {
	bpeMu.Lock()
	defer bpeMu.Unlock()
	if b := bpes[name]; b != nil {
		return b, nil
	}
	b := &BPE{name: name}
	var err error
	switch name {
	case "o200k":
		b.codec, err = tokenizer.Get(tokenizer.O200kBase)
	case "cl100k":
		b.codec, err = tokenizer.Get(tokenizer.Cl100kBase)
	case "words", "characters":
	default:
		err = fmt.Errorf("tokenizer %q is not one of o200k, cl100k, words, characters", name)
	}
	if err != nil {
		return nil, err
	}
	bpes[name] = b
	return b, nil
}

// Name is the tokenizer's name.
func (b *BPE) Name() string { return b.name }

// Count is the number of tokens of s.
func (b *BPE) Count(s string) int { return len(b.Ends(s)) }

// Ends gives the end of every token as a code point offset; the last is the length of s. A token
// that ends inside a code point ends after it, so neighbours may share an end.
func (b *BPE) Ends(s string) []int {
	switch {
	case s == "":
		return nil
	case b.name == "characters":
		out := make([]int, utf8.RuneCountInString(s))
		for i := range out {
			out[i] = i + 1
		}
		return out
	case b.codec == nil:
		return wordEnds(s)
	}
	out := make([]int, 0, len(s)/4+1)
	runes := 0
	// Pieces end after a line break that a letter follows, where no token of these tables spans, so
	// that work stays in proportion to the length; a text without such breaks for 64 KiB is cut anyway.
	for from := 0; from < len(s); {
		to := pieceEnd(s, from)
		piece := s[from:to]
		out = b.piece(piece, runes, out)
		runes += utf8.RuneCountInString(piece)
		from = to
	}
	return out
}

// pieceSize is how many bytes are encoded at a time at the least.
const pieceSize = 4096

func pieceEnd(s string, from int) int {
	for i := from + pieceSize; i < len(s); i++ {
		if s[i] == '\n' {
			for i < len(s) && (s[i] == '\n' || s[i] == '\r') {
				i++
			}
			if r, _ := utf8.DecodeRuneInString(s[i:]); i == len(s) || unicode.IsLetter(r) {
				return i
			}
			i--
		}
		if i > from+16*pieceSize && utf8.RuneStart(s[i]) {
			return i
		}
	}
	return len(s)
}

func (b *BPE) piece(s string, offset int, out []int) []int {
	_, toks, err := b.codec.Encode(s)
	if err != nil || len(toks) == 0 {
		// Bytes that are no UTF-8: one token a code point.
		for range s {
			offset++
			out = append(out, offset)
		}
		return out
	}
	at := 0
	for i, t := range toks {
		at += len(t)
		if i == len(toks)-1 || at > len(s) {
			at = len(s)
		}
		end := at
		for end < len(s) && !utf8.RuneStart(s[end]) {
			end++
		}
		out = append(out, end) // bytes for now
	}
	// Bytes to code points in one pass.
	runes, pos := offset, 0
	start := len(out) - len(toks)
	for i := start; i < len(out); i++ {
		if out[i] > pos {
			runes += utf8.RuneCountInString(s[pos:out[i]])
			pos = out[i]
		}
		out[i] = runes
	}
	return out
}

// wordEnds ends a token after each run of non-space and the space before it.
func wordEnds(s string) []int {
	var out []int
	i, in := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			if in {
				out = append(out, i)
				in = false
			}
		} else {
			in = true
		}
		i++
	}
	if in || len(out) == 0 {
		out = append(out, i)
	} else {
		out[len(out)-1] = i
	}
	return out
}
