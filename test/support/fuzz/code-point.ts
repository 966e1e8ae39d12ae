import fc from 'fast-check';

/** Any character but a lone surrogate: a unit for `fc.string`, whose own `binary` takes seconds to set up. */
export const codePoint = fc
  .integer({ max: 0x10ffff, min: 0 })
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.isWellFormed());
