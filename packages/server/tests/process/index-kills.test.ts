import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../../tests/harness/client.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';

// Long form of: crash.test.ts, ../api/search.test.ts.

const KILLS = amount(1, 20);
const folder = newFolder();
after(() => removeFolder(folder));

test(`killed ${KILLS} times while it writes, it finds every message that it acknowledged, and none that was deleted`, async () => {
  const start = () => startService({ folder, env: { SEARCH_INDEX: 'on', LOG_LEVEL: 'fatal' } });
  let service = await start();
  const home = await connect(service.url).newNamespace();
  const { address } = await connect(service.url).newMailbox(home);
  const living = new Map<string, string>();
  const deleted = new Map<string, string>();
  let count = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { api, send } = connect(service.url);
    let over = false;
    const writing = Array.from({ length: 4 }, async () => {
      while (!over) {
        const word = `w${count++}x`;
        const sent = await send(home.key, { to: address, body: `${word} here`, sync: true }).catch(() => undefined);
        if (sent?.status !== 200) continue;
        living.set(word, sent.body.id);
        if (count % 5 > 0) continue;
        const gone = await api('DELETE', `/mail/messages/${sent.body.id}`, { key: home.key }).catch(() => undefined);
        living.delete(word);
        if (gone?.status === 204) deleted.set(word, sent.body.id);
      }
    });
    await sleep(1_500 + randomInt(1_500));
    await service.kill();
    over = true;
    await Promise.all(writing);
    service = await start();
  }
  const { api } = connect(service.url);
  const find = async (word: string): Promise<string[]> => {
    const answer = await api<{ items: { message: { id: string } }[] }>('GET', `/mail/search?query=${word}`, {
      key: home.key,
    });
    return answer.status === 200 ? answer.body.items.map(({ message }) => message.id) : ['unavailable'];
  };
  const [last = ''] = [...living.keys()].slice(-1);
  await until(
    5_000,
    () => find(last),
    (found) => found[0] === living.get(last),
  );
  assert.ok(living.size > 10 && deleted.size > 0, `${living.size} written, ${deleted.size} deleted`);
  for (const [word, id] of living) assert.deepEqual(await find(word), [id], word);
  for (const word of deleted.keys()) assert.deepEqual(await find(word), [], word);
  await service.stop();
});
