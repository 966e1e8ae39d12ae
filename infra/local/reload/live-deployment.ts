import { projectRoot } from '../../project-root.ts';
import type { Deployment } from '../template/deployment.ts';
import { checkTypes } from './check-types.ts';
import { createReloader, type LiveApi } from './reloader.ts';
import type { Sources } from './sources.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Synthesizes the stack, as soon as its sources have no mistakes, and again whenever they change.
 *
 * @returns the first deployment, and a function that chooses what deploys the next ones
 */
export async function liveDeployment(
  sources: Sources,
  synthesize: (signal: AbortSignal) => Promise<Deployment>,
) {
  const first = Promise.withResolvers<Deployment>();
  let latest: Deployment | undefined;
  let api: LiveApi | undefined;
  const { reload, start } = createReloader({
    sources,
    synthesize,
    checkTypes,
    async deploy(next) {
      latest = next;
      if (api) return api.deploy(next);
      first.resolve(next);
      return [];
    },
    lastInvoked: () => api?.lastInvoked(),
    expectFunctions: (count) => api?.expectFunctions(count),
    async deployFunctions(next) {
      latest = next;
      return api ? api.deployFunctions(next) : [];
    },
  });
  await watchSources(projectRoot, reload);
  void start();
  const deployment = await first.promise;

  return {
    deployment,
    async follow(started: LiveApi): Promise<void> {
      api = started;
      // A source was saved meanwhile.
      if (latest && latest !== deployment) await api.deploy(latest);
    },
  };
}
