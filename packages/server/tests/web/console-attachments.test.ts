import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole } from '../../../../tests/harness/console.ts';

const { client, visitor } = await openConsole();
const { newNamespace, newMailbox, send } = client;

test('the console shows the files of a message and downloads them, for its owner alone', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const box = await newMailbox(home);
  const attachments = [
    { filename: '<b>prices 👩‍🚀.csv', content_type: 'text/csv', content: 'YSxiCjEsMgo=' },
    { filename: 'empty.txt', content: '' },
  ];
  const { body } = await send(home.key, { to: box.address, body: 'See the files.', attachments, sync: true });
  const owner = visitor();
  await owner.signIn(home.key);
  const { html } = await owner.get(`/console/messages/${body.id}`);
  assert.ok(html.includes('&lt;b&gt;prices 👩‍🚀.csv</a>'), html.slice(0, 200));
  const [, path = ''] = /href="[./]*(console\/attachments\/att_[^"]+)"/.exec(html) ?? [];
  assert.equal(path, `console/attachments/${body.attachments[0]?.id}`);
  assert.ok(html.includes('8 bytes') && html.includes('0 bytes'));
  assert.equal((await owner.get(`/${path}`)).html, 'a,b\n1,2\n');
  const stranger = visitor();
  await stranger.signIn(other.key);
  assert.equal((await stranger.get(`/${path}`)).status, 404);
  assert.notEqual((await visitor().get(`/${path}`)).status, 200);
  assert.equal((await owner.get('/console/attachments/att_00000000000000000000')).status, 404);
});
