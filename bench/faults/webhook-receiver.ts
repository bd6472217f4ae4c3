import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AcceptedRequest {
  /** The same in each attempt. */
  id: string;
  subject: string;
}

/** A program that takes webhooks: it answers the first request of every fourth message with 500, and records the others. */
export class WebhookReceiver {
  readonly accepted: AcceptedRequest[] = [];
  refused = 0;
  private readonly ids = new Set<string>();
  private server!: Server;

  async listen(): Promise<string> {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const id = String(request.headers['webhook-id']);
      const isFirst = !this.ids.has(id);
      this.ids.add(id);
      if (isFirst && this.ids.size % 4 === 0) {
        this.refused += 1;
        response.writeHead(500).end();
        return;
      }
      const { data } = JSON.parse(String(Buffer.concat(chunks))) as { data: { notice: { subject: string } } };
      this.accepted.push({ id, subject: data.notice.subject });
      response.writeHead(204).end();
    });
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
