/** What is sent on one connection, and whether it leaves a request unfinished. */
export interface Throw {
  readonly chunks: (string | Buffer)[];
  /** No answer is required: the request is incomplete or invalid. */
  readonly unfinished: boolean;
  readonly method: string;
}

/** Names that exist on the service, for requests that pass the first checks. */
export interface Known {
  readonly keys: readonly string[];
  readonly addresses: readonly string[];
  readonly namespaces: readonly string[];
  readonly messages: readonly string[];
  readonly threads: readonly string[];
  readonly keyIds: readonly string[];
  readonly tokens: readonly string[];
}

/** Makes invalid requests of every kind, and some valid ones, from one source of random numbers. */
export function thrower(random: () => number, known: Known): () => Throw {
  const int = (max: number): number => Math.floor(random() * max);
  const pick = <T>(from: readonly T[]): T => from[int(from.length)] as T;
  const often = (share: number): boolean => random() < share;

  const STRANGE = [
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    'null',
    'true',
    '[]',
    '{}',
    '..',
    '../..',
    '%00',
    '%zz',
    '%ff%fe',
    '%2e%2e%2f',
    '%F0%9F%98%80',
    "'--",
    '" or 1=1',
    '<script>',
    '\\',
    '*',
    '%',
    '_',
    '+',
    '@',
    'a@b',
    'a@@b.c',
    '+@x',
    'x'.repeat(300),
    'x'.repeat(9_000),
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
    'msg_00000000000000000000',
    'thr_zzzzzzzzzzzzzzzzzzzz',
    'key_0',
    'msg_',
    'MTIz',
  ];
  const segment = (): string => {
    const text = often(0.7)
      ? pick([...known.addresses, ...known.namespaces, ...known.messages, ...known.threads, ...known.keyIds])
      : pick(STRANGE);
    return often(0.1) ? encodeURIComponent(text) : text;
  };

  const PATHS: (() => string)[] = [
    () => '/api/v1/namespaces',
    () => '/api/v1/mail/send',
    () => `/api/v1/namespaces/${segment()}`,
    () => `/api/v1/namespaces/${segment()}/mailboxes`,
    () => '/api/v1/mailboxes',
    () => `/api/v1/mailboxes/${segment()}`,
    () => `/api/v1/mailboxes/${segment()}/messages`,
    () => '/api/v1/behaviors',
    () => '/api/v1/mail/send',
    () => '/api/v1/mail/send',
    () => '/api/v1/mail/send',
    () => '/api/v1/mail/try',
    () => '/api/v1/mail/try',
    () => '/api/v1/mail/messages',
    () => `/api/v1/mail/messages/${segment()}`,
    () => `/api/v1/mail/messages/${segment()}/cancel`,
    () => `/api/v1/mail/messages/${segment()}/retry`,
    () => `/api/v1/mail/threads/${segment()}`,
    () => '/api/v1/keys',
    () => `/api/v1/keys/${segment()}`,
    () => '/api/v1/me',
    () => '/api/v1/openapi.json',
    () => '/docs',
    () => `/problems/${pick([...STRANGE, 'validation_error'])}`,
    () =>
      pick([
        '/livez',
        '/readyz',
        '/metrics',
        '/',
        '//',
        '/api',
        '/api/v1',
        '/api/v2/x',
        '*',
        '',
        'x',
        'http://x/livez',
      ]),
    () => `/${segment()}/${segment()}`,
    () => `/api/v1/mailboxes/${pick(known.addresses)}/`,
  ];
  const QUERY = ['limit', 'cursor', 'status', 'since', 'query', 'behavior', 'namespace', 'wait', 'a', '__proto__', ''];
  const value = (name: string): string => {
    // A valid wait would delay the test.
    if (name === 'wait') return pick(['0', '-1', 'x', '0.5', '', '1e1', '%00']);
    const real = [
      '1',
      '2',
      '200',
      '201',
      'completed',
      'submitted',
      '2026-01-01T00:00:00Z',
      '9999-12-31T23:59:60Z',
      'hello',
    ];
    return often(0.5) ? pick(real) : pick(STRANGE).replaceAll(/[ "<>\\]/g, '+');
  };
  const target = (): string => {
    let path = pick(PATHS)();
    if (often(0.3)) {
      const parts = Array.from({ length: 1 + int(4) }, () => {
        const name = pick(QUERY);
        return often(0.1) ? name : `${name}=${value(name)}`;
      });
      path += `?${parts.join('&')}`;
    }
    return often(0.97)
      ? path.replaceAll(/[ "<>\\]/g, (submission) => `%${submission.charCodeAt(0).toString(16)}`)
      : path;
  };

  const TEXTS = [
    'Hi',
    '',
    ' ',
    '\u0000',
    '\ud800',
    '😀'.repeat(10),
    'e\u0301',
    '\u202e',
    'She go home.',
    '\ufeff',
    '\r\n',
    'x'.repeat(2_000),
  ];
  const json = (depth = 0): unknown => {
    const kind = int(depth > 4 ? 6 : 8);
    if (kind === 0) return null;
    if (kind === 1) return often(0.5);
    if (kind === 2) return pick([0, -0, 1, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER + 1, 1e300]);
    if (kind < 6) return pick([...TEXTS, ...STRANGE]);
    if (kind === 6) return Array.from({ length: int(4) }, () => json(depth + 1));
    return Object.fromEntries(Array.from({ length: int(4) }, () => [pick([...STRANGE, ...TEXTS]), json(depth + 1)]));
  };

  /** The kind of body that a path takes. */
  const wanted = (path: string): string => {
    const [last = '', before = ''] = (path.split('?')[0] ?? '').split('/').reverse();
    if (last === 'mailboxes' || last === 'keys' || last === 'namespaces' || last === 'try') return last;
    return { mailboxes: 'mailbox', namespaces: 'namespace' }[before] ?? 'send';
  };

  /** A valid body for the endpoint, in which some fields are replaced at random. */
  const shaped = (path: string): Record<string, unknown> => {
    const unique = (): string => `f${int(1e9).toString(36)}`;
    const hello = { name: 'hello', settings: { name: 'Ada', introduction: 'Hi.' } };
    const send = {
      to: pick(known.addresses),
      body: pick(['Hi', 'She go home.', '😀', 'x'.repeat(500)]),
      sync: often(0.5),
    };
    const shapes: Record<string, Record<string, unknown>[]> = {
      send: [
        send,
        send,
        send,
        { ...send, thread_id: pick(known.threads) },
        { ...send, in_reply_to: pick(known.messages) },
        { ...send, from: pick(known.addresses), subject: 'S', data: json() },
      ],
      try: [
        { to: pick(known.addresses), body: 'Hi' },
        { to: pick(known.addresses), body: 'Hi', thread_id: pick(known.threads), thread_token: pick(known.tokens) },
      ],
      namespaces: [{ name: unique() }, { name: unique(), display_name: 'X' }],
      namespace: [{ display_name: 'X' }, { display_name: null }],
      mailboxes: [
        { local_part: unique(), behavior: hello },
        { local_part: unique(), behavior: { name: pick(['proofread', 'do', 'nothing']), settings: json() } },
      ],
      mailbox: [
        { description: 'x', visibility: pick(['listed', 'unlisted']), access: pick(['public', 'key']) },
        { status: pick(['online', 'online', 'paused', 'offline']) },
        { behavior: pick([hello, { name: 'proofread' }, { settings: json() }]) },
      ],
      keys: [
        {
          scopes: [pick(['mail:send', 'owner', 'keys:write', 'x'])],
          expires_at: pick(['2999-01-01T00:00:00Z', 'x', '2020-02-30T00:00:00Z']),
        },
        { scopes: ['mail:send'], mailbox: pick(known.addresses) },
        { scopes: ['messages:read'] },
      ],
    };
    const body = { ...pick(shapes[often(0.85) ? wanted(path) : pick(Object.keys(shapes))] ?? [{}]) };
    const names = Object.keys(body);
    if (often(0.25)) body[pick(names)] = json();
    if (often(0.1)) delete body[pick(names)];
    if (often(0.1)) body[pick([...STRANGE, 'extra'])] = json();
    return body;
  };

  const NUMBERS = [
    '1e999',
    '-1e999',
    '9'.repeat(400),
    `0.${'0'.repeat(400)}1`,
    '1e-999',
    '-0',
    '123456789012345678901234567890',
  ];
  const body = (path: string): Buffer => {
    const text = JSON.stringify(often(0.92) ? shaped(path) : json());
    const kind = int(32);
    if (kind === 0) return Buffer.from(text.replace('{', `{"to":"${pick(known.addresses)}","to":1,`));
    if (kind === 1) return Buffer.from(text.replace('{', '{"data":{"a":1,"b":{"a":1,"a":2}},'));
    if (kind === 2) {
      const depth = pick([10, 63, 64, 65, 100, 5_000, 50_000]);
      const [open, close] = pick([
        ['[', ']'],
        ['{"a":', '}'],
      ] as const);
      return Buffer.from(
        text.replace('{', `{"data":${open.repeat(depth)}1${close.repeat(often(0.8) ? depth : depth - 1)},`),
      );
    }
    if (kind === 3) return Buffer.from(text.replace('{', `{"data":${pick(NUMBERS)},`));
    if (kind === 4)
      return Buffer.from(
        text.replace(
          '{',
          `{"${pick(['body', 'data', 'subject'])}":"a\\u${pick(['d800', 'dc00', '0000', 'dfff', 'D83D'])}b",`,
        ),
      );
    if (kind === 5) {
      const bytes = Buffer.from(text);
      if (bytes.length > 2) bytes[1 + int(bytes.length - 2)] = pick([0xff, 0xc0, 0x80, 0xed, 0x00, 0x1f]);
      return bytes;
    }
    if (kind === 6) return Buffer.from(text.slice(0, int(text.length)));
    if (kind === 7) return Buffer.from(`${text}${pick(['}', ',', ' x', '\u0000', text])}`);
    if (kind === 8) return Buffer.from(Array.from({ length: int(200) }, () => int(256)));
    if (kind === 9) return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
    if (kind === 10) return Buffer.from(text, 'utf16le');
    if (kind === 11) return Buffer.from(pick(['', ' ', 'null', '[]', '""', '0', 'NaN', "{'a':1}", 'a=b&c=d', '<x/>']));
    if (kind === 12 && often(0.1)) {
      const size = pick([262_144, 262_145, 300_000, 2_097_152, 2_200_000]);
      return Buffer.from(text.replace('{', `{"body":"${'x'.repeat(size)}",`));
    }
    return Buffer.from(text);
  };

  const headers = (): [string, string][] => {
    const all: [string, string][] = [
      ['Host', often(0.95) ? 'localhost' : pick(['', 'a b', '[::1', 'x'.repeat(300), 'evil.example:99999'])],
    ];
    if (often(0.8)) {
      const secret = often(0.85)
        ? pick(known.keys)
        : pick([...known.tokens, ...STRANGE, 'mr_live_', `mr_live_${'0'.repeat(46)}`]);
      all.push([
        'Authorization',
        `${often(0.95) ? 'Bearer' : pick(['bearer', 'Basic', '', 'Bearer Bearer'])} ${secret}`.replaceAll(
          /[^\x20-\x7e]/g,
          '',
        ),
      ]);
    }
    if (often(0.9)) {
      all.push([
        'Content-Type',
        often(0.93)
          ? 'application/json'
          : pick([
              'text/plain',
              'application/json; charset=utf-16',
              'multipart/form-data',
              ';',
              'application/',
              'APPLICATION/JSON',
              '',
              'x'.repeat(500),
            ]),
      ]);
    }
    const more: [string, () => string][] = [
      [
        'Idempotency-Key',
        () => pick(['a', 'b', 'c', '"a"', '', '""', 'k'.repeat(255), 'k'.repeat(256), String(int(1e6)), '\u00ff']),
      ],
      ['Prefer', () => pick(['wait=1', 'wait=0', 'wait=x', 'wait', '=', 'respond-async', ',,,', 'wait=1;x=y'])],
      [
        'Accept',
        () =>
          pick(['*/*', 'application/json', 'text/html', 'image/*', '', ';q=', 'application/json;q=2', 'x'.repeat(200)]),
      ],
      ['Accept-Encoding', () => pick(['gzip', 'br', 'identity', '*', 'gzip;q=x', ''])],
      ['Content-Encoding', () => pick(['gzip', 'br', 'identity', 'x', ''])],
      ['Expect', () => pick(['100-continue', 'x', '100-Continue, x'])],
      ['X-Request-Id', () => pick(['abc', 'x'.repeat(200), '\u00e9', '" \\', ''])],
      ['X-Forwarded-For', () => pick(['1.2.3.4', 'x', '::1', ',,', '1.2.3.4, 999.1.1.1'])],
      ['Origin', () => pick(['https://a.example', 'null', 'x', ''])],
      ['Range', () => pick(['bytes=0-1', 'bytes=-', 'x'])],
      ['If-None-Match', () => pick(['*', '"x"', 'W/"'])],
      ['Cookie', () => pick(['a=b', '=', 'session=mr_live_x', '__proto__=1'])],
      ['Connection', () => pick(['keep-alive', 'close', 'upgrade', 'x'])],
      ['Upgrade', () => pick(['websocket', 'h2c'])],
      ['X-HTTP-Method-Override', () => 'DELETE'],
      ['__proto__', () => 'x'],
      ['X-Large', () => 'x'.repeat(pick([1_000, 8_000, 20_000]))],
      ['Bad Name', () => 'x'],
      ['X-Control', () => 'a\u0001b'],
    ];
    while (often(0.25)) {
      const [name, make] = pick(more);
      all.push([name, make()]);
    }
    return all;
  };

  const METHODS = [
    'GET',
    'GET',
    'GET',
    'GET',
    'POST',
    'POST',
    'POST',
    'POST',
    'POST',
    'POST',
    'PATCH',
    'PATCH',
    'PUT',
    'HEAD',
    'OPTIONS',
  ];
  /** Mostly a method that the path supports, because other methods are refused before anything else is tested. */
  const fitting = (path: string): string => {
    if (/\/(send|try|cancel|retry)(\?|$)/.test(path)) return 'POST';
    if (/\/(keys|mailboxes|namespaces)(\?|$)/.test(path)) return pick(['GET', 'POST', 'POST']);
    // Rarely, because all later requests for a deleted resource fail.
    if (/\/(mailboxes|namespaces)\/[^/]+$/.test(path)) return often(0.005) ? 'DELETE' : pick(['GET', 'PATCH', 'PATCH']);
    if (/\/keys\/[^/]+$/.test(path)) return 'DELETE';
    return 'GET';
  };
  const ODD = ['TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'BREW', 'get', '', 'GET POST'];

  return () => {
    const path = target();
    const method = often(0.95) ? (often(0.88) ? fitting(path) : pick(METHODS)) : pick(ODD);
    const lines = headers();
    const content = method === 'GET' || method === 'HEAD' ? (often(0.1) ? body(path) : Buffer.alloc(0)) : body(path);
    let unfinished = false;
    let payload: (string | Buffer)[] = content.length > 0 ? [content] : [];
    const kind = int(60);
    if (kind === 0) {
      // Declares more bytes than it sends.
      lines.push(['Content-Length', String(content.length + 1 + int(1_000))]);
      unfinished = true;
    } else if (kind === 1) {
      lines.push(['Content-Length', pick(['-1', 'x', '1e3', '0x10', '', '18446744073709551616', '5, 5'])]);
      unfinished = true;
    } else if (kind === 2 && content.length > 1) {
      // Declares fewer bytes than it sends, so that the rest is parsed as another, invalid request.
      lines.push(['Content-Length', String(int(content.length))]);
    } else if (kind === 3) {
      lines.push(['Transfer-Encoding', 'chunked']);
      payload = [
        `${content.length.toString(16)}\r\n`,
        content,
        often(0.7) ? '\r\n0\r\n\r\n' : pick(['\r\nzz\r\n', '0', '\r\n-1\r\n\r\n']),
      ];
      unfinished = true;
    } else if (kind === 4) {
      lines.push(
        ['Content-Length', String(content.length)],
        ['Transfer-Encoding', pick(['chunked', 'gzip, chunked', 'x'])],
      );
      unfinished = true;
    } else if (kind === 5 && content.length > 1) {
      // Half a body, then the connection closes.
      lines.push(['Content-Length', String(content.length)]);
      payload = [content.subarray(0, content.length >> 1)];
      unfinished = true;
    } else if (kind === 6) {
      // A slow body in chunks.
      lines.push(['Content-Length', String(content.length)]);
      const size = Math.max(1, content.length >> 4);
      payload = [];
      for (let at = 0; at < content.length; at += size) payload.push(content.subarray(at, at + size));
    } else if (content.length > 0) {
      lines.push(['Content-Length', String(content.length)]);
    }
    const head = Buffer.from(
      `${method} ${path} HTTP/${often(0.99) ? '1.1' : pick(['1.0', '2.0', '0.9', 'x'])}\r\n${lines.map(([name, text]) => `${name}: ${text}\r\n`).join('')}\r\n`,
      'latin1',
    );
    return { chunks: [head, ...payload], unfinished, method };
  };
}
