import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { accessKeyIdOf, account } from '../template/account.ts';
import type { Deployment, FunctionSpec } from '../template/deployment.ts';
import { matches } from '../template/policy.ts';
import { functionLog } from './function-log.ts';
import {
  type FunctionSettings,
  type LambdaFunction,
  lambdaFunction,
  type StartFailure,
} from './lambda-function.ts';
import type { InvocationOutcome } from './runtime-protocol.ts';

export type Invoker = ReturnType<typeof createInvoker>;

/**
 * Returns what invokes the functions of a deployment on behalf of its API, if its permissions allow it.
 * Functions call AWS at `awsEndpoint`.
 */
export function createInvoker(awsEndpoint: string, settings: FunctionSettings) {
  let functions: readonly LambdaFunction[] = [];
  let permissions: Deployment['invokePermissions'] = [];
  let lostShare = 0;
  /** More processes at a time would start no sooner, and the first of them later. */
  const startInTurn = pLimit(availableParallelism());

  const functionOf = (arn: string) => functions.find(({ spec }) => spec.arn === arn);

  /** Returns the functions of a deployment: those that it does not change are kept. */
  const functionsOf = (deployment: Deployment): readonly LambdaFunction[] =>
    deployment.functions.map((declared) => {
      const environment = environmentOf(declared, awsEndpoint);
      const spec = { ...declared, environment };
      return (
        functions.find((target) => isDeepStrictEqual(target.spec, spec)) ?? lambdaFunction(spec, settings)
      );
    });

  const invoker = {
    /**
     * Replaces the functions of the last deployment. Those that have run are replaced when all of them have started
     * in their new version, and the old versions complete their requests. The others start on demand.
     *
     * @returns why functions did not start: then none is replaced
     * @throws {Error} if the signal ends it
     */
    async deploy(deployment: Deployment, signal?: AbortSignal): Promise<readonly StartFailure[]> {
      const next = functionsOf(deployment);
      const added = next.filter((target) => !functions.includes(target));
      const closeAdded = () => Promise.all(added.map((target) => target.close()));
      const starting = added.filter(({ spec }) => functionOf(spec.arn)?.hasRun());
      signal?.addEventListener('abort', closeAdded);
      const start = (target: LambdaFunction) => (signal?.aborted ? undefined : target.start());
      const results = await Promise.all(starting.map((target) => startInTurn(start, target)));
      signal?.removeEventListener('abort', closeAdded);
      const failures = results.filter((failure) => failure !== undefined);
      if (failures.length > 0 || signal?.aborted) {
        await closeAdded();
        signal?.throwIfAborted();
        return failures;
      }

      for (const target of functions) if (!next.includes(target)) void target.retire();
      permissions = deployment.invokePermissions;
      functions = next;
      // A debugger sets its breakpoints before the first request.
      if (settings.isDebugged)
        await Promise.all(functions.map((target) => target.hasRun() || target.start()));
      return [];
    },

    /** Invokes a function for `sourceArn`, the ARN of the method or authorizer that calls it. */
    async invoke(functionArn: string, sourceArn: string, event: unknown): Promise<InvocationOutcome> {
      const isPermitted = permissions.some(
        (permission) => permission.functionArn === functionArn && matches(permission.sourceArn, sourceArn),
      );
      const target = functionOf(functionArn);
      if (isPermitted && target) return target.invoke(event);

      // The ARN of a method ends with the path of the request, which may have anything.
      const errorMessage = `The API is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
      console.error(`AccessDeniedException: ${errorMessage}`);
      return { error: { errorType: 'AccessDeniedException', errorMessage, stackTrace: [] } };
    },

    /** Invokes a function as `invoke` does, and loses the share of responses that is to be lost. */
    async respond(functionArn: string, sourceArn: string, event: unknown): Promise<InvocationOutcome> {
      const outcome = await invoker.invoke(functionArn, sourceArn, event);
      if (Math.random() >= lostShare) return outcome;
      const error = {
        errorType: 'Runtime.ExitError',
        errorMessage: 'The function did its work, and --fail lost its response.',
        stackTrace: [],
      };
      functionLog(invoker.sourceOf(functionArn), settings).writeFailure(error);
      return { error };
    },

    /**
     * From then on, loses this share of the responses to clients, from 0 to 1. The function has done its work,
     * and the client gets what it gets when a function ends before it responds.
     */
    loseResponses(share: number): void {
      lostShare = share;
    },

    /** Returns what to call a function in a message: the source file of its handler, if it has one. */
    sourceOf: (functionArn: string): string => functionOf(functionArn)?.source ?? functionArn,

    async close(): Promise<void> {
      await Promise.all(functions.map((target) => target.close()));
    },
  };
  return invoker;
}

/**
 * Returns a function's variables: its own, between those that it may and may not set.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
const environmentOf = (
  { name, version, memoryMb, role, environment }: FunctionSpec,
  awsEndpoint: string,
) => ({
  TZ: ':UTC',
  ...environment,
  AWS_ACCESS_KEY_ID: accessKeyIdOf(role),
  AWS_ENDPOINT_URL: awsEndpoint,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMb}`,
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: version,
  AWS_REGION: account.region,
  AWS_SECRET_ACCESS_KEY: 'none',
});
