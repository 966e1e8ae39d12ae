import type { Deployment } from '../template/deployment.ts';
import { matches } from '../template/policy.ts';
import { printableLine } from '../text/printable.ts';
import { withoutEncodedKey } from '../text/without-encoded-key.ts';
import { type FunctionSettings, type InvocationOutcome, LocalFunction } from './local-function.ts';

/** Invokes the functions of a deployment on behalf of its API, as far as the API has the permission. */
export class Invoker {
  readonly #functions: ReadonlyMap<string, LocalFunction>;
  readonly #permissions: Deployment['invokePermissions'];

  /** `environment` adds to a function's own what Lambda would: region, credentials and so on. */
  constructor(
    { functions, invokePermissions }: Deployment,
    environment: (role: string) => Readonly<Record<string, string>>,
    settings: FunctionSettings = {},
  ) {
    this.#permissions = invokePermissions;
    this.#functions = new Map(
      [...functions].map(([arn, spec]) => [
        arn,
        new LocalFunction(
          { ...spec, environment: { ...spec.environment, ...environment(spec.role) } },
          settings,
        ),
      ]),
    );
  }

  /** Invokes a function for `sourceArn`, the ARN of the method or authorizer that calls it. */
  async invoke(functionArn: string, sourceArn: string, event: unknown): Promise<InvocationOutcome> {
    const isPermitted = this.#permissions.some(
      (permission) => permission.functionArn === functionArn && matches(permission.sourceArn, sourceArn),
    );
    const target = this.#functions.get(functionArn);
    if (isPermitted && target) return target.invoke(event);

    // The ARN of a method ends with the path of the request.
    const caller = printableLine(withoutEncodedKey(sourceArn));
    const errorMessage = `${caller} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
    console.error(`AccessDeniedException: ${errorMessage}`);
    return { error: { errorType: 'AccessDeniedException', errorMessage } };
  }

  /** Stops every function. */
  async close(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((target) => target.close()));
  }
}
