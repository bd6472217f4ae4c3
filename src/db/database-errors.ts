import { Refusal } from '../core/errors.js';

/** What the database says when it is away, about to go, or out of connections: classes and codes of PostgreSQL's appendix A, and Node's for sockets. */
const away = /^(08...|57P0[1235]|53...|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOENT)$/;
const awayWords =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection/i;
/** Two that wait for each other, one that came too late, or one that waited or ran too long: the same request may be sent again. */
const again = /^(40001|40P01|55P03|57014)$/;
/** A record that something else came to hold, or to be, between the check and the write. */
const raced = /^(23505|23503)$/;

/** The refusal that a failure of the database amounts to; undefined for what is nobody's fault but ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Refusal) return cause;
    const code = String((cause as { code?: unknown }).code ?? '');
    if (away.test(code) || awayWords.test(cause.message))
      return new Refusal('UNAVAILABLE', 'The database is away. Try again in a moment.', undefined, 5);
    if (again.test(code)) return new Refusal('UNAVAILABLE', 'Another request was in the way. Try again.', undefined, 1);
    if (raced.test(code)) return new Refusal('CONFLICT', 'Another request changed the same record meanwhile.');
    if (cause instanceof AggregateError) {
      const inner = cause.errors.map(refusalOf).find(Boolean);
      if (inner) return inner;
    }
  }
  return undefined;
}
