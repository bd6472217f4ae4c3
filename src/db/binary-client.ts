import { Socket } from 'node:net';
import pg from 'pg';
import { Parser as ProtocolParser } from 'pg-protocol/dist/parser.js';
import type { BackendMessage, DataRowMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages.js';

/** What pg and its parser do not document: their versions are pinned, and tests of this file check it. */
interface PacketParser {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage;
}
interface Connection extends pg.Connection {
  attachListeners(stream: NodeJS.ReadableStream): void;
}

/** The header of a message: its code and its length. */
const headerLength = 5;
/** PostgreSQL sends no longer message: whatever sends one is something else. */
const maximumLength = 2 ** 30;
const codes = { rowDescription: 0x54, dataRow: 0x44, commandComplete: 0x43, error: 0x45, none: 0 };
const chunkLength = 64 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Passes values in binary format to the type parsers as bytes, which are a part of the message. The parser of pg
 * decodes them as text first, which doubles the memory and corrupts all but text. The format is known from the
 * description of the result, so a query in binary format must request one, as all do but those of a StatementBatch.
 */
export class BinaryParser extends (ProtocolParser as unknown as new () => PacketParser) {
  /** Whether the current result is in binary format: pg requests one format for all columns. */
  private isBinary = false;
  /** A message of which a part has arrived; only its header until that is complete. */
  private partial = nothing;
  /** How much of it has arrived. */
  private received = 0;

  /** Copies each byte once, to the memory of its message: the caller can use the memory of the chunk again. */
  parse(chunk: Buffer, onMessage: (message: BackendMessage) => void): void {
    let start = 0;
    while (this.received && start < chunk.length) {
      const copied = chunk.copy(this.partial, this.received, start);
      this.received += copied;
      start += copied;
      if (this.received < this.partial.length) return;
      const message = this.partial;
      this.partial = nothing;
      this.received = 0;
      const length = findEnd(message, 0);
      if (length > message.length) this.begin(message, length, onMessage);
      else this.parseMessages(message, onMessage);
    }
    let end = start;
    let next = findEnd(chunk, end);
    for (; next <= chunk.length; next = findEnd(chunk, next)) end = next;
    if (end > start) this.parseMessages(Buffer.from(chunk.subarray(start, end)), onMessage);
    if (end < chunk.length) this.begin(chunk.subarray(end), next - end, onMessage);
  }

  /** Allocates a message once its length is known: the parser of pg copies it each time its buffer grows. */
  private begin(part: Buffer, length: number, onMessage: (message: BackendMessage) => void): void {
    if (length > maximumLength) {
      onMessage(super.handlePacket(0, codes.none, length, part));
      return;
    }
    const message = Buffer.allocUnsafeSlow(length);
    this.received = part.copy(message);
    this.partial = message;
  }

  private parseMessages(bytes: Buffer, onMessage: (message: BackendMessage) => void): void {
    for (let offset = 0; offset < bytes.length; ) {
      const end = findEnd(bytes, offset);
      onMessage(this.handlePacket(offset + headerLength, bytes[offset]!, end - offset - 1, bytes));
      offset = end;
    }
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): BackendMessage {
    if (code === codes.dataRow && this.isBinary) return readRow(bytes, offset, length);
    const message = super.handlePacket(offset, code, length, bytes);
    if (code === codes.rowDescription) this.isBinary = takeBinary(message as RowDescriptionMessage);
    // The next result can come without a description.
    if (code === codes.commandComplete || code === codes.error) this.isBinary = false;
    return message;
  }
}

/** Whether a result is in binary format. Its description no longer says so: pg would copy each value. */
function takeBinary({ fields }: RowDescriptionMessage): boolean {
  const isBinary = fields[0]?.format === 'binary';
  if (isBinary) for (const field of fields) Object.assign(field, { format: 'text' });
  return isBinary;
}

/** The end of a message, or of its header if the header is incomplete. The length in the header leaves out the code. */
const findEnd = (bytes: Buffer, offset: number): number =>
  offset + (offset + headerLength <= bytes.length ? 1 + bytes.readUInt32BE(offset + 1) : headerLength);

/** Reads a row: the number of columns, and for each its length, -1 for null, and its bytes. */
function readRow(bytes: Buffer, offset: number, length: number): DataRowMessage {
  const fieldCount = bytes.readInt16BE(offset);
  const fields: (Buffer | null)[] = [];
  for (let at = offset + 2; fields.length < fieldCount; ) {
    const size = bytes.readInt32BE(at);
    const end = at + 4 + Math.max(0, size);
    fields.push(size < 0 ? null : bytes.subarray(at + 4, end));
    at = end;
  }
  return { name: 'dataRow', length, fieldCount, fields };
}

/**
 * A client whose queries can request results in binary format. It does not emit 'message', since nobody listens.
 * Without TLS it reads into memory that it uses again: Node allocates 64 KB for each chunk, which V8 collects too late.
 */
export class BinaryClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    const parser = new BinaryParser();
    const parse = (chunk: Buffer) =>
      parser.parse(chunk, message =>
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
      );
    // The types of pg do not say that it calls this with the configuration of the connection.
    const stream = (({ ssl }: pg.ClientConfig) => (ssl ? new Socket() : openSocket(parse))) as unknown as () => Socket;
    super({ stream, ...config });
    const { connection } = this as unknown as { connection: Connection };
    connection.attachListeners = source => source.on('data', parse);
  }
}

function openSocket(parse: (chunk: Buffer) => void): Socket {
  const callback = (length: number, bytes: Uint8Array) => {
    parse((bytes as Buffer).subarray(0, length));
    return true;
  };
  return new Socket({ onread: { buffer: Buffer.allocUnsafeSlow(chunkLength), callback } });
}
