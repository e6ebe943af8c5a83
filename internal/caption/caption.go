// Package caption knows how captions of figures and tables begin, in the languages of documents.
package caption

import "regexp"

// Words that stand before the number, with or without a blank behind them.
const (
	tableWords = `tables?|tab\.|tabelle|tableau|tabla|tabela|tabella|tabel|tabell|таблица|табл\.|表格?`
	otherWords = `figures?|fig\.|figura|figur|figuur|abbildung|abb\.|afbeelding|bild|рисунок|рис\.|図|图|圖|그림|chart|exhibit|scheme|schema|schéma`
	asian      = `表格?|図|图|圖|그림|표`
)

var (
	number = `[A-Z]?(?:\d+[a-z]?|[IVXL]+\b)`
	first  = `^(?i:(?:` + tableWords + `|표|` + otherWords + `)\s+|(?:` + asian + `|fig\.|abb\.|tab\.|рис\.|табл\.)\s*)` + number
	marked = regexp.MustCompile(first + `\s*[.:|–—：．]`)
	opened = regexp.MustCompile(first + `\s*(?:[.:|–—：．-]|\s)`)
	table  = regexp.MustCompile(`^\s*(?i:` + tableWords + `|표)\s*` + number)
)

// Marked says whether a text begins with a caption's word and number and a sign behind them, as
// running text that speaks of a figure does not.
func Marked(text string) bool { return marked.MatchString(text) }

// Opened says whether a text begins with a caption's word and number: it may also be a sentence.
func Opened(text string) bool { return opened.MatchString(text) }

// OfTable says whether a caption is a table's by its first word.
func OfTable(text string) bool { return table.MatchString(text) }
