import { type Caller, writingKey } from '../core/access/caller.ts';
import type { AuditOrigin } from '../core/entities/audit.ts';
import type { AuditScope } from '../core/ports/audit-scope.ts';
import type { Route } from './route.ts';

const CHANNELS: Readonly<Record<string, AuditOrigin['channel']>> = { Pages: 'web', A2A: 'a2a', MCP: 'mcp' };

/** By which way the requests of a route come. */
export const channelOf = ({ tag }: Pick<Route, 'tag'>): AuditOrigin['channel'] => CHANNELS[tag] ?? 'api';

/** On whose behalf a call changes something. */
export function scopeOf(caller: Caller, channel: AuditOrigin['channel']): AuditScope {
  const origin = { channel, network: caller.network };
  const key = writingKey(caller);
  if (key !== undefined || caller.kind !== 'account') return { origin, key };
  return { origin, actor: { kind: 'account', id: caller.account_id, name: caller.address } };
}
