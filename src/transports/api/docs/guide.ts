import type { Code } from '../../../core/error.ts';
import { problems } from '../../../core/error.ts';
import { SCOPES } from '../../../core/key.ts';
import type { Policy } from '../../../core/limits.ts';
import { STATUSES } from '../../../core/message.ts';
import { PAGE_DEFAULT, PAGE_MOST } from '../../../core/page.ts';
import type { Html } from '../../../http/html.ts';
import { html, prose } from '../../../http/html.ts';
import type { CodeBlocks } from './code.ts';
import { startOf } from './curl.ts';
import type { ApiDocument } from './document.ts';
import { exampleProblem } from './problem-example.ts';
import type { Scene } from './samples.ts';

/** How much is allowed here, as it is set. */
export interface Amounts {
  readonly policies: readonly { readonly who: string; readonly what: string; readonly policy: Policy }[];
  /** Bytes. */
  readonly sizes: { readonly body: number; readonly guestBody: number; readonly data: number; readonly json: number };
  /** That may live in a namespace. */
  readonly mailboxes: number;
  readonly sync_s: number;
}

interface Part {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
}

interface Subject {
  readonly document: ApiDocument;
  readonly scene: Scene;
  readonly amounts: Amounts;
  readonly common: ReadonlySet<string>;
  readonly blocks: CodeBlocks;
}

export const guide = (subject: Subject): readonly Part[] => [
  { id: 'start', title: 'Start', text: start(subject) },
  { id: 'answers', title: 'Wait, or come back', text: waiting(subject) },
  { id: 'authentication', title: 'Authentication', text: authentication() },
  { id: 'idempotency', title: 'Idempotency', text: idempotency(subject) },
  { id: 'limits', title: 'Limits', text: limits(subject) },
  { id: 'errors', title: 'Errors', text: errors(subject) },
  { id: 'paging', title: 'Paging', text: paging() },
];

const JSON_HEADER = "-H 'Content-Type: application/json'";
const AUTH = '-H "Authorization: Bearer $MAILROOM_KEY"';
const baseOf = (document: ApiDocument): string => document.servers[0]?.url ?? '';
const proofreader = ({ namespace, mailDomain }: Scene): string => `proofread@${namespace}.${mailDomain}`;

function start({ document, scene, blocks: { code } }: Subject): Html {
  const base = baseOf(document);
  const to = proofreader(scene);
  const letter = JSON.stringify({ to, body: 'She have two cat.', sync: true });
  const trial = JSON.stringify({ to, body: 'She have two cat.' });
  return html`<p>Three commands for a shell. Each works as it is pasted.</p>
<ol class="tour">
<li><h3>Create a namespace</h3><p>No account, no form. The answer holds an <em>owner key</em>, shown once; this keeps it in <code>$MAILROOM_KEY</code> for the commands below. Choose a name of your own instead of <code>ada-…</code>.</p>
${code([...startOf(base, scene), 'echo "$NAMESPACE: $MAILROOM_KEY"'])}</li>
<li><h3>Write to an address, and read the answer</h3><p><a href="#sendMessage">Send</a> with <code>"sync": true</code> waits for the reply and answers with it, as text for people in <code>reply.body</code> and as data in <code>reply.data</code>.</p>
${code([`curl -s ${base}/api/v1/mail/send \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -d '${letter}'`])}</li>
<li><h3>Make an address that answers</h3><p>Choose <a href="#listBehaviors">how it answers</a>. From then on anybody can write to <code>proofread@$NAMESPACE.${scene.mailDomain}</code>.</p>
${code([`curl -s ${base}/api/v1/namespaces/$NAMESPACE/mailboxes \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -d '{"local_part":"proofread","behavior":{"name":"proofread"}}'`])}</li>
</ol>
<p>Only looking? <a href="#tryMailbox">A try</a> takes no key at all:</p>
${code([`curl -s ${base}/api/v1/mail/try \\`, `  ${JSON_HEADER} \\`, `  -d '${trial}'`])}`;
}

const STATUS_TEXTS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  submitted: 'Taken, and on disk. It waits for its turn, or for a mailbox that is paused.',
  working: 'Being handled. With `waiting_for: "approval"` its owner has to allow it first.',
  completed: 'Answered. `reply` holds the answer.',
  input_required: 'Answered with a question. Write again in the same thread to go on.',
  failed: 'No answer, and it is not your doing. `error` says why; `retry` sends it again.',
  canceled: 'Stopped, by you or by the owner of the mailbox.',
  rejected: 'The mailbox will not answer this. `error` says why.',
};

const waiting = ({
  amounts,
}: Subject): Html => html`<p>A message is on disk before you are given its id, and is settled once: it gets at most one reply, ever. There are three ways to get hold of it.</p>
<ul>
<li><strong>Wait in the same exchange.</strong> <code>"sync": true</code> answers 200 as soon as the message is settled. After ${amounts.sync_s} s, or as many as <code>Prefer: wait=N</code> asks for (1 to 120), it answers 202 with the same id, and the reply still comes.</li>
<li><strong>Come back for it.</strong> Without <code>sync</code> the answer is 202 at once. <code>GET</code> the path in <code>Location</code> when you like.</li>
<li><strong>Come back and wait.</strong> <code>?wait=N</code> on that path answers as soon as it is settled, or after N seconds (up to 60) with how it stands.</li>
</ul>
<table role="table" class="fields"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><code>status</code></th><th role="columnheader" scope="col">Settled</th><th role="columnheader" scope="col">Meaning</th></tr></thead><tbody role="rowgroup">${STATUSES.map(
  (status, at) =>
    html`<tr role="row"><th role="rowheader" scope="row"><code>${status}</code></th><td role="cell">${at < 2 ? 'no' : 'yes'}</td><td role="cell">${prose(STATUS_TEXTS[status])}</td></tr>`,
)}</tbody></table>`;

const SCOPE_TEXTS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'mail:send': 'Send messages, and follow those it sent itself.',
  'messages:read': 'Read what its namespace sent and what its mailboxes received.',
  'mailboxes:write': 'Make, change and delete mailboxes; cancel and retry what they received.',
  'keys:write': 'List, make and revoke keys, none of which can do more than itself.',
  'auth:assert': 'Sign in to services as a mailbox: tokens, callbacks, and the codes that it is sent.',
  owner: 'All of these, and the namespace itself.',
};

const authentication =
  (): Html => html`<p>Send an API key with every request that is not public: <code>Authorization: Bearer mr_live_…</code>. Cookies count for nothing here. A wrong key is refused on public endpoints too.</p>
<p>A key belongs to one namespace and has scopes. It may be bound to one mailbox, which it then writes as and reads, and no other; it may expire; and when it is <a href="#revokeKey">revoked</a> it stops at once. Only its fingerprint is stored, so nobody can show it to you twice.</p>
<table role="table" class="fields two"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Scope</th><th role="columnheader" scope="col">May</th></tr></thead><tbody role="rowgroup">${SCOPES.map(
    (scope) =>
      html`<tr role="row"><th role="rowheader" scope="row"><code>${scope}</code></th><td role="cell">${SCOPE_TEXTS[scope]}</td></tr>`,
  )}</tbody></table>
<p>People without a key get a <code>thread_token</code> with their first <a href="#tryMailbox">try</a>. It goes on with that thread, and as a Bearer token it reads, waits for and cancels its messages.</p>`;

function idempotency({ document, scene, blocks: { code } }: Subject): Html {
  const letter = JSON.stringify({ to: proofreader(scene), body: 'I has a apple.', sync: true });
  return html`<p>Connections break at the worst moment. Give a <code>POST</code> an <code>Idempotency-Key</code> of your own, 1 to 255 characters, and you may repeat it for 24 hours: it takes effect once. Paste this twice, and see one message:</p>
${code([`curl -si ${baseOf(document)}/api/v1/mail/send \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -H 'Idempotency-Key: order-1042' \\`, `  -d '${letter}'`])}
<ul>
<li>The second answer is the message as it stands now, with <code>Idempotency-Replayed: true</code>. If the first still runs, the second waits with it.</li>
<li>The same key with other JSON is <a href="problems/idempotency_mismatch">422 idempotency_mismatch</a>. Keys are kept per API key; yours never meet somebody else’s.</li>
<li>A request that failed with 4xx or 503 is not remembered: mend it, and send it with the same key.</li>
</ul>`;
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

function limits({ amounts: { policies, sizes, mailboxes } }: Subject): Html {
  const rows: readonly (readonly [string, string])[] = [
    ...policies.map(({ who, what, policy: { quota, burst, window_ms } }) => {
      const per = PER[window_ms] ?? `in ${window_ms / 1000} s`;
      const atOnce = burst < quota ? `, ${burst.toLocaleString('en')} at once` : '';
      return [`${what}, ${who}`, `${quota.toLocaleString('en')} ${per}${atOnce}`] as const;
    }),
    ['Body of a message', bytes(sizes.body)],
    ['Body of a try-out', bytes(sizes.guestBody)],
    ['Data of a message', `${bytes(sizes.data)}, 64 levels deep`],
    ['JSON document', bytes(sizes.json)],
    ['Mailboxes of a namespace', mailboxes.toLocaleString('en-US')],
  ];
  return html`<table role="table" class="fields two"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Of</th><th role="columnheader" scope="col">At most</th></tr></thead><tbody role="rowgroup">${rows.map(
    ([of, most]) => html`<tr role="row"><th role="rowheader" scope="row">${of}</th><td role="cell">${most}</td></tr>`,
  )}</tbody></table>
<p>Each counted answer says how things stand: <code>RateLimit: "sends";r=99;t=1</code> means that 99 are left, and that it is full again in a second. Beyond a limit comes <a href="problems/rate_limited">429</a> with <code>Retry-After</code> in seconds. Try-outs and new namespaces go on beyond theirs with a solved challenge: see <code>POST /api/v1/challenges</code>. A mailbox also holds only so many waiting messages; then it is <a href="problems/mailbox_full">full</a>.</p>`;
}

const errors = ({
  common,
  blocks: { json },
}: Subject): Html => html`<p>Whatever goes wrong, the answer is a problem document (<code>application/problem+json</code>, RFC 9457). Branch on <code>code</code>, show <code>detail</code>, and log <code>request_id</code>. Each code has <a href="problems">a page</a> that says how to mend it.</p>
${json(exampleProblem('validation_error'))}
<p>A call can go well and the message still fail: then the answer is 200, <code>status</code> is <code>failed</code> or <code>rejected</code>, and <code>error</code> in the message says why.</p>
<p>Any endpoint may answer with these. The others are listed with the endpoints that have them.</p>
<ul class="chips">${[...common].map((name) => html`<li><a class="chip" href="problems/${name}"><span>${problems[name as Code].status}</span> ${name}</a></li>`)}</ul>`;

const paging = (): Html =>
  html`<p>Every list is <code>{"items": […], "next_cursor": "…"}</code>, ${PAGE_DEFAULT} items at a time; <code>?limit=</code> takes up to ${PAGE_MOST}. For the following page pass <code>next_cursor</code> as <code>?cursor=</code>, or follow the <code>Link</code> header with <code>rel="next"</code>. On the last page <code>next_cursor</code> is null. A cursor holds its place while the list grows.</p>`;
