import type { Role } from '../../../core/entities/member.ts';

/** What each role is called, and what it may do. */
export const ROLE_WORDS: Readonly<Record<Role, readonly [name: string, hint: string]>> = {
  owner: ['Owner', 'Everything: members, keys, settings and the deletion of the name.'],
  editor: ['Editor', 'Reads messages, sets up addresses and webhooks.'],
  answerer: ['Answerer', 'Reads, answers and writes messages, and approves what waits to leave.'],
  reader: ['Reader', 'Reads messages.'],
};
