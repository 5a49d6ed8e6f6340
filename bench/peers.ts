import { join } from 'node:path';
import { dkimRecord } from '@mailroom/server/mail/writing/dkim';
import { dkimKeys } from '@mailroom/server/mail/writing/dkim-keys';
import { openStore } from '@mailroom/server/store/open';
import { newCertificate } from '../tests/harness/certificate.ts';
import { startDns } from '../tests/harness/dns.ts';
import { startServer } from './harness/child.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { ratio, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 64;
const WANTED = 0.4;
/** In the place of a number, so that no two texts are the same. */
const SERIAL = '#'.repeat(12);
const DOMAINS = ['one.test', 'two.test'] as const;
/** Linux has all of 127.0.0.0/8. */
const ADDRESSES = ['127.0.1.1', '127.0.1.2'] as const;

interface Sender {
  readonly key: string;
  readonly from: string;
}

/** A claimed namespace with a mailbox that writes. */
async function newSender(service: Service): Promise<Sender> {
  const post = async (path: string, body: object, key?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    const url = `http://127.0.0.1:${service.port}/api/v1${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const created = (await post('/namespaces', { name: 'acme' })) as { id: string; key: { secret: string } };
  const key = created.key.secret;
  const mailbox = { local_part: 'desk', behavior: { name: 'agent' } };
  const { address } = (await post('/namespaces/acme/mailboxes', mailbox, key)) as { address: string };
  await using store = await openStore(storeOf(service), { alongside: true });
  const namespace = await store.namespaces.byName('acme');
  await store.namespaces.claim(namespace?.id ?? '', Date.now());
  return { key, from: address };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const storeOf = ({ folder }: Service): string => `sqlite:${join(folder, 'mailroom.db')}`;

/** The records of a domain whose service signs with the keys of its store. */
async function recordsOf(domain: string, address: string, service: Service) {
  await using store = await openStore(storeOf(service), { alongside: true });
  const [keys = []] = await dkimKeys(store.secrets);
  const names = [domain, `agents.${domain}`, `acme.${domain}`];
  return {
    ...Object.fromEntries(names.map((name) => [name, { A: [address] }])),
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
    ...Object.fromEntries(keys.map(dkimRecord).map(({ name, value }) => [`${name}.${domain}`, { TXT: [value] }])),
  };
}

async function run(options: Options): Promise<Report> {
  await using dns = await startDns();
  const names = DOMAINS.flatMap((domain) => [domain, `agents.${domain}`, `acme.${domain}`]);
  const { cert, key } = newCertificate(options.folder, names);
  await using stack = new AsyncDisposableStack();
  const services: Service[] = [];
  for (const [at, domain] of DOMAINS.entries()) {
    const service = await startService(options, domain, {
      MAIL_DOMAIN: domain,
      BASE_URL: `https://${domain}`,
      FEDERATION: 'on',
      DNS_SERVERS: dns.address,
      OUTSIDE_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: cert,
    });
    stack.use(service);
    dns.zone = { ...dns.zone, ...(await recordsOf(domain, ADDRESSES[at] as string, service)) };
    services.push(service);
  }
  const [one, two] = services as [Service, Service];
  await using front = await startServer(join(import.meta.dirname, './servers/tls.ts'), {
    args: [cert, key, `${ADDRESSES[0]}=${one.port}`, `${ADDRESSES[1]}=${two.port}`],
    env: {},
    log: join(options.folder, 'tls.log'),
  });
  const sender = await newSender(one);
  const submission = (domain: string) => ({
    path: '/api/v1/mail/send',
    headers: { authorization: `Bearer ${sender.key}` },
    bodies: [
      JSON.stringify({ from: sender.from, to: `hello@agents.${domain}`, body: `${QUESTION} ${SERIAL}`, sync: true }),
    ],
    serial: SERIAL,
    status: '200',
    expect: '"reply":{',
  });
  const processes = [one, two, front];
  const readings: number[][] = [];
  /** What is compared, with the processor time of all three, which is read before and after each load. */
  const target = {
    ...one,
    cpu: () => {
      const reading = processes.map((each) => each.cpu());
      readings.push(reading);
      return sumOf(reading);
    },
  };
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'sync hello of one server', server: target, submission: submission(DOMAINS[0]) },
      { name: 'sync hello of another server', server: target, submission: submission(DOMAINS[1]) },
    ],
    { connections: CONNECTIONS, rounds, cold_ms: 4000, warm_ms: 1000, measure_ms: 4000 },
    options.say,
  );
  const [local, across] = compared as [Compared, Compared];
  const [alone, [sending, receiving, speaking]] = [spent(readings, 0, local), spent(readings, 1, across)];
  const apart = alone[0] / Math.max(sending, receiving);
  return {
    table: figures(compared),
    wanted: [
      { met: apart >= WANTED, text: `at least ${WANTED} of one server's rate, each on its machine: ${ratio(apart)}` },
    ],
    notes: [
      disturbance(compared),
      `Median of ${rounds} rounds; ratios are within a round. Both services, what speaks TLS for them, the name server and`,
      'the load generator share the cores; the CPU of a request is that of the first three together. Of it the sending',
      `service takes ${whole(sending)} µs, the receiving one ${whole(receiving)} µs, TLS ${whole(speaking)} µs. On a machine of its own each service`,
      `does as many as its CPU allows: the busier one is compared with the ${whole(alone[0])} µs of an exchange within one server.`,
    ],
  };
}

/** CPU time of each process in microseconds a request; contender `turn` of two has every second pair of readings. */
function spent(readings: readonly (readonly number[])[], turn: number, compared: Compared): [number, number, number] {
  const sums = [0, 0, 0];
  for (let at = 2 * turn; at < readings.length; at += 4) {
    for (const i of sums.keys()) sums[i] = (sums[i] ?? 0) + (readings[at + 1]?.[i] ?? 0) - (readings[at]?.[i] ?? 0);
  }
  const a_request = compared.of('cpu_us') / sumOf(sums);
  return sums.map((sum) => sum * a_request) as [number, number, number];
}

export const peers: Benchmark = {
  name: 'peers',
  about: 'a sync hello of another server, signed and by TLS, beside that of one server',
  run,
};
