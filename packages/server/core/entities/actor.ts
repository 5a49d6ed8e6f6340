import { Type } from 'typebox';

/** Who did something: a member, also by a key that was made in their session, or a key of no member. */
export const Actor = Type.Object(
  {
    kind: Type.Enum(['member', 'key']),
    id: Type.String({ description: 'The id of the member, or of the key.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'The name of the member, or of the key.' }),
  },
  { $id: 'Actor', description: 'A member, or a key of no member.' },
);
export type Actor = Type.Static<typeof Actor>;

/** Who answered a message from outside. */
export interface AnsweredBy {
  readonly key_id: string;
  /** Of an answer by hand: as whom it is named to readers of the mailbox, from then on. */
  readonly actor?: Actor;
  /** Its sender is told the name, as the mailbox had it then. */
  readonly signed?: true;
}
