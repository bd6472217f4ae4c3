import { crc32, deflateRawSync } from 'node:zlib';

/** All fields but `name` and `content` override what the writer would write, in both headers or in one. */
export interface ZipEntry {
  name: string | Buffer;
  content?: string | Buffer;
  isStored?: boolean;
  packed?: Buffer;
  checksum?: number;
  packedSize?: number;
  unpackedSize?: number;
  flags?: number;
  method?: number;
  mode?: number;
  windowsAttributes?: number;
  extra?: Buffer;
  descriptor?: Buffer;
  /** The system that made it; 3 is Unix, 0 is DOS and Windows. */
  host?: number;
  gap?: Buffer;
  offset?: number;
  localName?: string;
  localMethod?: number;
  localSignature?: number;
}

export interface ZipFrame {
  before?: Buffer;
  beforeDirectory?: Buffer;
  afterDirectory?: Buffer;
  comment?: Buffer;
  entryCount?: number;
  entriesOnDisk?: number;
  directoryOffset?: number;
  directorySize?: number;
}

export const UTF8_NAME = 0x800;
export const DESCRIPTOR_FOLLOWS = 0x8;

/** Little-endian fields, each as [bytes, value]. */
export function fields(...pairs: [bytes: 2 | 4 | 8, value: number][]): Buffer {
  return Buffer.concat(
    pairs.map(([bytes, value]) => {
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(value));
      return field.subarray(0, bytes);
    }),
  );
}

const deflatedContents = new WeakMap<Buffer, Buffer>();

/** Deflates each content once: a thousand entries of an archive may share one. */
function deflate(content: Buffer): Buffer {
  const deflated = deflatedContents.get(content) ?? deflateRawSync(content);
  deflatedContents.set(content, deflated);
  return deflated;
}

function resolveFields(entry: ZipEntry) {
  const { content: given = '' } = entry;
  const content = typeof given === 'string' ? Buffer.from(given) : given;
  const packed = entry.packed ?? (entry.isStored ? content : deflate(content));
  const flags = entry.flags ?? UTF8_NAME | (entry.descriptor ? DESCRIPTOR_FOLLOWS : 0);
  return {
    name: Buffer.from(entry.name),
    packed,
    flags,
    method: entry.method ?? (entry.isStored ? 0 : 8),
    checksum: entry.checksum ?? crc32(content),
    packedSize: entry.packedSize ?? packed.length,
    unpackedSize: entry.unpackedSize ?? content.length,
    extra: entry.extra ?? Buffer.alloc(0),
    attributes: (entry.mode ?? 0o100644) * 0x10000 + (entry.windowsAttributes ?? 0),
  };
}

function localHeader(entry: ZipEntry): Buffer {
  const { flags, method, checksum, packedSize, unpackedSize, name, extra } = resolveFields(entry);
  const localName = Buffer.from(entry.localName ?? name);
  const start = fields(
    [4, entry.localSignature ?? 0x04034b50],
    [2, 20],
    [2, flags],
    [2, entry.localMethod ?? method],
    [4, 0x5a210000],
  );
  const sizes = fields([4, checksum], [4, packedSize], [4, unpackedSize], [2, localName.length], [2, extra.length]);
  return Buffer.concat([start, sizes, localName, extra]);
}

export const localPart = (entry: ZipEntry) => Buffer.concat([localHeader(entry), resolveFields(entry).packed]);

function directoryHeader(entry: ZipEntry, offset: number): Buffer {
  const { flags, method, checksum, packedSize, unpackedSize, name, extra, attributes } = resolveFields(entry);
  const start = fields(
    [4, 0x02014b50],
    [2, (entry.host ?? 3) * 0x100 + 20],
    [2, 20],
    [2, flags],
    [2, method],
    [4, 0x5a210000],
    [4, checksum],
    [4, packedSize],
    [4, unpackedSize],
  );
  const rest = fields(
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, attributes],
    [4, entry.offset ?? offset],
  );
  return Buffer.concat([start, rest, name, extra]);
}

export function writeZip(entries: ZipEntry[], frame: ZipFrame = {}): Buffer {
  const body: Buffer[] = [frame.before ?? Buffer.alloc(0)];
  let length = body[0]!.length;
  const directory = entries.map(entry => {
    const offset = length + (entry.gap?.length ?? 0);
    const parts = [entry.gap ?? Buffer.alloc(0), localPart(entry), entry.descriptor ?? Buffer.alloc(0)];
    // An entry with its own offset points to data that is written elsewhere.
    if (entry.offset === undefined) body.push(...parts);
    if (entry.offset === undefined) length += parts.reduce((sum, part) => sum + part.length, 0);
    return directoryHeader(entry, offset);
  });
  body.push(frame.beforeDirectory ?? Buffer.alloc(0));
  const directoryOffset = frame.directoryOffset ?? Buffer.concat(body).length;
  const directorySize = frame.directorySize ?? Buffer.concat(directory).length;
  const count = frame.entryCount ?? entries.length;
  const comment = frame.comment ?? Buffer.alloc(0);
  const end = fields(
    [4, 0x06054b50],
    [4, 0],
    [2, frame.entriesOnDisk ?? count],
    [2, count],
    [4, directorySize],
    [4, directoryOffset],
  );
  return Buffer.concat([
    ...body,
    ...directory,
    frame.afterDirectory ?? Buffer.alloc(0),
    end,
    fields([2, comment.length]),
    comment,
  ]);
}

/** The fields of an entry whose sizes are in the ZIP64 extra field. */
export function zip64Sizes(unpacked: number, packed: number): Partial<ZipEntry> {
  return {
    unpackedSize: 0xffffffff,
    packedSize: 0xffffffff,
    extra: fields([2, 1], [2, 16], [8, unpacked], [8, packed]),
  };
}

/** A ZIP64 record and locator between the directory and an end record whose fields are all at their maximum. */
export function writeZip64(entries: ZipEntry[], entryCount: number, gap = Buffer.alloc(0)): Buffer {
  const plain = writeZip(entries);
  const size = plain.readUInt32LE(plain.length - 10);
  const offset = plain.readUInt32LE(plain.length - 6);
  const record = fields(
    [4, 0x06064b50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, entryCount],
    [8, entryCount],
    [8, size],
    [8, offset],
  );
  const locator = fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]);
  const afterDirectory = Buffer.concat([record, gap, locator]);
  return writeZip(entries, {
    afterDirectory,
    entryCount: 0xffff,
    directoryOffset: 0xffffffff,
    directorySize: 0xffffffff,
  });
}

/**
 * Overlapping files, a zip bomb of low ratio: each starts with a stored block that contains the next one's header and
 * then shares its data, so that a short archive unpacks to its kernel many times.
 */
export function quotedOverlap(names: string[], kernel: Buffer): ZipEntry[] {
  const files: ZipEntry[] = [{ name: names.at(-1)!, content: kernel }];
  let packedSize = deflateRawSync(kernel).length;
  let unpackedSize = kernel.length;
  for (const name of names.slice(0, -1).reverse()) {
    const quoted = 30 + Buffer.from(files[0]!.name).length;
    const packed = Buffer.concat([Buffer.from([0]), fields([2, quoted], [2, 0xffff - quoted])]);
    packedSize += packed.length + quoted;
    unpackedSize += quoted;
    files.unshift({ name, packed, packedSize, unpackedSize });
  }
  return files;
}
