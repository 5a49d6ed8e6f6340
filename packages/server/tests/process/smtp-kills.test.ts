import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { newFolder, removeFolder, type Service, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';

const KILLS = amount(1, 30);
const CLIENTS = 4;
const WAIT_MS = 120_000;

/** The port at which a service receives mail; its log is written a little after it listens. */
async function smtpPort({ stdout, logs }: Service): Promise<number> {
  const line = async () => `${stdout()}${logs()}`.split('\n').find((one) => one.includes('"mail is received by SMTP"'));
  const { seen } = await until(WAIT_MS, line, (found) => found !== undefined);
  return (JSON.parse(seen ?? '{}') as { readonly port: number }).port;
}

test(`mails that were acknowledged while the service was killed ${KILLS} times are there, each answered by one mail`, async (t) => {
  const folder = newFolder();
  const start = (): Promise<Service> =>
    startService({ folder, env: { SMTP_LISTEN: '127.0.0.1:0', LOG_LEVEL: 'info', LEASE_SECONDS: '5' } });
  let service = await start();
  let port = await smtpPort(service);
  const key = service.ownerKey;
  /** By sender, the ids that were acknowledged; a repeated transmission may be acknowledged twice. */
  const acknowledged = new Map<string, Set<string>>();
  const senders = new Set<string>();
  let over = false;
  const client = async (): Promise<void> => {
    while (!over) {
      const from = `${unique('ada')}@example.com`;
      const to = 'hello@agents.mailroom.localhost';
      const fields = { From: from, To: to, Subject: 'Hello', 'Message-ID': `<${unique()}@example.com>` };
      const text = mailText(fields, `Who are you? ${unique()}`);
      senders.add(from);
      // As a mail server does, it transmits the same bytes again until they are acknowledged.
      for (;;) {
        const reply = await sendMail(port, { from, to: [to], text });
        const [, id] = /^250 2\.0\.0 Received as (msg_\w+)/.exec(reply) ?? [];
        if (id !== undefined) {
          acknowledged.set(from, (acknowledged.get(from) ?? new Set()).add(id));
          break;
        }
        assert.match(reply, /^(?:closed|4\d\d )/);
        if (over) break;
        await pause(20);
      }
    }
  };
  try {
    const clients = Array.from({ length: CLIENTS }, client);
    for (let kill = 0; kill < KILLS; kill++) {
      const countBefore = acknowledged.size;
      await until(
        WAIT_MS,
        async () => acknowledged.size,
        (size) => size > countBefore + amount(5, 10),
      );
      await pause(Math.random() * 200);
      await service.kill();
      service = await start();
      port = await smtpPort(service);
    }
    over = true;
    await Promise.all(clients);
    const { read } = connect(service.url);
    for (const [from, ids] of acknowledged) {
      assert.equal(ids.size, 1, `${from} is several messages: ${[...ids]}`);
      const [id = ''] = ids;
      const { body } = await read(key, id, '?wait=60');
      assert.equal(body.status, 'completed', id);
    }
    const outbox = join(folder, 'outbox');
    const answers = async (): Promise<ReadonlyMap<string, Set<string>>> => {
      const found = new Map<string, Set<string>>();
      for (const file of existsSync(outbox) ? readdirSync(outbox) : []) {
        if (!file.endsWith('.eml')) continue;
        const mail = await PostalMime.parse(readFileSync(join(outbox, file)));
        const to = mail.to?.[0]?.address ?? '';
        found.set(to, (found.get(to) ?? new Set()).add(mail.messageId ?? ''));
      }
      return found;
    };
    const { seen } = await until(WAIT_MS, answers, (found) =>
      [...acknowledged.keys()].every((from) => found.has(from)),
    );
    for (const [to, ids] of seen) {
      assert.ok(senders.has(to), `${to} wrote nothing`);
      assert.equal(ids.size, 1, `${to} got ${ids.size} answers`);
    }
    t.diagnostic(`${acknowledged.size} mails acknowledged, ${KILLS} kills`);
  } finally {
    over = true;
    await service.stop();
    removeFolder(folder);
  }
});
