import type { Answered } from './exchange.js';
import type { Message, Problem } from './types.generated.js';
/** The codes of this client itself; all others are the service's own, explained at `/problems/{code}`. */
export type ClientCode = 'configuration' | 'network_error' | 'timeout' | 'unexpected_answer' | 'invalid_signature' | 'canceled' | 'failed' | 'rejected';
/** What a `MailroomError` holds besides its text. */
export interface ErrorDetails {
    readonly code: string;
    readonly status?: number | undefined;
    readonly request_id?: string | undefined;
    readonly errors?: Problem['errors'] | undefined;
    readonly docs?: string | undefined;
    readonly retry_after?: number | undefined;
    readonly envelope?: Message | undefined;
    readonly cause?: unknown;
}
/** Every error of this client: a problem that the service answered with, a message without a reply, or the network. */
export declare class MailroomError extends Error {
    readonly name = "MailroomError";
    /** What to branch on: a code of the service, or one of this client's own. */
    readonly code: Problem['code'] | ClientCode | (string & {});
    /** The HTTP status; undefined where there was no answer. */
    readonly status: number | undefined;
    /** Name it when you ask for help. */
    readonly request_id: string | undefined;
    /** What is wrong in the request, field by field. */
    readonly errors: Problem['errors'];
    /** The page that explains the code. */
    readonly docs: string | undefined;
    /** Seconds to wait before trying again, where the service says so. */
    readonly retry_after: number | undefined;
    /** The message that failed, was rejected or canceled, where that is the error. */
    readonly envelope: Message | undefined;
    constructor(text: string, details: ErrorDetails);
}
/** The error for an answer that is not 2xx; reads its body (RFC 9457). */
export declare function errorOf(response: Answered, url: string): Promise<MailroomError>;
