package metrics

import "enterprisedocbench"

// partsOf says which element kinds a measure of parsing needs the gold to annotate; "" is all.
var partsOf = map[string]string{
	"parse.tea": edb.KindTable, "parse.teds": edb.KindTable, "parse.teds(mode=structure)": edb.KindTable,
	"parse.caption_f1": edb.KindCaption, "parse.heading_f1": edb.KindHeading, "parse.heading_tree": edb.KindHeading,
	"parse.heading_recall": edb.KindHeading, "parse.heading_precision": edb.KindHeading,
	"parse.lf": edb.KindHeading, "parse.caption_chrf": edb.KindCaption, "parse.formula_sim": edb.KindFormula,
}

// partOf is the kind that a measure needs the gold to annotate; "" is all.
func partOf(key string) string {
	n, err := ParseName(key)
	switch {
	case err != nil:
	case n.Key() == "parse.element_f1":
		return n.Param("kind")
	case n.Key() == "parse.fcq":
		return edb.KindCaption
	}
	return partsOf[key]
}

// Annotated turns rows of a parse into nothing to measure where the gold annotates only some kinds of
// elements (tables, say) and the measure needs another. holds says whether the gold annotates a kind, or
// with "" all of them.
func Annotated(rows []edb.Measurement, holds func(kind string) bool) {
	for i := range rows {
		if !holds(partOf(rows[i].Key)) {
			rows[i].Value, rows[i].Failed = nil, false
			rows[i].Reason = "the gold annotates only some kinds of elements (gold_parts)"
		}
	}
}
