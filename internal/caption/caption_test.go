package caption

import "testing"

func TestCaptions(t *testing.T) {
	for _, c := range []struct {
		text                    string
		marked, opened, ofTable bool
	}{
		{"Figure 1: A map", true, true, false},
		{"Fig. 2a. A map", true, true, false},
		{"FIG.3 | A map", true, true, false},
		{"Figure 3 shows the site", false, true, false},
		{"Figures are drawn", false, false, false},
		{"TABLE IV. Weights", true, true, true},
		{"Table 1 Weights", false, true, true},
		{"Table of contents", false, false, false},
		{"Tabelle 1: Werte der Proben", true, true, true},
		{"Abbildung 2: Ein Bild", true, true, false},
		{"Abb. 2.3 Ein Bild", true, true, false},
		{"Tableau A1 : Valeurs", true, true, true},
		{"Tabla 2. Valores", true, true, true},
		{"Figura 3 — Mapa", true, true, false},
		{"Таблица 4. Значения", true, true, true},
		{"Рис. 5. Карта", true, true, false},
		{"表1：数据", true, true, true},
		{"図 2 地図", false, true, false},
		{"Tab. 7: Werte", true, true, true},
		{"Chart 1 – Sales", true, true, false},
		{"Tablet 1: a device", false, false, false},
		{"Table Illness 1", false, false, false},
		{"", false, false, false},
	} {
		if m, o, tb := Marked(c.text), Opened(c.text), OfTable(c.text); m != c.marked || o != c.opened || tb != c.ofTable {
			t.Errorf("%q: marked %v, opened %v, of a table %v", c.text, m, o, tb)
		}
	}
}
