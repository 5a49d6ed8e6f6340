import type { Clock } from '@mailroom/behavior/values/clock';
import { firstOf, isId } from '@mailroom/behavior/values/ids';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import type { AuditEntry } from '../../../core/entities/audit-view.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { icon, shortOf } from '../pieces.ts';
import type { Listed } from './api.ts';
import type { Context } from './context.ts';
import { ACTION_WORDS, ACTOR_WORDS, CHANNEL_WORDS } from './log-words.ts';
import { heading } from './shell.ts';
import { PRIVATE, type Signed, signedForm, signedPage, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

/** Entries of a page. */
const SIZE = '50';
/** Characters of a value that a line shows. */
const MAX_VALUE = 120;

/** Which entries are shown. */
interface Filter {
  readonly action: string;
  readonly actor: string;
}

interface LogParts {
  readonly clock: Clock;
  readonly conversationDesk: Pick<ConversationDesk, 'members'>;
}

/** What is called how, by its id. */
type Names = ReadonlyMap<string, string>;
/** Of an account that is in the namespace no more. */
const LEFT = 'a member who left';
const nameOf = (id: string, names: Names): string => names.get(id) ?? (isId('acc', id) ? LEFT : id);

/** The audit log: who changed what, and its export. */
export function logRoutes(context: Context, { clock, conversationDesk: desk }: LogParts): readonly Route[] {
  /** What the accounts and the addresses in these entries are called. */
  async function namesIn(entries: readonly AuditEntry[], { id }: { readonly id: string }): Promise<Names> {
    const [members, mailboxes] = await Promise.all([
      desk.members(id),
      context.byId(new Set(JSON.stringify(entries).match(/\bmbx_\w+/g) ?? [])),
    ]);
    return new Map([
      ...members.map(({ account_id, name }) => [account_id, name] as const),
      ...[...mailboxes.values()].map((mailbox) => [mailbox.id, shortOf(mailbox)] as const),
    ]);
  }

  return [
    signedPage('/console/log', context, async ({ query }, signed) => {
      const text = (name: string): string => (typeof query[name] === 'string' ? (query[name] as string) : '');
      const filter = { action: text('action'), actor: text('actor') };
      const params = { name: signed.session.namespace.name };
      const given = Object.entries({ ...filter, cursor: text('cursor') }).filter(([, value]) => value !== '');
      const [side, page] = await Promise.all([
        context.side(signed),
        signed.api.json('listAudit', { params, query: { limit: SIZE, ...Object.fromEntries(given) } }),
      ]);
      const names = await namesIn(page.items, signed.session.namespace);
      const main = logMain({ page, filter, names, signed, now: clock() });
      return context.settings(200, 'log', 'Log', main, signed, { side });
    }),
    // A form and not a link, so that another site cannot start the download.
    signedForm('/console/log', context, async (_call, signed) => {
      const params = { name: signed.session.namespace.name };
      const answer = await signed.api.call('exportAudit', { params });
      return { ...answer, headers: { ...PRIVATE, ...answer.headers } };
    }),
  ];
}

function logMain(view: {
  readonly page: Listed<AuditEntry>;
  readonly filter: Filter;
  readonly names: Names;
  readonly signed: Signed;
  readonly now: number;
}): Html {
  const { page, filter, names, signed, now } = view;
  const search = (more: Partial<Filter> & { readonly cursor?: string }): string =>
    `log?${new URLSearchParams(Object.entries({ ...filter, ...more }).filter(([, value]) => value !== ''))}`;
  const list =
    page.items.length === 0
      ? html`<p>${filter.action === '' && filter.actor === '' ? 'Nothing was changed so far.' : 'There are no such entries.'}</p>`
      : html`<ul class="lines" aria-label="Entries, newest first">${page.items.map((entry) => entryRow(entry, search, names, now))}</ul>`;
  return html`${heading('Log', undefined)}
<p>Who changed what, signed in, exported, and read originals of mails. No text of messages, no secret.</p>
<form class="row" method="get" action="log"><label class="label" for="action">What</label>
<select class="input" id="action" name="action"><option value="">Everything</option>${Object.entries(ACTION_WORDS)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
    .map(
      ([action, words]) =>
        html`<option value="${action}"${action === filter.action && html` selected`}>${words}</option>`,
    )}</select>
${filter.actor !== '' && html`<input type="hidden" name="actor" value="${filter.actor}">`}<button class="button">Show</button>${(filter.actor !== '' || filter.action !== '') && html`<a class="button quiet" href="log">Show all</a>`}</form>
${list}
${page.next_cursor !== null && html`<div class="row"><a class="button" href="${search({ cursor: page.next_cursor })}">Older entries</a></div>`}
<section class="block" aria-labelledby="export"><h2 id="export">Export the log</h2>
<p>As JSON Lines. <code>mailroom audit verify FILE</code> finds each entry that was changed, left out or moved since.</p>
<form class="row" method="post" action="log">${tokenField(signed)}<button class="button">${icon('download')}Download the log</button></form></section>`;
}

function entryRow(entry: AuditEntry, search: (more: Partial<Filter>) => string, names: Names, now: number): Html {
  const { at, actor, action, target, origin } = entry;
  const name = actor.name ?? ACTOR_WORDS[actor.kind] ?? nameOf(actor.id ?? actor.kind, names);
  const who =
    actor.id === null ? html`<b>${name}</b>` : html`<a href="${search({ actor: actor.id })}"><b>${name}</b></a>`;
  const what = html`<b>${target.name ?? nameOf(target.id ?? '', names)}</b>`;
  const linked = isId('thr', target.id ?? '') ? html`<a href="messages/${firstOf(target.id ?? '')}">${what}</a>` : what;
  const from = origin.network === null ? '' : `, from ${origin.network}`;
  return html`<li><div><p dir="auto">${who} ${ACTION_WORDS[action] ?? action} ${linked}</p>
${changesOf(entry, names)}<p class="meta">${timeMark(at, now, 'full')} · ${CHANNEL_WORDS[origin.channel] ?? origin.channel}${from}</p></div></li>`;
}

/** The fields that an existing thing had and has; what is new or gone is said by the action. */
function changesOf({ before, after }: AuditEntry, names: Names): Html | false {
  if (before === undefined || after === undefined) return false;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return html`<p class="meta" dir="auto">${fields.map(
    (name, index) =>
      html`${index > 0 && '; '}${name.replaceAll('_', ' ')}: ${valueText(before[name], names)} → ${valueText(after[name], names)}`,
  )}</p>`;
}

function valueText(value: unknown, names: Names): string {
  if (value === undefined || value === null || value === '') return 'none';
  const stored = typeof value === 'string' ? value : JSON.stringify(value);
  const text = stored.replace(/\b(?:acc|mbx)_\w+/g, (id) => nameOf(id, names));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
