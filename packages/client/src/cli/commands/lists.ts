import type { List } from '../../http.ts';
import type { Mailroom } from '../../mailroom.ts';
import type { Message } from '../../types.generated.ts';
import { type Command, type Context, numberOf, type Option, textOf, UsageError } from '../command.ts';
import { excerptOf } from '../excerpt.generated.ts';
import { STATES, stateOf } from './mark.ts';
import { namespaceOf, ownAddress, senderOf, shortTime } from './shared.ts';

const LIMIT = 20;
/** Characters of a text in which its first line is looked for. */
const MAX_READ = 4_000;
/** Mailboxes that are read at a time. */
const CONCURRENT = 4;

const FILTERS: Readonly<Record<string, Option>> = {
  limit: { type: 'string', short: 'n', value: 'NUMBER', help: `how many, ${LIMIT} by default` },
  status: { type: 'string', value: 'STATUS', help: 'submitted, working, completed, input_required, failed, …' },
  from: { type: 'string', value: 'ADDRESS', help: 'from this sender' },
  label: { type: 'string', short: 'l', value: 'LABEL', help: 'with this label' },
  since: { type: 'string', value: 'TIME', help: 'not older than this, such as 2026-11-20T08:00:00Z' },
};

type Query = NonNullable<Parameters<Mailroom['messages']['listOf']>[1]>;

/** The newest of several lists together. */
async function newest(lists: readonly List<Message>[], limit: number): Promise<Message[]> {
  const found = new Map<string, Message>();
  for (let at = 0; at < lists.length; at += CONCURRENT) {
    const pages = await Promise.all(lists.slice(at, at + CONCURRENT).map((list) => list.all(limit)));
    for (const message of pages.flat()) found.set(message.id, message);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

/** Messages of an address, or of all addresses of the namespace. */
async function messagesOf(mailroom: Mailroom, context: Context, query: Query, address?: string): Promise<Message[]> {
  const { signal } = context;
  const limit = numberOf(context, 'limit', 1) ?? LIMIT;
  const filter: Query = {
    ...query,
    limit: Math.min(200, limit),
    // The service says which there are.
    status: textOf(context, 'status') as Query['status'],
    from: textOf(context, 'from'),
    label: textOf(context, 'label') ?? query.label,
    since: textOf(context, 'since'),
  };
  const addresses =
    address === undefined
      ? (await mailroom.mailboxes.listOf(await namespaceOf(mailroom, signal), { limit: 200 }, { signal }).all()).map(
          (mailbox) => mailbox.address,
        )
      : [await ownAddress(mailroom, address, signal)];
  const lists = addresses.map((one) => mailroom.messages.listOf(one, filter, { signal }));
  return newest(lists, limit);
}

function show({ terminal, json }: Context, messages: readonly Message[], none: string): void {
  if (json || messages.length === 0) {
    if (json) terminal.json(messages);
    else terminal.note(none);
    return;
  }
  const rows = messages.map((message) => [
    message.id,
    shortTime(message.created_at),
    senderOf(message),
    message.to ?? '',
    message.labels?.includes('unread') === true ? `${message.status} *` : message.status,
    message.subject ?? excerptOf(message.body.slice(0, MAX_READ)),
  ]);
  terminal.table(['ID', 'WHEN', 'FROM', 'TO', 'STATUS', 'TEXT'], rows);
}

export const listCommands: readonly Command[] = [
  {
    name: 'inbox',
    summary: 'List what your addresses received; * is unread',
    args: '[ADDRESS]',
    count: [0, 1],
    options: {
      ...FILTERS,
      unread: { type: 'boolean', short: 'u', help: 'only what is unread' },
      sent: { type: 'boolean', help: 'what they sent instead' },
    },
    examples: [
      ['inbox', 'The newest of all addresses'],
      ['inbox hello@ada.mailroom.localhost --unread', 'Of one, what is unread'],
      ['inbox --status failed --json | jq -r .[].id', 'For programs'],
    ],
    async run(context) {
      const { values, positionals } = context;
      const query: Query = {
        ...(values.unread === true && { label: 'unread' }),
        ...(values.sent === true && { direction: 'sent' }),
      };
      show(context, await messagesOf(context.client(), context, query, positionals[0]), 'No messages.');
      return 0;
    },
  },
  {
    name: 'search',
    summary: 'Find messages by words, phrases and operators',
    args: 'QUERY',
    count: [1, 50],
    options: {
      limit: FILTERS.limit as Option,
      in: { type: 'string', value: 'ADDRESS', help: 'only in this address' },
      relevance: { type: 'boolean', help: 'those first that say it most, instead of the newest' },
    },
    examples: [
      ['search invoice march', 'In all addresses, received and sent'],
      ['search \'from:ann "due date" has:attachment after:2026-11-01\'', 'With operators; quotes for the shell'],
    ],
    async run(context) {
      const { positionals, signal, values } = context;
      const words = positionals.join(' ');
      if (words.trim() === '') throw new UsageError('Give at least one word.');
      const mailroom = context.client();
      const address = textOf(context, 'in');
      const own = address === undefined ? '' : ` mailbox:${await ownAddress(mailroom, address, signal)}`;
      const limit = numberOf(context, 'limit', 1) ?? LIMIT;
      const sort = values.relevance === true ? 'relevance' : 'newest';
      const query = { query: words + own, sort, limit: Math.min(200, limit) } as const;
      const found = await mailroom.messages.search(query, { signal }).all(limit);
      show(
        context,
        found.map(({ message }) => message as Message),
        `Nothing found for "${words}".`,
      );
      return 0;
    },
  },
  {
    name: 'threads',
    summary: 'List conversations by newest activity; * has unread messages',
    args: '[QUERY]',
    count: [0, 50],
    options: {
      limit: FILTERS.limit as Option,
      in: { type: 'string', value: 'ADDRESS', help: 'only of this address' },
      label: FILTERS.label as Option,
      with: { type: 'string', value: 'ADDRESS', help: 'only with this participant' },
      state: { type: 'string', value: 'STATE', help: `only those that are ${STATES.join(', ')}` },
      assignee: { type: 'string', value: 'MEMBER', help: 'only those of this member, of me, or of none' },
    },
    examples: [
      ['threads --with ada@example.com', 'Those in which someone takes part'],
      ['threads --state open --assignee none', 'Those that no one takes care of'],
    ],
    async run(context) {
      const { terminal, positionals, signal, json } = context;
      const mailroom = context.client();
      const [address, words] = [textOf(context, 'in'), positionals.join(' ')];
      const limit = numberOf(context, 'limit', 1) ?? LIMIT;
      const query = {
        limit: Math.min(200, limit),
        label: textOf(context, 'label'),
        participant: textOf(context, 'with'),
        state: stateOf(textOf(context, 'state')),
        assignee: textOf(context, 'assignee'),
        ...(address !== undefined && { mailbox: await ownAddress(mailroom, address, signal) }),
        ...(words !== '' && { query: words }),
      };
      const found = await mailroom.messages.listThreads(query, { signal }).all(limit);
      if (json) terminal.json(found);
      else if (found.length === 0) terminal.note('No conversations.');
      else
        terminal.table(
          ['ID', 'WHEN', 'MESSAGES', 'WITH', 'TEXT'],
          found.map(({ id, last, messages_count: count, unread_count: unread, participants, subject }) => [
            id,
            shortTime(last.created_at),
            `${count}${unread > 0 ? ' *' : ''}`,
            participants.join(', '),
            subject ?? last.snippet,
          ]),
        );
      return 0;
    },
  },
];
