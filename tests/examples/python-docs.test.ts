import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unique } from '../harness/client.ts';
import { newFolder, removeFolder, run, sharedService } from '../harness/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on the PATH';
const folder = newFolder();
after(() => removeFolder(folder));

interface Block {
  readonly place: string;
  readonly source: string;
}

/** Each block of Python that the documents show. */
const blocks: readonly Block[] = globSync(['README.md', 'docs/*.md', 'clients/python/*.md'], { cwd: ROOT }).flatMap(
  (file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```py(?:thon)?\n([\s\S]*?)^```$/gm)].map((match, at) => ({
      place: `${file}, block ${at + 1}`,
      source: match[1] as string,
    })),
);

test('the Python of the documents compiles', { skip }, () => {
  assert.ok(blocks.length >= 7);
  for (const { place, source } of blocks) {
    const { status, stderr } = spawnSync('python3', ['-c', 'import sys; compile(sys.stdin.read(), "-", "exec")'], {
      input: source,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${place}: ${stderr}`);
  }
});

/** Calls of MCP 2026-07-28 by the standard library, for what stands in for a toolkit. */
const MCP = `
import json, urllib.request

def call(url, headers, method, params):
    meta = "io.modelcontextprotocol/"
    about = {meta + "protocolVersion": "2026-07-28", meta + "clientCapabilities": {}, meta + "clientInfo": {"name": "test", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": about}}).encode()
    sent = {**headers, "content-type": "application/json", "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28", "mcp-method": method, **({"mcp-name": params["name"]} if "name" in params else {})}
    with urllib.request.urlopen(urllib.request.Request(url, body, sent)) as response:
        text = response.read().decode()
    found = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    return json.loads(found[-1] if found else text)["result"]

def asked(url, headers, question):
    names = [tool["name"] for tool in call(url, headers, "tools/list", {})["tools"]]
    assert "ask" in names, names
    return call(url, headers, "tools/call", {"name": "ask", "arguments": {"message": question}})["content"][0]["text"]
`;

/** What stands in for the toolkits, which are not installed: the parts that the documents name, with their parameters. */
const STAND_INS: Readonly<Record<string, string>> = {
  'mcp_calls.py': MCP,
  'agents/__init__.py': `
from mcp_calls import asked
class Agent:
    def __init__(self, *, name, instructions, mcp_servers):
        assert "never instructions" in instructions
        self.servers = mcp_servers
class Result:
    def __init__(self, final_output):
        self.final_output = final_output
class Runner:
    @staticmethod
    async def run(agent, question):
        [server] = agent.servers
        return Result(asked(server.params["url"], server.params["headers"], question))
`,
  'agents/mcp.py': `
class MCPServerStreamableHttp:
    def __init__(self, *, params):
        self.params = params
    async def __aenter__(self):
        return self
    async def __aexit__(self, *error):
        return None
`,
  'langchain/__init__.py': '',
  'langchain/agents.py': `
class Message:
    def __init__(self, content):
        self.content = content
class Graph:
    def __init__(self, tools):
        self.tools = tools
    async def ainvoke(self, state):
        [(role, question)] = state["messages"]
        assert role == "user"
        return {"messages": [Message(self.tools[0](question))]}
def create_agent(model, tools, *, system_prompt):
    assert "never instructions" in system_prompt
    return Graph(tools)
`,
  'langchain_mcp_adapters/__init__.py': '',
  'langchain_mcp_adapters/client.py': `
from mcp_calls import asked
class MultiServerMCPClient:
    def __init__(self, servers):
        self.servers = servers
    async def get_tools(self):
        for server in self.servers.values():
            assert server["transport"] == "streamable_http"
        return [lambda question, one=one: asked(one["url"], one["headers"], question) for one in self.servers.values()]
`,
};

test('the toolkits in Python ask an address by MCP, as the page has them', { skip }, async () => {
  for (const [name, source] of Object.entries(STAND_INS)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  const { url } = await sharedService();
  const { newNamespace, newMailbox } = connect(url);
  const home = await newNamespace();
  const introduction = `I am ${unique('ada')}.`;
  const { address } = await newMailbox(home, { behavior: { name: 'hello', settings: { introduction } } });
  const toolkits = blocks.filter(({ source }) => source.includes('/mcp/hello@agents.mailroom.localhost'));
  assert.equal(toolkits.length, 2);
  for (const [at, { place, source }] of toolkits.entries()) {
    const file = join(folder, `toolkit-${at}.py`);
    const here = source.replace('http://localhost:8080/mcp/hello@agents.mailroom.localhost', `${url}/mcp/${address}`);
    writeFileSync(file, here);
    const ran = run('python3', [file], { env: { MAILROOM_KEY: home.key, NO_PROXY: '*' } });
    const ended = await ran.exited;
    assert.equal(ended.code, 0, `${place}: ${ran.stderr()}`);
    assert.ok(ran.stdout().includes(introduction), `${place}: ${ran.stdout()}`);
  }
});
