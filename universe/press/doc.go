// Package press prints the content of a document as PDF, HTML, Markdown or text and says exactly what
// it printed: gold elements in reading order and the place of every fact.
//
// A [Story] is content before it has a form. Facts stand in its texts, written {field|value} (see
// [Fact]); what says a fact - the sentence of a paragraph, the row of a table, the item of a list, the
// label of a chart - is its evidence. [Print] fails unless every piece of evidence stands at its
// offsets and says its value.
//
// PDFs are laid out here, so that every box is known before anything is drawn, and written here: a
// document holds the glyphs that it uses and nothing else, and the same story gives the same bytes. A
// character that a font lacks is an error, never a blank. [Sheet] is the same layout engine, driven by
// hand.
package press
