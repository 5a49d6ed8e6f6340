import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { controlsOf, formData } from '../../../../tests/harness/form.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { newNamespace, newMailbox, tryOut } = connect(service.url);

/** More than one page of the API's list of a thread. */
const SENT = 215;

test('of a conversation with more than 200 messages the newest are shown, and the earlier ones part by part', async () => {
  const mailbox = await newMailbox(await newNamespace(), { local_part: unique(), behavior: HELLO });
  const body = (at: number): string => `Message number ${at}.`;
  const { thread_id, thread_token } = (await tryOut({ to: mailbox.address, body: body(0) })).body;
  for (let at = 1; at < SENT; at++) {
    assert.equal((await tryOut({ to: mailbox.address, body: body(at), thread_id, thread_token })).status, 200);
  }
  const url = `${service.url}/${mailbox.address}`;
  const post = async (form: URLSearchParams, accept = 'text/html'): Promise<string> =>
    (await fetch(url, { method: 'POST', body: form, headers: { accept } })).text();
  const numbersOn = (page: string): number[] =>
    [...page.matchAll(/Message number (\d+)\./g)].map(([, at]) => Number(at));
  const button = (page: string, name: string) =>
    controlsOf(page, 'talk').find(({ tag, attributes }) => tag === 'button' && attributes.get('name') === name);

  let page = await post(new URLSearchParams({ thread_token, body: 'And now?' }));
  assert.match(page, /And now\?/);
  assert.equal(numbersOn(page).at(-1), SENT - 1);
  assert.equal(button(page, 'look'), undefined);
  const seen = numbersOn(page);
  const streamed: number[] = [...seen];
  for (let before = button(page, 'before'); before !== undefined; before = button(page, 'before')) {
    const value = before.attributes.get('value') ?? '';
    streamed.unshift(
      ...numbersOn(await post(new URLSearchParams({ thread_token, look: '1', before: value }), 'text/event-stream')),
    );
    page = await post(formData(page, { id: 'talk', button: ['before', value] }));
    const part = numbersOn(page);
    assert.ok(part.length > 0 && part.length <= 20);
    seen.unshift(...part);
    assert.ok(button(page, 'look'), 'there is a way back to the newest');
  }
  const all = Array.from({ length: SENT }, (_, at) => at);
  assert.deepEqual(seen, all);
  assert.deepEqual(streamed, all);
  assert.equal(numbersOn(await post(formData(page, { id: 'talk', button: ['look', '1'] }))).at(-1), SENT - 1);
});
