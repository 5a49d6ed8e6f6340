import { type Html, html } from '../../../http/html.ts';

/** The pages of a namespace's settings, in their order. */
const TABS = {
  general: ['General', 'settings'],
  members: ['Members', 'members'],
  domains: ['Domains', 'domains'],
  keys: ['Keys', 'keys'],
  webhooks: ['Webhooks', 'webhooks'],
  notices: ['Notices', 'notices'],
  log: ['Log', 'log'],
  sessions: ['Sessions', 'settings?tab=sessions'],
  danger: ['Danger', 'settings?tab=danger'],
} as const;
export type SettingsTab = keyof typeof TABS;

/** Links between the parts of settings. */
export const tabsLine = (label: string, links: readonly Html[]): Html =>
  html`<nav class="tabs-line" aria-label="${label}">${links}</nav>`;

/** One of these links. */
export const tabLink = (href: string, word: string, current: boolean): Html =>
  html`<a href="${href}"${current && html` aria-current="page"`}>${word}</a>`;

/** What stands above each page of a namespace's settings. */
export const settingsHead = (name: string, tab: SettingsTab, root: string, may: (path: string) => boolean): Html =>
  html`<div class="set-head"><span class="stamp s40 h-post" aria-hidden="true">@</span><p>Settings of ${name}</p></div>
${tabsLine(
  `Settings of ${name}`,
  Object.entries(TABS)
    .filter(([, [, path]]) => may(`console/${path}`))
    .map(([one, [word, path]]) => tabLink(`${root}console/${path}`, word, one === tab)),
)}`;
