/** The part of all memory for mails that one network may take. */
const NETWORK_SHARE = 1 / 4;

/** The bytes of one mail while it is received and filed. */
export interface Holding {
  /** False when there is no room for them. */
  take(bytes: number): boolean;
  /** The mail is whole, so that no other takes its room. */
  whole(): void;
  /** Has no effect when it was released before. */
  release(): void;
}

interface Held extends Holding {
  readonly onLost: () => void;
  readonly network: Network;
  bytes: number;
}

interface Network {
  held: number;
  readonly max: number;
  /** The mails that still arrive, in the order in which they began. */
  readonly arriving: Set<Held>;
}

/**
 * Memory for the mails that are received at the same time. A network has a quarter of it at most; where there is no room,
 * the network that holds most loses the mail that began first, so that mails that never end keep none out.
 */
export class HeldBytes {
  readonly #max: number;
  readonly #share: number;
  readonly #networks = new Map<string, Network>();
  #held = 0;

  /** `share`: the part that one network may take. */
  constructor(max: number, share = NETWORK_SHARE) {
    this.#max = max;
    this.#share = share;
  }

  /** A mail of this network begins; `onLost`: another one has its room now. */
  begin(name: string, onLost: () => void): Holding {
    const network = this.#networks.get(name) ?? { held: 0, max: this.#max * this.#share, arriving: new Set() };
    this.#networks.set(name, network);
    let released = false;
    const held: Held = {
      onLost,
      network,
      bytes: 0,
      take: (bytes) => {
        if (released || !this.#makeRoom(network, bytes)) return false;
        this.#add(held, bytes);
        return true;
      },
      whole: () => void network.arriving.delete(held),
      release: () => {
        if (released) return;
        released = true;
        network.arriving.delete(held);
        this.#add(held, -held.bytes);
        if (network.held === 0 && network.arriving.size === 0) this.#networks.delete(name);
      },
    };
    network.arriving.add(held);
    return held;
  }

  #add(held: Held, bytes: number): void {
    held.bytes += bytes;
    held.network.held += bytes;
    this.#held += bytes;
  }

  #makeRoom(network: Network, bytes: number): boolean {
    if (network.held + bytes > network.max) return false;
    while (this.#held + bytes > this.#max) {
      const [largest] = [...this.#networks.values()]
        .filter(({ arriving }) => arriving.size > 0)
        .sort((one, other) => other.held - one.held);
      const [first] = largest?.arriving ?? [];
      if (largest === undefined || first === undefined || largest.held <= network.held + bytes) return false;
      first.release();
      first.onLost();
    }
    return true;
  }
}
