package datasets

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	edb "enterprisedocbench"
)

var (
	legalQuestion = regexp.MustCompile(`(?m)^Question: (.+)$`)
	legalHeading  = regexp.MustCompile(`(?m)^### (.+)$`)
	legalYes      = regexp.MustCompile("`Yes` if (the clause .+?),? and `No` otherwise")
	legalOption   = regexp.MustCompile(`(?m)^([A-Z]): (.+?)\s*$`)
)

// legalTask is a question with its possible answers, as TASK/README.md states them. Options is empty
// for yes or no.
type legalTask struct {
	question string
	options  map[string]string
}

func readLegalTask(readme string) (legalTask, error) {
	t := legalTask{options: map[string]string{}}
	var list []string
	for _, m := range legalOption.FindAllStringSubmatch(readme, -1) {
		t.options[m[1]] = m[2]
		list = append(list, m[1]+": "+m[2])
	}
	switch q, h, y := legalQuestion.FindStringSubmatch(readme), legalHeading.FindStringSubmatch(readme), legalYes.FindStringSubmatch(readme); {
	case q != nil:
		t.question = q[1]
	case h != nil:
		t.question = h[1]
	case y != nil:
		t.question = "Identify if " + y[1] + "."
	default:
		return t, errors.New(`states no question: add a line "### QUESTION"`)
	}
	t.question = strings.TrimSpace(t.question)
	if len(list) > 0 {
		t.question += " Options: " + strings.Join(list, "; ")
	}
	return t, nil
}

// importLegalBench reads TASK/train.tsv with TASK/README.md: excerpts of contracts, each judged by one
// question. The excerpt is the document and the whole of it the evidence. A task asks the same
// question of each of its excerpts, so the documents cannot be told apart by the question.
func importLegalBench(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", "name the folder with TASK/train.tsv and TASK/README.md", ".tsv")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "legalbench", Version: "1",
		Licence: "CC-BY-4.0",
		Made: "excerpts of merger agreements and non-disclosure agreements as text, each with the question and label of its task; " +
			"questions are about the excerpt they name as evidence and repeat within a task",
		Citation: "Guha et al., LegalBench, 2023; Wang et al., MAUD, 2023; Koreeda and Manning, ContractNLI, 2021",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := addLegalTask(w, f, name); err != nil {
			return err
		}
		opt.progress(i+1, len(files))
	}
	return w.Close()
}

func addLegalTask(w *Writer, f *folder, name string) error {
	readme := path.Join(path.Dir(name), "README.md")
	raw, err := f.read(readme)
	if err != nil {
		return err
	}
	task, err := readLegalTask(strings.ReplaceAll(string(raw), "\r\n", "\n"))
	if err != nil {
		return fmt.Errorf("%s: %w", f.path(readme), err)
	}
	if raw, err = f.read(name); err != nil {
		return err
	}
	return eachTSV(raw, []string{"index", "answer", "text"}, func(line int, get func(string) string) error {
		id := path.Base(path.Dir(name)) + "/" + get("index")
		text := strings.TrimSpace(get("text"))
		d := f.document(id, name)
		d.Path, d.Pages, d.Domain, d.Doctype, d.Gold = ".txt", 1, "legal", "contract-excerpt", "source"
		d.Title = strings.TrimSpace(get("document_name"))
		d.Licence = f.licence(name, edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "the task's README says CC BY 4.0"})
		if text == "" {
			return fmt.Errorf("%s:%d: has no text: take the row out", f.path(name), line)
		}
		gold := textGold(text)
		gold.Paged = true // the excerpt is one page
		if err := w.AddDocument(d, []byte(text), gold); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(name), line, err)
		}
		answer, err := task.answer(strings.TrimSpace(get("answer")))
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(name), line, err)
		}
		whole := []rune(text)
		q := edb.Question{ID: id, Text: task.question, Modality: edb.ModalitySingleHop, Task: "contract-analysis", Domain: "legal", Lang: "en", Answer: answer,
			Evidence: []edb.Evidence{evidenceIn(whole, id, stretch{0, len(whole)})}, Review: map[string]any{"task": path.Base(path.Dir(name))}}
		if err := w.AddQuestion(q); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(name), line, err)
		}
		return nil
	}, f.path(name))
}

// answer is true or false for yes and no, by name or by the letter of the option; else the words of
// the option.
func (t legalTask) answer(label string) (*edb.GoldAnswer, error) {
	words := label
	if len(t.options) > 0 {
		var ok bool
		if words, ok = t.options[label]; !ok {
			return nil, fmt.Errorf("answer %q is none of the options in README.md: correct one of the two", label)
		}
	}
	switch words {
	case "Yes", "No":
		return &edb.GoldAnswer{Type: "boolean", Value: words == "Yes"}, nil
	}
	if len(t.options) == 0 {
		return nil, fmt.Errorf("answer is %q: write Yes or No", label)
	}
	return &edb.GoldAnswer{Type: "exact", Value: words, Aliases: []string{label + ": " + words}}, nil
}

// eachTSV reads a table of tab-separated values with a header, which must have the columns need, and
// calls do for each row; get gives a column of it, "" where there is none.
func eachTSV(raw []byte, need []string, do func(line int, get func(column string) string) error, path string) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 0
	at := map[string]int{}
	for rows := 0; ; rows++ {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			if rows < 2 {
				return fmt.Errorf("%s:1: has no row: fetch the file again", path)
			}
			return nil
		}
		if err != nil {
			line := 0
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				line, err = pe.StartLine, pe.Err
			}
			return fmt.Errorf("%s:%d: %w: correct the row", path, line, err)
		}
		line, _ := r.FieldPos(0)
		if rows == 0 {
			for i, c := range rec {
				at[strings.TrimSpace(c)] = i
			}
			for _, c := range need {
				if _, ok := at[c]; !ok {
					return fmt.Errorf("%s:1: the header has no column %q: fetch the file again", path, c)
				}
			}
			continue
		}
		err = do(line, func(c string) string {
			if i, ok := at[c]; ok {
				return rec[i]
			}
			return ""
		})
		if err != nil {
			return err
		}
	}
}
