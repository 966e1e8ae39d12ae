import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../shared/contract/crc32.ts';

describe('crc32', () => {
  it('is that of zlib for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(crc32(text)).toBe(zlib.crc32(text));
      }),
    );
  });
});
