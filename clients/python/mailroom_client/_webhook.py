"""Webhooks: Standard Webhooks 1.0, HMAC-SHA256 over id, time and body."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

from ._errors import MailroomError


def _refused(why: str) -> MailroomError:
    return MailroomError(f"The webhook is not genuine: {why}.", code="invalid_signature")


def _bytes_of(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[str, bytes],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Any:
    """The event of a webhook, or the list of events of one with a `batch`, once its signature is verified.

    `body` is the request's body as it came, `secret` is `whsec_…`, or several while one is replaced. `tolerance` is in
    seconds. Raises MailroomError `invalid_signature` for what others sent, what was changed, or what is older than that.
    """
    given = {name.lower(): value for name, value in headers.items()}

    def header(name: str) -> str:
        value = given.get(name)
        if not value:
            raise _refused(f"it has no header {name}")
        return value

    identity, timestamp = header("webhook-id"), header("webhook-timestamp")
    signatures = header("webhook-signature").split(" ")
    current = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(current - int(timestamp)) > tolerance:
        raise _refused("its time is not now; a copy may be sent again, or a clock is wrong")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{identity}.{timestamp}.".encode() + content
    for one in [secret] if isinstance(secret, str) else secret:
        key = _bytes_of(one[6:] if one.startswith("whsec_") else one)
        if not key:
            raise MailroomError("The secret of the webhook is not one: it starts with whsec_.", code="configuration")
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            version, _, value = signature.partition(",")
            mac = _bytes_of(value) if version == "v1" else None
            if mac is not None and hmac.compare_digest(mac, expected):
                return json.loads(content)
    raise _refused("no signature is by this secret over this body")
