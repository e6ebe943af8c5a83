"""The baseline that BERTScore on all-MiniLM-L6-v2 is rescaled with: the mean P, R and F1 of sentences that have nothing to do with each other.

    (the virtual environment of encoder.py)
    venv/bin/python scripts/oracles/encoder_baseline.py FOLDER_OF_DATA_SETS

writes scripts/oracles/minilm-l6-baseline.json: for each layer the three means over 4,000 pairs (seed 6) of sentences of 5 to 60 words from two
different documents among GAO reports, JOSS papers and the abstracts of PubMedQA. The bert-score package makes its own baselines like that, of
a million pairs from Common Crawl (Zhang et al. 2020, section 3, Baseline Rescaling).
"""
import json
import pathlib
import random
import re
import sys

import torch
from bert_score import BERTScorer

from encoder import MINILM, VERSIONS

PAIRS = 4_000
here = pathlib.Path(__file__).parent


def documents(root):
    for path in sorted([*root.glob("gao/*.md"), *root.glob("joss/*.md")]):
        text = re.sub(r"^---.*?^---", "", path.read_text(), flags=re.S | re.M) if path.parent.name == "joss" else path.read_text()
        if path.name != "README.md":
            yield "\n".join(line for line in text.splitlines() if not re.match(r"\s*([|#!<$`]|```)", line))
    for record in json.loads((root / "pubmedqa/pqal_cv500.json").read_text()).values():
        yield " ".join(record["CONTEXTS"])


def sentences(text):
    for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", re.sub(r"\s+", " ", text)):
        if 5 <= len(s.split()) <= 60:
            yield s


def main():
    torch.set_num_threads(2)
    docs = [d for d in (list(sentences(t)) for t in documents(pathlib.Path(sys.argv[1]))) if d]
    owner = [(i, s) for i, d in enumerate(docs) for s in d]
    rng = random.Random(6)
    pairs = []
    while len(pairs) < PAIRS:
        (i, a), (j, b) = rng.choice(owner), rng.choice(owner)
        if i != j:
            pairs.append((a, b))
    scorer = BERTScorer(model_type=str(MINILM), num_layers=6, all_layers=True, device="cpu", batch_size=64)
    scores = torch.stack(scorer.score(*map(list, zip(*pairs))))  # 3 × layers × pairs
    layers = [[round(float(x), 8) for x in means] for means in scores.mean(dim=2).T]
    (here / "minilm-l6-baseline.json").write_text(json.dumps({"versions": VERSIONS, "pairs": PAIRS, "layers": layers}, indent=1) + "\n")


if __name__ == "__main__":
    main()
