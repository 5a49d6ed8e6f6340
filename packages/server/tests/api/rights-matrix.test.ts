import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { type Answer, connect, HELLO, type Home, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import { ROLES } from '../../core/entities/member.ts';

const service = await sharedService();
const client = connect(service.url);
const { api, newNamespace, newMailbox, newKey, send, tryOut } = client;

interface Operation {
  readonly security: readonly { api_key?: object; thread_token?: object }[];
  readonly 'x-scope'?: string;
}
const { paths } = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;

/** Texts stored in the namespace, each with the scope that its keys need to read it. */
const CANARIES: Readonly<Record<string, string | undefined>> = {
  [unique('canarymessage')]: 'messages:read',
  [unique('canaryguest')]: 'messages:read',
  [unique('canarysettings')]: 'mailboxes:write',
  [unique('canaryclient')]: 'mailboxes:write',
  [unique('canarykey')]: 'keys:write',
  [unique('canaryreview')]: 'mail:review',
  [unique('canaryunlisted')]: undefined,
  [unique('canaryclosed')]: undefined,
};
const [MESSAGE, GUEST, SETTINGS, CLIENT, KEY, REVIEW, UNLISTED, CLOSED] = Object.keys(CANARIES) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const home = await newNamespace();
const open = await newMailbox(home);
const closed = await newMailbox(home, {
  local_part: CLOSED,
  access: 'key',
  // A reply to German, in which none of the tests writes.
  behavior: { name: 'hello', settings: { ...HELLO.settings, languages: { de: SETTINGS } } },
});
const unlisted = await newMailbox(home, { local_part: UNLISTED, visibility: 'unlisted' });
const auth = await newAuth(client, home);
const shop = await newService(client, home, auth, { name: CLIENT });
const other = await newNamespace();
const others = await newMailbox(other);
const poster = await newKey(home, { scopes: ['mail:send'], name: KEY });
const posted = (await send(poster.secret, { to: closed.address, body: MESSAGE, subject: MESSAGE, sync: true })).body;
const guest = (await tryOut({ to: open.address, body: GUEST })).body;
const stranger = (await tryOut({ to: others.address, body: 'Hi' })).body;

interface Caller {
  readonly name: string;
  readonly kind: 'nobody' | 'dead' | 'token' | 'own' | 'foreign';
  readonly headers: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly bound?: true;
}
const SCOPES = [
  'mail:send',
  'mail:answer',
  'mail:review',
  'messages:read',
  'mailboxes:write',
  'webhooks:write',
  'keys:write',
  'auth:assert',
];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function callersOf(): Promise<readonly Caller[]> {
  const gone = await newNamespace();
  assert.equal((await api('DELETE', `/namespaces/${gone.name}`, { key: gone.key })).status, 204);
  const revoked = await newKey(home, { scopes: ['owner'] });
  assert.equal((await api('DELETE', `/keys/${revoked.id}`, { key: home.key })).status, 204);
  const expires = Date.now() + 500;
  const expired = await newKey(home, { scopes: ['owner'], expires_at: new Date(expires).toISOString() });
  const single = await Promise.all(SCOPES.map((scope) => newKey(home, { scopes: [scope] })));
  const roles = await Promise.all(
    Object.entries(ROLES).map(async ([name, scopes]) => ({
      ...(await newKey(home, { scopes })),
      // An owner has every scope.
      ...(scopes.some((scope) => scope === 'owner') && { scopes: ['owner', ...SCOPES] }),
      name,
    })),
  );
  const bound = await newKey(home, { scopes: SCOPES, mailbox: open.address });
  const theirs = await newKey(other, { scopes: SCOPES, mailbox: others.address });
  const entered = await fetch(`${service.url}/console`, {
    method: 'POST',
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ key: home.key }),
    redirect: 'manual',
  });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  assert.match(cookie, /^mr_session=/);
  await pause(Math.max(0, expires - Date.now() + 10));
  const noCaller = { kind: 'nobody', scopes: [] } as const;
  const dead = { kind: 'dead', scopes: [] } as const;
  const token = { kind: 'token', scopes: [] } as const;
  return [
    { ...noCaller, name: 'no key', headers: {} },
    { ...noCaller, name: 'a session of the console', headers: { cookie } },
    { ...dead, name: 'an expired key', headers: bearer(expired.secret) },
    { ...dead, name: 'a revoked key', headers: bearer(revoked.secret) },
    { ...dead, name: 'a key of a deleted namespace', headers: bearer(gone.key) },
    { ...token, name: 'the token of its thread', headers: bearer(guest.thread_token) },
    { ...token, name: 'the token of another thread', headers: bearer(stranger.thread_token) },
    {
      kind: 'foreign',
      name: 'an owner of another namespace',
      headers: bearer(other.key),
      scopes: ['owner', ...SCOPES],
    },
    { kind: 'foreign', name: "another's bound key", headers: bearer(theirs.secret), scopes: SCOPES, bound: true },
    ...single.map(
      ({ secret, scopes }): Caller => ({
        kind: 'own',
        name: `a key with ${scopes.join()}`,
        headers: bearer(secret),
        scopes,
      }),
    ),
    ...roles.map(
      ({ secret, scopes, name }): Caller => ({
        kind: 'own',
        name: `a key of the role ${name}`,
        headers: bearer(secret),
        scopes,
      }),
    ),
    { kind: 'own', name: 'a bound key', headers: bearer(bound.secret), scopes: SCOPES, bound: true },
    { kind: 'own', name: 'the owner', headers: bearer(home.key), scopes: ['owner', ...SCOPES] },
  ];
}
const callers = await callersOf();

interface Request {
  readonly path: string;
  readonly body?: object;
}
/** The result of a request: a problem's code, or `ok`. */
type Outcome = string;

interface Row {
  /** Method and path in the OpenAPI document. */
  readonly op: string;
  /** What the row is about, where an endpoint has several rows. */
  readonly about?: string;
  /** Makes a new request each time, for callers that may. */
  readonly ask: () => Request | Promise<Request>;
  /**
   * `all`: the same for everyone. `self`: about the caller's own key. `namespace`: for the namespace's keys with the
   * scope; other keys get `foreign`, and the bound key gets `bound`.
   */
  readonly of: 'all' | 'self' | 'namespace';
  readonly foreign?: Outcome;
  readonly bound?: Outcome;
  /** Outcomes that depend on more than the caller's kind and scope. */
  readonly except?: (caller: Caller) => Outcome | undefined;
  /** The outcome for callers that may, unless it succeeds. */
  readonly done?: Outcome;
  /** Not run by callers that may, because it would end the namespace. */
  readonly spare?: true;
}

const pathOf = (mailbox: { readonly address: string }, below = ''): string => `/mailboxes/${mailbox.address}${below}`;
const row = (op: string, of: Row['of'], ask: Row['ask'], more: Partial<Row> = {}): Row => ({ op, of, ask, ...more });
const get =
  (path: string): Row['ask'] =>
  () => ({ path });
const has = ({ scopes }: Caller, scope: string): boolean => scopes.includes(scope);

/** Rows about a message: the readers, the controllers, and all others, for whom it does not exist. */
const ofMessage = (reads: (caller: Caller) => boolean, controls?: (caller: Caller) => boolean): Partial<Row> => ({
  except: (caller) => {
    if (caller.kind === 'nobody' || caller.kind === 'dead') return undefined;
    if (controls !== undefined)
      return controls(caller) ? 'ok' : reads(caller) ? 'insufficient_scope' : 'message_not_found';
    return reads(caller) ? 'ok' : 'message_not_found';
  },
});
const ownUnbound = (scope: string) => (caller: Caller) =>
  caller.kind === 'own' && caller.bound !== true && has(caller, scope);
const ownWith = (scope: string) => (caller: Caller) => caller.kind === 'own' && has(caller, scope);
const itsToken = (caller: Caller) => caller.name === 'the token of its thread';
const newClient = async (): Promise<{ id: string }> => newService(client, home, auth);
const newToken = async (): Promise<{ id: string }> =>
  (await api<{ id: string }>('POST', pathOf(auth, '/registration-tokens'), { key: home.key, body: {} })).body;
const allowed = { issuer: home.name, client_id: shop.id };
const allow = async (): Promise<{ id: string }> =>
  (await api<{ id: string }>('POST', pathOf(open, '/services'), { key: home.key, body: allowed })).body;

const newDraft = async (): Promise<{ id: string }> => {
  const body = { to: open.address, body: 'Hi', subject: MESSAGE };
  return (await api<{ id: string }>('POST', '/mail/drafts', { key: poster.secret, body })).body;
};
const attached = async (): Promise<string> => {
  const files = [{ filename: 'a.txt', content_type: 'text/plain', content: 'SGVsbG8=' }];
  const body = { to: closed.address, body: 'Hi', attachments: files };
  const sent = await api<{ attachments: { id: string }[] }>('POST', '/mail/send', { key: home.key, body });
  return sent.body.attachments[0]?.id as string;
};
/** A request about a new message, to the mailbox that is closed to others unless another is given. */
const newPosted =
  (below: string, to = closed.address) =>
  async (): Promise<Request> => {
    const { id } = (await send(poster.secret, { to, body: 'Hi', sync: true })).body;
    return { path: `/mail/messages/${id}${below}` };
  };
const held = await newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review: 'always' } });
const answerer = await newKey(home, { scopes: ['mail:answer'] });
/** An answer that waits until an owner has seen it. */
const newReview = async (text = 'Hi'): Promise<{ id: string; hash: string }> => {
  const { id } = (await send(poster.secret, { to: held.address, body: 'Hi' })).body;
  await api('POST', `/mail/messages/${id}/answer`, { key: answerer.secret, body: { body: text } });
  const { items } = (
    await api<{ items: { id: string; hash: string; message_id: string }[] }>('GET', '/mail/reviews', { key: home.key })
  ).body;
  const review = items.find(({ message_id }) => message_id === id);
  assert.ok(review);
  return review;
};
const reviewed = await newReview(REVIEW);
/** A key of a mailbox sees the reviews of that one. */
const ofReview: Partial<Row> = { foreign: 'review_not_found', bound: 'review_not_found' };
/** Who manages the mailbox may do what who answers may. */
const ofConversation: Partial<Row> = {
  ...{ foreign: 'message_not_found', bound: 'message_not_found' },
  except: (caller) => (caller.bound !== true && ownWith('mailboxes:write')(caller) ? 'ok' : undefined),
};
const draft = await newDraft();
const ofSuppressions = (scope: string): Partial<Row> => ({
  except: (caller) => (caller.bound === true && has(caller, scope) ? 'access_denied' : undefined),
});
/** A key that only sends sees its own drafts, and a bound one those of its mailbox. */
const ofDraft: Partial<Row> = {
  foreign: 'not_found',
  bound: 'not_found',
  except: (caller) =>
    caller.kind === 'own' && has(caller, 'mail:send') && !has(caller, 'messages:read') ? 'not_found' : undefined,
};

/** Nothing is sent to it: its host does not exist, and no such event happens. */
const HOOK = { url: 'https://hooks.invalid/', types: ['webhook.disabled'] };
const newHook = async (): Promise<string> =>
  `/webhooks/${(await api<{ id: string }>('POST', '/webhooks', { key: home.key, body: HOOK })).body.id}`;
const hook = await newHook();
const delivered = (await api<{ id: string }>('POST', `${hook}/test`, { key: home.key })).body.id;
/** One of the whole namespace does not exist for a key of a mailbox. */
const ofHook: Partial<Row> = { foreign: 'not_found', bound: 'not_found' };

/** No person owns this namespace, so it has no domain and gets none. */
const DOMAINS = `/namespaces/${home.name}/domains`;
const NO_DOMAIN: Partial<Row> = { done: 'not_found' };
const UNCLAIMED: Partial<Row> = { done: 'access_denied' };

const ROWS: readonly Row[] = [
  row(
    'POST /api/v1/mail/send',
    'namespace',
    () => ({ path: '/mail/send', body: { to: closed.address, body: 'Hi', sync: true } }),
    {
      about: 'to a mailbox that is closed to others',
      foreign: 'mailbox_not_found',
      bound: 'ok',
    },
  ),
  row(
    'POST /api/v1/mail/send',
    'namespace',
    () => ({ path: '/mail/send', body: { to: others.address, from: open.address, body: 'Hi', sync: true } }),
    { about: 'from a mailbox', foreign: 'sender_not_allowed', bound: 'ok' },
  ),
  row('POST /api/v1/mail/try', 'all', () => ({ path: '/mail/try', body: { to: open.address, body: 'Hi' } })),
  row('POST /api/v1/mail/try', 'all', () => ({ path: '/mail/try', body: { to: closed.address, body: 'Hi' } }), {
    about: 'a closed mailbox',
    done: 'mailbox_not_found',
  }),
  row('POST /api/v1/challenges', 'all', get('/challenges')),
  row('GET /api/v1/mail/messages', 'self', get('/mail/messages')),
  row('GET /api/v1/mail/messages/{id}', 'namespace', get(`/mail/messages/${posted.id}`), {
    about: 'a message',
    ...ofMessage(ownUnbound('messages:read')),
  }),
  row('GET /api/v1/mail/messages/{id}', 'namespace', get(`/mail/messages/${guest.id}`), {
    about: "a guest's",
    ...ofMessage((caller) => ownWith('messages:read')(caller) || itsToken(caller)),
  }),
  ...['raw', 'html'].map((what) =>
    row(`GET /api/v1/mail/messages/{id}/${what}`, 'namespace', get(`/mail/messages/${posted.id}/${what}`), {
      foreign: 'message_not_found',
      bound: 'message_not_found',
      done: 'not_found',
    }),
  ),
  row(
    'PATCH /api/v1/mail/messages/{id}',
    'namespace',
    () => ({ path: `/mail/messages/${posted.id}`, body: { labels: { add: ['x'] } } }),
    { foreign: 'message_not_found', bound: 'message_not_found' },
  ),
  row('DELETE /api/v1/mail/messages/{id}', 'namespace', newPosted(''), {
    foreign: 'message_not_found',
    bound: 'message_not_found',
  }),
  row(
    'POST /api/v1/mail/messages/{id}/forward',
    'namespace',
    async () => ({
      ...(await newPosted('/forward', open.address)()),
      body: { to: others.address, from: open.address },
    }),
    {
      foreign: 'message_not_found',
      bound: 'ok',
      except: (caller) => (caller.kind === 'own' && !has(caller, 'messages:read') ? 'message_not_found' : undefined),
    },
  ),
  ...['trash', 'restore'].map((what) =>
    row(`POST /api/v1/mail/messages/{id}/${what}`, 'namespace', newPosted(`/${what}`), {
      except: (caller) => {
        if (caller.kind !== 'own' || caller.bound === true)
          return caller.kind === 'own' || caller.kind === 'foreign' ? 'message_not_found' : undefined;
        const reads = has(caller, 'messages:read');
        if (has(caller, 'mail:answer') || (reads && has(caller, 'mail:send'))) return 'ok';
        return reads ? 'access_denied' : 'message_not_found';
      },
    }),
  ),
  row('POST /api/v1/mail/messages/batch', 'self', () => ({
    path: '/mail/messages/batch',
    body: { ids: [posted.id], restore: true },
  })),
  row('GET /api/v1/mail/attachments/{id}', 'namespace', get(`/mail/attachments/${await attached()}`), {
    foreign: 'not_found',
    bound: 'not_found',
    except: (caller) =>
      caller.kind === 'nobody' || caller.kind === 'dead' || ownUnbound('messages:read')(caller)
        ? undefined
        : 'not_found',
  }),
  row('GET /api/v1/mail/drafts', 'self', get('/mail/drafts')),
  row('POST /api/v1/mail/drafts', 'self', () => ({ path: '/mail/drafts', body: { to: open.address, body: 'Hi' } })),
  row('GET /api/v1/mail/drafts/{id}', 'namespace', get(`/mail/drafts/${draft.id}`), ofDraft),
  row(
    'PATCH /api/v1/mail/drafts/{id}',
    'namespace',
    async () => ({ path: `/mail/drafts/${(await newDraft()).id}`, body: { subject: 'x' } }),
    ofDraft,
  ),
  row(
    'POST /api/v1/mail/drafts/{id}/send',
    'namespace',
    async () => ({ path: `/mail/drafts/${(await newDraft()).id}/send` }),
    ofDraft,
  ),
  row(
    'DELETE /api/v1/mail/drafts/{id}',
    'namespace',
    async () => ({ path: `/mail/drafts/${(await newDraft()).id}` }),
    ofDraft,
  ),
  row('GET /api/v1/mail/reviews', 'self', get('/mail/reviews')),
  row('GET /api/v1/mail/reviews/{id}', 'namespace', get(`/mail/reviews/${reviewed.id}`), ofReview),
  row(
    'PATCH /api/v1/mail/reviews/{id}',
    'namespace',
    async () => ({ path: `/mail/reviews/${(await newReview()).id}`, body: { body: 'Hello' } }),
    ofReview,
  ),
  row(
    'POST /api/v1/mail/reviews/{id}/approve',
    'namespace',
    async () => {
      const { id, hash } = await newReview();
      return { path: `/mail/reviews/${id}/approve`, body: { hash } };
    },
    ofReview,
  ),
  row(
    'POST /api/v1/mail/reviews/{id}/reject',
    'namespace',
    async () => ({ path: `/mail/reviews/${(await newReview()).id}/reject` }),
    ofReview,
  ),
  row('GET /api/v1/mail/threads', 'self', get('/mail/threads')),
  row('GET /api/v1/mail/search', 'self', get('/mail/search?query=hello')),
  row('GET /api/v1/mail/threads/{id}', 'namespace', get(`/mail/threads/${posted.thread_id}`), {
    about: 'a thread',
    ...ofMessage(ownUnbound('messages:read')),
  }),
  row('GET /api/v1/mail/threads/{id}', 'namespace', get(`/mail/threads/${guest.thread_id}`), {
    about: "a guest's",
    ...ofMessage((caller) => ownWith('messages:read')(caller) || itsToken(caller)),
  }),
  ...['take-over', 'hand-back'].map((what) =>
    row(`POST /api/v1/mail/threads/{id}/${what}`, 'namespace', get(`/mail/threads/${posted.thread_id}/${what}`), {
      foreign: 'message_not_found',
      bound: 'message_not_found',
    }),
  ),
  row(
    'PATCH /api/v1/mail/threads/{id}',
    'namespace',
    async () => ({ path: `/mail/threads/${posted.thread_id}`, body: { state: 'waiting' } }),
    ofConversation,
  ),
  row(
    'POST /api/v1/mail/threads/{id}/notes',
    'namespace',
    async () => ({ path: `/mail/threads/${posted.thread_id}/notes`, body: { body: 'Hi' } }),
    ofConversation,
  ),
  row('POST /api/v1/mail/messages/{id}/cancel', 'namespace', get(`/mail/messages/${posted.id}/cancel`), {
    ...ofMessage(ownUnbound('messages:read'), ownUnbound('mailboxes:write')),
  }),
  row('POST /api/v1/mail/messages/{id}/cancel', 'namespace', get(`/mail/messages/${guest.id}/cancel`), {
    about: "a guest's",
    ...ofMessage(ownWith('messages:read'), (caller) => ownWith('mailboxes:write')(caller) || itsToken(caller)),
  }),
  row('POST /api/v1/mail/messages/{id}/retry', 'namespace', get(`/mail/messages/${posted.id}/retry`), {
    ...ofMessage(ownUnbound('messages:read'), ownUnbound('mailboxes:write')),
    done: 'validation_error',
  }),
  ...['approve', 'refuse'].map((what) =>
    row(`POST /api/v1/mail/messages/{id}/${what}`, 'namespace', get(`/mail/messages/${posted.id}/${what}`), {
      foreign: 'message_not_found',
      bound: 'message_not_found',
      done: 'not_waiting',
    }),
  ),
  row('GET /api/v1/mailboxes/{address}/export.mbox', 'namespace', get(pathOf(open, '/export.mbox'))),
  row('POST /api/v1/mailboxes/{address}/import', 'namespace', get(pathOf(open, '/import')), {
    bound: 'validation_error',
    done: 'validation_error',
  }),
  row(
    'POST /api/v1/mailboxes/{address}/wait',
    'namespace',
    () => ({ path: pathOf(open, '/wait'), body: { wait: 0 } }),
    {
      bound: 'ok',
    },
  ),
  row(
    'POST /api/v1/mailboxes/{address}/rules/try',
    'namespace',
    () => ({ path: pathOf(open, '/rules/try'), body: { rules: [] } }),
    {
      bound: 'ok',
      except: (caller) => (caller.kind === 'own' && !has(caller, 'messages:read') ? 'insufficient_scope' : undefined),
    },
  ),
  row(
    'POST /api/v1/mailboxes/{address}/claim',
    'namespace',
    () => ({ path: pathOf(open, '/claim'), body: { wait: 0 } }),
    {
      bound: 'not_waiting',
      done: 'not_waiting',
    },
  ),
  row(
    'POST /api/v1/mailboxes/{address}/answers',
    'namespace',
    () => ({
      path: pathOf(open, '/answers'),
      body: { answers: [{ message_id: posted.id, claim: `clm_${'0'.repeat(20)}`, body: 'Hi' }] },
    }),
    { bound: 'ok' },
  ),
  row(
    'POST /api/v1/mailboxes/{address}/webhook/rotate',
    'namespace',
    () => ({ path: pathOf(open, '/webhook/rotate') }),
    {
      bound: 'not_found',
      done: 'not_found',
    },
  ),
  row(
    'POST /api/v1/mail/messages/{id}/answer',
    'namespace',
    () => ({ path: `/mail/messages/${posted.id}/answer`, body: { body: 'Hi' } }),
    { foreign: 'message_not_found', bound: 'message_not_found' },
  ),
  ...['progress', 'release'].map((what) =>
    row(
      `POST /api/v1/mail/messages/{id}/${what}`,
      'namespace',
      () => ({ path: `/mail/messages/${posted.id}/${what}`, body: { claim: `clm_${'0'.repeat(20)}` } }),
      { foreign: 'message_not_found', bound: 'message_not_found', done: 'not_waiting' },
    ),
  ),
  row('GET /api/v1/mailboxes', 'all', get('/mailboxes')),
  row('GET /api/v1/mailboxes', 'all', get(`/mailboxes?namespace=${home.name}&limit=200`), {
    about: 'of the namespace',
  }),
  row('GET /api/v1/namespaces/{name}/mailboxes', 'all', get(`/namespaces/${home.name}/mailboxes`)),
  row('POST /api/v1/namespaces/{name}/mailboxes', 'namespace', () => ({
    path: `/namespaces/${home.name}/mailboxes`,
    body: { local_part: unique('m'), behavior: HELLO },
  })),
  row('GET /api/v1/mailboxes/{address}', 'all', get(pathOf(open))),
  row('GET /api/v1/mailboxes/{address}', 'all', get(pathOf(unlisted)), { about: 'an unlisted one' }),
  row('GET /api/v1/mailboxes/{address}', 'all', get(pathOf(closed)), {
    about: 'a closed one',
    except: ({ kind }) => (kind === 'own' || kind === 'dead' ? undefined : 'mailbox_not_found'),
  }),
  ...[open, closed].flatMap((mailbox): readonly Row[] => {
    const about = mailbox === open ? 'an open one' : 'a closed one';
    const more = { about, ...(mailbox === open ? { bound: 'ok' } : { foreign: 'mailbox_not_found' }) };
    return [
      row(
        'PATCH /api/v1/mailboxes/{address}',
        'namespace',
        () => ({ path: pathOf(mailbox), body: { description: 'New' } }),
        more,
      ),
      row('GET /api/v1/mailboxes/{address}/messages', 'namespace', get(pathOf(mailbox, '/messages')), more),
      row('GET /api/v1/mailboxes/{address}/usage', 'namespace', get(pathOf(mailbox, '/usage')), more),
      row('GET /api/v1/mailboxes/{address}/services', 'namespace', get(pathOf(mailbox, '/services')), more),
      row('GET /api/v1/mailboxes/{address}/outside', 'namespace', get(pathOf(mailbox, '/outside')), more),
      row('POST /api/v1/mailboxes/{address}/outside/check', 'namespace', get(pathOf(mailbox, '/outside/check')), more),
    ];
  }),
  row('DELETE /api/v1/mailboxes/{address}', 'namespace', async () => ({ path: pathOf(await newMailbox(home)) })),
  row('GET /api/v1/mailboxes/{address}/clients', 'namespace', get(pathOf(auth, '/clients'))),
  row('POST /api/v1/mailboxes/{address}/clients', 'namespace', () => ({
    path: pathOf(auth, '/clients'),
    body: { name: 'Shop', redirect_uris: ['https://shop.example/callback'] },
  })),
  row('GET /api/v1/mailboxes/{address}/clients/{id}', 'namespace', get(pathOf(auth, `/clients/${shop.id}`))),
  row('PATCH /api/v1/mailboxes/{address}/clients/{id}', 'namespace', () => ({
    path: pathOf(auth, `/clients/${shop.id}`),
    body: { client_uri: 'https://shop.example' },
  })),
  row(
    'POST /api/v1/mailboxes/{address}/clients/{id}/secret',
    'namespace',
    get(pathOf(auth, `/clients/${shop.id}/secret`)),
  ),
  row('DELETE /api/v1/mailboxes/{address}/clients/{id}', 'namespace', async () => ({
    path: pathOf(auth, `/clients/${(await newClient()).id}`),
  })),
  row('GET /api/v1/mailboxes/{address}/registration-tokens', 'namespace', get(pathOf(auth, '/registration-tokens'))),
  row('POST /api/v1/mailboxes/{address}/registration-tokens', 'namespace', () => ({
    path: pathOf(auth, '/registration-tokens'),
    body: {},
  })),
  row('DELETE /api/v1/mailboxes/{address}/registration-tokens/{id}', 'namespace', async () => ({
    path: pathOf(auth, `/registration-tokens/${(await newToken()).id}`),
  })),
  row(
    'POST /api/v1/mailboxes/{address}/services',
    'namespace',
    () => ({ path: pathOf(open, '/services'), body: allowed }),
    {
      bound: 'ok',
    },
  ),
  row(
    'DELETE /api/v1/mailboxes/{address}/services/{id}',
    'namespace',
    async () => ({
      path: pathOf(open, `/services/${(await allow()).id}`),
    }),
    { bound: 'ok' },
  ),
  row('POST /api/v1/namespaces', 'all', () => ({ path: '/namespaces', body: { name: unique() } })),
  row('GET /api/v1/namespaces/{name}', 'all', get(`/namespaces/${home.name}`)),
  row('PATCH /api/v1/namespaces/{name}', 'namespace', () => ({
    path: `/namespaces/${home.name}`,
    body: { display_name: 'New' },
  })),
  row('DELETE /api/v1/namespaces/{name}', 'namespace', get(`/namespaces/${home.name}`), { spare: true }),
  row('GET /api/v1/namespaces/{name}/export', 'namespace', get(`/namespaces/${home.name}/export`)),
  row('GET /api/v1/namespaces/{name}/audit', 'namespace', get(`/namespaces/${home.name}/audit`)),
  row('GET /api/v1/namespaces/{name}/audit/export', 'namespace', get(`/namespaces/${home.name}/audit/export`)),
  row('GET /api/v1/namespaces/{name}/overview', 'namespace', get(`/namespaces/${home.name}/overview`)),
  row('GET /api/v1/namespaces/{name}/members', 'namespace', get(`/namespaces/${home.name}/members`)),
  row('GET /api/v1/namespaces/{name}/activity', 'namespace', get(`/namespaces/${home.name}/activity`)),
  row('GET /api/v1/events', 'self', get('/events?limit=200')),
  row('GET /api/v1/keys', 'self', get('/keys')),
  row('POST /api/v1/keys', 'self', () => ({ path: '/keys', body: { scopes: ['keys:write'] } }), {
    bound: 'insufficient_scope',
  }),
  row(
    'DELETE /api/v1/keys/{id}',
    'namespace',
    async () => ({
      path: `/keys/${(await newKey(home, { scopes: ['mail:send'] })).id}`,
    }),
    { foreign: 'not_found', bound: 'not_found' },
  ),
  row('GET /api/v1/mail/suppressions', 'self', get('/mail/suppressions'), ofSuppressions('messages:read')),
  row('DELETE /api/v1/mail/suppressions/{address}', 'self', get('/mail/suppressions/ada@example.com'), {
    ...ofSuppressions('mailboxes:write'),
    done: 'not_found',
  }),
  row('GET /api/v1/webhooks', 'self', get('/webhooks')),
  row('POST /api/v1/webhooks', 'self', () => ({ path: '/webhooks', body: HOOK })),
  row('GET /api/v1/webhooks/{id}', 'namespace', get(hook), ofHook),
  row('PATCH /api/v1/webhooks/{id}', 'namespace', () => ({ path: hook, body: { types: HOOK.types } }), ofHook),
  row('DELETE /api/v1/webhooks/{id}', 'namespace', async () => ({ path: await newHook() }), ofHook),
  row('POST /api/v1/webhooks/{id}/rotate', 'namespace', async () => ({ path: `${await newHook()}/rotate` }), ofHook),
  row('POST /api/v1/webhooks/{id}/test', 'namespace', get(`${hook}/test`), ofHook),
  row(
    'POST /api/v1/webhooks/{id}/replay',
    'namespace',
    () => ({ path: `${hook}/replay`, body: { since: '2026-01-01T00:00:00Z' } }),
    ofHook,
  ),
  row('GET /api/v1/webhooks/{id}/deliveries', 'namespace', get(`${hook}/deliveries`), ofHook),
  row(
    'POST /api/v1/webhooks/{id}/deliveries/{delivery}/redeliver',
    'namespace',
    get(`${hook}/deliveries/${delivered}/redeliver`),
    ofHook,
  ),
  row('GET /api/v1/namespaces/{name}/domains', 'namespace', get(DOMAINS)),
  row(
    'POST /api/v1/namespaces/{name}/domains',
    'namespace',
    () => ({ path: DOMAINS, body: { domain: 'mail.example.com' } }),
    UNCLAIMED,
  ),
  row('GET /api/v1/namespaces/{name}/domains/{domain}', 'namespace', get(`${DOMAINS}/mail.example.com`), NO_DOMAIN),
  row('DELETE /api/v1/namespaces/{name}/domains/{domain}', 'namespace', get(`${DOMAINS}/mail.example.com`), NO_DOMAIN),
  row(
    'POST /api/v1/namespaces/{name}/domains/{domain}/verify',
    'namespace',
    get(`${DOMAINS}/mail.example.com/verify`),
    UNCLAIMED,
  ),
  row(
    'POST /api/v1/namespaces/{name}/domains/{domain}/rotate',
    'namespace',
    get(`${DOMAINS}/mail.example.com/rotate`),
    UNCLAIMED,
  ),
  row('GET /api/v1/me', 'self', get('/me')),
  ...[
    '/api/v1/behaviors',
    '/api/v1/openapi.json',
    '/.well-known/jwks.json',
    '/livez',
    '/readyz',
    '/metrics',
    '/docs',
    '/problems',
  ].map((path) => row(`GET ${path}`, 'all', get(`/${path}`))),
  row('GET /problems/{code}', 'all', get('//problems/not_found')),
];

/** The expected outcome, from the document and the owner of the object. */
function expected(
  { op, of, foreign = 'access_denied', bound = 'access_denied', except, done = 'ok' }: Row,
  caller: Caller,
): Outcome {
  const [method = '', path = ''] = op.split(' ');
  const operation = paths[path]?.[method.toLowerCase()] as Operation;
  const outcome = (): Outcome => {
    if (caller.kind === 'dead') return 'invalid_key';
    const special = except?.(caller);
    const isPublic = operation.security.some((one) => Object.keys(one).length === 0);
    if (isPublic) return special ?? 'ok';
    if (caller.kind === 'nobody') return 'missing_key';
    if (caller.kind === 'token' && !operation.security.some((one) => one.thread_token !== undefined))
      return 'invalid_key';
    const scope = operation['x-scope'];
    // Some take another scope in its place.
    if (scope !== undefined && !has(caller, scope) && special !== 'ok') return 'insufficient_scope';
    if (special !== undefined) return special;
    if (of === 'namespace' && caller.kind === 'foreign') return foreign;
    if (caller.bound === true && (of === 'namespace' || bound !== 'access_denied')) return bound;
    return 'ok';
  };
  const result = outcome();
  return result === 'ok' ? done : result;
}

const ask = (method: string, { path, body }: Request, { headers }: Caller): Promise<Answer<{ code?: string }>> =>
  api(method, path, { headers, ...(body === undefined ? {} : { body }) });
const outcomeOf = ({ status, body }: Answer<{ code?: string }>): Outcome =>
  status >= 200 && status < 300 ? 'ok' : (body?.code ?? `${status}`);

/** Asserts that the answer holds no text the caller may not see, except what the request held. */
function assertSilent({ text }: Answer<unknown>, request: Request, caller: Caller, op: string): void {
  const requestText = `${request.path} ${JSON.stringify(request.body ?? '')}`;
  for (const [canary, scope] of Object.entries(CANARIES)) {
    const entitled =
      (caller.kind === 'own' && (scope === undefined || has(caller, scope))) || (canary === GUEST && itsToken(caller));
    if (entitled || requestText.includes(canary)) continue;
    assert.ok(!text.includes(canary), `${op} tells ${caller.name} ${canary}: ${text.slice(0, 2_000)}`);
  }
}

/** The whole namespace as its owner sees it. */
async function everything({ key, name }: Home): Promise<readonly string[]> {
  const lists = [
    `/namespaces/${name}`,
    `/namespaces/${name}/mailboxes?limit=200`,
    '/keys?limit=200',
    '/webhooks?limit=200',
    ...[open, closed].flatMap((mailbox) => [pathOf(mailbox), pathOf(mailbox, '/messages?limit=200')]),
    '/mail/messages?limit=200',
    '/mail/reviews?limit=200',
    ...['/clients?limit=200', '/registration-tokens'].map((below) => pathOf(auth, below)),
    pathOf(open, '/services'),
  ];
  const answers = await Promise.all(lists.map((path) => api('GET', path, { key })));
  // These change by themselves: an attempt to deliver may fail meanwhile.
  const moving = /"(?:last_used_at|failing_since|error)":(?:"[^"]*"|null)/g;
  return answers.map(({ status, text }) => `${status} ${text.replace(moving, '')}`);
}

const requests: Request[] = [];
for (const row of ROWS) requests.push(await row.ask());
const stateBefore = await everything(home);

test('every endpoint has its row', () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual([...new Set(ROWS.map(({ op }) => op))].sort(), documented.sort());
});

test('all that is looked for is there, for the owner to see', async () => {
  const text = (await everything(home)).join('');
  for (const canary of Object.keys(CANARIES)) assert.ok(text.includes(canary), canary);
});

const nameOf = ({ op, about }: Row): string => `${op}${about === undefined ? '' : `, ${about}`}`;
const methodOf = ({ op }: Row): string => op.split(' ')[0] as string;
const isRefused = (row: Row, caller: Caller): boolean => expected(row, caller) !== (row.done ?? 'ok');
/** In short each kind of caller is tried on each row, and each caller on some rows. */
const triedOf = (all: readonly Caller[], nth: number): Iterable<Caller> =>
  LONG
    ? all
    : new Set(
        [...Map.groupBy(all, ({ kind, bound }) => `${kind} ${bound}`).values()].flatMap((alike) =>
          [nth, nth + 5].map((at) => alike[at % alike.length] as Caller),
        ),
      );

for (const [nth, row] of ROWS.entries())
  test(`${nameOf(row)}: each caller who may not is told what it may be told`, async () => {
    const request = requests[nth] as Request;
    const refused = callers.filter((caller) => isRefused(row, caller));
    for (const caller of triedOf(refused, nth)) {
      const answer = await ask(methodOf(row), request, caller);
      assert.equal(outcomeOf(answer), expected(row, caller), `${caller.name}: ${answer.text.slice(0, 500)}`);
      assertSilent(answer, request, caller, row.op);
      if (methodOf(row) !== 'GET') continue;
      const head = await ask('HEAD', request, caller);
      assert.deepEqual([head.status, head.text], [answer.status, ''], `HEAD by ${caller.name}`);
    }
  });

test('who may not changes nothing', async () => {
  assert.deepEqual(await everything(home), stateBefore);
});

for (const [nth, row] of ROWS.entries())
  test(`${nameOf(row)}: each caller who may does it`, async () => {
    if (row.spare === true) return;
    const may = callers.filter((caller) => !isRefused(row, caller));
    for (const caller of triedOf(may, nth)) {
      const fresh = await row.ask();
      const answer = await ask(methodOf(row), fresh, caller);
      assert.equal(outcomeOf(answer), row.done ?? 'ok', `${caller.name}: ${answer.text.slice(0, 500)}`);
      assertSilent(answer, fresh, caller, row.op);
    }
  });
