import type { Cell, WriteStep } from '../db.ts';
import { dropAttachments } from './attachments.ts';
import { dropConversations } from './conversations.ts';
import { dropDeliveries } from './deliveries.ts';
import { dropEmails } from './emails.ts';
import { noteChanged } from './index-changes.ts';
import { dropLabels } from './labels.ts';
import { dropMessageIds } from './message-ids.ts';
import { dropPushConfigs } from './push-configs.ts';
import { dropReviews } from './review-steps.ts';

/** Whose the bytes of the mails of messages are, as `rawOwner` names them. */
const rawOwners = (selected: string): string => `select 'eml_' || substr(o.id, 5) from (${selected}) o`;

/** Steps that delete what belongs to the messages that a statement selects, before these are deleted. */
export const dropWithMessages = (selected: string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  ...dropConversations(selected, ...cells),
  ...dropAttachments(selected, ...cells),
  ...dropAttachments(rawOwners(selected), ...cells),
  ...dropLabels(selected, ...cells),
  ...dropMessageIds(selected, ...cells),
  ...dropEmails(selected, ...cells),
  ...dropDeliveries(selected, ...cells),
  ...dropPushConfigs(selected, ...cells),
  dropReviews(selected, ...cells),
  noteChanged(selected, ...cells),
];
