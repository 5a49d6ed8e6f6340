/** What keeps a body from being one request (JSON-RPC 2.0, section 4). */
export function formError(body: unknown): string | undefined {
  if (Array.isArray(body)) return 'A batch is not taken. Send each request by itself.';
  if (typeof body !== 'object' || body === null) return 'Send one JSON-RPC 2.0 request as an object.';
  const { jsonrpc, method, id = null } = body as Record<string, unknown>;
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0".';
  if (typeof method !== 'string' || method === '') return 'method must be the name of a method, such as SendMessage.';
  return id === null || idOf({ id }) !== null ? undefined : 'id must be a string, or a whole number below 2^53.';
}

/** The id of a request, where it can be one. */
export const idOf = ({ id }: { readonly id?: unknown }): string | number | null =>
  typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;

/** Whether a request wants no answer, whatever becomes of it: it has no id (JSON-RPC 2.0, section 4.1). */
export const isNotification = (body: unknown): boolean =>
  formError(body) === undefined && !Object.hasOwn(body as object, 'id');
