import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress, isNamespaceName } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import { type AddressParts, findAddress } from '../access/hosted-address.ts';
import type { Scope } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';

/** What clients are told that they may ask for. */
const OFFERED_SCOPES = ['mail:send', 'messages:read', 'mail:answer', 'mailboxes:write'] as const;

/**
 * What a client may be given by the account that signs in; creating keys and signing in elsewhere is never among it. Most
 * clients ask for all that is offered to them, so the right to decide what leaves is named once it is missing.
 */
const RESOURCE_SCOPES = [...OFFERED_SCOPES, 'mail:review'] as const satisfies readonly Scope[];
export type ResourceScope = (typeof RESOURCE_SCOPES)[number];

/** Those that an account may use that owns nothing: to write, and to read what it wrote. */
export const SENDER_SCOPES = ['mail:send', 'messages:read'] as const satisfies readonly ResourceScope[];

export const isResourceScope = (scope: string): scope is ResourceScope =>
  (RESOURCE_SCOPES as readonly string[]).includes(scope);

/** A protected resource (RFC 9728): the MCP server of an address, of a namespace, or of whatever the account owns. */
export interface ProtectedResource {
  /** Its URI in its canonical form: the audience of its tokens. */
  readonly audience: string;
  /** The namespace whose issuer protects it. */
  readonly namespace: string;
  readonly scopes: readonly ResourceScope[];
  /** Those that its metadata name. */
  readonly offered: readonly ResourceScope[];
  /** The public mailbox that it is the server of. */
  readonly mailbox?: Mailbox;
}

interface Parts extends AddressParts {
  readonly directory: Pick<Directory, 'domain' | 'mailbox'>;
  readonly baseUrl: () => string;
  /** The namespace whose issuer protects the server that names none. */
  readonly house: string;
}

/** The protected resources of this service, by their URIs. */
export class ProtectedResources {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The URI of the server of `name`: an address, a namespace, or undefined. */
  uriOf(name: string | undefined): string {
    const base = `${this.#parts.baseUrl()}/mcp`;
    return name === undefined ? base : `${base}/${encodeURIComponent(name).replaceAll('%40', '@')}`;
  }

  /** Undefined where nothing is, or nothing that is public. */
  async byName(name: string | undefined): Promise<ProtectedResource | undefined> {
    const { house } = this.#parts;
    const all = { scopes: RESOURCE_SCOPES, offered: OFFERED_SCOPES };
    if (name === undefined) return { audience: this.uriOf(undefined), namespace: house, ...all };
    if (!name.includes('@')) {
      if (!isNamespaceName(name)) return undefined;
      return { audience: this.uriOf(name), namespace: name, ...all };
    }
    const mailbox = await this.#mailbox(name);
    if (mailbox === undefined) return undefined;
    const address = fullAddress(addressOf(mailbox), this.#parts.mailDomain);
    const scopes = SENDER_SCOPES;
    return { audience: this.uriOf(address), namespace: mailbox.namespace, scopes, offered: scopes, mailbox };
  }

  /** As `byName`, by a resource indicator (RFC 8707, section 2). */
  byUri(uri: string): Promise<ProtectedResource | undefined> {
    const base = this.uriOf(undefined);
    const rest = uri.startsWith(base) ? uri.slice(base.length).replace(/\/$/, '') : '/';
    if (rest === '') return this.byName(undefined);
    const [, name] = /^\/([^/?#]{1,400})$/.exec(rest) ?? [];
    return name === undefined ? Promise.resolve(undefined) : this.byName(decoded(name));
  }

  async #mailbox(text: string): Promise<Mailbox | undefined> {
    try {
      const address = await findAddress(text, this.#parts);
      const found = address && (await this.#parts.directory.mailbox(address.local, address.namespace));
      return found?.deleted_at === null && found.access === 'public' ? found : undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'mailbox_not_found') return undefined;
      throw error;
    }
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}
