import type { Message } from './message.ts';

/** The mark before stored reports that are for the readers of a mailbox alone. */
const OWN = 'own ';

/** Reports as they are stored. */
export const storedReports = (reports: string, own: boolean): string => (own ? OWN + reports : reports);

/** Stored reports as fields of a message. */
export const progressFrom = (stored: string): Pick<Message, 'progress' | 'own_progress'> =>
  stored.startsWith(OWN) ? { own_progress: stored.slice(OWN.length) } : { progress: stored };

/** The message with what its behavior reports and writes, for a reader of the mailbox that received it. */
export const withOwnProgress = <M extends Message>(message: M): M => {
  const { own_progress: progress, own_draft: draft } = message;
  return progress === undefined && draft === undefined
    ? message
    : { ...message, ...(progress !== undefined && { progress }), ...(draft !== undefined && { draft }) };
};
