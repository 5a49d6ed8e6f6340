// Nodes that the tests of this folder share. They may kill, freeze and restart a node, and leave all of them running,
// but for the last test.
import { after } from 'node:test';
import { startDns } from '../../../../../tests/harness/dns.ts';
import { type Node, startNodes } from '../../../../../tests/harness/nodes.ts';
import { freePort, sharedPostgres } from '../../../../../tests/harness/postgres.ts';

/** What a dead node had is due after so long. */
export const LEASE_S = 2;

export const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
/** The DNS that the nodes ask about domains of owners. */
export const dns = await startDns();
after(() => dns[Symbol.asyncDispose]());
/** Where the second node receives mail. */
export const smtpPort = await freePort();
export const nodes = await startNodes({
  postgres,
  env: (index) => ({
    LEASE_SECONDS: String(LEASE_S),
    WEBHOOK_NETWORKS: '127.0.0.1',
    DNS_SERVERS: dns.address,
    SMTP_LISTEN: index === 1 ? `127.0.0.1:${smtpPort}` : 'off',
  }),
});
after(() => nodes[Symbol.asyncDispose]());
export const [a, b, c] = nodes.all as [Node, Node, Node];
export const home = await a.client.newNamespace();
export const { address: hello } = await a.client.newMailbox(home);
export const { address: gatedBox } = await a.client.newMailbox(home, { behavior: { name: 'gated' } });

/** The nodes in turn. */
export const turn = (i: number): Node => nodes.all[i % nodes.all.length] as Node;
/** How many messages have this text. */
export const rowsOf = async (body: string): Promise<number> =>
  (await nodes.sql(`select id from messages where body = '${body}'`)).length;
