"""Threads that run the synchronous client, and lists for asyncio."""
from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Generic, List, Optional, TypeVar

from ._http import Cancel
from ._pages import Page, Pages

T = TypeVar("T")
_END: Any = object()


class Runner:
    """Runs calls of the synchronous client in threads."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mailroom")

    async def run(self, call: Callable[..., T], *args: Any, **named: Any) -> T:
        """A call that takes `cancel`."""
        cancel = named.get("cancel") or Cancel()
        work = functools.partial(call, *args, **{**named, "cancel": cancel})
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except asyncio.CancelledError:
            cancel.cancel()
            raise

    async def step(self, call: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call, *args)

    async def iterate(self, make: Callable[..., Any], *args: Any, **named: Any) -> AsyncIterator[Any]:
        cancel = named.get("cancel") or Cancel()
        items = iter(make(*args, **{**named, "cancel": cancel}))
        try:
            while True:
                item = await self.step(next, items, _END)
                if item is _END:
                    return
                yield item
        finally:
            cancel.cancel()

    def close(self) -> None:
        self._pool.shutdown(wait=False)


class AsyncPages(Generic[T]):
    """A list: `async for` reads all of it, page by page; `page` reads one."""

    def __init__(self, runner: Runner, pages: "Pages[T]") -> None:
        self._runner, self._pages = runner, pages

    async def page(self, cursor: Optional[str] = None) -> Page:
        return await self._runner.step(self._pages.page, cursor)

    async def all(self, max: Optional[int] = None) -> List[T]:
        return await self._runner.step(self._pages.all, max)

    async def __aiter__(self) -> AsyncIterator[T]:
        items = iter(self._pages)
        while True:
            item: Any = await self._runner.step(next, items, _END)
            if item is _END:
                return
            yield item
