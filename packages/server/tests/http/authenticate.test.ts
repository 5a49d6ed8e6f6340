import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import fc from 'fast-check';
import { amount } from '../../../../tests/soak/length.ts';
import { Directory } from '../../core/access/directory.ts';
import { newSecret } from '../../core/entities/key.ts';
import type { Store } from '../../core/ports/store.ts';
import { Authenticator, networkOf } from '../../http/authenticate.ts';
import { home, newFile, openFile, T, TestClock } from '../core/house.ts';

const SECRET = 'a secret that the service shares with itself';

async function open() {
  const clock = new TestClock();
  const opened = await openFile(newFile(), clock);
  let writes = 0;
  const store: Store = {
    ...opened,
    keys: {
      ...opened.keys,
      used: (uses) => {
        writes++;
        return opened.keys.used(uses);
      },
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
  const { secret, prefix } = newSecret();
  const alice = await home({ store }, {}, { sha256: sha256(secret), prefix });
  const directory = new Directory(store, clock.read);
  const who = new Authenticator({ directory, store, clock: clock.read }, SECRET);
  return { clock, store, directory, who, secret, ...alice, writes: () => writes };
}

describe('networks', () => {
  test('an IPv4 address is a network of its own, however it is written', () => {
    for (const ip of ['192.0.2.1', '0.0.0.0', '255.255.255.255']) {
      const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number];
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const spellings = [
        ip,
        `::ffff:${ip}`,
        `::FFFF:${ip}`,
        `0:0:0:0:0:ffff:${ip}`,
        `0000:0000:0000:0000:0000:ffff:${ip}`,
        `0::ffff:${ip}`,
        `::0:ffff:${ip}`,
        `::ffff:${hex}`,
        `0:0:0:0:0:FFFF:${hex}`,
        `::ffff:${ip}%eth0`,
      ];
      for (const spelling of spellings) assert.equal(networkOf(spelling), ip, spelling);
    }
  });

  test('an IPv6 address is its /64, however it is written', () => {
    const same = [
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
      ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
      ['2001:db8:0:1::', '2001:db8:0:1::/64'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
      ['2001:db8::5:6:7:192.0.2.1', '2001:db8:0:5::/64'],
      ['1::4:5:6:7:8', '1:0:0:4::/64'],
      ['1:2:3::', '1:2:3:0::/64'],
      ['::', '0:0:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['::1:2:3:4:5:6:7', '0:1:2:3::/64'],
      ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['fe80::1%en::0', 'fe80:0:0:0::/64'],
      ['::192.0.2.1', '0:0:0:0::/64'],
    ] as const;
    for (const [ip, network] of same) assert.equal(networkOf(ip), network, ip);
  });

  test('every spelling of an address is the same network, and another /64 is another', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
      minLength: 8,
      maxLength: 8,
    });
    const full = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':');
    fc.assert(
      fc.property(
        groups,
        fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 }),
        (parts, host) => {
          fc.pre(parts.slice(0, 5).some((part) => part !== 0));
          const network = `${full(parts.slice(0, 4))}::/64`;
          const spellings = [
            full(parts),
            full(parts).toUpperCase(),
            parts.map((part) => part.toString(16).padStart(4, '0')).join(':'),
            // The form in a URL, with the longest run of zeros left out.
            new URL(`http://[${full(parts)}]`).hostname.slice(1, -1),
            full([...parts.slice(0, 4), ...host]),
          ];
          for (const spelling of spellings) assert.equal(networkOf(spelling), network, spelling);
        },
      ),
      { numRuns: amount(300, 2_000) },
    );
  });

  test('what is no address is counted as it is written', () => {
    for (const text of ['', 'unknown', '1.2.3.4.5', ':::']) assert.equal(networkOf(text), text);
  });
});

describe('callers', () => {
  test('without a header a guest, with a key its key, with a thread’s token that thread', async () => {
    const { store, who, secret, key } = await open();
    await using _ = store;
    assert.deepEqual(await who.caller(undefined, '192.0.2.1'), { kind: 'guest', network: '192.0.2.1' });
    for (const header of [`Bearer ${secret}`, `bearer ${secret}`, `BEARER   ${secret} `]) {
      assert.deepEqual(await who.caller(header, '::1'), { kind: 'key', key, network: '0:0:0:0::/64' });
    }
    const thread_id = threadOf(newId('msg', T));
    assert.deepEqual(await who.caller(`Bearer ${who.threadToken(thread_id)}`, '192.0.2.1'), {
      kind: 'thread',
      thread_id,
      network: '192.0.2.1',
    });
  });

  test('any other header is invalid_key', async () => {
    const { store, who, secret } = await open();
    await using _ = store;
    const headers = [
      '',
      'Bearer',
      'Bearer ',
      secret,
      `Basic ${secret}`,
      `Bearer${secret}`,
      `Bearer ${secret} x`,
      `Bearer ${secret},`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${newSecret().secret}`,
      'Bearer mt_',
      'Bearer mr_live_',
      `Bearer ${'a'.repeat(16_000)}`,
      `Bearer ${' '.repeat(16_000)}`,
    ];
    for (const header of headers) {
      await assert.rejects(async () => who.caller(header, '192.0.2.1'), { code: 'invalid_key' }, header.slice(0, 80));
    }
  });

  test('a revoked key and one that expired are invalid_key from that moment', async () => {
    const { clock, store, directory, who, secret, key, namespace } = await open();
    await using _ = store;
    await who.caller(`Bearer ${secret}`, '192.0.2.1');
    await store.keys.revoke(key.id, namespace.id, clock.now);
    directory.forget();
    await assert.rejects(async () => who.caller(`Bearer ${secret}`, '192.0.2.1'), { code: 'invalid_key' });

    const short = newSecret();
    await home({ store }, {}, { sha256: short.sha256, expires_at: clock.now + 100 });
    clock.pass(99);
    await who.caller(`Bearer ${short.secret}`, '192.0.2.1');
    clock.pass(1);
    await assert.rejects(async () => who.caller(`Bearer ${short.secret}`, '192.0.2.1'), { code: 'invalid_key' });
  });

  test('a thread’s token is no JWT, and with any one character changed it is none', async () => {
    const { store, who } = await open();
    await using _ = store;
    const thread_id = threadOf(newId('msg', T));
    const token = who.threadToken(thread_id);
    assert.equal(who.threadOf(token), thread_id);
    assert.ok(!token.includes('.'));
    for (let at = 0; at < token.length; at++) {
      for (const character of ['0', 'a', 'A', '_', '-', 'é', '😀', '']) {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        if (changed !== token) assert.equal(who.threadOf(changed), undefined, changed);
      }
    }
    for (const text of ['', 'mt_', thread_id, `${token}=`, ` ${token}`]) assert.equal(who.threadOf(text), undefined);
  });

  test('a token of another service’s secret is none', async () => {
    const { store, directory, clock, who } = await open();
    await using _ = store;
    const other = new Authenticator({ directory, store, clock: clock.read }, 'another secret');
    assert.equal(who.threadOf(other.threadToken(threadOf(newId('msg', T)))), undefined);
  });
});

describe('when a key was used', () => {
  test('is written at once the first time, so that its secret is not made anew any more', async () => {
    const { store, who, secret, key } = await open();
    await using _ = store;
    await who.caller(`Bearer ${secret}`, '192.0.2.1');
    assert.equal((await store.keys.byId(key.id))?.last_used_at, T);
    assert.equal(await store.keys.renew(key.id, { sha256: 'x', prefix: 'y' }), undefined);
  });

  test('is kept to the minute afterwards, in one write for all', async () => {
    const { clock, store, directory, who, secret, key, writes } = await open();
    await using _ = store;
    const ask = () => who.caller(`Bearer ${secret}`, '192.0.2.1');
    await ask();
    assert.equal(writes(), 1);
    for (let i = 0; i < 59; i++) {
      clock.pass(1000);
      await ask();
      await who.flush();
    }
    assert.equal(writes(), 1);
    clock.pass(1000);
    for (let i = 0; i < 10; i++) await ask();
    assert.equal(writes(), 1);
    await who.flush();
    await who.flush();
    assert.equal(writes(), 2);
    directory.forget();
    assert.equal((await store.keys.byId(key.id))?.last_used_at, T + MINUTE);
  });

  test('is told of the next use when it could not be written', async () => {
    const { clock, store, who, directory, secret, key } = await open();
    let broken = false;
    const failing: Store = {
      ...store,
      keys: {
        ...store.keys,
        used: async (uses) => {
          if (broken) throw new Error('The disk is full');
          await store.keys.used(uses);
        },
      },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
    await using _ = store;
    const other = new Authenticator({ directory, store: failing, clock: clock.read }, SECRET);
    await who.caller(`Bearer ${secret}`, '192.0.2.1');
    directory.forget();
    clock.pass(MINUTE);
    await other.caller(`Bearer ${secret}`, '192.0.2.1');
    broken = true;
    await assert.rejects(other.flush(), /disk/);
    broken = false;
    await other.flush();
    assert.equal((await store.keys.byId(key.id))?.last_used_at, T + MINUTE);
  });
});
