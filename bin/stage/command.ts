declare const quoted: unique symbol;

/** A line for bash and zsh in which all outside values are quoted. */
export type Command = string & { readonly [quoted]: true };

/** What a shell takes as it is. */
const plain = /^[\w./:,@%+-][\w./:,@%+=~-]*$/;

/** Returns a command, such as command`git switch ${branch}`, with each value as one argument or a part of one. */
export const command = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
) => String.raw({ raw: texts }, ...values.map((value) => [value].flat().map(argument).join(' '))) as Command;

const argument = (value: string | number) =>
  plain.test(`${value}`) ? `${value}` : `'${`${value}`.replaceAll("'", `'\\''`)}'`;
