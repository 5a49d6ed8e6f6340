import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import { lowerCase, parseAddress } from '../../core/values/address.ts';
import { AppError } from '../../core/values/error.ts';
import type { Parts } from '../../http/parts.ts';

/** As it stands in a path: what has an @ in it, and what may be a label of a domain. */
export const ADDRESS = '[^/]*@[^/]*|[^/]*%40[^/]*';
const NAMESPACE = '[A-Za-z0-9-]{2,63}|[A-Za-z0-9-]{2,63}\\.md';
/** Of a route whose path begins with either. */
export const PLACE = { names: `${ADDRESS}|${NAMESPACE}`, params: Type.Object({ name: Type.String() }) } as const;

/** What a page's path names. */
export interface PagePlace<T> {
  readonly found: T;
  /** The path of its page, from the root. */
  readonly path: string;
  /** The same, where it was asked for by another spelling. */
  readonly elsewhere: string | undefined;
  /** It was asked for with `.md` behind it. */
  readonly markdown: boolean;
}

const placeOf = <T>(found: T, name: string, path: string, markdown: boolean): PagePlace<T> => ({
  found,
  path,
  elsewhere: path === name ? undefined : path,
  markdown,
});

/**
 * The mailbox of a page, for whoever reads it; the domain may be left out. AppError `mailbox_not_found`, `mailbox_gone`,
 * `namespace_gone`.
 */
export async function findMailbox(
  name: string,
  caller: Caller,
  { registry, mailDomain }: Parts,
): Promise<PagePlace<Mailbox>> {
  const domain = `.${mailDomain}`;
  const lower = lowerCase(name);
  // A domain may itself end with .md.
  const markdown = lower.endsWith('.md') && !lower.endsWith(domain);
  const plain = markdown ? lower.slice(0, -3) : lower;
  const whole = plain.slice(plain.indexOf('@')).includes('.') ? plain : `${plain}${domain}`;
  const to = parseAddress(whole, mailDomain);
  if (to === undefined) {
    const what = `“${name.slice(0, 100)}” is no address here. One looks like hello@agents${domain}.`;
    throw new AppError('mailbox_not_found', what);
  }
  const mailbox = await registry.mailbox(caller, whole).catch(async (error: unknown) => {
    // Where there is no such namespace, nobody else is there to write to.
    await registry.namespace(to.namespace);
    throw error;
  });
  const path = `${mailbox.local_part}@${mailbox.namespace}${domain}${markdown ? '.md' : ''}`;
  return placeOf(mailbox, name, path, markdown);
}

/** The namespace of a page. AppError `namespace_not_found`, `namespace_gone`. */
export async function findNamespace(name: string, { registry }: Parts): Promise<PagePlace<Namespace>> {
  const markdown = name.endsWith('.md');
  const namespace = await registry.namespace(lowerCase(markdown ? name.slice(0, -3) : name));
  return placeOf(namespace, name, `${namespace.name}${markdown ? '.md' : ''}`, markdown);
}
