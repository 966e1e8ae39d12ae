import { type App, CfnOutput, type IStackSynthesizer, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { description, operations } from '../shared/service.ts';
import { boundaryStatements, permissionsBoundary } from './access/boundary.ts';
import { CallerSynthesizer } from './access/caller-synthesizer.ts';
import { validateBoundary } from './access/validate-boundary.ts';
import { keyPrefixOf } from './key-prefix.ts';
import { addMonitoring } from './monitoring/monitoring.ts';
import { recordRelease } from './release/release-parameter.ts';
import { unknownCommit } from './release/release-record.ts';
import { addReleases } from './release/releases.ts';
import { HandlerFunction } from './service/handler-function.ts';
import { PetStoreApi } from './service/pet-store-api.ts';
import { connectTo, declareTables } from './service/tables.ts';
import { authorizerConcurrencyOf, concurrencyOf, limitsOf } from './settings/concurrency.ts';
import { type AllOperationSettings, authorizerTableActions } from './settings/limits-and-permissions.ts';
import type { StageSettings } from './settings/stages.ts';
import { capitalize, stackName, stackPrefix, tableOutput, tagsOf } from './stack-names.ts';

interface PetStoreStackProps {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly operationSettings: AllOperationSettings;
  readonly release: { readonly commit: string | undefined } | undefined;
}

/** The whole service of one stage; each stage has its own tables, functions and API. */
export class PetStoreStack extends Stack {
  constructor(app: App, { stage, settings, operationSettings, release }: PetStoreStackProps) {
    super(app, stackName(stage), {
      description: `${description.title}, ${stage}`,
      // The library's types differ only under exactOptionalPropertyTypes.
      synthesizer: new CallerSynthesizer() as IStackSynthesizer,
      terminationProtection: settings.hasDeletionProtection,
      permissionsBoundary: permissionsBoundary(stage),
      // For cost allocation.
      tags: tagsOf(stage),
    });
    validateBoundary(this, boundaryStatements(stage));

    const tables = declareTables(new Construct(this, 'Tables'), stage, settings);
    const routes = Object.values(operations).map((operation) => {
      const { throttling, tableActions } = operationSettings[operation.operationId];
      const limits = limitsOf(operation, throttling);
      const handler = new HandlerFunction(this, capitalize(operation.operationId), {
        settings,
        concurrency: concurrencyOf(limits),
        ...connectTo(tables, tableActions),
      });
      return { operation, throttling, limits, handler };
    });
    const { permissions, variables } = connectTo(tables, authorizerTableActions);
    const authorizer = new HandlerFunction(this, 'Authorizer', {
      settings,
      permissions,
      variables: { ...variables, KEY_PREFIX: keyPrefixOf(stage) },
      concurrency: authorizerConcurrencyOf(routes.flatMap(({ limits }) => limits)),
    });
    const api = new PetStoreApi(this, stackPrefix, { stage, settings, authorizer, routes });
    const functions = [authorizer, ...routes.map(({ handler }) => handler)];
    const watched = { stage, settings, api, functions, tables };
    const { indicators, topics } = addMonitoring(new Construct(this, 'Monitoring'), watched);
    addReleases(new Construct(this, 'Releases'), watched, indicators, {
      commit: release
        ? recordRelease(this, {
            stage,
            commit: release.commit,
            tables,
            functions: functions.map((handler) => handler.function),
          })
        : unknownCommit,
      ticketTopic: topics?.ticket,
    });

    const outputs = {
      BaseUrl: api.baseUrl,
      DomainTarget: api.domain?.target,
      ...Object.fromEntries(tables.map(({ id, tableName }) => [tableOutput(id), tableName])),
      PageTopicArn: topics?.page.topicArn,
      TicketTopicArn: topics?.ticket.topicArn,
    };
    for (const [name, value] of Object.entries(outputs)) {
      if (value !== undefined) new CfnOutput(this, name, { value });
    }
  }
}
