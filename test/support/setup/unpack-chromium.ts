import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

// The package unpacks into the system's temporary directory, whose place is chosen with TMPDIR.
const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));
await Promise.all([chromium.executablePath(), inflate(libraries)]);
