import { languageByWords, SAMPLE } from '@mailroom/detect-language';
import { Pool, PoolError } from '@mailroom/workers/pool';

/** Who asks, and the signal of its run: read only for a text that goes to the thread, as it is made when it is read. */
interface Asker {
  readonly caller?: string;
  readonly signal: AbortSignal;
}

const MAX_WAITING = 1_000;
const READ_MS = 2_000;

/**
 * Detects languages, on a thread of its own where statistics are needed, because loading them takes up to 0.4 s. Must be
 * closed.
 */
export class LanguageReader implements AsyncDisposable {
  readonly #pool = new Pool<string, string | null>({
    name: 'languages',
    script: new URL('./language-worker.ts', import.meta.url),
    workers: 1,
    max_queue: MAX_WAITING,
    run_ms: READ_MS,
  });

  /** The ISO 639-1 code, or null when it is uncertain or too many texts wait. `caller`: see `Pool`. */
  languageOf(text: string, asker: Asker): string | null | Promise<string | null> {
    const known = languageByWords(text);
    if (known !== undefined) return known;
    const { caller = '', signal } = asker;
    return this.#pool.run(text.slice(0, SAMPLE), { signal, caller }).catch((error: unknown) => {
      if (error instanceof PoolError) return null;
      throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }
}
