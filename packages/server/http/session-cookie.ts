import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECOND } from '@mailroom/behavior/values/clock';
import { parseCookie, stringifySetCookie } from 'cookie';
import { MAX_SESSION_MS } from '../core/access/kept-sessions.ts';
import type { Call } from './route.ts';

/** 32 bytes, then the signature, each as base64url. */
const SHAPE = /^([\w-]{43})\.([\w-]{43})$/;

/**
 * A signed cookie that holds an id, such as a session's, and the token that ties a form to it.
 *
 * `SameSite=Lax` instead of `Strict`, so that a link from a mail or chat finds the person signed in; links change
 * nothing. Forms do, and are checked for their origin (`checkOrigin`) and for the token. Over https the name begins
 * with `__Host-`, so that no other host and no plain connection can set it (RFC 6265bis, section 4.1.3.2).
 */
export class SessionCookie {
  readonly #secret: string;
  readonly #name: string;

  constructor(secret: string, name = 'mr_session') {
    this.#secret = secret;
    this.#name = name;
  }

  /** The id in a request's `Cookie` header, if this service signed it. */
  read(header: string | undefined, secure: boolean): string | undefined {
    const value = header === undefined ? undefined : parseCookie(header)[this.#nameOf(secure)];
    const [, id, signature] = SHAPE.exec(value ?? '') ?? [];
    return id !== undefined && signature !== undefined && same(signature, this.#sign('id', id)) ? id : undefined;
  }

  /** Whether such a cookie is present, valid or not. */
  isThere(header: string | undefined, secure: boolean): boolean {
    return header !== undefined && parseCookie(header)[this.#nameOf(secure)] !== undefined;
  }

  /** A new random id of 256 bits for a cookie that identifies the browser alone. */
  fresh(): string {
    return randomBytes(32).toString('base64url');
  }

  /** The `Set-Cookie` value. */
  write(id: string, secure: boolean): string {
    return this.#set(`${id}.${this.#sign('id', id)}`, MAX_SESSION_MS / SECOND, secure);
  }

  /** The `Set-Cookie` value that removes it. */
  clear(secure: boolean): string {
    return this.#set('', 0, secure);
  }

  /**
   * The token in every form of the session, unknown to other sites; `id` may be the session's id combined with the
   * form's purpose.
   */
  token(id: string): string {
    return this.#sign('form', id);
  }

  isToken(id: string, given: string | null): boolean {
    return given !== null && same(given, this.token(id));
  }

  #set(value: string, maxAge: number, secure: boolean): string {
    const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge } as const;
    return stringifySetCookie({ name: this.#nameOf(secure), value, ...attributes });
  }

  #nameOf(secure: boolean): string {
    return secure ? `__Host-${this.#name}` : this.#name;
  }

  #sign(use: 'id' | 'form', id: string): string {
    return createHmac('sha256', this.#secret).update(`${use}:${id}`).digest('base64url');
  }
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The `Cookie` header of a request. */
export const cookieHeader = ({ headers }: Pick<Call, 'headers'>): string | undefined =>
  headers.cookie === undefined ? undefined : String(headers.cookie);
