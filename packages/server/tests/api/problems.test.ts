import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { request, wire } from '../../../../tests/harness/raw.ts';
import { CODES, MAIL_DOMAIN, type Page } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { LIMIT_WAITING: '2' } });
const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut } = connect(service.url);
const raw = (text: string) => wire(service.port, { chunks: [text] });

const home = await newNamespace();
const mailbox = await newMailbox(home, { local_part: 'ada' });
const to = mailbox.address;
const { key } = home;
const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };

/** A way to provoke each code; those that a caller alone cannot provoke are named below. */
const ways: Record<string, () => Promise<Awaited<ReturnType<typeof api>>>> = {
  malformed_json: () => api('POST', '/mail/send', { key, raw: '{"to":' }),
  malformed_request: () => raw('GARBAGE\r\n\r\n'),
  missing_key: () => api('POST', '/mail/send', { body: { to, body: 'Hi' } }),
  invalid_key: () => send(`mr_live_${'0'.repeat(46)}`, { to, body: 'Hi' }),
  insufficient_scope: async () => {
    const weak = await newKey(home, { scopes: ['messages:read'] });
    return send(weak.secret, { to, body: 'Hi' });
  },
  sender_not_allowed: () => send(key, { to, body: 'Hi', from: `hello@agents.${MAIL_DOMAIN}` }),
  access_denied: async () => tryOut({ to: (await newMailbox(home, { try_out: false })).address, body: 'Hi' }),
  not_found: () => api('GET', '/nothing'),
  namespace_not_found: () => api('GET', '/namespaces/never-was'),
  mailbox_not_found: () => send(key, { to: `nobody@${home.name}.${MAIL_DOMAIN}`, body: 'Hi' }),
  message_not_found: () => api('GET', '/mail/messages/msg_00000000000000000000', { key }),
  method_not_allowed: () => api('DELETE', '/mail/send', { key }),
  not_acceptable: () => api('GET', '/behaviors', { headers: { accept: 'image/png' } }),
  body_too_large: () => send(key, { to, body: 'x'.repeat(300_000) }),
  unsupported_media_type: () =>
    api('POST', '/mail/send', { key, raw: 'Hi', headers: { 'content-type': 'text/plain' } }),
  expectation_failed: () => raw(request('POST', '/api/v1/mail/send', { ...json, Expect: 'a-miracle' }, '{}')),
  headers_too_large: () => raw(request('GET', '/api/v1/behaviors', { 'X-Large': 'x'.repeat(100_000) })),
  namespace_taken: () => api('POST', '/namespaces', { body: { name: home.name } }),
  mailbox_taken: () =>
    api('POST', `/namespaces/${home.name}/mailboxes`, { key, body: { local_part: 'ada', behavior: HELLO } }),
  not_waiting: async () => {
    const { body } = await send(key, { to, body: 'Hi', sync: true });
    return api('POST', `/mail/messages/${body.id}/approve`, { key });
  },
  claim_lost: async () => {
    const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
    await send(key, { to: address, body: 'Hi' });
    const claimed = await api<{ items: { message: { id: string }; claim: string }[] }>(
      'POST',
      `/mailboxes/${address}/claim`,
      { key, body: {} },
    );
    const [item] = claimed.body.items;
    const path = `/mail/messages/${item?.message.id}/release`;
    await api('POST', path, { key, body: { claim: item?.claim } });
    return api('POST', path, { key, body: { claim: item?.claim } });
  },
  draft_sent: async () => {
    const draft = await api<{ id: string }>('POST', '/mail/drafts', { key, body: { to, body: 'Hi' } });
    await api('POST', `/mail/drafts/${draft.body.id}/send`, { key });
    return api('PATCH', `/mail/drafts/${draft.body.id}`, { key, body: { body: 'Ho' } });
  },
  webhook_disabled: async () => {
    const body = { url: 'https://hooks.invalid/' };
    const { id } = (await api<{ id: string }>('POST', '/webhooks', { key, body })).body;
    await api('PATCH', `/webhooks/${id}`, { key, body: { status: 'disabled' } });
    return api('POST', `/webhooks/${id}/replay`, { key, body: { since: '2026-01-01T00:00:00Z' } });
  },
  precondition_failed: async () => {
    const draft = await api<{ id: string }>('POST', '/mail/drafts', { key, body: { to, body: 'Hi' } });
    return api('DELETE', `/mail/drafts/${draft.body.id}`, { key, headers: { 'if-match': '"7"' } });
  },
  mailbox_gone: async () => {
    const gone = await newMailbox(home);
    await api('DELETE', `/mailboxes/${gone.address}`, { key });
    return send(key, { to: gone.address, body: 'Hi' });
  },
  namespace_gone: async () => {
    const gone = await newNamespace();
    await api('DELETE', `/namespaces/${gone.name}`, { key: gone.key });
    return api('GET', `/namespaces/${gone.name}`);
  },
  recipient_not_allowed: async () => {
    const { address } = await newMailbox(home, { outgoing: { block: [to] } });
    return send(key, { from: address, to, body: 'Hi' });
  },
  review_not_found: () => api('GET', '/mail/reviews/rev_none', { key }),
  review_changed: async () => {
    const { address } = await newMailbox(home, { outgoing: { review: 'always' } });
    await send(key, { from: address, to, body: 'Hi' });
    const { items } = (await api<Page<{ id: string }>>('GET', `/mail/reviews?mailbox=${address}`, { key })).body;
    const { secret } = await newKey(home, { scopes: ['mail:review'] });
    return api('POST', `/mail/reviews/${items[0]?.id}/approve`, { key: secret, body: { hash: '0'.repeat(64) } });
  },
  validation_error: () => send(key, { to, body: '' }),
  idempotency_mismatch: async () => {
    const headers = { 'idempotency-key': unique() };
    await send(key, { to, body: 'One', sync: true }, headers);
    return send(key, { to, body: 'Two', sync: true }, headers);
  },
  mailbox_full: async () => {
    const full = await newPaused(home);
    for (const body of ['One', 'Two']) assert.equal((await send(key, { to: full.address, body })).status, 202);
    return send(key, { to: full.address, body: 'Three' });
  },
};

for (const [code, way] of Object.entries(ways)) {
  test(`${code} is a problem like every other`, async () => {
    const problem = isProblem(await way(), code);
    assert.ok(problem.detail.length > 10 && !problem.detail.includes('undefined'), problem.detail);
    assert.doesNotMatch(
      JSON.stringify(problem),
      /at \S+ \(|node_modules|\.ts:\d|SQLITE|sqlite/,
      'nothing of the inside',
    );
  });
}

test('every code of the contract is come by here or elsewhere, or by no caller', () => {
  const elsewhere = [
    'invalid_signature',
    'range_not_satisfiable',
    'request_timeout',
    'rate_limited',
    'storage_full',
    'domain_taken',
    'address_suppressed',
    'raw_gone',
  ];
  const byNoCaller = ['internal', 'unavailable', 'loop_detected'];
  assert.deepEqual([...Object.keys(ways), ...elsewhere, ...byNoCaller].sort(), Object.keys(CODES).sort());
});

test('every code has a page that says what it means', async () => {
  for (const code of Object.keys(CODES)) {
    const page = await api('GET', `//problems/${code}`);
    assert.equal(page.status, 200, code);
    assert.ok(page.text.includes(code), code);
    assert.ok(page.text.length > 200, code);
  }
});

test('a page of a code that is none is a problem', async () => {
  for (const code of ['nothing', '../../etc/passwd', '%2e%2e%2f', '<script>']) {
    const page = await api('GET', `//problems/${encodeURIComponent(code)}`);
    assert.equal(page.status, 404, code);
    const html = (page.headers.get('content-type') ?? '').includes('html');
    assert.ok(!(html && page.text.includes('<script>')), 'what was asked for is not echoed as HTML');
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('unknown paths are problems, wherever they are', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/mail/send',
    '/api/v1/mail/sent',
    '/wp-login.php',
  ]) {
    const answer = await api('GET', `/${path}`);
    assert.equal(answer.status, 404, `${path}: ${answer.status}`);
  }
  isProblem(await api('GET', '/mail/sent'), 'not_found');
  isProblem(await api('GET', '//api/v2/mail/send'), 'not_found');
  isProblem(await api('POST', '//nothing', { body: {} }), 'not_found');
});

test('what is echoed in a problem cannot be anything but text', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const answer = await send(key, { to: evil, body: 'Hi' });
  isProblem(answer, 'validation_error', '/to');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
});
