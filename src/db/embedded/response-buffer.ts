const initialBytes = 65_536;
/** A larger buffer is not reused: one export would hold its memory for good. */
const maxReusedBytes = 1024 * 1024;

/** Collects the parts of a response, in memory that the next response reuses. */
export class ResponseBuffer {
  private bytes = new Uint8Array(initialBytes);
  private length = 0;

  get capacity(): number {
    return this.bytes.length;
  }

  /** Copies the part. */
  append(part: Uint8Array): void {
    if (this.length + part.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (this.length + part.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  /** Returns a copy of what was appended since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const copy = this.bytes.slice(0, this.length);
    this.length = 0;
    if (this.bytes.length > maxReusedBytes) this.bytes = new Uint8Array(initialBytes);
    return copy;
  }
}
