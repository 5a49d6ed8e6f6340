import { createHash } from 'node:crypto';

/** Bytes outside of the database, by name: those of files, a chunk each. A failure is an AppError `unavailable`. */
export interface Objects {
  /** Stores them under a name; stored again, they are the same. `sha256` in hexadecimal is checked by the server. */
  put(name: string, bytes: Uint8Array, sha256: string): Promise<void>;
  /** Undefined where there are none, or where they are not those of `sha256`. */
  get(name: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Removes them; one that is not there is no error. */
  remove(names: readonly string[]): Promise<void>;
}

/** The SHA-256 in hexadecimal. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The name of a chunk of a file. */
export const chunkName = (blobId: string, position: number): string => `${blobId}/${position}`;
