import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unique } from '../../../../../tests/harness/client.ts';
import {
  addDomain,
  claimFor,
  domainsPath,
  published,
  verifiedDomain,
  verifyDomain,
} from '../../../../../tests/harness/domains.ts';
import { mailText, sendMail } from '../../../../../tests/harness/mail.ts';
import { until } from '../../../../../tests/harness/until.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import type { Store } from '../../../core/ports/store.ts';
import { openStore } from '../../../store/open.ts';
import { a, b, dns, nodes, smtpPort } from './shared.ts';

// Domains that are verified and removed through one node while the other receives mail.
const WAIT_MS = 60_000;
let store: Store;
before(async () => {
  store = await openStore(nodes.database, { alongside: true });
});
after(() => store[Symbol.asyncDispose]());
const newHome = async () => {
  const [home, by] = [await a.client.newNamespace(), await a.client.newNamespace()];
  await claimFor(home, (await a.client.newMailbox(by)).id, store);
  return home;
};
const write = (to: string): Promise<string> => {
  const from = `${unique('ada')}@example.org`;
  return sendMail(smtpPort, { from, to: [to], text: mailText({ From: from, To: to, Subject: 'Hi' }, 'Who are you?') });
};

test('another node receives mail to a domain soon after it is verified, and refuses it soon after it is removed', async () => {
  const home = await newHome();
  const domain = `${unique('mail')}.example.com`;
  const { local_part, address } = await a.client.newMailbox(home);
  const alias = `${local_part}@${domain}`;
  assert.match(await write(alias), /^550 5\.1\.1 /);
  await verifiedDomain(a.client, home, domain, dns);
  await until(
    WAIT_MS,
    () => write(alias),
    (reply) => reply.startsWith('250'),
  );
  const sent = await b.client.send(home.key, { to: alias, body: 'Hello', sync: true });
  assert.deepEqual([sent.status, sent.body.to], [200, address]);
  await a.client.api('DELETE', `${domainsPath(home)}/${domain}`, { key: home.key });
  await until(
    WAIT_MS,
    () => write(alias),
    (reply) => reply.startsWith('550 5.1.1 '),
  );
});

test('of two namespaces that verify a domain through two nodes at once, one has it', async () => {
  for (let round = 0; round < amount(1, 3); round++) {
    const [first, second] = [await newHome(), await newHome()];
    const domain = `${unique('mail')}.example.com`;
    dns.zone = published(await addDomain(a.client, first, domain), await addDomain(b.client, second, domain));
    const answers = await Promise.all([verifyDomain(a.client, first, domain), verifyDomain(b.client, second, domain)]);
    assert.deepEqual(answers.map(({ status }) => `${status}`).toSorted(), ['200', '409']);
  }
});
