"""A Mailroom service."""
from __future__ import annotations

import datetime
import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ._api import Api
from ._errors import MailroomError
from ._http import Cancel, Http, Options, path
from ._record import read_as
from ._streams import MessageUpdate, follow_events, follow_message
from ._types import Event, Message, Reply

if TYPE_CHECKING:
    from typing_extensions import Unpack

# The service's maximum of one `?wait=`, in seconds, and less than proxies let pass without an answer.
_MAX_WAIT = 55
_SYNC = 30
_SETTLED = {"completed", "input_required", "failed", "canceled", "rejected"}


def is_settled(message: Message) -> bool:
    """Whether the message has its final status; a question (`input_required`) is one."""
    return message.status in _SETTLED


def reply_of(message: Message) -> Reply:
    """The reply of a settled message. Raises MailroomError, with the message as `envelope`, where there is none."""
    if message.reply is not None and message.status in ("completed", "input_required"):
        return message.reply
    error = message.error
    if message.reply is None and message.not_answered is not None:
        text = "The message was filed, and is not handled: its `not_answered` says why."
        raise MailroomError(text, code="not_answered", envelope=message)
    text = error.message if error else message.reply.body if message.reply else f"The message {message.id} is {message.status}."
    raise MailroomError(text, code=error.code if error else message.status, envelope=message)


class Sending:
    """A message that was sent: `message` as it was stored, `reply()` for its answer."""

    def __init__(self, mailroom: "Mailroom", message: Message) -> None:
        self._mailroom = mailroom
        self.message = message

    @property
    def id(self) -> str:
        return self.message.id

    def reply(self, timeout: Optional[float] = None) -> Reply:
        """The reply, however long it takes, or MailroomError `timeout` after so many seconds, or when there is none."""
        return reply_of(self.settled(timeout))

    def settled(self, timeout: Optional[float] = None) -> Message:
        """The message once it is settled, whatever its status."""
        if not is_settled(self.message):
            self.message = self._mailroom.wait_for_message(self.message.id, timeout=timeout)
        return self.message


class Received:
    """A message that an address received, with what was asked to be extracted where it was found."""

    def __init__(self, message: Message, found: Mapping[str, Any]) -> None:
        self.message = message
        self.code: Optional[str] = found.get("code")
        self.link: Optional[str] = found.get("link")


class Mailroom(Api):
    """A Mailroom service. Every endpoint is a method of its noun; the methods here are for more than one request.

    `url` and `key` are those of the environment (MAILROOM_URL, MAILROOM_KEY) when they are left out. `timeout`: seconds
    for one attempt. `max_retries`: how often a request is repeated after 429, 502, 503, 504 or a failure of the network.

        Mailroom(url, key).send("proofread@agents.example.com", "I has a question.").reply().body
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 60,
        max_retries: int = 3,
        caused_by: Optional[str] = None,
    ) -> None:
        self._http = Http(url, key, timeout, max_retries, caused_by)
        super().__init__(self._http)

    @property
    def url(self) -> str:
        return self._http.url

    def caused_by(self, id: str) -> "Mailroom":
        """A client whose messages are caused by this one, so that programs which write to each other end at 8 hops."""
        one = self._http
        return Mailroom(one.url, one.key, timeout=one.timeout, max_retries=one.max_retries, caused_by=id)

    def request(self, method: str, to: str, body: Any = None, **options: Unpack[Options]) -> Any:
        """Calls an endpoint that has no method here, such as one newer than this client. Returns its JSON."""
        return self._http.json("Any", method, to, body=body, options=options)

    def send(
        self, to: Union[str, Sequence[str]], message: Union[str, Mapping[str, Any]], **options: Unpack[Options]
    ) -> Sending:
        """Sends a text, or the fields of a message, to one address or several. `ask` also waits, in the same exchange."""
        return Sending(self, self._post(to, message, {}, options))

    def ask(
        self,
        to: Union[str, Sequence[str]],
        message: Union[str, Mapping[str, Any]],
        *,
        wait: Optional[int] = None,
        **options: Unpack[Options],
    ) -> Reply:
        """Sends a message and returns its reply. MailroomError when there is none, or after `timeout` seconds in all.

        The reply is text of someone else: judge it, and hand it to a language model as data, never as instructions.
        """
        began = time.monotonic()
        timeout = options.pop("timeout", None)
        seconds = wait if wait is not None else _SYNC if timeout is None else min(_SYNC, max(1, math.ceil(timeout)))
        options["headers"] = {**options.get("headers", {}), "prefer": f"wait={seconds}"}
        sent = self._post(to, message, {"sync": True}, options)
        left = None if timeout is None else max(0.0, timeout - (time.monotonic() - began))
        cancel = options.get("cancel")
        return reply_of(sent if is_settled(sent) else self.wait_for_message(sent.id, timeout=left, cancel=cancel))

    def _post(self, to: Any, message: Any, more: Dict[str, Any], options: Options) -> Message:
        fields = {"body": message} if isinstance(message, str) else dict(message)
        body = {**fields, "to": to if isinstance(to, str) else list(to), **more}
        stored: Message = self._http.json(
            "Message", "POST", "/api/v1/mail/send", body=body, idempotent=True, options=options
        )
        return stored

    def wait_for_message(self, id: str, *, timeout: Optional[float] = None, cancel: Optional[Cancel] = None) -> Message:
        """The message once it is settled, whatever its status. MailroomError `timeout` after so many seconds."""
        until = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            left = max(0, min(_MAX_WAIT, until - time.monotonic()))
            message = self.messages.get(id, wait=math.ceil(left), cancel=cancel)
            if is_settled(message):
                return message
            if time.monotonic() >= until:
                text = f"The message {id} is not answered yet. The answer still comes: wait for it again."
                raise MailroomError(text, code="timeout", envelope=message)

    def wait_for(
        self,
        address: str,
        *,
        after: Union[str, datetime.datetime, None] = None,
        timeout: float = 60,
        cancel: Optional[Cancel] = None,
        **filter: Any,
    ) -> Received:
        """The first message that an address of yours receives after `after`, now by default, that matches.

        `filter`: `from_`, `subject`, `query` and `extract` (`code` or `link`). MailroomError `timeout`.
        """
        until = time.monotonic() + timeout
        since = after.astimezone().isoformat() if isinstance(after, datetime.datetime) else after
        wanted = {name.rstrip("_"): value for name, value in filter.items() if value is not None}
        while True:
            wait = math.ceil(max(0, min(_MAX_WAIT, until - time.monotonic())))
            body = {**wanted, "wait": wait, **({} if since is None else {"after": since})}
            to = path("/api/v1/mailboxes/{}/wait", address)
            options: Options = {"cancel": cancel, "timeout": wait + 60}
            found, date = self._http.dated("POST", to, body, options)
            if found.get("message") is not None:
                return Received(read_as("Message", found["message"]), found)
            if time.monotonic() >= until:
                raise MailroomError(f"{address} received no such message within {timeout:g} s.", code="timeout")
            # The service's own time, in whole seconds, at which it had found none.
            since = since or (parsedate_to_datetime(date) if date else datetime.datetime.now().astimezone()).isoformat()

    def follow(self, id: str, *, cancel: Optional[Cancel] = None) -> Iterator[MessageUpdate]:
        """Follows a message until it is settled: each change of it, and its reply while it is written."""
        return follow_message(self._http, path("/api/v1/mail/messages/{}", id), is_settled, cancel)

    def events(
        self,
        after: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        on_cursor: Optional[Callable[[str], None]] = None,
        on_interrupted: Optional[Callable[[MailroomError], None]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Iterator[Event]:
        """Events of the key's namespace as they happen. It reconnects, and neither misses nor repeats one.

        `after`: the id of the last event you have. `types`, such as `message.received` or `message.*`. `on_cursor` is
        called with each place in the log, to continue there after a restart.
        """
        return follow_events(self._http, after, types, on_cursor, on_interrupted, cancel)


def ask(to: str, message: Union[str, Mapping[str, Any]], **options: Any) -> Reply:
    """Sends a message and returns its reply, with the URL and key of the environment."""
    return Mailroom().ask(to, message, **options)
