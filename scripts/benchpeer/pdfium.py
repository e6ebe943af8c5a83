"""Reads the PDFs of FOLDER/pdfs with pypdfium2 5.15.2 in one process: text alone, the text and the box of every
character, or its loose box, angle, font size and font name as well. Prints CPU seconds of this process (start and imports left out), files, pages, characters.
The peer of `benchpeer pdf FOLDER`.

    python3 -m venv VENV && VENV/bin/pip install pypdfium2==5.15.2
    VENV/bin/python pdfium.py FOLDER text|boxes|fonts
"""
import ctypes
import glob
import sys
import time

import pypdfium2
import pypdfium2.raw as raw


def main():
    folder, mode = sys.argv[1:3]
    start = time.process_time()
    files = pages = characters = 0
    for path in sorted(glob.glob(folder + "/pdfs/*.pdf")):
        try:
            doc = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            continue
        files += 1
        for page in doc:
            text = page.get_textpage()
            if mode == "text":
                characters += len(text.get_text_bounded())
            else:
                n = text.count_chars()
                s = text.get_text_range()
                boxes = [text.get_charbox(i) for i in range(n)] if mode == "boxes" else []
                if mode == "fonts":
                    name, flags = ctypes.create_string_buffer(256), ctypes.c_int()
                    for i in range(n):
                        text.get_charbox(i, loose=True)
                        raw.FPDFText_GetCharAngle(text, i)
                        raw.FPDFText_GetFontSize(text, i)
                        raw.FPDFText_GetFontInfo(text, i, name, 256, flags)
                characters += len(s) + 0 * len(boxes)
            pages += 1
            text.close()
            page.close()
        doc.close()
    print(f"cpu={time.process_time() - start:.3f} files={files} pages={pages} characters={characters}")


main()
