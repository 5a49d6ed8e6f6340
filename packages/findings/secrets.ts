import type { Match } from './finding.ts';
import { distinct } from './finding.ts';
import { passwords } from './passwords.ts';
import { original, withoutFormat } from './projection.ts';
import { secretlintSecrets } from './secretlint.ts';
import { tokens } from './tokens.ts';

/** Secrets in a text: keys, tokens, logins and passwords, each once. */
export function secrets(text: string): Match[] {
  const visible = withoutFormat(text);
  const matches = [...tokens(visible.text), ...secretlintSecrets(visible.text), ...passwords(visible.text)];
  return original(visible, distinct(matches));
}
