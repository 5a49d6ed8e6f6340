import type { Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { changedBudget } from '../entities/budget.ts';
import type { Key } from '../entities/key.ts';
import { checkAccess, localPart, type Mailbox, type MailboxWithSecret, type NewMailbox } from '../entities/mailbox.ts';
import type { Namespace } from '../entities/namespace.ts';
import { changedOutgoing, isUnrestricted, UNRESTRICTED } from '../entities/outgoing.ts';
import type { Metadata } from '../entities/recipients.ts';
import { ANY_SENDER, parseSenderLists } from '../entities/sender-lists.ts';
import { metadataOf } from '../entities/sending.ts';
import { KEPT_OVERHEAD } from '../entities/storage-size.ts';
import { newWebhookSecret } from '../values/webhook-signature.ts';
import {
  type BehaviorSettings,
  checkBudget,
  onlineUntil,
  sizeOfSettings,
  storedSettings,
} from './behavior-settings.ts';
import { sizeOfRules } from './rule-settings.ts';
import { sensitiveOf } from './sensitive-settings.ts';

/** A mailbox of checked fields that is not stored. Throws AppError `validation_error`, `body_too_large`. */
export function mailboxOf(
  namespace: Namespace,
  wanted: NewMailbox,
  key: Key | undefined,
  parts: { readonly settings: BehaviorSettings; readonly mailDomain: string; readonly now: Millis },
): MailboxWithSecret {
  const { now } = parts;
  const local_part = localPart(wanted.local_part);
  const { behavior, settings: given } = parts.settings.checkBehavior(wanted.behavior);
  const settings = storedSettings(behavior, given as Mailbox['settings'], { namespace_id: namespace.id });
  const access = wanted.access ?? 'public';
  const try_out = wanted.try_out ?? access === 'public';
  checkAccess(access, try_out);
  const metadata = metadataOf(wanted.metadata);
  const outgoing = wanted.outgoing && changedOutgoing(UNRESTRICTED, wanted.outgoing, parts.mailDomain);
  const budget = changedBudget(null, wanted.budget ?? null);
  if (budget !== null) checkBudget(behavior);
  const pushed = parts.settings.webhookOf(behavior.name, settings) !== undefined;
  return {
    id: newId('mbx', now),
    namespace_id: namespace.id,
    namespace: namespace.name,
    local_part,
    domains: [],
    display_name: wanted.display_name ?? null,
    description: wanted.description ?? behavior.description,
    behavior: behavior.name,
    settings,
    senders: { ...ANY_SENDER, ...parseSenderLists(wanted.senders ?? {}, parts.mailDomain) },
    status: 'online',
    online_until: onlineUntil(behavior, settings),
    webhook: pushed ? 'on' : null,
    ...(key !== undefined && sensitiveOf(behavior, settings) && { settings_key_id: key.id }),
    visibility: wanted.visibility ?? 'listed',
    access,
    try_out,
    wake: wanted.wake ?? 'to',
    ...(wanted.sign_answers === true && { sign_answers: true }),
    ...(metadata !== undefined && { metadata }),
    ...(outgoing !== undefined && !isUnrestricted(outgoing) && { outgoing }),
    ...(budget !== null && { budget }),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...(pushed && { webhook_secret: newWebhookSecret() }),
  };
}

/** Empty lists count nothing, as the row counts them. */
export const sizeOfSenders = ({ allow, block }: Mailbox['senders']): number =>
  [allow, block].reduce((sum, list) => sum + (list.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(list))), 0);

/** Bytes that a mailbox counts for its namespace. */
export const sizeOfMailbox = ({ settings, senders, metadata = {}, outgoing, rules }: Mailbox): number =>
  KEPT_OVERHEAD +
  sizeOfSettings(settings) +
  sizeOfSenders(senders) +
  sizeOfMetadata(metadata) +
  sizeOfOutgoing(outgoing) +
  sizeOfRules(rules);

/** Bytes of a policy; none of one that says nothing. */
export const sizeOfOutgoing = (outgoing: Mailbox['outgoing']): number =>
  outgoing === undefined ? 0 : Buffer.byteLength(JSON.stringify(outgoing));

/** Bytes of the pairs of a mailbox; none of an empty list. */
export const sizeOfMetadata = (metadata: Metadata): number =>
  Object.keys(metadata).length === 0 ? 0 : Buffer.byteLength(JSON.stringify(metadata));
