"""A retriever as a program: one JSON line in, one JSON line out. Ranks by words in common."""
import json, os, re, sys

words = lambda s: set(re.findall(r"\w+", s.lower()))
with open(os.environ["EDB_PASSAGES"], encoding="utf-8") as f:
    passages = [(p["id"], words(p["text"])) for p in map(json.loads, f)]

for line in sys.stdin:
    q = json.loads(line)
    want = words(q["text"])
    hits = [{"passage": i, "score": len(want & have) / len(want)} for i, have in passages if want & have]
    hits.sort(key=lambda h: (-h["score"], h["passage"]))
    print(json.dumps({"hits": hits[: q["depth"]]}), flush=True)
