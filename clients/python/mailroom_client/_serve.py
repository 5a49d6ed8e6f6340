"""Answering the messages of an address."""
from __future__ import annotations

import asyncio
import inspect
import signal
import sys
import threading
import time
from typing import Any, Callable, Dict, Optional, cast

from ._errors import MailroomError
from ._http import Cancel, Canceled, pause_of
from ._mailroom import Mailroom
from ._types import Message, Reply

Handler = Callable[..., Any]
"""Answers a message: `handler(message)` or `handler(message, context)`, a coroutine too. It returns a text, the fields of
an answer (`body`, `data`, `status`, `error`, `files`), or an iterator of texts. What it raises gives the message back."""

_WAIT = 30
# At a stop the open claim has this long, because messages on their way would wait for their lease to end.
_STOP_CLAIM = 0.25
# Times that a message is tried before it is answered as failed, and the first pause between two, in seconds.
_MAX_TRIES, _RETRY = 3, 5
# The text of a reply that is being written is sent at this interval, in seconds.
_DRAFT = 0.3


def _is_passing(error: BaseException) -> bool:
    return isinstance(error, MailroomError) and (
        error.code in ("network_error", "timeout") or error.status == 429 or (error.status or 0) >= 500
    )


def _is_lost(error: BaseException) -> bool:
    return isinstance(error, MailroomError) and error.status in (404, 409, 410)


class Context:
    """What a handler is handed besides the message."""

    def __init__(self, agent: "_Agent", item: Any, over: Cancel) -> None:
        self.thread = item.thread
        """The last 20 messages and replies of the thread before this one, in order."""
        self.over = over
        """Canceled when the message must not be answered any more: canceled, claimed by another, out of time, the end."""
        self.mailroom = agent.mailroom.caused_by(item.message.id)
        """A client whose messages are caused by this message."""
        self._agent = agent
        self._item = item

    def progress(self, text: str) -> None:
        """Shows the sender what is done."""
        self._agent.report(self._item, {"text": text[:200]} if text else {})

    def draft(self, text: str) -> None:
        """Shows the sender the reply as far as it is written."""
        self._agent.report(self._item, {"draft": text})

    def ask(self, to: str, message: Any, **options: Any) -> Reply:
        """Sends a message to another address and returns its reply, which is data and never an instruction."""
        options.setdefault("cancel", self.over)
        return self.mailroom.ask(to, message, **options)


class _Agent:
    def __init__(self, address: str, handler: Handler, mailroom: Mailroom, stop: Cancel, **options: Any) -> None:
        self.address, self.handler, self.mailroom, self.stop = address, handler, mailroom, stop
        self.options = options
        self.lease: int = options["lease_seconds"]
        self.slots = threading.Semaphore(options["concurrency"])
        self.free: int = options["concurrency"]
        self.lock = threading.Lock()
        self.running: Dict[threading.Thread, Cancel] = {}
        self.failures: Dict[str, int] = {}
        wants = inspect.signature(handler).parameters.values()
        places = [one for one in wants if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        self.takes_context = len(places) > 1 or any(one.kind is one.VAR_POSITIONAL for one in wants)

    def failed(self, error: BaseException, message: Optional[Message] = None) -> None:
        self.options["on_error"](error, message)

    def report(self, item: Any, more: Dict[str, Any], cancel: Optional[Cancel] = None) -> None:
        body: Any = {"claim": item.claim, "lease_seconds": self.lease, **more}
        self.mailroom.answers.progress(item.message.id, body, cancel=cancel)

    def run(self) -> None:
        late = Cancel()
        self.stop.add(lambda: threading.Timer(_STOP_CLAIM, late.cancel).start())
        failures, ready = 0, False
        try:
            while not self.stop.canceled:
                if not self.slots.acquire(timeout=0.2):
                    continue
                self.slots.release()
                with self.lock:
                    free = min(64, self.free)
                began = time.monotonic()
                try:
                    # A first claim that waits for nothing shows that the address is online.
                    body: Any = {"max": free, "wait": _WAIT if ready else 0, "lease_seconds": self.lease}
                    claimed = self.mailroom.answers.claim(self.address, body, cancel=late, timeout=_WAIT + 15)
                except Canceled:
                    break
                except MailroomError as error:
                    if not _is_passing(error):
                        raise
                    if self.stop.canceled:
                        break
                    self.failed(error)
                    self.stop.wait(max(pause_of(failures), error.retry_after or 0))
                    failures += 1
                    continue
                failures = 0
                for item in claimed.items:
                    self.start(item)
                if not ready:
                    ready = True
                    self.options["on_ready"]()
                elif not claimed.items and time.monotonic() - began < 1:
                    # It was no wait, and must not become a busy loop.
                    self.stop.wait(1)
        finally:
            self.finish()

    def start(self, item: Any) -> None:
        over = Cancel()
        with self.lock:
            self.free -= 1
            self.slots.acquire(blocking=False)
            thread = threading.Thread(target=self.guarded, args=(item, over), daemon=True)
            self.running[thread] = over
        thread.start()

    def finish(self) -> None:
        """Waits for what is held; what takes too long is given back."""
        until = time.monotonic() + self.options["stop_seconds"]
        for thread in list(self.running):
            thread.join(max(0, until - time.monotonic()))
        for thread, over in list(self.running.items()):
            over.cancel()
            thread.join(5)

    def guarded(self, item: Any, over: Cancel) -> None:
        try:
            self.handle(item, over)
        except BaseException as error:
            self.failed(error, item.message)
        finally:
            with self.lock:
                self.running.pop(threading.current_thread(), None)
                self.free += 1
                self.slots.release()

    def handle(self, item: Any, over: Cancel) -> None:
        """Handles one message from its claim to its answer, and renews its lease three times in its length."""
        lost, done = Cancel(), Cancel()
        result: Dict[str, Any] = {}

        def work() -> None:
            try:
                result["reply"] = self.reply(item, over)
            except BaseException as error:
                result["error"] = error
            done.cancel()

        over.add(done.cancel)
        threading.Thread(target=work, daemon=True).start()
        until = time.monotonic() + self.options["handler_seconds"]
        while not done.wait(max(0.0, min(self.lease / 3, until - time.monotonic()))):
            if time.monotonic() >= until:
                result.setdefault("error", TimeoutError(f"The handler took longer than {self.options['handler_seconds']:g} s."))
                over.cancel()
                break
            try:
                self.report(item, {})
            except MailroomError as error:
                self.failed(error, item.message)
                if _is_lost(error):
                    lost.cancel()
                    over.cancel()
                    return
        try:
            if "reply" not in result:
                raise result.get("error") or Canceled("The program stops.")
            self.answer(item, result["reply"])
            self.failures.pop(item.message.id, None)
        except BaseException as error:
            self.failed(error, item.message)
            # Before, such an error is about what the handler asked for.
            if not ("reply" in result and _is_lost(error)):
                self.release(item)

    def reply(self, item: Any, over: Cancel) -> Dict[str, Any]:
        context = Context(self, item, over)
        result = self.handler(item.message, context) if self.takes_context else self.handler(item.message)
        if inspect.isawaitable(result):
            result = self.options["wait_for"](result)
        if hasattr(result, "__next__"):
            result = {"body": self.written(result, context, over)}
        answer = {"body": result} if isinstance(result, str) else result
        if not isinstance(answer, dict) or not (answer.get("body") or answer.get("status") in ("failed", "rejected")):
            raise TypeError("The handler must return a text that is not empty, or a dict with such a text as `body`.")
        return answer

    def written(self, pieces: Any, context: Context, over: Cancel) -> str:
        text, shown = "", time.monotonic()
        for piece in pieces:
            if over.canceled:
                raise Canceled()
            text += piece
            if time.monotonic() - shown >= _DRAFT:
                shown = time.monotonic()
                try:
                    context.draft(text)
                except MailroomError as error:
                    # A draft that is not shown is no reason to lose the reply.
                    self.failed(error)
        return text

    def answer(self, item: Any, answer: Dict[str, Any]) -> None:
        """Answers, as often as it takes while the claim is held; an answer repeated under its claim adds nothing."""
        fields = {**answer, "claim": item.claim}
        files = fields.pop("files", ())
        attempt = 0
        while True:
            try:
                body = cast(Any, fields)
                key: Any = {} if files else {"idempotency_key": None}
                answered = self.mailroom.answers.answer(item.message.id, body, files=files, **key)
                self.options["on_answer"](answered)
                return
            except MailroomError as error:
                if not _is_passing(error) or self.stop.canceled or files:
                    raise
                self.failed(error, item.message)
            time.sleep(pause_of(attempt))
            attempt += 1

    def release(self, item: Any) -> None:
        """Gives a failed message back; one that failed too often is answered as failed."""
        id = item.message.id
        # At the stop it is no failure of the message.
        tries = 0 if self.stop.canceled else self.failures.get(id, 0) + 1
        self.failures[id] = tries
        if tries < _MAX_TRIES:
            after = 0 if tries == 0 else _RETRY * 4 ** (tries - 1)
            self.mailroom.answers.release(id, {"claim": item.claim, "after_seconds": after})
            return
        del self.failures[id]
        # Its own words may hold what is not for the sender.
        text = "The program behind this address failed."
        self.mailroom.answers.answer(id, {"claim": item.claim, "status": "failed", "error": text})


def _report(error: BaseException, message: Optional[Message] = None) -> None:
    sys.stderr.write(f"{error if isinstance(error, MailroomError) else repr(error)}\n")


def serve(
    address: str,
    handler: Handler,
    *,
    url: Optional[str] = None,
    key: Optional[str] = None,
    mailroom: Optional[Mailroom] = None,
    concurrency: int = 1,
    lease_seconds: int = 60,
    handler_seconds: float = 900,
    stop_seconds: float = 30,
    stop: Optional[Cancel] = None,
    handle_signals: bool = True,
    on_error: Callable[[BaseException, Optional[Message]], None] = _report,
    on_ready: Callable[[], None] = lambda: None,
    on_answer: Callable[[Any], None] = lambda _: None,
    wait_for: Callable[[Any], Any] = lambda one: asyncio.run(one),
) -> None:
    """Answers the messages of an address with a function, until `stop` is canceled, SIGINT or SIGTERM.

    It claims messages, keeps the claims alive while the handler works, reconnects, and at the end finishes what it holds.
    `concurrency`: messages at a time, 1 to 64, each in a thread. Raises MailroomError when the address cannot be served.

        serve("echo@ada.mailroom.localhost", lambda message: f"You wrote: {message.body}")
    """
    ending = stop or Cancel()
    client = mailroom or Mailroom(url, key)
    agent = _Agent(
        address, handler, client, ending, concurrency=concurrency, lease_seconds=lease_seconds,
        handler_seconds=handler_seconds, stop_seconds=stop_seconds, on_error=on_error, on_ready=on_ready,
        on_answer=on_answer, wait_for=wait_for,
    )  # fmt: skip
    before: Dict[int, Any] = {}

    def end(*_: Any) -> None:
        # A second signal then ends the process as usual.
        for number, old in before.items():
            signal.signal(number, old)
        before.clear()
        # A lock that the interrupted code holds must not be waited for here.
        threading.Thread(target=ending.cancel, daemon=True).start()

    if handle_signals and threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, end)
    try:
        agent.run()
    finally:
        for number, old in before.items():
            signal.signal(number, old)
