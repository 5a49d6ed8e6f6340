import { AppError } from '@mailroom/behavior/values/error';
import type { Key, Scope } from '../../../core/entities/key.ts';
import { hasScope } from '../../../core/entities/key.ts';

const READ = 'messages:read';
const CONFIGURE = 'mailboxes:write';
const SEND = 'mail:send';

/** Pages and forms that every member has; what they change, they change through the API, which decides. */
const FOR_ALL = 'any';

/**
 * The scope without which a page of the console, and a form with its path, is refused. The API decides again on all that
 * they call; a path that is missing here is for owners alone.
 */
export const PAGE_SCOPES: Readonly<Record<string, Scope | typeof FOR_ALL>> = {
  '/console': READ,
  '/console/live': READ,
  '/console/activity': READ,
  '/console/messages/{id}': READ,
  '/console/labels/{id}': READ,
  '/console/threads/{id}': READ,
  '/console/batch': READ,
  '/console/undo': READ,
  '/console/attachments/{id}': READ,
  '/console/html/{id}': READ,
  '/console/originals/{id}': READ,
  '/console/texts/{id}': READ,
  '/console/markdown': READ,
  '/console/senders/{id}': CONFIGURE,
  '/console/write': SEND,
  '/console/drafts': SEND,
  '/console/forward/{id}': SEND,
  '/console/answers/{id}': 'mail:answer',
  '/console/reviews': 'mail:review',
  '/console/reviews/{id}': 'mail:review',
  '/console/reviews/{id}/files/{sha256}': 'mail:review',
  '/console/addresses': READ,
  '/console/addresses/new': CONFIGURE,
  '/console/addresses/{local}': CONFIGURE,
  '/console/clients/{local}': CONFIGURE,
  '/console/outside/{local}': CONFIGURE,
  '/console/preview/{local}': CONFIGURE,
  '/console/procedures/{local}': CONFIGURE,
  '/console/rules/{local}': CONFIGURE,
  '/console/services/{local}': CONFIGURE,
  '/console/usage/{local}': CONFIGURE,
  '/console/webhooks': 'webhooks:write',
  '/console/webhooks/{id}': 'webhooks:write',
  '/console/keys': 'keys:write',
  '/console/settings': FOR_ALL,
  '/console/sign-out': FOR_ALL,
};

/** Whether a page, as it is linked to from the root, is for the role of this key. */
export function opens(key: Pick<Key, 'scopes'>, link: string): boolean {
  if (link.includes('tab=sessions')) return true;
  const [path = ''] = link.split(/[?#]/);
  const scope = path === 'console/settings' ? 'owner' : scopeOfPage(`/${path}`);
  return path === '' || scope === undefined || hasScope(key, scope);
}

/** Throws AppError `insufficient_scope` where a page or a form is not for the role of this key. */
export function requirePage(key: Pick<Key, 'scopes'>, path: string): void {
  const scope = scopeOfPage(path);
  if (scope === undefined || hasScope(key, scope)) return;
  throw new AppError('insufficient_scope', 'Your role here does not include this. An owner can change your role.');
}

/** The scope that a page or a form needs; undefined for none. */
function scopeOfPage(path: string): Scope | undefined {
  const scope = PAGE_SCOPES[path] ?? 'owner';
  return scope === FOR_ALL ? undefined : scope;
}
