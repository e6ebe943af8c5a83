package datasets

import "strings"

// Terms are what a licence grants and what it asks for.
type Terms struct {
	Redistribute bool `json:"redistribute"` // copies may be passed on
	Derivatives  bool `json:"derivatives"`  // changed copies may be passed on
	Commercial   bool `json:"commercial"`   // also for money
	Attribution  bool `json:"attribution"`  // the makers must be named
	// ShareAlike names the licences under which all that is made of the work must stand; empty where
	// they are free.
	ShareAlike []string `json:"share_alike,omitempty"`
	// Refused: the work may not even be used for evaluation.
	Refused bool `json:"refused,omitempty"`
}

// licenceRow is a row of the table: an SPDX identifier, or one with % for each of the versions.
type licenceRow struct {
	id       string
	versions string
	terms    Terms
}

var (
	publicDomain = Terms{Redistribute: true, Derivatives: true, Commercial: true}
	permissive   = Terms{Redistribute: true, Derivatives: true, Commercial: true, Attribution: true}
)

func shareAlike(family string) Terms {
	t := permissive
	t.ShareAlike = []string{family}
	return t
}

// licences is every licence whose terms are known, as the texts of the SPDX License List state them. Terms
// that have no SPDX identifier are named LicenseRef-NAME, as SPDX asks. MPL-2.0 and LGPL bind changed
// files and not what stands beside them, so they count as permissive here.
var licences = []licenceRow{
	{"CC0-%", "1.0", publicDomain},
	{"PDDL-%", "1.0", publicDomain},
	{"CC-PDDC", "", publicDomain},
	{"CC-PDM-%", "1.0", publicDomain},
	{"NIST-PD", "", publicDomain},
	{"Unlicense", "", publicDomain},
	{"0BSD", "", publicDomain},
	{"MIT-0", "", publicDomain},
	{"LicenseRef-Public-Domain", "", publicDomain},
	{"LicenseRef-US-Government-Work", "", publicDomain}, // 17 USC 105

	{"CC-BY-%", "1.0 2.0 2.5 3.0 4.0", permissive},
	{"CC-BY-3.0-%", "AT AU DE IGO NL US", permissive},
	{"ODC-By-%", "1.0", permissive},
	{"CDLA-Permissive-%", "1.0 2.0", permissive},
	{"MIT", "", permissive},
	{"ISC", "", permissive},
	{"BSD-%-Clause", "2 3", permissive},
	{"Apache-%", "1.1 2.0", permissive},
	{"MPL-%", "1.1 2.0", permissive},
	{"LGPL-%-only", "2.0 2.1 3.0", permissive},
	{"LGPL-%-or-later", "2.0 2.1 3.0", permissive},
	{"OGL-UK-%", "1.0 2.0 3.0", permissive},
	{"etalab-%", "2.0", permissive},
	{"NLOD-%", "1.0 2.0", permissive},
	{"DL-DE-BY-%", "2.0", permissive},
	{"DL-DE-ZERO-%", "2.0", publicDomain},
	{"LicenseRef-EU-Reuse", "", permissive}, // Commission Decision 2011/833/EU

	{"CC-BY-SA-%", "1.0 2.0 2.5 3.0 4.0", shareAlike("CC-BY-SA")},
	{"ODbL-%", "1.0", shareAlike("ODbL")},
	{"CDLA-Sharing-%", "1.0", shareAlike("CDLA-Sharing")},
	{"GFDL-%-only", "1.1 1.2 1.3", shareAlike("GFDL")},
	{"GFDL-%-or-later", "1.1 1.2 1.3", shareAlike("GFDL")},
	{"GPL-%-only", "2.0 3.0", shareAlike("GPL")},
	{"GPL-%-or-later", "2.0 3.0", shareAlike("GPL")},
	{"AGPL-%-only", "3.0", shareAlike("AGPL")},
	{"AGPL-%-or-later", "3.0", shareAlike("AGPL")},
	{"EUPL-%", "1.0 1.1 1.2", shareAlike("EUPL")},

	{"CC-BY-NC-%", "1.0 2.0 2.5 3.0 4.0", Terms{Redistribute: true, Derivatives: true, Attribution: true}},
	{"CC-BY-NC-SA-%", "1.0 2.0 2.5 3.0 4.0", Terms{Redistribute: true, Derivatives: true, Attribution: true, ShareAlike: []string{"CC-BY-NC-SA"}}},
	{"CC-BY-ND-%", "1.0 2.0 2.5 3.0 4.0", Terms{Redistribute: true, Commercial: true, Attribution: true}},
	{"CC-BY-NC-ND-%", "1.0 2.0 2.5 3.0 4.0", Terms{Redistribute: true, Attribution: true}},

	// To be read where they are published; nothing is granted beyond that.
	{"LicenseRef-arXiv-Nonexclusive-Distribution-%", "1.0", Terms{Attribution: true}},
	{"LicenseRef-All-Rights-Reserved", "", Terms{Refused: true}},
}

// termsByID is the table by lower-cased identifier: SPDX compares without case.
var termsByID = func() map[string]Terms {
	out := map[string]Terms{}
	for _, l := range licences {
		for _, v := range strings.Split(l.versions, " ") {
			out[strings.ToLower(strings.Replace(l.id, "%", v, 1))] = l.terms
		}
	}
	return out
}()
