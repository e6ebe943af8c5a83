"""Reference values for measures of parsing, for the tests of package metrics.

    python -m venv venv && venv/bin/pip install rapidfuzz==3.14.3 sacrebleu==2.5.1 fuzzysearch==0.8.1 \
        pycocotools==2.0.11 beautifulsoup4==4.15.0 tqdm==4.70.1 numpy==2.4.6
    venv/bin/pip install --no-deps olmocr==0.4.27
    venv/bin/python scripts/oracles/parsing.py

writes metrics/testdata/parsing_oracles.json, the same bytes each time; the versions stand in the file:

- chrf: sentence chrF of sacrebleu with its defaults, divided by 100
- indel, partial: rapidfuzz.fuzz.ratio and partial_ratio, divided by 100
- facts: what olmOCR-bench's own tests say about texts; tables are those on which its released and its
  later reading of neighbours agree (cells with neighbours on all sides, no spans). Formulas are left
  out: they need a browser.
- boxes: pairs that COCO's evaluation finds at an IoU of .5 and .75, boxes of a side not overlapping
"""
import contextlib
import io
import json
import pathlib
import random
import sys
import types
from importlib.metadata import version

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from rapidfuzz import fuzz
from sacrebleu.metrics import CHRF

render = types.ModuleType("olmocr.bench.katex.render")  # the real one starts a browser
render.render_equation = render.compare_rendered_equations = None
sys.modules["olmocr.bench.katex.render"] = render
from olmocr.bench import tests as bench  # noqa: E402

rng = random.Random(20261130)
WORDS = """Figure shows the net revenue of Calmont Estates for 2023 rising by 4.2% to $1,204 million, über naïve café Ångström
données 表 図 left panel right panel (a) (b) model error rate versus temperature pressure""".split()


def text(n):
    return " ".join(rng.choice(WORDS) for _ in range(n))


def damaged(s, rate):
    out = []
    for c in s:
        r = rng.random()
        if r < rate / 3:
            continue
        out.append(rng.choice("abcx 1,") if r < 2 * rate / 3 else c)
        if r > 1 - rate / 3:
            out.append(rng.choice("abc "))
    return "".join(out)


def chrf():
    metric = CHRF()
    pairs = [("", ""), ("", "a"), ("a", ""), ("a", "a"), ("ab", "a"), ("a b c", "abc"), ("the cat", "the dog"), ("  ", "x"), ("short", "a much longer text")]
    pairs += [(damaged(s, rng.choice([0, .05, .3, .8])), s) for s in (text(rng.randint(1, 12)) for _ in range(40))]
    return [{"hyp": h, "ref": r, "want": metric.sentence_score(h, [r]).score / 100} for h, r in pairs]


def ratios(f, n):
    pairs = [("", ""), ("a", ""), ("abc", "abc"), ("abc", "cab"), ("hello world", "say helo world now"), ("aaaa", "aabaaa")]
    for _ in range(n):
        s = text(rng.randint(1, 10))
        pairs.append((damaged(s, rng.choice([.05, .2, .6])), rng.choice([s, text(4) + s + text(5)])))
    return [{"a": a, "b": b, "want": f(a, b) / 100} for a, b in pairs]


def facts():
    out = []

    def add(content, **fact):
        kinds = {"present": bench.TextPresenceTest, "absent": bench.TextPresenceTest, "order": bench.TextOrderTest,
                 "table": bench.TableTest, "baseline": bench.BaselineTest}
        given = dict(fact)
        if given.pop("any_case", False):
            given["case_sensitive"] = False
        ok, _ = kinds[fact["type"]](pdf="p", page=1, id="x", **given).run(content)
        out.append({"content": content, "fact": fact, "want": ok})

    for _ in range(60):
        s = text(60)
        i = rng.randint(0, len(s) - 31)
        q = s[i:i + 30].strip()
        if rng.random() < .6:
            q = damaged(q, .1).strip() or "x"
        fact = {"type": rng.choice(["present", "absent"]), "text": q, "max_diffs": rng.choice([0, 1, 2, 4])}
        if rng.random() < .3:
            fact["first_n"] = rng.choice([50, 200])
        if rng.random() < .3:
            fact["last_n"] = rng.choice([50, 200])
        if rng.random() < .3:
            fact["any_case"], fact["text"] = True, q.upper()
        add(s, **fact)
    for _ in range(60):
        s = text(60)
        i, j = rng.randint(0, len(s) - 31), rng.randint(0, len(s) - 31)
        cut = lambda k: (damaged(s[k:k + 30], rng.choice([0, 0, .05])).strip() or "x")  # noqa: E731
        b, a = cut(i), cut(j)
        d = min(rng.choice([0, 0, 1, 3]), len(a) // 2, len(b) // 2)
        add(s, type="order", before=b, after=a, max_diffs=d)
    add("“Quoted” – text’s end", type="present", text='"Quoted" - text\'s end', max_diffs=0)
    add("cafe\u0301 5 µm", type="present", text="café 5 μm", max_diffs=0)
    for content in ["", " \n ", "....", "Some words. " * 4, "abc" * 31, "abc" * 30, "x" * 31, "x" * 30, "表 and text", "good 😀", "a\n" * 40, "12 of 30"]:
        add(content, type="baseline")
        add(content, type="baseline", max_repeats=3)
        add(content, type="baseline", max_length=10)
    for _ in range(60):
        rows, cols = rng.randint(4, 6), rng.randint(4, 5)
        cells = [[rng.choice(WORDS).strip(",()") + str(rng.randint(1, 9)) for _ in range(cols)] for _ in range(rows)]
        html = "<table>" + "".join("<tr>" + "".join(
            f"<{'th' if r == 0 or c == 0 else 'td'}>{cells[r][c]}</{'th' if r == 0 or c == 0 else 'td'}>" for c in range(cols)) + "</tr>" for r in range(rows)) + "</table>"
        flat = [x for row in cells for x in row]
        inner = [(r, c) for r in range(1, rows - 1) for c in range(1, cols - 1) if flat.count(cells[r][c]) == 1]
        if not inner:
            continue
        r, c = rng.choice(inner)
        near = {"up": cells[r - 1][c], "down": cells[r + 1][c], "left": cells[r][c - 1], "right": cells[r][c + 1],
                "top_heading": cells[0][c], "left_heading": cells[r][0]}
        fact = {"type": "table", "cell": cells[r][c], "max_diffs": rng.choice([0, 0, 1])}
        for k in rng.sample(sorted(near), rng.randint(0, 3)):
            fact[k] = near[k] if rng.random() < .7 else damaged(near[k], .4) or "none"
        add(html, **fact)
    return out


def boxes():
    out = []
    for _ in range(25):
        gold, pred = [], []
        for k in range(rng.randint(1, 9)):
            x, y = 120 * (k % 3), 120 * (k // 3)
            g = [x + 10, y + 10, x + 10 + rng.randint(30, 90), y + 10 + rng.randint(30, 90)]
            if rng.random() < .9:
                gold.append(g)
            if rng.random() < .9:
                p = [v + rng.randint(-9, 9) for v in g]
                pred.append([max(x, p[0]), max(y, p[1]), min(x + 119, p[2]), min(y + 119, p[3])])
        if not gold or not pred:
            continue
        case = {"gold": gold, "pred": pred}
        wide = lambda b: [b[0], b[1], b[2] - b[0], b[3] - b[1]]  # noqa: E731
        with contextlib.redirect_stdout(io.StringIO()):
            truth = COCO()
            truth.dataset = {"images": [{"id": 1}], "categories": [{"id": 1}], "annotations": [
                {"id": i + 1, "image_id": 1, "category_id": 1, "bbox": wide(b), "area": wide(b)[2] * wide(b)[3], "iscrowd": 0} for i, b in enumerate(gold)]}
            truth.createIndex()
            found = truth.loadRes([{"image_id": 1, "category_id": 1, "bbox": wide(b), "score": 1 - i / 100} for i, b in enumerate(pred)])
            e = COCOeval(truth, found, "bbox")
            e.params.iouThrs = np.array([.5, .75])
            e.params.areaRng, e.params.areaRngLbl = [[0, 1e10]], ["all"]
            e.evaluate()
        for i, key in enumerate(["0.5", "0.75"]):
            case[key] = int((e.evalImgs[0]["dtMatches"][i] > 0).sum())
        out.append(case)
    return out


names = ["rapidfuzz", "sacrebleu", "fuzzysearch", "pycocotools", "olmocr"]
data = {"versions": {n: version(n) for n in names}, "chrf": chrf(), "indel": ratios(fuzz.ratio, 25), "partial": ratios(fuzz.partial_ratio, 25),
        "facts": facts(), "boxes": boxes()}
lines = ["{"]
for k, v in data.items():
    end = "" if k == "boxes" else ","
    if isinstance(v, dict):
        lines.append(f"{json.dumps(k)}: {json.dumps(v)}{end}")
    else:
        lines.append(f"{json.dumps(k)}: [\n" + ",\n".join(json.dumps(x, ensure_ascii=False) for x in v) + f"\n]{end}")
lines.append("}")
pathlib.Path(__file__).resolve().parents[2].joinpath("metrics/testdata/parsing_oracles.json").write_text("\n".join(lines) + "\n")
