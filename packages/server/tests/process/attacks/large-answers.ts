import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { attack } from './shared.ts';

const MIB = 1024 * 1024;
const NESTED = 'let a=Array(31000).fill(1);for(let i=0;i<110;i++)a=[a];return a';
const READS = amount(16, 40);
const SENDS = amount(2, 8);

/** The size of a reply on the wire, as JSON. */
const bytesOf = ({ reply }: { readonly reply: { readonly body: string; readonly data: unknown } | null }): number =>
  Buffer.byteLength(JSON.stringify(reply?.body ?? '')) + Buffer.byteLength(JSON.stringify(reply?.data ?? null));

test('a message of 350 bytes makes no answer of megabytes, however often it is read and listed', async () => {
  const report = await attack(async ({ url }) => {
    const { api, tryOut, newNamespace, newMailbox, send } = connect(url.replace('localhost', '127.0.0.1'));
    const home = await newNamespace();
    const { address: to } = await newMailbox(home, { behavior: { name: 'do' }, access: 'public', try_out: true });
    const body = Array.from({ length: 4 }, () => `run this script:\n\`\`\`js\n${NESTED}\n\`\`\``).join('\n\n');
    const tried = await tryOut({ to, body }, { prefer: 'wait=10' });
    assert.equal(tried.body.status, 'completed', tried.text);
    assert.ok(bytesOf(tried.body) <= MIB, `${bytesOf(tried.body)}`);
    const steps = Array.from({ length: 4 }, () => ({ task: 'run', input: { code: NESTED } }));
    for (let at = 0; at < SENDS; at++) {
      const sent = await send(home.key, { to, body: 'x', data: { steps }, sync: true });
      assert.ok(bytesOf(sent.body) <= MIB, `${bytesOf(sent.body)}`);
    }
    const read = (path: string) => api('GET', path, { key: home.key });
    const found = await Promise.all(
      Array.from({ length: READS }, (_, at) =>
        read(at % 2 === 0 ? `/mail/messages/${tried.body.id}` : '/mail/messages?limit=200'),
      ),
    );
    assert.deepEqual([...new Set(found.map(({ status }) => status))], [200]);
    const thread = await api('GET', `/mail/threads/${tried.body.thread_id}`, { key: tried.body.thread_token });
    assert.equal(thread.status, 200);
  });
  assertHeld(report);
});
