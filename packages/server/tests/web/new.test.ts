import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { controlsOf, decode, formData } from '../../../../tests/harness/form.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { firstSentence } from '../../transports/web/new/line.ts';

const service = await serveInside();
const client = connect(service.url);

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly page: string;
  readonly title: string;
}

async function seen(response: Response): Promise<Seen> {
  const page = await response.text();
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(page) ?? [];
  return { status: response.status, headers: response.headers, page, title: decode(title) };
}

const get = async (path: string): Promise<Seen> =>
  seen(await fetch(`${service.url}/${path}`, { headers: { accept: 'text/html' } }));
const post = async (path: string, form: URLSearchParams, headers: Record<string, string> = {}): Promise<Seen> =>
  seen(
    await fetch(`${service.url}/${path}`, {
      method: 'POST',
      body: form,
      headers: { accept: 'text/html', origin: service.url, 'sec-fetch-site': 'same-origin', ...headers },
    }),
  );

/** The page's form as a browser would send it with that button pressed and some fields changed. */
function filled({ page }: Seen, button: [string, string], fields: Record<string, string> = {}): URLSearchParams {
  const form = formData(page, { button });
  for (const [name, value] of Object.entries(fields)) {
    assert.ok(form.has(name) || name === 'behavior', `the page has no field ${name}`);
    form.set(name, value);
  }
  return form;
}

const MAKE: [string, string] = ['do', 'make'];
const HELLO = 'settings.hello';
/** As `filled`, to make the address, with the name that an introduction requires. */
const ready = (seen: Seen, fields: Record<string, string> = {}): URLSearchParams =>
  filled(seen, MAKE, { [`${HELLO}.name`]: 'Ada', ...fields });
const secretIn = (page: string): string | undefined => /mr_live_[0-9A-Za-z]{46}/.exec(page)?.[0];
const begin = (name: string, more = ''): Promise<Seen> => get(`new?local=hello&name=${name}${more}`);

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

describe('a name', () => {
  test('that is taken comes with others that are free', async () => {
    const name = unique('n');
    await client.newNamespace({ name });
    const taken = await begin(name);
    assert.equal(taken.status, 422);
    assert.match(taken.title, /^Error: /);
    assert.match(taken.page, /One thing to fix/);
    assert.match(taken.page, new RegExp(`“${name}” is taken\\. Choose another, or one of these:`));
    const links = [...taken.page.matchAll(/href="(new\?local=hello&amp;name=([^"]+))"/g)];
    assert.equal(links.length, 3);
    for (const [, href] of links) assert.equal((await get(decode(href as string))).status, 200);
    const control = controlsOf(taken.page).find(({ attributes }) => attributes.get('id') === 'name');
    assert.equal(control?.attributes.get('aria-invalid'), 'true');
    assert.equal(control?.attributes.get('value'), name);
    // After a step back the visitor may be the owner.
    assert.match(taken.page, new RegExp(`Is it yours\\? <a href="./${name}">Open ${name}</a>, or <a href="console">`));
    const house = await begin('agents');
    assert.match(house.page, /<a href="\.\/hello@agents\.mailroom\.localhost">Open hello@agents<\/a>/);
  });

  test('that is reserved comes with others too', async () => {
    const { page } = await begin('admin');
    assert.match(page, /“admin” is reserved for the service\. Choose another, or one of these:/);
    assert.equal([...page.matchAll(/data-suggested="[^"]+"/g)].length, 3);
    assert.doesNotMatch(page, /Is it yours/);
  });

  test('that is reserved, malformed or missing is told in a sentence', async () => {
    const wrong: [string, RegExp][] = [
      ['admin', /“admin” is reserved for the service\./],
      ['a', /at least 2 characters/],
      ['', /Choose a name for the part after the @\./],
      ['x'.repeat(64), /at most 63 characters/],
      ['two words', /letters a to z, digits and hyphens/],
      ['-ada', /must start and end with/],
      ['xn--ada', /hyphens as both its third and fourth character/],
      ['\u212aada', /letters a to z/],
    ];
    for (const [name, sentence] of wrong) {
      const { status, page } = await begin(encodeURIComponent(name));
      assert.equal(status, 422, name);
      assert.match(page, sentence);
      const state = await get(`new/name?name=${encodeURIComponent(name)}`);
      assert.equal(state.status, 200);
      assert.match(state.page, sentence);
    }
    for (const [local, sentence] of [
      ['abuse', /reserved for the postmaster/],
      ['a..b', /two dots in a row/],
      ['.a', /must start and end/],
      ['', /such as hello/],
    ] as const) {
      const { status, page } = await get(`new?local=${local}&name=${unique('n')}`);
      assert.equal(status, 422, local);
      assert.match(page, sentence);
      // Shown below its field, by the page and while the visitor types.
      assert.match(page, /id="local-state"[^>]*><p class="error">/);
      const result = JSON.parse((await get(`new/name?local=${local}&name=${unique('n')}`)).page);
      assert.match(result.local.html, sentence);
      assert.deepEqual([result.local.fine, result.name.fine], [false, true]);
    }
  });

  test('that is free is said to be, as one types', async () => {
    const name = unique('n');
    const { page, headers } = await get(`new/name?name=${name.toUpperCase()}&local=hello`);
    assert.match(page, new RegExp(`${name} is free\\.`));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.doesNotMatch(page, /<html/);
  });

  test('that someone took meanwhile loses nothing that was typed', async () => {
    const name = unique('n');
    const choose = await begin(name);
    await client.newNamespace({ name });
    const text = 'A long introduction, "quoted" & <b>tagged</b>.\nTwo lines.';
    const back = await post('new', filled(choose, MAKE, { [`${HELLO}.introduction`]: text }));
    assert.equal(back.status, 422);
    assert.match(back.page, /is taken/);
    const other = unique('n');
    const on = await post('new', filled(back, ['', ''], { name: other }));
    assert.equal(on.status, 200);
    assert.match(on.title, new RegExp(`hello@${other}`));
    assert.equal(formData(on.page).get(`${HELLO}.introduction`), text);
    assert.equal((await post('new', ready(on))).status, 201);
  });
});

describe('the line about it', () => {
  const made = async (fields: Record<string, string>, behavior = 'hello'): Promise<string> => {
    const name = unique('n');
    const done = await post('new', ready(await begin(name, `&behavior=${behavior}`), fields));
    assert.equal(done.status, 201);
    const address = `hello@${name}.mailroom.localhost`;
    const { body } = await client.api<Mailbox>('GET', `/mailboxes/${address}`);
    const shared = await get(address);
    assert.ok(decode(shared.page).includes(`<meta property="og:description" content="${body.description}">`));
    return body.description;
  };

  test('is its owner’s, else what the introduction begins with, else what it does', async () => {
    assert.equal(await made({ line: '  Bridges,\tand what holds them. ' }), 'Bridges, and what holds them.');
    const introduction = '# Ada\n\nI check **bridges** for [a living](https://ada.example). Ask me.';
    assert.equal(await made({ [`${HELLO}.introduction`]: introduction }), 'I check bridges for a living.');
    assert.equal(await made({ [`${HELLO}.name`]: 'Ada Okafor' }), 'Introduces Ada Okafor.');
    assert.equal(await made({}, 'proofread'), 'Corrects a text and gives each reason.');
  });

  test('that is too long is told at its field, with all else that is wrong', async () => {
    const line = 'x'.repeat(301);
    const wrong = await post(
      'new',
      filled(await begin(unique('n')), MAKE, { line, [`${HELLO}.links.0.label`]: 'Blog' }),
    );
    assert.equal(wrong.status, 422);
    const summary = /id="summary".*?<\/ul>/s.exec(wrong.page)?.[0] ?? '';
    assert.match(summary, /href="#line">One line about it: This has 301 characters; 300 are allowed\./);
    assert.match(summary, /Name: Write a name or an introduction\./);
    assert.match(summary, /Link 1, address: /);
    assert.equal(formData(wrong.page).get('line'), line);
  });
});

test('the first sentence of an introduction is plain, short and whole', () => {
  for (const [text, sentence] of [
    ['Hi! I am Ada, a structural engineer in Lagos. I check bridges.', 'Hi! I am Ada, a structural engineer in Lagos.'],
    ['Hallo\n=====\n\n> Ich bin *Ada*, Ingenieurin\n> in Lagos.', 'Ich bin Ada, Ingenieurin in Lagos.'],
    ['```js\nno();\n```\nAfter the code it goes on.', 'After the code it goes on.'],
    ['# Only a heading', 'Only a heading'],
    ['snake_case_stays and \\*so does this\\*.', 'snake_case_stays and *so does this*.'],
    ['See [this](https://a.example/b_(c) "title").', 'See this.'],
    ['---\n\n***', ''],
  ] as const)
    assert.equal(firstSentence(text), sentence);
  const long = firstSentence(
    'I check bridges for a living, and write about them on Sundays, on a blog that few people read.',
  );
  assert.equal(long, 'I check bridges for a living, and write about them on Sundays, on a blog that few people…');
  assert.ok(firstSentence('😀'.repeat(80)).isWellFormed());
  for (const mark of ['*', '`', '[', '_', '*_', '[](', '> ', '~~~\n', '- ', '=\n', '#'])
    assert.ok(firstSentence(mark.repeat(4096)).length <= 91, mark);
});

describe('settings', () => {
  test('that would introduce nobody are asked for one word', async () => {
    const choose = await begin(unique('n'));
    const empty = await post('new', filled(choose, MAKE, { [`${HELLO}.name`]: '  ' }));
    assert.equal(empty.status, 422);
    assert.match(empty.page, /Name: Write a name or an introduction\./);
    const name = controlsOf(empty.page).find(({ attributes }) => attributes.get('name') === `${HELLO}.name`);
    assert.equal(name?.attributes.get('aria-invalid'), 'true');
    const right = filled(empty, MAKE, { [`${HELLO}.name`]: '', [`${HELLO}.introduction`]: 'I am Ada.' });
    assert.equal((await post('new', right)).status, 201);
  });

  test('that are wrong are told at their fields, and everything typed stays', async () => {
    const choose = await begin(unique('n'));
    const typed = {
      [`${HELLO}.name`]: 'x'.repeat(101),
      [`${HELLO}.introduction`]: 'Kept.',
      [`${HELLO}.links.0.label`]: 'Blog',
      [`${HELLO}.links.0.url`]: 'no address',
      body: 'Also kept?',
    };
    const wrong = await post('new', filled(choose, MAKE, typed));
    assert.equal(wrong.status, 422);
    assert.match(wrong.title, /^Error: /);
    assert.match(wrong.page, /Two things to fix/);
    const summary = /id="summary".*?<\/ul>/s.exec(wrong.page)?.[0] ?? '';
    assert.match(summary, /autofocus/);
    for (const [, id] of summary.matchAll(/href="#([^"]+)"/g)) assert.ok(wrong.page.includes(`id="${id}"`), `${id}`);
    const form = formData(wrong.page);
    for (const [name, value] of Object.entries(typed)) assert.equal(form.get(name), value);
    // Nothing was made, so the same page can make it once it is correct.
    const right = { [`${HELLO}.name`]: 'Ada', [`${HELLO}.links.0.url`]: 'ada.example' };
    assert.equal((await post('new', filled(wrong, MAKE, right))).status, 201);
  });

  test('of every behavior are kept when another one is looked at, and rows come one by one', async () => {
    const choose = await begin(unique('n'));
    const other = await post(
      'new',
      filled(choose, ['do', 'choose'], {
        behavior: 'proofread',
        [`${HELLO}.name`]: 'Ada',
        'settings.proofread.dialect': 'british',
      }),
    );
    assert.equal(other.status, 200);
    const form = formData(other.page);
    assert.equal(form.get('behavior'), 'proofread');
    assert.equal(form.get(`${HELLO}.name`), 'Ada');
    const more = await post('new', filled(choose, ['add', `${HELLO}.links`], { [`${HELLO}.links.0.label`]: 'One' }));
    assert.equal(more.status, 200);
    assert.ok(formData(more.page).has(`${HELLO}.links.1.label`));
    const done = await post('new', ready(other));
    const key = secretIn(done.page);
    const of = `/namespaces/${form.get('name')}`;
    const { body: mailboxes } = await client.api<{ items: Mailbox[] }>('GET', `${of}/mailboxes`, { key });
    const made = await client.api<Mailbox>('GET', `/mailboxes/${mailboxes.items[0]?.address}`, { key });
    assert.deepEqual(made.body.behavior, {
      name: 'proofread',
      settings: { dialect: 'british', engine: 'harper' },
    });
  });

  test('can be gone back from, to another address, with nothing lost', async () => {
    const choose = await begin(unique('n'));
    const back = await post('new', filled(choose, ['do', 'address'], { [`${HELLO}.name`]: 'Ada' }));
    assert.equal(back.status, 200);
    assert.doesNotMatch(back.title, /^Error/);
    const on = await post('new', filled(back, ['', ''], { local: 'hi' }));
    assert.equal(on.status, 200);
    assert.match(on.title, /hi@/);
    assert.equal(formData(on.page).get(`${HELLO}.name`), 'Ada');
  });
});

describe('the preview', () => {
  test('answers with what was typed, keeps nothing, and needs no script', async () => {
    const name = unique('n');
    const choose = await begin(name);
    const fields = { [`${HELLO}.introduction`]: 'I am *Ada*. <script>alert(1)</script>', body: 'Who <i>are</i> you?' };
    const shown = await post('new', filled(choose, ['do', 'preview'], fields));
    assert.equal(shown.status, 200);
    assert.match(shown.page, /I am <em>Ada<\/em>\./);
    assert.match(shown.page, /Who &lt;i&gt;are&lt;\/i&gt; you\?/);
    assert.doesNotMatch(shown.page, /<script>alert/);
    assert.equal(formData(shown.page).get('body'), '');
    assert.equal(formData(shown.page).get('tried'), fields.body);
    assert.equal((await client.api('GET', `/namespaces/${name}`)).status, 404);
    const example = await post(
      'new',
      filled(choose, ['example', 'Who are you?'], { [`${HELLO}.introduction`]: 'I am Ada.' }),
    );
    assert.match(example.page, /Who are you\?<\/p>/);
  });

  test('names what is required and missing in place of an answer, at its field and in a summary', async () => {
    const choose = await begin(unique('n'));
    // Required is written beside the label, and no field is marked wrong before the form is submitted.
    assert.match(
      choose.page,
      /<label for="settings\.hello\.name">Name<\/label><span class="need"[^>]*>Required unless you write an introduction</,
    );
    assert.doesNotMatch(choose.page, /id="summary"|aria-invalid|Hello, this is/);
    assert.match(
      choose.page,
      /No answer yet\..*href="#settings\.hello\.name">Name: Write a name or an introduction\./s,
    );
    const pressed = { body: 'Who <i>are</i> you?' };
    for (const button of [
      ['do', 'preview'],
      ['example', 'Who are you?'],
    ] as [string, string][]) {
      const halted = await post('new', filled(choose, button, pressed));
      assert.equal(halted.status, 422);
      assert.match(halted.title, /^Error: /);
      assert.match(halted.page, /id="summary".*href="#settings\.hello\.name">Name: Write a name/s);
      assert.match(halted.page, /id="settings\.hello\.name~error".*Write a name or an introduction\./);
      assert.doesNotMatch(halted.page, /Hello, this is/);
      assert.equal(formData(halted.page).get('body'), pressed.body);
    }
    const other = await begin(unique('n'), '&behavior=proofread');
    assert.doesNotMatch(other.page, /No answer yet/);
  });

  test('tells a script the same in pieces', async () => {
    const choose = await begin(unique('n'));
    const form = filled(choose, ['example', 'It could of been worse.'], { behavior: 'proofread' });
    const response = await post('new/preview', form);
    assert.equal(response.status, 200);
    const result = JSON.parse(response.page) as { turns: string; tried: string; errors: number };
    assert.match(result.turns, /<del>of<\/del>.*<ins>have<\/ins>/s);
    assert.equal(result.tried, 'It could of been worse.');
    const wrong = filled(choose, ['do', 'preview'], { [`${HELLO}.name`]: 'x'.repeat(101) });
    const refused = await post('new/preview', wrong);
    assert.equal(refused.status, 422);
    const { missing, ...rest } = JSON.parse(refused.page) as { readonly missing: string };
    assert.deepEqual(rest, { turns: null, tried: 'Who are you?', error: null, wait: null, errors: 1 });
    assert.match(missing, /<a href="#settings\.hello\.name">Name: /);
  });

  test('says of a text that is too long how long it may be', async () => {
    const choose = await begin(unique('n'));
    const body = 'x'.repeat(8193);
    const shown = await post('new', filled(choose, ['do', 'preview'], { body, [`${HELLO}.name`]: 'Ada' }));
    assert.equal(shown.status, 422);
    assert.match(shown.page, /8192 are allowed/);
    assert.equal(formData(shown.page).get('body'), body);
  });
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
  const at = (path: string, form?: URLSearchParams): Promise<Seen> =>
    fetch(`${limited.url}/${path}`, {
      headers: { accept: 'text/html', origin: limited.url },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    }).then(seen);
  const taken = await at('new?local=hello&name=agents');
  assert.equal(taken.status, 422);
  const choose = await at('new?local=hello&name=limited-one');
  // Failed attempts are not counted.
  assert.equal((await at('new', filled(choose, MAKE, { [`${HELLO}.name`]: 'x'.repeat(101) }))).status, 422);
  assert.equal((await at('new', ready(choose))).status, 201);
  const next = await at('new?local=hello&name=limited-two');
  const refused = await at('new', filled(next, MAKE, { [`${HELLO}.name`]: 'Ada' }));
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 60);
  assert.match(refused.page, /Next address in/);
  assert.equal(formData(refused.page).get(`${HELLO}.name`), 'Ada');
  // The script counts down seconds and the text says minutes; a solved challenge ends the wait at once.
  assert.match(refused.page, /<span data-left="\d{3,}">\d+ min<\/span>\./);
  assert.match(refused.page, /data-go-on><button type="button" class="button">Continue now</);
  // Opening pages is not counted; the minute allows two messages.
  const asked = (body: string) => filled(next, ['do', 'preview'], { body, [`${HELLO}.name`]: 'Ada' });
  // A preview that stops at a missing setting is not counted.
  assert.equal((await at('new', filled(next, ['do', 'preview'], { body: 'Hello?' }))).status, 422);
  for (const body of ['Hello?', 'Hello again?']) assert.equal((await at('new', asked(body))).status, 200);
  const waits = await at('new', asked('Hello?'));
  assert.equal(waits.status, 429);
  assert.match(waits.page, /Next message in/);
  assert.equal(formData(waits.page).get('body'), 'Hello?');
  // A solved challenge admits exactly one more.
  const made = await fetch(`${limited.url}/api/v1/challenges`, { method: 'POST' });
  const challenge = (await made.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  const altcha = btoa(JSON.stringify({ challenge, solution }));
  const paid = asked('Hello?');
  paid.set('altcha', altcha);
  assert.equal((await at('new', paid)).status, 200);
  assert.equal((await at('new', paid)).status, 429);
});
