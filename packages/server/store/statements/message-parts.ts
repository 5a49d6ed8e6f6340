import type { Cell, WriteStep } from '../db.ts';
import { type Among, selectedBy, within } from './among.ts';
import { dropAttachments, dropThese } from './attachments.ts';
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
const RAW_WITHIN = "owner_id > 'eml_' || substr($1, 5) and owner_id <= 'eml_' || substr($2, 5)";

/** Steps that delete what belongs to the messages that a statement selects, before these are deleted. */
export const dropWithMessages = (selected: string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  ...dropAttachments(rawOwners(selected), ...cells),
  ...dropParts(selectedBy(selected), selected, cells),
];

/** As `dropWithMessages`, for those with ids after `$1` and up to `$2` for which a condition of the id holds. */
export const dropWithRange = (holds: (id: string) => string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  ...dropThese(`${RAW_WITHIN} and ${holds("'msg_' || substr(owner_id, 5)")}`, ...cells),
  ...dropParts(within(holds), `select id from messages where ${within(holds)('id')}`, cells),
];

const dropParts = (among: Among, selected: string, cells: readonly Cell[]): readonly WriteStep[] => [
  ...dropConversations(selected, ...cells),
  ...dropThese(among('owner_id'), ...cells),
  ...dropLabels(among, ...cells),
  ...dropMessageIds(among, ...cells),
  ...dropEmails(among, ...cells),
  ...dropDeliveries(among, ...cells),
  ...dropPushConfigs(among, ...cells),
  dropReviews(among, ...cells),
  noteChanged(selected, ...cells),
];
