/** The parts of the log's order that differ between the databases. */
export interface Order {
  /** The condition on `events` that no earlier event can still be committed. */
  readonly sure: string;
  /** The condition that an event is on this side of the position whose two numbers are in these parameters. */
  readonly place: (side: '<' | '<=' | '>', tx: string, seq: string) => string;
  /** Selects `tx`, `seq`: no event has a greater position. */
  readonly end: string;
}
