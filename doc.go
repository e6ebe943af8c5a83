// Package edb holds the nouns of EnterpriseDocBench: what the stages of a document pipeline hand
// to each other and what the measures say about them. It imports nothing but the standard library
// and does no work; every other package of the module may import it.
//
// # Source coordinates
//
// Everything is measured where it stands in the source: document, physical page (from 1) and a
// half-open range of Unicode code points of that page's text. The text of a page is the text of
// its elements in reading order, artifacts (header, footer, page-number) left out, joined by one
// newline ([Page.Text]). Evidence is given in the coordinates of the gold text, passages in the
// coordinates of the parsed text; internal/align carries one to the other.
package edb
