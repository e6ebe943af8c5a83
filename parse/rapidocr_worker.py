"""Reads pictures of pages with RapidOCR for edb, one after the other, until its input ends.

In:  a line {"width": W, "height": H}, then W*H bytes, a byte a dot, 0 is black.
Out: first a line {"ready": VERSION}; then a line for each picture:
     {"lines": [{"box": [x0, y0, x1, y1], "text": TEXT, "score": 0..1}]} or {"error": WHY}.
"""
import functools
import json
import os
import sys

sys.path[:] = [p for p in sys.path if p not in ("", os.getcwd())]  # no file of the user's folder stands for a library
# How lines are looked for: the side of the picture in dots, the longest (max) or the shortest (min) of it, and
# how far what is found is widened to hold whole letters. A page; a page on which that finds nothing, from
# farther away; a small picture, made larger.
PAGE, FAR, SMALL = (1280, "max", 1.3), (960, "max", 1.6), (736, "min", 1.6)
out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what libraries print must not stand among the answers


def say(answer):
    out.write(json.dumps(answer) + "\n")
    out.flush()


def main():
    import logging
    from importlib.metadata import version

    import numpy
    from rapidocr import RapidOCR

    logging.disable(logging.CRITICAL)
    # A worker is one processor's. The angle classifier turns upright pages over: it stays off.
    # Lines are found in a smaller picture than they are read from, and short ones, the cells of
    # tables, are not padded to the 320 dots of RapidOCR's own setting.
    params = {
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Global.use_cls": False,
        "Rec.rec_img_shape": [3, 48, 48],
        "Rec.rec_batch_num": 3,
    }

    @functools.cache
    def reader(side, kind, widen):
        look = {"Det.limit_side_len": side, "Det.limit_type": kind, "Det.unclip_ratio": widen}
        return RapidOCR(params={**params, **look})

    reader(*PAGE)
    say({"ready": version("rapidocr")})
    source = sys.stdin.buffer
    while True:
        head = source.readline()
        if not head:
            return
        size = json.loads(head)
        count = size["width"] * size["height"]
        dots = source.read(count)
        if len(dots) < count:
            return
        grey = numpy.frombuffer(dots, dtype=numpy.uint8).reshape(size["height"], size["width"])
        try:
            picture = numpy.repeat(grey[:, :, None], 3, axis=2)
            found = reader(*(PAGE if min(picture.shape[:2]) >= SMALL[0] else SMALL))(picture, use_cls=False)
            if found.boxes is None and grey.min() < 128:
                found = reader(*FAR)(picture, use_cls=False)
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})
            continue
        lines = []
        if found.boxes is not None and found.txts is not None:
            for box, text, score in zip(found.boxes, found.txts, found.scores):
                xs, ys = [float(p[0]) for p in box], [float(p[1]) for p in box]
                lines.append({"box": [min(xs), min(ys), max(xs), max(ys)], "text": text, "score": float(score)})
        say({"lines": lines})


main()
