import { TaskState } from '@a2a-js/sdk';
import { a2aClient } from '../../../../tests/harness/a2a.ts';
import type { Answer } from '../../../../tests/harness/client.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { client, inside, newest, nextText, type World } from './notes-world.ts';

const { api, send } = client;

/** What someone does with a conversation; whether it was done, and not refused. */
export type Act = (world: World) => Promise<boolean>;

const isDone = ({ status }: Pick<Answer<unknown>, 'status'>): boolean => status < 300;
const someDone = (answers: readonly Pick<Answer<unknown>, 'status'>[]): boolean => answers.some(isDone);
const post = (key: string, path: string, body: object = {}) => api<Envelope>('POST', path, { key, body });
const last = ({ turns }: World): string => turns.at(-1)?.id ?? '';
const again = async (world: World): Promise<void> => world.again(nextText(world.turns.length));

async function claimOf({ box, program }: World) {
  const { body } = await post(program, `/mailboxes/${box.address}/claim`, { wait: 0 });
  return (body as unknown as Page<{ claim: string; message: Envelope }>).items?.[0];
}

/** Every document of the API, for callers who read no notes: those of their own, and of the conversation. */
async function documents(world: World): Promise<boolean> {
  const { thread_id, turns, box, theirs, home, other, sender, strangers } = world;
  const { paths } = (await api<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json')).body;
  const listed = await api<Page<Envelope>>('GET', `/mail/messages?direction=all`, { key: other.key });
  const ids: Readonly<Record<string, readonly string[]>> = {
    threads: [thread_id],
    messages: [...turns, ...listed.body.items].slice(-4).map(({ id }) => id),
    mailboxes: [box.address, theirs.address],
    namespaces: [home.name, other.name],
  };
  const ways = Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .flatMap(([path]) => {
      const [before = '', , after = ''] = path.replace('/api/v1', '').split(/(\{\w+\})/);
      if (!path.includes('{')) return [before];
      return (ids[before.split('/').at(-2) ?? ''] ?? []).map((id) => before + id + after);
    });
  const answers: Answer<unknown>[] = [];
  for (const key of [sender, other.key, undefined, ...strangers])
    for (const way of ways) answers.push(await api('GET', way, { key }));
  return someDone(answers);
}

export const ACTS: Readonly<Record<string, Act>> = {
  'the other side writes again': async (world) => {
    await again(world);
    return true;
  },
  'a member answers by hand': async (world) => {
    await newest(world);
    return isDone(await post(world.member.key, `/mail/messages/${last(world)}/answer`, { body: 'On Monday.' }));
  },
  'a thread is taken over, answered and handed back': async (world) => {
    const { home, thread_id } = world;
    const taken = await post(home.key, `/mail/threads/${thread_id}/take-over`);
    await again(world);
    const answered = await post(home.key, `/mail/messages/${last(world)}/answer`, {
      body: 'By hand.',
      reply_all: true,
    });
    await post(home.key, `/mail/threads/${thread_id}/hand-back`);
    return isDone(taken) && isDone(answered);
  },
  'a program claims, tells of progress, and answers': async (world) => {
    const claimed = await claimOf(world);
    if (claimed === undefined) return false;
    const { claim, message } = claimed;
    const at = `/mail/messages/${message.id}`;
    await post(world.program, `${at}/progress`, { claim, text: 'Half', draft: 'On Mon' });
    return isDone(await post(world.program, `${at}/answer`, { claim, body: 'On Monday.' }));
  },
  'a program gives a claim back, and fails another': async (world) => {
    const first = await claimOf(world);
    if (first === undefined) return false;
    await post(world.program, `/mail/messages/${first.message.id}/release`, { claim: first.claim });
    const next = (await claimOf(world)) ?? first;
    const failed = { claim: next.claim, status: 'failed', error: 'It broke.' };
    return isDone(await post(world.program, `/mail/messages/${next.message.id}/answer`, failed));
  },
  'the other side cancels, and tries again': async (world) => {
    const { sender } = world;
    if (sender === undefined) return false;
    const canceled = await post(sender, `/mail/messages/${last(world)}/cancel`);
    const tried = await post(sender, `/mail/messages/${last(world)}/retry`);
    return someDone([canceled, tried]);
  },
  'a member forwards it, here and outside': async (world) => {
    const to = [world.theirs.address, 'bo@far.example'];
    const forward = (as: string) => post(world.member.key, `/mail/messages/${last(world)}/forward`, { to, as });
    return isDone(await forward('inline')) && isDone(await forward('attachment'));
  },
  'a rule forwards what arrives': async (world) => {
    const { home, box, theirs } = world;
    const rules = [
      { id: 'all', if: {}, then: { forward_to: theirs.address, label: ['seen'], assign: world.member.id } },
    ];
    const set = await api('PATCH', `/mailboxes/${box.address}`, { key: home.key, body: { rules } });
    await again(world);
    return isDone(set);
  },
  'a draft answers at its time': async (world) => {
    const { member, box, theirs, other } = world;
    const send_at = new Date(inside.now() + 60_000).toISOString();
    const fields = { from: box.address, to: [theirs.address, world.from], body: 'As promised.', send_at };
    const drafts = [
      await post(member.key, '/mail/drafts', fields),
      await post(member.key, '/mail/drafts', { in_reply_to: last(world), body: 'Soon.' }),
    ];
    inside.pass(61_000);
    await api('GET', '/mail/drafts', { key: other.key });
    return someDone(drafts);
  },
  'the mailbox writes within the thread': async (world) => {
    const fields = { from: world.box.address, to: [world.theirs.address], cc: [world.from], in_reply_to: last(world) };
    return isDone(await send(world.member.key, { ...fields, body: 'One more thing.' }));
  },
  'an answer waits for a review': async (world) => {
    const { home, box, strangers } = world;
    const set = (review: string) =>
      api('PATCH', `/mailboxes/${box.address}`, { key: home.key, body: { outgoing: { review } } });
    await set('always');
    await again(world);
    await newest(world);
    const answered = await post(world.program, `/mail/messages/${last(world)}/answer`, { body: 'Held.' });
    const reviewer = strangers[2] ?? '';
    const { body } = await api<Page<{ id: string; hash: string }>>('GET', `/mail/reviews?mailbox=${box.address}`, {
      key: reviewer,
    });
    for (const { id, hash } of body.items) {
      await api('GET', `/mail/reviews/${id}`, { key: reviewer });
      await post(reviewer, `/mail/reviews/${id}/approve`, { hash });
    }
    await set('never');
    return isDone(answered) || body.items.length > 0;
  },
  'it is put off, assigned and labeled': async (world) => {
    const { member, thread_id, box } = world;
    const until = new Date(inside.now() + 60_000).toISOString();
    const body = { mailbox: box.address, state: 'later', until, assignee: member.id };
    const changed = await api('PATCH', `/mail/threads/${thread_id}`, { key: member.key, body });
    await post(member.key, '/mail/messages/batch', { ids: [last(world)], labels: { add: ['blue'] } });
    inside.pass(61_000);
    return isDone(changed);
  },
  'it goes to the trash and comes back': async (world) => {
    const trashed = await post(world.member.key, `/mail/messages/${last(world)}/trash`);
    return isDone(trashed) && isDone(await post(world.member.key, `/mail/messages/${last(world)}/restore`));
  },
  'those who read no notes read every document': documents,
  'members and others search, list and export': async (world) => {
    const { home, other, box, member, program } = world;
    const answers: Answer<unknown>[] = [];
    for (const key of [member.key, program, home.key, other.key])
      for (const way of [
        ...['/mail/search?query=zqnote*', '/mail/search?query=two', '/mail/threads', '/mail/threads?query=zqnote*'],
        ...['/mail/messages?direction=all', `/mailboxes/${box.address}/messages?query=zqnote`, '/events?wait=0'],
        ...[`/mailboxes/${box.address}/export.mbox`, `/namespaces/${home.name}/audit`],
      ])
        answers.push(await api('GET', way, { key }));
    answers.push(await api('GET', `/namespaces/${other.name}/export`, { key: other.key }));
    return someDone(answers);
  },
  'streams are followed': async (world) => {
    const { sender, other, home, member, turns } = world;
    const to = (path: string, key: string) =>
      openStream(`${client.url}/api/v1${path}`, { authorization: `Bearer ${key}` });
    const streams = [await to('/events', home.key), await to('/events', other.key), await to('/events', member.key)];
    for (const { id } of sender === undefined ? [] : turns)
      streams.push(await to(`/mail/messages/${id}`, sender ?? ''));
    await again(world);
    await newest(world);
    for (const stream of streams) stream.close();
    return streams.some(({ status }) => status === 200);
  },
  'tools of MCP are called': async (world) => {
    const { program, other, member, box, thread_id } = world;
    let called = 0;
    for (const key of [program, member.key, other.key]) {
      await using mcp = await mcpClient(inside.url, { key });
      const { tools } = await mcp.listTools();
      const args: Readonly<Record<string, object>> = {
        ...{ read: { id: last(world), wait: 0 }, list_messages: {}, list_threads: {}, search: { query: 'two' } },
        ...{ claim: { address: box.address, wait: 0 }, list_addresses: {}, list_reviews: {} },
        wait_for_message: { address: box.address, wait: 0 },
      };
      for (const { name } of tools) {
        const given = args[name];
        if (given !== undefined) called += (await callTool(mcp, name, given)).isError === true ? 0 : 1;
      }
      await callTool(mcp, 'read', { id: thread_id, wait: 0 });
      for (const { uri } of (await mcp.listResources()).resources) await mcp.readResource({ uri });
    }
    return called > 0;
  },
  'tasks of A2A are read': async (world) => {
    if (world.sender === undefined) return false;
    const a2a = await a2aClient(inside, world.box.address, { key: world.sender });
    const tasks = await a2a.listTasks({
      ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 20, pageToken: '' },
      ...{ historyLength: 20, statusTimestampAfter: undefined, includeArtifacts: true },
    });
    for (const { id } of tasks.tasks) await a2a.getTask({ tenant: '', id, historyLength: 20 });
    return tasks.tasks.length > 0;
  },
  'its page is opened': async ({ box, sender = '' }) => {
    const shown = [`/${box.address}`, `/${box.address}?thread_token=${sender}`, `/${box.address}?thread=${sender}`];
    const answers = await Promise.all(
      shown.map((path) =>
        fetch(client.url + path, { headers: { accept: 'text/html', 'accept-encoding': 'identity' } }),
      ),
    );
    await Promise.all(answers.map((answer) => answer.text()));
    return answers.some(({ ok }) => ok);
  },
  'members are called by mail': async () => {
    inside.pass(20 * 60_000);
    return true;
  },
};
