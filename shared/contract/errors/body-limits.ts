/** How large a body may be, in KiB. */
export const maxBodyKiB = 16;

/** How deep the arrays and objects of a body may be nested. */
export const maxBodyDepth = 32;
