package datasets

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// good holds for each importer the smallest folder that it takes.
func good(t *testing.T) map[string]map[string]string {
	t.Helper()
	ohr := map[string]string{}
	for name, content := range ohrDemo() {
		ohr[strings.TrimPrefix(name, "data/")] = content
	}
	return map[string]map[string]string{
		"cuad": {"pdfs/A.PDF": "%PDF-", "txt/A.txt": "One\n\nTwo  words here\n",
			"questions.jsonl": `{"contract":"A","category":"Parties","question":"Who?","spans":[{"text":"Two words","start":5,"end":15}],"answer":"Two; words","answerable":true}` + "\n" +
				`{"contract":"A","category":"Price","question":"What?","spans":[],"answer":"","answerable":false}` + "\n"},
		"docbank": {"pdfs/a.pdf": "%PDF-", "tokens/a_0.txt": "Word\t10\t20\t100\t40\t0\t0\t0\tFont\tparagraph\n",
			"index.jsonl": `{"pdf":"pdfs/a.pdf","tokens":"tokens/a_0.txt","page_index":0,"arxiv_id":"1"}` + "\n"},
		"docling":         {"a.pdf": "%PDF-", "a.md": "# A\n"},
		"dpbench":         {"pdfs/a.pdf": "%PDF-", "reference_elements.json": `{"a.pdf":{"elements":[{"category":"Table","page":1,"coordinates":[{"x":0.1,"y":0.1},{"x":0.9,"y":0.5}],"content":{"text":"","html":"<tr><td>a</td></tr>"}}]}}`},
		"olmocr_bench":    {"pdfs/a.pdf": "%PDF-", "tests.jsonl": `{"pdf":"a.pdf","page":1,"id":"1","type":"math","math":"x","case_sensitive":false}` + "\n"},
		"pubtabnet":       {"images/a.png": pngOf(t, 9, 9), "examples.jsonl": `{"filename":"a.png","html":{"structure":{"tokens":["<tr>","<td>","</td>","</tr>"]},"cells":[{"tokens":["<b>","<","</b>"]}]}}` + "\n"},
		"tabula":          {"a.pdf": "%PDF-", "a.csv": "a,b\nc\n"},
		"text_extraction": {"ground_truth/a.txt": "text", "a.pdf": "%PDF-"},
		"omnidocbench":    {"images/a.png": pngOf(t, 9, 9), "OmniDocBench.json": `[{"layout_dets":[{"category_type":"title","poly":[1,1,2,1,2,2,1,2],"order":1,"anno_id":1,"text":"T"}],"page_info":{"width":9,"height":9,"image_path":"a.png"}}]`},
		"ohrbench":        ohr,
	}
}

// TestBadLayouts holds that each importer takes its smallest folder, and that one fault in it is named
// with file, place and remedy and leaves nothing behind.
func TestBadLayouts(t *testing.T) {
	const gone = "\x00" // the file is not there
	for _, c := range []struct {
		importer, name string
		change         map[string]string
		want           string
	}{
		{"cuad", "whole", nil, ""},
		{"cuad", "no PDF", map[string]string{"pdfs/A.PDF": gone, "pdfs/B.pdf": "%PDF-"}, `FROM/txt/A.txt: pdfs/A.pdf is missing: fetch it or take the text out`},
		{"cuad", "no text", map[string]string{"txt/A.txt": gone, "txt/B.txt": "x", "pdfs/B.pdf": "%PDF-"}, `FROM/questions.jsonl:1: contract "A" has no txt/A.txt: fetch it or take the line out`},
		{"cuad", "no folder", map[string]string{"txt/A.txt": gone}, `FROM/txt: no such file or directory: name the folder that holds pdfs/, txt/ and questions.jsonl`},
		{"cuad", "HTML", map[string]string{"pdfs/A.PDF": "<!DOCTYPE html><title>404</title>"}, `FROM/pdfs/A.PDF: the file is named .pdf but is text/html: fetch the file again`},
		{"cuad", "empty", map[string]string{"pdfs/A.PDF": ""}, `FROM/pdfs/A.PDF: is empty: fetch the file again`},
		{"cuad", "line", map[string]string{"questions.jsonl": "\n{\"contract\":\n"}, `FROM/questions.jsonl:2: unexpected end of JSON input: correct the line`},
		{"cuad", "span", map[string]string{"questions.jsonl": `{"contract":"A","category":"P","question":"?","spans":[{"text":"Two words","start":5,"end":12}],"answer":"","answerable":true}`},
			`FROM/questions.jsonl:1: contract "A", P: span 1: 5 to 12 is "Two  wo", the span "Two words": correct the offsets`},
		{"cuad", "range", map[string]string{"questions.jsonl": `{"contract":"A","category":"P","question":"?","spans":[{"text":"Two","start":5,"end":99}],"answer":"","answerable":true}`},
			`FROM/questions.jsonl:1: contract "A", P: span 1: the range 5 to 99 of a text of 21 code points: correct the offsets`},
		{"cuad", "answerable", map[string]string{"questions.jsonl": `{"contract":"A","category":"P","question":"?","spans":[],"answer":"","answerable":true}`},
			`FROM/questions.jsonl:1: contract "A", P: answerable is true with 0 spans: correct one`},
		{"docbank", "whole", nil, ""},
		{"docbank", "columns", map[string]string{"tokens/a_0.txt": "a\tb\n"}, `FROM/tokens/a_0.txt:1: has 2 columns: write token, x0, y0, x1, y1, R, G, B, font and label with tabs`},
		{"docbank", "label", map[string]string{"tokens/a_0.txt": "a\t1\t1\t1\t1\t0\t0\t0\tF\tbody\n"}, `FROM/tokens/a_0.txt:1: label is "body": use a label of DocBank`},
		{"docbank", "number", map[string]string{"tokens/a_0.txt": "a\t1\t1\t1\t1\t0\t0\t0\tF\ttable\na\t1\t1\tNaN\t1\t0\t0\t0\tF\ttable\n"}, `FROM/tokens/a_0.txt:2: coordinate "NaN" is no number from 0 to 1000: correct it`},
		{"docbank", "page", map[string]string{"index.jsonl": `{"pdf":"pdfs/a.pdf","tokens":"tokens/a_0.txt","page_index":1}`}, `FROM/index.jsonl:1: page_index 1 (from 0) of a paper of 1 page: correct it`},
		{"docbank", "tokens", map[string]string{"tokens/a_0.txt": gone}, `FROM/tokens/a_0.txt: no such file or directory: fetch the collection again`},
		{"docling", "whole", nil, ""},
		{"docling", "no Markdown", map[string]string{"a.md": gone}, `FROM/a.md: no such file or directory: fetch the collection again`},
		{"dpbench", "whole", nil, ""},
		{"dpbench", "no file", map[string]string{"pdfs/a.pdf": gone}, `FROM/ground_truth/a.md: no such file or directory: fetch the collection again`},
		{"dpbench", "JSON", map[string]string{"reference_elements.json": "{\n\"a.pdf\": [1]}"}, `FROM/reference_elements.json:2: array does not belong here: correct it or fetch the collection again`},
		{"dpbench", "category", map[string]string{"reference_elements.json": `{"a.pdf":{"elements":[{"category":"Sidebar","page":1}]}}`}, `FROM/reference_elements.json: "a.pdf": element 1: category is "Sidebar": use a category of DP-Bench`},
		{"dpbench", "page", map[string]string{"reference_elements.json": `{"a.pdf":{"elements":[{"category":"List","page":2}]}}`}, `FROM/reference_elements.json: "a.pdf": element 1: page 2 of 1: count pages from 1`},
		{"olmocr_bench", "whole", nil, ""},
		{"olmocr_bench", "PDF", map[string]string{"tests.jsonl": `{"pdf":"b.pdf","page":1,"id":"1","type":"baseline"}`}, `FROM/tests.jsonl:1: test "1": pdfs/b.pdf is missing: fetch it or take the line out`},
		{"olmocr_bench", "type", map[string]string{"tests.jsonl": `{"pdf":"a.pdf","page":1,"id":"1","type":"size"}`}, `FROM/tests.jsonl:1: test "1": type is "size": use present, absent, order, table, formula or baseline`},
		{"olmocr_bench", "page", map[string]string{"tests.jsonl": `{"pdf":"a.pdf","page":2,"id":"1","type":"baseline"}`}, `fact "1": page 2 of document "a", which has 1 page: count physical pages from 1`},
		{"pubtabnet", "whole", nil, ""},
		{"pubtabnet", "image", map[string]string{"images/a.png": "<html>"}, `FROM/images/a.png: the file is named .png but is text/html: fetch the file again`},
		{"pubtabnet", "cut image", map[string]string{"images/a.png": "\x89PNG\r\n\x1a\n"}, `FROM/images/a.png: unexpected EOF: fetch the image again`},
		{"pubtabnet", "cells", map[string]string{"examples.jsonl": `{"filename":"a.png","html":{"structure":{"tokens":["<td>"]},"cells":[]}}`}, `FROM/examples.jsonl:1: the markup has more cells than the 0 given: fetch the collection again`},
		{"tabula", "whole", nil, ""},
		{"tabula", "CSV", map[string]string{"a.csv": "a\n\"b\n"}, `FROM/a.csv:2: extraneous or missing " in quoted-field: correct the line`},
		{"tabula", "JSON", map[string]string{"a.json": "[\n{\"page_number\":\"one\"}]"}, `FROM/a.json:2: page_number: string does not belong here: correct it or fetch the collection again`},
		{"tabula", "page", map[string]string{"a.json": `{"page_number":3}`}, `FROM/a.json: table 1 stands on page 3 of 1: correct the page`},
		{"tabula", "box", map[string]string{"a.json": `{"page_number":1,"left":1,"right":9999,"top":1,"bottom":2,"data":[[{"text":"x"}]]}`},
			`document "a": gold: page 1, element 1: box [1 1 9999 2] stands out of the page of 600 x 800 points: give points with the origin at the top left of the page`},
		{"text_extraction", "whole", nil, ""},
		{"text_extraction", "empty", map[string]string{"ground_truth/a.txt": ""}, `FROM/ground_truth/a.txt: is empty: fetch the file again`},
		{"omnidocbench", "whole", nil, ""},
		{"omnidocbench", "image", map[string]string{"images/a.png": gone}, `FROM/OmniDocBench.json: page 1, "a.png": FROM/images/a.png: no such file or directory: fetch the collection again`},
		{"omnidocbench", "category", map[string]string{"OmniDocBench.json": `[{"layout_dets":[{"category_type":"stamp"}],"page_info":{"width":9,"height":9,"image_path":"a.png"}}]`},
			`FROM/OmniDocBench.json: page 1, "a.png": anno_id 0: category_type is "stamp": use a category of OmniDocBench`},
		{"omnidocbench", "corners", map[string]string{"OmniDocBench.json": `[{"layout_dets":[{"category_type":"title","poly":[1,2]}],"page_info":{"width":9,"height":9,"image_path":"a.png"}}]`},
			`FROM/OmniDocBench.json: page 1, "a.png": anno_id 0: poly has 2 numbers: write the x and y of four corners`},
		{"omnidocbench", "twice", map[string]string{"OmniDocBench.json": `[{"page_info":{"image_path":"a.png"}},{"page_info":{"image_path":"x/a.png"}}]`},
			`FROM/OmniDocBench.json: page 2, "x/a.png": document "a": id is given twice: give every document its own`},
		{"omnidocbench", "list", map[string]string{"OmniDocBench.json": "\n{}"}, `FROM/OmniDocBench.json:2: object does not belong here: correct it or fetch the collection again`},
		{"ohrbench", "whole", nil, ""},
		{"ohrbench", "PDF", map[string]string{"pdfs/law/x.y.pdf": "<html>"}, `FROM/pdfs/law/x.y.pdf: the file is named .pdf but is text/html: fetch the file again`},
		{"ohrbench", "page", map[string]string{"qas_v2.json": `[{"doc_name":"law/x.y","ID":"q","questions":"?","answers":"a","evidence_page_no":7}]`},
			`FROM/qas_v2.json: question 1, "q": evidence_page_no 7 (from 0) is not in the gold of "law/x.y": correct the page`},
		{"ohrbench", "document", map[string]string{"qas_v2.json": `[{"doc_name":"law/z","ID":"q","questions":"?","answers":"a","evidence_page_no":0}]`},
			`FROM/qas_v2.json: question 1, "q": retrieval_base/gt/law/z.json is missing: fetch it or take the question out`},
		{"ohrbench", "answer", map[string]string{"qas_v2.json": `[{"doc_name":"law/x.y","ID":"q","questions":"?","answers":{},"evidence_page_no":0}]`},
			`FROM/qas_v2.json: question 1: question "q": answers is {}: write a text`},
		{"ohrbench", "gold", map[string]string{"retrieval_base/gt/law/x.y.json": `[{"page_idx":0,"text":"a"},{"page_idx":0,"text":"b"}]`}, `FROM/retrieval_base/gt/law/x.y.json: page_idx 0 is given twice: keep one`},
	} {
		t.Run(c.importer+"/"+c.name, func(t *testing.T) {
			files := good(t)[c.importer]
			maps.Copy(files, c.change)
			maps.DeleteFunc(files, func(_, content string) bool { return content == gone })
			from, out := lay(t, files), filepath.Join(t.TempDir(), "out")
			imp, err := LookupImporter(c.importer)
			must(t, err)
			n := 1
			if c.importer == "ohrbench" {
				n = 3
			}
			err = imp.Import(t.Context(), from, out, ImportOptions{Parse: sized(n, 600, 800)})
			if c.want == "" {
				must(t, err)
				if faults, err := Check(out); err != nil || len(faults) > 0 {
					t.Errorf("%v %v", faults, err)
				}
				return
			}
			if err == nil || strings.ReplaceAll(err.Error(), from, "FROM") != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestManifestHashes holds that every importer here reads each of its files against the hash of the
// manifest, and takes origin and licence from it.
func TestManifestHashes(t *testing.T) {
	for name, files := range good(t) {
		if name == "ohrbench" {
			delete(files, "retrieval_base/MinerU/finance/A_2021.json") // never read
		}
		for _, spoiled := range append(slices.Sorted(maps.Keys(files)), "") {
			from := lay(t, files)
			manifest := ""
			for file, content := range files {
				sum := sha256.Sum256([]byte(content))
				if file == spoiled {
					sum[0]++
				}
				manifest += fmt.Sprintf(`{"path":"set/%s","sha256":"%x","licence":"MIT (repository)","source":"o/r@0123456789abcdef:p"}`+"\n", file, sum)
			}
			put(t, filepath.Dir(from), "manifest.jsonl", manifest)
			imp, err := LookupImporter(name)
			must(t, err)
			out := filepath.Join(t.TempDir(), "out")
			err = imp.Import(t.Context(), from, out, ImportOptions{Parse: sized(3, 600, 800)})
			if name == "tabula" && spoiled == "" { // one table, three pages
				continue
			}
			if spoiled != "" {
				if err == nil || !strings.Contains(err.Error(), "sha256 is ") && name != "tabula" {
					t.Errorf("%s: %s: got %v", name, spoiled, err)
				}
				continue
			}
			must(t, err)
			d, err := Open(out)
			must(t, err)
			for _, x := range d.Documents {
				if x.Source == nil || !strings.Contains(x.Licence.Evidence, "MIT (repository)") || (x.Licence.SPDX == "MIT" && name != "dpbench") {
					t.Errorf("%s: %+v %+v", name, x.Source, x.Licence)
				}
			}
		}
	}
}

// TestStopped holds that a cancelled import ends with the cause and leaves nothing behind.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, files := range good(t) {
		imp, err := LookupImporter(name)
		must(t, err)
		out := filepath.Join(t.TempDir(), "out")
		err = imp.Import(ctx, lay(t, files), out, ImportOptions{Parse: sized(3, 600, 800)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}
