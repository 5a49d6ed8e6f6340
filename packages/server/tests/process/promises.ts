import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Answer, type Client, type Home, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import type { Envelope, KeyWithSecret, Mailbox, ThreadItem } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

type Kind = 'sync' | 'async' | 'held' | 'to be canceled' | 'canceled';

/** What the service has answered about a message, which must stay true. */
interface Promised {
  readonly kind: Kind;
  readonly envelope: Envelope;
}

/** Mailboxes of one owner, and all that the service has promised about them. */
export interface Round {
  readonly home: Home;
  readonly hello: string;
  readonly proofread: string;
  readonly paused: string;
  /** Mailboxes with behaviors of `proof-main.ts`. */
  readonly proof: { readonly slow: string; readonly stumbling: string; readonly toggled: string } | undefined;
  /** A mailbox that writes to others and gets their replies filed. */
  readonly from: string;
  readonly promised: Map<string, Promised>;
  /** Idempotency keys that were sent, with the ids in their answers, if any. */
  readonly idempotent: Map<string, { readonly fields: object; readonly ids: Set<string> }>;
  readonly revoked: KeyWithSecret[];
  readonly deleted: string[];
  readonly descriptions: string[];
}

/** Reports a broken promise with its description. */
export type OnBroken = (text: string) => void;

export interface Load {
  /** Reproducible random numbers. */
  readonly random: () => number;
  /** Some texts to proofread, each a hundred times the work of a usual message. */
  readonly withProofread?: boolean;
}

const WORKERS = 12;
/**
 * The pause of a worker between its acts. Without it the load takes all of the processor while it waits for a write that
 * depends on time, such as the renewal of a lease.
 */
const REST_MS = amount(25, 10);

/** Makes a new owner; `proof` when the service is `proof-main.ts`. */
export async function setUp(client: Client, proof: boolean): Promise<Round> {
  const home = await client.newNamespace();
  const address = async (fields: Parameters<Client['newMailbox']>[1] = {}): Promise<string> =>
    (await client.newMailbox(home, fields)).address;
  const [hello, proofread, paused, from] = await Promise.all([
    address(),
    address({ behavior: PROOFREAD }),
    client.newPaused(home).then((mailbox) => mailbox.address),
    address(),
  ]);
  const proofs = async () => ({
    slow: await address({ behavior: { name: 'gated' } }),
    stumbling: await address({ behavior: { name: 'stumbling' } }),
    toggled: await address(),
  });
  return {
    home,
    hello,
    proofread,
    paused,
    from,
    proof: proof ? await proofs() : undefined,
    promised: new Map(),
    idempotent: new Map(),
    revoked: [],
    deleted: [],
    descriptions: [],
  };
}

/** Sends a mixed load until the connection breaks; returns how many requests were cut off. */
export async function load(client: Client, round: Round, { random, withProofread = false }: Load): Promise<number> {
  const { home, promised, proof } = round;
  let cut = 0;
  const record = (kind: Kind, answer: Answer<Envelope>): void => {
    if (answer.status >= 300) return;
    const { id } = answer.body;
    const before = promised.get(id);
    // The latest answer about a message replaces earlier ones.
    if (before === undefined || before.envelope.settled_at === null) promised.set(id, { kind, envelope: answer.body });
  };
  const text = () => unique('text ');
  const send = (to: string, sync: boolean, more: object = {}) =>
    client.send(home.key, { to, body: text(), sync, ...more });
  const sent = async (to: string, sync: boolean, more?: object): Promise<void> =>
    record(sync ? 'sync' : 'async', await send(to, sync, more));
  const sendTwice = async (sync: boolean): Promise<void> => {
    const key = unique('once-');
    const fields = { to: round.hello, body: text(), sync };
    const ids = new Set<string>();
    round.idempotent.set(key, { fields, ids });
    const both = await Promise.allSettled([1, 2].map(() => client.send(home.key, fields, { 'idempotency-key': key })));
    for (const one of both) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value.status < 300) ids.add(one.value.body.id);
      record(sync ? 'sync' : 'async', one.value);
    }
  };
  const canceled = async (to: string, more?: object): Promise<void> => {
    const answer = await send(to, false, more);
    record('to be canceled', answer);
    const path = `/mail/messages/${answer.body.id}/cancel`;
    const headers = { 'idempotency-key': unique('cancel-') };
    record('canceled', await client.api<Envelope>('POST', path, { key: home.key, headers }));
  };
  const acts: [number, () => Promise<unknown>][] = [
    [5, () => sent(round.hello, true)],
    [5, () => sent(round.hello, false)],
    [2, () => sent(round.hello, random() < 0.5, { from: round.from })],
    [3, () => sendTwice(true)],
    [2, () => sendTwice(false)],
    [2, async () => record('held', await send(round.paused, random() < 0.5))],
    [2, () => canceled(round.paused)],
    [
      0.3,
      async () => {
        const key = await client.newKey(home, { scopes: ['mail:send'] });
        const gone = await client.api('DELETE', `/keys/${key.id}`, { key: home.key });
        if (gone.status === 204) round.revoked.push(key);
      },
    ],
    [
      0.8,
      async () => {
        const { address } = await client.newMailbox(home);
        await Promise.all([send(address, true), send(address, false)]);
        const gone = await client.api('DELETE', `/mailboxes/${address}`, { key: home.key });
        if (gone.status === 204) round.deleted.push(address);
      },
    ],
    [withProofread ? 1 : 0, () => sent(round.proofread, false)],
  ];
  if (proof !== undefined) {
    const slowly = () => ({ data: { ms: 120 + Math.floor(random() * 200) } });
    acts.push(
      [1, () => sent(proof.slow, true, slowly())],
      [1, () => sent(proof.slow, false, { ...slowly(), from: round.from })],
      [1, () => canceled(proof.slow, slowly())],
      [1, () => sent(proof.stumbling, random() < 0.5)],
      [2, () => sent(proof.toggled, random() < 0.5)],
    );
  }
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  const act = (): Promise<unknown> => {
    let at = random() * total;
    for (const [weight, one] of acts) {
      at -= weight;
      if (at < 0) return one();
    }
    return Promise.resolve();
  };
  const changes = async (): Promise<void> => {
    for (let i = Number(round.descriptions.at(-1) ?? -1) + 1; ; i++) {
      const description = `${i}`;
      await client.change(home.key, round.hello, { description });
      round.descriptions.push(description);
      if (proof !== undefined) {
        const status = i % 2 === 0 ? 'paused' : 'online';
        await client.change(home.key, proof.toggled, { status });
      }
      await act();
      await pause(REST_MS);
    }
  };
  const loop = async (): Promise<void> => {
    for (;;) {
      await act();
      await pause(REST_MS);
    }
  };
  const ends = await Promise.allSettled([changes(), ...Array.from({ length: WORKERS }, loop)]);
  for (const end of ends) {
    // Each loop ends with a broken connection; any other error is a bug of the test or of the service.
    if (end.status === 'rejected' && !(end.reason instanceof TypeError)) throw end.reason;
    if (end.status === 'rejected') cut++;
  }
  return cut;
}

/** Checks every promise of the round; returns the settled messages. */
export async function check(client: Client, round: Round, report: OnBroken): Promise<Envelope[]> {
  const { home, proof } = round;
  const settled: Envelope[] = [];
  for (const address of [round.paused, ...(proof === undefined ? [] : [proof.toggled])]) {
    await client.change(home.key, address, { status: 'online' });
  }
  await each([...round.promised.values()], async ({ kind, envelope }) => {
    const { id } = envelope;
    const now = await client.read(home.key, id, '?wait=60');
    if (now.status !== 200)
      return report(`${kind} ${id} was acknowledged and is lost: ${now.status} ${now.text.slice(0, 200)}`);
    if (envelope.settled_at !== null) {
      if (!isDeepStrictEqual(now.body, envelope)) report(`${kind} ${id} was settled and is another: ${now.text}`);
    } else if (kind === 'to be canceled' && now.body.status === 'canceled') {
      // It was canceled, and the answer was cut off.
    } else if (now.body.status !== 'completed' || now.body.reply === null) {
      return report(`${kind} ${id} was accepted and is not answered: ${now.text.slice(0, 300)}`);
    }
    const items = (
      await client.api<{ items: ThreadItem[] }>('GET', `/mail/threads/${envelope.thread_id}`, { key: home.key })
    ).body.items;
    const replies = items.filter((item) => item.kind === 'reply').length;
    const due = now.body.status === 'completed' ? 1 : 0;
    if (replies !== due) report(`${kind} ${id} has ${replies} replies, not ${due}`);
    settled.push(now.body);
  });
  await each([...round.idempotent], async ([key, { fields, ids }]) => {
    const again = await client.send(home.key, fields as Record<string, unknown>, { 'idempotency-key': key });
    if (again.status >= 300) return report(`${key} is refused now: ${again.status} ${again.text.slice(0, 200)}`);
    ids.add(again.body.id);
    if (ids.size !== 1) report(`${key} made ${ids.size} messages: ${[...ids].join()}`);
  });
  await each(round.revoked, async (key) => {
    const me = await client.api('GET', '/me', { key: key.secret });
    if (me.status !== 401) report(`${key.id} was revoked and works: ${me.status}`);
  });
  await each(round.deleted, async (address) => {
    const gone = await client.send(home.key, { to: address, body: 'Anybody?', sync: true });
    if (gone.status !== 410) report(`${address} was deleted and answers: ${gone.status}`);
  });
  // Each text was sent once; a request that was cut off may have stored it, but not twice.
  const sent = await client.all<Envelope>('/mail/messages?limit=200', home.key);
  const texts = new Set(sent.map((message) => message.body));
  if (texts.size !== sent.length) report(`${sent.length - texts.size} messages are there twice`);
  const filed = await client.all<Envelope>(`/mailboxes/${round.from}/messages?limit=200`, home.key);
  for (const { id, status } of settled.filter((message) => message.from === round.from)) {
    const copies = filed.filter((message) => message.in_reply_to === id).length;
    const due = status === 'completed' ? 1 : 0;
    if (copies !== due) report(`${copies} replies to ${id} are filed with who asked, not ${due}`);
  }
  const mailbox = (await client.api<Mailbox>('GET', `/mailboxes/${round.hello}`)).body;
  const last = Number(round.descriptions.at(-1) ?? -1);
  if (last >= 0 && ![last, last + 1].includes(Number(mailbox.description))) {
    report(`the change to ${last} was acknowledged, and it is ${mailbox.description}`);
  }
  return settled;
}

/** Runs `act` for all items, sixteen at a time. */
export async function each<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: 16 }, one));
}
