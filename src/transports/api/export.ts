import { Type } from 'typebox';
import { requireOwn } from '../../core/caller.ts';
import type { Millis } from '../../core/clock.ts';
import { rfc3339 } from '../../core/clock.ts';
import { AppError } from '../../core/error.ts';
import { messagesOf } from '../../core/export.ts';
import type { Key } from '../../core/key.ts';
import { isLive, KeyView, keyView } from '../../core/key.ts';
import { MailboxView, mailboxView } from '../../core/mailbox.ts';
import { Envelope, envelope } from '../../core/message.ts';
import type { Namespace } from '../../core/namespace.ts';
import { NamespaceView, namespaceView } from '../../core/namespace.ts';
import type { Page } from '../../core/page.ts';
import type { Parts } from '../../http/parts.ts';
import type { Route } from '../../http/route.ts';
import { JSON_LINES, route } from '../../http/route.ts';
import { NamespaceParam } from './parts.ts';

const type = <T extends string>(name: T) => ({ type: Type.Literal(name) });
const exported_at = Type.String({ format: 'date-time', description: 'The time up to which it tells.' });
const lineCount = Type.Integer({ description: 'How many lines there are, this one among them.' });

const ExportLine = Type.Union(
  [
    Type.Intersect([Type.Object({ ...type('namespace'), exported_at }), NamespaceView], {
      description: 'The first line.',
    }),
    Type.Intersect([Type.Object(type('mailbox')), MailboxView], {
      description: 'Each mailbox, with its settings.',
    }),
    Type.Intersect([Type.Object(type('key')), KeyView], {
      description: 'Each key, revoked ones too. No line holds a secret.',
    }),
    Type.Intersect([Type.Object(type('message')), Envelope], {
      description: 'Each message with its reply, oldest first.',
    }),
    Type.Object(
      { ...type('end'), lines: lineCount },
      { description: 'The last line: where it is missing, so is more.' },
    ),
  ],
  { $id: 'ExportLine', description: 'What it is, `type` says.' },
);

/** Mailboxes or keys read at a time, */
const PAGE = 50;
/** and characters that are sent at a time. */
const CHUNK = 64 * 1024;

export const exportRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/namespaces/{name}/export',
    id: 'exportNamespace',
    tag: 'Namespaces',
    summary: 'Take everything with you',
    description:
      'JSON Lines: the namespace, its mailboxes with their settings, its keys without secrets, then all that its mailboxes received and its keys sent up to now, oldest first, each message once with its reply. A filed copy of a reply is there only where the message it answers is not. It is whole when its last line has the type `end`; what breaks off has none.',
    who: 'owner',
    params: NamespaceParam,
    answers: {
      200: {
        description: 'A JSON object a line, as many as there are, not compressed.',
        schema: ExportLine,
        type: JSON_LINES,
        headers: ['Content-Disposition'],
      },
    },
    problems: ['namespace_not_found', 'namespace_gone', 'access_denied'],
    async handle({ caller, params }) {
      const namespace = await parts.registry.namespace(params.name);
      const key = requireOwn(caller, namespace, 'owner');
      const at = parts.clock();
      return {
        status: 200,
        body: chunks(lines(parts, namespace, key, at)),
        headers: {
          'content-type': `${JSON_LINES}; charset=utf-8`,
          'content-disposition': `attachment; filename="${namespace.name}-${rfc3339(at).slice(0, 10)}.jsonl"`,
        },
      };
    },
  }),
];

async function* lines(
  { store, clock, mailDomain }: Parts,
  namespace: Namespace,
  shown: Key,
  at: Millis,
): AsyncGenerator<string> {
  let count = 0;
  const text = (type: string, fields: object): string => {
    count++;
    return `${JSON.stringify({ type, ...fields })}\n`;
  };
  yield text('namespace', { ...namespaceView(namespace), exported_at: rfc3339(at) });
  const of = { namespace_id: namespace.id };
  const mailboxes = { ...of, listed: false, seen_by: namespace.id };
  for await (const mailbox of each((after) => store.mailboxes.page(mailboxes, after, PAGE))) {
    yield text('mailbox', mailboxView(mailbox, mailDomain, true));
  }
  for await (const key of each((after) => store.keys.page({ ...of, revoked: true }, after, PAGE))) {
    yield text('key', keyView(key, mailDomain));
  }
  for await (const messages of messagesOf(store, namespace.id, at)) {
    // A key that is revoked stops at once, also in the middle of this.
    const key = await store.keys.byId(shown.id);
    if (key === undefined || !isLive(key, clock())) throw new AppError('invalid_key', 'This key was revoked.');
    for (const message of messages) yield text('message', envelope(message, mailDomain));
  }
  yield text('end', { lines: count + 1 });
}

async function* each<T>(read: (after: string | null) => Promise<Page<T>>): AsyncGenerator<T> {
  let after: string | null = null;
  do {
    const page: Page<T> = await read(after);
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** Many short lines in few writes. */
async function* chunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
