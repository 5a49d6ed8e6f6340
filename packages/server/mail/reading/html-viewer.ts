import { AppError } from '@mailroom/behavior/values/error';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import type { ShownHtml, ShownImage } from './shown-html.ts';
import type { ShownTask } from './shown-html-worker.ts';

/** Milliseconds for one mail, and for all of its pictures. */
const RUN_MS = 10_000;
const IMAGES_MS = 10_000;
/** Bytes of one picture. */
export const MAX_IMAGE = 2 * 1024 * 1024;

/** The formats that are shown, each by how its bytes begin: what a server says of them is not believed. */
const FORMATS: readonly (readonly [type: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** Shows the HTML of mails, which are read on a thread of their own. */
export class HtmlViewer implements AsyncDisposable {
  readonly #pool = new Pool<ShownTask, ShownHtml>({
    name: 'shown-html',
    script: new URL('./shown-html-worker.ts', import.meta.url),
    workers: 1,
    max_queue: 64,
    run_ms: RUN_MS,
    resource_limits: { maxOldGenerationSizeMb: 512 },
  });
  readonly #fetch: GuardedFetch;

  /** `fetch` reads up to `MAX_IMAGE` bytes, from public addresses alone. */
  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch;
  }

  /**
   * The HTML as a document that runs nothing and loads nothing, with its pictures within it where they are asked for; those
   * that cannot be read have none, nor those that are not when `signal` aborts. AppError `unavailable` when many are being shown, or this one takes too long.
   */
  async show(raw: Uint8Array, images: boolean, signal: AbortSignal): Promise<string> {
    const view = await this.#pool.run({ raw, images }).catch((error: unknown) => {
      if (error instanceof PoolError)
        throw new AppError('unavailable', 'Its HTML cannot be shown now: many are, or it takes too long.');
      throw error;
    });
    if (view.images.length === 0) return view.html;
    const ends = AbortSignal.any([signal, AbortSignal.timeout(IMAGES_MS)]);
    const urls = await Promise.all(view.images.map((image) => this.#dataUrl(image, ends)));
    return view.html.replace(/ src="mailroom-image:(\d{1,2})"/g, (_, at: string) => {
      const url = urls[Number(at)];
      return url === undefined ? '' : ` src="${url}"`;
    });
  }

  async #dataUrl(image: ShownImage, signal: AbortSignal): Promise<string | undefined> {
    const bytes = 'bytes' in image ? Buffer.from(image.bytes) : await this.#read(image.url, signal);
    if (bytes === undefined || bytes.length > MAX_IMAGE) return undefined;
    const beginning = bytes.toString('latin1', 0, 16);
    const type = FORMATS.find(([, begins]) => begins.test(beginning))?.[0];
    return type && `data:${type};base64,${bytes.toString('base64')}`;
  }

  async #read(url: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const accept = FORMATS.map(([type]) => type).join(', ');
    const found = await this.#fetch(url, { accept, signal }).catch(() => undefined);
    return found?.status === 200 && !found.cut ? found.bytes : undefined;
  }

  /** Ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }
}
