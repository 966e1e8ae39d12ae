import { addDelete } from './add-delete.ts';
import { addEntity } from './add-entity.ts';
import { addField } from './add-field.ts';
import { addIndex } from './add-index.ts';
import { addOperation } from './add-operation.ts';
import { addStage } from './add-stage.ts';
import { addStatus } from './add-status.ts';
import { changeSettings } from './change-settings.ts';
import { deprecateList } from './deprecate-list.ts';
import { extendSunset } from './extend-sunset.ts';
import { leaveOut } from './leave-out.ts';
import { moveFolder } from './move-folder.ts';
import { passSunset } from './pass-sunset.ts';
import { removeOperation } from './remove-operation.ts';
import { renameService } from './rename-service.ts';
import { replacePets } from './replace-pets.ts';
import type { Trial } from './trial.ts';

/** All trials, by the names that `npm run daily -- trials` takes. */
export const trials: Readonly<Record<string, Trial>> = {
  field: addField,
  status: addStatus,
  operation: addOperation,
  deprecation: deprecateList,
  removal: removeOperation,
  delete: addDelete,
  index: addIndex,
  entity: addEntity,
  settings: changeSettings,
  stage: addStage,
  rename: renameService,
  replacement: replacePets,
  bare: leaveOut,
  extension: extendSunset,
  sunset: passSunset,
  folder: moveFolder,
};
