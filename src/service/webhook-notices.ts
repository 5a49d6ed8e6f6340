import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { DisclosureParts } from '../core/access/disclosure.ts';
import { OwnerNotices } from '../core/delivery/owner-notices.ts';
import type { PushDisabled } from '../core/delivery/push.ts';
import { pushDisabledNotice } from '../core/delivery/push.ts';
import type { ServiceMail } from '../core/delivery/service-mail.ts';
import { disabledNotice, limitedNotice } from '../core/delivery/webhook-kind.ts';
import type { Webhook } from '../core/entities/webhook.ts';
import { addressOf } from '../core/ports/behavior/mailbox.ts';
import type { Store } from '../core/ports/store.ts';
import type { Disabling } from '../core/ports/webhooks.ts';
import { fullAddress } from '../core/values/address.ts';
import type { Clock } from '../core/values/clock.ts';
import { HOUSE } from './house.ts';
import { asMailHtml } from './mail.ts';

/** Mails to the owners of a namespace about its webhooks that were switched off. */
export function webhookNotices(parts: {
  readonly store: Store;
  readonly serviceMail: () => ServiceMail;
  readonly config: Config;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly publishEvents: (namespaceId: string) => void;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
}) {
  const { store, serviceMail, config, clock, baseUrl, publishEvents, log, onError } = parts;
  const send = (namespaceId: string, { subject, text }: ReturnType<typeof disabledNotice>): void => {
    publishEvents(namespaceId);
    const { MAIL_DOMAIN: mailDomain, HOUSE_NAMESPACE: namespace } = config;
    const sender = { local_part: HOUSE.signIn, namespace };
    new OwnerNotices({ store, serviceMail: serviceMail(), clock, mailDomain, sender, html: asMailHtml })
      .send(namespaceId, subject, text)
      .catch(onError);
  };
  return {
    onWebhookDisabled: (webhook: Webhook, why: Disabling): void => {
      log.info({ webhook_id: webhook.id, reason: why.reason }, 'a webhook was switched off');
      send(webhook.namespace_id, disabledNotice(webhook, why, baseUrl()));
    },
    onLimited: (limited: Parameters<DisclosureParts['onLimited']>[0]): void => {
      if ('webhook' in limited) {
        const { id, namespace_id, url } = limited.webhook;
        log.info({ webhook_id: id }, 'a webhook gets ids alone');
        const what = `Your webhook to ${URL.parse(url)?.host ?? 'its endpoint'}`;
        send(namespace_id, limitedNotice(what, `${baseUrl()}/console/webhooks/${id}`));
        return;
      }
      const { id, namespace_id, local_part } = limited.mailbox;
      log.info({ mailbox_id: id }, 'messages of a mailbox leave as ids alone');
      const what = `What ${fullAddress(addressOf(limited.mailbox), config.MAIL_DOMAIN)} sends to programs`;
      send(namespace_id, limitedNotice(what, `${baseUrl()}/console/addresses/${local_part}?tab=behavior`));
    },
    onPushDisabled: (disabled: PushDisabled): void => {
      log.info({ mailbox_id: disabled.mailbox.id }, 'the webhook of a mailbox was switched off');
      send(disabled.mailbox.namespace_id, pushDisabledNotice(disabled, config.MAIL_DOMAIN, baseUrl()));
    },
  };
}
