import type { Db } from '../db.ts';
import { clientConfig, Link, setSession } from './connection.ts';
import { storeError } from './errors.ts';

/** Reads over one connection. AppError `unavailable` if a retry makes sense. */
export function openReader(url: string): Db['read'] {
  const link = new Link(clientConfig(url), setSession);
  return async (text, values) => {
    try {
      return await link.query({ text, values });
    } catch (error) {
      throw storeError(error);
    }
  };
}
