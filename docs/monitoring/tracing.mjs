// Sends traces of All Clear by OpenTelemetry. README.md beside it says how it is used.
import { register } from 'node:module';
import process from 'node:process';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);

const healthChecks = ['/healthz', '/healthz/pages', '/readyz', '/metrics'];
const sdk = new NodeSDK({
  instrumentations: [
    new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url }) => healthChecks.includes(url) }),
    // Only in a request: the worker asks the database for work twice a second.
    new PgInstrumentation({ requireParentSpan: true }),
    // Writes trace_id and span_id into the log.
    new PinoInstrumentation(),
    new UndiciInstrumentation(),
  ],
});
sdk.start();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void sdk.shutdown());
