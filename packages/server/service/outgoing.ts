import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { nextTime } from '@mailroom/english-instructions/tasks/plans/rules';
import { Disclosure } from '../core/access/disclosure.ts';
import { DomainRegistry } from '../core/access/domain-registry.ts';
import { AnswerFields } from '../core/answers/answer-fields.ts';
import { AgentPush } from '../core/answers/push.ts';
import { Drafts } from '../core/messages/drafts.ts';
import { Scheduler } from '../core/messages/scheduler.ts';
import { Cluster } from '../core/nodes/cluster.ts';
import { EventFeed } from '../core/notify/event-feed.ts';
import { Deliverer } from '../core/outgoing/deliver.ts';
import { OwnerNotices } from '../core/outgoing/owner-notices.ts';
import { mailKind, ServiceMail } from '../core/outgoing/service-mail.ts';
import { WebhookFeed } from '../core/outgoing/webhook-feed.ts';
import { webhookKind } from '../core/outgoing/webhook-kind.ts';
import { readJson } from '../http/json.ts';
import { compileCheck } from '../http/validate.ts';
import { dnsResolver } from '../mail/writing/dns.ts';
import { mailAsHtml } from '../mail/writing/html.ts';
import { ownerDomainDns } from '../mail/writing/owner-domain.ts';
import { mailHost } from '../settings/email.ts';
import { TaskPushes } from '../transports/a2a/push.ts';
import type { Base, Later } from './base.ts';
import type { Core } from './core.ts';
import type { Mail } from './mail.ts';

type Made = Base & Core & Mail & Pick<Later, 'behaviors'>;

/** What is sent later or elsewhere: drafts and schedules, deliveries, and events to readers and webhooks. */
export type Outgoing = ReturnType<typeof makeOutgoing>;

/** Makes what sends later or elsewhere, and what other nodes and readers learn. */
export function makeOutgoing(app: Made, stack: AsyncDisposableStack, poll_ms: Millis) {
  const { config, store, clock, mailDomain, house, names, baseUrl, log, onError, applied, sizes, bus } = app;
  stack.use(app.storage);
  const publishEvents = (namespaceId: string): void => bus.publishEvents(namespaceId);
  const dns = ownerDomainDns({ mailDomain, host: mailHost(config), resolve: dnsResolver(config.DNS_SERVERS) });
  const feed = stack.use(new EventFeed(app));
  const drafts = new Drafts({ ...app, limiters: applied }, { mailDomain, max_drafts: config.LIMIT_DRAFTS, sizes });
  new Scheduler({ ...app, nextTime, sends: applied?.namespaceSends });
  const notices = new OwnerNotices({
    ...{ store, clock, mailDomain, baseUrl, log, onError, publishEvents },
    serviceMail: () => serviceMail,
    sender: { local_part: names.signIn, namespace: house },
    html: mailAsHtml,
  });
  const disclosure = new Disclosure({ ...app, onLimited: (limited) => notices.limited(limited) });
  const taskPushes = new TaskPushes({ ...app, add: (delivery) => deliverer.add(delivery) });
  const deliverer: Deliverer = new Deliverer(
    {
      store,
      clock,
      tracing: app.tracing,
      kinds: [
        mailKind({ ...app, deliver: app.deliverServiceMail }),
        webhookKind({
          ...app,
          disclosure,
          onRoom: (namespaceId) => webhookFeed.look(namespaceId),
          onDisabled: (webhook, why) => notices.webhookDisabled(webhook, why),
        }),
        agentPush(app, disclosure, notices),
        taskPushes.kind(),
        app.emails.kind(),
      ],
    },
    {
      lease_ms: config.LEASE_SECONDS * SECOND,
      poll_ms,
      onError,
      // What an endpoint of others answers is no matter of the operator.
      log: (entry) =>
        log[entry.kind === 'webhook' ? 'info' : 'warn'](
          entry,
          entry.outcome === 'failed' ? 'a delivery failed' : 'a delivery is tried again',
        ),
    },
  );
  const serviceMail = new ServiceMail({ deliverer, clock, mailDomain });
  const webhookFeed: WebhookFeed = stack.use(
    new WebhookFeed({ store, feed, deliverer, clock }, { max_deliveries: config.LIMIT_WEBHOOK_DELIVERIES, onError }),
  );
  if (store.shared !== undefined) stack.use(new Cluster({ ...app, deliverer }, onError));
  const domains = new DomainRegistry({ ...app, dns, publishEvents }, { mailDomain });
  return { domains, feed, drafts, notices, disclosure, taskPushes, deliverer, serviceMail, webhookFeed };
}

/** How messages are pushed to agents; a response is read like the body of a request. */
function agentPush(app: Made, disclosure: Disclosure, notices: OwnerNotices): AgentPush {
  const { config, log } = app;
  const check = compileCheck(AnswerFields);
  return new AgentPush({
    ...app,
    disclosure,
    readAnswer(text) {
      const fields = readJson(Buffer.from(text), config.LIMIT_VALUES);
      check(fields);
      return fields as AnswerFields;
    },
    max_answer: config.LIMIT_JSON,
    max_data: config.LIMIT_DATA,
    onRefused: (message, status, text) =>
      log.warn({ message_id: message.id, status, text }, 'a webhook refused a message'),
    onDisabled: (disabled) => notices.pushDisabled(disabled),
  });
}
