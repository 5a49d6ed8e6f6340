/** A request as a server received it: a `Request`, or its headers and its body as it came. */
export type WebhookRequest = Request | {
    readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string | Uint8Array<ArrayBuffer>;
};
export interface VerifyOptions {
    /** Seconds by which the sender's clock may differ; 300 by default. */
    readonly toleranceSeconds?: number | undefined;
    /** The current time in milliseconds, for tests. */
    readonly now?: number | undefined;
}
/**
 * The event of a webhook, or the list of events of one with a `batch`, once its signature is verified (Standard Webhooks 1.0: HMAC-SHA256 over id, time and body).
 * `secret` is `whsec_…`, or several while one is replaced. MailroomError `invalid_signature` for a request that another
 * sent, that was changed, or that is older than five minutes.
 */
export declare function verifyWebhook<T = {
    readonly type: string;
    readonly data: unknown;
}>(request: WebhookRequest, secret: string | readonly string[], { toleranceSeconds, now }?: VerifyOptions): Promise<T>;
