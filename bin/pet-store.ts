import { petStoreApp } from '../infra/pet-store-app.ts';
import { stageNames } from '../infra/stage-names.ts';

petStoreApp(stageNames, { shell: process.env });
