import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';

/** Returns the template of production with changed settings. */
export function productionTemplate(settings: Partial<StageSettings> = {}): unknown {
  const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
  try {
    const alarms = { page: [{ email: 'on-call@pets.example' }], ticket: [] };
    const production = { ...stages.production, alarms, ...settings };
    const app = petStoreApp(['production'], {
      outdir,
      settings: { ...stages, production },
      builtinCloudFormationValidation: false,
    });
    return app.synth().getStackByName('PetStore-production').template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
