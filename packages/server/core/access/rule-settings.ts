import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutside } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { hasScope, isLive, type Key, mayDisclose } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { readsMailbox } from '../entities/member.ts';
import { forwardTargets, type MailboxRules, type NewRule, parseRules, type Rule } from '../entities/rules.ts';
import type { Store } from '../ports/store.ts';
import { type Caller, requireDisclosing, writingKey } from './caller.ts';

/** Keeps which addresses outside have confirmed that rules forward to them. */
export interface ForwardTargets {
  /** AppError for a namespace that may not write to addresses outside, or not to this one: see `OutsideMail`. */
  check(namespaceId: string, target: string): Promise<void>;
  /** Asks addresses outside that have not confirmed, and forgets those to which no rule forwards. AppError `unavailable`. */
  update(mailbox: Mailbox): Promise<void>;
}

/** The key by which the rules of a mailbox forward, while it works and may set them and have the messages leave. */
export async function forwardingKey(
  { id, rules }: Pick<Mailbox, 'id' | 'rules'>,
  { keys }: Pick<Store, 'keys'>,
  now: Millis,
): Promise<Key | undefined> {
  const key = rules?.key_id === undefined ? undefined : await keys.byId(rules.key_id);
  if (key === undefined || !isLive(key, now) || !hasScope(key, 'mailboxes:write')) return undefined;
  return mayDisclose(key, id) ? key : undefined;
}

/** Rules with `forward_to`, as they are named where they are refused. */
const FORWARDING = 'rules with forward_to';

/**
 * The given rules as they are stored; those that stay as they are keep the key by which they forward, while it still may.
 * `mailbox` is the one that has them, with the rules it has so far. AppError `validation_error`, `access_denied`,
 * `insufficient_scope`.
 */
export async function rulesOf(
  caller: Caller,
  given: readonly NewRule[],
  mailbox: Mailbox,
  parts: {
    readonly targets: Pick<ForwardTargets, 'check'>;
    readonly store: Pick<Store, 'accounts' | 'keys'>;
    readonly clock: Clock;
    readonly mailDomain: string;
  },
): Promise<MailboxRules> {
  const items = parseRules(given, parts.mailDomain, addressOf(mailbox));
  await checkAssigned(items, mailbox, parts);
  const targets = forwardTargets(items);
  if (targets.length === 0) return { items };
  const { rules } = mailbox;
  const same = rules !== undefined && JSON.stringify(rules.items) === JSON.stringify(items);
  if (same && (await forwardingKey(mailbox, parts.store, parts.clock())) !== undefined) return rules;
  requireDisclosing(caller, FORWARDING);
  for (const target of targets) {
    if (!isOutside(target)) continue;
    await parts.targets.check(mailbox.namespace_id, target).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      const index = items.findIndex(({ then }) => then.forward_to === target);
      throw invalid(`/rules/${index}/then/forward_to`, error.message);
    });
  }
  const key_id = writingKey(caller)?.id;
  return { items, ...(key_id !== undefined && { key_id }) };
}

/** AppError `validation_error` for a rule that assigns to one who does not read the mailbox; those there were stay. */
async function checkAssigned(
  items: readonly Rule[],
  { id, namespace_id, rules }: Mailbox,
  { store, clock }: { readonly store: Pick<Store, 'accounts'>; readonly clock: Clock },
): Promise<void> {
  const before = new Set(rules?.items.map(({ then }) => then.assign));
  const isNew = ({ then: { assign } }: Rule): boolean => assign !== undefined && !before.has(assign);
  if (!items.some(isNew)) return;
  const members = await store.accounts.membersOf(namespace_id, clock());
  const readers = new Set(members.filter((one) => readsMailbox(one, id)).map(({ account_id }) => account_id));
  const index = items.findIndex((rule) => isNew(rule) && !readers.has(rule.then.assign ?? ''));
  if (index < 0) return;
  throw invalid(
    `/rules/${index}/then/assign`,
    'This is no member who reads the mailbox. Name one who does, or leave assign out.',
  );
}

/** Bytes that rules count for their namespace; none of an empty list. */
export const sizeOfRules = (rules: MailboxRules | undefined): number =>
  rules === undefined || rules.items.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rules));
