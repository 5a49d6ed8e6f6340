import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const { url } = await sharedService();
const { api, newNamespace, newMailbox, newKey, send } = connect(url);

interface Figures {
  readonly arrived: number;
  readonly failed: number;
  readonly answered: number;
}
interface Overview {
  readonly mailboxes: readonly { readonly address: string; readonly unread: number }[];
  readonly mailbox_count: number;
  readonly unread: number;
  readonly labels: readonly string[];
  readonly to_approve: { readonly count: number; readonly more: boolean };
  readonly storage: { readonly bytes: number; readonly max_bytes: number; readonly nearly_full: boolean };
}
interface Activity {
  readonly total: Figures;
  readonly buckets: readonly Figures[];
  readonly mailboxes: readonly (Figures & { readonly mailbox: { readonly id: string; readonly address: string } })[];
  readonly arrived: Readonly<Record<string, number>>;
}

test('the overview of a namespace lists the busiest mailboxes first, with what is unread, labeled and stored', async () => {
  const home = await newNamespace();
  const quiet = await newMailbox(home, { behavior: HELLO });
  const busy = await newMailbox(home, { behavior: HELLO });
  const { body: sent } = await api<{ id: string }>('POST', '/mail/send', {
    key: home.key,
    body: { to: busy.address, body: 'Hi', sync: true },
  });
  const labels = { add: ['invoices'] };
  await api('PATCH', `/mail/messages/${sent.id}`, { key: home.key, body: { labels } });
  const { body } = await api<Overview>('GET', `/namespaces/${home.name}/overview`, { key: home.key });
  assert.deepEqual(
    body.mailboxes.map(({ address, unread }) => [address, unread]),
    [
      [busy.address, 1],
      [quiet.address, 0],
    ],
  );
  assert.deepEqual([body.mailbox_count, body.unread, body.labels], [2, 1, ['invoices']]);
  assert.deepEqual(body.to_approve, { count: 0, more: false });
  assert.ok(body.storage.bytes > 0 && body.storage.bytes < body.storage.max_bytes && !body.storage.nearly_full);
});

test('the activity of a namespace counts what arrived and was answered, of all mailboxes or of one', async () => {
  const home = await newNamespace();
  const [one, other] = [await newMailbox(home, { behavior: HELLO }), await newMailbox(home, { behavior: HELLO })];
  for (const { address } of [one, one, other]) await send(home.key, { to: address, body: 'Hi', sync: true });
  const path = `/namespaces/${home.name}/activity`;
  const { body } = await api<Activity>('GET', path, { key: home.key });
  assert.equal(body.buckets.length, 24);
  assert.deepEqual([body.total.arrived, body.total.answered, body.total.failed], [3, 3, 0]);
  assert.deepEqual(
    body.mailboxes.map(({ mailbox, arrived }) => [mailbox.address, arrived]),
    [
      [one.address, 2],
      [other.address, 1],
    ],
  );
  assert.deepEqual(
    Object.values(body.arrived).sort((a, b) => a - b),
    [1, 2],
  );
  const { body: month } = await api<Activity>('GET', `${path}?span=30d&mailbox=${other.address}`, { key: home.key });
  assert.equal(month.buckets.length, 30);
  assert.equal(month.total.arrived, 1);
});

test('the overview and the activity are for keys that read all messages of the namespace', async () => {
  const [home, stranger] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: HELLO });
  const sends = await newKey(home, { scopes: ['mail:send'] });
  const bound = await newKey(home, { scopes: ['messages:read'], mailbox: address });
  for (const what of ['overview', 'activity']) {
    const path = `/namespaces/${home.name}/${what}`;
    isProblem(await api('GET', path), 'missing_key');
    isProblem(await api('GET', path, { key: sends.secret }), 'insufficient_scope');
    isProblem(await api('GET', path, { key: stranger.key }), 'access_denied');
    isProblem(await api('GET', path, { key: bound.secret }), 'access_denied');
  }
});
