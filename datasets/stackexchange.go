package datasets

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// post is a row of Posts.xml: a question (type 1), an answer (2), or a text about a tag, which is
// neither.
type post struct {
	id, parent, accepted string
	kind                 string
	title, body, licence string
	score                int
	created              time.Time
	line                 int
}

// importStackExchange reads SITE_Posts.xml, dumps of Stack Exchange sites. The answers are the
// documents; the titles of questions are the queries. The accepted answer of a question has grade 2,
// others grade 1 where their score is above 0 and else 0. Questions without an answer of a grade above 0
// are left out, since nothing is known to be relevant.
func importStackExchange(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", "name the folder with SITE_Posts.xml", ".xml")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "stackexchange", Version: "1",
		Licence: "CC-BY-SA-3.0 for posts before 2018-05-02, CC-BY-SA-4.0 since",
		Made: "answers as HTML pages, titles of questions as queries; accepted answers have grade 2, answers with a score above 0 grade 1, others 0; " +
			"questions with no relevant answer and texts about tags are left out",
		Citation: "Stack Exchange Data Dump; the authors by their posts",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, name := range files {
		raw, err := f.read(name)
		if err != nil {
			return err
		}
		posts, err := readPosts(raw)
		if err != nil {
			return fmt.Errorf("%s:%w", f.path(name), err)
		}
		site := strings.TrimSuffix(stem(name), "_Posts")
		if err := addPosts(ctx, w, opt, site, posts); err != nil {
			return fmt.Errorf("%s:%w", f.path(name), err)
		}
	}
	return w.Close()
}

func addPosts(ctx context.Context, w *Writer, opt ImportOptions, site string, posts []post) error {
	questions := map[string]post{}
	relevant := map[string]bool{} // questions
	for _, p := range posts {
		if p.kind == "1" {
			questions[p.id] = p
		}
	}
	grade := func(p post) int {
		switch {
		case questions[p.parent].accepted == p.id:
			return 2
		case p.score > 0:
			return 1
		}
		return 0
	}
	answers := map[string]bool{}
	for _, p := range posts {
		if p.kind != "2" {
			continue
		}
		if _, ok := questions[p.parent]; !ok {
			return fmt.Errorf("%d: post %s answers post %q, which is no question here: fetch the dump again", p.line, p.id, p.parent)
		}
		answers[p.id] = true
		relevant[p.parent] = relevant[p.parent] || grade(p) > 0
	}
	for i, p := range posts {
		if err := ctx.Err(); err != nil {
			return err
		}
		id := site + "/" + p.id
		var err error
		switch {
		case p.kind == "1" && p.accepted != "" && !answers[p.accepted]:
			err = fmt.Errorf("post %s accepts answer %s, which is not here: fetch the dump again", p.id, p.accepted)
		case p.kind == "1" && relevant[p.id]:
			err = w.AddQuestion(edb.Question{ID: id, Text: p.title, Domain: "technology", Lang: "en", Review: map[string]any{"score": p.score}})
		case p.kind == "2":
			d := edb.Document{ID: id, Path: ".html", Pages: 1, Domain: "technology", Doctype: "forum-answer", Lang: "en", Split: "test", Gold: "none", Date: p.created.Format(time.DateOnly),
				Source: &edb.Origin{Name: "stackexchange/" + site, ID: p.id}, Licence: postLicence(p)}
			if err = w.AddDocument(d, []byte(htmlHead(site+" answer "+p.id)+p.body+"</body>\n</html>\n"), nil); err == nil && relevant[p.parent] {
				err = w.AddQrel(site+"/"+p.parent, id, 1, grade(p))
			}
		}
		if err != nil {
			return fmt.Errorf("%d: %w", p.line, err)
		}
		if i%500 == 499 || i == len(posts)-1 {
			opt.progress(i+1, len(posts))
		}
	}
	return nil
}

// version4 is the day since which posts stand under version 4.0 of the licence.
var version4 = time.Date(2018, 5, 2, 0, 0, 0, 0, time.UTC)

// postLicence is the licence that the post states, else that of its day.
func postLicence(p post) edb.Licence {
	l := edb.Licence{SPDX: "CC-BY-SA-4.0", Redistribute: true, Derivatives: true, Commercial: true,
		Evidence: "the post is of " + p.created.Format(time.DateOnly) + "; posts are CC-BY-SA-3.0 before 2018-05-02 and CC-BY-SA-4.0 since"}
	if p.created.Before(version4) {
		l.SPDX = "CC-BY-SA-3.0"
	}
	if p.licence != "" {
		l.SPDX, l.Evidence = strings.ReplaceAll(p.licence, " ", "-"), "stated by the post: "+p.licence
	}
	return l
}

// readPosts reads the rows of Posts.xml. An error begins with "LINE: ".
func readPosts(raw []byte) ([]post, error) {
	dec := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	var out []post
	seen := map[string]int{}
	root := false
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, xmltree.Fault(dec, err)
		}
		line, _ := dec.InputPos()
		e, ok := tok.(xml.StartElement)
		switch {
		case !ok:
		case !root && e.Name.Local == "posts":
			root = true
		case !root || e.Name.Local != "row":
			return nil, fmt.Errorf("%d: <%s> in place of <row> in <posts>: fetch the dump again", line, e.Name.Local)
		default:
			p, err := readPost(e.Attr)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", line, err)
			}
			p.line = line
			if before := seen[p.id]; before > 0 {
				return nil, fmt.Errorf("%d: post %s stands in line %d already: keep one", line, p.id, before)
			}
			seen[p.id] = line
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("1: holds no post: fetch the dump again")
	}
	return out, nil
}

func readPost(attrs []xml.Attr) (post, error) {
	m := map[string]string{}
	for _, a := range attrs {
		m[a.Name.Local] = a.Value
	}
	p := post{id: m["Id"], parent: m["ParentId"], accepted: m["AcceptedAnswerId"], kind: m["PostTypeId"], title: squeeze(html.UnescapeString(m["Title"])), body: m["Body"], licence: m["ContentLicense"]}
	if p.id == "" || p.kind == "" {
		return p, errors.New("a row has no Id or PostTypeId: fetch the dump again")
	}
	if p.kind != "1" && p.kind != "2" {
		return p, nil
	}
	var err error
	if p.score, err = strconv.Atoi(m["Score"]); err != nil {
		return p, fmt.Errorf("post %s: Score %q is no whole number: fetch the dump again", p.id, m["Score"])
	}
	if p.created, err = time.Parse("2006-01-02T15:04:05.999", m["CreationDate"]); err != nil {
		return p, fmt.Errorf("post %s: CreationDate %q is no date: fetch the dump again", p.id, m["CreationDate"])
	}
	if p.kind == "1" && p.title == "" || p.kind == "2" && strings.TrimSpace(p.body) == "" {
		return p, fmt.Errorf("post %s has no text: take the row out", p.id)
	}
	return p, nil
}
