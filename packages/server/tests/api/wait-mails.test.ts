import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import { sendMail } from '../../../../tests/harness/mail.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { type ServiceMail, serviceMails } from './service-mails/mails.ts';

/** The least share of mails of which the right value is found, and none where there is none. */
const LEAST = 0.97;
const MAILS = amount(60, 300);
/** Each has its mails one after the other. */
const MAILBOXES = 10;
/** Of the generator. */
const SEED = 37;

const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0' } });
const { client } = inside;

interface Awaited {
  readonly message: Envelope | null;
  readonly code?: string;
  readonly link?: string;
}

test(`of ${MAILS} mails of services in fourteen languages a wait gives the code or the link, and never an older one`, async (t) => {
  const home = await client.newNamespace();
  const mails = [...serviceMails(MAILS, SEED)];
  const wrong: object[] = [];
  const readAll = async (own: readonly ServiceMail[]): Promise<void> => {
    const { address } = await client.newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
    let after = new Date(inside.now()).toISOString();
    for (const mail of own) {
      const text = (await mail.compose()).replace(/\r?\n/g, '\r\n');
      const reply = await sendMail(inside.smtp?.port ?? 0, { from: 'bounce@northwind.example', to: [address], text });
      assert.match(reply, /^250 /, mail.subject);
      const { body, text: answer } = await client.api<Awaited>('POST', `/mailboxes/${address}/wait`, {
        key: home.key,
        body: { after, extract: mail.extract, wait: 20 },
      });
      assert.equal(body.message?.subject, mail.subject, answer.slice(0, 500));
      after = body.message?.id ?? assert.fail();
      const [wanted, found] = [mail[mail.extract], body[mail.extract] ?? null];
      const { language, format, subject } = mail;
      if (found !== wanted) wrong.push({ language, format, subject, wanted, found });
    }
  };
  await Promise.all(
    Array.from({ length: MAILBOXES }, (_, nr) => readAll(mails.filter((_mail, at) => at % MAILBOXES === nr))),
  );
  for (const one of wrong) t.diagnostic(JSON.stringify(one));
  t.diagnostic(`${MAILS - wrong.length} of ${MAILS} are right`);
  assert.ok(1 - wrong.length / MAILS >= LEAST, `${wrong.length} of ${MAILS} are wrong`);
});
