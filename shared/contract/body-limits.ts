/** Maximum body size, in KiB. */
export const maxBodyKiB = 16;

/** The maximum nesting depth of arrays and objects in a body. */
export const maxBodyDepth = 32;
