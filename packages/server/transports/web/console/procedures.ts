import type { Behavior } from '@mailroom/behavior';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Preview } from '../../../core/runs/preview.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { addressMark, icon, stamp } from '../pieces.ts';
import { effectTag, knownTasks, type ProcedureSettings, type TaskSettings } from '../tasks.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorStatus, errorsOf, placed } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { procedureForm } from './procedure-form.ts';
import { testProcedure } from './procedure-test.ts';
import { blankProcedure, procedureOf, readProcedure, type TypedProcedure, typedFrom } from './procedure-typed.ts';
import { addressPath, doneTexts, heading } from './shell.ts';
import { type Signed, seeOther, tokenField } from './sign-in-form.ts';

const doneText = doneTexts({
  saved: 'Saved. It can be used from now on.',
  removed: 'Removed. Its name can no longer be used.',
});
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
  const { behaviors, preview } = parts;

  const behaviorOf = (mailbox: Mailbox) => behaviors.find(({ name }) => name === mailbox.behavior);

  function showAll(page: MailboxPage, done: string | undefined): Promise<Answer> {
    const { mailbox, mailDomain } = page;
    const procedureTasks = knownTasks(behaviorOf(mailbox), mailbox.settings).filter(
      ({ procedure }) => procedure !== undefined,
    );
    const main = html`${heading(html`${stamp(mailbox.behavior)} Procedures of ${addressMark(mailbox, mailDomain)}`, done)}
<p class="row state"><a class="button ink" href="?edit=">Teach it a procedure</a><a class="button quiet" href="../../${addressPath(mailbox)}">${icon('sliders')}Its settings</a></p>
${procedureTasks.length === 0 && emptyState({ behavior: mailbox.behavior, fact: 'No procedures yet', rest: 'A procedure is a task of your own: several tasks in a row, or a script, with a name. People run it by that name.' })}
<ul class="lines taught-list">${procedureTasks.map(({ name, description, effects, procedure }) => html`<li><span class="name-cell"><span><b>${name}</b> ${effectTag(effects)}<br><span class="meta" dir="auto">${description}</span><br><span class="meta">${inside(procedure)}</span></span></span><a class="button" href="?edit=${encodeURIComponent(name)}">Edit<span class="sr"> ${name}</span></a></li>`)}</ul>`;
    return page.show(200, 'Procedures', main);
  }

  function showOne(
    status: number,
    typed: TypedProcedure,
    page: MailboxPage,
    errors: readonly FieldError[] = [],
    tested?: Html,
  ): Promise<Answer> {
    const { mailbox, mailDomain, signed, here: back } = page;
    const form = procedureForm({
      typed,
      tasks: knownTasks(behaviorOf(mailbox), {}),
      errors,
      action: '',
      back,
      token: tokenField(signed),
      tested,
    });
    const called = typed.was === '' ? 'New procedure' : typed.was;
    const main = html`${heading(called, undefined)}<p class="meta taught">Of ${addressMark(mailbox, mailDomain)}</p>
${form}
${typed.was !== '' && removal(typed.was, signed)}`;
    return page.show(status, called, main, errors);
  }

  /** Uses the settings with what was typed, or shows what is wrong with them. */
  async function withTyped(
    typed: TypedProcedure,
    page: MailboxPage,
    use: (settings: TaskSettings, procedure: ProcedureSettings) => Promise<Answer>,
  ): Promise<Answer> {
    const { procedure, errors } = procedureOf(typed);
    if (errors.length > 0) return showOne(422, typed, page, errors);
    const { settings, at: index } = withProcedure(page.mailbox.settings as TaskSettings, typed.was, procedure);
    try {
      return await use(settings, procedure);
    } catch (error) {
      return showOne(errorStatus(error), typed, page, placed(errorsOf(error), `${PLACE}${index}`));
    }
  }

  const save = (typed: TypedProcedure, page: MailboxPage) =>
    withTyped(typed, page, async (settings) => {
      await page.changeSettings(settings);
      return seeOther(`${page.here}?done=saved`);
    });

  const test = (typed: TypedProcedure, page: MailboxPage, gone: AbortSignal) =>
    withTyped(typed, page, async (settings, procedure) => {
      const { mailbox } = page;
      const of = { typed, procedure, settings, mailbox, behavior: behaviorOf(mailbox), preview, gone };
      return showOne(200, typed, page, [], await testProcedure(of));
    });

  return mailboxPages(context, parts, {
    name: 'procedures',
    otherwise: 'does not run tasks, so it has no procedures.',
    async get(call, page) {
      const { edit, done } = call.query;
      if (typeof edit !== 'string') return showAll(page, doneText(done));
      const { procedures = [] } = page.mailbox.settings as TaskSettings;
      const found = procedures.find(({ name }) => name === edit);
      return showOne(200, found === undefined ? blankProcedure : typedFrom(found), page);
    },
    async post({ form, gone }, page) {
      const typed = readProcedure(form);
      if (form.has('add') || form.has('remove')) return showOne(200, typed, page);
      switch (form.get('do')) {
        case 'remove':
          await page.changeSettings(withoutProcedure(page.mailbox.settings as TaskSettings, typed.was));
          return seeOther(`${page.here}?done=removed`);
        case 'save':
          return save(typed, page);
        default:
          return test(typed, page, gone());
      }
    },
  });
}

const inside = (procedure: ProcedureSettings | undefined): string =>
  procedure?.script === undefined ? (procedure?.steps ?? []).map(({ task }) => task).join(', then ') : 'A script';

const removal = (name: string, signed: Signed): Html =>
  html`<section class="block" aria-labelledby="remove"><h2 id="remove">Remove it</h2><form method="post" action="">${tokenField(signed)}<input type="hidden" name="was" value="${name}"><p class="meta">Messages that say “${name}” are then answered with a question.</p><div class="row"><button class="button danger" name="do" value="remove">Remove ${name}</button></div></form></section>`;

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
