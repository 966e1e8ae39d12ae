import pLimit from 'p-limit';
import { handlerSource } from '../lambda/handler-source.ts';
import type { StartFailure } from '../lambda/lambda-function.ts';
import type { LiveProject } from '../project.ts';
import type { Deployment } from '../template/deployment.ts';
import { type SourceBuild, withChanges } from './changes.ts';
import { startError } from './messages.ts';

/** What serves one deployment after another. */
export interface LiveApi {
  /** Serves a deployment whole, or not at all: then it returns why. */
  deploy(next: Deployment, signal: AbortSignal): Promise<readonly StartFailure[]>;
}

/** What to serve in place of what is served. */
interface NextVersion {
  readonly target: SourceBuild;
  /** What reads these files is served as it is in the build. */
  readonly files: readonly string[];
  /** By default that which is served. */
  readonly deployment?: Deployment;
  /** Ends it, so that nothing is replaced. */
  readonly signal: AbortSignal;
}

/** Returns the version of a project that is served: at first none, and then one that `start` serves. */
export function servedVersion(project: LiveProject, start: (first: Deployment) => Promise<LiveApi>) {
  const inTurn = pLimit(1);
  let served: { api: LiveApi; build: SourceBuild; deployment: Deployment } | undefined;

  /** @throws {SourceError} if it is not served, with the reason */
  async function replace({
    target,
    files,
    deployment = served?.deployment,
    signal,
  }: NextVersion): Promise<void> {
    signal.throwIfAborted();
    if (!deployment) throw new Error('There is no deployment to serve.');
    const build = served ? withChanges(served.build, files, target) : target;
    const next = withBundles(deployment, build, project);
    const api = served?.api ?? (await start(next));
    if (served) {
      const failures = await api.deploy(next, signal);
      if (failures.length > 0) throw startError(failures, project.root);
    }
    served = { api, build, deployment };
  }

  return {
    /** What it is made of, once there is one. */
    build: () => served?.build,
    serve: (next: NextVersion) => inTurn(replace, next),
  };
}

/** Returns a deployment whose functions run the bundles of a build. */
function withBundles(deployment: Deployment, { bundles }: SourceBuild, project: LiveProject): Deployment {
  const functions = deployment.functions.map((declared) => {
    const source = handlerSource(declared, project) ?? '';
    return { ...declared, codeDirectory: bundles.get(source) ?? declared.codeDirectory };
  });
  return { ...deployment, functions };
}
