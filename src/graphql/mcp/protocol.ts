import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { FormattedExecutionResult } from 'graphql';
import type { Tool } from './build-tool.js';

export type RunTool = (tool: Tool, variables: Record<string, unknown>) => Promise<FormattedExecutionResult>;

interface Provided {
  tools: readonly Tool[];
  run: RunTool;
  version: string;
}

/** Responds to one request of the protocol. */
export async function respond(request: Request, provided: Provided): Promise<Response> {
  // No tool changes while the service runs, so nothing is to be listened to.
  const handler = createMcpHandler(() => createServer(provided), { maxSubscriptions: 0 });
  return handler.fetch(request);
}

function createServer({ tools, run, version }: Provided): Server {
  const server = new Server({ name: 'all-clear', title: 'All Clear', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const { data, errors } = await run(tool, params.arguments ?? {});
    if (errors) return { isError: true, content: errors.map(({ message }) => ({ type: 'text', text: message })) };
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { ...data } };
  });
  return server;
}
