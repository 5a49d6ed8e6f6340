import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brief, completed, openSentences, tasksOf } from './do-sentences.ts';

const { newKey, send, home, to, sendBody, agreed, notes } = await openSentences();

test('what is not understood is never guessed: it asks, says what it can do, and does nothing of it', async () => {
  const notesBefore = await notes();
  for (const body of [
    'frobnicate the wibble',
    'make me happy',
    'asdf',
    '?',
    '42',
    'remember that x is 1\nfrobnicate the wibble',
    'buy 3 tickets to Paris',
    'delete my account',
    'hello',
    '\u0000',
    '   \n\t ',
    '{}',
    '🦄',
    'please',
    'then',
    '1.\n2.\n3.',
    '```\n```',
    ':',
  ]) {
    const sent = await send(home.key, { to, body, sync: true }, { prefer: 'wait=30' });
    assert.ok(sent.status < 500, `${JSON.stringify(body)}: ${sent.text}`);
    if (sent.status >= 400) continue;
    assert.equal(sent.body.status, 'input_required', `${JSON.stringify(body)}: ${brief(sent.body)}`);
    assert.ok((sent.body.reply?.body ?? '').length > 20, brief(sent.body));
  }
  assert.equal(await notes(), notesBefore, 'nothing was done of a message that was not understood as a whole');
});

test('an answer in the thread, by number or in words, makes it go on', async () => {
  const asked = await sendBody('calculate 2+3\nfrobnicate the average of wibbles\ncalculate 10*10');
  assert.equal(asked.status, 'input_required', brief(asked));
  assert.match(asked.reply?.body ?? '', /^1\. /m, 'it offers things by number');
  const words = await sendBody('multiply it by 4', { thread_id: asked.thread_id });
  assert.deepEqual(completed(words), [5, 20, 100], brief(words));

  const again = await sendBody('frobnicate the average of wibbles');
  const first = /^1\. `([^`]+)`/m.exec(again.reply?.body ?? '')?.[1];
  assert.ok(first !== undefined, brief(again));
  const number = await sendBody('1', { thread_id: again.thread_id });
  assert.ok(['completed', 'input_required', 'failed'].includes(number.status), brief(number));
  assert.ok(!/understand/i.test(number.error?.message ?? ''), brief(number));

  const outOf = await sendBody('frobnicate the wibble');
  const nine = await sendBody('9', { thread_id: outOf.thread_id });
  assert.equal(nine.status, 'input_required', `there is no ninth: ${brief(nine)}`);
});

test('two questions in a row: each answer goes to the one that was asked, and then all is done', async () => {
  const answered = await sendBody('frobnicate the wibble\ncalculate 1+1\nwibble the frob');
  assert.equal(answered.status, 'input_required', brief(answered));
  const second = await sendBody('calculate 2+3', { thread_id: answered.thread_id });
  assert.equal(second.status, 'input_required', brief(second));
  const third = await sendBody('calculate 4*5', { thread_id: answered.thread_id });
  assert.deepEqual(completed(third), [5, 2, 20], brief(third));
});

test('an answer that is no answer is asked about again, and does not lose what was clear', async () => {
  const asked = await sendBody('calculate 2+3\nfrobnicate the wibble');
  const again = await sendBody('blorb the gnarf', { thread_id: asked.thread_id });
  assert.equal(again.status, 'input_required', brief(again));
  const done = await sendBody('multiply it by 4', { thread_id: asked.thread_id });
  assert.deepEqual(completed(done), [5, 20], brief(done));
});

test('never mind: nothing is done, and the thread can be used for something new', async () => {
  const notesBefore = await notes();
  const answered = await sendBody('remember that the moon is cheese\nfrobnicate the wibble');
  assert.equal(answered.status, 'input_required', brief(answered));
  for (const off of ['never mind', 'Nevermind.']) {
    const done = await sendBody(off, { thread_id: answered.thread_id });
    assert.equal(done.status, 'completed', brief(done));
    assert.deepEqual(tasksOf(done), []);
    break;
  }
  assert.equal(await notes(), notesBefore);
  const fresh = await sendBody('calculate 2+3', { thread_id: answered.thread_id });
  assert.deepEqual(completed(fresh), [5]);
});

test('what is missing is asked for, and the answer completes it', async () => {
  const asked = await sendBody('remind me to call Ann');
  assert.equal(asked.status, 'input_required', brief(asked));
  const done = await sendBody('tomorrow at 9', { thread_id: asked.thread_id });
  completed(done, 'remind');
  assert.match(done.reply?.body ?? '', /Ann/);
  await agreed('cancel all reminders');
});

test('an answer of another key of the namespace in the thread does not run with what the first was asked', async () => {
  const other = await newKey(home, { name: 'other', scopes: ['mail:send', 'messages:read'] });
  const asked = await sendBody('remember that the safe is 99\nfrobnicate the wibble');
  const sent = await send(other.secret, { to, body: 'calculate 1+1', thread_id: asked.thread_id, sync: true });
  assert.ok(sent.status < 500, sent.text);
  if (sent.status < 300) assert.notEqual(sent.body.status, 'completed', brief(sent.body));
  assert.doesNotMatch(await notes(), /99/, 'what one key was asked about was done on the word of another');
});

test('what deletes something names it first, and only a yes to that deletes it', async () => {
  await sendBody('remember that the zebra is striped');
  await sendBody('remember that the koala is grey');
  const asked = await sendBody('forget all my notes');
  assert.equal(asked.status, 'input_required', brief(asked));
  assert.match(asked.reply?.body ?? '', /zebra[\s\S]*/);
  assert.match(asked.reply?.body ?? '', /koala/);
  for (const other of ['1', 'no', 'what is 2+2']) {
    const again = await sendBody('forget the zebra');
    assert.match(again.reply?.body ?? '', /zebra/, brief(again));
    await sendBody(other, { thread_id: again.thread_id });
    assert.match(await notes(), /zebra/, `“${other}” deleted it`);
  }
  const gone = await agreed('forget the zebra');
  completed(gone, 'forget');
  assert.doesNotMatch(await notes(), /zebra/);
  assert.match(await notes(), /koala/);
  // Notes added since are not part of what was approved.
  const all = await sendBody('forget all my notes');
  await sendBody('remember that the okapi is shy');
  const more = await sendBody('yes', { thread_id: all.thread_id });
  assert.equal(more.status, 'input_required', brief(more));
  assert.match(more.reply?.body ?? '', /okapi/);
  assert.match(await notes(), /okapi/);
  completed(await sendBody('yes', { thread_id: all.thread_id }), 'forget');
  assert.doesNotMatch(await notes(), /okapi|koala/);
  // With nothing to delete it does not ask.
  completed(await sendBody('forget all my notes'), 'forget');
});
