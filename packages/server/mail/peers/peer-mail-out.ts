import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../../core/entities/message.ts';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import type { PeerRoute } from '../../core/ports/peer-route.ts';
import type { State, States } from '../../core/ports/states.ts';
import { wireAddress } from '../writing/headers.ts';
import type { MailOut, OfferedMail } from '../writing/transport.ts';
import type { AskedDoors, Attempted, Hand } from './attempt.ts';
import type { FindDoors, PeerDoors } from './webfinger.ts';

interface Parts {
  readonly doors: FindDoors;
  readonly hand: Hand;
  readonly states: Pick<States, 'get' | 'set' | 'remove'>;
  readonly clock: Clock;
}

const STATE = 'peer_asked';
/** As long as a delivery is tried, and a day more. */
const KEPT_MS: Millis = 6 * DAY;

/** The first attempt of a delivery, which is in memory. */
interface FirstAttempt {
  readonly doors: PeerDoors;
  readonly ended: (answer: Message | undefined) => void;
}

/**
 * Mail that goes to the server of its recipient by HTTP, where that names a door for it, and by `next` otherwise: also after
 * a refusal, or when nothing was written to the peer. Whether a peer has a mail may stay unknown; then it is asked again at
 * the same door, which knows the mail by its author and its Message-ID.
 */
export class PeerMailOut implements MailOut {
  readonly #next: MailOut;
  readonly #parts: Parts;
  readonly #first = new Map<string, FirstAttempt>();

  constructor(next: MailOut, parts: Parts) {
    this.#next = next;
    this.#parts = parts;
  }

  get place(): MailOut['place'] {
    return this.#next.place;
  }

  // What is written as a file leaves by no other door, so that `fileOf` is left out.
  send: MailOut['send'] = (mail, signal) => this.#next.send(mail, signal);

  /** A route for one delivery to an address; undefined where its domain names none. */
  async routeTo(address: string): Promise<PeerRoute | undefined> {
    const to = wireAddress(address)?.toLowerCase();
    const doors = to === undefined ? {} : await this.#parts.doors(to);
    if (!hasDoor(doors)) return undefined;
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    let delivery: string | undefined;
    return {
      answer: promise,
      stateOf: (id) => {
        delivery = id;
        this.#first.set(id, { doors, ended: resolve });
        return this.#state(id, doors);
      },
      [Symbol.dispose]: () => {
        // Without an attempt, because nothing was written.
        if (delivery === undefined || this.#first.delete(delivery)) resolve(undefined);
      },
    };
  }

  offer = async (offered: OfferedMail, signal: AbortSignal): Promise<DeliveryResult> => {
    const { id } = offered.email;
    const first = this.#first.get(id);
    this.#first.delete(id);
    try {
      const attempted = await this.#attempt(offered, first?.doors, signal);
      first?.ended(attempted?.answer);
      return attempted?.result ?? (await this.#next.send(await offered.compose(), signal));
    } finally {
      first?.ended(undefined);
    }
  };

  [Symbol.dispose](): void {
    this.#next[Symbol.dispose]();
  }

  async #attempt(offered: OfferedMail, begun: PeerDoors | undefined, signal: AbortSignal): Promise<Attempted> {
    const { states, clock, doors, hand } = this.#parts;
    const { id } = offered.email;
    const to = wireAddress(offered.email.to);
    if (to === undefined) return undefined;
    const earlier = begun === undefined ? await states.get(STATE, id, clock()) : undefined;
    const knownDoors = begun ?? (earlier && (JSON.parse(earlier.value) as AskedDoors));
    const found = knownDoors ?? (await doors(to.toLowerCase()));
    if (!hasDoor(found)) return undefined;
    // Written first, because a process may end between the request and its answer.
    if (knownDoors === undefined) await states.set(this.#state(id, found));
    const attempted = await hand(offered, to, { ...found, again: earlier !== undefined }, signal);
    if (attempted === undefined) await states.remove(STATE, id);
    if (attempted?.task !== undefined)
      await states.set(this.#state(id, { ...found, task: attempted.task ?? undefined }));
    return attempted;
  }

  #state(id: string, doors: AskedDoors): State {
    const expires_at = this.#parts.clock() + KEPT_MS;
    return { kind: STATE, id, subject: null, value: JSON.stringify(doors), expires_at };
  }
}

const hasDoor = ({ mail, agent }: PeerDoors): boolean => mail !== undefined || agent !== undefined;
