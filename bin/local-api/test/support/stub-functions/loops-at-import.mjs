import { writeSync } from 'node:fs';

writeSync(2, 'It loops.\n');
for (;;);
