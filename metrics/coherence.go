package metrics

import (
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// Ways of losing coherence.
const (
	LostLimit       = "limit"       // generation hit a limit that is at least ten times the longest key
	LostLoop        = "loop"        // the text repeats itself
	LostReplacement = "replacement" // a run of replacement characters
)

const (
	loopWindow  = 240 // characters that must repeat themselves
	loopTimes   = 4   // so often at least
	garbageRun  = 8   // replacement characters in a row
	limitFactor = 10
)

// CoherenceLoss says how an answer lost its coherence (RIKER section 5.7), or "": generation hit its
// limit while the answer is at least ten times as long as longest, the length in characters of the
// longest gold answer of the set; or 240 characters in a row are one piece of at most 60 repeated;
// or eight replacement characters (U+FFFD or the control character SUB) stand in a row. Rules, dots
// and other runs without a letter or digit are no loop.
func CoherenceLoss(a edb.Answer, longest int) string {
	run, runes := 0, 0
	for _, r := range a.Text {
		runes++
		if r == utf8.RuneError || r == '\x1a' {
			if run++; run >= garbageRun {
				return LostReplacement
			}
		} else {
			run = 0
		}
	}
	if loops(a.Text, runes) {
		return LostLoop
	}
	if a.Finish == "length" && (runes == 0 || runes >= limitFactor*longest) {
		return LostLimit
	}
	return ""
}

// loops reports whether loopWindow characters in a row are one piece repeated at least loopTimes, the
// last time perhaps in part: each equals the one a period before it.
func loops(text string, n int) bool {
	if n < loopWindow {
		return false
	}
	rs := []rune(text)
	for p := 1; p <= loopWindow/loopTimes; p++ {
		run, wordy := p, 0 // characters of the run; the last of them that was a letter or digit
		for i := p; i < len(rs); i++ {
			if rs[i] != rs[i-p] {
				run = p
				continue
			}
			run++
			if unicode.IsLetter(rs[i]) || unicode.IsDigit(rs[i]) {
				wordy = i
			}
			if run >= loopWindow && i-wordy < p && wordy > 0 {
				return true
			}
		}
	}
	return false
}
