import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { makeHello } from '@mailroom/hello';
import fc from 'fast-check';
import { Type } from 'typebox';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { controlsOf, formData } from '../../../../tests/harness/form.ts';
import { compileCheck } from '../../http/validate.ts';
import { readSettings, schemaFields, settingsForm } from '../../transports/web/schema-form.ts';
import { wordsOf } from '../../transports/web/words.ts';

const hello = makeHello();

const P = 'settings';
const behaviors = testBehaviors();
/** The settings that come back when the form is submitted unchanged. */
const round = (schema: object, values: unknown): unknown =>
  readSettings(schema, formData(schemaFields(schema, values, { prefix: P }).text), P);

const WIDE = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    ratio: Type.Optional(Type.Number()),
    on: Type.Optional(Type.Boolean()),
    usual: Type.Optional(Type.Boolean({ default: true })),
    words: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    colors: Type.Optional(Type.Array(Type.Enum(['red', 'green']), { uniqueItems: true })),
    limits: Type.Optional(
      Type.Object({ most: Type.Optional(Type.Integer()), note: Type.Optional(Type.String({ minLength: 1 })) }),
    ),
    either: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Number())])),
    anything: Type.Optional(Type.Unknown()),
    free: Type.Optional(Type.Record(Type.String(), Type.String())),
    'odd.name~1/[0]"<': Type.Optional(Type.String({ minLength: 1 })),
    secret: Type.Optional(Type.String({ minLength: 1, writeOnly: true })),
    text: Type.String(),
  },
  { additionalProperties: false },
);

test("every behavior's settings come back from the form as they went in", () => {
  const full = {
    name: 'Ada "Countess" Lovelace <ada@example>',
    type: 'Organization',
    introduction: '\n\n# I am Ada\n\n</textarea><script>alert(1)</script> 👩‍🚀 مرحبا\n',
    links: [
      { label: 'Blog & more', url: 'https://ada.example/?a=1&b=2' },
      { label: 'B', url: 'http://b.example' },
    ],
    languages: { de: 'Ich bin Ada.\nWirklich.', fr: "Je m'appelle Ada." },
  };
  assert.deepEqual(round(hello.settings, full), full);
  assert.deepEqual(round(hello.settings, {}), {});
  assert.deepEqual(round(hello.settings, { links: [] }), { links: [] });
  assert.deepEqual(round(hello.settings, { languages: {} }), { languages: {} });
  const proofread = behaviors.find(({ name }) => name === 'proofread');
  assert.ok(proofread);
  for (const dialect of ['american', 'british', 'indian'])
    assert.deepEqual(round(proofread.settings, { dialect, engine: 'model' }), { dialect, engine: 'model' });
  // A default that is shown is also sent.
  assert.deepEqual(round(proofread.settings, {}), { engine: 'harper' });
});

test('so does every value of a schema with all there is, made at random', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((one) => one.replace(/\r/g, '').trim() || 'x');
  const values = fc.record(
    {
      count: fc.nat(),
      text: fc.string({ unit: 'grapheme' }).map((one) => one.replace(/\r/g, '')),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
      on: fc.boolean(),
      words: fc.array(text, { maxLength: 4 }),
      colors: fc.constantFrom([], ['red'], ['green'], ['red', 'green'], ['green', 'red']),
      limits: fc.record({ most: fc.integer(), note: text }, { requiredKeys: [] }),
      either: fc.oneof(fc.string(), fc.array(fc.integer())),
      anything: fc.jsonValue(),
      free: fc.dictionary(text, text, { maxKeys: 4 }),
      'odd.name~1/[0]"<': text,
      secret: text,
    },
    { requiredKeys: ['count', 'text'] },
  );
  fc.assert(
    fc.property(values, (value) => {
      const usual = { ...value, usual: true };
      // An object without values is equivalent to none.
      const back = round(WIDE, usual) as { limits?: object };
      const wanted = JSON.parse(JSON.stringify(usual)) as { limits?: object };
      if (wanted.limits !== undefined && Object.keys(wanted.limits).length === 0) delete wanted.limits;
      assert.deepEqual(JSON.parse(JSON.stringify(back)), wanted);
    }),
    { numRuns: 300 },
  );
});

test('a schema that no form was thought of for is written as JSON, and comes back', () => {
  const strange: [object, unknown][] = [
    [{ type: 'object', properties: { a: { $ref: '#/x' } } }, { a: { deep: [1, { b: null }] } }],
    [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }, { a: null }],
    [{ type: 'object', properties: { a: { type: 'array', items: { type: 'array' } } } }, { a: [[1], [2]] }],
    [
      { type: 'object', properties: { a: { enum: [] }, b: { enum: [1, '1'] } } },
      { a: 1, b: '1' },
    ],
    [
      { type: 'object', properties: { a: true, b: { type: ['string', 'null'] } } },
      { a: 'x', b: null },
    ],
    [{ type: 'object', patternProperties: { '(': { type: 'string' } } }, { x: 'y' }],
    [{ type: 'object', properties: { a: { type: 'string', enum: 7 } } }, { a: 'x' }],
    [{ type: 'array' }, [1, 2]],
    [{}, { a: 1 }],
    // Values that do not fit the schema are kept too.
    [hello.settings, { name: 7, links: 'none', languages: ['x'], introduction: null, type: { a: 1 } }],
  ];
  for (const [schema, value] of strange) assert.deepEqual(round(schema, value), value, JSON.stringify(schema));
});

test('hostile values stay text: the page has no more tags than with tame ones', () => {
  const tags = (page: string): string[] => [...page.matchAll(/<[a-z!/][^\s>]*/gi)].map(([tag]) => tag);
  const tame = { name: 'x', introduction: 'x', links: [{ label: 'x', url: 'x' }], languages: { x: 'x' } };
  for (const bad of ['"><img src=x onerror=alert(1)>', '</textarea><script>alert(1)</script>', "' onfocus='alert(1)"]) {
    const hostile = { name: bad, introduction: bad, links: [{ label: bad, url: bad }], languages: { [bad]: bad } };
    const errors = [{ pointer: `/behavior/settings/${bad}`, message: bad }];
    const draw = (values: unknown, message: string) =>
      schemaFields(hello.settings, values, { prefix: P, errors: [{ ...errors[0], message } as never] }).text;
    assert.deepEqual(tags(draw(hostile, bad)), tags(draw(tame, 'x')));
    assert.deepEqual(round(hello.settings, hostile), hostile);
  }
});

test('empty rows are left out, and there is one to fill in, up to the most', () => {
  const link = (at: number) => ({ label: `L${at}`, url: `https://${at}.example` });
  const page = schemaFields(hello.settings, { links: [link(1)] }, { prefix: P }).text;
  const form = formData(page);
  assert.equal(form.get('settings.links.1.label'), '');
  form.set('settings.links.5.label', 'Late');
  form.set('settings.links.5.url', 'late.example');
  assert.deepEqual(readSettings(hello.settings, form, P), {
    links: [link(1), { label: 'Late', url: 'https://late.example' }],
  });
  const buttons = (text: string) => controlsOf(text).filter(({ tag }) => tag === 'button');
  assert.deepEqual(
    buttons(page).map(({ attributes }) => attributes.get('value')),
    ['settings.links', 'settings.languages'],
  );
  const links = Array.from({ length: 20 }, (_, at) => link(at));
  const full = schemaFields(hello.settings, { links }, { prefix: P }).text;
  assert.ok(!formData(full).has('settings.links.20.label'));
  assert.equal(buttons(full).length, 1);
});

test('the empty row chooses nothing, so that it stays empty', () => {
  const Row = Type.Object({
    url: Type.Optional(Type.String({ minLength: 1 })),
    match: Type.Optional(Type.Enum(['first', 'all'], { default: 'first' })),
  });
  const schema = Type.Object({ rows: Type.Optional(Type.Array(Row)) });
  assert.deepEqual(round(schema, {}), {});
  for (const rows of [[{ match: 'first' }], [{ url: 'a', match: 'all' }]])
    assert.deepEqual(round(schema, { rows }), { rows });
  const chosen = readSettings(schema, new URLSearchParams({ [`${P}.rows.0.match`]: 'all' }), P);
  assert.deepEqual(chosen, { rows: [{ match: 'all' }] });
});

test('a bare host becomes an address of the web; what is none stays as it was typed', () => {
  const read = (url: string) => {
    const form = new URLSearchParams({ 'settings.links.0.label': 'x', 'settings.links.0.url': url });
    return (readSettings(hello.settings, form, P) as { links: { url: string }[] }).links[0]?.url;
  };
  assert.equal(read('ada.example/bridges'), 'https://ada.example/bridges');
  assert.equal(read(' ada.example:8080?x=1 '), 'https://ada.example:8080?x=1');
  assert.equal(read('bücher.example'), 'https://bücher.example');
  assert.equal(read('http://ada.example'), 'http://ada.example');
  assert.equal(read('en.wikipedia.org/wiki/Ada_(name)'), 'https://en.wikipedia.org/wiki/Ada_%28name%29');
  for (const none of ['javascript:alert(1)', 'ada', 'mailto:ada@ada.example', 'two words.example'])
    assert.equal(read(none), none);
});

test('two rows of one key are both kept', () => {
  const form = new URLSearchParams([
    ['settings.languages.0~key', 'de'],
    ['settings.languages.0', 'eins'],
    ['settings.languages.1~key', 'de'],
    ['settings.languages.1', 'zwei'],
    ['settings.languages.2~key', ''],
    ['settings.languages.2', ''],
  ]);
  assert.deepEqual(readSettings(hello.settings, form, P), { languages: { de: 'eins', 'de (2)': 'zwei' } });
});

test('each fault stands at its field, in words for people, and is linked to', () => {
  const check = compileCheck(hello.settings, '/behavior/settings');
  const values = {
    name: 'x'.repeat(101),
    links: [{ label: 'a', url: 'https://a.example' }, { label: 'b', url: 'b' }, { url: 'https://c.example' }],
    languages: { de: '' },
    other: 1,
  };
  let errors: AppError['errors'] = [];
  try {
    check(values);
  } catch (error) {
    assert.ok(error instanceof AppError);
    ({ errors } = error);
  }
  const { other: _, ...rest } = values;
  const { fields, links } = settingsForm(hello.settings, rest, { prefix: P, errors, more: ['languages', 'type'] });
  const page = fields.text;
  const by = (name: string) => {
    const control = controlsOf(page).find(({ attributes }) => attributes.get('name') === name);
    assert.ok(control, name);
    assert.equal(control.attributes.get('aria-invalid'), 'true', name);
    const id = control.attributes.get('aria-describedby')?.split(' ').at(-1);
    assert.ok(page.includes(`id="${id}"`));
    return new RegExp(`id="${id}">.*?<span>(.*?)</span>`, 's').exec(page)?.[1];
  };
  assert.equal(by('settings.name'), 'This may have at most 100 characters.');
  assert.equal(by('settings.links.1.url'), 'Write a web address, such as https://ada.example.');
  assert.equal(by('settings.links.2.label'), 'This is needed.');
  assert.equal(by('settings.languages.0'), 'This must not be empty.');
  // A folded part opens when it contains an error, and errors without a field are shown too.
  assert.match(page, /<details class="more" open>/);
  assert.match(page, /Other: There is no such field/);
  assert.equal(links.length, errors.length);
  // The list of errors names the row of a field.
  const said = links.map(({ text }) => text);
  assert.ok(said.includes('Links 2, URL: Write a web address, such as https://ada.example.'), `${said}`);
  assert.ok(said.includes('Links 3, label: This is needed.'), `${said}`);
  assert.ok(said.includes('Languages 1, value: This must not be empty.'), `${said}`);
  const asked = settingsForm(hello.settings, rest, { prefix: P, errors, words: wordsOf(hello).form }).links;
  assert.ok(asked.some(({ text }) => text.startsWith('Link 2, address: Write a web address')));
  assert.ok(asked.some(({ text }) => text.startsWith('Language 1, introduction: ')));
  for (const { href } of links) assert.ok(page.includes(`id="${href.slice(1)}"`), href);
});

test('what cannot be read stays as it was typed, and the check refuses it', () => {
  const form = new URLSearchParams({ 'settings.count': 'many', 'settings.either~json': '[1, ', 'settings.text': '' });
  const read = readSettings(WIDE, form, P);
  assert.deepEqual(read, { count: 'many', either: '[1, ', text: '' });
  const again = formData(schemaFields(WIDE, read, { prefix: P }).text);
  assert.equal(again.get('settings.count'), 'many');
  assert.equal(again.get('settings.either~json'), '[1, ');
  assert.throws(() => compileCheck(WIDE)(read));
});

test('names in a form are never more than fields: nothing reaches a prototype, and junk is nobody', () => {
  const form = new URLSearchParams([
    ['settings.__proto__.polluted', 'yes'],
    ['settings.links.__proto__.label', 'x'],
    ['settings.links.999999999.label', 'x'],
    ['settings.languages.0~key', '__proto__'],
    ['settings.languages.0', 'x'],
    ['other', 'x'],
  ]);
  const read = readSettings(hello.settings, form, P) as { languages: object };
  assert.deepEqual(Object.keys(read), ['languages']);
  assert.deepEqual(Object.keys(read.languages), ['__proto__']);
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});

test('the webhook of an agent is a line for a web address, without its scheme too', () => {
  const agent = behaviors.find(({ name }) => name === 'agent');
  assert.ok(agent);
  const form = settingsForm(agent.settings, { webhook_url: 'https://hooks.example/in' }, { prefix: P });
  assert.match(
    form.fields.text,
    /<input type="url"[^>]* name="settings.webhook_url"[^>]* value="https:\/\/hooks.example\/in">/,
  );
  assert.doesNotMatch(form.fields.text, /<textarea/);
  const typed = (text: string): unknown =>
    readSettings(agent.settings, new URLSearchParams({ [`${P}.webhook_url`]: text }), P);
  assert.deepEqual(typed(' hooks.example/in?a=1 '), { webhook_url: 'https://hooks.example/in?a=1' });
  const check = compileCheck(agent.settings, '/behavior/settings');
  for (const wrong of ['not a url', 'hooks']) {
    let errors: AppError['errors'] = [];
    try {
      check(typed(wrong));
    } catch (error) {
      assert.ok(error instanceof AppError);
      ({ errors } = error);
    }
    const { fields } = settingsForm(agent.settings, typed(wrong), { prefix: P, errors });
    assert.match(fields.text, /A complete URL is needed here, such as https:\/\/hooks.example.com\/in\./, wrong);
    assert.ok(fields.text.includes(`value="${wrong}"`), 'what was typed stays');
  }
});
