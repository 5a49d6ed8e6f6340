import type { FindIncoming } from '../core/mail-in/mail-findings.ts';
import type { FindOutgoing } from '../core/review/gate.ts';

/** Loaded with the first message that is looked at, as its libraries cost a start some 50 ms. */
const library = () => import('@mailroom/findings');

/** Looks for what should not leave: in texts, and in the names of files. */
export const findOutgoing: FindOutgoing = async ({ body, html, subject, data, attachments }, recipients_count) => {
  const { outgoingFindings } = await library();
  return outgoingFindings({ text: body, html, subject, data, files: attachments ?? [], recipients_count });
};

/** Looks for what a reader of a mail should know. */
export const findIncoming: FindIncoming = async (mail) => {
  const { incomingFindings } = await library();
  return incomingFindings(mail);
};
