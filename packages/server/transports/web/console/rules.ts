import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Registry } from '../../../core/access/registry.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { NewRule, RulesView } from '../../../core/entities/rules.ts';
import type { Html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { fullOf, shortOf } from '../pieces.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import type { TypedRule } from './rule-typed.ts';
import { blankRule, givenRules, readRule, ruleOf, typedOf } from './rule-typed.ts';
import { editMain, listMain, triedPart } from './rules-page.ts';
import { rulesPath } from './shell.ts';
import type { Signed } from './sign-in-form.ts';
import { seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved. It applies to messages that arrive from now on.',
    asked: 'Saved. The address was asked by mail, and gets nothing before it has confirmed.',
    moved: 'Moved.',
    removed: 'Removed.',
  }),
);

const CHANGED: FieldError = {
  pointer: '',
  message:
    'The rules were changed in another window or by another owner meanwhile, so nothing was saved. Look at them, then save again.',
};

/** The rules of a mailbox as they are written, with those that the page shows, and a mark that changes with them. */
interface Rules {
  readonly shown: RulesView;
  readonly given: readonly NewRule[];
  readonly version: string;
}

/** The pages of the rules of an address: its list, and the form of one. */
export function rulePages(
  context: Context,
  parts: {
    readonly registry: Registry;
    readonly conversationDesk: Pick<ConversationDesk, 'assignable'>;
    readonly clock: Clock;
    readonly mailDomain: string;
  },
): readonly Route[] {
  const { clock, mailDomain } = parts;
  const paramsOf = (mailbox: Mailbox) => ({ address: fullOf(mailbox, mailDomain) });

  async function rulesOf(mailbox: Mailbox, signed: Signed): Promise<Rules> {
    const { rules: shown = [] } = await signed.api.json('getMailbox', { params: paramsOf(mailbox) });
    const given = givenRules(shown);
    return { shown, given, version: sha256(JSON.stringify(given)) };
  }

  const change = (mailbox: Mailbox, rules: readonly NewRule[], { api }: Signed) =>
    api.json('updateMailbox', { params: paramsOf(mailbox), body: { rules } });

  const show = (status: number, title: string, main: Html, mailbox: Mailbox, signed: Signed): Promise<Answer> => {
    const of = { root: '../../', tab: undefined, address: mailbox.local_part, styles: ['forms.css'] } as const;
    return context.answer(status, { ...of, title: `${title} · ${shortOf(mailbox)}`, main }, signed);
  };

  interface Shown {
    readonly status?: number;
    readonly errors?: readonly FieldError[];
    readonly tried?: Html;
  }

  async function showOne(typed: TypedRule, mailbox: Mailbox, signed: Signed, version: string, more: Shown = {}) {
    const { status = 200, errors = [], tried } = more;
    const title = typed.was === '' ? 'New rule' : typed.was;
    const members = await parts.conversationDesk.assignable(mailbox);
    const main = editMain({ typed, errors, title, tried, mailbox, mailDomain, signed, version, members });
    return show(status, `${errors.length > 0 ? 'Error: ' : ''}${title}`, main, mailbox, signed);
  }

  /** The rules with one that was typed, and where it is. */
  function withTyped(typed: TypedRule, { given }: Rules): { readonly rules: readonly NewRule[]; readonly at: number } {
    const found = given.findIndex(({ id }) => id === typed.was);
    const at = found < 0 ? given.length : found;
    return { rules: [...given.slice(0, at), ruleOf(typed), ...given.slice(at + 1)], at };
  }

  async function act(typed: TypedRule, mailbox: Mailbox, signed: Signed, form: URLSearchParams): Promise<Answer> {
    const current = await rulesOf(mailbox, signed);
    const saving = form.get('do') === 'save';
    if (saving && form.get('version') !== current.version)
      return showOne(typed, mailbox, signed, current.version, { status: 409, errors: [CHANGED] });
    const { rules, at } = withTyped(typed, current);
    try {
      if (!saving) {
        const trial = await signed.api.json('tryRules', { params: paramsOf(mailbox), body: { rules } });
        return await showOne(typed, mailbox, signed, current.version, { tried: triedPart(trial, typed.id, clock()) });
      }
      const { rules: saved = [] } = await change(mailbox, rules, signed);
      const waits = saved.find(({ id }) => id === typed.id)?.forward_confirmed === false;
      return seeOther(`../../${rulesPath(mailbox)}?done=${waits ? 'asked' : 'saved'}`);
    } catch (error) {
      const errors = placed(errorsOf(error, { rate_limited: '' }), at);
      return showOne(typed, mailbox, signed, current.version, { status: errorStatus(error), errors });
    }
  }

  /** The rules after a button of the list. AppError `validation_error` for a list that was changed meanwhile. */
  function pressed(form: URLSearchParams, { given, version }: Rules): readonly NewRule[] {
    if (form.get('version') !== version) throw new AppError('validation_error', CHANGED.message);
    const position = given.findIndex(({ id }) => id === form.get('of'));
    const rest = given.filter((_, index) => index !== position);
    const one = given[position];
    if (one === undefined || form.get('do') === 'remove') return rest;
    return rest.toSpliced(form.get('do') === 'up' ? Math.max(position - 1, 0) : position + 1, 0, one);
  }

  return [
    signedPage('/console/rules/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const { shown: rules, version } = await rulesOf(mailbox, signed);
      const { edit, done } = call.query;
      if (typeof edit === 'string') {
        const found = rules.find(({ id }) => id === edit);
        return showOne(found === undefined ? blankRule : typedOf(found), mailbox, signed, version);
      }
      const main = listMain({ rules, done: DONE.get(String(done)), mailbox, mailDomain, signed, version });
      return show(200, 'Rules', main, mailbox, signed);
    }),
    signedForm('/console/rules/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const what = call.form.get('do') ?? '';
      if (!['up', 'down', 'remove'].includes(what)) return act(readRule(call.form), mailbox, signed, call.form);
      await change(mailbox, pressed(call.form, await rulesOf(mailbox, signed)), signed);
      return seeOther(`../../${rulesPath(mailbox)}?done=${what === 'remove' ? 'removed' : 'moved'}`);
    }),
  ];
}

/** Errors with their pointers into the rule at this place, those of list entries at the list; of others at the top. */
function placed(errors: readonly FieldError[], at: number): readonly FieldError[] {
  const own = `/rules/${at}`;
  return errors.map(({ pointer, message }) => {
    if (pointer !== own && !pointer.startsWith(`${own}/`)) return { pointer: '', message };
    const [, place = ''] = /^(\/[a-z]+(?:\/[a-z_]+)?)/.exec(pointer.slice(own.length)) ?? [];
    return { pointer: place, message };
  });
}
