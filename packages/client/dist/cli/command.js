/** A call that cannot work as it was written. */
export class UsageError extends Error {
}
/** The value of an option that takes one. */
export const textOf = ({ values }, name) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
};
/** The values of an option that may be repeated. */
export const textsOf = ({ values }, name) => {
    const value = values[name];
    return Array.isArray(value) ? value : [];
};
/** The value of an option as a whole number of at least `min`. */
export function numberOf(context, name, min = 0) {
    const value = textOf(context, name);
    if (value === undefined)
        return undefined;
    if (!/^\d{1,9}$/.test(value) || Number(value) < min)
        throw new UsageError(`--${name} is a whole number of at least ${min}, not "${value}".`);
    return Number(value);
}
/** The value of an option as a JSON object; `@FILE` reads a file. */
export function objectOf(context, name, read) {
    const given = textOf(context, name);
    if (given === undefined)
        return undefined;
    const text = given.startsWith('@') ? read(given.slice(1)) : given;
    try {
        const value = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
            return value;
    }
    catch { }
    throw new UsageError(`--${name} is a JSON object such as '{"name": "Ada"}', or @FILE with one.`);
}
