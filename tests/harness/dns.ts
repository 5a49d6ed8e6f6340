import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records of one name by type; a string instead is what the server answers to any question about it. */
export type Zone = Readonly<Record<string, Records | 'SERVFAIL' | 'REFUSED' | 'TIMEOUT'>>;

/** `TIMEOUT` for one type: questions for it are not answered. */
interface Records {
  /** Each text, or its strings of up to 255 bytes. */
  readonly TXT?: readonly (string | readonly string[])[] | 'TIMEOUT';
  readonly A?: readonly string[] | 'TIMEOUT';
  readonly AAAA?: readonly string[] | 'TIMEOUT';
  readonly MX?: readonly (readonly [number, string])[] | 'TIMEOUT';
  readonly PTR?: readonly string[] | 'TIMEOUT';
  readonly CNAME?: readonly string[];
}

export interface Dns extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The questions so far, as `TXT example.com`. */
  readonly asked: string[];
  /** May be changed at any time. */
  zone: Zone;
}

const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const;
type Type = keyof typeof TYPES;
const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

const labels = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.concat([Buffer.from([Buffer.byteLength(label, 'latin1')]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function ipv6(text: string): Buffer {
  const [head = '', tail] = text.split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [front, back] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Buffer.concat(all.map(u16));
}

const strings = (text: string | readonly string[]): Buffer => {
  const parts = typeof text === 'string' ? (text.match(/[\s\S]{1,255}/g) ?? ['']) : text;
  return Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.from([Buffer.byteLength(part, 'latin1')]), Buffer.from(part, 'latin1')])),
  );
};

function dataOf(type: Type, value: unknown): Buffer {
  if (type === 'A') return Buffer.from((value as string).split('.').map(Number));
  if (type === 'AAAA') return ipv6(value as string);
  if (type === 'TXT') return strings(value as string);
  if (type === 'MX')
    return Buffer.concat([u16((value as [number, string])[0]), labels((value as [number, string])[1])]);
  return labels(value as string);
}

const record = (name: Buffer, type: Type, data: Buffer): Buffer =>
  Buffer.concat([name, u16(TYPES[type]), u16(1), Buffer.from([0, 0, 0, 60]), u16(data.length), data]);

/** The answer of the zone to a question (RFC 1035, section 4.1); undefined when there is none. */
function answerTo(query: Buffer, zone: Zone, asked: string[]): Buffer | undefined {
  let offset = 12;
  const parts: string[] = [];
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    parts.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  const name = parts.join('.').toLowerCase();
  const type = (Object.keys(TYPES) as Type[]).find((one) => TYPES[one] === query.readUInt16BE(offset + 1)) ?? 'NS';
  asked.push(`${type} ${name}`);
  const question = query.subarray(12, offset + 5);
  const records = zone[name];
  if (records === 'TIMEOUT') return undefined;
  let code: keyof typeof CODES = 'NOERROR';
  const answers: Buffer[] = [];
  if (typeof records === 'string') code = records;
  else if (records === undefined)
    code = Object.keys(zone).some((one) => one.endsWith(`.${name}`)) ? 'NOERROR' : 'NXDOMAIN';
  else {
    const pointer = Buffer.from([0xc0, 12]);
    const values = (records as Record<string, readonly unknown[] | 'TIMEOUT' | undefined>)[type];
    if (values === 'TIMEOUT') return undefined;
    for (const value of values ?? []) answers.push(record(pointer, type, dataOf(type, value)));
  }
  const flags = 0x8480 | CODES[code];
  return Buffer.concat([
    query.subarray(0, 2),
    u16(flags),
    u16(1),
    u16(answers.length),
    u16(0),
    u16(0),
    question,
    ...answers,
  ]);
}

/** A name server on loopback, over UDP, with answers of any size. */
export async function startDns(zone: Zone = {}): Promise<Dns> {
  const socket = createSocket('udp4');
  const dns: Dns = {
    address: '',
    asked: [],
    zone,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query, { port, address }) => {
    const answer = answerTo(query, dns.zone, dns.asked);
    if (answer !== undefined) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return Object.assign(dns, { address: `127.0.0.1:${socket.address().port}` });
}
