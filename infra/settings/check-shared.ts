import type { StageSettings } from './stages.ts';

/**
 * Checks that no two stages, nor two tables of one, share what only one can have.
 *
 * @throws {Error} naming both settings
 */
export function checkShared(stages: Readonly<Record<string, StageSettings>>): void {
  const first = new Map<string, string>();
  for (const [stage, { domain, target, restoredTables = {} }] of Object.entries(stages)) {
    // Each account and region has tables of its own. In a region, a domain belongs to one account.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains.html
    const region = target?.region ?? '';
    const account = target?.account ?? '';
    const owned: [key: string, setting: string][] = Object.entries(restoredTables).map(([id, name]) => [
      `table ${account}/${region}/${name}`,
      `restoredTables.${id} of ${stage}`,
    ]);
    if (domain) owned.push([`domain ${region}/${domain.name}`, `domain.name of ${stage}`]);
    for (const [key, setting] of owned) {
      const other = first.get(key);
      if (other !== undefined) {
        throw new Error(
          `${other} and ${setting} in infra/settings/stages.ts are the same: give each a name of its own.`,
        );
      }
      first.set(key, setting);
    }
  }
}
