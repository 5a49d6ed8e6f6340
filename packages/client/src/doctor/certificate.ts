import type { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';

const DAY_MS = 86_400_000;
/** Days before its end by which a certificate should have been renewed; Let's Encrypt's last 90, renewed at 30. */
const SOON_DAYS = 14;
const CONNECT_MS = 10_000;

const RENEW = 'Renew it (certbot renew, or see what your proxy logs), and reload what serves it.';

/** A certificate at a time (ms since 1970); `host` must be one of its names. */
export function certificateFinding(
  check: string,
  certificate: Pick<X509Certificate, 'validFrom' | 'validTo' | 'checkHost'>,
  { host, now }: { readonly host: string; readonly now: number },
): Finding {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  const end = new Date(to).toISOString().slice(0, 10);
  const days = Math.floor((to - now) / DAY_MS);
  if (now < from)
    return fail(check, `valid only from ${new Date(from).toISOString()} on`, 'Check the clock of this machine first.');
  if (now >= to) return fail(check, `the certificate for ${host} expired on ${end}`, RENEW);
  if (certificate.checkHost(host) === undefined)
    return fail(check, `the certificate is not for ${host}`, `Get one with the name ${host}.`);
  if (days < SOON_DAYS) return warn(check, `the certificate for ${host} ends on ${end}, in ${days} days`, RENEW);
  return ok(check, `the certificate for ${host} is valid until ${end}, ${days} days`);
}

const CHAIN_ADVICE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: RENEW,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Get one from a public certificate authority, such as Let’s Encrypt.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its authority is not publicly trusted: get one from a public authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Serve the whole chain: the file with the intermediate certificates (fullchain.pem).',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Serve the whole chain, of a publicly trusted authority (fullchain.pem).',
};

/** The certificate and chain that the server at this https URL shows. Never rejects. */
export function tlsFinding(check: string, url: URL, now: number): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      servername: /^[\d.]+$|:/.test(host) ? '' : host,
      rejectUnauthorized: false,
      timeout: CONNECT_MS,
    });
    const end = (finding: Finding): void => {
      socket.destroy();
      resolve(finding);
    };
    const failed = (error: unknown): void =>
      end(
        fail(
          check,
          `no TLS at ${url.host}: ${reasonOf(error)}`,
          'Check that the proxy listens there, and that its firewall lets it.',
        ),
      );
    socket.once('timeout', () => failed(new Error(`no answer in ${CONNECT_MS / 1000} s`)));
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined) return failed(new Error('no certificate'));
      const own = certificateFinding(check, certificate, { host, now });
      const code = String((socket.authorizationError as (Error & { code?: string }) | string | null) ?? '');
      const reason = (socket.authorizationError as unknown as { code?: string } | null)?.code ?? code;
      if (own.status === 'fail' || socket.authorized) return end(own);
      const advice = CHAIN_ADVICE[reason] ?? 'Get a certificate from a public authority, and serve its whole chain.';
      end(fail(check, `the certificate for ${host} is not trusted: ${reason}`, advice));
    });
  });
}
