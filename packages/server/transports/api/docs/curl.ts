import type { Endpoint } from './document.ts';
import { type ExampleNames, REVIEW_HASH, type Scene } from './samples.ts';

/** What an example needs besides the endpoint to work when pasted. */
interface Recipe {
  /** Commands that run first, to find or create the object of the example. */
  readonly before?: readonly string[];
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Texts of the body that shell variables replace. */
  readonly swap?: Readonly<Record<string, string>>;
  readonly key?: string;
  /** A body that is no JSON, with its type. */
  readonly content?: readonly [type: string, text: string];
  readonly note?: string;
}

/** One recipe for several endpoints. */
const all = (recipe: Recipe, ...ids: readonly string[]): Readonly<Record<string, Recipe>> =>
  Object.fromEntries(ids.map((id) => [id, recipe]));

const JSON_HEADER = "-H 'Content-Type: application/json'";
const auth = (key = 'MAILROOM_KEY'): string => `-H "Authorization: Bearer $${key}"`;
/** Extracts the first value of this form from a JSON answer with tools that every shell has. */
const first = (pattern: string): string => `grep -o '${pattern}' | head -n 1`;
/** The second and the shell's process id, so that two who paste at once choose two names. */
const UNIQUE = '$(date +%s)$$';
const SECRET = 'mr_live_[0-9A-Za-z]\\{46\\}';

/** The commands of all recipes for a base URL and a scene. */
function recipes(base: string, { mailDomain, namespace, names }: Scene): Readonly<Record<string, Recipe>> {
  const mine = [
    `NAMESPACE=$(curl -s ${base}/api/v1/me ${auth()} \\`,
    `  | ${first('"namespace":"[^"]*')} | cut -d '"' -f 4)`,
  ];
  const body = JSON.stringify({ to: `${names.proofreader}@${namespace}.${mailDomain}`, body: 'I has a apple.' });
  const send = (variable: string, prefix: string): readonly string[] => [
    `${variable}=$(curl -s ${base}/api/v1/mail/send \\`,
    `  ${auth()} ${JSON_HEADER} \\`,
    `  -d '${body}' \\`,
    `  | ${first(`${prefix}_[0-9a-z]*`)})`,
  ];
  const make = (name: string, key: string): readonly string[] => [
    `NAMESPACE=${name}-${UNIQUE}`,
    `${key}=$(curl -s ${base}/api/v1/namespaces \\`,
    `  ${JSON_HEADER} \\`,
    `  -d '{"name":"'$NAMESPACE'"}' | ${first(SECRET)})`,
  ];
  const editor = { before: mine, path: { address: `editor@$NAMESPACE.${mailDomain}` } };
  const ofEditor = { ...editor, note: 'After the example of “Create a mailbox”.' };
  const signIn = signInRecipes(base, mailDomain, names, mine);
  const answers = answerRecipes(base, mailDomain, names, mine);
  const ofNamespace = { before: mine, path: { name: '$NAMESPACE' } };
  const ownAddress = [
    ...mine,
    `ADDRESS=$(curl -s ${base}/api/v1/namespaces/$NAMESPACE/mailboxes ${auth()} \\`,
    `  | ${first('"address":"[^"]*')} | cut -d '"' -f 4)`,
  ];
  const ofOwnAddress = {
    before: ownAddress,
    path: { address: '$ADDRESS' },
    note: 'It uses the first mailbox of your namespace, so there must be one.',
  };
  const ofReceived = {
    before: [
      ...ownAddress,
      `MESSAGE=$(curl -s ${base}/api/v1/mail/send \\`,
      `  ${auth()} ${JSON_HEADER} \\`,
      `  -d '{"to":"'$ADDRESS'","body":"Hello"}' | ${first('msg_[0-9a-z]*')})`,
    ],
    path: { id: '$MESSAGE' },
    note: 'It writes to the first mailbox of your namespace, so there must be one.',
  };
  const ofDraft = {
    before: [
      `DRAFT=$(curl -s ${base}/api/v1/mail/drafts \\`,
      `  ${auth()} ${JSON_HEADER} \\`,
      `  -d '{"to":"${names.profile}@${namespace}.${mailDomain}","body":"Hello"}' | ${first('drf_[0-9a-z]*')})`,
    ],
    path: { id: '$DRAFT' },
    note: 'It creates the draft that it then uses.',
  };
  return {
    getMessage: { before: send('MESSAGE', 'msg'), path: { id: '$MESSAGE' }, query: '?wait=10' },
    cancelMessage: { before: send('MESSAGE', 'msg'), path: { id: '$MESSAGE' } },
    retryMessage: {
      before: [
        `MESSAGE=$(curl -s "${base}/api/v1/mail/messages?status=failed&limit=1" ${auth()} | ${first('msg_[0-9a-z]*')})`,
      ],
      path: { id: '$MESSAGE' },
      note: 'It uses the last message that failed; if none did, there is nothing to send again.',
    },
    getAttachment: {
      before: [
        `FILE=$(curl -s ${base}/api/v1/mail/send \\`,
        `  ${auth()} ${JSON_HEADER} \\`,
        `  -d '{"to":"${names.profile}@${namespace}.${mailDomain}","body":"Hello","attachments":[{"filename":"a.txt","content_type":"text/plain","content":"SGVsbG8="}]}' \\`,
        `  | ${first('att_[0-9a-z]*')})`,
      ],
      path: { id: '$FILE' },
      note: 'It sends the file that it then downloads.',
    },
    getThread: { before: send('THREAD', 'thr'), path: { id: '$THREAD' } },
    listSentMessages: { query: '?limit=10&status=completed' },
    searchMessages: { query: '?query=invoice+from:ann&limit=10' },
    changeMessages: { ...ofReceived, swap: { '"msg_0d8m3xk2q5v7w9y1a3c5"': `"'$MESSAGE'"` } },
    listMailboxes: { query: `?behavior=${names.proofreader}` },
    createNamespace: { before: [`NAMESPACE=ada-${UNIQUE}`], swap: { '"ada"': `"'$NAMESPACE'"` } },
    importMailbox: {
      ...ofOwnAddress,
      content: [
        'message/rfc822',
        'From: ada@example.com\nDate: Tue, 03 Mar 2020 10:00:00 +0000\nSubject: Lunch\n\nAt noon?\n',
      ],
    },
    deleteNamespace: {
      before: make('spare', 'SPARE_KEY'),
      path: { name: '$NAMESPACE' },
      key: 'SPARE_KEY',
      note: 'It creates a namespace to delete, so that yours stays.',
    },
    revokeKey: {
      before: [
        `KEY=$(curl -s ${base}/api/v1/keys \\`,
        `  ${auth()} ${JSON_HEADER} \\`,
        `  -d '{"scopes":["mail:send"]}' | ${first('key_[0-9a-z]*')})`,
      ],
      path: { id: '$KEY' },
      note: 'It creates a key to revoke, so that yours stays.',
    },
    ...all(
      ofOwnAddress,
      'getMailboxUsage',
      'listOutsideTools',
      'checkOutside',
      'listMailboxMessages',
      'waitForMessage',
      'tryRules',
      'exportMailbox',
    ),
    ...all(ofReceived, 'updateMessage', 'deleteMessage', 'forwardMessage', 'trashMessage', 'restoreMessage'),
    ...all(
      ofNamespace,
      'createMailbox',
      'getOverview',
      'listMembers',
      'getActivity',
      'updateNamespace',
      'exportNamespace',
      'listAudit',
      'exportAudit',
    ),
    ...all(ofEditor, 'updateMailbox', 'deleteMailbox'),
    ...all(ofDraft, 'getDraft', 'updateDraft', 'deleteDraft', 'sendDraft'),
    ...signIn,
    ...answers,
    ...webhookRecipes(base),
    ...reviewRecipes(base, mailDomain, names, mine),
    getProblem: { path: { code: 'validation_error' } },
    start: { before: make('ada', 'MAILROOM_KEY') },
  };
}

/** Recipes for an address that a program answers, created when missing, and a message to it. */
function answerRecipes(
  base: string,
  mailDomain: string,
  { program }: ExampleNames,
  mine: readonly string[],
): Readonly<Record<string, Recipe>> {
  const address = `${program}@$NAMESPACE.${mailDomain}`;
  const post = (url: string, body: string): readonly string[] => [
    `curl -s -o /dev/null ${url} \\`,
    `  ${auth()} ${JSON_HEADER} \\`,
    `  -d '${body}'`,
  ];
  const sending = [
    ...mine,
    ...post(
      `${base}/api/v1/namespaces/$NAMESPACE/mailboxes`,
      `{"local_part":"${program}","behavior":{"name":"${program}"}}`,
    ),
    ...post(
      `${base}/api/v1/mail/send`,
      `{"to":"${program}@'$NAMESPACE'.${mailDomain}","body":"Which rooms are free on Friday?"}`,
    ),
  ];
  const claimed = [
    ...sending,
    `CLAIMED=$(curl -s -X POST "${base}/api/v1/mailboxes/${address}/claim" ${auth()})`,
    `MESSAGE=$(echo "$CLAIMED" | ${first('msg_[0-9a-z]*')})`,
    `CLAIM=$(echo "$CLAIMED" | ${first('clm_[0-9a-z]*')})`,
  ];
  const note = `It creates the address ${program} in your namespace if there is none, and writes to it.`;
  const ofClaimed = { before: claimed, path: { id: '$MESSAGE' }, swap: { clm_0d8m3xk2q5v7w9y1a3c0: "'$CLAIM'" }, note };
  const ofThread = {
    before: [...claimed, `THREAD=$(echo "$CLAIMED" | ${first('thr_[0-9a-z]*')})`],
    path: { id: '$THREAD' },
    note,
  };
  const pushed = post(
    `${base}/api/v1/namespaces/$NAMESPACE/mailboxes`,
    `{"local_part":"pushed","behavior":{"name":"${program}","settings":{"webhook_url":"https://hooks.example.com/agent"}}}`,
  );
  return {
    rotateMailboxWebhook: {
      before: [...mine, ...pushed],
      path: { address: `pushed@$NAMESPACE.${mailDomain}` },
      note: 'It creates the address pushed in your namespace if there is none.',
    },
    takeOverThread: ofThread,
    changeThread: ofThread,
    addNote: ofThread,
    handBackThread: ofThread,
    claimMessages: { before: sending, path: { address }, note },
    answerMessage: ofClaimed,
    answerMessages: {
      ...ofClaimed,
      path: { address },
      swap: { ...ofClaimed.swap, msg_0d8m3xk2q5v7w9y1a3c5: "'$MESSAGE'" },
    },
    reportProgress: ofClaimed,
    releaseMessage: ofClaimed,
  };
}

/** Recipes for an answer that waits for its review, at an address that is created when missing. */
function reviewRecipes(
  base: string,
  mailDomain: string,
  { profile }: ExampleNames,
  mine: readonly string[],
): Readonly<Record<string, Recipe>> {
  const box = `{"local_part":"reviewed","behavior":{"name":"${profile}"},"outgoing":{"review":"always"}}`;
  const intro = [
    ...mine,
    `curl -s -o /dev/null ${base}/api/v1/namespaces/$NAMESPACE/mailboxes \\`,
    `  ${auth()} ${JSON_HEADER} -d '${box}'`,
    `curl -s -o /dev/null ${base}/api/v1/mail/send ${auth()} ${JSON_HEADER} \\`,
    `  -d '{"to":"reviewed@'$NAMESPACE'.${mailDomain}","body":"Who are you?","sync":true}'`,
    `FOUND=$(curl -s "${base}/api/v1/mail/reviews?status=pending&limit=1" ${auth()})`,
    `REVIEW=$(echo "$FOUND" | ${first('rev_[0-9a-z]*')})`,
  ];
  const note = 'It creates the address reviewed in your namespace if there is none, and writes to it.';
  const ofReview = { before: intro, path: { id: '$REVIEW' }, note };
  return {
    getReview: ofReview,
    changeReview: ofReview,
    rejectReview: ofReview,
    approveReview: {
      ...ofReview,
      before: [...intro, `HASH=$(echo "$FOUND" | ${first('"hash":"[^"]*')} | cut -d '"' -f 4)`],
      swap: { [REVIEW_HASH]: "'$HASH'" },
    },
  };
}

/** Recipes for a webhook, which is created. */
function webhookRecipes(base: string): Readonly<Record<string, Recipe>> {
  const creation = [
    `WEBHOOK=$(curl -s ${base}/api/v1/webhooks \\`,
    `  ${auth()} ${JSON_HEADER} \\`,
    `  -d '{"url":"https://hooks.example.com/mailroom"}' | ${first('whk_[0-9a-z]*')})`,
  ];
  const delivered = [
    ...creation,
    `DELIVERY=$(curl -s -X POST ${base}/api/v1/webhooks/$WEBHOOK/test ${auth()} | ${first('dlv_[0-9a-z]*')})`,
  ];
  const note = 'It creates the webhook that it then uses.';
  const ofWebhook = { before: creation, path: { id: '$WEBHOOK' }, note };
  return {
    getWebhook: ofWebhook,
    updateWebhook: ofWebhook,
    deleteWebhook: ofWebhook,
    rotateWebhook: ofWebhook,
    testWebhook: ofWebhook,
    replayWebhook: ofWebhook,
    listDeliveries: ofWebhook,
    redeliver: { before: delivered, path: { id: '$WEBHOOK', delivery: '$DELIVERY' }, note },
  };
}

/** Recipes for an address that signs people in, created when missing, and for its services. */
function signInRecipes(
  base: string,
  mailDomain: string,
  { signIn }: ExampleNames,
  mine: readonly string[],
): Readonly<Record<string, Recipe>> {
  const address = `${signIn}@$NAMESPACE.${mailDomain}`;
  const at = `"${base}/api/v1/mailboxes/${address}`;
  const found = (variable: string, rest: string, body: string): readonly string[] => [
    `${variable}=$(curl -s ${at}/${rest}" \\`,
    `  ${auth()} ${JSON_HEADER} \\`,
    `  -d '${body}' \\`,
    `  | ${first('"id":"[^"]*')} | cut -d '"' -f 4)`,
  ];
  const box = [
    ...mine,
    `curl -s -o /dev/null ${base}/api/v1/namespaces/$NAMESPACE/mailboxes \\`,
    `  ${auth()} ${JSON_HEADER} \\`,
    `  -d '{"local_part":"${signIn}","behavior":{"name":"${signIn}"}}'`,
  ];
  const app = '{"name":"Example App","redirect_uris":["https://app.example.com/callback"]}';
  const client = [...box, ...found('CLIENT', 'clients', app)];
  const allowed = [...client, ...found('ID', 'services', `{"issuer":"'$NAMESPACE'","client_id":"'$CLIENT'"}`)];
  const token = [...box, ...found('ID', 'registration-tokens', '{}')];
  const note = `It creates the address ${signIn} in your namespace if there is none.`;
  const ofBox = { before: box, path: { address }, note };
  const ofClient = { before: client, path: { address, id: '$CLIENT' }, note };
  return {
    listClients: ofBox,
    createClient: ofBox,
    getClient: ofClient,
    updateClient: ofClient,
    deleteClient: ofClient,
    renewClientSecret: ofClient,
    listRegistrationTokens: ofBox,
    createRegistrationToken: ofBox,
    deleteRegistrationToken: { before: token, path: { address, id: '$ID' }, note },
    listAllowedServices: ofBox,
    allowService: {
      ...ofClient,
      swap: { '"ada"': `"'$NAMESPACE'"`, cli_0d8m4pq7s9t1v3w5x7y0: "'$CLIENT'" },
    },
    disallowService: { before: allowed, path: { address, id: '$ID' }, note },
  };
}

const isPublic = ({ security }: Endpoint): boolean => security.some((way) => Object.keys(way).length === 0);
const quoted = (json: unknown): string => `'${JSON.stringify(json).replaceAll("'", "'\\''")}'`;

/** The commands that call an endpoint, with notes on them. */
export function curlOf(
  endpoint: Endpoint,
  base: string,
  scene: Scene,
): { readonly lines: readonly string[]; readonly note?: string } {
  const recipe = recipes(base, scene)[endpoint.operationId] ?? {};
  const path = endpoint.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => recipe.path?.[name] ?? exampleOf(endpoint, name, scene),
  );
  const url = base + path + (recipe.query ?? '');
  const example = endpoint.requestBody?.content['application/json']?.example;
  const parts = [
    `curl -s ${isPost(endpoint, example ?? recipe.content) ? '' : `-X ${endpoint.method} `}${/[$?&]/.test(url) ? `"${url}"` : url}`,
  ];
  if (!isPublic(endpoint)) parts.push(auth(recipe.key));
  if (endpoint.path.startsWith('/problems')) parts.push("-H 'Accept: application/json'");
  if (example !== undefined) {
    const body = Object.entries(recipe.swap ?? {}).reduce(
      (text, [from, to]) => text.replace(from, to),
      quoted(example),
    );
    parts.push(JSON_HEADER, `-d ${body}`);
  }
  if (recipe.content !== undefined) {
    const [type, text] = recipe.content;
    parts.push(`-H 'Content-Type: ${type}'`, `--data-binary '${text}'`);
  }
  const lines = [
    ...(recipe.before ?? []),
    ...parts.map((part, at) => `${at === 0 ? '' : '  '}${part}${at < parts.length - 1 ? ' \\' : ''}`),
  ];
  return { lines, ...(recipe.note === undefined ? {} : { note: recipe.note }) };
}

/** The commands that create a namespace and keep its key, which all other examples use. */
export const startOf = (base: string, scene: Scene): readonly string[] => recipes(base, scene).start?.before ?? [];

const isPost = ({ method }: Endpoint, example: unknown): boolean =>
  method === 'GET' || (method === 'POST' && example !== undefined);

function exampleOf({ parameters }: Endpoint, name: string, { namespace }: Scene): string {
  const { example } = parameters.find((parameter) => parameter.name === name) ?? {};
  return typeof example === 'string' ? example : namespace;
}
