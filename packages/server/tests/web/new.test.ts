import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { unique } from '../../../../tests/harness/client.ts';
import { controlsOf, formData } from '../../../../tests/harness/form.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { filled, HELLO, MAKE, openNewForm, ready, type Seen, secretIn, seen } from './new-form.ts';

const { service, client, get, post, begin } = await openNewForm();

test('a link to a behavior that is not offered says so, with what is chosen instead', async () => {
  for (const more of ['', `&local=hello&name=${unique('n')}`]) {
    const { status, page } = await get(`new?behavior=fortune-teller${more}`);
    assert.equal(status, 200);
    assert.match(page, /does not offer “<span dir="auto">fortune-teller<\/span>”/);
  }
  assert.doesNotMatch((await get('new?behavior=hello')).page, /does not offer/);
});

test('a name in letters or with blanks that no address has is offered in those that it may have', async () => {
  const tag = unique('n');
  for (const [typed, offered] of [
    [`My Name ${tag}`, `my-name-${tag}`],
    [`Jörg’s Büro ${tag}`, `jorgs-buro-${tag}`],
    [`Straße_${tag}!`, `strasse-${tag}`],
  ] as const) {
    const { status, page } = await get(`new?${new URLSearchParams({ local: 'hello', name: typed })}`);
    assert.equal(status, 422);
    assert.match(page, new RegExp(`data-suggested="${offered}"`), typed);
  }
  assert.doesNotMatch((await get('new?local=hello&name=%21%21')).page, /data-suggested|example/);
  const local = await get(`new?${new URLSearchParams({ local: 'Ada Okafor', name: tag })}`);
  assert.match(local.page, /For example: ada-okafor/);
});

describe('the way to an address', () => {
  test('leads from a name to a page that answers, with nothing but forms', async () => {
    const name = unique('n');
    const start = await get('new');
    assert.equal(start.status, 200);
    const asked = formData(start.page);
    assert.deepEqual([...asked.keys()], ['local', 'name', 'behavior']);
    asked.set('name', name.toUpperCase());
    const choose = await get(`new?${asked.toString()}`);
    assert.equal(choose.status, 200);
    assert.match(choose.title, new RegExp(`^How should hello@${name} answer\\?`));
    const typed = ready(choose, {
      [`${HELLO}.name`]: 'Ada Okafor',
      [`${HELLO}.introduction`]: 'I check **bridges**.',
      [`${HELLO}.links.0.label`]: 'Blog',
      [`${HELLO}.links.0.url`]: 'ada.example/bridges',
    });
    const done = await post('new', typed);
    assert.equal(done.status, 201);
    assert.equal(done.headers.get('cache-control'), 'no-store');
    assert.match(done.page, /is ready\./);
    const secret = secretIn(done.page);
    assert.ok(secret);
    const address = `hello@${name}.mailroom.localhost`;
    const { body: mailbox } = await client.api<Mailbox>('GET', `/mailboxes/${address}`, { key: secret });
    assert.deepEqual(mailbox.behavior, {
      name: 'hello',
      settings: {
        name: 'Ada Okafor',
        introduction: 'I check **bridges**.',
        links: [{ label: 'Blog', url: 'https://ada.example/bridges' }],
        type: 'Person',
      },
    });
    assert.equal(mailbox.display_name, 'Ada Okafor');
    const { body } = await client.tryOut({ to: address, body: 'Who are you?' });
    assert.match(body.reply?.body ?? '', /I check \*\*bridges\*\*\./);
  });

  test('shows the key in that answer and nowhere else, and gives it as a file', async () => {
    const name = unique('n');
    const done = await post('new', ready(await begin(name)));
    const secret = secretIn(done.page) as string;
    assert.match(done.page, /This key is shown only now\. It opens the console of/);
    // The key is in no link or title, which end up in histories and logs.
    assert.doesNotMatch(done.title, /mr_live_/);
    for (const [, href] of done.page.matchAll(/(?:href|src|action|data-share|data-copy)="([^"]*)"/g))
      assert.doesNotMatch(href as string, /mr_live_/);
    for (const path of [name, `hello@${name}.mailroom.localhost`, `new?local=hello&name=${name}`, ''])
      assert.equal(secretIn((await get(path)).page), undefined);
    assert.doesNotMatch(service.logs(), /mr_live_/);
    const file = await post('new/key', new URLSearchParams({ name, key: secret }));
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="mailroom-${name}-owner-key.txt"`);
    assert.equal(file.headers.get('cache-control'), 'no-store');
    assert.equal(secretIn(file.page), secret);
    assert.equal((await post('new/key', new URLSearchParams({ name, key: '<script>' }))).status, 422);
    const consoleForm = controlsOf(done.page).filter(({ attributes }) => attributes.get('name') === 'key');
    assert.deepEqual(
      consoleForm.map(({ attributes }) => attributes.get('value')),
      [secret, secret],
    );
    assert.match(done.page, /<form method="post" action="console">/);
  });

  test('sent twice makes one address, whose key works', async () => {
    const name = unique('n');
    const form = ready(await begin(name));
    const both = await Promise.all([post('new', form), post('new', form)]);
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 201],
    );
    const shown = both.map(({ page }) => secretIn(page)).filter((secret) => secret !== undefined);
    assert.equal(shown.length, 1);
    assert.equal((await client.api('GET', '/me', { key: shown[0] })).status, 200);
    const late = await post('new', form);
    assert.equal(late.status, 200);
    assert.equal(secretIn(late.page), undefined);
    assert.match(late.page, /It still opens the console/);
    // A key that was used is not replaced.
    assert.doesNotMatch(late.page, /Make a new key/);
    // The same page with another address is refused, not taken for a repetition.
    form.set('name', unique('n'));
    const other = await post('new', form);
    assert.equal(other.status, 422);
    assert.match(other.page, /This form has already made an address\./);
    assert.equal((await post('new', ready(other))).status, 201);
  });

  test('a reload of the last page leaves the key as it is, and a new one is made when it is asked for', async () => {
    const form = ready(await begin(unique('n')));
    const saved = secretIn((await post('new', form)).page);
    const again = await post('new', form);
    assert.equal(secretIn(again.page), undefined);
    const renewed = await post('new', formData(again.page, { button: ['do', 'renew'] }));
    const fresh = secretIn(renewed.page);
    assert.match(renewed.page, /The one shown before no longer works/);
    assert.equal((await client.api('GET', '/me', { key: saved })).status, 401);
    assert.equal((await client.api('GET', '/me', { key: fresh })).status, 200);
    // Reloading that page changes nothing either.
    assert.equal(secretIn((await post('new', formData(again.page, { button: ['do', 'renew'] }))).page), undefined);
    assert.equal((await client.api('GET', '/me', { key: fresh })).status, 200);
  });

  test('a reload leaves a key that was saved and not used yet as it is', async () => {
    const form = ready(await begin(unique('n')));
    const saved = secretIn((await post('new', form)).page);
    await post('new', form);
    await post('new', form);
    assert.equal((await client.api('GET', '/me', { key: saved })).status, 200);
  });

  test('makes an address that is in no list, unless it is asked to be listed', async () => {
    for (const [fields, visibility] of [
      [{}, 'unlisted'],
      [{ visibility: 'listed' }, 'listed'],
    ] as const) {
      const name = unique('n');
      const done = await post('new', ready(await begin(name), fields));
      assert.match(done.page, visibility === 'listed' ? /It is also in the directory/ : /only people with the link/);
      const path = `hello@${name}.mailroom.localhost`;
      for (const list of [`?query=${name}`, `${name}.md`]) {
        const { page } = await get(list);
        assert.equal(decodeURIComponent(page).includes(path), visibility === 'listed', list);
      }
      const { body } = await client.api<Mailbox>('GET', `/mailboxes/${path}`);
      assert.equal(body.visibility, visibility);
      assert.doesNotMatch(done.page, /QR code/, 'no phone reaches this machine by its name here');
    }
  });
});

test('an auth address has nothing to set, says what comes next, and ends with the way to it', async () => {
  const choose = await get(`new?local=sign-in&name=${unique('n')}&behavior=auth`);
  const [, panel = ''] = /<section class="panel on"[^>]*>(.*?)<\/section>/s.exec(choose.page) ?? [];
  assert.match(panel, /Your app comes next/);
  assert.match(panel, /open its console and add your app under “Your apps”/);
  const done = await post('new', filled(choose, MAKE));
  assert.equal(done.status, 201);
  assert.match(done.page, /name="next" value="console\/clients\/sign-in"><button[^>]*>Add your app/);
});

test('a form from another site makes nothing', async () => {
  const name = unique('n');
  const form = ready(await begin(name));
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.url, 'sec-fetch-site': 'cross-site' },
  ]) {
    for (const path of ['new', 'new/preview', 'new/key'])
      assert.equal((await post(path, form, headers)).status, 403, `${path} ${JSON.stringify(headers)}`);
  }
  assert.equal((await client.api('GET', `/namespaces/${name}`)).status, 404);
});

test('no page has script or style of its own, or a link that leaves out the folder it may stand in', async () => {
  const pages = [await get('new'), await begin(unique('n')), await begin('admin')];
  pages.push(await post('new', ready(pages[1] as Seen)));
  for (const { page, headers } of pages) {
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/);
    assert.doesNotMatch(page, /(?:href|src|action)="\//);
    assert.match(headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, 'an id stands twice');
    for (const [, of] of page.matchAll(/<label[^>]* for="([^"]+)"/g)) assert.ok(ids.includes(of), `${of}`);
    for (const [, list] of page.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g))
      for (const id of (list as string).split(' ')) assert.ok(ids.includes(id), id);
  }
});

test('over a limit nothing is lost: what was typed stays, with the time to wait', async () => {
  const limited = await serveInside({
    env: { RATE_LIMITS: 'on', LIMIT_NAMESPACES_PER_HOUR: '1', LIMIT_TRIES_PER_MINUTE: '2', CHALLENGE_COST: '4' },
  });
  const visit = (path: string, form?: URLSearchParams): Promise<Seen> =>
    fetch(`${limited.url}/${path}`, {
      headers: { accept: 'text/html', origin: limited.url },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    }).then(seen);
  const taken = await visit('new?local=hello&name=agents');
  assert.equal(taken.status, 422);
  const choose = await visit('new?local=hello&name=limited-one');
  // Failed attempts are not counted.
  assert.equal((await visit('new', filled(choose, MAKE, { [`${HELLO}.name`]: 'x'.repeat(101) }))).status, 422);
  assert.equal((await visit('new', ready(choose))).status, 201);
  const next = await visit('new?local=hello&name=limited-two');
  const refused = await visit('new', filled(next, MAKE, { [`${HELLO}.name`]: 'Ada' }));
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 60);
  assert.match(refused.page, /Next address in/);
  assert.equal(formData(refused.page).get(`${HELLO}.name`), 'Ada');
  // The script counts down seconds and the text says minutes; a solved challenge ends the wait at once.
  assert.match(refused.page, /<span data-left="\d{3,}">\d+ min<\/span>\./);
  assert.match(refused.page, /data-go-on><button type="button" class="button">Continue now</);
  // Opening pages is not counted; the minute allows two messages.
  const preview = (body: string) => filled(next, ['do', 'preview'], { body, [`${HELLO}.name`]: 'Ada' });
  // A preview that stops at a missing setting is not counted.
  assert.equal((await visit('new', filled(next, ['do', 'preview'], { body: 'Hello?' }))).status, 422);
  for (const body of ['Hello?', 'Hello again?']) assert.equal((await visit('new', preview(body))).status, 200);
  const waits = await visit('new', preview('Hello?'));
  assert.equal(waits.status, 429);
  assert.match(waits.page, /Next message in/);
  assert.equal(formData(waits.page).get('body'), 'Hello?');
  // A solved challenge admits exactly one more.
  const made = await fetch(`${limited.url}/api/v1/challenges`, { method: 'POST' });
  const challenge = (await made.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  const altcha = btoa(JSON.stringify({ challenge, solution }));
  const paid = preview('Hello?');
  paid.set('altcha', altcha);
  assert.equal((await visit('new', paid)).status, 200);
  assert.equal((await visit('new', paid)).status, 429);
});
