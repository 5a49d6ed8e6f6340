// Made by scripts/generate-client.ts from the OpenAPI document; run `npm run client` to make it again.
import { type Bytes, type Http, type List, path, type RequestOptions, type UploadOptions } from './http.ts';
import type {
  Activity,
  Alive,
  AllowedService,
  Answer,
  AnswerBatch,
  AnsweredMessage,
  AnswerResults,
  Approve,
  ApproveReview,
  AuditEntry,
  AuditExportLine,
  AwaitedMessage,
  Behavior,
  Challenge,
  Claimed,
  ClaimRequest,
  Client,
  ClientChange,
  ClientWithSecret,
  Domain,
  Draft,
  DraftChange,
  Event,
  ExportLine,
  Forward,
  ImportResult,
  Jwks,
  Key,
  KeyWithSecret,
  Lease,
  Mailbox,
  MailboxChange,
  Me,
  Member,
  Message,
  MessageBatch,
  MessageBatchResult,
  MessageChange,
  Namespace,
  NamespaceChange,
  NamespaceCreated,
  NamespaceWithMailboxes,
  NewAllowedService,
  NewClient,
  NewDomain,
  NewDraft,
  NewKey,
  NewMailbox,
  NewNamespace,
  NewNote,
  NewRegistrationToken,
  NewWebhook,
  OutsideServers,
  Overview,
  ProgressRequest,
  Refuse,
  RegistrationToken,
  RegistrationTokenWithSecret,
  RejectReview,
  ReleaseRequest,
  Review,
  ReviewChange,
  RotatedWebhookSecret,
  RulesToTry,
  RuleTrial,
  ScheduledDraft,
  SearchHit,
  Send,
  Suppression,
  Thread,
  ThreadChange,
  ThreadItem,
  ThreadNote,
  ThreadSummary,
  TriedMessage,
  Try,
  Usage,
  WaitRequest,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookReplay,
  WebhookWithSecret,
} from './types.generated.ts';

class Messages {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * Send a message.
   * With `sync: true` this answer holds the reply. A message that is not settled after 30 s, or after `Prefer: wait=N` seconds (1 to 120), is answered 202 and settles later. A message is on disk before its id is returned. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`. A program that sends because of a message names it in `caused_by`, so that programs that answer each other end at 8 hops (`loop_detected`). With `send_at` the answer is 202 with a draft (`draft_id`), which becomes a message at that time, once. `to` may be an address outside, too: the message then leaves from the mailbox that sends it as e-mail, or to its server at once where that takes it (`FEDERATION`); the answer is 202, or 200 with a reply that comes in the same exchange, and its `deliveries` say how far it is.
   */
  send(body: Send, options: UploadOptions = {}): Promise<Message | ScheduledDraft> {
    return this.#http.json('POST', 'mail/send', { body, idempotent: true }, options);
  }

  /**
   * Try a mailbox, without a key.
   * A sync send for people without a key, to mailboxes with `try_out`, within the limits for guests.
   */
  tryMailbox(body: Try, options: RequestOptions = {}): Promise<TriedMessage> {
    return this.#http.json('POST', 'mail/try', { body, idempotent: true }, options);
  }

  /**
   * Get a challenge to exceed a guest limit.
   * Proof of work, as ALTCHA does it. Solve it and send the payload, `{challenge, solution}` as base64 of JSON, in the header `Altcha` of a try-out or of a new namespace that was refused as `rate_limited`: each solution lets one more through. A challenge is valid for 10 minutes, for the network that asked for it, and can be used once; each one used on a day makes the next one harder. Below the limit none is needed, and a solution sent anyway is not used up.
   */
  createChallenge(options: RequestOptions = {}): Promise<Challenge> {
    return this.#http.json('POST', 'challenges', {}, options);
  }

  /**
   * What the namespace's keys sent.
   * With `direction=all` also what its mailboxes received; by a key of one mailbox, what that one received and sent. `metadata.KEY=VALUE` finds what was sent with that pair of `metadata`.
   */
  listSent(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only messages with this status. */
      readonly status?:
        | 'submitted'
        | 'working'
        | 'completed'
        | 'input_required'
        | 'failed'
        | 'canceled'
        | 'rejected'
        | undefined;
      /** Written at this time or later (RFC 3339). */
      readonly since?: string | undefined;
      /** Words, or parts of them, and phrases in quotes, each of which is in subject, body, reply or an address, ignoring case. In addresses the mail domain is not searched, except that it may end the text. A page searches at most 20,000 messages and 32 MiB of their text, so it may be short or empty and still have a next page. */
      readonly query?: string | undefined;
      /** `sent`, the default, or `all`. */
      readonly direction?: 'sent' | 'all' | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Message> {
    return this.#http.list('mail/messages', query, options);
  }

  /**
   * Get a message with its reply, or wait for it.
   * For the key that sent it, keys with `messages:read` of its sender or its recipient, and the token of its thread. A one-time secret in a reply is shown here to the key that sent the message, the first time it asks; afterwards `reply.data.sealed` is set. A sign-in code sent to a mailbox is shown to its keys that also have `auth:assert` and do not expire. With `Accept: text/event-stream` the answer is a stream of server-sent events: `message` with the message whenever it changes, `delta` with `{at, text}` while the reply is written (`text` replaces everything from character `at`), and a last `message` once it is settled, or after 5 minutes.
   */
  get(
    id: string,
    query: {
      /** Seconds to wait until it is settled, up to 60. */
      readonly wait?: number | undefined;
      /** The address of the mailbox whose labels are meant, for a message that is in two of yours. */
      readonly mailbox?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<Message> {
    return this.#http.json('GET', path`mail/messages/${id}`, { query }, options);
  }

  /**
   * Label a message.
   * Labels belong to a mailbox: that of the recipient, else that of the sender, or the one that `mailbox` names. A message has at most 20 there. `unread` is there from its arrival until you remove it, or its owner opens the message in the console. `done` takes a conversation out of the console’s inbox, until the next message of it arrives. The changes of a request are made together or not at all. For a key that may do this but not read the message, `body` is empty and other content is null.
   */
  update(
    id: string,
    body: MessageChange,
    query: {
      /** The address of the mailbox whose labels are meant, for a message that is in two of yours. */
      readonly mailbox?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<Message> {
    return this.#http.json('PATCH', path`mail/messages/${id}`, { body, query }, options);
  }

  /**
   * Delete a message.
   * For keys with `mailboxes:write` of the mailbox that received it. A message is gone for its sender too, with its files, labels and deliveries; one that is not settled is canceled first. Its replies go with it, but for those that the sender’s mailbox received, which stay there until they are deleted from it. Of a reply, the mailbox that wrote it keeps what it wrote. It cannot be undone; repeated, this answers 404 `message_not_found`.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mail/messages/${id}`, {}, options);
  }

  /**
   * Cancel a message.
   * Stops a message that has not settled, and of one with several recipients each copy that has not; a settled one is returned unchanged. A key that may do this but not read the message gets its id and status: `body` is empty and other content is null.
   */
  cancel(id: string, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/cancel`, { idempotent: true }, options);
  }

  /**
   * Send a failed message again.
   * As a new message with `retry_of`, from the sender of the failed one; of one with several recipients each copy that failed. A key of the recipient with `mailboxes:write` may do it while the sender could still send it (403 `sender_not_allowed` once its key or mailbox is gone). The message is then sent without the sender’s key, so steps that need the rights of a key, such as a sign-in, do not run. For a key that may do this but not read the message, `body` is empty and other content is null.
   */
  retry(id: string, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/retry`, { idempotent: true }, options);
  }

  /**
   * Forward a message.
   * As a new message of yours in a thread of its own: what you say, then the head and the whole text of the message, with its files; or with the message attached (`as`). For keys that may read the message.
   */
  forward(id: string, body: Forward, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/forward`, { body, idempotent: true }, options);
  }

  /**
   * Put a message into the trash.
   * Of your own view alone: for keys of its recipient with `mail:answer`, or of its sender with `mail:send` that may read it. It is out of lists, counts and searches, in `?label=trash`, and back by `…/restore` within `TRASH_DAYS` (30); then it is gone. One that waits is canceled when its recipient does it. It still counts as storage.
   */
  trash(id: string, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/trash`, {}, options);
  }

  /**
   * Take a message out of the trash.
   * As it was before; nothing changes for one that is not there.
   */
  restore(id: string, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/restore`, {}, options);
  }

  /**
   * Change many messages.
   * Labels, trash or restore for up to 200 messages. Each is done or not by itself, and the answer says which.
   */
  change(body: MessageBatch, options: RequestOptions = {}): Promise<MessageBatchResult> {
    return this.#http.json('POST', 'mail/messages/batch', { body }, options);
  }

  /**
   * Get the mail that a message came or left as.
   * The exact bytes, so that signatures (DKIM) can be checked again, for `RAW_DAYS` days (30 unless the operator set another number) and as far as the namespace has room for them; then 410 `raw_gone`. A message that is no mail has none (404), and neither have mails of the service itself, such as codes.
   */
  getRaw(id: string, options: RequestOptions = {}): Promise<Response> {
    return this.#http.raw('GET', path`mail/messages/${id}/raw`, {}, options);
  }

  /**
   * Get the HTML of a mail, safe to show.
   * Made from the original, as long as that is kept: without scripts, forms, frames, style sheets and all that loads something, under a policy (CSP) that runs nothing and loads nothing. Links go to http, https and mailto alone. A mail without HTML is shown as its text. Pictures are left out, so that their sender does not learn that the mail was read.
   */
  getHtml(
    id: string,
    query: {
      /** `1` puts up to 20 pictures into the document: those of the mail itself, and those of public web servers, which this service reads. PNG, JPEG, GIF and WebP, up to 2 MiB each; pictures of a pixel never. */
      readonly images?: '0' | '1' | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#http.raw('GET', path`mail/messages/${id}/html`, { query }, options);
  }

  /**
   * Wait for a message.
   * Answers as soon as the mailbox has received a message after `after` that matches, the first of them, or with `message: null` after `wait` seconds. It never gives an older one. The message stays as it is, unread. What `extract` finds was written by someone else: compare the author before you use it. A sign-in code of this service stays sealed.
   */
  waitFor(address: string, body: WaitRequest = {}, options: RequestOptions = {}): Promise<AwaitedMessage> {
    return this.#http.json('POST', path`mailboxes/${address}/wait`, { body }, options);
  }

  /**
   * Conversations, by newest activity.
   * Over all that the key reads, without the trash. With `label`, `participant` or `query`, those of which a message fits, by the newest one that does; these are looked up in the index, which follows within 2 seconds. With a `state` but `open`, or an `assignee` but `none`, by the last change of either or message that arrived. A page may be short and still have a next one.
   */
  listThreads(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only of this mailbox. */
      readonly mailbox?: string | undefined;
      /** Only with a message that has this label, such as `unread`. */
      readonly label?: string | undefined;
      /** Only with this address, or name, in From, To or Cc of a message. */
      readonly participant?: string | undefined;
      /** Only with a message that fits. Words (each; `word*` for beginnings), `"a phrase"`, `-word`, `OR` between alternatives, and the operators `from:` `to:` `cc:` `subject:` `filename:` `label:` `mailbox:` `has:` `is:` `before:` `after:` `larger:`: `from:ann subject:"due date" has:attachment is:unread after:2026-11-01 larger:2M`. `is:` takes `unread`, `answered` or `failed`, `before:` and `after:` a day or a time (RFC 3339), `larger:` bytes, `k` or `M`. */
      readonly query?: string | undefined;
      /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
      readonly state?: 'open' | 'waiting' | 'done' | 'later' | undefined;
      /** Only those that this member takes care of, by its id; `me`, or `none` for those without a member. */
      readonly assignee?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<ThreadSummary> {
    return this.#http.list('mail/threads', query, options);
  }

  /**
   * Search all messages.
   * Over all that the key reads, without the trash: subject, text, replies, addresses, names and names of files, newest first. Words (each; `word*` for beginnings), `"a phrase"`, `-word`, `OR` between alternatives, and the operators `from:` `to:` `cc:` `subject:` `filename:` `label:` `mailbox:` `has:` `is:` `before:` `after:` `larger:`: `from:ann subject:"due date" has:attachment is:unread after:2026-11-01 larger:2M`. `is:` takes `unread`, `answered` or `failed`, `before:` and `after:` a day or a time (RFC 3339), `larger:` bytes, `k` or `M`. A lower-case word with a colon, and no blank or `//` behind it, is an operator; put what is none into quotes. Case, accents, dotted and dotless i and forms of alef are the same; of Han, Kana and Thai, pairs of characters are words. The index follows the writes within 2 seconds. A page examines at most 10,000 hits, so it may be short or empty and still have a next page.
   */
  search(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** What to search. */
      readonly query: string;
      /** `newest` first, the default; or by `relevance`, among the newest 3,000 hits. */
      readonly sort?: 'newest' | 'relevance' | undefined;
    },
    options: RequestOptions = {},
  ): List<SearchHit> {
    return this.#http.list('mail/search', query, options);
  }

  /**
   * A thread: messages and replies in order.
   * Of its messages, those that you may read by themselves: a key without `messages:read` gets what it sent, with the replies.
   */
  thread(
    id: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Of your mailboxes that are in it, the one whose state and notes are shown. */
      readonly mailbox?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<ThreadItem> {
    return this.#http.list(path`mail/threads/${id}`, query, options);
  }

  /**
   * Say where a conversation stands, and who takes care of it.
   * In one mailbox, whose readers see it. What is left out stays. An answer by hand makes an open one `waiting`; a message that arrives makes any `open` again, and so does the time of `later`. A member who leaves takes care of nothing any more.
   */
  changeThread(id: string, body: ThreadChange, options: RequestOptions = {}): Promise<Thread> {
    return this.#http.json('PATCH', path`mail/threads/${id}`, { body }, options);
  }

  /**
   * Note something beside a conversation.
   * For the members who read the mailbox, and for no one else: no sender, behavior, model or program sees it, and it is in no answer, forward or search. `GET /api/v1/mail/threads/{id}` lists it to keys of an owner. It counts as storage, and goes with the thread.
   */
  addNote(id: string, body: NewNote, options: RequestOptions = {}): Promise<ThreadNote> {
    return this.#http.json('POST', path`mail/threads/${id}/notes`, { body }, options);
  }

  /**
   * Get the bytes of an attachment.
   * For every caller that may read its message or draft, or answer its message while that waits for an answer. The bytes come as they were sent, as a download with the declared type and name. A `Range` of bytes is answered with that part, so that a download can be resumed.
   */
  getAttachment(id: string, options: RequestOptions = {}): Promise<Response> {
    return this.#http.raw('GET', path`mail/attachments/${id}`, {}, options);
  }

  /**
   * Approve the plan that a message waits with.
   * For the owner named by `approval.by`: the owner of the receiving mailbox or of the sending one. Approving runs exactly the plan in `approval`.
   */
  approve(id: string, body: Approve = {}, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/approve`, { body }, options);
  }

  /**
   * Refuse it.
   * For the owner named by `approval.by`. The message becomes `rejected`, and no step of the plan runs.
   */
  refuse(id: string, body: Refuse = {}, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/refuse`, { body }, options);
  }

  /**
   * What a mailbox received or sent.
   * A reply is a message too: what the mailbox wrote is in `direction=sent`, as `completed`, with `in_reply_to` and without a reply of its own. The filters add up.
   */
  listOf(
    address: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only messages with this status. */
      readonly status?:
        | 'submitted'
        | 'working'
        | 'completed'
        | 'input_required'
        | 'failed'
        | 'canceled'
        | 'rejected'
        | undefined;
      /** Written at this time or later (RFC 3339). */
      readonly since?: string | undefined;
      /** Words, or parts of them, and phrases in quotes, each of which is in subject, body, reply or an address, ignoring case. In addresses the mail domain is not searched, except that it may end the text. A page searches at most 20,000 messages and 32 MiB of their text, so it may be short or empty and still have a next page. */
      readonly query?: string | undefined;
      /** What the mailbox received, the default; what it sent, which includes its replies; or both, each message once. */
      readonly direction?: 'received' | 'sent' | 'all' | undefined;
      /** Only messages from this address, with or without the mail domain. */
      readonly from?: string | undefined;
      /** Only messages with attachments of their own. Those of a reply belong to the reply. */
      readonly has?: 'attachment' | undefined;
      /** Only the newest message that the mailbox received of each thread. What its behaviors asked others for an answer is left out, since it belongs to that other thread. */
      readonly newest_of?: 'thread' | undefined;
      /** Only messages with this label, such as `unread`. A page examines at most 20,000 messages, so it may be short or empty and still have a next page. */
      readonly label?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Message> {
    return this.#http.list(path`mailboxes/${address}/messages`, query, options);
  }

  /**
   * The addresses outside to which nothing is sent.
   * An address is suppressed when it does not exist, or when its owner reported a mail as unwanted; for this namespace alone. Sorted by address.
   */
  listSuppressions(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Suppression> {
    return this.#http.list('mail/suppressions', query, options);
  }

  /**
   * Send to an address again.
   * What could not be sent meanwhile is not sent by this.
   */
  liftSuppression(address: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mail/suppressions/${address}`, {}, options);
  }
}

class Drafts {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * Create a draft.
   * Takes what `POST /api/v1/mail/send` takes, files included, every field optional. With `send_at` it must be complete, and is sent at that time from the key that wrote it last; the send counts against the rate limits then. A namespace may have 1,000 drafts unless the operator sets another limit.
   */
  create(body: NewDraft, options: UploadOptions = {}): Promise<Draft> {
    return this.#http.json('POST', 'mail/drafts', { body, idempotent: true }, options);
  }

  /**
   * Drafts that are not sent.
   * Those that this key wrote; with `messages:read` those of its namespace, or of the mailbox it is bound to. `metadata.KEY=VALUE` finds those with that pair of `metadata`.
   */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Draft> {
    return this.#http.list('mail/drafts', query, options);
  }

  /**
   * Get a draft.
   * A sent draft says for a day which message it became, without its contents.
   */
  get(id: string, options: RequestOptions = {}): Promise<Draft> {
    return this.#http.json('GET', path`mail/drafts/${id}`, {}, options);
  }

  /**
   * Change a draft.
   * A field that is left out stays as it is; null removes it. `attachments` is the list of all files that it has from then on: those that stay by their `id`, and new ones; files of a `multipart/form-data` request are added to it, or to those it has when `attachments` is left out. The draft then belongs to this key, which sends it at its `send_at`. `send_at: null` takes it off the schedule. Of two changes at once the second is applied to the result of the first; with `If-Match` it is refused instead.
   */
  update(id: string, body: DraftChange, options: UploadOptions = {}): Promise<Draft> {
    return this.#http.json('PATCH', path`mail/drafts/${id}`, { body }, options);
  }

  /**
   * Delete a draft.
   * It is not sent, and its files are removed. A message that it became stays.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mail/drafts/${id}`, {}, options);
  }

  /**
   * Send a draft now.
   * From this key, whatever its `send_at`. It is sent once: repeated, this answers with the same message and `Idempotency-Replayed`. What keeps it from being sent is answered, and kept as `error` of the draft.
   */
  send(id: string, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/drafts/${id}/send`, { idempotent: true }, options);
  }
}

class Answers {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * Take a thread over from the behavior.
   * For a mailbox of any behavior. From then on the messages of the thread wait for an answer by hand (`POST /api/v1/mail/messages/{id}/answer` without a claim), also while the mailbox is paused, for 24 hours or as long as the settings of an `agent` say; then they fail with `answer_timeout`. A sync send waits for the person within its time. An answer that the behavior is still making is dropped, one under a claim that a program holds is refused with 409 `claim_lost`, and what waits for an approval keeps waiting for the decision. Repeated, it changes nothing.
   */
  takeOverThread(id: string, options: RequestOptions = {}): Promise<Thread> {
    return this.#http.json('POST', path`mail/threads/${id}/take-over`, {}, options);
  }

  /**
   * Hand a thread back to the behavior.
   * The messages of the thread that have no answer are handled by the behavior now, as are later ones. Repeated, it changes nothing.
   */
  handBackThread(id: string, options: RequestOptions = {}): Promise<Thread> {
    return this.#http.json('POST', path`mail/threads/${id}/hand-back`, {}, options);
  }

  /**
   * Claim messages to answer.
   * For an address with the behavior `agent`. Answers as soon as there is a message, or with an empty list after `wait` seconds. Each message is leased to this call: no other gets it until the lease ends or it is released. While such a call is open, and for 60 seconds after, the mailbox is `online`.
   */
  claim(address: string, body: ClaimRequest = {}, options: RequestOptions = {}): Promise<Claimed> {
    return this.#http.json('POST', path`mailboxes/${address}/claim`, { body }, options);
  }

  /**
   * Answer a message.
   * Under a claim, or by hand without one. For a key without `messages:read`, `body` is empty and other content is null in the answer. The first answer settles the message; a later one adds a reply to the thread (`answer.settles` is false), but not under a claim after an answer by hand (`claim_lost`). A claim whose lease ended still counts while no other claim has the message. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`.
   */
  answer(id: string, body: Answer, options: UploadOptions = {}): Promise<AnsweredMessage> {
    return this.#http.json('POST', path`mail/messages/${id}/answer`, { body, idempotent: true }, options);
  }

  /**
   * Answer several messages.
   * As an answer to each message under its claim, without files, in one request. A message that cannot be answered has its `problem`, and the others are answered. Sent again, an answer that was given adds nothing.
   */
  answerMany(address: string, body: AnswerBatch, options: RequestOptions = {}): Promise<AnswerResults> {
    return this.#http.json('POST', path`mailboxes/${address}/answers`, { body }, options);
  }

  /**
   * Show progress and extend the lease.
   * `text` is shown to those who wait for the message, and kept with it; `draft` is the whole reply as written so far, shown to those who follow the message on this node. With the claim alone it only extends the lease.
   */
  progress(id: string, body: ProgressRequest, options: RequestOptions = {}): Promise<Lease> {
    return this.#http.json('POST', path`mail/messages/${id}/progress`, { body }, options);
  }

  /**
   * Give a claimed message back.
   * The next claim gets it, after `after_seconds` if given.
   */
  release(id: string, body: ReleaseRequest, options: RequestOptions = {}): Promise<Message> {
    return this.#http.json('POST', path`mail/messages/${id}/release`, { body }, options);
  }
}

class Reviews {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * What waits to leave, and what was decided.
   * Messages that a mailbox holds until an owner has seen them, newest first: see `outgoing` of a mailbox. A key that is bound to a mailbox sees those of that one.
   */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only messages with this status. */
      readonly status?: 'pending' | 'approved' | 'rejected' | 'expired' | undefined;
      /** Only of this mailbox. */
      readonly mailbox?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Review> {
    return this.#http.list('mail/reviews', query, options);
  }

  /**
   * One review.
   * The message as it would leave, with what was found in it.
   */
  get(id: string, options: RequestOptions = {}): Promise<Review> {
    return this.#http.json('GET', path`mail/reviews/${id}`, {}, options);
  }

  /**
   * Change the text of a message that waits.
   * It has another `hash` from then on, and someone else approves it. With `hash`, 409 `review_changed` where it was changed since you read it.
   */
  change(id: string, body: ReviewChange, options: RequestOptions = {}): Promise<Review> {
    return this.#http.json('PATCH', path`mail/reviews/${id}`, { body }, options);
  }

  /**
   * Let a message leave.
   * Exactly what has this `hash` leaves. The key or session that wrote it, or changed it last, may not approve it.
   */
  approve(id: string, body: ApproveReview, options: RequestOptions = {}): Promise<Review> {
    return this.#http.json('POST', path`mail/reviews/${id}/approve`, { body }, options);
  }

  /**
   * Keep a message from leaving.
   * What it answers is settled as `rejected`, with `review_rejected` and no word of the text.
   */
  reject(id: string, body: RejectReview = {}, options: RequestOptions = {}): Promise<Review> {
    return this.#http.json('POST', path`mail/reviews/${id}/reject`, { body }, options);
  }
}

class Mailboxes {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * The directory: listed mailboxes of every namespace.
   * Those that answer: a mailbox whose behavior is not loaded is left out.
   */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** A part of the address, name or description, ignoring case. A page searches at most 20,000 mailboxes, so it may be short or empty and still have a next page. */
      readonly query?: string | undefined;
      /** Only mailboxes with this behavior. */
      readonly behavior?: string | undefined;
      /** Only mailboxes of this namespace. */
      readonly namespace?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Mailbox> {
    return this.#http.list('mailboxes', query, options);
  }

  /**
   * Mailboxes of a namespace.
   * The listed ones; all of them for its own keys, which may narrow them by `metadata.KEY=VALUE`.
   */
  listOf(
    name: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** A part of the address, name or description, ignoring case. A page searches at most 20,000 mailboxes, so it may be short or empty and still have a next page. */
      readonly query?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Mailbox> {
    return this.#http.list(path`namespaces/${name}/mailboxes`, query, options);
  }

  /**
   * Create a mailbox.
   * A namespace may have 1,000 mailboxes unless the operator sets another limit. One more is answered 422: delete one first. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) require a key with `messages:read` too that does not expire; `trusted_issuers` an owner key.
   */
  create(name: string, body: NewMailbox, options: RequestOptions = {}): Promise<Mailbox> {
    return this.#http.json('POST', path`namespaces/${name}/mailboxes`, { body, idempotent: true }, options);
  }

  /**
   * Get a mailbox.
   * An unlisted mailbox is visible to anyone who knows its address; one with access `key` only to keys of its namespace.
   */
  get(address: string, options: RequestOptions = {}): Promise<Mailbox> {
    return this.#http.json('GET', path`mailboxes/${address}`, {}, options);
  }

  /**
   * Change a mailbox, pause it, resume it.
   * `behavior.settings` are replaced as a whole. Each behavior keeps its settings: changing only `behavior.name` restores the settings the mailbox last had with that behavior (empty the first time) and keeps those of the previous one. A plan that waits for approval can run only with the behavior that made it; until the mailbox has it again, approving is answered 409. A paused mailbox accepts messages, holds them, and answers when it is online again. Where `webhook_url` is set for the first time, the answer has `webhook_secret`. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) are changed, restored or switched on again by a key with `messages:read` too that does not expire, and `trusted_issuers` by an owner key; while they stay as they are, any key that may change the mailbox changes others. `senders` says who may write: a sender on `block`, or missing on a non-empty `allow`, is refused with 403 `sender_not_allowed`, from a second later at most. A key that writes without `from` counts as its namespace. `outgoing` is changed by an owner key, or one with `mail:review` that is not bound to a mailbox; it needs no other scope. `budget` limits what a behavior that asks a language model may take of it: each run reserves what a message may take (the operator’s `MODEL_TOKENS`) before it asks, and gives back what it did not use.
   */
  update(address: string, body: MailboxChange, options: RequestOptions = {}): Promise<Mailbox> {
    return this.#http.json('PATCH', path`mailboxes/${address}`, { body }, options);
  }

  /**
   * Delete a mailbox.
   * Also deletes what it received. Requests for the address are then answered 410; its owner may create it again, empty.
   */
  delete(address: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mailboxes/${address}`, {}, options);
  }

  /**
   * Replace the secret of a mailbox’s webhook.
   * Requests are signed by the new and by the old secret for 24 hours, then by the new one alone. Requires a key with `messages:read` too that does not expire.
   */
  rotateMailboxWebhook(address: string, options: RequestOptions = {}): Promise<RotatedWebhookSecret> {
    return this.#http.json('POST', path`mailboxes/${address}/webhook/rotate`, {}, options);
  }

  /**
   * Try rules on what a mailbox received.
   * Says which of these rules would have applied to the last 100 messages that the mailbox received, newest first, and writes nothing. Replies are left out, as no rule is looked at for them. Of labels the rules see those of the service that a message has now. Requires `messages:read` too.
   */
  tryRules(address: string, body: RulesToTry, options: RequestOptions = {}): Promise<RuleTrial> {
    return this.#http.json('POST', path`mailboxes/${address}/rules/try`, { body }, options);
  }

  /**
   * What a mailbox takes of the language model.
   * By the UTC day on which a run began, newest first; days without a run are left out. Tokens are counted by the model’s server, and where it does not count, or its answer broke off, estimated at four characters each. Previews are not counted. Kept for 90 days.
   */
  getMailboxUsage(
    address: string,
    query: {
      /** How many days, today included: 1 to 90, 30 by default. */
      readonly days?: number | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<Usage> {
    return this.#http.json('GET', path`mailboxes/${address}/usage`, { query }, options);
  }

  /**
   * The tools of the servers and agents that a mailbox lists.
   * For `do` and `assistant`. Connects to each whose tools were not listed in the last five minutes; one that cannot be used has an `error`. Nothing is called.
   */
  listOutsideTools(address: string, options: RequestOptions = {}): Promise<OutsideServers> {
    return this.#http.json('GET', path`mailboxes/${address}/outside`, {}, options);
  }

  /**
   * Connect again to the servers and agents that a mailbox lists.
   * As `GET …/outside`, with what they offer now.
   */
  checkOutside(address: string, options: RequestOptions = {}): Promise<OutsideServers> {
    return this.#http.json('POST', path`mailboxes/${address}/outside/check`, {}, options);
  }

  /**
   * Take the mail of a mailbox with you.
   * An mbox file (RFC 4155; lines that begin with `From ` are quoted as mboxrd does), which any mail program opens: everything the mailbox received and wrote up to now, its replies too, oldest first, without its trash. Where the original of a mail is kept, exactly its bytes; else a mail made of what is stored, with `X-Mailroom-Id`. An export that breaks off closes the connection before its end.
   */
  export(address: string, options: RequestOptions = {}): Promise<Response> {
    return this.#http.raw('GET', path`mailboxes/${address}/export.mbox`, {}, options);
  }

  /**
   * Import a mail.
   * The body is one mail as it is (RFC 5322), of an archive or another mailbox. It is filed with its date: nothing handles or answers it, no event and no webhook tells of it, it is read, its author counts as unproven (`not_answered: "imported"`), and it continues the threads of imported mails alone. The same mail again adds nothing, so an import that broke off is repeated whole. `mailroom import ADDRESS FILE` sends all mails of an mbox file, a Maildir or a folder of .eml files.
   */
  importMail(
    address: string,
    content: Bytes,
    query: {
      /** When it came (RFC 3339): its date, where the mail has none. Left out: now. */
      readonly received_at?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<ImportResult> {
    return this.#http.json(
      'POST',
      path`mailboxes/${address}/import`,
      { bytes: { type: 'message/rfc822', content }, query },
      options,
    );
  }
}

class SignIn {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /** Apps that let people sign in by an auth address (OIDC clients) */
  listClients(
    address: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Client> {
    return this.#http.list(path`mailboxes/${address}/clients`, query, options);
  }

  /**
   * Register a service.
   * Requires a key that does not expire, because the service would outlast the key; changing a service does too. The service can then sign people and agents in with any OpenID Connect library, using `issuer`, `id` and `client_secret`. The secret is shown only in this answer. Repeating the request with the same `Idempotency-Key` creates no second service and does not return the secret; if you lost it, create a new one with `POST …/secret`.
   */
  createClient(address: string, body: NewClient, options: RequestOptions = {}): Promise<ClientWithSecret> {
    return this.#http.json('POST', path`mailboxes/${address}/clients`, { body, idempotent: true }, options);
  }

  /** Get a service */
  getClient(address: string, id: string, options: RequestOptions = {}): Promise<Client> {
    return this.#http.json('GET', path`mailboxes/${address}/clients/${id}`, {}, options);
  }

  /**
   * Change a service.
   * Requires a key that does not expire. Lists are replaced as a whole; null removes a field. After a change to a method with a secret, create one with `POST …/secret`.
   */
  updateClient(address: string, id: string, body: ClientChange, options: RequestOptions = {}): Promise<Client> {
    return this.#http.json('PATCH', path`mailboxes/${address}/clients/${id}`, { body }, options);
  }

  /**
   * Remove a service.
   * No one can sign in to it afterwards.
   */
  deleteClient(address: string, id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mailboxes/${address}/clients/${id}`, {}, options);
  }

  /**
   * Make a new secret for a service.
   * Requires a key that does not expire. The previous secret stops working at once. The new one is shown only in this answer.
   */
  renewClientSecret(address: string, id: string, options: RequestOptions = {}): Promise<ClientWithSecret> {
    return this.#http.json('POST', path`mailboxes/${address}/clients/${id}/secret`, {}, options);
  }

  /** Registration tokens of an auth address */
  listRegistrationTokens(address: string, options: RequestOptions = {}): List<RegistrationToken> {
    return this.#http.list(path`mailboxes/${address}/registration-tokens`, {}, options);
  }

  /**
   * Let services register themselves.
   * The token is shown only in this answer. A service sends it when it registers (RFC 7591). It expires, and it ends with the key that created it, which must not expire.
   */
  createRegistrationToken(
    address: string,
    body: NewRegistrationToken = {},
    options: RequestOptions = {},
  ): Promise<RegistrationTokenWithSecret> {
    return this.#http.json('POST', path`mailboxes/${address}/registration-tokens`, { body }, options);
  }

  /**
   * Remove a registration token.
   * It can no longer be used. Services registered with it stay.
   */
  deleteRegistrationToken(address: string, id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mailboxes/${address}/registration-tokens/${id}`, {}, options);
  }

  /** Where a mailbox may sign in (allowed relying parties) */
  listAllowedServices(address: string, options: RequestOptions = {}): List<AllowedService> {
    return this.#http.list(path`mailboxes/${address}/services`, {}, options);
  }

  /**
   * Let a mailbox sign in to a service.
   * The mailbox then signs in there without asking: messages it sends to the `auth` address do not wait for approval. Repeating the request changes nothing. Requires a key that does not expire.
   */
  allowService(address: string, body: NewAllowedService, options: RequestOptions = {}): Promise<AllowedService> {
    return this.#http.json('POST', path`mailboxes/${address}/services`, { body }, options);
  }

  /**
   * Make a mailbox ask again before it signs in.
   * A session it already has with the service may continue.
   */
  disallowService(address: string, id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`mailboxes/${address}/services/${id}`, {}, options);
  }
}

class Namespaces {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * Create a namespace.
   * No account is needed. The owner key is shown only in this answer. Repeating the request with the same Idempotency-Key while the key is unused returns a new secret, so that a lost answer does not cost you the name; use a random UUID, which no one can guess. Reserved names: a2a, about, account, admin, api, ard, assets, auth, console, docs, events, export, help, imap, livez, llms, login, logout, mail, mcp, metrics, mx, new, ns, oauth, oidc, pop, privacy, problems, public, python, readyz, report, robots, root, search, security, settings, share, sitemap, skills, smtp, static, status, support, terms, try, well-known, www.
   */
  create(body: NewNamespace, options: RequestOptions = {}): Promise<NamespaceCreated> {
    return this.#http.json('POST', 'namespaces', { body, idempotent: true }, options);
  }

  /** Get a namespace */
  get(name: string, options: RequestOptions = {}): Promise<NamespaceWithMailboxes> {
    return this.#http.json('GET', path`namespaces/${name}`, {}, options);
  }

  /** Change a namespace */
  update(name: string, body: NamespaceChange, options: RequestOptions = {}): Promise<Namespace> {
    return this.#http.json('PATCH', path`namespaces/${name}`, { body }, options);
  }

  /**
   * Delete a namespace.
   * Its keys stop working at once. Its mailboxes are deleted with everything they received and answered. Messages it sent to others stay with them, without the sender. The name stays taken.
   */
  delete(name: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`namespaces/${name}`, {}, options);
  }

  /**
   * A namespace at a glance.
   * Its mailboxes with their unread conversations, its labels, what waits for approval, and how much it stores.
   */
  getOverview(name: string, options: RequestOptions = {}): Promise<Overview> {
    return this.#http.json('GET', path`namespaces/${name}/overview`, {}, options);
  }

  /**
   * What arrived in a namespace, and how it ended.
   * Messages that arrived, were answered and failed, and how long the answers took.
   */
  getActivity(
    name: string,
    query: {
      /** The last 24 hours, the default, or the last 30 days. */
      readonly span?: '24h' | '30d' | undefined;
      /** Only this mailbox of the namespace. */
      readonly mailbox?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): Promise<Activity> {
    return this.#http.json('GET', path`namespaces/${name}/activity`, { query }, options);
  }

  /**
   * Who belongs to a namespace, and who is invited.
   * In the order in which they came. Members are invited, changed and removed in the console by an owner who is signed in, never by a key: a key that leaked must not outlive its revocation.
   */
  listMembers(name: string, options: RequestOptions = {}): List<Member> {
    return this.#http.list(path`namespaces/${name}/members`, {}, options);
  }

  /**
   * Take everything with you.
   * JSON Lines: the namespace, its mailboxes with their settings, its keys and webhooks without secrets, then everything its mailboxes received and its keys sent up to now, oldest first, each message once with its reply, and last where conversations stand and what members noted of them. A filed copy of a reply is included only if the message it answers is not. The export is complete when its last line has the type `end`.
   */
  export(name: string, options: RequestOptions = {}): AsyncGenerator<ExportLine, void> {
    return this.#http.lines(path`namespaces/${name}/export`, options);
  }

  /**
   * Who changed what, and read what.
   * An entry for each change of keys, members, settings, policies, webhooks, domains and services, each decision on a review or a plan, take-over, deletion, export, sign-in and read of a raw mail, newest first. Each is written with its change, and holds the hash of the entry before it. Kept for `AUDIT_DAYS` days (400 unless the operator set another number).
   */
  listAudit(
    name: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only this action. */
      readonly action?: string | undefined;
      /** Only what the member or the key with this id did. */
      readonly actor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<AuditEntry> {
    return this.#http.list(path`namespaces/${name}/audit`, query, options);
  }

  /**
   * Take the audit log with you.
   * JSON Lines: what precedes the first entry, each entry, oldest first, and how many there are. `mailroom audit verify FILE` finds each entry that was changed, left out or moved since.
   */
  exportAudit(name: string, options: RequestOptions = {}): AsyncGenerator<AuditExportLine, void> {
    return this.#http.lines(path`namespaces/${name}/audit/export`, options);
  }
}

class Domains {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /** The namespace's domains */
  list(
    name: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Domain> {
    return this.#http.list(path`namespaces/${name}/domains`, query, options);
  }

  /**
   * Add a domain of yours.
   * Publish the records of the answer in DNS. Once the TXT record of verification is found, `hello@` your domain reaches the mailbox `hello` of the namespace, beside its address here, and answers leave from the address that was written to, signed for your domain. It is looked up by itself, ever less often, for three weeks, and at once by `verify`. Adding it again answers with what there is. Other namespaces may add the same domain; it is verified in one at a time. Requires an owner key that does not expire, and a namespace that has an owner (claimed). A namespace has at most 20 domains.
   */
  add(name: string, body: NewDomain, options: RequestOptions = {}): Promise<Domain> {
    return this.#http.json('POST', path`namespaces/${name}/domains`, { body }, options);
  }

  /** Get a domain with its records */
  get(name: string, domain: string, options: RequestOptions = {}): Promise<Domain> {
    return this.#http.json('GET', path`namespaces/${name}/domains/${domain}`, {}, options);
  }

  /**
   * Remove a domain.
   * With its keys. Mail to its addresses is refused from then on (550); answers that wait leave from the address at the domain of the service. Added again it has other records.
   */
  remove(name: string, domain: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`namespaces/${name}/domains/${domain}`, {}, options);
  }

  /**
   * Look up its records now.
   * Answers with what DNS says about each record. A domain that is verified in another namespace, whose TXT record is still there, is 409; without that record it is verified here, and the other one fails.
   */
  verify(name: string, domain: string, options: RequestOptions = {}): Promise<Domain> {
    return this.#http.json('POST', path`namespaces/${name}/domains/${domain}/verify`, {}, options);
  }

  /**
   * Make new signing keys.
   * Publish the records of the new keys (`keys` with the status `waiting`). They sign mail once all of them are found, which is looked up after a minute, then each hour, and at once by `verify`; until then those before sign. A week later those are removed, and so may be their records. While new keys wait for their records, no others are made, so it may be repeated.
   */
  rotateDomainKeys(name: string, domain: string, options: RequestOptions = {}): Promise<Domain> {
    return this.#http.json('POST', path`namespaces/${name}/domains/${domain}/rotate`, {}, options);
  }
}

class Behaviors {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /** How a mailbox can answer */
  list(options: RequestOptions = {}): List<Behavior> {
    return this.#http.list('behaviors', {}, options);
  }
}

class Events {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * Follow what happens.
   * Every event of the namespace’s mailboxes and their messages, in order, kept for 30 days unless the operator sets another time; a key bound to a mailbox gets the events of that mailbox. The answer is a page, oldest first, starting after `after` or `cursor`, or with the oldest event. `next_cursor` is never null: use it to get the events that happened since. With `Accept: text/event-stream` the answer is a stream of server-sent events, starting now or after `Last-Event-ID` or `after`; each has its id, its type as `event`, and the event as one line of JSON. The stream ends when the service restarts or the key stops working: connect again with the last id, and no event is missed or repeated. A message answered on arrival has only its final event; one that waits has `message.received` first. `data` is the state at the time of the answer, and deleted objects no longer appear.
   */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** The id of an event; returns the events after it. Ids sort in the order of their events. */
      readonly after?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Event> {
    return this.#http.list('events', query, options);
  }
}

class Webhooks {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * The namespace's webhooks, without their secrets.
   * A key that is bound to a mailbox lists the webhooks of that mailbox.
   */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Webhook> {
    return this.#http.list('webhooks', query, options);
  }

  /**
   * Make a webhook.
   * Every event from now on that it asks for is posted to the URL, with the message or mailbox it is about, until the endpoint answers 2xx: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. Requests are signed as in [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id` is the id of the event, the same for every attempt. An event may arrive more than once and out of order. Answer within 15 s. Requires a key that does not expire, and for messages (`*`, `message.*`, `delivery.*`, `thread.*`) one with `messages:read` too. A namespace may have 20 webhooks unless the operator sets another limit.
   */
  create(body: NewWebhook, options: RequestOptions = {}): Promise<WebhookWithSecret> {
    return this.#http.json('POST', 'webhooks', { body, idempotent: true }, options);
  }

  /** Get a webhook */
  get(id: string, options: RequestOptions = {}): Promise<Webhook> {
    return this.#http.json('GET', path`webhooks/${id}`, {}, options);
  }

  /**
   * Change a webhook, or switch it off or on.
   * A field that is left out stays as it is, so of two changes at once both hold unless they are of one field. Switched off, it gives up what waits. Switched on, it gets events from then on; ask for those in between with `replay`. Requires a key that does not expire, and for messages one with `messages:read` too; what it sends leaves by the rights of that key from then on. Switching it off requires neither.
   */
  update(id: string, body: WebhookChange, options: RequestOptions = {}): Promise<Webhook> {
    return this.#http.json('PATCH', path`webhooks/${id}`, { body }, options);
  }

  /**
   * Remove a webhook.
   * With its deliveries. What waits is not delivered any more.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`webhooks/${id}`, {}, options);
  }

  /**
   * Replace the secret.
   * The secret before it signs too for 24 hours, so that you can replace it at the endpoint meanwhile: `webhook-signature` has one signature for each. Requires a key as for a change.
   */
  rotate(id: string, options: RequestOptions = {}): Promise<WebhookWithSecret> {
    return this.#http.json('POST', path`webhooks/${id}/rotate`, {}, options);
  }

  /**
   * Send a test event.
   * One attempt, now, with an event of type `webhook.test`, also when the webhook is switched off. Answers when the endpoint did, after 15 s at most: the delivery is `sent`, or `failed` with the reason as `error`.
   */
  test(id: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#http.json('POST', path`webhooks/${id}/test`, {}, options);
  }

  /**
   * Send the events since a time again.
   * Every event since then that the webhook asks for and that is still in the log (30 days unless the operator sets another time): those that arrived or were given up are delivered again, those that it missed while it was off for the first time. New events follow after them. For messages it requires a key with `messages:read` that does not expire.
   */
  replay(id: string, body: WebhookReplay, options: RequestOptions = {}): Promise<Webhook> {
    return this.#http.json('POST', path`webhooks/${id}/replay`, { body }, options);
  }

  /**
   * What was delivered, and what waits.
   * Kept for as long as events, and no more than the newest 5,000 of a webhook unless the operator sets other limits.
   */
  listDeliveries(
    id: string,
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
      /** Only those with this status. */
      readonly status?: 'queued' | 'sent' | 'deferred' | 'failed' | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<WebhookDelivery> {
    return this.#http.list(path`webhooks/${id}/deliveries`, query, options);
  }

  /**
   * Deliver an event again.
   * At once, and with all its attempts again, whether it arrived, waits or was given up. For an event of a message it requires a key with `messages:read` that does not expire.
   */
  redeliver(id: string, delivery: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#http.json('POST', path`webhooks/${id}/deliveries/${delivery}/redeliver`, {}, options);
  }
}

class Keys {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /** The namespace's keys, without their secrets */
  list(
    query: {
      /** How many, 50 by default, up to 200. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined;
    } = {},
    options: RequestOptions = {},
  ): List<Key> {
    return this.#http.list('keys', query, options);
  }

  /**
   * Make a key.
   * It cannot do more than the key that creates it. The secret is shown only in this answer.
   */
  create(body: NewKey, options: RequestOptions = {}): Promise<KeyWithSecret> {
    return this.#http.json('POST', 'keys', { body, idempotent: true }, options);
  }

  /**
   * Revoke a key.
   * It stops working at once.
   */
  revoke(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#http.json('DELETE', path`keys/${id}`, {}, options);
  }

  /** The key in use, its namespace and scopes */
  me(options: RequestOptions = {}): Promise<Me> {
    return this.#http.json('GET', 'me', {}, options);
  }
}

class Operations {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * The public keys of what this service signs.
   * Receipts of `do` are signed with one of them. A key signs for 90 days and is listed for five years.
   */
  getJwks(options: RequestOptions = {}): Promise<Jwks> {
    return this.#http.json('GET', '/.well-known/jwks.json', {}, options);
  }

  /** Whether the process runs */
  getLivez(options: RequestOptions = {}): Promise<Alive> {
    return this.#http.json('GET', '/livez', {}, options);
  }

  /** Whether it can serve: writes to the database */
  getReadyz(options: RequestOptions = {}): Promise<Alive> {
    return this.#http.json('GET', '/readyz', {}, options);
  }

  /** Prometheus metrics */
  getMetrics(options: RequestOptions = {}): Promise<Response> {
    return this.#http.raw('GET', '/metrics', {}, options);
  }
}

class Documents {
  readonly #http: Http;
  constructor(http: Http) {
    this.#http = http;
  }
  /**
   * This API as OpenAPI 3.1.
   * Generated from the routes and schemas that serve and validate, so it is always current.
   */
  getOpenapi(options: RequestOptions = {}): Promise<{ readonly [name: string]: unknown }> {
    return this.#http.json('GET', 'openapi.json', {}, options);
  }
}

/** Every endpoint, grouped by noun. */
export class Api {
  readonly messages: Messages;
  readonly drafts: Drafts;
  readonly answers: Answers;
  readonly reviews: Reviews;
  readonly mailboxes: Mailboxes;
  readonly signIn: SignIn;
  readonly namespaces: Namespaces;
  readonly domains: Domains;
  readonly behaviors: Behaviors;
  readonly eventLog: Events;
  readonly webhooks: Webhooks;
  readonly keys: Keys;
  readonly operations: Operations;
  readonly documents: Documents;
  constructor(http: Http) {
    this.messages = new Messages(http);
    this.drafts = new Drafts(http);
    this.answers = new Answers(http);
    this.reviews = new Reviews(http);
    this.mailboxes = new Mailboxes(http);
    this.signIn = new SignIn(http);
    this.namespaces = new Namespaces(http);
    this.domains = new Domains(http);
    this.behaviors = new Behaviors(http);
    this.eventLog = new Events(http);
    this.webhooks = new Webhooks(http);
    this.keys = new Keys(http);
    this.operations = new Operations(http);
    this.documents = new Documents(http);
  }
}
