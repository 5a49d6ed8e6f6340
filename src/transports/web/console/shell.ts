import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Statistic } from '../../../core/reports/statistics.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Page } from '../layout.ts';
import type { IconName } from '../pieces.ts';
import { icon } from '../pieces.ts';
import type { Signed } from './sign-in-form.ts';
import { tokenField } from './sign-in-form.ts';

export type Root = '' | '../' | '../../';

const TABS = [
  ['inbox', 'Inbox', 'inbox', 'console'],
  ['addresses', 'Addresses', 'at', 'console/addresses'],
  ['activity', 'Activity', 'chart', 'console/activity'],
  ['keys', 'Keys', 'key', 'console/keys'],
  ['settings', 'Settings', 'sliders', 'console/settings'],
] as const satisfies readonly (readonly [string, string, IconName, string])[];
export type Tab = (typeof TABS)[number][0];

/** The side column of every page of the console. */
export interface Side {
  /** The busiest addresses, at most one list. */
  readonly mailboxes: readonly MailboxSummary[];
  /** The ids of all addresses, in the order they were made. */
  readonly ids: readonly string[];
  /** The statistics of the last 24 hours. */
  readonly day: Statistic;
  /** How many messages wait for approval; empty for none. */
  readonly asking: string;
}

export interface ConsolePage {
  readonly title: string;
  readonly root: Root;
  readonly tab: Tab | undefined;
  /** The local part of the address that this page is about. */
  readonly address?: string | undefined;
  readonly main: Html;
  readonly styles?: readonly string[];
  /** The page uses the full width of the window. */
  readonly wide?: boolean;
}

/** A page of the console with its navigation. */
export function consolePage(of: ConsolePage, side: Side, signed: Signed): Page {
  const { root, tab, main, wide = false } = of;
  const { name } = signed.session.namespace;
  return {
    title: `${of.title} · ${name} · Mailroom`,
    root,
    private: true,
    styles: [...(of.styles ?? []), 'console.css', ...(wide ? [] : ['console-pages.css'])],
    scripts: ['console.js'],
    frame: 'bare',
    main: html`<div class="console">
<header class="side">
<a class="brand" href="${root}console" aria-label="${name}: inbox"><span class="stamp s30 h-post" aria-hidden="true">@</span><span>${name}</span></a>
<nav class="tabs" aria-label="Console">${TABS.map(
      ([id, word, sign, path]) =>
        html`<a${id === 'addresses' && html` class="phone"`} href="${root}${path}"${id === tab && html` aria-current="page"`}>${icon(sign)}${word}${id === 'inbox' && html`<span data-badge>${askingBadge(side.asking)}</span>`}</a>`,
    )}</nav>
<nav class="addresses" aria-labelledby="addresses">
<h2 class="small-title" id="addresses">Addresses</h2>
<ul data-nav>${addressList(side, root, of.address)}</ul>
${allAddresses(side, root)}
<a class="new" href="${root}console/addresses/new">${icon('plus')}New address</a>
</nav>
<form class="out" method="post" action="${root}console/sign-out">${tokenField(signed)}<button class="tab">${icon('out')}Sign out</button></form>
</header>
<main id="main" tabindex="-1"${!wide && html` class="column"`}>
${main}
</main>
</div>`,
  };
}

/** The number that wait for approval, beside the link to them. */
export const askingBadge = (asking: string): Html | '' =>
  asking === '' ? '' : html`<span class="badge">${asking}<span class="sr"> to approve</span></span>`;

/** A link to all addresses, where a list does not show all. */
export const allAddresses = ({ mailboxes, ids }: Side, root: Root, kind = 'new'): Html | false =>
  ids.length > mailboxes.length &&
  html`<a class="${kind}" href="${root}console/addresses">All ${ids.length.toLocaleString('en-US')} addresses</a>`;

/** Addresses with what each received in the last 24 hours, the busiest first. */
export function addressList({ mailboxes, day }: Side, root: Root, current?: string): Html {
  return html`${mailboxes.map(({ id, local_part, status }) => {
    const count = day.arrived.get(id) ?? 0;
    return html`<li><a href="${root}console?mailbox=${encodeURIComponent(local_part)}"${local_part === current && html` aria-current="true"`}><span class="status ${status}"><span class="name">${local_part}</span></span>${
      status === 'online'
        ? html`<span class="count">${count.toLocaleString('en-US')}<span class="sr"> messages in 24 hours</span></span>`
        : html`<span class="count">${status === 'paused' ? 'Paused' : 'Offline'}</span>`
    }</a></li>`;
  })}`;
}

/** The path of an address's own page. One called `new` has another path than the form for a new address. */
export const addressPath = ({ local_part, namespace }: Pick<MailboxSummary, 'local_part' | 'namespace'>): string =>
  `console/addresses/${local_part === 'new' ? `new@${namespace}` : local_part}`;

/** The path of an address's procedures. */
export const proceduresPath = ({ local_part }: Pick<MailboxSummary, 'local_part'>): string =>
  `console/procedures/${local_part}`;

/** The heading of a page: its name, the confirmation of the last action, and more. */
export const heading = (title: Html | string, done: string | undefined, rest?: Html): Html =>
  html`<div class="head"><h1>${title}</h1>${rest}</div>
${done !== undefined && html`<p class="done" role="status">${icon('check')}${done}</p>`}`;

/** The path of the apps in which people sign in by an address. */
export const clientsPath = ({ local_part }: Pick<MailboxSummary, 'local_part'>): string =>
  `console/clients/${local_part}`;

/** The path of the services that an address may sign in to. */
export const servicesPath = ({ local_part }: Pick<MailboxSummary, 'local_part'>): string =>
  `console/services/${local_part}`;
