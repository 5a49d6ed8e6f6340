import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dkimSign } from 'mailauth';
import { startServer } from './harness/child.ts';
import { startGenerator } from './harness/load.ts';
import { type Mail, type MailMeasured, startMailGenerator } from './harness/mail-load.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, mailPort, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 3;
const COLD_MS = 3000;
const WARM_MS = 500;
const MEASURE_MS = 5000;
/** HTTP is measured alone and beside mail in short turns, because the speed of these machines varies. */
const TURNS = 4;
const TURN_MS = 1500;
/** Connections that send mail, and mails of each. */
const CONNECTIONS = 16;
const MAILS_PER_CONNECTION = 10;
const HTTP_CONNECTIONS = 64;
/** Mails a second. */
const WANTED = { trusted: 300, proven: 60 } as const;
const DOMAINS = 50;
/** Linux has all of 127.0.0.0/8. Mail from the first is not authenticated, since `SMTP_TRUSTED` names it. */
const CLIENTS = { trusted: '127.0.0.2', proven: '127.0.0.1' } as const;
type Kind = keyof typeof WANTED;
const KINDS = ['trusted', 'proven'] as const;
const NAMES: Readonly<Record<Kind, string>> = {
  trusted: 'not authenticated',
  proven: 'SPF, DKIM (RSA 2,048) and DMARC',
};
const SETTLE_MS = 120_000;

const lines = (...of: readonly string[]): string => of.join('\r\n');

/** A mail with text and HTML, as most programs write it. */
const mailOf = (from: string): string =>
  lines(
    `From: Ada Lovelace <${from}>`,
    `To: ${HELLO}`,
    'Subject: Who are you?',
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="a1b2c3"',
    '',
    '--a1b2c3',
    'Content-Type: text/plain; charset="UTF-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    QUESTION.replaceAll(', ', ', =\r\n'),
    '',
    '--=20',
    'Ada Lovelace, London',
    '',
    '--a1b2c3',
    'Content-Type: text/html; charset="UTF-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `<div dir=3D"ltr">${QUESTION.replaceAll(', ', ', =\r\n')}<br><div>-- <br>Ada Lovelace, London</div></div>`,
    '',
    '--a1b2c3--',
  );

async function mails(privateKey: string): Promise<Readonly<Record<Kind, readonly Mail[]>>> {
  const proven: Mail[] = [];
  const trusted: Mail[] = [];
  for (let at = 0; at < DOMAINS; at++) {
    const domain = `sender${at}.example`;
    const from = `ada@${domain}`;
    const text = mailOf(from);
    const key = { signingDomain: domain, selector: 's', privateKey };
    const { signatures } = await dkimSign(text, {
      canonicalization: 'relaxed/relaxed',
      ...key,
      signatureData: [key],
    });
    trusted.push({ from, to: HELLO, text });
    proven.push({ from, to: HELLO, text: signatures + text });
  }
  return { trusted, proven };
}

/** Resolves when all answers have left. */
async function answered(service: Service): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
    const waiting = [...text.matchAll(/^mailroom_(?:deliveries_waiting\{[^}]*\}|queue_depth) (\d+)/gm)];
    if (waiting.every(([, count]) => count === '0')) return;
    if (performance.now() > until) throw new Error(`answers still wait: ${waiting.join(' ')}`);
    await sleep(250);
  }
}

interface Flood extends MailMeasured {
  /** CPU of the service, over all its threads, in microseconds a mail, and with its answer sent. */
  readonly cpu_us: number;
  readonly answered_us: number;
  readonly settled_s: number;
}

async function run(options: Options): Promise<Report> {
  const rounds = options.rounds ?? ROUNDS;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const written = await mails(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  await using dns = await startServer(join(import.meta.dirname, './servers/dns.ts'), {
    args: [String(DOMAINS), key],
    env: {},
    log: join(options.folder, 'dns.log'),
  });
  await using service = await startService(options, 'mail', {
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TRUSTED: CLIENTS.trusted,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
  });
  const port = await mailPort(service);
  await using mail = startMailGenerator();
  await using http = startGenerator();
  const loadMail = (kind: Kind, cold: boolean, rate?: number): Promise<MailMeasured> =>
    mail.load({
      port,
      client: CLIENTS[kind],
      mails: written[kind],
      connections: CONNECTIONS,
      mails_per_connection: MAILS_PER_CONNECTION,
      ...(rate !== undefined && { rate }),
      warm_ms: cold ? COLD_MS : WARM_MS,
      measure_ms: rate === undefined ? MEASURE_MS : TURN_MS,
    });
  const loadHttp = (cold: boolean) =>
    http.load({
      port: service.port,
      connections: HTTP_CONNECTIONS,
      timed: { warm_ms: cold ? COLD_MS : WARM_MS, measure_ms: TURN_MS },
      ...service.submission(HELLO, [QUESTION], true),
    });
  const floods: Record<Kind, Flood[]> = { trusted: [], proven: [] };
  const shares: Record<Kind, { share: number; rate: number; alone: number }[]> = { trusted: [], proven: [] };
  for (let round = 1; round <= rounds; round++) {
    const cold = round === 1;
    for (const kind of KINDS) {
      options.say(`round ${round} of ${rounds}: as many mails as possible, ${NAMES[kind]}`);
      const [from, before] = [performance.now(), service.cpu()];
      const measured = await loadMail(kind, cold);
      const received = service.cpu() - before;
      await answered(service);
      const us = (seconds: number): number => (seconds / measured.sent) * 1e6;
      floods[kind].push({
        ...measured,
        cpu_us: us(received),
        answered_us: us(service.cpu() - before),
        settled_s: (performance.now() - from) / 1000,
      });
    }
    for (let turn = 0; turn < TURNS; turn++) {
      for (const kind of KINDS) {
        const first = cold && turn === 0;
        options.say(`round ${round} of ${rounds}: a sync hello alone, then with mail, ${NAMES[kind]}`);
        const alone = (await loadHttp(first)).rate;
        const [{ rate }, beside] = await Promise.all([loadHttp(first), loadMail(kind, first, WANTED[kind])]);
        shares[kind].push({ share: rate / alone, rate: beside.rate, alone });
        await answered(service);
      }
    }
  }
  const medianOf = (kind: Kind, figure: keyof Flood): number => median(floods[kind].map((one) => one[figure]));
  const rates = (kind: Kind): string =>
    spread(
      floods[kind].map(({ rate }) => rate),
      whole,
    );
  const share = (kind: Kind): number => median(shares[kind].map((one) => one.share));
  const shared = (kind: Kind): string =>
    spread(
      shares[kind].map((one) => one.share),
      ratio,
    );
  return {
    table: [
      [
        'mail to hello',
        'mails/s',
        'in rounds',
        'p50',
        'p99',
        'CPU a mail',
        'with its answer',
        'HTTP keeps',
        'in rounds',
      ],
      ...KINDS.map((kind) => [
        NAMES[kind],
        whole(medianOf(kind, 'rate')),
        rates(kind),
        ms(medianOf(kind, 'p50')),
        ms(medianOf(kind, 'p99')),
        `${whole(medianOf(kind, 'cpu_us'))} µs`,
        `${whole(medianOf(kind, 'answered_us'))} µs`,
        ratio(share(kind)),
        shared(kind),
      ]),
    ],
    wanted: KINDS.flatMap((kind) => [
      {
        met: medianOf(kind, 'rate') >= WANTED[kind],
        text: `at least ${WANTED[kind]} mails/s, ${NAMES[kind]}: ${whole(medianOf(kind, 'rate'))}`,
      },
      {
        met: share(kind) >= 0.7,
        text: `a sync hello keeps 0.70 of its rate while ${WANTED[kind]} of them arrive: ${ratio(share(kind))}`,
      },
    ]),
    notes: [
      `Median of ${rounds} rounds. ${CONNECTIONS} connections at a time with ${MAILS_PER_CONNECTION} mails each; each mail has text and HTML, is written`,
      'durably before 250, and is answered by a mail that goes to the outbox. CPU is the service’s, all threads.',
      ...KINDS.map((kind) => {
        const of = (figure: 'rate' | 'alone'): string => whole(median(shares[kind].map((one) => one[figure])));
        return `Mail ${NAMES[kind]}: ${of('rate')} a second beside a sync hello, which had ${of('alone')} a second alone.`;
      }),
    ],
  };
}

export const mail: Benchmark = {
  name: 'mail',
  about: 'mails a second by SMTP, with and without authentication, and HTTP beside them',
  run,
};
