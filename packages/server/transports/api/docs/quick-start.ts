import { startOf } from './curl.ts';
import type { ApiDocument } from './document.ts';
import type { Scene } from './samples.ts';

export const JSON_HEADER = "-H 'Content-Type: application/json'";
export const AUTH = '-H "Authorization: Bearer $MAILROOM_KEY"';

/** The proofreader that the examples write to. */
export const proofreader = ({ namespace, mailDomain, names }: Scene): string =>
  `${names.proofreader}@${namespace}.${mailDomain}`;

export const fence = (lines: readonly string[], language = 'sh'): string =>
  `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;

/** From no account to an own address, as Markdown. */
export function quickStart(document: ApiDocument, scene: Scene): string {
  const base = document.servers[0]?.url ?? '';
  const to = proofreader(scene);
  const body = 'She have two cat.';
  return `## Quick start

Commands for a shell that work as pasted. An address can be reached over HTTP, on its page, and by e-mail where the operator receives it.

### Send a message

This needs no key. The answer holds the message with its \`status\` and, when that is \`completed\`, the \`reply\`.

${fence([`curl -s ${base}/api/v1/mail/try \\`, `  ${JSON_HEADER} \\`, `  -d '${JSON.stringify({ to, body })}'`])}

### Create a namespace

No account, no form. The answer holds an owner key, shown once; this keeps it in \`$MAILROOM_KEY\` for the commands below. Choose a name of your own instead of \`ada-…\`.

${fence([...startOf(base, scene), 'echo "$NAMESPACE: $MAILROOM_KEY"'])}

### Send with your key

[Send](/docs/api/messages#sendMessage) with \`"sync": true\` waits for the reply and answers with it: as text for people in \`reply.body\`, as data in \`reply.data\`. [Status of a message](/docs/api#status-of-a-message) lists the other outcomes.

${fence([`curl -s ${base}/api/v1/mail/send \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -d '${JSON.stringify({ to, body, sync: true })}'`])}

### Make an address that answers

Choose [how it answers](/docs/api/behaviors#listBehaviors). Then anyone can write to \`${scene.names.proofreader}@$NAMESPACE.${scene.mailDomain}\`.

${fence([`curl -s ${base}/api/v1/namespaces/$NAMESPACE/mailboxes \\`, `  ${AUTH} \\`, `  ${JSON_HEADER} \\`, `  -d '{"local_part":"${scene.names.proofreader}","behavior":{"name":"${scene.names.proofreader}"}}'`])}`;
}
