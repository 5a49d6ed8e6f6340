import type { Behavior, Sensitive } from '@mailroom/behavior';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { MailboxFields } from '../ports/mailboxes.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { type Caller, requireDisclosing } from './caller.ts';

/** What of these settings of a behavior takes more than the right to change them. */
export const sensitiveOf = (behavior: Behavior | undefined, settings: unknown): Sensitive | undefined =>
  behavior?.sensitive?.(settings as never);

/**
 * By which key messages leave, or others act, by these settings: the caller's. AppError `access_denied`,
 * `insufficient_scope` unless it may set them so, or all of it is so already, as `oldSettings` says.
 */
export function settingsKey(
  caller: Caller,
  after: Sensitive | undefined,
  oldSettings?: { readonly sensitive: Sensitive | undefined; readonly mailbox: Pick<Mailbox, 'webhook'> },
): Pick<MailboxFields, 'settings_key_id' | 'limited_since'> {
  if (after === undefined) return { settings_key_id: null, limited_since: null };
  try {
    requireDisclosing(caller, after.what, after.scope);
  } catch (error) {
    const part = oldSettings?.sensitive?.part;
    const same = part !== undefined && canonicalJson(part) === canonicalJson(after.part);
    // A webhook that is off would be on again.
    if (same && oldSettings?.mailbox.webhook !== 'off') return {};
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    throw new AppError(code, message, { errors: [{ pointer: `/behavior/settings/${after.what}`, message }] });
  }
  return caller.kind === 'key' ? { settings_key_id: caller.key.id, limited_since: null } : {};
}
