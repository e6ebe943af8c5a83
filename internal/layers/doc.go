// Package layers holds the test that imports point one way: nouns at the bottom, stages strangers
// to each other, pipeline above them, commands on top. It takes the output of go list and gives
// nothing at run time.
package layers
