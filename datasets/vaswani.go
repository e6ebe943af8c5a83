package datasets

import (
	"context"
	"path/filepath"

	edb "enterprisedocbench"
)

// importVaswani reads doc-text.trec, query-text.trec and qrels: abstracts as text documents of one
// page, queries without answers, and judgements that become those of page 1.
func importVaswani(ctx context.Context, from, out string, opt ImportOptions) error {
	w, err := opt.create(out, Info{
		Name: "vaswani", Version: "1",
		Licence:  "free test collection",
		Made:     "the NPL (Vaswani) test collection in TREC form; every abstract is a document of one page, judged as a whole",
		Citation: "NPL test collection, University of Glasgow information retrieval group",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	base := edb.Document{Domain: "science", Doctype: "abstract", Lang: "en", Source: &edb.Origin{Name: "NPL test collection"},
		Licence: edb.Licence{SPDX: "LicenseRef-free-test-collection", Redistribute: true, Derivatives: true,
			Evidence: "distributed as a free test collection by the Glasgow information retrieval group; commercial use is not mentioned"}}
	n := 0
	if err := addTRECDocs(ctx, w, filepath.Join(from, "doc-text.trec"), base, &n, opt); err != nil {
		return err
	}
	if err := addTopics(w, filepath.Join(from, "query-text.trec"), edb.Question{Task: "lookup", Domain: "science", Lang: "en"}, nil); err != nil {
		return err
	}
	if err := readQrelsInto(w, filepath.Join(from, "qrels"), nil, nil); err != nil {
		return err
	}
	return w.Close()
}
