package universe

import (
	"strings"

	"enterprisedocbench/universe/keyed"
)

// The name spaces. Given and family names are common in several languages or made up; any likeness
// to a person is chance. Stems of companies, buildings and towns are put together from syllables.
var (
	givenNames = strings.Fields(`Marta Jonas Elin Tomas Ingrid Pavel Sofia Henrik Clara Mateo Nadia Oscar Lucia Viktor Hanna
		Emil Petra Anton Daria Felix Greta Hugo Irena Jakob Katja Leon Milena Nils Olga Piotr Renata Stefan Tereza Ulrich Vera
		Walter Yara Zoltan Amelia Bruno Celia Dario Eva Fabio Gloria Hector Iris Julian Karina Lars Monica Nestor Odile Pascal
		Rosa Simon Tamara Urban Valeria Willem Ximena Yves Zita Adrian Bianca Cedric Dalia Edgar Flora Gerard Helga Isaac Joana
		Klaus Leticia Marek Noemi Orson Paula Quentin Rita Samuel Thea Umberto Violet Wanda Aurora Boris Carmen Dominik Esther
		Frank Gisela Harald Ilona Joel Kirsten Ludwig`)
	familyNames = strings.Fields(`Kellgren Brandvik Osterhaus Valdini Moravec Tressler Lindqvist Harrowgate Castellan Dombrow
		Eklund Farrand Gravesend Hollander Isaksen Jarnvik Kestrel Lovasz Marchetti Nordahl Ortega Pellerin Quillon Rasmussen
		Sandoval Thornbury Ullman Vasquez Westerby Yarrow Zelenka Abernethy Bellamy Corvin Delacroix Ebersole Fontaine Galloway
		Hartwell Ivanek Jessop Kowalik Lauritsen Mirabeau Novotny Oakhurst Petrakis Radcliffe Sorensen Tavares Underhill Verhoeven
		Wexford Yelland Zimmer Ashdown Birkeland Calloway Drummond Engstrom Fairbairn Gundersen Hawthorne Ingleby Jankovic Karlsson
		Lockhart Mansfield Neumark Olofsson Prescott Ravenhill Steiner Trevelyan Urbanek Vandermeer Whitlock Yardley Zander Aldridge
		Bergstrom Carnegie Dressler Ellington Fairchild Greenhalgh Holmberg Ibsen Jorgensen Kingsley Langford Montague Nyqvist
		Ostrander Pemberton Rosenthal Stanhope Thorvald Ulvestad Villiers Winslow Zabel Ackerman Bartosz Chadwick Dunmore Espinoza
		Feldman Goransson Halvorsen Illingworth Jasinski Kilbride Leclerc Merriweather Nakamoto Orlov Pomeroy Ruskin Selwyn
		Templeton Ustinov Volkov Wainwright Yamada Zubiri Arkwright Blackwood Cervenka Donnelly Everhart Fosgate Grimaldi Heatherly
		Innerhofer Juhasz Krantz Lovelace Mulligan Northcote Oppermann Pickering Redfern Szabo Tillman Vogel Wetherby`)
	stemHeads   = strings.Fields(`Ver Nor Cal Tam Brin Sel Dor Mar Hal Lun Kes Var Ost Pel Ray Fen Gal Tor Wes Zan Arl Cor Del Est Mon Ald Bex Cran Dun Elm`)
	stemTails   = strings.Fields(`dal rick mont wyn stead via lane mere ford bury ton dale nor iva ant eca oro ivo ella una ester igo inda omar ax eth`)
	sectors     = strings.Fields(`Foods Logistics Textiles Instruments Packaging Optics Ceramics Robotics Pharma Furniture Beverages Publishing Polymers Electronics Bakery Tooling Analytics Glassworks Cosmetics Marine Printing Cycles Aerospace Nutrition Software Timber Diagnostics Lighting Acoustics Hydraulics`)
	estates     = strings.Fields(`Estates Properties Holdings Realty Land Capital Trust Developments`)
	legalForms  = strings.Fields(`Ltd Inc. LLC PLC Ltd Inc.`)
	houseWords  = strings.Fields(`House Court Plaza Centre Tower Works Yard Exchange Point Gate`)
	streetWords = strings.Fields(`Street Avenue Road Lane Way Parade Quay Terrace`)
	regionWords = strings.Fields(`Northern Eastern Southern Western Central Coastal Lakeside Highland Riverside Upland`)
)

// reservedShare is the part of every name space that no entity gets: one in ten.
const reservedShare = 10

// stems is the number of different stems.
func stems() int { return len(stemHeads) * len(stemTails) }

func stem(i int) string { return stemHeads[i/len(stemTails)] + stemTails[i%len(stemTails)] }

// usable is the part of a name space of n names that entities draw from.
func usable(n int) int { return n - n/reservedShare }

// personName is the name of person id: given and family name, with middle initials once the plain
// names are used up.
func personName(seed uint64, id int) string {
	n := len(givenNames) * len(familyNames)
	return personAt(keyed.NewPermutation(n, keyed.Key(seed, "person", 0)).At(id%usable(n)), id/usable(n))
}

// unusedPerson is the i-th name of the reserved range, which no entity bears.
func unusedPerson(seed uint64, i int) string {
	n := len(givenNames) * len(familyNames)
	r := n - usable(n)
	return personAt(keyed.NewPermutation(n, keyed.Key(seed, "person", 0)).At(usable(n)+i%r), i/r)
}

func personAt(i, tier int) string {
	middle := ""
	for ; tier > 0; tier = (tier - 1) / 26 {
		middle += string(rune('A'+(tier-1)%26)) + ". "
	}
	return givenNames[i%len(givenNames)] + " " + middle + familyNames[i/len(givenNames)]
}

// companyAt is the i-th name of the company space without its legal form; later tiers put a second
// stem before the sector.
func companyAt(words []string, i, tier int) string {
	name := stem(i / len(words))
	for ; tier > 0; tier = (tier - 1) / stems() {
		name += " " + stem((tier-1)%stems())
	}
	return name + " " + words[i%len(words)]
}

// tenantName is the full name of tenant company id.
func tenantName(seed uint64, id int) string {
	n := stems() * len(sectors)
	p := keyed.NewPermutation(n, keyed.Key(seed, "tenant", 0))
	form := legalForms[keyed.Key(seed, "form", id)%uint64(len(legalForms))]
	return companyAt(sectors, p.At(id%usable(n)), id/usable(n)) + " " + form
}

// unusedTenant is the i-th company name of the reserved range.
func unusedTenant(seed uint64, i int) string {
	n := stems() * len(sectors)
	p := keyed.NewPermutation(n, keyed.Key(seed, "tenant", 0))
	r := n - usable(n)
	form := legalForms[keyed.Key(seed, "unused-form", i)%uint64(len(legalForms))]
	return companyAt(sectors, p.At(usable(n)+i%r), i/r) + " " + form
}

// landlordName is the full name of landlord id.
func landlordName(seed uint64, id int) string {
	n := stems() * len(estates)
	p := keyed.NewPermutation(n, keyed.Key(seed, "landlord", 0))
	return companyAt(estates, p.At(id%usable(n)), id/usable(n)) + " LLC"
}

// placeName is the id-th stem in the order of a purpose; later tiers put two stems together.
func placeName(seed uint64, purpose string, id int) string {
	name := stem(keyed.NewPermutation(stems(), keyed.Key(seed, purpose, 0)).At(id % stems()))
	for t := id / stems(); t > 0; t = (t - 1) / stems() {
		name += " " + stem((t-1)%stems())
	}
	return name
}
