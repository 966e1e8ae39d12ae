import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { longestStackName } from '../../infra/stack-names.ts';
import { createCommand } from '../cli/create-command.ts';

const serviceName = 'Pet Store';

const command = createCommand(
  'npm run rename --',
  'Gives the service another name, in every file that Git tracks.',
)
  .argument('<name>', 'one or more capitalized words, such as "Book Shop"')
  .option('--from <name>', 'the name to replace', serviceName)
  .addHelpText(
    'after',
    '\nRename a service before its first deploy: stacks, API keys and the client are named after it.',
  )
  .parse();
const [newName = ''] = command.args;
const { from: oldName } = command.opts<{ from: string }>();
if (![oldName, newName].every((name) => /^[A-Z][a-z]+( [A-Z][a-z]+)*$/.test(name)))
  command.error('error: The name must be capitalized words.');

const stagesFile = 'infra/settings/stages.ts';
const { stages }: { readonly stages: object } = existsSync(stagesFile)
  ? await import(pathToFileURL(stagesFile).href)
  : { stages: {} };
const newPrefix = newName.replaceAll(' ', '');
for (const stage of Object.keys(stages)) {
  const longest = longestStackName - `-${stage}`.length;
  if (newPrefix.length > longest) {
    command.error(
      `error: ${newPrefix} has ${newPrefix.length} letters, but at most ${longest} fit before "-${stage}": CloudFormation would cut the names of functions and roles.`,
    );
  }
}

/** Every form in which code, documents and AWS write a name. */
function formsOf(name: string): readonly string[] {
  const words = name.toLowerCase();
  const joined = name.replaceAll(' ', '');
  const camelCase = joined.charAt(0).toLowerCase() + joined.slice(1);
  const snakeCase = words.replaceAll(' ', '_');
  const oneWord = joined.toLowerCase();
  return [
    name,
    joined,
    camelCase,
    words.replaceAll(' ', '-'),
    snakeCase,
    oneWord,
    words,
    // As in the names of environment variables.
    snakeCase.toUpperCase(),
    oneWord.toUpperCase(),
  ];
}

const forms = formsOf(oldName);
const newForms = formsOf(newName);
// In one pass, and the longest first: a new form may contain an old one, and stays. Not in "a pet stored in…".
const longestFirst = [...forms, ...newForms].toSorted((a, b) => b.length - a.length);
const anyForm = new RegExp(`(${longestFirst.join('|')})(?![a-z])`, 'g');
const renamed = (text: string) => text.replaceAll(anyForm, (form) => newForms[forms.indexOf(form)] ?? form);

/** Returns the lines that call the service what it is, in a sentence that may now read badly. */
const proseIn = ({ to, text }: { readonly to: string; readonly text: string }) =>
  text.split('\n').flatMap((line, index) => {
    const isProse = line.replaceAll(/pet stored/g, '').includes(oldName.toLowerCase());
    return isProse ? [`  ${to}:${index + 1}: ${renamed(line).trim()}`] : [];
  });

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  const reason = stderr?.trim() || 'Git is not installed.';
  return command.error(
    `error: Only files that Git tracks are renamed. Run git init, git add --all and git commit. ${reason}`,
  );
}

// It fails before the first commit, too.
const [changed] = git('diff', '--name-only', 'HEAD', '--').split('\n');
if (changed) {
  command.error(
    `error: ${changed} has changes that are not committed. Commit all first, so that git diff shows what the rename did.`,
  );
}
// All other files, such as a .env file or data, are the user's own. The license has to keep its copyright notice.
const paths = git('ls-files', '-z', '--', ':!LICENSE')
  .split('\0')
  .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
const files = paths.map((path) => ({ path, to: join(dirname(path), renamed(basename(path))) }));
const taken = files.find(({ path, to }) => to !== path && existsSync(to));
if (taken) command.error(`error: There already is a file ${taken.to}: choose another name.`);

const prose: string[] = [];
for (const { path, to } of files) {
  const bytes = readFileSync(path);
  // Anything else, such as an image, would be damaged.
  if (isUtf8(bytes)) {
    const text = bytes.toString();
    if (path !== 'openapi.json') prose.push(...proseIn({ to, text }));
    writeFileSync(path, renamed(text));
  }
  renameSync(path, to);
}
if (prose.length > 0) console.log(`Check these sentences:\n${prose.join('\n')}`);
console.log(`The service is named ${newName}. Run npm run check -- --write and npm test, and commit.`);
