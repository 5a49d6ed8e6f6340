import { channel } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { PoolError } from '@mailroom/workers/pool';
import { domainOf } from './addresses.ts';
import { networks } from './networks.ts';
import type { MailTask } from './read.ts';
import type { ReadMail } from './read-mail.ts';
import { ReaderThreads } from './reader-threads.ts';
import type { WorkerData } from './worker.ts';

/** A mail as it was transmitted (RFC 5321). */
export interface MailSource {
  /** Its bytes, which are not to be changed until it is read. */
  readonly raw: Uint8Array<ArrayBuffer>;
  /** Of the client that sent it; null when another server took it before and the client is unknown: then SPF is `none`. */
  readonly ip: string | null;
  /** What EHLO, HELO or LHLO said; '' when nothing. */
  readonly helo: string;
  /** The address of MAIL FROM; '' for the null path. */
  readonly from: string;
  /** Its client logged in as the sender, who needs no other proof. */
  readonly logged_in?: boolean;
}

export interface MailReaderOptions {
  /** The host name of this server. */
  readonly mta: string;
  /** `SMTP_TRUSTED`: networks whose senders need no proof, such as `127.0.0.0/8`. RangeError for what is none. */
  readonly trusted?: readonly string[];
  /** Name servers, as `address` or `address:port`; those of the system by default. */
  readonly dns_servers?: readonly string[];
  /** How long the first try of a question may take, in ms. Default: 2,000. */
  readonly dns_timeout_ms?: number;
  /** Whether mail from this domain (in lower case) is our own. */
  readonly ours: (domain: string) => boolean | Promise<boolean>;
  /** Domains whose ARC seals prove what they forwarded; none by default, since anyone may seal anything. */
  readonly arc_sealers?: readonly string[];
  /** Maximum number of threads. Default: one for each core, up to 4. */
  readonly threads?: number;
  /** Maximum number of mails that a thread reads; one works while the others wait for name servers. Default: 32. */
  readonly together?: number;
  /** Maximum number of mails that wait. Default: 512. */
  readonly max_queue?: number;
  /** Maximum size in bytes of the mails that wait or are read; one alone may be larger. Default: 256 MiB. */
  readonly max_bytes?: number;
}

const finished = channel('mailroom:mail:read');

/** Processor time of a mail in ms. */
const CPU_MS = 5_000;
/** How long a thread with work may answer nothing, in ms; name servers may take a third of it. */
const SILENT_MS = 30_000;
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/**
 * Reads mails on threads: their parts, their text without what it quotes, and who they are from. A mail that takes too
 * long, or too much memory, costs only itself.
 */
export class MailReader implements AsyncDisposable {
  readonly #threads: ReaderThreads<MailTask, ReadMail | undefined>;
  readonly #trusted: (ip: string) => boolean;
  readonly #ours: (domain: string) => boolean | Promise<boolean>;
  readonly #max_bytes: number;
  #bytes = 0;

  constructor(options: MailReaderOptions) {
    const { threads = Math.min(4, availableParallelism()), together = 32, max_queue = 512 } = options;
    const { max_bytes = 256 * 1024 * 1024, trusted = [] } = options;
    this.#trusted = networks(trusted);
    this.#ours = options.ours;
    this.#max_bytes = max_bytes;
    const data: WorkerData = {
      mta: options.mta,
      arc_sealers: (options.arc_sealers ?? []).map((domain) => domain.toLowerCase()),
      dns_servers: options.dns_servers ?? [],
      dns_timeout_ms: options.dns_timeout_ms ?? 2_000,
      cpu_ms: CPU_MS,
    };
    this.#threads = new ReaderThreads({
      script: new URL('./worker.ts', import.meta.url),
      data,
      threads,
      together,
      max_queue,
      cpu_ms: CPU_MS,
      silent_ms: SILENT_MS,
      resource_limits: LIMITS,
    });
  }

  /** The number of mails that wait for a thread. */
  get queued(): number {
    return this.#threads.queued;
  }

  /**
   * Reads a mail, whatever it says. PoolError `full`: try later; `timeout`, `crashed`: this mail takes too much time or
   * memory, and would again; `closed`. Rejects with the signal's reason.
   */
  async read({ raw, ip, helo, from, logged_in = false }: MailSource, signal?: AbortSignal): Promise<ReadMail> {
    const size = raw.byteLength;
    if (this.#bytes > 0 && this.#bytes + size > this.#max_bytes)
      throw new PoolError('full', `Mails of ${this.#bytes} bytes are being read.`);
    // A part of a larger buffer would be copied with all of that.
    const bytes = raw.byteLength === raw.buffer.byteLength ? raw : raw.slice();
    const trusted = logged_in ? 'login' : ip !== null && this.#trusted(ip) ? 'network' : undefined;
    const task: MailTask = { raw: bytes, ip, helo, from, trusted };
    this.#bytes += size;
    const from_ms = performance.now();
    let outcome = 'read';
    try {
      // Senders of one network take turns with others, so that slow name servers of one hold up its own mails.
      const caller = ip === null || trusted !== undefined ? '' : ip;
      const mail = await this.#threads.run(task, caller, signal, size);
      if (mail === undefined) throw new PoolError('timeout', `It took more than ${CPU_MS} ms of processor time.`);
      for (const address of [from, mail.from?.address ?? ''])
        if (address !== '' && (await this.#ours(domainOf(address).toLowerCase()))) return { ...mail, automatic: 'own' };
      return mail;
    } catch (error) {
      outcome = error instanceof PoolError ? error.reason : 'failed';
      throw error;
    } finally {
      finished.publish({ outcome, ms: performance.now() - from_ms });
      this.#bytes -= size;
    }
  }

  /** Ends the threads; mails that are being read reject with `closed`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads.close();
  }
}
