import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { Sessions } from '../../../core/access/sessions.ts';
import type { Account } from '../../../core/entities/account.ts';
import { looksLikeSecret } from '../../../core/entities/key.ts';
import { MAX_MEMBERSHIPS } from '../../../core/entities/member.ts';
import { Claims } from '../../../core/sign-in/claims.ts';
import { keyOf } from '../../store/made.ts';
import { type Home, type House, home, openHouse, T } from '../house.ts';

const house = await openHouse();
after(() => house[Symbol.asyncDispose]());
const { store, clock } = house;
const claims = claimsOf(house);
const sessions = new Sessions({ store, clock: clock.read });

function claimsOf({
  store,
  directory,
  storage,
  clock,
}: Pick<House, 'store' | 'directory' | 'storage' | 'clock'>): Claims {
  return new Claims({ store, directory, storage, clock: clock.read }, async (id) => {
    if (id.startsWith('acc_')) return store.accounts.byId(id);
    const mailbox = await store.mailboxes.byId(id);
    return mailbox === undefined || mailbox.deleted_at !== null
      ? undefined
      : { address: `${mailbox.local_part}@${mailbox.namespace}.mailroom.test` };
  });
}

let people = 0;
const person = (): Promise<Account> =>
  store.accounts.getOrPut({ id: newId('acc', T), address: `person${++people}@example.com`, created_at: T });
const asCaller = (of: Home) => ({ kind: 'key', key: of.key, network: '::1' }) as const;
const namesOf = async (account_id: string): Promise<string[]> =>
  (await claims.openedBy(account_id)).map(({ namespace }) => namespace.name);

test('who claims a namespace owns it: by a key of its own that is listed, that nobody has, and that opens the console', async () => {
  const [place, ada] = [await home(house), await person()];
  assert.deepEqual(await claims.ownersOf(place.namespace.id), []);
  const owner = await claims.claim(place.key, place.namespace, ada.id);
  assert.deepEqual([owner.account_id, owner.address], [ada.id, ada.address]);
  assert.deepEqual(await claims.ownersOf(place.namespace.id), [owner]);
  const keys = (await store.keys.page({ namespace_id: place.namespace.id }, null, 50)).items;
  const ownKey = keys.find(({ id }) => id === owner.key_id);
  assert.equal(ownKey?.name, `Sign-in of ${ada.address}`);
  assert.deepEqual(ownKey?.scopes, ['owner']);
  assert.equal(JSON.stringify(keys).includes('mr_live_') && keys.some((key) => looksLikeSecret(key.prefix)), false);
  const [owned, ...others] = await claims.openedBy(ada.id);
  assert.deepEqual([owned?.namespace.name, owned?.key.id, others], [place.namespace.name, owner.key_id, []]);
  const session = await sessions.find(await sessions.begin(ownKey as NonNullable<typeof ownKey>, 'A browser'));
  assert.equal(session?.namespace.id, place.namespace.id);
});

test('claimed again, or many times at once, it is one ownership with one key that works', async () => {
  const [place, ada] = [await home(house), await person()];
  const all = await Promise.all(Array.from({ length: 10 }, () => claims.claim(place.key, place.namespace, ada.id)));
  const again = await claims.claim(place.key, place.namespace, ada.id);
  const owners = await claims.ownersOf(place.namespace.id);
  assert.deepEqual([owners.length, owners[0]?.key_id], [1, again.key_id]);
  const live = (await store.keys.page({ namespace_id: place.namespace.id }, null, 50)).items;
  assert.deepEqual(live.map(({ id }) => id).sort(), [place.key.id, again.key_id].sort());
  assert.ok(all.every(({ account_id }) => account_id === ada.id));
});

test('only a living owner key of the namespace claims it', async () => {
  const [place, other, ada] = [await home(house), await home(house), await person()];
  const weak = keyOf(place.namespace, { scopes: ['keys:write', 'mailboxes:write', 'messages:read'] });
  const bound = keyOf(place.namespace, { mailbox_id: place.box.id, mailbox: `box@${place.namespace.name}` });
  for (const key of [other.key, weak, bound, { ...place.key, revoked_at: T }]) {
    await assert.rejects(claims.claim(key, place.namespace, ada.id), { code: 'access_denied' });
  }
  assert.deepEqual(await claims.ownersOf(place.namespace.id), []);
});

test('a mailbox elsewhere may own a namespace, one of its own may not: its codes would lie open to every reader', async () => {
  const [place, other] = [await home(house), await home(house)];
  await assert.rejects(claims.claim(place.key, place.namespace, place.box.id), {
    code: 'validation_error',
    message: /cannot own it/,
  });
  const owner = await claims.claim(place.key, place.namespace, other.box.id);
  assert.equal(owner.address, `box@${other.namespace.name}.mailroom.test`);
  assert.deepEqual(await namesOf(other.box.id), [place.namespace.name]);
});

test('revoking its key ends the ownership and its sessions at once', async () => {
  const [place, ada, bob] = [await home(house), await person(), await person()];
  const [first, second] = [
    await claims.claim(place.key, place.namespace, ada.id),
    await claims.claim(place.key, place.namespace, bob.id),
  ];
  const [owned] = await claims.openedBy(ada.id);
  const id = await sessions.begin(owned?.key as NonNullable<typeof owned>['key'], 'A browser');
  assert.notEqual(await sessions.find(id), undefined);
  await assert.rejects(house.keys.revoke(place.key, first.key_id), /A member acts by this key/);
  await store.keys.revoke(first.key_id, place.namespace.id, clock.read());
  assert.equal(await sessions.find(id), undefined);
  assert.deepEqual(await namesOf(ada.id), []);
  assert.deepEqual(await claims.ownersOf(place.namespace.id), [second]);
  // A former owner may become an owner again, with another key.
  const again = await claims.claim(place.key, place.namespace, ada.id);
  assert.notEqual(again.key_id, first.key_id);
  assert.deepEqual(await namesOf(ada.id), [place.namespace.name]);
});

test('a lost owner key is replaced by who owns the namespace', async () => {
  const [place, ada] = [await home(house), await person()];
  await claims.claim(place.key, place.namespace, ada.id);
  await house.keys.revoke(place.key, place.key.id);
  const [owned] = await claims.openedBy(ada.id);
  const made = await house.keys.create(owned?.key as NonNullable<typeof owned>['key'], { scopes: ['owner'] });
  assert.ok(looksLikeSecret(made.secret ?? ''));
  assert.equal(made.key.namespace_id, place.namespace.id);
});

test('an account or mailbox that is deleted owns nothing any more, and its sessions end', async () => {
  const [place, other, ada] = [await home(house), await home(house), await person()];
  const ids: string[] = [];
  for (const account of [ada.id, other.box.id]) {
    await claims.claim(place.key, place.namespace, account);
    const [owned] = await claims.openedBy(account);
    ids.push(await sessions.begin(owned?.key as NonNullable<typeof owned>['key'], 'A browser'));
  }
  await store.accounts.remove(ada.id);
  await house.registry.deleteMailbox(asCaller(other), other.address);
  for (const account of [ada.id, other.box.id]) {
    assert.deepEqual(await claims.openedBy(account), []);
    await assert.rejects(claims.claim(place.key, place.namespace, account), { code: 'validation_error' });
  }
  assert.deepEqual(await claims.ownersOf(place.namespace.id), []);
  for (const id of ids) assert.equal(await sessions.find(id), undefined);
});

test('a namespace that is deleted is nobody’s', async () => {
  const [place, kept, ada] = [await home(house), await home(house), await person()];
  await claims.claim(place.key, place.namespace, ada.id);
  await claims.claim(kept.key, kept.namespace, ada.id);
  await house.registry.deleteNamespace(asCaller(place), place.namespace.name);
  assert.deepEqual(await namesOf(ada.id), [kept.namespace.name]);
  assert.deepEqual(await claims.ownersOf(place.namespace.id), []);
});

test('names are told in order, however they were claimed', async () => {
  const ada = await person();
  const places = [await home(house), await home(house), await home(house)];
  for (const place of places.toReversed()) await claims.claim(place.key, place.namespace, ada.id);
  assert.deepEqual(await namesOf(ada.id), places.map(({ namespace }) => namespace.name).sort());
});

test('a namespace has 50 owners at most, and one too many leaves no key behind', async () => {
  const place = await home(house);
  for (let nth = 0; nth < MAX_MEMBERSHIPS; nth++) await claims.claim(place.key, place.namespace, (await person()).id);
  const late = await person();
  await assert.rejects(claims.claim(place.key, place.namespace, late.id), { code: 'validation_error', message: /50/ });
  assert.deepEqual(await namesOf(late.id), []);
  const living = (await store.keys.page({ namespace_id: place.namespace.id }, null, 200)).items;
  assert.equal(living.length, MAX_MEMBERSHIPS + 1);
});

test('a crash between the key and the ownership leaves a key that nobody has, and the claim is made anew', async () => {
  const [place, ada] = [await home(house), await person()];
  const broken = claimsOf({
    ...house,
    store: {
      ...store,
      accounts: { ...store.accounts, join: () => Promise.reject(new Error('stopped here')) },
    } as never,
  });
  await assert.rejects(broken.claim(place.key, place.namespace, ada.id), /stopped here/);
  assert.deepEqual(await namesOf(ada.id), []);
  const owner = await claims.claim(place.key, place.namespace, ada.id);
  assert.deepEqual(await claims.ownersOf(place.namespace.id), [owner]);
});

test('an ownership does not end by itself', async () => {
  const [place, ada] = [await home(house), await person()];
  await claims.claim(place.key, place.namespace, ada.id);
  clock.pass(3_650 * DAY);
  assert.deepEqual(await namesOf(ada.id), [place.namespace.name]);
});
