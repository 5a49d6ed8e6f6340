/** Of a network: how many requests it began in this turn of the event loop, and may begin. */
export interface TickShare {
  turn: number;
  begun: number;
  readonly max_begun: number;
}

/** Shares each turn of the event loop: what one network would begin beyond its share is begun in the next turns. */
export class TickShares {
  #turn = 0;
  #ending = false;
  #later = new Set<() => void>();

  /** Whether this turn has time for one more request of the network; then it is counted. */
  take(network: TickShare): boolean {
    if (network.turn !== this.#turn) {
      network.turn = this.#turn;
      network.begun = 0;
    }
    if (network.begun >= network.max_begun) return false;
    if (network.begun++ === 0) this.#end();
    return true;
  }

  /** Calls `go` in the next turn, once however often it is asked to. */
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
