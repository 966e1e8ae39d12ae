import { petStoreApp } from '../infra/pet-store-app.ts';
import { stageNames } from '../infra/settings/stage-names.ts';

petStoreApp(stageNames, { shell: process.env });
