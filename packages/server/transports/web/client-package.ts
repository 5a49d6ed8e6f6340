import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@mailroom/behavior/values/error';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Route } from '../../http/route.ts';

/** Where `npm run pack-client` writes the packages, which `npm ci` runs. */
const FOLDER = join(import.meta.dirname, '../../../../build/client');

/** A packed client as an answer, which a cache may keep for five minutes. */
async function packed(name: string, type: string, headers: Readonly<Record<string, unknown>>): Promise<Answer> {
  const bytes = await readFile(join(FOLDER, name)).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The client is not packed here. `npm run pack-client` packs it.', { cause });
  });
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
  const common = { etag, 'cache-control': 'public, max-age=300' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common };
  return { status: 200, body: bytes, headers: { ...common, 'content-type': type } };
}

/**
 * The clients of this version: `/client.tgz` for npm, and `/client.whl`, which leads to the wheel: pip
 * takes that one's URL alone, as it reads name and version from it before it asks.
 */
export function clientPackageRoutes(version: string): readonly Route[] {
  const wheel = `mailroom_client-${version}-py3-none-any.whl`;
  return [
    pageRoute('GET', '/client.tgz', {
      handle: ({ headers }) => packed(`mailroom-client-${version}.tgz`, 'application/gzip', headers),
    }),
    pageRoute('GET', '/client.whl', {
      handle: async () => ({ status: 302, headers: { location: `python/${wheel}`, 'cache-control': 'no-store' } }),
    }),
    pageRoute('GET', '/python/{file}', {
      async handle({ params, headers }): Promise<Answer> {
        if (params.file !== wheel)
          throw new AppError(
            'not_found',
            `This service has ${wheel} alone, the client of its version. /client.whl leads to it.`,
          );
        return packed(wheel, 'application/zip', headers);
      },
    }),
  ];
}
