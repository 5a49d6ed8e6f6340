import type { Behavior } from '@mailroom/behavior';
import type { OutsideView } from '@mailroom/behavior/outside';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { hasPage } from '../looks.ts';
import { shortOf } from '../pieces.ts';
import type { OutsideSettings, TaskSettings } from '../tasks.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import type { TypedOutside } from './outside-page.ts';
import { blankOutside, editMain, listMain, readOutside, settingsFrom, typedOf } from './outside-page.ts';
import { outsidePath } from './shell.ts';
import type { Signed, SignedCall } from './sign-in-form.ts';
import { seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved. It can be used from now on.',
    accepted: 'Accepted. You are warned when these tools change.',
    removed: 'Removed.',
    checked: 'Connected again. This is what they offer now.',
  }),
);
const PLACE = '/behavior/settings/outside/';

interface OutsideParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
}

/** The page of the servers and agents of others that an address may use. */
export function outsidePages(context: Context, parts: OutsideParts): readonly Route[] {
  const { registry, behaviors, mailDomain } = parts;

  /** AppError `mailbox_not_found`, `mailbox_gone`, `not_found` for an address whose behavior uses none. */
  async function mailboxOf(call: SignedCall, signed: Signed): Promise<Mailbox> {
    const mailbox = await managedMailbox(call, signed, parts);
    if (hasPage(mailbox.behavior, 'outside')) return mailbox;
    throw new AppError('not_found', `${shortOf(mailbox)} does not use tools of others.`);
  }

  const listed = ({ settings }: Mailbox): readonly OutsideSettings[] => (settings as TaskSettings).outside ?? [];

  async function views(mailbox: Mailbox, signal: AbortSignal, fresh = false): Promise<readonly OutsideView[]> {
    const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
    return (await behavior?.outside?.(mailbox.settings, mailbox, { fresh, signal })) ?? [];
  }

  const show = (status: number, title: string, main: Html, mailbox: Mailbox, signed: Signed): Promise<Answer> => {
    const of = { root: '../../', tab: undefined, address: mailbox.local_part, styles: ['forms.css'] } as const;
    return context.answer(status, { ...of, title: `${title} · ${shortOf(mailbox)}`, main }, signed);
  };

  function showOne(
    status: number,
    typed: TypedOutside,
    mailbox: Mailbox,
    signed: Signed,
    errors: readonly FieldError[] = [],
  ): Promise<Answer> {
    const title = typed.was === '' ? 'New server or agent' : typed.was;
    const main = editMain({ typed, errors, title, mailbox, mailDomain, signed });
    return show(status, `${errors.length > 0 ? 'Error: ' : ''}${title}`, main, mailbox, signed);
  }

  async function change(outside: readonly OutsideSettings[], mailbox: Mailbox, { caller }: Signed): Promise<void> {
    const { outside: _, ...rest } = mailbox.settings;
    const settings = { ...rest, ...(outside.length > 0 && { outside }) };
    const behavior = { name: mailbox.behavior, settings };
    await registry.changeMailbox(caller, `${shortOf(mailbox)}.${mailDomain}`, { behavior });
  }

  async function save(typed: TypedOutside, mailbox: Mailbox, signed: Signed): Promise<Answer> {
    const remotes = listed(mailbox);
    const found = remotes.findIndex(({ name }) => name === typed.was);
    const index = found < 0 ? remotes.length : found;
    const one = settingsFrom(typed, remotes[found]);
    try {
      await change([...remotes.slice(0, index), one, ...remotes.slice(index + 1)], mailbox, signed);
      return seeOther(`../../${outsidePath(mailbox)}?done=saved`);
    } catch (error) {
      const errors = errorsOf(error).map(({ pointer, message }) => {
        const own = pointer.startsWith(`${PLACE}${index}/`) || pointer === `${PLACE}${index}`;
        return { pointer: own ? pointer.slice(`${PLACE}${index}`.length) : '', message };
      });
      return showOne(errorStatus(error), typed, mailbox, signed, errors);
    }
  }

  return [
    signedPage('/console/outside/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const { edit, done } = call.query;
      if (typeof edit === 'string') {
        const found = listed(mailbox).find(({ name }) => name === edit);
        return showOne(200, found === undefined ? blankOutside : typedOf(found), mailbox, signed);
      }
      const items = await views(mailbox, call.gone());
      const main = listMain({ items, done: DONE.get(String(done)), mailbox, mailDomain, signed });
      return show(200, 'Tools of others', main, mailbox, signed);
    }),
    signedForm('/console/outside/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const here = `../../${outsidePath(mailbox)}`;
      const name = call.form.get('of') ?? '';
      switch (call.form.get('do')) {
        case 'check':
          await views(mailbox, call.gone(), true);
          return seeOther(`${here}?done=checked`);
        case 'remove':
          await change(
            listed(mailbox).filter((one) => one.name !== name),
            mailbox,
            signed,
          );
          return seeOther(`${here}?done=removed`);
        case 'accept': {
          const accepted = call.form.get('tools_sha256') ?? '';
          await change(
            listed(mailbox).map((one) => (one.name === name ? { ...one, accepted } : one)),
            mailbox,
            signed,
          );
          return seeOther(`${here}?done=accepted`);
        }
        default:
          return save(readOutside(call.form), mailbox, signed);
      }
    }),
  ];
}
