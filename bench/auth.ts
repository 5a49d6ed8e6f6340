import { rawLetter, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { median, ratio } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 64;
const AUTH = 'auth@agents.mailroom.localhost';
const SERVICES = ['https://service.example', 'https://shop.example', 'http://localhost:3000'];

async function run(options: Options): Promise<Report> {
  await using raw = await startRaw(options);
  await using service = await startService(options, 'auth');
  const ask = (audience: string) => ({ to: AUTH, from: HELLO, body: `token for ${audience}`, sync: true });
  // The issuer's keys are made by the first.
  for (const audience of SERVICES) await service.call('/mail/send', ask(audience));

  const tokens = {
    ...service.letter(AUTH, [], true),
    bodies: SERVICES.map((audience) => JSON.stringify(ask(audience))),
    expect: '"token":"ey',
  };
  const contenders = [
    { name: 'raw node:http, JSON in and out', server: raw, letter: rawLetter },
    { name: 'Mailroom, sync hello', server: service, letter: service.letter(HELLO, [QUESTION], true) },
    { name: 'Mailroom, sync auth: a token', server: service, letter: tokens },
  ];
  const rounds = options.rounds ?? ROUNDS;
  const plan = { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 2000 };
  const compared = await compare(contenders, plan, options.say);
  const [, hello, token] = compared as [Compared, Compared, Compared];
  const share = token.of('ratio');
  const ofHello = median(token.rounds.map((round, at) => round.rate / (hello.rounds[at]?.rate ?? Number.NaN)));
  return {
    table: figures(compared),
    wanted: [{ met: share >= 0.15, text: `an agent's token by sync send at least 0.15 of raw: ${ratio(share)}` }],
    notes: [
      disturbance(compared),
      `A token is ${ratio(ofHello)} of a sync hello: signed (ES256), its note written, and filed with the mailbox that asked.`,
    ],
  };
}

export const auth: Benchmark = { name: 'auth', about: 'signing in: tokens for agents', run };
