"""Server-sent events (WHATWG HTML, section 9.2), resumed after what broke."""
from __future__ import annotations

import codecs
import json
import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence

from ._errors import MailroomError
from ._http import Cancel, Canceled, Http, Response, pause_of
from ._record import read_as

# The service sends a heartbeat every 15 s; a connection silent for longer is dead.
_SILENCE = 45


class _ServerEvent(NamedTuple):
    event: str
    data: str


def _read(response: Response, on_id: Callable[[str], None]) -> Iterator[_ServerEvent]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for chunk in response:
        *blocks, rest = re.split(r"\r\n\r\n|\n\n|\r\r", rest + decoder.decode(chunk))
        for block in blocks:
            data: List[str] = []
            event = "message"
            for line in re.split(r"\r\n|\r|\n", block):
                name, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if name == "data":
                    data.append(value)
                elif name == "event":
                    event = value
                elif name == "id":
                    on_id(value)
            if data:
                yield _ServerEvent(event, "\n".join(data))


def _connections(
    http: Http,
    to: str,
    query: Callable[[], Dict[str, Any]],
    cancel: Optional[Cancel],
    on_id: Callable[[str], None],
    on_interrupted: Optional[Callable[[MailroomError], None]] = None,
) -> Iterator[Optional[_ServerEvent]]:
    """Events of one connection after the other; None when one begins."""
    failures = 0
    while True:
        began = False
        yield None
        try:
            headers = {"accept": "text/event-stream"}
            with http.raw("GET", to, _SILENCE, query=query(), options={"cancel": cancel, "headers": headers}) as response:
                for event in _read(response, on_id):
                    began = True
                    yield event
        except MailroomError as error:
            # The answer said no, and would say it again.
            if error.status is not None:
                raise
            if on_interrupted is not None:
                on_interrupted(error)
        failures = 0 if began else failures + 1
        if (cancel or Cancel()).wait(pause_of(max(0, failures - 1))):
            raise Canceled()


def _wanted(type: str, types: Optional[Sequence[str]]) -> bool:
    return types is None or any(type.startswith(one[:-1]) if one.endswith("*") else type == one for one in types)


def follow_events(
    http: Http,
    after: Optional[str],
    types: Optional[Sequence[str]],
    on_cursor: Optional[Callable[[str], None]],
    on_interrupted: Optional[Callable[[MailroomError], None]],
    cancel: Optional[Cancel],
) -> Iterator[Any]:
    last = after

    def on_id(value: str) -> None:
        nonlocal last
        last = value

    def query() -> Dict[str, Any]:
        return {"after": last}

    for one in _connections(http, "/api/v1/events", query, cancel, on_id, on_interrupted):
        if one is None:
            continue
        event = read_as("Event", json.loads(one.data))
        if _wanted(event.type, types):
            yield event
        if on_cursor is not None:
            on_cursor(event.id)


class MessageUpdate(NamedTuple):
    """A message as it changed, or its reply as far as it is written."""

    message: Any
    draft: Optional[str]


def follow_message(http: Http, to: str, settled: Callable[[Any], bool], cancel: Optional[Cancel]) -> Iterator[MessageUpdate]:
    text = ""
    for one in _connections(http, to, dict, cancel, lambda _: None):
        if one is None:
            text = ""
        elif one.event == "delta":
            delta = json.loads(one.data)
            # Places are counted in UTF-16, as the service does.
            kept = text.encode("utf-16-le", "surrogatepass")[: delta["at"] * 2]
            text = kept.decode("utf-16-le", "replace") + delta["text"]
            yield MessageUpdate(None, text)
        elif one.event == "message":
            message = read_as("Message", json.loads(one.data))
            yield MessageUpdate(message, None)
            if settled(message):
                return
