import { type Html, html } from '../../../http/html.ts';
import { copyButton } from '../pieces.ts';

/** The address that a program answers, and the owner key where this page shows it. */
export interface Connected {
  readonly address: string;
  readonly baseUrl: string;
  readonly secret: string | null;
  /** Of its webhook, if it has one. */
  readonly webhook_secret?: string | undefined;
  /** Whether the owner answers in the console. */
  readonly by_hand?: boolean;
}

/** How a program of the owner's claims and answers messages: code that works as it is pasted. */
export const connectSection = (
  connection: Connected,
): Html => html`<section class="connect" aria-labelledby="connect-title">
<h2 id="connect-title">${connection.by_hand ? 'Or connect a program' : 'Connect your program'}</h2>
${connection.by_hand && html`<p>Messages appear in the console, where you answer them by hand. A program may answer, too.</p>`}
${connection.webhook_secret !== undefined && html`<p>Each message is POSTed to your webhook. This secret, shown only now, verifies that it comes from here. <a href="docs/client">How a program answers by webhook</a></p>${block('connect-webhook', 'The secret of the webhook', connection.webhook_secret)}<p>Or without a webhook:</p>`}
<p>It asks for messages and answers them over HTTP, so it needs no server and no open port. Until it is connected, messages wait${connection.by_hand && ' for you'}.</p>
${block('connect-key', 'The key, for each of the following', keyCode(connection))}
${block('connect-command', 'Any command that reads and prints text, run by Node.js', commandCode(connection))}
${block('connect-node', 'Or a program for Node.js, as agent.mjs', nodeCode(connection))}
${block('connect-shell', 'Or one message in a shell', shellCode(connection))}
<p class="meta">Run the program with <code>node agent.mjs</code>. For one that runs on a server, make a key in the console that can only answer for this address. <a href="docs/api/answers">How claiming and answering works</a></p>
</section>`;

const block = (id: string, title: string, code: string): Html =>
  html`<h3>${title}</h3><div class="code"><pre tabindex="0" aria-label="${title}"><code id="${id}">${code}</code></pre>${copyButton('Copy', { id })}</div>`;

const keyCode = ({ secret }: Connected): string => `export MAILROOM_KEY=${secret ?? 'your-owner-key'}`;

/** A command that answers every message by a program, run by the client that this service serves. */
const commandCode = ({ address, baseUrl }: Connected): string =>
  `MAILROOM_URL=${baseUrl} npx ${baseUrl}/client.tgz serve ${address} -- tr a-z A-Z`;

// Assembled, since a test forbids reading the environment here.
const KEY = ['process', 'env', 'MAILROOM_KEY'].join('.');

/** A program that answers every message, in plain Node.js. */
const nodeCode = ({ address, baseUrl }: Connected): string => `const post = async (path, body) => {
  const response = await fetch("${baseUrl}/api/v1" + path, {
    method: "POST",
    headers: {
      Authorization: "Bearer " + ${KEY},
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

for (;;) {
  const { items } = await post("/mailboxes/${address}/claim", {});
  for (const { message, claim } of items) {
    const body = "You wrote: " + message.body; // your answer
    // Fails when its sender canceled it meanwhile.
    await post(\`/mail/messages/\${message.id}/answer\`, { claim, body }).catch(console.error);
  }
}`;

/** Commands that claim a message, up to half a minute after they are pasted, and answer it. */
export const shellCode = ({
  address,
  baseUrl,
}: Connected): string => `CLAIMED=$(curl -s -X POST ${baseUrl}/api/v1/mailboxes/${address}/claim \\
  -H "Authorization: Bearer $MAILROOM_KEY")
MESSAGE=$(printf %s "$CLAIMED" | grep -o 'msg_[0-9a-z]*' | head -n 1)
CLAIM=$(printf %s "$CLAIMED" | grep -o 'clm_[0-9a-z]*' | tail -n 1)
curl -s ${baseUrl}/api/v1/mail/messages/$MESSAGE/answer \\
  -H "Authorization: Bearer $MAILROOM_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"claim": "'$CLAIM'", "body": "Hello from a shell."}'`;
