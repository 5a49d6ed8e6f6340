import { createHash } from 'node:crypto';
import { type Clock, DAY, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { verify as verifyMessage } from 'http-message-sig';
import type { JWK } from 'jose';
import type { Dictionary, InnerList, Item } from 'structured-headers';
import type { States } from '../core/ports/states.ts';
import { isLoopback } from '../net/loopback.ts';
import { DirectoryUnreadable, type KeyDirectories } from './key-directories.ts';

const TAG = 'web-bot-auth';
const USED = 'http:signature';
/** How far a signer's clock may be ahead, in seconds. */
const SKEW_S = 30;
/** The longest validity (draft-ietf-webbotauth-httpsig-protocol-00, section 4.2). */
const MAX_LIFE_S = DAY / SECOND;
const MAX_NONCE = 256;
const MAX_COMPONENTS = 32;
/** Components of a request that a signature may cover besides its header fields (RFC 9421, section 2.2). */
const DERIVED: ReadonlySet<string> = new Set(['@method', '@target-uri', '@authority', '@scheme', '@path', '@query']);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A request as it is signed. */
export interface SignedRequest {
  readonly method: string;
  /** The path with the query, as it was sent. */
  readonly url: string;
  readonly headers: Headers;
}

/** Who signed a request. */
export interface SigningAgent {
  /** The origin whose published key verified the signature, such as `https://agent.example`. */
  readonly agent: string;
  /** The `Content-Digest` that the signature covers, which the body must match. */
  readonly digest: string | undefined;
}

/** Whether a request may carry a signature of an agent; the one check that unsigned requests pay for. */
export const maySigned = (headers: Headers): boolean =>
  headers['signature-input'] !== undefined || headers['signature-agent'] !== undefined;

const malformed = (detail: string): AppError =>
  new AppError('malformed_request', `${detail} See /docs/discovery for what a signature needs.`);
const refused = (detail: string): AppError => new AppError('invalid_signature', detail);

interface Member {
  readonly label: string;
  readonly list: InnerList;
  readonly params: ReadonlyMap<string, unknown>;
}

/**
 * Verifies signatures of agents (Web Bot Auth: draft-ietf-webbotauth-httpsig-protocol-00; RFC 9421). The libraries are
 * loaded with the first signed request.
 */
export class AgentSignatures {
  readonly #parts: {
    readonly directories: KeyDirectories;
    readonly states: Pick<States, 'put'>;
    readonly clock: Clock;
    readonly baseUrl: () => string;
  };

  constructor(parts: {
    readonly directories: KeyDirectories;
    readonly states: Pick<States, 'put'>;
    readonly clock: Clock;
    readonly baseUrl: () => string;
  }) {
    this.#parts = parts;
  }

  /**
   * Undefined for a request without a signature of this kind. AppError `malformed_request` for headers that cannot be
   * read or do not cover what they must, `invalid_signature` for a signature that does not hold. `ip` pays for reading a
   * directory of keys.
   */
  async verify(request: SignedRequest, ip: string): Promise<SigningAgent | undefined> {
    const [fields, { verify }, { verifierFromJWK }] = await Promise.all([
      import('structured-headers'),
      import('http-message-sig'),
      import('web-bot-auth/crypto'),
    ]);
    const { headers } = request;
    const member = signatureOf(headers, fields.parseDictionary);
    if (member === undefined) return undefined;
    const { label, list, params } = member;
    const times = this.#times(params);
    const { keyid, nonce } = namesOf(params);
    const origin = baseOf(this.#parts.baseUrl(), headers);
    const covered = coveredOf(list[0], request);
    const agent = agentOf(headers, covered, fields);
    const signature = bytesOf(headers, label, fields.parseDictionary);
    const key = await this.#keyOf(agent.origin, keyid, ip);
    const message = {
      method: request.method,
      url: origin + request.url,
      // Under one label and without other signatures, because the library reads exactly one.
      headers: {
        ...headers,
        'signature-agent': agent.value,
        'signature-input': `sig=${fields.serializeInnerList(list)}`,
        signature: `sig=:${Buffer.from(signature).toString('base64')}:`,
      },
    } as Parameters<typeof verifyMessage>[0];
    const valid = await verify(message, async (data, bytes) =>
      (await verifierFromJWK(key as never))(data, bytes, {} as never),
    )
      .then(() => true)
      .catch(() => false);
    if (!valid) {
      throw refused(
        `The signature does not match this request. It is made for ${request.method} at ${new URL(origin).host}.`,
      );
    }
    const used = sha256(`${agent.origin} ${keyid} ${nonce ?? Buffer.from(signature).toString('base64')}`);
    const row = { kind: USED, id: used, subject: null, value: '', expires_at: (times.expires + 1) * SECOND };
    if (!(await this.#parts.states.put(row, this.#parts.clock())))
      throw refused('This signature was used before. Sign each request anew, with a nonce of its own.');
    const digest = covered.has('content-digest') ? String(headers['content-digest']) : undefined;
    return { agent: agent.origin, digest };
  }

  #times(params: Member['params']): { readonly expires: number } {
    const created = params.get('created');
    const expires = params.get('expires');
    if (!Number.isSafeInteger(created) || !Number.isSafeInteger(expires))
      throw malformed('Signature-Input needs created and expires, as whole seconds.');
    const [from, until] = [created as number, expires as number];
    const now = this.#parts.clock() / SECOND;
    if (from > now + SKEW_S) throw refused('The signature was created in the future. Check the clock of the signer.');
    if (until <= now) throw refused('The signature has expired. Sign the request again.');
    if (until <= from || until - from > MAX_LIFE_S)
      throw refused('A signature is valid for at most 24 hours, from created to expires.');
    return { expires: until };
  }

  async #keyOf(origin: string, keyid: string, ip: string): Promise<JWK> {
    try {
      const key = await this.#parts.directories.key(origin, keyid, ip);
      if (key !== undefined) return key;
    } catch (error) {
      if (!(error instanceof DirectoryUnreadable)) throw error;
      throw refused(`The keys of ${origin} cannot be read: ${error.message} Send the request unsigned, or try again.`);
    }
    throw refused(`${origin} publishes no valid Ed25519 key with this keyid, which is the key's JWK thumbprint.`);
  }
}

type Parse = (text: string) => Dictionary;

function parsed(headers: Headers, name: string, parse: Parse): Dictionary {
  const text = headers[name];
  if (text === undefined) throw malformed(`A signed request has the header ${name}.`);
  try {
    return parse(String(text));
  } catch {
    throw malformed(`The header ${name} is no dictionary (RFC 9651).`);
  }
}

/** The one signature of an agent; undefined when those that are there serve another purpose. */
function signatureOf(headers: Headers, parse: Parse): Member | undefined {
  const claims = headers['signature-agent'] !== undefined;
  if (headers['signature-input'] === undefined) throw malformed('Signature-Agent without a signature proves nothing.');
  const found: Member[] = [];
  for (const [label, list] of parsed(headers, 'signature-input', parse)) {
    const params = list[1];
    if (Array.isArray(list[0]) && params.get('tag') === TAG) found.push({ label, list: list as InnerList, params });
  }
  if (found.length > 1) throw malformed('Send one signature with the tag web-bot-auth.');
  if (found.length === 0 && claims) throw malformed('Signature-Agent needs a signature with the tag web-bot-auth.');
  return found[0];
}

function namesOf(params: Member['params']): { readonly keyid: string; readonly nonce: string | undefined } {
  const [keyid, nonce, alg] = ['keyid', 'nonce', 'alg'].map((name) => params.get(name));
  if (typeof keyid !== 'string' || !/^[\w-]{43}$/.test(keyid))
    throw malformed("keyid is the key's JWK thumbprint: SHA-256 in base64url, 43 characters.");
  if (alg !== undefined && alg !== 'ed25519') throw malformed('alg is ed25519, or left out.');
  if (nonce !== undefined && (typeof nonce !== 'string' || nonce.length > MAX_NONCE))
    throw malformed(`nonce is a text of at most ${MAX_NONCE} characters.`);
  return { keyid, nonce };
}

/**
 * The origin that signatures are for: only this service's own, as another would let its owner pass requests on. On a
 * machine of its own, any name of that machine.
 */
function baseOf(baseUrl: string, headers: Headers): string {
  const { origin, hostname, protocol } = new URL(baseUrl);
  const sent = URL.parse(`${protocol}//${String(headers.host)}`);
  return isLoopback(hostname) && sent !== null && isLoopback(sent.hostname) ? sent.origin : origin;
}

/** The covered components by name, each with its parameters; only what can be verified here. */
function coveredOf(items: readonly Item[], { url, headers }: SignedRequest): ReadonlyMap<string, Item[1]> {
  if (items.length > MAX_COMPONENTS) throw malformed(`A signature covers at most ${MAX_COMPONENTS} components.`);
  const covered = new Map<string, Item[1]>();
  for (const [name, params] of items) {
    if (typeof name !== 'string' || covered.has(name)) throw malformed('Each covered component is a text, once.');
    const plain = name === 'signature-agent' ? [...params.keys()].every((one) => one === 'key') : params.size === 0;
    const known = DERIVED.has(name) || (/^[a-z0-9-]+$/.test(name) && headers[name] !== undefined);
    if (!plain || !known || (name === '@query' && !url.includes('?')))
      throw malformed(`The signature covers ${name}, which this request lacks or this service does not verify.`);
    covered.set(name, params);
  }
  if (!covered.has('@authority') && !covered.has('@target-uri'))
    throw malformed('The signature must cover @authority.');
  if (!covered.has('signature-agent')) throw malformed('The signature must cover signature-agent.');
  return covered;
}

/** The origin in the covered member of `Signature-Agent`, and that header's value as it is signed. */
function agentOf(
  headers: Headers,
  covered: ReadonlyMap<string, Item[1]>,
  { parseDictionary, parseItem, serializeItem, Token }: typeof import('structured-headers'),
): { readonly origin: string; readonly value: string } {
  const text = String(headers['signature-agent']).trim();
  const key = covered.get('signature-agent')?.get('key');
  // Earlier drafts had one text in place of a dictionary.
  const legacy = text.startsWith('"');
  let item: Item | undefined;
  if (legacy) {
    try {
      item = parseItem(text);
    } catch {
      throw malformed('The header signature-agent is neither a dictionary nor a text (RFC 9651).');
    }
  } else {
    const found = parsed(headers, 'signature-agent', parseDictionary).get(typeof key === 'string' ? key : '');
    item = found === undefined || Array.isArray(found[0]) ? undefined : (found as Item);
  }
  if (legacy ? key !== undefined : item === undefined)
    throw malformed('The signature covers "signature-agent";key="…" with the name of its member there.');
  const [value, params] = item as Item;
  const type = params.get('type');
  if (type !== undefined && !(type instanceof Token && type.toString() === 'directory'))
    throw malformed('Of the types of Signature-Agent only directory is verified here.');
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol !== 'https:' || (value !== url.origin && value !== `${url.origin}/`))
    throw malformed('Signature-Agent names an https origin, such as "https://agent.example".');
  return { origin: url.origin, value: legacy ? text : serializeItem(item as Item) };
}

function bytesOf(headers: Headers, label: string, parse: Parse): Uint8Array {
  const found = parsed(headers, 'signature', parse).get(label)?.[0];
  if (!(found instanceof ArrayBuffer)) throw malformed(`The header signature has no bytes under the label ${label}.`);
  return new Uint8Array(found);
}

/** AppError `invalid_signature` unless the body has the digest (RFC 9530, section 2). */
export async function checkDigest(digest: string, body: Buffer): Promise<void> {
  const { parseDictionary } = await import('structured-headers');
  const given = parsed({ 'content-digest': digest }, 'content-digest', parseDictionary);
  for (const [name, hash] of [
    ['sha-256', 'sha256'],
    ['sha-512', 'sha512'],
  ] as const) {
    const value = given.get(name)?.[0];
    if (value === undefined) continue;
    const own = createHash(hash).update(body).digest();
    if (value instanceof ArrayBuffer && own.equals(Buffer.from(value))) return;
    throw refused('The body does not have the Content-Digest that the signature covers.');
  }
  throw malformed('Content-Digest is sha-256 or sha-512.');
}
