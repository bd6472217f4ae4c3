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
const codes = { rowDescription: 0x54, dataRow: 0x44, commandComplete: 0x43, error: 0x45 };

/**
 * Passes values in binary format to the type parsers as bytes, which are a part of the message. The parser of pg
 * decodes them as text first, which doubles the memory and corrupts all but text. The format is known from the
 * description of the result, so a query in binary format must request one, as all do but those of a StatementBatch.
 */
export class BinaryParser extends (ProtocolParser as unknown as new () => PacketParser) {
  /** Whether the current result is in binary format: pg requests one format for all columns. */
  private isBinary = false;
  /** The beginning of a message, joined once all has arrived: the parser of pg copies it each time its buffer grows. */
  private chunks: Buffer[] = [];
  private length = 0;
  private requiredLength = headerLength;

  parse(chunk: Buffer, onMessage: (message: BackendMessage) => void): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length < this.requiredLength) return;
    const bytes = this.chunks.length > 1 ? Buffer.concat(this.chunks, this.length) : chunk;
    let offset = 0;
    let end = findEnd(bytes, offset);
    for (; end <= bytes.length; end = findEnd(bytes, offset)) {
      onMessage(this.handlePacket(offset + headerLength, bytes[offset]!, end - offset - 1, bytes));
      offset = end;
    }
    const rest = bytes.subarray(offset);
    this.chunks = rest.length ? [rest] : [];
    this.length = rest.length;
    this.requiredLength = end - offset;
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

/** A client whose queries can request results in binary format. It does not emit 'message', since nobody listens. */
export class BinaryClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    connection.attachListeners = stream => {
      const parser = new BinaryParser();
      const emit = (message: BackendMessage) =>
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      stream.on('data', (chunk: Buffer) => parser.parse(chunk, emit));
    };
  }
}
