import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Behavior } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api } = connect(service.url);
const { items } = (await api<{ items: Behavior[] }>('GET', '/behaviors')).body;

test('anyone sees what a mailbox can do', async () => {
  const answer = await api<{ items: Behavior[] }>('GET', '/behaviors');
  assert.equal(answer.status, 200);
  const names = answer.body.items.map((behavior) => behavior.name);
  assert.ok(names.includes('hello') && names.includes('proofread'), names.join());
  assert.equal(new Set(names).size, names.length);
});

for (const behavior of items) {
  test(`${behavior.name} says what it does, how it is set and what it answers`, () => {
    const fields = ['description', 'example', 'name', 'settings_schema', 'title'];
    assert.deepEqual(Object.keys(behavior).sort(), behavior.name === 'do' ? [...fields, 'tasks'].sort() : fields);
    assert.ok(behavior.title !== '' && behavior.description !== '');
    assert.equal(behavior.settings_schema.type, 'object');
    // What a program of the owner answers is not known before.
    assert.equal(behavior.example === null, behavior.name === 'agent');
  });
}

test('the settings of hello and proofread are those of the contract', () => {
  const properties = (name: string) =>
    items.find((behavior) => behavior.name === name)?.settings_schema.properties as Record<string, unknown>;
  for (const name of ['name', 'introduction', 'links', 'languages']) assert.ok(name in properties('hello'), name);
  const dialect = JSON.stringify(properties('proofread').dialect);
  for (const name of ['american', 'british', 'australian', 'canadian', 'indian']) {
    assert.ok(dialect.includes(`"${name}"`), name);
  }
  assert.match(JSON.stringify(properties('proofread').engine), /"enum":\["harper","model"\].*falls back to Harper/);
});
