import { crc32 } from 'node:zlib';
import type { Match } from './finding.ts';

/** How a service's secrets look, where it gave them a form of their own. */
const TOKENS: readonly (readonly [service: string, form: RegExp])[] = [
  ['AWS', /(?<!\w)(?:AKIA|ASIA)[A-Z2-7]{16}(?!\w)/g],
  ['AWS', /(?<!\w)ABSK[A-Za-z0-9+/]{100,140}={0,2}/g],
  ['Airtable', /(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/g],
  ['age', /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/g],
  ['Anthropic', /(?<![\w-])sk-ant-[a-z0-9]{3,8}-[\w-]{32,120}/g],
  ['Atlassian', /(?<![\w=-])AT(?:ATT3|CTT3|BB)[\w=-]{30,220}/g],
  ['Azure', /\b(?:AccountKey|SharedAccessKey)\s?=\s?[A-Za-z0-9+/]{40,90}={1,2}/g],
  ['Azure', /[?&]sig=[A-Za-z0-9%]{43,70}(?:=|%3D)/g],
  ['Azure', /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}(?![\w~-])/g],
  ['Azure DevOps', /(?<!\w)[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)/g],
  ['crates.io', /(?<!\w)cio[A-Za-z0-9]{32}(?!\w)/g],
  ['DigitalOcean', /(?<!\w)do[opr]_v1_[0-9a-f]{64}(?!\w)/g],
  ['Discord', /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g],
  ['Discord', /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}/g],
  ['Doppler', /(?<!\w)dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}(?!\w)/g],
  ['Dropbox', /(?<![\w.])sl\.[\w-]{100,200}/g],
  ['Dynatrace', /(?<!\w)dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}(?!\w)/g],
  ['GitHub', /(?<!\w)gh[opsur]_[A-Za-z0-9]{36,255}(?!\w)/g],
  ['GitHub', /(?<!\w)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)/g],
  ['GitLab', /(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,64}/g],
  ['Google', /(?<!\w)AIza[\w-]{35}(?![\w-])/g],
  ['Google', /(?<!\w)GOCSPX-[\w-]{28}(?![\w-])/g],
  ['Google', /(?<![\w.])ya29\.[\w-]{40,400}/g],
  ['Heroku', /(?<![\w-])HRKU-[\w-]{36,64}/g],
  ['Hugging Face', /(?<!\w)hf_[A-Za-z]{34}(?!\w)/g],
  ['LINE, Mailchimp', /(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)/g],
  ['Linear', /(?<!\w)lin_(?:api|oauth)_[A-Za-z0-9]{32,64}(?!\w)/g],
  ['Mailgun', /(?<![\w/-])key-[0-9a-f]{32}(?![\w.])/g],
  ['Netlify', /(?<!\w)nf[pcob]_[A-Za-z0-9]{36}(?!\w)/g],
  ['New Relic', /(?<!\w)NRAK-[A-Z0-9]{27}(?!\w)/g],
  ['npm', /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g],
  ['OpenAI', /(?<![\w-])sk-(?:proj-|svcacct-|admin-|or-v1-)?[\w-]{20}T3BlbkFJ[\w-]{20}/g],
  ['OpenAI', /(?<![\w-])sk-(?:proj|svcacct|admin|or-v1)-[\w-]{40,200}/g],
  ['OpenAI', /(?<![\w-])sk-[A-Za-z0-9]{48}(?!\w)/g],
  ['Perplexity', /(?<!\w)pplx-[A-Za-z0-9]{48}(?!\w)/g],
  ['PlanetScale', /(?<![\w.-])pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/g],
  ['Postman', /(?<!\w)PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/g],
  ['Pulumi', /(?<!\w)pul-[0-9a-f]{40}(?!\w)/g],
  ['PyPI', /(?<![\w-])pypi-AgE[\w-]{50,300}/g],
  ['Replicate', /(?<!\w)r8_[A-Za-z0-9]{37}(?!\w)/g],
  ['RubyGems', /(?<!\w)rubygems_[0-9a-f]{48}(?!\w)/g],
  ['SendGrid', /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g],
  ['Sentry', /(?<![\w+/=-])sntry[su]_[\w+/=-]{40,300}/g],
  ['Shopify', /(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?!\w)/g],
  ['Slack', /(?<![\w-])xox[abeoprs]-[\w-]{10,250}/g],
  ['Slack', /(?<!\w)xapp-\d-[A-Z0-9]{8,14}-\d{8,15}-[0-9a-f]{64}(?!\w)/g],
  ['Slack', /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,12}\/[\w/]{20,60}/g],
  ['Square', /(?<!\w)sq0(?:atp|csp)-[\w-]{22,43}(?![\w-])|(?<![\w+/-])EAAA(?!AA)[\w-]{60}(?![\w+/=-])/g],
  ['Stripe', /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{20,120}(?!\w)/g],
  ['Stripe', /(?<!\w)whsec_[A-Za-z0-9+/]{32,64}={0,2}/g],
  ['Supabase', /(?<!\w)sb(?:p_[0-9a-f]{40}|_secret_[\w-]{31,40})(?!\w)/g],
  ['Telegram', /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['Twilio', /(?<!\w)SK[0-9a-f]{32}(?!\w)/g],
  ['Vault', /(?<![\w.])hv[bs]\.[\w-]{24,200}/g],
  ['xAI', /(?<!\w)xai-[A-Za-z0-9]{70,90}(?!\w)/g],
  [
    'a private key',
    /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\{1,4}[rn]|[\s>"',+]){0,12}[A-Za-z0-9+/:=]{16}/g,
  ],
  ['a private key of PuTTY', /PuTTY-User-Key-File-\d: \S{4,40}/g],
  ['WireGuard', /\b(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}[A-Za-z0-9+/]{43}=/g],
  [
    'a login in a URL',
    /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,29}:\/\/[^\s:@/"'<>?#[\]]{0,64}:(?!(?:\d{1,5})?[/?])(?![*xX.…]{2,64}@|[<${[]|pass(?:word|wd)?@|pwd@)[^\s@"'<>/]{3,128}@[a-z0-9[][\w.:[\]-]{1,253}/gi,
  ],
  ['a connection string', /(?<=[^\s=;]=[^\s;=]{1,100};\s?)(?:password|pwd)\s?=\s?(?![{<$*])[^\s;"'<>]{4,64}/gi],
];

/** A key of a Mailroom: `mr_live_` and 46 characters of base 62, of which the last six are a CRC-32. */
const MAILROOM = /(?<!\w)mr_live_[0-9A-Za-z]{46}(?!\w)/g;
/** Three parts in base64url, of which the first begins with `{"` (RFC 7519). */
const JWT = /(?<![\w.-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{16,1400}(?![\w.])/g;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function isMailroomKey(key: string): boolean {
  const sum = Array.from(key.slice(-6)).reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0);
  return sum === crc32(key.slice(0, -6));
}

/** Whether a token is a JWT by its header: another `typ` (RFC 7519, section 5.1) is something signed, such as a receipt. */
function isJwt(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString());
    if (typeof header !== 'object' || header === null || !('alg' in header)) return false;
    return !('typ' in header) || /jwt$/i.test(String(header.typ));
  } catch {
    return false;
  }
}

/** Whether a text is an example that its author filled in by hand, such as `sk_live_xxxxxxxxxxxxxxxxxxxxxxxx`. */
export const isPlaceholder = (text: string): boolean => /([^=\s-])\1{7}|\*{4}|\.{4}|…|example/i.test(text);

/** Secrets in the form that their service gives them. */
export function tokens(text: string): Match[] {
  const found: Match[] = [];
  const add = (form: RegExp, why: string, isGenuine: (token: string) => boolean = () => true): void => {
    for (const { index, 0: token } of text.matchAll(form)) {
      if (!isPlaceholder(token) && isGenuine(token)) found.push({ start: index, length: token.length, why });
    }
  };
  for (const [service, form] of TOKENS) {
    add(form, service.startsWith('a ') ? `This looks like ${service}.` : `This looks like a secret of ${service}.`);
  }
  add(MAILROOM, 'This is a key of a Mailroom.', isMailroomKey);
  add(JWT, 'This is a signed token (JWT).', isJwt);
  return found;
}
