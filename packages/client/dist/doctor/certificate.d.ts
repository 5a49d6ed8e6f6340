import type { X509Certificate } from 'node:crypto';
import { type Finding } from './finding.js';
/** A certificate at a time (ms since 1970); `host` must be one of its names. */
export declare function certificateFinding(check: string, certificate: Pick<X509Certificate, 'validFrom' | 'validTo' | 'checkHost'>, { host, now }: {
    readonly host: string;
    readonly now: number;
}): Finding;
/** The certificate and chain that the server at this https URL shows. Never rejects. */
export declare function tlsFinding(check: string, url: URL, now: number): Promise<Finding>;
