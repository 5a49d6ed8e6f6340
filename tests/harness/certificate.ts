import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Writes a certificate for these names, valid for two days, and its key into files. */
export function newCertificate(
  folder: string,
  names: readonly string[],
): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const run = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      .concat(['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`])
      .concat(['-keyout', key, '-out', cert]),
    { encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`openssl failed: ${run.error?.message ?? run.stderr}`);
  return { cert, key };
}
