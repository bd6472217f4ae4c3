import fc from 'fast-check';

/** What a field of a record could be changed to. */
export const hostileValues = (pageId: string) =>
  fc.oneof(
    fc.constantFrom(null, '', -1, 0, 2_000_000_001, '\u0000', '\ud800', [], {}, [null], true),
    fc.constantFrom('x'.repeat(5_000), '9'.repeat(40), pageId, 'infinity'),
    fc.constantFrom('2026-13-45T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
    fc.jsonValue(),
  );
