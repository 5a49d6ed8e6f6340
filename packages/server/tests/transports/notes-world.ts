import assert from 'node:assert/strict';
import { after } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { keyDoors, mail } from '../../../../tests/harness/doors.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { Wiretap } from '../../../../tests/harness/wiretap.ts';
import { ROLES } from '../../core/entities/member.ts';

export const wiretap = new Wiretap();
export const sink = await startSmtp();
export const hook = await webhookEndpoint();
export const model = await openModelServer(() => ({ text: 'Monday at ten.' }));
export const agent = await openAgentServer();
const pageStreams = new AbortController();
after(() => pageStreams.abort());
after(() => Promise.all([sink, hook, model, agent].map((server) => server[Symbol.asyncDispose]())));
export const inside = await startInside({
  env: {
    ...{ SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url, SEARCH_INDEX: 'on' },
    ...{ WEBHOOK_NETWORKS: '127.0.0.1', OUTSIDE_NETWORKS: '127.0.0.1' },
    ...{ MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny' },
  },
});
export const { client } = inside;

/** The behaviors whose conversations have notes beside them. */
export const BEHAVIORS: Readonly<Record<string, object>> = {
  hello: { name: 'hello' },
  proofread: { name: 'proofread' },
  'do, by its grammar': {
    name: 'do',
    settings: { planner: 'builtin', rights: { others: ['calculate', 'remember', 'recall'] } },
  },
  'do, by a model': {
    name: 'do',
    settings: { planner: 'model', rights: { others: ['calculate', 'remember', 'recall'] } },
  },
  assistant: { name: 'assistant', settings: { instructions: 'Help.' } },
  'agent that claims': { name: 'agent' },
  'agent that is called': { name: 'agent', settings: { webhook_url: agent.url } },
};

const doors = new Map(keyDoors(client.url).map((door) => [door.name, door]));
/** The transports by which a conversation begins and continues. */
export const CHANNELS = [...doors.keys(), 'page', 'mail'] as const;

interface Begun {
  readonly id: string;
  readonly thread_id: string;
  readonly thread_token: string;
}

/** Writes as the form of an address's page does; its stream goes on beside the test. */
async function writeOnPage(address: string, body: string, token: string | undefined): Promise<Begun> {
  const response = await fetch(`${client.url}/${address}`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'accept-encoding': 'identity' },
    body: new URLSearchParams({ body, ...(token !== undefined && { thread_token: token }) }),
    signal: pageStreams.signal,
  });
  const { promise, resolve } = Promise.withResolvers<Begun>();
  const read = async (): Promise<void> => {
    let text = '';
    for await (const piece of (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())) {
      text += piece;
      const [, data] = /^event: thread\ndata: (.*)\n/m.exec(text) ?? [];
      if (data !== undefined) resolve(JSON.parse(data));
    }
    throw new Error(`no thread in: ${text}`);
  };
  return Promise.race([promise, read().then(() => promise)]);
}

export interface Turn {
  readonly id: string;
  readonly thread_id: string;
}

/** A conversation of strangers with a mailbox whose members note something beside it. */
export interface World {
  readonly channel: string;
  readonly behavior: string;
  readonly home: Home;
  readonly other: Home;
  /** The mailbox with the notes, and one of the other namespace. */
  readonly box: Mailbox;
  readonly theirs: Mailbox;
  readonly thread_id: string;
  /** Of the side that is written to, the messages so far. */
  readonly turns: Turn[];
  /** The key or the token of the other side; undefined by mail. */
  readonly sender: string | undefined;
  /** The address of the other side, by mail. */
  readonly from: string;
  readonly member: { readonly id: string; readonly key: string };
  /** Keys of the namespace that read no messages of the mailbox, and those of programs, which read them without notes. */
  readonly strangers: readonly string[];
  readonly program: string;
  /** The other side writes again. */
  again(text: string): Promise<void>;
  /** Notes something with a text that must not leave. */
  note(): Promise<string>;
}

const TEXTS = [
  'She have two cat. What is 2 + 2?',
  'When do we meet?',
  'remember that the door is green',
  'What did I say?',
];

export async function newWorld(channel: string, behavior: string): Promise<World> {
  const [home, other] = [await client.newNamespace(), await client.newNamespace()];
  await inside.store.namespaces.claim(home.id, inside.now());
  const box = await client.newMailbox(home, { behavior: BEHAVIORS[behavior], access: 'public' });
  const aside = await client.newMailbox(home, { behavior: { name: 'agent' } });
  const theirs = await client.newMailbox(other, { behavior: { name: 'agent' } });
  for (const { key } of [home, other]) {
    const made = await client.api('POST', '/webhooks', { key, body: { url: hook.url, types: ['*'] } });
    assert.equal(made.status, 201, made.text);
  }
  const from = `${unique('ann')}@far.example`;
  const mailId = `<${unique()}@far.example>`;
  const turns: Turn[] = [];
  let token = channel === 'page' ? undefined : other.key;
  const again = async (text: string): Promise<void> => {
    const thread = turns[0]?.thread_id;
    if (channel === 'mail') {
      const headers = thread === undefined ? { 'Message-ID': mailId } : { 'In-Reply-To': mailId };
      const { id = '', said } = await mail(inside.smtp?.port ?? 0, box.address, text, { from, headers });
      assert.match(id, /^msg_/, said);
      turns.push({ id, thread_id: (await client.read(home.key, id)).body.thread_id });
    } else if (channel === 'page') {
      const begun = await writeOnPage(box.address, text, token);
      token = begun.thread_token;
      turns.push(begun);
    } else {
      const door = doors.get(channel) ?? assert.fail(channel);
      const shown = await door.send(box.address, text, { key: token, ...(thread && { thread }), async: true });
      assert.ok(shown.id !== '', `${channel}: ${shown.code} ${shown.message}`);
      turns.push(shown);
    }
  };
  await again(TEXTS[0] as string);
  const first = turns[0] as Turn;
  const thread_id = (await client.read(home.key, first.id)).body.thread_id;

  const time = inside.now();
  const address = `${unique('mara')}@far.example`;
  const { id: account_id } = await inside.store.accounts.getOrPut({
    id: newId('acc', time),
    address,
    created_at: time,
  });
  const key = await client.newKey(home, { scopes: [...ROLES.answerer], name: 'Mara' });
  const joined = await inside.store.accounts.join({
    ...{ namespace_id: home.id, account_id, key_id: key.id, role: 'answerer', mailbox_ids: null, name: 'Mara' },
    created_at: time,
  });
  assert.equal(joined, 'joined');
  const keyWith = async (fields: object): Promise<string> => (await client.newKey(home, { ...fields })).secret;
  const program = await keyWith({ scopes: ['messages:read', 'mail:answer', 'mail:send'] });
  const strangers = [
    await keyWith({ scopes: ['mail:send'] }),
    await keyWith({ scopes: ['mail:answer'] }),
    await keyWith({ scopes: ['mail:review'] }),
    await keyWith({ scopes: ['webhooks:write', 'keys:write'] }),
    await keyWith({ scopes: ['messages:read', 'mail:answer', 'mail:send'], mailbox: aside.address }),
    program,
  ];
  return {
    ...{ channel, behavior, home, other, box, theirs, thread_id, turns, from, again, strangers },
    get sender() {
      return channel === 'mail' ? undefined : token;
    },
    member: { id: account_id, key: key.secret },
    program,
    async note() {
      const text = unique('zqnote');
      wiretap.forbid(text);
      const url = `${client.url}/api/v1/mail/threads/${thread_id}/notes`;
      const body = { mailbox: box.address, body: `@Mara ${`${text} `.repeat(20)}` };
      const { status, text: answer } = await wiretap.unseen('POST', url, key.secret, body);
      assert.equal(status, 201, answer);
      return text;
    },
  };
}

/** What the members of the mailbox read of the conversation, where nothing looks. */
export async function readByMember({ thread_id, member }: World): Promise<string> {
  const { status, text } = await wiretap.unseen('GET', `${client.url}/api/v1/mail/threads/${thread_id}`, member.key);
  assert.equal(status, 200, text);
  return text;
}

/** The newest message of the conversation, as the mailbox has it, once no behavior is at work on it. */
export async function newest(world: World): Promise<Envelope> {
  const id = world.turns.at(-1)?.id ?? '';
  const { seen } = await until(
    60_000,
    async () => (await client.read(world.program, id)).body,
    ({ status, waiting_for }) =>
      world.behavior.startsWith('agent') || !['submitted', 'working'].includes(status) || waiting_for !== null,
  );
  return seen;
}

export const nextText = (nth: number): string => TEXTS[nth % TEXTS.length] as string;
