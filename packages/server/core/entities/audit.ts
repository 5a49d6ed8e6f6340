import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Json } from '@mailroom/behavior/values/json';
import { canonicalJson } from '../values/canonical-json.ts';

/** Who made a change: `account` is a person who signed in and is no member, `operator` a command on the machine. */
type AuditActorKind = 'member' | 'key' | 'account' | 'guest' | 'operator' | 'service';

export interface AuditActor {
  readonly kind: AuditActorKind;
  /** `acc_…` or `mbx_…` of a member or account, `key_…` of a key; null for all others. */
  readonly id: string | null;
  /** Of a member or account its address. */
  readonly name: string | null;
}

/** By which way a change came: over the network or, with a null network, from this machine. */
export const AUDIT_CHANNELS = ['api', 'web', 'smtp', 'a2a', 'mcp', 'sign_in', 'command', 'service'] as const;
export interface AuditOrigin {
  readonly channel: (typeof AUDIT_CHANNELS)[number];
  /** The address, or the /64 of IPv6, that the request came from. */
  readonly network: string | null;
}

/** What a change is about. A member or an account is named by its address. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
}

/** Fields of a target by name; those that did not change are left out. */
export type AuditFields = { readonly [name: string]: Json };

/** An entry of the audit log of a namespace, without its place in the chain. */
export interface AuditRecord {
  readonly id: string;
  readonly at: Millis;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  /** `noun.verb`. */
  readonly action: string;
  readonly target: AuditTarget;
  readonly before: AuditFields | null;
  readonly after: AuditFields | null;
}

/** An entry in its chain: its number counts from 1 in its namespace. */
export interface AuditEntry extends AuditRecord {
  readonly number: number;
  readonly previous_hash: string;
  readonly hash: string;
}

/** The `previous_hash` of the first entry of each namespace. */
export const AUDIT_GENESIS = '0'.repeat(64);

/** Digits of the hash that stands for a text, which tell one from another. */
const DIGITS = 12;
const HASHED = /^\(text [0-9a-f]{12}\)$/;

/** Stands for a text that is to be gone, from the log too, with what it belongs to. */
export const hashedText = (text: string): string => `(text ${sha256(text).slice(0, DIGITS)})`;

/** Actors and targets that are people, named by their addresses. */
const PEOPLE: ReadonlySet<string> = new Set(['member', 'account', 'invitation']);
export const isPerson = ({ kind }: { readonly kind: string }): boolean => PEOPLE.has(kind);

/** An actor or target as it is stored and in the hash: the address of a person by its hash. */
export function chained<T extends AuditActor | AuditTarget>(named: T): T {
  const { name } = named;
  return name === null || !isPerson(named) || HASHED.test(name) ? named : { ...named, name: hashedText(name) };
}

/** An entry as it is on the wire, in any order of its fields. */
function fieldsOf({ id, at, actor, origin, action, target, before, after }: AuditRecord) {
  return {
    id,
    at: rfc3339(at),
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    origin: { channel: origin.channel, network: origin.network },
    action,
    target: { kind: target.kind, id: target.id, name: target.name },
    ...(before !== null && { before }),
    ...(after !== null && { after }),
  };
}

export const auditView = (entry: AuditEntry) => ({
  ...fieldsOf(entry),
  previous_hash: entry.previous_hash,
  hash: entry.hash,
});

/** The text of which the SHA-256 is the hash (RFC 8785), before and after the previous hash; of the names, `target` alone sorts behind it. */
export function auditText(record: AuditRecord): readonly [before: string, after: string] {
  const { target, ...rest } = fieldsOf({ ...record, actor: chained(record.actor), target: chained(record.target) });
  return [`${canonicalJson(rest).slice(0, -1)},"previous_hash":"`, `","target":${canonicalJson(target)}}`];
}
