import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { runMain } from '../../../../tests/harness/service.ts';

const KEY = 'sk-the-key-of-the-model';
const TEXT = 'We met on the Tuesday past, and it was splendid good.';

interface Corrections {
  readonly corrected_text: string;
  readonly edits: readonly { readonly original: string; readonly replacement: string }[];
}

test('a mailbox that is set to it has its texts read by the model of the settings, and by Harper when that is away', async () => {
  await using model = await openModelServer([
    {
      calls: [
        {
          name: 'correct',
          input: {
            edits: [
              {
                original: 'on the Tuesday past',
                replacement: 'last Tuesday',
                explanation: 'Idiom.',
                kind: 'word_choice',
              },
              { original: 'splendid', replacement: 'splendidly', explanation: 'It wants an adverb.', kind: 'grammar' },
            ],
          },
        },
      ],
    },
  ]);
  const service = await serveInside({
    env: { MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny', MODEL_API_KEY: KEY, LOG_LEVEL: 'trace' },
  });
  const { newNamespace, newMailbox, send } = connect(service.url);
  const home = await newNamespace();
  const to = async (settings: object): Promise<string> =>
    (await newMailbox(home, { behavior: { name: 'proofread', settings } })).address;
  const ask = async (address: string): Promise<Corrections> => {
    const sent = await send(home.key, { to: address, body: TEXT, sync: true }, { prefer: 'wait=60' });
    assert.equal(sent.body.status, 'completed', sent.text.slice(0, 300));
    return sent.body.reply?.data as unknown as Corrections;
  };
  const asking = await to({ engine: 'model' });
  const plain = await to({});

  const read = await ask(asking);
  assert.equal(read.corrected_text, 'We met last Tuesday, and it was splendidly good.');
  assert.equal(model.requests.length, 1);
  assert.equal(model.requests[0]?.headers.authorization, `Bearer ${KEY}`);
  assert.equal(model.requests[0]?.body.model, 'tiny');

  const byHarper = await ask(plain);
  assert.equal(model.requests.length, 1, 'a mailbox that is not set to it asks nobody');
  // Stopped here and again at the end, where it has no effect.
  await model[Symbol.asyncDispose]();
  assert.deepEqual(await ask(asking), byHarper);
  assert.ok(
    !service.logs().includes(KEY) && !service.logs().includes('splendid'),
    'neither key nor text is in the logs',
  );
});

test('a model without a name stops the start with a line that says so', async () => {
  const running = runMain([], { PORT: '0', MODEL_BASE_URL: 'http://localhost:11434/v1' });
  assert.equal((await running.exited).code, 1);
  assert.match(running.stderr(), /^mailroom: MODEL_NAME must be set[^\n]*\n$/);
});
