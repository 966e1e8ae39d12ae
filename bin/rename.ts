import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createCommand } from './cli/create-command.ts';

const serviceName = 'Pet Store';

const command = createCommand('npm run rename --', 'Gives the service another name, in every file.')
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
  return [name, words, words.replaceAll(' ', '-'), joined, camelCase, words.replaceAll(' ', '')];
}

const newForms = formsOf(newName);
const renamed = (text: string) =>
  formsOf(serviceName).reduce(
    // Not in "a pet stored in…".
    (result, form, at) => result.replaceAll(new RegExp(`${form}(?![a-z])`, 'g'), newForms[at] ?? ''),
    text,
  );

function* filesIn(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (/^(node_modules|\.git|\.env\..*|.*\.out)$/.test(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

const files = [...filesIn('.')].map((path) => ({ path, to: join(dirname(path), renamed(basename(path))) }));
const taken = files.find(({ path, to }) => to !== path && existsSync(to));
if (taken) command.error(`error: There already is a file ${taken.to}: choose another name.`);

for (const { path, to } of files) {
  const bytes = readFileSync(path);
  // Anything else, such as an image, would be damaged.
  if (isUtf8(bytes)) writeFileSync(path, renamed(bytes.toString()));
  renameSync(path, to);
}
console.log(`The service is named ${newName}. Run npm run format and npm test.`);
