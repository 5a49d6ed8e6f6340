import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Registry } from '../../../core/access/registry.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import type { NewRule, RulesView } from '../../../core/entities/rules.ts';
import type { Html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf, placed } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { blankRule, givenRules, readRule, ruleOf, type TypedRule, typedOf } from './rule-typed.ts';
import { editMain, listMain, triedPart } from './rules-page.ts';
import { doneTexts } from './shell.ts';
import { seeOther } from './sign-in-form.ts';

const doneText = doneTexts({
  saved: 'Saved. It applies to messages that arrive from now on.',
  asked: 'Saved. The address was asked by mail, and gets nothing before it has confirmed.',
  moved: 'Moved.',
  removed: 'Removed.',
});

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

interface RuleParts {
  readonly registry: Registry;
  readonly conversationDesk: Pick<ConversationDesk, 'assignable'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the rules of an address: its list, and the form of one. */
export function rulePages(context: Context, parts: RuleParts): readonly Route[] {
  const { clock } = parts;

  async function rulesOf({ address, signed }: MailboxPage): Promise<Rules> {
    const { rules: shown = [] } = await signed.api.json('getMailbox', { params: { address } });
    const given = givenRules(shown);
    return { shown, given, version: sha256(JSON.stringify(given)) };
  }

  const change = ({ address, signed }: MailboxPage, rules: readonly NewRule[]) =>
    signed.api.json('updateMailbox', { params: { address }, body: { rules } });

  interface Shown {
    readonly status?: number;
    readonly errors?: readonly FieldError[];
    readonly tried?: Html;
  }

  async function showOne(typed: TypedRule, page: MailboxPage, version: string, more: Shown = {}): Promise<Answer> {
    const { status = 200, errors = [], tried } = more;
    const title = typed.was === '' ? 'New rule' : typed.was;
    const members = await parts.conversationDesk.assignable(page.mailbox);
    return page.show(status, title, editMain(page, { typed, errors, title, tried, version, members }), errors);
  }

  /** The rules with one that was typed, and where it is. */
  function withTyped(typed: TypedRule, { given }: Rules): { readonly rules: readonly NewRule[]; readonly at: number } {
    const found = given.findIndex(({ id }) => id === typed.was);
    const at = found < 0 ? given.length : found;
    return { rules: [...given.slice(0, at), ruleOf(typed), ...given.slice(at + 1)], at };
  }

  async function act(typed: TypedRule, page: MailboxPage, form: URLSearchParams): Promise<Answer> {
    const { address, signed, here } = page;
    const current = await rulesOf(page);
    const { version } = current;
    const saving = form.get('do') === 'save';
    if (saving && form.get('version') !== version)
      return showOne(typed, page, version, { status: 409, errors: [CHANGED] });
    const { rules, at } = withTyped(typed, current);
    try {
      if (!saving) {
        const trial = await signed.api.json('tryRules', { params: { address }, body: { rules } });
        return await showOne(typed, page, version, { tried: triedPart(trial, typed.id, clock()) });
      }
      const { rules: saved = [] } = await change(page, rules);
      const waits = saved.find(({ id }) => id === typed.id)?.forward_confirmed === false;
      return seeOther(`${here}?done=${waits ? 'asked' : 'saved'}`);
    } catch (error) {
      const errors = placed(errorsOf(error, { rate_limited: '' }), `/rules/${at}`).map(atList);
      return showOne(typed, page, version, { status: errorStatus(error), errors });
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

  return mailboxPages(context, parts, {
    name: 'rules',
    async get(call, page) {
      const { shown: rules, version } = await rulesOf(page);
      const { edit, done } = call.query;
      if (typeof edit === 'string') {
        const found = rules.find(({ id }) => id === edit);
        return showOne(found === undefined ? blankRule : typedOf(found), page, version);
      }
      return page.show(200, 'Rules', listMain(page, rules, doneText(done), version));
    },
    async post({ form }, page) {
      const what = form.get('do') ?? '';
      if (!['up', 'down', 'remove'].includes(what)) return act(readRule(form), page, form);
      await change(page, pressed(form, await rulesOf(page)));
      return seeOther(`${page.here}?done=${what === 'remove' ? 'removed' : 'moved'}`);
    },
  });
}

/** An error of an entry of a list at the list. */
const atList = ({ pointer, message }: FieldError): FieldError => {
  const [, place = ''] = /^(\/[a-z]+(?:\/[a-z_]+)?)/.exec(pointer) ?? [];
  return { pointer: place, message };
};
