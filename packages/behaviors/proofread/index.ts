import type { Behavior, Context, Outcome } from '@mailroom/behavior';
import type { Host } from '@mailroom/behavior/host';
import type { LanguageModel } from '@mailroom/behavior/model';
import { SECOND } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import { DIALECTS, type English, englishOf } from '@mailroom/english-proofreader/dialect';
import { applyEdits } from '@mailroom/english-proofreader/edits';
import type { Reading } from '@mailroom/english-proofreader/reading';
import { Pool, PoolError } from '@mailroom/workers/pool';
import { Type } from 'typebox';
import { askModel, MAX_ASKED } from './ask.ts';
import { EXAMPLE } from './example.ts';
import { correctFiles } from './files.ts';
import { looks } from './looks.ts';
import { BY_MODEL, keptRanges, withModel } from './model-edits.ts';
import { Reader } from './reader.ts';
import { replyBody } from './reply.ts';
import { unknownRules } from './rule-names.ts';
import type { Task } from './worker.ts';

export interface ProofreadOptions {
  /** Number of threads, about 300 MB each, started with the first texts. */
  readonly workers: number;
  /** A shared pool, which its owner closes; by default an own pool. */
  readonly pool?: Pool<Task, Reading> | undefined;
  /** Maximum texts that wait; further ones get an outcome that asks to retry. Default 1,000. */
  readonly max_queue?: number;
  /** Maximum time for a piece of text, in ms. Default 10,000. */
  readonly run_ms?: number;
  /** The model for mailboxes that are set to use it. */
  readonly model?: LanguageModel | undefined;
  /** Maximum wait for the model, in ms, which must be less than the time for handling a message. Default 60,000. */
  readonly model_ms?: number;
  /** Maximum tokens of the model for a message. Default 20,000. */
  readonly model_tokens?: number;
}

/** The pause after a thread had no processor time. */
const BUSY_MS = 5_000;

const Settings = Type.Object(
  {
    dialect: Type.Optional(
      Type.Enum([...DIALECTS], {
        description:
          'The English that is right here: its spelling, and the words that differ. Where none is set, it is told from each text, and spellings are left as they are.',
      }),
    ),
    engine: Type.Optional(
      Type.Enum(['harper', 'model'], {
        default: 'harper',
        description:
          'Who reads: rules on this machine (`harper`), or after them also the language model that this service is set to, which the corrected text then goes to (`model`). It falls back to Harper alone where there is no model, it does not answer, or the text is longer than 20 KB.',
      }),
    ),
    ignore: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 100,
        uniqueItems: true,
        description:
          'Ids of rules that find nothing here, as `rule` of a correction or a doubt names them, such as `after-opening-clause`; all are at /docs/proofreading.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Settings = Type.Static<typeof Settings>;

/** For a mail of a subject alone, which is not read: positions of corrections are those of the text. */
const NO_TEXT: Outcome = {
  kind: 'input_required',
  body: 'There is no text to correct: only the text of a message is read, not its subject. Write it there, or attach it as plain text or Markdown.',
};

/** A text as it was read and corrected. */
interface Correction {
  readonly english: English;
  readonly reading: Reading;
  readonly corrected_text: string;
}

/** The settings of the operator that it reads. */
interface OperatorSettings {
  readonly PROOFREAD_WORKERS: number;
  readonly PROOFREAD_QUEUE: number;
  readonly RUN_SECONDS: number;
  readonly MODEL_SECONDS: number;
  readonly MODEL_TOKENS: number;
}

export default function proofread({ settings, model, shared }: Host): Behavior {
  const { PROOFREAD_WORKERS: workers, PROOFREAD_QUEUE: max_queue, ...given } = settings as unknown as OperatorSettings;
  const { RUN_SECONDS, MODEL_SECONDS, MODEL_TOKENS: model_tokens } = given;
  const run_ms = RUN_SECONDS * SECOND;
  // Leaves Harper the time to answer instead.
  const model_ms = Math.min(MODEL_SECONDS, RUN_SECONDS * 0.8) * SECOND;
  const pool = shared('threads that proofread', () => makeProofreadPool({ workers, max_queue, run_ms }));
  return makeProofread({ workers, pool, model, model_ms, model_tokens }) as Behavior;
}

/** A proofreading behavior; its pool of threads reports the state `pool` for metrics. */
export interface Proofread extends Behavior<Settings> {
  readonly pool: Pool<Task, Reading>;
}

/** Threads that proofread; they start with the first texts. */
export const makeProofreadPool = ({
  workers,
  max_queue = 1_000,
  run_ms = 10_000,
}: Pick<ProofreadOptions, 'workers' | 'max_queue' | 'run_ms'>): Pool<Task, Reading> =>
  new Pool({ name: 'proofread', script: new URL('./worker.ts', import.meta.url), workers, max_queue, run_ms });

/** The behavior `proofread`: corrects English and explains each correction. Its threads start with the first message. */
export function makeProofread(options: ProofreadOptions): Proofread {
  const { workers, model, model_ms = 60_000, model_tokens = 20_000 } = options;
  const pool = options.pool ?? makeProofreadPool(options);
  const reader = new Reader(pool, workers);
  /** The first text takes a second or more, because the threads start with it. */
  let prepared = false;

  async function correct(text: string, context: Context<Settings>): Promise<Correction> {
    const { dialect: set, engine = 'harper', ignore = [] } = context.settings;
    const english = englishOf(set, text);
    const report = (read: number, of: number): void => context.report(`Read ${read} of ${of} parts`);
    const found = await reader.read(text, { ...english, ignore }, context.signal, report, context.caller);
    // The rules read the text first, which costs little, tells the language and gives an answer to fall back to.
    const asks = engine === 'model' && found.language === 'en' && found.words > 0;
    let reading = found;
    if (model !== undefined && asks && Buffer.byteLength(text) <= MAX_ASKED) {
      context.report('Asking the model');
      const kept = keptRanges(found);
      const asking = { signal: context.signal, wait_ms: model_ms, max_tokens: model_tokens, kept };
      const edits = await askModel(model, applyEdits(text, found.edits), english.dialect, asking);
      if (edits !== undefined) reading = withModel(text, found, edits);
    }
    return { english, reading, corrected_text: applyEdits(text, reading.edits) };
  }

  return {
    name: 'proofread',
    title: 'Proofreader',
    description: 'Corrects spelling, grammar and punctuation of English text, and gives a reason for each correction.',
    looks,
    settings: Settings,
    settingsErrors: ({ ignore = [] }) => unknownRules(ignore),
    asksModel: true,
    example: EXAMPLE,
    pool,
    async handle({ body, channel }, context): Promise<Outcome> {
      const { list } = context.attachments;
      if (channel === 'smtp' && body.trim() === '' && list.length === 0) return NO_TEXT;
      try {
        const { english, reading, corrected_text } = await correct(body, context);
        const { language, doubts, passed_over } = reading;
        const edits = reading.edits.map(({ rule, ...edit }) => ({
          ...edit,
          ...(rule === BY_MODEL && { by: 'model' }),
        }));
        const passed = Object.values(passed_over).some((words) => words > 0) && { passed_over };
        const { dialect } = english;
        const data = { language, dialect, corrected_text, edits, doubts, ...passed } as unknown as JsonObject;
        const text = replyBody(corrected_text, reading, english);
        if (list.length === 0) return { kind: 'reply', body: text, data };
        const files = await correctFiles(context.attachments, context.clock, async (content) => {
          const done = await correct(content, context);
          const { language: found, words, edits: made, doubts: left, sure } = done.reading;
          const english = found === 'en' || words === 0;
          return { text: done.corrected_text, edits: made.length, doubts: left.length, english, sure };
        });
        return {
          kind: 'reply',
          body: body.trim() === '' ? files.text : `${text.trimEnd()}\n\n${files.text}`,
          data: { ...data, files: files.data as unknown as Json },
          attachments: files.attachments,
        };
      } catch (error) {
        return whatToDo(error, reader.backlog_ms);
      }
    },
    prepare() {
      if (prepared) return;
      prepared = true;
      // Errors reach the sender with the first message, so preparation ignores them.
      reader
        .read('This is read.', { ...englishOf(undefined, ''), ignore: [] }, new AbortController().signal)
        .catch(() => {});
    },
    close: async () => {
      if (options.pool === undefined) await pool.close();
    },
  };
}

/** The outcome for an error of this behavior; cancellations and unexpected errors are rethrown. */
function whatToDo(error: unknown, backlog_ms: number): Outcome {
  if (!(error instanceof PoolError)) throw error;
  if (error.reason === 'full') {
    return { kind: 'retry', after_ms: Math.max(1_000, backlog_ms), detail: 'Too many texts are waiting to be read.' };
  }
  // Reading has no effects, so that it can be repeated.
  if (error.silent) {
    return {
      kind: 'retry',
      after_ms: Math.max(BUSY_MS, backlog_ms),
      detail: 'This service is too busy to read the text now. Send it again later.',
    };
  }
  if (error.reason === 'closed') return { kind: 'retry', after_ms: 1_000, detail: 'The service is stopping.' };
  return {
    kind: 'fail',
    detail: 'A part of the text could not be read: it took too long or made the reader fail. Send it in parts.',
  };
}
