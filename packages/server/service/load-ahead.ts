/** What only some requests need: the start does not wait for it, and the first of these requests should not either. */
const PACKAGES = [
  'undici',
  'sanitize-html',
  'markdown-it',
  '@simplewebauthn/server',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/client',
  '@a2a-js/sdk',
  '@a2a-js/sdk/errors',
  '@a2a-js/sdk/client',
  '@a2a-js/sdk/compat/v0_3/server',
  'nodemailer',
  'altcha-lib',
  'altcha-lib/algorithms/pbkdf2',
  'structured-headers',
  'http-message-sig',
  'web-bot-auth/crypto',
] as const;

/** Loads the packages that are loaded with their first use, one after the other: each takes up to 200 ms of the event loop. */
export async function loadAhead(): Promise<void> {
  // An error reaches the first request that needs the package.
  for (const name of PACKAGES) await import(name).catch(() => undefined);
}
