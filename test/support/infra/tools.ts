import { globSync } from 'node:fs';

/** The folders of bin that the service needs: its tests stand on the local API, and its operators on keys. */
export const needed: readonly string[] = ['cli', 'keys', 'local', 'local-api', 'reference'];

/** Returns the folders of bin that an owner may leave out. */
export const leaveableTools = (project = '.'): readonly string[] =>
  globSync('bin/*/', { cwd: project })
    .map((path) => path.replace(/^bin\W|\W$/g, ''))
    .filter((tool) => !needed.includes(tool))
    .toSorted();

/** Returns the npm scripts that run a tool. */
export const scriptsOfTool = (tool: string, scripts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(scripts).flatMap(([name, script]) => (script.includes(`bin/${tool}/`) ? name : []));
