import { createHmac, generateKeyPairSync } from 'node:crypto';
import { chance } from '../../../tests/harness/chance.ts';
import { newSecret } from '../../server/core/entities/key.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE32 = `${UPPER}234567`;
const BASE62 = DIGITS + UPPER + LOWER;
const URL64 = `${BASE62}-_`;
const BASE64 = `${BASE62}+/`;

const random = chance(38);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const chars = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
const base64 = (length: number): string => chars(BASE64, length);

const WORDS = 'river stone lamp cloud tiger apple sugar maple orbit cabin violet kettle'.split(' ');
const word = (): string => pick(WORDS);
/** As people make them: words with digits and signs, or without order. */
const password = (): string =>
  pick([
    () =>
      word()[0]?.toUpperCase() +
      word().slice(1) +
      chars(DIGITS, 2 + Math.floor(random() * 3)) +
      pick(['!', '?', '#', '$', '']),
    () => `${word()}-${word()}-${word()}`,
    () => chars(BASE62, 12) + chars(DIGITS, 2),
    () => `${chars(LOWER, 3)}${pick(['!', '@', '%', '&', '*'])}${chars(BASE62, 6)}${chars(DIGITS, 2)}`,
    () => word() + chars(DIGITS, 4),
  ])();
const plain = (): string => chars(BASE62, 10) + chars(DIGITS, 2);

function jwt(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: chars(DIGITS, 8), iat: 1_700_000_000 })}`;
  return `${head}.${createHmac('sha256', chars(HEX, 32)).update(head).digest('base64url')}`;
}

const pem = (type: 'pkcs8' | 'sec1'): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type, format: 'pem' }).toString().trim();

const block = (label: string): string =>
  [`-----BEGIN ${label}-----`, ...Array.from({ length: 6 }, () => base64(64)), `-----END ${label}-----`].join('\n');

const LABELS = [
  'Password: ',
  'password is ',
  'Passwort: ',
  'Das Kennwort lautet ',
  'Mot de passe : ',
  'Contraseña: ',
  'La contraseña es ',
  'La password è ',
  'Senha: ',
  'A senha é ',
  'Wachtwoord: ',
  'Hasło: ',
  'Пароль: ',
  '密码：',
  '密码是',
  'パスワード：',
  'パスワードは',
  '비밀번호: ',
];

/** Each kind of secret as its service forms it; those beside their name alone have that name. */
export const KINDS: Readonly<Record<string, () => string>> = {
  'AWS access key id': () => `AKIA${chars(BASE32, 16)}`,
  'AWS secret access key': () => `aws_secret_access_key = ${base64(40)}`,
  'AWS session key id': () => `ASIA${chars(BASE32, 16)}`,
  'GitHub token': () => `${pick(['ghp', 'gho', 'ghs', 'ghu'])}_${chars(BASE62, 36)}`,
  'GitHub fine-grained token': () => `github_pat_${chars(BASE62, 22)}_${chars(BASE62, 59)}`,
  'GitLab token': () => `glpat-${chars(URL64, 20)}`,
  'Slack token': () => `xox${pick(['b', 'p'])}-${chars(DIGITS, 12)}-${chars(DIGITS, 12)}-${chars(BASE62, 24)}`,
  'Slack webhook': () =>
    `https://hooks.slack.com/services/T${chars(UPPER + DIGITS, 8)}/B${chars(UPPER + DIGITS, 10)}/${chars(BASE62, 24)}`,
  'Stripe key': () => `${pick(['sk', 'rk'])}_live_${chars(BASE62, pick([24, 99]))}`,
  'Stripe webhook secret': () => `whsec_${chars(BASE62, 32)}`,
  'OpenAI key': () => `sk-${pick(['proj-', ''])}${chars(BASE62, 20)}T3BlbkFJ${chars(BASE62, 20)}`,
  'OpenAI project key': () => `sk-proj-${chars(URL64, 74)}T3BlbkFJ${chars(URL64, 74)}`,
  'Anthropic key': () => `sk-ant-api03-${chars(URL64, 93)}AA`,
  'Google API key': () => `AIza${chars(URL64, 35)}`,
  'Google OAuth secret': () => `GOCSPX-${chars(URL64, 28)}`,
  'GCP service account': () =>
    `{"type": "service_account", "project_id": "${word()}-${chars(DIGITS, 5)}", "private_key_id": "${chars(HEX, 40)}", "private_key": ${JSON.stringify(`${pem('pkcs8')}\n`)}}`,
  'private key (PKCS #8)': () => pem('pkcs8'),
  'private key (SEC 1)': () => pem('sec1'),
  'private key (RSA)': () => block('RSA PRIVATE KEY'),
  'private key (OpenSSH)': () => block('OPENSSH PRIVATE KEY'),
  JWT: jwt,
  'basic-auth URL': () => `https://${word()}:${plain()}@${word()}.internal.net/path`,
  'PostgreSQL URL': () => `postgres://${word()}:${plain()}@db.${word()}.net:5432/${word()}`,
  'MySQL URL': () => `mysql://root:${password().replace(/[#?@%/]/g, 'x')}@10.0.0.${chars('123456789', 1)}/${word()}`,
  'MongoDB URL': () => `mongodb+srv://${word()}:${plain()}@cluster0.${chars(LOWER, 5)}.mongodb.net/${word()}`,
  'Redis URL': () => `redis://:${plain()}@cache.${word()}.net:6379/0`,
  'npm token': () => `npm_${chars(BASE62, 36)}`,
  'PyPI token': () => `pypi-AgEIcHlwaS5vcmc${chars(URL64, 140)}`,
  'Twilio key': () => `SK${chars(HEX, 32)}`,
  'Twilio auth token': () => `TWILIO_AUTH_TOKEN=${chars(HEX, 32)}`,
  'SendGrid key': () => `SG.${chars(URL64, 22)}.${chars(URL64, 43)}`,
  'Mailgun key': () => `key-${chars(HEX, 32)}`,
  'Mailchimp key': () => `${chars(HEX, 32)}-us${pick(['1', '12', '21'])}`,
  'Azure storage': () =>
    `DefaultEndpointsProtocol=https;AccountName=${word()};AccountKey=${base64(86)}==;EndpointSuffix=core.windows.net`,
  'Azure client secret': () => `${chars(BASE62, 3)}8Q~${chars(`${BASE62}_`, 34)}`,
  'Azure SAS': () =>
    `https://${word()}.blob.core.windows.net/c?sv=2022-11-02&se=2027-01-01&sr=c&sig=${chars(BASE62, 43)}%3D`,
  'SQL Server connection string': () =>
    `Server=tcp:db.${word()}.net,1433;User ID=app;Password=${plain()};Encrypt=True;`,
  'Mailroom key': () => newSecret().secret,
  'Hugging Face token': () => `hf_${chars(UPPER + LOWER, 34)}`,
  'DigitalOcean token': () => `dop_v1_${chars(HEX, 64)}`,
  'Discord bot token': () => `M${chars(BASE62, 23)}.G${chars(BASE62, 5)}.${chars(URL64, 38)}`,
  'Telegram bot token': () => `${chars('123456789', 10)}:AA${chars(URL64, 33)}`,
  'Shopify token': () => `shpat_${chars(HEX, 32)}`,
  'Vault token': () => `hvs.${chars(URL64, 95)}`,
  'generic API key': () => `api_key: ${chars(HEX, 40)}`,
  'client secret': () => `client_secret=${chars(BASE62, 20)}${chars(DIGITS, 3)}${chars(BASE62, 12)}`,
  'password line': () => pick(LABELS) + password(),
  'password line, another language': () => pick(LABELS) + password(),
};

const PROSE: readonly ((secret: string) => string)[] = [
  (secret) => `Hi Ana,\n\nas we discussed on the phone, here is what you need: ${secret}\n\nBest regards\nTom`,
  (secret) => `Hallo, damit kommt ihr auf den Server:\n${secret}\nBitte nach dem Test wieder löschen. Danke!`,
  (secret) => `Please use (${secret}) until Friday, then we replace it.`,
  (secret) => `Voici l'accès demandé : ${secret}\nÀ bientôt`,
];

/** Where people write a secret: among words, in a file of settings, in JSON. */
export const SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  prose: (secret) => pick(PROSE)(secret),
  env: (secret) => {
    const line = /^[A-Z_]+=|^\w+ ?[=:] /.test(secret) ? secret : `SERVICE_VALUE="${secret}"`;
    return `# settings of ${word()}\nPORT=8080\n${line}\nLOG_LEVEL=info\n`;
  },
  json: (secret) => JSON.stringify({ name: word(), port: 8080, note: secret, enabled: true }, null, 2),
};

export interface GeneratedSecret {
  readonly kind: string;
  readonly surrounding: string;
  readonly text: string;
}

/** `count` secrets of all kinds in turn, each in all surroundings. */
export const generatedSecrets = (count: number): GeneratedSecret[] =>
  Array.from({ length: count }, (_, place) => {
    const [kind, make] = Object.entries(KINDS)[place % Object.keys(KINDS).length] as [string, () => string];
    const secret = make();
    return Object.entries(SURROUNDINGS).map(([surrounding, around]) => ({ kind, surrounding, text: around(secret) }));
  }).flat();
