import { rfc3339 } from '@mailroom/behavior/values/clock';
import { bytesInWords } from '../../core/entities/storage-size.ts';
import type { WaitingDeliveries } from '../../core/ports/delivery.ts';
import type { Check, Health, MissingBehavior, StorageState, Trouble, TroubleKind } from '../../core/reports/health.ts';
import { type Html, html } from '../../http/html.ts';
import { wantsMarkdown } from '../../http/media.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Route } from '../../http/route.ts';
import { clockTime, dayOf } from './console/times.ts';
import { type Page, pageAnswer } from './layout.ts';
import { counted } from './pieces.ts';

/** The state of the service, as its page, Markdown and JSON show it. */
interface Status {
  readonly check: Check;
  readonly since: number;
  readonly version: string;
  readonly trouble: readonly Trouble[];
  /** Behaviors that the operator named and that are not there. */
  readonly missing: readonly MissingBehavior[];
  /** Undefined when it cannot be read. */
  readonly waiting: Waiting | undefined;
  /** Whether the server that takes mail answers; undefined where there is none, and until it is known. */
  readonly relay: boolean | undefined;
  /** Undefined when it cannot be read. */
  readonly storage: StorageState | undefined;
}

/** What waits to leave the service, of all kinds together. */
interface Waiting {
  readonly count: number;
  readonly oldest_at: number | null;
}

const NO_STORE = { 'cache-control': 'no-store', vary: 'accept' };

/** The status page, which shows whether the service answers and stores messages, and its forms for programs. */
export function statusRoutes({
  health,
  version,
}: {
  readonly health: Health;
  readonly version: string;
}): readonly Route[] {
  const now = async (): Promise<Status> => ({
    check: await health.check(),
    since: health.since,
    version,
    trouble: health.recent(),
    missing: health.missing,
    waiting: total(await health.waiting()),
    storage: await health.storage(),
    relay: health.relayUp(),
  });
  const markdown = async (): Promise<Answer> => ({
    status: 200,
    body: statusMarkdown(await now()),
    headers: { ...NO_STORE, 'content-type': 'text/markdown; charset=utf-8' },
  });
  return [
    pageRoute('GET', '/status', {
      handle: async (call) => (wantsMarkdown(call) ? markdown() : pageAnswer(200, statusPage(await now()), NO_STORE)),
    }),
    pageRoute('GET', '/status.md', { handle: markdown }),
    pageRoute('GET', '/status.json', {
      handle: async () => ({ status: 200, body: statusJson(await now()), headers: NO_STORE }),
    }),
  ];
}

function total(kinds: readonly WaitingDeliveries[] | undefined): Waiting | undefined {
  if (kinds === undefined) return undefined;
  return {
    count: kinds.reduce((sum, { count }) => sum + count, 0),
    oldest_at: kinds.length === 0 ? null : Math.min(...kinds.map(({ oldest_at }) => oldest_at)),
  };
}

const KINDS: Readonly<Record<TroubleKind, readonly [string, string]>> = {
  write: ['The database refused a write', 'time'],
  background: ['Background work failed', 'time'],
  behavior: ['An address failed while answering', 'time'],
};

const FINE = 'Everything works.';
const LACKING = 'Some addresses do not answer.';
const READ_ONLY = 'Nothing new can be stored at the moment.';
const READ_ONLY_MORE =
  'Pages can be read. Messages are refused until the database accepts writes again; those accepted before are safe.';
const NO_MAIL = 'Mail does not leave at the moment.';
const NO_MAIL_MORE = 'The server that takes it does not answer. Mail waits, and leaves when it does again.';
const DAMAGED = 'The database is damaged.';
const DAMAGED_MORE =
  'Nothing new is stored, and some of what was stored may not be readable. The operator has to repair it.';

/** The state as a headline, with what it means unless all is well. */
function headline({ check, missing, relay }: Status): readonly [string, string?] {
  const { writes, damaged } = check;
  if (damaged) return [DAMAGED, DAMAGED_MORE];
  if (writes && relay === false) return [NO_MAIL, NO_MAIL_MORE];
  if (writes && missing.length > 0) return [LACKING];
  return writes ? [FINE] : [READ_ONLY, READ_ONLY_MORE];
}

/** In UTC, since the readers are in many zones. */
const timeOf = (at: number): Html => html`<time datetime="${rfc3339(at)}">${dayOf(at, 0)}, ${clockTime(at)} UTC</time>`;

/** The number of waiting deliveries in words, and when the oldest was created. */
function waitingText<T>(waiting: Waiting | undefined, time: (at: number) => T): readonly [string, T?] {
  if (waiting === undefined) return ['not known'];
  if (waiting.oldest_at === null) return ['none'];
  return [`${waiting.count}, the oldest since `, time(waiting.oldest_at)];
}

const percentOf = ({ bytes, max_bytes }: StorageState['house']): number => Math.floor((100 * bytes) / max_bytes);

/** How full the first namespace is, and from 80 % on what follows and what to do. */
function storageText(storage: StorageState | undefined): string {
  if (storage === undefined) return 'not known';
  const { house, nearly_full } = storage;
  const full = house.nearly_full
    ? ', nearly full: when it is full, it takes no more messages. Delete messages, set RETENTION_DAYS, or raise LIMIT_STORAGE'
    : '';
  const others = nearly_full === 0 ? '' : `; ${counted(nearly_full, 'namespace')} at 80 % or more`;
  return `${percentOf(house)} % of ${bytesInWords(house.max_bytes)}${full}${others}`;
}

/** Which behaviors are not there and why, in words. */
const missingText = (missing: readonly MissingBehavior[]): string =>
  missing.map(({ name, reason }) => `${name} (${reason})`).join(', ');

function statusPage(status: Status): Page {
  const { check, since, version, trouble, missing, waiting, storage, relay } = status;
  const { writes, checked_at } = check;
  const [title, more] = headline(status);
  const line = (what: string, fine: boolean, word: string) =>
    html`<li><div><b>${what}</b></div><span class="tag ${fine ? 'answered' : 'failed'}">${word}</span></li>`;
  return {
    title: `${title === FINE ? 'Everything works' : 'Problems'} · Status of Mailroom`,
    description: 'Whether this service answers and stores messages.',
    root: '',
    markdown: 'status.md',
    styles: ['console-pages.css', 'service.css'],
    main: html`<div class="about-service">
<h1>${title}</h1>
${more !== undefined && html`<p class="lead">${more}</p>`}
<ul class="lines">
${line('It answers', true, 'Yes')}
${line('It stores messages', writes, writes ? 'Yes' : 'Not now')}${relay !== undefined && line('Mail leaves', relay, relay ? 'Yes' : 'Not now')}${missing.length > 0 && html`<li><div><b>Behaviors that are not there</b><p class="meta">Messages to their addresses are answered with an error.</p></div><span class="tag failed">${missingText(missing)}</span></li>`}
<li><div><b>Mail waiting to be sent</b></div><span>${waitingText(waiting, timeOf)}</span></li>
<li><div><b>Storage of ${storage?.house.name ?? 'the first namespace'}</b></div><span>${storageText(storage)}</span></li>
<li><div><b>Running since</b></div>${timeOf(since)}</li>
<li><div><b>Version</b></div><span>${version}</span></li>
<li><div><b>Checked</b></div>${timeOf(checked_at)}</li>
</ul>
<section aria-labelledby="trouble"><h2 id="trouble">Problems in the last 24 hours</h2>
${
  trouble.length === 0
    ? html`<p>This process recorded none.</p>`
    : html`<ul class="lines">${trouble.map(
        ({ kind, count, last_at }) =>
          html`<li><div><b>${KINDS[kind][0]}</b><p class="meta">${counted(count, KINDS[kind][1])}, last ${timeOf(last_at)}</p></div></li>`,
      )}</ul>`
}</section>
<p class="meta">Waiting mail is that of the whole service; the rest covers this process only, since it started. For programs: <a href="status.json">JSON</a>, <a href="status.md">Markdown</a>, and <a href="readyz">readyz</a> for load balancers.</p>
</div>`,
  };
}

function statusMarkdown(status: Status): string {
  const { check, since, version, trouble, missing, waiting, storage, relay } = status;
  const problems = trouble.map(
    ({ kind, count, last_at }) => `- ${KINDS[kind][0]}: ${counted(count, KINDS[kind][1])}, last ${rfc3339(last_at)}`,
  );
  const [title, more] = headline(status);
  return `# ${title}

${more === undefined ? '' : `${more}\n\n`}- It answers: yes
- It stores messages: ${check.writes ? 'yes' : 'not now'}
${relay === undefined ? '' : `- Mail leaves: ${relay ? 'yes' : 'not now'}\n`}${missing.length === 0 ? '' : `- Behaviors that are not there: ${missingText(missing)}\n`}- Mail waiting to be sent: ${waitingText(waiting, rfc3339).join('')}
- Storage of ${storage?.house.name ?? 'the first namespace'}: ${storageText(storage)}
- Running since: ${rfc3339(since)}
- Version: ${version}
- Checked: ${rfc3339(check.checked_at)}

## Problems in the last 24 hours

${problems.length === 0 ? 'This process recorded none.' : problems.join('\n')}
`;
}

const statusJson = ({ check, since, version, trouble, missing, waiting, storage, relay }: Status): object => ({
  status: check.damaged ? 'damaged' : check.writes ? 'ok' : 'read_only',
  answers: true,
  writes: check.writes,
  ...(relay !== undefined && { relay: relay ? 'up' : 'down' }),
  since: rfc3339(since),
  version,
  checked_at: rfc3339(check.checked_at),
  deliveries: {
    waiting: waiting?.count ?? null,
    oldest_at: waiting?.oldest_at == null ? null : rfc3339(waiting.oldest_at),
  },
  storage: {
    namespace: storage?.house.name ?? null,
    percent: storage === undefined ? null : percentOf(storage.house),
    nearly_full: storage?.house.nearly_full ?? null,
    namespaces_nearly_full: storage?.nearly_full ?? null,
  },
  ...(missing.length > 0 && { missing_behaviors: missing.map(({ name, reason }) => ({ name, reason })) }),
  trouble: trouble.map(({ kind, count, last_at }) => ({ kind, count, last_at: rfc3339(last_at) })),
});
