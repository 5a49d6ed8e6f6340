import { Type } from 'typebox';
import { AUDIT_CHANNELS } from './audit.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Time = Type.String({ format: 'date-time' });
const Hash = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' });
const Fields = (description: string) => Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }));

const AuditActorView = Type.Object(
  {
    kind: Type.Enum(['member', 'key', 'account', 'guest', 'operator', 'service'], {
      description:
        '`account`: signed in and no member; `operator`: by a command on the machine; `service`: of its own accord.',
    }),
    id: Type.Union([Type.String(), Type.Null()], { description: 'The id of the member or the key.' }),
    name: Text,
  },
  { $id: 'AuditActor', description: 'Who did it.' },
);

const AuditTargetView = Type.Object(
  {
    kind: Type.String({ examples: ['mailbox'] }),
    id: Type.String(),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Its name at that time.' }),
  },
  { $id: 'AuditTarget', description: 'What it was done to.' },
);

export const AuditEntryView = Type.Object(
  {
    id: Type.String({ examples: ['aud_0d8m3xk2q5v7w9y1a3c0'] }),
    at: Time,
    actor: AuditActorView,
    origin: Type.Object(
      {
        channel: Type.Enum([...AUDIT_CHANNELS]),
        network: Type.Union([Type.String(), Type.Null()], {
          description: 'The address, or the /64 of IPv6, that the request came from.',
        }),
      },
      { description: 'By which way it came.' },
    ),
    action: Type.String({ description: 'What was done, as `noun.verb`.', examples: ['mailbox.updated'] }),
    target: AuditTargetView,
    before: Fields('The fields that changed, as they were.'),
    after: Fields('The fields that changed, as they are since. No text of messages, no secret.'),
    previous_hash: Hash('The `hash` of the entry before; 64 zeros in the first one.'),
    hash: Hash('SHA-256 of this entry without `hash`, as canonical JSON (RFC 8785).'),
  },
  { $id: 'AuditEntry' },
);

/** An entry on the wire. */
export type AuditEntry = Type.Static<typeof AuditEntryView>;

const type = <T extends string>(name: T) => ({ type: Type.Literal(name) });

export const AuditExportLine = Type.Union(
  [
    Type.Object(
      {
        ...type('audit'),
        namespace: Type.String(),
        exported_at: Time,
        previous_hash: Hash('The `previous_hash` of the first entry: 64 zeros where none was removed.'),
      },
      { description: 'The first line.' },
    ),
    Type.Intersect([Type.Object(type('entry')), AuditEntryView], { description: 'Each entry, oldest first.' }),
    Type.Object(
      { ...type('end'), entries: Type.Integer(), head: Hash('The `hash` of the last entry.') },
      { description: 'The last line; if it is missing, the export is cut.' },
    ),
  ],
  { $id: 'AuditExportLine', description: 'One line; `type` says what it holds.' },
);
