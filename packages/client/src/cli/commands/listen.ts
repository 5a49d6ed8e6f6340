import { createHmac } from 'node:crypto';
import type { Event } from '../../types.generated.ts';
import { type Command, type Context, textOf, textsOf, UsageError } from '../command.ts';
import { eventTypes } from '../event-types.ts';
import { jsonOf, oneLine } from '../terminal.ts';
import { interruptions, reachable, shortTime } from './shared.ts';

/** As a webhook gives an endpoint. */
const ATTEMPT_MS = 15_000;
/** Requests in progress, as a webhook has to one endpoint. */
const MAX_FORWARDS = 8;
const DEFAULT_TYPES = ['message.*'];

/** The same for a key each time, so that a program under development keeps it. */
const secretFor = (key: string): string =>
  `whsec_${createHmac('sha256', key).update('mailroom webhooks listen').digest('base64')}`;

function signed(id: string, body: string, secret: string): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
}

function targetOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '')
    throw new UsageError(`"${given}" is no URL to forward to. Give one such as http://localhost:3000/mailroom.`);
  return url.href;
}

/** Posts an event as a webhook does; the result is a status, or why there is none. */
async function forward(event: Event, url: string, secret: string, signal: AbortSignal): Promise<number | string> {
  const body = JSON.stringify(event);
  const limit = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(event.id, body, secret) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    if (limit.aborted) return `no answer within ${ATTEMPT_MS / 1000} s`;
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    return cause?.code === 'ECONNREFUSED' ? 'nothing listens there' : (cause?.code ?? message);
  }
}

function report({ terminal, json }: Context, { id, type, created_at }: Event, result: number | string): void {
  const status = typeof result === 'number' ? result : null;
  const arrived = status !== null && status >= 200 && status < 300;
  if (json) {
    const error = typeof result === 'number' ? null : result;
    terminal.line(jsonOf({ event_id: id, type, status, error, arrived }));
    return;
  }
  const when = terminal.style('dim', shortTime(created_at));
  const how = terminal.style(arrived ? 'green' : 'red', oneLine(String(result)));
  terminal.line([when, how, type, id].join('  '));
}

export const listen: Command = {
  name: 'webhooks listen',
  summary: 'Forward events to a program on this machine as a webhook would, until Ctrl-C',
  args: 'URL',
  count: [0, 1],
  options: {
    type: {
      type: 'string',
      short: 't',
      multiple: true,
      value: 'TYPE',
      help: 'which events, such as message.completed, message.* (the default) or *',
    },
    mailbox: { type: 'string', short: 'm', value: 'ADDRESS', help: 'only what happens at this address' },
    after: { type: 'string', value: 'EVENT', help: 'start after this event instead of now' },
    'print-secret': { type: 'boolean', help: 'print the secret of the signatures and do nothing else' },
  },
  examples: [
    ['webhooks listen http://localhost:3000/mailroom', 'No public URL is needed; nothing is stored or tried again'],
    ['webhooks listen --print-secret > hook.secret', 'The secret that it signs with, always the same for a key'],
    ['webhooks listen http://localhost:3000/mailroom -t message.failed -m do', 'Failures of one address'],
  ],
  async run(context) {
    const { terminal, signal, json, positionals } = context;
    const mailroom = context.client();
    const secret = secretFor(context.guest().key);
    if (context.values['print-secret'] === true) {
      if (json) terminal.json({ secret });
      else terminal.line(secret);
      return 0;
    }
    const url = targetOf(positionals[0] ?? '');
    const given = eventTypes(textsOf(context, 'type'));
    const types = given.length > 0 ? given : DEFAULT_TYPES;
    const address = (await reachable(mailroom, textOf(context, 'mailbox') ?? '', signal)).toLowerCase();
    const options = { signal, after: textOf(context, 'after'), types, onInterrupted: interruptions(terminal) };
    terminal.note(`Events go to ${url}, signed with ${secret}; Ctrl-C ends it.`);
    const forwards = new Set<Promise<void>>();
    try {
      for await (const event of mailroom.events(options)) {
        if (address !== '' && event.mailbox !== address) continue;
        const delivery = forward(event, url, secret, signal).then((result) => {
          forwards.delete(delivery);
          if (!signal.aborted) report(context, event, result);
        });
        forwards.add(delivery);
        if (forwards.size >= MAX_FORWARDS) await Promise.race(forwards);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    await Promise.all(forwards);
    return 0;
  },
};
