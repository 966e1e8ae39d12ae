/** The CRC-32 of a text in UTF-8, that of gzip. Node has it in node:zlib, which takes 2 ms of init to load. */
export function crc32(text: string): number {
  let remainder = ~0;
  for (const byte of Buffer.from(text)) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 && 0xedb88320);
  }
  return ~remainder >>> 0;
}
