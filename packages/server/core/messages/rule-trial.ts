import { addressOf } from '@mailroom/behavior/mailbox';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Directory } from '../access/directory.ts';
import type { AppliedRules } from '../entities/applied-rules.ts';
import { isOfService, labelsIn } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { type NewRule, parseRules } from '../entities/rules.ts';
import type { Store } from '../ports/store.ts';
import { rulesFor } from '../submission/mailbox-rules.ts';

/** Messages that are looked at, the newest ones that the mailbox received. */
export const MAX_TRIED = 100;
const FINDING = 'finding/';

interface Parts {
  readonly store: Pick<Store, 'domains' | 'emails' | 'messages'>;
  readonly directory: Directory;
  readonly mailDomain: string;
}

/** A message, and what rules would have done to it; undefined where none applies. */
export interface Tried {
  readonly message: Message;
  readonly applied: AppliedRules | undefined;
}

/**
 * What rules would do to the last messages that the mailbox received, newest first; writes nothing. Of labels they see
 * those of the service that the message has now. AppError `validation_error`, `unavailable`.
 */
export async function tryRules(given: readonly NewRule[], mailbox: Mailbox, parts: Parts): Promise<readonly Tried[]> {
  const rules = parseRules(given, parts.mailDomain, addressOf(mailbox));
  const tried: Tried[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Parts['store']['messages']['page']>> = await parts.store.messages.page(
      { mailbox_id: mailbox.id },
      after,
      MAX_TRIED,
    );
    // A reply is handled by no one, so that no rule applies to it.
    const messages = page.items.filter(({ kind }) => kind === 'message').slice(0, MAX_TRIED - tried.length);
    const contacts = new Map(
      (await parts.store.emails.byMessages(messages.map(({ id }) => id))).map((email) => [email.message_id, email]),
    );
    for (const message of messages) {
      const email = contacts.get(message.id);
      const labels = labelsIn(message, mailbox.id).filter(isOfService);
      const arrival = {
        sender: senderOf(message),
        proven: email?.authentication.verified,
        findings: labels.filter((label) => label.startsWith(FINDING)).map((label) => label.slice(FINDING.length)),
        labels,
        domain: email?.domain ?? null,
      };
      tried.push({ message, applied: await rulesFor(message, rules, arrival, mailbox, parts) });
      // Many texts in a long message take a while.
      await yieldToEventLoop();
    }
    after = page.next;
  } while (after !== null && tried.length < MAX_TRIED);
  return tried;
}

const senderOf = (message: Message) => ({
  kind: message.sender_kind,
  id: message.sender_id,
  namespace_id: message.sender_namespace_id,
  key_id: message.key_id,
  from: message.from,
});
