import { createHash, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { DkimKey } from '../writing/dkim.ts';

/** What a signature covers of a request (RFC 9421, section 2). */
const COVERED = ['@method', '@authority', '@path', 'content-digest'] as const;
const INPUT = /(?:^|,)\s*mail=(\(([^()]*)\)((?:;[a-z]+=(?:"[^"\\]*"|\d{1,12}))+))\s*(?:,|$)/;
const SIGNATURE = /(?:^|,)\s*mail=:([A-Za-z0-9+/]+={0,2}):\s*(?:,|$)/;
const MAX_KEYS = 100;

/** A request as it is signed. */
export interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer | string;
}

/** The key of a domain, by the name of its record in DNS. */
export interface RequestKey {
  readonly domain: string;
  readonly key: DkimKey;
}

const privateKeys = new Map<string, KeyObject>();

/** Read once, as reading takes longer than signing. */
function privateKeyOf({ private_key: pem }: DkimKey): KeyObject {
  const key = privateKeys.get(pem) ?? createPrivateKey(pem);
  if (privateKeys.size >= MAX_KEYS) privateKeys.clear();
  privateKeys.set(pem, key);
  return key;
}

const digestOf = (body: Buffer | string): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
/** RFC 9421, section 3.3; null is the one digest of Ed25519. */
const ALGORITHMS = { 'ed25519-sha256': ['ed25519', null], 'rsa-sha256': ['rsa-v1_5-sha256', 'sha256'] } as const;

interface Components {
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  readonly digest: string;
}

const baseOf = ({ method, authority, path, digest }: Components, params: string): Buffer =>
  Buffer.from(
    `"@method": ${method}\n"@authority": ${authority}\n"@path": ${path}\n"content-digest": ${digest}\n"@signature-params": ${params}`,
  );

/** The headers by which a request is signed with the key of a domain (RFC 9421), whose name is in `keyid`. */
export function signedHeaders(
  { method, url, body }: RequestToSign,
  { domain, key }: RequestKey,
  now: Millis,
): Readonly<Record<string, string>> {
  const [alg, hash] = ALGORITHMS[key.algorithm];
  const keyid = `${key.selector}._domainkey.${domain}`;
  const covered = COVERED.map((name) => `"${name}"`).join(' ');
  const params = `(${covered});created=${Math.floor(now / SECOND)};keyid="${keyid}";alg="${alg}"`;
  const digest = digestOf(body);
  const base = baseOf({ method, authority: url.host, path: url.pathname, digest }, params);
  const signature = sign(hash, base, privateKeyOf(key)).toString('base64');
  return { 'content-digest': digest, 'signature-input': `mail=${params}`, signature: `mail=:${signature}:` };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A signature of a request that is not verified so far. */
export interface RequestSignature {
  readonly selector: string;
  readonly domain: string;
  readonly signed_at: Millis;
  /** Whether it is one by this key. */
  isBy(key: KeyObject): boolean;
}

const refused = (detail: string): AppError =>
  new AppError(
    'access_denied',
    `${detail} Sign the request as RFC 9421 says, under the label mail, over ("@method" "@authority" "@path" "content-digest"), with created, alg (ed25519 or rsa-v1_5-sha256) and a keyid that names the DKIM record: selector._domainkey.domain.`,
  );

/** The signature of a request whose body has its digest. AppError `access_denied`. */
export function signatureOf(
  { method, path, authority, body }: Omit<Components, 'digest'> & { readonly body: Buffer },
  headers: Headers,
): RequestSignature {
  const [, params, names = '', values = ''] = INPUT.exec(String(headers['signature-input'] ?? '')) ?? [];
  const [, encoded] = SIGNATURE.exec(String(headers.signature ?? '')) ?? [];
  if (params === undefined || encoded === undefined) throw refused('No signature proves the author of this message.');
  if (names !== COVERED.map((name) => `"${name}"`).join(' ')) throw refused('The signature covers other components.');
  const digest = digestOf(body);
  if (headers['content-digest'] !== digest) throw refused('The body has another SHA-256 than Content-Digest says.');
  const [, selector, domain] = /;keyid="([a-z0-9._-]{1,63})\._domainkey\.([a-z0-9._-]{1,253})"/.exec(values) ?? [];
  const created = Number(/;created=(\d{1,12})/.exec(values)?.[1]);
  const [, alg] = /;alg="([a-z0-9_-]+)"/.exec(values) ?? [];
  if (selector === undefined || domain === undefined || !(created > 0))
    throw refused('The signature names no key or no time.');
  const base = baseOf({ method, authority, path, digest }, params);
  const signature = Buffer.from(encoded, 'base64');
  return {
    ...{ selector, domain },
    signed_at: created * SECOND,
    isBy: (key) => {
      const [name, hash] =
        key.asymmetricKeyType === 'ed25519' ? ALGORITHMS['ed25519-sha256'] : ALGORITHMS['rsa-sha256'];
      return alg === name && verify(hash, base, key, signature);
    },
  };
}
