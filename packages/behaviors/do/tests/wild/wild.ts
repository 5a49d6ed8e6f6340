/** Instructions as people would write them to `do@…`, written without knowledge of how they are read. */
export interface Wild {
  readonly says: string;
  readonly tasks: readonly string[];
  readonly result?: unknown;
  readonly matches?: RegExp;
  /** Matches the planned steps as JSON, for plans that are not run here. */
  readonly plans?: RegExp;
}
