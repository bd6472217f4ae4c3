import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';

/** Runs it in a span of OpenTelemetry. Without an SDK, which docs/monitoring has Node load, that does nothing. */
export function runInSpan<Result>(name: string, attributes: Attributes, run: () => Promise<Result>): Promise<Result> {
  return trace.getTracer('all-clear').startActiveSpan(name, { attributes }, async span => {
    try {
      return await run();
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
