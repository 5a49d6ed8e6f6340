import { Mailroom, MailroomError, verifyWebhook } from '../../dist/index.js';
import type { Result } from './scenario.ts';
import type { Task } from './suite.ts';

/** The arguments of all operations, each of which has those that it reads. */
interface Args {
  readonly to?: string;
  readonly key?: string;
  readonly timeout?: number;
  readonly retries?: number;
  readonly max?: number;
  readonly after?: string;
  readonly count: number;
  readonly id: string;
  readonly filename: string;
  readonly text: string;
  readonly streamed: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string | readonly string[];
  readonly now: number;
}

const TO = 'echo@ada.mailroom.localhost';

async function* streamed(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(text);
}

async function resultOf({ url, call: { do: verb, args = {} } }: Task): Promise<unknown> {
  const given = args as unknown as Args;
  const seconds = given.timeout;
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const to = given.to ?? TO;
  const mailroom = new Mailroom({ url, key: given.key ?? 'k', maxRetries: given.retries ?? 3 });
  switch (verb) {
    case 'me':
      return (await mailroom.keys.me({ timeoutMs })).namespace;
    case 'send':
      return (await mailroom.send(to, 'Hi')).id;
    case 'ask':
      return (await mailroom.ask(to, 'Hi')).body;
    case 'wait':
      return (await mailroom.waitFor(given.id, { timeoutMs })).status;
    case 'list':
      return (await mailroom.messages.listSent().all(given.max)).map(({ id }) => id);
    case 'approve':
      return (await mailroom.messages.approve('msg_1')).id;
    case 'revoke':
      return (await mailroom.keys.revoke('key_1')) ?? null;
    case 'events': {
      const ids: string[] = [];
      for await (const { id } of mailroom.events({ after: given.after })) {
        ids.push(id);
        if (ids.length === given.count) break;
      }
      return ids;
    }
    case 'upload': {
      const { filename, text } = given;
      const content = given.streamed ? streamed(text) : text;
      return (await mailroom.send(to, { body: 'Hi', files: [{ filename, content }] })).id;
    }
    case 'download':
      return (await mailroom.messages.getAttachment('att_1')).text();
    case 'verify':
      return verifyWebhook({ headers: given.headers, body: given.body }, given.secret, { now: given.now * 1000 });
  }
}

/** What the TypeScript client makes of a scenario. */
export async function run(task: Task): Promise<Result> {
  try {
    return { value: await resultOf(task) };
  } catch (error) {
    if (!(error instanceof MailroomError)) throw error;
    const { code, status = null, retry_after = null } = error;
    return { error: { code, status, retry_after } };
  }
}
