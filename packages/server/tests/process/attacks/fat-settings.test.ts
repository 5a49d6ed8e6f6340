import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, attack } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { amount } from '../../../../../tests/soak/length.ts';

/** A size that versions without `LIMIT_SETTINGS` accepted. */
const FAT = 1_900_000;
const MAILBOXES = amount(6, 40);
const ROUNDS = amount(1, 2);

const behavior = {
  name: 'do',
  settings: {
    procedures: [
      { name: 'fat', description: 'Fat.', steps: [{ task: 'text', input: { op: 'say', text: 'x'.repeat(FAT) } }] },
    ],
  },
};

test('lists of mailboxes with settings of megabytes are answered as if they had none', async () => {
  const report = await attack({ env: { LIMIT_SETTINGS: '2097152' } }, async (service) => {
    const { api, newMailbox } = connect(service.url);
    const home = { id: '', name: 'agents', key: service.ownerKey, keyId: '' };
    for (let i = 0; i < MAILBOXES; i++) await newMailbox(home, { local_part: `fat-${i}`, behavior });
    const paths = ['/mailboxes?limit=200', '/namespaces/agents', '/namespaces/agents/mailboxes?limit=200', '/events'];
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(paths.map((path) => api('GET', path, { key: service.ownerKey })));
      for (const { status, text } of answers) {
        assert.equal(status, 200, text.slice(0, 500));
        assert.ok(text.length < 200_000, `A list of ${text.length} characters.`);
      }
      const pages = ['/', '/agents', '/agents.md', '/llms.txt', '/sitemap.xml', '/?query=fat'];
      for (const answer of await Promise.all(pages.map((path) => fetch(service.url + path)))) {
        assert.equal(answer.status, 200, answer.url);
        await answer.text();
      }
    }
  });
  assertHeld(report);
});
