import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { MAX_SESSION_MS } from '../core/access/kept-sessions.ts';
import { SECOND } from '../core/values/clock.ts';

/** 32 bytes, then the signature, each as base64url. */
const SHAPE = /^([\w-]{43})\.([\w-]{43})$/;

/**
 * A cookie that holds an id, signed, such as a session's, and the token that shows a form to be that session's own.
 *
 * `SameSite=Lax`, not `Strict`: whoever comes by a link from their mail or chat is to find themself signed in, and a link
 * changes nothing here. What changes something is a form, which is checked twice over: where it comes from
 * (`checkOrigin`) and whether it holds the token. Over https the name begins with `__Host-`, so that no other host and no
 * plain connection can put one in its place (RFC 6265bis, section 4.1.3.2).
 */
export class SessionCookie {
  readonly #secret: string;
  readonly #name: string;

  constructor(secret: string, name = 'mr_session') {
    this.#secret = secret;
    this.#name = name;
  }

  /** The session's id in a request's `Cookie` header, if this service put it there. */
  read(header: string | undefined, secure: boolean): string | undefined {
    const value = header === undefined ? undefined : parseCookie(header)[this.#nameOf(secure)];
    const [, id, signature] = SHAPE.exec(value ?? '') ?? [];
    return id !== undefined && signature !== undefined && same(signature, this.#sign('id', id)) ? id : undefined;
  }

  /** Whether there is such a cookie at all, good or not. */
  isThere(header: string | undefined, secure: boolean): boolean {
    return header !== undefined && parseCookie(header)[this.#nameOf(secure)] !== undefined;
  }

  /** A new id for a cookie that stands for the browser alone: 256 bits that nobody can guess. */
  fresh(): string {
    return randomBytes(32).toString('base64url');
  }

  /** As `Set-Cookie` has it. */
  write(id: string, secure: boolean): string {
    return this.#set(`${id}.${this.#sign('id', id)}`, MAX_SESSION_MS / SECOND, secure);
  }

  /** What takes it away. */
  clear(secure: boolean): string {
    return this.#set('', 0, secure);
  }

  /** What every form of the session holds: another site cannot know it. `id` may be a session's with what the form is for. */
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
