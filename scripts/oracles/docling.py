"""Records what a real docling-serve answers, for parse/testdata/docling.

    pip install docling-serve pypdf             # made with docling-serve 1.38.2, docling 2.143.0, docling-core 2.104.0
    python docling.py URL OUT NAME...           # URL of the server, folder that is written, names from MADE

One file a document: the answers to the task, its status and its result, as the server gave them, less what nothing reads
(the grid of a table, which repeats its cells; the style sheet of the HTML; times and hashes). json_content is docling's
document, text_content and html_content are its own exports of the same document: the oracle for how we read it.

The server may run without models (docling_nolayout beside this file); no-models is recorded from one without weights and
without that plugin, no-key from one with DOCLING_SERVE_API_KEY=secret.
"""

import io
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTDATA = HERE.parent.parent / "parse" / "testdata"


def runs(paragraph, *texts):
    """Runs of a paragraph: *x* is bold."""
    for t in texts:
        r = paragraph.add_run(t.strip("*"))
        r.bold = t.startswith("*")


def picture():
    from PIL import Image

    b = io.BytesIO()
    Image.new("RGB", (40, 30), (20, 90, 160)).save(b, "PNG")
    b.seek(0)
    return b


def word():
    from docx import Document

    d = Document()
    d.sections[0].header.paragraphs[0].text = "Harbour office"
    d.sections[0].footer.paragraphs[0].text = "Page 1"
    d.add_heading("Salt report", 0)
    d.add_heading("Methods", 1)
    runs(d.add_paragraph(), "Water was weighed ", "*twice*", " at each quay.")
    d.add_heading("Sampling", 2)
    runs(d.add_paragraph(style="List Bullet"), "one ", "*kilogram*", " a day")
    d.add_paragraph("by hand", style="List Bullet")
    d.add_paragraph("first", style="List Number")
    d.add_paragraph("Table 1. Depths", style="Caption")
    t = d.add_table(rows=3, cols=3)
    for r, row in enumerate([["Quay", "Salt", ""], ["", "low", "high"], ["North", "30", "1,234.50"]]):
        for c, text in enumerate(row):
            t.cell(r, c).text = text
    t.cell(0, 1).merge(t.cell(0, 2))
    t.cell(0, 0).merge(t.cell(1, 0))
    t.cell(2, 0).paragraphs[0].add_run(" quay").bold = True
    t.cell(2, 0).add_paragraph("by the pier")
    d.add_picture(picture())
    d.add_paragraph("Figure 1. The quay", style="Caption")
    d.add_paragraph("Do not drink.")
    b = io.BytesIO()
    d.save(b)
    return b.getvalue()


def slides():
    from pptx import Presentation
    from pptx.util import Inches

    p = Presentation()
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Salt report"
    s.placeholders[1].text = "Water was weighed\nby hand"
    s.notes_slide.notes_text_frame.text = "Say that it rained."
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Depths"
    t = s.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for r, row in enumerate([["Quay", "Salt"], ["North", "30"]]):
        for c, text in enumerate(row):
            t.cell(r, c).text = text
    s.shapes.add_picture(picture(), Inches(6), Inches(2))
    b = io.BytesIO()
    p.save(b)
    return b.getvalue()


def sheets():
    from openpyxl import Workbook

    w = Workbook()
    a = w.active
    a.title = "Depths"
    for row in [["Quay", "Salt", None], [None, "low", "high"], ["North", 30, 1234.5], ["South", None, 33]]:
        a.append(row)
    a.merge_cells("B1:C1")
    a.merge_cells("A1:A2")
    a["F8"], a["F9"], a["G8"], a["G9"] = "Pilot", "Ada", "Boat", "Ebb"
    w.create_sheet("Notes")["A1"] = "Weighed by hand"
    b = io.BytesIO()
    w.save(b)
    return b.getvalue()


def pdf(pages, password=None):
    """A PDF of pages of lines."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    w = PdfWriter()
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"), NameObject("/BaseFont"): NameObject("/Helvetica")})
    for lines in pages:
        page = w.add_blank_page(400, 300)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): w._add_object(font)})})
        body = "".join(f"BT /F1 12 Tf 40 {250 - 60 * k} Td ({line}) Tj ET\n" for k, line in enumerate(lines))
        s = DecodedStreamObject()
        s.set_data(body.encode())
        page[NameObject("/Contents")] = w._add_object(s)
    if password:
        w.encrypt(password, algorithm="RC4-128")
    b = io.BytesIO()
    w.write(b)
    return b.getvalue()


PAGES = [["Salt report", "Water was weighed at each quay."], ["Do not drink."]]
# Further fields of the request: part is cut short by the server's own limit on time.
# How many pages come is a matter of the machine: record again until part has a text and late has none.
FIELDS = {"part": [("document_timeout", "0.2")], "late": [("document_timeout", "0.02")]}
MADE = {
    "html": lambda: ("page.html", (TESTDATA / "page.html").read_bytes()),
    "jats": lambda: ("article.xml", (TESTDATA / "article.xml").read_bytes()),
    "markdown": lambda: ("paper.md", (TESTDATA / "paper.md").read_bytes()),
    "word": lambda: ("salt.docx", word()),
    "slides": lambda: ("salt.pptx", slides()),
    "sheets": lambda: ("salt.xlsx", sheets()),
    "csv": lambda: ("salt.csv", b'Quay,Salt\nNorth,30\n"South, old",33\n'),
    "pdf": lambda: ("salt.pdf", pdf(PAGES)),
    "part": lambda: ("part.pdf", pdf([["Salt report"]] * 24)),
    "late": lambda: ("late.pdf", pdf([["Salt report"]] * 3)),
    "locked": lambda: ("locked.pdf", pdf(PAGES, password="quay")),
    "damaged": lambda: ("damaged.docx", b"PK\x03\x04 no archive"),
    "skipped": lambda: ("note.xml", b"<?xml version='1.0'?><note>salt</note>"),
    "large": lambda: ("large.html", b"<p>" + b"salt " * 600 + b"</p>"),
    "no-models": lambda: ("page.html", b"<p>salt</p>"),
    "no-key": lambda: ("page.html", b"<p>salt</p>"),
}


def call(url, data=None, kind=None):
    head = {"Content-Type": kind} if kind else {}
    if os.environ.get("EDB_DOCLING_KEY"):
        head["X-Api-Key"] = os.environ["EDB_DOCLING_KEY"]
    r = urllib.request.Request(url, data, head)
    try:
        with urllib.request.urlopen(r) as f:
            return {"status": f.status, "body": json.load(f)}
    except urllib.error.HTTPError as e:
        return {"status": e.code, "body": json.load(e)}


def submit(base, name, data, fields):
    mark = uuid.uuid4().hex
    out = b""
    for k, v in [("to_formats", "json"), ("to_formats", "text"), ("to_formats", "html"), ("image_export_mode", "placeholder"), ("target_type", "inbody"), ("abort_on_error", "false"), *fields]:
        out += f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode()
    out += f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode() + data + f"\r\n--{mark}--\r\n".encode()
    return call(base + "/v1/convert/file/async", out, "multipart/form-data; boundary=" + mark)


def trim(v):
    """Leaves out what nothing reads and what differs from run to run."""
    if isinstance(v, list):
        return [trim(x) for x in v]
    if not isinstance(v, dict):
        return v
    out = {}
    for k, x in v.items():
        if k in ("grid", "timings", "confidence", "uri", "hyperlink", "orig", "meta", "formatting", "image", "parent", "annotations", "references", "name") and "task_id" not in v:
            continue
        if k == "processing_time":
            x = 0
        if k in ("binary_hash", "task_id"):
            x = 1 if k == "binary_hash" else "00000000-0000-0000-0000-000000000001"
        if k == "html_content" and x:
            x = re.sub(r"(?s)<style>.*?</style>", "", x)
        if k == "error_message" and x:
            x = re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, x)
        out[k] = trim(x)
    return out


def main(base, out, *names):
    for name in names:
        file, data = MADE[name]()
        got = {"file": file, "versions": call(base + "/version")["body"], "task": submit(base, file, data, FIELDS.get(name, []))}
        for k in ("python", "plaform"):
            got["versions"].pop(k, None)
        if got["task"]["status"] == 200:
            task = got["task"]["body"]["task_id"]
            while True:
                got["poll"] = call(f"{base}/v1/status/poll/{task}")
                if got["poll"]["body"]["task_status"] not in ("pending", "started"):
                    break
                time.sleep(0.1)
            got["result"] = call(f"{base}/v1/result/{task}")
        text = json.dumps(trim(got), indent=1, ensure_ascii=False)
        text = re.sub(r"\n\s+(?=[^\s\"{\[\]}])", " ", text)  # numbers of a list or box on one line
        Path(out, name + ".json").write_text(text + "\n", encoding="utf-8")
        print(name, got["poll"]["body"]["task_status"] if "poll" in got else got["task"]["status"], got.get("result", {}).get("body", {}).get("status"), len(text))


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), *sys.argv[2:])
