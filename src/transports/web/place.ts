import { isNamespaceName, lowerCase, parseAddress } from '../../core/address.ts';
import type { Caller } from '../../core/caller.ts';
import { AppError } from '../../core/error.ts';
import type { Mailbox } from '../../core/mailbox.ts';
import type { Namespace } from '../../core/namespace.ts';
import type { Parts } from '../../http/parts.ts';

/** What the first part of a path names. */
export type Place =
  | { readonly kind: 'mailbox'; readonly mailbox: Mailbox; readonly markdown: boolean }
  | { readonly kind: 'namespace'; readonly namespace: Namespace; readonly markdown: boolean }
  /** An address or name in another spelling than its page's. */
  | { readonly kind: 'elsewhere'; readonly path: string };

/**
 * The mailbox or namespace of a page, for whoever reads it; `.md` behind it asks for Markdown. AppError `not_found`,
 * `mailbox_not_found`, `mailbox_gone`, `namespace_not_found`, `namespace_gone`.
 */
export const findPlace = (name: string, caller: Caller, parts: Parts): Promise<Place> =>
  name.includes('@') ? findMailbox(name, caller, parts) : findNamespace(name, parts);

async function findMailbox(name: string, caller: Caller, { registry, mailDomain }: Parts): Promise<Place> {
  const domain = `.${mailDomain}`;
  const lower = lowerCase(name);
  // A domain may itself end with .md.
  const markdown = lower.endsWith('.md') && !lower.endsWith(domain);
  const plain = markdown ? lower.slice(0, -3) : lower;
  const whole = plain.slice(plain.indexOf('@')).includes('.') ? plain : `${plain}${domain}`;
  if (parseAddress(whole, mailDomain) === undefined) {
    const what = `“${name.slice(0, 100)}” is no address here. One looks like hello@agents${domain}.`;
    throw new AppError('mailbox_not_found', what);
  }
  const mailbox = await registry.mailbox(caller, whole);
  const path = `${mailbox.local_part}@${mailbox.namespace}${domain}${markdown ? '.md' : ''}`;
  return path === name ? { kind: 'mailbox', mailbox, markdown } : { kind: 'elsewhere', path };
}

async function findNamespace(name: string, { registry }: Parts): Promise<Place> {
  const plain = name.replace(/\.md$/, '');
  const lower = lowerCase(plain);
  if (!isNamespaceName(lower)) throw new AppError('not_found', 'There is no page here. Check the spelling.');
  const namespace = await registry.namespace(lower);
  if (lower !== plain) return { kind: 'elsewhere', path: name.toLowerCase() };
  return { kind: 'namespace', namespace, markdown: plain !== name };
}
