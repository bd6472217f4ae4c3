const headers = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

/** Requests of a service with a token, which fail unless they are answered by 2xx. */
export class Client {
  private readonly base: string;
  private readonly token: string;

  constructor(port: number, token: string) {
    this.base = `http://127.0.0.1:${port}`;
    this.token = token;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a script reads what it asked for
  async graphql(query: string, variables: object = {}): Promise<any> {
    const response = await this.request('/graphql', { method: 'POST', body: JSON.stringify({ query, variables }) });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(`${query}: ${JSON.stringify(errors).slice(0, 1_000)}`);
    return data;
  }

  async get(path: string): Promise<string> {
    return (await this.request(path, {})).text();
  }

  /** As visitors do: without a token. */
  async visit(path: string): Promise<string> {
    return (await this.request(path, { headers: {} })).text();
  }

  async post(path: string, body: object): Promise<string> {
    return (await this.request(path, { method: 'POST', body: JSON.stringify(body) })).text();
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${this.base}${path}`, { headers: headers(this.token), ...init });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
