"""Reference values for stats.Homogeneity, from statsmodels and SciPy.

    python -m venv venv && venv/bin/pip install statsmodels==0.15.0 scipy==1.17.1
    venv/bin/python scripts/oracles/homogeneity.py > stats/testdata/homogeneity.json
"""
import json
from importlib.metadata import version

import numpy as np
from scipy.stats import chi2
from statsmodels.stats.meta_analysis import combine_effects

rng = np.random.default_rng(20260401)
cases = [([.841, .839, .844, .829], [.021, .02, .022, .021]), ([.1, .9], [.05, .05])]
for n in (2, 3, 4, 8, 20):
    se = np.round(.01 + .05 * rng.random(n), 4)
    cases.append((np.round(.5 + 2 * se * rng.normal(size=n), 4).tolist(), se.tolist()))
out = []
for values, se in cases:
    r = combine_effects(np.array(values), np.array(se) ** 2, method_re="dl")
    out.append({"values": values, "se": se, "mean": float(r.mean_effect_fe), "q": float(r.q), "p": float(chi2.sf(r.q, len(values) - 1)), "i2": max(0.0, float(r.i2))})
print(json.dumps({"statsmodels": version("statsmodels"), "scipy": version("scipy"), "cases": out}, indent=1))
