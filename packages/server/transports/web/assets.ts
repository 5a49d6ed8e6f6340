import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { AppError } from '@mailroom/behavior/values/error';
import { Constant } from '../../http/constant.ts';
import type { Answer, Call } from '../../http/route.ts';

const FOLDER = join(import.meta.dirname, './assets');
/** The variable font as its package ships it, with one file per Unicode subset. */
const FONT = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/geist/index.css'));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml; charset=utf-8',
};

interface Asset {
  /** Contains a hash of the content, so that browsers may cache the file forever. */
  readonly file: string;
  readonly type: string;
  readonly body: Constant | Buffer;
  readonly etag: string;
}

const assets = new Map<string, Asset>();

function keep(name: string, bytes: Buffer): Asset {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const extension = extname(name);
  const file = `${name.slice(0, -extension.length)}.${hash}${extension}`;
  const type = TYPES[extension] as string;
  const body = new Constant(bytes);
  // The font format is already compressed.
  const asset = { file, type, body: type === 'font/woff2' ? body.bytes : body, etag: `"${hash}"` };
  assets.set(name, asset);
  return asset;
}

/** Files that refer to others (`./name`) get the hashed names inserted, so the files they refer to are read first. */
function read(name: string): Asset {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return keep(
    name,
    Buffer.from(text.replace(/\.\/([\w-]+\.(?:js|woff2|svg))\b/g, (_, other) => `./${read(other).file}`)),
  );
}

for (const name of readdirSync(join(FONT, 'files'))) {
  if (name.endsWith('-normal.woff2')) keep(name, readFileSync(join(FONT, 'files', name)));
}
const faces = readFileSync(join(FONT, 'index.css'), 'utf8')
  .replace(/\/\*.*?\*\/\s*/gs, '')
  .replace(/\.\/files\/([\w-]+\.woff2)/g, (_, name: string) => `./${assets.get(name)?.file}`);
const style = readFileSync(join(FOLDER, 'style.css'), 'utf8');
/** The place of the hues among the rules of stamps. */
const HUES = '/* hues */\n';

/** The style sheet of every page, with the hues of these behaviors' stamps. */
export function withHues(hues: readonly (readonly [string, number])[]): void {
  const rules = hues.map(([name, hue]) => `.h-${name} {\n  --h: ${hue};\n}\n`).join('');
  keep('style.css', Buffer.from(faces + style.replace(HUES, rules)));
}

withHues([]);
for (const name of readdirSync(FOLDER)) {
  if (name !== 'style.css' && TYPES[extname(name)] !== undefined) read(name);
}

/** Where a file of `assets/` is served, from the root: `static/style.0a1b2c3d4e.css`. */
export function assetPath(name: string): string {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`There is no asset ${name}`);
  return `static/${asset.file}`;
}

/** Serves `static/{file}`. A request for an older version gets the current one, marked as not cacheable. */
export function assetAnswer(file: string, headers: Call['headers']): Answer {
  const name = file.replace(/\.[0-9a-f]{10}(?=\.\w+$)/, '');
  const asset = assets.get(name);
  if (asset === undefined) throw new AppError('not_found', 'There is no such file.');
  const current = asset.file === file;
  const common = {
    etag: asset.etag,
    'cache-control': current ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (headers['if-none-match'] === asset.etag) {
    return { status: 304, headers: { ...common, vary: 'accept-encoding' } };
  }
  return { status: 200, body: asset.body, headers: { ...common, 'content-type': asset.type } };
}
