"""Reference values for the tests of package stats, from SciPy, statsmodels, pingouin and scikit-posthocs.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 pingouin==0.7.0 scikit-posthocs==0.17.1
    venv/bin/python scripts/oracles/stats.py

writes stats/testdata/closed_forms.json, the same bytes each time. The versions stand in the file. What no package gives is
computed here from its formula and marked "formula".
"""
import itertools, json, math, pathlib
from importlib.metadata import version

import numpy as np
import pandas as pd
import pingouin
import scikit_posthocs
from scipy import stats
from scipy.stats._resampling import _bca_interval
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

g = np.random.default_rng(20260401)
num = lambda v: None if v is None or not math.isfinite(v) else float(v)
nums = lambda vs: [num(v) for v in vs]


def pair(name, n, slope, digits, noise=1.0):
    x = g.normal(size=n)
    y = slope * x + noise * g.normal(size=n)
    return name, np.round(x, digits), np.round(y, digits)


def correlations():
    cases = [
        ("five with ties", np.array([1.0, 2, 2, 3, 4]), np.array([1.0, 1, 2, 3, 3])),
        ("four", np.array([1.0, 2, 3, 4]), np.array([0.3, 0.1, 0.9, 0.7])),
        pair("exact kendall", 12, 0.5, 9),
        pair("exact kendall, 33", 33, 0.2, 9),
        pair("no ties, 34", 34, 0.4, 9),
        pair("many ties", 60, 0.7, 0),
        pair("negative", 80, -1.5, 2),
        pair("steep", 150, 3, 4, 0.2),
        pair("none", 200, 0, 1),
        pair("long", 600, 0.15, 2),
        ("one pair out of order", np.arange(40.0), np.r_[np.arange(38.0), 39, 38]),
        ("reversed but one", -np.arange(36.0), np.r_[np.arange(34.0), 35, 34]),
        ("far from 0", 1e6 + np.arange(30) % 7, 1e-6 * (np.arange(30) % 5)),
    ]
    out = []
    for name, x, y in cases:
        n = len(x)
        p, s, k = stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y)
        ci = p.confidence_interval(0.95)
        z = stats.norm.ppf(0.975)
        fisher = lambda r, se: nums(np.tanh(np.arctanh(r) + np.array([-z, z]) * se))
        half = stats.t.ppf(0.975, n - 2) * math.sqrt((1 - p.statistic**2) / (n - 2))
        out.append(dict(
            name=name, x=nums(x), y=nums(y),
            pearson=dict(r=num(p.statistic), p=num(p.pvalue), ci=nums(ci), t_ci=[max(-1, p.statistic - half), min(1, p.statistic + half)]),
            spearman=dict(r=num(s.statistic), p=num(s.pvalue), ci=fisher(s.statistic, math.sqrt((1 + s.statistic**2 / 2) / (n - 3)))),
            kendall=dict(r=num(k.statistic), p=num(k.pvalue), ci=fisher(k.statistic, math.sqrt(0.437 / (n - 4))) if n > 4 else None),
        ))
    return out


def partials():
    out = []
    for name, n, controls, digits in (("one control", 40, 1, 3), ("three controls with ties", 120, 3, 1)):
        z = g.normal(size=(controls, n))
        x, y = z.sum(0) + g.normal(size=n), z.sum(0) - 0.4 * g.normal(size=n)
        y = y + 0.5 * x
        x, y, z = np.round(x, digits), np.round(y, digits), np.round(z, digits)
        d = pd.DataFrame({"x": x, "y": y, **{f"z{i}": z[i] for i in range(controls)}})
        row = dict(name=name, x=nums(x), y=nums(y), controls=[nums(v) for v in z])
        for method in ("pearson", "spearman"):
            r = pingouin.partial_corr(d, "x", "y", [f"z{i}" for i in range(controls)], method=method)
            row[method] = dict(r=num(r["r"].iloc[0]), p=num(r[next(c for c in r.columns if c.lower().startswith("p"))].iloc[0]))
        out.append(row)
    return out


def adjusted():
    out = []
    for p in ([0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.02, 0.02, 0.9, 1.0], [1e-9, 0.2, 0.049, 0.051, 0.001, 0.3, 0.7, 0.0], [0.03]):
        out.append(dict(p=p, **{name: nums(multipletests(p, method=m)[1]) for name, m in (("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh"))}))
    return out


def shares():
    single = [dict(k=k, n=n, level=level, ci=nums(proportion_confint(k, n, 1 - level, method="beta")))
              for (k, n), level in itertools.product(((0, 1), (1, 1), (0, 10), (10, 10), (3, 21), (10, 35), (137, 1169), (2500, 5000), (1, 20000)), (0.9, 0.95, 0.99))]
    two = [dict(k1=a, n1=n, k2=b, n2=m, level=level, ci=nums(confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff", alpha=1 - level)))
           for (a, n, b, m), level in itertools.product(((56, 70, 48, 80), (9, 10, 3, 10), (0, 20, 0, 10), (10, 10, 0, 20), (5, 56, 0, 29), (700, 1169, 650, 1169)), (0.9, 0.95))]
    paired = []
    for a, b, c, d in ((36, 12, 2, 0), (20, 10, 5, 30), (0, 5, 7, 0), (53, 0, 0, 1), (54, 0, 0, 0), (2, 97, 1, 0), (500, 120, 90, 459)):
        n = a + b + c + d
        wilson = lambda k: proportion_confint(k, n, 0.05, method="wilson")
        (l1, u1), (l2, u2), p1, p2 = wilson(a + b), wilson(a + c), (a + b) / n, (a + c) / n
        root = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
        top = a * d - b * c
        phi = (max(top - n / 2, 0) if top > 0 else top) / root if root else 0.0
        low = p1 - p2 - math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
        high = p1 - p2 + math.sqrt((p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2)
        paired.append(dict(counts=[a, b, c, d], ci=[low, high], source="formula"))
    return dict(clopper_pearson=single, newcombe=two, newcombe_paired=paired)


def rank_tests():
    sets = ([[1, 2, 3], [2, 3, 4], [5, 6, 7]],
            [nums(np.round(g.normal(m, 1, n), 1)) for m, n in ((0, 14), (0.5, 9), (1.2, 20), (0.3, 6))],
            [[0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 1], [0, 0, 0, 0]])
    kruskal = []
    for groups in sets:
        r = stats.kruskal(*groups)
        n = sum(map(len, groups))
        dunn = {}
        for name, m in (("none", None), ("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")):
            t = scikit_posthocs.posthoc_dunn(groups, p_adjust=m).to_numpy()
            dunn[name] = [num(t[i, j]) for i, j in itertools.combinations(range(len(groups)), 2)]
        kruskal.append(dict(groups=groups, h=num(r.statistic), p=num(r.pvalue), epsilon2=num(r.statistic / (n - 1)), dunn=dunn))
    friedman = []
    for blocks in (np.round(g.normal([0, 0.3, 0.6, 0.1], 1, (15, 4)), 3), np.round(g.normal([0, 0.5, 1], 1, (25, 3)))):
        r = stats.friedmanchisquare(*blocks.T)
        friedman.append(dict(blocks=[nums(b) for b in blocks], chi2=num(r.statistic), p=num(r.pvalue), w=num(r.statistic / (blocks.shape[0] * (blocks.shape[1] - 1)))))
    return dict(kruskal=kruskal, friedman=friedman)


def effects():
    out = []
    for n, m in ((8, 11), (30, 25)):
        a, b = np.round(g.normal(0.6, 1, n), 1), np.round(g.normal(0, 1.3, m), 1)
        d = a[: min(n, m)] - b[: min(n, m)]
        out.append(dict(a=nums(a), b=nums(b), hedges=num(pingouin.compute_effsize(a, b, eftype="hedges")),
                        dz=num(d.mean() / d.std(ddof=1)), cliff=num(np.sign(a[:, None] - b[None, :]).mean())))
    return out


def reliabilities():
    out = []
    for n, k in ((6, 3), (25, 2)):
        v = np.round(g.normal(size=(n, 1)) + 0.5 * g.normal(size=(n, k)), 3)
        d = pd.DataFrame([(i, j, v[i, j]) for i in range(n) for j in range(k)], columns=["unit", "repeat", "value"])
        icc = pingouin.intraclass_corr(d, targets="unit", raters="repeat", ratings="value")
        row = icc[icc["Type"].isin(["ICC1k", "ICC(1,k)"])]
        assert len(row) == 1
        out.append(dict(repeats=[nums(r) for r in v], icc=num(row["ICC"].iloc[0])))
    return out


def sign_flips():
    out = []
    for sizes, mean in (([1] * 9, 0.4), ([1] * 13, 0.8), ([3, 1, 4, 2, 2, 5, 1, 3, 2, 4], 0.3)):
        clusters = [np.round(g.normal(mean, 1, n), 2) for n in sizes]
        sums = np.array([c.sum() for c in clusters])
        p = stats.permutation_test((sums,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided").pvalue
        out.append(dict(clusters=[nums(c) for c in clusters], p=num(p)))
    return out


def bca():
    v = np.round(g.exponential(size=25), 3)
    reps = v[g.integers(0, 25, (400, 25))].mean(1)
    mean = lambda a, axis=-1: np.mean(a, axis=axis)
    low, high, _ = _bca_interval((v,), mean, -1, 0.025, reps, None, np)
    return dict(values=nums(v), replicates=nums(reps), shares=[num(low), num(high)])


def t_means():
    v = np.round(g.normal(2, 1, 17), 3)
    return dict(values=nums(v), ci=nums(stats.t.interval(0.95, 16, v.mean(), stats.sem(v))))


if __name__ == "__main__":
    out = dict(made_by="scripts/oracles/stats.py",
               versions={p: version(p) for p in ("numpy", "scipy", "statsmodels", "pingouin", "scikit-posthocs", "pandas")},
               correlations=correlations(), partials=partials(), adjusted=adjusted(), shares=shares(), rank_tests=rank_tests(), effects=effects(),
               reliabilities=reliabilities(), sign_flips=sign_flips(), bca=bca(), t_mean=t_means())
    path = pathlib.Path(__file__).parents[2] / "stats" / "testdata" / "closed_forms.json"
    path.parent.mkdir(exist_ok=True)
    sections = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in out.items())
    path.write_text("{" + sections + "}\n")
