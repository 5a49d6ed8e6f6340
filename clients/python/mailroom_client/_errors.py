"""The one error of this package."""
from __future__ import annotations

import json
import re
from typing import Any, List, Mapping, Optional
from urllib.parse import urljoin


class MailroomError(Exception):
    """Every error of this client: a problem that the service answered with, a message without a reply, or the network.

    `code` is what to branch on: a code of the service, explained at `/problems/{code}`, or one of this client's own:
    `configuration`, `network_error`, `timeout`, `unexpected_answer`, `invalid_signature`, `not_answered`, `canceled`,
    `failed`, `rejected`.
    """

    def __init__(
        self,
        text: str,
        *,
        code: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        errors: Optional[List[Any]] = None,
        docs: Optional[str] = None,
        retry_after: Optional[float] = None,
        envelope: Any = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        """What to branch on."""
        self.status = status
        """The HTTP status; None where there was no answer."""
        self.request_id = request_id
        """Name it when you ask for help."""
        self.errors = errors or []
        """What is wrong in the request, field by field."""
        self.docs = docs
        """The page that explains the code."""
        self.retry_after = retry_after
        """Seconds to wait before trying again, where the service says so."""
        self.envelope = envelope
        """The message that failed, was rejected or canceled, where that is the error."""


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def error_of(status: int, headers: Mapping[str, str], body: bytes, url: str) -> MailroomError:
    """The error for an answer that is not 2xx, from its problem document (RFC 9457)."""
    seconds = headers.get("retry-after", "")
    retry_after = float(seconds) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", seconds) else None
    try:
        problem = json.loads(body)
    except (ValueError, RecursionError):
        problem = None
    code = _text(problem.get("code")) if isinstance(problem, dict) else None
    if code is None or not isinstance(problem, dict):
        to = headers.get("location")
        text = (
            f"{url} redirects to {to}. Use that URL."
            if to is not None
            else f"{url} answered {status} without a problem document; is it the URL of a Mailroom service?"
        )
        return MailroomError(
            text,
            code="unexpected_answer",
            status=status,
            request_id=headers.get("x-request-id"),
            retry_after=retry_after,
        )
    docs = _text(problem.get("docs"))
    errors = problem.get("errors")
    return MailroomError(
        _text(problem.get("detail")) or _text(problem.get("title")) or code,
        code=code,
        status=status,
        request_id=_text(problem.get("request_id")) or headers.get("x-request-id"),
        errors=errors if isinstance(errors, list) else None,
        docs=None if docs is None else urljoin(url, docs),
        retry_after=retry_after,
    )
