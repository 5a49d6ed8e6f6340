"""Client of Mailroom: write to addresses that answer, and answer at your own."""
from ._aio import AsyncMailroom, AsyncSending
from ._async_pages import AsyncPages
from ._errors import MailroomError
from ._files import File
from ._http import Cancel, Canceled, Options, Response
from ._mailroom import Mailroom, Received, Sending, ask, is_settled
from ._pages import Page, Pages
from ._record import Record, to_dict
from ._serve import Context, serve
from ._streams import MessageUpdate
from ._types import Event, Message, Reply
from ._webhook import verify_webhook

__all__ = [
    "AsyncMailroom", "AsyncPages", "AsyncSending", "Cancel", "Canceled", "Context", "Event", "File", "Mailroom",
    "MailroomError", "Message", "MessageUpdate", "Options", "Page", "Pages", "Received", "Record", "Reply", "Response",
    "Sending", "ask", "is_settled", "serve", "to_dict", "verify_webhook",
]  # fmt: skip
