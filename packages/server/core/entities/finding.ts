import { Type } from 'typebox';

/** Evidence on a message: never a change of its text. */
export type Finding = {
  readonly kind: string;
  /** A field of the message, with the place in it where there is one. */
  readonly where: string;
  readonly why: string;
};

/** What may be found in a message as it arrives. */
export const ARRIVAL_FINDINGS = [
  'hidden_text',
  'reply_to_differs',
  'lookalike_sender',
  'instructions',
  'dangerous_attachment',
  'spam',
] as const;

/** Evidence as it is stored with a message; `out`: on what left the mailbox of its sender, for its readers alone. */
export type StoredFinding = Finding & { readonly out?: true };

export const FindingView = Type.Object(
  {
    kind: Type.String({ examples: ['secret'] }),
    where: Type.String({
      description: 'The field, with its offset and length in UTF-16 code units where it is at one place.',
      examples: ['body:120+40'],
    }),
    why: Type.String(),
  },
  { $id: 'Finding', description: 'Something in a message that its reader should look at.' },
);
