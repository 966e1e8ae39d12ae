/** Only the functions read it. */
export const word = 'hello';
