import type { Behavior } from '@mailroom/behavior';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { looksOf } from './looks.ts';

/** The examples that the owner chose. */
function ownExamples({ examples }: Mailbox['settings']): readonly string[] {
  if (!Array.isArray(examples)) return [];
  return examples.filter((one) => typeof one === 'string' && one.trim() !== '');
}

/** Example messages to click that show what a mailbox does. */
export function examplesOf(
  mailbox: Pick<Mailbox, 'behavior' | 'settings'>,
  behavior: Behavior | undefined,
): readonly string[] {
  const own = ownExamples(mailbox.settings);
  if (own.length > 0) return own;
  const { examples } = behavior?.looks ?? looksOf(mailbox.behavior);
  return examples?.(mailbox.settings) ?? (behavior?.example === undefined ? [] : [behavior.example.body]);
}
