import { type AgentCard, AgentCard as AgentCardJson, type AgentSkill, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { Behavior } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { JsonObject } from '@mailroom/behavior/values/json';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import { canonicalJson } from '../../core/values/canonical-json.ts';

/** Signed cards that are kept, because a signature takes longer than the rest of the request. */
const MAX_KEPT = 256;
/** The older version, whose clients read a card by other fields. */
const LEGACY = '0.3';

export interface CardParts {
  readonly behaviors: readonly Behavior[];
  /** The keys with which a namespace signs. */
  readonly keyring: { issuer(namespace_id: string): Promise<IssuerKeys> };
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

/**
 * The agent cards of addresses (A2A 1.0.1, section 8), signed by their namespaces: once as they are served (RFC 8785,
 * without `signatures`), and in the forms in which the SDK compares them.
 */
export class Cards {
  readonly #parts: CardParts;
  /** In the order of last use. */
  readonly #kept = new Map<string, { readonly of: string; readonly signed: SignedCard }>();

  constructor(parts: CardParts) {
    this.#parts = parts;
  }

  /** The card of a mailbox; `extended` for callers with a key, with the tasks that change something. */
  async of(mailbox: Mailbox, extended: boolean): Promise<SignedCard> {
    const keys = await this.#parts.keyring.issuer(mailbox.namespace_id);
    const name = `${mailbox.id} ${extended}`;
    const version = `${mailbox.updated_at} ${mailbox.status} ${this.#parts.baseUrl()} ${keys.version}`;
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    const signed =
      kept?.of === version ? kept.signed : await this.#signed(this.#card(mailbox, extended), extended, keys);
    this.#kept.set(name, { of: version, signed });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return signed;
  }

  /** A card in the words of A2A 0.3, signed as it is (RFC 8785). */
  async legacy(mailbox: Mailbox, card: JsonObject): Promise<JsonObject> {
    const keys = await this.#parts.keyring.issuer(mailbox.namespace_id);
    const unsigned = Object.fromEntries(Object.entries(card).filter(([name]) => name !== 'signatures'));
    return { ...unsigned, signatures: [await signatureOf(canonicalJson(unsigned), this.#urlOf(mailbox), keys)] };
  }

  #urlOf(mailbox: Mailbox): string {
    return agentUrl(this.#parts.baseUrl(), fullAddress(addressOf(mailbox), this.#parts.mailDomain));
  }

  #card(mailbox: Mailbox, extended: boolean): AgentCard {
    const { behaviors, mailDomain, version } = this.#parts;
    const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
    const address = fullAddress(addressOf(mailbox), mailDomain);
    const base = this.#parts.baseUrl();
    const url = this.#urlOf(mailbox);
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
        speaks('JSONRPC', LEGACY),
      ],
      provider: { organization: mailbox.namespace, url: `${base}/${mailbox.namespace}` },
      documentationUrl: `${base}/${address}`,
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [] },
      securitySchemes: {
        key: {
          scheme: {
            $case: 'httpAuthSecurityScheme',
            value: { scheme: 'Bearer', bearerFormat: 'mr_live_...', description: 'An API key of any namespace.' },
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

  async #signed(card: AgentCard, extended: boolean, keys: IssuerKeys): Promise<SignedCard> {
    const words = AgentCardJson.toJSON(card) as AgentCard & JsonObject;
    // The extended card is an answer in one version or the other.
    const document = extended ? words : { ...words, ...legacyFields(card) };
    const payload = canonicalJson(document);
    // The SDK's form leaves out what is empty, and more where a client has read the card into its own types.
    const payloads = new Set([payload, canonicalizeAgentCard(document), canonicalizeAgentCard(card)]);
    const url = card.supportedInterfaces[0]?.url ?? '';
    const signatures = await Promise.all([...payloads].map((text) => signatureOf(text, url, keys)));
    // The signatures differ each time, on each node, though the card is the same.
    const etag = `W/"${sha256(`${keys.version} ${payload}`).slice(0, 32)}"`;
    return {
      card: { ...card, signatures: signatures.map((one) => ({ ...one, header: undefined })) },
      text: JSON.stringify({ ...document, signatures }),
      etag,
    };
  }
}

/** The fields by which clients of A2A 0.3 find their interface and authenticate (A2A 0.3.0, sections 5.5 and 5.6). */
function legacyFields({ supportedInterfaces, securitySchemes, securityRequirements }: AgentCard): JsonObject {
  const url = supportedInterfaces.find(({ protocolVersion }) => protocolVersion === LEGACY)?.url ?? '';
  const schemes = Object.entries(securitySchemes).map(([name, { scheme }]) => {
    if (scheme?.$case !== 'httpAuthSecurityScheme') throw new Error(`The scheme ${name} has no form of A2A 0.3.`);
    const { description, ...http } = scheme.value;
    return [name, { type: 'http', ...http, httpAuthSecurityScheme: { description, ...http } }];
  });
  return {
    url,
    preferredTransport: 'JSONRPC',
    protocolVersion: `${LEGACY}.0`,
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: Object.fromEntries(schemes),
    ...(securityRequirements.length > 0 && { security: [{ key: [] }] }),
  };
}

/** A JWS of a card (A2A 1.0.1, section 8.4), whose payload is the card itself. */
async function signatureOf(payload: string, url: string, { signing: [key] }: IssuerKeys) {
  const header = base64url(JSON.stringify({ alg: key.jwk.alg, kid: key.jwk.kid, typ: 'JOSE', jku: jwksUrl(url) }));
  const signature = await key.sign(Buffer.from(`${header}.${base64url(payload)}`));
  return { protected: header, signature: signature.toString('base64url') };
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
