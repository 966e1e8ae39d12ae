import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** How a file may be written. */
export interface OutputOptions {
  /** Whether it may take the place of a file that is there. */
  readonly force: boolean;
  /** What the command reads, which is never written over. */
  readonly input?: Stats | undefined;
}

/**
 * A file that a command makes. It is written beside its place, and takes its place as a whole when it is complete: a
 * command that fails or is interrupted leaves what was there.
 */
export class OutputFile {
  readonly #path: string;
  readonly #force: boolean;
  readonly #partial: string;
  #descriptor: number | undefined;

  /** @throws {Error} when the file may not be written; nothing is written yet */
  constructor(path: string, options: OutputOptions) {
    refuseUnlessFree(path, options);
    this.#path = path;
    this.#force = options.force;
    this.#partial = join(dirname(path), `.pet-store-${randomUUID()}.tmp`);
  }

  /** Adds text to what is to be the file. */
  write(content: string | Uint8Array): void {
    this.#descriptor ??= this.#create();
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written);
    }
  }

  /** Puts what was written in its place, at once; with nothing written there will be no file. */
  complete(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    if (this.#force) renameSync(this.#partial, this.#path);
    else moveWithoutOverwriting(this.#partial, this.#path);
    this.#discard();
    process.off('exit', this.#discard);
    this.#descriptor = undefined;
  }

  #create(): number {
    const descriptor = openSync(this.#partial, 'wx');
    process.once('exit', this.#discard);
    return descriptor;
  }

  readonly #discard = () => rmSync(this.#partial, { force: true });
}

function refuseUnlessFree(path: string, { force, input }: OutputOptions): void {
  accessSync(dirname(path), constants.W_OK);
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  const target = statSync(path, { throwIfNoEntry: false });
  if (!target?.isFile()) throw new Error(`${path} is not a regular file: give another name.`);
  if (input && target.ino === input.ino && target.dev === input.dev) {
    throw new Error(`${path} is what is read: give another name.`);
  }
  if (!force) throw new Error(`${path} is there already: give another name, or --force to replace it.`);
}

/** A link is refused where another process has taken the name meanwhile; some file systems have none. */
function moveWithoutOverwriting(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}
