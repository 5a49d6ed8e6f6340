/** Random secrets that all nodes share, each created by the first node that needs it. */
export interface Secrets {
  /** The secret of that name; `fresh` is stored when there was none, and called only then where it takes long to make. */
  getOrPut(name: string, fresh: string | (() => Promise<string>)): Promise<string>;
  /** Those whose name begins so, by name. */
  beginning(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Removes those of these names. */
  remove(names: readonly string[]): Promise<void>;
}
