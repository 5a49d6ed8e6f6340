import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { backUp } from '@mailroom/server/store/sqlite/backup';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const inside = await startInside({ env: { SEARCH_INDEX: 'on' } });
const { api, newNamespace, newMailbox, newPaused, newKey, send, all } = inside.client;

interface Hit {
  readonly message: Envelope;
  readonly highlights: readonly { readonly field: string; readonly offset: number; readonly length: number }[];
}
interface Found {
  readonly items: readonly Hit[];
  readonly next_cursor: string | null;
  readonly indexed_until: string;
}

const find = async (key: string, query: string, more = ''): Promise<Found> => {
  const answer = await api<Found>('GET', `/mail/search?query=${encodeURIComponent(query)}${more}`, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const subjects = async (key: string, query: string, more = ''): Promise<(string | null)[]> =>
  (await find(key, query, more)).items.map(({ message }) => message.subject);

async function filled(texts: Readonly<Record<string, string>>) {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (const [subject, body] of Object.entries(texts)) {
    const sent = await send(home.key, { to: mailbox.address, subject, body, sync: true });
    assert.equal(sent.status, 200, sent.text);
  }
  return { ...home, address: mailbox.address };
}

test('texts of every script find themselves by the words in them, and nothing else', async () => {
  const texts = {
    Turkish: 'Işık yandı, İstanbul uyandı',
    German: 'Die Straße über die Brücke',
    Arabic: 'أُرسِلَت الفاتورة إلى أحمد',
    Japanese: '今日は明日の会議です。ｶﾞｷﾞｸﾞ',
    Thai: 'ส่งใบแจ้งหนี้พรุ่งนี้',
    Chinese: '我们明天讨论合同',
    Greek: 'Ο Γιώργος της Ελλάς',
    Vietnamese: 'Hóa đơn Đà Nẵng',
    Wide: 'ＩＮＶＯＩＣＥ ①② 50㎏',
    Joined: '東京2020 「你好，世界」 コンピューター・システム',
    Signs: 'I❤️NY, so\u00adft hy\u2060phen, 1️⃣st, กํามือ',
  };
  const { key } = await filled(texts);
  const queries: Readonly<Record<string, readonly string[]>> = {
    Turkish: ['ISIK', 'ışık', 'ışik', 'istanbul', 'İSTANBUL'],
    German: ['strasse', 'STRASSE', 'brucke', 'Bru*'],
    Arabic: ['احمد', 'إحمد', 'أحمد', 'الفاتورة', 'ارسلت'],
    Japanese: ['明日の', '会議', '議', 'ガギグ', '"明日の会議"'],
    Thai: ['ใบแจ้งหนี้', 'พรุ่งนี้'],
    Chinese: ['合同', '讨论', '明天'],
    Greek: ['ελλασ', 'ΓΙΩΡΓΟΣ'],
    Vietnamese: ['hoa don', 'đà nẵng', 'da nang'],
    Wide: ['invoice', '12', '50kg', '2'],
    Joined: ['東京2020', '你好', '"你好，世界"', 'コンピューター・システム', 'システム'],
    Signs: ['ny', 'soft', 'hyphen', 'กำมือ'],
  };
  for (const [name, all] of Object.entries(queries)) {
    for (const query of all) {
      const found = await subjects(key, query);
      const expected = name === 'Wide' && query === '2' ? [] : [name];
      assert.deepEqual(found, expected, `${name}: ${query}`);
    }
  }
  assert.deepEqual(await subjects(key, '会話'), []);
  assert.deepEqual(await subjects(key, 'ระบบ'), []);
});

test('words, phrases, beginnings, OR, what is left out, and each operator', async () => {
  const home = await newNamespace();
  const [mailbox, desk] = [await newMailbox(home), await newPaused(home)];
  const write = async (fields: Readonly<Record<string, unknown>>) => {
    const { status, body, text } = await send(home.key, { sync: true, ...fields });
    assert.ok(status === 200 || status === 202, text);
    return body;
  };
  const file = {
    filename: 'Plan-of-site.txt',
    content_type: 'text/plain',
    content: Buffer.alloc(5_000).toString('base64'),
  };
  const crane = await write({
    to: mailbox.address,
    subject: 'Crane hire',
    body: 'The crane is due on Monday',
    attachments: [file],
  });
  await write({
    to: mailbox.address,
    subject: 'Invoice 17',
    body: 'Please pay the invoice, due at once. See https://a.example/b',
  });
  await write({ to: desk.address, from: mailbox.address, subject: 'Monday', body: 'Who pays the crane?' });
  const is = async (query: string, ...expected: readonly string[]) =>
    assert.deepEqual(new Set(await subjects(home.key, query)), new Set(expected), query);
  await is('crane', 'Crane hire', 'Monday');
  await is('crane due', 'Crane hire');
  await is('"due on"', 'Crane hire');
  await is('"on due"');
  await is('invo*', 'Invoice 17');
  await is('invo');
  await is('crane -pays', 'Crane hire');
  await is('hire OR invoice', 'Crane hire', 'Invoice 17');
  await is('due hire OR invoice', 'Crane hire', 'Invoice 17');
  await is('-crane', 'Invoice 17');
  await is('from: crane');
  await is('subject:monday', 'Monday');
  await is('-subject:monday crane', 'Crane hire');
  await is(`from:${mailbox.address}`, 'Monday');
  await is(`to:${desk.address.split('@')[0]}`, 'Monday');
  await is(`mailbox:${desk.address}`, 'Monday');
  await is('filename:plan', 'Crane hire');
  await is('filename:site.txt', 'Crane hire');
  await is('has:attachment', 'Crane hire');
  await is('is:answered', 'Crane hire', 'Invoice 17');
  await is('is:unread is:answered has:attachment', 'Crane hire');
  await is('larger:1M');
  await is('larger:4k', 'Crane hire');
  await is('after:2031-01-01');
  await is('before:2031-01-01 monday', 'Crane hire', 'Monday');
  await is(`after:${crane.created_at} crane`, 'Crane hire', 'Monday');
  await is('https://a.example/b', 'Invoice 17');
  await api('PATCH', `/mail/messages/${crane.id}`, { key: home.key, body: { labels: { add: ['build/site'] } } });
  await is('label:build/site', 'Crane hire');
  await is('-label:build/site monday', 'Monday');
  await is('label:build/site OR is:failed', 'Crane hire');
  // The reply is found with its message.
  await is('"write programs"', 'Crane hire', 'Invoice 17');
});

test('highlights name the places of what was searched, in UTF-16 code units', async () => {
  const { key } = await filled({ 'Bill 𝟏7 ışık': '😀 the Bill, 明日の会議, bills' });
  const places = async (query: string) => {
    const { items } = await find(key, query);
    return items.flatMap(({ message, highlights }) =>
      highlights.map(({ field, offset, length }) => {
        const texts: Readonly<Record<string, string>> = {
          subject: message.subject ?? '',
          body: message.body,
          'reply.body': message.reply?.body ?? '',
        };
        return `${field}: ${texts[field]?.slice(offset, offset + length)}`;
      }),
    );
  };
  assert.deepEqual(await places('bill'), ['subject: Bill', 'body: Bill']);
  assert.deepEqual(await places('bill*'), ['subject: Bill', 'body: Bill', 'body: bills']);
  assert.deepEqual(await places('明日の会議'), ['body: 明日の会議']);
  assert.deepEqual(await places('subject:ISIK -nothing'), ['subject: ışık']);
  assert.deepEqual(await places('programs'), ['reply.body: programs']);
  assert.deepEqual(await places('"the bill"'), ['body: the Bill']);
});

test('by relevance, what says it most and in its subject comes first', async () => {
  const { key } = await filled({
    Pump: 'The pump of the pump house is a pump.',
    Garden: `A pump was mentioned once. ${'Many other words stand here. '.repeat(20)}`,
    Other: 'Nothing.',
  });
  assert.deepEqual(await subjects(key, 'pump', '&sort=relevance'), ['Pump', 'Garden']);
  assert.deepEqual(await subjects(key, 'pump'), ['Garden', 'Pump']);
  const first = await find(key, 'pump', '&sort=relevance&limit=1');
  const second = await find(key, 'pump', `&sort=relevance&limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.items, ...second.items].map(({ message }) => message.subject),
    ['Pump', 'Garden'],
  );
});

test('pages have every hit once, and a cursor of another search is refused', async () => {
  const texts = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`Nr ${at}`, `lamp ${at}`]));
  const { key } = await filled(texts);
  const seen: (string | null)[] = [];
  let cursor = '';
  for (;;) {
    const page = await find(key, 'lamp', `&limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.items.map(({ message }) => message.subject));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  assert.deepEqual(seen, Object.keys(texts).reverse());
  const other = await api('GET', `/mail/search?query=lamps&cursor=${cursor}`, { key });
  isProblem(other, 'validation_error');
  assert.match(other.text, /"pointer":"\/cursor"/);
});

test('a query that cannot be read says how to write it', async () => {
  const { key } = await newNamespace();
  for (const [query, says] of [
    ['form:ann', /“form:” is no operator\. Did you mean from:\?.*label:/s],
    ['colour:red', /no operator/],
    ['"open', /not closed/],
    ['has:pictures', /attachment/],
    ['is:new', /unread, answered or failed/],
    ['after:yesterday', /2026-11-20/],
    ['larger:big', /5M/],
    ['!!!', /nothing to search/],
    ['OR', /OR stands/],
    ['a OR', /OR stands/],
    ['a OR -b', /alternative/],
    ['is:unread OR word', /alternatives/],
    ['mailbox:x@y.example', /reads no mailbox/],
    ['x '.repeat(51), /50 terms/],
    ['x'.repeat(10_000), /1000/],
  ] as const) {
    const refused = await api('GET', `/mail/search?query=${encodeURIComponent(query)}`, { key });
    isProblem(refused, 'validation_error');
    assert.match(refused.text, says, query);
    assert.match(refused.text, /"pointer":"\/query"/, query);
  }
});

/** Whether a message says a word, by what its reader sees of it. */
const says = (message: Envelope, word: string): boolean =>
  [message.subject, message.body, message.reply?.body].some((text) => text?.split(/\W+/).includes(word));

test('each key finds what its lists show that says the word, and nothing of a Bcc, a trash or another', async () => {
  const homes = [await newNamespace(), await newNamespace(), await newNamespace()];
  const boxes = await Promise.all(
    homes.flatMap((home) => [newMailbox(home), newMailbox(home)]).map(async (made) => (await made).address),
  );
  const words = Array.from({ length: 4 }, () => `w${unique().replaceAll('-', '')}`);
  const pick = <T>(all: readonly T[], nth: number): T => all[nth % all.length] as T;
  const sent: { readonly id: string; readonly by: number }[] = [];
  for (let index = 0; index < 24; index++) {
    const by = index % 3;
    const others = boxes.filter((_, box) => Math.floor(box / 2) !== by);
    const many = index % 4 === 1 && {
      to: [pick(others, index)],
      cc: [pick(others, index + 1)],
      bcc: [pick(others, index + 2)],
    };
    const { body, status, text } = await send(pick(homes, by).key, {
      to: pick(others, index),
      body: `${pick(words, index)} ${pick(words, index * 3 + 1)}`,
      sync: true,
      ...(index % 2 === 0 && { from: pick(boxes, by * 2) }),
      ...many,
    });
    assert.equal(status, 200, text);
    sent.push({ id: body.id, by });
  }
  for (const { id, by } of sent.filter((_, at) => at % 5 === 0))
    await api('POST', `/mail/messages/${id}/trash`, { key: pick(homes, by).key });
  for (const [at, home] of homes.entries()) {
    const own = boxes.slice(at * 2, at * 2 + 2);
    const received = await all<Envelope>(`/mailboxes/${own[0]}/messages`, home.key);
    const [first] = received;
    if (first !== undefined) await api('DELETE', `/mail/messages/${first.id}`, { key: home.key });
  }
  for (const [at, home] of homes.entries()) {
    const listed = await all<Envelope>('/mail/messages?direction=all', home.key);
    const bound = await newKey(home, { mailbox: boxes[at * 2], scopes: ['messages:read'] });
    const ofOne = await all<Envelope>(`/mailboxes/${boxes[at * 2]}/messages?direction=all`, bound.secret);
    for (const word of words) {
      for (const [key, list] of [
        [home.key, listed],
        [bound.secret, ofOne],
      ] as const) {
        const found = (await find(key, word, '&limit=200')).items.map(({ message }) => message.id);
        const expected = list.filter((message) => says(message, word)).map(({ id }) => id);
        assert.deepEqual(found.toSorted(), [...new Set(expected)].toSorted(), word);
      }
    }
    for (const box of boxes) {
      const hits = await find(home.key, `to:${box}`, '&limit=200');
      for (const { message } of hits.items)
        assert.ok(message.to === box || JSON.stringify(message.recipients ?? {}).includes(box), message.id);
    }
  }
});

test('a message in the trash is out of searches until it is back, and a deleted one for good', async () => {
  const word = `w${unique().replaceAll('-', '')}`;
  const { key } = await filled({ One: word });
  const [hit] = (await find(key, word)).items;
  assert.ok(hit !== undefined);
  await api('POST', `/mail/messages/${hit.message.id}/trash`, { key });
  assert.deepEqual(await subjects(key, word), []);
  await api('POST', `/mail/messages/${hit.message.id}/restore`, { key });
  assert.deepEqual(await subjects(key, word), ['One']);
  await api('DELETE', `/mail/messages/${hit.message.id}`, { key });
  assert.deepEqual(await subjects(key, word), []);
});

test('an index that is lost is built again from the messages', async () => {
  const { key } = await filled({ Kept: 'zebra crossing' });
  assert.deepEqual(await subjects(key, 'zebra'), ['Kept']);
  await inside.stop();
  if (process.env.TEST_STORE !== 'postgres')
    for (const end of ['', '-wal', '-shm']) rmSync(join(inside.folder, `m.db.search${end}`), { force: true });
  await inside.restart();
  let found: readonly unknown[] = [];
  for (let looks = 0; looks < 100 && found.length === 0; looks++) {
    const answer = await api<Found>('GET', '/mail/search?query=zebra', { key });
    found = answer.status === 200 ? answer.body.items : [];
    if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(found.length, 1);
});

test('an index that is removed, or damaged in a part, is built again while the service runs', {
  skip: (process.env.TEST_STORE === 'postgres' && 'it is a file') || LONG_ONLY.skip,
}, async () => {
  const { key } = await filled(
    Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Nr ${at}`, `walrus ${at} ${'many words '.repeat(40)}`])),
  );
  const file = join(inside.folder, 'm.db.search');
  const all = async () => {
    const { status, body } = await api<Found>('GET', '/mail/search?query=walrus&limit=200', { key });
    return status === 200 ? body.items.length : 0;
  };
  assert.equal(await all(), 40);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  await until(10_000, all, (count) => count === 40);
  await inside.stop();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 8_192);
  writeFileSync(file, bytes);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  await inside.restart();
  await until(10_000, all, (count) => count === 40);
});

test('what a copy and a further answer say is found by those who see it, and an address as a whole', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [from, to, listener] = [
    await newMailbox(home),
    await newMailbox(other, { behavior: { name: 'hello', settings: { name: 'Fox', introduction: 'This is fox' } } }),
    await newMailbox(other),
  ];
  const help = await newMailbox(other, { local_part: `help-${to.local_part}` });
  const sent = await send(home.key, {
    from: from.address,
    to: [to.address],
    cc: [listener.address],
    body: 'Hi',
    sync: true,
  });
  assert.equal(sent.status, 200, sent.text);
  const ids = async (key: string, query: string) => (await find(key, query)).items.map(({ message }) => message.id);
  assert.deepEqual(await ids(home.key, '"this is fox"'), [sent.body.id]);
  assert.deepEqual(await ids(home.key, 'is:answered'), [sent.body.id]);
  const [copy] = await all<Envelope>(`/mailboxes/${listener.address}/messages`, other.key);
  await api('POST', `/mail/messages/${copy?.id}/answer`, { key: other.key, body: { body: 'A listener speaks' } });
  assert.deepEqual(await ids(other.key, '"listener speaks"'), [copy?.id]);
  await send(home.key, { from: from.address, to: help.address, subject: 'Help', body: 'x', sync: true });
  assert.deepEqual(await subjects(other.key, `to:${to.address} help`), []);
  assert.deepEqual(await subjects(other.key, `to:"${help.address}"`), ['Help']);
  assert.deepEqual(await subjects(other.key, `"x" from:"${from.address}"`), ['Help']);
  const { body } = await api<{ items: { subject: string | null }[] }>(
    'GET',
    `/mail/threads?participant=${to.address}`,
    { key: other.key },
  );
  assert.deepEqual(
    body.items.map(({ subject }) => subject),
    [null],
  );
});

test('a database that was restored from a backup is indexed again', {
  skip: process.env.TEST_STORE === 'postgres' && 'it is a file',
}, async () => {
  const home = await filled({ Early: 'pelican one' });
  await inside.stop();
  const file = join(inside.folder, 'm.db');
  backUp(file, join(inside.folder, 'backup.db'));
  await inside.restart();
  await send(home.key, { to: home.address, subject: 'Lost', body: 'pelican two', sync: true });
  assert.deepEqual(await subjects(home.key, 'pelican'), ['Lost', 'Early']);
  await inside.stop();
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(join(inside.folder, 'backup.db'), file);
  await inside.restart();
  for (const subject of ['After', 'Later'])
    await send(home.key, { to: home.address, subject, body: 'pelican three', sync: true });
  const { seen } = await until(
    10_000,
    () => subjects(home.key, 'pelican'),
    (found) => found.length === 3,
  );
  assert.deepEqual(seen, ['Later', 'After', 'Early']);
});
