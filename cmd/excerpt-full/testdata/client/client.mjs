// usage: node client.mjs EXCERPT ROOT URL
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [excerpt, root, url] = process.argv.slice(2);

const overStdio = (...flags) =>
  new StdioClientTransport({ command: excerpt, args: ["mcp", "--root", root, "--tools", "read_file,read", ...flags] });

async function withClient(name, transport, fn) {
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(transport);
  await fn(client);
  await client.close();
}

const call = (client, name, args) => client.callTool({ name, arguments: args });

async function everyTool(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), ["read", "read_file"]);
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.inputSchema.additionalProperties, false);
    assert.ok(tool._meta["anthropic/maxResultSizeChars"] > 131072);
  }

  const tail = await call(client, "read_file", { path: "app.log", tail: 2, show_line_numbers: true });
  assert.deepEqual(tail.content, [{ type: "text", text: "2: two\n3: three\n" }]);
  assert.equal(tail.structuredContent, undefined);
  assert.equal(tail._meta["excerpt/window"].totalLines, 3);

  const cut = await call(client, "read_file", { path: "many.log" });
  assert.equal(cut.structuredContent.reason, "line_limit");
  assert.deepEqual(cut.structuredContent.returnedLines, { start: 1, end: 1000 });
  const rest = await call(client, "read_file", cut.structuredContent.after);
  assert.equal(rest.content[0].text, "a line\n".repeat(1000));

  const read = await call(client, "read", { path: "app.log", offset: 2, limit: 1 });
  assert.match(read.content[0].text, /<content>\n2: two\n/);

  for (const args of [{}, { path: "none" }, { path: "../x" }, { path: "app.log", head: 0 }, { path: "app.log", more: 1 }, { path: "app.log", tail: 1.5 }]) {
    const refused = await call(client, "read_file", args);
    assert.equal(refused.isError, true);
  }
}

await withClient("test", overStdio(), everyTool);
await withClient("test", new StreamableHTTPClientTransport(new URL(url)), everyTool);
await withClient("claude-code", overStdio(), async (client) => {
  const cut = await call(client, "read_file", { path: "many.log" });
  assert.equal(cut.structuredContent, undefined);
  assert.equal(cut._meta["excerpt/truncation"].reason, "line_limit");
});
console.log("all right");
