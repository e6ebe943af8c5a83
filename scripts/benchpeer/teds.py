"""Times TEDS beside docling's C++ core (docling-metrics-table), which gets its trees ready made; ours starts from HTML.

    python -m venv venv && venv/bin/pip install docling-metrics-table==0.16.0
    go build -o benchpeer ./scripts/benchpeer
    venv/bin/python scripts/benchpeer/teds.py --ours ./benchpeer --work FOLDER

Seeded pairs of financial tables: 15 % of the cells misread, 2 % lost, 4 % of the rows lost and 3 % doubled. docling compares a cell by whether its text is
the same, ours by edit distance as PubTabNet does, so scores agree on structure alone. Processes of one thread in turn; CPU seconds (user + system), ratios
within a round.
"""
import argparse, json, os, random, statistics, subprocess, sys, time

SIZES = ["10x5", "50x10", "200x10"]
LABELS = ["Revenue", "Cost of sales", "Gross margin", "Operating income", "Net income", "Total assets", "Deferred tax", "Goodwill", "Inventories", "Dividends paid"]


def table(rows):
    return "<table>" + "".join("<tr>" + "".join(f"<td{span}>{text}</td>" for span, text in r) + "</tr>" for r in rows) + "</table>"


def make(folder):
    rng = random.Random(7)

    def cell(column):
        if column == 0:
            return f"{rng.choice(LABELS)} {rng.randint(1, 99)}"
        return f"{rng.randint(1, 99999):,}" if rng.random() < 0.7 else f"({rng.randint(1, 9999):,}.{rng.randint(0, 9)})"

    def misread(text):
        return "".join(c if rng.random() > 0.2 else rng.choice("0123456789lO,.") for c in text)

    for size in SIZES:
        rows, columns = map(int, size.split("x"))
        gold = [[("", cell(c)) for c in range(columns)] for _ in range(rows)]
        gold[0] = [(' colspan="2"', "Year ended"), *gold[0][2:]]
        pred = []
        for row in gold:
            if rng.random() < 0.04:
                continue
            kept = []
            for span, text in row:
                x = rng.random()
                if x < 0.15:
                    text = misread(text)
                elif x < 0.17:
                    continue
                kept.append((span, text))
            pred.append(kept)
            if rng.random() < 0.03:
                pred.append([("", cell(c)) for c in range(columns)])
        for side, rows_ in (("gt", gold), ("pred", pred)):
            with open(os.path.join(folder, f"{size}_{side}.html"), "w") as f:
                f.write(table(rows_))


def worker(folder):
    from docling_metrics_table.docling_metrics_table import TEDScorer, docling_metric_table_cpp
    manager, scorer = docling_metric_table_cpp.TEDSManager(), TEDScorer()
    for size in SIZES:
        gold, pred = (open(os.path.join(folder, f"{size}_{s}.html")).read() for s in ("gt", "pred"))
        for what in ("content", "struct"):
            a, b = (scorer.html_to_bracket(t, structure_only=what == "struct") for t in (gold, pred))
            call = lambda: manager.evaluate_sample("x", a, b).teds
            check, spent = call(), []
            begin = time.process_time()
            while not spent or time.process_time() - begin < 0.3:
                start = time.process_time()
                check = call()
                spent.append(time.process_time() - start)
            print(json.dumps(dict(case=f"{size}/{what}", sec=statistics.median(spent), check=round(check, 6))))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ours"), p.add_argument("--work", default="work"), p.add_argument("--worker", action="store_true"), p.add_argument("--rounds", type=int, default=5)
    a = p.parse_args()
    if a.worker:
        return worker(a.work)
    os.makedirs(a.work, exist_ok=True)
    make(a.work)
    env = dict(os.environ, **{k: "1" for k in ("GOMAXPROCS", "OMP_NUM_THREADS")})
    runs = {"docling-c++": [sys.executable, os.path.abspath(__file__), "--work", a.work, "--worker"], "ours": [a.ours, "teds", a.work]}
    seen, checks = {}, {}
    for _ in range(a.rounds):
        for tool, command in runs.items():
            for line in subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.splitlines():
                d = json.loads(line)
                seen.setdefault(d["case"], {}).setdefault(tool, []).append(d["sec"])
                checks[d["case"], tool] = d["check"]
    for case, tools in seen.items():
        ratios = sorted(x / y for x, y in zip(tools["ours"], tools["docling-c++"]))
        print(json.dumps(dict(case=case, ms={t: round(1000 * statistics.median(s), 3) for t, s in tools.items()}, check={t: checks[case, t] for t in tools},
                              ratio=[round(r, 3) for r in (ratios[0], statistics.median(ratios), ratios[-1])])))


if __name__ == "__main__":
    main()
