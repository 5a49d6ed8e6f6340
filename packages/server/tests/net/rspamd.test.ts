import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { test } from 'node:test';
import type { ReceivedMail, SpamVerdict } from '../../core/ports/spam-filter.ts';
import { Rspamd } from '../../net/rspamd.ts';

const never = new AbortController().signal;
const MAIL: ReceivedMail = {
  raw: Buffer.from('From: a@b.example\r\n\r\nHello\r\n'),
  from: 'a@b.example',
  recipients: ['x@mail.example', 'y@mail.example'],
  ip: '192.0.2.1',
  helo: 'client.example',
};

/** Asks an rspamd that answers so. */
async function ask(
  handle: RequestListener,
  {
    mail = MAIL,
    path = '',
    ms = 1_000,
    signal = never,
  }: { mail?: ReceivedMail; path?: string; ms?: number; signal?: AbortSignal } = {},
): Promise<SpamVerdict> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using rspamd = new Rspamd({ url: `http://127.0.0.1:${port}${path}`, ms });
  try {
    return await rspamd.judge(mail, signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const ANSWER = {
  is_skipped: false,
  score: 17.5,
  required_score: 15,
  action: 'reject',
  symbols: {
    R_SPF_FAIL: { name: 'R_SPF_FAIL', score: 1 },
    PHISHING: { name: 'PHISHING', score: 8 },
    WHITELIST: { name: 'WHITELIST', score: -3 },
  },
};
const answering =
  (answer: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status).end(JSON.stringify(answer));
  };
const reasonOf = (verdict: SpamVerdict): string => (verdict.kind === 'unknown' ? verdict.reason : verdict.kind);

test('the mail is sent as it is, with what is known of its way', async () => {
  let request: IncomingMessage | undefined;
  let body = '';
  const verdict = await ask(
    async (incoming, response) => {
      request = incoming;
      body = Buffer.concat(await incoming.toArray()).toString();
      response.end(JSON.stringify(ANSWER));
    },
    { path: '/rspamd/' },
  );
  assert.deepEqual(verdict, {
    kind: 'judged',
    spam: true,
    score: 17.5,
    action: 'reject',
    symbols: [
      { name: 'PHISHING', score: 8 },
      { name: 'WHITELIST', score: -3 },
      { name: 'R_SPF_FAIL', score: 1 },
    ],
  });
  assert.equal(`${request?.method} ${request?.url}`, 'POST /rspamd/checkv2');
  assert.equal(body, Buffer.from(MAIL.raw).toString());
  const { from, ip, helo } = request?.headers ?? {};
  assert.deepEqual([from, ip, helo], ['a@b.example', '192.0.2.1', 'client.example']);
  assert.deepEqual(request?.headersDistinct.rcpt, ['x@mail.example', 'y@mail.example']);
});

test('what a client said cannot break the request, or keep a mail from being judged', async () => {
  const mail = {
    ...MAIL,
    from: '',
    ip: null,
    helo: 'evil\r\nsettings-id: none\u0000ü',
    recipients: ['ü@mail.example'],
  };
  let headers: IncomingMessage['headers'] = {};
  const verdict = await ask(
    (request, response) => {
      headers = request.headers;
      answering(ANSWER)(request, response);
    },
    { mail },
  );
  assert.equal(verdict.kind, 'judged');
  assert.equal(headers.helo, 'evil??settings-id:?none??');
  assert.equal(headers['settings-id'], undefined);
  assert.equal(headers.ip, undefined);
});

test('only what rspamd would mark or refuse is spam', async () => {
  for (const [action, spam] of [
    ['no action', false],
    ['greylist', false],
    ['soft reject', false],
    ['add header', true],
    ['rewrite subject', true],
    ['reject', true],
  ] as const) {
    const verdict = await ask(answering({ ...ANSWER, action }));
    assert.equal(verdict.kind === 'judged' && verdict.spam, spam, action);
  }
});

test('without a usable answer the verdict is unknown', async () => {
  for (const [answer, reason] of [
    [answering({}), /did not answer with a score and an action/],
    [answering(null), /did not answer with a score and an action/],
    [answering({ ...ANSWER, score: '17' }), /did not answer with a score and an action/],
    [answering({ error: 'no such file' }, 503), /status 503/],
    [(_, response) => response.end('<html>'), /did not answer with JSON/],
    [(_, response) => response.end('x'.repeat(300_000)), /more than 262144 bytes/],
    [(_, response) => response.socket?.destroy(), /closed the connection/],
    [() => undefined, /did not answer within 1 s/],
  ] as const satisfies readonly (readonly [RequestListener, RegExp])[])
    assert.match(reasonOf(await ask(answer, { ms: 400 })), reason);
});

test('a server that is not there, or ends its answer halfway, makes the verdict unknown', async () => {
  const server = createPlain((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"score":', () => socket.destroySoon());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using rspamd = new Rspamd({ url: `http://127.0.0.1:${port}`, ms: 1_000 });
  assert.match(reasonOf(await rspamd.judge(MAIL, never)), /before its answer was complete/);
  await new Promise((resolve) => server.close(resolve));
  assert.match(reasonOf(await rspamd.judge(MAIL, never)), /nothing listens there/);
});

test('who no longer waits is told so by the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('The client left.');
  const asked = ask(() => controller.abort(reason), { signal: controller.signal });
  await assert.rejects(asked, reason);
});
