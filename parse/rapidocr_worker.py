"""Reads pictures of pages with RapidOCR for edb, one after the other, until its input ends.

In:  a line {"width": W, "height": H}, then W*H bytes, a byte a dot, 0 is black.
Out: first a line {"ready": VERSION}; then a line for each picture:
     {"lines": [{"box": [x0, y0, x1, y1], "text": TEXT, "score": 0..1}]} or {"error": WHY}.
"""
import json
import os
import sys

sys.path[:] = [p for p in sys.path if p not in ("", os.getcwd())]  # no file of the user's folder stands for a library
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
    params = {
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Global.use_cls": False,
    }
    ocr = RapidOCR(params=params)
    far = None
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
            found = ocr(picture, use_cls=False)
            if found.boxes is None and grey.min() < 128:
                # Lone words on a large white page are found from farther away.
                if far is None:
                    far = RapidOCR(params={**params, "Det.limit_side_len": 960, "Det.limit_type": "max"})
                found = far(picture, use_cls=False)
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
