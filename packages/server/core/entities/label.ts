import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Finding } from './finding.ts';
import { isReceivedBy, type Message } from './message.ts';

/** Maximum labels of a message in one mailbox, without `unread`. */
export const MAX_LABELS = 20;

/** Set on arrival by the service, in the mailbox that receives the message and in no other. */
export const UNREAD = 'unread';

/** In the trash of one's own view, out of its lists. */
export const TRASH = 'trash';
/** Its time in the trash is over: nothing of it is shown in that view. */
export const GONE = 'gone';

/** Labels that the service and its endpoints set, and that callers cannot. */
const OF_SERVICE: ReadonlySet<string> = new Set([TRASH, GONE, 'spam', 'cc', 'quarantine']);
export const isOfService = (label: string): boolean => OF_SERVICE.has(label) || label.startsWith('finding/');

/** AppError `validation_error` for a label of the service. */
export function checkLabels(labels: readonly string[], pointer: string): void {
  const index = labels.findIndex(isOfService);
  if (index >= 0)
    throw invalid(
      `${pointer}/${index}`,
      `"${labels[index]}" is set by the service alone${labels[index] === TRASH ? ': use …/trash and …/restore' : ''}. Choose another label.`,
    );
}

/** The labels of a message in this mailbox, `unread` among them, sorted. */
export function labelsIn(message: Message, mailboxId: string): string[] {
  const labels = (message.labels ?? []).filter(({ mailbox_id }) => mailbox_id === mailboxId).map(({ label }) => label);
  if (isReceivedBy(message, mailboxId) && !message.read) labels.push(UNREAD);
  return labels.sort();
}

/** Whether a mailbox answered the message by hand, or wrote it as such an answer. */
const isAnsweredBy = ({ kind, mailbox_id, sender_id, answered_by }: Message, mailboxId: string): boolean =>
  answered_by !== undefined && (kind === 'reply' ? sender_id : mailbox_id) === mailboxId;

/** What only readers of this mailbox see of a message: its labels there, which rules applied as it arrived, and evidence on it. */
export const marksIn = (
  message: Message,
  mailboxId: string,
): {
  readonly labels: string[];
  readonly rules?: string[];
  readonly findings?: Finding[];
  readonly progress?: { readonly text: string; readonly at: string }[];
  /** Who answered by hand is among them. */
  readonly answerers?: true;
} => ({
  ...(isAnsweredBy(message, mailboxId) && { answerers: true }),
  labels: labelsIn(message, mailboxId),
  ...(message.rules !== undefined && message.mailbox_id === mailboxId && { rules: [...message.rules.ids] }),
  ...findingsIn(message, mailboxId),
  ...(message.own_progress !== undefined &&
    message.mailbox_id === mailboxId && { progress: JSON.parse(message.own_progress) }),
});

/** Evidence for readers of this mailbox: on what arrived there, or on what left it. */
function findingsIn(message: Message, mailboxId: string): { readonly findings?: Finding[] } {
  const { findings = [], mailbox_id, sender_id } = message;
  const [isRecipient, isSender] = [mailbox_id === mailboxId, sender_id === mailboxId];
  const visible = findings.filter(({ out }) => (out === true ? isSender : isRecipient));
  return visible.length === 0 ? {} : { findings: visible.map(({ kind, where, why }) => ({ kind, where, why })) };
}

export const LabelName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z0-9_/\\-]+$',
  description: '1 to 50 of a-z, 0-9, - _ and /.',
  examples: ['invoices/paid'],
});

const list = (description: string) =>
  Type.Optional(Type.Array(LabelName, { maxItems: MAX_LABELS + 1, uniqueItems: true, description }));

export const MessageChange = Type.Object(
  {
    labels: Type.Object(
      { add: list('Labels to add.'), remove: list('Labels to remove; one that is not there is no error.') },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'Changes of its labels, made together or not at all.',
      },
    ),
  },
  { $id: 'MessageChange', additionalProperties: false },
);
export type MessageChange = Type.Static<typeof MessageChange>;
