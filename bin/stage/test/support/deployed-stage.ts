import { createHash } from 'node:crypto';
import type { OperationEntry, OperationEvent, StackStatus } from '@aws-sdk/client-cloudformation';
import type { Event } from '@aws-sdk/client-cloudtrail';
import { recordText } from '../../../../infra/release/release-record.ts';
import { failure, type World } from './fake-stage.ts';
import { functions } from './stage-names.ts';
import { aliasMoved, type Caller, callers } from './trail-events.ts';

/** What a commit deploys: the code of all functions or of some, by their numbers, and the rest of the template. */
export interface Content {
  readonly code: string | Readonly<Record<number, string>>;
  readonly template?: string;
  readonly keys?: string;
}

export type Outcome =
  | 'succeeds'
  | 'is in its canary'
  | 'fails in its canary'
  | 'fails early'
  | 'cannot roll back';

interface Release {
  readonly record: string;
  /** By function. */
  readonly versions: ReadonlyMap<string, number>;
}

interface Alias {
  readonly version: number;
  /** What gets a tenth of the requests besides. */
  readonly canary?: number;
}

/**
 * A stage as CloudFormation, CodeDeploy and Lambda change it. The versions of a release that fails are deleted
 * (RetainExceptOnCreate), and the parameter gets its earlier value again.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export class DeployedStage {
  /** The code of each function's versions; undefined if the version was deleted. */
  readonly #published = new Map(functions.map((name) => [name, new Map<number, string | undefined>()]));
  readonly #aliases = new Map<string, Alias>();
  readonly #records: (readonly [value: string, minutes: number])[] = [];
  readonly #failures: OperationEvent[] = [];
  /** The newest first. */
  readonly #events: Event[] = [];
  #operations: readonly OperationEntry[] = [];
  #status: StackStatus = 'CREATE_COMPLETE';
  /** What CloudFormation has, and what it deploys. */
  #stack: Release | undefined;
  #next: Release | undefined;
  #minutes = 9000;
  /** What the commits deploy. */
  readonly contents = new Map<string, Content>();

  /** Deploys a commit, with a canary unless it is with `fixForward`. */
  deploy(commit: string, content: Content, outcome: Outcome = 'succeeds', { fixForward = false } = {}): this {
    this.contents.set(commit, content);
    const release = this.#publish(commit, content);
    const moved = functions.filter((name) => this.#stack?.versions.get(name) !== release.versions.get(name));
    // CodeDeploy rejects an alias that does not show what CloudFormation says.
    const isRejected = moved.some(
      (name) => this.#aliases.get(name)?.version !== this.#stack?.versions.get(name),
    );
    this.#operations = [{ OperationType: 'UPDATE_STACK', OperationId: `update-${commit}` }];
    this.#status = 'UPDATE_IN_PROGRESS';
    this.#next = release;
    if (outcome !== 'fails early') this.#record(release);
    if (outcome === 'succeeds' && (fixForward || !isRejected)) {
      const service = fixForward ? 'cloudformation.amazonaws.com' : 'codedeploy.amazonaws.com';
      for (const name of moved)
        this.#move(name, release.versions.get(name) ?? 0, callers.service(service, 'x'));
      this.#stack = release;
      this.#status = 'UPDATE_COMPLETE';
      return this;
    }
    for (const name of moved) {
      this.#aliases.set(name, { ...this.alias(name), canary: release.versions.get(name) ?? 0 });
    }
    return outcome === 'is in its canary' ? this : this.#rollBack(outcome !== 'cannot roll back');
  }

  /** Stops an update, which CloudFormation then rolls back. */
  stop(): this {
    return this.#status === 'UPDATE_IN_PROGRESS' ? this.#rollBack() : this;
  }

  #rollBack(canRollBack = true): this {
    const [{ OperationId = '' } = {}] = this.#operations;
    this.#fail(OperationId, 'Deployment failed: an alarm fired');
    for (const _name of functions.slice(1)) this.#fail(OperationId, 'Resource update cancelled');
    this.#operations = [
      { OperationType: 'ROLLBACK', OperationId: `rollback-${OperationId}` },
      ...this.#operations,
    ];
    if (!canRollBack) {
      this.#fail(`rollback-${OperationId}`, 'Rate exceeded');
      this.#status = 'UPDATE_ROLLBACK_FAILED';
      return this;
    }
    return this.#settle();
  }

  #settle(): this {
    for (const name of functions) {
      const version = this.#next?.versions.get(name) ?? 0;
      if (version !== this.#stack?.versions.get(name)) this.#published.get(name)?.set(version, undefined);
      this.#aliases.set(name, { version: this.alias(name).version });
    }
    if (this.#stack && this.#records.at(-1)?.[0] !== this.#stack.record) this.#record(this.#stack);
    this.#status = 'UPDATE_ROLLBACK_COMPLETE';
    return this;
  }

  /** Points an alias to a version, as Lambda's UpdateAlias does. */
  point(name: string, version: number): this {
    if (!this.#published.get(name)?.get(version)) throw new Error(`ResourceNotFound: ${name}:${version}`);
    return this.#move(name, version, callers.person('alice'));
  }

  #move(name: string, version: number, caller: Caller): this {
    this.#aliases.set(name, { version });
    this.#minutes -= 1;
    this.#events.unshift(aliasMoved(this.#minutes, name, version, { caller }));
    return this;
  }

  /** Continues a rollback that failed. */
  continueRollback(): this {
    return this.#status === 'UPDATE_ROLLBACK_FAILED' ? this.#settle() : this;
  }

  /** Points an alias to a version, if that exists. */
  tryPoint(name: string, version: number): this {
    return this.#published.get(name)?.get(version) ? this.point(name, version) : this;
  }

  /** The commits that are recorded, each once. */
  get recorded(): readonly string[] {
    return [...new Set(this.#records.map(([record]) => record.slice(0, 7)))];
  }

  alias(name: string): Alias {
    return this.#aliases.get(name) ?? { version: 0 };
  }

  /** The code that all requests get, by function. */
  get served(): readonly (string | undefined)[] {
    return functions.map((name) => this.#published.get(name)?.get(this.alias(name).version));
  }

  get world(): World {
    return {
      status: this.#status,
      operations: this.#operations,
      failures: this.#failures,
      events: this.#events,
      releases: this.#records.toReversed(),
      deployments: this.#status === 'UPDATE_IN_PROGRESS' ? ['d-1', 'd-2'] : [],
      aliasOf: (name) => this.alias(name),
      hasVersion: (name, version) => this.#published.get(name)?.get(version) !== undefined,
    };
  }

  #publish(commit: string, { code, template = 'first', keys = 'first' }: Content): Release {
    const codes = functions.map((_name, index) =>
      typeof code === 'string' ? code : (code[index] ?? 'first'),
    );
    const versions = functions.map((name, index) => {
      const published = this.#published.get(name) ?? new Map();
      const declared = this.#stack?.versions.get(name) ?? 0;
      if (published.get(declared) === codes[index]) return [name, declared] as const;
      published.set(published.size + 1, codes[index]);
      return [name, published.size] as const;
    });
    const digests = {
      template: digest(template),
      tables: digest(keys),
      content: digest({ codes, template, keys }),
    };
    return {
      versions: new Map(versions),
      record: recordText({
        commit,
        ...digests,
        versions: Object.fromEntries(versions.map(([name, version]) => [name, `${version}`])),
      }),
    };
  }

  #record({ record }: Release) {
    this.#minutes -= 30;
    this.#records.push([record, this.#minutes]);
  }

  #fail(OperationId: string, reason: string) {
    this.#minutes -= 1;
    this.#failures.unshift({
      ...failure(`Resource${this.#failures.length}`, reason, this.#minutes),
      OperationId,
    });
  }
}

const digest = (parts: unknown) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
