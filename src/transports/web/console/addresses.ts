import { searchCaller } from '../../../core/access/caller.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { MailboxChange, NewMailbox } from '../../../core/entities/mailbox.ts';
import type { Behavior } from '../../../core/ports/behavior.ts';
import { AUTH } from '../../../core/sign-in/client.ts';
import type { FieldError } from '../../../core/values/error.ts';
import { firstIdAt } from '../../../core/values/ids.ts';
import { readCursor, writeCursor } from '../../../core/values/page.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { addressMark, counted, icon, pathOf, shortOf, stamp, statusMark } from '../pieces.ts';
import type { TaskSettings } from '../tasks.ts';
import type { TypedAddress } from './address-form.ts';
import { addressForm, blank, typedFrom, typedOf, wantedOf } from './address-form.ts';
import { changedWords, confirmation, stopsOf } from './behavior-change.ts';
import type { Context } from './context.ts';
import { deletion, errorStatus, errorsOf } from './fields.ts';
import { filterOf, search } from './filter.ts';
import { addressPath, clientsPath, heading, proceduresPath, servicesPath } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';

const checkNew = compileCheck(NewMailbox);
const checkChange = compileCheck(MailboxChange);
/** Messages are counted up to this number. */
const MAX_COUNT = 10_000;
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    made: 'The address is ready.',
    saved: 'Saved. The changes apply from now on.',
    paused: 'Paused. New messages wait and are answered when you resume it.',
    resumed: 'Resumed. Waiting messages are being answered.',
    deleted: 'The address and its messages are deleted.',
  }),
);

/** Addresses per page. */
const SIZE = 50;

/** The pages of addresses: the list, a new one, and each one's settings. */
export function addressRoutes(context: Context): readonly Route[] {
  const { parts } = context;
  const { registry, behaviors, store, clock, mailDomain } = parts;

  /** The existing mailbox that a path names. AppError `mailbox_not_found`, `mailbox_gone`. */
  function mailboxOf(call: SignedCall, { session, caller }: Signed): Promise<Mailbox> {
    const [local = ''] = (call.params.local ?? '').split('@');
    return registry.mailboxFor(caller, `${local}@${session.namespace.name}.${mailDomain}`, 'mailboxes:write');
  }

  function showNew(
    status: number,
    typed: TypedAddress,
    errors: readonly FieldError[],
    signed: Signed,
  ): Promise<Answer> {
    const { name } = signed.session.namespace;
    const form = addressForm({
      typed,
      behaviors,
      errors,
      namespace: name,
      domain: `.${mailDomain}`,
      action: 'new',
      token: tokenField(signed),
      submit: 'Make the address',
      back: '../../console',
    });
    const title = `${errors.length > 0 ? 'Error: ' : ''}New address`;
    const main = html`${heading('New address', undefined)}${form}`;
    return context.answer(status, { title, root: '../../', tab: 'addresses', styles: ['forms.css'], main }, signed);
  }

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
    if (done !== 'changed' || before === undefined) return DONE.get(String(done));
    return changedWords(mailbox, (await store.mailboxes.keptSettings(mailbox.id)).get(before.name), before);
  }

  /** Asks for confirmation before a change that stops something; undefined when nothing stops. */
  async function asked(mailbox: Mailbox, typed: TypedAddress, form: URLSearchParams, signed: Signed) {
    if (typed.behavior.name === mailbox.behavior || form.get('sure') === '1') return undefined;
    const before = behaviorOf(mailbox.behavior);
    const stops = await stopsOf(mailbox, store, before);
    if (stops.length === 0) return undefined;
    const title = `Change how ${shortOf(mailbox)} answers?`;
    const main = html`${heading(title, undefined)}${confirmation({ mailbox, before, after: typed.behavior, stops, form, signed })}`;
    const { local_part: address } = mailbox;
    const of = { title, root: '../../', tab: 'addresses', address, styles: ['forms.css'], main } as const;
    return context.answer(200, of, signed);
  }

  interface Shown {
    readonly typed?: TypedAddress;
    readonly errors?: readonly FieldError[];
    readonly done?: string | undefined;
    readonly wrong?: boolean;
  }

  async function showOne(status: number, mailbox: Mailbox, signed: Signed, more: Shown = {}): Promise<Answer> {
    const { errors = [], done, wrong = false } = more;
    const typed = more.typed ?? typedFrom(mailbox, behaviors, await settingsOf(mailbox));
    const form = addressForm({
      typed,
      behaviors,
      errors,
      namespace: mailbox.namespace,
      domain: null,
      action: '',
      token: tokenField(signed),
      submit: 'Save changes',
      back: `../../console?mailbox=${encodeURIComponent(mailbox.local_part)}`,
    });
    const title = `${errors.length > 0 || wrong ? 'Error: ' : ''}${shortOf(mailbox)}`;
    const main = html`${heading(html`${stamp(mailbox.behavior)} ${addressMark(mailbox, mailDomain)}`, done)}
${state(mailbox, signed, mailDomain)}
${proceduresLink(mailbox)}
${clientsLink(mailbox)}
${servicesLink(mailbox)}
${form}
${await removal(mailbox, signed, wrong)}`;
    const of = {
      title,
      root: '../../',
      tab: 'addresses',
      address: mailbox.local_part,
      styles: ['forms.css'],
      main,
    } as const;
    return context.answer(status, of, signed);
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
      action: '#delete',
      keep: `../../console?mailbox=${encodeURIComponent(mailbox.local_part)}`,
      token: tokenField(signed),
      wrong,
    })}</section>`;
  }

  async function showAll({ query, gone }: SignedCall, signed: Signed): Promise<Answer> {
    const { id, name } = signed.session.namespace;
    const { query: words = '', cursor } = filterOf(query);
    const of = { namespace_id: id, listed: false, seen_by: id, ...(words === '' ? {} : { query: words }) };
    const after = cursor === undefined ? null : readCursor(cursor);
    const page = await store.mailboxes.page(of, after, SIZE, searchCaller(signed.caller, gone()));
    const more =
      page.next !== null && search({ ...filterOf({}), query: words || undefined, cursor: writeCursor(page.next) });
    const main = html`${heading('Addresses', DONE.get(String(query.done)))}
<form role="search" action="addresses"><label class="sr" for="query">Search addresses</label><input class="input" type="search" id="query" name="query" value="${words}" placeholder="Search addresses" dir="auto" maxlength="200"></form>
<ul class="lines">${page.items.map((mailbox) => html`<li><span class="name-cell">${stamp(mailbox.behavior, 30)}<a href="../${addressPath(mailbox)}">${mailbox.local_part}@<wbr>${name}</a></span>${statusMark(mailbox.status)}<a class="button quiet" href="../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Messages<span class="sr"> of ${shortOf(mailbox)}</span></a></li>`)}</ul>
${page.items.length === 0 && html`<p class="meta">${words === '' ? 'No addresses yet.' : html`No address matches “<span dir="auto">${words}</span>”.`}</p>`}
<div class="row">${cursor !== undefined && html`<a class="button quiet" href="addresses${words !== '' && search({ ...filterOf({}), query: words })}">First page</a>`}${more !== false && html`<a class="button" href="addresses${more}">More addresses</a>`}<a class="button quiet" href="addresses/new">New address</a></div>`;
    return context.answer(200, { title: 'Addresses', root: '../', tab: 'addresses', main }, signed);
  }

  return [
    signedPage('/console/addresses', parts, showAll),
    signedPage('/console/addresses/new', parts, (_call, signed) => showNew(200, blank(behaviors), [], signed)),
    signedForm('/console/addresses/new', parts, async (call, signed) => {
      const typed = typedOf(call.form, behaviors);
      if (call.form.has('add')) return showNew(200, typed, [], signed);
      try {
        const wanted = { local_part: typed.local, ...wantedOf(typed, false) };
        checkNew(wanted);
        const { mailbox } = await registry.createMailbox(signed.caller, signed.session.namespace.name, wanted);
        return seeOther(`../../${addressPath(mailbox)}?done=made`);
      } catch (error) {
        const errors = errorsOf(error, { mailbox_taken: '/local_part' });
        return showNew(errorStatus(error), typed, errors.map(forPeople), signed);
      }
    }),
    signedPage('/console/addresses/{local}', parts, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      return showOne(200, mailbox, signed, { done: await doneOf(mailbox, call.query) });
    }),
    signedForm('/console/addresses/{local}', parts, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const address = `${shortOf(mailbox)}.${mailDomain}`;
      const here = `../../${addressPath(mailbox)}`;
      const what = call.form.has('add') ? 'add' : call.form.get('do');
      if (what === 'pause' || what === 'resume') {
        await registry.changeMailbox(signed.caller, address, { status: what === 'pause' ? 'paused' : 'online' });
        return seeOther(`${here}?done=${what}d`);
      }
      if (what === 'delete') {
        const typed = (call.form.get('typed') ?? '').trim().toLowerCase();
        if (typed !== shortOf(mailbox) && typed !== address) return showOne(422, mailbox, signed, { wrong: true });
        await registry.deleteMailbox(signed.caller, address);
        // Without a fragment the browser would keep the form's `#delete`, which on that page scrolls to another
        // deletion.
        return seeOther('../../console/addresses?done=deleted#main');
      }
      const typed = typedOf(call.form, behaviors, await settingsOf(mailbox));
      if (what === 'add') return showOne(200, mailbox, signed, { typed });
      const { behavior: was } = mailbox;
      try {
        const change = wantedOf(described(typed, mailbox, behaviorOf(was)), true);
        checkChange(change);
        registry.checkBehavior(change.behavior);
        const question = await asked(mailbox, typed, call.form, signed);
        if (question !== undefined) return question;
        await registry.changeMailbox(signed.caller, address, change);
        return seeOther(`${here}?done=${typed.behavior.name === was ? 'saved' : `changed&was=${was}`}`);
      } catch (error) {
        return showOne(errorStatus(error), mailbox, signed, { typed, errors: errorsOf(error) });
      }
    }),
  ];
}

/** A change of behavior also drops the earlier behavior's default description, unless the owner wrote one. */
const described = (typed: TypedAddress, { behavior }: Mailbox, before: Behavior | undefined): TypedAddress =>
  typed.behavior.name === behavior || typed.description !== before?.description
    ? typed
    : { ...typed, description: typed.behavior.description };

/** A link to the procedures that the owner taught the address. */
function proceduresLink(mailbox: Mailbox): Html | false {
  if (mailbox.behavior !== 'do') return false;
  const { procedures = [] } = mailbox.settings as TaskSettings;
  const count = procedures.length === 0 ? 'Teach it tasks of your own.' : counted(procedures.length, 'procedure');
  return html`<p class="row taught"><a class="button" href="../../${proceduresPath(mailbox)}">${icon('sliders')}Procedures</a><span class="meta">${count}</span></p>`;
}

/** A link to the apps in which people sign in by this address. */
const clientsLink = (mailbox: Mailbox): Html | false =>
  mailbox.behavior === AUTH &&
  html`<p class="row taught"><a class="button" href="../../${clientsPath(mailbox)}">${icon('key')}Your apps</a><span class="meta">Apps that let people sign in here (OIDC clients).</span></p>`;

/** A link to the services that the address may sign in to. */
const servicesLink = (mailbox: Mailbox): Html =>
  html`<p class="row taught"><a class="button" href="../../${servicesPath(mailbox)}">${icon('out')}Where it may sign in</a><span class="meta">Services it may sign in to without asking you (allowed relying parties).</span></p>`;

/** Whether the mailbox answers, with the button that pauses or resumes it. */
function state(mailbox: Mailbox, signed: Signed, mailDomain: string): Html {
  const what = mailbox.status === 'paused' ? 'resume' : 'pause';
  return html`<form class="row state" method="post" action="">${tokenField(signed)}${statusMark(mailbox.status)}<button class="button" name="do" value="${what}">${
    what === 'pause' ? 'Pause' : 'Resume'
  } ${shortOf(mailbox)}</button><a class="button quiet" href="../../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Its messages</a><a class="button quiet" href="../.././${pathOf(mailbox, mailDomain)}">${icon('share')}Open its page</a></form>`;
}

/** Replaces the API's wording about a local part by one for people. */
function forPeople({ pointer, message }: FieldError): FieldError {
  if (pointer !== '/local_part') return { pointer, message };
  const plain = /is taken|is reserved|is the most/.test(message)
    ? message.replace('another local part', 'another name')
    : 'Use 1 to 64 of a to z, 0 to 9, dot, _ and -, with a letter or digit at both ends.';
  return { pointer, message: plain };
}
