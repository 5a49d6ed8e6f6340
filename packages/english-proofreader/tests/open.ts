import type { Context, Incoming } from '@mailroom/behavior';
import { makeProofread, type ProofreadOptions, type Settings } from '@mailroom/proofread';
import { PROOFREAD_POOL } from '../../../tests/harness/threads.ts';
import type { Dialect } from '../dialect.ts';
import type { Doubt, Edit } from '../edits.ts';
import type { PassedOver } from '../reading.ts';

/** The `data` of a reply. */
export interface ProofreadData {
  readonly language: string | null;
  readonly dialect: Dialect;
  readonly corrected_text: string;
  readonly edits: readonly (Edit & { readonly by?: 'model' })[];
  readonly doubts: readonly Doubt[];
  readonly passed_over: PassedOver;
}

const NO_FILES: Context<Settings>['attachments'] = {
  list: [],
  open() {
    throw new Error('The message has no files.');
  },
};

/**
 * A proofreading behavior with real threads, and a function that sends it a text. Without `workers` it has the thread of
 * the process.
 */
export function openProofread({ workers, ...options }: Partial<ProofreadOptions> = {}) {
  const pool = workers === undefined ? { pool: PROOFREAD_POOL } : {};
  const behavior = makeProofread({ workers: workers ?? 1, run_ms: 60_000, ...pool, ...options });
  const reports: string[] = [];
  const report = (text: string): void => void reports.push(text);
  const handle = (body: string, settings: Settings = {}, signal = new AbortController().signal) =>
    behavior.handle({ body } as Incoming, { settings, signal, report, attachments: NO_FILES } as Context<Settings>);
  return {
    behavior,
    handle,
    /** The reports of all texts, in order. */
    reports,
    async send(body: string, settings: Settings = {}): Promise<{ body: string; data: ProofreadData }> {
      const outcome = await handle(body, settings);
      if (outcome.kind !== 'reply') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
      return { body: outcome.body, data: outcome.data as unknown as ProofreadData };
    },
    [Symbol.asyncDispose]: () => behavior.close?.() ?? Promise.resolve(),
  };
}
