import { expect, vi } from 'vitest';
import { CommandProcess } from './command-process.ts';
import { ProjectCopy } from './project-copy.ts';

/** `npm run dev` in a copy of this project, with one pet. */
export class DevProcess extends CommandProcess {
  readonly project: ProjectCopy;
  #pet = '';
  #headers = {};

  constructor(flags: readonly string[] = []) {
    const project = new ProjectCopy();
    super('bin/local.ts', ['--watch', '--port', '0', '--pets', '1', ...flags], {
      project: project.directory,
    });
    this.project = project;
  }

  async ready(): Promise<void> {
    const [, baseUrl, apiKey, petId] = await this.printed(
      'stdout',
      /BASE_URL[ =']+([^\s']+).*\n.*API_KEY[ =']+(\w+)[\s\S]*\/pets\/(\d+)"/,
    );
    this.#pet = `${baseUrl}/pets/${petId}`;
    this.#headers = { Authorization: `Bearer ${apiKey}` };
  }

  /** Gets the pet, or its path plus `suffix`, until the response is as expected. */
  async expectSoon(expected: { readonly status?: number; readonly body?: object }, suffix = '') {
    const expectNow = async () => {
      const response = await fetch(`${this.#pet}${suffix}`, { headers: this.#headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject(expected);
    };
    await vi.waitFor(expectNow, { timeout: 60_000 });
  }

  async reference(): Promise<string> {
    return (await fetch(new URL('/', this.#pet))).text();
  }

  /** Stops it with the processes that it has started, and removes the copy. */
  async remove(): Promise<void> {
    await this.exit('SIGTERM');
    this.project.remove();
  }
}
