import type { AgentCard, AgentSkill } from '@a2a-js/sdk';
import { AgentCard as AgentCardJson, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { addressOf } from '../../core/entities/mailbox.ts';
import type { Behavior } from '../../core/ports/behavior.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import { fullAddress } from '../../core/values/address.ts';
import { sha256 } from '../../core/values/hash.ts';

/** Signed cards that are kept, because a signature takes longer than the rest of the request. */
const MAX_KEPT = 256;

export interface CardParts {
  readonly behaviors: readonly Behavior[];
  /** The keys with which a namespace signs. */
  readonly keysOf: (namespace_id: string) => Promise<IssuerKeys>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly version: string;
}

export interface SignedCard {
  readonly card: AgentCard;
  /** As JSON. */
  readonly text: string;
  readonly etag: string;
}

/** The agent cards of addresses (A2A 1.0.1, section 8), signed by their namespaces. */
export class Cards {
  readonly #parts: CardParts;
  /** In the order of last use. */
  readonly #kept = new Map<string, { readonly of: string; readonly signed: SignedCard }>();

  constructor(parts: CardParts) {
    this.#parts = parts;
  }

  /** The card of a mailbox; `extended` for callers with a key, with the tasks that change something. */
  async of(mailbox: Mailbox, extended: boolean): Promise<SignedCard> {
    const keys = await this.#parts.keysOf(mailbox.namespace_id);
    const name = `${mailbox.id} ${extended}`;
    const of = `${mailbox.updated_at} ${mailbox.status} ${this.#parts.baseUrl()} ${keys.version}`;
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    const signed = kept?.of === of ? kept.signed : await this.#signed(this.#card(mailbox, extended), keys);
    this.#kept.set(name, { of, signed });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return signed;
  }

  #card(mailbox: Mailbox, extended: boolean): AgentCard {
    const { behaviors, mailDomain, version } = this.#parts;
    const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
    const address = fullAddress(addressOf(mailbox), mailDomain);
    const base = this.#parts.baseUrl();
    const url = agentUrl(base, address);
    const speaks = (protocolBinding: string, protocolVersion: string, at = url) => ({
      url: at,
      protocolBinding,
      protocolVersion,
      tenant: '',
    });
    return {
      name: mailbox.display_name ?? address,
      description: mailbox.description || behavior?.description || `The mailbox ${address}.`,
      version,
      supportedInterfaces: [
        speaks('JSONRPC', '1.0'),
        speaks('HTTP+JSON', '1.0', `${url}/v1`),
        speaks('JSONRPC', '0.3'),
      ],
      provider: { organization: mailbox.namespace, url: `${base}/${mailbox.namespace}` },
      documentationUrl: `${base}/${address}`,
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [] },
      securitySchemes: {
        key: {
          scheme: {
            $case: 'httpAuthSecurityScheme',
            value: { scheme: 'Bearer', bearerFormat: 'mr_live_…', description: 'An API key of any namespace.' },
          },
        },
      },
      // Without a key, the limits of the try-out hold.
      securityRequirements: mailbox.try_out ? [] : [{ schemes: { key: { list: [] } } }],
      defaultInputModes: ['text/plain', 'text/markdown', 'application/json'],
      defaultOutputModes: ['text/markdown', 'application/json'],
      skills: skillsOf(behavior, extended),
      signatures: [],
    };
  }

  async #signed(card: AgentCard, { signing, version }: IssuerKeys): Promise<SignedCard> {
    const [key] = signing;
    const payload = canonicalizeAgentCard(card);
    const url = card.supportedInterfaces[0]?.url ?? '';
    const header = { alg: key.jwk.alg, kid: key.jwk.kid, typ: 'JOSE', jku: jwksUrl(url) };
    const protectedHeader = base64url(JSON.stringify(header));
    const signature = await key.sign(Buffer.from(`${protectedHeader}.${base64url(payload)}`));
    const signatures = [{ protected: protectedHeader, signature: signature.toString('base64url'), header: undefined }];
    const signed = { ...card, signatures };
    // The signature differs each time, on each node, though the card is the same.
    const etag = `W/"${sha256(`${version} ${payload}`).slice(0, 32)}"`;
    return { card: signed, text: JSON.stringify(AgentCardJson.toJSON(signed)), etag };
  }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Where an address takes JSON-RPC; HTTP+JSON is below it. */
const agentUrl = (base: string, address: string): string => `${base}/a2a/${address}`;
const jwksUrl = (url: string): string => `${url}/.well-known/jwks.json`;

/** What the agent can do: each task of a behavior that runs tasks, or its one thing. */
function skillsOf(behavior: Behavior | undefined, extended: boolean): AgentSkill[] {
  if (behavior === undefined) return [];
  const { name, title, description, tasks = [], example } = behavior;
  const open = tasks.filter(({ effects }) => extended || effects !== 'writes');
  const common = { inputModes: [], outputModes: [], securityRequirements: [] };
  if (open.length === 0) {
    const examples = example === undefined ? [] : [example.body];
    return [{ ...common, id: name, name: title, description, tags: [name], examples }];
  }
  return open.map((task) => ({
    ...common,
    id: `${name}.${task.name}`,
    name: task.name,
    description: task.description,
    tags: [name, task.effects],
    examples: [...task.examples],
  }));
}
