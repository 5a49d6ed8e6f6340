import { randomBytes } from 'node:crypto';
import { BY_HAND, type Flood } from '../harness/flood-client.ts';
import { HELLO, QUESTION } from '../harness/service.ts';

const KIB = 1024;
const LONG = `${QUESTION} `.repeat(2_000);
const address = (local: string): string => `${local}@agents.mailroom.localhost`;

/** Takes as much processor time as a flood does, and sends nothing, so that noise can be told apart. */
export const control: Flood = {
  name: 'control',
  begin: async (attacker) => async () => {
    while (!attacker.over) {
      const until = performance.now() + 5;
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
};

const guests: Flood = {
  name: 'sends of guests',
  begin: async (attacker) => () =>
    attacker.loop(16, (network, at) =>
      attacker.api(network, '/mail/try', {
        body: { to: at % 2 === 0 ? HELLO : address('proofread'), body: 'x y '.repeat(2 * KIB) },
      }),
    ),
};

const SENDS = [
  { to: HELLO, body: QUESTION, sync: true },
  { to: HELLO, body: 'x'.repeat(256 * KIB) },
  { to: address('proofread'), body: LONG },
  { to: address('do'), body: 'calculate 17 * 23, then convert the result from miles to km', sync: true },
  { to: address('do'), body: 'do this', data: { steps: [{ task: 'run', input: { code: 'for (;;);' } }] } },
  { to: address('do'), body: `${'send '.repeat(2_000)}hello` },
];

const keys: Flood = {
  name: 'sends of keys',
  async begin(attacker) {
    const home = await attacker.homes();
    return () =>
      attacker.loop(16, (network, at) =>
        attacker.api(network, '/mail/send', { key: home(network).key, body: SENDS[at % SENDS.length] }),
      );
  },
};

const GARBAGE = [
  JSON.stringify(Object.fromEntries(Array.from({ length: 140_000 }, (_, at) => [`field${at}`, at]))),
  `[${'0,'.repeat(900_000)}0]`,
  '['.repeat(KIB * KIB),
  `{"to":"${'\\u0041'.repeat(300_000)}"}`,
  `{"x":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
];

const refused: Flood = {
  name: 'documents that are refused',
  async begin(attacker) {
    const home = await attacker.homes();
    const paths = ['/mail/send', '/mail/drafts', '/namespaces', '/mail/try', '/webhooks', '/keys'];
    return () =>
      attacker.loop(4, (network, at) =>
        attacker.api(network, paths[at % paths.length] as string, {
          key: at % 2 === 0 ? home(network).key : undefined,
          body: GARBAGE[at % GARBAGE.length],
        }),
      );
  },
};

const drafts: Flood = {
  name: 'drafts',
  async begin(attacker) {
    const home = await attacker.homes();
    const content = randomBytes(512 * KIB).toString('base64');
    return () =>
      attacker.loop(8, async (network, at) => {
        const { key } = home(network);
        const file = { filename: 'a.bin', content_type: 'application/octet-stream', content };
        const draft = { to: HELLO, body: 'x'.repeat(100 * KIB), ...(at % 4 === 0 && { attachments: [file] }) };
        const made = await attacker.api(network, '/mail/drafts', { key, body: draft });
        if (made.status !== 201) return attacker.api(network, '/mail/drafts?limit=200', { key });
        const path = `/mail/drafts/${made.json().id}`;
        await attacker.api(network, path, { method: 'PATCH', key, body: { body: 'y'.repeat(100 * KIB) } });
        if (at % 2 === 0) return attacker.api(network, `${path}/send`, { key, body: {} });
        return attacker.api(network, path, { method: 'DELETE', key });
      });
  },
};

const labels: Flood = {
  name: 'labels and states of many messages',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const ids = new Map<string, string[]>();
    for (const network of attacker.networks) {
      const { key, address: to } = home(network);
      const sent = Array.from({ length: 60 }, async () => {
        const { status, json } = await attacker.api(network, '/mail/send', { key, body: { to, body: QUESTION } });
        return status === 202 ? (json().id as string) : undefined;
      });
      ids.set(
        network,
        (await Promise.all(sent)).filter((id) => id !== undefined),
      );
    }
    return () =>
      attacker.loop(16, (network, at) => {
        const { key, address: to } = home(network);
        const all = ids.get(network) ?? [];
        const id = all[at % all.length];
        const add = Array.from({ length: 20 }, (_, label) => `label-${at % 7}-${label}`);
        const change = at % 2 === 0 ? { add } : { remove: ['unread', ...add] };
        if (at % 8 === 7) return attacker.api(network, `/mailboxes/${to}/messages?limit=200&label=label-1-1`, { key });
        return attacker.api(network, `/mail/messages/${id}`, { method: 'PATCH', key, body: { labels: change } });
      });
  },
};

const claims: Flood = {
  name: 'claims, answers and progress',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    return () =>
      attacker.loop(16, async (network, at) => {
        const { key, address: to } = home(network);
        if (at % 2 === 0) return attacker.api(network, '/mail/send', { key, body: { to, body: QUESTION, sync: true } });
        const claimed = await attacker.api(network, `/mailboxes/${to}/claim`, {
          key,
          body: { max: 64, wait: at % 4 === 1 ? 1 : 0 },
        });
        for (const { message, claim } of claimed.status === 200 ? claimed.json().items : []) {
          const path = `/mail/messages/${message.id}`;
          await attacker.api(network, `${path}/progress`, { key, body: { claim, draft: 'x'.repeat(50 * KIB) } });
          await attacker.api(network, `${path}/release`, { key, body: { claim } });
          await attacker.api(network, `${path}/answer`, { key, body: { body: 'y'.repeat(200 * KIB) } });
        }
        return claimed;
      });
  },
};

const namespaces: Flood = {
  name: 'namespaces, mailboxes and keys',
  async begin(attacker) {
    const home = await attacker.homes();
    return () =>
      attacker.loop(16, (network, at) => {
        const { key, name } = home(network);
        const mailbox = { local_part: attacker.unique('m'), behavior: { name: 'hello', settings: { name: 'x' } } };
        if (at % 3 === 0) return attacker.api(network, '/namespaces', { body: { name: attacker.unique('n') } });
        if (at % 3 === 1) return attacker.api(network, `/namespaces/${name}/mailboxes`, { key, body: mailbox });
        return attacker.api(network, '/keys', { key, body: { scopes: ['mail:send'] } });
      });
  },
};

const challenges: Flood = {
  name: 'challenges and false solutions',
  begin: async (attacker) => () =>
    attacker.loop(16, async (network, at) => {
      const challenge = await attacker.api(network, '/challenges', { method: 'POST' });
      const altcha = Buffer.from(challenge.status < 300 ? challenge.text : randomBytes(6_000)).toString('base64');
      return attacker.api(network, '/mail/try', {
        headers: { altcha: at % 3 === 0 ? altcha.slice(0, 9_000) : altcha },
        body: { to: HELLO, body: QUESTION },
      });
    }),
};

export const SENDING: readonly Flood[] = [guests, keys, refused, drafts, labels, claims, namespaces, challenges];
