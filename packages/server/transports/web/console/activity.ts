import type { Behavior } from '@mailroom/behavior';
import type { MailboxView } from '../../../core/entities/mailbox.ts';
import type { UsageDay } from '../../../core/entities/model-usage.ts';
import type { Activity } from '../../../core/reports/overview.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { note, stamp, statusMark } from '../pieces.ts';
import { seconds } from '../turns.ts';
import { figures } from './charts.ts';
import type { Context } from './context.ts';
import { setsUp } from './page-scopes.ts';
import { addressPath, allAddresses, heading, mailboxPath, type Side } from './shell.ts';
import { type Signed, signedPage } from './sign-in-form.ts';

/** Addresses in the table. */
const MAX_SHOWN = 50;

/** The page of what arrived and how it ended, over a day and over a month. */
export const activityRoutes = (
  context: Context,
  { behaviors }: { readonly behaviors: readonly Behavior[] },
): readonly Route[] => [
  signedPage('/console/activity', context, async (_call, signed) => {
    const { api } = signed;
    const params = { name: signed.session.namespace.name };
    const [side, day, month, first] = await Promise.all([
      context.side(signed),
      api.json('getActivity', { params, query: { span: '24h' } }),
      api.json('getActivity', { params, query: { span: '30d' } }),
      api.json('listNamespaceMailboxes', { params, query: { limit: String(MAX_SHOWN) } }),
    ]);
    const ours = first.items.filter(({ id }) => setsUp(signed.session.key, id));
    const main = html`${heading('Activity', undefined)}
${day.loops.length > 0 && loopNotice(day.loops, signed)}
${span('The last 24 hours', day)}
${span('The last 30 days', month)}
${addresses({ side, day, month, first: first.items, signed })}
${usage(await usages(signed, behaviors, ours))}`;
    return context.answer(200, { title: 'Activity', root: '../', tab: 'activity', main }, signed, side);
  }),
];

/** Tells the owner of which addresses messages went in circles; the other owner is told at their own. */
const loopNotice = (mailboxes: readonly MailboxView[], signed: Signed): Html =>
  note(
    'bad',
    'warn',
    'A loop was stopped in the last 24 hours.',
    html`Messages to or from ${list(mailboxes, signed)} caused one another 8 times, so the next one was not sent. Let one of the two programs answer with a reply instead of a message of its own.`,
  );

const list = (mailboxes: readonly MailboxView[], signed: Signed): Html =>
  html`${mailboxes.map((mailbox, at) => html`${at > 0 && (at === mailboxes.length - 1 ? ' and ' : ', ')}${addressLink(mailbox, signed)}`)}`;

/** Leads to the settings of an address, or to its messages for who does not set it up. */
const addressLink = (mailbox: MailboxView, { session }: Signed): Html =>
  html`<a href="../${setsUp(session.key, mailbox.id) ? addressPath(mailbox) : `console?mailbox=${encodeURIComponent(mailbox.local_part)}`}">${mailbox.local_part}</a>`;

const span = (title: string, activity: Activity): Html => html`<section class="block" aria-label="${title}">
<h2>${title}</h2>
<div class="stats large">${figures(activity)}</div>
</section>`;

interface MailboxUsage {
  readonly mailbox: MailboxView;
  /** Newest first. */
  readonly days: readonly UsageDay[];
}

/** What those of these addresses that ask a language model took of it in 30 days. */
async function usages(
  { api }: Signed,
  behaviors: readonly Behavior[],
  mailboxes: readonly MailboxView[],
): Promise<readonly MailboxUsage[]> {
  const asking = new Set(behaviors.filter(({ asksModel }) => asksModel === true).map(({ name }) => name));
  const all = await Promise.all(
    mailboxes
      .filter(({ behavior }) => asking.has(behavior.name))
      .map(async (mailbox) => {
        const params = { address: mailbox.address };
        return { mailbox, days: (await api.json('getMailboxUsage', { params })).items };
      }),
  );
  return all.filter(({ days }) => days.length > 0);
}

/** A table of the tokens of the language model; none where no address asked it. */
function usage(all: readonly MailboxUsage[]): Html | false {
  const sum = (days: readonly UsageDay[], measure: (day: UsageDay) => number): string =>
    days.reduce((total, day) => total + measure(day), 0).toLocaleString('en-US');
  return (
    all.length > 0 &&
    html`<section class="block" aria-labelledby="by-model"><h2 id="by-model">Language model, the last 30 days</h2>
<div class="scroll-x" role="region" aria-label="Table of tokens" tabindex="0"><table class="table">
<thead><tr><th scope="col">Address</th><th scope="col">Tokens</th><th scope="col">Runs</th><th scope="col">Last budget a day</th></tr></thead>
<tbody>${all.map(
      ({ mailbox, days }) =>
        html`<tr><th scope="row"><span class="name-cell">${stamp(mailbox.behavior.name, 30)}<a href="../${mailboxPath('usage', mailbox)}">${mailbox.local_part}</a></span></th><td>${sum(days, ({ tokens }) => tokens)}</td><td>${sum(days, ({ runs }) => runs)}</td><td>${days[0]?.budget?.toLocaleString('en-US') ?? 'None'}</td></tr>`,
    )}</tbody></table></div></section>`
  );
}

interface Addresses {
  readonly side: Side;
  readonly day: Activity;
  readonly month: Activity;
  /** The first addresses, in the order they were made. */
  readonly first: readonly MailboxView[];
  readonly signed: Signed;
}

/** A table of the busiest addresses, then of those without messages. */
function addresses({ side, day, month, first, signed }: Addresses): Html {
  const all = new Map(month.mailboxes.map((one) => [one.mailbox.id, one]));
  const count = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');
  const quiet = first.filter(({ id }) => !all.has(id));
  const busiest = [...month.mailboxes.map(({ mailbox }) => mailbox), ...quiet].slice(0, MAX_SHOWN);
  if (busiest.length === 0) return html``;
  return html`<section class="block" aria-labelledby="by-address"><h2 id="by-address">By address</h2>
<div class="scroll-x" role="region" aria-label="Table of addresses" tabindex="0"><table class="table">
<thead><tr><th scope="col">Address</th><th scope="col">24 hours</th><th scope="col">30 days</th><th scope="col">Failures</th><th scope="col">Median answer</th></tr></thead>
<tbody>${busiest.map((mailbox) => {
    const figure = all.get(mailbox.id);
    const median = figure?.median_ms ?? null;
    return html`<tr><th scope="row"><span class="name-cell">${stamp(mailbox.behavior.name, 30)}${addressLink(mailbox, signed)}${statusMark(mailbox)}</span></th><td>${count(day.arrived[mailbox.id])}</td><td>${count(figure?.arrived)}</td><td>${count(figure?.failed)}</td><td>${median === null ? 'None' : seconds(median)}</td></tr>`;
  })}</tbody></table></div>${allAddresses(side, '../', 'button')}</section>`;
}
