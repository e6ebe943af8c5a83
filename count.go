package edb

import "strconv"

// Count writes a number with its noun: "1 page", "2 pages".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
