import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHANGES } from '../../store/audit/changes.ts';
import { openSqlite } from '../../store/sqlite/store.ts';

/** Ports whose writes are messages, their handling and delivery, or the service's own upkeep. */
const SILENT = new Set(
  `handlings answers jobs events secrets deliveries signingKeys notes schedules places messageIds emails storage modelUsage
   recipientDays attachments blobs audit`.split(/\s+/),
);
/** The methods of the other ports that read, or write messages, marks of use and upkeep alone. */
const WITHOUT: Readonly<Record<string, string>> = {
  namespaces: 'byName byId any isClaimed',
  mailboxes: 'byAddress byId seen keptSettings ids byIds page pageEnd',
  keys: 'bySha256 byId firstOf page used sweep',
  messages:
    'byId settledOf page awaitingApproval endsOf unreadIn unread heads thread threadEnd idsOf byIds copiesOf fitting search traces retire addFindings accept settle acceptAnswered settleAnswered suspend cancel',
  threads: 'conversations conversationsOf takenOver',
  agentWebhooks: 'find failed worked',
  suppressions: 'add find page',
  webhooks:
    'byId byIds page failing behind namespaces backlog advance streamed hasDeliveries deliveries delivery prune',
  states: 'swap take get prolong of trim sweep',
  pushConfigs: 'get list sweep',
  drafts: 'create byId page change claim sent failed forget',
  reviews:
    'hold byId ofLeaving page countPending refused withdraw giveBack release done contacts knownDomains addContacts toAsk asked',
  labels: 'change gone names',
  domains: 'find list verified holder note takeDue',
  accounts:
    'getOrPut byId subject ofSubject subjects passkey passkeys usedPasskey membersOf ownersOf membershipsOf memberBy member keysOf',
  conversations: 'find page reopen notes notesOf',
  invitations: 'of bySha256',
  notices: 'of ownMatters waiting call plan',
  clients: 'byId page',
  allowances: 'has of',
};

test('each method of the store has entries, or is known to need none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-audit-ports-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  await using store = await openSqlite(join(folder, 'm.db'));
  for (const [port, methods] of Object.entries(store)) {
    if (typeof methods !== 'object' || methods === null || SILENT.has(port)) continue;
    const names = Object.keys(methods).filter((name) => typeof methods[name as keyof typeof methods] === 'function');
    const changes = Object.keys(CHANGES[port as keyof typeof CHANGES] ?? {});
    const without = (WITHOUT[port] ?? '').split(' ');
    assert.deepEqual([...changes, ...without].toSorted(), names.toSorted(), port);
  }
});
