/**
 * Returns the value of an environment variable that the stack sets.
 *
 * @throws {Error} naming the variable, if it is missing or empty
 */
export function environmentVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
