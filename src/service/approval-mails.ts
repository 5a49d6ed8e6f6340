import type { Config } from '../config.ts';
import type { Decisions } from '../core/delivery/approve.ts';
import type { ApprovalQuestion, ApprovalResult } from '../core/delivery/mail-approvals/approval-mails.ts';
import { ApprovalMails } from '../core/delivery/mail-approvals/approval-mails.ts';
import type { ServiceMail } from '../core/delivery/service-mail.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { Message } from '../core/entities/message.ts';
import { isSettled } from '../core/entities/message.ts';
import { addressOf } from '../core/ports/behavior/mailbox.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import type { Store } from '../core/ports/store.ts';
import { fullAddress } from '../core/values/address.ts';
import type { Clock } from '../core/values/clock.ts';
import type { Limiter } from '../core/values/limits.ts';
import { planMail, resultMail } from '../mail/writing/approval-mail.ts';
import { planWords } from '../transports/web/plan.ts';
import { knownTasks } from '../transports/web/tasks.ts';
import { HOUSE } from './house.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly behaviors: readonly Behavior[];
  readonly serviceMail: () => ServiceMail;
  readonly decisions: () => Decisions;
  readonly baseUrl: () => string;
  readonly limit: Limiter | undefined;
  readonly onError: (error: unknown) => void;
}

/** What asks owners by mail to approve plans. */
export async function makeApprovalMails(config: Config, parts: Parts): Promise<ApprovalMails> {
  const { store, behaviors, baseUrl } = parts;
  const { MAIL_DOMAIN: mailDomain } = config;
  const urlOf = (id: string): string => `${baseUrl()}/console/messages/${id}`;
  return new ApprovalMails({
    ...parts,
    mailDomain,
    sender: { local_part: HOUSE.signIn, namespace: config.HOUSE_NAMESPACE },
    secret: await store.secrets.getOrPut('approval_mail', randomBase62(43)),
    answerable: config.SMTP_LISTEN !== undefined,
    question: ({ message, mailbox, to, until }: ApprovalQuestion) => {
      const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
      const tasks = new Map(knownTasks(behavior, mailbox.settings).map((task) => [task.name, task]));
      const steps = planWords(JSON.parse(message.plan), tasks);
      return (
        steps &&
        planMail({
          address: fullAddress(addressOf(mailbox), mailDomain),
          sender: senderOf(message, mailDomain),
          // A mail without a text says it in its subject.
          asked: message.body.trim() === '' ? (message.subject ?? '') : message.body,
          steps,
          to,
          url: urlOf(message.id),
          until:
            until === undefined ? undefined : `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        })
      );
    },
    result: (result: ApprovalResult, message: Message | undefined, id: string) => ({
      subject: '',
      ...resultMail(sentenceOf(result, message), urlOf(id)),
    }),
  });
}

/** Who sent a message, in a few words. */
function senderOf({ sender_kind, sender_id, from }: Message, mailDomain: string): string {
  if (from !== null) return fullAddress(from, mailDomain);
  if (sender_kind === 'email') return `${sender_id}, by mail`;
  return sender_kind === 'guest' ? 'a person without a key' : 'a program with a key';
}

function sentenceOf(result: ApprovalResult, message: Message | undefined): string {
  switch (result.kind) {
    case 'approved':
      return 'You approved the plan. It runs now.';
    case 'refused':
      return result.reason === undefined
        ? 'You refused the plan. Nothing of it runs.'
        : `You refused the plan. Nothing of it runs, and the sender sees your reason:\n\n${result.reason}`;
    case 'unclear':
      return 'Nothing was done: your answer is neither a plain “yes” nor a plain “no”. Answer again with one of these words alone, “no” with a reason beside it if you like, or decide in the console.';
    case 'changed':
      return 'Nothing was done: the message waits with another plan by now. Read and decide on that one in the console.';
    case 'over': {
      if (message === undefined) return 'Nothing was done: the message was deleted.';
      const how = isSettled(message.status) ? `it is ${message.status.replace('_', ' ')}` : 'it was decided before';
      return `Nothing was done: the plan no longer waits, ${how}.`;
    }
  }
}
