// usage: node client.mjs COMMAND ARG...
// Calls the tools of the MCP server that the command starts. A line of standard
// input is a call, {"name", "arguments", "show"}. A line of standard output is
// how long it took, as the client sees it, or what is wrong; with "show", the
// text of the answer besides: {"ns", "text", "error"}.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "record", version: "1" });
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
for await (const line of createInterface({ input: process.stdin })) {
  const { show, ...call } = JSON.parse(line);
  let answer;
  try {
    const start = process.hrtime.bigint();
    const result = await client.callTool(call, undefined, { timeout: 600_000 });
    const ns = Number(process.hrtime.bigint() - start);
    const text = result.content[0].text;
    answer = result.isError ? { error: text } : { ns, text: show ? text : undefined };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await client.close();
