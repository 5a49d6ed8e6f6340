import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, smtpClient } from '../../../../tests/harness/mail.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

/** Domains that did not send from here, by what they publish. */
const dns = await startDns({
  'fail.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'softfail.example': { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] },
  'neutral.example': { TXT: ['v=spf1 ?all'] },
  'none.example': { A: ['192.0.2.1'] },
  'broken.example': 'SERVFAIL',
  'quarantine.example': { TXT: ['v=spf1 -all'] },
  '_dmarc.quarantine.example': { TXT: ['v=DMARC1; p=quarantine'] },
  'reject.example': { TXT: ['v=spf1 -all'] },
  '_dmarc.reject.example': { TXT: ['v=DMARC1; p=reject'] },
});
after(() => dns[Symbol.asyncDispose]());
const DOMAINS = ['fail', 'softfail', 'neutral', 'none', 'unknown', 'broken', 'quarantine', 'reject'] as const;
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address },
});
const { client, outbox, store } = inside;
const home = await client.newNamespace();
const SENDERS = amount(40, 1_000);
const CONNECTIONS = 4;

/** Everything that left or waits to leave. */
async function outgoing(): Promise<number> {
  const files = existsSync(outbox) ? readdirSync(outbox).length : 0;
  return files + (await store.deliveries.waiting()).length + (await store.emails.owed('', 100)).length;
}

test('mails with forged senders are received or refused at once, and nothing is sent to any of them', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'hello' } });
  const senders = Array.from({ length: SENDERS }, (_, at) => ({
    from: `${unique('victim')}@${DOMAINS[at % DOMAINS.length]}.example`,
    // A notice about a mail to an address that does not exist would be one to a victim.
    to: at % 5 === 4 ? `missing-${at}@${home.name}.mailroom.localhost` : address,
    path: at % 7 === 6,
  }));
  const replies = new Map<string, string>();
  const send = async (): Promise<void> => {
    await using smtp = await smtpClient(inside.smtp?.port ?? 0);
    await smtp.say('EHLO forger.example');
    for (let next = senders.pop(); next !== undefined; next = senders.pop()) {
      const { from, to, path } = next;
      await smtp.say(`MAIL FROM:<${path ? '' : from}>`);
      const named = await smtp.say(`RCPT TO:<${to}>`);
      const fields = { From: `Ada <${from}>`, To: to, Subject: 'Hello', 'Message-ID': `<${unique()}@forger.example>` };
      if (named.startsWith('250')) await smtp.say('DATA');
      const reply = named.startsWith('250') ? await smtp.say(`${mailText(fields, 'Who are you?')}\r\n.`) : named;
      replies.set(from, reply);
      if (!named.startsWith('250')) await smtp.say('RSET');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  assert.equal(replies.size, SENDERS);
  for (const [from, reply] of replies)
    assert.match(reply, from.endsWith('@reject.example') ? /^550 5\.(?:7\.1|1\.1) / : /^(?:250 |550 5\.1\.1 )/, from);
  const received = [...replies.values()].filter((reply) => reply.startsWith('250')).length;
  assert.ok(received > SENDERS / 2, `${received} of ${SENDERS} were received`);
  let seen = 0;
  for (let after: string | null | undefined = ''; typeof after === 'string'; ) {
    const query: string = after === '' ? '' : `&cursor=${after}`;
    const page: Page<Envelope & { readonly not_answered: string }> = (
      await client.api<Page<Envelope & { readonly not_answered: string }>>(
        'GET',
        `/mailboxes/${address}/messages?limit=100${query}`,
        { key: home.key },
      )
    ).body;
    for (const { not_answered, status, reply } of page.items) {
      assert.ok(['unverified', 'quarantine', 'null_path'].includes(not_answered), not_answered);
      assert.deepEqual([status, reply], ['completed', null]);
    }
    seen += page.items.length;
    after = page.next_cursor;
  }
  assert.equal(seen, received);
  assert.equal(await outgoing(), 0);
});
