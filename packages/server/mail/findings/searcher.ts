import { AppError } from '@mailroom/behavior/values/error';
import type * as Library from '@mailroom/findings';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { Finding } from '../../core/entities/finding.ts';
import type { FindEvidence, Found } from '../../core/review/evidence.ts';
import type { MessageTask, SearchTask } from './search.ts';

/** Characters from which a search takes more than a millisecond, and so a thread. */
const LONG = 16 * 1024;
/** Milliseconds for one text; a mebibyte takes some 100. */
const RUN_MS = 30_000;
/** Characters of a text that is remembered with its findings. */
const SHORT = 4 * 1024;
const MAX_QUEUE = 10_000;
/** Texts whose findings are remembered: what a behavior answers is often the same. */
const MAX_REMEMBERED = 256;

/** Looks for evidence in messages: in short texts at once, in long ones and in files on a thread. */
export class FindingSearch implements FindEvidence, AsyncDisposable {
  readonly #pool = new Pool<SearchTask, readonly Finding[]>({
    name: 'findings',
    script: new URL('./worker.ts', import.meta.url),
    workers: 1,
    max_queue: MAX_QUEUE,
    run_ms: RUN_MS,
    resource_limits: { maxOldGenerationSizeMb: 512 },
  });
  /** Loaded with the first message that is looked at, as its libraries cost a start some 50 ms. */
  #library: typeof Library | undefined;
  readonly #answers = new Map<string, { readonly data: string | null; readonly found: readonly Finding[] }>();
  readonly #arrived = new Map<string, readonly Finding[]>();

  outgoing: FindEvidence['outgoing'] = ({ subject, body, html, data, attachments }, recipients_count) => {
    const content = { text: body, subject, html, data, files: attachments ?? [], recipients_count };
    const length = body.length + (html?.length ?? 0) + (data?.length ?? 0);
    return this.#found({ kind: 'outgoing', content }, length);
  };

  answer: FindEvidence['answer'] = (body, data) => {
    const known = this.#answers.get(body);
    if (known !== undefined && known.data === data) return known.found;
    const length = body.length + (data?.length ?? 0);
    const found = this.#found({ kind: 'outgoing', content: { text: body, data, recipients_count: 1 } }, length);
    if (length >= LONG) return found;
    if (found instanceof Promise) return found.then((late) => this.#remember(body, data, late));
    return this.#remember(body, data, found);
  };

  incoming: FindEvidence['incoming'] = (content) => {
    const length = content.text.length + (content.hidden?.text.length ?? 0);
    if (length >= SHORT || content.files.length > 0) return this.#found({ kind: 'incoming', content }, length);
    // A server that answers often answers the same.
    const key = JSON.stringify(content);
    const known = this.#arrived.get(key);
    if (known !== undefined) return known;
    const found = this.#found({ kind: 'incoming', content }, length);
    if (found instanceof Promise) return found;
    if (this.#arrived.size >= MAX_REMEMBERED) this.#arrived.clear();
    this.#arrived.set(key, found);
    return found;
  };

  file: FindEvidence['file'] = (kind, place, { filename, content_type }, bytes) =>
    this.#onThread({ kind: `${kind}_file`, file: { filename, content_type }, place, bytes });

  #remember(body: string, data: string | null, found: readonly Finding[]): readonly Finding[] {
    if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
    this.#answers.set(body, { data, found });
    return found;
  }

  #now(task: MessageTask, { incomingFindings, outgoingFindings }: typeof Library): readonly Finding[] {
    return task.kind === 'outgoing' ? outgoingFindings(task.content) : incomingFindings(task.content);
  }

  #found(task: MessageTask, length: number): Found {
    if (length >= LONG) return this.#onThread(task);
    if (this.#library !== undefined) return this.#now(task, this.#library);
    return import('@mailroom/findings').then((library) => {
      this.#library = library;
      return this.#now(task, library);
    });
  }

  /** AppError `unavailable`. */
  async #onThread(task: SearchTask): Promise<readonly Finding[]> {
    try {
      return await this.#pool.run(task);
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      throw new AppError('unavailable', 'The message cannot be looked at now. Send it again later.');
    }
  }

  /** Ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }
}
