/** A refusal by path, method or media type, before any operation is known. */
export class RoutingError extends Error {
  constructor(
    readonly status: number,
    override readonly name: 'invalid_version' | 'not_found' | 'method_not_allowed' | 'unsupported_media_type',
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
