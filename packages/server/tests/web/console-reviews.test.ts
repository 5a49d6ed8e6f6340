import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly reason: string | null;
  readonly message: { readonly body: string };
}

const service = await openConsole();
const { newNamespace, newMailbox, newKey, api, send, read } = service.client;
const other = await newNamespace();

async function signedIn(home: Home): Promise<Visitor> {
  const who = service.visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}

/** An address of which these messages wait to leave. */
async function held(...texts: readonly string[]) {
  const home = await newNamespace();
  const desk = await newMailbox(home, { local_part: 'desk', outgoing: { review: 'always' } });
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const target = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
  const ids: string[] = [];
  for (const body of texts)
    ids.push((await send(key.secret, { from: desk.address, to: target.address, body, subject: 'Offer' })).body.id);
  const reviews = async (): Promise<readonly Review[]> =>
    (await api<Page<Review>>('GET', '/mail/reviews', { key: home.key })).body.items.toReversed();
  const arrived = async (): Promise<readonly string[]> =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${target.address}/messages`, { key: other.key })).body.items
      .map((one) => one.body)
      .toReversed();
  return { home, desk, target, ids, reviews, arrived, who: await signedIn(home) };
}

const pathOf = ({ id }: Review): string => `/console/reviews?open=${id}`;

test('what waits is listed with its recipient and its count, and shown as it would leave, with findings marked in place', async () => {
  const iban = 'DE89 3704 0044 0532 0130 00';
  const { who, reviews, target, ids } = await held(`Please pay to ${iban}.\n<b>Thanks</b>`);
  const [review] = await reviews();
  assert.ok(review !== undefined);
  const list = await who.get('/console/reviews');
  assert.match(list.html, /<title>\(1\) To approve · /);
  assert.match(list.html, /data-waiting="approve">1</);
  assert.ok(list.html.includes(`href="reviews?open=${review.id}"`));
  assert.equal((await who.get(`/console/reviews/${review.id}`)).to, pathOf(review), 'as mails link to it');
  const page = await who.get(pathOf(review));
  assert.ok(page.html.includes(target.address));
  assert.match(page.html, new RegExp(`Please pay to <a class="find[^>]*><mark>${iban}</mark>`));
  assert.match(page.html, /<b>IBAN\.<\/b>/);
  assert.ok(page.html.includes('&lt;b&gt;Thanks&lt;/b&gt;'));
  assert.ok(page.html.includes(`../console?message=${ids[0]}`));
});

test('an owner approves exactly what was shown, and it leaves', async () => {
  const { who, reviews, arrived } = await held('The first.');
  const [review] = await reviews();
  assert.ok(review !== undefined);
  const done = await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review));
  assert.equal(done.status, 303, done.html);
  assert.deepEqual(await arrived(), ['The first.']);
  const page = await who.get(pathOf(review));
  assert.match(page.html, /<b>Approved<\/b> by /);
  assert.doesNotMatch(page.html, /value="approve"/);
  assert.match((await who.get('/console/reviews')).html, /Nothing waits for you/);
});

test('an owner rejects with a reason, which no sender reads', async () => {
  const { home, who, reviews, arrived, ids } = await held('The first.');
  const [review] = await reviews();
  assert.ok(review !== undefined);
  assert.equal((await who.send(pathOf(review), { reason: 'not now' }, ['do', 'reject'])).status, 303);
  assert.deepEqual(
    (await reviews()).map(({ status, reason }) => [status, reason]),
    [['rejected', 'not now']],
  );
  assert.deepEqual(await arrived(), []);
  const settled = await read(home.key, ids[0] ?? '');
  assert.equal(settled.body.error?.code, 'review_rejected');
  assert.ok(!settled.text.includes('not now'));
});

test('a text that is changed is shown beside the old one before it is saved, and its session cannot approve it', async () => {
  const { home, who, reviews, arrived } = await held('It costs 18,400 euros.');
  const [review] = await reviews();
  assert.ok(review !== undefined);
  const typed = { body: 'It costs 19,650 euros.\r\nKind regards' };
  const edit = `${pathOf(review)}&edit=1`;
  const compared = await who.send(edit, typed, ['do', 'compare'], pathOf(review));
  assert.equal(compared.status, 200, compared.html);
  assert.match(compared.html, /<del>(?:<span[^>]*>delete <\/span>)?18,400<\/del>/);
  assert.match(compared.html, /<ins>[\s\S]*Kind regards/);
  assert.equal((await reviews())[0]?.message.body, 'It costs 18,400 euros.', 'nothing is saved yet');
  assert.equal((await who.send(edit, typed, ['do', 'save'], pathOf(review))).status, 303);
  const [now] = await reviews();
  assert.equal(now?.message.body, 'It costs 19,650 euros.\nKind regards');
  const mine = await who.get(pathOf(review));
  assert.match(mine.html, /You changed this text last, so you cannot approve it in this session\.[\s\S]*owner/);
  assert.doesNotMatch(mine.html, /value="approve"/);
  const csrf = await who.token();
  const forced = await who.post(pathOf(review), { csrf, hash: now?.hash ?? '', do: 'approve' });
  assert.equal(forced.status, 403);
  assert.deepEqual(await arrived(), []);
  const second = await signedIn(home);
  assert.equal((await second.send(pathOf(review), {}, ['do', 'approve'])).status, 303);
  assert.deepEqual(await arrived(), ['It costs 19,650 euros.\nKind regards']);
});

test('what changed while it was read is not decided on, and what was typed is kept', async () => {
  const { home, who, reviews, arrived } = await held('The first.');
  const [review] = await reviews();
  assert.ok(review !== undefined);
  const csrf = await who.token();
  await api('PATCH', `/mail/reviews/${review.id}`, { key: home.key, body: { body: 'Another text.' } });
  for (const what of ['approve', 'reject']) {
    const late = await who.post(pathOf(review), { csrf, hash: review.hash, do: what });
    assert.equal(late.status, 409, late.html);
    assert.match(late.html, /It changed while you read[\s\S]*Another text\./);
  }
  const typed = await who.post(pathOf(review), { csrf, hash: review.hash, body: 'My words.', do: 'save' });
  assert.match(typed.html, /It changed while you read[\s\S]*My words\./);
  assert.deepEqual([(await reviews())[0]?.status, await arrived()], ['pending', []]);
});

test('all of an address are approved in one form, each by its own hash, and one that changed meanwhile stays', async () => {
  const { home, who, reviews, arrived } = await held('One.', 'Two.', 'Three.');
  assert.match((await who.get('/console/reviews')).html, /Approve all 3 of desk/);
  const path = '/console/reviews?all=desk';
  const page = await who.get(path);
  const [csrf] = [await who.token()];
  const items = [...page.html.matchAll(/name="item" value="([^"]+)"/g)].map(([, value]) => value as string);
  assert.equal(items.length, 3);
  const [, second] = await reviews();
  await api('PATCH', `/mail/reviews/${second?.id}`, { key: home.key, body: { body: 'Two and a half.' } });
  const fields = new URLSearchParams([['csrf', csrf], ['do', 'approve-all'], ...items.map((one) => ['item', one])]);
  const done = await who.post(path, fields);
  assert.equal(done.status, 200);
  assert.match(done.html, /2 messages approved\. 1 message changed[\s\S]*Two and a half\./);
  assert.deepEqual(await arrived(), ['One.', 'Three.']);
  assert.deepEqual(
    (await reviews()).map(({ status }) => status),
    ['approved', 'pending', 'approved'],
  );
});

test('a review of another namespace, and a form without its token, decide nothing', async () => {
  const { who, reviews, arrived } = await held('The first.');
  const [review] = await reviews();
  assert.ok(review !== undefined);
  const stranger = await signedIn(await newNamespace());
  assert.equal((await stranger.get(pathOf(review))).status, 404);
  const csrf = await stranger.token();
  assert.equal((await stranger.post(pathOf(review), { csrf, hash: review.hash, do: 'approve' })).status, 404);
  assert.equal((await who.post(pathOf(review), { hash: review.hash, do: 'approve' })).status, 403);
  assert.deepEqual([(await reviews())[0]?.status, await arrived()], ['pending', []]);
});

test('plans wait in the same list, and are decided on there', async () => {
  const home = await newNamespace();
  const asks = await newMailbox(home, { behavior: { name: 'do', settings: { approval: ['calculate'] } } });
  const { body } = await send(home.key, { to: asks.address, body: 'What is 12 * 12?', sync: true });
  const who = await signedIn(home);
  assert.ok((await who.get('/console/reviews')).html.includes(`href="reviews?open=${body.id}"`));
  const path = `/console/reviews?open=${body.id}`;
  const action = `/console/messages/${body.id}`;
  assert.equal((await who.send(path, {}, ['do', 'approve'], action)).status, 303);
  assert.match(
    (await api<Envelope>('GET', `/mail/messages/${body.id}?wait=60`, { key: home.key })).body.reply?.body ?? '',
    /144/,
  );
});

test('a conversation says that its turn waits, with the way to decide, and then who decided', async () => {
  const home = await newNamespace();
  const hello = { name: 'hello', settings: { introduction: 'I am Ada, an engineer.' } };
  const desk = await newMailbox(home, { local_part: 'desk', behavior: hello, outgoing: { review: 'always' } });
  const question = await send(other.key, { to: desk.address, body: 'Who are you?', sync: true });
  const who = await signedIn(home);
  const path = `/console?message=${question.body.id}`;
  const [review] = (await api<Page<Review>>('GET', '/mail/reviews', { key: home.key })).body.items;
  assert.ok(review !== undefined);
  const waits = await who.get(path);
  assert.match(waits.html, /It waits for its review\./);
  assert.ok(waits.html.includes(`console/reviews?open=${review.id}"`));
  assert.ok((await who.get('/console')).html.includes(`data-row="${question.body.id}"`), 'the inbox lists it');
  const sender = await signedIn(other);
  const theirs = await sender.get(path);
  assert.equal(theirs.status, 200);
  assert.doesNotMatch(theirs.html, /console\/reviews\?open=|engineer/);
  assert.match(theirs.html, /waits for a person at the other side/);
  assert.equal((await who.send(pathOf(review), {}, ['do', 'approve'])).status, 303);
  assert.match((await who.get(path)).html, /Approved<\/a> by [\s\S]*<time/);
  assert.doesNotMatch((await sender.get(path)).html, /Approved<\/a>/);
});

test('a message of its own says in its conversation that it waits', async () => {
  const { ids, who, reviews } = await held('The first.');
  const [review] = await reviews();
  const page = await who.get(`/console?message=${ids[0]}`);
  assert.ok(page.html.includes(`console/reviews?open=${review?.id}"`), page.html);
});

/** An answer that waits, of an address whose owner is alone. */
async function heldAnswer() {
  const home = await newNamespace();
  const hello = { name: 'hello', settings: { introduction: 'I am Ada, an engineer.' } };
  const desk = await newMailbox(home, { local_part: 'desk', behavior: hello, outgoing: { review: 'always' } });
  const sent = await send(other.key, { to: desk.address, body: 'Who are you?', sync: true });
  const review = async (): Promise<Review> => {
    const [found] = (await api<Page<Review>>('GET', '/mail/reviews', { key: home.key })).body.items;
    assert.ok(found);
    return found;
  };
  return { home, id: sent.body.id, review, who: await signedIn(home) };
}

test('a second approver sees what was changed since it was first written, marked in the text', async () => {
  const { home, who, reviews } = await held('It costs 18,400 euros.');
  const [review] = await reviews();
  assert.ok(review);
  assert.doesNotMatch((await who.get(pathOf(review))).html, /Changed since it was written/);
  const body = { body: 'It costs 19,650 euros.', subject: 'Bid' };
  assert.equal((await api('PATCH', `/mail/reviews/${review.id}`, { key: home.key, body })).status, 200);
  for (const path of [pathOf(review), '/console/reviews?all=desk']) {
    const { html } = await who.get(path);
    assert.match(html, /Changed since it was written/);
    assert.match(html, /<del>(?:<span[^>]*>delete <\/span>)?18,400<\/del>/);
    assert.match(html, /<ins>(?:<span[^>]*>insert <\/span>)?Bid<\/ins>/);
  }
});

test('an owner who is alone sends an answer of their own in the place of the one that waits', async () => {
  const { id, review, who } = await heldAnswer();
  const edit = `${pathOf(await review())}&edit=1`;
  const typed = { body: 'I am Grace, and I wrote this.' };
  assert.equal((await who.send(edit, typed, ['do', 'save'], pathOf(await review()))).status, 303);
  const barred = await who.get(pathOf(await review()));
  assert.match(barred.html, /send your own answer<\/a>/);
  const form = await who.get(`${pathOf(await review())}&own=1`);
  assert.match(form.html, /I am Grace, and I wrote this\.<\/textarea>/);
  const sent = await who.send(`${pathOf(await review())}&own=1`, {}, ['do', 'own'], pathOf(await review()));
  assert.equal(sent.status, 303, sent.html);
  const answered = (await read(other.key, id)).body;
  assert.deepEqual([answered.status, answered.reply?.body, answered.reply?.by_hand], ['completed', typed.body, true]);
  const { status, reason } = await review();
  assert.deepEqual([status, reason], ['rejected', 'Answered by hand in its place.']);
  assert.ok(!(await read(other.key, id)).text.includes('engineer'));
});

test('what is sent as one’s own is written by hand, on what was seen, and once', async () => {
  const { id, review, who } = await heldAnswer();
  const csrf = await who.token();
  const { hash, message } = await review();
  const decide = (body: string, seen = hash) =>
    review().then((one) => who.post(pathOf(one), { csrf, hash: seen, body, do: 'own' }));
  for (const body of [message.body, ` ${message.body.replaceAll(' ', '  ')}\r\n`]) {
    const same = await decide(body);
    assert.equal(same.status, 422, same.html);
    assert.match(same.html, /These are not your words/);
  }
  assert.equal((await decide('')).status, 422);
  assert.match((await decide('Mine.', '0'.repeat(64))).html, /It changed while you read/);
  assert.equal((await read(other.key, id)).body.waiting_for, 'review');
  const both = await Promise.all([decide('Mine.'), decide('Mine too.')]);
  assert.deepEqual(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [303, 409],
  );
  const { body } = await read(other.key, id);
  assert.match(body.reply?.body ?? '', /^Mine(?: too)?\.$/);
  assert.equal(body.replies_count, 1);
});

test('the open stream tells a page of what waits within a second when another changes or decides it', async () => {
  const { home, who, reviews } = await held('One.', 'Two.');
  const [one, two] = await reviews();
  assert.ok(one && two);
  const page = await who.get(pathOf(one));
  const [, place = ''] = /data-place="([^"]+)"/.exec(page.html) ?? [];
  const over = new AbortController();
  const response = await fetch(`${service.url}/console/live?after=${place}`, {
    headers: { cookie: who.cookie },
    signal: over.signal,
  });
  let text = '';
  const ended = (async () => {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes as Uint8Array).toString();
  })().catch(() => {});
  const within = async (pattern: RegExp) => {
    const begun = performance.now();
    while (!pattern.test(text) && performance.now() - begun < 5_000) await new Promise((done) => setTimeout(done, 10));
    assert.match(text, pattern);
    assert.ok(performance.now() - begun < 1_000, 'within a second');
  };
  const second = await newKey(home, { scopes: ['mail:review'] });
  await api('PATCH', `/mail/reviews/${one.id}`, { key: home.key, body: { body: 'Other.' } });
  await within(new RegExp(`event: review\\ndata: \\{"id":"${one.id}","status":"pending"`));
  await api('POST', `/mail/reviews/${two.id}/approve`, { key: second.secret, body: { hash: two.hash } });
  await within(new RegExp(`event: review\\ndata: \\{"id":"${two.id}","status":"approved"`));
  while (!text.includes('"approve":"1"')) await new Promise((done) => setTimeout(done, 50));
  over.abort();
  await ended;
});

test('the list of the inbox has what waits for a review and plans in one', async () => {
  const { home, who, ids } = await held('The first.');
  const hello = { name: 'hello', settings: { introduction: 'I am Ada.' } };
  const front = await newMailbox(home, { local_part: 'front', behavior: hello, outgoing: { review: 'always' } });
  const question = (await send(other.key, { to: front.address, body: 'Who?', sync: true })).body.id;
  const asks = await newMailbox(home, { behavior: { name: 'do', settings: { approval: ['calculate'] } } });
  const plan = (await send(home.key, { to: asks.address, body: 'What is 12 * 12?', sync: true })).body.id;
  const rows = async (query: string) =>
    [...(await who.get(`/console?${query}`)).html.matchAll(/data-row="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(await rows('status=approve'), [plan, question, ids[0]]);
  assert.deepEqual(await rows('status=approve&mailbox=front'), [question]);
  const { html } = await who.get('/console/reviews');
  for (const text of ['The first.', 'I am Ada.', 'What is 12 * 12?'])
    assert.ok(html.includes(text) || text === 'The first.', text);
  assert.match(html, /To approve <span class="n">3</);
});
