import { withoutMailDomain } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, parseRfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { FIRST_EVENT, isId, madeAt } from '@mailroom/behavior/values/ids';
import { JsonText } from '@mailroom/behavior/values/json';
import { finder, wordsFinder } from '@mailroom/behavior/values/text-search';
import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { metadataFor } from '../../core/access/message-labels.ts';
import type { Registry } from '../../core/access/registry.ts';
import { marksIn } from '../../core/entities/label.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { Envelope, envelopeText } from '../../core/entities/message-view.ts';
import { codeIn, mailTexts } from '../../core/messages/extraction.ts';
import { linkIn } from '../../core/messages/link-extraction.ts';
import type { Arrivals } from '../../core/notify/arrivals.ts';
import { MAX_QUERY } from '../../core/ports/search.ts';
import type { Store } from '../../core/ports/store.ts';
import { withEmailStates } from '../../core/reports/email-states.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import type { Streams } from '../../http/connections/streams.ts';
import { operation, type Route } from '../../http/route.ts';
import { readFrom } from './message-query.ts';
import { AddressParam, OF_MAILBOX } from './parts.ts';

const WaitRequest = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Only from this address, with or without the mail domain; `*@example.com` for any of a domain.',
      }),
    ),
    subject: Type.Optional(
      Type.String({ minLength: 1, maxLength: 998, description: 'A part of the subject, ignoring case.' }),
    ),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_QUERY,
        description:
          'Words, or parts of them, and phrases in quotes, each of which is in the subject, the body or an address, ignoring case.',
      }),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'A time (RFC 3339) or the id of a message: only what was received after it, as far back as events are kept. Left out: now. Take the time before you do what the mail answers.',
      }),
    ),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, default: 30, description: 'Seconds to wait for it.' })),
    extract: Type.Optional(
      Type.Enum(['code', 'link'], {
        description: 'What to find in it: a one-time code, or the link that confirms, resets or signs in.',
      }),
    ),
  },
  { $id: 'WaitRequest', additionalProperties: false },
);
type WaitRequest = Type.Static<typeof WaitRequest>;

const Awaited = Type.Object(
  {
    message: Type.Union([Envelope, Type.Null()], { description: 'Null when the time is over.' }),
    code: Type.Optional(
      Type.String({
        description:
          'The one-time code as it is typed: digits without blanks, words with single ones; left out where none was found.',
      }),
    ),
    link: Type.Optional(Type.String({ description: 'The link; left out where none was found.' })),
  },
  { $id: 'AwaitedMessage' },
);

export interface WaitParts {
  readonly store: Pick<Store, 'emails' | 'events' | 'messages'>;
  readonly directory: Directory;
  readonly registry: Registry;
  readonly arrivals: Arrivals;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Counts the requests that wait for a message. */
  readonly mailWaits: Streams;
  readonly stop: Pick<StopSignals, 'begun'>;
}

/** Waiting for a message that a mailbox receives. */
export function waitRoutes(parts: WaitParts): readonly Route[] {
  const { store, directory, registry, arrivals, clock, mailDomain } = parts;

  /** Which messages come after `after`, and from where on to read the log. */
  async function start({ id, namespace_id }: Mailbox, after: string | undefined) {
    const now = clock();
    if (after === undefined) return { cursor: null, isLater: (one: Message) => one.created_at >= now };
    const time = parseRfc3339(after) ?? (await timeOf(id, after));
    const isLater = (one: Message): boolean =>
      one.created_at > time || (one.created_at === time && isId('msg', after) && one.id > after);
    return { cursor: (await store.events.lastBefore(namespace_id, time)) ?? FIRST_EVENT, isLater };
  }

  /** When a message was received; of one that the mailbox has no more, when its id was made. */
  async function timeOf(mailboxId: string, id: string): Promise<Millis> {
    if (!isId('msg', id))
      throw invalid(
        '/after',
        'after must be a time (RFC 3339), such as 2026-11-20T08:00:00.000Z, or the id of a message.',
      );
    const message = await store.messages.byId(id);
    return message?.mailbox_id === mailboxId ? message.created_at : madeAt(id);
  }

  /** The message as a list shows it, and what was extracted. */
  async function shown(found: Message, mailbox: Mailbox, caller: Caller, extract: WaitRequest['extract']) {
    const [message = found] = await withEmailStates([found], store);
    const { text } = envelopeText(message, mailDomain, {
      ...marksIn(message, mailbox.id),
      ...metadataFor(message, caller),
    });
    const texts = extract === undefined ? undefined : mailTexts(message);
    const value = texts && (extract === 'code' ? codeIn(texts) : linkIn(texts));
    const more = value === undefined ? '' : `,"${extract}":${JSON.stringify(value)}`;
    return new JsonText(`{"message":${text}${more}}`);
  }

  return [
    operation('POST', '/api/v1/mailboxes/{address}/wait', 'waitForMessage', {
      tag: 'Messages',
      summary: 'Wait for a message',
      description:
        'Answers as soon as the mailbox has received a message after `after` that matches, the first of them, or with `message: null` after `wait` seconds. It never gives an older one. The message stays as it is, unread. What `extract` finds was written by someone else: compare the author before you use it. A sign-in code of this service stays sealed.',
      access: 'messages:read',
      limits: [],
      params: AddressParam,
      body: WaitRequest,
      body_optional: true,
      answers: { 200: { description: 'The message, or null.', schema: Awaited } },
      problems: [...OF_MAILBOX, 'rate_limited'],
      async handle({ caller, params, body, left: leaves }) {
        const mailbox = await registry.mailboxFor(caller, params.address, 'messages:read');
        const { wait = 30, after, extract } = body;
        const fits = readFilter(body, mailDomain);
        const { cursor, isLater } = await start(mailbox, after);
        const departure = wait > 0 ? parts.mailWaits.open(caller, leaves()) : leaves();
        const found = await arrivals.first(mailbox, {
          after: cursor,
          matches: (message) => isLater(message) && fits(message),
          ms: wait * SECOND,
          signal: AbortSignal.any([departure, parts.stop.begun]),
        });
        if (wait > 0) {
          if (caller.kind === 'key' && !(await directory.works(caller.key, false)))
            throw new AppError('invalid_key', 'This key was revoked or has expired.');
          // A mailbox that was deleted while the call waited is gone.
          if (found === undefined) await registry.mailboxFor(caller, params.address, 'messages:read');
        }
        const answer = found === undefined ? { message: null } : await shown(found, mailbox, caller, extract);
        return { status: 200, body: answer };
      },
    }),
  ];
}

/** Whether a message is one that is waited for. AppError `validation_error`. */
function readFilter({ from, subject, query }: WaitRequest, mailDomain: string): (message: Message) => boolean {
  const author = from === undefined ? undefined : authorEntry(from, mailDomain);
  const inSubject = subject === undefined ? undefined : finder(subject);
  const finds = query === undefined ? undefined : wordsFinder(query, withoutMailDomain(query, mailDomain));
  return (message) => {
    const writer = message.sender_kind === 'email' ? (message.sender_id ?? '').toLowerCase() : (message.from ?? '');
    return (
      (author === undefined || author === writer || author === `*${writer.slice(writer.lastIndexOf('@'))}`) &&
      (inSubject === undefined || inSubject(message.subject ?? '')) &&
      (finds === undefined || finds([message.subject, message.body], [writer, message.to]))
    );
  };
}

/** An address, or `*@` and its domain, as it is stored. AppError `validation_error`. */
function authorEntry(from: string, mailDomain: string): string {
  return from.startsWith('*@') ? `*${readFrom(`x${from.slice(1)}`, mailDomain).slice(1)}` : readFrom(from, mailDomain);
}
