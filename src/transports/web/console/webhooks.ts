import type { WebhookRegistry } from '../../../core/access/webhook-registry.ts';
import type { NewWebhook, Webhook } from '../../../core/entities/webhook.ts';
import { DELIVERY_STATUSES, NewWebhook as NewWebhookSchema } from '../../../core/entities/webhook.ts';
import type { DeliveryStatus } from '../../../core/ports/delivery.ts';
import type { Clock } from '../../../core/values/clock.ts';
import { AppError, invalid } from '../../../core/values/error.ts';
import { readCursor } from '../../../core/values/page.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Limiters } from '../../../http/limits.ts';
import { count } from '../../../http/limits.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';
import type { TypedWebhook, WebhooksView, WebhookViewOf } from './webhooks-page.ts';
import { secretMain, webhookMain, webhooksMain } from './webhooks-page.ts';

/** Webhooks, and deliveries, per page. */
const SIZE = 25;
const check = compileCheck(NewWebhookSchema);
const BLANK: TypedWebhook = { url: '', types: ['message.*'], mailbox: '' };

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    removed: 'The webhook is removed.',
    saved: 'The webhook is saved.',
    on: 'The webhook is switched on, for what happens from now on.',
    off: 'The webhook is switched off.',
    again: 'It is sent again.',
    replay: 'The events since then are sent again.',
    sent: 'The test event arrived.',
    failed: 'The test event did not arrive. The first of the deliveries says why.',
  }),
);

interface WebhookPageParts {
  readonly webhooks: WebhookRegistry;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'webhookTests'>;
}

/** The pages of the namespace's webhooks: the list with a form for a new one, and each one's own page. */
export function webhookPages(context: Context, parts: WebhookPageParts): readonly Route[] {
  const { webhooks, clock, mailDomain, rateLimits, limiters } = parts;

  const answer = (status: number, signed: Signed, title: string, root: '../' | '../../', main: WebhooksMain) =>
    context
      .side(signed)
      .then((side) =>
        context.answer(
          status,
          { title, root, tab: 'webhooks', styles: ['forms.css', 'made.css'], main: main(side) },
          signed,
          side,
        ),
      );

  async function list(status: number, call: SignedCall, signed: Signed, more: Partial<WebhooksView> = {}) {
    const { cursor, done } = call.query as Readonly<Record<string, unknown>>;
    const page = await webhooks.page(signed.session.key, typeof cursor === 'string' ? readCursor(cursor) : null, SIZE);
    const title = (more.errors ?? []).length > 0 ? 'Error: Webhooks' : 'Webhooks';
    return answer(status, signed, title, '../', (side) =>
      webhooksMain({
        page,
        errors: [],
        done: DONE.get(String(done)),
        typed: BLANK,
        side,
        signed,
        now: clock(),
        ...more,
      }),
    );
  }

  async function one(status: number, call: SignedCall, signed: Signed, more: Partial<WebhookViewOf> = {}) {
    const { key } = signed.session;
    const id = call.params.id ?? '';
    const { cursor, done, status: wanted } = call.query as Readonly<Record<string, unknown>>;
    const of = DELIVERY_STATUSES.find((each) => each === wanted) as DeliveryStatus | undefined;
    const before = typeof cursor === 'string' ? readCursor(cursor) : null;
    const webhook = await webhooks.get(key, id);
    const deliveries = await webhooks.deliveries(key, id, of, before, SIZE);
    const title = `${(more.errors ?? []).length > 0 ? 'Error: ' : ''}Webhook`;
    return answer(status, signed, title, '../../', (side) =>
      webhookMain({
        webhook,
        deliveries,
        status: of,
        since: '',
        errors: [],
        done: DONE.get(String(done)),
        typed: { url: webhook.url, types: webhook.types, mailbox: webhook.mailbox?.split('@')[0] ?? '' },
        side,
        signed,
        now: clock(),
        ...more,
      }),
    );
  }

  /** The fields of a webhook as they were typed. */
  function wantedOf(typed: TypedWebhook, signed: Signed): NewWebhook {
    const { name } = signed.session.namespace;
    const wanted = {
      url: typed.url,
      types: [...typed.types],
      ...(typed.mailbox === '' ? {} : { mailbox: `${typed.mailbox}@${name}.${mailDomain}` }),
    };
    if (wanted.types.length === 0) throw invalid('/types', 'Choose at least one.');
    check(wanted);
    return wanted;
  }

  async function make(call: SignedCall, signed: Signed): Promise<Answer> {
    const typed = typedOf(call.form);
    const idempotencyKey = (call.form.get('once') ?? '').slice(0, 64);
    const asked = { ...typed, types: [...typed.types] };
    const idempotency =
      idempotencyKey === ''
        ? undefined
        : idempotencyFor(idempotencyKey, asked, signed.caller, 'make a webhook in the console', clock);
    try {
      const made = await webhooks.create(signed.session.key, wantedOf(typed, signed), idempotency);
      return await secretPage(made.replayed ? 200 : 201, signed, made.webhook, 'Your new webhook');
    } catch (error) {
      return list(422, call, signed, {
        typed,
        errors: errorsOf(error, { idempotency_mismatch: '', access_denied: '' }),
      });
    }
  }

  const secretPage = (status: number, signed: Signed, webhook: Webhook, title: string): Promise<Answer> =>
    answer(status, signed, title, '../', () => secretMain(webhook, title, '../'));

  async function act(call: SignedCall, signed: Signed): Promise<string | Answer> {
    const { key } = signed.session;
    const id = call.params.id ?? '';
    switch (call.form.get('do')) {
      case 'save': {
        const { mailbox = null, ...wanted } = wantedOf(typedOf(call.form), signed);
        await webhooks.change(key, id, { ...wanted, mailbox });
        return 'saved';
      }
      case 'on':
        await webhooks.change(key, id, { status: 'enabled' });
        return 'on';
      case 'off':
        await webhooks.change(key, id, { status: 'disabled' });
        return 'off';
      case 'test': {
        const counted = rateLimits ? await count([limiters.webhookTests], key.namespace_id) : undefined;
        if (counted?.refused !== undefined) throw counted.refused;
        const { status } = await webhooks.test(key, id, call.gone());
        return status === 'sent' ? 'sent' : 'failed';
      }
      case 'redeliver':
        await webhooks.redeliver(key, id, call.form.get('delivery') ?? '');
        return 'again';
      case 'replay': {
        const since = call.form.get('since') ?? '';
        await webhooks.replay(key, id, /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(since) ? `${since}:00Z` : `${since}Z`);
        return 'replay';
      }
      case 'remove':
        await webhooks.remove(key, id);
        return seeOther('../webhooks?done=removed');
      default:
        return one(400, call, signed);
    }
  }

  return [
    signedPage('/console/webhooks', context, (call, signed) => list(200, call, signed)),
    signedForm('/console/webhooks', context, (call, signed) => make(call, signed)),
    signedPage('/console/webhooks/{id}', context, (call, signed) => one(200, call, signed)),
    signedForm('/console/webhooks/{id}', context, async (call, signed) => {
      const { form } = call;
      if (form.get('do') === 'rotate') {
        const webhook = await webhooks.rotate(signed.session.key, call.params.id ?? '');
        return answer(200, signed, 'A new secret', '../../', () => secretMain(webhook, 'A new secret', '../../'));
      }
      try {
        const result = await act(call, signed);
        return typeof result === 'string' ? seeOther(`${call.params.id}?done=${result}`) : result;
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') throw error;
        const errors = errorsOf(error, { webhook_disabled: '', access_denied: '', rate_limited: '' });
        const saving = form.get('do') === 'save' ? { typed: typedOf(form) } : {};
        return one(422, call, signed, { ...saving, since: form.get('since') ?? '', errors });
      }
    }),
  ];
}

type WebhooksMain = (side: WebhooksView['side']) => ReturnType<typeof webhooksMain>;

const typedOf = (form: URLSearchParams): TypedWebhook => ({
  url: (form.get('url') ?? '').trim(),
  types: form.getAll('type').slice(0, 20),
  // A whole address may be typed too.
  mailbox: (form.get('mailbox') ?? '').trim().split('@')[0] ?? '',
});
