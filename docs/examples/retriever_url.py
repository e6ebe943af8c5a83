"""A retriever as a service: POST passages once (NDJSON), then one query a POST. Words in common."""
import json, re, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

words = lambda s: set(re.findall(r"\w+", s.lower()))
passages = []

class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args): pass
    def body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            return b"".join(iter(lambda: self.rfile.read(int(self.rfile.readline(), 16) + 2)[:-2], b""))
        return self.rfile.read(int(self.headers["Content-Length"]))
    def do_POST(self):
        body, out = self.body(), {}
        if "ndjson" in self.headers["Content-Type"]:
            passages[:] = [(p["id"], words(p["text"])) for p in map(json.loads, body.splitlines())]
        else:
            q = json.loads(body)
            want = words(q["text"])
            hits = [{"passage": i, "score": len(want & have) / len(want)} for i, have in passages if want & have]
            out = {"hits": sorted(hits, key=lambda h: (-h["score"], h["passage"]))[: q["depth"]]}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(out).encode())

server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
