import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { spf } from 'mailauth';
import { startDns, type Zone } from '../../../../../tests/harness/dns.ts';
import { CachingResolver } from '../../../mail/reading/resolver.ts';

/** The test suite of RFC 7208 (openspf.org, 2014.05); suites/rfc7208.LICENSE. */
interface Suite {
  readonly description: string;
  readonly tests: Readonly<Record<string, Case>>;
  readonly zonedata: Readonly<Record<string, readonly (string | Readonly<Record<string, unknown>>)[]>>;
}
interface Case {
  readonly helo: string;
  readonly host: string;
  readonly mailfrom: string;
  readonly result: string | readonly string[];
}

const SUITES = JSON.parse(readFileSync(new URL('./suites/rfc7208.json', import.meta.url), 'utf8')) as Suite[];

/** A zone as the suite means it: records of type SPF are TXT where a name has none of that type. */
function zoneOf({ zonedata }: Suite): Zone {
  const zone: Record<string, unknown> = {};
  for (const [name, rows] of Object.entries(zonedata)) {
    const silent = rows.includes('TIMEOUT');
    const records: Record<string, unknown[] | 'TIMEOUT'> = {};
    const add = (type: string, value: unknown): void => {
      if (value === 'TIMEOUT') records[type] = 'TIMEOUT';
      else if (Array.isArray(records[type])) records[type].push(value);
      else records[type] ??= [value];
    };
    const pairs = rows.flatMap((row) => (typeof row === 'string' ? [] : Object.entries(row)));
    const texts = pairs.filter(([type]) => type === 'TXT');
    for (const [type, value] of pairs) if (type !== 'SPF' && value !== 'NONE') add(type, value);
    if (texts.length === 0) for (const [type, value] of pairs) if (type === 'SPF') add('TXT', value);
    if (silent) for (const type of ['TXT', 'A', 'AAAA', 'MX', 'PTR']) records[type] ??= 'TIMEOUT';
    zone[name.toLowerCase()] = records;
  }
  return zone as Zone;
}

/** Their records name hosts with `:`, `/` or blanks, for which c-ares, the resolver of Node.js, sends no question. */
const NOT_ASKED = new Set([
  'a-colon-domain',
  'a-colon-domain-ip4mapped',
  'mx-colon-domain',
  'mx-colon-domain-ip4mapped',
  'macro-mania-in-domain',
]);

async function wrongOf(suite: Suite): Promise<unknown[]> {
  await using dns = await startDns(zoneOf(suite));
  const resolver = new CachingResolver({ servers: [dns.address], timeout_ms: 2_000 });
  const wrong: unknown[] = [];
  await Promise.all(
    Object.entries(suite.tests).map(async ([name, { helo, host, mailfrom, result: wanted }]) => {
      if (NOT_ASKED.has(name)) return;
      const found = await spf({ ip: host, helo, sender: mailfrom, strict: true, resolver: resolver.forMail(60_000) });
      const { result } = found.status;
      if (![wanted].flat().includes(result)) wrong.push({ name, wanted, result, comment: found.status.comment });
    }),
  );
  return wrong;
}

test('the test suite of RFC 7208 passes through our resolver and a name server', async () => {
  const wrong = await Promise.all(SUITES.map(wrongOf));
  assert.deepEqual(wrong.flat(), []);
  assert.equal(SUITES.flatMap(({ tests }) => Object.keys(tests)).length, 200);
});
