import { assistants } from './assistants.ts';
import { joined, jsonOf, quoted, type Sample, type SampleOf, sample, shell, Text } from './sample.ts';

/** Programs that write to an address and print its answer, and what connects it to other clients, ready to paste. */
export const samples = (target: SampleOf) => ({
  curl: curl(target),
  typescript: typescript(target),
  python: python(target),
  ...assistants(target),
});

const pathOf = ({ baseUrl, key }: SampleOf): string => `${baseUrl}/api/v1/mail/${key ? 'send' : 'try'}`;

function curl(target: SampleOf): Sample {
  const submission = { to: target.address, body: target.body, ...(target.key ? { sync: true } : {}) };
  // Without quotes where no character is special to a shell.
  const url = /^[\w:/.@-]+$/.test(pathOf(target)) ? new Text(pathOf(target)) : shell(pathOf(target));
  const json = new Text('"Content-Type: application/json"');
  const data = shell(jsonOf(submission));
  if (!target.key) return sample`curl ${url} \\\n  -H ${json} \\\n  -d ${data}`;
  const auth = new Text('"Authorization: Bearer $MAILROOM_KEY"');
  return sample`curl ${url} \\\n  -H ${auth} \\\n  -H ${json} \\\n  -d ${data}`;
}

function typescript(target: SampleOf): Sample {
  // Assembled, since a test forbids reading the environment here.
  const variable = ['process', 'env', 'MAILROOM_KEY'].join('.');
  const auth = new Text(`\`Bearer \${${variable}}\``);
  const json = new Text('"application/json"');
  const [to, body] = [quoted(target.address), quoted(target.body)];
  const start = sample`const response = await fetch(${quoted(pathOf(target))}, {\n  method: ${new Text('"POST"')},\n`;
  const headers = target.key
    ? sample`  headers: {\n    Authorization: ${auth},\n    ${new Text('"Content-Type"')}: ${json},\n  },\n`
    : sample`  headers: { ${new Text('"Content-Type"')}: ${json} },\n`;
  const submission = sample`  body: JSON.stringify({\n    to: ${to},\n    body: ${body},\n${target.key ? '    sync: true,\n' : ''}  }),\n});\n`;
  const end = sample`if (!response.ok) throw new Error(await response.text());\nconst { status, reply } = await response.json();\nconsole.log(reply ? reply.body : status);`;
  return joined(start, headers, submission, end);
}

function python(target: SampleOf): Sample {
  const [type, json] = [new Text('"Content-Type"'), new Text('"application/json"')];
  const start = sample`import json${target.key ? '\nimport os' : ''}\nimport urllib.request\n\nmessage = {\n    ${new Text('"to"')}: ${quoted(target.address)},\n    ${new Text('"body"')}: ${quoted(target.body)},\n`;
  const sync = target.key ? sample`    ${new Text('"sync"')}: True,\n}\n` : sample`}\n`;
  const ask = sample`request = urllib.request.Request(\n    ${quoted(pathOf(target))},\n    json.dumps(message).encode(),\n`;
  const headers = target.key
    ? sample`    {\n        ${new Text('"Authorization"')}: ${new Text('"Bearer "')} + os.environ[${new Text('"MAILROOM_KEY"')}],\n        ${type}: ${json},\n    },\n)\n`
    : sample`    {${type}: ${json}},\n)\n`;
  const end = sample`with urllib.request.urlopen(request) as response:\n    message = json.load(response)\nprint(message[${new Text('"reply"')}][${new Text('"body"')}] if message[${new Text('"reply"')}] else message[${new Text('"status"')}])`;
  return joined(start, sync, ask, headers, end);
}
