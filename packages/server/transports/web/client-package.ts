import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@mailroom/behavior/values/error';
import type { Answer, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { hidden } from './routes.ts';

/** Where `npm run pack-client` writes the package, which `npm ci` runs. */
const FOLDER = join(import.meta.dirname, '../../../../build/client');

/** The route of `/client.tgz`, the client as an npm package of this version. */
export function clientPackageRoute(version: string): Route {
  const read = async (): Promise<Buffer> => {
    try {
      return await readFile(join(FOLDER, `mailroom-client-${version}.tgz`));
    } catch (cause) {
      throw new AppError('unavailable', 'The client is not packed here. `npm run pack-client` packs it.', { cause });
    }
  };
  return route({
    ...hidden('GET', '/client.tgz'),
    async handle({ headers }): Promise<Answer> {
      const bytes = await read();
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
      const common = { etag, 'cache-control': 'public, max-age=300' };
      if (headers['if-none-match'] === etag) return { status: 304, headers: common };
      return { status: 200, body: bytes, headers: { ...common, 'content-type': 'application/gzip' } };
    },
  });
}
