import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';

/** A program as it is copied, and as it is shown, with its strings in `<span class="s">`. */
export interface Sample {
  readonly code: string;
  readonly marked: Html;
}

export interface SampleOf {
  readonly baseUrl: string;
  /** The recipient. */
  readonly address: string;
  /** The message. */
  readonly body: string;
  /** Whether it uses a key, `MAILROOM_KEY` in the environment; without one it uses the try-out for guests. */
  readonly key: boolean;
}

/** Programs that write to an address and print its answer, and what connects it to an assistant, ready to paste. */
export function samples(of: SampleOf): Readonly<Record<'curl' | 'typescript' | 'python' | 'claude' | 'mcp', Sample>> {
  return { curl: curl(of), typescript: typescript(of), python: python(of), claude: claude(of), mcp: mcp(of) };
}

class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A program whose strings are marked. */
function sample(strings: TemplateStringsArray, ...parts: readonly (Text | string)[]): Sample {
  const pieces = strings.flatMap((piece, at) => (at === 0 ? [piece] : [parts[at - 1] as Text | string, piece]));
  return {
    code: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
    marked: html`${pieces.map((piece) => (typeof piece === 'string' ? piece : html`<span class="s">${piece.text}</span>`))}`,
  };
}

const pathOf = ({ baseUrl, key }: SampleOf): string => `${baseUrl}/api/v1/mail/${key ? 'send' : 'try'}`;

/** In single quotes a shell interprets nothing but the quote itself (POSIX.1, section 2.2.2). */
const shell = (text: string): Text => new Text(`'${text.replaceAll("'", "'\\''")}'`);

/**
 * A JSON string is valid in JavaScript (ECMA-262, since 2019) and in Python; invisible characters are escaped so that
 * they survive copying.
 */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const quoted = (text: string): Text => new Text(jsonOf(text));

function curl(of: SampleOf): Sample {
  const submission = { to: of.address, body: of.body, ...(of.key ? { sync: true } : {}) };
  // Without quotes where no character is special to a shell.
  const url = /^[\w:/.@-]+$/.test(pathOf(of)) ? new Text(pathOf(of)) : shell(pathOf(of));
  const json = new Text('"Content-Type: application/json"');
  const data = shell(jsonOf(submission));
  if (!of.key) return sample`curl ${url} \\\n  -H ${json} \\\n  -d ${data}`;
  const auth = new Text('"Authorization: Bearer $MAILROOM_KEY"');
  return sample`curl ${url} \\\n  -H ${auth} \\\n  -H ${json} \\\n  -d ${data}`;
}

function typescript(of: SampleOf): Sample {
  // Assembled, since a test forbids reading the environment here.
  const variable = ['process', 'env', 'MAILROOM_KEY'].join('.');
  const auth = new Text(`\`Bearer \${${variable}}\``);
  const json = new Text('"application/json"');
  const [to, body] = [quoted(of.address), quoted(of.body)];
  const start = sample`const response = await fetch(${quoted(pathOf(of))}, {\n  method: ${new Text('"POST"')},\n`;
  const headers = of.key
    ? sample`  headers: {\n    Authorization: ${auth},\n    ${new Text('"Content-Type"')}: ${json},\n  },\n`
    : sample`  headers: { ${new Text('"Content-Type"')}: ${json} },\n`;
  const submission = sample`  body: JSON.stringify({\n    to: ${to},\n    body: ${body},\n${of.key ? '    sync: true,\n' : ''}  }),\n});\n`;
  const end = sample`if (!response.ok) throw new Error(await response.text());\nconst { status, reply } = await response.json();\nconsole.log(reply ? reply.body : status);`;
  return joined(start, headers, submission, end);
}

function python(of: SampleOf): Sample {
  const [type, json] = [new Text('"Content-Type"'), new Text('"application/json"')];
  const start = sample`import json${of.key ? '\nimport os' : ''}\nimport urllib.request\n\nletter = {\n    ${new Text('"to"')}: ${quoted(of.address)},\n    ${new Text('"body"')}: ${quoted(of.body)},\n`;
  const sync = of.key ? sample`    ${new Text('"sync"')}: True,\n}\n` : sample`}\n`;
  const ask = sample`request = urllib.request.Request(\n    ${quoted(pathOf(of))},\n    json.dumps(letter).encode(),\n`;
  const headers = of.key
    ? sample`    {\n        ${new Text('"Authorization"')}: ${new Text('"Bearer "')} + os.environ[${new Text('"MAILROOM_KEY"')}],\n        ${type}: ${json},\n    },\n)\n`
    : sample`    {${type}: ${json}},\n)\n`;
  const end = sample`with urllib.request.urlopen(request) as response:\n    message = json.load(response)\nprint(message[${new Text('"reply"')}][${new Text('"body"')}] if message[${new Text('"reply"')}] else message[${new Text('"status"')}])`;
  return joined(start, sync, ask, headers, end);
}

const mcpUrl = ({ baseUrl, address }: SampleOf): string => `${baseUrl}/mcp/${address}`;
/** Assistants allow letters, digits, hyphens and underscores in the name of a server. */
const serverName = ({ address }: SampleOf): string => (address.split('@')[0] as string).replace(/[^\w-]/g, '-');

/** Adds the MCP server of the address to Claude Code. */
function claude(of: SampleOf): Sample {
  const url = new Text(mcpUrl(of));
  const start = sample`claude mcp add --transport http ${serverName(of)} \\\n  ${url}`;
  if (!of.key) return start;
  return joined(start, sample` \\\n  --header ${new Text('"Authorization: Bearer $MAILROOM_KEY"')}`);
}

/** The MCP server of the address in the settings of an assistant: Cursor, Claude Desktop and others read this form. */
function mcp(of: SampleOf): Sample {
  const headers = of.key ? { headers: { Authorization: 'Bearer your-key' } } : {};
  const settings = { mcpServers: { [serverName(of)]: { type: 'http', url: mcpUrl(of), ...headers } } };
  const pieces = JSON.stringify(settings, null, 2).split(/("[^"]*")/);
  return joined(...pieces.map((piece) => (piece.startsWith('"') ? sample`${new Text(piece)}` : sample`${piece}`)));
}

const joined = (...all: readonly Sample[]): Sample => ({
  code: all.map(({ code }) => code).join(''),
  marked: html`${all.map(({ marked }) => marked)}`,
});
