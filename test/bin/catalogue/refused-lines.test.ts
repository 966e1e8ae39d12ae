import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRefusedLines } from '../../../bin/catalogue/refused-lines.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';

describe('the file of refused lines', () => {
  it('has a JSON object for each line', () => {
    const file = temporaryFile('refused.ndjson');
    const addLine = createRefusedLines(file);

    addLine(2, 'name is required.');
    addLine(7, 'Unexpected token \'o\', "nonsense" is not valid JSON');

    expect(readFileSync(file, 'utf8')).toBe(
      '{"line":2,"reason":"name is required."}\n' +
        '{"line":7,"reason":"Unexpected token \'o\', \\"nonsense\\" is not valid JSON"}\n',
    );
  });

  it('is not made when there is none, and an older one goes', () => {
    const file = temporaryFile('refused.ndjson');
    writeFileSync(file, '{"line":1,"reason":"It was refused before."}');

    createRefusedLines(file);

    expect(existsSync(file)).toBe(false);
  });

  it('has to be a file', () => {
    const directory = dirname(temporaryFile('refused.ndjson'));

    expect(() => createRefusedLines(directory)).toThrow('EISDIR');
  });
});
