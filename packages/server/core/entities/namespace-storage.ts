import { Type } from 'typebox';

/** How full a namespace is, as its event says. */
export const NamespaceStorageView = Type.Object(
  {
    id: Type.String({ examples: ['ns_0d8m3xk2q5v7w9y1a3c0'] }),
    name: Type.String({ examples: ['ada'] }),
    bytes: Type.Integer({ description: 'What it stores.' }),
    max_bytes: Type.Integer({ description: 'What it may store. Then writes are refused with 507 `storage_full`.' }),
  },
  { $id: 'NamespaceStorage', description: 'How full a namespace is.' },
);

export type NamespaceStorage = Type.Static<typeof NamespaceStorageView>;
