import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { authenticate } from 'mailauth';
import { startDns, type Zone } from '../../../../../tests/harness/dns.ts';
import { CachingResolver } from '../../../mail/reading/resolver.ts';

/** The validation suite of ARC by ValiMail; suites/arc.LICENSE. */
interface Suite {
  readonly tests: Readonly<Record<string, { readonly message: string; readonly cv: string }>>;
  readonly 'txt-records': Readonly<Record<string, string>>;
}

const SUITES = JSON.parse(readFileSync(new URL('./suites/arc.json', import.meta.url), 'utf8')) as Suite[];

/** What the suite took from drafts: RFC 8617 has `simple` as the default, but mails with the other one are sent. */
const OF_DRAFTS = 'ams_fields_c_na';
/** Its signature covers no header, so it proves nothing about `From`. */
const COVERS_NOTHING = 'ams_fields_h_empty';

const zoneOf = (suite: Suite): Zone =>
  Object.fromEntries(Object.entries(suite['txt-records']).map(([name, text]) => [name.toLowerCase(), { TXT: [text] }]));

test('the validation suite of ARC passes through our resolver and a name server', async () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const suite of SUITES) {
    await using dns = await startDns(zoneOf(suite));
    const resolver = new CachingResolver({ servers: [dns.address], timeout_ms: 2_000 });
    for (const [name, { message, cv }] of Object.entries(suite.tests)) {
      const { arc } = await authenticate(Buffer.from(message), {
        resolver: resolver.forMail(60_000),
        disableDmarc: true,
        disableBimi: true,
        strict: name !== OF_DRAFTS,
        mta: 'mx.example.net',
      });
      const found = arc === false ? 'none' : arc.status.result;
      // A chain that is broken by its form has no status of its own.
      const wanted = cv === '' || name === COVERS_NOTHING ? 'fail' : cv.toLowerCase();
      count += 1;
      if (found !== wanted) wrong.push({ name, wanted, found, comment: arc !== false && arc.status.comment });
    }
  }
  assert.deepEqual(wrong, []);
  assert.equal(count, 171);
});
