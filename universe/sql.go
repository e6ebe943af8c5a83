package universe

import (
	"strings"
)

// The queries of questions. Each gives one row of one column from the view "stated" of truth.sqlite
// (see truthSchema): a number, a text, a date as 2006-01-02, or 1 and 0 for yes and no.

func sqlSelect(expr string) string { return "SELECT " + expr }

// sqlText is a string as SQL writes it.
func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// kindOf is the kind of entity that a document type is about.
func kindOf(typ string) string {
	switch typ {
	case TypeLease:
		return "lease"
	case TypeReport:
		return "report"
	}
	return "statement"
}

// sqlFind reads field want in the dealing of a type whose field says value, an expression. kind is
// text, number or date.
func sqlFind(typ, field, value, want, kind string) string {
	column := "text"
	if kind == "number" {
		column = "number"
	}
	return "(SELECT w." + column + " FROM stated k JOIN stated w USING (subject)\n   WHERE k.kind = '" + kindOf(typ) + "' AND k.field = '" + field + "' AND k.text = " + value + " AND w.field = '" + want + "')"
}

// then goes from a clue in a dealing of the first type to a key there, and with the key to a field
// of the second type.
func then(typ, field, key, typ2, field2, want, kind string) func(clue string) string {
	return func(clue string) string {
		return sqlFind(typ2, field2, sqlFind(typ, field, clue, key, "text"), want, kind)
	}
}

// managerQuery goes from the address of a lease over its agent and the agent's region to the manager.
func managerQuery(clue string) string {
	return `m.name
  FROM stated k
  JOIN relations a ON a.subject = k.subject AND a.relation = 'agent'
  JOIN relations r ON r.subject = a.object AND r.relation = 'region'
  JOIN relations b ON b.subject = r.object AND b.relation = 'manager'
  JOIN entities m ON m.id = b.object
 WHERE k.kind = 'lease' AND k.field = 'address' AND k.text = ` + clue
}

// ofBoth joins a field of two leases with an operator.
func ofBoth(a, b Lease, field, kind, operator string) string {
	return sqlFind(TypeLease, "tenant", sqlText(a.Tenant.Name), field, kind) + operator + sqlFind(TypeLease, "tenant", sqlText(b.Tenant.Name), field, kind)
}
