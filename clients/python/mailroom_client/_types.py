# Made by scripts/generate-client.ts from the OpenAPI document; run `npm run client` to make it again.
# ruff: noqa
from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, Sequence, TypedDict, Union, cast

from ._record import Record


class Recipients(Record):
    """Whom a message with several recipients is for."""
    to: List[str]
    """The mailbox it was sent to, including the tag."""
    cc: List[str]
    bcc: Optional[List[str]]
    """On the message of its sender alone."""


class Copy(Record):
    """What a recipient here has of a message with several recipients."""
    id: str
    """The message in the mailbox of this recipient."""
    to: str
    """The mailbox it was sent to, including the tag."""
    status: str
    """As of a message."""


class MessageSender(Record):
    """Who wrote it."""
    kind: Literal["mailbox", "key", "guest", "email"]
    """A mailbox, a key, a guest without a key, or a stranger by e-mail."""
    id: Optional[str]
    """The mailbox, key or thread behind it; null once that was deleted."""
    verified: Optional[bool]
    """Of an e-mail: whether its address is proven, as `authentication` says."""
    agent: Optional[str]
    """Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing."""


class Attachment(Record):
    """A file; its bytes are at `/api/v1/mail/attachments/{id}`."""
    id: str
    """Its id. Ids sort by creation time."""
    filename: str
    """Without paths and control characters."""
    content_type: str
    """As the sender declared it."""
    size: int
    """Bytes."""
    sha256: str
    """Of the bytes, in hexadecimal."""


class MessageAnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class Approval(Record):
    by: Literal["recipient", "sender"]
    """Whose owner is asked: of the mailbox it was sent to, or of the one it was sent as."""
    plan: Any
    """Exactly what runs after approval."""
    plan_sha256: str
    """SHA-256 of the plan's JSON: name it to approve this plan and no other."""


class Progress(Record):
    text: str
    at: str


class MessageError(Record):
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class Authentication(Record):
    """What the checks of an e-mail say."""
    spf: str
    """The result by RFC 7208, section 2.6."""
    dkim: str
    """The result by RFC 8601, section 2.7.1, of the best signature."""
    dmarc: str
    """The result by RFC 9989."""
    arc: str
    """The result by RFC 8617, section 5.2."""
    verified: bool
    """Whether the address in `From` is proven. Only then it gets automatic answers and has rights."""
    verified_by: Optional[Literal["dmarc", "dkim", "spf", "arc", "network"]]


class EmailDelivery(Record):
    """An e-mail on its way to one address."""
    to: str
    """The mailbox it was sent to, including the tag."""
    message_id: str
    """The message or reply that leaves."""
    status: Literal["queued", "sent", "deferred", "bounced", "complained"]
    """`sent`: the next server took it. `deferred`: it is tried again, by this service (`next_attempt_at`) or by the server that took it. `bounced`: it could not be delivered and is not tried again. `complained`: its recipient reported it as unwanted."""
    error: Optional[str]
    """Why the last attempt failed, as the server said it."""
    attempts: int
    """How many attempts were made."""
    updated_at: str
    """When it was last changed."""
    next_attempt_at: Optional[str]
    """Null when no attempt follows."""


class Finding(Record):
    """Something in a message that its reader should look at."""
    kind: str
    where: str
    """The field, with its offset and length in UTF-16 code units where it is at one place."""
    why: str


class ReplyAnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class Reply(Record):
    id: str
    """Its id: the message’s id with another last character."""
    in_reply_to: str
    """The message it answers."""
    from_: str
    """The mailbox that answered."""
    body: str
    """Markdown, made for people."""
    data: Any
    """The structured part of the answer, as the behavior describes it."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[ReplyAnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    created_at: str
    """When it was created."""


class Message(Record):
    """A message with its status and reply."""
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The thread it belongs to. Send it to continue the conversation."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    retry_of: Optional[str]
    """The failed message it repeats, if any."""
    to: Optional[str]
    """The mailbox it was sent to, including the tag."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    recipients: Optional[Recipients]
    copies: Optional[List[Copy]]
    """Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled."""
    sender: MessageSender
    """Who wrote it."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp"]
    """How it was submitted."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: str
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[MessageAnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    status: Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]
    """`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread."""
    waiting_for: Optional[Literal["approval", "answer", "review"]]
    """`approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing."""
    taken_over: Optional[bool]
    """Present, and true, while it is not settled and a person has taken its thread over from the behavior."""
    approval: Optional[Approval]
    progress: List[Progress]
    """Progress reports of the mailbox, the latest last; empty once the message is settled."""
    error: Optional[MessageError]
    """Why it was `failed` or `rejected`; else null."""
    authentication: Optional[Authentication]
    not_answered: Optional[Literal["auto_submitted", "precedence", "list", "null_path", "mailer_daemon", "own", "unverified", "quarantine", "suppressed", "too_many", "role", "cc", "rule", "spam", "blocked", "imported"]]
    deliveries: Optional[List[EmailDelivery]]
    """Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself."""
    labels: Optional[List[str]]
    """Its labels in the mailbox by which it is read: for readers of that mailbox only."""
    findings: Optional[List[Finding]]
    """Evidence on it, for readers of the mailbox that has it only."""
    rules: Optional[List[str]]
    """The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only."""
    metadata: Optional[Dict[str, Any]]
    """For keys of its writer's namespace alone."""
    created_at: str
    """When it was accepted. It is on disk by then."""
    settled_at: Optional[str]
    """When it was settled; null until then."""
    replies_count: int
    """All replies to it. `reply` is the one that settled it; the thread shows each."""
    reply: Optional[Reply]
    """The answer; null until there is one."""
    replies: Optional[List[Reply]]
    """Of a message with several recipients, for its sender: the replies that settled its copies, up to 20."""


class ScheduledDraftError(Record):
    """Why it could not be sent, and how to fix it. While `scheduled` it is tried again."""
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class ScheduledDraft(Record):
    """The draft that is sent at its time."""
    draft_id: str
    """The id of the draft."""
    id: str
    """Its id. Ids sort by creation time."""
    status: Literal["draft", "scheduled", "failed", "sent"]
    """`draft` waits to be sent by you, `scheduled` for its `send_at`, `failed` could not be sent (see `error`), `sent` is the message `message_id`."""
    to: Optional[Union[str, List[str]]]
    """The mailbox it was sent to, including the tag."""
    cc: Optional[List[str]]
    """Further recipients, whom all see."""
    bcc: Optional[List[str]]
    """Further recipients, of whom no other knows."""
    reply_all: Optional[bool]
    """With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added."""
    reply_to: Optional[Union[str, List[str]]]
    """Where answers by e-mail go: `Reply-To`."""
    html: Optional[str]
    """An HTML part of its own for e-mail, up to 1 MiB."""
    headers: Optional[Dict[str, Any]]
    """Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`."""
    labels: Optional[List[str]]
    """Labels of the message in the mailbox that `from` names."""
    metadata: Optional[Dict[str, Any]]
    """Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: Optional[str]
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    thread_id: Optional[str]
    """The thread it continues, if any."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    caused_by: Optional[str]
    attachments: List[Attachment]
    """Its files."""
    sync: bool
    """Whether `POST …/send` waits for the reply."""
    send_at: Optional[str]
    """When to send it."""
    message_id: Optional[str]
    error: Optional[ScheduledDraftError]
    """Why it was `failed` or `rejected`; else null."""
    etag: str
    """Its `ETag`, as `If-Match` takes it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class TriedMessageSender(Record):
    """Who wrote it."""
    kind: Literal["mailbox", "key", "guest", "email"]
    """A mailbox, a key, a guest without a key, or a stranger by e-mail."""
    id: Optional[str]
    """The mailbox, key or thread behind it; null once that was deleted."""
    verified: Optional[bool]
    """Of an e-mail: whether its address is proven, as `authentication` says."""
    agent: Optional[str]
    """Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing."""


class TriedMessageAnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class TriedMessageError(Record):
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class TriedMessage(Record):
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The thread it belongs to. Send it to continue the conversation."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    retry_of: Optional[str]
    """The failed message it repeats, if any."""
    to: Optional[str]
    """The mailbox it was sent to, including the tag."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    recipients: Optional[Recipients]
    copies: Optional[List[Copy]]
    """Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled."""
    sender: TriedMessageSender
    """Who wrote it."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp"]
    """How it was submitted."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: str
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[TriedMessageAnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    status: Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]
    """`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread."""
    waiting_for: Optional[Literal["approval", "answer", "review"]]
    """`approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing."""
    taken_over: Optional[bool]
    """Present, and true, while it is not settled and a person has taken its thread over from the behavior."""
    approval: Optional[Approval]
    progress: List[Progress]
    """Progress reports of the mailbox, the latest last; empty once the message is settled."""
    error: Optional[TriedMessageError]
    """Why it was `failed` or `rejected`; else null."""
    authentication: Optional[Authentication]
    not_answered: Optional[Literal["auto_submitted", "precedence", "list", "null_path", "mailer_daemon", "own", "unverified", "quarantine", "suppressed", "too_many", "role", "cc", "rule", "spam", "blocked", "imported"]]
    deliveries: Optional[List[EmailDelivery]]
    """Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself."""
    labels: Optional[List[str]]
    """Its labels in the mailbox by which it is read: for readers of that mailbox only."""
    findings: Optional[List[Finding]]
    """Evidence on it, for readers of the mailbox that has it only."""
    rules: Optional[List[str]]
    """The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only."""
    metadata: Optional[Dict[str, Any]]
    """For keys of its writer's namespace alone."""
    created_at: str
    """When it was created."""
    settled_at: Optional[str]
    """When it was settled; null until then."""
    replies_count: int
    """All replies to it. `reply` is the one that settled it; the thread shows each."""
    reply: Optional[Reply]
    """The answer; null until there is one."""
    replies: Optional[List[Reply]]
    """Of a message with several recipients, for its sender: the replies that settled its copies, up to 20."""
    thread_token: str
    """Continues the thread here; as a Bearer token it reads, waits for and cancels its messages."""


class DraftError(Record):
    """Why it could not be sent, and how to fix it. While `scheduled` it is tried again."""
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class Draft(Record):
    """A message that is not sent so far."""
    id: str
    """Its id. Ids sort by creation time."""
    status: Literal["draft", "scheduled", "failed", "sent"]
    """`draft` waits to be sent by you, `scheduled` for its `send_at`, `failed` could not be sent (see `error`), `sent` is the message `message_id`."""
    to: Optional[Union[str, List[str]]]
    """The mailbox it is for; null while there is none."""
    cc: Optional[List[str]]
    """Further recipients, whom all see."""
    bcc: Optional[List[str]]
    """Further recipients, of whom no other knows."""
    reply_all: Optional[bool]
    """With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added."""
    reply_to: Optional[Union[str, List[str]]]
    """Where answers by e-mail go: `Reply-To`."""
    html: Optional[str]
    """An HTML part of its own for e-mail, up to 1 MiB."""
    headers: Optional[Dict[str, Any]]
    """Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`."""
    labels: Optional[List[str]]
    """Labels of the message in the mailbox that `from` names."""
    metadata: Optional[Dict[str, Any]]
    """Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters."""
    from_: Optional[str]
    """The mailbox to write as; null without one."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: Optional[str]
    """The text; null while there is none."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    thread_id: Optional[str]
    """The thread it continues, if any."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    caused_by: Optional[str]
    attachments: List[Attachment]
    """Its files."""
    sync: bool
    """Whether `POST …/send` waits for the reply."""
    send_at: Optional[str]
    """When to send it."""
    message_id: Optional[str]
    error: Optional[DraftError]
    """Why it was `failed` or `rejected`; else null."""
    etag: str
    """Its `ETag`, as `If-Match` takes it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ChallengeParametersData(Record):
    for_: str
    step: int


class ChallengeParameters(Record):
    algorithm: str
    nonce: str
    """16 bytes, in hex."""
    salt: str
    """16 bytes, in hex."""
    cost: int
    """Iterations for each key."""
    keyLength: int
    """Bytes of a key."""
    keyPrefix: str
    """How the key to be found starts, in hex."""
    keySignature: str
    expiresAt: int
    """Seconds since 1970."""
    data: ChallengeParametersData


class Challenge(Record):
    """Work for a program: find the counter, from 0 on, with which PBKDF2 over `nonce` followed by the counter (4 bytes, big-endian) gives a key that starts with `keyPrefix`. Any ALTCHA client does it."""
    parameters: ChallengeParameters
    signature: str


class MessageBatchResultItemsItemError(Record):
    code: str
    message: str


class MessageBatchResultItemsItem(Record):
    id: str
    status: int
    """As its own request would have been answered."""
    error: Optional[MessageBatchResultItemsItemError]


class MessageBatchResult(Record):
    items: List[MessageBatchResultItemsItem]
    """One for each id, in their order."""


class AwaitedMessage(Record):
    message: Optional[Message]
    """Null when the time is over."""
    code: Optional[str]
    """The one-time code as it is typed: digits without blanks, words with single ones; left out where none was found."""
    link: Optional[str]
    """The link; left out where none was found."""


class ThreadSummaryLast(Record):
    id: str
    from_: Optional[str]
    snippet: str
    """The beginning of its text, up to 200 characters."""
    created_at: str


class ThreadSummary(Record):
    """A conversation as you see it."""
    id: str
    """Its id. Ids sort by creation time."""
    subject: Optional[str]
    """A subject line, if there is one."""
    participants: List[str]
    """Addresses of From, To and Cc, oldest first."""
    mailboxes: List[str]
    """Your mailboxes that are in it."""
    messages_count: int
    """Messages and replies."""
    unread_count: int
    labels: List[str]
    """Of any of its messages, in your mailboxes."""
    state: Optional[Literal["open", "waiting", "done", "later"]]
    """`open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again."""
    until: Optional[str]
    """When one for `later` opens again; null otherwise."""
    assignee: Optional[str]
    """The id of the member who takes care of it."""
    last: ThreadSummaryLast


class SearchHitHighlightsItem(Record):
    field: Literal["subject", "body", "reply.body"]
    offset: int
    """In UTF-16 code units, as strings of JavaScript count."""
    length: int


class SearchHit(Record):
    message: Message
    highlights: List[SearchHitHighlightsItem]
    """Where it says what was searched; at most 100."""


class ThreadItemAnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class ThreadItemError(Record):
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class ThreadItem(Record):
    """A message or a reply, one after the other."""
    kind: Literal["message", "reply"]
    """Whether it is a message or a reply."""
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The thread it belongs to. Send it to continue the conversation."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    to: Optional[str]
    """The recipient; null for a reply to a sender without a mailbox."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: str
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[ThreadItemAnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    status: Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]
    """`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread."""
    error: Optional[ThreadItemError]
    """Why it was `failed` or `rejected`; else null."""
    created_at: str
    """When it was created."""


class Thread(Record):
    """A thread in one mailbox: who answers it, where it stands, and who takes care of it."""
    id: str
    """Its id. Ids sort by creation time."""
    mailbox: str
    """The mailbox in which it is so."""
    taken_over: bool
    """Whether its messages wait for an answer by hand."""
    taken_over_at: Optional[str]
    """Since when; null where its mailbox answers."""
    state: Literal["open", "waiting", "done", "later"]
    """`open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again."""
    until: Optional[str]
    """When one for `later` opens again; null otherwise."""
    assignee: Optional[str]
    """The id of the member who takes care of it."""


class Actor(Record):
    """A member, or a key of no member."""
    kind: Literal["member", "key"]
    """Whether it is a member, or a key of no member."""
    id: str
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class ThreadNote(Record):
    """A note beside a thread: for those who read the mailbox, and for no one else."""
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The conversation beside which it stands."""
    mailbox: str
    """The mailbox whose readers see it."""
    author: Actor
    """Who wrote it, as they were called then."""
    body: str
    """Its text, plain."""
    mentions: List[str]
    """The ids of the members whom it names by `@name`."""
    created_at: str
    """When it was created."""


class ClaimedMessage(Record):
    message: Message
    thread: List[ThreadItem]
    """The last 20 messages and replies before it, oldest first."""
    claim: str
    """From `POST /api/v1/mailboxes/{address}/claim`."""
    lease_expires_at: str


class Claimed(Record):
    items: List[ClaimedMessage]
    """One page of the list."""


class AnsweredMessageSender(Record):
    """Who wrote it."""
    kind: Literal["mailbox", "key", "guest", "email"]
    """A mailbox, a key, a guest without a key, or a stranger by e-mail."""
    id: Optional[str]
    """The mailbox, key or thread behind it; null once that was deleted."""
    verified: Optional[bool]
    """Of an e-mail: whether its address is proven, as `authentication` says."""
    agent: Optional[str]
    """Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing."""


class AnsweredMessageAnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class AnsweredMessageError(Record):
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class AnsweredMessageAnswer(Record):
    """The reply that this request added, and whether it settled the message."""
    id: Optional[str]
    settles: bool


class AnsweredMessage(Record):
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The thread it belongs to. Send it to continue the conversation."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    retry_of: Optional[str]
    """The failed message it repeats, if any."""
    to: Optional[str]
    """The mailbox it was sent to, including the tag."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    recipients: Optional[Recipients]
    copies: Optional[List[Copy]]
    """Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled."""
    sender: AnsweredMessageSender
    """Who wrote it."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp"]
    """How it was submitted."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: str
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[AnsweredMessageAnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    status: Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]
    """`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread."""
    waiting_for: Optional[Literal["approval", "answer", "review"]]
    """`approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing."""
    taken_over: Optional[bool]
    """Present, and true, while it is not settled and a person has taken its thread over from the behavior."""
    approval: Optional[Approval]
    progress: List[Progress]
    """Progress reports of the mailbox, the latest last; empty once the message is settled."""
    error: Optional[AnsweredMessageError]
    """Why it was `failed` or `rejected`; else null."""
    authentication: Optional[Authentication]
    not_answered: Optional[Literal["auto_submitted", "precedence", "list", "null_path", "mailer_daemon", "own", "unverified", "quarantine", "suppressed", "too_many", "role", "cc", "rule", "spam", "blocked", "imported"]]
    deliveries: Optional[List[EmailDelivery]]
    """Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself."""
    labels: Optional[List[str]]
    """Its labels in the mailbox by which it is read: for readers of that mailbox only."""
    findings: Optional[List[Finding]]
    """Evidence on it, for readers of the mailbox that has it only."""
    rules: Optional[List[str]]
    """The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only."""
    metadata: Optional[Dict[str, Any]]
    """For keys of its writer's namespace alone."""
    created_at: str
    """When it was accepted. It is on disk by then."""
    settled_at: Optional[str]
    """When it was settled; null until then."""
    replies_count: int
    """All replies to it. `reply` is the one that settled it; the thread shows each."""
    reply: Optional[Reply]
    """The answer; null until there is one."""
    replies: Optional[List[Reply]]
    """Of a message with several recipients, for its sender: the replies that settled its copies, up to 20."""
    answer: AnsweredMessageAnswer
    """The reply that this request added, and whether it settled the message."""


class AnswerResultsItemsItemAnswer(Record):
    """The reply that was added, and whether it settled the message."""
    id: Optional[str]
    settles: bool


class AnswerResultsItemsItemProblem(Record):
    """Why this message was not answered, as its own request would have said."""
    status: int
    code: str
    title: str
    detail: str


class AnswerResultsItemsItem(Record):
    message_id: str
    answer: Optional[AnswerResultsItemsItemAnswer]
    """The reply that was added, and whether it settled the message."""
    problem: Optional[AnswerResultsItemsItemProblem]
    """Why this message was not answered, as its own request would have said."""


class AnswerResults(Record):
    items: List[AnswerResultsItemsItem]
    """One for each answer, in their order."""


class Lease(Record):
    claim: str
    """From `POST /api/v1/mailboxes/{address}/claim`."""
    lease_expires_at: str


class ReviewMessageAttachmentsItem(Record):
    filename: str
    content_type: str
    sha256: str


class ReviewMessage(Record):
    """The message as it would leave: exactly what `hash` covers."""
    from_: str
    to: Optional[List[str]]
    cc: Optional[List[str]]
    bcc: Optional[List[str]]
    reply_to: Optional[List[str]]
    headers: Optional[Dict[str, Any]]
    subject: Optional[str]
    body: str
    html: Optional[str]
    data: Optional[str]
    attachments: Optional[List[ReviewMessageAttachmentsItem]]
    in_reply_to: Optional[str]


class ReviewOriginal(Record):
    """Its texts as they were first written. Only where they were changed since."""
    subject: Optional[str]
    body: str
    html: Optional[str]


class ReviewRefusalsItem(Record):
    from_: str
    why: str
    at: str


class Review(Record):
    """A message that waits until an owner has seen it, and what was decided."""
    id: str
    """Its id. Ids sort by creation time."""
    status: Literal["pending", "approved", "rejected", "expired"]
    mailbox: str
    """The mailbox that it would leave."""
    message_id: str
    """The message that it answers, or that its sender wrote."""
    message: ReviewMessage
    """The message as it would leave: exactly what `hash` covers."""
    original: Optional[ReviewOriginal]
    """Its texts as they were first written. Only where they were changed since."""
    recipients: List[str]
    """All whom it would reach."""
    findings: List[Finding]
    hash: str
    """SHA-256 of the JSON of RFC 8785 of `message`, in hexadecimal."""
    requested_at: str
    expires_at: str
    """When it stops working; null: never."""
    decided_by: Optional[str]
    decided_at: Optional[str]
    reason: Optional[str]
    receipt: Optional[str]
    refusals: Optional[List[ReviewRefusalsItem]]
    """Decisions that were refused, such as forged mails, oldest first, 10 at most. `from` is what they say, and may be false."""


class MailboxBehavior(Record):
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    name: str
    """A name from `GET /api/v1/behaviors`."""
    settings: Optional[Dict[str, Any]]
    """As the behavior's `settings_schema` says."""


class Budget(Record):
    tokens_per_day: Optional[int]
    """Of all messages together; null for no limit."""
    tokens_per_sender_per_day: Optional[int]
    """Of each sender: a namespace, an address outside, or the network of a person without a key; null for no limit."""


class Senders(Record):
    """Who may write to a mailbox. Each entry is an address, `*@` and a domain, or a namespace."""
    allow: List[str]
    """Only these may write, by e-mail with proof that they did; when it is empty, everyone may."""
    block: List[str]
    """These may not write, even when `allow` has them."""


class Outgoing(Record):
    """What may leave the mailbox, and what of it waits for a review."""
    review: Literal["never", "outside", "first_contact", "findings", "always"]
    """Which messages wait until an owner approves them. `never`; `outside`: those with a recipient that is no mailbox here; `first_contact`: those to an address that wrote no verified message to this mailbox and was never approved; `findings`: those with findings; `always`."""
    allow: List[str]
    """Only these are written to, unless it is empty. Each entry is an address, `*@` and a domain, or a namespace."""
    block: List[str]
    """These are not written to, even when `allow` has them."""
    max_per_day: Optional[int]
    """How many recipients it writes to on a UTC day."""
    expires_seconds: int
    """How long a message waits for its review."""
    on_expiry: Literal["discard", "send"]
    """What becomes of a message that was not decided on in time. `send` goes with `outside` and `first_contact` alone, and never sends what has a finding."""


class RuleIf(Record):
    """All conditions must hold; without any the rule applies to everything."""
    from_: Optional[Union[str, List[str]]]
    """Its sender: an address, `*@` and a domain, or a namespace. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    to: Optional[Union[str, List[str]]]
    """One of its To or Cc, or the address that got it: entries as in `from`. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    subject: Optional[Union[str, List[str]]]
    """The subject contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    body: Optional[Union[str, List[str]]]
    """The body contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    has: Optional[Literal["attachment"]]
    """It has a file."""
    finding: Optional[Union[Literal["hidden_text", "reply_to_differs", "lookalike_sender", "instructions", "dangerous_attachment", "spam"], List[Literal["hidden_text", "reply_to_differs", "lookalike_sender", "instructions", "dangerous_attachment", "spam"]]]]
    """A finding of this kind was made in it. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    verified: Optional[bool]
    """Whether its sender is proven: of a mail by SPF, DKIM and DMARC; a key and a mailbox here are, a guest is not."""
    channel: Optional[Union[Literal["api", "web", "smtp", "a2a", "mcp"], List[Literal["api", "web", "smtp", "a2a", "mcp"]]]]
    """How it came. A list of up to 20, of which one is enough, or one alone; shown as a list."""
    label: Optional[Union[str, List[str]]]
    """It has this label, by the service on arrival or by an earlier rule. A list of up to 20, of which one is enough, or one alone; shown as a list."""


class RuleThen(Record):
    label: Optional[List[str]]
    """Labels to add."""
    forward_to: Optional[str]
    """An address, here or outside. One outside gets nothing before it has confirmed by the link in a mail that it is sent."""
    assign: Optional[str]
    """The id of a member who reads the mailbox, who takes care of the conversation unless another does. Of several rules the first one counts."""
    review: Optional[Literal[True]]
    """Its answer waits for a review."""
    answer: Optional[Literal[False]]
    """Nothing answers it: `completed`, with `not_answered: "rule"`."""
    done: Optional[Literal[True]]
    """No later rule is looked at."""


class Rule(Record):
    id: str
    """1 to 40 of a-z, 0-9, _ and -, once in the list. It is on the messages to which the rule applied."""
    if_: RuleIf
    """All conditions must hold; without any the rule applies to everything."""
    then: RuleThen
    forward_confirmed: Optional[bool]
    """Of a rule that forwards to an address outside: whether it has confirmed. Until then nothing is forwarded."""
    forward_stopped: Optional[Literal[True]]
    """Of a rule that forwards: the key by which it does was revoked, or may not read the messages any more. Save the rules again, by another key."""


class MailboxWebhook(Record):
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    status: Literal["on", "off"]
    failing_since: Optional[str]
    """When the attempts began to fail."""
    disabled_at: Optional[str]
    """When it was switched off."""
    last_error: Optional[str]
    """What went wrong last."""
    limited_since: Optional[str]
    """Since when it gets the ids of messages alone, because the key that set it may not read them, or expires."""


class Mailbox(Record):
    """An address that is served by an automated agent."""
    id: str
    """Its id. Ids sort by creation time."""
    address: str
    """The whole address."""
    local_part: str
    """The part before the `@`."""
    aliases: List[str]
    """Its addresses at the verified domains of the namespace, in the order of the alphabet."""
    namespace: str
    """The name of its namespace."""
    display_name: Optional[str]
    description: str
    """What it does, in one line of up to 300 characters."""
    behavior: MailboxBehavior
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    status: Literal["online", "paused", "offline"]
    """`online` answers. `paused` (by its owner) and `offline` accept messages, hold them, and answer them later."""
    visibility: Literal["listed", "unlisted"]
    """`listed`: in the directory. `unlisted`: found by its address alone."""
    access: Literal["public", "key"]
    """`public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false."""
    try_out: bool
    """Whether people without a key may try it."""
    wake: Literal["to", "cc", "mention"]
    """Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`."""
    sign_answers: bool
    """Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default."""
    metadata: Optional[Dict[str, Any]]
    """Pairs of text, for keys of its namespace."""
    budget: Optional[Budget]
    """Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. Null for none. Shown as `senders` are."""
    senders: Optional[Senders]
    """Who may write to it: present where `behavior.settings` are."""
    outgoing: Optional[Outgoing]
    rules: Optional[List[Rule]]
    webhook: Optional[MailboxWebhook]
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    webhook_secret: Optional[str]
    """Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class RotatedWebhookSecret(Record):
    webhook_secret: str
    """Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it."""
    old_secret_expires_at: str


class RuleTrialItemsItemMessage(Record):
    id: str
    thread_id: str
    from_: Optional[str]
    subject: Optional[str]
    created_at: str


class RuleTrialItemsItemThen(Record):
    """What all of them would have done together; empty where none applies."""
    label: Optional[List[str]]
    forward_to: Optional[List[str]]
    assign: Optional[str]
    review: Optional[Literal[True]]
    answer: Optional[Literal[False]]


class RuleTrialItemsItem(Record):
    message: RuleTrialItemsItemMessage
    rules: List[str]
    """The ids of the rules that would have applied, in their order."""
    then: RuleTrialItemsItemThen
    """What all of them would have done together; empty where none applies."""


class RuleTrial(Record):
    """What rules would have done."""
    items: List[RuleTrialItemsItem]
    """One page of the list."""


class UsageDay(Record):
    date: str
    """The day in UTC."""
    runs: int
    """How often its messages were handled with the model; a message that is tried again counts again."""
    input_tokens: int
    """What the model read."""
    output_tokens: int
    """What the model wrote."""
    tokens: int
    """Both together."""
    reserved: int
    """What runs that have not ended may still use. A run that a crash ended keeps its part until the end of the day."""
    budget: Optional[int]
    """The `tokens_per_day` of the mailbox when the last run began; null for none."""


class Usage(Record):
    items: List[UsageDay]
    """One page of the list."""


class OutsideTool(Record):
    task: str
    """Its name in steps."""
    name: str
    description: str
    """By the server itself; not checked."""
    input_schema: Dict[str, Any]
    """JSON Schema of its input, as it was listed."""
    effects: Literal["reads", "writes"]
    """`reads` for what the server calls read-only."""
    approval: bool
    """Whether each use waits for the approval of an owner."""
    sha256: str
    """Of its name, description, schema and annotations, and of the URL."""


class OutsideServer(Record):
    name: str
    """The name in the settings."""
    kind: Literal["mcp", "a2a"]
    url: str
    title: str
    """The name that it gives itself; empty when it gives none or is not reached."""
    error: Optional[str]
    """Why it cannot be used; null when it can."""
    tools: List[OutsideTool]
    tools_sha256: Optional[str]
    """Of all these tools, for `accepted` in the settings; null when they are not known."""
    accepted: bool
    """Whether the settings accept exactly these tools."""
    left_out: int
    """How many tools are left out because of their number, name or size."""


class OutsideServers(Record):
    items: List[OutsideServer]
    """One page of the list."""


class ClientJwks(Record):
    keys: List[Dict[str, Any]]
    """JSON Web Keys (RFC 7517)."""


class Client(Record):
    """A service that lets people and agents sign in, without its secret."""
    id: str
    """Its `client_id`."""
    issuer: str
    """What its OpenID Connect library is given beside `client_id` and secret."""
    source: Literal["owner", "registration"]
    """`owner`: you registered it. `registration`: it registered itself with a token that you made."""
    name: str
    """The name people see when they sign in."""
    redirect_uris: List[str]
    """Where people return to, compared exactly."""
    post_logout_redirect_uris: List[str]
    """Where people may be sent after signing out."""
    token_endpoint_auth_method: str
    """How it authenticates at the token endpoint."""
    application_type: str
    """`web` or `native`."""
    client_uri: Optional[str]
    """Its home page, if it has one."""
    logo_uri: Optional[str]
    """Its picture, if it has one."""
    jwks: Optional[ClientJwks]
    """Its public keys, with `private_key_jwt`."""
    jwks_uri: Optional[str]
    """Where its public keys are, with `private_key_jwt`."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ClientWithSecretJwks(Record):
    keys: List[Dict[str, Any]]
    """JSON Web Keys (RFC 7517)."""


class ClientWithSecret(Record):
    id: str
    """Its `client_id`."""
    issuer: str
    """What its OpenID Connect library is given beside `client_id` and secret."""
    source: Literal["owner", "registration"]
    """`owner`: you registered it. `registration`: it registered itself with a token that you made."""
    name: str
    """The name people see when they sign in."""
    redirect_uris: List[str]
    """Where people return to, compared exactly."""
    post_logout_redirect_uris: List[str]
    """Where people may be sent after signing out."""
    token_endpoint_auth_method: str
    """How it authenticates at the token endpoint."""
    application_type: str
    """`web` or `native`."""
    client_uri: Optional[str]
    """Its home page, if it has one."""
    logo_uri: Optional[str]
    """Its picture, if it has one."""
    jwks: Optional[ClientWithSecretJwks]
    """Its public keys, with `private_key_jwt`."""
    jwks_uri: Optional[str]
    """Where its public keys are, with `private_key_jwt`."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    client_secret: Optional[str]


class RegistrationToken(Record):
    """A registration token, with which services register themselves, without its secret."""
    id: str
    """Identifies the token; it is not secret."""
    name: Optional[str]
    """What you call it."""
    created_at: str
    """When it was created."""
    expires_at: str
    """When it stops working."""


class RegistrationTokenWithSecret(Record):
    id: str
    """Identifies the token; it is not secret."""
    name: Optional[str]
    """What you call it."""
    created_at: str
    """When it was created."""
    expires_at: str
    """When it stops working."""
    token: str
    """Shown only in this answer. Its holder can register any number of services until it expires or is removed, or the key that created it is revoked."""
    registration_endpoint: str
    """Where to send it, as `Authorization: Bearer`."""


class AllowedService(Record):
    """A service that a mailbox may sign in to without asking its owner."""
    id: str
    """Identifies the service within this mailbox."""
    issuer: str
    """The issuer that the service uses."""
    client_id: str
    """The service's `client_id`."""
    name: str
    """Its name when it was allowed, or the name you gave it."""
    created_at: str
    """When it was created."""


class Namespace(Record):
    """A label that groups mailboxes and is part of each of their addresses."""
    id: str
    """Its id. Ids sort by creation time."""
    name: str
    """The part of its addresses between the `@` and the domain."""
    display_name: Optional[str]
    created_at: str
    """When it was created."""


class KeyWithSecret(Record):
    id: str
    """Its id. Ids sort by creation time."""
    name: Optional[str]
    """What you call it."""
    prefix: str
    """The beginning of the secret, which identifies the key."""
    namespace: str
    """The name of its namespace."""
    scopes: List[Literal["mail:send", "mail:answer", "messages:read", "mail:review", "mailboxes:write", "webhooks:write", "keys:write", "auth:assert", "owner"]]
    """What it may do."""
    mailbox: Optional[str]
    """The address it is bound to, if to one."""
    created_at: str
    """When it was created."""
    last_used_at: Optional[str]
    """To the minute."""
    expires_at: Optional[str]
    """When it stops working; null: never."""
    revoked_at: Optional[str]
    """When it was revoked; null while it works."""
    secret: Optional[str]
    """The key itself, shown only in this answer. Null in a repeated answer once the key was used."""


class NamespaceCreated(Record):
    namespace: Namespace
    """The namespace."""
    key: KeyWithSecret
    """Its owner key."""


class NamespaceWithMailboxes(Record):
    id: str
    """Its id. Ids sort by creation time."""
    name: str
    """The part of its addresses between the `@` and the domain."""
    display_name: Optional[str]
    created_at: str
    """When it was created."""
    mailboxes: List[Mailbox]
    """The first 50 listed ones."""


class OverviewMailboxesItemBehavior(Record):
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    name: str
    """A name from `GET /api/v1/behaviors`."""
    settings: Optional[Dict[str, Any]]
    """As the behavior's `settings_schema` says."""


class OverviewMailboxesItemWebhook(Record):
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    status: Literal["on", "off"]
    failing_since: Optional[str]
    """When the attempts began to fail."""
    disabled_at: Optional[str]
    """When it was switched off."""
    last_error: Optional[str]
    """What went wrong last."""
    limited_since: Optional[str]
    """Since when it gets the ids of messages alone, because the key that set it may not read them, or expires."""


class OverviewMailboxesItem(Record):
    id: str
    address: str
    local_part: str
    aliases: List[str]
    """Its addresses at the verified domains of the namespace, in the order of the alphabet."""
    namespace: str
    display_name: Optional[str]
    description: str
    """What it does, in one line of up to 300 characters."""
    behavior: OverviewMailboxesItemBehavior
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    status: Literal["online", "paused", "offline"]
    visibility: Literal["listed", "unlisted"]
    """`listed`: in the directory. `unlisted`: found by its address alone."""
    access: Literal["public", "key"]
    """`public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false."""
    try_out: bool
    """Whether people without a key may try it."""
    wake: Literal["to", "cc", "mention"]
    """Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`."""
    sign_answers: bool
    """Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default."""
    metadata: Optional[Dict[str, Any]]
    """Pairs of text, for keys of its namespace."""
    budget: Optional[Budget]
    """Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. Null for none. Shown as `senders` are."""
    senders: Optional[Senders]
    outgoing: Optional[Outgoing]
    rules: Optional[List[Rule]]
    webhook: Optional[OverviewMailboxesItemWebhook]
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    webhook_secret: Optional[str]
    """Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it."""
    created_at: str
    updated_at: str
    unread: int
    """Its unread conversations."""


class OverviewToAnswer(Record):
    """Messages that no program answers at this moment, or that people have taken over."""
    count: int
    more: bool
    """Whether there are more than were counted."""


class OverviewToApprove(Record):
    """Messages whose plan waits for the approval of this namespace, or that wait for a review."""
    count: int
    more: bool
    """Whether there are more than were counted."""


class OverviewFailed(Record):
    """Messages that could not be answered, in conversations that are not done."""
    count: int
    more: bool
    """Whether there are more than were counted."""


class OverviewAskedBack(Record):
    """Messages of its mailboxes to which the other side asked back, with nothing said since."""
    count: int
    more: bool
    """Whether there are more than were counted."""


class OverviewStorage(Record):
    bytes: int
    max_bytes: int
    nearly_full: bool


class Overview(Record):
    """A namespace at a glance."""
    mailboxes: List[OverviewMailboxesItem]
    """Those to which most was sent in the last 24 hours first, then in the order they were made; up to 50."""
    mailbox_count: int
    """How many mailboxes there are."""
    unread: int
    """The unread conversations of 100 mailboxes, those of `mailboxes` first."""
    labels: List[str]
    """The labels in those mailboxes."""
    to_answer: OverviewToAnswer
    """Messages that no program answers at this moment, or that people have taken over."""
    to_approve: OverviewToApprove
    """Messages whose plan waits for the approval of this namespace, or that wait for a review."""
    failed: OverviewFailed
    """Messages that could not be answered, in conversations that are not done."""
    asked_back: OverviewAskedBack
    """Messages of its mailboxes to which the other side asked back, with nothing said since."""
    storage: OverviewStorage


class ActivityTotal(Record):
    arrived: int
    failed: int
    answered: int
    """With an answer or a question."""
    median_ms: Optional[float]
    """From arrival to answer."""
    p95_ms: Optional[float]


class ActivityBucketsItem(Record):
    from_: str
    to: str
    arrived: int
    failed: int
    answered: int
    """With an answer or a question."""
    median_ms: Optional[float]
    """From arrival to answer."""
    p95_ms: Optional[float]


class ActivityMailboxesItem(Record):
    mailbox: Mailbox
    arrived: int
    failed: int
    answered: int
    """With an answer or a question."""
    median_ms: Optional[float]
    """From arrival to answer."""
    p95_ms: Optional[float]


class Activity(Record):
    """What arrived and how it ended."""
    span: Literal["24h", "30d"]
    total: ActivityTotal
    buckets: List[ActivityBucketsItem]
    """By the hour, or by the UTC day, oldest first; the last one is under way."""
    mailboxes: List[ActivityMailboxesItem]
    """The busiest first, up to 50."""
    arrived: Dict[str, Any]
    """How many messages arrived in each mailbox, by its id, without a limit on mailboxes."""
    loops: List[Mailbox]
    """The mailboxes whose messages went in circles."""


class Member(Record):
    """A person or an agent that belongs to a namespace."""
    id: str
    """Its id. Ids sort by creation time."""
    name: str
    """What other members call them."""
    address: str
    """The whole address."""
    role: Literal["owner", "editor", "answerer", "reader"]
    """`owner` may do everything. `editor`: `mailboxes:write`, `webhooks:write`, `messages:read`. `answerer`: `messages:read`, `mail:answer`, `mail:send`, `mail:review`. `reader`: `messages:read`."""
    mailboxes: Optional[List[str]]
    """The addresses of the mailboxes that the role is for; null for the whole namespace."""
    created_at: str
    """When it was created."""


class DomainRecordsItem(Record):
    about: Literal["verification", "mx", "spf", "dkim", "dmarc"]
    name: str
    type: Literal["TXT", "MX"]
    value: str
    """Of an MX record its preference and its host; of a TXT record the text without quotes."""
    purpose: str
    """What it is for."""
    status: Literal["pending", "verified", "failed"]
    """By the last check: `pending` was not found so far, `verified` is right, `failed` is missing or wrong."""
    error: Optional[str]
    """What DNS said against it."""
    found: List[str]
    """What DNS had."""


class DomainKeysItem(Record):
    selector: str
    algorithm: Literal["rsa-sha256", "ed25519-sha256"]
    status: Literal["waiting", "signing", "replaced"]
    """`waiting`: signs once DNS has the records of all new keys. `signing`: signs mail now. `replaced`: signs no more; its record verifies mail on its way, and may be deleted when the key is no longer listed, a week after the new ones began to sign."""


class Domain(Record):
    """A domain of an owner, beside the domain of the service."""
    id: str
    """Its id. Ids sort by creation time."""
    domain: str
    """In A-labels (RFC 5890)."""
    namespace: str
    """The name of its namespace."""
    status: Literal["pending", "verified", "failed"]
    """`pending`: until the TXT record of verification is found. `verified`: addresses of the domain reach the mailboxes of the namespace. `failed`: it was not found for three weeks, or for a week after it had been; another check may verify it."""
    error: Optional[str]
    """What the last check says against it."""
    records: List[DomainRecordsItem]
    """The records to publish. Only the one of verification is required; without the MX no mail arrives."""
    keys: List[DomainKeysItem]
    """The keys of its mail, the newest first."""
    checked_at: Optional[str]
    next_check_at: Optional[str]
    """Null when it is checked only by request."""
    failing_since: Optional[str]
    """Since when the record of verification of a verified domain is missing; after a week without it the domain fails."""
    verified_at: Optional[str]
    created_at: str
    """When it was created."""


class ExportLine(Record):
    """The first line."""
    type: Literal["namespace"]
    exported_at: str
    """The time up to which data is included."""
    id: str
    """Its id. Ids sort by creation time."""
    name: str
    """The part of its addresses between the `@` and the domain."""
    display_name: Optional[str]
    created_at: str
    """When it was created."""


class ExportLine2Behavior(Record):
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    name: str
    """A name from `GET /api/v1/behaviors`."""
    settings: Optional[Dict[str, Any]]
    """As the behavior's `settings_schema` says."""


class ExportLine2Webhook(Record):
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    status: Literal["on", "off"]
    failing_since: Optional[str]
    """When the attempts began to fail."""
    disabled_at: Optional[str]
    """When it was switched off."""
    last_error: Optional[str]
    """What went wrong last."""
    limited_since: Optional[str]
    """Since when it gets the ids of messages alone, because the key that set it may not read them, or expires."""


class ExportLine2(Record):
    """Each mailbox, with its settings."""
    type: Literal["mailbox"]
    id: str
    """Its id. Ids sort by creation time."""
    address: str
    """The whole address."""
    local_part: str
    """The part before the `@`."""
    aliases: List[str]
    """Its addresses at the verified domains of the namespace, in the order of the alphabet."""
    namespace: str
    """The name of its namespace."""
    display_name: Optional[str]
    description: str
    """What it does, in one line of up to 300 characters."""
    behavior: ExportLine2Behavior
    """`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone."""
    status: Literal["online", "paused", "offline"]
    """`online` answers. `paused` (by its owner) and `offline` accept messages, hold them, and answer them later."""
    visibility: Literal["listed", "unlisted"]
    """`listed`: in the directory. `unlisted`: found by its address alone."""
    access: Literal["public", "key"]
    """`public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false."""
    try_out: bool
    """Whether people without a key may try it."""
    wake: Literal["to", "cc", "mention"]
    """Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`."""
    sign_answers: bool
    """Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default."""
    metadata: Optional[Dict[str, Any]]
    """Pairs of text, for keys of its namespace."""
    budget: Optional[Budget]
    """Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. Null for none. Shown as `senders` are."""
    senders: Optional[Senders]
    """Who may write to it: present where `behavior.settings` are."""
    outgoing: Optional[Outgoing]
    rules: Optional[List[Rule]]
    webhook: Optional[ExportLine2Webhook]
    """The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on."""
    webhook_secret: Optional[str]
    """Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ExportLine3(Record):
    """Each key, revoked ones too. No line holds a secret."""
    type: Literal["key"]
    id: str
    """Its id. Ids sort by creation time."""
    name: Optional[str]
    """What you call it."""
    prefix: str
    """The beginning of the secret, which identifies the key."""
    namespace: str
    """The name of its namespace."""
    scopes: List[Literal["mail:send", "mail:answer", "messages:read", "mail:review", "mailboxes:write", "webhooks:write", "keys:write", "auth:assert", "owner"]]
    """What it may do."""
    mailbox: Optional[str]
    """The address it is bound to, if to one."""
    created_at: str
    """When it was created."""
    last_used_at: Optional[str]
    """To the minute."""
    expires_at: Optional[str]
    """When it stops working; null: never."""
    revoked_at: Optional[str]
    """When it was revoked; null while it works."""


class ExportLine4(Record):
    """Each webhook."""
    type: Literal["webhook"]
    id: str
    """Its id. Ids sort by creation time."""
    url: str
    """Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed."""
    types: List[str]
    """Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default."""
    batch: int
    """Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone."""
    mailbox: Optional[str]
    """The only mailbox whose events it gets, if one."""
    status: Literal["enabled", "disabled"]
    """A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`."""
    disabled_reason: Optional[Literal["gone", "failing", "owner"]]
    """`gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console."""
    disabled_at: Optional[str]
    """When it was switched off; null while it is on."""
    failing_since: Optional[str]
    """Since when every attempt failed; null when the last one arrived."""
    error: Optional[str]
    """Why attempts fail, or failed when it was switched off."""
    key_id: Optional[str]
    """The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked."""
    limited_since: Optional[str]
    """Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may."""
    previous_secret_until: Optional[str]
    """Until when requests are, or were, signed with the previous secret too."""
    previous_secrets_until: List[str]
    """Until when each of the secrets before signs, or signed, too; the newest first."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ExportLine5Sender(Record):
    """Who wrote it."""
    kind: Literal["mailbox", "key", "guest", "email"]
    """A mailbox, a key, a guest without a key, or a stranger by e-mail."""
    id: Optional[str]
    """The mailbox, key or thread behind it; null once that was deleted."""
    verified: Optional[bool]
    """Of an e-mail: whether its address is proven, as `authentication` says."""
    agent: Optional[str]
    """Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing."""


class ExportLine5AnsweredBy(Record):
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    kind: Optional[Literal["member", "key"]]
    id: Optional[str]
    """The id of the member, or of the key."""
    name: Optional[str]
    """The name of the member, or of the key."""


class ExportLine5Error(Record):
    code: str
    """`behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up."""
    message: str
    """What went wrong, for people."""


class ExportLine5(Record):
    """Each message with its reply, oldest first."""
    type: Literal["message"]
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The thread it belongs to. Send it to continue the conversation."""
    in_reply_to: Optional[str]
    """The message or reply it answers, if any."""
    retry_of: Optional[str]
    """The failed message it repeats, if any."""
    to: Optional[str]
    """The mailbox it was sent to, including the tag."""
    from_: Optional[str]
    """The mailbox it was sent as; null without one."""
    recipients: Optional[Recipients]
    copies: Optional[List[Copy]]
    """Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled."""
    sender: ExportLine5Sender
    """Who wrote it."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp"]
    """How it was submitted."""
    subject: Optional[str]
    """A subject line, if there is one."""
    body: str
    """The text."""
    data: Any
    """The structured part in addition to the text: any JSON, or null."""
    attachments: List[Attachment]
    """Its files."""
    by_hand: Optional[bool]
    """Present, and true, of a reply that a person wrote: one that was given without a claim."""
    answered_by: Optional[ExportLine5AnsweredBy]
    """Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers."""
    status: Literal["submitted", "working", "completed", "input_required", "failed", "canceled", "rejected"]
    """`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread."""
    waiting_for: Optional[Literal["approval", "answer", "review"]]
    """`approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing."""
    taken_over: Optional[bool]
    """Present, and true, while it is not settled and a person has taken its thread over from the behavior."""
    approval: Optional[Approval]
    progress: List[Progress]
    """Progress reports of the mailbox, the latest last; empty once the message is settled."""
    error: Optional[ExportLine5Error]
    """Why it was `failed` or `rejected`; else null."""
    authentication: Optional[Authentication]
    not_answered: Optional[Literal["auto_submitted", "precedence", "list", "null_path", "mailer_daemon", "own", "unverified", "quarantine", "suppressed", "too_many", "role", "cc", "rule", "spam", "blocked", "imported"]]
    deliveries: Optional[List[EmailDelivery]]
    """Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself."""
    labels: Optional[List[str]]
    """Its labels in the mailbox by which it is read: for readers of that mailbox only."""
    findings: Optional[List[Finding]]
    """Evidence on it, for readers of the mailbox that has it only."""
    rules: Optional[List[str]]
    """The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only."""
    metadata: Optional[Dict[str, Any]]
    """For keys of its writer's namespace alone."""
    created_at: str
    """When it was accepted. It is on disk by then."""
    settled_at: Optional[str]
    """When it was settled; null until then."""
    replies_count: int
    """All replies to it. `reply` is the one that settled it; the thread shows each."""
    reply: Optional[Reply]
    """The answer; null until there is one."""
    replies: Optional[List[Reply]]
    """Of a message with several recipients, for its sender: the replies that settled its copies, up to 20."""


class ExportLine6(Record):
    """Each conversation whose state or assignee was changed, as it is in a mailbox."""
    type: Literal["conversation"]
    id: str
    mailbox: str
    state: Literal["open", "waiting", "done", "later"]
    """`open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again."""
    until: Optional[str]
    """When one for `later` opens again; null otherwise."""
    assignee: Optional[str]
    """The id of the member who takes care of it."""


class ExportLine7(Record):
    """Each note beside a conversation."""
    type: Literal["note"]
    id: str
    """Its id. Ids sort by creation time."""
    thread_id: str
    """The conversation beside which it stands."""
    mailbox: str
    """The mailbox whose readers see it."""
    author: Actor
    """Who wrote it, as they were called then."""
    body: str
    """Its text, plain."""
    mentions: List[str]
    """The ids of the members whom it names by `@name`."""
    created_at: str
    """When it was created."""


class ExportLine8(Record):
    """The last line; if it is missing, the export is incomplete."""
    type: Literal["end"]
    lines: int
    """The number of lines, including this one."""


class AuditActor(Record):
    """Who did it."""
    kind: Literal["member", "key", "account", "guest", "operator", "service"]
    """`account`: signed in and no member; `operator`: by a command on the machine; `service`: of its own accord."""
    id: Optional[str]
    """The id of the member or the key."""
    name: Optional[str]


class AuditEntryOrigin(Record):
    """By which way it came."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp", "sign_in", "command", "service"]
    network: Optional[str]
    """The address, or the /64 of IPv6, that the request came from."""


class AuditTarget(Record):
    """What it was done to."""
    kind: str
    id: str
    """Its id. Ids sort by creation time."""
    name: Optional[str]
    """Its name at that time."""


class AuditEntry(Record):
    id: str
    """Its id. Ids sort by creation time."""
    at: str
    actor: AuditActor
    origin: AuditEntryOrigin
    """By which way it came."""
    action: str
    """What was done, as `noun.verb`."""
    target: AuditTarget
    before: Optional[Dict[str, Any]]
    """The fields that changed, as they were."""
    after: Optional[Dict[str, Any]]
    """The fields that changed, as they are since. No text of messages, no secret."""
    previous_hash: str
    """The `hash` of the entry before; 64 zeros in the first one."""
    hash: str
    """SHA-256 of this entry without `hash`, as canonical JSON (RFC 8785)."""


class AuditExportLine(Record):
    """The first line."""
    type: Literal["audit"]
    namespace: str
    exported_at: str
    previous_hash: str
    """The `previous_hash` of the first entry: 64 zeros where none was removed."""


class AuditExportLine2Origin(Record):
    """By which way it came."""
    channel: Literal["api", "web", "smtp", "a2a", "mcp", "sign_in", "command", "service"]
    network: Optional[str]
    """The address, or the /64 of IPv6, that the request came from."""


class AuditExportLine2(Record):
    """Each entry, oldest first."""
    type: Literal["entry"]
    id: str
    """Its id. Ids sort by creation time."""
    at: str
    actor: AuditActor
    origin: AuditExportLine2Origin
    """By which way it came."""
    action: str
    """What was done, as `noun.verb`."""
    target: AuditTarget
    before: Optional[Dict[str, Any]]
    """The fields that changed, as they were."""
    after: Optional[Dict[str, Any]]
    """The fields that changed, as they are since. No text of messages, no secret."""
    previous_hash: str
    """The `hash` of the entry before; 64 zeros in the first one."""
    hash: str
    """SHA-256 of this entry without `hash`, as canonical JSON (RFC 8785)."""


class AuditExportLine3(Record):
    """The last line; if it is missing, the export is cut."""
    type: Literal["end"]
    entries: int
    head: str
    """The `hash` of the last entry."""


class ImportResult(Record):
    id: str
    """The message."""
    status: Literal["imported", "exists"]
    """`exists`: the mailbox had this mail, and nothing was added."""
    created_at: str
    """When the mail was written."""


class Task(Record):
    name: str
    """As it stands in `data.steps`."""
    description: str
    """What it does."""
    effects: Literal["none", "reads", "writes"]
    """`none`: its result follows from its input, the clock and chance. `reads`: it looks at something outside. `writes`: it changes something. Guests may use only `none`."""
    input_schema: Dict[str, Any]
    """JSON Schema of its input."""
    output_schema: Dict[str, Any]
    """JSON Schema of its output; `result` is what "it" means to the next step."""
    examples: List[str]
    """Instructions to try."""


class BehaviorExample(Record):
    body: str
    """An example message."""
    reply: str
    """The reply to it."""
    data: Any


class Behavior(Record):
    """How a mailbox can answer."""
    name: str
    """Its name, for `behavior.name` of a mailbox."""
    title: str
    """Its name for people."""
    description: str
    """What it does."""
    tasks: Optional[List[Task]]
    """Tasks it can carry out."""
    settings_schema: Dict[str, Any]
    """JSON Schema of `behavior.settings`."""
    example: Optional[BehaviorExample]
    """A real message and its answer; null where a program of the owner or a person answers."""


class Webhook(Record):
    """A URL to which events are posted, without its secret."""
    id: str
    """Its id. Ids sort by creation time."""
    url: str
    """Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed."""
    types: List[str]
    """Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default."""
    batch: int
    """Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone."""
    mailbox: Optional[str]
    """The only mailbox whose events it gets, if one."""
    status: Literal["enabled", "disabled"]
    """A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`."""
    disabled_reason: Optional[Literal["gone", "failing", "owner"]]
    """`gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console."""
    disabled_at: Optional[str]
    """When it was switched off; null while it is on."""
    failing_since: Optional[str]
    """Since when every attempt failed; null when the last one arrived."""
    error: Optional[str]
    """Why attempts fail, or failed when it was switched off."""
    key_id: Optional[str]
    """The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked."""
    limited_since: Optional[str]
    """Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may."""
    previous_secret_until: Optional[str]
    """Until when requests are, or were, signed with the previous secret too."""
    previous_secrets_until: List[str]
    """Until when each of the secrets before signs, or signed, too; the newest first."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class DomainState(Record):
    """A domain of an owner as it stands."""
    id: str
    """Its id. Ids sort by creation time."""
    domain: str
    """In A-labels (RFC 5890)."""
    status: Literal["pending", "verified", "failed"]
    """`pending`: until the TXT record of verification is found. `verified`: addresses of the domain reach the mailboxes of the namespace. `failed`: it was not found for three weeks, or for a week after it had been; another check may verify it."""
    error: Optional[str]
    """What the last check says against it."""
    verified_at: Optional[str]


class NamespaceStorage(Record):
    """How full a namespace is."""
    id: str
    """Its id. Ids sort by creation time."""
    name: str
    bytes: int
    """What it stores."""
    max_bytes: int
    """What it may store. Then writes are refused with 507 `storage_full`."""


class ReviewNotice(Record):
    """A review without what waits, which `GET /mail/reviews/{id}` shows."""
    id: str
    """Its id. Ids sort by creation time."""
    status: Literal["pending", "approved", "rejected", "expired"]
    mailbox: str
    """The mailbox that it would leave."""
    message_id: str
    """The message that it answers, or that its sender wrote."""
    requested_at: str
    expires_at: str
    """When it stops working; null: never."""
    decided_at: Optional[str]


class ThreadNoticeNote(Record):
    """The note that was written."""
    id: str
    author: Actor
    mentions: List[str]
    """The ids of the members whom it names by `@name`."""
    created_at: str


class ThreadNotice(Record):
    """Where a conversation stands; of a note without its text."""
    id: str
    """Its id. Ids sort by creation time."""
    mailbox: str
    """The mailbox in which it is so."""
    state: Literal["open", "waiting", "done", "later"]
    """`open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again."""
    until: Optional[str]
    """When one for `later` opens again; null otherwise."""
    assignee: Optional[str]
    """The id of the member who takes care of it."""
    note: Optional[ThreadNoticeNote]
    """The note that was written."""


class Event(Record):
    """Something that happened to a message, a mailbox, a webhook or a domain of the namespace, or to the namespace."""
    id: str
    """Its place in the log: ids sort in the order in which things happened."""
    type: Literal["message.received", "message.waiting", "message.completed", "message.input_required", "message.failed", "message.canceled", "message.rejected", "delivery.sent", "delivery.deferred", "delivery.bounced", "delivery.complained", "review.requested", "review.changed", "review.decided", "review.decision_refused", "review.expired", "thread.taken_over", "thread.updated", "thread.note", "thread.handed_back", "mailbox.created", "mailbox.updated", "mailbox.loop_detected", "mailbox.budget_nearly_spent", "mailbox.budget_spent", "mailbox.webhook_disabled", "mailbox.limited", "mailbox.deleted", "webhook.disabled", "webhook.limited", "namespace.nearly_full", "domain.verified", "domain.failed", "domain.keys_changed"]
    """What happened. `message.received`: A message arrived and is waiting, or the reply to a message that this mailbox sent was filed in it. `message.waiting`: A message is waiting for the approval of its mailbox’s owner. `message.completed`: A message was answered. `message.input_required`: A message was answered with a question. `message.failed`: A message could not be handled. `message.canceled`: A message was canceled. `message.rejected`: A message was refused by the mailbox. `delivery.sent`: An e-mail left: the next server took it. `delivery.deferred`: An e-mail could not leave at the first attempt, and is tried again for up to five days; or the server that took it says that it still tries. `delivery.bounced`: An e-mail could not be delivered, and is not tried again. `delivery.complained`: The recipient of an e-mail reported it as unwanted; no more is sent to that address. `review.requested`: A message would leave a mailbox, and waits until an owner has seen it. `review.changed`: The text of a message that waits to leave was changed. `review.decided`: A message that waited to leave was approved or rejected. `review.decision_refused`: A decision on a message that waits to leave was refused: a forged or unclear mail, or one of who wrote the message. At most ten times a review. `review.expired`: A message that waited to leave was not decided on in time, or was canceled. `thread.taken_over`: A person took a thread over: its messages wait for an answer by hand. `thread.updated`: A conversation was put into another state, opened again at its time, or was assigned. `thread.note`: Something was noted beside a conversation, for the members who read its mailbox. `thread.handed_back`: A thread that was taken over was given back to the behavior of the mailbox. `mailbox.created`: A mailbox was created. `mailbox.updated`: A mailbox was changed, paused or resumed. `mailbox.loop_detected`: Messages to or from the mailbox caused one another 8 times, and the next one was not sent. At most once a minute for a mailbox. `mailbox.budget_nearly_spent`: The messages of a mailbox took 80 % or more of the tokens that its budget has for the day (UTC). At most once a day. `mailbox.budget_spent`: The budget of a mailbox is spent: its messages took all tokens of the day, or one was rejected because what is left is reserved by runs. It begins again at 00:00 UTC. At most once a day. `mailbox.webhook_disabled`: The webhook of an agent failed too long, or answered 410, and was switched off. `mailbox.limited`: Messages of a mailbox are pushed as ids alone, or not sent to servers of others, because the key that set it so may not read them, or expires. Save its settings with a key that may. `mailbox.deleted`: A mailbox was deleted; its other events are no longer listed. `webhook.disabled`: A webhook was switched off, because its endpoint answered 410 or nothing arrived for five days. `webhook.limited`: A webhook gets ids alone of messages, because the key that made it, or changed it last, may not read them, or expires. Change it with a key that may. `namespace.nearly_full`: The namespace stores 80 % or more of what it may. At most once a day. `domain.verified`: A domain of yours was verified: its addresses reach the mailboxes of the namespace. `domain.failed`: A domain of yours could not be verified for three weeks, or lost its record of verification: its addresses do not exist any more. `domain.keys_changed`: Other keys sign the mail of a domain of yours from now on: the new ones, once DNS has their records, or those before when it lost them."""
    created_at: str
    """When it was created."""
    mailbox: Optional[str]
    """The mailbox it happened in; null for an event of the namespace, such as `webhook.disabled`."""
    data: Union[Message, Mailbox, Webhook, DomainState, NamespaceStorage, ReviewNotice, ThreadNotice]
    """The message, the mailbox, the webhook, the domain, the review or the storage of the namespace, by the first part of `type`, as it stands when this is read; of a thread that was taken over or handed back its first message; of one that was updated or noted where it stands, and of a note who wrote it and whom it names, without its text; of a delivery the message with its `deliveries`. The labels of a message are those in the mailbox where it happened."""


class WebhookWithSecret(Record):
    id: str
    """Its id. Ids sort by creation time."""
    url: str
    """Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed."""
    types: List[str]
    """Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default."""
    batch: int
    """Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone."""
    mailbox: Optional[str]
    """The only mailbox whose events it gets, if one."""
    status: Literal["enabled", "disabled"]
    """A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`."""
    disabled_reason: Optional[Literal["gone", "failing", "owner"]]
    """`gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console."""
    disabled_at: Optional[str]
    """When it was switched off; null while it is on."""
    failing_since: Optional[str]
    """Since when every attempt failed; null when the last one arrived."""
    error: Optional[str]
    """Why attempts fail, or failed when it was switched off."""
    key_id: Optional[str]
    """The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked."""
    limited_since: Optional[str]
    """Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may."""
    previous_secret_until: Optional[str]
    """Until when requests are, or were, signed with the previous secret too."""
    previous_secrets_until: List[str]
    """Until when each of the secrets before signs, or signed, too; the newest first."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str
    """Verifies the signatures (Standard Webhooks). Shown only in this answer."""


class WebhookDelivery(Record):
    """An event on its way to a webhook."""
    id: str
    """Its id. Ids sort by creation time."""
    event_id: str
    """The id of the event, sent as `webhook-id` where a request carries it alone."""
    type: str
    """The type of the event."""
    message_id: Optional[str]
    """The message it is about, if about one."""
    status: Literal["queued", "sent", "deferred", "failed"]
    """`queued`: the first attempt is to come or under way. `sent`: the endpoint answered 2xx. `deferred`: an attempt failed and another follows. `failed`: none follows."""
    attempts: int
    """How many attempts were made."""
    error: Optional[str]
    """Why the last attempt failed."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    next_attempt_at: Optional[str]
    """Null when no attempt follows."""


class Suppression(Record):
    """An address outside to which nothing is sent from the namespace."""
    address: str
    """The whole address."""
    reason: str
    """What came back."""
    created_at: str
    """When it was created."""


class Key(Record):
    """An API key, without its secret."""
    id: str
    """Its id. Ids sort by creation time."""
    name: Optional[str]
    """What you call it."""
    prefix: str
    """The beginning of the secret, which identifies the key."""
    namespace: str
    """The name of its namespace."""
    scopes: List[Literal["mail:send", "mail:answer", "messages:read", "mail:review", "mailboxes:write", "webhooks:write", "keys:write", "auth:assert", "owner"]]
    """What it may do."""
    mailbox: Optional[str]
    """The address it is bound to, if to one."""
    created_at: str
    """When it was created."""
    last_used_at: Optional[str]
    """To the minute."""
    expires_at: Optional[str]
    """When it stops working; null: never."""
    revoked_at: Optional[str]
    """When it was revoked; null while it works."""


class Me(Record):
    key: Key
    """The key that was sent."""
    namespace: Namespace
    """The namespace it belongs to."""
    scopes: List[Literal["mail:send", "mail:answer", "messages:read", "mail:review", "mailboxes:write", "webhooks:write", "keys:write", "auth:assert", "owner"]]
    """What the key may do."""
    claimed: bool
    """Whether the namespace has an owner who can sign in, as domains and mail to addresses outside require."""


class Jwk(Record):
    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: str
    y: str
    kid: str
    """Thumbprint of the key (RFC 7638)."""
    use: Literal["sig"]
    alg: Literal["ES256"]


class Jwks(Record):
    keys: List[Jwk]


class Alive(Record):
    status: Literal["ok"]
    """Always `ok`; failures have another HTTP status."""


_SendAttachmentsItemRequired = TypedDict("_SendAttachmentsItemRequired", {
    "filename": "str",
    "content": "str",
})
_SendAttachmentsItemOptional = TypedDict("_SendAttachmentsItemOptional", {
    "content_type": "str",
}, total=False)


class SendAttachmentsItem(_SendAttachmentsItemRequired, _SendAttachmentsItemOptional):
    pass


_SendRequired = TypedDict("_SendRequired", {
    "body": "str",
})
_SendOptional = TypedDict("_SendOptional", {
    "to": "Union[str, Sequence[str]]",
    "sync": "bool",
    "subject": "Optional[str]",
    "thread_id": "Optional[str]",
    "in_reply_to": "Optional[str]",
    "from": "Optional[str]",
    "data": "Any",
    "attachments": "Sequence[SendAttachmentsItem]",
    "caused_by": "Optional[str]",
    "send_at": "Optional[str]",
    "cc": "Optional[Sequence[str]]",
    "bcc": "Optional[Sequence[str]]",
    "reply_all": "Optional[bool]",
    "reply_to": "Optional[Union[str, Sequence[str]]]",
    "html": "Optional[str]",
    "headers": "Optional[Dict[str, Any]]",
    "labels": "Optional[Sequence[str]]",
    "metadata": "Optional[Dict[str, Any]]",
}, total=False)


class Send(_SendRequired, _SendOptional):
    pass


_TryRequired = TypedDict("_TryRequired", {
    "to": "str",
    "body": "str",
})
_TryOptional = TypedDict("_TryOptional", {
    "thread_id": "Optional[str]",
    "thread_token": "Optional[str]",
}, total=False)


class Try(_TryRequired, _TryOptional):
    pass


_NewDraftAttachmentsItemRequired = TypedDict("_NewDraftAttachmentsItemRequired", {
    "filename": "str",
    "content": "str",
})
_NewDraftAttachmentsItemOptional = TypedDict("_NewDraftAttachmentsItemOptional", {
    "content_type": "str",
}, total=False)


class NewDraftAttachmentsItem(_NewDraftAttachmentsItemRequired, _NewDraftAttachmentsItemOptional):
    pass


_NewDraftRequired = TypedDict("_NewDraftRequired", {
})
_NewDraftOptional = TypedDict("_NewDraftOptional", {
    "to": "Optional[Union[str, Sequence[str]]]",
    "cc": "Optional[Sequence[str]]",
    "bcc": "Optional[Sequence[str]]",
    "reply_all": "Optional[bool]",
    "reply_to": "Optional[Union[str, Sequence[str]]]",
    "html": "Optional[str]",
    "headers": "Optional[Dict[str, Any]]",
    "labels": "Optional[Sequence[str]]",
    "metadata": "Optional[Dict[str, Any]]",
    "body": "Optional[str]",
    "subject": "Optional[str]",
    "thread_id": "Optional[str]",
    "in_reply_to": "Optional[str]",
    "from": "Optional[str]",
    "data": "Any",
    "sync": "Optional[bool]",
    "caused_by": "Optional[str]",
    "send_at": "Optional[str]",
    "attachments": "Optional[Sequence[NewDraftAttachmentsItem]]",
}, total=False)


class NewDraft(_NewDraftRequired, _NewDraftOptional):
    pass


_DraftChangeAttachmentsItemRequired = TypedDict("_DraftChangeAttachmentsItemRequired", {
})
_DraftChangeAttachmentsItemOptional = TypedDict("_DraftChangeAttachmentsItemOptional", {
    "id": "str",
    "filename": "str",
    "content_type": "str",
    "content": "str",
}, total=False)


class DraftChangeAttachmentsItem(_DraftChangeAttachmentsItemRequired, _DraftChangeAttachmentsItemOptional):
    pass


_DraftChangeRequired = TypedDict("_DraftChangeRequired", {
})
_DraftChangeOptional = TypedDict("_DraftChangeOptional", {
    "to": "Optional[Union[str, Sequence[str]]]",
    "cc": "Optional[Sequence[str]]",
    "bcc": "Optional[Sequence[str]]",
    "reply_all": "Optional[bool]",
    "reply_to": "Optional[Union[str, Sequence[str]]]",
    "html": "Optional[str]",
    "headers": "Optional[Dict[str, Any]]",
    "labels": "Optional[Sequence[str]]",
    "metadata": "Optional[Dict[str, Any]]",
    "body": "Optional[str]",
    "subject": "Optional[str]",
    "thread_id": "Optional[str]",
    "in_reply_to": "Optional[str]",
    "from": "Optional[str]",
    "data": "Any",
    "sync": "Optional[bool]",
    "caused_by": "Optional[str]",
    "send_at": "Optional[str]",
    "attachments": "Optional[Sequence[DraftChangeAttachmentsItem]]",
}, total=False)


class DraftChange(_DraftChangeRequired, _DraftChangeOptional):
    """A field that is left out stays as it is; null removes it. At least one field, or a file."""


_MessageChangeLabelsRequired = TypedDict("_MessageChangeLabelsRequired", {
})
_MessageChangeLabelsOptional = TypedDict("_MessageChangeLabelsOptional", {
    "add": "Sequence[str]",
    "remove": "Sequence[str]",
}, total=False)


class MessageChangeLabels(_MessageChangeLabelsRequired, _MessageChangeLabelsOptional):
    """Changes of its labels, made together or not at all."""


_MessageChangeRequired = TypedDict("_MessageChangeRequired", {
    "labels": "MessageChangeLabels",
})
_MessageChangeOptional = TypedDict("_MessageChangeOptional", {
}, total=False)


class MessageChange(_MessageChangeRequired, _MessageChangeOptional):
    pass


_ForwardRequired = TypedDict("_ForwardRequired", {
    "to": "Union[str, Sequence[str]]",
})
_ForwardOptional = TypedDict("_ForwardOptional", {
    "cc": "Optional[Sequence[str]]",
    "bcc": "Optional[Sequence[str]]",
    "from": "Optional[str]",
    "body": "Optional[str]",
    "attachments": "Literal[\"keep\", \"none\"]",
    "as": "Literal[\"inline\", \"attachment\"]",
}, total=False)


class Forward(_ForwardRequired, _ForwardOptional):
    pass


_MessageBatchLabelsRequired = TypedDict("_MessageBatchLabelsRequired", {
})
_MessageBatchLabelsOptional = TypedDict("_MessageBatchLabelsOptional", {
    "add": "Sequence[str]",
    "remove": "Sequence[str]",
}, total=False)


class MessageBatchLabels(_MessageBatchLabelsRequired, _MessageBatchLabelsOptional):
    """Changes of its labels, made together or not at all."""


_MessageBatchRequired = TypedDict("_MessageBatchRequired", {
    "ids": "Sequence[str]",
})
_MessageBatchOptional = TypedDict("_MessageBatchOptional", {
    "labels": "MessageBatchLabels",
    "trash": "Literal[True]",
    "restore": "Literal[True]",
}, total=False)


class MessageBatch(_MessageBatchRequired, _MessageBatchOptional):
    pass


_WaitRequestRequired = TypedDict("_WaitRequestRequired", {
})
_WaitRequestOptional = TypedDict("_WaitRequestOptional", {
    "from": "str",
    "subject": "str",
    "query": "str",
    "after": "str",
    "wait": "int",
    "extract": "Literal[\"code\", \"link\"]",
}, total=False)


class WaitRequest(_WaitRequestRequired, _WaitRequestOptional):
    pass


_ThreadChangeRequired = TypedDict("_ThreadChangeRequired", {
})
_ThreadChangeOptional = TypedDict("_ThreadChangeOptional", {
    "mailbox": "str",
    "state": "Literal[\"open\", \"waiting\", \"done\", \"later\"]",
    "until": "Optional[str]",
    "assignee": "Optional[str]",
}, total=False)


class ThreadChange(_ThreadChangeRequired, _ThreadChangeOptional):
    pass


_NewNoteRequired = TypedDict("_NewNoteRequired", {
    "body": "str",
})
_NewNoteOptional = TypedDict("_NewNoteOptional", {
    "mailbox": "str",
}, total=False)


class NewNote(_NewNoteRequired, _NewNoteOptional):
    pass


_ClaimRequestRequired = TypedDict("_ClaimRequestRequired", {
})
_ClaimRequestOptional = TypedDict("_ClaimRequestOptional", {
    "max": "int",
    "wait": "int",
    "lease_seconds": "int",
}, total=False)


class ClaimRequest(_ClaimRequestRequired, _ClaimRequestOptional):
    pass


_AnswerAttachmentsItemRequired = TypedDict("_AnswerAttachmentsItemRequired", {
    "filename": "str",
    "content": "str",
})
_AnswerAttachmentsItemOptional = TypedDict("_AnswerAttachmentsItemOptional", {
    "content_type": "str",
}, total=False)


class AnswerAttachmentsItem(_AnswerAttachmentsItemRequired, _AnswerAttachmentsItemOptional):
    pass


_AnswerError2Required = TypedDict("_AnswerError2Required", {
    "message": "str",
})
_AnswerError2Optional = TypedDict("_AnswerError2Optional", {
    "code": "str",
}, total=False)


class AnswerError2(_AnswerError2Required, _AnswerError2Optional):
    pass


_AnswerRequired = TypedDict("_AnswerRequired", {
})
_AnswerOptional = TypedDict("_AnswerOptional", {
    "claim": "str",
    "body": "Optional[str]",
    "data": "Any",
    "attachments": "Sequence[AnswerAttachmentsItem]",
    "status": "Literal[\"completed\", \"input_required\", \"rejected\", \"failed\"]",
    "error": "Optional[Union[str, AnswerError2]]",
    "to": "Optional[Union[str, Sequence[str]]]",
    "cc": "Optional[Sequence[str]]",
    "bcc": "Optional[Sequence[str]]",
    "reply_all": "Optional[bool]",
}, total=False)


class Answer(_AnswerRequired, _AnswerOptional):
    pass


_AnswerBatchAnswersItemError2Required = TypedDict("_AnswerBatchAnswersItemError2Required", {
    "message": "str",
})
_AnswerBatchAnswersItemError2Optional = TypedDict("_AnswerBatchAnswersItemError2Optional", {
    "code": "str",
}, total=False)


class AnswerBatchAnswersItemError2(_AnswerBatchAnswersItemError2Required, _AnswerBatchAnswersItemError2Optional):
    pass


_AnswerBatchAnswersItemRequired = TypedDict("_AnswerBatchAnswersItemRequired", {
    "message_id": "str",
    "claim": "str",
})
_AnswerBatchAnswersItemOptional = TypedDict("_AnswerBatchAnswersItemOptional", {
    "body": "Optional[str]",
    "data": "Any",
    "status": "Literal[\"completed\", \"input_required\", \"rejected\", \"failed\"]",
    "error": "Optional[Union[str, AnswerBatchAnswersItemError2]]",
}, total=False)


class AnswerBatchAnswersItem(_AnswerBatchAnswersItemRequired, _AnswerBatchAnswersItemOptional):
    pass


_AnswerBatchRequired = TypedDict("_AnswerBatchRequired", {
    "answers": "Sequence[AnswerBatchAnswersItem]",
})
_AnswerBatchOptional = TypedDict("_AnswerBatchOptional", {
}, total=False)


class AnswerBatch(_AnswerBatchRequired, _AnswerBatchOptional):
    pass


_ProgressRequestRequired = TypedDict("_ProgressRequestRequired", {
    "claim": "str",
})
_ProgressRequestOptional = TypedDict("_ProgressRequestOptional", {
    "text": "str",
    "draft": "str",
    "lease_seconds": "int",
}, total=False)


class ProgressRequest(_ProgressRequestRequired, _ProgressRequestOptional):
    pass


_ReleaseRequestRequired = TypedDict("_ReleaseRequestRequired", {
    "claim": "str",
})
_ReleaseRequestOptional = TypedDict("_ReleaseRequestOptional", {
    "after_seconds": "int",
}, total=False)


class ReleaseRequest(_ReleaseRequestRequired, _ReleaseRequestOptional):
    pass


_ApproveRequired = TypedDict("_ApproveRequired", {
})
_ApproveOptional = TypedDict("_ApproveOptional", {
    "plan_sha256": "str",
}, total=False)


class Approve(_ApproveRequired, _ApproveOptional):
    pass


_RefuseRequired = TypedDict("_RefuseRequired", {
})
_RefuseOptional = TypedDict("_RefuseOptional", {
    "plan_sha256": "str",
    "reason": "str",
}, total=False)


class Refuse(_RefuseRequired, _RefuseOptional):
    pass


_ReviewChangeRequired = TypedDict("_ReviewChangeRequired", {
})
_ReviewChangeOptional = TypedDict("_ReviewChangeOptional", {
    "hash": "str",
    "subject": "Optional[str]",
    "body": "str",
    "html": "Optional[str]",
}, total=False)


class ReviewChange(_ReviewChangeRequired, _ReviewChangeOptional):
    pass


_ApproveReviewRequired = TypedDict("_ApproveReviewRequired", {
    "hash": "str",
})
_ApproveReviewOptional = TypedDict("_ApproveReviewOptional", {
}, total=False)


class ApproveReview(_ApproveReviewRequired, _ApproveReviewOptional):
    pass


_RejectReviewRequired = TypedDict("_RejectReviewRequired", {
})
_RejectReviewOptional = TypedDict("_RejectReviewOptional", {
    "reason": "str",
    "hash": "str",
}, total=False)


class RejectReview(_RejectReviewRequired, _RejectReviewOptional):
    pass


_NewMailboxBehaviorRequired = TypedDict("_NewMailboxBehaviorRequired", {
    "name": "str",
})
_NewMailboxBehaviorOptional = TypedDict("_NewMailboxBehaviorOptional", {
    "settings": "Dict[str, Any]",
}, total=False)


class NewMailboxBehavior(_NewMailboxBehaviorRequired, _NewMailboxBehaviorOptional):
    """How it should answer."""


_NewMailboxBudgetRequired = TypedDict("_NewMailboxBudgetRequired", {
})
_NewMailboxBudgetOptional = TypedDict("_NewMailboxBudgetOptional", {
    "tokens_per_day": "Optional[int]",
    "tokens_per_sender_per_day": "Optional[int]",
}, total=False)


class NewMailboxBudget(_NewMailboxBudgetRequired, _NewMailboxBudgetOptional):
    pass


_NewMailboxSendersRequired = TypedDict("_NewMailboxSendersRequired", {
})
_NewMailboxSendersOptional = TypedDict("_NewMailboxSendersOptional", {
    "allow": "Sequence[str]",
    "block": "Sequence[str]",
}, total=False)


class NewMailboxSenders(_NewMailboxSendersRequired, _NewMailboxSendersOptional):
    """Who may write to it: each list is replaced as a whole, and one that is left out stays as it is. Each entry is an address, `*@` and a domain, or a namespace."""


_NewMailboxOutgoingRequired = TypedDict("_NewMailboxOutgoingRequired", {
})
_NewMailboxOutgoingOptional = TypedDict("_NewMailboxOutgoingOptional", {
    "review": "Literal[\"never\", \"outside\", \"first_contact\", \"findings\", \"always\"]",
    "allow": "Sequence[str]",
    "block": "Sequence[str]",
    "max_per_day": "Optional[int]",
    "expires_seconds": "int",
    "on_expiry": "Literal[\"discard\", \"send\"]",
}, total=False)


class NewMailboxOutgoing(_NewMailboxOutgoingRequired, _NewMailboxOutgoingOptional):
    """What may leave it: what is left out stays as it is."""


_NewRuleIfRequired = TypedDict("_NewRuleIfRequired", {
})
_NewRuleIfOptional = TypedDict("_NewRuleIfOptional", {
    "from": "Union[str, Sequence[str]]",
    "to": "Union[str, Sequence[str]]",
    "subject": "Union[str, Sequence[str]]",
    "body": "Union[str, Sequence[str]]",
    "has": "Literal[\"attachment\"]",
    "finding": "Union[Literal[\"hidden_text\", \"reply_to_differs\", \"lookalike_sender\", \"instructions\", \"dangerous_attachment\", \"spam\"], Sequence[Literal[\"hidden_text\", \"reply_to_differs\", \"lookalike_sender\", \"instructions\", \"dangerous_attachment\", \"spam\"]]]",
    "verified": "bool",
    "channel": "Union[Literal[\"api\", \"web\", \"smtp\", \"a2a\", \"mcp\"], Sequence[Literal[\"api\", \"web\", \"smtp\", \"a2a\", \"mcp\"]]]",
    "label": "Union[str, Sequence[str]]",
}, total=False)


class NewRuleIf(_NewRuleIfRequired, _NewRuleIfOptional):
    """All conditions must hold; without any the rule applies to everything."""


_NewRuleThenRequired = TypedDict("_NewRuleThenRequired", {
})
_NewRuleThenOptional = TypedDict("_NewRuleThenOptional", {
    "label": "Sequence[str]",
    "forward_to": "str",
    "assign": "str",
    "review": "Literal[True]",
    "answer": "Literal[False]",
    "done": "Literal[True]",
}, total=False)


class NewRuleThen(_NewRuleThenRequired, _NewRuleThenOptional):
    pass


_NewRuleRequired = TypedDict("_NewRuleRequired", {
    "id": "str",
    "if": "NewRuleIf",
    "then": "NewRuleThen",
})
_NewRuleOptional = TypedDict("_NewRuleOptional", {
}, total=False)


class NewRule(_NewRuleRequired, _NewRuleOptional):
    pass


_NewMailboxRequired = TypedDict("_NewMailboxRequired", {
    "local_part": "str",
    "behavior": "NewMailboxBehavior",
})
_NewMailboxOptional = TypedDict("_NewMailboxOptional", {
    "display_name": "Optional[str]",
    "description": "str",
    "visibility": "Literal[\"listed\", \"unlisted\"]",
    "access": "Literal[\"public\", \"key\"]",
    "try_out": "bool",
    "wake": "Literal[\"to\", \"cc\", \"mention\"]",
    "sign_answers": "bool",
    "metadata": "Optional[Dict[str, Any]]",
    "budget": "Optional[NewMailboxBudget]",
    "senders": "NewMailboxSenders",
    "outgoing": "NewMailboxOutgoing",
    "rules": "Sequence[NewRule]",
}, total=False)


class NewMailbox(_NewMailboxRequired, _NewMailboxOptional):
    pass


_MailboxChangeBudgetRequired = TypedDict("_MailboxChangeBudgetRequired", {
})
_MailboxChangeBudgetOptional = TypedDict("_MailboxChangeBudgetOptional", {
    "tokens_per_day": "Optional[int]",
    "tokens_per_sender_per_day": "Optional[int]",
}, total=False)


class MailboxChangeBudget(_MailboxChangeBudgetRequired, _MailboxChangeBudgetOptional):
    pass


_MailboxChangeSendersRequired = TypedDict("_MailboxChangeSendersRequired", {
})
_MailboxChangeSendersOptional = TypedDict("_MailboxChangeSendersOptional", {
    "allow": "Sequence[str]",
    "block": "Sequence[str]",
}, total=False)


class MailboxChangeSenders(_MailboxChangeSendersRequired, _MailboxChangeSendersOptional):
    """Who may write to it: each list is replaced as a whole, and one that is left out stays as it is. Each entry is an address, `*@` and a domain, or a namespace."""


_MailboxChangeOutgoingRequired = TypedDict("_MailboxChangeOutgoingRequired", {
})
_MailboxChangeOutgoingOptional = TypedDict("_MailboxChangeOutgoingOptional", {
    "review": "Literal[\"never\", \"outside\", \"first_contact\", \"findings\", \"always\"]",
    "allow": "Sequence[str]",
    "block": "Sequence[str]",
    "max_per_day": "Optional[int]",
    "expires_seconds": "int",
    "on_expiry": "Literal[\"discard\", \"send\"]",
}, total=False)


class MailboxChangeOutgoing(_MailboxChangeOutgoingRequired, _MailboxChangeOutgoingOptional):
    """What may leave it: what is left out stays as it is."""


_MailboxChangeBehaviorRequired = TypedDict("_MailboxChangeBehaviorRequired", {
})
_MailboxChangeBehaviorOptional = TypedDict("_MailboxChangeBehaviorOptional", {
    "name": "str",
    "settings": "Dict[str, Any]",
}, total=False)


class MailboxChangeBehavior(_MailboxChangeBehaviorRequired, _MailboxChangeBehaviorOptional):
    """Another behavior, other settings, or both."""


_MailboxChangeRequired = TypedDict("_MailboxChangeRequired", {
})
_MailboxChangeOptional = TypedDict("_MailboxChangeOptional", {
    "display_name": "Optional[str]",
    "description": "str",
    "visibility": "Literal[\"listed\", \"unlisted\"]",
    "access": "Literal[\"public\", \"key\"]",
    "try_out": "bool",
    "wake": "Literal[\"to\", \"cc\", \"mention\"]",
    "sign_answers": "bool",
    "metadata": "Optional[Dict[str, Any]]",
    "budget": "Optional[MailboxChangeBudget]",
    "senders": "MailboxChangeSenders",
    "outgoing": "MailboxChangeOutgoing",
    "rules": "Sequence[NewRule]",
    "behavior": "MailboxChangeBehavior",
    "status": "Literal[\"online\", \"paused\"]",
}, total=False)


class MailboxChange(_MailboxChangeRequired, _MailboxChangeOptional):
    pass


_RulesToTryRequired = TypedDict("_RulesToTryRequired", {
    "rules": "Sequence[NewRule]",
})
_RulesToTryOptional = TypedDict("_RulesToTryOptional", {
}, total=False)


class RulesToTry(_RulesToTryRequired, _RulesToTryOptional):
    pass


_NewClientJwksRequired = TypedDict("_NewClientJwksRequired", {
    "keys": "Sequence[Dict[str, Any]]",
})
_NewClientJwksOptional = TypedDict("_NewClientJwksOptional", {
}, total=False)


class NewClientJwks(_NewClientJwksRequired, _NewClientJwksOptional):
    """Its public keys (RFC 7517, section 5), for `private_key_jwt`."""


_NewClientRequired = TypedDict("_NewClientRequired", {
    "name": "str",
    "redirect_uris": "Sequence[str]",
})
_NewClientOptional = TypedDict("_NewClientOptional", {
    "post_logout_redirect_uris": "Sequence[str]",
    "token_endpoint_auth_method": "Literal[\"client_secret_basic\", \"client_secret_post\", \"private_key_jwt\", \"none\"]",
    "application_type": "Literal[\"web\", \"native\"]",
    "client_uri": "str",
    "logo_uri": "str",
    "jwks": "NewClientJwks",
    "jwks_uri": "str",
}, total=False)


class NewClient(_NewClientRequired, _NewClientOptional):
    pass


_ClientChangeJwksRequired = TypedDict("_ClientChangeJwksRequired", {
    "keys": "Sequence[Dict[str, Any]]",
})
_ClientChangeJwksOptional = TypedDict("_ClientChangeJwksOptional", {
}, total=False)


class ClientChangeJwks(_ClientChangeJwksRequired, _ClientChangeJwksOptional):
    """Its public keys (RFC 7517, section 5), for `private_key_jwt`."""


_ClientChangeRequired = TypedDict("_ClientChangeRequired", {
})
_ClientChangeOptional = TypedDict("_ClientChangeOptional", {
    "name": "str",
    "redirect_uris": "Sequence[str]",
    "post_logout_redirect_uris": "Sequence[str]",
    "token_endpoint_auth_method": "Literal[\"client_secret_basic\", \"client_secret_post\", \"private_key_jwt\", \"none\"]",
    "application_type": "Literal[\"web\", \"native\"]",
    "client_uri": "Optional[str]",
    "logo_uri": "Optional[str]",
    "jwks": "Optional[ClientChangeJwks]",
    "jwks_uri": "Optional[str]",
}, total=False)


class ClientChange(_ClientChangeRequired, _ClientChangeOptional):
    pass


_NewRegistrationTokenRequired = TypedDict("_NewRegistrationTokenRequired", {
})
_NewRegistrationTokenOptional = TypedDict("_NewRegistrationTokenOptional", {
    "name": "str",
    "expires_at": "str",
}, total=False)


class NewRegistrationToken(_NewRegistrationTokenRequired, _NewRegistrationTokenOptional):
    pass


_NewAllowedServiceRequired = TypedDict("_NewAllowedServiceRequired", {
    "issuer": "str",
    "client_id": "str",
})
_NewAllowedServiceOptional = TypedDict("_NewAllowedServiceOptional", {
    "name": "str",
}, total=False)


class NewAllowedService(_NewAllowedServiceRequired, _NewAllowedServiceOptional):
    pass


_NewNamespaceRequired = TypedDict("_NewNamespaceRequired", {
    "name": "str",
})
_NewNamespaceOptional = TypedDict("_NewNamespaceOptional", {
    "display_name": "str",
}, total=False)


class NewNamespace(_NewNamespaceRequired, _NewNamespaceOptional):
    pass


_NamespaceChangeRequired = TypedDict("_NamespaceChangeRequired", {
})
_NamespaceChangeOptional = TypedDict("_NamespaceChangeOptional", {
    "display_name": "Optional[str]",
}, total=False)


class NamespaceChange(_NamespaceChangeRequired, _NamespaceChangeOptional):
    pass


_NewDomainRequired = TypedDict("_NewDomainRequired", {
    "domain": "str",
})
_NewDomainOptional = TypedDict("_NewDomainOptional", {
}, total=False)


class NewDomain(_NewDomainRequired, _NewDomainOptional):
    pass


_NewWebhookRequired = TypedDict("_NewWebhookRequired", {
    "url": "str",
})
_NewWebhookOptional = TypedDict("_NewWebhookOptional", {
    "types": "Sequence[str]",
    "batch": "int",
    "mailbox": "str",
}, total=False)


class NewWebhook(_NewWebhookRequired, _NewWebhookOptional):
    pass


_WebhookChangeRequired = TypedDict("_WebhookChangeRequired", {
})
_WebhookChangeOptional = TypedDict("_WebhookChangeOptional", {
    "url": "str",
    "types": "Sequence[str]",
    "batch": "int",
    "mailbox": "Optional[str]",
    "status": "Literal[\"enabled\", \"disabled\"]",
}, total=False)


class WebhookChange(_WebhookChangeRequired, _WebhookChangeOptional):
    pass


_WebhookReplayRequired = TypedDict("_WebhookReplayRequired", {
    "since": "str",
})
_WebhookReplayOptional = TypedDict("_WebhookReplayOptional", {
}, total=False)


class WebhookReplay(_WebhookReplayRequired, _WebhookReplayOptional):
    pass


_NewKeyRequired = TypedDict("_NewKeyRequired", {
    "scopes": "Sequence[Literal[\"mail:send\", \"mail:answer\", \"messages:read\", \"mail:review\", \"mailboxes:write\", \"webhooks:write\", \"keys:write\", \"auth:assert\", \"owner\"]]",
})
_NewKeyOptional = TypedDict("_NewKeyOptional", {
    "name": "str",
    "mailbox": "str",
    "expires_at": "str",
    "expires_in_days": "int",
}, total=False)


class NewKey(_NewKeyRequired, _NewKeyOptional):
    pass
