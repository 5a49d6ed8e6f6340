/** What a server answered, parsed where it is JSON. */
interface Asked {
    readonly status: number;
    readonly body: unknown;
}
export declare const bearer: (key: string | undefined) => Record<string, string>;
/** A request with its answer; redirects are not followed, since the key goes with it. Rejects for more than 4 MiB. */
export declare function asked(url: string, init: RequestInit): Promise<Asked>;
/** The value at a path of JSON; undefined where there is none. */
export declare const valueIn: (value: unknown, ...path: readonly (string | number)[]) => unknown;
/** The text at a path of JSON; '' where there is none. */
export declare function textIn(value: unknown, ...path: readonly (string | number)[]): string;
export {};
