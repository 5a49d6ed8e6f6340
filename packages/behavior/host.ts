import type { KeyObject } from 'node:crypto';
import type { TSchema } from 'typebox';
import type { Behavior } from './index.ts';
import type { BehaviorMailbox } from './mailbox.ts';
import type { LanguageModel } from './model.ts';
import type { OutsideClient } from './outside.ts';
import type { Clock, Millis } from './values/clock.ts';
import type { FieldError } from './values/error.ts';

/** The response of a URL, whatever its status. */
export interface Fetched {
  /** After all redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; '' when there was none. */
  readonly media_type: string;
  /** Decoded by the named charset, UTF-8 by default. */
  readonly text: string;
  /** Whether there was more than `bytes`. */
  readonly cut: boolean;
}

/** GET of a public URL; rejects with an error whose message is for people when it is refused or fails. */
export interface HostFetch {
  (url: string, options: { readonly accept: string; readonly signal: AbortSignal }): Promise<Fetched>;
  /** Rejects with such an error where the URL alone says that it is never fetched. */
  check(url: string): Promise<void>;
}

/** Limits of one request with its redirects: time, bytes of the body, and redirects, 5 by default. */
export interface FetchLimits {
  readonly ms: Millis;
  readonly bytes: number;
  readonly redirects?: number;
}

/** What a compact JWS with ES256 needs; can be sent to a thread as it is. */
export interface Signer {
  /** The protected header, encoded. */
  readonly header: string;
  readonly key: KeyObject;
}

/** Encrypts secrets of settings, each bound to what it belongs to. */
export interface HostCipher {
  isSealed(text: string): boolean;
  seal(secret: string, of: string): string;
  /** Undefined for a text that was not sealed here, or for something else. */
  open(sealed: string, of: string): string | undefined;
}

/** The key of a program, as far as an issuer needs it. */
export interface AgentKey {
  /** Neither revoked nor expired. */
  readonly live: boolean;
  /** Whether it may have its mailboxes identify themselves (scope `auth:assert`). */
  readonly asserts: boolean;
  readonly expires_at: Millis | null;
}

/** The request in an authorization URL, as the issuer reads it. */
export interface SignInRequested {
  readonly client_id: string;
  readonly client_name: string;
  /** The origin of the redirect URI. */
  readonly origin: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
}

/** A sign-in that is finished, or dropped when it is disposed. */
export interface BegunSignIn extends AsyncDisposable {
  readonly requested: SignInRequested;
  /** Returns the callback URL with its code. Throws AppError as `begin` does. */
  finish(): Promise<string>;
}

/** A token with which an agent identifies itself to a service. */
export interface AgentToken {
  /** A JWT (RFC 7519), signed with ES256 by a key of the issuer's JWKS. */
  readonly token: string;
  readonly expires_at: Millis;
  readonly issuer: string;
  /** The `aud` of the token. */
  readonly audience: string;
}

type Looked<T> = T | undefined | Promise<T | undefined>;

/** The issuers of this service, for a behavior that makes its namespaces one. */
export interface HostIssuer {
  /** The settings with which an owner trusts identity providers outside, and what is wrong with some. */
  readonly trust: { readonly settings: TSchema; errors(settings: unknown): readonly FieldError[] };
  /** The URL of a namespace's issuer. */
  urlOf(namespace: string): string;
  /** What is looked up may be a second old. */
  key(id: string): Looked<AgentKey>;
  mailbox(id: string): Looked<BehaviorMailbox>;
  /** Whether the owner of a mailbox allowed it to sign in to a service by this issuer without being asked. */
  allows(mailbox_id: string, namespace_id: string, client_id: string): Promise<boolean>;
  /** Issues a token. AppError `validation_error` with an explanation for an audience that gets no token. */
  issue(request: {
    /** The namespace of the issuer. */
    readonly namespace: { readonly id: string; readonly name: string };
    readonly agent: BehaviorMailbox;
    /** The recipient of the token: an origin, or the issuer itself. */
    readonly audience: string;
    /** For a token to the issuer: the only service that may redeem it there (RFC 7523). */
    readonly client_id?: string | undefined;
    /** When the requesting key expires; the token ends with it. */
    readonly key_expires_at?: Millis | null;
  }): Promise<AgentToken>;
  /** Signs in as a browser would. AppError `validation_error` with the reason when the issuer refuses the URL. */
  begin(url: string, agent: BehaviorMailbox): Promise<BegunSignIn>;
}

/** Lines for the operator; never the content of a message. */
export interface HostLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What a behavior may use of the service it runs in. It has all rights of the process beside it. */
export interface Host {
  /** The operator's settings by name: those of the service as it read them, any other environment variable as text. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The domain below which the addresses of this service are. */
  readonly mailDomain: string;
  readonly clock: Clock;
  readonly log: HostLog;
  /** The language model, where the operator set one. */
  readonly model: LanguageModel | undefined;
  /** GET of public URLs on the internet, safe for URLs from untrusted people. */
  fetch(limits: FetchLimits): HostFetch;
  /** Servers and agents of others that owners list, and what seals their tokens. */
  readonly outside: {
    readonly client: OutsideClient;
    readonly cipher: HostCipher;
    /** Whether the key that set a mailbox's settings may not have its messages leave. */
    isLimited(mailbox: BehaviorMailbox): Promise<boolean>;
  };
  /** Signs receipts with the keys that the service publishes: compact JWS (RFC 7515) of a text. */
  readonly receipts: {
    sign(payload: string): Promise<string>;
    /** The current key, for signing on another thread. */
    signer(): Signer;
  };
  readonly issuer: HostIssuer;
  /**
   * What several behaviors use together, such as threads: made for the first one that names it, and closed with the
   * service.
   */
  shared<T extends object>(name: string, make: () => T): T;
}

/** The default export of a behavior's package. Undefined where the operator set up nothing that it could work with. */
export type MakeBehavior = (host: Host) => Behavior | undefined | Promise<Behavior | undefined>;
