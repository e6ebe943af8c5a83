"""Times package stats beside SciPy and NumPy: bootstrap, paired permutation, correlations.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    go build -o benchpeer ./scripts/benchpeer
    venv/bin/python scripts/benchpeer/stats.py --ours ./benchpeer --work FOLDER --out docs/bench/statistics.json

The contestants run in turn, each as a process of one thread; a figure is the median CPU time (user + system) of a call, a ratio
is taken within a round, and the tables give least, median and greatest ratio.
"""
import argparse, json, os, statistics, subprocess, sys, time

QUESTIONS, REPLICATES = 1169, 10000
BOOT, PERM, THREE, SPEARMAN = "bootstrap 10k x 3 means", "permutation 10k (paired)", "pearson+spearman+kendall", "bootstrap 1k spearman CI"


def make(path):
    """One score of three systems for each question, in thousandths, so that there are ties."""
    import numpy as np
    g = np.random.default_rng(2026)
    hard = g.beta(2, 2, (QUESTIONS, 1))
    np.round(np.clip(hard + g.normal([0, 0.02, 0.05], 0.15, (QUESTIONS, 3)), 0, 1), 3).tofile(path)
    long = g.normal(size=(200_000, 2))
    (long + long[:, :1]).tofile(os.path.join(os.path.dirname(path), "pairs.f64"))


def timed(case, call, seconds):
    check, spent = call(), []
    begin = time.process_time()
    while not spent or time.process_time() - begin < seconds:
        start = time.process_time()
        check = call()
        spent.append(time.process_time() - start)
    print(json.dumps(dict(case=case, sec=statistics.median(spent), check=check)), flush=True)


def scipy_worker(x, pairs):
    import numpy as np
    from scipy import stats
    g = np.random.default_rng(1)
    a, b, c = x
    low = lambda v: stats.bootstrap((v,), np.mean, n_resamples=REPLICATES, method="percentile", rng=g).confidence_interval.low
    timed(BOOT, lambda: " ".join(f"{low(v):.4f}" for v in x), 1)
    mean = lambda u, v, axis: np.mean(u - v, axis=axis)
    timed(PERM, lambda: "%.4f" % stats.permutation_test((c, a), mean, permutation_type="samples", n_resamples=REPLICATES, vectorized=True, rng=g).pvalue, 1)
    timed(THREE, lambda: " ".join(f"{f(a, c).statistic:.9f}" for f in (stats.pearsonr, stats.spearmanr, stats.kendalltau)), 0.3)
    spearman = lambda: stats.bootstrap((a, c), lambda u, v: stats.spearmanr(u, v).statistic, n_resamples=1000, paired=True, vectorized=False, method="percentile", rng=g)
    timed(SPEARMAN, lambda: " ".join(f"{v:.3f}" for v in spearman().confidence_interval), 1)
    for n in (20_000, 200_000):
        timed(f"kendall of {n} pairs", lambda: "%.9f" % stats.kendalltau(*pairs[:, :n]).statistic, 0.3)


def numpy_worker(x, pairs):
    import numpy as np
    g = np.random.default_rng(1)
    d = x[2] - x[0]

    def bootstrap():
        drawn = g.integers(0, QUESTIONS, (REPLICATES, QUESTIONS), dtype=np.int32)
        return " ".join("%.4f" % np.percentile(v[drawn].mean(axis=1), 2.5) for v in x)

    def permutation():
        turned = g.integers(0, 2, (REPLICATES, QUESTIONS), dtype=np.int8).astype(np.float32) @ d.astype(np.float32)
        return "%.4f" % ((1 + (abs(d.sum() - 2 * turned) >= abs(d.sum())).sum()) / (REPLICATES + 1))

    timed(BOOT, bootstrap, 1)
    timed(PERM, permutation, 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ours"), p.add_argument("--work", default="work"), p.add_argument("--out"), p.add_argument("--worker")
    p.add_argument("--rounds", type=int, default=7)
    a = p.parse_args()
    data = os.path.join(a.work, "ndcg.f64")
    if a.worker:
        import numpy as np
        x = np.ascontiguousarray(np.fromfile(data).reshape(-1, 3).T)
        pairs = np.ascontiguousarray(np.fromfile(os.path.join(a.work, "pairs.f64")).reshape(-1, 2).T)
        return {"scipy": scipy_worker, "numpy": numpy_worker}[a.worker](x, pairs)
    os.makedirs(a.work, exist_ok=True)
    make(data)
    one = dict(os.environ, **{k: "1" for k in ("GOMAXPROCS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})
    me = [sys.executable, os.path.abspath(__file__), "--work", a.work, "--worker"]
    runs = {"scipy": me + ["scipy"], "numpy": me + ["numpy"], "ours": [a.ours, "stats", a.work]}
    seen = {}  # case -> tool -> seconds of each round
    checks = {}
    for _ in range(a.rounds):
        for tool, command in runs.items():
            for line in subprocess.run(command, env=one, check=True, capture_output=True, text=True).stdout.splitlines():
                d = json.loads(line)
                seen.setdefault(d["case"], {}).setdefault(tool, []).append(d["sec"])
                checks[d["case"], tool] = d["check"]
    from importlib.metadata import version
    out = dict(versions={k: version(k) for k in ("numpy", "scipy")}, rounds=a.rounds, cases=[])
    for case, tools in seen.items():
        for tool, secs in tools.items():
            row = dict(case=case, tool=tool, median_ms=round(1000 * statistics.median(secs), 4), check=checks[case, tool])
            for peer in ("scipy", "numpy"):
                if tool == "ours" and peer in tools:
                    ratios = [x / y for x, y in zip(secs, tools[peer])]
                    row["ratio_to_" + peer] = [round(r, 4) for r in (min(ratios), statistics.median(ratios), max(ratios))]
            out["cases"].append(row)
            print(json.dumps(row))
    if a.out:
        with open(a.out, "w") as f:
            json.dump(out, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
