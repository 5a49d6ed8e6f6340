import type { Match } from './finding.ts';
import { distinct } from './finding.ts';
import { passwords } from './passwords.ts';
import { original, withoutFormat } from './projection.ts';
import { secretlintSecrets } from './secretlint.ts';
import { tokens } from './tokens.ts';

/** What every key, token and login has: so many characters without a blank, a URL, or its name in a connection string. */
const LIKELY = /\S{15}|:\/\/|password|pwd/i;

/** Secrets in a text: keys, tokens, logins and passwords, each once. */
export function secrets(text: string): Match[] {
  const visible = withoutFormat(text);
  const long = LIKELY.test(visible.text) ? [...tokens(visible.text), ...secretlintSecrets(visible.text)] : [];
  const matches = [...long, ...passwords(visible.text)];
  return original(visible, distinct(matches));
}
