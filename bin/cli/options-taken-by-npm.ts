import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Option } from 'commander';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns those options of a command that npm has taken for itself, because no `--` precedes them. npm passes
 * them only in the environment, like the settings of its configuration files, which count as no option. Of an
 * option that npm has itself, with another type, it passes nothing: it warns of `--expires 90d` and drops it.
 * https://docs.npmjs.com/cli/v11/using-npm/scripts#environment
 */
export function optionsTakenByNpm(options: readonly Option[], environment: Environment): readonly string[] {
  const taken = options.filter(({ long, negate }) => {
    const value = environment[variableOf(long)];
    // npm clears the variable of an option that is negated.
    return negate ? value === '' : Boolean(value);
  });
  if (taken.length === 0) return [];

  const configured = new Set(configurationFiles(environment).flatMap(namesIn).map(variableOf));
  return taken.flatMap(({ long }) => (long && !configured.has(variableOf(long)) ? [long] : []));
}

/** Returns the variable in which npm passes an option or a setting, such as `npm_config_dry_run`. */
const variableOf = (name = '') =>
  `npm_config_${name
    .replace(/^--(no-)?/, '')
    .toLowerCase()
    .replaceAll('-', '_')}`;

const configurationFiles = (environment: Environment) => [
  environment['npm_config_globalconfig'] ?? '',
  environment['npm_config_userconfig'] ?? '',
  join(environment['npm_config_local_prefix'] ?? '.', '.npmrc'),
];

/** Returns the names of the settings in a configuration file, which need not exist. */
function namesIn(file: string): string[] {
  try {
    return (
      readFileSync(file, 'utf8')
        .match(/^[ \t]*[\w-]+/gm)
        ?.map((name) => name.trim()) ?? []
    );
  } catch {
    return [];
  }
}
