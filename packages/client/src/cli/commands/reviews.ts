import type { Review } from '../../types.generated.ts';
import { type Command, type Context, textOf, UsageError } from '../command.ts';
import { oneLine, type Terminal } from '../terminal.ts';
import { confirm, shortTime, YES } from './shared.ts';

const STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;

const ID = { args: 'ID', count: [1, 1] } as const;

function statusOf(context: Context): (typeof STATUSES)[number] {
  const given = textOf(context, 'status') ?? 'pending';
  const status = STATUSES.find((one) => one === given);
  if (status === undefined) throw new UsageError(`--status is one of ${STATUSES.join(', ')}, not "${given}".`);
  return status;
}

/** The message as it would leave, whole: what `hash` covers. */
function show(review: Review, terminal: Terminal): void {
  const { message, findings, status, hash, expires_at, reason, refusals = [] } = review;
  const { to, cc, bcc, reply_to, headers, attachments } = message;
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    [
      'Status',
      `${status}${status === 'pending' ? `, until ${expires_at}` : ''}${reason === null ? '' : `: ${reason}`}`,
    ],
    ['From', message.from],
    ['To', to?.join(', ')],
    ['Cc', cc?.join(', ')],
    ['Bcc', bcc?.join(', ')],
    ['Reply-To', reply_to?.join(', ')],
    ...Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const),
    ['Subject', message.subject],
    ...(attachments ?? []).map((file) => ['File', `${file.filename} (${file.content_type}, ${file.sha256})`] as const),
    ['In reply to', message.in_reply_to],
    ...findings.map(({ kind, where, why }) => ['Finding', `${kind}, ${where}: ${why}`] as const),
    ...refusals.map(({ from, why, at }) => ['Refused decision', `${at}, ${from}: ${why}`] as const),
    ['Hash', hash],
  ];
  for (const [name, value] of lines)
    if (value !== null && value !== undefined) terminal.line(`${terminal.style('dim', `${name}:`)} ${oneLine(value)}`);
  for (const [title, text] of [
    ['', message.body],
    ['HTML', message.html],
    ['Data', message.data],
  ] as const) {
    if (text === null) continue;
    terminal.line();
    if (title !== '') terminal.line(terminal.style('dim', `${title}:`));
    terminal.text(text);
  }
  if (review.original !== undefined) showChanges(review.original, message, terminal);
}

/** What was changed since it was first written, line by line. */
function showChanges(original: NonNullable<Review['original']>, message: Review['message'], terminal: Terminal): void {
  for (const [title, before, after] of [
    ['subject', original.subject, message.subject],
    ['text', original.body, message.body],
    ['HTML', original.html, message.html],
  ] as const) {
    if (before === after) continue;
    terminal.line();
    terminal.line(terminal.style('dim', `The ${title} was changed since it was written:`));
    for (const line of changedLines(before ?? '', after ?? '')) terminal.text(line);
  }
}

/** Lines that went begin with -, those that came with +; lines at both ends that stayed are left out. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (all: readonly string[], sign: string): readonly string[] =>
    all.slice(start, all.length - end).map((line) => `${sign} ${line}`);
  return [...part(old, '-'), ...part(now, '+')];
}

/** Says what was decided. */
function tell({ id, status }: Review, { terminal }: Context, text: string): void {
  terminal.note(`${id} is ${status}. ${text}`);
}

export const reviewCommands: readonly Command[] = [
  {
    name: 'reviews',
    summary: 'List messages that wait to leave until an owner has seen them',
    args: '[ADDRESS]',
    count: [0, 1],
    options: { status: { type: 'string', value: 'STATUS', help: `${STATUSES.join(', ')}; pending without it` } },
    examples: [
      ['reviews', 'What waits'],
      ['reviews --status rejected', 'What was kept back'],
    ],
    async run(context) {
      const { client, positionals, terminal, json, signal } = context;
      const [mailbox] = positionals;
      const query = { status: statusOf(context), limit: 200, ...(mailbox !== undefined && { mailbox }) };
      const found = await client().reviews.list(query, { signal }).all();
      if (json) terminal.json(found);
      else
        terminal.table(
          ['ID', 'SINCE', 'FROM', 'TO', 'FINDINGS', 'TEXT'],
          found.map(({ id, requested_at, mailbox: from, recipients, findings, message }) => [
            id,
            shortTime(requested_at),
            from,
            recipients.join(', '),
            findings.map(({ kind }) => kind).join(', '),
            message.subject ?? message.body,
          ]),
        );
      return 0;
    },
  },
  {
    ...ID,
    name: 'reviews show',
    summary: 'Show a message as it would leave, and what was found in it',
    examples: [['reviews show rev_0d8m3xk2q5v7w9y1a3c0', 'All that would leave']],
    async run({ client, positionals: [id = ''], terminal, json, signal }) {
      const review = await client().reviews.get(id, { signal });
      if (json) terminal.json(review);
      else show(review, terminal);
      return 0;
    },
  },
  {
    ...ID,
    name: 'reviews approve',
    summary: 'Show a message and let it leave, exactly as it is shown',
    options: { yes: YES },
    examples: [['reviews approve rev_0d8m3xk2q5v7w9y1a3c0', 'Read it, and answer with y']],
    async run(context) {
      const { client, positionals, terminal, json, signal } = context;
      const [id = ''] = positionals;
      const review = await client().reviews.get(id, { signal });
      if (!json) show(review, terminal);
      if (!(await confirm(context, `Let exactly this leave ${review.mailbox}?`))) return 1;
      const decided = await client().reviews.approve(id, { hash: review.hash }, { signal });
      if (json) terminal.json(decided);
      else tell(decided, context, 'It leaves now.');
      return 0;
    },
  },
  {
    ...ID,
    name: 'reviews reject',
    summary: 'Keep a message from leaving',
    options: { reason: { type: 'string', value: 'TEXT', help: 'why, for owners alone' } },
    examples: [['reviews reject rev_0d8m3xk2q5v7w9y1a3c0 --reason "The price is wrong"', 'With a reason']],
    async run(context) {
      const { client, positionals, terminal, json, signal } = context;
      const [id = ''] = positionals;
      const reason = textOf(context, 'reason');
      const decided = await client().reviews.reject(id, reason === undefined ? {} : { reason }, { signal });
      if (json) terminal.json(decided);
      else tell(decided, context, 'It does not leave.');
      return 0;
    },
  },
];
