import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DomainView } from '@mailroom/server/core/entities/domain';
import { unique } from '../../../tests/harness/client.ts';
import { startDns } from '../../../tests/harness/dns.ts';
import { claimFor, published } from '../../../tests/harness/domains.ts';
import { startInside } from '../../../tests/harness/inside.ts';
import { mailroomCommand } from './command.ts';
import type { Finished } from './old-node.ts';

const dns = await startDns();
const { client, store, folder } = await startInside({ env: { DNS_SERVERS: dns.address } });
after(() => dns[Symbol.asyncDispose]());
const home = await client.newNamespace();
await claimFor(home, (await client.newMailbox(await client.newNamespace())).id, store);

const mailroom = (args: readonly string[]): Promise<Finished> =>
  mailroomCommand(args, { XDG_CONFIG_HOME: folder, MAILROOM_URL: client.url, MAILROOM_KEY: home.key });

test('a domain is added with its records as a zone file, shown, verified, listed and removed', async () => {
  const domain = `${unique('mail')}.example.com`;
  const added = await mailroom(['domains', 'add', domain]);
  assert.equal(added.status, 0, added.stderr);
  const lines = added.stdout.trim().split('\n');
  assert.match(lines[1] ?? '', /^_mailroom\.mail\w+\.example\.com\. 3600 IN TXT "mailroom-verification=\w{32}"$/);
  assert.ok(lines.some((line) => /IN MX 10 \S+\.$/.test(line)));
  // A string of a TXT record has at most 255 bytes.
  assert.ok(lines.some((line) => /IN TXT "v=DKIM1; k=rsa; [^"]+" "[^"]+"$/.test(line)));
  assert.ok(lines.every((line) => /^; |^\S+\. 3600 IN (?:TXT|MX) /.test(line)));
  const early = await mailroom(['domains', 'verify', domain]);
  assert.equal(early.status, 1);
  assert.match(early.stderr, /is pending: DNS has no TXT record/);
  const shown = JSON.parse((await mailroom(['domains', 'show', domain, '--json'])).stdout) as DomainView;
  dns.zone = published(shown);
  const verified = await mailroom(['domains', 'verify', domain]);
  assert.deepEqual([verified.status, /is verified\./.test(verified.stderr)], [0, true], verified.stderr);
  const rotated = await mailroom(['domains', 'rotate', domain]);
  assert.equal(rotated.status, 0, rotated.stderr);
  assert.match(rotated.stdout, /^mailroom-ed25519-2\._domainkey\.\S+ 3600 IN TXT "v=DKIM1; k=ed25519; /m);
  assert.match((await mailroom(['domains'])).stdout, new RegExp(`${domain}\\s+verified`));
  assert.equal((await mailroom(['domains', 'rm', domain])).status, 2);
  assert.equal((await mailroom(['domains', 'rm', domain, '--yes'])).status, 0);
  assert.deepEqual(JSON.parse((await mailroom(['domains', '--json'])).stdout), []);
});

test('a domain that is refused says why', async () => {
  const { status, stderr } = await mailroom(['domains', 'add', 'co.uk']);
  assert.notEqual(status, 0);
  assert.match(stderr, /anyone can register/);
});
