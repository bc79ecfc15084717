"""Stands between a client and the service, and decides each request's fate."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

import httpx

#: `pass`, `drop` (the work is done, the answer lost), `hang`, `portal`, `slow`, or what is answered.
Fate = Any


class Flaky:
    def __init__(self, target: str, fate_of: Callable[[int], Fate]) -> None:
        self.keys: list[str | None] = []
        self.agents: list[str | None] = []
        self.ended = threading.Event()
        flaky = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def meet(self) -> None:
                flaky.keys.append(self.headers.get("Idempotency-Key"))
                flaky.agents.append(self.headers.get("User-Agent"))
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fate = fate_of(len(flaky.keys))
                if fate == "hang":
                    flaky.ended.wait(30)
                    return
                if fate == "portal":
                    self.answer(200, {"Content-Type": "text/html"}, b"<h1>Sign in</h1>")
                    return
                if fate == "slow":
                    self.trickle()
                    return
                if isinstance(fate, tuple):
                    status, headers, text = fate
                    self.answer(status, headers, text)
                    return
                kept = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "accept-encoding")}
                answer = httpx.request(self.command, target + self.path, headers=kept, content=body)
                if fate == "drop":
                    self.close_connection = True
                    return
                skipped = ("content-encoding", "transfer-encoding", "content-length", "connection")
                headers = {k: v for k, v in answer.headers.items() if k not in skipped}
                self.answer(answer.status_code, headers, answer.content)

            do_GET = do_POST = do_DELETE = do_PATCH = do_PUT = meet

            def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def trickle(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "1000")
                self.end_headers()
                try:
                    while not flaky.ended.wait(0.05):
                        self.wfile.write(b" ")
                        self.wfile.flush()
                except OSError:
                    return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@contextmanager
def flaky_proxy(target: str, fate_of: Callable[[int], Fate]) -> Iterator[Flaky]:
    flaky = Flaky(target, fate_of)
    thread = threading.Thread(target=flaky.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield flaky
    finally:
        flaky.ended.set()
        flaky.server.shutdown()
        flaky.server.server_close()
        thread.join(timeout=5)


def first(fate: Fate) -> Callable[[int], Fate]:
    return lambda number: fate if number == 1 else "pass"


def elapsed(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun
