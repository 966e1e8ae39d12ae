import { keyTablePrefixes, restoredTablePrefix, stackName } from './stage-names.ts';
import type { StageSettings } from './stages.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html */
const tableName = /^[\w.-]{3,255}$/;

/**
 * Checks the names of a stage's restored tables. A deploy does not: it fails late or not at all, because
 * CloudFormation does not look for a table that is only referred to.
 *
 * @throws {Error} naming each setting that is wrong
 */
export function checkRestoredTables(
  stage: string,
  restoredTables: StageSettings['restoredTables'] = {},
): void {
  const mistakes = Object.entries(restoredTables).flatMap(([id, name]) => {
    const problem = problemOf(stage, id, name);
    return problem ? [`restoredTables.${id} of ${stage} in infra/settings/stages.ts ${problem}.`] : [];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
}

function problemOf(stage: string, id: string, name: string): string | undefined {
  if (!tableName.test(name)) {
    return 'must be the name of a table: 3 to 255 of the characters a-z, A-Z, 0-9, "_", "-" and "."';
  }
  const ofKeys = keyTablePrefixes(stage);
  const ofTables = [`${stackName(stage)}-`, restoredTablePrefix];
  const isOfKeys = beginsWithOneOf(ofKeys, name);
  if (id === 'apiKeys') {
    return isOfKeys
      ? undefined
      : `must begin with ${ofKeys.join(' or ')}: the role keys may use no other table`;
  }
  if (isOfKeys) return 'must not be a table of keys: choose a name without "keys"';
  return beginsWithOneOf(ofTables, name)
    ? undefined
    : `must begin with ${ofTables.join(' or ')}: no role may use another table`;
}

const beginsWithOneOf = (prefixes: readonly string[], name: string) =>
  prefixes.some((prefix) => name.startsWith(prefix));
