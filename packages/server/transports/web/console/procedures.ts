import type { Behavior } from '@mailroom/behavior';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Preview } from '../../../core/runs/preview.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { hasPage } from '../looks.ts';
import { addressMark, icon, shortOf, stamp } from '../pieces.ts';
import type { ProcedureSettings, TaskSettings } from '../tasks.ts';
import { effectTag, knownTasks } from '../tasks.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorStatus, errorsOf } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import { procedureForm } from './procedure-form.ts';
import { testProcedure } from './procedure-test.ts';
import type { TypedProcedure } from './procedure-typed.ts';
import { blankProcedure, procedureOf, readProcedure, typedFrom } from './procedure-typed.ts';
import { addressPath, heading, proceduresPath } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved. It can be used from now on.',
    removed: 'Removed. Its name can no longer be used.',
  }),
);
const PLACE = '/behavior/settings/procedures/';

interface ProcedureParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
  /** Runs a procedure before it is saved. */
  readonly preview: Preview;
}

/** The pages of the procedures that an owner teaches an address. */
export function procedureRoutes(context: Context, parts: ProcedureParts): readonly Route[] {
  const { registry, behaviors, mailDomain, preview } = parts;

  /**
   * The existing mailbox that a path names. AppError `mailbox_not_found`, `mailbox_gone`, `not_found` for one without
   * procedures.
   */
  async function mailboxOf(call: SignedCall, signed: Signed): Promise<Mailbox> {
    const mailbox = await managedMailbox(call, signed, parts);
    if (hasPage(mailbox.behavior, 'procedures')) return mailbox;
    throw new AppError('not_found', `${shortOf(mailbox)} does not run tasks, so it has no procedures.`);
  }

  const behaviorOf = (mailbox: Mailbox) => behaviors.find(({ name }) => name === mailbox.behavior);

  function showAll(mailbox: Mailbox, signed: Signed, done: string | undefined): Promise<Answer> {
    const procedureTasks = knownTasks(behaviorOf(mailbox), mailbox.settings).filter(
      ({ procedure }) => procedure !== undefined,
    );
    const main = html`${heading(title(mailbox, mailDomain), done)}
<p class="row state"><a class="button ink" href="?edit=">Teach it a procedure</a><a class="button quiet" href="../../${addressPath(mailbox)}">${icon('sliders')}Its settings</a></p>
${procedureTasks.length === 0 && emptyState({ behavior: mailbox.behavior, fact: 'No procedures yet', rest: 'A procedure is a task of your own: several tasks in a row, or a script, with a name. People run it by that name.' })}
<ul class="lines taught-list">${procedureTasks.map(({ name, description, effects, procedure }) => html`<li><span class="name-cell"><span><b>${name}</b> ${effectTag(effects)}<br><span class="meta" dir="auto">${description}</span><br><span class="meta">${inside(procedure)}</span></span></span><a class="button" href="?edit=${encodeURIComponent(name)}">Edit<span class="sr"> ${name}</span></a></li>`)}</ul>`;
    return context.answer(200, page(mailbox, 'Procedures', main), signed);
  }

  interface Shown {
    readonly errors?: readonly FieldError[];
    readonly tested?: Html | undefined;
  }

  function showOne(status: number, typed: TypedProcedure, mailbox: Mailbox, signed: Signed, more: Shown = {}) {
    const { errors = [], tested } = more;
    const form = procedureForm({
      typed,
      tasks: knownTasks(behaviorOf(mailbox), {}),
      errors,
      action: '',
      back: `../../${proceduresPath(mailbox)}`,
      token: tokenField(signed),
      tested,
    });
    const called = typed.was === '' ? 'New procedure' : typed.was;
    const main = html`${heading(called, undefined)}<p class="meta taught">Of ${addressMark(mailbox, mailDomain)}</p>
${form}
${typed.was !== '' && removal(typed.was, signed)}`;
    return context.answer(status, page(mailbox, `${errors.length > 0 ? 'Error: ' : ''}${called}`, main), signed);
  }

  /** Saves the new settings, or shows what is wrong with them. */
  async function save(typed: TypedProcedure, mailbox: Mailbox, signed: Signed): Promise<Answer> {
    const { procedure, errors } = procedureOf(typed);
    if (errors.length > 0) return showOne(422, typed, mailbox, signed, { errors });
    const { settings, at: index } = withProcedure(mailbox.settings as TaskSettings, typed.was, procedure);
    try {
      await change(mailbox, settings, signed);
      return seeOther(`../../${proceduresPath(mailbox)}?done=saved`);
    } catch (error) {
      return showOne(errorStatus(error), typed, mailbox, signed, { errors: placed(errorsOf(error), index) });
    }
  }

  const change = (mailbox: Mailbox, settings: TaskSettings, { caller }: Signed) =>
    registry.changeMailbox(caller, `${shortOf(mailbox)}.${mailDomain}`, {
      behavior: { name: mailbox.behavior, settings: { ...settings } },
    });

  async function test(typed: TypedProcedure, mailbox: Mailbox, signed: Signed, gone: AbortSignal): Promise<Answer> {
    const { procedure, errors } = procedureOf(typed);
    if (errors.length > 0) return showOne(422, typed, mailbox, signed, { errors });
    const { settings, at: index } = withProcedure(mailbox.settings as TaskSettings, typed.was, procedure);
    try {
      const of = { typed, procedure, settings, mailbox, behavior: behaviorOf(mailbox), preview, gone };
      return await showOne(200, typed, mailbox, signed, { tested: await testProcedure(of) });
    } catch (error) {
      return showOne(errorStatus(error), typed, mailbox, signed, { errors: placed(errorsOf(error), index) });
    }
  }

  return [
    signedPage('/console/procedures/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const { edit, done } = call.query;
      if (typeof edit !== 'string') return showAll(mailbox, signed, DONE.get(String(done)));
      const { procedures = [] } = mailbox.settings as TaskSettings;
      const found = procedures.find(({ name }) => name === edit);
      return showOne(200, found === undefined ? blankProcedure : typedFrom(found), mailbox, signed);
    }),
    signedForm('/console/procedures/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const { form } = call;
      const typed = readProcedure(form);
      if (form.has('add') || form.has('remove')) return showOne(200, typed, mailbox, signed);
      switch (form.get('do')) {
        case 'remove':
          await change(mailbox, withoutProcedure(mailbox.settings as TaskSettings, typed.was), signed);
          return seeOther(`../../${proceduresPath(mailbox)}?done=removed`);
        case 'save':
          return save(typed, mailbox, signed);
        default:
          return test(typed, mailbox, signed, call.gone());
      }
    }),
  ];
}

const title = (mailbox: Mailbox, mailDomain: string): Html =>
  html`${stamp(mailbox.behavior)} Procedures of ${addressMark(mailbox, mailDomain)}`;

const page = (mailbox: Mailbox, title: string, main: Html) =>
  ({
    title: `${title} · ${shortOf(mailbox)}`,
    root: '../../',
    tab: undefined,
    address: mailbox.local_part,
    styles: ['forms.css'],
    main,
  }) as const;

const inside = (procedure: ProcedureSettings | undefined): string =>
  procedure?.script === undefined ? (procedure?.steps ?? []).map(({ task }) => task).join(', then ') : 'A script';

const removal = (name: string, signed: Signed): Html =>
  html`<section class="block" aria-labelledby="remove"><h2 id="remove">Remove it</h2><form method="post" action="">${tokenField(signed)}<input type="hidden" name="was" value="${name}"><p class="meta">Messages that say “${name}” are then answered with a question.</p><div class="row"><button class="button danger" name="do" value="remove">Remove ${name}</button></div></form></section>`;

/** Errors with pointers into this procedure; errors elsewhere are shown at the top of its form. */
const placed = (errors: readonly FieldError[], at: number): readonly FieldError[] =>
  errors.map(({ pointer, message }) => {
    const own = `${PLACE}${at}`;
    return { pointer: `${pointer}/`.startsWith(`${own}/`) ? pointer.slice(own.length) : '', message };
  });

/** The settings with this procedure in place of the one called `was`, or appended; and its index. */
function withProcedure(settings: TaskSettings, was: string, procedure: ProcedureSettings) {
  const stored = settings.procedures ?? [];
  const found = was === '' ? -1 : stored.findIndex(({ name }) => name === was);
  const index = found < 0 ? stored.length : found;
  const procedures = [...stored.slice(0, index), procedure, ...stored.slice(index + 1)];
  const renamed = found < 0 ? settings : named(settings, (name) => (name === was ? procedure.name : name));
  return { settings: { ...renamed, procedures }, at: index };
}

function withoutProcedure(settings: TaskSettings, was: string): TaskSettings {
  const procedures = (settings.procedures ?? []).filter(({ name }) => name !== was);
  return { ...named(settings, (name) => (name === was ? undefined : name)), procedures };
}

/** Renames or removes a procedure in the rights and approvals, which refer to tasks by name. */
function named(settings: TaskSettings, as: (name: string) => string | undefined): TaskSettings {
  const { rights, approval } = settings;
  const all = (names: readonly string[]) => [...new Set(names.map(as))].filter((name) => name !== undefined);
  const parties = Object.entries(rights ?? {}).map(([party, names]) => [party, all(names)]);
  return {
    ...settings,
    ...(rights === undefined ? {} : { rights: Object.fromEntries(parties) as TaskSettings['rights'] & object }),
    ...(approval === undefined ? {} : { approval: all(approval) }),
  };
}
