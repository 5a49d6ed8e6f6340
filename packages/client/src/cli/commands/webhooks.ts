import type { Mailroom } from '../../mailroom.ts';
import type { Webhook, WebhookDelivery } from '../../types.generated.ts';
import { type Command, type Context, textOf, textsOf, UsageError } from '../command.ts';
import { confirm, ownAddress, shortTime, YES } from './shared.ts';

const BATCH = {
  type: 'string',
  value: 'N',
  help: 'up to N events in one request, 1 to 100; with more than 1 its body is a list',
} as const;

const ID = 'whk_0d8m3xk2q5v7w9y1a3c0';
const TYPE = {
  type: 'string',
  short: 't',
  multiple: true,
  value: 'TYPE',
  help: 'which events it gets, such as message.completed, message.* or *',
} as const;
const MAILBOX = { type: 'string', short: 'm', value: 'ADDRESS', help: 'only what happens at this address' } as const;

const OFF: Readonly<Record<string, string>> = { gone: 'off: it answered 410', failing: 'off: it failed for five days' };

const stateOf = ({ status, disabled_reason, failing_since }: Webhook): string => {
  if (status === 'disabled') return OFF[disabled_reason ?? ''] ?? 'off';
  return failing_since === null ? 'on' : 'failing';
};

/** A line about one delivery, for people. */
function report({ terminal, json }: Context, delivery: WebhookDelivery): void {
  if (json) terminal.json(delivery);
  else terminal.line(`${delivery.id} ${delivery.status}${delivery.error === null ? '' : `: ${delivery.error}`}`);
}

function secretOut({ terminal, json }: Context, webhook: Webhook & { readonly secret: string }): void {
  if (json) terminal.json(webhook);
  else {
    terminal.line(webhook.secret);
    terminal.note(`${webhook.id}: keep the secret, it is not shown again.`);
  }
}

/** The number of `--batch`. */
function batchOf(context: Context): number | undefined {
  const given = textOf(context, 'batch');
  if (given === undefined) return undefined;
  if (!/^(?:[1-9]\d?|100)$/.test(given)) throw new UsageError('--batch takes a number from 1 to 100.');
  return Number(given);
}

/** The address of `--mailbox`; a name alone is one of the namespace in use. */
async function mailboxOf(context: Context, mailroom: Mailroom): Promise<string | undefined> {
  const given = textOf(context, 'mailbox');
  return given === undefined ? undefined : ownAddress(mailroom, given, context.signal);
}

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks',
    summary: 'List the URLs to which events are sent',
    count: [0, 0],
    examples: [['webhooks', 'What each gets, and whether it is on']],
    async run(context) {
      const { terminal, json, signal } = context;
      const webhooks = await context.client().webhooks.list({ limit: 200 }, { signal }).all();
      if (json) terminal.json(webhooks);
      else
        terminal.table(
          ['ID', 'URL', 'TYPES', 'MAILBOX', 'STATE'],
          webhooks.map((webhook) => [
            webhook.id,
            webhook.url,
            webhook.types.join(' '),
            webhook.mailbox ?? '',
            stateOf(webhook),
          ]),
        );
      return 0;
    },
  },
  {
    name: 'webhooks add',
    summary: 'Have events sent to a URL; the secret of their signatures is printed, here and never again',
    args: 'URL',
    count: [1, 1],
    options: { type: TYPE, mailbox: MAILBOX, batch: BATCH },
    examples: [
      ['webhooks add https://example.com/mailroom > hook.secret', 'Everything about messages'],
      [
        'webhooks add https://example.com/failed -t message.failed -m do@ada.mailroom.localhost',
        'Failures of one address',
      ],
      ['webhooks add https://example.com/mailroom --batch 100', 'Many events in each request'],
    ],
    async run(context) {
      const [url = ''] = context.positionals;
      const types = textsOf(context, 'type');
      const mailroom = context.client();
      const mailbox = await mailboxOf(context, mailroom);
      const batch = batchOf(context);
      const body = {
        url,
        ...(types.length > 0 && { types }),
        ...(batch !== undefined && { batch }),
        ...(mailbox !== undefined && { mailbox }),
      };
      secretOut(context, await mailroom.webhooks.create(body, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'webhooks edit',
    summary: 'Change a webhook, or switch it on or off',
    args: 'ID [URL]',
    count: [1, 2],
    options: {
      type: TYPE,
      mailbox: { ...MAILBOX, help: 'only what happens at this address; "" for all of them' },
      batch: BATCH,
      on: { type: 'boolean', help: 'switch it on, for events from now on' },
      off: { type: 'boolean', help: 'switch it off, and give up what waits' },
    },
    examples: [
      [`webhooks edit ${ID} --on`, 'After its endpoint was repaired'],
      [`webhooks edit ${ID} https://example.com/new`, 'Sends its events there from now on'],
    ],
    async run(context) {
      const [id = '', url] = context.positionals;
      const { on, off } = context.values;
      if (on === true && off === true) throw new UsageError('Give --on or --off, not both.');
      const types = textsOf(context, 'type');
      const batch = batchOf(context);
      const mailroom = context.client();
      const mailbox = await mailboxOf(context, mailroom);
      const body = {
        ...(url !== undefined && { url }),
        ...(types.length > 0 && { types }),
        ...(batch !== undefined && { batch }),
        ...(mailbox !== undefined && { mailbox: mailbox === '' ? null : mailbox }),
        ...(on === true && { status: 'enabled' as const }),
        ...(off === true && { status: 'disabled' as const }),
      };
      if (Object.keys(body).length === 0)
        throw new UsageError('Say what to change: a URL, --type, --batch, --mailbox, --on or --off.');
      const webhook = await mailroom.webhooks.update(id, body, { signal: context.signal });
      if (context.json) context.terminal.json(webhook);
      else context.terminal.note(`Changed ${id}: ${stateOf(webhook)}, ${webhook.types.join(' ')} to ${webhook.url}`);
      return 0;
    },
  },
  {
    name: 'webhooks rm',
    summary: 'Remove a webhook with its deliveries',
    args: 'ID',
    count: [1, 1],
    options: { yes: YES },
    examples: [[`webhooks rm ${ID}`, 'Asks before']],
    async run(context) {
      const [id = ''] = context.positionals;
      const mailroom = context.client();
      if (!(await confirm(context, `Remove ${id}? What waits is not delivered any more.`))) return 1;
      await mailroom.webhooks.delete(id, { signal: context.signal });
      if (context.json) context.terminal.json({ removed: id });
      else context.terminal.note(`Removed ${id}.`);
      return 0;
    },
  },
  {
    name: 'webhooks rotate',
    summary: 'Make a new secret, which is printed; the one before it works for 24 hours more',
    args: 'ID',
    count: [1, 1],
    examples: [[`webhooks rotate ${ID} > hook.secret`, 'Then give it to the program behind the URL']],
    async run(context) {
      const [id = ''] = context.positionals;
      secretOut(context, await context.client().webhooks.rotate(id, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'webhooks test',
    summary: 'Send a test event now, and say how it went',
    args: 'ID',
    count: [1, 1],
    examples: [[`webhooks test ${ID}`, 'Exit code 1 when it did not arrive']],
    async run(context) {
      const [id = ''] = context.positionals;
      const delivery = await context.client().webhooks.test(id, { signal: context.signal });
      report(context, delivery);
      return delivery.status === 'sent' ? 0 : 1;
    },
  },
  {
    name: 'webhooks deliveries',
    summary: 'List what was delivered to a webhook, and what waits; newest first',
    args: 'ID',
    count: [1, 1],
    options: {
      status: { type: 'string', value: 'STATUS', help: 'only queued, sent, deferred or failed ones' },
      limit: { type: 'string', short: 'n', value: 'N', help: 'how many, 50 by default, up to 200' },
    },
    examples: [[`webhooks deliveries ${ID} --status failed`, 'What was given up']],
    async run(context) {
      const { terminal, json, signal } = context;
      const [id = ''] = context.positionals;
      const status = textOf(context, 'status') as WebhookDelivery['status'] | undefined;
      const limit = textOf(context, 'limit');
      if (limit !== undefined && !/^\d{1,3}$/.test(limit)) throw new UsageError('--limit takes a number up to 200.');
      const query = { limit: Number(limit ?? 50), ...(status !== undefined && { status }) };
      const { items } = await context.client().webhooks.listDeliveries(id, query, { signal }).page();
      if (json) terminal.json(items);
      else
        terminal.table(
          ['ID', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'ERROR'],
          items.map((delivery) => [
            delivery.id,
            delivery.type,
            delivery.status,
            String(delivery.attempts),
            shortTime(delivery.updated_at),
            delivery.error ?? '',
          ]),
        );
      return 0;
    },
  },
  {
    name: 'webhooks redeliver',
    summary: 'Deliver an event again',
    args: 'ID DELIVERY',
    count: [2, 2],
    examples: [[`webhooks redeliver ${ID} dlv_0d8m4xk2q5v7w9y1a3c0`, 'At once, and with all its attempts again']],
    async run(context) {
      const [id = '', delivery = ''] = context.positionals;
      report(context, await context.client().webhooks.redeliver(id, delivery, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'webhooks replay',
    summary: 'Deliver every event since a time again',
    args: 'ID TIME',
    count: [2, 2],
    examples: [[`webhooks replay ${ID} 2026-11-20T08:00:00Z`, 'What is still in the log']],
    async run(context) {
      const [id = '', since = ''] = context.positionals;
      const webhook = await context.client().webhooks.replay(id, { since }, { signal: context.signal });
      if (context.json) context.terminal.json(webhook);
      else context.terminal.note(`The events since ${since} are sent again.`);
      return 0;
    },
  },
];
