import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { NewWebhook, WebhookWithSecret } from '../../../core/entities/webhook.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { idempotencyOf, isReplayed } from './api.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { doneTexts } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';
import {
  DELIVERY_STATUSES,
  secretMain,
  type TypedWebhook,
  type WebhooksView,
  type WebhookViewOf,
  webhookMain,
  webhooksMain,
} from './webhooks-page.ts';

/** Webhooks, and deliveries, per page. */
const SIZE = '25';
const BLANK: TypedWebhook = { url: '', types: ['message.*'], batch: '1', mailbox: '' };

const doneText = doneTexts({
  removed: 'The webhook is removed.',
  saved: 'The webhook is saved.',
  on: 'The webhook is switched on, for what happens from now on.',
  off: 'The webhook is switched off.',
  again: 'It is sent again.',
  replay: 'The events since then are sent again.',
  sent: 'The test event arrived.',
  failed: 'The test event did not arrive. The first of the deliveries says why.',
});

interface WebhookPageParts {
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the namespace's webhooks: the list with a form for a new one, and each one's own page. */
export function webhookPages(context: Context, { clock, mailDomain }: WebhookPageParts): readonly Route[] {
  const styles = ['made.css'];

  async function list(status: number, call: SignedCall, signed: Signed, more: Partial<WebhooksView> = {}) {
    const { cursor, done } = call.query as Readonly<Record<string, unknown>>;
    const page = await signed.api.json('listWebhooks', {
      query: { limit: SIZE, cursor: typeof cursor === 'string' ? cursor : undefined },
    });
    const side = await context.side(signed);
    const shown = { page, errors: [], done: doneText(done), typed: BLANK, side, signed, now: clock(), ...more };
    const { errors } = shown;
    return context.settings(status, 'webhooks', 'Webhooks', webhooksMain(shown), signed, { errors, styles, side });
  }

  async function one(status: number, call: SignedCall, signed: Signed, more: Partial<WebhookViewOf> = {}) {
    const { api } = signed;
    const params = { id: call.params.id ?? '' };
    const { cursor, done, status: wanted } = call.query as Readonly<Record<string, unknown>>;
    const filter = DELIVERY_STATUSES.find((each) => each === wanted);
    const webhook = await api.json('getWebhook', { params });
    const query = { limit: SIZE, cursor: typeof cursor === 'string' ? cursor : undefined, status: filter };
    const deliveries = await api.json('listDeliveries', { params, query });
    const { url, types, batch, mailbox } = webhook;
    const typed = { url, types, batch: String(batch), mailbox: mailbox?.split('@')[0] ?? '' };
    const side = await context.side(signed);
    const main = webhookMain({
      ...{ webhook, deliveries, status: filter, since: '', errors: [], done: doneText(done), typed },
      ...{ side, signed, now: clock() },
      ...more,
    });
    const { errors } = more;
    return context.settings(status, 'webhooks', 'Webhook', main, signed, { errors, root: '../../', styles, side });
  }

  /** The fields of a webhook as they were typed. */
  function wantedOf(typed: TypedWebhook, signed: Signed): NewWebhook {
    const { name } = signed.session.namespace;
    const wanted = {
      url: typed.url,
      types: [...typed.types],
      batch: Number(typed.batch),
      ...(typed.mailbox === '' ? {} : { mailbox: `${typed.mailbox}@${name}.${mailDomain}` }),
    };
    if (wanted.types.length === 0) throw invalid('/types', 'Choose at least one.');
    return wanted;
  }

  async function make(call: SignedCall, signed: Signed): Promise<Answer> {
    const typed = typedOf(call.form);
    try {
      const request = { body: wantedOf(typed, signed), headers: idempotencyOf(call) };
      const made = await signed.api.call('createWebhook', request);
      return await secretPage(isReplayed(made) ? 200 : 201, signed, made.body, 'Your new webhook', '../');
    } catch (error) {
      const errors = errorsOf(error, { idempotency_mismatch: '', access_denied: '' });
      return list(422, call, signed, { typed, errors });
    }
  }

  const secretPage = (
    status: number,
    signed: Signed,
    webhook: WebhookWithSecret,
    title: string,
    root: '../' | '../../',
  ): Promise<Answer> =>
    context.settings(status, 'webhooks', title, secretMain(webhook, title, root), signed, { root, styles });

  async function act(call: SignedCall, signed: Signed): Promise<string | Answer> {
    const { api } = signed;
    const params = { id: call.params.id ?? '' };
    switch (call.form.get('do')) {
      case 'save': {
        const { mailbox = null, ...wanted } = wantedOf(typedOf(call.form), signed);
        await api.json('updateWebhook', { params, body: { ...wanted, mailbox } });
        return 'saved';
      }
      case 'on':
        await api.json('updateWebhook', { params, body: { status: 'enabled' } });
        return 'on';
      case 'off':
        await api.json('updateWebhook', { params, body: { status: 'disabled' } });
        return 'off';
      case 'test': {
        const { status } = await api.json('testWebhook', { params });
        return status === 'sent' ? 'sent' : 'failed';
      }
      case 'redeliver':
        await api.json('redeliver', { params: { ...params, delivery: call.form.get('delivery') ?? '' } });
        return 'again';
      case 'replay': {
        const typed = call.form.get('since') ?? '';
        const since = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? `${typed}:00Z` : `${typed}Z`;
        await api.json('replayWebhook', { params, body: { since } });
        return 'replay';
      }
      case 'remove':
        await api.json('deleteWebhook', { params });
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
        const params = { id: call.params.id ?? '' };
        const webhook = await signed.api.json('rotateWebhook', { params });
        return secretPage(200, signed, webhook, 'A new secret', '../../');
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

const typedOf = (form: URLSearchParams): TypedWebhook => ({
  url: (form.get('url') ?? '').trim(),
  types: form.getAll('type').slice(0, 20),
  batch: (form.get('batch') ?? '1').trim(),
  // A whole address may be typed too.
  mailbox: (form.get('mailbox') ?? '').trim().split('@')[0] ?? '',
});
