import { writeFileSync } from 'node:fs';
import { figures } from './figures.ts';

for (const [file, content] of figures()) writeFileSync(file, content);
