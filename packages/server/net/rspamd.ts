import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { Pool } from 'undici';
import type { ReceivedMail, SpamFilter, SpamVerdict } from '../core/ports/spam-filter.ts';
import { readBody } from './body.ts';
import { explained } from './guarded-connect.ts';

export interface RspamdOptions {
  /** `RSPAMD_URL`: of its normal worker, such as `http://127.0.0.1:11333`. It is the operator's, so it may be private. */
  readonly url: string;
  /** Time limit of one mail; 10 s by default, 2 s more than rspamd gives itself (`task_timeout`). */
  readonly ms?: Millis;
}

const JUDGE_MS: Millis = 10 * SECOND;
/** Mails that are judged at a time; more wait, within their time. */
const CONNECTIONS = 8;
const ANSWER_BYTES = 256 * 1024;
const MAX_SYMBOLS = 50;
/** Recipients that are named; rspamd looks at few. */
const MAX_RECIPIENTS = 50;
const MAX_VALUE = 1_000;
/** The actions of rspamd by which a mail is spam; `greylist` and `soft reject` ask to wait. */
const SPAM: ReadonlySet<string> = new Set(['reject', 'quarantine', 'add header', 'rewrite subject']);

/** What a client sent, without what would end or break a header. */
const headerValue = (text: string): string => text.slice(0, MAX_VALUE).replace(/[^\x21-\x7e]/g, '?');

const headersOf = ({ from, recipients, ip, helo }: ReceivedMail): Record<string, string | string[]> => ({
  'content-type': 'message/rfc822',
  from: headerValue(from),
  rcpt: recipients.slice(0, MAX_RECIPIENTS).map(headerValue),
  ...(ip !== null && { ip: headerValue(ip) }),
  ...(helo !== '' && { helo: headerValue(helo) }),
});

const unknown = (reason: string): SpamVerdict => ({ kind: 'unknown', reason });

/** An rspamd, asked over HTTP (`POST /checkv2`). Dispose of it to close its connections. */
export class Rspamd implements SpamFilter, AsyncDisposable {
  readonly #url: URL;
  readonly #ms: Millis;
  #pool: Promise<Pool> | undefined;

  constructor({ url, ms = JUDGE_MS }: RspamdOptions) {
    this.#url = new URL(url);
    this.#ms = ms;
  }

  async judge(mail: ReceivedMail, signal: AbortSignal): Promise<SpamVerdict> {
    using deadline = new TimeLimit(this.#ms, signal);
    try {
      return await this.#judge(mail, deadline.signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { host } = this.#url;
      if (deadline.signal.aborted) return unknown(`${host} did not answer within ${Math.ceil(this.#ms / SECOND)} s.`);
      return unknown(error instanceof SyntaxError ? `${host} did not answer with JSON.` : explained(error, host));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #judge(mail: ReceivedMail, signal: AbortSignal): Promise<SpamVerdict> {
    // One deadline covers everything. Imported on first use, so that a start need not wait for it.
    this.#pool ??= import('undici').then(
      ({ Pool }) => new Pool(this.#url.origin, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 }),
    );
    const { host, pathname } = this.#url;
    const { statusCode, body } = await (await this.#pool).request({
      path: `${pathname.replace(/\/$/, '')}/checkv2`,
      method: 'POST',
      headers: headersOf(mail),
      body: mail.raw,
      signal,
    });
    const { bytes, cut } = await readBody(body, '', ANSWER_BYTES);
    if (statusCode !== 200) return unknown(`${host} answered with status ${statusCode}.`);
    if (cut) return unknown(`${host} answered with more than ${ANSWER_BYTES} bytes.`);
    return verdictOf(JSON.parse(bytes.toString()), host);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function verdictOf(answer: unknown, host: string): SpamVerdict {
  if (!isObject(answer) || typeof answer.action !== 'string' || typeof answer.score !== 'number')
    return unknown(`${host} did not answer with a score and an action.`);
  const { action, score, symbols } = answer;
  const counted = Object.values(isObject(symbols) ? symbols : {}).flatMap((symbol) =>
    isObject(symbol) && typeof symbol.name === 'string' && typeof symbol.score === 'number'
      ? [{ name: symbol.name, score: symbol.score }]
      : [],
  );
  return {
    kind: 'judged',
    spam: SPAM.has(action),
    score,
    action,
    symbols: counted.sort((a, b) => Math.abs(b.score) - Math.abs(a.score)).slice(0, MAX_SYMBOLS),
  };
}
