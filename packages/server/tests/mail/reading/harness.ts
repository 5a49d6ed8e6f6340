import { type Dns, startDns, type Zone } from '../../../../../tests/harness/dns.ts';
import { readMail } from '../../../mail/reading/read.ts';
import type { ReadMail } from '../../../mail/reading/read-mail.ts';
import { MailReader, type MailReaderOptions, type MailSource } from '../../../mail/reading/reader.ts';
import { CachingResolver } from '../../../mail/reading/resolver.ts';

export interface Reading extends AsyncDisposable {
  readonly dns: Dns;
  readonly reader: MailReader;
  /** Reads a mail of which lines end as they do in transmission. */
  read(raw: string | Buffer, source?: Partial<MailSource>): Promise<ReadMail>;
}

const resolver = new CachingResolver({ servers: ['127.0.0.1:9'], timeout_ms: 100 });

/** Reads a mail of a trusted network on this thread. */
export const readHere = (raw: string | Buffer, from = 'anna@example.com'): Promise<ReadMail> =>
  readMail(
    {
      raw: bytesOf(raw),
      ip: '127.0.0.1',
      helo: 'client',
      from,
      trusted: 'network',
    },
    { resolver, wait: (answer) => answer, mta: 'mx.example.net', arc_sealers: [] },
  );

/** Reads mails on this thread, with a name server of its own: a thread takes more than a second to start. */
export async function startReadingHere(
  zone: Zone,
  { arc_sealers = [], dns_timeout_ms = 2_000 }: Pick<MailReaderOptions, 'arc_sealers' | 'dns_timeout_ms'> = {},
): Promise<Omit<Reading, 'reader'>> {
  const dns = await startDns(zone);
  const asking = new CachingResolver({ servers: [dns.address], timeout_ms: dns_timeout_ms });
  return {
    dns,
    read: (raw, source = {}) =>
      readMail(
        { ...SOURCE, ...source, raw: bytesOf(raw), trusted: undefined },
        { resolver: asking, wait: (answer) => answer, mta: 'mx.example.net', arc_sealers },
      ),
    [Symbol.asyncDispose]: () => dns[Symbol.asyncDispose](),
  };
}

const SOURCE = { ip: '192.0.2.1', helo: 'mail.example.com', from: 'anna@example.com' };
const bytesOf = (raw: string | Buffer): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof raw === 'string' ? Buffer.from(raw.replace(/\r?\n/g, '\r\n')) : raw);

/** A reader with a name server of its own. */
export async function startReading(zone: Zone = {}, options: Partial<MailReaderOptions> = {}): Promise<Reading> {
  const dns = await startDns(zone);
  const reader = new MailReader({
    mta: 'mx.example.net',
    dns_servers: [dns.address],
    ours: (domain) => domain === 'ns.example.net',
    threads: 1,
    ...options,
  });
  return {
    dns,
    reader,
    read: (raw, source = {}) => reader.read({ ...SOURCE, ...source, raw: bytesOf(raw) }),
    [Symbol.asyncDispose]: async () => {
      await reader[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}
