/** The maximum size of an answer of an agent, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a server answered, parsed where it is JSON. */
interface Asked {
  readonly status: number;
  readonly body: unknown;
}

export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` };

/** A request with its answer; redirects are not followed, since the key goes with it. Rejects for more than 4 MiB. */
export async function asked(url: string, init: RequestInit): Promise<Asked> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`The agent answered more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: undefined };
  }
}

/** The value at a path of JSON; undefined where there is none. */
export const valueIn = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Record<string | number, unknown> | null | undefined)?.[name], value);

/** The text at a path of JSON; '' where there is none. */
export function textIn(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueIn(value, ...path);
  return typeof found === 'string' ? found : '';
}
