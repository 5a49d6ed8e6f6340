import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import { hasScope, isLive } from '../core/entities/key.ts';
import type { Host, HostIssuer } from '../core/ports/behavior/host.ts';
import type { Store } from '../core/ports/store.ts';
import { TRUST } from '../core/sign-in/trusted-issuers.ts';
import type { Clock } from '../core/values/clock.ts';
import { SECOND } from '../core/values/clock.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { Model } from '../model/model.ts';
import type { Resolver } from '../net/guarded-connect.ts';
import { makeFetch } from './fetch.ts';
import type { SignIn } from './sign-in.ts';

interface HostParts extends Pick<SignIn, 'issuerUrl' | 'tokens' | 'agentSignIn'> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly keyring: Keyring;
  readonly directory: Directory;
  readonly store: Pick<Store, 'allowances'>;
  readonly resolve: Resolver;
  readonly outside: Host['outside'];
  /** What several services of a process share, by name; it stays when this one ends. */
  readonly shared: ReadonlyMap<string, object> | undefined;
  /** Called with what behaviors share, which ends with the service. */
  readonly defer: (close: () => Promise<void>) => void;
}

/** What behaviors may use of this service. */
export function makeHost(config: Config, parts: HostParts): Host {
  const { clock, log, keyring, resolve, outside, defer } = parts;
  const { OTHER, ...settings } = config;
  const shared = new Map<string, object>(parts.shared);
  return {
    settings: { ...OTHER, ...settings },
    mailDomain: config.MAIL_DOMAIN,
    clock,
    log,
    model: makeModel(config),
    fetch: (limits) => makeFetch(config, resolve, limits),
    outside,
    receipts: {
      sign: (payload) => keyring.sign('receipt', payload),
      signer: () => keyring.signer('receipt'),
    },
    issuer: makeIssuer(parts),
    shared<T extends object>(name: string, make: () => T): T {
      const known = shared.get(name) as T | undefined;
      if (known !== undefined) return known;
      const part: T & { close?(): Promise<void> } = make();
      shared.set(name, part);
      if (part.close !== undefined) defer(async () => part.close?.());
      return part;
    },
  };
}

function makeIssuer({ issuerUrl, tokens, agentSignIn, directory, store, clock }: HostParts): HostIssuer {
  return {
    trust: TRUST,
    urlOf: issuerUrl,
    async key(id) {
      const key = await directory.keyById(id);
      return key && { live: isLive(key, clock()), asserts: hasScope(key, 'auth:assert'), expires_at: key.expires_at };
    },
    mailbox: (id) => directory.mailboxById(id),
    allows: (mailbox, namespace, client) => store.allowances.has(mailbox, namespace, client),
    issue: (request) => tokens.issue(request),
    begin: (url, agent) => agentSignIn.begin(url, agent),
  };
}

/** The model that behaviors may use, if one is configured. */
const makeModel = (config: Config): Model | undefined =>
  config.MODEL_BASE_URL === undefined || config.MODEL_NAME === undefined
    ? undefined
    : new Model({
        base_url: config.MODEL_BASE_URL,
        name: config.MODEL_NAME,
        api_key: config.MODEL_API_KEY,
        step_ms: config.MODEL_SECONDS * SECOND,
      });
