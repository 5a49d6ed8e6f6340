import { MailroomError } from './error.js';
const refused = (why) => new MailroomError(`The webhook is not genuine: ${why}.`, { code: 'invalid_signature' });
/** Bytes of base64; undefined for other text. */
function bytesOf(base64) {
    try {
        return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
/**
 * The event of a webhook, or the list of events of one with a `batch`, once its signature is verified (Standard Webhooks 1.0: HMAC-SHA256 over id, time and body).
 * `secret` is `whsec_…`, or several while one is replaced. MailroomError `invalid_signature` for a request that another
 * sent, that was changed, or that is older than five minutes.
 */
export async function verifyWebhook(request, secret, { toleranceSeconds = 300, now = Date.now() } = {}) {
    const header = (name) => {
        const { headers } = request;
        const value = headers instanceof Headers ? headers.get(name) : headers[name];
        if (typeof value !== 'string' || value === '')
            throw refused(`it has no header ${name}`);
        return value;
    };
    const id = header('webhook-id');
    const timestamp = header('webhook-timestamp');
    const signatures = header('webhook-signature').split(' ');
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
        throw refused('its time is not now; a copy may be sent again, or a clock is wrong');
    const body = request instanceof Request
        ? new Uint8Array(await request.arrayBuffer())
        : typeof request.body === 'string'
            ? new TextEncoder().encode(request.body)
            : request.body;
    const head = new TextEncoder().encode(`${id}.${timestamp}.`);
    const signed = new Uint8Array(head.length + body.length);
    signed.set(head);
    signed.set(body, head.length);
    for (const one of typeof secret === 'string' ? [secret] : secret) {
        const bytes = bytesOf(one.replace(/^whsec_/, ''));
        if (bytes === undefined || bytes.length === 0)
            throw new MailroomError('The secret of the webhook is not one: it starts with whsec_.', {
                code: 'configuration',
            });
        const algorithm = { name: 'HMAC', hash: 'SHA-256' };
        const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
        for (const signature of signatures) {
            const [version, value = ''] = signature.split(',', 2);
            const mac = version === 'v1' ? bytesOf(value) : undefined;
            // The comparison within takes the same time for every signature.
            if (mac !== undefined && (await crypto.subtle.verify('HMAC', key, mac, signed)))
                return JSON.parse(new TextDecoder().decode(body));
        }
    }
    throw refused('no signature is by this secret over this body');
}
