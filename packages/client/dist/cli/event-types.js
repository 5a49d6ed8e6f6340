import { UsageError } from './command.js';
/** Every type of event; the compiler finds one that is missing. */
const TYPES = {
    'message.received': true,
    'message.waiting': true,
    'message.completed': true,
    'message.input_required': true,
    'message.failed': true,
    'message.canceled': true,
    'message.rejected': true,
    'delivery.sent': true,
    'delivery.deferred': true,
    'delivery.bounced': true,
    'delivery.complained': true,
    'review.requested': true,
    'review.changed': true,
    'review.decided': true,
    'review.decision_refused': true,
    'review.expired': true,
    'thread.taken_over': true,
    'thread.updated': true,
    'thread.note': true,
    'thread.handed_back': true,
    'mailbox.created': true,
    'mailbox.updated': true,
    'mailbox.loop_detected': true,
    'mailbox.budget_nearly_spent': true,
    'mailbox.budget_spent': true,
    'mailbox.webhook_disabled': true,
    'mailbox.limited': true,
    'mailbox.deleted': true,
    'webhook.disabled': true,
    'webhook.limited': true,
    'namespace.nearly_full': true,
    'domain.verified': true,
    'domain.failed': true,
    'domain.keys_changed': true,
};
const FAMILIES = new Set(Object.keys(TYPES).map((type) => `${type.split('.')[0]}.*`));
const KNOWN = ['*', ...FAMILIES, ...Object.keys(TYPES)];
/** The types as they were given. UsageError for one that no event has, for which a command would wait forever. */
export function eventTypes(types) {
    const wrong = types.find((type) => !KNOWN.includes(type));
    if (wrong === undefined)
        return types;
    throw new UsageError(`There is no event type "${wrong}". Use one of ${KNOWN.join(', ')}.`);
}
