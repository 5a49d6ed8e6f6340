import type { ConsolePage } from '@mailroom/behavior/looks';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { hasPage } from '../looks.ts';
import { fullOf, shortOf } from '../pieces.ts';
import type { Context } from './context.ts';
import { mailboxPath } from './shell.ts';
import { type Signed, type SignedCall, signedForm, signedPage } from './sign-in-form.ts';

interface Parts {
  readonly registry: Registry;
  readonly mailDomain: string;
}

/** A page `/console/NAME/{local}` of an address: what both of its routes need. */
export interface MailboxPage {
  readonly mailbox: Mailbox;
  readonly mailDomain: string;
  readonly signed: Signed;
  /** The whole address. */
  readonly address: string;
  /** The page itself, as it links to itself. */
  readonly here: string;
  /** Where there are errors, the title says so. */
  show(status: number, title: string, main: Html, errors?: readonly FieldError[]): Promise<Answer>;
  /** Replaces the settings of its behavior. */
  changeSettings(settings: object): Promise<unknown>;
}

type Handle = (call: SignedCall, page: MailboxPage) => Promise<Answer>;

interface Handling {
  readonly name: string;
  /** Why an address whose behavior has no such page has none: `ADDRESS REASON.` */
  readonly otherwise?: string;
  readonly styles?: readonly string[];
  readonly get: Handle;
  readonly post: Handle;
}

/** The existing mailbox that a path names, for its owner. AppError `mailbox_not_found`, `mailbox_gone`. */
export function managedMailbox({ params }: SignedCall, { session, caller }: Signed, parts: Parts): Promise<Mailbox> {
  const [local = ''] = (params.local ?? '').split('@');
  return parts.registry.mailboxFor(caller, `${local}@${session.namespace.name}.${parts.mailDomain}`, 'mailboxes:write');
}

/** The routes of a page of an address. AppError also `not_found` for an address that has no such page. */
export function mailboxPages(context: Context, parts: Parts, handling: Handling): readonly Route[] {
  const { name, otherwise, styles = [], get, post } = handling;
  const { registry, mailDomain } = parts;

  const pageFor = async (call: SignedCall, signed: Signed): Promise<MailboxPage> => {
    const mailbox = await managedMailbox(call, signed, parts);
    if (otherwise !== undefined && !hasPage(mailbox.behavior, name as ConsolePage))
      throw new AppError('not_found', `${shortOf(mailbox)} ${otherwise}`);
    const address = fullOf(mailbox, mailDomain);
    return {
      ...{ mailbox, mailDomain, signed, address, here: `../../${mailboxPath(name, mailbox)}` },
      show(status, title, main, errors = []) {
        const whole = `${errors.length > 0 ? 'Error: ' : ''}${title} · ${shortOf(mailbox)}`;
        const of = { root: '../../', tab: undefined, address: mailbox.local_part } as const;
        return context.answer(status, { ...of, title: whole, styles: ['forms.css', ...styles], main }, signed);
      },
      changeSettings: (settings) =>
        registry.changeMailbox(signed.caller, address, {
          behavior: { name: mailbox.behavior, settings: { ...settings } },
        }),
    };
  };

  return [
    signedPage(`/console/${name}/{local}`, context, async (call, signed) => get(call, await pageFor(call, signed))),
    signedForm(`/console/${name}/{local}`, context, async (call, signed) => post(call, await pageFor(call, signed))),
  ];
}
