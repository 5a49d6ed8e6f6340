import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { AppError } from '@mailroom/behavior/values/error';
import type { Database } from '../../../../../tests/harness/database.ts';
import { newFolder, removeFolder } from '../../../../../tests/harness/service.ts';
import { everyDatabaseOr } from '../../../../../tests/soak/databases.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { emailAddress } from '../../../core/entities/email-address.ts';
import type { Mail } from '../../../core/outgoing/service-mail.ts';
import type { Store } from '../../../core/ports/store.ts';
import { CODE_MS, CODE_TRIES, readCode, SignIns } from '../../../core/sign-in/sign-in.ts';
import { openStore } from '../../../store/open.ts';
import { codeMail } from '../../../transports/oidc/code-mail.ts';
import { keyOf, mailboxOf, namespaceOf } from '../../store/made.ts';
import { TestClock } from '../house.ts';

const DOMAIN = 'mailroom.test';
const ORIGIN = 'https://app.example';
const ALPHABET = 'CDFHJKMNPRTVWXY34679';
const clock = new TestClock();
const home = namespaceOf('signhome');
const box = mailboxOf(home, 'ada');

/** With a home and its mailbox. */
async function open(database: Database): Promise<Store> {
  const folder = newFolder();
  const store = await openStore(await database.fresh(folder), { clock: clock.read });
  after(async () => {
    await store[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  await store.namespaces.create({ namespace: home, key: keyOf(home), mailboxes: [box] });
  return store;
}

/** Sign-ins over a store that counts its writes of states, with the mail that was sent. */
function threads(of: Store) {
  const mails: Mail[] = [];
  const counts = { set: 0, tried: 0, other: 0 };
  const states: Store['states'] = {
    ...of.states,
    set: (state) => {
      counts.set++;
      return of.states.set(state);
    },
    put: (...args) => {
      counts.other++;
      return of.states.put(...args);
    },
    swap: async (kind, id, from, to, now) => {
      const done = await of.states.swap(kind, id, from, to, now);
      const tries = (text: string): number => (JSON.parse(text) as { tries: number }).tries;
      if (done && tries(to) > tries(from)) counts.tried++;
      return done;
    },
  };
  const signIns = new SignIns(
    {
      store: { states, accounts: of.accounts, mailboxes: of.mailboxes },
      clock: clock.read,
      post: async (mail, state) => {
        await states.set(state);
        mails.push(mail);
      },
      write: codeMail,
    },
    { secret: 'a secret of the service', mailDomain: DOMAIN },
  );
  const begin = (address: string, browser = 'browser') =>
    signIns.begin({
      address,
      browser,
      origin: ORIGIN,
      from_mailbox_id: box.id,
      link: (attempt, code) => `https://mail.example/link?${new URLSearchParams({ attempt, code })}`,
    });
  const code = (): string => /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(mails.at(-1)?.text ?? '')?.[1] as string;
  return { signIns, mails, counts, begin, code };
}

let people = 0;
const newAddress = (): string => `ada${++people}@example.com`;

for (const database of await everyDatabaseOr('SQLite')) {
  const store = await open(database);

  describe(`codes by mail, on ${database.name}`, () => {
    test('a code is 8 characters in two groups without look-alikes, and is read however it is typed', async () => {
      const { begin, code } = threads(store);
      const seen = new Set<string>();
      for (let at = 0; at < 50; at++) {
        await begin(newAddress());
        assert.match(code(), new RegExp(`^[${ALPHABET}]{4}-[${ALPHABET}]{4}$`));
        seen.add(code());
      }
      assert.equal(seen.size, 50);
      for (const typed of ['CDFH-3479', 'cdfh3479', ' c d f h - 3 4 7 9 ', 'CDFH–3479', 'CDFH\n3479']) {
        assert.equal(readCode(typed), 'CDFH-3479', typed);
      }
      for (const typed of ['', 'CDFH-347', 'CDFH-34799', 'CDFH-347O', 'CDFH-3471', 'CDFH_3479']) {
        assert.equal(readCode(typed), undefined, typed);
      }
    });

    test('the right code in the browser that asked signs in, once; the address is the same account the next time', async () => {
      const { signIns, begin, code } = threads(store);
      const address = newAddress();
      const { attempt } = await begin(address);
      assert.deepEqual(await signIns.look({ attempt, browser: 'browser' }), {
        address,
        left: CODE_TRIES,
        expires_at: clock.now + CODE_MS,
      });
      const first = await signIns.verify({ attempt, browser: 'browser', code: code().toLowerCase().replace('-', ' ') });
      assert.equal(first.kind, 'signed_in');
      assert.deepEqual(await signIns.verify({ attempt, browser: 'browser', code: code() }), { kind: 'expired' });
      assert.equal(await signIns.look({ attempt, browser: 'browser' }), undefined);
      const again = await begin(address.toUpperCase());
      const second = await signIns.verify({ attempt: again.attempt, browser: 'browser', code: code() });
      assert.deepEqual(second, first);
      assert.match(first.kind === 'signed_in' ? first.account_id : '', /^acc_/);
    });

    test('a hosted mailbox is its own account, tag or not; one that does not exist signs nobody in', async () => {
      const { signIns, begin, code, mails } = threads(store);
      const { attempt } = await begin(`Ada+shop@signhome.${DOMAIN}`);
      assert.equal(mails.at(-1)?.to, `ada@signhome.${DOMAIN}`);
      assert.deepEqual(await signIns.verify({ attempt, browser: 'browser', code: code() }), {
        kind: 'signed_in',
        account_id: box.id,
        address: `ada@signhome.${DOMAIN}`,
      });
      const missing = await begin(`nobody@signhome.${DOMAIN}`);
      assert.deepEqual(await signIns.verify({ attempt: missing.attempt, browser: 'browser', code: code() }), {
        kind: 'expired',
      });
    });

    test('five wrong codes burn it, the right one then too; what can be no code spends nothing', async () => {
      const { signIns, begin, code, counts } = threads(store);
      const { attempt } = await begin(newAddress());
      const wrong = code() === 'CCCC-CCCC' ? 'DDDD-DDDD' : 'CCCC-CCCC';
      const attempted = { attempt, browser: 'browser' };
      assert.deepEqual(await signIns.verify({ ...attempted, code: 'hello' }), { kind: 'malformed', left: 5 });
      for (const left of [4, 3, 2, 1])
        assert.deepEqual(await signIns.verify({ ...attempted, code: wrong }), { kind: 'wrong', left });
      assert.deepEqual(await signIns.verify({ ...attempted, code: wrong }), { kind: 'burnt' });
      assert.deepEqual(await signIns.verify({ ...attempted, code: code() }), { kind: 'burnt' });
      assert.equal((await signIns.look(attempted))?.left, 0);
      assert.equal(counts.tried, 5);
    });

    test('another browser spends nothing, whatever it sends, and is shown nothing', async () => {
      const { signIns, begin, code, counts } = threads(store);
      const { attempt } = await begin(newAddress(), 'mine');
      for (const browser of ['', 'theirs', 'mine ', 'MINE']) {
        for (let at = 0; at < 20; at++) {
          assert.deepEqual(await signIns.verify({ attempt, browser, code: code() }), { kind: 'elsewhere' });
        }
        assert.equal(await signIns.look({ attempt, browser }), undefined);
      }
      assert.equal(counts.tried, 0);
      assert.equal((await signIns.verify({ attempt, browser: 'mine', code: code() })).kind, 'signed_in');
    });

    test('a code ends after 10 minutes, and when a newer one is asked for; that of another address goes on', async () => {
      const { signIns, begin, code } = threads(store);
      const address = newAddress();
      const other = await begin(newAddress());
      const otherCode = code();
      const first = await begin(address);
      const firstCode = code();
      const second = await begin(` ${address} `, 'elsewhere');
      assert.deepEqual(await signIns.verify({ attempt: first.attempt, browser: 'browser', code: firstCode }), {
        kind: 'expired',
      });
      assert.equal(
        (await signIns.verify({ attempt: second.attempt, browser: 'elsewhere', code: code() })).kind,
        'signed_in',
      );
      assert.equal(
        (await signIns.verify({ attempt: other.attempt, browser: 'browser', code: otherCode })).kind,
        'signed_in',
      );
      const late = await begin(address);
      clock.pass(CODE_MS);
      assert.deepEqual(await signIns.verify({ attempt: late.attempt, browser: 'browser', code: code() }), {
        kind: 'expired',
      });
    });

    test('the same work for each address, hosted or not, there or not: one state and one mail, of the same size', async () => {
      const sizes = new Set<string>();
      for (const address of [
        `ada@signhome.${DOMAIN}`,
        `bob@signhome.${DOMAIN}`,
        `ada@nowhere1.${DOMAIN}`,
        'ada@outside1.example.org',
        'ada@outside2.example.org',
      ]) {
        const { counts, mails, begin } = threads(store);
        await begin(address);
        assert.deepEqual(counts, { set: 1, tried: 0, other: 0 }, address);
        assert.equal(mails.length, 1);
        const { to, text, html, subject, note } = mails[0] as Mail;
        assert.equal(to, address);
        sizes.add([text.replaceAll(to, '').length, html.replaceAll(to, '').length, subject, note].join());
      }
      assert.equal(sizes.size, 1);
    });

    // Each code needs a try of its own, and a write on PostgreSQL takes ten times as long.
    const codes = database.name === 'SQLite' ? 20 : 4;
    test(`${500 * codes} guesses, 100 at a time, over ${codes} codes: 0 sign-ins, and at most five evaluations a code`, async () => {
      const { signIns, begin, code, counts } = threads(store);
      let signedIn = 0;
      for (let round = 0; round < codes; round++) {
        const { attempt } = await begin(newAddress());
        const right = code();
        const triedBefore = counts.tried;
        const guess = (): string => {
          const text = Array.from({ length: 8 }, () => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]).join('');
          return text === right.replace('-', '') ? guess() : text;
        };
        for (let at = 0; at < 500; at += 100) {
          const results = await Promise.all(
            Array.from({ length: 100 }, () => signIns.verify({ attempt, browser: 'browser', code: guess() })),
          );
          signedIn += results.filter(({ kind }) => kind === 'signed_in').length;
        }
        assert.equal(counts.tried - triedBefore, 5);
        assert.equal((await signIns.verify({ attempt, browser: 'browser', code: right })).kind, 'burnt');
      }
      assert.equal(signedIn, 0);
    });

    // On a busy machine more of them would wait longer for a connection than the store allows.
    const many = amount(60, database.name === 'SQLite' ? 1_000 : 250);
    test(`of ${many} right redemptions of one code at once, exactly 1 signs in`, async () => {
      for (let round = 0; round < codes / 4; round++) {
        const { signIns, begin, code, counts } = threads(store);
        const { attempt } = await begin(newAddress());
        const results = await Promise.all(
          Array.from({ length: many }, () => signIns.verify({ attempt, browser: 'browser', code: code() })),
        );
        assert.equal(results.filter(({ kind }) => kind === 'signed_in').length, 1);
        assert.ok(counts.tried <= 5, `${counts.tried} evaluations`);
      }
    });

    test('what is stored tells neither the code nor the browser, and a dump does not redeem', async () => {
      const written: string[] = [];
      const spied = {
        ...store,
        states: {
          ...store.states,
          set: (state: Parameters<Store['states']['set']>[0]) => {
            written.push(JSON.stringify(state));
            return store.states.set(state);
          },
        },
      } as Store;
      const { begin, code } = threads(spied);
      const { attempt } = await begin(newAddress(), 'a browser secret');
      assert.equal(written.length, 1);
      for (const secret of [code(), code().replace('-', ''), 'a browser secret'])
        assert.ok(!written[0]?.includes(secret));
      assert.ok(written[0]?.includes(attempt.slice(0, 43)));
    });

    test('the mail can be read as plain text, and its HTML loads nothing and runs nothing', async () => {
      const { begin, code, mails } = threads(store);
      await begin(newAddress());
      const { text, html, subject, note, to } = mails[0] as Mail;
      assert.ok(text.split('\n').includes(code()));
      for (const part of [
        ORIGIN,
        to,
        '10 minutes',
        'If this was not you, ignore this mail',
        'https://mail.example/link?',
      ]) {
        assert.ok(text.includes(part), part);
        assert.ok(html.replaceAll('&amp;', '&').includes(part), part);
      }
      assert.ok(!subject.includes(code()) && !note.includes(code()));
      assert.doesNotMatch(html, /<(?:img|script|link|iframe|object|form)\b|url\(|@import|\ssrc=/i);
      assert.deepEqual(
        [...html.matchAll(/href="([^"?]*)/g)].map(([, href]) => href),
        ['https://mail.example/link'],
      );
    });
  });
}

test('an address is kept in lower case with its domain as DNS has it, and what is none is told why', () => {
  const read = (text: string): string => emailAddress(text, DOMAIN);
  for (const [typed, kept] of [
    [' Ada@Example.COM ', 'ada@example.com'],
    ["o'hara+x@example.com", "o'hara+x@example.com"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example.com'],
    ['ada@signhome', `ada@signhome.${DOMAIN}`],
    [`Ada+tag@SignHome.${DOMAIN}`, `ada@signhome.${DOMAIN}`],
  ]) {
    assert.equal(read(typed as string), kept);
  }
  for (const [typed, why] of [
    ['', /an @ and a domain/],
    ['ada', /an @ and a domain/],
    ['@example.com', /an @ and a domain/],
    ['ada@', /an @ and a domain/],
    ['a b@example.com', /Before the @/],
    ['a@b@example.com', /Before the @/],
    ['"ada"@example.com', /Before the @/],
    ['.ada@example.com', /Before the @/],
    ['ädä@example.com', /Before the @/],
    ['\u212aada@example.com', /Before the @/],
    [`${'a'.repeat(65)}@example.com`, /Before the @/],
    ['ada@example..com', /complete domain/],
    ['ada@-example.com', /complete domain/],
    ['ada@127.0.0.1', /complete domain/],
    ['ada@[::1]', /complete domain/],
    ['ada@exa%6dple.com', /complete domain/],
    ['ada@example.com\nBcc: eve', /complete domain/],
    ['ada@example.com, eve@example.com', /Before the @/],
    [`ada@${'a.'.repeat(125)}com`, /up to 254|complete domain/],
  ] as const) {
    assert.throws(
      () => read(typed),
      (error: AppError) => error.code === 'validation_error' && why.test(error.message),
      typed,
    );
  }
});
