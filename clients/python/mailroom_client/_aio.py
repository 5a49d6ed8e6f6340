"""The same client for asyncio.

The standard library has no HTTP for asyncio, so each call runs in a thread, as `asyncio.to_thread` does, of a pool of
the client's own; a call that is canceled has its connection closed.
"""
from __future__ import annotations

import asyncio
import functools
from typing import Any, AsyncIterator, Callable, Dict, Generator, Mapping, Optional, Sequence, Union

from ._async_api import AsyncApi
from ._async_pages import Runner
from ._http import Cancel, Response
from ._mailroom import Mailroom, Received
from ._serve import Handler, serve
from ._streams import MessageUpdate
from ._types import Event, Message, Reply

class AsyncSending:
    """A message on its way: `await` it for the stored message, or `await sending.reply()`. It is sent once."""

    def __init__(self, mailroom: "AsyncMailroom", send: Callable[[], Any]) -> None:
        self._mailroom, self._send = mailroom, send
        self._sent: Optional["asyncio.Task[Any]"] = None

    async def _start(self) -> Any:
        sent = self._sent or asyncio.ensure_future(self._send())
        self._sent = sent
        return await sent

    def __await__(self) -> Generator[Any, None, Message]:
        async def message() -> Message:
            sending = await self._start()
            stored: Message = sending.message
            return stored

        return message().__await__()

    async def reply(self, timeout: Optional[float] = None) -> Reply:
        sending = await self._start()
        reply: Reply = await self._mailroom._runner.step(sending.reply, timeout)
        return reply


class AsyncMailroom(AsyncApi):
    """As `Mailroom`, with every call awaited. `threads`: calls at a time."""

    def __init__(self, url: Optional[str] = None, key: Optional[str] = None, *, threads: int = 64, **options: Any) -> None:
        self.sync = Mailroom(url, key, **options)
        self._runner = Runner(threads)
        super().__init__(self.sync, self._runner)

    def send(self, to: Union[str, Sequence[str]], message: Union[str, Mapping[str, Any]], **options: Any) -> AsyncSending:
        return AsyncSending(self, lambda: self._runner.run(self.sync.send, to, message, **options))

    async def ask(self, to: Union[str, Sequence[str]], message: Union[str, Mapping[str, Any]], **options: Any) -> Reply:
        return await self._runner.run(self.sync.ask, to, message, **options)

    async def wait_for(self, address: str, **options: Any) -> Received:
        return await self._runner.run(self.sync.wait_for, address, **options)

    async def wait_for_message(self, id: str, **options: Any) -> Message:
        return await self._runner.run(self.sync.wait_for_message, id, **options)

    def events(self, after: Optional[str] = None, **options: Any) -> AsyncIterator[Event]:
        return self._runner.iterate(self.sync.events, after, **options)

    def follow(self, id: str, **options: Any) -> AsyncIterator[MessageUpdate]:
        return self._runner.iterate(self.sync.follow, id, **options)

    async def read(self, response: Response) -> bytes:
        """The body of an answer, such as that of `messages.get_attachment`."""
        return await self._runner.step(response.read)

    async def serve(self, address: str, handler: Handler, **options: Any) -> None:
        """As `serve`, until the task is canceled; coroutines of the handler run on this loop."""
        loop = asyncio.get_running_loop()
        stop = options.pop("stop", None) or Cancel()
        more: Dict[str, Any] = {"handle_signals": False, **options}

        def wait_for(one: Any) -> Any:
            return asyncio.run_coroutine_threadsafe(one, loop).result()

        work = functools.partial(serve, address, handler, mailroom=self.sync, stop=stop, wait_for=wait_for, **more)
        serving = loop.run_in_executor(self._runner._pool, work)
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            stop.cancel()
            await serving
            raise

    def close(self) -> None:
        self._runner.close()
