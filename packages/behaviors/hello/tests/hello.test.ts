import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '@mailroom/behavior';
import { makeHello } from '../index.ts';

const mailbox = { local_part: 'ada', namespace: 'acme', display_name: 'Ada' };
const settings = { introduction: 'Hello, I am Ada.', languages: { de: 'Guten Tag, ich bin Ada.' } };

test('hello asks for no signal when the language of a message is clear, as the signal costs a timer', async () => {
  const hello = makeHello();
  let requestCount = 0;
  const context = {
    mailbox,
    settings,
    get signal(): AbortSignal {
      requestCount++;
      return new AbortController().signal;
    },
  } as unknown as Context<never>;
  const message = { body: 'Guten Tag, wer sind Sie und was machen Sie hier?' } as never;
  const outcome = await hello.handle(message, context);
  assert.equal(outcome.kind === 'reply' && outcome.body, settings.languages.de);
  assert.equal(requestCount, 0);
  await hello.close?.();
});
