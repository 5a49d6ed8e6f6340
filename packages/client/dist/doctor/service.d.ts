import { type Finding } from './finding.js';
/** Which service is looked at. */
export interface ServiceOptions {
    /** Its URL, without a slash at the end. */
    readonly url: string;
    /** A key; without one only what guests may do is tried. */
    readonly key?: string | undefined;
    readonly signal: AbortSignal;
}
interface Asked {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly json: unknown;
}
/** A request to the service, with its whole answer. Rejects where there is none. */
export declare function request({ url, key, signal }: ServiceOptions, path: string, options?: {
    readonly method?: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
}): Promise<Asked>;
/** The value at a path of an answer's JSON; undefined where there is none. */
export declare const at: (value: unknown, ...path: readonly (string | number)[]) => unknown;
/** The text at a path of an answer's JSON; '' where there is none. */
export declare function textAt(value: unknown, ...path: readonly (string | number)[]): string;
/** A difference of two clocks. */
export declare function clockFinding(theirs_ms: number, ours_ms: number, whose: string): Finding;
/**
 * Looks at a service from outside: that it answers, its certificate, its clock, the key, MCP and A2A. What it sends, it
 * deletes again. `started`: what to do where nothing answers. Never rejects.
 */
export declare function serviceFindings(service: ServiceOptions, started?: string): Promise<readonly Finding[]>;
export {};
