# Made by scripts/generate-client.ts from the OpenAPI document; run `npm run client` to make it again.
# ruff: noqa
from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, Sequence, TypedDict, Union, cast

from ._http import Http, Options, Response, path
from ._pages import Pages
from ._types import *

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Messages:
    def __init__(self, http: Http) -> None:
        self._http = http

    def send(self, body: Send, **options: Unpack[Options]) -> Union[Message, ScheduledDraft]:
        """Send a message.
        With `sync: true` this answer holds the reply. A message that is not settled after 30 s, or after `Prefer: wait=N` seconds (1 to 120), is answered 202 and settles later. A message is on disk before its id is returned. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`. A program that sends because of a message names it in `caused_by`, so that programs that answer each other end at 8 hops (`loop_detected`). With `send_at` the answer is 202 with a draft (`draft_id`), which becomes a message at that time, once. `to` may be an address outside, too: the message then leaves from the mailbox that sends it as e-mail, or to its server at once where that takes it (`FEDERATION`); the answer is 202, or 200 with a reply that comes in the same exchange, and its `deliveries` say how far it is."""
        return cast(Any, self._http.json("Union[Message, ScheduledDraft]", "POST", "/api/v1/mail/send", body=body, idempotent=True, options=options))

    def try_mailbox(self, body: Try, **options: Unpack[Options]) -> TriedMessage:
        """Try a mailbox, without a key.
        A sync send for people without a key, to mailboxes with `try_out`, within the limits for guests."""
        return cast(Any, self._http.json("TriedMessage", "POST", "/api/v1/mail/try", body=body, idempotent=True, options=options))

    def create_challenge(self, **options: Unpack[Options]) -> Challenge:
        """Get a challenge to exceed a guest limit.
        Proof of work, as ALTCHA does it. Solve it and send the payload, `{challenge, solution}` as base64 of JSON, in the header `Altcha` of a try-out or of a new namespace that was refused as `rate_limited`: each solution lets one more through. A challenge is valid for 10 minutes, for the network that asked for it, and can be used once; each one used on a day makes the next one harder. Below the limit none is needed, and a solution sent anyway is not used up."""
        return cast(Any, self._http.json("Challenge", "POST", "/api/v1/challenges", options=options))

    def list_sent(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]] = None, since: Optional[str] = None, query: Optional[str] = None, direction: Optional[Literal["sent", "all"]] = None, **options: Unpack[Options]) -> Pages[Message]:
        """What the namespace's keys sent.
        With `direction=all` also what its mailboxes received; by a key of one mailbox, what that one received and sent. `metadata.KEY=VALUE` finds what was sent with that pair of `metadata`."""
        return self._http.list("List[Message]", "/api/v1/mail/messages", {"limit": limit, "cursor": cursor, "status": status, "since": since, "query": query, "direction": direction}, options)

    def get(self, id: str, *, wait: Optional[int] = None, mailbox: Optional[str] = None, **options: Unpack[Options]) -> Message:
        """Get a message with its reply, or wait for it.
        For the key that sent it, keys with `messages:read` of its sender or its recipient, and the token of its thread. A one-time secret in a reply is shown here to the key that sent the message, the first time it asks; afterwards `reply.data.sealed` is set. A sign-in code sent to a mailbox is shown to its keys that also have `auth:assert` and do not expire. With `Accept: text/event-stream` the answer is a stream of server-sent events: `message` with the message whenever it changes, `delta` with `{at, text}` while the reply is written (`text` replaces everything from character `at`), and a last `message` once it is settled, or after 5 minutes."""
        return cast(Any, self._http.json("Message", "GET", path("/api/v1/mail/messages/{}", id), query={"wait": wait, "mailbox": mailbox}, options=options))

    def update(self, id: str, body: MessageChange, *, mailbox: Optional[str] = None, **options: Unpack[Options]) -> Message:
        """Label a message.
        Labels belong to a mailbox: that of the recipient, else that of the sender, or the one that `mailbox` names. A message has at most 20 there. `unread` is there from its arrival until you remove it, or its owner opens the message in the console. `done` takes a conversation out of the console’s inbox, until the next message of it arrives. The changes of a request are made together or not at all. For a key that may do this but not read the message, `body` is empty and other content is null."""
        return cast(Any, self._http.json("Message", "PATCH", path("/api/v1/mail/messages/{}", id), query={"mailbox": mailbox}, body=body, options=options))

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Delete a message.
        For keys with `mailboxes:write` of the mailbox that received it. A message is gone for its sender too, with its files, labels and deliveries; one that is not settled is canceled first. Its replies go with it, but for those that the sender’s mailbox received, which stay there until they are deleted from it. Of a reply, the mailbox that wrote it keeps what it wrote. It cannot be undone; repeated, this answers 404 `message_not_found`."""
        return self._http.json("None", "DELETE", path("/api/v1/mail/messages/{}", id), options=options)

    def cancel(self, id: str, **options: Unpack[Options]) -> Message:
        """Cancel a message.
        Stops a message that has not settled, and of one with several recipients each copy that has not; a settled one is returned unchanged. A key that may do this but not read the message gets its id and status: `body` is empty and other content is null."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/cancel", id), idempotent=True, options=options))

    def retry(self, id: str, **options: Unpack[Options]) -> Message:
        """Send a failed message again.
        As a new message with `retry_of`, from the sender of the failed one; of one with several recipients each copy that failed. A key of the recipient with `mailboxes:write` may do it while the sender could still send it (403 `sender_not_allowed` once its key or mailbox is gone). The message is then sent without the sender’s key, so steps that need the rights of a key, such as a sign-in, do not run. For a key that may do this but not read the message, `body` is empty and other content is null."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/retry", id), idempotent=True, options=options))

    def forward(self, id: str, body: Forward, **options: Unpack[Options]) -> Message:
        """Forward a message.
        As a new message of yours in a thread of its own: what you say, then the head and the whole text of the message, with its files; or with the message attached (`as`). For keys that may read the message."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/forward", id), body=body, idempotent=True, options=options))

    def trash(self, id: str, **options: Unpack[Options]) -> Message:
        """Put a message into the trash.
        Of your own view alone: for keys of its recipient with `mail:answer`, or of its sender with `mail:send` that may read it. It is out of lists, counts and searches, in `?label=trash`, and back by `…/restore` within `TRASH_DAYS` (30); then it is gone. One that waits is canceled when its recipient does it. It still counts as storage."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/trash", id), options=options))

    def restore(self, id: str, **options: Unpack[Options]) -> Message:
        """Take a message out of the trash.
        As it was before; nothing changes for one that is not there."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/restore", id), options=options))

    def change(self, body: MessageBatch, **options: Unpack[Options]) -> MessageBatchResult:
        """Change many messages.
        Labels, trash or restore for up to 200 messages. Each is done or not by itself, and the answer says which."""
        return cast(Any, self._http.json("MessageBatchResult", "POST", "/api/v1/mail/messages/batch", body=body, options=options))

    def get_raw(self, id: str, **options: Unpack[Options]) -> Response:
        """Get the mail that a message came or left as.
        The exact bytes, so that signatures (DKIM) can be checked again, for `RAW_DAYS` days (30 unless the operator set another number) and as far as the namespace has room for them; then 410 `raw_gone`. A message that is no mail has none (404), and neither have mails of the service itself, such as codes."""
        return self._http.raw("GET", path("/api/v1/mail/messages/{}/raw", id), options=options)

    def get_html(self, id: str, *, images: Optional[Literal["0", "1"]] = None, **options: Unpack[Options]) -> Response:
        """Get the HTML of a mail, safe to show.
        Made from the original, as long as that is kept: without scripts, forms, frames, style sheets and all that loads something, under a policy (CSP) that runs nothing and loads nothing. Links go to http, https and mailto alone. A mail without HTML is shown as its text. Pictures are left out, so that their sender does not learn that the mail was read."""
        return self._http.raw("GET", path("/api/v1/mail/messages/{}/html", id), query={"images": images}, options=options)

    def wait_for(self, address: str, body: Optional[WaitRequest] = None, **options: Unpack[Options]) -> AwaitedMessage:
        """Wait for a message.
        Answers as soon as the mailbox has received a message after `after` that matches, the first of them, or with `message: null` after `wait` seconds. It never gives an older one. The message stays as it is, unread. What `extract` finds was written by someone else: compare the author before you use it. A sign-in code of this service stays sealed."""
        return cast(Any, self._http.json("AwaitedMessage", "POST", path("/api/v1/mailboxes/{}/wait", address), body=body or {}, options=options))

    def list_threads(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, mailbox: Optional[str] = None, label: Optional[str] = None, participant: Optional[str] = None, query: Optional[str] = None, state: Optional[Literal["open", "waiting", "done", "later"]] = None, assignee: Optional[str] = None, **options: Unpack[Options]) -> Pages[ThreadSummary]:
        """Conversations, by newest activity.
        Over all that the key reads, without the trash. With `label`, `participant` or `query`, those of which a message fits, by the newest one that does; these are looked up in the index, which follows within 2 seconds. With a `state` but `open`, or an `assignee` but `none`, by the last change of either or message that arrived. A page may be short and still have a next one."""
        return self._http.list("List[ThreadSummary]", "/api/v1/mail/threads", {"limit": limit, "cursor": cursor, "mailbox": mailbox, "label": label, "participant": participant, "query": query, "state": state, "assignee": assignee}, options)

    def search(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, query: str, sort: Optional[Literal["newest", "relevance"]] = None, **options: Unpack[Options]) -> Pages[SearchHit]:
        """Search all messages.
        Over all that the key reads, without the trash: subject, text, replies, addresses, names and names of files, newest first. Words (each; `word*` for beginnings), `"a phrase"`, `-word`, `OR` between alternatives, and the operators `from:` `to:` `cc:` `subject:` `filename:` `label:` `mailbox:` `has:` `is:` `before:` `after:` `larger:`: `from:ann subject:"due date" has:attachment is:unread after:2026-11-01 larger:2M`. `is:` takes `unread`, `answered` or `failed`, `before:` and `after:` a day or a time (RFC 3339), `larger:` bytes, `k` or `M`. A lower-case word with a colon, and no blank or `//` behind it, is an operator; put what is none into quotes. Case, accents, dotted and dotless i and forms of alef are the same; of Han, Kana and Thai, pairs of characters are words. The index follows the writes within 2 seconds. A page examines at most 10,000 hits, so it may be short or empty and still have a next page."""
        return self._http.list("List[SearchHit]", "/api/v1/mail/search", {"limit": limit, "cursor": cursor, "query": query, "sort": sort}, options)

    def thread(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, mailbox: Optional[str] = None, **options: Unpack[Options]) -> Pages[ThreadItem]:
        """A thread: messages and replies in order.
        Of its messages, those that you may read by themselves: a key without `messages:read` gets what it sent, with the replies."""
        return self._http.list("List[ThreadItem]", path("/api/v1/mail/threads/{}", id), {"limit": limit, "cursor": cursor, "mailbox": mailbox}, options)

    def change_thread(self, id: str, body: ThreadChange, **options: Unpack[Options]) -> Thread:
        """Say where a conversation stands, and who takes care of it.
        In one mailbox, whose readers see it. What is left out stays. An answer by hand makes an open one `waiting`; a message that arrives makes any `open` again, and so does the time of `later`. A member who leaves takes care of nothing any more."""
        return cast(Any, self._http.json("Thread", "PATCH", path("/api/v1/mail/threads/{}", id), body=body, options=options))

    def add_note(self, id: str, body: NewNote, **options: Unpack[Options]) -> ThreadNote:
        """Note something beside a conversation.
        For the members who read the mailbox, and for no one else: no sender, behavior, model or program sees it, and it is in no answer, forward or search. `GET /api/v1/mail/threads/{id}` lists it to keys of an owner. It counts as storage, and goes with the thread."""
        return cast(Any, self._http.json("ThreadNote", "POST", path("/api/v1/mail/threads/{}/notes", id), body=body, options=options))

    def get_attachment(self, id: str, **options: Unpack[Options]) -> Response:
        """Get the bytes of an attachment.
        For every caller that may read its message or draft, or answer its message while that waits for an answer. The bytes come as they were sent, as a download with the declared type and name. A `Range` of bytes is answered with that part, so that a download can be resumed."""
        return self._http.raw("GET", path("/api/v1/mail/attachments/{}", id), options=options)

    def approve(self, id: str, body: Optional[Approve] = None, **options: Unpack[Options]) -> Message:
        """Approve the plan that a message waits with.
        For the owner named by `approval.by`: the owner of the receiving mailbox or of the sending one. Approving runs exactly the plan in `approval`."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/approve", id), body=body or {}, options=options))

    def refuse(self, id: str, body: Optional[Refuse] = None, **options: Unpack[Options]) -> Message:
        """Refuse it.
        For the owner named by `approval.by`. The message becomes `rejected`, and no step of the plan runs."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/refuse", id), body=body or {}, options=options))

    def list_of(self, address: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]] = None, since: Optional[str] = None, query: Optional[str] = None, direction: Optional[Literal["received", "sent", "all"]] = None, from_: Optional[str] = None, has: Optional[Literal["attachment"]] = None, newest_of: Optional[Literal["thread"]] = None, label: Optional[str] = None, **options: Unpack[Options]) -> Pages[Message]:
        """What a mailbox received or sent.
        A reply is a message too: what the mailbox wrote is in `direction=sent`, as `completed`, with `in_reply_to` and without a reply of its own. The filters add up."""
        return self._http.list("List[Message]", path("/api/v1/mailboxes/{}/messages", address), {"limit": limit, "cursor": cursor, "status": status, "since": since, "query": query, "direction": direction, "from": from_, "has": has, "newest_of": newest_of, "label": label}, options)

    def list_suppressions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Suppression]:
        """The addresses outside to which nothing is sent.
        An address is suppressed when it does not exist, or when its owner reported a mail as unwanted; for this namespace alone. Sorted by address."""
        return self._http.list("List[Suppression]", "/api/v1/mail/suppressions", {"limit": limit, "cursor": cursor}, options)

    def lift_suppression(self, address: str, **options: Unpack[Options]) -> None:
        """Send to an address again.
        What could not be sent meanwhile is not sent by this."""
        return self._http.json("None", "DELETE", path("/api/v1/mail/suppressions/{}", address), options=options)


class Drafts:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, body: NewDraft, **options: Unpack[Options]) -> Draft:
        """Create a draft.
        Takes what `POST /api/v1/mail/send` takes, files included, every field optional. With `send_at` it must be complete, and is sent at that time from the key that wrote it last; the send counts against the rate limits then. A namespace may have 1,000 drafts unless the operator sets another limit."""
        return cast(Any, self._http.json("Draft", "POST", "/api/v1/mail/drafts", body=body, idempotent=True, options=options))

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Draft]:
        """Drafts that are not sent.
        Those that this key wrote; with `messages:read` those of its namespace, or of the mailbox it is bound to. `metadata.KEY=VALUE` finds those with that pair of `metadata`."""
        return self._http.list("List[Draft]", "/api/v1/mail/drafts", {"limit": limit, "cursor": cursor}, options)

    def get(self, id: str, **options: Unpack[Options]) -> Draft:
        """Get a draft.
        A sent draft says for a day which message it became, without its contents."""
        return cast(Any, self._http.json("Draft", "GET", path("/api/v1/mail/drafts/{}", id), options=options))

    def update(self, id: str, body: DraftChange, **options: Unpack[Options]) -> Draft:
        """Change a draft.
        A field that is left out stays as it is; null removes it. `attachments` is the list of all files that it has from then on: those that stay by their `id`, and new ones; files of a `multipart/form-data` request are added to it, or to those it has when `attachments` is left out. The draft then belongs to this key, which sends it at its `send_at`. `send_at: null` takes it off the schedule. Of two changes at once the second is applied to the result of the first; with `If-Match` it is refused instead."""
        return cast(Any, self._http.json("Draft", "PATCH", path("/api/v1/mail/drafts/{}", id), body=body, options=options))

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Delete a draft.
        It is not sent, and its files are removed. A message that it became stays."""
        return self._http.json("None", "DELETE", path("/api/v1/mail/drafts/{}", id), options=options)

    def send(self, id: str, **options: Unpack[Options]) -> Message:
        """Send a draft now.
        From this key, whatever its `send_at`. It is sent once: repeated, this answers with the same message and `Idempotency-Replayed`. What keeps it from being sent is answered, and kept as `error` of the draft."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/drafts/{}/send", id), idempotent=True, options=options))


class Answers:
    def __init__(self, http: Http) -> None:
        self._http = http

    def take_over_thread(self, id: str, **options: Unpack[Options]) -> Thread:
        """Take a thread over from the behavior.
        For a mailbox of any behavior. From then on the messages of the thread wait for an answer by hand (`POST /api/v1/mail/messages/{id}/answer` without a claim), also while the mailbox is paused, for 24 hours or as long as the settings of an `agent` say; then they fail with `answer_timeout`. A sync send waits for the person within its time. An answer that the behavior is still making is dropped, one under a claim that a program holds is refused with 409 `claim_lost`, and what waits for an approval keeps waiting for the decision. Repeated, it changes nothing."""
        return cast(Any, self._http.json("Thread", "POST", path("/api/v1/mail/threads/{}/take-over", id), options=options))

    def hand_back_thread(self, id: str, **options: Unpack[Options]) -> Thread:
        """Hand a thread back to the behavior.
        The messages of the thread that have no answer are handled by the behavior now, as are later ones. Repeated, it changes nothing."""
        return cast(Any, self._http.json("Thread", "POST", path("/api/v1/mail/threads/{}/hand-back", id), options=options))

    def claim(self, address: str, body: Optional[ClaimRequest] = None, **options: Unpack[Options]) -> Claimed:
        """Claim messages to answer.
        For an address with the behavior `agent`. Answers as soon as there is a message, or with an empty list after `wait` seconds. Each message is leased to this call: no other gets it until the lease ends or it is released. While such a call is open, and for 60 seconds after, the mailbox is `online`."""
        return cast(Any, self._http.json("Claimed", "POST", path("/api/v1/mailboxes/{}/claim", address), body=body or {}, options=options))

    def answer(self, id: str, body: Answer, **options: Unpack[Options]) -> AnsweredMessage:
        """Answer a message.
        Under a claim, or by hand without one. For a key without `messages:read`, `body` is empty and other content is null in the answer. The first answer settles the message; a later one adds a reply to the thread (`answer.settles` is false), but not under a claim after an answer by hand (`claim_lost`). A claim whose lease ended still counts while no other claim has the message. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`."""
        return cast(Any, self._http.json("AnsweredMessage", "POST", path("/api/v1/mail/messages/{}/answer", id), body=body, idempotent=True, options=options))

    def answer_many(self, address: str, body: AnswerBatch, **options: Unpack[Options]) -> AnswerResults:
        """Answer several messages.
        As an answer to each message under its claim, without files, in one request. A message that cannot be answered has its `problem`, and the others are answered. Sent again, an answer that was given adds nothing."""
        return cast(Any, self._http.json("AnswerResults", "POST", path("/api/v1/mailboxes/{}/answers", address), body=body, options=options))

    def progress(self, id: str, body: ProgressRequest, **options: Unpack[Options]) -> Lease:
        """Show progress and extend the lease.
        `text` is shown to those who wait for the message, and kept with it; `draft` is the whole reply as written so far, shown to those who follow the message on this node. With the claim alone it only extends the lease."""
        return cast(Any, self._http.json("Lease", "POST", path("/api/v1/mail/messages/{}/progress", id), body=body, options=options))

    def release(self, id: str, body: ReleaseRequest, **options: Unpack[Options]) -> Message:
        """Give a claimed message back.
        The next claim gets it, after `after_seconds` if given."""
        return cast(Any, self._http.json("Message", "POST", path("/api/v1/mail/messages/{}/release", id), body=body, options=options))


class Reviews:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["pending", "approved", "rejected", "expired"]] = None, mailbox: Optional[str] = None, **options: Unpack[Options]) -> Pages[Review]:
        """What waits to leave, and what was decided.
        Messages that a mailbox holds until an owner has seen them, newest first: see `outgoing` of a mailbox. A key that is bound to a mailbox sees those of that one."""
        return self._http.list("List[Review]", "/api/v1/mail/reviews", {"limit": limit, "cursor": cursor, "status": status, "mailbox": mailbox}, options)

    def get(self, id: str, **options: Unpack[Options]) -> Review:
        """One review.
        The message as it would leave, with what was found in it."""
        return cast(Any, self._http.json("Review", "GET", path("/api/v1/mail/reviews/{}", id), options=options))

    def change(self, id: str, body: ReviewChange, **options: Unpack[Options]) -> Review:
        """Change the text of a message that waits.
        It has another `hash` from then on, and someone else approves it. With `hash`, 409 `review_changed` where it was changed since you read it."""
        return cast(Any, self._http.json("Review", "PATCH", path("/api/v1/mail/reviews/{}", id), body=body, options=options))

    def approve(self, id: str, body: ApproveReview, **options: Unpack[Options]) -> Review:
        """Let a message leave.
        Exactly what has this `hash` leaves. The key or session that wrote it, or changed it last, may not approve it."""
        return cast(Any, self._http.json("Review", "POST", path("/api/v1/mail/reviews/{}/approve", id), body=body, options=options))

    def reject(self, id: str, body: Optional[RejectReview] = None, **options: Unpack[Options]) -> Review:
        """Keep a message from leaving.
        What it answers is settled as `rejected`, with `review_rejected` and no word of the text."""
        return cast(Any, self._http.json("Review", "POST", path("/api/v1/mail/reviews/{}/reject", id), body=body or {}, options=options))


class Mailboxes:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, query: Optional[str] = None, behavior: Optional[str] = None, namespace: Optional[str] = None, **options: Unpack[Options]) -> Pages[Mailbox]:
        """The directory: listed mailboxes of every namespace.
        Those that answer: a mailbox whose behavior is not loaded is left out."""
        return self._http.list("List[Mailbox]", "/api/v1/mailboxes", {"limit": limit, "cursor": cursor, "query": query, "behavior": behavior, "namespace": namespace}, options)

    def list_of(self, name: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, query: Optional[str] = None, **options: Unpack[Options]) -> Pages[Mailbox]:
        """Mailboxes of a namespace.
        The listed ones; all of them for its own keys, which may narrow them by `metadata.KEY=VALUE`."""
        return self._http.list("List[Mailbox]", path("/api/v1/namespaces/{}/mailboxes", name), {"limit": limit, "cursor": cursor, "query": query}, options)

    def create(self, name: str, body: NewMailbox, **options: Unpack[Options]) -> Mailbox:
        """Create a mailbox.
        A namespace may have 1,000 mailboxes unless the operator sets another limit. One more is answered 422: delete one first. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) require a key with `messages:read` too that does not expire; `trusted_issuers` an owner key."""
        return cast(Any, self._http.json("Mailbox", "POST", path("/api/v1/namespaces/{}/mailboxes", name), body=body, idempotent=True, options=options))

    def get(self, address: str, **options: Unpack[Options]) -> Mailbox:
        """Get a mailbox.
        An unlisted mailbox is visible to anyone who knows its address; one with access `key` only to keys of its namespace."""
        return cast(Any, self._http.json("Mailbox", "GET", path("/api/v1/mailboxes/{}", address), options=options))

    def update(self, address: str, body: MailboxChange, **options: Unpack[Options]) -> Mailbox:
        """Change a mailbox, pause it, resume it.
        `behavior.settings` are replaced as a whole. Each behavior keeps its settings: changing only `behavior.name` restores the settings the mailbox last had with that behavior (empty the first time) and keeps those of the previous one. A plan that waits for approval can run only with the behavior that made it; until the mailbox has it again, approving is answered 409. A paused mailbox accepts messages, holds them, and answers when it is online again. Where `webhook_url` is set for the first time, the answer has `webhook_secret`. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) are changed, restored or switched on again by a key with `messages:read` too that does not expire, and `trusted_issuers` by an owner key; while they stay as they are, any key that may change the mailbox changes others. `senders` says who may write: a sender on `block`, or missing on a non-empty `allow`, is refused with 403 `sender_not_allowed`, from a second later at most. A key that writes without `from` counts as its namespace. `outgoing` is changed by an owner key, or one with `mail:review` that is not bound to a mailbox; it needs no other scope. `budget` limits what a behavior that asks a language model may take of it: each run reserves what a message may take (the operator’s `MODEL_TOKENS`) before it asks, and gives back what it did not use."""
        return cast(Any, self._http.json("Mailbox", "PATCH", path("/api/v1/mailboxes/{}", address), body=body, options=options))

    def delete(self, address: str, **options: Unpack[Options]) -> None:
        """Delete a mailbox.
        Also deletes what it received. Requests for the address are then answered 410; its owner may create it again, empty."""
        return self._http.json("None", "DELETE", path("/api/v1/mailboxes/{}", address), options=options)

    def rotate_mailbox_webhook(self, address: str, **options: Unpack[Options]) -> RotatedWebhookSecret:
        """Replace the secret of a mailbox’s webhook.
        Requests are signed by the new and by the old secret for 24 hours, then by the new one alone. Requires a key with `messages:read` too that does not expire."""
        return cast(Any, self._http.json("RotatedWebhookSecret", "POST", path("/api/v1/mailboxes/{}/webhook/rotate", address), options=options))

    def try_rules(self, address: str, body: RulesToTry, **options: Unpack[Options]) -> RuleTrial:
        """Try rules on what a mailbox received.
        Says which of these rules would have applied to the last 100 messages that the mailbox received, newest first, and writes nothing. Replies are left out, as no rule is looked at for them. Of labels the rules see those of the service that a message has now. Requires `messages:read` too."""
        return cast(Any, self._http.json("RuleTrial", "POST", path("/api/v1/mailboxes/{}/rules/try", address), body=body, options=options))

    def get_mailbox_usage(self, address: str, *, days: Optional[int] = None, **options: Unpack[Options]) -> Usage:
        """What a mailbox takes of the language model.
        By the UTC day on which a run began, newest first; days without a run are left out. Tokens are counted by the model’s server, and where it does not count, or its answer broke off, estimated at four characters each. Previews are not counted. Kept for 90 days."""
        return cast(Any, self._http.json("Usage", "GET", path("/api/v1/mailboxes/{}/usage", address), query={"days": days}, options=options))

    def list_outside_tools(self, address: str, **options: Unpack[Options]) -> OutsideServers:
        """The tools of the servers and agents that a mailbox lists.
        For `do` and `assistant`. Connects to each whose tools were not listed in the last five minutes; one that cannot be used has an `error`. Nothing is called."""
        return cast(Any, self._http.json("OutsideServers", "GET", path("/api/v1/mailboxes/{}/outside", address), options=options))

    def check_outside(self, address: str, **options: Unpack[Options]) -> OutsideServers:
        """Connect again to the servers and agents that a mailbox lists.
        As `GET …/outside`, with what they offer now."""
        return cast(Any, self._http.json("OutsideServers", "POST", path("/api/v1/mailboxes/{}/outside/check", address), options=options))

    def export(self, address: str, **options: Unpack[Options]) -> Response:
        """Take the mail of a mailbox with you.
        An mbox file (RFC 4155; lines that begin with `From ` are quoted as mboxrd does), which any mail program opens: everything the mailbox received and wrote up to now, its replies too, oldest first, without its trash. Where the original of a mail is kept, exactly its bytes; else a mail made of what is stored, with `X-Mailroom-Id`. An export that breaks off closes the connection before its end."""
        return self._http.raw("GET", path("/api/v1/mailboxes/{}/export.mbox", address), options=options)

    def import_mail(self, address: str, content: Union[str, bytes], *, received_at: Optional[str] = None, **options: Unpack[Options]) -> ImportResult:
        """Import a mail.
        The body is one mail as it is (RFC 5322), of an archive or another mailbox. It is filed with its date: nothing handles or answers it, no event and no webhook tells of it, it is read, its author counts as unproven (`not_answered: "imported"`), and it continues the threads of imported mails alone. The same mail again adds nothing, so an import that broke off is repeated whole. `mailroom import ADDRESS FILE` sends all mails of an mbox file, a Maildir or a folder of .eml files."""
        return cast(Any, self._http.json("ImportResult", "POST", path("/api/v1/mailboxes/{}/import", address), query={"received_at": received_at}, data=("message/rfc822", content), options=options))


class SignIn:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list_clients(self, address: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Client]:
        """Apps that let people sign in by an auth address (OIDC clients)"""
        return self._http.list("List[Client]", path("/api/v1/mailboxes/{}/clients", address), {"limit": limit, "cursor": cursor}, options)

    def create_client(self, address: str, body: NewClient, **options: Unpack[Options]) -> ClientWithSecret:
        """Register a service.
        Requires a key that does not expire, because the service would outlast the key; changing a service does too. The service can then sign people and agents in with any OpenID Connect library, using `issuer`, `id` and `client_secret`. The secret is shown only in this answer. Repeating the request with the same `Idempotency-Key` creates no second service and does not return the secret; if you lost it, create a new one with `POST …/secret`."""
        return cast(Any, self._http.json("ClientWithSecret", "POST", path("/api/v1/mailboxes/{}/clients", address), body=body, idempotent=True, options=options))

    def get_client(self, address: str, id: str, **options: Unpack[Options]) -> Client:
        """Get a service"""
        return cast(Any, self._http.json("Client", "GET", path("/api/v1/mailboxes/{}/clients/{}", address, id), options=options))

    def update_client(self, address: str, id: str, body: ClientChange, **options: Unpack[Options]) -> Client:
        """Change a service.
        Requires a key that does not expire. Lists are replaced as a whole; null removes a field. After a change to a method with a secret, create one with `POST …/secret`."""
        return cast(Any, self._http.json("Client", "PATCH", path("/api/v1/mailboxes/{}/clients/{}", address, id), body=body, options=options))

    def delete_client(self, address: str, id: str, **options: Unpack[Options]) -> None:
        """Remove a service.
        No one can sign in to it afterwards."""
        return self._http.json("None", "DELETE", path("/api/v1/mailboxes/{}/clients/{}", address, id), options=options)

    def renew_client_secret(self, address: str, id: str, **options: Unpack[Options]) -> ClientWithSecret:
        """Make a new secret for a service.
        Requires a key that does not expire. The previous secret stops working at once. The new one is shown only in this answer."""
        return cast(Any, self._http.json("ClientWithSecret", "POST", path("/api/v1/mailboxes/{}/clients/{}/secret", address, id), options=options))

    def list_registration_tokens(self, address: str, **options: Unpack[Options]) -> Pages[RegistrationToken]:
        """Registration tokens of an auth address"""
        return self._http.list("List[RegistrationToken]", path("/api/v1/mailboxes/{}/registration-tokens", address), {}, options)

    def create_registration_token(self, address: str, body: Optional[NewRegistrationToken] = None, **options: Unpack[Options]) -> RegistrationTokenWithSecret:
        """Let services register themselves.
        The token is shown only in this answer. A service sends it when it registers (RFC 7591). It expires, and it ends with the key that created it, which must not expire."""
        return cast(Any, self._http.json("RegistrationTokenWithSecret", "POST", path("/api/v1/mailboxes/{}/registration-tokens", address), body=body or {}, options=options))

    def delete_registration_token(self, address: str, id: str, **options: Unpack[Options]) -> None:
        """Remove a registration token.
        It can no longer be used. Services registered with it stay."""
        return self._http.json("None", "DELETE", path("/api/v1/mailboxes/{}/registration-tokens/{}", address, id), options=options)

    def list_allowed_services(self, address: str, **options: Unpack[Options]) -> Pages[AllowedService]:
        """Where a mailbox may sign in (allowed relying parties)"""
        return self._http.list("List[AllowedService]", path("/api/v1/mailboxes/{}/services", address), {}, options)

    def allow_service(self, address: str, body: NewAllowedService, **options: Unpack[Options]) -> AllowedService:
        """Let a mailbox sign in to a service.
        The mailbox then signs in there without asking: messages it sends to the `auth` address do not wait for approval. Repeating the request changes nothing. Requires a key that does not expire."""
        return cast(Any, self._http.json("AllowedService", "POST", path("/api/v1/mailboxes/{}/services", address), body=body, options=options))

    def disallow_service(self, address: str, id: str, **options: Unpack[Options]) -> None:
        """Make a mailbox ask again before it signs in.
        A session it already has with the service may continue."""
        return self._http.json("None", "DELETE", path("/api/v1/mailboxes/{}/services/{}", address, id), options=options)


class Namespaces:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, body: NewNamespace, **options: Unpack[Options]) -> NamespaceCreated:
        """Create a namespace.
        No account is needed. The owner key is shown only in this answer. Repeating the request with the same Idempotency-Key while the key is unused returns a new secret, so that a lost answer does not cost you the name; use a random UUID, which no one can guess. Reserved names: a2a, about, account, admin, api, ard, assets, auth, console, docs, events, export, help, imap, livez, llms, login, logout, mail, mcp, metrics, mx, new, ns, oauth, oidc, pop, privacy, problems, public, python, readyz, report, robots, root, search, security, settings, share, sitemap, skills, smtp, static, status, support, terms, try, well-known, www."""
        return cast(Any, self._http.json("NamespaceCreated", "POST", "/api/v1/namespaces", body=body, idempotent=True, options=options))

    def get(self, name: str, **options: Unpack[Options]) -> NamespaceWithMailboxes:
        """Get a namespace"""
        return cast(Any, self._http.json("NamespaceWithMailboxes", "GET", path("/api/v1/namespaces/{}", name), options=options))

    def update(self, name: str, body: NamespaceChange, **options: Unpack[Options]) -> Namespace:
        """Change a namespace"""
        return cast(Any, self._http.json("Namespace", "PATCH", path("/api/v1/namespaces/{}", name), body=body, options=options))

    def delete(self, name: str, **options: Unpack[Options]) -> None:
        """Delete a namespace.
        Its keys stop working at once. Its mailboxes are deleted with everything they received and answered. Messages it sent to others stay with them, without the sender. The name stays taken."""
        return self._http.json("None", "DELETE", path("/api/v1/namespaces/{}", name), options=options)

    def get_overview(self, name: str, **options: Unpack[Options]) -> Overview:
        """A namespace at a glance.
        Its mailboxes with their unread conversations, its labels, what waits for approval, and how much it stores."""
        return cast(Any, self._http.json("Overview", "GET", path("/api/v1/namespaces/{}/overview", name), options=options))

    def get_activity(self, name: str, *, span: Optional[Literal["24h", "30d"]] = None, mailbox: Optional[str] = None, **options: Unpack[Options]) -> Activity:
        """What arrived in a namespace, and how it ended.
        Messages that arrived, were answered and failed, and how long the answers took."""
        return cast(Any, self._http.json("Activity", "GET", path("/api/v1/namespaces/{}/activity", name), query={"span": span, "mailbox": mailbox}, options=options))

    def list_members(self, name: str, **options: Unpack[Options]) -> Pages[Member]:
        """Who belongs to a namespace, and who is invited.
        In the order in which they came. Members are invited, changed and removed in the console by an owner who is signed in, never by a key: a key that leaked must not outlive its revocation."""
        return self._http.list("List[Member]", path("/api/v1/namespaces/{}/members", name), {}, options)

    def export(self, name: str, **options: Unpack[Options]) -> Iterator[Union[ExportLine, ExportLine2, ExportLine3, ExportLine4, ExportLine5, ExportLine6, ExportLine7, ExportLine8]]:
        """Take everything with you.
        JSON Lines: the namespace, its mailboxes with their settings, its keys and webhooks without secrets, then everything its mailboxes received and its keys sent up to now, oldest first, each message once with its reply, and last where conversations stand and what members noted of them. A filed copy of a reply is included only if the message it answers is not. The export is complete when its last line has the type `end`."""
        return self._http.lines("Union[ExportLine, ExportLine2, ExportLine3, ExportLine4, ExportLine5, ExportLine6, ExportLine7, ExportLine8]", path("/api/v1/namespaces/{}/export", name), options)

    def list_audit(self, name: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, action: Optional[str] = None, actor: Optional[str] = None, **options: Unpack[Options]) -> Pages[AuditEntry]:
        """Who changed what, and read what.
        An entry for each change of keys, members, settings, policies, webhooks, domains and services, each decision on a review or a plan, take-over, deletion, export, sign-in and read of a raw mail, newest first. Each is written with its change, and holds the hash of the entry before it. Kept for `AUDIT_DAYS` days (400 unless the operator set another number)."""
        return self._http.list("List[AuditEntry]", path("/api/v1/namespaces/{}/audit", name), {"limit": limit, "cursor": cursor, "action": action, "actor": actor}, options)

    def export_audit(self, name: str, **options: Unpack[Options]) -> Iterator[Union[AuditExportLine, AuditExportLine2, AuditExportLine3]]:
        """Take the audit log with you.
        JSON Lines: what precedes the first entry, each entry, oldest first, and how many there are. `mailroom audit verify FILE` finds each entry that was changed, left out or moved since."""
        return self._http.lines("Union[AuditExportLine, AuditExportLine2, AuditExportLine3]", path("/api/v1/namespaces/{}/audit/export", name), options)


class Domains:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, name: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Domain]:
        """The namespace's domains"""
        return self._http.list("List[Domain]", path("/api/v1/namespaces/{}/domains", name), {"limit": limit, "cursor": cursor}, options)

    def add(self, name: str, body: NewDomain, **options: Unpack[Options]) -> Domain:
        """Add a domain of yours.
        Publish the records of the answer in DNS. Once the TXT record of verification is found, `hello@` your domain reaches the mailbox `hello` of the namespace, beside its address here, and answers leave from the address that was written to, signed for your domain. It is looked up by itself, ever less often, for three weeks, and at once by `verify`. Adding it again answers with what there is. Other namespaces may add the same domain; it is verified in one at a time. Requires an owner key that does not expire, and a namespace that has an owner (claimed). A namespace has at most 20 domains."""
        return cast(Any, self._http.json("Domain", "POST", path("/api/v1/namespaces/{}/domains", name), body=body, options=options))

    def get(self, name: str, domain: str, **options: Unpack[Options]) -> Domain:
        """Get a domain with its records"""
        return cast(Any, self._http.json("Domain", "GET", path("/api/v1/namespaces/{}/domains/{}", name, domain), options=options))

    def remove(self, name: str, domain: str, **options: Unpack[Options]) -> None:
        """Remove a domain.
        With its keys. Mail to its addresses is refused from then on (550); answers that wait leave from the address at the domain of the service. Added again it has other records."""
        return self._http.json("None", "DELETE", path("/api/v1/namespaces/{}/domains/{}", name, domain), options=options)

    def verify(self, name: str, domain: str, **options: Unpack[Options]) -> Domain:
        """Look up its records now.
        Answers with what DNS says about each record. A domain that is verified in another namespace, whose TXT record is still there, is 409; without that record it is verified here, and the other one fails."""
        return cast(Any, self._http.json("Domain", "POST", path("/api/v1/namespaces/{}/domains/{}/verify", name, domain), options=options))

    def rotate_domain_keys(self, name: str, domain: str, **options: Unpack[Options]) -> Domain:
        """Make new signing keys.
        Publish the records of the new keys (`keys` with the status `waiting`). They sign mail once all of them are found, which is looked up after a minute, then each hour, and at once by `verify`; until then those before sign. A week later those are removed, and so may be their records. While new keys wait for their records, no others are made, so it may be repeated."""
        return cast(Any, self._http.json("Domain", "POST", path("/api/v1/namespaces/{}/domains/{}/rotate", name, domain), options=options))


class Behaviors:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, **options: Unpack[Options]) -> Pages[Behavior]:
        """How a mailbox can answer"""
        return self._http.list("List[Behavior]", "/api/v1/behaviors", {}, options)


class Events:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, after: Optional[str] = None, **options: Unpack[Options]) -> Pages[Event]:
        """Follow what happens.
        Every event of the namespace’s mailboxes and their messages, in order, kept for 30 days unless the operator sets another time; a key bound to a mailbox gets the events of that mailbox. The answer is a page, oldest first, starting after `after` or `cursor`, or with the oldest event. `next_cursor` is never null: use it to get the events that happened since. With `Accept: text/event-stream` the answer is a stream of server-sent events, starting now or after `Last-Event-ID` or `after`; each has its id, its type as `event`, and the event as one line of JSON. The stream ends when the service restarts or the key stops working: connect again with the last id, and no event is missed or repeated. A message answered on arrival has only its final event; one that waits has `message.received` first. `data` is the state at the time of the answer, and deleted objects no longer appear."""
        return self._http.list("List[Event]", "/api/v1/events", {"limit": limit, "cursor": cursor, "after": after}, options)


class Webhooks:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Webhook]:
        """The namespace's webhooks, without their secrets.
        A key that is bound to a mailbox lists the webhooks of that mailbox."""
        return self._http.list("List[Webhook]", "/api/v1/webhooks", {"limit": limit, "cursor": cursor}, options)

    def create(self, body: NewWebhook, **options: Unpack[Options]) -> WebhookWithSecret:
        """Make a webhook.
        Every event from now on that it asks for is posted to the URL, with the message or mailbox it is about, until the endpoint answers 2xx: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. Requests are signed as in [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id` is the id of the event, the same for every attempt. An event may arrive more than once and out of order. Answer within 15 s. Requires a key that does not expire, and for messages (`*`, `message.*`, `delivery.*`, `thread.*`) one with `messages:read` too. A namespace may have 20 webhooks unless the operator sets another limit."""
        return cast(Any, self._http.json("WebhookWithSecret", "POST", "/api/v1/webhooks", body=body, idempotent=True, options=options))

    def get(self, id: str, **options: Unpack[Options]) -> Webhook:
        """Get a webhook"""
        return cast(Any, self._http.json("Webhook", "GET", path("/api/v1/webhooks/{}", id), options=options))

    def update(self, id: str, body: WebhookChange, **options: Unpack[Options]) -> Webhook:
        """Change a webhook, or switch it off or on.
        A field that is left out stays as it is, so of two changes at once both hold unless they are of one field. Switched off, it gives up what waits. Switched on, it gets events from then on; ask for those in between with `replay`. Requires a key that does not expire, and for messages one with `messages:read` too; what it sends leaves by the rights of that key from then on. Switching it off requires neither."""
        return cast(Any, self._http.json("Webhook", "PATCH", path("/api/v1/webhooks/{}", id), body=body, options=options))

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Remove a webhook.
        With its deliveries. What waits is not delivered any more."""
        return self._http.json("None", "DELETE", path("/api/v1/webhooks/{}", id), options=options)

    def rotate(self, id: str, **options: Unpack[Options]) -> WebhookWithSecret:
        """Replace the secret.
        The secret before it signs too for 24 hours, so that you can replace it at the endpoint meanwhile: `webhook-signature` has one signature for each. Requires a key as for a change."""
        return cast(Any, self._http.json("WebhookWithSecret", "POST", path("/api/v1/webhooks/{}/rotate", id), options=options))

    def test(self, id: str, **options: Unpack[Options]) -> WebhookDelivery:
        """Send a test event.
        One attempt, now, with an event of type `webhook.test`, also when the webhook is switched off. Answers when the endpoint did, after 15 s at most: the delivery is `sent`, or `failed` with the reason as `error`."""
        return cast(Any, self._http.json("WebhookDelivery", "POST", path("/api/v1/webhooks/{}/test", id), options=options))

    def replay(self, id: str, body: WebhookReplay, **options: Unpack[Options]) -> Webhook:
        """Send the events since a time again.
        Every event since then that the webhook asks for and that is still in the log (30 days unless the operator sets another time): those that arrived or were given up are delivered again, those that it missed while it was off for the first time. New events follow after them. For messages it requires a key with `messages:read` that does not expire."""
        return cast(Any, self._http.json("Webhook", "POST", path("/api/v1/webhooks/{}/replay", id), body=body, options=options))

    def list_deliveries(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[Literal["queued", "sent", "deferred", "failed"]] = None, **options: Unpack[Options]) -> Pages[WebhookDelivery]:
        """What was delivered, and what waits.
        Kept for as long as events, and no more than the newest 5,000 of a webhook unless the operator sets other limits."""
        return self._http.list("List[WebhookDelivery]", path("/api/v1/webhooks/{}/deliveries", id), {"limit": limit, "cursor": cursor, "status": status}, options)

    def redeliver(self, id: str, delivery: str, **options: Unpack[Options]) -> WebhookDelivery:
        """Deliver an event again.
        At once, and with all its attempts again, whether it arrived, waits or was given up. For an event of a message it requires a key with `messages:read` that does not expire."""
        return cast(Any, self._http.json("WebhookDelivery", "POST", path("/api/v1/webhooks/{}/deliveries/{}/redeliver", id, delivery), options=options))


class Keys:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[Options]) -> Pages[Key]:
        """The namespace's keys, without their secrets"""
        return self._http.list("List[Key]", "/api/v1/keys", {"limit": limit, "cursor": cursor}, options)

    def create(self, body: NewKey, **options: Unpack[Options]) -> KeyWithSecret:
        """Make a key.
        It cannot do more than the key that creates it. The secret is shown only in this answer."""
        return cast(Any, self._http.json("KeyWithSecret", "POST", "/api/v1/keys", body=body, idempotent=True, options=options))

    def revoke(self, id: str, **options: Unpack[Options]) -> None:
        """Revoke a key.
        It stops working at once."""
        return self._http.json("None", "DELETE", path("/api/v1/keys/{}", id), options=options)

    def me(self, **options: Unpack[Options]) -> Me:
        """The key in use, its namespace and scopes"""
        return cast(Any, self._http.json("Me", "GET", "/api/v1/me", options=options))


class Operations:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get_jwks(self, **options: Unpack[Options]) -> Jwks:
        """The public keys of what this service signs.
        Receipts of `do` are signed with one of them. A key signs for 90 days and is listed for five years."""
        return cast(Any, self._http.json("Jwks", "GET", "/.well-known/jwks.json", options=options))

    def get_livez(self, **options: Unpack[Options]) -> Alive:
        """Whether the process runs"""
        return cast(Any, self._http.json("Alive", "GET", "/livez", options=options))

    def get_readyz(self, **options: Unpack[Options]) -> Alive:
        """Whether it can serve: writes to the database"""
        return cast(Any, self._http.json("Alive", "GET", "/readyz", options=options))

    def get_metrics(self, **options: Unpack[Options]) -> Response:
        """Prometheus metrics"""
        return self._http.raw("GET", "/metrics", options=options)


class Documents:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get_openapi(self, **options: Unpack[Options]) -> Dict[str, Any]:
        """This API as OpenAPI 3.1.
        Generated from the routes and schemas that serve and validate, so it is always current."""
        return cast(Any, self._http.json("Dict[str, Any]", "GET", "/api/v1/openapi.json", options=options))


class Api:
    """Every endpoint, grouped by noun."""

    def __init__(self, http: Http) -> None:
        self.messages = Messages(http)
        self.drafts = Drafts(http)
        self.answers = Answers(http)
        self.reviews = Reviews(http)
        self.mailboxes = Mailboxes(http)
        self.sign_in = SignIn(http)
        self.namespaces = Namespaces(http)
        self.domains = Domains(http)
        self.behaviors = Behaviors(http)
        self.event_log = Events(http)
        self.webhooks = Webhooks(http)
        self.keys = Keys(http)
        self.operations = Operations(http)
        self.documents = Documents(http)
