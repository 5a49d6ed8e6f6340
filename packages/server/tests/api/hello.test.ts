import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send } = connect(service.url);
const home = await newNamespace();

const SETTINGS = {
  name: 'Ada Lovelace',
  introduction: 'I write **programs** for engines.',
  links: [{ label: 'Notes', url: 'https://example.org/notes' }],
  languages: {
    de: 'Ich schreibe **Programme** für Maschinen.',
    fr: "J'écris des **programmes** pour des machines.",
  },
};
const ada = await newMailbox(home, { behavior: { name: 'hello', settings: SETTINGS } });
const ask = async (body: string) => {
  const sent = await send(home.key, { to: ada.address, body, sync: true });
  assert.equal(sent.body.status, 'completed', sent.text);
  return sent.body.reply ?? assert.fail('no reply');
};

test('hello introduces its owner', async () => {
  const reply = await ask('Hello! Who are you, and what do you do?');
  assert.ok(reply.body.includes(SETTINGS.introduction), reply.body);
  assert.ok(reply.body.includes('https://example.org/notes') && reply.body.includes('Notes'), reply.body);
});

test('hello answers in the language of the message when it has an introduction in it', async () => {
  assert.ok((await ask('Guten Tag! Wer sind Sie und was machen Sie beruflich?')).body.includes(SETTINGS.languages.de));
  assert.ok(
    (await ask('Bonjour ! Qui êtes-vous et que faites-vous dans la vie ?')).body.includes(SETTINGS.languages.fr),
  );
});

test('hello answers with its introduction in any other language, and to no language at all', async () => {
  for (const body of ['¿Quién es usted y a qué se dedica?', 'こんにちは、あなたは誰ですか。', '?', '12345', '😀']) {
    assert.ok((await ask(body)).body.includes(SETTINGS.introduction), body);
  }
});

test('the data of hello is a schema.org person or organization', async () => {
  const data = (await ask('Who are you?')).data as Record<string, unknown>;
  assert.match(String(data['@context']), /^https?:\/\/schema\.org\/?$/);
  assert.ok(data['@type'] === 'Person' || data['@type'] === 'Organization', String(data['@type']));
  assert.equal(data.name, 'Ada Lovelace');
  assert.ok(JSON.stringify(data).includes('https://example.org/notes'));
});

test('hello of the house answers', async () => {
  const sent = await send(home.key, { to: `hello@agents.${MAIL_DOMAIN}`, body: 'Who are you?', sync: true });
  assert.equal(sent.body.status, 'completed', sent.text);
  assert.notEqual(sent.body.reply?.body, '');
});

test('an introduction holds 8 KiB', async () => {
  const make = (introduction: string, local_part: string) =>
    api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part, behavior: { name: 'hello', settings: { name: 'Ada', introduction } } },
    });
  assert.equal((await make('x'.repeat(8_192), 'long')).status, 201);
  isProblem(await make('x'.repeat(8_193), 'longer'), 'validation_error', '/behavior/settings/introduction');
});

test('the settings of hello are checked field by field', async () => {
  const wrong: [string, unknown][] = [
    ['/behavior/settings/name', { ...SETTINGS, name: 5 }],
    ['/behavior/settings/links', { ...SETTINGS, links: {} }],
    ['/behavior/settings/links/0/url', { ...SETTINGS, links: [{ label: 'x', url: 5 }] }],
    ['/behavior/settings/links/0/url', { ...SETTINGS, links: [{ label: 'x', url: 'javascript:alert(1)' }] }],
    ['/behavior/settings/languages/de', { ...SETTINGS, languages: { de: 5 } }],
    ['/behavior/settings/nmae', { ...SETTINGS, nmae: 'Ada' }],
  ];
  for (const [pointer, settings] of wrong) {
    isProblem(
      await api('POST', `/namespaces/${home.name}/mailboxes`, {
        key: home.key,
        body: { local_part: 'wrong', behavior: { name: 'hello', settings } },
      }),
      'validation_error',
      pointer,
    );
  }
});
