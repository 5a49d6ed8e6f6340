import { distinct, type Match } from './finding.ts';
import { Grams } from './grams.ts';
import { passwords } from './passwords.ts';
import { original, withoutFormat } from './projection.ts';
import { secretlintSecrets } from './secretlint.ts';
import { tokens } from './tokens.ts';

/** Secrets in a text: keys, tokens, logins and passwords, each once. */
export function secrets(text: string): Match[] {
  // What shows nothing is outside ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return distinct(secretsIn(text, new Grams(text)));
  const visible = withoutFormat(text);
  return original(visible, distinct(secretsIn(visible.text, new Grams(visible.text))));
}

/** Secrets of each kind that a text may have by its sequences of characters; some are found twice. */
export const secretsIn = (text: string, grams: Pick<Grams, 'mayHave' | 'isAscii'>): Match[] => [
  ...tokens(text, grams),
  ...secretlintSecrets(text, grams),
  ...passwords(text, grams),
];
