import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { createPet, getPet, listPets } from '../shared/contract/operations.ts';
import { apiKeysTable, petsTable } from '../shared/tables/table-definitions.ts';
import { Alarms } from './alarms.ts';
import { HandlerFunction, type Permission } from './handler-function.ts';
import { PetStoreApi } from './pet-store-api.ts';
import { type StageName, stackName } from './stage-names.ts';
import { stages } from './stages.ts';
import { Tables } from './tables.ts';

/** The whole service, once a stage: its tables, its functions and its API share nothing with another stage's. */
export class PetStoreStack extends Stack {
  constructor(app: App, stage: StageName) {
    super(app, stackName(stage), { description: `Pet Store, ${stage}` });
    const settings = stages[stage];

    const { pets, apiKeys } = new Tables(this, 'Tables', settings);
    const byStatus = `${pets.tableArn}/index/${petsTable.statusIndex.name}`;

    const petsFunction = (id: string, entry: string, permissions: readonly Permission[]) =>
      new HandlerFunction(this, id, {
        entry,
        permissions,
        settings,
        environment: { [petsTable.nameVariable]: pets.tableName },
      }).function;

    const authorizer = new HandlerFunction(this, 'Authorizer', {
      entry: 'authorizer',
      permissions: [{ actions: ['dynamodb:GetItem'], resource: apiKeys.tableArn }],
      settings,
      environment: { [apiKeysTable.nameVariable]: apiKeys.tableName, STAGE: stage },
    }).function;

    const { api } = new PetStoreApi(this, 'PetStore', {
      stage,
      settings,
      authorizer,
      routes: [
        {
          operation: listPets,
          handler: petsFunction('ListPets', 'list-pets', [
            { actions: ['dynamodb:Scan'], resource: pets.tableArn },
            { actions: ['dynamodb:Query'], resource: byStatus },
          ]),
        },
        {
          operation: createPet,
          handler: petsFunction('CreatePet', 'create-pet', [
            { actions: ['dynamodb:PutItem'], resource: pets.tableArn },
          ]),
        },
        {
          operation: getPet,
          handler: petsFunction('GetPet', 'get-pet', [
            { actions: ['dynamodb:GetItem'], resource: pets.tableArn },
          ]),
        },
      ],
    });

    new CfnOutput(this, 'BaseUrl', { value: api.urlForPath().replace(/\/$/, '') });
    new CfnOutput(this, 'PetsTableName', { value: pets.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: apiKeys.tableName });

    if (settings.hasAlarms) {
      const { topic } = new Alarms(this, 'Alarms', api);
      new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
    }
  }
}
