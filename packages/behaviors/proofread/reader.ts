import { type Chunk, cut } from '@mailroom/english-proofreader/cut';
import type { English } from '@mailroom/english-proofreader/dialect';
import { NO_WORDS, type PassedOver, type Reading } from '@mailroom/english-proofreader/reading';
import { type Pool, PoolError } from '@mailroom/workers/pool';
import type { Task } from './worker.ts';

/** Characters of a piece. Reading costs about 10 µs a character at any length; pieces let texts take turns. */
const PIECE = 2_000;
/** Characters of a smaller piece, into which a piece that took too long is cut. */
const SMALL_PIECE = 250;
/** Maximum characters that wait. */
const MAX_BACKLOG = 4_000_000;
/** How long a text may wait for its turn, in ms per character, so that short texts are due first and long ones eventually. */
const DUE_MS = 0.02;
const COST_MS = 0.012;

/** Reads texts piece by piece on a pool, so that a short text waits for a piece of a long one and never for the whole. */
export class Reader {
  readonly #pool: Pool<Task, Reading>;
  readonly #workers: number;
  #waiting = 0;
  readonly #byCaller = new Map<string, number>();

  constructor(pool: Pool<Task, Reading>, workers: number) {
    this.#pool = pool;
    this.#workers = workers;
  }

  /** Estimated time of the accepted work. */
  get backlog_ms(): number {
    return Math.ceil((this.#waiting * COST_MS) / this.#workers);
  }

  /** Rejects with a `PoolError` or with the signal's reason. Reports the number of read pieces where there are several. */
  async read(
    text: string,
    english: Wanted,
    signal: AbortSignal,
    onPiece: (read: number, of: number) => void = () => {},
    caller = '',
  ): Promise<Reading> {
    const callerLength = this.#byCaller.get(caller) ?? 0;
    if (this.#waiting > MAX_BACKLOG || (caller !== '' && callerLength > MAX_BACKLOG / 4)) {
      throw new PoolError('full', `${this.#waiting} characters wait already, ${callerLength} of them yours.`);
    }
    this.#waiting += text.length;
    this.#byCaller.set(caller, callerLength + text.length);
    try {
      const due = performance.now() + text.length * DUE_MS;
      const pieces = cut(text, PIECE);
      const readings: Reading[] = [];
      const work = pieces.entries();
      let admitted = false;
      let read = 0;
      const takeTurns = async (): Promise<void> => {
        for (const [index, piece] of work) {
          readings[index] = await this.#readPiece(piece, english, { signal, due, admitted, caller });
          admitted = true;
          onPiece(++read, pieces.length);
        }
      };
      // Each text has one turn at a time on each thread; only its first piece may be refused.
      const first = pieces[0];
      if (first === undefined) return NO_WORDS;
      if (pieces.length === 1) return await this.#readPiece(first, english, { signal, due, admitted, caller });
      work.next();
      readings[0] = await this.#readPiece(first, english, { signal, due, admitted, caller });
      admitted = true;
      onPiece(++read, pieces.length);
      await Promise.all(Array.from({ length: this.#workers }, takeTurns));
      return join(pieces, readings);
    } finally {
      this.#waiting -= text.length;
      const left = (this.#byCaller.get(caller) ?? 0) - text.length;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
    }
  }

  async #readPiece({ text, offset, continues, continued }: Chunk, english: Wanted, options: Turn): Promise<Reading> {
    try {
      const reading = await this.#pool.run({ text, ...english, continues, continued }, options);
      return {
        ...reading,
        edits: moved(reading.edits, offset),
        doubts: moved(reading.doubts, offset),
        unread: reading.unread.map(([start, end]) => [start + offset, end + offset]),
      };
    } catch (error) {
      const isSlow = error instanceof PoolError && error.reason === 'timeout' && !error.silent;
      if (!isSlow || text.length <= SMALL_PIECE) throw error;
      const pieces = cut(text, SMALL_PIECE).map((piece) => ({ ...piece, offset: piece.offset + offset }));
      const readings: Reading[] = [];
      for (const piece of pieces) {
        readings.push(await this.#readPiece(piece, english, { ...options, admitted: true }));
      }
      return join(pieces, readings);
    }
  }
}

/** How a text is to be read. */
interface Wanted extends English {
  /** Ids of rules that find nothing. */
  readonly ignore?: readonly string[];
}

interface Turn {
  readonly signal: AbortSignal;
  readonly due: number;
  readonly admitted: boolean;
  readonly caller: string;
}

const moved = <Mark extends { readonly offset: number }>(marks: readonly Mark[], by: number): readonly Mark[] =>
  by === 0 ? marks : marks.map((mark) => ({ ...mark, offset: mark.offset + by }));

/** Joins the readings; the language of most of the text decides, and nothing is corrected when it is not English. */
function join(pieces: readonly Chunk[], readings: readonly Reading[]): Reading {
  const lengths = new Map<string | null, number>();
  for (const [index, { language }] of readings.entries()) {
    lengths.set(language, (lengths.get(language) ?? 0) + (pieces[index]?.text.length ?? 0));
  }
  const [[language] = [null]] = [...lengths].sort((a, b) => b[1] - a[1]);
  const words = sum(readings, (reading) => reading.words);
  const isRead = language === null || language === 'en';
  return {
    language,
    words,
    sure: readings.every((reading) => reading.sure),
    edits: isRead ? readings.flatMap((reading) => reading.edits) : [],
    doubts: isRead ? readings.flatMap((reading) => reading.doubts) : [],
    unread: readings.flatMap((reading) => reading.unread),
    passed_over: passedOver(readings),
  };
}

const passedOver = (readings: readonly Reading[]): PassedOver => ({
  other_language: sum(readings, ({ passed_over }) => passed_over.other_language),
  not_prose: sum(readings, ({ passed_over }) => passed_over.not_prose),
  unknown: sum(readings, ({ passed_over }) => passed_over.unknown),
});

const sum = (readings: readonly Reading[], count: (reading: Reading) => number): number =>
  readings.reduce((total, reading) => total + count(reading), 0);
