import { Type } from 'typebox';
import { KeyView } from './key.ts';
import { NamespaceView } from './namespace.ts';

/** A key as the program that has it sees it. */
export const Me = Type.Object(
  {
    key: KeyView,
    namespace: NamespaceView,
    scopes: KeyView.properties.scopes,
    claimed: Type.Boolean({
      description:
        'Whether the namespace has an owner who can sign in, as domains and mail to addresses outside require.',
    }),
  },
  { $id: 'Me' },
);
export type Me = Type.Static<typeof Me>;
