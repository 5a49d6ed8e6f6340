import { AppError } from '@mailroom/behavior/values/error';
import { hasScope, isBound, type Key, reaches, type Scope } from '../../../core/entities/key.ts';
import { FOR_ALL, PAGE_SCOPES } from './page-roles.ts';

/** Whether a page, as it is linked to from the root, is for the role of this key. */
export function opens(key: Pick<Key, 'scopes' | 'mailbox_id'>, link: string): boolean {
  if (link.includes('tab=sessions')) return true;
  const [path = ''] = link.split(/[?#]/);
  // It counts what all addresses did.
  if (path === 'console/activity' && isBound(key)) return false;
  const scope = path === 'console/settings' ? 'owner' : scopeOfPage(`/${path}`);
  return path === '' || scope === undefined || hasScope(key, scope);
}

/** Whether the role of this key makes new addresses. */
export const makesAddresses = (key: Key): boolean => opens(key, 'console/addresses/new') && !isBound(key);

/** Whether the role of this key sets up this mailbox, by its id. */
export const setsUp = (key: Key, mailboxId: string): boolean =>
  hasScope(key, 'mailboxes:write') && reaches(key, mailboxId);

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
