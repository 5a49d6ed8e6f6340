import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { controlsOf, formData } from '../../../../tests/harness/form.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { filled, HELLO, MAKE, openNewForm, ready, secretIn } from './new-form.ts';

const { client, post, begin } = await openNewForm();

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
    const preview = await post('new', filled(choose, ['do', 'preview'], fields));
    assert.equal(preview.status, 200);
    assert.match(preview.page, /I am <em>Ada<\/em>\./);
    assert.match(preview.page, /Who &lt;i&gt;are&lt;\/i&gt; you\?/);
    assert.doesNotMatch(preview.page, /<script>alert/);
    assert.equal(formData(preview.page).get('body'), '');
    assert.equal(formData(preview.page).get('tried'), fields.body);
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
