const maxRestMs = 500;

/**
 * How long something rests that took so long: as long, up to half a second. It is for the embedded database, which runs
 * one statement at a time: a request has several, and each would wait for what begins again at once.
 */
export const restAfter = (tookMs: number): number => Math.min(tookMs, maxRestMs);
