import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { type Html, html } from '../../../http/html.ts';
import { hasPage } from '../looks.ts';
import { addressMark, counted, icon, pathOf, shortOf, stamp, statusMark } from '../pieces.ts';
import type { TaskSettings } from '../tasks.ts';
import {
  accessFields,
  behaviorFields,
  type FormFields,
  firstButton,
  formProblems,
  nameFields,
} from './address-form.ts';
import { FormErrors } from './fields.ts';
import { tabLink, tabsLine } from './settings-tabs.ts';
import { addressPath, mailboxPath } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

const TABS = {
  general: 'General',
  behavior: 'Behavior',
  access: 'Access',
  checks: 'Checks',
  webhook: 'Webhook',
  danger: 'Danger',
} as const;
export type AddressTab = keyof typeof TABS;
/** The tabs that are forms. */
export type FormTab = Exclude<AddressTab, 'checks' | 'danger' | 'webhook'>;

/** The tab that a query names, else the first. */
export const tabOf = (query: unknown): AddressTab =>
  typeof query === 'string' && Object.hasOwn(TABS, query) ? (query as AddressTab) : 'general';

/** The tab of the field at a pointer of the API. */
const tabOfPointer = (pointer: string): AddressTab | undefined =>
  pointer.startsWith('/behavior')
    ? 'behavior'
    : pointer === '/description' || pointer === '/display_name'
      ? 'general'
      : pointer === ''
        ? undefined
        : 'access';

/** The address, whether it answers, and the links between the parts of its settings. */
export const settingsHead = (mailbox: Mailbox, now: AddressTab, mailDomain: string): Html =>
  html`<div class="set-head">${stamp(mailbox.behavior)}<h1>${addressMark(mailbox, mailDomain)}</h1>${statusMark(mailbox)}</div>
${tabsLine(
  `Settings of ${shortOf(mailbox)}`,
  Object.entries(TABS)
    .filter(([tab]) => tab !== 'webhook' || mailbox.webhook !== null)
    .map(([tab, word]) =>
      tabLink(`../../${addressPath(mailbox)}${tab === 'general' ? '' : `?tab=${tab}`}`, word, tab === now),
    ),
)}`;

interface TabForm extends Omit<FormFields, 'domain' | 'namespace'> {
  readonly mailbox: Mailbox;
  readonly tab: FormTab;
  readonly preview: Html;
  readonly signed: Signed;
  /** Of the settings that the form was made of. */
  readonly version: string;
}

/** The form of one tab, with the preview beside it. */
export function tabForm({ mailbox, tab, preview, signed, version, ...form }: TabForm): Html {
  // What is wrong elsewhere has no field here.
  const ownErrors = form.errors.map((error) =>
    (tabOfPointer(error.pointer) ?? tab) === tab ? error : { ...error, pointer: '' },
  );
  const errors = new FormErrors(ownErrors);
  const top = errors.at('', 'form');
  const fields = { general: nameFields, behavior: behaviorFields, access: accessFields }[tab];
  const content = fields({ ...form, errors: ownErrors, domain: null, namespace: mailbox.namespace }, errors);
  return html`${formProblems(errors, top)}
<form class="making fields" method="post" action="?tab=${tab}" novalidate data-new data-preview-path="../preview/${mailbox.local_part}">
${firstButton('Save changes')}
${tokenField(signed)}<input type="hidden" name="version" value="${version}">
<div class="beside-preview"><div class="main">${content}</div>
<aside>${preview}</aside>
<div class="row end"><button class="button ink" name="do" value="save">Save changes</button><a class="button quiet" href="../../console?mailbox=${encodeURIComponent(mailbox.local_part)}">Back</a></div></div>
</form>`;
}

/** The button that pauses or resumes the mailbox, and where its messages and its page are. */
export function state(mailbox: Mailbox, signed: Signed, mailDomain: string): Html {
  const what = mailbox.status === 'paused' ? 'resume' : 'pause';
  return html`<form class="row state" method="post" action="">${tokenField(signed)}<button class="button" name="do" value="${what}">${
    what === 'pause' ? 'Pause' : 'Resume'
  } ${shortOf(mailbox)}</button><a class="button quiet" href="../../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Its messages</a><a class="button quiet" href="../.././${pathOf(mailbox, mailDomain)}">${icon('share')}Open its page</a></form>`;
}

/** Links to what is set on pages of its own. */
export const furtherLinks = (mailbox: Mailbox, tab: AddressTab): Html | false =>
  tab === 'behavior'
    ? html`${proceduresLink(mailbox)}${outsideLink(mailbox)}${clientsLink(mailbox)}`
    : tab === 'access' && servicesLink(mailbox);

/** A link to the procedures that the owner taught the address. */
function proceduresLink(mailbox: Mailbox): Html | false {
  if (!hasPage(mailbox.behavior, 'procedures')) return false;
  const { procedures = [] } = mailbox.settings as TaskSettings;
  const count = procedures.length === 0 ? 'Teach it tasks of your own.' : counted(procedures.length, 'procedure');
  return html`<p class="row taught"><a class="button" href="../../${mailboxPath('procedures', mailbox)}">${icon('sliders')}Procedures</a><span class="meta">${count}</span></p>`;
}

/** A link to the servers and agents of others that the address may use. */
function outsideLink(mailbox: Mailbox): Html | false {
  if (!hasPage(mailbox.behavior, 'outside')) return false;
  const { outside = [] } = mailbox.settings as TaskSettings;
  const count =
    outside.length === 0 ? 'MCP servers and A2A agents that it may use.' : outside.map(({ name }) => name).join(', ');
  return html`<p class="row taught"><a class="button" href="../../${mailboxPath('outside', mailbox)}">${icon('out')}Tools of others</a><span class="meta">${count}</span></p>`;
}

/** A link to the apps in which people sign in by this address. */
const clientsLink = (mailbox: Mailbox): Html | false =>
  hasPage(mailbox.behavior, 'clients') &&
  html`<p class="row taught"><a class="button" href="../../${mailboxPath('clients', mailbox)}">${icon('key')}Your apps</a><span class="meta">Apps that let people sign in here (OIDC clients).</span></p>`;

/** A link to the services that the address may sign in to. */
const servicesLink = (mailbox: Mailbox): Html =>
  html`<p class="row taught"><a class="button" href="../../${mailboxPath('services', mailbox)}">${icon('out')}Where it may sign in</a><span class="meta">Services it may sign in to without asking you (allowed relying parties).</span></p>`;
