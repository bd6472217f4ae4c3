const pageBytes = 65_536;
/** Of a module: it says how much memory there is. */
const memorySection = 5;
const headerBytes = 8;

/** An unsigned LEB128. */
function encode(number: number): number[] {
  const rest = number >>> 7;
  return rest ? [(number & 0x7f) | 0x80, ...encode(rest)] : [number];
}

/** Gives a module of WebAssembly whose memory has no maximum one: to grow it further fails. */
export function limitWasmMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let position = headerBytes;
  const read = () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[position++]!;
      number += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return number;
    }
  };
  while (position < module.length) {
    const begin = position;
    const section = module[position++];
    const end = read() + position;
    if (section === memorySection) {
      const [count, flags, minPages] = [read(), read(), read()];
      if (count !== 1 || flags !== 0) break;
      const limited = [1, 1, ...encode(minPages), ...encode(maxBytes / pageBytes)];
      return Buffer.concat([
        module.subarray(0, begin),
        Buffer.from([memorySection, limited.length, ...limited]),
        module.subarray(end),
      ]);
    }
    position = end;
  }
  throw new Error('The module has no memory of its own without a maximum.');
}
