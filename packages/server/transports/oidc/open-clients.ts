import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isId } from '@mailroom/behavior/values/ids';
import type { AdapterPayload } from 'oidc-provider';
import type { States } from '../../core/ports/states.ts';

const KIND = 'oidc:OpenClient';
/** How long one stays that no account has consented to. */
const UNUSED_MS: Millis = DAY;
/** How long one stays after the last consent, which may itself last 90 days. */
const USED_MS: Millis = 365 * DAY;
/** Of one issuer; beyond it those go first that expire first, which are unused. */
const MAX_OPEN_CLIENTS = 10_000;

/** Public clients that registered themselves without a token (RFC 7591, section 3), of one issuer. */
export class OpenClients {
  readonly #states: States;
  readonly #clock: Clock;
  readonly #namespace_id: string;

  constructor(states: States, clock: Clock, namespace_id: string) {
    this.#states = states;
    this.#clock = clock;
    this.#namespace_id = namespace_id;
  }

  async find(client_id: string): Promise<AdapterPayload | undefined> {
    if (!isId('cli', client_id)) return undefined;
    const found = await this.#states.get(KIND, this.#id(client_id), this.#clock());
    return found && (JSON.parse(found.value) as AdapterPayload);
  }

  async add(client_id: string, payload: AdapterPayload): Promise<void> {
    const now = this.#clock();
    const row = { kind: KIND, id: this.#id(client_id), subject: this.#namespace_id, expires_at: now + UNUSED_MS };
    await this.#states.put({ ...row, value: JSON.stringify(payload) }, now);
    await this.#states.trim(KIND, this.#namespace_id, MAX_OPEN_CLIENTS);
  }

  /** Keeps it, because an account consented to it; does nothing for other clients. */
  async use(client_id: string): Promise<void> {
    const now = this.#clock();
    await this.#states.prolong(KIND, this.#id(client_id), now + USED_MS, now);
  }

  #id(client_id: string): string {
    return sha256(`${this.#namespace_id}:OpenClient:${client_id}`);
  }
}
