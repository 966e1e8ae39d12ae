import { readFileSync } from 'node:fs';

/** Fills in each `{{name}}` of a file of this folder; throws for a name without a value. */
export function fillTemplate(file: string, values: Readonly<Record<string, string | number>>): string {
  const template = readFileSync(new URL(file, import.meta.url), 'utf8');
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_braces, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} has {{${name}}}, which has no value.`);
    return `${value}`;
  });
}
