import type { Channel } from '@mailroom/behavior/message';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { AppliedRules } from './applied-rules.ts';
import { MAX_LABELS } from './label.ts';
import { untagged } from './recipients.ts';
import type { Rule, RuleConditions } from './rules.ts';

/** What rules look at: only what readers of the mailbox may read of the message, so never a Bcc of others. */
export interface RuleFacts {
  /** The entries that stand for its sender. */
  readonly from: ReadonlySet<string>;
  /** The entries that stand for its To and Cc, and for the address that got it. */
  readonly to: ReadonlySet<string>;
  readonly subject: string | null;
  readonly body: string;
  readonly has_attachment: boolean;
  /** Kinds. */
  readonly findings: readonly string[];
  readonly verified: boolean;
  readonly channel: Channel;
  /** Labels that the service set on arrival. */
  readonly labels: readonly string[];
}

/** UTF-16 units of a body in which looking for a text takes milliseconds. */
export const LONG_BODY = 32 * 1024;

/** Looks at the rules in their order; undefined where none applies. Linear in the text of the message. */
export async function applyRules(rules: readonly Rule[], facts: RuleFacts): Promise<AppliedRules | undefined> {
  const labels = new Set(facts.labels);
  const added = new Set<string>();
  const forwards = new Set<string>();
  const ids: string[] = [];
  let [review, answer] = [false, true];
  let assign: string | undefined;
  const lower = lowerCaseOnce(facts);
  for (const { id, if: conditions, then } of rules) {
    if (!holds(conditions, facts, labels, lower)) continue;
    if (conditions.body !== undefined && !(await bodyHas(conditions.body, lower('body')))) continue;
    ids.push(id);
    for (const label of then.label ?? []) {
      if (added.size >= MAX_LABELS) break;
      labels.add(label);
      added.add(label);
    }
    if (then.forward_to !== undefined) forwards.add(then.forward_to);
    assign ??= then.assign;
    review ||= then.review === true;
    answer &&= then.answer !== false;
    if (then.done === true) break;
  }
  if (ids.length === 0) return undefined;
  return {
    ids,
    ...(added.size > 0 && { labels: [...added] }),
    ...(forwards.size > 0 && { forward_to: [...forwards] }),
    ...(assign !== undefined && { assign }),
    ...(review && { review }),
    ...(!answer && { answer }),
  };
}

type LowerCase = (field: 'subject' | 'body') => string;

/** The fields in lower case, each converted where a rule looks for a text in it. */
function lowerCaseOnce({ subject, body }: RuleFacts): LowerCase {
  const known: { subject?: string; body?: string } = {};
  return (field) => (known[field] ??= (field === 'subject' ? (subject ?? '') : body).toLowerCase());
}

/** Whether a body in lower case has one of these texts; of a long one others get a turn before each text. */
async function bodyHas(texts: readonly string[], body: string): Promise<boolean> {
  for (const text of texts) {
    if (body.length > LONG_BODY) await yieldToEventLoop();
    if (body.includes(text.toLowerCase())) return true;
  }
  return false;
}

/** Whether all conditions hold but that of the body. */
function holds(
  { from, to, subject, has, finding, verified, channel, label }: RuleConditions,
  facts: RuleFacts,
  labels: ReadonlySet<string>,
  lower: LowerCase,
): boolean {
  return (
    (from === undefined || from.some((entry) => facts.from.has(entry))) &&
    (to === undefined || to.some((entry) => facts.to.has(entry))) &&
    (has === undefined || facts.has_attachment) &&
    (verified === undefined || facts.verified === verified) &&
    (channel === undefined || channel.includes(facts.channel)) &&
    (finding === undefined || finding.some((kind) => facts.findings.includes(kind))) &&
    (label === undefined || label.some((one) => labels.has(one))) &&
    (subject === undefined || subject.some((text) => lower('subject').includes(text.toLowerCase())))
  );
}

/** The entries that stand for addresses, which are stored without the mail domain. */
export function namesOfAddresses(addresses: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const address of addresses) {
    const plain = untagged(address);
    const domain = plain.slice(plain.lastIndexOf('@') + 1);
    names.add(plain).add(`*@${domain}`);
    // Of an address here, the namespace; no namespace has a dot.
    names.add(domain);
  }
  return names;
}
