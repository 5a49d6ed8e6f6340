import { lowerCase, parseAddress } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Answer } from '../../http/route.ts';

/** The pattern of an address in a path. */
export const ADDRESS = '[^/]*@[^/]*|[^/]*%40[^/]*';
/** The pattern of a namespace in a path, the same as of a domain label. */
const NAMESPACE = '[A-Za-z0-9-]{2,63}|[A-Za-z0-9-]{2,63}\\.md';
/** The parameters of a route whose path begins with either. */
export const PLACE = { names: `${ADDRESS}|${NAMESPACE}`, params: Type.Object({ name: Type.String() }) } as const;
/** The same for what only namespaces have. */
export const NAMESPACE_PLACE = { names: '[A-Za-z0-9-]{2,63}', params: PLACE.params } as const;

/** What a page's path refers to. */
export interface PagePlace<T> {
  readonly found: T;
  /** The canonical path of its page, from the root. */
  readonly path: string;
  /** The canonical path, if the request used another spelling. */
  readonly elsewhere: string | undefined;
  /** The path ended in `.md`. */
  readonly markdown: boolean;
}

/** What finding the mailbox or namespace of a page needs. */
export interface PlaceParts {
  readonly registry: Registry;
  readonly mailDomain: string;
}

/** Redirects to the canonical path of a page. */
export const moved = (location: string): Answer => ({ status: 308, headers: { location } });

const placeOf = <T>(found: T, name: string, path: string, markdown: boolean): PagePlace<T> => ({
  found,
  path,
  elsewhere: path === name ? undefined : path,
  markdown,
});

/**
 * The mailbox of a page, as far as the caller may see it; the domain may be left out. AppError `mailbox_not_found`,
 * `mailbox_gone`, `namespace_gone`.
 */
export async function findMailbox(
  name: string,
  caller: Caller,
  { registry, mailDomain }: PlaceParts,
): Promise<PagePlace<Mailbox>> {
  const domain = `.${mailDomain}`;
  const lower = lowerCase(name);
  // The mail domain may itself end in .md.
  const markdown = lower.endsWith('.md') && !lower.endsWith(domain);
  const plain = markdown ? lower.slice(0, -3) : lower;
  const whole = plain.slice(plain.indexOf('@')).includes('.') ? plain : `${plain}${domain}`;
  const own = whole.endsWith(domain);
  const to = own ? parseAddress(whole, mailDomain) : undefined;
  if (own && to === undefined) {
    const what = `“${name.slice(0, 100)}” is not an address of this service. An address looks like hello@agents${domain}.`;
    throw new AppError('mailbox_not_found', what);
  }
  const mailbox = await registry.mailbox(caller, whole).catch(async (error: unknown) => {
    // A missing namespace is reported first, since then none of its addresses exist.
    if (to !== undefined) await registry.namespace(to.namespace);
    throw error;
  });
  const path = `${mailbox.local_part}@${mailbox.namespace}${domain}${markdown ? '.md' : ''}`;
  return placeOf(mailbox, name, path, markdown);
}

/** The namespace of a page. AppError `namespace_not_found`, `namespace_gone`. */
export async function findNamespace(
  name: string,
  { registry }: Pick<PlaceParts, 'registry'>,
): Promise<PagePlace<Namespace>> {
  const markdown = name.endsWith('.md');
  const namespace = await registry.namespace(lowerCase(markdown ? name.slice(0, -3) : name));
  return placeOf(namespace, name, `${namespace.name}${markdown ? '.md' : ''}`, markdown);
}
