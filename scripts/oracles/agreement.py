"""Reference values for agreement, power, pass@k and prediction-powered means.

    pip install statsmodels==0.15.0 scikit-learn==1.9.1 krippendorff==0.9.0 pingouin==0.7.0 ppi-python==0.2.3
    python scripts/oracles/agreement.py RAGCHECKER/human_labeled.json > stats/testdata/agreement.json

The versions in use are recorded in the file. Inputs are drawn with a fixed seed and recorded too, but for
the human labels of RAGChecker (two people an instance, each -2 to 2), of which only the results are.
"""

import importlib.metadata
import itertools
import json
import math
import sys
import warnings

import krippendorff
import numpy as np
import pingouin
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa
from statsmodels.stats.power import NormalIndPower, normal_sample_size_one_tail
from statsmodels.stats.proportion import power_proportions_2indep, samplesize_proportions_2indep_onetail

warnings.simplefilter("ignore")
rng = np.random.default_rng(11)


def ratings(n, k, noise):
    """Two lists of n ratings from 0 to k-1 that agree but for noise."""
    a = rng.integers(0, k, n)
    b = np.where(rng.random(n) < noise, rng.integers(0, k, n), a)
    return a, b


def cohen():
    out = []
    for n, k, noise in [(12, 2, 0.3), (40, 2, 0.5), (60, 3, 0.2), (200, 5, 0.4), (35, 7, 0.9)]:
        a, b = ratings(n, k, noise)
        for weights in [None, "linear", "quadratic"]:
            table = np.zeros((k, k), int)
            for i, j in zip(a, b):
                table[i, j] += 1
            r = cohens_kappa(table, wt=weights)
            labels = list(range(k))
            out.append({
                "a": a.tolist(), "b": b.tolist(), "table": table.tolist(), "weights": weights or "",
                "kappa": float(r.kappa), "sklearn": float(cohen_kappa_score(a, b, labels=labels, weights=weights)),
                "lo": float(r.kappa_low), "hi": float(r.kappa_upp),
            })
    return out


def fleiss():
    out = []
    for n, raters, k in [(10, 3, 2), (30, 5, 4), (80, 2, 3)]:
        base = rng.integers(0, k, n)
        data = np.where(rng.random((n, raters)) < 0.35, rng.integers(0, k, (n, raters)), base[:, None])
        counts, _ = aggregate_raters(data, n_cat=k)
        out.append({"counts": counts.tolist(), "kappa": float(fleiss_kappa(counts))})
    return out


def alpha():
    out = []
    for n, raters, k, missing in [(12, 4, 5, 0.2), (30, 3, 3, 0.0), (60, 6, 9, 0.5), (15, 2, 2, 0.1)]:
        base = rng.integers(1, k + 1, n)
        data = np.clip(base + rng.integers(-1, 2, (raters, n)) * (rng.random((raters, n)) < 0.4), 1, k).astype(float)
        data[rng.random((raters, n)) < missing] = np.nan
        out.append(alpha_case(data))
    data = np.round(np.abs(rng.normal(3, 1, 20)) + rng.normal(0, 0.4, (4, 20)) ** 2, 3)  # nearly all values differ
    data[0, 3] = data[1, 3] = 0
    out.append(alpha_case(data))
    return out


def alpha_case(data):
    units = [[float(x) for x in col if not np.isnan(x)] for col in data.T]
    return {"units": units} | {
        s: float(krippendorff.alpha(reliability_data=data, level_of_measurement=s))
        for s in ["nominal", "ordinal", "interval", "ratio"]
    }


def power():
    out = {"normal": [], "two_sided": [], "shares": []}
    for sd, delta, alpha, pw in [(1, 0.5, 0.05, 0.8), (0.31, 0.02, 0.05, 0.9), (12, 4, 0.01, 0.8), (0.3, 0.3, 0.1, 0.95)]:
        n = normal_sample_size_one_tail(delta, pw, alpha / 2, std_null=sd, std_alternative=sd)
        out["normal"].append({"sd": sd, "delta": delta, "alpha": alpha, "power": pw, "n": float(n)})
    for delta, se, alpha in [(0.1, 0.05, 0.05), (0.02, 0.05, 0.05), (0, 0.3, 0.01), (1.2, 0.3, 0.1)]:
        p = NormalIndPower(ddof=0).power(delta / se, 1, alpha, ratio=0, alternative="two-sided")
        out["two_sided"].append({"delta": delta, "se": se, "alpha": alpha, "power": float(p)})
    for base, delta, alpha, pw in [(0.5, 0.1, 0.05, 0.8), (0.9, 0.05, 0.05, 0.9), (0.145, -0.05, 0.01, 0.8), (0.02, 0.01, 0.05, 0.8)]:
        n = samplesize_proportions_2indep_onetail(delta, base, pw, ratio=1, alpha=alpha)  # it halves alpha itself
        p = power_proportions_2indep(delta, base, 300, ratio=1, alpha=alpha / 2, alternative="larger" if delta > 0 else "smaller", return_results=False)
        out["shares"].append({"base": base, "delta": delta, "alpha": alpha, "power": pw, "n": float(n), "power_of_300": float(p)})
    return out


def icc():
    """Equal cluster sizes only: pingouin takes complete tables."""
    import pandas as pd

    out = []
    for k, m in [(6, 4), (25, 3)]:
        v = np.round(rng.normal(0, 1, (k, 1)) + rng.normal(0, 0.8, (k, m)), 4)
        rows = [(i, j, v[i, j]) for i, j in itertools.product(range(k), range(m))]
        t = pingouin.intraclass_corr(pd.DataFrame(rows, columns=["unit", "rater", "v"]), "unit", "rater", "v")
        one = t[t["Type"].isin(["ICC1", "ICC(1,1)"])].iloc[0]
        # pingouin prints three decimals; the same from its mean squares to full precision
        aov = v.mean(axis=1)
        msb = m * aov.var(ddof=1)
        msw = ((v - aov[:, None]) ** 2).sum() / (k * (m - 1))
        full = (msb - msw) / (msb + (m - 1) * msw)
        assert abs(full - one["ICC"]) < 1e-3, (full, one["ICC"])
        out.append({"values": v.ravel().tolist(), "cluster": np.repeat(np.arange(k), m).tolist(), "icc": float(full)})
    return out


def passes():
    """From all subsets: no formula."""
    out = []
    for n, c, k in [(5, 2, 1), (5, 2, 3), (8, 8, 4), (8, 0, 4), (10, 7, 5), (6, 5, 6)]:
        tries = [1] * c + [0] * (n - c)
        subsets = list(itertools.combinations(tries, k))
        out.append({
            "n": n, "c": c, "k": k,
            "any": sum(any(s) for s in subsets) / len(subsets), "all": sum(all(s) for s in subsets) / len(subsets),
        })
    return out


def powered():
    out = []
    for n, m, good in [(30, 400, 0.9), (60, 1000, 0.7), (25, 50, 0.0)]:
        truth = (rng.random(n + m) < 0.3).astype(float)
        if good:
            program = np.clip(np.where(rng.random(n + m) < good, truth, 1 - truth) + rng.normal(0, 0.05, n + m), 0, 1).round(4)
        else:
            program = (1 - truth + rng.normal(0, 0.1, n + m)).round(4)
        y, yhat, rest = truth[:n], program[:n], program[n:]
        lo, hi = ppi_mean_ci(y, yhat, rest, alpha=0.05)
        out.append({
            "human": y.tolist(), "program": yhat.tolist(), "rest": rest.tolist(),
            "value": float(np.squeeze(ppi_mean_pointestimate(y, yhat, rest))),
            "lo": float(lo[0]), "hi": float(hi[0]),
        })
    return out


def ragchecker(path):
    rows = json.load(open(path, encoding="utf-8"))
    out = []
    for label in ["correctness_label", "completeness_label", "overall_label"]:
        pairs = {}
        for r in rows:
            pairs.setdefault(r["instance_id"], []).append(r[label])
        a, b = np.array(list(pairs.values())).T
        counts, _ = aggregate_raters(np.array([a, b]).T + 2, n_cat=5)
        out.append({
            "label": label, "n": len(a),
            "quadratic": float(cohen_kappa_score(a, b, labels=[-2, -1, 0, 1, 2], weights="quadratic")),
            "fleiss": float(fleiss_kappa(counts)),
            "ordinal": float(krippendorff.alpha(reliability_data=[a, b], level_of_measurement="ordinal")),
        })
    return out


versions = {p: importlib.metadata.version(p) for p in ["statsmodels", "scikit-learn", "krippendorff", "pingouin", "ppi-python", "numpy", "scipy"]}
versions["python"] = sys.version.split()[0]
json.dump({
    "script": "scripts/oracles/agreement.py", "versions": versions,
    "cohen": cohen(), "fleiss": fleiss(), "alpha": alpha(), "power": power(), "icc": icc(), "pass": passes(), "powered": powered(), "ragchecker": ragchecker(sys.argv[1]),
}, sys.stdout, separators=(",", ":"), allow_nan=False)
print()
