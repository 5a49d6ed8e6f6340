import type { AddressInfo } from 'node:net';
import type { Clock } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import { pino } from 'pino';
import { Type } from 'typebox';
import { USUAL } from '../../../../tests/harness/connections.ts';
import { Directory } from '../../core/access/directory.ts';
import { newSecret, randomBase62 } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { ProtectedResources } from '../../core/sign-in/protected-resources.ts';
import { systemClock } from '../../core/values/steady-clock.ts';
import { Authenticator } from '../../http/authenticate.ts';
import { Challenges } from '../../http/challenges.ts';
import { Rejections } from '../../http/connections/rejections.ts';
import { type Route, route } from '../../http/route.ts';
import { makeServer } from '../../http/server.ts';
import { Keyring } from '../../keyring/keyring.ts';
import { lookUp, type Resolver } from '../../net/guarded-connect.ts';
import { makeGuardedFetch } from '../../net/guarded-fetch.ts';
import { makeSignIn, type SignIn } from '../../service/sign-in.ts';
import { openStore } from '../../store/open.ts';
import type { Issuer, Issuers } from '../../transports/oidc/issuers.ts';
import { oidcMounts } from '../../transports/oidc/mount.ts';
import { frame } from '../../transports/web/layout.ts';
import { newFile } from '../core/house.ts';
import { keyOf, mailboxOf, namespaceOf } from '../store/made.ts';
import type { Browser } from './browser.ts';

const MAIL_DOMAIN = 'mail.test';

/** The sign-in part of one service process, over real HTTP. */
export interface Node extends AsyncDisposable {
  readonly at: string;
  readonly issuers: Issuers;
  readonly store: Store;
  readonly directory: Directory;
  readonly who: Authenticator;
  readonly keyring: Keyring;
  readonly errors: unknown[];
  /** The log's lines. */
  readonly lines: string[];
}

export interface NodeOptions {
  readonly database?: string;
  /** The public URL; its own address by default. */
  readonly base?: string;
  readonly resolve?: Resolver;
  /** Whether one more document may be read. */
  readonly reads?: () => boolean;
  readonly clock?: Clock;
}

/**
 * The sign-in parts of the service; instead of the pages, the header `x-test-account` names the account to sign in by
 * the same calls.
 */
export async function startNode({
  database,
  base,
  resolve = lookUp,
  reads = () => true,
  clock = systemClock,
}: NodeOptions = {}): Promise<Node> {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openStore(database ?? `sqlite:${newFile()}`, { clock, onFailure: () => undefined }));
  const directory = new Directory(store, clock);
  const keyring = await Keyring.open(store.signingKeys, clock, ['receipt']);
  const who = new Authenticator(
    { directory, store, clock },
    await store.secrets.getOrPut('thread_token', randomBase62(43)),
  );
  let url = '';
  const baseUrl = (): string => base ?? url;
  const errors: unknown[] = [];
  const lines: string[] = [];
  const { issuers, people } = await makeSignIn({
    store,
    directory,
    keyring,
    authenticator: who,
    clock,
    baseUrl,
    mailDomain: MAIL_DOMAIN,
    resources: new ProtectedResources({ directory, baseUrl, mailDomain: MAIL_DOMAIN, house: 'agents' }),
    issuerBehavior: () => 'auth',
    frame,
    secretOf: (name) => store.secrets.getOrPut(name, randomBase62(43)),
    readDocument: makeGuardedFetch({ resolve, ms: 5_000, bytes: 65_536, redirects: 0 }),
    mayReadDocument: async () => reads(),
    mayRegister: async () => undefined,
    onError: (error) => void errors.push(error),
  });
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const app = await makeServer(
    [signInPage(issuers, people)],
    {
      authenticator: who,
      log,
      access: (...line) => void lines.push(line.join(' ')),
      rate_limits: false,
      challenges: new Challenges({ states: store.states, clock, secret: 'x'.repeat(43), cost: 1, max: 1 }),
      max_json: 65_536,
      connections: USUAL,
      rejections: new Rejections(600, clock),
      max_values: 10_000,
      request_ms: 30_000,
      https: baseUrl().startsWith('https:'),
      trust_proxy: [],
      stopping: new AbortController().signal,
      over: new AbortController().signal,
    },
    oidcMounts(issuers, []),
  );
  stack.defer(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const at = url;
  const held = stack.move();
  return {
    at,
    issuers,
    store,
    directory,
    who,
    keyring,
    errors,
    lines,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const signInPage = (issuers: Issuers, { sessions, cookie }: SignIn['people']): Route =>
  route({
    method: 'GET',
    path: '/oidc/{namespace}/sign-in/{uid}',
    id: 'testSignIn',
    tag: 'Test',
    summary: 'Signs in whoever the header names',
    access: 'public',
    params: Type.Object({ namespace: Type.String(), uid: Type.String() }),
    answers: { 303: { description: 'Signed in.', type: 'text/html' } },
    problems: [],
    async handle({ params: { namespace, uid }, headers, raw }) {
      const issuer = (await issuers.of(namespace)) as Issuer;
      const signIn = await issuer.begunBy(raw(), uid);
      const account = headers['x-test-account'] as string | undefined;
      const does = headers['x-test-does'];
      if (account === undefined && does === undefined) return { status: 200, body: signIn.interaction };
      const location =
        does === 'deny'
          ? await signIn.deny()
          : does === 'consent'
            ? await signIn.consent()
            : await signIn.finish({ account_id: account as string, amr: ['otp'], at: Date.now() });
      const secure = issuer.url.startsWith('https:');
      const cookies =
        account === undefined ? [] : [cookie.write(await sessions.begin(account, ['otp'], 'test'), secure)];
      return { status: 303, headers: { location, 'set-cookie': cookies } };
    },
  });

let names = 0;

export interface Home {
  readonly namespace: Namespace;
  readonly auth: Mailbox;
  /** A hosted address of the namespace. */
  readonly ada: Mailbox;
  /** The secret of the owner's key. */
  readonly key: string;
  readonly url: string;
}

/** A namespace with `auth@` and `ada@`. */
export async function newHome({ store, issuers }: Node, fields: Partial<Mailbox> = {}): Promise<Home> {
  const name = `home${++names}${Math.random().toString(36).slice(2, 8)}`;
  const namespace = namespaceOf(name);
  const { secret, ...row } = newSecret();
  const key = keyOf(namespace, { ...row, scopes: ['owner'] });
  const auth = mailboxOf(namespace, 'auth', { behavior: 'auth', ...fields });
  const ada = mailboxOf(namespace, 'ada', { display_name: 'Ada Lovelace' });
  await store.namespaces.create({ namespace, key, mailboxes: [auth, ada] });
  return { namespace, auth, ada, key: secret, url: issuers.urlOf(name) };
}

export interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly redirect_uri: string;
}

/** A service registered with the namespace. */
export async function newClient(
  { store }: Node,
  { namespace, auth }: Home,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Registered> {
  const id = newId('cli', Date.now());
  const secret = randomBase62(43);
  const redirect_uri = 'https://service.example/callback';
  const method = metadata.token_endpoint_auth_method;
  const now = Date.now();
  await store.clients.create({
    id,
    namespace_id: namespace.id,
    mailbox_id: auth.id,
    source: 'owner',
    name: 'Example',
    metadata: JSON.stringify({
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: ['https://service.example/bye'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...metadata,
    }),
    secret: method === 'none' || method === 'private_key_jwt' ? null : sha256(secret),
    created_at: now,
    updated_at: now,
  });
  return { id, secret, redirect_uri };
}

/** Signs in, from the authorization URL to the callback URL. */
export async function signIn(browser: Browser, url: string | URL, account_id: string): Promise<URL> {
  const begun = await browser.get(url);
  if (!begun.location.includes('/sign-in/')) return new URL(begun.location === '' ? begun.url : begun.location);
  const done = await browser.get(begun.location, { headers: { 'x-test-account': account_id } });
  if (done.location === '') throw new Error(`${done.status} ${done.text.slice(0, 500)}`);
  const back = await browser.get(done.location);
  if (back.location === '') throw new Error(`${back.status} ${back.text.slice(0, 500)}`);
  return new URL(back.location);
}
