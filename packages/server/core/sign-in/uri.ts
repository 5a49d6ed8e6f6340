import { createPublicKey } from 'node:crypto';
import { hiddenDotsError } from '../values/url-path.ts';

/** Hosts that are the machine itself (RFC 8252, section 7.3), and `localhost`, which libraries' examples use. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A private scheme is a reversed domain name (RFC 8252, section 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:$/;

/** A scheme of one word, as installed programs register it with a system, and the host that such URLs have. */
const NATIVE = /^([a-z][a-z0-9-]{2,40}):\/\/[a-z0-9]/;
/** Schemes that browsers, systems or protocols give a meaning, so that no program can call them its own. */
const TAKEN: ReadonlySet<string> = new Set(
  'about afp blob brave chrome cid content data dav davs dict dns edge facetime feed file filesystem finger ftp ftps geo git gopher hcp help http https imap imaps info intent ipp ipps irc ircs itms jar javascript jdbc ldap ldaps livescript localhost mailto maps market mcp mid mms mocha mqtt mqtts news nfs nntp nntps oid oidc openid opera otpauth pop pop3 rdp res resource rlogin rsync rtmp rtsp rtsps search sftp shell sip sips sms smb smtp smtps ssh sso svn tcp tel telnet tftp udp urn vbscript view-source vivaldi vnc webcal ws wss wyciwyg xmpp'.split(
    ' ',
  ),
);
const TAKEN_FAMILY =
  /^(?:android|chrome|edge|firefox|itms|microsoft|moz|ms|opera|safari|search|web|webkit|x)-|-extension$/;

/**
 * `http` on the machine itself without its port, which a program chooses as it runs (RFC 8252, section 7.3); undefined for
 * any other URL.
 */
export function loopbackOf(text: string): string | undefined {
  const [, host, rest] = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?([/?].*)?$/.exec(text) ?? [];
  return host === undefined || !URL.canParse(text) ? undefined : `${host}${rest ?? '/'}`;
}

/**
 * Why people cannot be redirected to `text`, and how to fix it; undefined when they can. It has to be written as a
 * browser writes it, since it is compared character by character (RFC 9700, section 2.1).
 */
export function redirectError(text: string, application: 'web' | 'native'): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'This must be a complete URL, such as https://app.example.com/callback.';
  if (text.includes('#')) return 'A fragment never reaches a server. Leave out # and what follows it.';
  if (text.includes('*')) return 'Wildcards are not supported: list each URL that is used.';
  const plain = plainError(text, url);
  if (plain !== undefined) return plain;
  if (url.protocol === 'https:') {
    return application === 'native' && LOOPBACK.has(url.hostname)
      ? 'A native app is reached on its own machine by http, not https.'
      : undefined;
  }
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname)
      ? undefined
      : 'http is for localhost, 127.0.0.1 and [::1] only. Use https for any other host.';
  }
  if (!PRIVATE_SCHEME.test(url.protocol) && !isNative(text))
    return 'This must begin with https://, or with a scheme of your own, such as com.example.app:/callback or app://host/callback.';
  if (application === 'web') return 'A scheme of its own is for native apps. Set application_type to native.';
  return undefined;
}

function isNative(text: string): boolean {
  const [, scheme] = NATIVE.exec(text) ?? [];
  return scheme !== undefined && !TAKEN.has(scheme) && !TAKEN_FAMILY.test(scheme);
}

/** Why `text` is not the URL of a web page. */
export function webError(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return 'This must be a complete https URL, such as https://app.example.com/.';
  return plainError(text, url);
}

/** Why `text` is not the URL of a client metadata document (draft-ietf-oauth-client-id-metadata-document, section 3). */
export function documentError(text: string): string | undefined {
  const error = webError(text);
  if (error !== undefined) return error;
  if (text.includes('#')) return 'A client metadata document has no fragment. Leave out # and what follows it.';
  return new URL(text).pathname === '/'
    ? 'A client metadata document has a path, such as https://app.example.com/client.json.'
    : undefined;
}

/** The checks for every URL: no credentials in it, and only one way to write it. */
function plainError(text: string, url: URL): string | undefined {
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text))
    return 'It must not contain a user name or password. Leave out everything before @.';
  // A browser adds the slash that a bare host lacks.
  if (text !== url.href && `${text}/` !== url.href) return `Write it the way browsers do: ${url.href.slice(0, 200)}`;
  return hiddenDotsError(url);
}

/** Why these are not public keys that can verify signatures. */
export function jwksError(keys: readonly object[]): string | undefined {
  for (const key of keys) {
    if ('d' in key || 'k' in key)
      return 'These are private keys. Send only the public keys, and replace these, which are no longer secret.';
    try {
      createPublicKey({ key: { ...key }, format: 'jwk' });
    } catch {
      return 'Each must be a public key as a JSON Web Key (RFC 7517): kty EC, RSA or OKP with its parts.';
    }
  }
  return undefined;
}
