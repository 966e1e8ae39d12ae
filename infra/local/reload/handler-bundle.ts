import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildContext, context } from 'esbuild';
import { bundleOptions, project } from '../../service/bundle-options.ts';

const watched = { ...bundleOptions, metafile: true, logLevel: 'silent' } as const;

/** Where bundles are written. */
export interface BundleTarget {
  readonly directory: string;
  /** Whether functions run from their sources, where a debugger finds its breakpoints. */
  readonly isDebugged: boolean;
}

/** The bundle of a handler, which is rebuilt when one of its sources changes. */
export class HandlerBundle {
  readonly #source: string;
  readonly #target: BundleTarget;
  readonly #context: BuildContext<typeof watched>;
  #inputs: ReadonlySet<string> = new Set();
  #isBroken = true;
  #builds = 0;

  private constructor(source: string, target: BundleTarget, built: BuildContext<typeof watched>) {
    this.#source = source;
    this.#target = target;
    this.#context = built;
  }

  /** Bundles a handler, `source` being its path in the project. */
  static async create(source: string, target: BundleTarget): Promise<HandlerBundle> {
    const built = await context({ ...watched, entryPoints: { index: source } });
    return new HandlerBundle(source, target, built);
  }

  /** Whether the bundle is built from one of some files, or may be once it can be built. */
  isAffectedBy(files: ReadonlySet<string>): boolean {
    return this.#isBroken || !files.isDisjointFrom(this.#inputs);
  }

  /**
   * Builds the bundle.
   *
   * @returns its directory
   *
   * @throws {BuildFailure} naming file and line if it does not compile
   */
  async build(): Promise<string> {
    this.#isBroken = true;
    const { metafile, outputFiles } = await this.#context.rebuild();
    this.#inputs = new Set(Object.keys(metafile.inputs));
    this.#isBroken = false;

    this.#builds += 1;
    const directory = this.#directoryOf(this.#builds);
    // Workers may still run the last one.
    rmSync(this.#directoryOf(this.#builds - 2), { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    for (const { path, contents } of outputFiles) {
      writeFileSync(join(directory, path.slice(project.length)), contents);
    }
    if (this.#target.isDebugged) {
      const source = pathToFileURL(join(project, this.#source));
      writeFileSync(join(directory, 'index.mjs'), `export * from '${source}';\n`);
    }
    return directory;
  }

  readonly #directoryOf = (build: number) =>
    join(this.#target.directory, 'bundles', this.#source, `${build}`);
}
