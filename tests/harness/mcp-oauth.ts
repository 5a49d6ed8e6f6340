import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Mode } from './mcp.ts';
import type { Outbox } from './outbox.ts';
import { Person } from './person.ts';

/** Where a client on the machine of its user gets the answer of a sign-in; it is not opened here. */
export const CALLBACK = 'http://127.0.0.1:49152/callback';

/** What the library keeps with its provider under this name. */
type Kept<K extends 'clientInformation' | 'tokens' | 'discoveryState'> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[K]>>
>;

/** What a client keeps of its sign-in, as its library asks for it. */
export class SignedInClient implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadataUrl?: string;
  readonly clientMetadata = {
    client_name: 'Assistant',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  /** Where it sent its user. */
  authorization: URL | undefined;
  #information: Kept<'clientInformation'>;
  #tokens: Kept<'tokens'>;
  #discovery: Kept<'discoveryState'>;
  #verifier = '';

  /** A client with a document, or one that the owner registered. */
  constructor(of: { readonly document: string } | { readonly client_id: string }) {
    if ('document' in of) this.clientMetadataUrl = of.document;
    else this.#information = of as Kept<'clientInformation'>;
  }

  clientInformation() {
    return this.#information;
  }
  saveClientInformation(information: unknown): void {
    this.#information = information as Kept<'clientInformation'>;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens as Kept<'tokens'>;
  }
  redirectToAuthorization(url: URL): void {
    this.authorization = url;
  }
  saveDiscoveryState(state: unknown): void {
    this.#discovery = state as Kept<'discoveryState'>;
  }
  discoveryState() {
    return this.#discovery;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }

  /** The access token it has. */
  get accessToken(): string {
    return this.#tokens?.access_token ?? '';
  }
}

/** A person signs in at an authorization URL, with a code by mail; returns where the browser is sent back to. */
export async function signInAt(authorization: URL, address: string, outbox: Outbox): Promise<URL> {
  const person = new Person(authorization.origin);
  const page = await person.get(authorization.pathname + authorization.search);
  assert.equal(page.status, 200, page.html);
  const asked = await person.send(page, ['do', 'code'], { address });
  const { code } = await outbox.code(address);
  const done = await person.send(asked, ['do', 'verify'], { code });
  const [, next = ''] = /url=(\S+)/.exec(done.headers.get('refresh') ?? '') ?? [];
  const { pathname, search } = new URL(next, authorization);
  const back = await person.get(pathname + search);
  return new URL(back.at);
}

/** Connects as a client whose user signs in when the server asks for it. */
export async function connectSignedIn(
  url: string,
  provider: SignedInClient,
  signIn: (authorization: URL) => Promise<URL>,
  mode: Mode = 'auto',
): Promise<Client & AsyncDisposable> {
  const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const client = () => new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  const first = transport();
  await assert.rejects(client().connect(first), (error) => error instanceof UnauthorizedError);
  assert.ok(provider.authorization !== undefined);
  await first.finishAuth((await signIn(provider.authorization)).searchParams);
  const connected = client();
  await connected.connect(transport());
  return Object.assign(connected, { [Symbol.asyncDispose]: () => connected.close() });
}
