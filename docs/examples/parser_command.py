"""A parser as a program: the file's path is the last argument, Markdown goes to standard output."""
import re, sys

with open(sys.argv[-1], encoding="utf-8") as f:
    blocks = re.split(r"\n\s*\n", f.read().strip())
title, *rest = [" ".join(b.split()) for b in blocks]
print("# " + title)
for block in rest:
    print("\n" + block)
