import type { Clock } from '@mailroom/behavior/values/clock';
import { changedBudget } from '../entities/budget.ts';
import { checkAccess, type Mailbox, type MailboxChange } from '../entities/mailbox.ts';
import { changedOutgoing, UNRESTRICTED } from '../entities/outgoing.ts';
import { parseSenderLists } from '../entities/sender-lists.ts';
import { metadataOf } from '../entities/sending.ts';
import type { MailboxFields } from '../ports/mailboxes.ts';
import type { Store } from '../ports/store.ts';
import {
  type BehaviorSettings,
  checkBudget,
  onlineUntil,
  sizeOfSettings,
  storedSettings,
} from './behavior-settings.ts';
import type { Caller } from './caller.ts';
import { sizeOfMetadata, sizeOfOutgoing, sizeOfSenders } from './new-mailbox.ts';
import { type ForwardTargets, rulesOf, sizeOfRules } from './rule-settings.ts';
import { sensitiveOf, settingsKey } from './sensitive-settings.ts';

/** What checking a change of a mailbox works with. */
export interface ChangeParts {
  readonly store: Pick<Store, 'accounts' | 'keys' | 'mailboxes'>;
  readonly settings: BehaviorSettings;
  readonly targets: Pick<ForwardTargets, 'check'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/**
 * What a change of a mailbox writes, and the bytes that it adds. AppError `validation_error`, `body_too_large`, and for
 * what has messages leave `insufficient_scope`, `access_denied`.
 */
export async function changedFields(
  caller: Caller,
  mailbox: Mailbox,
  change: MailboxChange,
  parts: ChangeParts,
): Promise<{ readonly fields: MailboxFields; readonly more: number }> {
  const { settings } = parts;
  const { behavior, senders, metadata, outgoing, rules, budget, ...plain } = change;
  let more = 0;
  const fields: { -readonly [K in keyof MailboxFields]: MailboxFields[K] } = { ...plain };
  if (senders !== undefined) {
    fields.senders = parseSenderLists(senders, parts.mailDomain);
    more += sizeOfSenders({ ...mailbox.senders, ...fields.senders }) - sizeOfSenders(mailbox.senders);
  }
  if (metadata !== undefined) {
    fields.metadata = metadataOf(metadata) ?? {};
    more += sizeOfMetadata(fields.metadata) - sizeOfMetadata(mailbox.metadata ?? {});
  }
  if (outgoing !== undefined) {
    fields.outgoing = changedOutgoing(mailbox.outgoing ?? UNRESTRICTED, outgoing, parts.mailDomain);
    more += sizeOfOutgoing(fields.outgoing) - sizeOfOutgoing(mailbox.outgoing);
  }
  if (rules !== undefined) {
    fields.rules = await rulesOf(caller, rules, mailbox, parts);
    more += sizeOfRules(fields.rules) - sizeOfRules(mailbox.rules);
  }
  if (budget !== undefined) {
    fields.budget = changedBudget(mailbox.budget ?? null, budget);
    if (fields.budget !== null) checkBudget(settings.behavior(behavior?.name ?? mailbox.behavior));
  }
  if (behavior !== undefined) {
    const other = settings.behavior(behavior.name ?? mailbox.behavior);
    const { name } = other;
    // Each behavior has settings of its own, which are restored when the mailbox returns to it.
    const kept = await keptSettings(mailbox, name, parts);
    const given = behavior.settings ?? kept ?? {};
    if (behavior.settings !== undefined) settings.checkSize(given);
    settings.check(other, given);
    const stored = storedSettings(other, given as Mailbox['settings'], mailbox);
    const sensitive = name === mailbox.behavior ? sensitiveOf(other, mailbox.settings) : undefined;
    Object.assign(fields, settingsKey(caller, sensitiveOf(other, stored), { sensitive, mailbox }));
    await settings.checkTargets({ name, settings: given });
    if (mailbox.webhook !== null && settings.webhookOf(name, stored) === undefined) fields.webhook = null;
    fields.behavior = name;
    fields.settings = stored;
    // A description that the owner never wrote is that of the behavior.
    const described = fields.description ?? mailbox.description;
    if (described === settings.find(mailbox.behavior)?.description) fields.description = other.description;
    const until = onlineUntil(other, stored);
    // A program that is connected stays so.
    if (until === null || mailbox.online_until === null) fields.online_until = until;
    more += sizeOfSettings(fields.settings) - (kept === undefined ? 0 : sizeOfSettings(kept));
    if (name !== mailbox.behavior && isEmpty(mailbox.settings)) more -= sizeOfSettings(mailbox.settings);
  }
  if (change.access !== undefined || change.try_out !== undefined) {
    const access = change.access ?? mailbox.access;
    fields.try_out = change.try_out ?? (access === 'public' && mailbox.try_out);
    checkAccess(access, fields.try_out);
  }
  return { fields, more };
}

/** The settings that a mailbox has for a behavior: the current ones, or those kept from when it last had that behavior. */
async function keptSettings(
  mailbox: Mailbox,
  behavior: string,
  { store }: Pick<ChangeParts, 'store'>,
): Promise<Mailbox['settings'] | undefined> {
  if (behavior === mailbox.behavior) return mailbox.settings;
  return (await store.mailboxes.keptSettings(mailbox.id)).get(behavior);
}

const isEmpty = (settings: Mailbox['settings']): boolean => Object.keys(settings).length === 0;
