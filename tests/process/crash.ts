import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Client, Home } from '../harness/client.ts';
import { connect, PROOFREAD, unique } from '../harness/client.ts';
import { newFolder, removeFolder, startService } from '../harness/service.ts';
import type { Envelope, KeyWithSecret, Mailbox, ThreadItem } from '../harness/wire.ts';

/** What the service has said about a message: the promise that a crash must not break. */
interface Promised {
  readonly kind: 'sync' | 'async' | 'held' | 'canceled';
  readonly envelope: Envelope;
}

interface Round {
  readonly home: Home;
  readonly hello: string;
  readonly proofread: string;
  readonly paused: string;
  readonly promised: Map<string, Promised>;
  /** Idempotency keys that were sent, answered or not, with the ids that were answered. */
  readonly once: Map<string, { readonly fields: object; readonly ids: Set<string> }>;
  readonly revoked: KeyWithSecret[];
  readonly descriptions: string[];
}

export interface Report {
  readonly rounds: number;
  /** How many messages it had answered for when it was killed, over all rounds. */
  readonly acknowledged: number;
  /** Requests that were being answered when it was killed. */
  readonly cut: number;
  /** Every promise that was broken, in words. */
  readonly broken: string[];
}

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  /** A service with a defect, see `early-main.ts`. */
  readonly main?: string;
  /** Ends with the round that first breaks a promise. */
  readonly untilBroken?: boolean;
}

/** Reproducible chance (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORKERS = 12;

/** Starts, loads and kills the service on one data folder, again and again, and looks each time what became of its words. */
export async function crash({ rounds, seed, main, untilBroken = false }: CrashOptions): Promise<Report> {
  const folder = newFolder();
  const start = () => startService({ folder, ...(main === undefined ? {} : { main }) });
  const random = chance(seed);
  const broken: string[] = [];
  const settled: Envelope[] = [];
  let owner = '';
  let acknowledged = 0;
  let cut = 0;
  let round = 0;
  try {
    while (round < rounds && !(untilBroken && broken.length > 0)) {
      round++;
      const tell = (text: string): void => void broken.push(`round ${round}: ${text}`);
      let service = await start();
      const before = await setUp(connect(service.url));
      const load = run(connect(service.url), before, random, round % 6 === 1);
      // Somewhere in the middle of it: the one place where a time of our own is what is tested.
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 500));
      await service.kill();
      cut += await load;
      acknowledged += before.promised.size;
      integrity(folder, tell);
      service = await start();
      owner = before.home.key;
      settled.push(...(await check(connect(service.url), before, tell)));
      await (random() < 0.5 ? service.kill() : service.stop());
    }
    // What was seen settled after one crash is the same after all the others.
    const last = await start();
    const client = connect(last.url);
    const some = settled.filter((_, i) => i % Math.ceil(settled.length / 2_000) === 0);
    await each(some, async (envelope) => {
      const now = await client.read(keyOf.get(envelope.id) ?? owner, envelope.id);
      if (!isDeepStrictEqual(now.body, envelope))
        broken.push(`in the end: ${envelope.id} is not what it was: ${now.text}`);
    });
    await last.stop();
    integrity(folder, (text) => void broken.push(`in the end: ${text}`));
  } finally {
    removeFolder(folder);
  }
  return { rounds: round, acknowledged, cut, broken };
}

/** Which key reads a message, over all rounds. */
const keyOf = new Map<string, string>();

async function setUp(client: Client): Promise<Round> {
  const home = await client.newNamespace();
  const [hello, proofread, paused] = await Promise.all([
    client.newMailbox(home),
    client.newMailbox(home, { behavior: PROOFREAD }),
    client.newPaused(home),
  ]);
  return {
    home,
    hello: hello.address,
    proofread: proofread.address,
    paused: paused.address,
    promised: new Map(),
    once: new Map(),
    revoked: [],
    descriptions: [],
  };
}

/** Mixed load until the connection breaks; returns how many requests were cut off. */
async function run(client: Client, round: Round, random: () => number, withProofread: boolean): Promise<number> {
  const { home, promised } = round;
  let cut = 0;
  const said = (kind: Promised['kind'], answer: Answer<Envelope>): void => {
    if (answer.status >= 300) return;
    const { id } = answer.body;
    keyOf.set(id, home.key);
    const before = promised.get(id);
    // The last word on a message is the one that binds.
    if (before === undefined || before.envelope.settled_at === null) promised.set(id, { kind, envelope: answer.body });
  };
  const text = () => unique('text ');
  const send = (to: string, sync: boolean) => client.send(home.key, { to, body: text(), sync });
  const once = async (sync: boolean): Promise<void> => {
    const key = unique('once-');
    const fields = { to: round.hello, body: text(), sync };
    const ids = new Set<string>();
    round.once.set(key, { fields, ids });
    const both = await Promise.allSettled([1, 2].map(() => client.send(home.key, fields, { 'idempotency-key': key })));
    for (const one of both) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value.status < 300) ids.add(one.value.body.id);
      said(sync ? 'sync' : 'async', one.value);
    }
  };
  const acts: [number, () => Promise<unknown>][] = [
    [5, async () => said('sync', await send(round.hello, true))],
    [5, async () => said('async', await send(round.hello, false))],
    [3, () => once(true)],
    [2, () => once(false)],
    [2, async () => said('held', await send(round.paused, random() < 0.5))],
    [
      2,
      async () => {
        const held = await send(round.paused, false);
        said('held', held);
        const path = `/mail/messages/${held.body.id}/cancel`;
        said('canceled', await client.api<Envelope>('POST', path, { key: home.key }));
      },
    ],
    [
      0.3,
      async () => {
        const key = await client.newKey(home, { scopes: ['mail:send'] });
        const gone = await client.api('DELETE', `/keys/${key.id}`, { key: home.key });
        if (gone.status === 204) round.revoked.push(key);
      },
    ],
    [withProofread ? 1 : 0, async () => said('async', await send(round.proofread, false))],
  ];
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
    for (let i = 0; ; i++) {
      const description = `${i}`;
      await client.change(home.key, round.hello, { description });
      round.descriptions.push(description);
      await act();
    }
  };
  const loop = async (): Promise<void> => {
    for (;;) await act();
  };
  const ends = await Promise.allSettled([changes(), ...Array.from({ length: WORKERS }, loop)]);
  for (const end of ends) {
    // A broken connection is how each loop ends; anything else is a fault of the test or of the service.
    if (end.status === 'rejected' && !(end.reason instanceof TypeError)) throw end.reason;
    if (end.status === 'rejected') cut++;
  }
  return cut;
}

/** Looks what became of everything that was said before the crash. Returns what is settled. */
async function check(client: Client, round: Round, tell: (text: string) => void): Promise<Envelope[]> {
  const { home } = round;
  const settled: Envelope[] = [];
  await client.change(home.key, round.paused, { status: 'online' });
  await each([...round.promised.values()], async ({ kind, envelope }) => {
    const { id } = envelope;
    const now = await client.read(home.key, id, '?wait=60');
    if (now.status !== 200)
      return tell(`${kind} ${id} was acknowledged and is lost: ${now.status} ${now.text.slice(0, 200)}`);
    if (envelope.settled_at !== null) {
      if (!isDeepStrictEqual(now.body, envelope)) tell(`${kind} ${id} was settled and is another: ${now.text}`);
    } else if (kind === 'held' && now.body.status === 'canceled') {
      // Its cancellation was done, and its answer cut off.
    } else if (now.body.status !== 'completed' || now.body.reply === null) {
      return tell(`${kind} ${id} was accepted and is not answered: ${now.text.slice(0, 300)}`);
    }
    const items = (
      await client.api<{ items: ThreadItem[] }>('GET', `/mail/threads/${envelope.thread_id}`, { key: home.key })
    ).body.items;
    const replies = items.filter((item) => item.kind === 'reply').length;
    const due = now.body.status === 'completed' ? 1 : 0;
    if (replies !== due) tell(`${kind} ${id} has ${replies} replies, not ${due}`);
    settled.push(now.body);
  });
  await each([...round.once], async ([key, { fields, ids }]) => {
    const again = await client.send(home.key, fields as Record<string, unknown>, { 'idempotency-key': key });
    if (again.status >= 300) tell(`${key} is refused now: ${again.status} ${again.text.slice(0, 200)}`);
    ids.add(again.body.id);
    keyOf.set(again.body.id, home.key);
    if (ids.size !== 1) tell(`${key} made ${ids.size} messages: ${[...ids].join()}`);
  });
  await each(round.revoked, async (key) => {
    const me = await client.api('GET', '/me', { key: key.secret });
    if (me.status !== 401) tell(`${key.id} was revoked and works: ${me.status}`);
  });
  // Each text was meant to be sent once; what was cut off may be there, but not twice.
  const sent = await client.all<Envelope>('/mail/messages?limit=200', home.key);
  const texts = new Set(sent.map((message) => message.body));
  if (texts.size !== sent.length) tell(`${sent.length - texts.size} messages are there twice`);
  const mailbox = (await client.api<Mailbox>('GET', `/mailboxes/${round.hello}`)).body;
  const last = Number(round.descriptions.at(-1) ?? -1);
  if (last >= 0 && ![last, last + 1].includes(Number(mailbox.description))) {
    tell(`the change to ${last} was acknowledged, and it is ${mailbox.description}`);
  }
  return settled;
}

/** SQLite's own look at the files as the crash left them, at a copy: the service is to recover them itself. */
function integrity(folder: string, tell: (text: string) => void): void {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of ['m.db', 'm.db-wal']) {
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name));
  }
  const db = new DatabaseSync(join(copy, 'm.db'));
  const rows = db.prepare('pragma integrity_check').all();
  db.close();
  if (rows.length !== 1 || rows[0]?.integrity_check !== 'ok') tell(`integrity_check: ${JSON.stringify(rows)}`);
}

/** Sixteen at a time. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: 16 }, one));
}
