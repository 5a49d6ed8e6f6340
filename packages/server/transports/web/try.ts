import type { Millis } from '@mailroom/behavior/values/clock';
import { problems } from '@mailroom/behavior/values/error';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Directory } from '../../core/access/directory.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import type { Submitter } from '../../core/messages/submit.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import { watch } from '../../core/notify/watch.ts';
import type { Store } from '../../core/ports/store.ts';
import { attachmentAnswer } from '../../http/attachment-answer.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import type { Streams } from '../../http/connections/streams.ts';
import { type Html, html } from '../../http/html.ts';
import { LazyWait } from '../../http/lazy-wait.ts';
import type { Limiters } from '../../http/limits.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseDelta, sseEvent } from '../../http/sse.ts';
import {
  countLook,
  isFieldError,
  isFurtherReply,
  ownFile,
  ownMessage,
  readAsked,
  type SubmissionParts,
  sendRefusal,
  submissionOf,
  type TryLimits,
  type TryRequest,
  threadOf,
} from './guest.ts';
import { PAGE_HEADERS } from './headers.ts';
import { pageAnswer } from './layout.ts';
import { type MailboxPageParts, mailboxPage, type TalkState } from './pages/mailbox.ts';
import { pathOf } from './pieces.ts';
import { ADDRESS, findMailbox, moved, PLACE, type PlaceParts } from './place.ts';
import { type SendProblem, waitNote } from './talk.ts';
import { knownTasks, type TaskDescription } from './tasks.ts';
import { answerTurn, furtherTurn, turns } from './turns.ts';

type TryCall = Pick<Call, 'caller' | 'form' | 'headers' | 'gone' | 'request_id'>;

/** How long a stream stays silent at most, in milliseconds. */
const BEAT_MS = 10_000;
/** How long a stream waits for an answer in all, in milliseconds. */
const STREAM_MS = 150_000;

interface TryParts extends PlaceParts, MailboxPageParts, SubmissionParts, TryLimits {
  readonly store: Store;
  readonly post: Submitter;
  readonly bus: EventBus;
  readonly authenticator: Authenticator;
  readonly limiters: Pick<Limiters, 'tries' | 'pages'>;
  /** Counts the event streams that callers have open. */
  readonly streams: Streams;
  readonly sync_ms: Millis;
  readonly directory: Directory;
  readonly stop: StopSignals;
}

/** What showing the conversation of a guest needs. */
export interface ConversationParts extends MailboxPageParts {
  readonly store: Store;
  readonly authenticator: Pick<Authenticator, 'threadOf' | 'threadToken'>;
}

/** The conversation to which the link leads that a page gave; undefined where it leads to none in this mailbox. */
export async function linkedConversation(
  token: string,
  mailbox: Mailbox,
  parts: ConversationParts,
): Promise<TalkState | undefined> {
  const thread_id = parts.authenticator.threadOf(token);
  if (thread_id === undefined || (await threadOf(thread_id, mailbox, parts)).items.length === 0) return undefined;
  return { turns: await threadTurns(thread_id, mailbox, parts), thread_token: token };
}

/** Writing to a mailbox as a guest, by the form on its page. */
export const tryRoutes = (parts: TryParts): readonly Route[] => [
  pageRoute('POST', '/{name}', {
    ...PLACE,
    names: ADDRESS,
    form: true,
    async handle(call) {
      const { found, elsewhere } = await findMailbox(call.params.name, call.caller, parts);
      return elsewhere === undefined ? tryMailbox(found, call, parts) : moved(`./${elsewhere}`);
    },
  }),
];

/** Handles the form of a conversation: answers with a page of both turns, or with a stream for the script. */
async function tryMailbox(mailbox: Mailbox, call: TryCall, parts: TryParts): Promise<Answer> {
  if (call.headers.accept === 'text/event-stream') {
    const headers = { ...PAGE_HEADERS, ...SSE_HEADERS };
    parts.streams.open(call.caller, call.gone());
    return { status: 200, headers, body: stream(mailbox, call, parts) };
  }
  try {
    const request = readAsked(call.form, parts.authenticator);
    const problem = counts(request)
      ? await sendRefusal(call.caller, call.form, parts)
      : await countLook(call.caller, parts);
    if (problem !== undefined) return await talkPage(429, mailbox, call, { problem }, parts);
    if (request.kind === 'look' && request.before !== null) {
      return await talkPage(200, mailbox, call, { thread: request.thread_id, before: request.before }, parts);
    }
    if (request.kind === 'file') {
      const file = await ownFile(request.id, request.thread_id, parts);
      return attachmentAnswer(file, parts.store.blobs, call.headers, call.request_id);
    }
    const message = await act(request, mailbox, call, parts, parts.sync_ms);
    return await talkPage(200, mailbox, call, { thread: message.thread_id }, parts);
  } catch (error) {
    if (!isFieldError(error)) throw error;
    const problem: SendProblem = { kind: 'error', message: error.message };
    return talkPage(problems[error.code].status, mailbox, call, { problem }, parts);
  }
}

const counts = ({ kind }: TryRequest): boolean => kind === 'write' || kind === 'again';

/** Does what was requested and waits up to `ms` for its end; returns the message. */
async function act(
  request: TryRequest,
  mailbox: Mailbox,
  call: TryCall,
  parts: TryParts,
  ms: number,
): Promise<Message> {
  const { post } = parts;
  const wait = new LazyWait(ms, call, parts);
  switch (request.kind) {
    case 'cancel':
      return post.cancel(await ownMessage(request.id, request.thread_id, parts));
    // A stream brings no file.
    case 'file':
    case 'later':
    case 'look': {
      const { items } = await threadOf(request.thread_id, mailbox, parts);
      const last = items.findLast((one) => !isFurtherReply(one, mailbox));
      const { id } = await ownMessage(last?.id ?? '', request.thread_id, parts);
      return (
        (await post.settled(id, new LazyWait(Math.min(ms, 1000), call, parts))) ??
        ownMessage(id, request.thread_id, parts)
      );
    }
    case 'again': {
      const { body } = await ownMessage(request.id, request.thread_id, parts);
      const submission = submissionOf(mailbox, body, request.thread_id, call.form, call.caller, parts);
      return (await post.send({ ...submission, retry_of: request.id }, wait)).message;
    }
    case 'write': {
      const submitted = submissionOf(mailbox, request.text, request.thread_id, call.form, call.caller, parts);
      return (await post.send(submitted, wait)).message;
    }
  }
}

/** The mailbox's page with the conversation so far; what was typed is kept when it could not be sent. */
async function talkPage(
  status: number,
  mailbox: Mailbox,
  call: TryCall,
  options: { readonly thread?: string; readonly before?: string; readonly problem?: SendProblem },
  parts: TryParts,
): Promise<Answer> {
  const { thread, before: beforeId, problem } = options;
  const token = call.form.get('thread_token') ?? '';
  const thread_id = thread ?? parts.authenticator.threadOf(token);
  const state: TalkState = {
    ...(thread_id === undefined
      ? {}
      : {
          turns: await threadTurns(thread_id, mailbox, parts, beforeId),
          thread_token: parts.authenticator.threadToken(thread_id),
        }),
    ...(problem === undefined ? {} : { problem, text: call.form.get('example') ?? call.form.get('body') ?? '' }),
  };
  const wait: Record<string, string> = problem?.kind === 'wait' ? { 'retry-after': String(problem.seconds) } : {};
  return pageAnswer(status, await mailboxPage(mailbox, 'curl', state, parts), { ...wait, 'cache-control': 'no-store' });
}

/** The last messages of the conversation, or the last before one of them, with buttons that lead to the rest. */
async function threadTurns(
  thread_id: string,
  mailbox: Mailbox,
  parts: ConversationParts,
  beforeId?: string,
): Promise<Html> {
  const { items: messages, next } = await threadOf(thread_id, mailbox, parts, beforeId);
  // Of a message and its retries only the last one is shown.
  const again = new Set(messages.map(({ retry_of }) => retry_of));
  const shownTurns: Html[] = [];
  for (const message of messages.filter(({ id }) => !again.has(id))) {
    shownTurns.push(
      isFurtherReply(message, mailbox)
        ? await furtherTurn(message, mailbox)
        : await turns(message, mailbox, { goes_on: true, ...optionsOf(mailbox, thread_id, parts) }),
    );
    // Rendering long answers takes time, so other requests are served in between.
    await yieldToEventLoop();
  }
  return html`${next !== null && elsewhere('before', next, 'Earlier messages')}${shownTurns}${
    beforeId !== undefined && elsewhere('look', '1', 'Newest messages')
  }`;
}

const elsewhere = (name: string, value: string, label: string): Html =>
  html`<p class="row elsewhere" data-${name}><button class="button quiet" name="${name}" value="${value}">${label}</button></p>`;

/** What the turns of a conversation need of their mailbox and its thread. */
const optionsOf = (mailbox: Mailbox, thread_id: string, parts: ConversationParts) => ({
  tasks: tasksOf(mailbox, parts),
  back: `${parts.baseUrl()}/${pathOf(mailbox, parts.mailDomain)}?conversation=${parts.authenticator.threadToken(thread_id)}`,
});

/** The mailbox's tasks by name. */
function tasksOf(
  { behavior, settings }: Mailbox,
  { behaviors }: Pick<MailboxPageParts, 'behaviors'>,
): ReadonlyMap<string, TaskDescription> {
  const own = behaviors.find(({ name }) => name === behavior);
  return new Map(knownTasks(own, settings).map((task) => [task.name, task]));
}

const drawn = async (message: Message, mailbox: Mailbox, parts: TryParts): Promise<object> => ({
  id: message.id,
  html: (
    await answerTurn(message, mailbox, { fresh: true, goes_on: true, ...optionsOf(mailbox, message.thread_id, parts) })
  ).text,
});

/** What was answered at the end of the conversation since it was shown. */
async function* laterTurns(
  { thread_id, shown: shownIds, waits }: Extract<TryRequest, { kind: 'later' }>,
  mailbox: Mailbox,
  parts: TryParts,
): AsyncGenerator<object> {
  const { items } = await threadOf(thread_id, mailbox, parts);
  for (const message of items) {
    const { id, status } = message;
    if (isFurtherReply(message, mailbox)) {
      if (!shownIds.has(id)) yield { id, html: (await furtherTurn(message, mailbox)).text };
    } else if (waits.has(id) && isSettled(status)) yield await drawn(message, mailbox, parts);
  }
}

/**
 * The same as a stream: `earlier` for messages before a given one; `thread` once the message is stored, `doing`,
 * `delta` while the reply is written, `waits` once it waits for an owner or an answer from outside, `turn`; or `limit`, or `problem`.
 */
async function* stream(mailbox: Mailbox, call: TryCall, parts: TryParts): AsyncGenerator<string> {
  const toEvent = (event: string, data: object): string => sseEvent({ event, data: JSON.stringify(data) });
  try {
    const request = readAsked(call.form, parts.authenticator);
    const problem = counts(request)
      ? await sendRefusal(call.caller, call.form, parts)
      : await countLook(call.caller, parts);
    if (problem?.kind === 'wait') {
      yield toEvent('limit', { seconds: problem.seconds, html: waitNote(problem).text });
      return;
    }
    if (request.kind === 'look' && request.before !== null) {
      yield toEvent('earlier', { html: (await threadTurns(request.thread_id, mailbox, parts, request.before)).text });
      return;
    }
    if (request.kind === 'later') {
      for await (const turn of laterTurns(request, mailbox, parts)) yield toEvent('turn', turn);
      return;
    }
    let message = await act(request, mailbox, call, parts, 500);
    yield toEvent('thread', { id: message.id, thread_token: parts.authenticator.threadToken(message.thread_id) });
    if (request.kind === 'look') {
      yield toEvent('turns', { html: (await threadTurns(message.thread_id, mailbox, parts)).text, last: message.id });
    }
    if (mailbox.status === 'online' || message.taken_over === true) {
      let sentDraft = '';
      const over = AbortSignal.any([call.gone(), parts.stop.begun, AbortSignal.timeout(STREAM_MS)]);
      let waits: Message['waiting_for'] = null;
      for await (const now of watch(message, parts, over, BEAT_MS)) {
        const { draft = sentDraft, waiting_for } = now;
        const text = lastReport(now) ?? (waiting_for === 'answer' ? 'Waiting for an answer' : undefined);
        const doing = text === undefined || draft !== sentDraft ? '' : toEvent('doing', { text });
        const turn =
          waiting_for === null || waiting_for === waits ? '' : toEvent('waits', await drawn(now, mailbox, parts));
        yield turn + doing + sseDelta(sentDraft, draft) || SSE_HEARTBEAT;
        [waits, sentDraft] = [waiting_for, draft];
      }
      message = (await parts.post.settled(message.id, undefined)) ?? message;
    }
    yield toEvent('turn', await drawn(message, mailbox, parts));
  } catch (error) {
    if (!isFieldError(error)) throw error;
    yield toEvent('problem', { message: error.message });
  }
}

/** The latest progress, in the words of its behavior. */
function lastReport({ progress }: Message): string | undefined {
  const reports = progress == null ? [] : (JSON.parse(progress) as { readonly text: string }[]);
  return reports.at(-1)?.text;
}
