export { MailroomError } from './error.js';
export { ask, Mailroom } from './mailroom.js';
export { isSettled } from './sending.js';
export { serve } from './serve.js';
export { verifyWebhook } from './webhook.js';
