import { asCorrections } from '../../core/values/corrections.ts';
import { asReceipt, stepTexts } from '../../core/values/receipt.ts';
import type { AnswerMarks } from './html.ts';

/**
 * How the HTML of a reply shows it: as corrections in the text that was sent, as a list of steps, or undefined for its
 * Markdown. `data` is the reply's, as JSON text; `sent` the body of the message that it answers.
 */
export function marksOf(
  reply: { readonly body: string; readonly data: string | null },
  sent: string,
): AnswerMarks | undefined {
  if (reply.data === null) return undefined;
  const corrections = asCorrections(JSON.parse(reply.data), sent);
  if (corrections !== undefined) return { kind: 'corrections', text: sent, corrections };
  const receipt = asReceipt(reply.data);
  const texts = receipt && stepTexts(reply.body, receipt);
  if (texts === undefined) return undefined;
  const steps = receipt?.steps.map(({ task, status, error }, index) => ({
    name: task,
    status,
    text: status === 'completed' ? (texts[index] ?? '') : (error ?? ''),
  }));
  return steps && { kind: 'steps', steps };
}
