import { type Code, invalid } from '@mailroom/behavior/values/error';
import { JsonText } from '@mailroom/behavior/values/json';
import { type TProperties, type TSchema, Type } from 'typebox';
import { MAX_PAGE, PAGE_DEFAULT, type Page, readCursor, writeCursor } from '../../core/values/page.ts';
import type { Answer, Declared, Route } from '../../http/route.ts';

export const AddressParam = Type.Object({
  address: Type.String({
    description: 'A mailbox address; `@` may be written `%40`.',
    examples: ['hello@agents.mailroom.localhost'],
  }),
});
export const NamespaceParam = Type.Object({ name: Type.String({ examples: ['agents'] }) });
export const IdParam = Type.Object({ id: Type.String({ description: 'The id, with its prefix.' }) });

/** The query of a list: only these fields. */
export const QueryOf = <T extends TProperties>(fields: T) => Type.Object(fields, { additionalProperties: false });

/** `?limit=` and `?cursor=`, which every list takes. */
export const pageQuery = {
  limit: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,9}$', description: `How many, ${PAGE_DEFAULT} by default, up to ${MAX_PAGE}.` }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
};

export const PageQuery = QueryOf(pageQuery);

export function readPage(query: { readonly limit?: string; readonly cursor?: string }): {
  after: string | null;
  size: number;
} {
  return { after: query.cursor === undefined ? null : readCursor(query.cursor), size: pageSize(query) };
}

/** AppError `validation_error`. */
export function pageSize({ limit }: { readonly limit?: string }): number {
  const size = limit === undefined ? PAGE_DEFAULT : Number(limit);
  if (size < 1 || size > MAX_PAGE) throw invalid('/limit', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
  return size;
}

/**
 * A page as an answer with a link to the next (RFC 8288); an item may be serialized JSON. `more` is JSON text of further
 * fields.
 */
export function pageAnswer<T>(
  page: Page<T>,
  view: (item: T) => unknown,
  path: string,
  query: Readonly<Record<string, unknown>>,
  write = writeCursor,
  more = '',
): Answer {
  const next_cursor = page.next === null ? null : write(page.next);
  const body = pageText(page.items.map(view), next_cursor, more);
  if (next_cursor === null) return { status: 200, body };
  const search = new URLSearchParams({ ...(query as Record<string, string>), cursor: next_cursor });
  return { status: 200, body, headers: { link: `<${path}?${search}>; rel="next"` } };
}

/** The answers of a list: a page, with a link to the next. */
export const onePage = (description: string, schema: TSchema): Route['answers'] => ({
  200: { description, schema, headers: ['Link'] },
});

/** The JSON text of a page. */
export function pageText(items: readonly unknown[], next_cursor: string | null, more = ''): JsonText {
  const texts = items.map((item) => (item instanceof JsonText ? item.text : JSON.stringify(item)));
  return new JsonText(
    `{"items":[${texts.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}${more && `,${more}`}}`,
  );
}

export const noContent: Declared = { description: 'Done.' };
export const IDEMPOTENCY_REPLAYED = { 'idempotency-replayed': 'true' };

/** The answers of a creation that takes an `Idempotency-Key`. */
export const created = (description: string, schema: TSchema, status = 201): Route['answers'] => ({
  [status]: { description, schema, headers: ['Location', 'Idempotency-Replayed'] },
});

/** What was created, and where it is; `replayed`: by an earlier request with the same `Idempotency-Key`. */
export const createdAnswer = (location: string, body: unknown, replayed: boolean, status = 201): Answer => ({
  status,
  body,
  headers: { location, ...(replayed ? IDEMPOTENCY_REPLAYED : {}) },
});

/** A path with each part percent-encoded except for `@`, which a path may hold. */
export const addressPath = (address: string): string =>
  `/api/v1/mailboxes/${encodeURIComponent(address).replace('%40', '@')}`;

/** What all routes below an `auth` address share. */
export const SIGN_IN = { tag: 'Sign-in', access: 'mailboxes:write' } as const;
/** The path parameters of one item below an `auth` address. */
export const AddressAndId = Type.Object({ ...AddressParam.properties, id: Type.String() });
/** Problems of a mailbox for a caller who manages it: it is missing, or belongs to another. */
export const OF_MAILBOX: readonly Code[] = ['mailbox_not_found', 'mailbox_gone', 'namespace_gone', 'access_denied'];
/** Those, and that the address is not of behavior `auth`. */
export const OF_AUTH_ADDRESS: readonly Code[] = [...OF_MAILBOX, 'validation_error'];
/** What the routes of one item below an `auth` address share. */
export const ONE_OF_AUTH = { ...SIGN_IN, params: AddressAndId, problems: [...OF_AUTH_ADDRESS, 'not_found'] } as const;
