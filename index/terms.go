package index

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Terms splits a text into the terms that BM25 counts, in order: NFKC, runs of letters, marks and
// digits, lower case. Accents stay (café is not cafe). Between letters an apostrophe belongs to the
// word (it's), between digits a decimal point does (3.5), a thousands comma and a soft hyphen are
// dropped (1,234 is 1234). Scripts written without spaces between words (Han, Kana, Hangul, Thai,
// Lao, Khmer, Myanmar) give every character and every pair of neighbours.
func Terms(s string) []string {
	z := newScanner(s)
	var out []string
	for z.next() {
		out = append(out, string(z.bytes()))
	}
	return out
}

// lower maps an ASCII letter or digit to its lower case and everything else to 0.
var lower = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = byte(c), byte(c)
	}
	return
}()

// scanner walks over the terms of a text. After next, a term of at most eight bytes is packed into
// key (its last byte lowest; no term holds a zero byte, so the packing is one to one); a longer one
// is in buf and key is its hash.
type scanner struct {
	s    string
	i    int
	n    int // bytes of the term
	key  uint64
	buf  []byte
	pair int // where a pair of characters begins that is still to be given; -1 for none
}

func newScanner(s string) *scanner {
	z := &scanner{}
	z.reset(s)
	return z
}

func (z *scanner) reset(s string) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			s = norm.NFKC.String(s)
			break
		}
	}
	z.s, z.i, z.pair = s, 0, -1
}

// bytes is the term that next found, valid until the next call.
func (z *scanner) bytes() []byte {
	if z.n > 8 {
		return z.buf
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], z.key)
	z.buf = append(z.buf[:0], b[8-z.n:]...)
	return z.buf
}

// special marks the ASCII bytes after which a word may go on.
func special(c byte) bool { return c == '\'' || c == '.' || c == ',' || c >= utf8.RuneSelf }

func (z *scanner) next() bool {
	s, i := z.s, z.i
	if z.pair >= 0 {
		return z.slow(i)
	}
	for i < len(s) && lower[s[i]] == 0 {
		if s[i] >= utf8.RuneSelf {
			return z.slow(i)
		}
		i++
	}
	if i == len(s) {
		z.i = i
		return false
	}
	start := i
	var key uint64
	for i < len(s) && i-start < 8 {
		c := lower[s[i]]
		if c == 0 {
			break
		}
		key = key<<8 | uint64(c)
		i++
	}
	if i == len(s) || (lower[s[i]] == 0 && !special(s[i])) {
		z.key, z.n, z.i = key, i-start, i
		return true
	}
	return z.slow(start)
}

// slow finds the next term from i on in any text.
func (z *scanner) slow(i int) bool {
	z.buf = z.buf[:0]
	if z.pair >= 0 { // the pair after the character just given
		p := z.pair
		_, a := utf8.DecodeRuneInString(z.s[p:])
		_, b := utf8.DecodeRuneInString(z.s[p+a:])
		z.pair = -1
		z.buf = append(z.buf, z.s[p:p+a+b]...)
		z.i = p + a
		return z.found()
	}
	s := z.s
	for i < len(s) {
		r, w := utf8.DecodeRuneInString(s[i:])
		if spaceless(r) {
			z.buf = append(z.buf, s[i:i+w]...)
			z.i = i + w
			if q, _ := utf8.DecodeRuneInString(s[i+w:]); spaceless(q) {
				z.pair = i
			}
			return z.found()
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			break
		}
		i += w
	}
	if i >= len(s) {
		z.i = len(s)
		return false
	}
	var prev rune
	for i < len(s) {
		r, w := utf8.DecodeRuneInString(s[i:])
		switch {
		case spaceless(r):
			z.i = i
			return z.found()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			z.fold(r)
			prev = r
		case r == '\u00AD':
		case r == '\'' || r == '\u2019':
			q, _ := utf8.DecodeRuneInString(s[i+w:])
			if !unicode.IsLetter(prev) || !unicode.IsLetter(q) || spaceless(q) {
				z.i = i + w
				return z.found()
			}
			z.buf = append(z.buf, '\'')
		case r == '.' && digit(prev) && i+w < len(s) && digit(rune(s[i+w])):
			z.buf = append(z.buf, '.')
			prev = r
		case r == ',' && digit(prev) && thousands(s[i+w:]):
		default:
			z.i = i + w
			return z.found()
		}
		i += w
	}
	z.i = i
	return z.found()
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// thousands reports whether s begins with exactly three digits.
func thousands(s string) bool {
	return len(s) >= 3 && digit(rune(s[0])) && digit(rune(s[1])) && digit(rune(s[2])) && (len(s) == 3 || !digit(rune(s[3])))
}

// fold appends the lower case of r; the few letters whose case folding is longer are spelled out.
func (z *scanner) fold(r rune) {
	switch r {
	case 'ß', 'ẞ':
		z.buf = append(z.buf, "ss"...)
	case 'ς':
		z.buf = utf8.AppendRune(z.buf, 'σ')
	case 'İ':
		z.buf = append(z.buf, 'i')
	case 0, utf8.RuneError:
	default:
		z.buf = utf8.AppendRune(z.buf, unicode.ToLower(r))
	}
}

// found packs or hashes the term in buf.
func (z *scanner) found() bool {
	b := z.buf
	z.n, z.key = len(b), 0
	if len(b) > 8 {
		const m = 0x9E3779B97F4A7C15
		h := uint64(len(b))
		for ; len(b) >= 8; b = b[8:] {
			h = (h ^ binary.LittleEndian.Uint64(b)) * m
			h ^= h >> 29
		}
		for _, c := range b {
			h = (h ^ uint64(c)) * m
		}
		z.key = h ^ h>>32
		return true
	}
	for _, c := range b {
		z.key = z.key<<8 | uint64(c)
	}
	return true
}

func spaceless(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー'
}
