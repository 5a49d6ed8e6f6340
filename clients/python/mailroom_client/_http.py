"""Requests: with the key, retries, time-outs, and errors as MailroomError."""
from __future__ import annotations

import http.client
import io
import json
import os
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
import uuid
import zlib
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypedDict

from ._errors import MailroomError, error_of
from ._files import Body, FileInput, multipart
from ._pages import Page, Pages
from ._record import Record, read_as, to_dict

_RETRIED = {429, 502, 503, 504}
# A longer pause is for the caller to decide about, in seconds.
_MAX_RETRY_AFTER = 60
_SENDS = {"/api/v1/mail/send", "/api/v1/mail/drafts"}


class Canceled(Exception):
    """A call was ended by its `Cancel`."""


class Cancel:
    """Ends calls from another thread: `cancel()` closes their connections, and they raise Canceled."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._ends: List[Callable[[], None]] = []

    @property
    def canceled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            ends, self._ends = self._ends, []
        for end in ends:
            end()

    def wait(self, seconds: float) -> bool:
        """Sleeps so long, or until it is canceled; True then."""
        return self._event.wait(seconds)

    def add(self, end: Callable[[], None]) -> None:
        with self._lock:
            if not self._event.is_set():
                self._ends.append(end)
                return
        end()

    def remove(self, end: Callable[[], None]) -> None:
        with self._lock:
            if end in self._ends:
                self._ends.remove(end)


class Options(TypedDict, total=False):
    """What every call takes besides its own arguments."""

    timeout: float
    """Seconds for one attempt, on top of what the service is asked to wait; 60 by default."""
    idempotency_key: Optional[str]
    """Makes the request safe to repeat. One is made for you; give your own to repeat it after a restart."""
    headers: Mapping[str, str]
    """Further request headers, such as `If-Match`."""
    cancel: Optional[Cancel]
    """Ends the call; it then raises Canceled."""
    files: Sequence[FileInput]
    """Files of a message, for the calls that take them."""


class _Socket(io.RawIOBase):
    """A socket's bytes, each read limited by what is left of the attempt, or by the silence that is allowed."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self.deadline: Optional[float] = deadline
        self.silence: Optional[float] = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.silence if self.deadline is None else self.deadline - time.monotonic()
        if left is not None and left <= 0:
            raise socket.timeout("timed out")
        self._sock.settimeout(left)
        return self._sock.recv_into(buffer)


class Response:
    """An answer whose body is read by the caller: `read()`, or its chunks in a loop. Close it, or use `with`."""

    def __init__(self, answer: http.client.HTTPResponse, close: Callable[[], None], cancel: Optional[Cancel]) -> None:
        self.status = answer.status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in answer.getheaders()}
        self._answer = answer
        self._close = close
        self._cancel = cancel
        self._unzip = zlib.decompressobj(31) if self.headers.get("content-encoding") == "gzip" else None

    def _checked(self, read: Callable[[], bytes]) -> bytes:
        try:
            data = read()
            if data == b"" and (self._answer.length or 0) > 0:
                raise http.client.IncompleteRead(b"", self._answer.length)
            return data
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            self.close()
            if self._cancel is not None and self._cancel.canceled:
                raise Canceled() from None
            late = isinstance(error, socket.timeout)
            text = "The answer stopped." if late else "The answer ended before it was complete."
            raise MailroomError(text, code="timeout" if late else "network_error") from error

    def __iter__(self) -> Iterator[bytes]:
        try:
            while True:
                data = self._checked(lambda: self._answer.read1(65536))
                if data == b"":
                    break
                yield data if self._unzip is None else self._unzip.decompress(data)
        finally:
            self.close()

    def read(self) -> bytes:
        return b"".join(self)

    def close(self) -> None:
        self._close()

    def __enter__(self) -> "Response":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def pause_of(attempt: int) -> float:
    """Seconds; doubles with each attempt. Half of it is random, so that many clients do not return together."""
    return min(8.0, 0.5 * 2 ** min(attempt, 10)) * (0.5 + random.random() / 2)


def path(template: str, *values: str) -> str:
    """A path with its parameters encoded; an address keeps its `@`."""
    return template.format(*(urllib.parse.quote(value, safe="@") for value in values))


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return to_dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _query_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Http:
    """One service and key. Each request has a connection of its own, so that threads need not share one."""

    def __init__(
        self,
        url: Optional[str],
        key: Optional[str],
        timeout: float,
        max_retries: int,
        caused_by: Optional[str],
        agent: str = "mailroom-client-python",
    ) -> None:
        given = url if url is not None else os.environ.get("MAILROOM_URL")
        if given is None:
            text = "The URL of the service is missing: Mailroom(url, key), or MAILROOM_URL in the environment."
            raise MailroomError(text, code="configuration")
        parts = urllib.parse.urlsplit(given)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            text = f'"{given}" is not the URL of a service. Give one such as https://mail.example.com.'
            raise MailroomError(text, code="configuration")
        self.url = given.rstrip("/")
        self._parts = parts
        self._port = port
        # A file with a key often ends in a line break, which no header may have.
        self.key = (key if key is not None else os.environ.get("MAILROOM_KEY", "")).strip()
        if not re.fullmatch(r"[\x21-\x7e]*", self.key):
            raise MailroomError("The key has characters that no key has.", code="configuration")
        self.timeout = timeout
        self.max_retries = max_retries
        self.caused_by = caused_by if caused_by is not None else os.environ.get("MAILROOM_MESSAGE_ID")
        self._agent = agent

    def json(self, returns: str, method: str, to: str, **sent: Any) -> Any:
        """The JSON of an answer; None for 204."""

        def read(response: Response) -> Any:
            if response.status == 204:
                return None
            body = response.read()
            try:
                return read_as(returns, json.loads(body))
            except (ValueError, RecursionError) as error:
                text = f"{self.url}{to} answered {response.status} with what is no JSON; is it the URL of a Mailroom service?"
                raise MailroomError(text, code="unexpected_answer", status=response.status) from error

        return self._send(method, to, read, **sent)

    def raw(self, method: str, to: str, silence: Optional[float] = None, **sent: Any) -> Response:
        """The answer itself; the time-out ends with its headers. `silence`: seconds that its body may stop."""
        response: Response = self._send(method, to, lambda one: one, stream=True, silence=silence, **sent)
        return response

    def dated(self, method: str, to: str, body: Any, options: Options) -> Tuple[Any, Optional[str]]:
        """The JSON of an answer, and its `Date`."""
        with self.raw(method, to, 60, body=body, options=options) as response:
            return json.loads(response.read()), response.headers.get("date")

    def list(self, returns: str, to: str, query: Mapping[str, Any], options: Options) -> Any:
        """A list, page by page as it is read."""

        def page(cursor: Optional[str]) -> Page:
            asked = query if cursor is None else {**query, "cursor": cursor}
            answer = self.json("Any", "GET", to, query=asked, options=options)
            return Page(read_as(returns, answer["items"]), answer["next_cursor"])

        return Pages(page)

    def lines(self, returns: str, to: str, options: Options) -> Iterator[Any]:
        """The values of JSON Lines, as they arrive."""
        rest = b""
        for chunk in self.raw("GET", to, options=options):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line:
                    yield read_as(returns, json.loads(line))
        if rest:
            yield read_as(returns, json.loads(rest))

    def _send(
        self,
        method: str,
        to: str,
        read: Callable[[Response], Any],
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        data: Optional[Tuple[str, Any]] = None,
        idempotent: bool = False,
        options: Optional[Options] = None,
        stream: bool = False,
        silence: Optional[float] = None,
    ) -> Any:
        options = options or {}
        cancel = options.get("cancel")
        asked = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
        if self.caused_by and method == "POST" and to in _SENDS:
            body = {"caused_by": self.caused_by, **body}
        files = options.get("files") or ()
        encoded: Optional[Body] = None
        if data is not None:
            content = data[1].encode() if isinstance(data[1], str) else bytes(data[1])
            encoded = Body(data[0], [content])
        elif files:
            encoded = multipart(json.dumps(body or {}, default=_plain), files)
        elif body is not None:
            encoded = Body("application/json", [json.dumps(body, default=_plain).encode()])
        headers = {"accept": "application/json, */*", "accept-encoding": "identity" if stream else "gzip"}
        headers["user-agent"] = self._agent
        if encoded is not None:
            headers["content-type"] = encoded.type
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        if idempotent and options.get("idempotency_key", "") is not None:
            headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
        headers.update({name.lower(): value for name, value in (options.get("headers") or {}).items()})
        preferred = re.search(r"\bwait=(\d+)", headers.get("prefer", ""))
        waits = float(asked.get("wait") or (preferred[1] if preferred else 0))
        timeout = options.get("timeout", self.timeout) + waits
        # Without the key a repeated POST could do its work twice, unless the service refused it.
        safe = method != "POST" or idempotent or data is not None
        retries = self.max_retries if encoded is None or encoded.repeatable else 0
        target = to if not asked else f"{to}?{urllib.parse.urlencode(asked)}"
        for attempt in range(retries + 1):
            if cancel is not None and cancel.canceled:
                raise Canceled()
            try:
                response = self._exchange(method, target, headers, encoded, timeout, cancel, stream, silence)
                return read(response)
            except MailroomError as problem:
                again = problem.status in _RETRIED if problem.status is not None else safe
                pause = problem.retry_after
                if not again or attempt >= retries or (pause or 0) > _MAX_RETRY_AFTER:
                    raise
            wait = pause_of(attempt) if pause is None else pause
            if (cancel or Cancel()).wait(wait):
                raise Canceled()
        raise AssertionError("the last attempt returns or raises")

    def _exchange(
        self,
        method: str,
        target: str,
        headers: Dict[str, str],
        body: Optional[Body],
        timeout: float,
        cancel: Optional[Cancel],
        stream: bool,
        silence: Optional[float],
    ) -> Response:
        host = self._parts.hostname or ""
        secure = self._parts.scheme == "https"
        deadline = time.monotonic() + timeout
        connection = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(
            host, self._port, timeout=timeout
        )

        def end() -> None:
            try:
                if connection.sock is not None:
                    # That of TLS would wait for the other side.
                    socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
            except OSError:
                pass

        def close() -> None:
            if cancel is not None:
                cancel.remove(end)
            connection.close()
            if answers:
                answers[0].close()

        answers: List[http.client.HTTPResponse] = []
        name = self._parts.netloc.rpartition("@")[2]
        try:
            if cancel is not None:
                cancel.add(end)
            connection.connect()
            if cancel is not None and cancel.canceled:
                raise Canceled()
            sock = connection.sock
            try:
                size = None if body is None else body.size
                sent = dict(headers)
                if body is not None and size is not None:
                    sent["content-length"] = str(size)
                elif body is not None:
                    sent["transfer-encoding"] = "chunked"
                content = None if body is None else body.chunks()
                full = self._parts.path.rstrip("/") + target
                connection.request(method, full, content, sent, encode_chunked=size is None)
            except (BrokenPipeError, ConnectionResetError):
                # The service may have refused it before it was all sent.
                pass
            answer = http.client.HTTPResponse(sock, method=method)
            raw = _Socket(sock, deadline)
            answer.fp = io.BufferedReader(raw)
            answers.append(answer)
            answer.begin()
            response = Response(answer, close, cancel)
            if not 200 <= response.status < 300:
                try:
                    content_of_error = response.read()
                except MailroomError:
                    content_of_error = b""
                raise error_of(response.status, response.headers, content_of_error, self.url + target)
            if stream:
                raw.deadline, raw.silence = None, silence
            return response
        except socket.timeout as error:
            close()
            raise MailroomError(f"{name} did not answer within {timeout:g} s.", code="timeout") from error
        except (OSError, http.client.HTTPException) as error:
            close()
            if cancel is not None and cancel.canceled:
                raise Canceled() from None
            reason = str(error) or type(error).__name__
            if isinstance(error, ssl.SSLError) and ("WRONG_VERSION" in reason or "RECORD_LAYER" in reason):
                reason = "it does not speak TLS; its URL may begin with http://"
            raise MailroomError(f"{name} cannot be reached: {reason}.", code="network_error") from error
        except BaseException:
            close()
            raise
