"""Values of trec_eval's measures on small random lists, through pytrec_eval, for the tests of metrics.

    python -m venv venv && venv/bin/pip install pytrec-eval-terrier==0.5.11
    venv/bin/python scripts/oracles/treceval.py > metrics/testdata/trec_eval/peer.jsonl

pytrec_eval builds trec_eval 9.0.8. Left out are iprec_at_recall and 11pt_avg, whose rounding of recall
points changed in trec_eval 10, and what 9 lacks: rbp, rbp_resid, unj.
"""

import json
import random
from importlib.metadata import version

import pytrec_eval

MEASURES = {
    "map", "Rprec", "bpref", "recip_rank", "P.1,3,10", "recall.1,3,10", "infAP", "Rprec_mult.0.5,1.0,1.5", "binG", "G",
    "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut.1,3,10", "map_cut.1,3,10", "relative_P.1,3,10", "success.1,3", "set_P",
    "set_relative_P", "set_recall", "set_map", "set_F", "utility", "num_ret", "num_rel", "num_rel_ret",
    "num_nonrel_judged_ret",
}


def main():
    rng = random.Random(7)
    for case in range(60):
        docs = [f"d{i:02d}" for i in range(rng.randint(2, 30))]
        grades = rng.choice([[0, 1], [0, 1, 2, 3], [-1, 0, 1], [-1, 0, 1, 2, 4], [1]])
        qrels = {d: rng.choice(grades) for d in docs if rng.random() < 0.7}
        level = rng.choice([1, 1, 2])
        if not any(g >= level for g in qrels.values()):
            qrels[docs[0]] = 2
        run = {d: rng.randint(0, 12) / 4 for d in docs if rng.random() < 0.8} or {docs[0]: 1.0}
        got = pytrec_eval.RelevanceEvaluator({"q": qrels}, MEASURES, relevance_level=level).evaluate({"q": run})["q"]
        print(json.dumps({"peer": "pytrec-eval-terrier " + version("pytrec-eval-terrier"), "level": level, "qrels": qrels, "run": run,
                          "want": got}, sort_keys=True))


main()
