package datasets

import (
	"context"
	"fmt"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// xmlCollection says how a folder of XML documents, each its own gold, becomes a dataset.
type xmlCollection struct {
	info    Info
	fix     string // which folder to name
	roots   []string
	read    func(root *xmltree.Node, d *edb.Document) *blocks
	licence edb.Licence // where a manifest beside the folder names no open one
}

func importXML(ctx context.Context, from, out string, opt ImportOptions, c xmlCollection) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", c.fix, ".xml")
	if err != nil {
		return err
	}
	w, err := opt.create(out, c.info)
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(files), func(ctx context.Context, i int) error {
		raw, err := f.read(files[i])
		if err != nil {
			return err
		}
		root, err := xmltree.Read(raw, c.roots...)
		if err != nil {
			return fmt.Errorf("%s:%w", f.path(files[i]), err)
		}
		d := f.document(stem(files[i]), files[i])
		b := c.read(root, &d)
		if len(b.els) == 0 {
			return fmt.Errorf("%s:%d: <%s> holds no text: take the file out", f.path(files[i]), root.Line, root.Name)
		}
		d.Gold, d.Pages = "source", 1
		if d.Layout == nil {
			d.Layout = b.layout()
		}
		var ok bool
		if d.Licence, ok = openLicence(f.known[files[i]].Licence); !ok {
			d.Licence = f.licence(files[i], c.licence)
		}
		if err := w.AddDocument(d, raw, b.onePage()); err != nil {
			return fmt.Errorf("%s: %w", f.path(files[i]), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}
