import type { Behavior } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { firstIdAt } from '@mailroom/behavior/values/ids';
import type { Registry } from '../../../core/access/registry.ts';
import { hasScope } from '../../../core/entities/key.ts';
import { type Mailbox, MailboxChange } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { type PreviewState, previewJson } from '../new/preview-card.ts';
import { counted, fullOf, shortOf } from '../pieces.ts';
import { reachedBy } from '../reached.ts';
import type { TakesMail } from '../words.ts';
import { type TypedAddress, typedFrom, typedOf, wantedOf } from './address-form.ts';
import { AddressPreview, type PreviewParts } from './address-preview.ts';
import { type AddressTab, type FormTab, furtherLinks, settingsHead, state, tabForm, tabOf } from './address-tabs.ts';
import { webhookBlock, webhookOff } from './agent-webhook.ts';
import { changedWords, confirmation, stopsOf } from './behavior-change.ts';
import { checksMain } from './checks-page.ts';
import type { Context } from './context.ts';
import { deletion, errorStatus, errorsOf } from './fields.ts';
import { managedMailbox } from './mailbox-page.ts';
import { givenRules } from './rule-typed.ts';
import { addressPath, countText, doneLine, doneTexts, heading } from './shell.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';
import { bucketsOf } from './usage-days.ts';

const check = compileCheck(MailboxChange);
/** Messages are counted up to this number. */
const MAX_COUNT = 10_000;
/** Messages that wait for a review are counted up to this number. */
const MAX_WAITING = 999;
/** Days of the chart of a budget. */
const BUDGET_DAYS = 14;
const NO_FORMS: ReadonlySet<AddressTab> = new Set(['checks', 'danger', 'webhook']);
const isForm = (tab: AddressTab): tab is FormTab => !NO_FORMS.has(tab);

/** Rules that cannot be tried now are shown without what they would do. */
function unknown(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}
const doneText = doneTexts({
  made: 'The address is ready.',
  saved: 'Saved. The changes apply from now on.',
  paused: 'Paused. New messages wait and are answered when you resume it.',
  'webhook-on': 'The webhook is on. Waiting messages are pushed now.',
  resumed: 'Resumed. Waiting messages are being answered.',
});

interface AddressParts extends PreviewParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly store: Pick<
    Store,
    'agentWebhooks' | 'clients' | 'handlings' | 'mailboxes' | 'messages' | 'reviews' | 'schedules'
  >;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly takesMail: TakesMail;
}

interface Shown {
  readonly typed?: TypedAddress;
  readonly errors?: readonly FieldError[];
  readonly done?: string | undefined;
  readonly wrong?: boolean;
  /** A new secret of its webhook. */
  readonly secret?: string | undefined;
  readonly preview?: PreviewState;
  /** Of the settings that the form was made of, where these are not the ones that are stored now. */
  readonly version?: string | undefined;
}

/** The settings of one address, a tab each for what it is, how it answers, who may write, and its deletion. */
export function addressSettingsRoutes(context: Context, parts: AddressParts): readonly Route[] {
  const { registry, behaviors, store, clock, mailDomain, takesMail } = parts;
  const previews = new AddressPreview(parts);

  /** The settings of the current behavior and those kept from earlier ones, by behavior. */
  async function settingsOf(mailbox: Mailbox): Promise<ReadonlyMap<string, unknown>> {
    return new Map([...(await store.mailboxes.keptSettings(mailbox.id)), [mailbox.behavior, mailbox.settings]]);
  }

  const behaviorOf = (name: unknown): Behavior | undefined => behaviors.find((one) => one.name === name);

  /**
   * The confirmation of the last action; after a change of behavior it says which settings of the earlier one, `was`,
   * are kept.
   */
  async function doneOf(mailbox: Mailbox, { done, was }: SignedCall['query']): Promise<string | undefined> {
    const before = behaviorOf(was);
    if (done !== 'changed' || before === undefined) return doneText(done);
    return changedWords(mailbox, (await store.mailboxes.keptSettings(mailbox.id)).get(before.name), before);
  }

  /** Asks for confirmation before a change that stops something; undefined when nothing stops. */
  async function asked(mailbox: Mailbox, typed: TypedAddress, form: URLSearchParams, signed: Signed) {
    if (typed.behavior.name === mailbox.behavior || form.get('sure') === '1') return undefined;
    const oldBehavior = behaviorOf(mailbox.behavior);
    const stops = await stopsOf(mailbox, store, oldBehavior);
    if (stops.length === 0) return undefined;
    const title = `Change how ${shortOf(mailbox)} answers?`;
    const main = html`${heading(title, undefined)}${confirmation({ mailbox, before: oldBehavior, after: typed.behavior, stops, form, signed })}`;
    const { local_part: address } = mailbox;
    const of = { title, root: '../../', tab: 'addresses', address, styles: ['forms.css'], main } as const;
    return context.answer(200, of, signed);
  }

  /** What the form of a tab has, and the mailbox's own for the rest. */
  async function typedIn(mailbox: Mailbox, tab?: AddressTab, form?: URLSearchParams): Promise<TypedAddress> {
    const kept = await settingsOf(mailbox);
    const stored = typedFrom(mailbox, behaviors, kept, mailDomain);
    if (form === undefined) return stored;
    const { display_name, description, behavior, settings, ...access } = typedOf(form, behaviors, kept);
    if (tab === 'behavior') return { ...stored, behavior, settings };
    if (tab === 'access') return { ...access, ...pick(stored), senders: access.senders ?? stored.senders };
    return { ...stored, display_name, description };
  }

  async function show(
    status: number,
    mailbox: Mailbox,
    tab: AddressTab,
    call: SignedCall,
    signed: Signed,
    more: Shown = {},
  ) {
    const { errors = [], done, wrong = false, secret } = more;
    const title = `${errors.length > 0 || wrong ? 'Error: ' : ''}${shortOf(mailbox)}`;
    const stored = await typedIn(mailbox);
    const typed = more.typed ?? stored;
    const content = async (formTab: FormTab): Promise<Html> => {
      const shown = more.preview ?? (await previews.first(typed, mailbox, call.gone()));
      const preview = previews.card(typed, mailbox, formTab === 'behavior' ? behaviors : [typed.behavior], shown);
      const version = more.version ?? versionOf(stored, formTab);
      return tabForm({ mailbox, tab: formTab, typed, behaviors, errors, preview, signed, version });
    };
    typed.behavior.prepare?.();
    const main = html`${settingsHead(mailbox, tab, mailDomain)}
${doneLine(done)}
${tab === 'general' && html`${state(mailbox, signed, mailDomain)}<p class="meta reached">${reachedBy(mailbox.access === 'key' ? 'no' : takesMail, fullOf(mailbox, mailDomain))}</p>`}
${tab === 'webhook' || secret !== undefined ? await webhookOf(mailbox, signed, secret) : mailbox.webhook === 'off' && webhookOff}
${furtherLinks(mailbox, tab)}
${tab === 'danger' ? await removal(mailbox, signed, wrong) : tab === 'checks' ? await checks(mailbox, stored.behavior, signed) : tab !== 'webhook' && (await content(tab))}`;
    const page = {
      title,
      root: '../../',
      tab: 'addresses',
      address: mailbox.local_part,
      styles: secret === undefined ? ['forms.css'] : ['forms.css', 'made.css'],
      scripts: isForm(tab) ? ['new.js'] : [],
      main,
    } as const;
    return context.answer(status, page, signed);
  }

  async function webhookOf(mailbox: Mailbox, signed: Signed, secret: string | undefined): Promise<Html | false> {
    const webhook = mailbox.webhook === null ? undefined : await store.agentWebhooks.find(mailbox.id);
    return webhook !== undefined && webhookBlock(mailbox, webhook, { now: clock(), secret, signed });
  }

  /** What is checked of what comes to it and leaves it. */
  async function checks(mailbox: Mailbox, { asksModel }: Behavior, { api, session }: Signed): Promise<Html> {
    const params = { address: fullOf(mailbox, mailDomain) };
    const { outgoing, rules = [] } = await api.json('getMailbox', { params });
    const tries = rules.length > 0 && hasScope(session.key, 'messages:read');
    const body = { rules: givenRules(rules) };
    const [trial, usage, waiting] = await Promise.all([
      tries ? api.json('tryRules', { params, body }).catch(unknown) : undefined,
      asksModel ? api.json('getMailboxUsage', { params, query: { days: String(BUDGET_DAYS) } }) : undefined,
      store.reviews.countPending({ namespace_id: mailbox.namespace_id, mailbox_id: mailbox.id }, MAX_WAITING + 1),
    ]);
    const days = usage && bucketsOf(usage.items, BUDGET_DAYS, clock());
    return checksMain({ mailbox, outgoing, waiting: countText(waiting), rules, trial, days });
  }

  async function removal(mailbox: Mailbox, signed: Signed, wrong: boolean): Promise<Html> {
    const before = firstIdAt('msg', clock() + 1);
    const ids = await store.messages.idsOf({ mailbox_id: mailbox.id }, '', before, MAX_COUNT + 1);
    const count =
      ids.length > MAX_COUNT ? `more than ${counted(MAX_COUNT, 'message')}` : counted(ids.length, 'message');
    const gone =
      ids.length === 0 ? 'It has no messages.' : `Its ${count} ${ids.length === 1 ? 'is' : 'are'} deleted too.`;
    return html`<section class="block" aria-labelledby="delete"><h2 id="delete">Delete this address</h2>${deletion({
      what: shortOf(mailbox),
      consequences: `${gone} From then on, messages to this address are refused.`,
      action: '?tab=danger#delete',
      keep: `../../console?mailbox=${encodeURIComponent(mailbox.local_part)}`,
      token: tokenField(signed),
      wrong,
    })}</section>`;
  }

  return [
    signedPage('/console/addresses/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      return show(200, mailbox, tabOf(call.query.tab), call, signed, { done: await doneOf(mailbox, call.query) });
    }),
    signedForm('/console/addresses/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const address = `${shortOf(mailbox)}.${mailDomain}`;
      const here = `../../${addressPath(mailbox)}`;
      const { form } = call;
      const tab = tabOf(call.query.tab);
      const what = form.has('add') ? 'add' : form.has('example') ? 'preview' : form.get('do');
      if (what === 'pause' || what === 'resume') {
        await registry.changeMailbox(signed.caller, address, { status: what === 'pause' ? 'paused' : 'online' });
        return seeOther(`${here}?done=${what}d`);
      }
      if (what === 'webhook-on') {
        const { behavior: name, settings } = mailbox;
        await registry.changeMailbox(signed.caller, address, { behavior: { name, settings } });
        return seeOther(`${here}?tab=webhook&done=webhook-on`);
      }
      if (what === 'webhook-secret') {
        const { secret } = await registry.rotateWebhookSecret(signed.caller, address);
        return show(200, mailbox, 'webhook', call, signed, { secret });
      }
      if (what === 'delete') {
        const typed = (form.get('typed') ?? '').trim().toLowerCase();
        if (typed !== shortOf(mailbox) && typed !== address)
          return show(422, mailbox, 'danger', call, signed, { wrong: true });
        await registry.deleteMailbox(signed.caller, address);
        // Without a fragment the browser would keep the form's `#delete`, which on that page scrolls to another
        // deletion.
        return seeOther('../../console/addresses?done=deleted#main');
      }
      const typed = await typedIn(mailbox, tab, form);
      const version = form.get('version') ?? undefined;
      if (what === 'add') return show(200, mailbox, tab, call, signed, { typed, preview: {}, version });
      if (what === 'preview') {
        const { status, state: preview } = await previews.answer(typed, mailbox, call, signed);
        return show(status, mailbox, tab, call, signed, { typed, preview, version });
      }
      const { behavior: was } = mailbox;
      if (version !== undefined && version !== versionOf(await typedIn(mailbox), tab))
        return show(409, mailbox, tab, call, signed, { typed, errors: [CHANGED], preview: {} });
      try {
        const change = changeOf(typed, tab);
        check(change);
        if (tab === 'behavior') registry.settings.checkBehavior(wantedOf(typed, true).behavior);
        const question = tab === 'behavior' ? await asked(mailbox, typed, form, signed) : undefined;
        if (question !== undefined) return question;
        const { webhook_secret: secret, ...changed } = await registry.changeMailbox(signed.caller, address, change);
        if (secret !== undefined) return show(200, changed, tab, call, signed, { secret, done: doneText('saved') });
        const done = typed.behavior.name === was ? 'done=saved' : `done=changed&was=${was}`;
        return seeOther(`${here}?${tab === 'general' ? '' : `tab=${tab}&`}${done}`);
      } catch (error) {
        return show(errorStatus(error), mailbox, tab, call, signed, {
          typed,
          errors: errorsOf(error),
          preview: {},
          version,
        });
      }
    }),
    // For the script, which shows the answer without a page load.
    signedForm('/console/preview/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const typed = await typedIn(mailbox, call.form.has('behavior') ? 'behavior' : undefined, call.form);
      const { status, state: preview } = await previews.answer(typed, mailbox, call, signed);
      return { status, body: { ...previewJson(preview), errors: 0 }, headers: PRIVATE };
    }),
  ];
}

/** The settings that the form about access does not have. */
const pick = ({ local, display_name, description, behavior, settings }: TypedAddress) => ({
  local,
  display_name,
  description,
  behavior,
  settings,
});

const CHANGED: FieldError = {
  pointer: '',
  message:
    'These settings were changed in another window or by another owner since you opened them, so nothing was saved. What you typed is below: saving it again replaces their change.',
};

/** Identifies the settings of a tab, so that a form that was open while they changed does not undo the change unseen. */
const versionOf = (stored: TypedAddress, tab: AddressTab): string =>
  sha256(JSON.stringify(changeOf(stored, tab))).slice(0, 16);

/** The fields of a tab alone, so that a form that was open for long changes nothing else. */
function changeOf(typed: TypedAddress, tab: AddressTab): MailboxChange {
  const { display_name = null, description = '', behavior, ...access } = wantedOf(typed, true);
  if (tab === 'behavior') return { behavior };
  return tab === 'access' ? access : { display_name, description };
}
