import { type Clock, DAY, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** Where an agent publishes its keys (draft-meunier-webbotauth-httpsig-directory-00, section 3). */
const PATH = '/.well-known/http-message-signatures-directory';
const TYPE = 'application/http-message-signatures-directory+json';
const FRESH_MS: Millis = 10 * MINUTE;
/** Before this time a directory is not read again, whatever a request asks for. */
const PAUSE_MS: Millis = 30 * SECOND;
/** A directory that cannot be read keeps its last keys for so long. */
const STALE_MS: Millis = DAY;
const MAX_DIRECTORIES = 1_000;
const MAX_KEYS = 50;
/** The thumbprint of the key in RFC 9421, appendix B.1.4, whose private half everyone has. */
const TEST_KEY = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

/** Reads a URL from public addresses only, without following redirects. */
export type ReadDocument = (
  url: string,
  options: { readonly accept: string; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly media_type: string; readonly text: string; readonly cut: boolean }>;

/** The directory could not be read this time; the message is for people. */
export class DirectoryUnreadable extends Error {
  override readonly name = 'DirectoryUnreadable';
}

interface Known {
  /** By thumbprint; those of the last time it could be read. */
  readonly keys: ReadonlyMap<string, PublishedKey>;
  readonly read_at: Millis;
  readonly asked_at: Millis;
  readonly error: string | undefined;
}
type PublishedKey = JWK & { readonly nbf?: unknown; readonly exp?: unknown };

/** The public keys that agents publish, cached by their origin and never by their id alone. */
export class KeyDirectories {
  readonly #read: ReadDocument;
  readonly #may: (ip: string) => boolean | Promise<boolean>;
  readonly #clock: Clock;
  /** In the order of their last use. */
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<Known>>();

  /** `may` says whether one more document may be read for a client's address, and counts it. */
  constructor(read: ReadDocument, may: (ip: string) => boolean | Promise<boolean>, clock: Clock) {
    this.#read = read;
    this.#may = may;
    this.#clock = clock;
  }

  /** The key with this thumbprint; undefined when the agent does not publish it, or not for now. Throws `DirectoryUnreadable`. */
  async key(origin: string, thumbprint: string, ip: string): Promise<JWK | undefined> {
    const now = this.#clock();
    let directory = this.#known.get(origin);
    const fresh =
      directory !== undefined && Math.abs(now - directory.read_at) < FRESH_MS && directory.keys.has(thumbprint);
    if (!fresh && (directory === undefined || Math.abs(now - directory.asked_at) >= PAUSE_MS))
      directory = await this.#again(origin, ip, directory);
    if (directory === undefined) return undefined;
    this.#known.delete(origin);
    this.#known.set(origin, directory);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_DIRECTORIES && oldest !== undefined) this.#known.delete(oldest);
    if (directory.error !== undefined && Math.abs(now - directory.read_at) >= STALE_MS)
      throw new DirectoryUnreadable(directory.error);
    const key = directory.keys.get(thumbprint);
    if (key === undefined && directory.error !== undefined) throw new DirectoryUnreadable(directory.error);
    return key !== undefined && isValid(key, now) ? key : undefined;
  }

  /** Reads it once for all that ask at the same time. */
  async #again(origin: string, ip: string, previous: Known | undefined): Promise<Known> {
    const running = this.#reading.get(origin);
    if (running !== undefined) return running;
    if (!(await this.#may(ip)))
      throw new DirectoryUnreadable('too many documents were read for your network; try again in a minute.');
    const reading = this.#keysAt(origin)
      .then((keys): Known => ({ keys, read_at: this.#clock(), asked_at: this.#clock(), error: undefined }))
      .catch((error: unknown): Known => {
        // A failure is no evidence against keys that were published before.
        const text = error instanceof Error ? error.message : 'it cannot be read.';
        const { keys = new Map(), read_at = Number.NEGATIVE_INFINITY } = previous ?? {};
        return { keys, read_at, asked_at: this.#clock(), error: text };
      })
      .finally(() => this.#reading.delete(origin));
    this.#reading.set(origin, reading);
    return reading;
  }

  async #keysAt(origin: string): Promise<ReadonlyMap<string, PublishedKey>> {
    const { status, media_type, text, cut } = await this.#read(`${origin}${PATH}`, {
      accept: TYPE,
      signal: AbortSignal.timeout(5_000),
    });
    if (status !== 200) throw new DirectoryUnreadable(`${PATH} was answered with ${status}.`);
    if (media_type !== TYPE) throw new DirectoryUnreadable(`${PATH} must have the media type ${TYPE}.`);
    if (cut) throw new DirectoryUnreadable(`${PATH} is too large.`);
    const keys = new Map<string, PublishedKey>();
    for (const key of keysIn(text)) {
      if (key.kty !== 'OKP' || key.crv !== 'Ed25519' || !isPublicKey(key.x)) continue;
      const { kty, crv, x, nbf, exp } = key;
      const thumbprint = await calculateJwkThumbprint({ kty, crv, x });
      if (thumbprint !== TEST_KEY) keys.set(thumbprint, { kty, crv, x, nbf, exp });
    }
    return keys;
  }
}

/** 32 bytes of base64url (RFC 8037, section 2); a longer text would be kept for nothing. */
const isPublicKey = (x: unknown): x is string => typeof x === 'string' && /^[\w-]{43}$/.test(x);

function keysIn(text: string): readonly PublishedKey[] {
  let keys: unknown;
  try {
    ({ keys } = JSON.parse(text) as { keys?: unknown });
  } catch {
    throw new DirectoryUnreadable(`${PATH} is no JSON.`);
  }
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new DirectoryUnreadable(`${PATH} must have "keys", at most ${MAX_KEYS}.`);
  return keys.filter((key): key is PublishedKey => typeof key === 'object' && key !== null);
}

/** Whether its own times, in seconds, allow the key now. */
function isValid({ nbf, exp }: PublishedKey, now: Millis): boolean {
  const seconds = now / SECOND;
  return !(typeof nbf === 'number' && nbf > seconds) && !(typeof exp === 'number' && exp <= seconds);
}
