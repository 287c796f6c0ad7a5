"""Serve the built site on this machine: ``python scripts/serve.py [port]``."""

import functools
import http.server
import sys

from build_book import SITE


def serve(port: int) -> None:
    """Serve `SITE` on the loopback address until interrupted."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"The book is at http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
