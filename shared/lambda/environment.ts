/** Returns the value of an environment variable that the stack sets, or throws an error that names it. */
export function environmentVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
