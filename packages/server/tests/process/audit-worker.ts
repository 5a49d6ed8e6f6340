// Changes keys and a mailbox of a namespace in the database of its first argument, until it is killed.
import { newId } from '@mailroom/behavior/values/ids';
import { makeKey } from '../../core/access/key-registry.ts';
import { openStore } from '../../store/open.ts';

const [url = '', name = '', mailboxId = ''] = process.argv.slice(2);
const CALLERS = 8;
const store = await openStore(url);
const namespace = await store.namespaces.byName(name);
if (namespace === undefined) throw new Error(`There is no namespace ${name}.`);

async function change(caller: number): Promise<void> {
  for (let count = 0; ; count++) {
    const { key } = makeKey(
      namespace as { id: string; name: string },
      { scopes: ['mail:send'], name: null },
      Date.now(),
    );
    await store.keys.create(key);
    if (count % 2 === 0) await store.keys.revoke(key.id, key.namespace_id, Date.now());
    await store.mailboxes.change(
      mailboxId,
      { description: `${caller} ${count} ${newId('req', Date.now())}` },
      Date.now(),
    );
  }
}

const changes = Array.from({ length: CALLERS }, (_, caller) => change(caller));
process.stdout.write('ready\n');
await Promise.all(changes);
