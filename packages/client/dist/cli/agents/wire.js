/** The maximum size of an answer of an agent, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
export const bearer = (key) => key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` };
/** A request with its answer; redirects are not followed, since the key goes with it. Rejects for more than 4 MiB. */
export async function asked(url, init) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const chunks = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
        length += chunk.length;
        if (length > MAX_BYTES)
            throw new Error(`The agent answered more than ${MAX_BYTES} bytes.`);
        chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    try {
        return { status: response.status, body: JSON.parse(text) };
    }
    catch {
        return { status: response.status, body: undefined };
    }
}
/** The value at a path of JSON; undefined where there is none. */
export const valueIn = (value, ...path) => path.reduce((found, name) => found?.[name], value);
/** The text at a path of JSON; '' where there is none. */
export function textIn(value, ...path) {
    const found = valueIn(value, ...path);
    return typeof found === 'string' ? found : '';
}
