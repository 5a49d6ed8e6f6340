import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Message } from '../../core/entities/message.ts';

const WAIT_MS = 60_000;
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', RETENTION_DAYS: '7' } });
const { client } = inside;

test('what is known of a mail goes with its message: authentication, Message-IDs and deliveries', async () => {
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home);
  const [from, rfc_id] = [`${unique('ada')}@example.com`, `<${unique()}@example.com>`];
  const text = mailText({ From: from, To: address, Subject: 'Hi', 'Message-ID': rfc_id }, 'Who are you?');
  const reply = await sendMail(inside.smtp?.port ?? 0, { from, to: [address], text });
  const id = /\b(msg_\w{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  await leftFor(inside.outbox, from);
  const message = await inside.store.messages.byId(id as Message['id']);
  const mailbox = await inside.store.mailboxes.byId(message?.mailbox_id ?? '');
  const namespace_id = mailbox?.namespace_id ?? '';
  const remaining = async (): Promise<number> => {
    const { store } = inside;
    const ids = [
      await store.emails.byMessages([id]),
      await store.messageIds.find(namespace_id, [rfc_id]),
      [await store.deliveries.byId(`dlv_${id.slice(4)}`), await store.messages.byId(id)].filter(Boolean),
    ];
    return ids.flat().length;
  };
  assert.ok((await remaining()) >= 3);
  await inside.restart(8 * DAY);
  await until(WAIT_MS, remaining, (count) => count === 0);
});
