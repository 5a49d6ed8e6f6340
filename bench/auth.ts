import { rawSubmission, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import { People } from './harness/people.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 64;
const AUTH = 'auth@agents.mailroom.localhost';
/** Concurrent people, and how long they sign in. */
const PEOPLE = 32;
const PEOPLE_MS = 5_000;
/** Codes requested for each kind of address, one after another. */
const ASKED = 150;
const SERVICES = ['https://service.example', 'https://shop.example', 'http://localhost:3000'];

async function run(options: Options): Promise<Report> {
  await using raw = await startRaw(options);
  await using service = await startService(options, 'auth');
  const ask = (audience: string) => ({ to: AUTH, from: HELLO, body: `token for ${audience}`, sync: true });
  // The first client waits until the issuer has made its keys.
  for (const audience of SERVICES) await service.call('/mail/send', ask(audience));

  const tokens = {
    ...service.submission(AUTH, [], true),
    bodies: SERVICES.map((audience) => JSON.stringify(ask(audience))),
    expect: '"token":"ey',
  };
  const contenders = [
    { name: 'raw node:http, JSON in and out', server: raw, submission: rawSubmission },
    { name: 'Mailroom, sync hello', server: service, submission: service.submission(HELLO, [QUESTION], true) },
    { name: 'Mailroom, sync auth: a token', server: service, submission: tokens },
  ];
  const rounds = options.rounds ?? ROUNDS;
  const plan = { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 2000 };
  const compared = await compare(contenders, plan, options.say);
  const [, hello, token] = compared as [Compared, Compared, Compared];
  const people = await signIns(service, rounds, options.say);
  const timing = await addresses(service, options.say);
  const share = token.of('ratio');
  const ofHello = median(token.rounds.map((round, at) => round.rate / (hello.rounds[at]?.rate ?? Number.NaN)));
  return {
    table: [...figures(compared), row(people, compared)],
    wanted: [
      { met: share >= 0.15, text: `an agent's token by sync send at least 0.15 of raw: ${ratio(share)}` },
      {
        met: median(people.map(({ rate }) => rate)) >= 50,
        text: `at least 50 complete sign-ins of people a second: ${whole(median(people.map(({ rate }) => rate)))}`,
      },
      ...timing.wanted,
    ],
    notes: [
      disturbance(compared),
      `A token is ${ratio(ofHello)} of a sync hello: signed (ES256), its note written, and filed with the mailbox that asked.`,
      `A person's sign-in is 7 requests, from the service's link to its tokens (RS256), and a mail that is composed and put into the outbox, synced, which is in its CPU; ${PEOPLE} people at once.`,
      ...timing.notes,
    ],
  };
}

interface Crowd {
  /** Sign-ins a second. */
  readonly rate: number;
  /** Each list is sorted by duration, in ms. */
  readonly took: readonly number[];
  readonly cpu_us: number;
}

/** Runs `PEOPLE` people at the same time, each of whom signs in again and again. */
async function signIns(service: Service, rounds: number, say: Options['say']): Promise<readonly Crowd[]> {
  using people = await People.open(service, PEOPLE);
  let number = 0;
  const crowd = async (long_ms: number): Promise<Crowd> => {
    const [from, cpu] = [performance.now(), service.cpu()];
    const took: number[] = [];
    const one = async (): Promise<void> => {
      while (performance.now() - from < long_ms) took.push(await people.signIn(`p${++number}@example.com`));
    };
    await Promise.all(Array.from({ length: PEOPLE }, one));
    const seconds = (performance.now() - from) / 1000;
    took.sort((a, b) => a - b);
    return { rate: took.length / seconds, took, cpu_us: ((service.cpu() - cpu) / took.length) * 1e6 };
  };
  say('people sign in, to warm up');
  await crowd(PEOPLE_MS);
  const crowds: Crowd[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: people sign in`);
    crowds.push(await crowd(PEOPLE_MS));
  }
  return crowds;
}

function row(people: readonly Crowd[], compared: readonly Compared[]): readonly string[] {
  const raw = compared[0] as Compared;
  const percentile = (share: number) =>
    median(people.map(({ took }) => took[Math.floor(took.length * share)] ?? Number.NaN));
  const ratios = people.map(({ rate }) => rate / raw.of('rate'));
  return [
    `Mailroom, a person signs in (${PEOPLE} at once)`,
    whole(median(people.map(({ rate }) => rate))),
    ratio(median(ratios)),
    spread(ratios, ratio),
    ms(percentile(0.5)),
    ms(percentile(0.99)),
    ratio(percentile(0.99) / raw.of('p99')),
    `${median(people.map(({ cpu_us }) => cpu_us)).toFixed(0)} µs`,
  ];
}

/**
 * Measures whether response times reveal that an address exists: the share of pairs in which the existing address took
 * longer, which is 0.5 when they reveal nothing.
 */
async function addresses(service: Service, say: Options['say']): Promise<Pick<Report, 'wanted' | 'notes'>> {
  using people = await People.open(service, 1);
  say('codes for addresses that are there and that are not');
  const accountAddress = 'known@example.com';
  await people.signIn(accountAddress);
  const kinds: Readonly<Record<string, (at: number) => string>> = {
    'hosted, there': () => HELLO,
    'hosted, not there': (at) => `nobody${at % 7}@agents.mailroom.localhost`,
    'outside, known': () => accountAddress,
    'outside, not known': (at) => `q${at}@example.com`,
  };
  const took = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let at = 0; at < ASKED; at++) {
    // The order rotates so that every kind follows every other kind.
    const order = Object.entries(kinds).map((_, index, all) => all[(index + at) % all.length] as (typeof all)[number]);
    for (const [kind, address] of order) took[kind]?.push(await people.askForCode(address(at)));
  }
  const longer = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, one) => sum + b.filter((other) => one > other).length, 0) / (a.length * b.length);
  const share = (a: string, b: string): number => longer(took[a] ?? [], took[b] ?? []);
  const hosted = share('hosted, there', 'hosted, not there');
  const outside = share('outside, known', 'outside, not known');
  return {
    wanted: [hosted, outside].map((one, at) => ({
      met: Math.abs(one - 0.5) <= 0.15,
      text: `the time tells nothing of ${at === 0 ? 'a hosted' : 'an outside'} address: one that is there takes longer than one that is not in ${ratio(one)} of all pairs, 0.35 to 0.65`,
    })),
    notes: [
      `Until it is answered that a code is on its way, the median of ${ASKED}: ${Object.entries(took)
        .map(([kind, times]) => `${kind} ${ms(median(times))}`)
        .join(', ')}.`,
    ],
  };
}

export const auth: Benchmark = { name: 'auth', about: 'signing in: tokens for agents, people by codes', run };
