/** Random secrets that all nodes share, each created by the first node that needs it. */
export interface Secrets {
  /** The secret of that name; `fresh` is stored when there was none. */
  getOrPut(name: string, fresh: string): Promise<string>;
}
