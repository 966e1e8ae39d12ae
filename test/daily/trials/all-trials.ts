import { addStage } from './add-stage.ts';
import { changeSettings } from './change-settings.ts';
import { addDelete } from './change-the-service/add-delete.ts';
import { addEntity } from './change-the-service/add-entity.ts';
import { addField } from './change-the-service/add-field.ts';
import { addIndex } from './change-the-service/add-index.ts';
import { addOperation } from './change-the-service/add-operation.ts';
import { addStatus } from './change-the-service/add-status.ts';
import { deprecateList } from './change-the-service/deprecate-list.ts';
import { extendSunset } from './change-the-service/extend-sunset.ts';
import { passSunset } from './change-the-service/pass-sunset.ts';
import { removeOperation } from './change-the-service/remove-operation.ts';
import { moveFolder } from './move-folder.ts';
import { leaveOut, leaveOutEach } from './start-your-own/leave-out.ts';
import { renameService } from './start-your-own/rename-service.ts';
import { replacePets } from './start-your-own/replace-pets.ts';
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
  ...leaveOutEach,
  extension: extendSunset,
  sunset: passSunset,
  folder: moveFolder,
};
