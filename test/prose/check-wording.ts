import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Wording that has no legitimate use in this project, with what to write instead. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b(rings?|rang|rung)\b/i, 'fires'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\b(tells?|told) (of|apart|about what)\b/i, 'reports, or distinguishes'],
  [/\b(takes?|taking|took|taken) (it )?back\b/i, 'revokes, removes or rolls back'],
  [/\b(undoe?s?|undone|undoing) (itself|themselves)\b/i, 'rolls back'],
  [/\bwho(m|so)?ever\b/i, 'the operator, the client, …'],
  [/\bwhat of\b/i, 'the parts of … that'],
  [/\bgood (api )?keys?\b/i, 'valid key'],
  [/\bkeys? (ends?|ended)\b/i, 'the key expires, or is revoked'],
  [/(?<!\bthere )\b(is|are|was) no (?!longer|more\b|need|point|such)[a-z]+/i, 'is not a …'],
  [
    /\b(requests?|calls?|units?|creates|pages|lines|dollars|\$\d[\d.,]*) an? (second|minute|hour|day|month|million)\b/i,
    'per',
  ],
  [/\b(one|two|a file|a line|a type|a request|a stage|an account|a key) each\b(?! time)/i, 'one … per …'],
  [/\blimits? (is|are|was) met\b/i, 'the limit is reached'],
  [/\bfrom nothing\b/i, 'from an empty account'],
  [/\bfor good\b/i, 'permanently'],
  [/, say\b(?!s)/i, 'such as, for example'],
  [/\b(made|make) of\b/i, 'its parts, consists of'],
  [/\bwhat (kept|becomes? of|became of|comes? of|came of|it takes)\b/i, 'why …, or what happens to …'],
  [/\b(gone|goes|go) around\b/i, 'bypassed'],
];

// The list itself has to contain what it rejects.
const patterns = ['*.ts', '*.js', '*.css', '*.md', '*.yml', '*.yaml', '*.http', 'openapi.json'];
const files = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && file !== 'test/prose/check-wording.ts');

for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const [pattern, instead] of replacements) {
      const [found] = pattern.exec(line) ?? [];
      if (found === undefined) continue;
      console.error(`${file}:${index + 1} "${found}": write "${instead}"`);
      process.exitCode = 1;
    }
  }
}
