import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { hideApiKeys } from '../../../shared/text/hide-api-keys.ts';
import { printableLine } from '../../../shared/text/printable.ts';
import { account } from '../template/account.ts';
import type { Deployment, FunctionSpec } from '../template/deployment.ts';
import { matches } from '../template/policy.ts';
import type { InvocationOutcome } from './execution-environment.ts';
import { functionSource } from './handler-source.ts';
import {
  type FunctionSettings,
  type LocalFunction,
  localFunction,
  type StartFailure,
} from './local-function.ts';
import { writeLogLine } from './readable-log.ts';
import { keepSpares } from './spare-processes.ts';

/** More processes at a time would start no sooner, and the first of them later. */
const startInTurn = pLimit(availableParallelism());

/** Sorts functions that were invoked later before others. */
const latestFirst = (a: LocalFunction, b: LocalFunction) => b.lastInvokedAt() - a.lastInvokedAt();

interface Replacement {
  readonly replaced: LocalFunction;
  readonly target: LocalFunction;
}

export type Invoker = ReturnType<typeof createInvoker>;

/**
 * Returns what invokes the functions of a deployment on behalf of its API, if its permissions allow it.
 * Functions call AWS at `awsEndpoint`.
 */
export function createInvoker(awsEndpoint: string, settings: FunctionSettings = {}) {
  let functions: readonly LocalFunction[] = [];
  let permissions: Deployment['invokePermissions'] = [];
  let lostShare = 0;

  const lastVersionOf = (target: LocalFunction) => functions.find(({ spec }) => spec.arn === target.spec.arn);

  const addedBy = (next: readonly LocalFunction[]) => next.filter((target) => !lastVersionOf(target));

  /** Returns the functions that replace others: first those that were invoked last, and probably are next. */
  const replacementsBy = (next: readonly LocalFunction[]): readonly Replacement[] =>
    next
      .flatMap((target) => {
        const replaced = lastVersionOf(target);
        return replaced && replaced !== target ? [{ replaced, target }] : [];
      })
      .toSorted((a, b) => latestFirst(a.replaced, b.replaced));

  function replace(replaced: LocalFunction, target: LocalFunction): void {
    functions = functions.map((each) => (each === replaced ? target : each));
    void replaced.close();
  }

  const invoker = {
    /**
     * Replaces the functions that a deployment changes, once they have started: the old ones complete their
     * invocations. With a new stack, all are replaced together, or none. Otherwise, each one is replaced as soon
     * as it has started.
     *
     * @returns why functions did not start
     */
    async deploy(deployment: Deployment, { isNewStack = true } = {}): Promise<readonly StartFailure[]> {
      const next = deployment.functions.map((declared) => {
        const variables = { ...lambdaVariables(declared), AWS_ENDPOINT_URL: awsEndpoint };
        const spec = { ...declared, environment: { ...declared.environment, ...variables } };
        return (
          functions.find((target) => isDeepStrictEqual(target.spec, spec)) ?? localFunction(spec, settings)
        );
      });
      const replacements = replacementsBy(next);
      // A debugger sets its breakpoints before the first request.
      if (settings.isDebugged) for (const target of addedBy(next)) target.prestart();
      const failures: StartFailure[] = [];
      const start = async ({ replaced, target }: Replacement) => {
        const failure = await target.start();
        if (failure) failures.push(failure);
        else if (!isNewStack) replace(replaced, target);
      };
      await Promise.all(replacements.map((each) => startInTurn(start, each)));

      const previous = functions;
      if (isNewStack && failures.length === 0) {
        permissions = deployment.invokePermissions;
        functions = next;
      }
      for (const target of new Set([...previous, ...next])) {
        if (!functions.includes(target)) void target.close();
      }
      return failures;
    },

    /** Returns the source file of the handler that was invoked last, if any was. */
    lastInvoked(): string | undefined {
      const invoked = functions.filter((target) => target.lastInvokedAt() > 0);
      const [last] = invoked.toSorted(latestFirst);
      return last && functionSource(last.spec);
    },

    /** Prepares to start some functions, or none. A debugger needs threads of this process. */
    expectFunctions: (count: number): void => keepSpares(settings.isDebugged ? 0 : count),

    /** Invokes a function for `sourceArn`, the ARN of the method or authorizer that calls it. */
    async invoke(functionArn: string, sourceArn: string, event: unknown): Promise<InvocationOutcome> {
      const isPermitted = permissions.some(
        (permission) => permission.functionArn === functionArn && matches(permission.sourceArn, sourceArn),
      );
      const target = functions.find(({ spec }) => spec.arn === functionArn);
      if (isPermitted && target) return target.invoke(event);

      // The ARN of a method ends with the path of the request.
      const caller = printableLine(hideApiKeys(sourceArn));
      const errorMessage = `${caller} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
      console.error(`AccessDeniedException: ${errorMessage}`);
      return { error: { errorType: 'AccessDeniedException', errorMessage, stackTrace: [] } };
    },

    /** Invokes a function as `invoke` does, and loses the share of responses that is to be lost. */
    async respond(functionArn: string, sourceArn: string, event: unknown): Promise<InvocationOutcome> {
      const outcome = await invoker.invoke(functionArn, sourceArn, event);
      return Math.random() < lostShare ? lost(functionArn, settings) : outcome;
    },

    /**
     * From then on, loses this share of the responses to clients, from 0 to 1. The function has done its work,
     * and the client gets what it gets when a function ends before it responds.
     */
    loseResponses(share: number): void {
      lostShare = share;
    },

    /** Returns what to call a function in a message: the source file of its handler, if it has one. */
    sourceOf(functionArn: string): string {
      const target = functions.find(({ spec }) => spec.arn === functionArn);
      return target ? functionSource(target.spec) : functionArn;
    },

    async close(): Promise<void> {
      await Promise.all(functions.map((target) => target.close()));
    },
  };
  return invoker;
}

/** Returns and logs that the response of a function is lost. */
function lost(functionArn: string, { hasReadableLog = false }: FunctionSettings): InvocationOutcome {
  const errorMessage = 'The function did its work, and --fail lost its response.';
  writeLogLine({ level: 'ERROR', message: `${functionArn}: ${errorMessage}` }, hasReadableLog);
  return { error: { errorType: 'Runtime.ExitError', errorMessage, stackTrace: [] } };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
const lambdaVariables = ({ name, version, memoryMb, role }: FunctionSpec) => ({
  AWS_ACCESS_KEY_ID: role,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMb}`,
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: version,
  AWS_REGION: account.region,
  AWS_SECRET_ACCESS_KEY: 'none',
  TZ: ':UTC',
});
