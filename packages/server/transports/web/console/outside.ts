import type { Behavior } from '@mailroom/behavior';
import type { OutsideView } from '@mailroom/behavior/outside';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { OutsideSettings, TaskSettings } from '../tasks.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf, placed } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import {
  blankOutside,
  editMain,
  listMain,
  readOutside,
  settingsFrom,
  type TypedOutside,
  typedOf,
} from './outside-page.ts';
import { doneTexts } from './shell.ts';
import { seeOther } from './sign-in-form.ts';

const doneText = doneTexts({
  saved: 'Saved. It can be used from now on.',
  accepted: 'Accepted. You are warned when these tools change.',
  removed: 'Removed.',
  checked: 'Connected again. This is what they offer now.',
});
const PLACE = '/behavior/settings/outside/';

interface OutsideParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
}

/** The page of the servers and agents of others that an address may use. */
export function outsidePages(context: Context, parts: OutsideParts): readonly Route[] {
  const { behaviors } = parts;

  const listed = ({ settings }: Mailbox): readonly OutsideSettings[] => (settings as TaskSettings).outside ?? [];

  async function views(mailbox: Mailbox, signal: AbortSignal, fresh = false): Promise<readonly OutsideView[]> {
    const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
    return (await behavior?.outside?.(mailbox.settings, mailbox, { fresh, signal })) ?? [];
  }

  function showOne(
    status: number,
    typed: TypedOutside,
    page: MailboxPage,
    errors: readonly FieldError[] = [],
  ): Promise<Answer> {
    const title = typed.was === '' ? 'New server or agent' : typed.was;
    return page.show(status, title, editMain(page, typed, errors, title), errors);
  }

  async function change(page: MailboxPage, outside: readonly OutsideSettings[], done: string): Promise<Answer> {
    const { outside: _, ...rest } = page.mailbox.settings;
    await page.changeSettings({ ...rest, ...(outside.length > 0 && { outside }) });
    return seeOther(`${page.here}?done=${done}`);
  }

  async function save(typed: TypedOutside, page: MailboxPage): Promise<Answer> {
    const remotes = listed(page.mailbox);
    const found = remotes.findIndex(({ name }) => name === typed.was);
    const index = found < 0 ? remotes.length : found;
    const one = settingsFrom(typed, remotes[found]);
    try {
      return await change(page, [...remotes.slice(0, index), one, ...remotes.slice(index + 1)], 'saved');
    } catch (error) {
      return showOne(errorStatus(error), typed, page, placed(errorsOf(error), `${PLACE}${index}`));
    }
  }

  return mailboxPages(context, parts, {
    name: 'outside',
    otherwise: 'does not use tools of others.',
    async get(call, page) {
      const { edit, done } = call.query;
      if (typeof edit === 'string') {
        const found = listed(page.mailbox).find(({ name }) => name === edit);
        return showOne(200, found === undefined ? blankOutside : typedOf(found), page);
      }
      const items = await views(page.mailbox, call.gone());
      return page.show(200, 'Tools of others', listMain(page, items, doneText(done)));
    },
    async post(call, page) {
      const remotes = listed(page.mailbox);
      const named = call.form.get('of') ?? '';
      switch (call.form.get('do')) {
        case 'check':
          await views(page.mailbox, call.gone(), true);
          return seeOther(`${page.here}?done=checked`);
        case 'remove': {
          const rest = remotes.filter(({ name }) => name !== named);
          return change(page, rest, 'removed');
        }
        case 'accept': {
          const accepted = call.form.get('tools_sha256') ?? '';
          const all = remotes.map((one) => (one.name === named ? { ...one, accepted } : one));
          return change(page, all, 'accepted');
        }
        default:
          return save(readOutside(call.form), page);
      }
    },
  });
}
