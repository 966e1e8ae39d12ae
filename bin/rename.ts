import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createCommand } from './cli/create-command.ts';

const serviceName = 'Pet Store';

const command = createCommand(
  'npm run rename --',
  'Gives the service another name, in every file that Git tracks.',
)
  .argument('<name>', 'one or more capitalized words, such as "Book Shop"')
  .addHelpText(
    'after',
    '\nRename a service before its first deploy: stacks, API keys and the client are named after it.',
  )
  .parse();
const [newName = ''] = command.args;
if (!/^[A-Z][a-z]+( [A-Z][a-z]+)*$/.test(newName))
  command.error('error: The name must be capitalized words.');

/** Every form in which code, documents and AWS write a name. */
function formsOf(name: string): readonly string[] {
  const words = name.toLowerCase();
  const joined = name.replaceAll(' ', '');
  const camelCase = joined.charAt(0).toLowerCase() + joined.slice(1);
  const forms = [name, joined, camelCase, ...['-', '_', '', ' '].map((mark) => words.replaceAll(' ', mark))];
  // As in the names of environment variables.
  return [...forms, ...['_', ''].map((mark) => words.replaceAll(' ', mark).toUpperCase())];
}

const newForms = formsOf(newName);
const renamed = (text: string) =>
  formsOf(serviceName).reduce(
    // Not in "a pet stored in…".
    (result, form, at) => result.replaceAll(new RegExp(`${form}(?![a-z])`, 'g'), newForms[at] ?? ''),
    text,
  );

/** Returns the files that Git tracks: all others, such as a .env file or data, are the user's own. */
function trackedFiles(): readonly string[] {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
  if (status !== 0) {
    const reason = stderr?.trim() || 'Git is not installed.';
    command.error(`error: Only files that Git tracks are renamed. Run git init and git add --all. ${reason}`);
  }
  const paths = stdout.split('\0').filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
  if (paths.length === 0) {
    command.error('error: Git tracks no file here, and only such files are renamed. Run git add --all.');
  }
  return paths;
}

const files = trackedFiles().map((path) => ({ path, to: join(dirname(path), renamed(basename(path))) }));
const taken = files.find(({ path, to }) => to !== path && existsSync(to));
if (taken) command.error(`error: There already is a file ${taken.to}: choose another name.`);

for (const { path, to } of files) {
  const bytes = readFileSync(path);
  // Anything else, such as an image, would be damaged.
  if (isUtf8(bytes)) writeFileSync(path, renamed(bytes.toString()));
  renameSync(path, to);
}
console.log(`The service is named ${newName}. Run npm run format and npm test, and commit.`);
