// Package align carries places from one text of a document to another. It takes the gold and what a
// parser made of the same file, and matches their words one to one, once for a document and parser;
// from then on it says which evidence a passage covers ([Alignment.Cover]), which pages it stands
// on ([Alignment.PageShares]) and where a quoted text stands ([FindQuote], [Locator]).
//
// # How words are matched
//
// Reading order does not count: it is measured elsewhere, and a parser that reads the right column
// first must not lose its evidence. Words are compared by key (NFKC, case folded, canonical numbers,
// single characters for Han and Kana). On the same page, in this order:
//
//  1. blocks of text that are equal on both sides, the nearest box first where there are several;
//  2. runs of three, two and one words that occur once on either side;
//  3. from there on in both directions, first inside a block and then across, while errors stay
//     below one edit in four characters;
//  4. what is left, equal keys first: the nearest box, else the nearest place that the neighbours
//     ask for. A gold word that the parser lost or misread takes the place of the misread word in
//     its box, or of its neighbour in the same block; it is located, and never legible.
//
// Then the pages before and after are tried, since a parser may carry a word over a page end. Where
// either side has no page marks the whole document is one page. A word glued together or torn apart
// on one side ("Costofgoodssold", "vocab- ulary") is first cut where the other side is cut.
package align
