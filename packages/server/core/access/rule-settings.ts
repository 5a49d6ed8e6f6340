import { isOutside } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { MailboxRules, NewRule } from '../entities/rules.ts';
import { forwardTargets, parseRules } from '../entities/rules.ts';
import type { Caller } from './caller.ts';
import { requireDisclosing, writingKey } from './caller.ts';

/** Keeps which addresses outside have confirmed that rules forward to them. */
export interface ForwardTargets {
  /** AppError for a namespace that may not write to addresses outside, or not to this one: see `OutsideMail`. */
  check(namespaceId: string, target: string): Promise<void>;
  /** Asks addresses outside that have not confirmed, and forgets those to which no rule forwards. AppError `unavailable`. */
  update(mailbox: Mailbox): Promise<void>;
}

/** Rules with `forward_to`, as they are named where they are refused. */
const FORWARDING = 'rules with forward_to';

/**
 * The given rules as they are stored; those that stay as they are keep the key by which they forward. `mailbox` is the one
 * that has them, with the rules it has so far, at its stored address `own`. AppError `validation_error`, `access_denied`,
 * `insufficient_scope`.
 */
export async function rulesOf(
  caller: Caller,
  given: readonly NewRule[],
  { mailbox, own }: { readonly mailbox: Pick<Mailbox, 'namespace_id' | 'rules'>; readonly own: string },
  parts: { readonly targets: Pick<ForwardTargets, 'check'>; readonly mailDomain: string },
): Promise<MailboxRules> {
  const items = parseRules(given, parts.mailDomain, own);
  const { rules } = mailbox;
  if (rules !== undefined && JSON.stringify(rules.items) === JSON.stringify(items)) return rules;
  const targets = forwardTargets(items);
  if (targets.length === 0) return { items };
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

/** Bytes that rules count for their namespace; none of an empty list. */
export const sizeOfRules = (rules: MailboxRules | undefined): number =>
  rules === undefined || rules.items.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rules));
