import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { hidden } from './routes.ts';
import type { TarFile } from './tar.ts';
import { tarOf } from './tar.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'client');

/** The files of the client's npm package: its `package.json` with the version of this service, and what it emits. */
function packageFiles(version: string): readonly TarFile[] {
  const manifest = { ...JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')), version };
  const programs = new Set(Object.values<string>(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, '')));
  const emitted = readdirSync(join(CLIENT, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(CLIENT, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();
  // npm removes the first folder of every path, whatever its name.
  return [
    { path: 'package/package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { path: 'package/README.md', bytes: readFileSync(join(CLIENT, 'README.md')) },
    { path: 'package/LICENSE', bytes: readFileSync(join(ROOT, 'LICENSE')) },
    ...emitted.map((path) => ({
      path: `package/${path}`,
      bytes: readFileSync(join(CLIENT, path)),
      executable: programs.has(path),
    })),
  ];
}

/** The route of `/client.tgz`, the client as an npm package; made at the first request. */
export function clientPackageRoute(version: string): Route {
  let made: Promise<{ readonly bytes: Buffer; readonly etag: string }> | undefined;
  const make = async () => {
    const bytes = await promisify(gzip)(tarOf(packageFiles(version)), { level: 9 });
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"` };
  };
  /** After a failure the next request tries again. */
  const again = (error: unknown): never => {
    made = undefined;
    throw error;
  };
  return route({
    ...hidden('GET', '/client.tgz'),
    async handle({ headers }): Promise<Answer> {
      made ??= make().catch(again);
      const { bytes, etag } = await made;
      const common = { etag, 'cache-control': 'public, max-age=300' };
      if (headers['if-none-match'] === etag) return { status: 304, headers: common };
      return { status: 200, body: bytes, headers: { ...common, 'content-type': 'application/gzip' } };
    },
  });
}
