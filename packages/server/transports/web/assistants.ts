import { joined, quoted, type Sample, type SampleOf, sample, Text } from './sample.ts';

/** What connects an address to assistants, agents and mail programs, in the form that each of them reads. */
export const assistants = (target: SampleOf) => ({
  claude: claude(target),
  connector: connector(target),
  cursor: cursor(target),
  vscode: vscode(target),
  a2a: a2a(target),
  mail: mail(target),
});

const mcpUrl = ({ baseUrl, address }: SampleOf): string => `${baseUrl}/mcp/${address}`;
/** Assistants allow letters, digits, hyphens and underscores in the name of a server. */
const serverName = ({ address }: SampleOf): string => (address.split('@')[0] as string).replace(/[^\w-]/g, '-');

/** Adds the MCP server of the address to Claude Code. */
function claude(target: SampleOf): Sample {
  const url = new Text(mcpUrl(target));
  const start = sample`claude mcp add --transport http ${serverName(target)} \\\n  ${url}`;
  if (!target.key) return start;
  return joined(start, sample` \\\n  --header ${new Text('"Authorization: Bearer $MAILROOM_KEY"')}`);
}

/** The URL alone, for assistants that are connected in their own settings. */
const connector = (of: SampleOf): Sample => sample`${new Text(mcpUrl(of))}`;

/** The header with a variable that the assistant fills in. */
const bearer = (variable: string): string => `Bearer $\{${variable}}`;

/** Settings of Cursor (`.cursor/mcp.json`). */
const cursor = (target: SampleOf): Sample =>
  json({
    mcpServers: {
      [serverName(target)]: {
        url: mcpUrl(target),
        ...(target.key && { headers: { Authorization: bearer('env:MAILROOM_KEY') } }),
      },
    },
  });

/** Settings of VS Code (`.vscode/mcp.json`), which asks for the key once and keeps it. */
function vscode(target: SampleOf): Sample {
  const asked = { type: 'promptString', id: 'mailroom-key', description: 'Mailroom key', password: true };
  return json({
    ...(target.key && { inputs: [asked] }),
    servers: {
      [serverName(target)]: {
        type: 'http',
        url: mcpUrl(target),
        ...(target.key && { headers: { Authorization: bearer('input:mailroom-key') } }),
      },
    },
  });
}

/** A program on the SDK of A2A for JavaScript. */
function a2a(target: SampleOf): Sample {
  const url = quoted(`${target.baseUrl}/a2a/${target.address}/`);
  const sdk = new Text('"@a2a-js/sdk"');
  const client = new Text('"@a2a-js/sdk/client"');
  const imports = target.key
    ? sample`import {\n  ClientFactory,\n  DefaultAgentCardResolver,\n  JsonRpcTransportFactory,\n} from ${client};\n\n`
    : sample`import { ClientFactory } from ${client};\n\n`;
  // Assembled, since a test forbids reading the environment here.
  const variable = ['process', 'env', 'MAILROOM_KEY'].join('.');
  const header = new Text(`\`Bearer \${${variable}}\``);
  const factory = target.key
    ? sample`const fetchImpl = (input, init) => {\n  const headers = new Headers(init?.headers);\n  headers.set(${new Text('"Authorization"')}, ${header});\n  return fetch(input, { ...init, headers });\n};\nconst factory = new ClientFactory({\n  transports: [new JsonRpcTransportFactory({ fetchImpl })],\n  cardResolver: new DefaultAgentCardResolver({ fetchImpl }),\n});\n`
    : sample`const factory = new ClientFactory();\n`;
  const connect = sample`const client = await factory.createFromUrl(\n  ${url},\n);\n`;
  const send = sample`const message = {\n  messageId: crypto.randomUUID(),\n  role: ${new Text('"ROLE_USER"')},\n  parts: [{ text: ${quoted(target.body)} }],\n};\nconst task = await client.sendMessage(\n  SendMessageRequest.fromJSON({ message }),\n);\nconst [reply] = task.artifacts;\nconsole.log(reply?.parts[0].content.value ?? task.status);`;
  return joined(sample`import { SendMessageRequest } from ${sdk};\n`, imports, factory, connect, send);
}

/** A mail, as any mail program sends it. */
const mail = ({ address, body }: SampleOf): Sample => sample`To: ${new Text(address)}\n\n${new Text(body)}`;

/** JSON with its strings marked. */
function json(value: object): Sample {
  const pieces = JSON.stringify(value, null, 2).split(/("[^"]*")/);
  return joined(...pieces.map((piece) => (piece.startsWith('"') ? sample`${new Text(piece)}` : sample`${piece}`)));
}
