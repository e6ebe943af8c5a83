"""Times greedy matching, as BERTScore does it, beside NumPy and the bert-score package.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 [torch==2.15.0 bert-score==0.3.13]
    go build -o benchpeer ./scripts/benchpeer
    venv/bin/python scripts/benchpeer/bertscore.py --ours ./benchpeer --work FOLDER

Fifty seeded pairs of 200 × 200 tokens of 768 numbers, none of unit length; the figure is a pair's. The contestants run in turn, each as a process of
one thread; CPU seconds (user + system), ratios within a round. Variables that hold NumPy's library to an older kernel are taken away.
"""
import argparse, json, os, statistics, subprocess, sys, time

PAIRS, N, DIM = 50, 200, 768
CASE = "bertscore 200x200x768"


def make(folder):
    import numpy as np
    g = np.random.default_rng(9)
    a = g.standard_normal((PAIRS, N, DIM), dtype=np.float32)
    b = 0.5 * a[:, g.permutation(N)] + g.standard_normal((PAIRS, N, DIM), dtype=np.float32)
    a.tofile(os.path.join(folder, "cand.f32"))
    b.astype(np.float32).tofile(os.path.join(folder, "ref.f32"))


def worker(tool, folder):
    import numpy as np
    a, b = (np.fromfile(os.path.join(folder, f), np.float32).reshape(PAIRS, N, DIM) for f in ("cand.f32", "ref.f32"))
    if tool == "numpy":
        def call():
            total = 0
            for x, y in zip(a, b):
                x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y))
                s = x @ y.T
                p, r = s.max(1).mean(), s.max(0).mean()
                total += 2 * p * r / (p + r)
            return total / PAIRS
    else:
        import torch
        from bert_score.utils import greedy_cos_idf
        torch.set_num_threads(1)
        ta, tb, ones = torch.from_numpy(a), torch.from_numpy(b), torch.ones(PAIRS, N)
        call = lambda: float(greedy_cos_idf(tb.clone(), ones, ones.clone(), ta.clone(), ones, ones.clone())[2].mean())
    check, spent = call(), []
    begin = time.process_time()
    while not spent or time.process_time() - begin < 1:
        start = time.process_time()
        check = call()
        spent.append(time.process_time() - start)
    print(json.dumps(dict(case=CASE, sec=statistics.median(spent) / PAIRS, check=f"{check:.6f}")))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ours"), p.add_argument("--work", default="work"), p.add_argument("--worker"), p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--peers", default="numpy,bert_score")
    a = p.parse_args()
    if a.worker:
        return worker(a.worker, a.work)
    os.makedirs(a.work, exist_ok=True)
    make(a.work)
    env = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    env |= {k: "1" for k in ("GOMAXPROCS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    runs = {t: [sys.executable, os.path.abspath(__file__), "--work", a.work, "--worker", t] for t in a.peers.split(",")}
    runs["ours"] = [a.ours, "bertscore", a.work]
    seen, checks = {}, {}
    for _ in range(a.rounds):
        for tool, command in runs.items():
            d = json.loads(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)
            seen.setdefault(tool, []).append(d["sec"])
            checks[tool] = d["check"]
    for tool, secs in seen.items():
        row = dict(case=CASE, tool=tool, median_ms=round(1000 * statistics.median(secs), 4), check=checks[tool])
        for peer in runs:
            if tool == "ours" != peer:
                ratios = [x / y for x, y in zip(secs, seen[peer])]
                row["ratio_to_" + peer] = [round(r, 3) for r in (min(ratios), statistics.median(ratios), max(ratios))]
        print(json.dumps(row))


if __name__ == "__main__":
    main()
