import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { MAIN, mailroomProcess } from '../../../../packages/client/tests/command.ts';
import { chance } from '../../../../tests/harness/chance.ts';
import { type Client, connect } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { freePort } from '../../../../tests/harness/postgres.ts';
import {
  newFolder,
  removeFolder,
  run,
  type Service,
  startService,
  storeEnv,
} from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

// Long form of: smtp-kills.test.ts, do-crash.test.ts, ../mail/import.test.ts.

// What is imported, and what is held before it leaves, while the process is killed with SIGKILL.
const WAIT_MS = 120_000;
const AGENT = { behavior: { name: 'agent' } };

/** A service that begins again where it was, at the same port. */
async function killable() {
  const folder = newFolder();
  const port = await freePort();
  const store = await storeEnv({}, join(folder, 'outbox'));
  const start = (): Promise<Service> =>
    startService({ folder, env: { PORT: String(port), LEASE_SECONDS: '3', UNDO_SECONDS: '1', ...store } });
  let service = await start();
  after(async () => {
    await service.stop();
    removeFolder(folder);
  });
  return {
    folder,
    url: service.url,
    client: connect(service.url),
    async killed() {
      await service.kill();
      service = await start();
    },
  };
}

const { folder, url, client, killed } = await killable();

/** A mail of an old mailbox: every third answers one before, and every fifth has a file. */
function oldMail(nr: number): string {
  const id = (at: number): string => `<${at}.import@old.example>`;
  const head = [
    'From: Ada <ada@old.example>',
    'To: bob@old.example',
    `Subject: Old mail ${nr}`,
    `Date: ${new Date(Date.UTC(2020, 0, 1) + nr * 60_000).toUTCString()}`,
    `Message-ID: ${id(nr)}`,
    ...(nr % 3 === 2 ? [`In-Reply-To: ${id(nr - 1)}`, `References: ${id(nr - 1)}`] : []),
    'MIME-Version: 1.0',
  ];
  const file = Buffer.alloc(3_000, `${nr} `).toString('base64').replace(/.{76}/g, '$&\n');
  const body =
    nr % 5 === 0
      ? `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nText ${nr}\n--b\nContent-Type: application/octet-stream; name=f${nr}.bin\nContent-Disposition: attachment; filename=f${nr}.bin\nContent-Transfer-Encoding: base64\n\n${file}\n--b--\n`
      : `Content-Type: text/plain\n\nText ${nr}\n`;
  return `From ada@old.example Wed Jan  1 00:00:00 2020\n${head.join('\n')}\n${body}\n`;
}

const subjects = async (client: Client, address: string, key: string): Promise<readonly string[]> =>
  (await client.all<Envelope>(`/mailboxes/${address}/messages`, key)).map(({ subject }) => subject ?? '');
/** Bytes that a namespace has stored. */
const storedBytes = async (client: Client, name: string, key: string): Promise<number> =>
  (await client.api<{ storage: { bytes: number } }>('GET', `/namespaces/${name}/overview`, { key })).body.storage.bytes;

const IMPORT_KILLS = amount(1, 20);
test(`an import that is repeated after the process was killed ${IMPORT_KILLS} times has each mail once`, async (t) => {
  const MAILS = amount(100, 3_000);
  const [home, calm] = [await client.newNamespace(), await client.newNamespace()];
  const { address } = await client.newMailbox(home, AGENT);
  const mbox = join(folder, 'old.mbox');
  writeFileSync(mbox, Array.from({ length: MAILS }, (_, nr) => oldMail(nr)).join(''));
  const importOf = (to: string): string[] => ['import', to, mbox, '--json'];
  const environment = (key: string) => ({ MAILROOM_URL: url, MAILROOM_KEY: key, XDG_CONFIG_HOME: folder });
  const whole = (key: string, to: string) => mailroomProcess(importOf(to), environment(key));
  const random = chance(37);
  let broken = 0;
  for (let kill = 0; kill < IMPORT_KILLS; kill++) {
    const importing = run(process.execPath, [MAIN, ...importOf(address)], { env: environment(home.key) });
    const countBefore = (await subjects(client, address, home.key)).length;
    await until(
      WAIT_MS,
      async () => (await subjects(client, address, home.key)).length,
      (count) => count > countBefore + 20 || count === MAILS,
    );
    await pause(random() * 300);
    // The program goes on where the service is there again, unless it is killed too.
    if (kill % 2 === 0) importing.child.kill('SIGKILL');
    await killed();
    if ((await importing.exited).code !== 0) broken++;
  }
  const last = await whole(home.key, address);
  assert.equal(last.status, 0, last.stderr);
  const counts = JSON.parse(last.stdout) as { readonly imported: number; readonly exists: number };
  assert.equal(counts.imported + counts.exists, MAILS, last.stdout);
  const found = await subjects(client, address, home.key);
  assert.equal(found.length, MAILS);
  assert.equal(new Set(found).size, MAILS);
  const again = await whole(home.key, address);
  assert.match(again.stdout, /"imported": ?0\b/);
  const other = (await client.newMailbox(calm, AGENT)).address;
  await whole(calm.key, other);
  const [kept, plain] = [
    await storedBytes(client, home.name, home.key),
    await storedBytes(client, calm.name, calm.key),
  ];
  // A process that is killed forgets what it counted in its last second.
  assert.ok(kept <= plain, `nothing is paid for twice: ${kept} of ${plain}`);
  t.diagnostic(`${MAILS} mails, ${broken} of ${IMPORT_KILLS} imports broke off`);
});

const HELD_KILLS = amount(1, 20);
test(`forwards that were held while the process was killed ${HELD_KILLS} times leave once`, async (t) => {
  const home = await client.newNamespace();
  const [box, target] = [await client.newMailbox(home, AGENT), await client.newMailbox(home, AGENT)];
  const visitor = visitorOf(url);
  assert.equal((await visitor.signIn(home.key)).status, 303);
  const random = chance(38);
  const acknowledged: string[] = [];
  const sent = new Map<string, string>();
  const forward = async (nr: number): Promise<void> => {
    const text = `Forward ${nr}.`;
    try {
      const { body: message } = await client.send(home.key, { to: box.address, body: `Message ${nr}` });
      const { html } = await visitor.get(`/console/messages/${message.id}?mode=forward`);
      const fields = formData(html.slice(html.indexOf('data-foot')), { button: ['do', 'forward'] });
      fields.set('to', target.address);
      fields.set('body', text);
      sent.set(text, message.id);
      const { status } = await visitor.post(`/console/forward/${message.id}`, fields);
      if (status === 303) acknowledged.push(text);
    } catch {
      // The process was killed meanwhile.
    }
  };
  let nr = 0;
  for (let kill = 0; kill < HELD_KILLS; kill++) {
    const forwards = Array.from({ length: 8 }, async () => {
      const mine = nr++;
      await pause(random() * 2_500);
      await forward(mine);
    });
    await pause(500 + random() * 2_000);
    await killed();
    await Promise.all(forwards);
  }
  const arrived = async (): Promise<readonly string[]> =>
    (await client.all<Envelope>(`/mailboxes/${target.address}/messages`, home.key)).map(
      ({ body }) => /^Forward \d+\./.exec(body)?.[0] ?? body,
    );
  const { seen } = await until(WAIT_MS, arrived, (texts) => acknowledged.every((text) => texts.includes(text)));
  // What was not acknowledged left too, or is not held.
  for (const [text, id] of sent) {
    const look = async () => (await visitor.get(`/console/messages/${id}`)).html;
    const { seen: html } = await until(WAIT_MS, look, (page) => !page.includes('Leaves in'));
    assert.doesNotMatch(html, /Leaves in/, text);
  }
  await pause(4_000);
  const last = await arrived();
  assert.deepEqual(
    acknowledged.filter((text) => !seen.includes(text)),
    [],
  );
  assert.equal(new Set(last).size, last.length, 'none left twice');
  t.diagnostic(`${acknowledged.length} of ${sent.size} forwards acknowledged, ${last.length} left`);
});

const PLAN_KILLS = amount(1, 20);
test(`what instructions send to several while the process is killed ${PLAN_KILLS} times arrives once at each`, async (t) => {
  const home = await client.newNamespace();
  const planner = (await client.newMailbox(home, { behavior: { name: 'do' } })).address;
  const targets: string[] = [];
  for (let nr = 0; nr < 3; nr++) targets.push((await client.newMailbox(home)).address);
  const [first = '', ...others] = targets;
  const works = { task: 'run', input: { code: 'const t = Date.now(); while (Date.now() - t < 300); 1' } };
  const sends = (body: string) => ({
    task: 'send',
    input: { to: [first, ...others.slice(0, 1)], cc: others.slice(1), body },
  });
  const random = chance(39);
  const plans: string[] = [];
  for (let kill = 0; kill < PLAN_KILLS; kill++) {
    for (let nr = 0; nr < 3; nr++) {
      const name = `${kill}.${nr}`;
      const steps = [sends(`first ${name}`), works, sends(`last ${name}`), works];
      const { body, status, text } = await client.send(home.key, { to: planner, body: 'x', data: { steps } });
      assert.equal(status, 202, text);
      plans.push(body.id);
    }
    await pause(random() * 900);
    await killed();
  }
  for (const id of plans) {
    const look = async () => (await client.read(home.key, id, '?wait=20')).body;
    const { seen } = await until(WAIT_MS, look, ({ settled_at: at }) => at !== null);
    assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  }
  for (const address of targets) {
    // Copies that the killed process did not make are made within a minute.
    const look = async () =>
      (await client.all<Envelope>(`/mailboxes/${address}/messages`, home.key)).map(({ body }) => body);
    const { seen: texts } = await until(WAIT_MS, look, (some) => some.length >= 2 * plans.length);
    assert.equal(texts.length, 2 * plans.length, address);
    assert.equal(new Set(texts).size, texts.length, address);
  }
  t.diagnostic(`${plans.length} plans, each with two messages to three`);
});
