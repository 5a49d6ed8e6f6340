import { MAX_LABELS, TRASH, UNREAD } from '../../../core/entities/label.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isReceivedBy, type Message } from '../../../core/entities/message.ts';
import { type Html, html } from '../../../http/html.ts';
import { errorLine } from '../form/controls.ts';
import { shortOf } from '../pieces.ts';
import { type Filter, search } from './filter.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

/** Characters of a label. */
const MAX_LENGTH = 50;

/** A label that was not accepted, as it was typed. */
export interface LabelError {
  readonly typed: string;
  readonly message: string;
}

/** The sentence for a label that cannot exist; undefined for a possible one. */
export function labelProblem(label: string): string | undefined {
  if (label === '') return 'Type a label.';
  if (label.length > MAX_LENGTH) return `A label has at most ${MAX_LENGTH} characters; this one has ${label.length}.`;
  if (/^[a-z0-9_/-]+$/.test(label)) return undefined;
  return 'A label consists of a to z, 0 to 9, and - _ /, without spaces. One looks like invoices/paid.';
}

/** The sentence for a message that has as many labels as it can have. */
export const LABELS_FULL = `A message has at most ${MAX_LABELS} labels. Remove one first.`;

interface LabelForm {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly labels: readonly string[];
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly error: LabelError | undefined;
}

/** The labels of a message with a form to change them. */
export function labelForm({ message, mailbox, labels, filter, root, signed, error }: LabelForm): Html {
  const form = html`method="post" action="${root}console/labels/${message.id}${search(filter)}"`;
  const token = tokenField(signed);
  const field = html`<label class="sr" for="label">New label</label><input class="input" id="label" name="label" value="${error?.typed ?? ''}" placeholder="Add a label" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr"${error !== undefined && html` aria-invalid="true" aria-describedby="label-error" autofocus`}>`;
  const items = labels
    .filter((label) => label !== TRASH)
    .map(
      (label) =>
        html`<li class="label-mark"><a href="${root}console${search({ ...filter, ...NARROW, label })}"><span class="sr">Messages labeled </span>${label}</a><button name="remove" value="${label}" title="Remove"><span aria-hidden="true">×</span><span class="sr">Remove the label ${label}</span></button></li>`,
    );
  return html`<div class="labels">
${items.length > 0 && html`<form ${form}>${token}<ul aria-label="Labels in ${shortOf(mailbox)}">${items}</ul></form>`}
<form class="add-label" ${form}>${token}${field}<button class="button quiet">Add</button></form>
${error !== undefined && errorLine('label-error', error.message)}
</div>`;
}

/** Marks the message as unread. */
export const unreadForm = ({
  message,
  mailbox,
  filter,
  root,
  signed,
}: Omit<LabelForm, 'labels' | 'error'>): Html | false =>
  isReceivedBy(message, mailbox.id) &&
  html`<form method="post" action="${root}console/labels/${message.id}${search(filter)}">${tokenField(signed)}<button class="button quiet" name="do" value="${UNREAD}">Mark as unread</button></form>`;

/** What a link to the messages with a label leaves out of the filter. */
const NARROW = { state: 'all', query: undefined, attachment: false, cursor: undefined, direction: 'all' } as const;

/** The labels of another message of the conversation. */
export const labelMarks = (labels: readonly string[] | undefined): Html | false =>
  labels !== undefined &&
  labels.length > 0 &&
  html`<ul class="labels" aria-label="Labels">${labels.map((label) => html`<li class="label-mark">${label}</li>`)}</ul>`;
