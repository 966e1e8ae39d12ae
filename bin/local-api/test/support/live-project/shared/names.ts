/** The functions and the stack read it. */
export const name = 'world';
