import { IncomingEmail } from '../core/mail-in/incoming-email.ts';
import { PeerMail } from '../core/mail-in/peer-mail.ts';
import type { EmailAnswers } from '../core/mail-out/email-answers.ts';
import { PeerAnswers } from '../core/mail-out/peer-answers.ts';
import { addressesIn } from '../http/authenticate.ts';
import { AgentDoor } from '../mail/peers/agent-door.ts';
import type { FileAnswer } from '../mail/peers/attempt.ts';
import { DomainKeys } from '../mail/peers/domain-keys.ts';
import { handOver } from '../mail/peers/hand-over.ts';
import { MessageBatches } from '../mail/peers/message-batches.ts';
import { PeerMailOut } from '../mail/peers/peer-mail-out.ts';
import { readMessages } from '../mail/peers/read-messages.ts';
import { requestKeys } from '../mail/peers/request-keys.ts';
import { doorsBy } from '../mail/peers/webfinger.ts';
import type { MailSource } from '../mail/reading/reader.ts';
import { readEmail } from '../mail/reading/received.ts';
import { dnsResolver } from '../mail/writing/dns.ts';
import type { MailOut } from '../mail/writing/transport.ts';
import { nameResolver } from '../net/guarded-connect.ts';
import { OutsideHttp } from '../net/outside/index.ts';
import { PeerHttp } from '../net/peer-http.ts';
import { mailHost } from '../settings/email.ts';
import type { Base, Later } from './base.ts';
import type { Core } from './core.ts';

/** The doors of addresses on other servers, and mail that takes them; undefined unless FEDERATION is on. */
export function makePeerDoors(app: Base, stack: AsyncDisposableStack) {
  const { config, store, clock, user_agent } = app;
  if (!config.FEDERATION) return undefined;
  const resolve = config.DNS_SERVERS.length === 0 ? app.resolve : nameResolver(config.DNS_SERVERS);
  const guard = { resolve, trusts: addressesIn(config.OUTSIDE_NETWORKS), user_agent };
  const http = stack.use(new PeerHttp(guard));
  const client = stack.use(new OutsideHttp(guard));
  const dns = dnsResolver(config.DNS_SERVERS);
  return { http, client, dns, doors: doorsBy({ http, states: store.states, clock }) };
}
export type PeerDoorsOfService = ReturnType<typeof makePeerDoors>;

/** The way out for mail, by the doors of its recipients where they have one. */
export function throughDoors(
  next: MailOut,
  peers: PeerDoorsOfService,
  { app, later }: { readonly app: Base; readonly later: () => Later },
): MailOut {
  if (peers === undefined) return next;
  const { http, client, doors, dns } = peers;
  const { clock, config, store } = app;
  const file: FileAnswer = async (answer, to, answered) => later().peerMail?.file(answer, to, answered);
  const keyOf = requestKeys(dns, clock);
  const agents = new AgentDoor({ client, keyOf, file, clock });
  const batches = new MessageBatches({ http, clock, max_response: 2 * config.LIMIT_JSON });
  const hand = handOver({ http, agents, keyOf, file, batches });
  return new PeerMailOut(next, { doors, hand, states: store.states, clock });
}

/** Waits for the answers of peers; undefined unless FEDERATION is on. */
export function makePeerAnswers(app: Base, mail: MailOut, later: () => Later): PeerAnswers | undefined {
  if (!(mail instanceof PeerMailOut)) return undefined;
  const routeTo = (address: string) => mail.routeTo(address);
  return new PeerAnswers({ store: app.store, feed: () => later().feed, arrivals: () => later().arrivals, routeTo });
}

/** Takes mail of other servers by HTTP; undefined unless FEDERATION is on. */
export function makePeerMail(
  app: Base & Core & { readonly emails: EmailAnswers },
  stack: AsyncDisposableStack,
): PeerMail | undefined {
  const { config, clock, applied, mailDomain: mail_domain, house, baseUrl } = app;
  if (!config.FEDERATION) return undefined;
  const keys = new DomainKeys(dnsResolver(config.DNS_SERVERS), clock);
  const sizes = { mail_domain, house, max_body: config.LIMIT_BODY, max_data: config.LIMIT_DATA, peers: true };
  const start = async () => {
    const { MailReader } = await import('../mail/reading/reader.ts');
    const ours = async (domain: string): Promise<boolean> =>
      domain === mail_domain ||
      domain.endsWith(`.${mail_domain}`) ||
      (await app.directory.domain(domain)) !== undefined;
    // No network is trusted here: every mail is proven by its signature.
    return new MailReader({ mta: mailHost(config), dns_servers: config.DNS_SERVERS, ours });
  };
  let reader: ReturnType<typeof start> | undefined;
  stack.defer(async () => (await reader)?.[Symbol.asyncDispose]());
  const read = async (source: MailSource, signal: AbortSignal) => {
    reader ??= start();
    return readEmail(await reader, source, signal);
  };
  return new PeerMail({
    incoming: new IncomingEmail({ ...app, limit: applied?.emailAnswers }, sizes),
    clock,
    read: (raw, from, signal) => read({ raw, ip: null, helo: '', from }, signal),
    readMessages: (request) => readMessages({ ...request, authority: new URL(baseUrl()).host }, keys),
    answers: () => app.emails,
  });
}
