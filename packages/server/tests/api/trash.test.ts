import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const inside = await startInside();
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, all } = inside.client;

const trash = (key: string, id: string, what = 'trash') =>
  api<Envelope>('POST', `/mail/messages/${id}/${what}`, { key });
const received = (key: string, address: string, query = '') =>
  all<Envelope>(`/mailboxes/${address}/messages${query}`, key);

async function exchange() {
  const [from, to] = [await newNamespace(), await newNamespace()];
  const [sender, mailbox] = [await newMailbox(from), await newMailbox(to)];
  const fields = { from: sender.address, to: mailbox.address, body: `Hello ${unique()}`, sync: true };
  const { body } = await send(from.key, fields);
  return { from, to, sender, mailbox, id: body.id, text: body.body };
}

test('the trash takes a message out of the lists, counts and searches of its own view alone, and gives it back', async () => {
  const { from, to, sender, mailbox, id, text } = await exchange();
  const trashed = await trash(to.key, id);
  assert.equal(trashed.status, 200, trashed.text);
  assert.ok(trashed.body.labels?.includes('trash'));
  assert.deepEqual(await received(to.key, mailbox.address), []);
  assert.deepEqual(await received(to.key, mailbox.address, '?label=unread'), []);
  assert.deepEqual(await received(to.key, mailbox.address, `?query=${encodeURIComponent(text)}`), []);
  assert.deepEqual(await received(to.key, mailbox.address, '?newest_of=thread'), []);
  assert.deepEqual(await all('/mail/messages?direction=all', to.key), []);
  assert.deepEqual(
    (await received(to.key, mailbox.address, '?label=trash')).map((one) => one.id),
    [id],
  );
  const mine = (path: string) => all<Envelope>(path, from.key);
  assert.deepEqual(
    (await mine('/mail/messages')).map((one) => one.id),
    [id],
  );
  assert.equal((await read(from.key, id)).body.labels?.includes('trash'), false);
  assert.equal((await trash(to.key, id, 'restore')).status, 200);
  assert.deepEqual(
    (await received(to.key, mailbox.address)).map((one) => one.id),
    [id],
  );
  await trash(from.key, id);
  assert.deepEqual(await mine('/mail/messages'), []);
  assert.deepEqual(await mine(`/mailboxes/${sender.address}/messages?direction=sent`), []);
  assert.deepEqual(
    (await received(to.key, mailbox.address)).map((one) => one.id),
    [id],
  );
});

test('after its days it is gone from that view, and from the store once no view has it', async () => {
  const { from, to, mailbox, id } = await exchange();
  await trash(to.key, id);
  const gone = async (key: string) => (await read(key, id)).status;
  inside.pass(31 * DAY);
  assert.equal(
    (
      await until(
        20_000,
        () => gone(to.key),
        (status) => status === 404,
      )
    ).seen,
    404,
  );
  assert.deepEqual(await received(to.key, mailbox.address, '?label=trash'), []);
  isProblem(
    await trash(to.key, id, 'restore').then((one) => (one.status === 200 ? read(to.key, id) : one)),
    'message_not_found',
  );
  assert.equal(await gone(from.key), 200);
  await trash(from.key, id);
  inside.pass(31 * DAY);
  const left = async () => (await inside.store.messages.byId(id)) === undefined;
  assert.equal((await until(20_000, left, (over) => over)).seen, true);
});

test('a message that waits is canceled when its recipient puts it into the trash, and not when its sender does', async () => {
  const [from, to] = [await newNamespace(), await newNamespace()];
  const mailbox = await newPaused(to);
  const { body } = await send(from.key, { to: mailbox.address, body: 'Hi' });
  assert.equal((await trash(from.key, body.id)).body.status, 'submitted');
  assert.equal((await trash(to.key, body.id)).body.status, 'canceled');
});

test('only keys of a view use its trash', async () => {
  const { to, mailbox, id } = await exchange();
  const stranger = await newNamespace();
  isProblem(await trash(stranger.key, id), 'message_not_found');
  const reader = await newKey(to, { name: 'r', scopes: ['messages:read'] });
  isProblem(await trash(reader.secret, id), 'access_denied');
  const answers = await newKey(to, { name: 'a', scopes: ['mail:answer'], mailbox: mailbox.address });
  assert.equal((await trash(answers.secret, id)).status, 200);
});

test('a batch says what became of each message, in their order', async () => {
  const { to, mailbox, id } = await exchange();
  const other = `msg_${id.slice(4).replace(/./g, '0')}`;
  const batch = (body: unknown) =>
    api<{ items: { id: string; status: number; error?: { code: string } }[] }>('POST', '/mail/messages/batch', {
      key: to.key,
      body,
    });
  const done = await batch({ ids: [id, other], labels: { add: ['later'], remove: ['unread'] }, trash: true });
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(
    done.body.items.map((one) => [one.id, one.status, one.error?.code]),
    [
      [id, 200, undefined],
      [other, 404, 'message_not_found'],
    ],
  );
  assert.deepEqual((await read(to.key, id)).body.labels, ['later', 'trash']);
  await batch({ ids: [id], restore: true });
  assert.equal((await received(to.key, mailbox.address)).length, 1);
  for (const bad of [
    { ids: [] },
    { ids: [id] },
    { ids: [id], trash: true, restore: true },
    { ids: [id, id], trash: true },
  ])
    isProblem(await batch(bad), 'validation_error');
  isProblem(await batch({ ids: Array.from({ length: 201 }, () => unique('msg_')), trash: true }), 'validation_error');
});

test('labels of the service are not for callers, and do not count', async () => {
  const { from, to, sender, mailbox, id } = await exchange();
  for (const label of ['trash', 'spam', 'cc', 'quarantine', 'finding/secret']) {
    const change = (labels: unknown) => api('PATCH', `/mail/messages/${id}`, { key: to.key, body: { labels } });
    isProblem(await change({ add: [label] }), 'validation_error', '/labels/add/0');
    isProblem(await change({ remove: [label] }), 'validation_error', '/labels/remove/0');
    const sent = await send(from.key, { from: sender.address, to: mailbox.address, body: 'Hi', labels: [label] });
    isProblem(sent, 'validation_error', '/labels/0');
  }
  await trash(to.key, id);
  const many = Array.from({ length: 20 }, (_, at) => `l${at}`);
  const full = await api<Page<Envelope>>('PATCH', `/mail/messages/${id}`, {
    key: to.key,
    body: { labels: { add: many } },
  });
  assert.equal(full.status, 200, full.text);
});
