import assert from 'node:assert/strict';
import { settingsIn } from '../../support/infra/documented-settings.ts';
import { type Trial, vitestIn } from './trial.ts';

/** Gives every stage each setting alone, and all that the documents describe, after a restore too. */
export const changeSettings: Trial = {
  document: 'docs/deploying.md',
  section: 'Add a stage',
  files: 2,
  changesApi: false,
  follow(copy) {
    copy.run(vitestIn('daily', 'test/infra/settings/stages.test.ts'));

    const { settings } = settingsIn('docs/deploying.md');
    // The document gives some settings twice; the longer one says more.
    const once = settings.filter((setting) => {
      const isSame = new RegExp(`^ *${/\w+/.exec(setting)?.[0]}:`, 'm');
      return !settings.some((other) => other.length > setting.length && isSame.test(other));
    });
    const record = `{
      accountConcurrency: 1000,
      reservesConcurrency: true,
      logRetention: RetentionDays.THREE_MONTHS,
      memorySize: 1024,
      hasDeletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      hasCanary: true,
      objectives,
      fairUse,
      ${once.join('\n')}
    }`;
    // Two stages cannot have one domain.
    const ofStaging = record.replaceAll('api.example.com', 'staging.example.com');
    copy.edit(
      'infra/settings/stages.ts',
      /const records = \{[\s\S]*?^\} satisfies/m,
      `const records = { staging: ${ofStaging}, production: ${record} } satisfies`,
    );
  },

  async check(_copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await call('GET', '/pets'), [pet]);
  },
};
