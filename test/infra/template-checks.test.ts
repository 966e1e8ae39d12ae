import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { acceptedFindings, nagFindings } from '../support/infra/accepted-findings.ts';
import { pinnedIds, typesOf } from '../support/infra/pinned-ids.ts';
import { productionSettings } from '../support/infra/stage-settings.ts';

const app = petStoreApp(
  { production: productionSettings },
  { outdir: temporaryDirectory(), builtinCloudFormationValidation: false },
);
const artifact = app.synth().getStackByName('PetStore-production');

it('has no cdk-nag findings except the accepted ones', () => {
  expect(nagFindings(app, 'PetStore-production')).toEqual(acceptedFindings(artifact.template));
});

it('has the tags by which permissions recognize the API of a stage', () => {
  expect(artifact.tags).toEqual({ service: 'pet-store', stage: 'production' });
});

it("passes CloudFormation's validation", { timeout: 120_000 }, () => {
  const { violations } = new CloudFormationValidatePlugin().validate({
    appConstruct: app,
    templatePaths: [artifact.templateFullPath],
    stackTemplates: [
      {
        stackConstructPath: artifact.hierarchicalId,
        templatePath: artifact.templateFullPath,
        accountId: undefined,
        region: undefined,
      },
    ],
  });

  expect(violations).toEqual([]);
});

it('keeps the logical ids of resources with data or known addresses', () => {
  expect(typesOf(artifact.template)).toMatchObject(pinnedIds(productionSettings));
});
