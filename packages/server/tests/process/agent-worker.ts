/**
 * A program behind an address, as its owner would run one: it claims messages, answers each with the claim as its text,
 * and sometimes gives one back, reports progress, repeats its answer, or holds a message past its lease. What the service
 * granted it, and what it was told of its answers, is a line of JSON each in `AGENT_LOG`.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../../../../tests/harness/chance.ts';
import type { Ending, Grant } from './agent-log.ts';

const { AGENT_LOG = '', AGENT_URLS = '', AGENT_KEY = '', AGENT_ADDRESS = '', AGENT_SEED = '1' } = process.env;
const LOOPS = 3;
const LEASE_S = 10;
const random = chance(Number(AGENT_SEED));
const log = (line: Grant | Ending): void => appendFileSync(AGENT_LOG, `${JSON.stringify(line)}\n`);

interface Said {
  readonly status: number;
  readonly body: {
    readonly items?: readonly { message: { id: string }; claim: string; lease_expires_at: string }[];
    readonly lease_expires_at?: string;
    readonly answer?: { readonly settles: boolean };
  };
}

/** Asks any node, and tries again while none answers. */
async function ask(path: string, body: object): Promise<Said> {
  for (;;) {
    const urls = readFileSync(AGENT_URLS, 'utf8').split('\n').filter(Boolean);
    const url = urls[Math.floor(random() * urls.length)];
    try {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${AGENT_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await answer.text();
      if (answer.status !== 503) return { status: answer.status, body: JSON.parse(text) };
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException)) throw error;
    }
    await pause(50);
  }
}

async function answer(message: string, claim: string): Promise<void> {
  const began = Date.now();
  const { status, body } = await ask(`/mail/messages/${message}/answer`, { claim, body: claim });
  log({ kind: 'answer', message, claim, began, status, settles: body.answer?.settles ?? null });
}

async function handle(message: string, claim: string): Promise<void> {
  const luck = random();
  if (luck < 0.08) {
    // Written before it is sent, because this program may be killed before it hears of it.
    log({ kind: 'release', message, claim, began: Date.now(), status: null, settles: null });
    await ask(`/mail/messages/${message}/release`, { claim });
    return;
  }
  if (luck < 0.16) {
    const { body } = await ask(`/mail/messages/${message}/progress`, {
      claim,
      text: 'Reading',
      lease_seconds: LEASE_S,
    });
    if (body.lease_expires_at !== undefined)
      log({ kind: 'grant', message, claim, until: Date.parse(body.lease_expires_at), lease_ms: LEASE_S * 1_000 });
  }
  // Now and then a program hangs until its lease is over, and answers then.
  await pause(luck > 0.98 ? LEASE_S * 1_000 + 500 : random() * 60);
  await answer(message, claim);
  if (luck > 0.9 && luck < 0.95) await answer(message, claim);
}

await Promise.all(
  Array.from({ length: LOOPS }, async () => {
    for (;;) {
      const max = 1 + Math.floor(random() * 3);
      const { body } = await ask(`/mailboxes/${AGENT_ADDRESS}/claim`, { max, wait: 2, lease_seconds: LEASE_S });
      const items = body.items ?? [];
      for (const { message, claim, lease_expires_at } of items)
        log({
          kind: 'grant',
          message: message.id,
          claim,
          until: Date.parse(lease_expires_at),
          lease_ms: LEASE_S * 1_000,
        });
      await Promise.all(items.map(({ message, claim }) => handle(message.id, claim)));
    }
  }),
);
