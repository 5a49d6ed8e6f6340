import { addressOf } from '@mailroom/behavior/mailbox';
import type { Sender } from '@mailroom/behavior/message';
import type { Directory } from '../access/directory.ts';
import type { AppliedRules } from '../entities/applied-rules.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { applyRules, LONG_BODY, namesOfAddresses, type RuleFacts } from '../entities/rule-matching.ts';
import type { Rule } from '../entities/rules.ts';
import { namesOf, namesOutside } from '../entities/sender-lists.ts';
import type { Store } from '../ports/store.ts';
import type { Submission } from '../runs/submission.ts';
import { Turns } from '../values/turns.ts';
import { namespaceNames } from './recipients.ts';

interface Parts {
  readonly store: Pick<Store, 'domains'>;
  readonly directory: Pick<Directory, 'namespaceName'>;
}

/** What of a message that arrives, or arrived, rules need beside the message itself. */
export interface Arrival {
  readonly sender: Sender;
  /** Whether its sender is proven; undefined where it did not come as a mail. */
  readonly proven: boolean | undefined;
  readonly findings: readonly string[];
  /** Labels that the service set on arrival. */
  readonly labels: readonly string[];
  /** The domain of an owner by which a mail named the mailbox; null for that of the namespace. */
  readonly domain: string | null;
}

/** Long texts of a namespace are searched one after the other, so that many of them hold up no other. */
const LONG_BODIES = new Turns();

/** What the rules do to a message of the mailbox; undefined where none applies. AppError `unavailable`. */
export async function rulesFor(
  message: Message,
  rules: readonly Rule[],
  arrival: Arrival,
  mailbox: Pick<Mailbox, 'local_part' | 'namespace'>,
  parts: Parts,
): Promise<AppliedRules | undefined> {
  const { sender, proven, findings, labels, domain } = arrival;
  const entries = rules.flatMap((rule) => rule.if.from ?? []);
  const names = entries.length === 0 ? undefined : await namespaceNames(sender, namesOutside(entries), parts);
  const { to, recipients, subject, body, channel, attachments = [] } = message;
  const ownAddresses = [to ?? addressOf(mailbox), ...(domain === null ? [] : [`${mailbox.local_part}@${domain}`])];
  const facts: RuleFacts = {
    from: names === undefined ? new Set() : namesOf(sender, names),
    // A copy has no Bcc, and its sender's message, which has, is no message of this mailbox.
    to: namesOfAddresses([...ownAddresses, ...(recipients === undefined ? [] : [...recipients.to, ...recipients.cc])]),
    subject,
    body,
    has_attachment: attachments.length > 0,
    findings,
    verified: proven ?? sender.kind !== 'guest',
    channel,
    labels,
  };
  if (body.length <= LONG_BODY) return applyRules(rules, facts);
  const end = await LONG_BODIES.take(mailbox.namespace);
  try {
    return await applyRules(rules, facts);
  } finally {
    end();
  }
}

/**
 * Applies the rules of the mailbox to a message that arrives there and is not written so far, and returns its submission,
 * which nothing answers where a rule says so. AppError `unavailable`.
 */
export async function withRules(
  submission: Submission,
  message: Message,
  mailbox: Mailbox,
  parts: Parts,
): Promise<Submission> {
  const { sender, email, not_answered, unanswered } = submission;
  const kinds = (message.findings ?? []).filter(({ out }) => out !== true).map(({ kind }) => kind);
  const label = email?.label ?? (not_answered === 'cc' ? 'cc' : null);
  const arrival: Arrival = {
    sender,
    proven: email?.authentication.verified,
    findings: kinds,
    labels: [...(label === null ? [] : [label]), ...kinds.map((kind) => `finding/${kind}`)],
    domain: email?.domain ?? null,
  };
  const rules = await rulesFor(message, mailbox.rules?.items ?? [], arrival, mailbox, parts);
  if (rules === undefined) return submission;
  const labels = (rules.labels ?? []).map((name) => ({ mailbox_id: mailbox.id, label: name }));
  Object.assign(message, { rules, ...(labels.length > 0 && { labels }) });
  if (rules.answer !== false || unanswered !== undefined) return submission;
  if (email !== undefined)
    return { ...submission, unanswered: true, email: { ...email, owed: false, not_answered: 'rule' } };
  Object.assign(message, { not_answered: 'rule' });
  return { ...submission, unanswered: true };
}
