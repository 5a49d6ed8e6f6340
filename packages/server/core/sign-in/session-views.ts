import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { SessionEntry } from '../access/sessions.ts';
import type { Owner } from './claims.ts';

const Time = Type.String({ format: 'date-time' });

const OwnerView = Type.Object({
  account_id: Type.String(),
  address: Type.String({ description: 'The full address.' }),
  key_id: Type.String({ description: 'The key that the owner acts with.' }),
  created_at: Time,
});
export type OwnerView = Type.Static<typeof OwnerView>;

/** The owners of a namespace; `ways_in`: the ids of the keys that open its console. */
export const Owners = Type.Object({ items: Type.Array(OwnerView), ways_in: Type.Array(Type.String()) });
export type Owners = Type.Static<typeof Owners>;

export const NewOwner = Type.Object({ account_id: Type.String() }, { additionalProperties: false });

export const SessionView = Type.Object({
  id: Type.String({ description: 'Identifies the session, but cannot open it.' }),
  key_id: Type.String(),
  agent: Type.String({ description: 'The browser.', examples: ['Firefox on Linux'] }),
  created_at: Time,
  seen_at: Type.String({ format: 'date-time', description: 'To the hour.' }),
});
export type SessionView = Type.Static<typeof SessionView>;

/** Characters of an id that tell sessions of one kind of browser apart. */
const TAG_LENGTH = 4;

/** What to call each session in a list, by its id: the browser, and part of the id where two have the same one. */
export function sessionNames(
  sessions: readonly { readonly id: string; readonly agent: string }[],
): ReadonlyMap<string, string> {
  const names = sessions.map(({ id, agent }) => {
    const isOnly = sessions.every((other) => other.id === id || other.agent !== agent);
    return [id, isOnly ? agent : `${agent}, ${id.slice(0, TAG_LENGTH)}`] as const;
  });
  return new Map(names);
}

export const ownerView = ({ account_id, address, key_id, created_at }: Owner): OwnerView => ({
  account_id,
  address,
  key_id,
  created_at: rfc3339(created_at),
});

export const sessionView = ({ hash, key_id, agent, created_at, seen_at }: SessionEntry): SessionView => ({
  id: hash,
  key_id,
  agent,
  created_at: rfc3339(created_at),
  seen_at: rfc3339(seen_at),
});
