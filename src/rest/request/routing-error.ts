/** A refusal by path or method, before any operation is known. */
export class RoutingError extends Error {
  constructor(
    readonly status: number,
    override readonly name: 'invalid_version' | 'not_found' | 'method_not_allowed',
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
