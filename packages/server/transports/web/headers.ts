/** Allows resources, connections and forms of this service only, and no framing (CSP Level 3). */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** As `CSP`, for pages that show mails in frames of this service. */
export const FRAMING_CSP = `${CSP}; frame-src 'self'`;

/**
 * The headers of every page. The referrer is sent to this service only: with `no-referrer` browsers would send forms
 * with `Origin: null` (W3C Referrer Policy; WHATWG Fetch, section 3.2).
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CSP,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cache-control': 'private, no-cache',
  vary: 'accept',
};

export const NO_STORE = { 'cache-control': 'no-store' };
