/** A step as a receipt names it. */
export interface ReceiptStep {
  readonly step: number;
  readonly task: string;
  readonly status: 'completed' | 'failed' | 'unknown' | 'skipped';
  readonly duration_ms: number | null;
  readonly effects: 'none' | 'reads' | 'writes';
  readonly error: string | null;
  /** Present for a tool of others. */
  readonly outside?: { readonly server: string; readonly url: string };
}

/** The fields that a reply's data needs to be shown as a receipt. */
export interface Receipt {
  readonly kind: 'receipt';
  readonly instruction_sha256: string;
  readonly planner: string;
  readonly steps: readonly ReceiptStep[];
  readonly issued_at: string;
  readonly jws: string;
}

const STATUSES: ReadonlySet<unknown> = new Set(['completed', 'failed', 'unknown', 'skipped']);
const EFFECTS: ReadonlySet<unknown> = new Set(['none', 'reads', 'writes']);

/** The receipt in a reply's data, if there is one. */
export function asReceipt(data: string | null): Receipt | undefined {
  if (data === null) return undefined;
  const { kind, instruction_sha256, planner, steps, issued_at, jws } = (JSON.parse(data) ?? {}) as Partial<Receipt>;
  const texts = [instruction_sha256, planner, issued_at, jws].every((text) => typeof text === 'string');
  if (kind !== 'receipt' || !texts || !Array.isArray(steps) || steps.length === 0) return undefined;
  const whole = steps.every(
    (item: Partial<ReceiptStep> | null) =>
      typeof item?.step === 'number' &&
      typeof item.task === 'string' &&
      STATUSES.has(item.status) &&
      EFFECTS.has(item.effects),
  );
  return whole ? (JSON.parse(data) as Receipt) : undefined;
}

/**
 * The Markdown of each step, where the reply is a list with one item per step: the text after the name of its task.
 * Undefined for a single step and for any other text.
 */
export function stepTexts(body: string, { steps }: Receipt): readonly string[] | undefined {
  if (steps.length < 2) return undefined;
  const heads = steps.map(({ step, task }) => `${step}. **${task}**`);
  const texts: string[] = [];
  let offset = 0;
  for (const [nth, head] of heads.entries()) {
    if (!body.startsWith(head, offset)) return undefined;
    const next = heads[nth + 1];
    const end = next === undefined ? body.length : body.indexOf(`\n\n${next}`, offset);
    if (end < 0) return undefined;
    const text = body.slice(offset + head.length, end);
    texts.push(text.startsWith('\n') ? text.replace(/^ {3}/gm, '').trim() : text.replace(/^:? /, ''));
    offset = end + 2;
  }
  return texts;
}
