/** Requests a network began in this turn of the event loop, and its limit. */
export interface TickShare {
  turn: number;
  begun: number;
  readonly max_begun: number;
}

/** Divides each turn of the event loop between networks; requests beyond a network's share begin in the next turns. */
export class TickShares {
  #turn = 0;
  #ending = false;
  #later = new Set<() => void>();

  /** Counts one more request of the network if this turn has time for it, and returns whether it has. */
  take(network: TickShare): boolean {
    if (network.turn !== this.#turn) {
      network.turn = this.#turn;
      network.begun = 0;
    }
    if (network.begun >= network.max_begun) return false;
    if (network.begun++ === 0) this.#end();
    return true;
  }

  /** Calls `go` once in the next turn, however often it is requested. */
  later(go: () => void): void {
    this.#later.add(go);
    this.#end();
  }

  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    setImmediate(() => {
      this.#ending = false;
      this.#turn++;
      const later = this.#later;
      this.#later = new Set();
      for (const go of later) go();
    });
  }
}
