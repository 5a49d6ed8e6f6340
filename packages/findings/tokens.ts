import { crc32 } from 'node:zlib';
import type { Match } from './finding.ts';
import { type Grams, type Words, wordsOf } from './grams.ts';

/** How a service's secrets look, where it gave them a form of their own, and the words of which each has one. */
export const TOKENS: readonly (readonly [service: string, form: RegExp, words: string])[] = [
  ['AWS', /(?<!\w)(?:AKIA|ASIA)[A-Z2-7]{16}(?!\w)/g, 'AKIA ASIA'],
  ['AWS', /(?<!\w)ABSK[A-Za-z0-9+/]{100,140}={0,2}/g, 'ABSK'],
  ['Airtable', /(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/g, 'pat'],
  ['age', /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/g, 'AGE-SECRET-KEY-1'],
  ['Anthropic', /(?<![\w-])sk-ant-[a-z0-9]{3,8}-[\w-]{32,120}/g, 'sk-ant-'],
  ['Atlassian', /(?<![\w=-])AT(?:ATT3|CTT3|BB)[\w=-]{30,220}/g, 'ATATT3 ATCTT3 ATBB'],
  ['Azure', /\b(?:AccountKey|SharedAccessKey)\s?=\s?[A-Za-z0-9+/]{40,90}={1,2}/g, 'AccountKey SharedAccessKey'],
  ['Azure', /[?&]sig=[A-Za-z0-9%]{43,70}(?:=|%3D)/g, 'sig='],
  ['Azure', /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}(?![\w~-])/g, '8Q~'],
  ['Azure DevOps', /(?<!\w)[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)/g, 'AZDO'],
  ['crates.io', /(?<!\w)cio[A-Za-z0-9]{32}(?!\w)/g, 'cio'],
  ['DigitalOcean', /(?<!\w)do[opr]_v1_[0-9a-f]{64}(?!\w)/g, '_v1_'],
  ['Discord', /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g, ''],
  ['Discord', /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}/g, 'discord'],
  ['Doppler', /(?<!\w)dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}(?!\w)/g, 'dp.'],
  ['Dropbox', /(?<![\w.])sl\.[\w-]{100,200}/g, 'sl.'],
  ['Dynatrace', /(?<!\w)dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}(?!\w)/g, 'dt0'],
  ['GitHub', /(?<!\w)gh[opsur]_[A-Za-z0-9]{36,255}(?!\w)/g, 'gho_ ghp_ ghs_ ghu_ ghr_'],
  ['GitHub', /(?<!\w)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)/g, 'github_pat_'],
  [
    'GitLab',
    /(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,64}/g,
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat-',
  ],
  ['Google', /(?<!\w)AIza[\w-]{35}(?![\w-])/g, 'AIza'],
  ['Google', /(?<!\w)GOCSPX-[\w-]{28}(?![\w-])/g, 'GOCSPX-'],
  ['Google', /(?<![\w.])ya29\.[\w-]{40,400}/g, 'ya29.'],
  ['Heroku', /(?<![\w-])HRKU-[\w-]{36,64}/g, 'HRKU-'],
  ['Hugging Face', /(?<!\w)hf_[A-Za-z]{34}(?!\w)/g, 'hf_'],
  ['LINE, Mailchimp', /(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)/g, '-us'],
  ['Linear', /(?<!\w)lin_(?:api|oauth)_[A-Za-z0-9]{32,64}(?!\w)/g, 'lin_api_ lin_oauth_'],
  ['Mailgun', /(?<![\w/-])key-[0-9a-f]{32}(?![\w.])/g, 'key-'],
  ['Netlify', /(?<!\w)nf[pcob]_[A-Za-z0-9]{36}(?!\w)/g, 'nfp_ nfc_ nfo_ nfb_'],
  ['New Relic', /(?<!\w)NRAK-[A-Z0-9]{27}(?!\w)/g, 'NRAK-'],
  ['npm', /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g, 'npm_'],
  ['OpenAI', /(?<![\w-])sk-(?:proj-|svcacct-|admin-|or-v1-)?[\w-]{20}T3BlbkFJ[\w-]{20}/g, 'T3BlbkFJ'],
  ['OpenAI', /(?<![\w-])sk-(?:proj|svcacct|admin|or-v1)-[\w-]{40,200}/g, 'sk-proj sk-svcacct sk-admin sk-or-v1'],
  ['OpenAI', /(?<![\w-])sk-[A-Za-z0-9]{48}(?!\w)/g, 'sk-'],
  ['Perplexity', /(?<!\w)pplx-[A-Za-z0-9]{48}(?!\w)/g, 'pplx-'],
  ['PlanetScale', /(?<![\w.-])pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/g, 'pscale_'],
  ['Postman', /(?<!\w)PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/g, 'PMAK-'],
  ['Pulumi', /(?<!\w)pul-[0-9a-f]{40}(?!\w)/g, 'pul-'],
  ['PyPI', /(?<![\w-])pypi-AgE[\w-]{50,300}/g, 'pypi-AgE'],
  ['Replicate', /(?<!\w)r8_[A-Za-z0-9]{37}(?!\w)/g, 'r8_'],
  ['RubyGems', /(?<!\w)rubygems_[0-9a-f]{48}(?!\w)/g, 'rubygems_'],
  ['SendGrid', /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g, 'SG.'],
  ['Sentry', /(?<![\w+/=-])sntry[su]_[\w+/=-]{40,300}/g, 'sntrys_ sntryu_'],
  ['Shopify', /(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?!\w)/g, 'shpat_ shpca_ shppa_ shpss_'],
  ['Slack', /(?<![\w-])xox[abeoprs]-[\w-]{10,250}/g, 'xox'],
  ['Slack', /(?<!\w)xapp-\d-[A-Z0-9]{8,14}-\d{8,15}-[0-9a-f]{64}(?!\w)/g, 'xapp-'],
  [
    'Slack',
    /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,12}\/[\w/]{20,60}/g,
    'hooks.slack.com',
  ],
  [
    'Square',
    /(?<!\w)sq0(?:atp|csp)-[\w-]{22,43}(?![\w-])|(?<![\w+/-])EAAA(?!AA)[\w-]{60}(?![\w+/=-])/g,
    'sq0atp- sq0csp- EAAA',
  ],
  ['Stripe', /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{20,120}(?!\w)/g, 'k_live_ k_test_'],
  ['Stripe', /(?<!\w)whsec_[A-Za-z0-9+/]{32,64}={0,2}/g, 'whsec_'],
  ['Supabase', /(?<!\w)sb(?:p_[0-9a-f]{40}|_secret_[\w-]{31,40})(?!\w)/g, 'sbp_ sb_secret_'],
  ['Telegram', /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g, ':AA'],
  ['Twilio', /(?<!\w)SK[0-9a-f]{32}(?!\w)/g, ''],
  ['Vault', /(?<![\w.])hv[bs]\.[\w-]{24,200}/g, 'hvb. hvs.'],
  ['xAI', /(?<!\w)xai-[A-Za-z0-9]{70,90}(?!\w)/g, 'xai-'],
  [
    'a private key',
    /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\{1,4}[rn]|[\s>"',+]){0,12}[A-Za-z0-9+/:=]{16}/g,
    '-----BEGIN',
  ],
  ['a private key of PuTTY', /PuTTY-User-Key-File-\d: \S{4,40}/g, 'PuTTY-User-Key-File-'],
  ['WireGuard', /\b(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}[A-Za-z0-9+/]{43}=/g, 'PrivateKey PresharedKey'],
  [
    'a login in a URL',
    /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,29}:\/\/[^\s:@/"'<>?#[\]]{0,64}:(?!(?:\d{1,5})?[/?])(?![*xX.…]{2,64}@|[<${[]|pass(?:word|wd)?@|pwd@)[^\s@"'<>/]{3,128}@[a-z0-9[][\w.:[\]-]{1,253}/gi,
    '://',
  ],
  [
    'a connection string',
    /(?<=[^\s=;]=[^\s;=]{1,100};\s?)(?:password|pwd)\s?=\s?(?![{<$*])[^\s;"'<>]{4,64}/gi,
    'password pwd',
  ],
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

/** A form, the words of which one is in all of its secrets, the sentence of a finding, and whether a match is one. */
type Form = readonly [form: RegExp, words: Words, why: string, isGenuine?: (token: string) => boolean];

const FORMS: readonly Form[] = [
  ...TOKENS.map(
    ([service, form, words]): Form => [
      form,
      wordsOf(words === '' ? [] : words.split(' ')),
      `This looks like ${service.startsWith('a ') ? service : `a secret of ${service}`}.`,
    ],
  ),
  [MAILROOM, wordsOf(['mr_live_']), 'This is a key of a Mailroom.', isMailroomKey],
  [JWT, wordsOf(['.eyJ']), 'This is a signed token (JWT).', isJwt],
];

/** Secrets in the form that their service gives them. */
export const tokens = (text: string, grams: Pick<Grams, 'mayHave'>): Match[] =>
  FORMS.flatMap(([form, words, why, isGenuine = () => true]) =>
    grams.mayHave(words)
      ? [...text.matchAll(form)]
          .filter(([token]) => isGenuine(token) && !isPlaceholder(token))
          .map(({ index, 0: token }) => ({ start: index, length: token.length, why }))
      : [],
  );
