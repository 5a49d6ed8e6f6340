"""Files of messages, as multipart/form-data (RFC 7578)."""
from __future__ import annotations

import mimetypes
import os
import uuid
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union

_CHUNK = 65536


class File(NamedTuple):
    """A file to send: text, bytes, an open binary file or an iterable of bytes, which is read as it is sent."""

    filename: str
    content: Any
    content_type: Optional[str] = None


FileInput = Union[File, str, "os.PathLike[str]"]
"""A file, or the path of one, which is read as it is sent."""


class Body:
    """A request's body: its type, and its parts in order."""

    def __init__(self, type: str, parts: Sequence[Any]) -> None:
        self.type = type
        self._parts = parts
        self.repeatable = all(isinstance(part, (bytes, os.PathLike)) for part in parts)
        """Whether it can be sent again, which what is read once cannot."""

    @property
    def size(self) -> Optional[int]:
        if not self.repeatable:
            return None
        return sum(len(part) if isinstance(part, bytes) else os.path.getsize(part) for part in self._parts)

    def chunks(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            elif isinstance(part, os.PathLike):
                with open(part, "rb") as file:
                    yield from _read(file)
            elif hasattr(part, "read"):
                yield from _read(part)
            else:
                yield from (chunk for chunk in part if chunk)


def _read(file: Any) -> Iterable[bytes]:
    return iter(lambda: file.read(_CHUNK), b"")


class _Path:
    def __init__(self, text: str) -> None:
        self._text = text

    def __fspath__(self) -> str:
        return self._text


os.PathLike.register(_Path)


def _file_of(given: FileInput) -> File:
    if isinstance(given, File):
        content = given.content.encode() if isinstance(given.content, str) else given.content
        if isinstance(content, (bytearray, memoryview)):
            content = bytes(content)
        if not (isinstance(content, (bytes, os.PathLike)) or hasattr(content, "read") or hasattr(content, "__iter__")):
            raise TypeError(f'The file "{given.filename}" has no content: give text, bytes, an open file or an iterable of bytes.')
        return given._replace(content=content)
    where = os.fspath(given)
    return File(os.path.basename(where), _Path(where), mimetypes.guess_type(where)[0])


def _quoted(name: str) -> str:
    # As browsers write it (WHATWG HTML).
    return name.replace("\n", "%0A").replace("\r", "%0D").replace('"', "%22")


def multipart(message: str, files: Sequence[FileInput]) -> Body:
    """A body with the JSON in a part `message`, then the files."""
    boundary = f"mailroom-{uuid.uuid4()}"

    def head(disposition: str, type: str) -> bytes:
        return f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\nContent-Type: {type}\r\n\r\n".encode()

    parts: List[Any] = [head('name="message"', "application/json") + message.encode() + b"\r\n"]
    for one in map(_file_of, files):
        declared = one.content_type or ""
        type = declared if declared and "\r" not in declared and "\n" not in declared else "application/octet-stream"
        parts += [head(f'name="file"; filename="{_quoted(one.filename)}"', type), one.content, b"\r\n"]
    parts.append(f"--{boundary}--\r\n".encode())
    return Body(f"multipart/form-data; boundary={boundary}", parts)
