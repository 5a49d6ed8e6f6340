import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import { amount } from '../../../../tests/soak/length.ts';

const service = await serveInside();
const outbox = new Outbox(service.outbox);
const SIGN_IN = '/account/sign-in';
const ALPHABET = 'CDFHJKMNPRTVWXY34679';
const newPerson = (): string => `${unique('p')}@example.com`;

interface Asked {
  readonly person: Person;
  readonly shown: Shown;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Requests a code; returns it with the other fields of its form. */
async function asked(address = newPerson()): Promise<Asked> {
  const person = new Person(service.url);
  const shown = await person.send(await person.get('/account'), ['do', 'code'], { address });
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown.html)?.[1] as string;
  const attempt = new URL(shown.at, service.url).searchParams.get('attempt') as string;
  return { person, shown, code: (await outbox.code(address)).code, fields: { csrf, attempt, do: 'verify' } };
}

interface GuessResult {
  readonly status: number;
  readonly signed_in: boolean;
  readonly html: string;
}

/** Sends a code's form over a connection of `agent`, from the browser that requested it. */
const guess = ({ person, fields }: Asked, code: string, agent: Agent): Promise<GuessResult> =>
  new Promise((resolve, reject) => {
    const body = new URLSearchParams({ ...fields, code }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: service.url,
    };
    const read = async (answer: IncomingMessage): Promise<void> => {
      const cookies = answer.headers['set-cookie'] ?? [];
      const html = Buffer.concat(await answer.toArray()).toString();
      const signed_in = cookies.some((cookie) => cookie.startsWith('mr_account='));
      resolve({ status: answer.statusCode ?? 0, signed_in, html });
    };
    request(`${service.url}${SIGN_IN}/code`, { method: 'POST', headers, agent }, (answer) => {
      read(answer).catch(reject);
    })
      .on('error', reject)
      .end(body);
  });

function connections(max: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: max });
  after(() => agent.destroy());
  return agent;
}

/** The guess with this number, never equal to `code`. */
function another(code: string, number: number): string {
  let text = '';
  for (let rest = number, at = 0; at < 8; at++, rest = Math.floor(rest / ALPHABET.length)) {
    text += ALPHABET[rest % ALPHABET.length];
  }
  const guessed = `${text.slice(0, 4)}-${text.slice(4)}`;
  return guessed === code ? 'YYYY-YYYY' : guessed;
}

const GUESSES = amount(200, 10_000);
test(`${GUESSES} guesses over 100 connections: 0 sign-ins, five evaluations of each of 20 codes, and the right one is burnt then`, async () => {
  const agent = connections(100);
  const codes = await Promise.all(Array.from({ length: 20 }, () => asked()));
  const shownCounts = codes.map(() => new Map<string, number>());
  await Promise.all(
    Array.from({ length: GUESSES }, async (_, at) => {
      const which = at % codes.length;
      const one = codes[which] as Asked;
      const { status, signed_in, html } = await guess(one, another(one.code, at), agent);
      assert.deepEqual([status, signed_in], [422, false]);
      const said = /(\d tr(?:y|ies) left|Too many wrong codes)/.exec(html)?.[1] ?? html;
      const counted = shownCounts[which] as Map<string, number>;
      counted.set(said, (counted.get(said) ?? 0) + 1);
    }),
  );
  for (const counted of shownCounts) {
    const { 'Too many wrong codes': burnt = 0, ...left } = Object.fromEntries(counted);
    // The page reads the remaining tries again, so it may show fewer than were left at the time.
    const evaluated = Object.values(left).reduce((sum, times) => sum + times, 0);
    assert.ok(evaluated <= 4, JSON.stringify(left));
    assert.equal(burnt + evaluated, GUESSES / codes.length);
  }
  for (const one of codes) assert.equal((await guess(one, one.code, agent)).signed_in, false);
});

const REDEEMERS = amount(50, 1_000);
test(`of ${REDEEMERS} who redeem one right code at the same time, in the browser that asked for it, exactly 1 is signed in`, async () => {
  const agent = connections(REDEEMERS);
  const one = await asked();
  const answers = await Promise.all(Array.from({ length: REDEEMERS }, () => guess(one, one.code, agent)));
  assert.equal(answers.filter(({ signed_in }) => signed_in).length, 1);
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 303).length, 1);
  assert.equal(statuses.filter((status) => status === 410 || status === 422).length, REDEEMERS - 1);
});

test('a browser that was handed the cookies of 3 attackers is signed in by cookies that none of them knows', async () => {
  for (const planted of ['mr_browser', 'mr_account', 'both'] as const) {
    const attacker = await asked();
    await attacker.person.send(attacker.shown, ['do', 'verify'], { code: attacker.code });
    const cookies = new Map([...attacker.person.cookies].filter(([name]) => planted === 'both' || name === planted));
    const victim = new Person(service.url);
    for (const [name, value] of cookies) victim.cookies.set(name, value);
    const address = newPerson();
    const page = await victim.get(`${SIGN_IN}?other=1`);
    const shown = await victim.send(page, ['do', 'code'], { address });
    const account = await victim.send(shown, ['do', 'verify'], { code: (await outbox.code(address)).code });
    assert.equal(account.at, '/account');
    assert.notEqual(victim.cookies.get('mr_account'), attacker.person.cookies.get('mr_account'));
    const theirs = await attacker.person.get('/account');
    assert.ok(!theirs.html.includes(address.split('@')[0] as string));
    // The other session ended when the victim's began in its place.
    if (cookies.has('mr_account')) assert.equal(theirs.at, SIGN_IN);
  }
});

test("an attacker's code that the victim's browser posts, in 6 ways, signs nobody in (login CSRF)", async () => {
  const attacker = await asked();
  const victim = new Person(service.url);
  const page = await victim.get(SIGN_IN);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] as string;
  const { code, fields } = attacker;
  const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const ways: readonly [Record<string, string>, Record<string, string>][] = [
    [{ ...fields, code }, {}],
    [{ ...fields, code }, cross],
    [{ ...fields, csrf, code }, cross],
    [
      { ...fields, csrf, code },
      { origin: 'null', 'sec-fetch-site': 'same-site' },
    ],
    [{ ...fields, csrf: '', code }, {}],
    [{ ...fields, csrf, code }, {}],
  ];
  for (const [body, headers] of ways) {
    const { status } = await victim.post(`${SIGN_IN}/code`, body, headers);
    assert.ok(status === 403 || status === 410, String(status));
    assert.ok(!victim.cookies.has('mr_account'));
  }
  // None of these attempts used up the code in its own browser.
  assert.equal((await attacker.person.send(attacker.shown, ['do', 'verify'], { code })).at, '/account');
});

test('an address with one of 12 tricks in it is refused, and no mail is written', async () => {
  const name = unique('p');
  const tricks = [
    `${name}@example.com\r\nBcc: eve@evil.example`,
    `${name}@example.com\nBcc: eve@evil.example`,
    `${name}\r@example.com`,
    `${name}@example.com, eve@evil.example`,
    `${name}@example.com;eve@evil.example`,
    `"${name}" <eve@evil.example>`,
    `<${name}@evil.example>`,
    `${name}@evil.example@example.com`,
    `${name}@example.com\0`,
    `${name}@exa\u202Emple.com`,
    `${name}@[127.0.0.1]`,
    `${name}@example.com${'.example'.repeat(60)}`,
  ];
  for (const address of tricks) {
    const person = new Person(service.url);
    const shown = await person.send(await person.get(SIGN_IN), ['do', 'code'], { address });
    assert.equal(shown.status, 422, JSON.stringify(address));
  }
  const right = `${name}@example.com`;
  const person = new Person(service.url);
  await person.send(await person.get(SIGN_IN), ['do', 'code'], { address: right });
  const { mail } = await outbox.code(right);
  assert.deepEqual([mail.to?.length, mail.cc, mail.bcc], [1, undefined, undefined]);
  assert.ok(!service.stdout().includes('evil.example'), 'no mail to the attacker was printed');
});

test('no sign-in leads out of here: 12 addresses to go on to, in the query and the form, are looked at by nobody', async () => {
  const ways = ['next', 'return_to', 'redirect', 'redirect_uri', 'post_logout_redirect_uri', 'url'];
  for (const name of ways) {
    for (const to of ['https://evil.example/', '//evil.example/']) {
      const address = newPerson();
      const person = new Person(service.url);
      const begun = await person.get(`${SIGN_IN}?${new URLSearchParams({ [name]: to })}`);
      const page = await person.send(begun, ['do', 'code'], { address, [name]: to });
      const { code } = await outbox.code(address);
      const account = await person.send(page, ['do', 'verify'], { code, [name]: to });
      assert.equal(account.at, '/account');
      assert.ok(![begun, page, account].some(({ html }) => html.includes('evil.example')));
    }
  }
});
