package parse

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"enterprisedocbench"
)

// A DoclingDocument in the shape of docling-core's schema 1.x: furniture, a title, a section, a list,
// runs in one line, a paragraph over two pages, a table with spans and a caption, a picture whose
// words are not text.
const doclingSample = `{"schema_name": "DoclingDocument", "version": "1.6.0", "name": "sample",
 "pages": {"2": {"size": {"width": 600, "height": 800}, "page_no": 2}, "1": {"size": {"width": 600, "height": 800}, "page_no": 1}},
 "furniture": {"self_ref": "#/furniture", "children": [], "content_layer": "furniture", "name": "_root_", "label": "unspecified"},
 "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}, {"$ref": "#/texts/1"}, {"$ref": "#/texts/2"}, {"$ref": "#/groups/0"}, {"$ref": "#/groups/1"},
   {"$ref": "#/tables/0"}, {"$ref": "#/texts/8"}, {"$ref": "#/pictures/0"}, {"$ref": "#/texts/11"}, {"$ref": "#/texts/99"}], "label": "unspecified"},
 "groups": [
  {"self_ref": "#/groups/0", "label": "list", "children": [{"$ref": "#/texts/3"}]},
  {"self_ref": "#/groups/1", "label": "inline", "children": [{"$ref": "#/texts/4"}, {"$ref": "#/texts/5"}]}],
 "texts": [
  {"self_ref": "#/texts/0", "label": "page_header", "text": "Harbour report", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 790, "r": 100, "b": 780, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 14]}]},
  {"self_ref": "#/texts/1", "label": "title", "text": "Salt", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 700, "r": 50, "b": 680, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 4]}]},
  {"self_ref": "#/texts/2", "label": "section_header", "level": 1, "text": "Methods", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 120, "r": 50, "b": 140, "coord_origin": "TOPLEFT"}, "charspan": [0, 7]}]},
  {"self_ref": "#/texts/3", "label": "list_item", "text": "one", "marker": "-", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 600, "r": 50, "b": 590, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 3]}]},
  {"self_ref": "#/texts/4", "label": "text", "text": "in", "prov": []},
  {"self_ref": "#/texts/5", "label": "text", "text": "line", "prov": []},
  {"self_ref": "#/texts/6", "label": "caption", "text": "Table 1. Depths", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 500, "r": 50, "b": 490, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 15]}]},
  {"self_ref": "#/texts/7", "label": "footnote", "text": "By hand.", "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 300, "r": 50, "b": 290, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 8]}]},
  {"self_ref": "#/texts/8", "label": "text", "text": "on one on two", "prov": [
    {"page_no": 1, "bbox": {"l": 10, "t": 100, "r": 50, "b": 90, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 6]},
    {"page_no": 2, "bbox": {"l": 10, "t": 790, "r": 50, "b": 780, "coord_origin": "BOTTOMLEFT"}, "charspan": [7, 13]}]},
  {"self_ref": "#/texts/9", "label": "caption", "text": "Figure 1. Quay", "prov": [{"page_no": 2, "bbox": {"l": 10, "t": 500, "r": 50, "b": 490, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 14]}]},
  {"self_ref": "#/texts/10", "label": "text", "text": "words in the picture", "prov": []},
  {"self_ref": "#/texts/11", "label": "page_footer", "text": "2", "content_layer": "furniture", "prov": [{"page_no": 2, "bbox": {"l": 10, "t": 20, "r": 50, "b": 10, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 1]}]}],
 "tables": [{"self_ref": "#/tables/0", "label": "table", "captions": [{"$ref": "#/texts/6"}], "footnotes": [{"$ref": "#/texts/7"}], "children": [{"$ref": "#/texts/6"}, {"$ref": "#/texts/7"}],
  "prov": [{"page_no": 1, "bbox": {"l": 10, "t": 480, "r": 500, "b": 310, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 0]}],
  "data": {"num_rows": 2, "num_cols": 2, "table_cells": [
   {"text": "30", "row_span": 1, "col_span": 1, "start_row_offset_idx": 1, "start_col_offset_idx": 1},
   {"text": "Depth", "row_span": 1, "col_span": 2, "start_row_offset_idx": 0, "start_col_offset_idx": 0, "column_header": true},
   {"text": "low", "row_span": 1, "col_span": 1, "start_row_offset_idx": 1, "start_col_offset_idx": 0}]}}],
 "pictures": [{"self_ref": "#/pictures/0", "label": "picture", "captions": [{"$ref": "#/texts/9"}], "children": [{"$ref": "#/texts/9"}, {"$ref": "#/texts/10"}],
  "prov": [{"page_no": 2, "bbox": {"l": 10, "t": 700, "r": 500, "b": 510, "coord_origin": "BOTTOMLEFT"}, "charspan": [0, 0]}]}]}`

var doclingLines = []string{"header: Harbour report", "heading1: Salt", "heading2: Methods", "list-item: one", "paragraph: in line",
	"caption of e7: Table 1. Depths", "e7 table: Depth\nlow\t30", "footnote: By hand.", "paragraph: on one",
	"paragraph: on two", "e11 figure: ", "caption of e11: Figure 1. Quay", "page-number: 2"}

func TestReadDocling(t *testing.T) {
	p, err := readDocling([]byte(doclingSample))
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, lines(p), doclingLines)
	if !p.Paged || len(p.Pages) != 2 || len(p.Pages[1].Elements) != 4 || p.Pages[1].Width != 600 {
		t.Errorf("pages %+v", p.Pages)
	}
	els := p.Pages[0].Elements
	if *els[1].Box != (edb.Box{10, 100, 50, 120}) || *els[2].Box != (edb.Box{10, 120, 50, 140}) || els[4].Box != nil {
		t.Errorf("boxes %v %v %v", *els[1].Box, *els[2].Box, els[4].Box)
	}
	if want := `<table><tr><th colspan="2">Depth</th></tr><tr><td>low</td><td>30</td></tr></table>`; els[6].HTML != want {
		t.Errorf("%s, want %s", els[6].HTML, want)
	}
	flat, err := readDocling([]byte(`{"schema_name":"DoclingDocument","body":{"children":[{"$ref":"#/texts/0"}]},"texts":[{"self_ref":"#/texts/0","label":"paragraph","text":"of a web page"}]}`))
	if err != nil || flat.Paged || flat.Text() != "of a web page" {
		t.Errorf("%+v, %v", flat, err)
	}
	for _, bad := range []string{"", "[]", `{"schema_name":"other"}`, "{\n\"pages\": 7}"} {
		if _, err := readDocling([]byte(bad)); err == nil || !strings.Contains(err.Error(), "not a DoclingDocument") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What is no answer of docling-serve is a failure of the service or of what stands in its place.
func TestDoclingAnswersNonsense(t *testing.T) {
	good := recording(t, "pdf")
	for _, c := range []struct{ name, result, kind, says string }{
		{"other JSON", `{"document":{"json_content":{"a":1}},"status":"success"}`, Damaged, "not a DoclingDocument"},
		{"nothing", `{}`, Damaged, "does not say why"},
		{"no JSON", `<html>`, Transport, "invalid character"},
		{"password", `{"document":{},"status":"failure","errors":[{"error_message":"Incorrect password error."}]}`, Encrypted, "password required"},
	} {
		r := good
		r.Result.Body = json.RawMessage(c.result)
		if _, err := through(t, r, 0, "x"); kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%s), want %s with %q", c.name, err, kindOf(err), c.kind, c.says)
		}
	}
	r := good
	r.Poll.Body = json.RawMessage(`{"task_status":"failure","failure":{"category":"timeout","message":"Task exceeded the allowed execution time."}}`)
	r.Result = exchange{404, json.RawMessage(`{"detail":"Task result not found."}`)}
	if _, err := through(t, r, 0, "x"); kindOf(err) != Timeout {
		t.Errorf("a task without time: %v", err)
	}
}

func namedPDF(t *testing.T) string { return put(t, "a.pdf", "%PDF-1.4") }

func TestDoclingIsNotThere(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Setenv("EDB_DOCLING_URL", gone.URL)
	if err := haveDocling(); err == nil {
		t.Error("a service without a health page is taken for docling-serve")
	}
	p, err := newDocling()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse(t.Context(), Source{Path: namedPDF(t)}); kindOf(err) != Transport || !strings.Contains(err.Error(), "404") {
		t.Errorf("an old service: %v (%s)", err, kindOf(err))
	}
	gone.Close()
	if _, err := p.Parse(t.Context(), Source{Path: namedPDF(t)}); kindOf(err) != Transport {
		t.Errorf("no service: %v (%s)", err, kindOf(err))
	}
	t.Setenv("EDB_DOCLING_URL", "localhost:5001")
	if _, err := newDocling(); err == nil {
		t.Error("an address without http:// is taken")
	}
}

// FuzzReadDocling: any bytes give an error with words, or elements in the form that all stages rely on.
func FuzzReadDocling(f *testing.F) {
	f.Add([]byte(doclingSample))
	f.Add([]byte(`{"schema_name":"DoclingDocument","body":{"children":[{"$ref":"#/groups/0"}]},"groups":[{"self_ref":"#/groups/0","children":[{"$ref":"#/groups/0"}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		readsSoundly(t, b, readDocling)
	})
}
