import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Visitor, visitorOf } from '../../../../../tests/harness/console.ts';
import { formData } from '../../../../../tests/harness/form.ts';
import type { Node } from '../../../../../tests/harness/nodes.ts';
import { openStream } from '../../../../../tests/harness/stream.ts';
import { until } from '../../../../../tests/harness/until.ts';
import { a, b, home } from './shared.ts';

/** The same URL, with an address as its host, for which a browser keeps cookies. */
const hostOf = (url: string): string => url.replace('localhost', '127.0.0.1');

/** An owner with a key of their own, who is signed in at one node. */
async function ownerAt({ client }: Node, name: string): Promise<Visitor> {
  const owner = visitorOf(hostOf(client.url));
  assert.equal((await owner.signIn((await client.newKey(home, { scopes: ['owner'], name })).secret)).status, 303);
  return owner;
}

test('of two owners who answer one message at two nodes each sees the other writing, and the second is asked', async () => {
  const { address } = await a.client.newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const { id } = (await a.client.send(home.key, { to: address, body: 'Which rooms are free?' })).body;
  const [page, action] = [`/console/messages/${id}`, `/console/answers/${id}`];
  const [mara, noor] = await Promise.all([ownerAt(a, 'Mara'), ownerAt(b, 'Noor')]);
  const form = async (owner: Visitor, body: string, button: string): Promise<URLSearchParams> => {
    const fields = formData((await owner.get(page)).html, { button: ['do', button] });
    fields.set('body', body);
    return fields;
  };
  const stream = await openStream(`${hostOf(b.client.url)}/console/live`, { cookie: noor.cookie });
  try {
    await until(5_000, async () => stream.lastId(), Boolean);
    const late = await form(noor, 'The green one.', 'completed');
    await mara.post(action, await form(mara, 'The bl', 'keep'));
    await until(
      5_000,
      async () => stream.events.filter(({ event }) => event === 'writing').map(({ data }) => JSON.parse(data)),
      (all) => all.some(({ id: of, names }) => of === id && String(names) === 'Mara'),
    );
    assert.equal((await mara.post(action, await form(mara, 'The blue one.', 'completed'))).status, 303);
    const asked = await noor.post(action, late);
    assert.equal(asked.status, 409);
    assert.match(asked.html.replace(/<[^>]*>/g, ''), /Mara answered at.*The blue one\./s);
    assert.equal(formData(asked.html).get('body'), 'The green one.');
  } finally {
    stream.close();
  }
});
