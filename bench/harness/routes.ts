import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../packages/server/transports');

/** The routes whose paths are literals of the source, as `METHOD /path/{parameter}`. */
export function routesInSources(): readonly string[] {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return sources.flatMap((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const pages = text.matchAll(/pageRoute\('(GET|POST)', '([^']+)'/g);
    const signed = text.matchAll(/signed(Page|Form)\(\s*'([^']+)'/g);
    const ofMailboxes = text.matchAll(/mailboxPages\(context, parts, \{\s*name: '([^']+)'/g);
    return [
      ...[...ofMailboxes].flatMap(([, name]) => ['GET', 'POST'].map((method) => `${method} /console/${name}/{local}`)),
      ...[...pages].map(([, method, path]) => `${method} ${path}`),
      ...[...signed].map(([, kind, path]) => `${kind === 'Page' ? 'GET' : 'POST'} ${path}`),
    ];
  });
}
