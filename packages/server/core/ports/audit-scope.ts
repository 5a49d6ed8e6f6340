import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditActor, AuditOrigin } from '../entities/audit.ts';
import type { Key } from '../entities/key.ts';

/** On whose behalf the running code changes something: what the entries of the audit log say of it. */
export interface AuditScope {
  readonly origin: AuditOrigin;
  /** The key that the caller acts by. */
  readonly key?: Key | undefined;
  /** In place of the key. */
  readonly actor?: AuditActor | undefined;
}

interface Running {
  readonly scope: AuditScope;
  over: boolean;
}

const running = new AsyncLocalStorage<Running>();

/** Runs `act` on behalf of a caller. What it leaves running after its end is the service's own work. */
export async function inAuditScope<T>(scope: AuditScope, act: () => Promise<T> | T): Promise<T> {
  const ownRun: Running = { scope, over: false };
  try {
    return await running.run(ownRun, act);
  } finally {
    ownRun.over = true;
  }
}

/** As `inAuditScope`, of the rest of the scope that runs: by another actor, once it is known who it is. */
export const actingAs = <T>(actor: AuditActor, act: () => Promise<T> | T): Promise<T> =>
  inAuditScope({ origin: auditScope()?.origin ?? SERVICE_ORIGIN, actor }, act);

/** Undefined for work of the service itself. */
export function auditScope(): AuditScope | undefined {
  const current = running.getStore();
  return current === undefined || current.over ? undefined : current.scope;
}

const SERVICE_ORIGIN: AuditOrigin = { channel: 'service', network: null };

/** The scope of a command on this machine. */
export const OPERATOR_SCOPE: AuditScope = {
  origin: { channel: 'command', network: null },
  actor: { kind: 'operator', id: null, name: null },
};

/** The scope of the service's own work. */
export const SERVICE_SCOPE: AuditScope = { origin: SERVICE_ORIGIN, actor: { kind: 'service', id: null, name: null } };
