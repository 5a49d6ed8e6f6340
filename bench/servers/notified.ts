/** The notices of some nodes, in one process: publishes settlements at a rate, and counts what the others receive. */
import { newId } from '@mailroom/behavior/values/ids';
import { clientConfig } from '@mailroom/server/store/postgres/connection';
import { Notices } from '@mailroom/server/store/postgres/notices';

const [url = '', nodes = '1', rate = '0'] = process.argv.slice(2);
const TICK_MS = 5;
const all = Array.from({ length: Number(nodes) }, () => new Notices(clientConfig(url)));
let received = 0;
for (const node of all) {
  await node.start();
  node.subscribe((notice) => {
    if (notice.kind === 'settled') received += notice.ids.length;
  });
}
let published = 0;
const from = performance.now();
const timer = setInterval(() => {
  const due = ((performance.now() - from) / 1000) * Number(rate);
  for (; published < due; published++)
    all[published % all.length]?.publish({ kind: 'settled', ids: [newId('msg', Date.now())] });
}, TICK_MS);
process.on('message', async (what) => {
  if (what === 'count') process.send?.({ published, received });
  else clearInterval(timer);
  if (what === 'end') {
    for (const node of all) await node[Symbol.asyncDispose]();
    process.disconnect?.();
  }
});
process.send?.('ready');
