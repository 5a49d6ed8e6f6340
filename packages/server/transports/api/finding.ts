import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { JsonText } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { type Caller, mayOn } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { MessageLabels } from '../../core/access/message-labels.ts';
import type { ConversationDesk } from '../../core/answers/conversation-desk.ts';
import { OptionalStanding, STANDING_FIELDS, standingView } from '../../core/entities/conversation.ts';
import { LabelName } from '../../core/entities/label.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { Envelope, envelopeText } from '../../core/entities/message-view.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Conversation } from '../../core/ports/threads.ts';
import { withEmailStates } from '../../core/reports/email-states.ts';
import { conversationView, type Finding } from '../../core/reports/finding.ts';
import { PageOf, scopedCursor } from '../../core/values/page.ts';
import { MAX_SEARCH, OPERATORS } from '../../core/values/search-query.ts';
import { operation, type Route } from '../../http/route.ts';
import { onePage, pageAnswer, pageQuery, pageSize, QueryOf } from './parts.ts';

const SYNTAX = `Words (each; \`word*\` for beginnings), \`"a phrase"\`, \`-word\`, \`OR\` between alternatives, and the operators ${OPERATORS.map((name) => `\`${name}:\``).join(' ')}: \`from:ann subject:"due date" has:attachment is:unread after:2026-11-01 larger:2M\`. \`is:\` takes \`unread\`, \`answered\` or \`failed\`, \`before:\` and \`after:\` a day or a time (RFC 3339), \`larger:\` bytes, \`k\` or \`M\`.`;

const Query = (description: string) => Type.String({ minLength: 1, maxLength: MAX_SEARCH, description });

const ThreadSummary = Type.Object(
  {
    id: Type.String({ examples: ['thr_0d8m3xk2q5v7w9y1a3c0'] }),
    subject: Type.Union([Type.String(), Type.Null()]),
    participants: Type.Array(Type.String(), { description: 'Addresses of From, To and Cc, oldest first.' }),
    mailboxes: Type.Array(Type.String(), { description: 'Your mailboxes that are in it.' }),
    messages_count: Type.Integer({ description: 'Messages and replies.' }),
    unread_count: Type.Integer(),
    labels: Type.Array(Type.String(), { description: 'Of any of its messages, in your mailboxes.' }),
    ...OptionalStanding,
    last: Type.Object({
      id: Type.String(),
      from: Type.Union([Type.String(), Type.Null()]),
      snippet: Type.String({ description: 'The beginning of its text, up to 200 characters.' }),
      created_at: Type.String({ format: 'date-time' }),
    }),
  },
  { $id: 'ThreadSummary', description: 'A conversation as you see it.' },
);

const SearchHit = Type.Object(
  {
    message: Envelope,
    highlights: Type.Array(
      Type.Object({
        field: Type.Enum(['subject', 'body', 'reply.body']),
        offset: Type.Integer({ description: 'In UTF-16 code units, as strings of JavaScript count.' }),
        length: Type.Integer(),
      }),
      { description: 'Where it says what was searched; at most 100.' },
    ),
  },
  { $id: 'SearchHit' },
);
const SearchPage = Type.Object(
  {
    items: Type.Array(SearchHit),
    next_cursor: PageOf(SearchHit, 'SearchHits').properties.next_cursor,
    indexed_until: Type.String({
      format: 'date-time',
      description: 'Everything that was written until then is found.',
    }),
  },
  { $id: 'SearchPage' },
);

export interface FindingParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly finding: Finding;
  readonly labels: MessageLabels;
  readonly conversationDesk: ConversationDesk;
  readonly mailDomain: string;
}

/** Conversations, and the search of all messages. */
export function findingRoutes({
  store,
  directory,
  finding,
  labels,
  mailDomain,
  ...parts
}: FindingParts): readonly Route[] {
  const { conversationDesk: desk } = parts;
  /** Those mailboxes of a conversation that the caller reads. */
  async function mailboxesOf(one: Conversation, caller: Caller): Promise<readonly Mailbox[]> {
    const found = await Promise.all(one.mailbox_ids.map(async (id) => directory.mailboxById(id)));
    const isRead = (box: Mailbox): boolean => box.deleted_at === null && mayOn(caller, 'messages:read', box);
    return found.filter((box) => box !== undefined && isRead(box)) as Mailbox[];
  }

  return [
    operation('GET', '/api/v1/mail/threads', 'listThreads', {
      tag: 'Messages',
      summary: 'Conversations, by newest activity',
      description:
        'Over all that the key reads, without the trash. With `label`, `participant` or `query`, those of which a message fits, by the newest one that does; these are looked up in the index, which follows within 2 seconds. With a `state` but `open`, or an `assignee` but `none`, by the last change of either or message that arrived. A page may be short and still have a next one.',
      access: 'messages:read',
      query: QueryOf({
        ...pageQuery,
        mailbox: Type.Optional(Type.String({ maxLength: 500, description: 'Only of this mailbox.' })),
        label: Type.Optional({
          ...LabelName,
          description: 'Only with a message that has this label, such as `unread`.',
        }),
        participant: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 400,
            description: 'Only with this address, or name, in From, To or Cc of a message.',
          }),
        ),
        query: Type.Optional(Query(`Only with a message that fits. ${SYNTAX}`)),
        state: Type.Optional(STANDING_FIELDS.state),
        assignee: Type.Optional(
          Type.String({
            maxLength: 40,
            description:
              'Only those that this member takes care of, by its id; `me`, or `none` for those without a member.',
          }),
        ),
      }),
      answers: onePage('A page of conversations.', PageOf(ThreadSummary, 'ThreadSummaryPage')),
      problems: ['unavailable'],
      async handle({ caller, query, gone }) {
        const { cursor, state, assignee, ...words } = query;
        const key = caller.kind === 'key' ? caller.key : undefined;
        const standing = key && (await desk.filterOf({ state, assignee }, key));
        const filter = { ...words, ...(standing && { standing }) };
        const cursors = scopedCursor(JSON.stringify(['threads', { ...words, state, assignee, limit: undefined }]));
        const place = cursor === undefined ? null : cursors.read(cursor);
        const page = await finding.threads(caller, filter, place, pageSize(query), gone());
        const boxes = new Map(
          await Promise.all(page.items.map(async (one) => [one.thread_id, await mailboxesOf(one, caller)] as const)),
        );
        const ids = new Map([...boxes].map(([thread, all]) => [thread, all.map(({ id }) => id)]));
        const standings = await desk.standings(key?.namespace_id ?? '', [...ids.keys()], ids);
        const views = page.items.map((one) => {
          const addresses = (boxes.get(one.thread_id) ?? []).map((box) => fullAddress(addressOf(box), mailDomain));
          const stands = standings.get(one.thread_id);
          return { ...conversationView(one, addresses, mailDomain), ...(stands && standingView(stands)) };
        });
        return pageAnswer(
          { items: views, next: page.next },
          (one) => one,
          '/api/v1/mail/threads',
          query,
          cursors.write,
        );
      },
    }),
    operation('GET', '/api/v1/mail/search', 'searchMessages', {
      tag: 'Messages',
      summary: 'Search all messages',
      description: `Over all that the key reads, without the trash: subject, text, replies, addresses, names and names of files, newest first. ${SYNTAX} A lower-case word with a colon, and no blank or \`//\` behind it, is an operator; put what is none into quotes. Case, accents, dotted and dotless i and forms of alef are the same; of Han, Kana and Thai, pairs of characters are words. The index follows the writes within 2 seconds. A page examines at most 10,000 hits, so it may be short or empty and still have a next page.`,
      access: 'messages:read',
      query: QueryOf({
        ...pageQuery,
        query: Query('What to search.'),
        sort: Type.Optional(
          Type.Enum(['newest', 'relevance'], {
            description: '`newest` first, the default; or by `relevance`, among the newest 3,000 hits.',
          }),
        ),
      }),
      answers: onePage('A page of hits.', SearchPage),
      problems: ['unavailable', 'rate_limited'],
      async handle({ caller, query, gone }) {
        const { sort = 'newest' } = query;
        const cursors = scopedCursor(JSON.stringify(['search', query.query, sort]));
        const place = query.cursor === undefined ? null : cursors.read(query.cursor);
        const page = await finding.search(caller, { query: query.query, sort, gone: gone() }, place, pageSize(query));
        const messages = await withEmailStates(
          page.items.map(({ message }) => message),
          store,
        );
        const own = await labels.ofEach(messages, caller);
        const items = page.items.map(({ highlights }, at) => {
          const message = messages[at] as (typeof messages)[number];
          const { text } = envelopeText(message, mailDomain, own(message));
          return new JsonText(`{"message":${text},"highlights":${JSON.stringify(highlights)}}`);
        });
        const more = `"indexed_until":${JSON.stringify(rfc3339(page.until))}`;
        return pageAnswer({ items, next: page.next }, (one) => one, '/api/v1/mail/search', query, cursors.write, more);
      },
    }),
  ];
}
