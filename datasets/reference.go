package datasets

import edb "enterprisedocbench"

// Reference makes reference gold of a parse: without single lines, and with boxes that stand out of
// their page moved onto its edge. Such gold locates evidence and never scores parsing.
func Reference(p edb.Parsed) edb.Parsed { return slim(p) }

// MIMEOf is the MIME type of files with the extension (".pdf", in lower case) in a dataset, "" where a
// dataset holds no such files.
func MIMEOf(ext string) string { return mimeOf(ext) }
