import { STATUSES } from '@mailroom/behavior/message';
import { type Code, problems } from '@mailroom/behavior/values/error';
import { SCOPES } from '../../../core/entities/key.ts';
import type { Policy } from '../../../core/values/limits.ts';
import { MAX_PAGE, PAGE_DEFAULT } from '../../../core/values/page.ts';
import type { ApiDocument } from './document.ts';
import { exampleProblem } from './problem-example.ts';
import { AUTH, fence, JSON_HEADER, proofreader } from './quick-start.ts';
import type { Scene } from './samples.ts';

/** The limits of this service, from its settings. */
export interface Amounts {
  readonly policies: readonly { readonly who: string; readonly what: string; readonly policy: Policy }[];
  /** Bytes. */
  readonly sizes: { readonly body: number; readonly guestBody: number; readonly data: number; readonly json: number };
  /** The most mailboxes in a namespace. */
  readonly mailboxes: number;
  readonly sync_s: number;
}

export interface Subject {
  readonly document: ApiDocument;
  readonly scene: Scene;
  readonly amounts: Amounts;
  /** The codes that every endpoint may answer with. */
  readonly common: ReadonlySet<string>;
}

/** What holds for every endpoint, as Markdown. */
export const basicsText = (subject: Subject): string => `# How the API works

The rules for every endpoint. The endpoints themselves are on one page per noun: ${nouns(subject)}.

${[answers(subject), authentication(), idempotency(subject), limits(subject), errors(subject), paging()].join('\n\n')}
`;

const nouns = ({ document }: Subject): string =>
  document.tags.map(({ name }) => `[${name}](${nounPath(name)})`).join(', ');

/** The path of the page for the endpoints with a tag. */
export const nounPath = (tag: string): string => `/docs/api/${tag.toLowerCase()}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const STATUS_TEXTS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  submitted: 'Accepted and on disk. It waits for its turn, or for a paused mailbox.',
  working:
    'Being handled. With `waiting_for: "approval"` an owner has to approve it first; with `"answer"` a program of the owner has claimed it.',
  completed: 'Answered. `reply` holds the answer.',
  input_required: 'Answered with a question. Write again in the same thread to continue.',
  failed: 'No answer, through no fault of yours. `error` says why; `retry` sends it again.',
  canceled: 'Stopped, by you or by the owner of the mailbox.',
  rejected: 'The mailbox refuses to answer this. `error` says why.',
};

const answers = ({ amounts }: Subject): string => `## Answers

A message is on disk before you receive its id, and it is settled once, with at most one reply. There are three ways to get the reply.

- **Wait in the same request.** \`"sync": true\` answers 200 as soon as the message is settled. After ${amounts.sync_s} s, or as many as \`Prefer: wait=N\` asks for (1 to 120), it answers 202 with the same id, and the reply follows later.
- **Leave out what you know.** With \`Prefer: return=minimal\` the answer to a send has only the ids, the status and the reply, and nothing that you sent.
- **Come back for it.** Without \`sync\` the answer is 202 at once. \`GET\` the path in \`Location\` whenever you like.
- **Come back and wait.** \`?wait=N\` on that path answers as soon as it is settled, or after N seconds (up to 60) with its current state.

### Status of a message

\`status\` of a message is one of these. A settled message never changes again.

${table(
  ['`status`', 'State', 'Meaning'],
  STATUSES.map((status, at) => [`\`${status}\``, at < 2 ? 'open' : 'settled', STATUS_TEXTS[status]]),
)}`;

const SCOPE_TEXTS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'mail:send': 'Send messages, and follow those it sent itself.',
  'mail:answer': 'Claim and answer messages to its mailboxes, and label them.',
  'mail:review': 'See what waits to leave its mailboxes, approve or reject it, and say what waits.',
  'messages:read': 'Read what its namespace sent and what its mailboxes received.',
  'mailboxes:write':
    'Make, change and delete mailboxes; cancel and retry what they received. Settings by which messages leave take `messages:read` too, and a key that does not expire.',
  'webhooks:write': 'Make, change and remove webhooks. Those that send messages take `messages:read` too.',
  'keys:write': 'List, make and revoke keys, none of which can do more than itself.',
  'auth:assert': 'Sign in to services as a mailbox: tokens, callbacks, and the codes that it is sent.',
  owner: 'All of these, and the namespace itself.',
};

const authentication = (): string => `## Authentication

Send an API key with every request that is not public: \`Authorization: Bearer mr_live_…\`. Cookies are ignored. A wrong key is refused on public endpoints too. You get your first key, the owner key, when you [create a namespace](/docs/api/namespaces#createNamespace).

A key belongs to one namespace and has scopes. It may be bound to one mailbox, and then sends as and reads only that one. It may expire, and when it is [revoked](/docs/api/keys#revokeKey) it stops working at once. Only its hash is stored, so it cannot be shown again.

${table(
  ['Scope', 'May'],
  SCOPES.map((scope) => [`\`${scope}\``, SCOPE_TEXTS[scope]]),
)}

People without a key get a \`thread_token\` with their first [try](/docs/api/messages#tryMailbox). It continues that thread, and as a Bearer token it reads, waits for and cancels its messages.`;

function idempotency({ document, scene }: Subject): string {
  const base = document.servers[0]?.url ?? '';
  const body = JSON.stringify({ to: proofreader(scene), body: 'I has a apple.', sync: true });
  return `## Idempotency

Connections can break at any moment. Give a \`POST\` an \`Idempotency-Key\` of your own, 1 to 255 characters, and you may repeat it for 24 hours: it takes effect once. Paste this twice to see one message:

${fence([`curl -si ${base}/api/v1/mail/send \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -H 'Idempotency-Key: order-1042' \\`, `  -d '${body}'`])}

- The second answer is the message as it stands now, with \`Idempotency-Replayed: true\`. If the first still runs, the second waits with it.
- The same key with other JSON is [422 idempotency_mismatch](/problems/idempotency_mismatch). Keys are kept per API key; yours never collide with those of others.
- A request that failed with 4xx or 503 is not remembered: fix it and send it again with the same key.`;
}

const bytes = (count: number): string =>
  count % 1048576 === 0
    ? `${count / 1048576} MiB`
    : count % 1024 === 0
      ? `${count / 1024} KiB`
      : `${count.toLocaleString('en')} bytes`;

const PER: Readonly<Record<number, string>> = {
  60000: 'a minute',
  3600000: 'an hour',
  86400000: 'a day, from 00:00 UTC',
};

function limits({ amounts: { policies, sizes, mailboxes } }: Subject): string {
  const rows: readonly (readonly [string, string])[] = [
    ...policies.map(({ who, what, policy: { quota, burst, window_ms } }) => {
      const per = PER[window_ms] ?? `in ${window_ms / 1000} s`;
      const burstText = burst < quota ? `, ${burst.toLocaleString('en')} at once` : '';
      return [`${what}, ${who}`, `${quota.toLocaleString('en')} ${per}${burstText}`] as const;
    }),
    ['Body of a message', bytes(sizes.body)],
    ['Body of a try-out', bytes(sizes.guestBody)],
    ['Data of a message', `${bytes(sizes.data)}, 64 levels deep`],
    ['JSON document', bytes(sizes.json)],
    ['Mailboxes of a namespace', mailboxes.toLocaleString('en-US')],
  ];
  return `## Limits

${table(['Of', 'At most'], rows)}

Each counted answer reports the limit: \`RateLimit: "sends";r=99;t=1\` means that 99 requests are left and the limit is fully restored in one second. Above a limit the answer is [429](/problems/rate_limited) with \`Retry-After\` in seconds. Try-outs and new namespaces are accepted above theirs with a solved challenge: see \`POST /api/v1/challenges\`. A mailbox also holds only so many waiting messages; then it is [full](/problems/mailbox_full).`;
}

const codeLink = (code: string): string => `[\`${code}\`](/problems/${code})`;

function errors({ common }: Subject): string {
  const byStatus = Map.groupBy(Object.entries(problems), ([, { status }]) => status);
  const rows = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.map(([code]) => codeLink(code)).join(' ')]);
  return `## Errors

Whatever goes wrong, the answer is a problem document (\`application/problem+json\`, RFC 9457). Branch on \`code\`, show \`detail\`, and log \`request_id\`. Each code has [a page](/problems) that says how to fix it.

${fence(JSON.stringify(exampleProblem('validation_error'), null, 2).split('\n'), 'json')}

A call can succeed although the message fails: then the answer is 200, \`status\` is \`failed\` or \`rejected\`, and \`error\` in the message says why.

### HTTP statuses

The codes that come with each HTTP status. A 422, for example, is a request that was understood and breaks a rule: \`errors\` names each field.

${table(['Status', 'Codes'], rows)}

### Problems of every endpoint

Any endpoint may answer with these. The others are listed with the endpoints that have them.

${[...common].map((code) => `- ${problems[code as Code].status} ${codeLink(code)}`).join('\n')}`;
}

const paging = (): string => `## Paging

Every list is \`{"items": […], "next_cursor": "…"}\`, ${PAGE_DEFAULT} items at a time; \`?limit=\` takes up to ${MAX_PAGE}. For the following page pass \`next_cursor\` as \`?cursor=\`, or follow the \`Link\` header with \`rel="next"\`. On the last page \`next_cursor\` is null. A cursor keeps its position while the list grows.`;
