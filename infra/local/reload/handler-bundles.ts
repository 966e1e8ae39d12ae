import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Deployment, FunctionSpec } from '../template/deployment.ts';
import { type BundleTarget, HandlerBundle } from './handler-bundle.ts';

const SourceMap = v.pipe(v.string(), v.parseJson(), v.object({ sources: v.array(v.string()) }));

/** The bundles of a deployment's handlers, rebuilt from changed sources. */
export class HandlerBundles {
  readonly #target: BundleTarget;
  /** By the path of the handler in the project. */
  readonly #bundles = new Map<string, HandlerBundle>();
  /** The directories that are newer than the deployment's own. */
  readonly #directories = new Map<string, string>();

  constructor(target: BundleTarget) {
    this.#target = target;
  }

  /** Bundles the handlers of a deployment that are new, so that a change only builds what it affects. */
  async add({ functions }: Deployment): Promise<void> {
    const sources = [...functions.values()].map(sourceOf).filter((source) => !this.#bundles.has(source));
    await Promise.all(
      sources.map(async (source) => {
        const bundle = await HandlerBundle.create(source, this.#target);
        this.#bundles.set(source, bundle);
        const directory = await bundle.build();
        if (this.#target.isDebugged) this.#directories.set(source, directory);
      }),
    );
  }

  /**
   * Rebuilds the bundles that changed files affect: all of them, or none.
   *
   * @returns whether there were any
   *
   * @throws {Error} naming file and line of everything that does not compile
   */
  async rebuild(files: ReadonlySet<string>): Promise<boolean> {
    const affected = [...this.#bundles].filter(([, bundle]) => bundle.isAffectedBy(files));
    const builds = await Promise.allSettled(affected.map(([, bundle]) => bundle.build()));
    // Handlers that share a module report the same.
    const errors = new Set(
      builds.flatMap((build) => (build.status === 'rejected' ? [`${build.reason.message}`] : [])),
    );
    if (errors.size > 0) throw new Error([...errors].join('\n'));

    for (const [index, [source]] of affected.entries()) {
      const build = builds[index];
      if (build?.status === 'fulfilled') this.#directories.set(source, build.value);
    }
    return affected.length > 0;
  }

  /** Returns a deployment with the latest code of its functions. */
  latest({ functions, ...deployment }: Deployment): Deployment {
    const withLatestCode = (spec: FunctionSpec & { readonly role: string }) => ({
      ...spec,
      codeDirectory: this.#directories.get(sourceOf(spec)) ?? spec.codeDirectory,
    });
    return {
      ...deployment,
      functions: new Map([...functions].map(([arn, spec]) => [arn, withLatestCode(spec)])),
    };
  }
}

/** The handler that a bundle was built from, as its source map says: handlers import no other. */
function sourceOf({ codeDirectory }: FunctionSpec): string {
  const { sources } = v.parse(SourceMap, readFileSync(join(codeDirectory, 'index.mjs.map'), 'utf8'));
  const source = sources.find((file) => file.startsWith('functions/'));
  if (source === undefined) throw new Error(`The bundle in ${codeDirectory} has no handler of functions/.`);
  return source;
}
