import { isNamespaceName, lowerCase, NAMESPACE_NAME, RESERVED_NAMESPACES } from '@mailroom/behavior/values/address';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';

/** A stored namespace. */
export interface Namespace {
  readonly id: string;
  readonly name: string;
  readonly display_name: string | null;
  readonly created_at: Millis;
  readonly deleted_at: Millis | null;
}

/** One line for people: no control characters, not blank. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$',
  description: 'A name for people, one line of up to 100 characters.',
  examples: ['Ada Lovelace'],
});

const NamespaceName = Type.String({
  minLength: 2,
  maxLength: 63,
  description: 'A DNS label: 2 to 63 of a-z, 0-9 and -, a letter or digit at both ends. Upper case is taken as lower.',
  examples: ['ada'],
});

export const NamespaceView = Type.Object(
  {
    id: Type.String({ examples: ['ns_0d8m3xk2q5v7w9y1a3c0'] }),
    name: Type.String({ pattern: NAMESPACE_NAME }),
    display_name: Type.Union([DisplayName, Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Namespace', description: 'A label that groups mailboxes and is part of each of their addresses.' },
);

export const NewNamespace = Type.Object(
  { name: NamespaceName, display_name: Type.Optional(DisplayName) },
  { $id: 'NewNamespace', additionalProperties: false },
);

export const NamespaceChange = Type.Object(
  { display_name: Type.Optional(Type.Union([DisplayName, Type.Null()])) },
  { $id: 'NamespaceChange', additionalProperties: false, minProperties: 1 },
);

export type NamespaceView = Type.Static<typeof NamespaceView>;

export const namespaceView = (namespace: Namespace): NamespaceView => ({
  id: namespace.id,
  name: namespace.name,
  display_name: namespace.display_name,
  created_at: rfc3339(namespace.created_at),
});

/** The name in lower case, as it is stored; AppError `validation_error` when it is invalid. */
export function namespaceName(text: string): string {
  const name = lowerCase(text);
  if (!isNamespaceName(name)) {
    throw invalid(
      '/name',
      'A namespace is 2 to 63 characters of a-z, 0-9 and -, starts and ends with a letter or digit, and has no -- in places three and four.',
    );
  }
  if (RESERVED_NAMESPACES.has(name)) throw invalid('/name', `"${name}" is reserved. Choose another name.`);
  return name;
}
